"""A piece or a die as it was seen."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

DIE: Final = "die"  #: what a die is called, whatever its colour
DieFaces = Mapping[str, Set[int]]  #: what a game's dice show, by their colour


@dataclass(frozen=True, slots=True)
class Seen:
    """A piece or a die: where it stands in mm of the plane (None where there is none) and in pixels of the photo.

    `why` is the reason for doubt, empty for a piece to act on.
    """

    piece: str
    colour: str | None
    value: int | None
    place: tuple[float, float] | None
    centre_px: tuple[float, float]
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    why: str = ""


def doubted(die: Seen, why: str) -> Seen:
    """The same, less sure for a reason."""
    candidates = tuple((name, round(0.5 * share, 3)) for name, share in die.candidates)
    return replace(die, why=why, confidence=round(0.5 * die.confidence, 3), candidates=candidates)


def away(place: NDArray[np.float64], figure: Seen) -> float:
    """How far (mm) a figure or die stands from a place."""
    return float(np.hypot(*(place - np.array(figure.place))))
