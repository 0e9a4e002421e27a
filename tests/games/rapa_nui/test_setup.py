"""Before the first turn, and the order of turns and steps: RN-0, RN-S1 to RN-S7, AMB-5, AMB-7."""

from __future__ import annotations

import random

import pytest

from companion.games.game import TABLE, Malformed
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy, Deal, Income, LayDisplay, Refill, ReturnMoai, Substitute
from tests.games.playing import play as play_through
from tests.games.rapa_nui.tables import DISPLAY, FISH, add, at_turn, bag, cards, do, offer, play, refused, take, told

DEAL = Deal(TABLE, (cards("fus"), cards("fug"), cards("fsg")))
LAY = LayDisplay(TABLE, tuple(cards(column) for column in DISPLAY))


def test_rn_0_hands_then_display_then_turns() -> None:
    state = game.start(3, {})
    assert [refused(state, action).rule for action in (LAY, play(0, "f"), Buy(0, FISH))] == ["RN-0"] * 3
    state, _ = do(state, DEAL)
    assert [refused(state, action).rule for action in (DEAL, play(0, "f"), Buy(0, FISH))] == ["RN-0"] * 3
    state, _ = do(state, LAY)
    assert [refused(state, action).rule for action in (DEAL, LAY)] == ["RN-0"] * 2
    assert game.to_act(state) == (0,)


def test_rn_0_each_step_waits_for_the_one_before() -> None:
    state = at_turn(hands=["wpp"])
    early = [*take(0, 1), offer(0, "f"), add(0, "f"), Refill(TABLE, 1, ()), Income(0, "wood"), Substitute(0, None)]
    assert [refused(state, action).rule for action in early] == ["RN-0"] * len(early)
    state, _ = do(state, play(0, "w"))
    assert [refused(state, action).rule for action in (play(0, "p"), ReturnMoai(0))] == ["RN-0"] * 2


def test_rn_0_only_who_is_due_may_act() -> None:
    state = at_turn()
    assert refused(state, play(1, "f")).rule == "RN-0"
    assert refused(state, Buy(2, FISH)).rule == "RN-0"
    assert refused(game.start(3, {}), Deal(0, DEAL.hands)).rule == "RN-0"
    assert refused(state, play(TABLE, "f")).rule == "RN-0"  # type: ignore[arg-type]  # a record may say so


def test_rn_0_turns_go_round_clockwise() -> None:
    seats = []
    state = at_turn(3, hands=["wpp"] * 3, columns=["pppp"] * 4)
    for column in (1, 2, 3, 4):
        seats.append(state.seat)
        state, _ = do(state, play(state.seat, "p"), *take(state.seat, column))
    assert seats == [0, 1, 2, 0]


def test_rn_s1_a_woodcutter_is_laid_and_three_hunters_are_held() -> None:
    state, _ = do(game.start(3, {}), DEAL)
    assert state.tableaus == (bag("w"),) * 3
    assert state.hands == (bag("fus"), bag("fug"), bag("fsg"))


@pytest.mark.parametrize("hand", ["fu", "fusg", "fuw", ""])
def test_rn_s1_other_hands_are_refused(hand: str) -> None:
    ruling = refused(game.start(2, {}), Deal(TABLE, (cards("fus"), cards(hand))))
    assert ruling.rule == "RN-S1"
    assert ruling.because.facts["seat"] == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rn_s2_the_number_of_players_changes_nothing_else(players: int) -> None:
    state, _ = do(game.start(players, {}), Deal(TABLE, (cards("fus"),) * players), LAY)
    assert (len(state.hands), state.pile) == (players, 34)


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_rn_s2_two_to_four_may_play(players: int) -> None:
    with pytest.raises(Malformed, match="2 to 4"):
        game.start(players, {})


def test_rn_s3_four_columns_of_four_leave_34() -> None:
    state = game.start(3, {})
    assert (state.pile, game.dump(state)["columns"]) == (50, [[], [], [], []])
    state, effects = do(state, DEAL, LAY)
    assert state.pile == 34
    assert game.dump(state)["columns"][3] == ["woodcutter", "priest", "woodcutter", "priest"]
    assert told(effects, "display_laid") == [{"count": 34, "seat": 0}]


def test_rn_s3_more_of_a_kind_than_the_box_has_is_told() -> None:
    ten_moais = LayDisplay(TABLE, tuple(cards(column) for column in ("mmmm", "mmmm", "mmww", "wwww")))
    _, effects = do(game.start(3, {}), DEAL, ten_moais)
    assert told(effects, "more_than_box") == [{"card": "moai"}]
    assert told(do(game.start(3, {}), DEAL, LAY)[1], "more_than_box") == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rn_s4_everybody_has_one_offering_of_each_sort(players: int) -> None:
    state = game.dump(game.start(players, {}))
    each = dict.fromkeys(("fish", "mulberry", "sweet-potato", "grain"), 1)
    assert state["offerings"] == [each] * players
    assert set(state["supply"].values()) == {25 - players}


def test_rn_s5_own_offerings_are_their_owners_to_look_at() -> None:
    state = at_turn(3, offerings=["ff", "us", "g"])
    for step in (state, do(state, play(0, "f"))[0]):
        assert game.view(step, 1)["offerings"] == [
            None,
            {"fish": 0, "mulberry": 1, "sweet-potato": 1, "grain": 0},
            None,
        ]


def test_rn_s6_the_start_player_is_seat_0() -> None:
    state, effects = do(game.start(2, {}), Deal(TABLE, (cards("fus"),) * 2))
    assert told(effects, "starting_wood")[0]["start_seat"] == 0
    assert game.to_act(do(state, LAY)[0]) == (0,)


def test_rn_s7_later_seats_have_more_wood() -> None:
    assert [list(game.start(players, {}).wood) for players in (2, 3, 4)] == [[2, 3], [2, 3, 4], [2, 3, 4, 5]]


def test_amb_5_wood_and_fame_never_run_out() -> None:
    """The box has wood worth 164 and fame worth 90; gains beyond that are paid all the same."""
    state = at_turn(2, hands=["wpp"], wood=[160, 10], tableaus=["wwwww"], columns=["wwww"] * 4)
    state, _ = do(state, play(0, "w"), *take(0, 1))
    assert state.wood == (167, 11)


def test_amb_7_wood_and_fame_lie_open() -> None:
    for state in play_through(game, 3, 5, {}).states:
        for viewer in (None, 0, 1, 2):
            view = game.view(state, viewer)
            assert (view["wood"], view["fame"]) == (list(state.wood), list(state.fame))


def test_options_are_read_strictly() -> None:
    assert game.start(2, {"extra_offering_optional": True}).extra_optional
    assert not game.start(2, {}).extra_optional
    for options in ({"extra_offering_optional": 1}, {"extra": True}, {"extra_offering_optional": None}):
        with pytest.raises(Malformed):
            game.start(2, options)


def test_hands_dealt_are_told_to_their_owners() -> None:
    _, effects = do(game.start(3, {}), DEAL)
    for seat in range(3):
        dealt = told(game.view_effects(effects, seat), "hand_dealt")
        assert [fact["seat"] for fact in dealt] == [seat]
    assert told(game.view_effects(effects, None), "hand_dealt") == []


def test_the_dealer_gives_each_colour_once() -> None:
    hands = game.dealer(random.Random(3)).act(game.start(4, {})).hands  # type: ignore[union-attr]  # a deal
    assert len(set(hands)) == 4
    assert all(len(set(hand)) == 3 for hand in hands)
