"""What happens when the transport is over (GI-4.12, GI-5.1 to GI-5.4, GI-A5, GI-A9)."""

from __future__ import annotations

from typing import Any

from companion.games.giants import game
from companion.games.giants.actions import Mark, Pass, Unmark
from companion.games.giants.state import State
from tests.games.giants.tables import happened, headdress, in_phase, moai, move, play, roll, rule_against, told

SPENT = {"workers": 0, "sorcerer": 0, "chief": 0, "markers": 0}


def ended(*pieces: Any, **fields: Any) -> State:
    """After all have passed the transport of round 2."""
    return play(in_phase("transport", pieces=pieces, **fields), Pass(0), Pass(1), Pass(2))


def test_gi_4_12_what_was_not_moved_goes_to_its_quarry_and_may_be_marked() -> None:
    state = ended(moai(1, 2, before=1), headdress(1, before=2))
    pieces = game.dump(state)["pieces"]
    assert (pieces["moai-1"]["hex"], pieces["moai-1"]["before"], pieces["moai-1"]["marker"]) == ("q", None, None)
    assert pieces["headdress-1"]["hex"] == "h"
    assert game.to_act(state) == ("table",)
    assert rule_against(state, Mark(0, "moai-1")) == ("GI-4.12", "belongs_to_another")
    marked = play(state, Mark(1, "moai-1"))
    assert game.dump(marked)["pieces"]["moai-1"]["marker"] == 1
    assert game.dump(marked)["behind_screen"][1]["markers"] == 1
    assert rule_against(marked, Mark(1, "moai-1")) == ("GI-4.10", "marked_already")


def test_gi_4_12_only_with_a_marker_that_was_free_when_the_transport_ended() -> None:
    state = ended(moai(1, 2, before=1), moai(2, 1, before=1), stocks={1: {"markers": 1}}, spent=(0, 1, 0))
    assert state.stocks[1].markers == 2, "the spent one is back"
    state = play(state, Mark(1, "moai-1"))
    assert rule_against(state, Mark(1, "moai-2")) == ("GI-4.12", "no_spare_marker")


def test_gi_4_12_a_marker_taken_back_now_cannot_be_used_now() -> None:
    state = ended(moai(1, 2, before=1), moai(2, 1, "a", marker=1), stocks={1: {"markers": 0}})
    state = play(state, Unmark(1, "moai-2"))
    assert state.stocks[1].markers == 1
    assert rule_against(state, Mark(1, "moai-1")) == ("GI-4.12", "no_spare_marker")


def test_gi_4_12_nothing_else_may_be_marked_then() -> None:
    state = ended(moai(1, 2, "a"), moai(2, 1, before=0))
    assert rule_against(state, Mark(0, "moai-1")) == ("GI-4.12", "not_put_on_quarry")


def test_gi_a9_who_has_passed_may_still_mark() -> None:
    state = ended(moai(1, 2, before=0))
    assert Mark(0, "moai-1") in list(game.legal(state, 0))


def test_gi_5_1_figures_bids_and_spent_markers_go_back() -> None:
    state = ended(
        figures={"a": "0w 0s 0c 1w log", "b": "0w"},
        stocks={0: SPENT | {"logs": 2}},
        spent=(2, 0, 0),
        tablets=(3, 0, 0),
    )
    assert game.dump(state)["behind_screen"][0] == {
        "workers": 2,
        "sorcerer": 1,
        "chief": 1,
        "markers": 2,
        "logs": 2,
        "bases": 7,
    }
    assert game.dump(state)["figures"] == {}
    assert game.dump(state)["half_tablets"] == [3, 0, 0]
    assert game.dump(state)["bids"] == [None] * 3


def test_gi_5_2_markers_may_be_taken_back_and_the_claim_is_gone() -> None:
    state = ended(moai(1, 2, "a", marker=1), headdress(1, "b", marker=2))
    assert rule_against(state, Unmark(0, "moai-1")) == ("GI-5.2", "marked_by_another")
    state = play(state, Unmark(1, "moai-1"))
    assert game.dump(state)["pieces"]["moai-1"]["marker"] is None
    assert state.pieces[0].owner is None
    assert state.stocks[1].markers == 3
    assert rule_against(state, Unmark(1, "moai-1")) == ("GI-5.2", "no_marker_on_it")


def test_gi_5_2_what_was_put_on_the_quarry_may_be_marked_anew_with_another_spare_marker() -> None:
    state = play(ended(moai(1, 2, before=0)), Mark(0, "moai-1"), Unmark(0, "moai-1"))
    assert (state.stocks[0].markers, state.spare[0]) == (2, 1)
    state = play(state, Mark(0, "moai-1"), Unmark(0, "moai-1"))
    assert rule_against(state, Mark(0, "moai-1")) == ("GI-4.12", "no_spare_marker")
    assert play(state, roll(1, 1, 1)).pieces[0].owner is None


def test_gi_5_2_until_the_next_roll() -> None:
    state = play(ended(moai(1, 2, "a", marker=1), moai(2, 1, before=2)), roll(1, 1, 1))
    assert rule_against(state, Unmark(1, "moai-1")) == ("GI-0", "another_phase")
    assert state.pieces[1].owner is None, "what was not marked is nobody's"


def test_gi_5_3_logs_leave_the_game() -> None:
    state = ended(figures={"a": "0w log log", "b": "1w log"}, logs=10)
    assert game.dump(state)["supply"]["logs"] == 10
    before = in_phase("transport", figures={"a": "0w log log", "b": "1w log"})
    assert told(happened(before, Pass(0), Pass(1), Pass(2)), "logs_leave") == [{"logs": 3}]


def test_gi_a5_also_logs_that_carried_nothing() -> None:
    state = in_phase("transport", figures={"a": "0w log log"}, pieces=[moai(1, 2, before=0)])
    state = play(state, move(0, "moai-1", "a: 0w log"), Pass(1), Pass(2), Pass(0))
    assert game.dump(state)["figures"] == {}


def test_gi_5_4_the_start_stone_moves_on() -> None:
    assert ended(start=0).start == 1
    state = in_phase("transport", turn=2, start=2)
    state = play(state, Pass(2), Pass(0), Pass(1))
    assert game.dump(state)["start"] == 0
    assert (state.round, play(state, roll(1, 1, 1)).round) == (2, 3)


def test_whatever_may_be_done_at_the_end_is_listed() -> None:
    pieces = [moai(1, 2, before=0), moai(2, 1, "a", marker=0), moai(3, 1, "a", marker=1), moai(4, 1, "a")]
    state = ended(*pieces)
    tried = [deed(0, piece.id) for deed in (Mark, Unmark) for piece in pieces]
    assert set(game.legal(state, 0)) == {action for action in tried if game.can(state, action)}
    assert set(game.legal(state, 0)) == {Mark(0, "moai-1"), Unmark(0, "moai-2")}
