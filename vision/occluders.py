"""Hands, sleeves and other things above a table that are no pieces: what touches them may be partly hidden.

A worker of whose foot half lies under a finger looks like a chief, and a finger like a statue. What differs from the
ground over an area far wider than any piece is none, with all that hangs together with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import solids
from vision.scene import SCALE, STRANGE, Scene
from vision.seen import DIE, Seen, doubted
from vision.solids import Solid

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

COARSE: Final = 0.7  #: pixels per millimetre
WIDE_MM: Final = 26.0  #: a hand is somewhere as wide as no piece is,
THIN_MM: Final = 4.0  #: … and a finger as no line is
SPARE_MM: Final = 1.0  #: a piece is seen no farther around where it is told
NEAR_MM: Final = 1.4  #: from a piece to what may hide a part of it
DIE_SOLID: Final = Solid("square", 8, 8, 16)  #: about as large as a usual one
ON_IT: Final = "a hand or something else may hide a part of it: take that away"


def doubted_beneath(told: Sequence[Seen], scene: Scene) -> list[Seen]:
    """Pieces and dice, in doubt where they touch what hides a part of the table and is no piece."""
    wide = occluding(scene, told)
    if not wide.any():
        return list(told)
    near = _square(wide, 2 * NEAR_MM + 1 / COARSE, cv2.MORPH_DILATE) > 0
    return [
        doubted(figure, ON_IT) if not figure.why and near[_drawn([figure], scene, 0.0) > 0].any() else figure
        for figure in told
    ]


def occluding(scene: Scene, told: Sequence[Seen]) -> Image:
    """Where (1) what is seen is neither ground nor a piece told surely, and somewhere wider than any of those."""
    strange = _strange(scene)
    strange[_drawn([figure for figure in told if not figure.why], scene, SPARE_MM) > 0] = 0
    strange = _square(strange, THIN_MM, cv2.MORPH_OPEN)
    core = _square(strange, WIDE_MM, cv2.MORPH_OPEN)
    count, labels = cv2.connectedComponents(strange)
    wide = np.zeros(count, np.uint8)
    wide[labels[core > 0]] = 1
    return np.asarray(wide[labels])


def share(wide: Image, scene: Scene, place: Floats, reach: float) -> float:
    """How much of what is within so many mm of a place (mm) is `occluding`."""
    x, y = ((place - scene.origin) * COARSE - 0.5).ravel()
    radius = max(1.0, reach * COARSE)
    there = wide[max(0, int(y - radius)) : int(y + radius) + 2, max(0, int(x - radius)) : int(x + radius) + 2]
    return float(there.mean()) if there.size else 0.0


def _strange(scene: Scene) -> Image:
    """1 where the known print has another colour than light makes of it, or the bare table's is not seen."""
    columns, rows = _size(scene)
    seen, ground = (
        cv2.resize(view, (columns, rows), interpolation=cv2.INTER_AREA) for view in (scene.seen, scene.ground)
    )
    apart = cv2.inRange(cv2.absdiff(seen, ground), (0, 0, 0), (STRANGE, STRANGE, STRANGE)) == 0
    lies, printed, tinted, hidden = (
        cv2.resize(mask.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST) > 0
        for mask in (scene.table.like | scene.table.shade, scene.print, scene.tinted, scene.hidden)
    )
    return np.asarray(np.where(printed, tinted, apart & ~lies) & ~hidden, np.uint8)


def _square(mask: Image, width: float, how: int) -> Image:
    """A mask opened or grown by squares of so many mm."""
    side = round(width * COARSE) | 1
    return np.asarray(cv2.morphologyEx(mask, how, np.ones((side, side), np.uint8)), np.uint8)


def _size(scene: Scene) -> tuple[int, int]:
    """Columns and rows of the scene's coarser view."""
    rows, columns = scene.hidden.shape
    return round(columns * COARSE / SCALE), round(rows * COARSE / SCALE)


def _drawn(told: Sequence[Seen], scene: Scene, spare: float) -> Image:
    """Where these pieces and dice are seen (255), and so many mm around; of whatever turn they are."""
    drawn = np.zeros(_size(scene)[::-1], np.uint8)
    for figure in told:
        solid = DIE_SOLID if figure.piece == DIE else solids.SHAPES[figure.piece]
        foot = np.array([figure.place])
        ends = [foot[0], solids.lifted(foot, solid.height, scene.eye)[0]]
        (x0, y0), (x1, y1) = (np.rint((end - scene.origin) * COARSE - 0.5).astype(int).tolist() for end in ends)
        cv2.line(drawn, (x0, y0), (x1, y1), 255, max(1, round(2 * (_reach(solid) + spare) * COARSE)))
    return drawn


def _reach(solid: Solid) -> float:
    """How far from its middle a piece's foot reaches: a block's corners."""
    return float(np.hypot(solid.length, solid.width)) if solid.foot == "square" else solid.length
