"""House decks: printable components drawn by our own code, for those who own no copy and for the demo."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from PIL import Image

GAMES = ("fiji", "rapa-nui", "maori", "giants")
FROM_PARTS = frozenset({"maori", "giants"})


@dataclass(frozen=True, slots=True)
class Face:
    """One component's face: an RGB picture, edge to edge, its size (width, height) and what it means.

    `kind` is that of an observation (card, tile, board); `copies` are in the box; `back` is the component that is
    its other side, where backs are to be recognised.
    """

    image: Image.Image
    size_mm: tuple[float, float]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "card"
    copies: int = 1
    back: str | None = None


def faces(game: str, px_per_mm: float = 8.0, parts: Mapping[str, Any] | None = None) -> dict[str, Face]:
    """Every face of a game's house deck by component name ("goal-red"), drawn at `px_per_mm`.

    Decks that are painted from what the components mean need `parts`, the game's own description of them: Maori its
    `tiles` and `board`, Giants its `hexes` and `ahus` (as in the TOML files of these games). Raises KeyError for a
    game that has no house deck, and for parts that are missing. Pictures are shared between callers: copy before
    changing one.
    """
    if game not in GAMES:
        raise KeyError(f"no house deck is drawn for {game!r}; there are: {', '.join(GAMES)}")
    if game in FROM_PARTS and parts is None:
        raise KeyError(f"the house deck of {game} is painted from its parts: pass the contents of its TOML file")
    return _drawn(game, px_per_mm, json.dumps(parts, sort_keys=False) if game in FROM_PARTS else "")


@lru_cache(maxsize=4)
def _drawn(game: str, px_per_mm: float, parts: str) -> dict[str, Face]:
    module = import_module(f"calibration.house.{game.replace('-', '_')}")
    draw: Callable[..., dict[str, Face]] = module.draw
    return draw(px_per_mm, json.loads(parts)) if parts else draw(px_per_mm)
