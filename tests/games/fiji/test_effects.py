"""What the winner of a row must do: FJ-X1 to FJ-X6, and the option of FJ-A1."""

from __future__ import annotations

import pytest

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, KeepBid, RotateGoal, SwapGoals
from companion.games.fiji.cards import EMPTY, FULL_SET, Bag, minus, plus
from companion.games.fiji.state import State
from companion.games.game import TABLE, Effect
from tests.games.fiji.tables import beads, bid, goals, laid, refused, row, told, with_supply


def won_by_the_first(effect: str, supply: str = "gggggrrrryyybb", players: int = 3) -> tuple[State, tuple[Effect, ...]]:
    """An exchange in which seat 0 alone bids green and wins the first row; the others bid a red bead."""
    state = with_supply(laid(players, [row("most green", effect)]), supply)
    return bid(state, "g", *["r"] * (players - 1))


def gained(state: State, seat: int) -> tuple[int, ...]:
    """What a seat has more than the full set without its bid."""
    return minus(state.hands[seat], minus(FULL_SET, beads("g" if seat == 0 else "r")))


@pytest.mark.parametrize(
    ("effect", "takes"),
    [
        ("gain green", "gggg"),
        ("gain red", "rrr"),
        ("gain yellow", "yy"),
        ("gain blue", "b"),
        ("one_of_each", "gryb"),
    ],
)
def test_fj_x1_the_winner_takes_what_the_card_shows(effect: str, takes: str) -> None:
    state, effects = won_by_the_first(effect)
    assert gained(state, 0) == beads(takes)
    assert gained(state, 1) == EMPTY
    assert state.supply == plus(minus(FULL_SET, beads(takes)), beads("grr")), "less what was taken, and all bids"
    assert told(effects, "takes")[0]["row"] == 1


@pytest.mark.parametrize(
    ("effect", "supply", "lacks"),
    [
        ("gain green", "gggrrrryyybb", ["green"]),
        ("gain red", "gggggrryyybb", ["red"]),
        ("gain yellow", "gggggrrrrybb", ["yellow"]),
        ("gain blue", "gggggrrrryyy", ["blue"]),
        ("one_of_each", "gggggrrrrbb", ["yellow"]),
        ("one_of_each", "gggg", ["red", "yellow", "blue"]),
    ],
)
def test_fj_x1_all_or_nothing(effect: str, supply: str, lacks: list[str]) -> None:
    state, effects = won_by_the_first(effect, supply)
    assert gained(state, 0) == EMPTY
    assert told(effects, "takes_nothing")[0]["lacks"] == lacks
    assert state.supply == plus(beads(supply), beads("grr"))


@pytest.mark.parametrize(("there", "taken"), [(7, 4), (5, 3), (4, 2), (3, 2), (2, 1), (1, 1), (0, 0)])
def test_fj_x2_half_is_rounded_up(there: int, taken: int) -> None:
    state, effects = won_by_the_first("half yellow", "y" * there)
    assert gained(state, 0) == beads("y" * taken)
    nothing = [{"row": 1, "seat": 0, "colour": "yellow"}] if there == 0 else []
    assert told(effects, "takes_half_of_none") == nothing


@pytest.mark.parametrize("players", [3, 4, 5])
def test_fj_x3_all_others_take_one(players: int) -> None:
    state, effects = won_by_the_first("others_gain green", "ggggg", players)
    assert [gained(state, seat) for seat in range(players)] == [EMPTY, *[beads("g")] * (players - 1)]
    assert told(effects, "others_take")[0]["seats"] == list(range(1, players))


def test_fj_x3_nobody_takes_any_when_the_supply_has_not_enough_for_all() -> None:
    state, effects = won_by_the_first("others_gain yellow", "yyy", 5)
    assert all(gained(state, seat) == EMPTY for seat in range(5))
    assert told(effects, "others_take_nothing")[0]["wanted"]["yellow"] == 4
    state, _ = won_by_the_first("others_gain yellow", "yyyy", 5)
    assert gained(state, 4) == beads("y"), "just enough"


def test_fj_x4_a_kept_bid_goes_back_behind_the_screen_after_the_fourth_row() -> None:
    rows = [row("most green", "keep_bid"), row("most red", "rotate_goal")]
    state, effects = bid(laid(3, rows), "ggy", "rr", "y")
    assert told(effects, "keeps_bid") == [{"row": 1, "seat": 0}]
    assert state.bids[0] == beads("ggy"), "it stays in sight until all rows are done"
    state, _ = game.apply(state, RotateGoal(1, 1))
    assert state.hands[0] == FULL_SET
    assert state.hands[1] == minus(FULL_SET, beads("rr"))
    assert state.supply == plus(FULL_SET, beads("rry"))


