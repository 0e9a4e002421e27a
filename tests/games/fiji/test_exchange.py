"""Bidding and evaluation: FJ-4 to FJ-4b5, and what follows from the bid lying apart (FJ-A3 to FJ-A6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, RotateGoal
from companion.games.fiji.cards import FULL_SET, minus
from companion.games.fiji.exchange import best
from tests.games.fiji.tables import beads, bid, laid, refused, row, told, with_supply


def test_fj_4_three_exchanges_follow_each_other() -> None:
    state = laid(3)
    seen = []
    for _ in range(3):
        seen.append((state.round, state.exchange, state.step))
        state, _ = bid(state, "g", "r", "y")
    assert seen == [(1, 1, "bid"), (1, 2, "bid"), (1, 3, "bid")]
    assert (state.round, state.exchange, state.step) == (2, 1, "lay_conditions")


def test_fj_4_each_exchange_evaluates_all_four_rows() -> None:
    state = laid(3, [row("most green", "rotate_goal")])
    for _ in range(2):
        state, effects = bid(state, "g", "r", "y")
        assert [f["row"] for f in told(effects, "row_values")] == [1]
        state, effects = game.apply(state, RotateGoal(0, 1))
        assert [f["row"] for f in told(effects, "row_values")] == [2, 3, 4]


@pytest.mark.parametrize("bag", ["g", "gr", "gry", "gryb", "ggrr", "gggg"])
def test_fj_4a1_one_to_four_own_beads_may_be_bid(bag: str) -> None:
    state, _ = game.apply(laid(4), Bid(2, beads(bag)))
    assert state.bids == (None, None, beads(bag), None)
    assert state.hands[2] == minus(FULL_SET, beads(bag)), "a bid no longer counts to the hand"


@pytest.mark.parametrize("bag", ["", "ggggg", "ggrryybb"])
def test_fj_4a1_a_bid_of_none_or_five_is_refused(bag: str) -> None:
    ruling = refused(laid(4), Bid(2, beads(bag)))
    assert (ruling.rule, ruling.because.code, ruling.because.facts["count"]) == ("FJ-4a1", "bid_count", len(bag))


def test_fj_4a1_beads_one_does_not_have_cannot_be_bid() -> None:
    ruling = refused(laid(4), Bid(1, beads("gbbb")))
    assert ruling.rule == "FJ-4a1"
    assert dict(ruling.because.facts) == {"seat": 1, "beads": {"blue": 3}, "has": 2}


def test_fj_4a1_the_colour_that_lacks_is_named() -> None:
    state = replace(laid(3), hands=((1, 0, 2, 2), FULL_SET, FULL_SET))
    assert dict(refused(state, Bid(0, beads("gr"))).because.facts) == {"seat": 0, "beads": {"red": 1}, "has": 0}
    state = replace(laid(3), hands=((2, 2, 2, 0), FULL_SET, FULL_SET))
    assert dict(refused(state, Bid(0, beads("gb"))).because.facts) == {"seat": 0, "beads": {"blue": 1}, "has": 0}


def test_fj_4a1_beads_can_not_be_bid_below_zero() -> None:
    assert refused(laid(4), Bid(1, (3, -1, 0, 0))).rule == "FJ-4a1"


def test_fj_4a1_a_bid_is_the_only_one() -> None:
    state, _ = game.apply(laid(3), Bid(0, beads("g")))
    ruling = refused(state, Bid(0, beads("r")))
    assert (ruling.rule, ruling.because.code) == ("FJ-4a1", "has_bid")


def test_fj_4a1_seats_bid_in_any_order() -> None:
    one = two = laid(3)
    for seat in (0, 1, 2):
        one, _ = game.apply(one, Bid(seat, beads("gr"[seat % 2])))
    for seat in (2, 0, 1):
        two, _ = game.apply(two, Bid(seat, beads("gr"[seat % 2])))
    assert one == two


def test_fj_4a2_bids_open_when_all_are_in() -> None:
    state = laid(3, [row("most green", "rotate_goal")])
    state, effects = game.apply(state, Bid(0, beads("gg")))
    assert not effects
    state, effects = game.apply(state, Bid(1, beads("r")))
    assert not effects
    assert game.to_act(state) == (2,)
    assert game.view(state, 2)["bids"] == [None, None, None]
    state, effects = game.apply(state, Bid(2, beads("y")))
    assert [f["beads"] for f in told(effects, "bid_open")] == [
        {"green": 2, "red": 0, "yellow": 0, "blue": 0},
        {"green": 0, "red": 1, "yellow": 0, "blue": 0},
        {"green": 0, "red": 0, "yellow": 1, "blue": 0},
    ]
    assert game.view(state, None)["bids"] == game.dump(state)["bids"]


def test_fj_4b1_rows_are_evaluated_from_top_to_bottom() -> None:
    rows = [row("most green", "gain green"), row("most red", "gain green")]
    state, effects = bid(laid(3, rows), "gg", "rr", "y")
    assert told(effects, "takes") == [{"row": 1, "seat": 0, "beads": {"green": 4, "red": 0, "yellow": 0, "blue": 0}}]
    assert [f["row"] for f in told(effects, "takes_nothing")] == [2]
    assert state.hands[0] == beads("ggg" + "gggg" + "rrrr" + "yyy" + "bb")


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("most green", [2, 0, 1]),
        ("most green+red", [3, 1, 1]),
        ("fewest red+yellow+blue", [1, 2, 2]),
        ("most all", [3, 2, 3]),
    ],
)
def test_fj_4b1_the_beads_of_all_named_colours_count_together(condition: str, values: list[int]) -> None:
    _, effects = bid(laid(3, [row(condition)]), "ggr", "ry", "gyb")
    assert told(effects, "row_values")[0]["values_by_seats"] == dict(enumerate(values))


def test_fj_4b2_zero_is_a_bid() -> None:
    _, effects = bid(laid(3, [row("fewest red")]), "gr", "grr", "g")
    assert told(effects, "row_best")[0] == {"row": 1, "value": 0, "seat": 2}
    _, effects = bid(laid(5, [row("most red")]), "rr", "rr", "r", "r", "g")
    assert told(effects, "row_next_counts")[0] == {"row": 1, "cancelled": (2, 2, 1, 1), "value": 0, "seat": 4}


def test_fj_4b3_the_best_bidder_must_execute_the_effect() -> None:
    state, effects = bid(laid(3, [row("most green", "rotate_goal")]), "g", "gg", "r")
    assert told(effects, "row_best")[0] == {"row": 1, "value": 2, "seat": 1}
    assert game.to_act(state) == (1,)
    assert state.step == "rotate_goal"


def test_fj_4b3_the_effect_is_for_one_player_only() -> None:
    state, _ = bid(laid(3, [row("most green", "rotate_goal")]), "g", "gg", "r")
    ruling = refused(state, RotateGoal(0, 1))
    assert (ruling.rule, dict(ruling.because.facts)) == ("FJ-4b3", {"row": 1, "winner_seat": 1})
    assert not list(game.legal(state, 0))


@pytest.mark.parametrize(
    ("values", "wins", "winner", "cancelled"),
    [
        ([2, 2, 1, 1, 0], "most", 4, (2, 2, 1, 1)),
        ([2, 2, 1, 1, 0], "fewest", 4, ()),
        ([3, 3], "most", None, (3, 3)),
        ([1, 0], "most", 0, ()),
        ([2, 2, 1, 0], "most", 2, (2, 2)),
        ([1, 0, 1, 0], "fewest", None, (0, 0, 1, 1)),
        ([0, 0, 0, 3], "fewest", 3, (0, 0, 0)),
        ([4, 4, 4, 4, 4], "most", None, (4, 4, 4, 4, 4)),
    ],
)
def test_fj_4b4_the_best_value_held_by_one_seat_wins(
    values: list[int], wins: str, winner: int | None, cancelled: tuple[int, ...]
) -> None:
    assert best(values, wins) == (winner, cancelled)


def test_fj_4b4_equal_bids_cancel_and_the_next_best_counts() -> None:
    _, effects = bid(laid(4, [row("most green+red", "gain red")]), "gr", "rr", "g", "y")
    assert told(effects, "row_next_counts") == [{"row": 1, "cancelled": (2, 2), "value": 1, "seat": 2}]
    assert told(effects, "takes") == [{"row": 1, "seat": 2, "beads": {"green": 0, "red": 3, "yellow": 0, "blue": 0}}]
    texts = game.rulebook.texts("en")
    sentences = [texts.tell(e.note, ("Ada", "Ben", "Cas", "Dot")) for e in effects if e.note.facts.get("row") == 1]
    assert sentences == [
        "Row 1, most green and red: Ada 2, Ben 2, Cas 1, Dot 0.",
        "2 and 2 cancel, so the 1 of Cas counts.",
        "Cas takes 3 red.",
    ]


def test_fj_4b4_when_all_cancel_the_effect_is_not_executed() -> None:
    state, effects = bid(laid(4, [row("most green", "gain red")]), "g", "g", "gg", "gg")
    assert told(effects, "row_all_cancel")[0] == {"row": 1, "cancelled": (2, 2, 1, 1)}
    assert not told(effects, "takes")
    assert state.supply == beads("ggggg" + "rrrr" + "yyy" + "bb" + "gggggg")


def test_fj_4b5_bids_go_into_the_supply_after_the_fourth_row() -> None:
    state, effects = bid(laid(3), "gg", "ry", "y")
    assert state.supply == beads("ggggggg" + "rrrrr" + "yyyyy" + "bb")
    assert state.bids == (None, None, None)
    assert told(effects, "bids_returned") == [
        {"exchange": 1, "supply": {"green": 7, "red": 5, "yellow": 5, "blue": 2}},
    ]


def test_fj_4b5_bids_lie_there_while_a_winner_chooses() -> None:
    state, _ = bid(laid(3, [row("most green", "rotate_goal")]), "gg", "ry", "y")
    assert state.supply == FULL_SET
    assert game.dump(state)["bids"][1] == {"green": 0, "red": 1, "yellow": 1, "blue": 0}
    state, _ = game.apply(state, RotateGoal(0, 1))
    assert state.bids == (None, None, None)
    assert state.supply == beads("ggggggg" + "rrrrr" + "yyyyy" + "bb")


def test_fj_a3_beads_taken_do_not_add_to_the_bid() -> None:
    rows = [row("most red", "gain green"), row("most green")]
    _, effects = bid(laid(3, rows), "rg", "gg", "y")
    assert told(effects, "takes")[0]["seat"] == 0
    assert told(effects, "row_values")[1]["values_by_seats"] == {0: 1, 1: 2, 2: 0}


def test_fj_a4_half_means_half_of_the_supply_at_that_moment() -> None:
    rows = [row("most green", "gain green"), row("most red", "half green")]
    state, effects = bid(laid(3, rows), "gg", "rr", "y")
    assert told(effects, "takes")[1] == {
        "row": 2,
        "seat": 1,
        "beads": {"green": 1, "red": 0, "yellow": 0, "blue": 0},
    }
    assert state.hands[1] == beads("gggggg" + "rr" + "yyy" + "bb")


def test_fj_a5_bids_are_no_part_of_the_supply_while_rows_are_evaluated() -> None:
    state = with_supply(laid(3, [row("most green", "gain yellow")]), "gggggrrrry")
    _, effects = bid(state, "g", "yyy", "rr")
    assert told(effects, "takes_nothing")[0]["lacks"] == ["yellow"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fj_a6_everybody_can_always_bid(players: int) -> None:
    """Even the poorest hand: all beads that two players set aside and three bids of four each are gone."""
    dealt = sum(game.start(players, {}).hands[0])
    left = dealt - (4 if players == 2 else 0) - 2 * 4
    assert left >= 4
    state = laid(3)
    hand = replace(state, hands=((0, 0, 0, 1), *state.hands[1:]))
    assert list(game.legal(hand, 0)) == [Bid(0, (0, 0, 0, 1))]
