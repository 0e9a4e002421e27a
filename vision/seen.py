"""A piece or a die as it was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DIE: Final = "die"  #: what a die is called, whatever its colour


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
