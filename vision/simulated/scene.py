"""What can lie on a simulated table, and how such a table looks. Millimetres, degrees clockwise from above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Point = tuple[float, float]
Colour = tuple[int, int, int]  #: blue, green, red

GLASS: Final[Mapping[str, Colour]] = MappingProxyType(
    {
        "green": (52, 150, 30),
        "red": (36, 30, 205),
        "yellow": (28, 178, 240),
        "blue": (205, 84, 30),
        "white": (232, 236, 238),
        "shell": (214, 228, 238),
        "wood": (86, 132, 178),
    }
)


@dataclass(frozen=True, slots=True)
class FaceImage:
    """A flat component's face: BGR picture edge to edge, size (width, height), corners' radius, kind.

    Kind is that of an observation (card, tile, board, chip); "clutter" is drawn but never part of the truth.
    """

    image: Image
    size_mm: tuple[float, float]
    corner_mm: float = 2.0
    kind: str = "card"


@dataclass(frozen=True, slots=True)
class Placed:
    """A flat component that lies on the table."""

    component: str
    centre_mm: Point
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class BeadAt:
    """A glass bead, named by its colour."""

    colour: str
    centre_mm: Point


@dataclass(frozen=True, slots=True)
class PieceAt:
    """A thing with a height: `worker`, `log`, `moai-size-2`, `die` with its value; `base_mm` above the table."""

    piece: str
    centre_mm: Point
    angle_deg: float = 0.0
    colour: str | None = None
    value: int | None = None
    base_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class HandAt:
    """A hand above the table: where its fingertips are and in which direction the arm leaves (0 is up the picture)."""

    tip_mm: Point
    arm_deg: float = 180.0
    sleeve: Colour = (92, 66, 48)
    skin: Colour = (128, 160, 208)


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on the table, from the bottom up. `light` is the lamp's brightness as a share of its usual one."""

    cards: tuple[Placed, ...] = ()
    beads: tuple[BeadAt, ...] = ()
    pieces: tuple[PieceAt, ...] = ()
    hands: tuple[HandAt, ...] = ()
    clutter: tuple[Placed, ...] = ()  #: "phone", "cup", "paper"
    light: float = 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """The room: table top, lamp, lens and sensor."""

    surface: str = "oak"  #: oak, walnut, cloth, linen or slate
    table_mm: tuple[float, float] = (900.0, 560.0)  #: between the centres of the corner markers
    marker_mm: float = 40.0
    tilt_deg: Point = (5.0, -2.5)  #: of the camera, about the picture's x and y axes
    roll_deg: float = 1.2
    field_deg: float = 66.0  #: the lens's horizontal field of view
    distortion: tuple[float, float] = (-0.07, 0.018)  #: k1, k2
    lamp_mm: tuple[float, float, float] = (330.0, 120.0, 900.0)
    lamp: float = 0.34  #: how much brighter it is under the lamp than far from it
    warmth: float = 0.05  #: red gained and blue lost in the lamp's light
    exposure: float = 1.0
    gloss: float = 0.10  #: shine of the cards where they mirror the lamp
    sheen: float = 0.0  #: how white the feet of figures shine
    noise: float = 2.2  #: standard deviation in grey levels
    blur_px: float = 0.6
    bead_radius_mm: float = 6.5
    glass: Mapping[str, Colour] = field(default_factory=lambda: GLASS)
