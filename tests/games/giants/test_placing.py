"""Placing figures and acting where they stand (GI-3A to GI-3I, GI-A8, GI-A11, GI-A12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.game import Malformed
from companion.games.giants import game
from companion.games.giants.actions import Pass, Peek, Rongo
from companion.games.giants.state import Site, State
from tests.games.giants.tables import codes, happened, in_phase, place, play, rule_against, told

MINE: dict[int, dict[str, int]] = {0: {"workers": 3, "logs": 5, "markers": 2}}


def placing(**fields: Any) -> State:
    """Seat 0 to place, with 3 workers and 5 logs."""
    return in_phase("place", stocks=fields.pop("stocks", MINE), **fields)


def test_gi_3a_one_figure_on_any_hex_whoever_stands_there() -> None:
    state = placing(figures={"a": "1w 2c log", "v": "1s"})
    for hex_ in ("a", "q", "h", "v", "u", "f", "x3"):
        assert game.can(state, place(0, "worker", hex_))
    after = play(state, place(0, "worker", "a", logs=2))
    assert game.dump(after)["figures"]["a"] == [[1, "worker"], [2, "chief"], "log", [0, "worker"], "log", "log"]
    assert game.dump(after)["behind_screen"][0]["logs"] == 3
    assert game.dump(after)["behind_screen"][0]["workers"] == 2
    assert after.turn == 1


def test_gi_3a_only_figures_and_logs_behind_the_screen() -> None:
    bare = placing(stocks={0: {"workers": 0, "logs": 1}})
    assert rule_against(bare, place(0, "worker", "a")) == ("GI-3A", "lacks_figure")
    assert rule_against(bare, place(0, "sorcerer", "a", logs=2)) == ("GI-3A", "lacks_logs")
    assert game.can(bare, place(0, "sorcerer", "a", logs=1))


def test_gi_a12_no_logs_with_a_chief() -> None:
    assert rule_against(placing(), place(0, "chief", "a", logs=1)) == ("GI-3A", "chief_takes_no_logs")


def test_gi_3b_the_medicine_man_may_act_where_he_is_put_and_a_worker_may_not() -> None:
    state = placing()
    assert game.can(state, place(0, "sorcerer", "v", "village", logs=2))
    assert rule_against(state, place(0, "worker", "v", "village")) == ("GI-3B", "worker_only_stands")


@pytest.mark.parametrize(
    ("hex_", "action", "rule"),
    [
        ("a", "village", "GI-3B1"),
        ("v", "hut", "GI-3B2"),
        ("v", "forest", "GI-3B3"),
        ("q", "headdress", "GI-3B5"),
    ],
)
def test_gi_3b_each_action_has_its_place(hex_: str, action: str, rule: str) -> None:
    assert rule_against(placing(), place(0, "sorcerer", hex_, action)) == (rule, "wrong_place")


def test_gi_3b1_the_village_gives_a_worker_at_once() -> None:
    after = play(placing(), place(0, "sorcerer", "v", "village"))
    assert game.dump(after)["behind_screen"][0]["workers"] == 4
    assert after.container[0] == (4, 4)


def test_gi_3b2_the_hut_gives_a_marker_at_once() -> None:
    after = play(placing(), place(0, "sorcerer", "u", "hut"), Pass(1), Pass(2))
    assert game.dump(after)["behind_screen"][0]["markers"] == 3
    assert game.can(after, Rongo(0))
    assert after.container[0] == (5, 3)


def test_gi_3b3_a_forest_gives_its_logs_once() -> None:
    after = play(placing(), place(0, "sorcerer", "f", "forest"))
    assert game.dump(after)["behind_screen"][0]["logs"] == 9
    assert game.dump(after)["supply"]["logs"] == 23
    assert rule_against(after, place(1, "sorcerer", "f", "forest")) == ("GI-3B3", "forest_felled")
    assert game.can(after, place(1, "sorcerer", "f"))
    assert game.can(after, place(1, "sorcerer", "g", "forest"))


def test_gi_3b3_no_more_logs_than_there_are() -> None:
    after = play(placing(logs=3), place(0, "sorcerer", "f", "forest"))
    assert game.dump(after)["behind_screen"][0]["logs"] == 8
    assert game.dump(after)["supply"]["logs"] == 0


def test_gi_3b4_an_ahu_is_reserved_with_a_base_that_stays() -> None:
    after = play(placing(), place(0, "sorcerer", "b", "reserve", ahu="B2"))
    assert game.dump(after)["ahus"]["B2"] == {"base": None, "reserved": 0, "moai": None, "headdress": None}
    assert game.dump(after)["behind_screen"][0]["bases"] == 6
    assert rule_against(after, place(1, "sorcerer", "b", "reserve", ahu="B2")) == ("GI-3B4", "ahu_not_free")
    assert game.can(after, place(1, "sorcerer", "b", "reserve", ahu="B"))


def test_gi_3b4_not_where_a_moai_stands_nor_without_a_base() -> None:
    built = placing(sites={"B": Site(base=1, moai="moai-1")})
    assert rule_against(built, place(0, "sorcerer", "b", "reserve", ahu="B")) == ("GI-3B4", "ahu_not_free")
    bare = placing(stocks={0: {"bases": 0}})
    assert rule_against(bare, place(0, "sorcerer", "b", "reserve", ahu="B")) == ("GI-3B4", "no_base_left")


def test_gi_3b5_the_headdress_quarry_gives_a_headdress() -> None:
    after = play(placing(), place(0, "sorcerer", "h", "headdress"))
    assert game.dump(after)["pieces"]["headdress-1"] == {
        "kind": "headdress",
        "size": None,
        "hex": None,
        "ahu": None,
        "before": 0,
        "marker": None,
    }
    assert game.dump(after)["supply"]["headdresses"] == 13


@pytest.mark.parametrize(
    ("hex_", "action", "ahu"),
    [
        ("v", "village", None),
        ("u", "hut", None),
        ("f", "forest", None),
        ("h", "headdress", None),
        ("b", "reserve", "B"),
    ],
)
def test_gi_3c_a_chief_acts_for_a_whole_tablet(hex_: str, action: str, ahu: str | None) -> None:
    chief = place(0, "chief", hex_, action, ahu=ahu)
    assert rule_against(placing(tablets=(1, 9, 9)), chief) == ("GI-3C", "chief_needs_tablet")
    state = placing(tablets=(3, 0, 0), half_tablets=27)
    assert game.verify(state, chief).rule == "GI-3C"
    after = play(state, chief)
    assert game.dump(after)["half_tablets"] == [1, 0, 0]
    assert game.dump(after)["supply"]["half_tablets"] == 29
    as_sorcerer = play(state, place(0, "sorcerer", hex_, action, ahu=ahu))
    assert after.sites == as_sorcerer.sites
    assert after.container == as_sorcerer.container
    assert after.pieces == as_sorcerer.pieces


def test_gi_3c_once_per_phase_since_the_chief_stands_then() -> None:
    after = play(placing(tablets=(4, 0, 0)), place(0, "chief", "v", "village"), Pass(1), Pass(2))
    assert rule_against(after, place(0, "chief", "u", "hut"))[0] == "GI-3A"


def test_gi_3c_without_a_tablet_the_chief_just_stands() -> None:
    assert game.can(placing(), place(0, "chief", "v"))


def test_gi_3d_a_marker_buys_half_a_tablet() -> None:
    after = play(placing(), Rongo(0))
    assert game.dump(after)["half_tablets"] == [1, 0, 0]
    assert game.dump(after)["supply"]["half_tablets"] == 29
    assert game.dump(after)["behind_screen"][0]["markers"] == 1
    assert after.turn == 1
    assert rule_against(placing(stocks={0: {"markers": 0}}), Rongo(0)) == ("GI-3D", "no_marker_left")


def test_gi_3e_who_passes_does_nothing_more_in_the_phase() -> None:
    state = play(placing(), Pass(0), place(1, "worker", "a"), place(2, "worker", "a"))
    assert state.turn == 1
    assert rule_against(state, place(0, "worker", "a")) == ("GI-3E", "has_passed")
    assert rule_against(state, Rongo(0)) == ("GI-3E", "has_passed")


def test_gi_3f_placing_ends_when_nobody_can_act_and_logs_alone_do_not_count() -> None:
    only_logs = {"workers": 0, "sorcerer": 0, "chief": 0, "markers": 0, "logs": 4}
    last = {"workers": 0, "sorcerer": 0, "chief": 0, "markers": 1}
    state = placing(stocks={0: {**last, "markers": 0, "workers": 1}, 1: only_logs, 2: last})
    effects = happened(state, place(0, "worker", "a"))
    assert told(effects, "cannot_act") == [{"seat": 1}]
    state = play(state, place(0, "worker", "a"))
    assert state.turn == 2
    effects = happened(state, Rongo(2))
    assert codes(effects)[-1] == "placing_over"
    state = play(state, Rongo(2))
    assert (state.phase, state.turn) == ("transport", 0)


def test_gi_3f_an_empty_screen_passes_when_the_phase_begins() -> None:
    nothing = {"workers": 0, "sorcerer": 0, "chief": 0, "markers": 0}
    state = replace(placing(stocks={0: nothing}), turn=1)
    state = play(state, Pass(1))
    assert state.turn == 2, "seat 0 is passed over"


def test_gi_3g_an_ahu_is_beside_one_hex_only() -> None:
    assert rule_against(placing(), place(0, "sorcerer", "a", "reserve", ahu="B")) == ("GI-3G", "ahu_elsewhere")
    assert [game.can(placing(), place(0, "sorcerer", "b", "reserve", ahu=ahu)) for ahu in ("B", "B2")] == [True, True]


def test_gi_3h_reserving_the_last_base_does_not_end_the_game() -> None:
    state = placing(stocks={0: {"bases": 1}}, bases=1)
    state = play(state, place(0, "sorcerer", "b", "reserve", ahu="B"), *(Pass(seat) for seat in (1, 2, 0, 0, 1, 2)))
    assert state.phase == "end"
    assert not game.over(state)


def test_gi_3i_nobody_is_told_what_is_left_in_the_container() -> None:
    full, empty = placing(), placing(container=((0, 0), (5, 4), (5, 4)))
    action = place(0, "sorcerer", "v", "village")
    for viewer in (None, 1, 2):
        assert game.view(full, viewer) == game.view(empty, viewer)
        seen = [game.view_effects(happened(state, action), viewer) for state in (full, empty)]
        assert seen[0] == seen[1]
        assert game.view(play(full, action), viewer) == game.view(play(empty, action), viewer)
    assert list(game.legal(full, 0)) == list(game.legal(empty, 0)), "not even its owner"
    assert "container" not in str(game.view(full, 0))


def test_gi_a8_an_action_whose_source_is_empty_gives_nothing() -> None:
    state = placing(container=((0, 0), (5, 4), (5, 4)), headdresses=0, logs=0, half_tablets=0)
    for hex_, action in (("v", "village"), ("u", "hut"), ("f", "forest"), ("h", "headdress")):
        after = play(state, place(0, "sorcerer", hex_, action))
        assert after.stocks[0] == replace(state.stocks[0], sorcerer=0)
        assert after.pieces == ()
    bought = play(state, Rongo(0))
    assert (bought.tablets[0], bought.stocks[0].markers, bought.spent[0]) == (0, 1, 1)


def test_gi_a11_nobody_has_to_act() -> None:
    for hex_ in ("v", "u", "f", "h", "b"):
        assert game.can(placing(), place(0, "sorcerer", hex_))


def test_an_ahu_goes_with_reserve_only() -> None:
    line = {"by": 0, "do": "place", "figure": "sorcerer", "hex": "b", "action": "reserve"}
    with pytest.raises(Malformed, match="lacks 'ahu'"):
        game.read(placing(), line)
    with pytest.raises(Malformed, match="goes only with"):
        game.read(placing(), {**line, "action": None, "ahu": "B"})


def test_whatever_is_listed_is_allowed_and_nothing_else() -> None:
    """All figures, hexes, logs and actions tried one by one, reservations at every ahu."""
    state = placing(tablets=(2, 0, 0), felled=frozenset({"f"}), sites={"B": Site(reserved=1)})
    tried = [
        place(0, figure, hex_.id, action, logs, ahu)
        for figure in ("worker", "sorcerer", "chief")
        for hex_ in state.board.hexes
        for logs in (0, 1, 2)
        for action in (None, "village", "hut", "forest", "headdress", "reserve")
        for ahu in ([a.id for a in state.board.ahus] if action == "reserve" else [None])
    ]
    listed = list(game.legal(state, 0))
    assert len(set(listed)) == len(listed)
    assert set(listed) == {action for action in [*tried, Pass(0), Rongo(0), Peek(0, "B")] if game.can(state, action)}
