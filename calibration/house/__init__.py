"""House decks: printable components drawn by our own code, for those who own no copy and for the demo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from PIL import Image

GAMES = ("fiji",)


@dataclass(frozen=True, slots=True)
class Face:
    """One component's face: an RGB picture, edge to edge, its size (width, height) and what it means.

    `copies` are in the box; `back` is the component that is its other side, where backs are to be recognised.
    """

    image: Image.Image
    size_mm: tuple[float, float]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    copies: int = 1
    back: str | None = None


@lru_cache(maxsize=4)
def faces(game: str, px_per_mm: float = 8.0) -> dict[str, Face]:
    """Every face of a game's house deck by component name ("goal-red"), drawn at `px_per_mm`.

    Raises KeyError for a game that has no house deck. Pictures are shared between callers: copy before changing one.
    """
    if game not in GAMES:
        raise KeyError(f"no house deck is drawn for {game!r}; there are: {', '.join(GAMES)}")
    module = import_module(f"calibration.house.{game.replace('-', '_')}")
    draw: Callable[[float], dict[str, Face]] = module.draw
    return draw(px_per_mm)
