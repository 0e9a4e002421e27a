"""The frame around the exchanges: FJ-S1 to FJ-3, FJ-5 to FJ-E, FJ-A2, and two players (FJ-2p1 to FJ-2p4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, LayConditions, LayGoals, SetAside
from companion.games.fiji.box import house_box
from companion.games.fiji.cards import EXTENDED_SET, FULL_SET, minus
from companion.games.fiji.heads import goal_winners, heads_for_places, places, ranking
from companion.games.game import TABLE
from tests.games.fiji.tables import GOALS, IDLE, after_round, beads, bid, goals, laid, refused, row, set_aside, told
from tests.games.playing import play

LAY = LayConditions(TABLE, IDLE)


def test_fj_s1_conditions_and_effects_are_shuffled_apart() -> None:
    games = [[a for a in play(game, 3, seed, {}).actions if isinstance(a, LayConditions)] for seed in range(6)]
    orders = {tuple(row.condition for lay in one for row in lay.rows) for one in games}
    pairs = {frozenset(row for lay in one for row in lay.rows) for one in games}
    assert len(orders) == len(pairs) == 6


def test_fj_0_four_rounds_use_every_condition_and_effect_once() -> None:
    playthrough = play(game, 4, 2, {})
    rows = [row for action in playthrough.actions if isinstance(action, LayConditions) for row in action.rows]
    box = house_box()
    assert len(rows) == 16
    assert {row.condition for row in rows} == set(box.conditions)
    assert {row.effect for row in rows} == set(box.effects)
    assert [s.round for s in playthrough.states] == sorted(s.round for s in playthrough.states)
    assert {s.round for s in playthrough.states} == {1, 2, 3, 4}


def test_fj_0a_conditions_then_goals_then_bids() -> None:
    state = game.start(3, {})
    goals_laid, first_bid = LayGoals(TABLE, GOALS), Bid(0, beads("g"))
    assert [refused(state, action).rule for action in (goals_laid, first_bid)] == ["FJ-0a", "FJ-0a"]
    state, _ = game.apply(state, LAY)
    assert [refused(state, action).rule for action in (LAY, first_bid)] == ["FJ-0a", "FJ-0a"]
    state, _ = game.apply(state, goals_laid)
    assert [refused(state, action).rule for action in (LAY, goals_laid)] == ["FJ-0a", "FJ-0a"]
    assert game.can(state, first_bid)


def test_fj_0a_seats_do_not_lay_and_the_table_does_not_bid() -> None:
    laying, bidding = refused(game.start(3, {}), LayConditions(1, IDLE)), refused(laid(3), Bid(TABLE, beads("g")))
    assert (laying.rule, laying.because.facts["who"]) == ("FJ-0a", "table")
    assert (bidding.rule, bidding.because.facts["who"]) == ("FJ-0a", "players")
    assert refused(laid(3), Bid(3, beads("g"))).rule == "FJ-0a", "no such seat"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_fj_1_everybody_gets_a_full_set_and_one_is_the_supply(players: int) -> None:
    state = game.dump(game.start(players, {}))
    full = {"green": 5, "red": 4, "yellow": 3, "blue": 2}
    assert state["hands"] == [full] * players
    assert state["supply"] == full
    assert state["heads"] == [0] * players
    assert (state["goals"], state["rows"], state["bids"]) == ([], [], [None] * players)


def test_fj_1_hands_are_hidden() -> None:
    state = laid(3)
    assert [bag is not None for bag in game.view(state, 1)["hands"]] == [False, True, False]
    assert game.view(state, None)["hands"] == [None, None, None]


def test_fj_2_four_rows_are_laid_and_lie_open() -> None:
    state = game.start(3, {})
    rows = [row("most green", "gain red"), row("fewest all", "half blue"), *IDLE[:2]]
    state, effects = game.apply(state, LayConditions(TABLE, tuple(rows)))
    expected = {
        "condition": {"colours": ["green", "red", "yellow", "blue"], "wins": "fewest"},
        "effect": {"kind": "half", "colour": "blue"},
    }
    assert game.view(state, None)["rows"][1] == game.dump(state)["rows"][1] == expected
    assert told(effects, "conditions_laid") == [{"round": 1}]


def test_fj_2_any_four_rows_are_possible() -> None:
    same = row("most green", "gain blue")
    assert laid(3, [same] * 4).rows == (same,) * 4


def test_fj_3_goals_lie_in_order_of_importance() -> None:
    state = laid(3, goals=goals("fewest blue", "most red", "most green", "fewest yellow"))
    assert game.dump(state)["goals"][0] == {"colour": "blue", "wins": "fewest"}
    assert game.dump(state)["goals"][3] == {"colour": "yellow", "wins": "fewest"}


def test_fj_3_the_dealer_shuffles_goals_and_turns_some() -> None:
    lays = [a for seed in range(5) for a in play(game, 3, seed, {}).actions if isinstance(a, LayGoals)]
    assert all({goal.colour for goal in lay.goals} == {0, 1, 2, 3} for lay in lays)
    assert len({tuple(goal.colour for goal in lay.goals) for lay in lays}) > 5
    assert {goal.wins for lay in lays for goal in lay.goals} == {"most", "fewest"}


def test_fj_5_the_first_goal_decides_then_the_next() -> None:
    hands = [beads("ggr"), beads("gry"), beads("ggg"), beads("gr")]
    assert places(goals("most green", "fewest red", "fewest yellow", "most blue"), hands) == ((2,), (0,), (3,), (1,))
    assert places(goals("fewest blue", "most blue", "most blue", "most blue"), hands) == ((0, 1, 2, 3),)


def test_fj_5_none_of_a_colour_is_the_fewest() -> None:
    hands = [beads("b"), beads(""), beads("bb")]
    assert places(goals("fewest blue", "most red", "most red", "most red"), hands) == ((1,), (0,), (2,))


def test_fj_5_all_show_their_beads_after_the_third_exchange() -> None:
    state, effects = after_round(laid(3), ["g", "r", "y"])
    assert [f["beads"] for f in told(effects, "hand_shown")] == [
        {"green": 2, "red": 4, "yellow": 3, "blue": 2},
        {"green": 5, "red": 1, "yellow": 3, "blue": 2},
        {"green": 5, "red": 4, "yellow": 0, "blue": 2},
    ]
    assert state.heads == (0, 1, 2), "most green, then most red"


@pytest.mark.parametrize(
    ("ranked", "heads"),
    [
        (((2,), (1,), (0,), (3,)), (1, 2, 3, 0)),
        (((0, 1), (2,), (3,)), (2, 2, 1, 0)),
        (((0, 1, 2), (3,)), (1, 1, 1, 0)),
        (((0, 1, 2, 3),), (0, 0, 0, 0)),
        (((0,), (1, 2), (3,), (4,)), (4, 2, 2, 1, 0)),
        (((1,), (0, 2)), (0, 2, 0)),
    ],
)
def test_fj_5h_a_shared_place_is_worth_the_lowest_of_its_places(
    ranked: tuple[tuple[int, ...], ...], heads: tuple[int, ...]
) -> None:
    assert heads_for_places(ranked) == heads


def test_fj_5h_places_are_told() -> None:
    _, effects = after_round(laid(4), ["g", "r", "r", "y"])
    assert told(effects, "place") == [
        {"seats": (3,), "place": 1, "heads": 3},
        {"seats": (0,), "place": 4, "heads": 0},
    ]
    assert told(effects, "place_shared") == [{"seats": (1, 2), "place": 2, "heads": 1}]


def test_fj_5r_all_beads_are_handed_in_and_new_ones_given_out() -> None:
    state, effects = after_round(laid(3), ["g", "r", "y"])
    assert told(effects, "round_begins") == [{"round": 2}]
    assert state.hands == (FULL_SET,) * 3
    assert state.supply == FULL_SET
    assert (state.rows, state.goals) == ((), ())
    assert game.to_act(state) == (TABLE,)


def test_fj_e_most_heads_win_after_four_rounds() -> None:
    state = replace(laid(3), round=4, heads=(4, 2, 1))
    end, effects = after_round(state, ["g", "r", "y"])
    assert game.over(end)
    assert end.heads == (4, 3, 3)
    assert told(effects, "victory") == [{"seat": 0, "heads": 4}]
    assert game.ranking(end) == ((0,), (1, 2))
    assert game.scores(end)[0].data() == {"seat": 0, "total": 4, "parts": {"heads": 4}}


def test_fj_e_nothing_can_be_done_any_more_and_everything_stays_as_it_lay() -> None:
    state = replace(laid(3), round=4)
    end, _ = after_round(state, ["g", "r", "y"])
    assert game.to_act(end) == ()
    assert {refused(end, action).rule for action in (LAY, Bid(0, beads("g")))} == {"FJ-E"}
    shown = game.dump(end)
    assert (shown["round"], shown["exchange"], len(shown["rows"]), len(shown["goals"])) == (4, 3, 4, 4)
    assert shown["hands"][0] == {"green": 2, "red": 4, "yellow": 3, "blue": 2}
    assert shown["bids"] == [None, None, None]


def test_fj_a2_equal_heads_share_the_victory() -> None:
    assert ranking((5, 7, 7, 0)) == ((1, 2), (0,), (3,))
    end, effects = after_round(replace(laid(3), round=4, heads=(2, 1, 0)), ["g", "r", "y"])
    assert told(effects, "victory_shared") == [{"seats": (0, 1, 2), "heads": 2}]
    assert game.ranking(end) == ((0, 1, 2),)
    end, effects = after_round(replace(laid(3), round=4, heads=(2, 1, 1)), ["g", "r", "y"])
    assert told(effects, "victory") == [{"seat": 2, "heads": 3}]
    end, effects = after_round(replace(laid(3), round=4, heads=(3, 1, 1)), ["g", "r", "y"])
    assert told(effects, "victory_shared") == [{"seats": (0, 2), "heads": 3}]


# --- two players -----------------------------------------------------------------------------------------------------


def test_fj_2p1_two_players_get_larger_sets() -> None:
    state = game.start(2, {})
    assert state.hands == (EXTENDED_SET, EXTENDED_SET)
    assert state.supply == FULL_SET


def test_fj_2p2_both_set_four_beads_aside_before_the_bids() -> None:
    state = laid(2)
    assert (state.step, game.to_act(state)) == ("set_aside", (0, 1))
    assert refused(state, Bid(0, beads("g"))).rule == "FJ-0a"
    state, effects = game.apply(state, SetAside(1, beads("ggyb")))
    assert told(effects, "set_aside") == [{"seat": 1}], "which beads is told to nobody"
    assert state.hands[1] == minus(EXTENDED_SET, beads("ggyb"))
    assert refused(state, SetAside(1, beads("gggg"))).rule == "FJ-2p2"
    state, _ = game.apply(state, SetAside(0, beads("rrrr")))
    assert state.step == "bid"


@pytest.mark.parametrize("bag", ["", "ggg", "ggggg", "bbbb"])
def test_fj_2p2_exactly_four_own_beads(bag: str) -> None:
    assert refused(laid(2), SetAside(0, beads(bag))).rule == "FJ-2p2"


def test_fj_2p2_they_can_neither_be_bid_nor_counted() -> None:
    state = set_aside(laid(2), "bbbg", "gggg")
    assert refused(state, Bid(0, beads("b"))).rule == "FJ-4a1"
    state, effects = after_round(state, ["g", "r"])
    assert [f["beads"]["blue"] for f in told(effects, "hand_shown")] == [0, 3]


def test_fj_2p2_they_come_back_for_the_next_round() -> None:
    state, _ = after_round(set_aside(laid(2), "bbbg", "gggg"), ["g", "r"])
    assert state.hands == (EXTENDED_SET, EXTENDED_SET)
    assert state.aside == (None, None)


def test_fj_2p2_with_more_players_nothing_is_set_aside() -> None:
    assert refused(laid(3), SetAside(0, beads("gggg"))).rule == "FJ-2p2"


def test_fj_2p3_each_goal_is_scored_by_itself() -> None:
    four = goals("most green", "fewest red", "most yellow", "fewest blue")
    assert goal_winners(four, [beads("gr"), beads("rrb")]) == (0, 0, None, 0)
    state = set_aside(laid(2, goals=four), "rrrr", "gggg")
    state, effects = after_round(state, ["y", "r"])
    # behind the screens: 6 green, 1 red, 1 yellow, 3 blue, and 2 green, 2 red, 4 yellow, 3 blue
    assert [(f["position"], f["seat"], f["heads"]) for f in told(effects, "goal_won")] == [
        (1, 0, 4),
        (2, 0, 3),
        (3, 1, 2),
    ]
    assert [(f["position"], f["heads"]) for f in told(effects, "goal_tied")] == [(4, 1)]
    assert state.heads == (7, 2)


def test_fj_2p3_a_tie_gives_nobody_the_heads() -> None:
    state, effects = after_round(set_aside(laid(2), "gggg", "gggg"), ["r", "r"])
    assert state.heads == (0, 0)
    assert [f["position"] for f in told(effects, "goal_tied")] == [1, 2, 3, 4]


def test_fj_2p4_conditions_and_exchanges_are_as_usual() -> None:
    state = set_aside(laid(2, [row("most green", "others_gain red")]), "gggg", "gggg")
    state, effects = bid(state, "gg", "g")
    assert told(effects, "others_take")[0]["seats"] == [1]
    assert state.exchange == 2
    playthrough = play(game, 2, 1, {})
    assert {s.round for s in playthrough.states} == {1, 2, 3, 4}
    assert game.ranking(playthrough.end) == ranking(playthrough.end.heads)
