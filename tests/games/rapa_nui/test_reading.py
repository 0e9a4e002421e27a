"""Record lines: read strictly, written as they are read."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Malformed
from companion.games.rapa_nui import game

STATE = game.start(3, {})
GOOD: list[dict[str, Any]] = [
    {"by": "table", "do": "deal", "hands": [["hunter-fish", "hunter-mulberry", "hunter-grain"]] * 3},
    {"by": "table", "do": "lay_display", "columns": [["moai", "priest", "woodcutter", "hunter-fish"]] * 4},
    {"by": 0, "do": "buy", "offering": "sweet-potato"},
    {"by": 0, "do": "play", "cards": ["hunter-sweet-potato", "hunter-sweet-potato"]},
    {"by": 0, "do": "return_moai"},
    {"by": 1, "do": "offer", "offering": "grain"},
    {"by": 0, "do": "offer_from_supply", "offering": "mulberry"},
    {"by": 0, "do": "offer_from_supply", "offering": None},
    {"by": 0, "do": "take", "column": 4},
    {"by": "table", "do": "refill", "column": 1, "cards": ["moai", "priest"]},
    {"by": 2, "do": "income", "take": "fame"},
    {"by": 2, "do": "substitute", "offering": "fish"},
    {"by": 2, "do": "substitute", "offering": None},
]
BAD: list[dict[str, Any]] = [
    {},
    {"by": 0},
    {"do": "buy", "offering": "fish"},
    {"by": 3, "do": "buy", "offering": "fish"},
    {"by": -1, "do": "buy", "offering": "fish"},
    {"by": True, "do": "buy", "offering": "fish"},
    {"by": "0", "do": "buy", "offering": "fish"},
    {"by": None, "do": "buy", "offering": "fish"},
    {"by": 0, "do": "bid", "offering": "fish"},
    {"by": 0, "do": "buy"},
    {"by": 0, "do": "buy", "offering": None},
    {"by": 0, "do": "buy", "offering": "hunter-fish"},
    {"by": 0, "do": "buy", "offering": ["fish"]},
    {"by": 0, "do": "buy", "offering": "fish", "price": 5},
    {"by": 0, "do": "play", "cards": "moai"},
    {"by": 0, "do": "play", "cards": ["fish"]},
    {"by": 0, "do": "play", "cards": [3]},
    {"by": 0, "do": "take", "column": 0},
    {"by": 0, "do": "take", "column": 5},
    {"by": 0, "do": "take", "column": 1.0},
    {"by": 0, "do": "take", "column": True},
    {"by": 0, "do": "income", "take": "both"},
    {"by": 0, "do": "return_moai", "card": "moai"},
    {"by": "table", "do": "deal", "hands": [["hunter-fish"] * 3] * 2},
    {"by": "table", "do": "deal", "hands": [["hunter-fish"] * 3] * 4},
    {"by": "table", "do": "lay_display", "columns": [["moai"] * 4] * 3},
    {"by": "table", "do": "lay_display", "columns": [["moai"] * 3] * 4},
    {"by": "table", "do": "refill", "column": 1},
]


@pytest.mark.parametrize("data", GOOD, ids=str)
def test_an_action_reads_as_it_is_written(data: dict[str, Any]) -> None:
    assert game.read(STATE, data).data() == data


@pytest.mark.parametrize("data", BAD, ids=str)
def test_what_cannot_be_read_is_malformed(data: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        game.read(STATE, data)