def test_fj_x4_it_holds_for_one_exchange_only() -> None:
    state, _ = bid(laid(3, [row("most green", "keep_bid")]), "ggy", "rr", "y")
    state, effects = bid(state, "g", "g", "g")
    assert not told(effects, "keeps_bid")
    assert state.hands[0] == minus(FULL_SET, beads("g"))


def test_fj_x5_the_winner_turns_one_goal_where_it_lies() -> None:
    state, _ = won_by_the_first("rotate_goal")
    before = state.goals
    state, effects = game.apply(state, RotateGoal(0, 3))
    assert state.goals == (*before[:2], before[2].rotated(), before[3])
    assert told(effects, "goal_rotated")[0] == {
        "row": 1,
        "seat": 0,
        "position": 3,
        "colour": "yellow",
        "wins": "fewest",
    }


def test_fj_x5_a_goal_must_be_turned() -> None:
    state, _ = won_by_the_first("rotate_goal")
    assert {action.data()["position"] for action in game.legal(state, 0)} == {1, 2, 3, 4}
    for instead in (SwapGoals(0, (1, 2)), Bid(0, beads("g")), KeepBid(0, True)):
        assert not game.can(state, instead)
    ruling = refused(state, SwapGoals(0, (1, 2)))
    assert (ruling.rule, dict(ruling.because.facts)) == ("FJ-X5", {"seat": 0, "row": 1, "due": "rotate_goal"})


def test_fj_x5_and_so_changes_who_is_better() -> None:
    state = laid(3, [row("most green", "rotate_goal")], goals=goals("most blue", "most red", "most red", "most red"))
    state, _ = bid(state, "g", "r", "r")
    state, _ = game.apply(state, RotateGoal(0, 1))
    assert state.goals[0] == goals("fewest blue")[0]


def test_fj_x6_the_winner_swaps_two_goals_without_turning_them() -> None:
    state, _ = won_by_the_first("swap_goals")
    assert {tuple(action.data()["positions"]) for action in game.legal(state, 0)} == {
        (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4),
    }  # fmt: skip
    before = state.goals
    state, effects = game.apply(state, SwapGoals(0, (1, 4)))
    assert state.goals == (before[3], before[1], before[2], before[0])
    assert told(effects, "goals_swapped")[0] == {"row": 1, "seat": 0, "positions": [1, 4]}


def test_fj_x6_two_different_goals_must_be_named() -> None:
    state, _ = won_by_the_first("swap_goals")
    ruling = refused(state, SwapGoals(0, (2, 2)))
    assert (ruling.rule, dict(ruling.because.facts)) == ("FJ-X6", {"position": 2})
    assert refused(state, RotateGoal(0, 2)).rule == "FJ-X6"


def test_fj_x6_the_order_of_the_two_does_not_matter() -> None:
    state, _ = won_by_the_first("swap_goals")
    data = {"by": 0, "do": "swap_goals", "positions": [4, 1]}
    assert game.read(state, data) == SwapGoals(0, (1, 4))


def test_fj_a1_a_bid_is_kept_without_asking() -> None:
    state, _ = won_by_the_first("keep_bid")
    assert state.hands[0] == FULL_SET
    assert refused(state, KeepBid(0, False)).rule == "FJ-A1"


@pytest.mark.parametrize(("keep", "hand"), [(True, FULL_SET), (False, minus(FULL_SET, beads("g")))])
def test_fj_a1_with_the_option_the_winner_is_asked_when_the_row_is_resolved(keep: bool, hand: Bag) -> None:
    rows = [row("most green", "keep_bid"), row("most green", "gain red")]
    state, effects = bid(laid(3, rows, keep_bid_optional=True), "g", "r", "r")
    assert told(effects, "asks_keep") == [{"row": 1, "seat": 0, "due": "keep_bid"}]
    assert not told(effects, "takes"), "the second row waits"
    assert (game.to_act(state), state.step) == ((0,), "keep_bid")
    assert refused(state, Bid(1, beads("g"))).rule == "FJ-X4"
    state, effects = game.apply(state, KeepBid(0, keep))
    assert told(effects, "takes")
    assert state.hands[0] == plus(hand, beads("rrr"))


def test_fj_a1_the_option_is_true_or_false() -> None:
    assert game.start(3, {"keep_bid_optional": False}) == game.start(3, {})
    assert game.to_act(game.start(3, {"keep_bid_optional": True})) == (TABLE,)
