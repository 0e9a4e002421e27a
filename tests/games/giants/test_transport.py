"""Carrying, erecting, crowning, marking, looking (GI-4.1 to GI-4.13, GI-A3, GI-A4, GI-A6, GI-A7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.giants import game
from companion.games.giants.actions import Mark, Move, Pass, Peek, Unmark
from companion.games.giants.carrying import helper_sets
from companion.games.giants.state import Site, State
from tests.games.giants.tables import carriers, happened, headdress, in_phase, moai, move, play, rule_against, told


def transport(figures: dict[str, str] | None = None, *pieces: Any, **fields: Any) -> State:
    return in_phase("transport", figures=figures, pieces=pieces, **fields)


def test_gi_4_1_a_transport_starts_in_the_quarry_or_where_the_piece_lies() -> None:
    figures = {"a": "0w", "d": "0w", "c": "0w"}
    state = transport(figures, moai(1, 1, before=0), headdress(1, before=0), moai(2, 1, "b", marker=0))
    assert game.can(state, move(0, "moai-1", "a: 0w"))
    assert game.can(state, move(0, "headdress-1", "d: 0w"))
    assert rule_against(state, move(0, "headdress-1", "a: 0w"))[0] == "GI-4.4"
    assert game.can(state, move(0, "moai-2", "c: 0w"))
    assert rule_against(state, move(0, "moai-2", "d: 0w"))[0] == "GI-4.4"
    after = play(state, move(0, "moai-1", "a: 0w"))
    assert game.dump(after)["pieces"]["moai-1"] | {"hex": "a", "before": None} == game.dump(after)["pieces"]["moai-1"]


def test_gi_4_1_the_start_hex_needs_nobody() -> None:
    assert not transport({"a": "0w"}).figures[0]
    assert game.can(transport({"a": "0w"}, moai(1, 1, before=0)), move(0, "moai-1", "a: 0w"))


@pytest.mark.parametrize(
    ("size", "helpers", "enough"),
    [
        (1, "0w", True),
        (1, "0s", True),
        (1, "0c", True),
        (2, "0w", False),
        (2, "0w 0s", True),
        (2, "0w log", True),
        (2, "0c", True),
        (3, "0w 0s", False),
        (3, "0w log", False),
        (3, "0w 0w 0s", True),
        (3, "0w 0w log", True),
        (3, "0w log log", True),
        (3, "0c", True),
    ],
)
def test_gi_4_2_carriers_by_size(size: int, helpers: str, enough: bool) -> None:
    state = transport({"a": "0w 0w 0s 0c log log"}, moai(1, size, before=0))
    action = move(0, "moai-1", f"a: {helpers}")
    assert game.can(state, action) is enough
    if not enough:
        assert rule_against(state, action) == ("GI-4.2", "too_weak")


def test_gi_4_2_a_headdress_needs_one() -> None:
    state = transport({"d": "0w 1c"}, headdress(1, before=0))
    assert game.can(state, move(0, "headdress-1", "d: 0w"))
    assert game.can(state, move(0, "headdress-1", "d: 1c"))


def test_gi_4_2_only_those_who_stand_there_help() -> None:
    state = transport({"a": "0w"}, moai(1, 2, before=0))
    assert rule_against(state, move(0, "moai-1", "a: 0w 0w")) == ("GI-4.2", "helper_not_there")
    assert rule_against(state, move(0, "moai-1", "a: 1c")) == ("GI-4.2", "helper_not_there")
    assert rule_against(state, move(0, "moai-1", "a: ")) == ("GI-4.2", "too_weak")
    assert rule_against(state, Move(0, "moai-1", ("a",), ())) == ("GI-4.2", "helpers_per_hex")


def test_gi_4_3_logs_alone_carry_nothing() -> None:
    state = transport({"a": "log log log", "q": "0w"}, moai(1, 2, before=0))
    assert rule_against(state, move(0, "moai-1", "a: log log")) == ("GI-4.3", "logs_alone")
    assert helper_sets(carriers("log log log"), 1) == ()


def test_gi_4_4_the_path_is_connected_and_passes_no_hex_twice() -> None:
    figures = dict.fromkeys("qabceduv", "0w")
    state = transport(figures, moai(1, 1, before=0))
    assert game.can(state, move(0, "moai-1", "a: 0w, b: 0w, c: 0w, e: 0w"))
    assert game.can(state, move(0, "moai-1", "a: 0w, b: 0w, u: 0w")), "special hexes may be entered"
    assert rule_against(state, move(0, "moai-1", "b: 0w")) == ("GI-4.4", "not_neighbours")
    assert rule_against(state, move(0, "moai-1", "a: 0w, b: 0w, a: 0w")) == ("GI-4.4", "hex_twice")
    assert rule_against(state, move(0, "moai-1", "a: 0w, q: 0w")) == ("GI-4.4", "hex_twice"), "the start counts"
    circle = move(0, "moai-1", "a: 0w, b: 0w, c: 0w, e: 0w, a: 0w")
    assert rule_against(state, circle) == ("GI-4.4", "hex_twice")


def test_gi_4_4_figures_help_again_and_again() -> None:
    state = transport({"a": "0w"}, moai(1, 1, before=0), moai(2, 1, before=1))
    state = play(state, move(0, "moai-1", "a: 0w"), move(1, "moai-2", "a: 0w"))
    assert state.prestige == (1, 0, 0)


def test_gi_4_4_quarries_may_be_crossed() -> None:
    state = transport({"q": "0w", "v": "0w"}, moai(1, 1, "a", marker=0))
    assert game.can(state, move(0, "moai-1", "q: 0w, v: 0w"))


@pytest.mark.parametrize(
    ("size", "helpers", "prestige"),
    [
        (1, "0w", (0, 0, 0)),
        (1, "1w", (0, 1, 0)),
        (1, "1c", (0, 1, 0)),
        (2, "1c", (0, 2, 0)),
        (3, "1c", (0, 3, 0)),
        (2, "1w 2w", (0, 1, 1)),
        (3, "1w 1s log", (0, 2, 0)),
        (3, "0w 1w 2s", (0, 1, 1)),
    ],
)
def test_gi_4_5_others_are_paid_at_once(size: int, helpers: str, prestige: tuple[int, ...]) -> None:
    state = transport({"a": "0w 1w 1s 1c 2w 2s log"}, moai(1, size, before=0))
    assert play(state, move(0, "moai-1", f"a: {helpers}")).prestige == prestige


def test_gi_4_5_a_chief_gets_one_for_a_headdress() -> None:
    state = transport({"d": "1c"}, headdress(1, before=0))
    action = move(0, "headdress-1", "d: 1c")
    assert play(state, action).prestige == (0, 1, 0)
    assert told(happened(state, action), "earns_for_helping") == [{"seat": 1, "points": 1}]


def test_gi_4_6_the_mover_chooses_whose_figures_help() -> None:
    state = transport({"a": "1w 2w"}, moai(1, 1, before=0))
    helpers = {action.helpers for action in game.legal(state, 0) if isinstance(action, Move) and action.path == ("a",)}
    assert helpers == {(((1, "worker"),),), (((2, "worker"),),)}


def test_gi_4_7_erect_on_a_free_ahu_beside_the_hex_with_an_own_figure() -> None:
    state = transport({"a": "0w", "b": "0w", "c": "1w"}, moai(1, 1, before=0))
    after = play(state, move(0, "moai-1", "a: 0w, b: 0w", "erect", "B"))
    assert game.dump(after)["ahus"]["B"] == {"base": 0, "reserved": None, "moai": "moai-1", "headdress": None}
    assert game.dump(after)["behind_screen"][0]["bases"] == 6
    piece = game.dump(after)["pieces"]["moai-1"]
    assert (piece["hex"], piece["ahu"], piece["before"]) == (None, "B", None)
    way = "a: 0w, b: 0w, c: 1w"
    assert rule_against(state, move(0, "moai-1", way, "erect", "C")) == ("GI-4.7", "no_own_figure")
    assert rule_against(state, move(0, "moai-1", "a: 0w", "erect", "B")) == ("GI-3G", "ahu_elsewhere")


def test_gi_4_7_not_on_a_taken_ahu_nor_on_one_reserved_by_another() -> None:
    sites = {"B": Site(base=1, moai="moai-9"), "B2": Site(reserved=1)}
    state = transport({"b": "0w 1w"}, moai(1, 1, "b", marker=0), moai(2, 1, "b", marker=1), sites=sites)
    assert rule_against(state, move(0, "moai-1", "", "erect", "B")) == ("GI-4.7", "ahu_occupied")
    assert rule_against(state, move(0, "moai-1", "", "erect", "B2")) == ("GI-4.7", "ahu_reserved")
    after = play(state, Pass(0), move(1, "moai-2", "", "erect", "B2"))
    assert game.dump(after)["ahus"]["B2"] == {"base": 1, "reserved": None, "moai": "moai-2", "headdress": None}
    assert after.stocks[1].bases == state.stocks[1].bases, "the reserving base is turned over"


def test_gi_4_7_without_a_base_only_on_a_reserved_ahu() -> None:
    sites = {"B2": Site(reserved=0)}
    state = transport({"b": "0w"}, moai(1, 1, "b", marker=0), sites=sites, stocks={0: {"bases": 0}})
    assert rule_against(state, move(0, "moai-1", "", "erect", "B")) == ("GI-4.7", "no_base_left")
    assert game.can(state, move(0, "moai-1", "", "erect", "B2"))


def test_gi_4_7_it_stays_to_the_end() -> None:
    state = transport({"b": "0w", "c": "0w"}, moai(1, 1, ahu="B"), sites={"B": Site(base=0, moai="moai-1")})
    assert rule_against(state, move(0, "moai-1", "c: 0w")) == ("GI-4.7", "stands_for_good")
    assert rule_against(state, Mark(0, "moai-1")) == ("GI-4.7", "stands_for_good")


def test_gi_4_7_a_headdress_is_not_erected() -> None:
    state = transport({"b": "0w"}, headdress(1, "b", marker=0))
    assert rule_against(state, move(0, "headdress-1", "", "erect", "B")) == ("GI-4.7", "wrong_kind")


def test_gi_4_8_crown_any_uncrowned_moai_beside_the_hex() -> None:
    sites = {"B": Site(base=1, moai="moai-1"), "B2": Site(base=0, moai="moai-2", headdress="headdress-9")}
    pieces = (moai(1, 1, ahu="B"), moai(2, 1, ahu="B2"), headdress(1, "b", marker=0), moai(3, 1, "b", marker=0))
    state = transport({"b": "0s"}, *pieces, sites=sites)
    assert rule_against(state, move(0, "headdress-1", "", "crown", "B2")) == ("GI-4.8", "crowned_already")
    assert rule_against(state, move(0, "headdress-1", "", "crown", "C")) == ("GI-3G", "ahu_elsewhere")
    assert rule_against(state, move(0, "moai-3", "", "crown", "B")) == ("GI-4.8", "wrong_kind")
    after = play(state, move(0, "headdress-1", "", "crown", "B"))
    assert game.dump(after)["ahus"]["B"] == {"base": 1, "reserved": None, "moai": "moai-1", "headdress": "headdress-1"}
    assert game.dump(after)["pieces"]["headdress-1"]["ahu"] == "B"


def test_gi_4_8_with_an_own_figure_and_a_moai_there() -> None:
    state = transport({"b": "1w", "c": "0w"}, headdress(1, "b", marker=0), headdress(2, "c", marker=0))
    built = replace(state, sites=(Site(), Site(base=1, moai="moai-1"), *state.sites[2:]))
    assert rule_against(built, move(0, "headdress-1", "", "crown", "B")) == ("GI-4.8", "no_own_figure")
    assert rule_against(state, move(0, "headdress-2", "", "crown", "C")) == ("GI-4.8", "no_moai_there")


@pytest.mark.parametrize("phase", ["roll", "bid", "carve", "place", "transport", "end"])
def test_gi_4_9_look_under_a_moai_at_any_time_for_half_a_tablet(phase: str) -> None:
    turn = 0 if phase in ("carve", "place", "transport") else None
    sites = {"B": Site(base=2, moai="moai-1")}
    fields = {"sites": sites, "pieces": [moai(1, 3, ahu="B")], "tablets": (0, 3, 0), "half_tablets": 27}
    state = in_phase(phase, turn=turn, **fields)
    assert rule_against(state, Peek(0, "B")) == ("GI-4.9", "no_half_to_pay")
    assert rule_against(state, Peek(1, "C")) == ("GI-4.9", "no_moai_there")
    assert Peek(1, "B") in list(game.legal(state, 1))
    effects = happened(state, Peek(1, "B"))
    after = play(state, Peek(1, "B"))
    assert (after.tablets, after.half_tablets) == ((0, 2, 0), 28)
    assert game.to_act(after) == game.to_act(state)
    assert told(game.view_effects(effects, 1), "base_is_of") == [{"ahu": "B", "owner_seat": 2}]
    for viewer in (None, 0, 2):
        assert told(game.view_effects(effects, viewer), "base_is_of") == []
    assert all(effect.memory for effect in effects if effect.note.code == "base_is_of")


def test_gi_4_10_a_marker_from_behind_the_screen_claims_a_piece() -> None:
    state = transport({"a": "0w 1w"}, moai(1, 1, before=0), moai(2, 1, before=1))
    after = play(state, move(0, "moai-1", "a: 0w", "mark"))
    assert game.dump(after)["pieces"]["moai-1"]["marker"] == 0
    assert game.dump(after)["behind_screen"][0]["markers"] == 1
    assert rule_against(after, move(1, "moai-1", "q: 1w"))[0] == "GI-4.10"
    assert rule_against(after, Mark(1, "moai-1")) == ("GI-4.10", "marked_by_another")
    bare = transport({"a": "0w"}, moai(1, 1, before=0), stocks={0: {"markers": 0}})
    assert rule_against(bare, move(0, "moai-1", "a: 0w", "mark")) == ("GI-4.10", "no_marker_left")
    assert rule_against(bare, Mark(0, "moai-1")) == ("GI-4.10", "no_marker_left")


def test_gi_4_10_marking_without_moving_puts_it_on_its_quarry() -> None:
    state = transport({}, moai(1, 1, before=0))
    marked = play(state, Mark(0, "moai-1"))
    assert marked == play(state, move(0, "moai-1", "", "mark"))
    piece = game.dump(marked)["pieces"]["moai-1"]
    assert (piece["hex"], piece["before"], piece["marker"]) == ("q", None, 0)
    assert rule_against(play(marked, Pass(1), Pass(2)), Mark(0, "moai-1")) == ("GI-4.10", "marked_already")


def test_gi_4_10_the_marker_comes_back_and_can_be_used_at_once() -> None:
    state = transport({"b": "0w"}, moai(1, 1, "b", marker=0), moai(2, 1, before=0), stocks={0: {"markers": 0}})
    assert rule_against(state, Mark(0, "moai-2")) == ("GI-4.10", "no_marker_left")
    state = play(state, move(0, "moai-1", "", "erect", "B"), Pass(1), Pass(2))
    assert state.stocks[0].markers == 1
    assert game.dump(state)["pieces"]["moai-1"]["marker"] is None
    assert game.can(state, Mark(0, "moai-2"))


def test_gi_4_10_what_stands_before_a_screen_is_its_owners() -> None:
    state = transport({"a": "0w"}, moai(1, 1, before=1))
    assert rule_against(state, move(0, "moai-1", "a: 0w"))[0] == "GI-4.11"


def test_gi_4_11_an_abandoned_piece_is_taken_by_who_erects_crowns_or_marks_it() -> None:
    state = transport({"a": "0w", "b": "0w"}, moai(1, 1, "a"))
    assert rule_against(state, move(0, "moai-1", "b: 0w")) == ("GI-4.11", "must_claim")
    assert game.can(state, move(0, "moai-1", "b: 0w", "mark"))
    assert game.can(state, move(0, "moai-1", "b: 0w", "erect", "B"))
    assert game.can(state, Mark(0, "moai-1"))
    bare = transport({"a": "0w", "b": "0w"}, moai(1, 1, "a"), stocks={0: {"markers": 0}})
    assert rule_against(bare, move(0, "moai-1", "b: 0w", "mark"))[0] == "GI-4.10"


def test_gi_4_11_a_piece_left_unmarked_is_free_from_the_next_transport_on() -> None:
    state = transport({"a": "0w 1w", "b": "1w"}, moai(1, 1, before=0))
    state = play(state, move(0, "moai-1", "a: 0w"))
    assert rule_against(state, move(1, "moai-1", "b: 1w", "mark")) == ("GI-4.11", "belongs_to_another")
    state = play(state, Pass(1), Pass(2), Pass(0))
    assert state.phase == "end"
    assert state.pieces[0].owner is None


def test_gi_4_13_the_transport_ends_when_all_have_passed_in_words() -> None:
    state = transport({})
    assert [game.to_act(state := play(state, Pass(seat))) for seat in (0, 1)] == [(1,), (2,)]
    assert state.phase == "transport"
    assert rule_against(replace(state, turn=2), Pass(0)) == ("GI-4.13", "has_passed")
    assert play(state, Pass(2)).phase == "end"


@pytest.mark.parametrize("figure", ["0w", "0s", "0c"])
def test_gi_a3_any_own_figure_will_do_to_erect(figure: str) -> None:
    state = transport({"b": f"{figure} 1w 1w 1w"}, moai(1, 3, "a", marker=0))
    assert game.can(state, move(0, "moai-1", "b: 1w 1w 1w", "erect", "B")), "it need not even help"


@pytest.mark.parametrize("helpers", ["0w log", "0w 1w", "0c 0w", "0c log", "0c 1c"])
def test_gi_a4_nobody_helps_who_is_not_needed(helpers: str) -> None:
    state = transport({"a": "0w 1w 0c 1c log"}, moai(1, 1, before=0))
    assert rule_against(state, move(0, "moai-1", f"a: {helpers}")) == ("GI-A4", "too_many_helpers")


def test_gi_a4_a_foreign_figure_may_be_preferred() -> None:
    state = transport({"a": "0w 1w 0c"}, moai(1, 1, before=0))
    assert play(state, move(0, "moai-1", "a: 1w")).prestige == (0, 1, 0)


def test_gi_a4_helper_sets_are_all_minimal_ones() -> None:
    """Against a definition: enough, with a figure, and not so without any one of them."""
    group = carriers("0w 0w 1s 2c log log")

    def enough(helpers: tuple[Any, ...], weight: int) -> bool:
        strength = sum(3 if figure == "chief" else 1 for _, figure in helpers)
        return strength >= weight and any(figure != "log" for _, figure in helpers)

    for weight in (1, 2, 3):
        chosen = set()
        for mask in range(1 << len(group)):
            helpers = tuple(sorted(c for i, c in enumerate(group) if mask >> i & 1))
            fewer = [helpers[:i] + helpers[i + 1 :] for i in range(len(helpers))]
            if enough(helpers, weight) and not any(enough(f, weight) for f in fewer):
                chosen.add(helpers)
        assert set(helper_sets(group, weight)) == chosen
        assert len(helper_sets(group, weight)) == len(chosen)


def test_gi_a6_erecting_and_crowning_without_moving() -> None:
    sites = {"B": Site(base=0, moai="moai-9")}
    state = transport({"b": "0w"}, moai(1, 2, "b", marker=0), headdress(1, "b"), sites=sites)
    assert game.can(state, move(0, "moai-1", "", "erect", "B2"))
    assert game.can(state, move(0, "headdress-1", "", "crown", "B")), "an abandoned one, too"


def test_gi_a7_the_same_piece_again_in_a_later_turn() -> None:
    state = transport({"a": "0w", "b": "0w"}, moai(1, 1, before=0))
    state = play(state, move(0, "moai-1", "a: 0w"), Pass(1), Pass(2))
    assert game.can(state, move(0, "moai-1", "b: 0w"))
    assert game.can(state, Mark(0, "moai-1"))


def test_markers_come_off_at_the_rounds_end_only() -> None:
    state = transport({}, moai(1, 1, "a", marker=0))
    assert rule_against(state, Unmark(0, "moai-1")) == ("GI-0", "another_phase")


def test_what_is_not_there_cannot_be_moved() -> None:
    state = transport({"a": "0w"}, moai(1, 1, before=0))
    assert rule_against(state, Move(0, "moai-7", ("a",), (((0, "worker"),),)))[0] == "GI-4.1"
    assert rule_against(state, Mark(0, "moai-7"))[0] == "GI-4.10"
    assert rule_against(state, Move(0, "moai-1", ("nowhere",), ((),)))[0] == "GI-4.4"
    assert rule_against(state, Move(0, "moai-1", ("a",), (((0, "worker"),),), "erect", "nowhere"))[0] == "GI-4.7"
