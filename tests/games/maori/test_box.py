"""The box: counts of the rules, the house set, a copy's own tiles and board, and the dealer."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.games.game import TABLE, Malformed
from companion.games.maori import game
from companion.games.maori.actions import LayDisplay, Refill
from companion.games.maori.tiles import FACING, Tile, components
from tests.games.maori.tables import BOARD, CATALOGUE, at_take, do, store, told
from tests.games.playing import play

TEACH = Path(__file__).resolve().parents[4] / "shared" / "tables" / "deck-a" / "maori" / "teach" / "teach.json"
KINDS = ("single", "end", "middle", "water", "volcano")


def house() -> dict[str, Tile]:
    setup = game.start(2, {}).setup
    return dict(zip(setup.names, setup.tiles, strict=True))


def kind(tile: Tile) -> str:
    """What a tile is, by what it shows."""
    if tile.volcano:
        return "volcano"
    if tile.open:
        return "end" if len(tile.open) == 1 else "middle"
    return "single" if tile.palms or tile.huts else "water"


def test_ma_s2_97_tiles_by_kind() -> None:
    counts = components()["counts"]
    assert [counts[name] for name in KINDS] == [10, 54, 14, 17, 2]
    assert sum(counts[name] for name in KINDS) == 97 == len(house())
    assert Counter(map(kind, house().values())) == {name: counts[name] for name in KINDS}


def test_ma_s2_the_names_of_the_house_tiles_say_what_they_are() -> None:
    for name, tile in house().items():
        said, *sides = name.split("-")[:-1]
        assert said == kind(tile)
        assert {side.upper() for side in "".join(sides)} == set(tile.open)


def test_ma_s2_the_house_set_can_be_played_well() -> None:
    """Every end has ends to meet, every half wreath another half, and all symbols are there."""
    tiles = list(house().values())
    open_sides = Counter(side for tile in tiles for side in tile.open)
    halves = Counter(tile.wreath for tile in tiles if tile.wreath)
    assert all(open_sides[side] == open_sides[FACING[side]] for side in "NESW")
    assert halves == dict.fromkeys("NESW", 2)
    assert all(tile.wreath is None or tile.wreath in tile.open for tile in tiles)
    assert all(sum(getattr(tile, symbol) for tile in tiles) > 10 for symbol in ("palms", "huts", "boats", "shells"))


def test_the_house_board_has_sixteen_water_fields_and_two_boats() -> None:
    state = game.start(2, {})
    assert (state.setup.rows, state.setup.columns) == (4, 5)
    assert [row[0] for row in game.dump(state)["boards"][1]] == ["printed"] * 4
    assert sum(row.count(None) for row in game.dump(state)["boards"][1]) == 16
    assert sum(tile.boats for _, tile in state.setup.printed) == 2


def test_a_copys_own_tiles_and_board() -> None:
    board = {"rows": 1, "columns": 2, "printed": [{"field": [0, 1], "open": "W", "boats": 3}]}
    state = game.start(2, {"catalogue": CATALOGUE, "board": board})
    assert game.dump(state)["boards"] == [[[None, "printed"]]] * 2
    assert state.setup.tiles[state.setup.numbers["n*"]] == Tile(frozenset("N"), palms=2, huts=1)
    assert game.view(state, None)["board"]["printed"] == [
        {"field": [0, 1], "open": "W", "palms": 0, "huts": 0, "boats": 3, "wreath": None}
    ]
    assert game.start(2, {"catalogue": CATALOGUE}).setup.columns == 5


@pytest.mark.skipif(not TEACH.exists(), reason="the photographed decks are not part of the project")
def test_a_taught_decks_attributes_are_a_catalogue() -> None:
    taught = json.loads(TEACH.read_text("utf-8"))["attributes"]
    state = game.start(3, {"catalogue": taught})
    assert {name: state.setup.tiles[n].data() for name, n in state.setup.numbers.items()} == taught
    assert Counter(kind(tile) for tile in state.setup.tiles) == {
        "single": 10, "end": 54, "middle": 14, "water": 17, "volcano": 2,
    }  # fmt: skip
    assert game.over(play(game, 3, 1, {"catalogue": taught}).end)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"open": "NN"}, "options.catalogue.lone.open"),
        ({"open": "X"}, "options.catalogue.lone.open"),
        ({"open": ["N"]}, "options.catalogue.lone.open"),
        ({"palms": -1}, "options.catalogue.lone.palms"),
        ({"huts": 1.0}, "options.catalogue.lone.huts"),
        ({"boats": 10}, "options.catalogue.lone.boats"),
        ({"shells": True}, "options.catalogue.lone.shells"),
        ({"wreath": "n"}, "options.catalogue.lone.wreath"),
        ({"wreath": "NS"}, "options.catalogue.lone.wreath"),
        ({"volcano": 1}, "options.catalogue.lone.volcano"),
        ({"palm": 1}, "options.catalogue.lone has unknown keys: palm"),
        ("N", "options.catalogue.lone"),
    ],
)
def test_a_message_names_the_tile_that_cannot_be_read(entry: Any, said: str) -> None:
    with pytest.raises(Malformed) as refused:
        game.start(2, {"catalogue": {**CATALOGUE, "lone": entry}})
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": 0}, "options.board.rows"),
        ({"rows": 99}, "options.board.rows"),
        ({"columns": "5"}, "options.board.columns"),
        ({"printed": {}}, "options.board.printed"),
        ({"printed": [{"field": [4, 0]}]}, "options.board.printed[0].field"),
        ({"printed": [{"field": [0, -1]}]}, "options.board.printed[0].field"),
        ({"printed": [{"field": [0]}]}, "options.board.printed[0].field"),
        ({"printed": [{}]}, "lacks 'field'"),
        ({"printed": [{"field": [0, 0], "open": "Q"}]}, "options.board.printed[0].open"),
        ({"printed": [{"field": [0, 0], "shells": 1}]}, "options.board.printed[0] has unknown keys: shells"),
        ({"printed": [{"field": [0, 0]}, {"field": [0, 0]}]}, "[0, 0] is there twice"),
        ({"sea": 1}, "options.board has unknown keys: sea"),
    ],
)
def test_a_message_names_what_is_wrong_with_a_board(change: dict[str, Any], said: str) -> None:
    with pytest.raises(Malformed) as refused:
        game.start(2, {"board": {**BOARD, **change}})
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        {"catalogue": {}},
        {"catalogue": []},
        {"catalogue": None},
        {"catalogue": {"printed": {}}},
        {"board": None},
        {"board": {"rows": 1, "columns": 1, "printed": [{"field": [0, 0]}]}},
        {"tiles": {}},
    ],
    ids=str,
)
def test_other_options_are_malformed(options: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        game.start(2, options)


def test_reading_options_changes_nothing_in_them() -> None:
    options = {"catalogue": copy.deepcopy(CATALOGUE), "board": copy.deepcopy(BOARD)}
    game.start(2, options)
    assert options == {"catalogue": CATALOGUE, "board": BOARD}


def test_the_dealer_deals_every_tile_once_and_no_volcano_at_first() -> None:
    for seed in range(4):
        laid: list[str] = []
        for action in play(game, 2, seed, {}).actions:
            if isinstance(action, LayDisplay):
                laid += action.tiles
                assert not any(house()[name].volcano for name in action.tiles)
            if isinstance(action, Refill) and action.tile:
                laid.append(action.tile)
        assert len(laid) == len(set(laid))
        assert set(laid) <= set(house())


def test_a_dealer_goes_on_from_any_state() -> None:
    """It keeps no pile of its own, so a game that was wound back is dealt on."""
    dealer = game.dealer(random.Random(0))
    state, _ = do(at_take(), store())
    only = state.setup.numbers["lone*"]
    for unseen, expected in ((frozenset({only}), {"lone*"}), (frozenset(), set(CATALOGUE))):
        state, _ = do(at_take(unseen=unseen), store())
        refill = dealer.act(state)
        assert isinstance(refill, Refill)
        assert refill.tile in expected
    state, _ = do(at_take(pile=0), store())
    assert dealer.act(state) == Refill(TABLE, None)


def test_a_catalogue_too_small_for_the_display_can_still_be_dealt() -> None:
    state = game.start(2, {"catalogue": {"one": {}, "two": {"palms": 1}}})
    after, effects = do(state, game.dealer(random.Random(0)).act(state))
    assert after.pile == 0
    assert told(effects, "seen_before")
