"""Record lines: read strictly, written as they are read."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Malformed
from companion.games.maori import game
from tests.games.maori.tables import BOARD, CATALOGUE, PLAIN

STATE = game.start(3, {"catalogue": CATALOGUE, "board": BOARD})
ROWS = [list(PLAIN[i : i + 4]) for i in range(0, 16, 4)]
GOOD: list[dict[str, Any]] = [
    {"by": "table", "do": "lay_display", "tiles": ROWS, "ship": 15},
    {"by": 0, "do": "sail", "steps": 3},
    {"by": 2, "do": "take", "skip": 2, "to": "store"},
    {"by": 1, "do": "take", "skip": 0, "to": [3, 4]},
    {"by": 0, "do": "place_stored", "field": [0, 1]},
    {"by": 0, "do": "remove", "field": [2, 2]},
    {"by": 0, "do": "nothing"},
    {"by": "table", "do": "refill", "tile": "lone*"},
    {"by": "table", "do": "refill"},
]
BAD: list[dict[str, Any]] = [
    {},
    {"by": 0, "do": "sail"},
    {"by": 3, "do": "sail", "steps": 1},
    {"by": 0, "do": "sail", "steps": -1},
    {"by": 0, "do": "sail", "steps": 1.0},
    {"by": 0, "do": "sail", "steps": "1"},
    {"by": 0, "do": "sail", "steps": 1, "shells": 0},
    {"by": 0, "do": "take", "skip": 0},
    {"by": 0, "do": "take", "skip": -1, "to": "store"},
    {"by": 0, "do": "take", "skip": 0, "to": "board"},
    {"by": 0, "do": "take", "skip": 0, "to": None},
    {"by": 0, "do": "take", "skip": 0, "to": [4, 1]},
    {"by": 0, "do": "take", "skip": 0, "to": [0, 5]},
    {"by": 0, "do": "take", "skip": 0, "to": [0, 1, 2]},
    {"by": 0, "do": "take", "skip": 0, "to": [True, 1]},
    {"by": 0, "do": "place_stored", "field": "store"},
    {"by": 0, "do": "remove", "field": [-1, 1]},
    {"by": 0, "do": "nothing", "field": [1, 1]},
    {"by": "table", "do": "refill", "tile": None},
    {"by": "table", "do": "refill", "tile": "pebble"},
    {"by": "table", "do": "refill", "tile": 3},
    {"by": "table", "do": "refill", "tile": ["lone"]},
    {"by": "table", "do": "lay_display", "tiles": ROWS, "ship": 16},
    {"by": "table", "do": "lay_display", "tiles": ROWS[:3], "ship": 0},
    {"by": "table", "do": "lay_display", "tiles": [*ROWS[:3], ["sea"] * 3], "ship": 0},
    {"by": "table", "do": "lay_display", "tiles": [*ROWS[:3], ["sea"] * 3 + [None]], "ship": 0},
    {"by": "table", "do": "lay_display", "tiles": ROWS},
]


@pytest.mark.parametrize("data", GOOD, ids=str)
def test_an_action_reads_as_it_is_written(data: dict[str, Any]) -> None:
    assert game.read(STATE, data).data() == data


@pytest.mark.parametrize("data", BAD, ids=str)
def test_what_cannot_be_read_is_malformed(data: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        game.read(STATE, data)
