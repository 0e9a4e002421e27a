"""`companion score`: what is counted from a photo is what the rules count, from whatever side the photo was taken."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.fiji import counting as fiji
from companion.games.game import game
from companion.games.maori import counting as maori
from companion.games.maori import islands
from companion.games.maori.state import NONE
from companion.games.maori.tiles import read_setup
from companion.games.rapa_nui import counting as rapa_nui
from companion.games.rapa_nui.cards import CARDS, OFFERINGS
from companion.games.rapa_nui.scoring import yields
from companion.games.rapa_nui.table import TABLEAUS, RapaNuiTable
from companion.games.reading import Fields
from companion.games.tabletop import Seen, SeenCard
from tests.companion.sights import box, doubtful, sight
from tests.games.playing import play

APART = RapaNuiTable(
    tableaus=tuple(replace(zone, x=zone.x + (300 if zone.x > 400 else -200)) for zone in TABLEAUS)
)  #: the house layout with the tableaus further from each other
SEEDS = st.integers(0, 10_000)
TURNS = st.sampled_from([0.0, 7.0, 90.0, 180.0, 251.0])


def state_of(name: str, players: int, seed: int, wanted: Callable[[Any], object]) -> Any:
    """A state of a random game that is as wanted."""
    return random.Random(seed).choice([state for state in play(game(name), players, seed, {}).states if wanted(state)])


def seen_from(seen: Seen, degrees: float) -> Seen:
    """The same table in another table frame: turned about its corner, and moved."""
    turn = math.radians(degrees)
    c, s = math.cos(turn), math.sin(turn)

    def moved(card: SeenCard) -> SeenCard:
        x, y = card.x * c - card.y * s + 31, card.x * s + card.y * c - 17
        return replace(card, x=x, y=y, angle=(card.angle + degrees) % 360)

    return replace(seen, cards=tuple(map(moved, seen.cards)))


def without_boards(seen: Seen) -> Seen:
    return replace(seen, cards=tuple(card for card in seen.cards if card.component != "board"))


def by_total(boards: list[Any]) -> list[Any]:
    return sorted(boards, key=lambda board: tuple(board[name] for name in ("total", "palms", "boats", "tiles")))


# --- Maori


def on_boards_only(state: Any) -> bool:
    """Whether the display is full, nothing is stored, and some board has a tile."""
    lying = any(tile >= 0 for board in state.boards for tile in board)
    return state.step == "take" and NONE not in state.display and max(state.stores) == NONE and lying


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 5), TURNS)
def test_maori_boards_count_what_the_rules_count(seed: int, players: int, degrees: float):
    state = state_of("maori", players, seed, lambda state: state.step == "take" and NONE not in state.display)
    counted = maori.count(seen_from(sight(game("maori").tabletop.lay(state), "maori"), degrees))
    names = [state.setup.names[tile] for tile in state.display]
    assert counted["display"] == [names[i : i + 4] for i in range(0, 16, 4)]
    truth = [islands.count(state.setup, board) for board in state.boards]
    expected = [
        {
            "palms": t.palms,
            "wreaths": t.wreaths,
            "boats": t.boats,
            "empty": t.empty,
            "removed": t.removed,
            "total": t.palms + 10 * t.wreaths - t.empty,
            "tiles": sum(tile >= 0 for tile in board),
            "most_boats": most,
        }
        for t, board, most in zip(truth, state.boards, islands.most([t.boats for t in truth]), strict=True)
    ]
    found = [{name: board[name] for name in expected[0]} for board in counted["boards"]]
    assert by_total(found) == by_total(expected)
    assert counted["warnings"] == []


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 5), TURNS)
@example(seed=735, players=2, degrees=0.0)
def test_maori_boards_that_are_not_seen_are_counted_by_their_grid(seed: int, players: int, degrees: float):
    state = state_of("maori", players, seed, on_boards_only)
    seen = without_boards(sight(game("maori").tabletop.lay(state), "maori"))
    used = [board for board in state.boards if any(tile >= 0 for tile in board)]
    counted = maori.count(seen_from(seen, degrees))
    truth = [islands.count(state.setup, board) for board in used]
    totals = [t.palms + 10 * t.wreaths - t.empty for t in truth]
    assert counted["display"] is not None
    if any(sum(tile >= 0 for tile in board) >= maori.DISPLAYED for board in used):  # which is the display?
        assert any("as full as a display" in warning for warning in counted["warnings"])
    else:
        assert sorted(board["total"] for board in counted["boards"]) == sorted(totals)


def test_a_single_grid_is_a_board_and_not_a_display():
    tiles = box("maori")
    names = [name for name in tiles if name.startswith("single")][:4]
    cards = tuple(SeenCard(f"maori/{n}", tiles[n], 100 + 39 * i, 200 + 39 * i) for i, n in enumerate(names))
    counted = maori.count(Seen(cards))
    assert counted["display"] is None
    (board,) = counted["boards"]
    assert board["tiles"] == 4
    assert board["total"] == sum(tiles[n].get("palms", 0) * (1 + bool(tiles[n].get("huts"))) for n in names) - 12
    assert [row[i + 1] for i, row in enumerate(board["fields"])] == names


def test_printed_land_opens_to_no_field():
    """So that where a grid lies on a board makes no difference to its points."""
    setup = read_setup(Fields({}, "options"))
    printed = dict(setup.printed)
    for cell, land in printed.items():
        assert {setup.neighbour(cell, side) for side in land.open} <= printed.keys()


def test_a_doubtful_tile_leaves_only_open_what_it_decides():
    tiles = box("maori")
    two, three = "single-05", "single-09"  # two palms, three palms
    doubt = SeenCard("", {}, 139, 100, 0.0, ((two, tiles[two]), (three, tiles[three])))
    cards = (SeenCard("single-01", tiles["single-01"], 100, 100), doubt)
    (board,) = maori.count(Seen(cards))["boards"]
    assert (board["tiles"], board["boats"], board["empty"], board["palms"]) == (
        2,
        2,
        14,
        None,
    )  # boats: two printed ones
    assert board["total_between"] == [1 + 2 - 14, 1 + 3 - 14]


def test_what_may_be_no_tile_at_all_may_be_an_empty_field():
    tiles = box("maori")
    doubt = SeenCard("", {}, 139, 100, 0.0, (("single-05", tiles["single-05"]), ("back", {"card": "back"})))
    (board,) = maori.count(Seen((SeenCard("single-01", tiles["single-01"], 100, 100), doubt)))["boards"]
    assert board["total_between"] == [1 - 15, 1 + 2 - 14]


def test_a_full_grid_alone_may_be_the_display_and_the_count_says_so():
    state = next(s for s in play(game("maori"), 2, 3, {}).states if s.step == "take")
    cards = tuple(c for c in sight(game("maori").tabletop.lay(state), "maori").cards if c.component != "board")[:16]
    counted = maori.count(Seen(cards))
    assert [board["tiles"] for board in counted["boards"]] == [16]
    assert "display" in counted["warnings"][0]


# --- Rapa Nui


def close(bag: tuple[int, ...]) -> bool:
    """Whether between the columns of a tableau, each kind in its place, at most one place is empty."""
    places = [kind for kind, count in enumerate(bag) if count]
    return all(b - a <= 2 for a, b in pairwise(places))


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 4), TURNS)
def test_rapa_nui_tableaus_earn_what_the_rules_say(seed: int, players: int, degrees: float):
    state = state_of("rapa-nui", players, seed, lambda s: s.step == "buy" and all(map(close, s.tableaus)))
    counted = rapa_nui.count(seen_from(sight(APART.lay(state), "rapa-nui"), degrees))
    columns = [[CARDS[card] for card in column] for column in state.columns]
    if counted["columns"]:
        assert counted["columns"] == columns
        assert counted["front"] == [column[-1] for column in columns]
        found = counted["tableaus"]
    else:  # four kinds, each in a column: they might be somebody's tableau
        assert all(len(set(column)) == 1 for column in columns)
        return
    bags = list(state.tableaus)
    by_cards = {tuple(bag): seat for seat, bag in enumerate(bags)}
    assert sorted(tuple(t["cards"].values()) for t in found) == sorted(bags)
    for tableau in found:
        seat = by_cards[tuple(tableau["cards"].values())]
        earned = [yields(kind, [bag[kind] for bag in bags])[seat] for kind in range(len(CARDS))]
        offerings = dict(zip(OFFERINGS, earned[3:], strict=True))
        assert tableau["earns"] == {
            "wood": earned[0],
            "fame": earned[1],
            "wood_or_fame": earned[2],
            "offerings": offerings,
        }
        assert tableau["moai_points"] == 4 * bags[seat][2]
    assert counted["warnings"] == []


def rapa_nui_cards(*placed: tuple[str, float, float]) -> Seen:
    return Seen(tuple(SeenCard(name, {"card": name}, x, y) for name, x, y in placed))


def test_a_doubtful_card_leaves_both_its_kinds_open_and_nothing_else():
    known = {name: {"card": name} for name in CARDS}
    doubt = SeenCard("", {}, 160, 100, 0.0, (("moai", known["moai"]), ("priest", known["priest"])))
    seen = rapa_nui_cards(("woodcutter", 100, 100), ("woodcutter", 100, 115))
    (tableau,) = rapa_nui.count(replace(seen, cards=(*seen.cards, doubt)))["tableaus"]
    assert (tableau["cards"]["woodcutter"], tableau["cards"]["moai"], tableau["cards"]["priest"]) == (2, None, None)
    assert (tableau["earns"]["wood"], tableau["earns"]["fame"], tableau["moai_points"]) == (3, None, None)


def test_tableaus_that_run_into_each_other_are_not_counted():
    names = ("woodcutter", "priest", "moai", "woodcutter", "priest", "hunter-fish")
    counted = rapa_nui.count(rapa_nui_cards(*((name, 100.0 + 62 * i, 100.0) for i, name in enumerate(names))))
    assert counted["warnings"]
    assert "apart" in counted["warnings"][0]
    (tableau,) = counted["tableaus"]
    assert set(tableau["cards"].values()) == {None}


def test_offerings_are_no_part_of_a_tableau():
    counted = rapa_nui.count(rapa_nui_cards(("offering-fish", 100, 100), ("offering-back", 160, 100)))
    assert counted["tableaus"] == []


# --- Fiji


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 180.0]))
def test_fiji_rows_goals_and_supply(seed: int, degrees: float):
    state = state_of("fiji", 3, seed, lambda state: state.rows and state.goals)
    table = game("fiji").tabletop
    seen = sight(replace(table.lay(state), beads=()))
    counted = fiji.count(seen_from(seen, degrees))
    names = game("fiji").dump(state)
    assert [row["condition"] for row in counted["rows"]] == [row["condition"] for row in names["rows"]]
    assert [row["effect"] for row in counted["rows"]] == [row["effect"] for row in names["rows"]]
    assert counted["goals"] == names["goals"]
    assert counted["warnings"] == []


def test_a_doubtful_condition_is_left_open():
    state = next(s for s in play(game("fiji"), 2, 5, {}).states if s.rows)
    seen = sight(game("fiji").tabletop.lay(state))
    first = next(card for card in seen.cards if "wins" in card.meaning)
    other = next(name for name, says in box("fiji").items() if "wins" in says and name != first.component)
    counted = fiji.count(doubtful(seen, first.component, other))
    assert sum(row["condition"] is None for row in counted["rows"]) == 1
    assert len(counted["unsure"]) == 1


@pytest.mark.parametrize("module", [fiji, rapa_nui, maori])
def test_an_empty_table_is_told_as_it_is(module: Any):
    counted = module.count(Seen())
    assert isinstance(module.told(counted), list)
    assert counted["unsure"] == []
