"""What a block looks like but for its edges: faces of one shade each, and beyond them the ground.

Where blur or a like print hides an edge, it is still plain which of two sizes leaves less of a picture unexplained.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.explain import Patch
from vision.scene import SCALE, lab
from vision.solids import Solid, lifted

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

MOST: Final = 20.0  #: Lab units: what is farther from its shade than that is something else,
UNKNOWN: Final = 10.0  #: … and so far counts what lies on no known print
SHADES: Final = (1.0, 0.85, 0.7, 0.55, 0.4)  #: of the ground's light that a shadow may leave


def drawn(patch: Patch, solid: Solid, place: Floats, turn: float) -> Image:
    """Which face of a block at a place (pixels of a patch) is seen where: 1 its top, from 2 its sides, 0 none."""
    at, eye = patch.mm(place), patch.scene.eye
    foot = solid.outline(turn) + at
    top = lifted(foot, solid.height, eye)
    faces = np.zeros(patch.size, np.uint8)

    def fill(corners: Floats, number: int) -> None:
        pixels = (corners - patch.scene.origin) * SCALE - 0.5 - patch.corner
        cv2.fillConvexPoly(faces, np.rint(pixels * 16).astype(np.int32), number, shift=4)

    for side in range(len(foot)):
        ends = [side, (side + 1) % len(foot)]
        middle = foot[ends].mean(axis=0)
        if (middle - at) @ (eye[:2] - middle) > 0:  # it faces the camera
            fill(np.concatenate([foot[ends], top[ends[::-1]]]), 2 + side)
    fill(top, 1)
    return faces


def bare(patch: Patch) -> tuple[Single, Single]:
    """The colours (Lab) of a patch, and how far (at most `MOST`) every pixel is from the ground, lit or in a shadow."""
    x, y = patch.corner.astype(int)
    box = slice(y, y + patch.size[0]), slice(x, x + patch.size[1])
    scene = patch.scene
    seen, ground = lab(scene.seen[box]), lab(scene.ground[box])
    # a shadow takes of the light, and as much less of the colour as that looks darker
    shadows = [ground * np.array((k, np.sqrt(k), np.sqrt(k)), np.float32) for k in SHADES]
    away = np.min([np.linalg.norm(seen - shadow, axis=2) for shadow in shadows], axis=0)
    return seen, np.where(scene.print[box], np.minimum(away, MOST), UNKNOWN).astype(np.float32)


def unlike(seen: Single, ground: Single, faces: Image) -> Single:
    """How far (Lab units, at most `MOST`) every pixel is from the shade of its face; `ground` where there is none."""
    away = ground.copy()
    for number in range(1, int(faces.max()) + 1):
        face = faces == number
        core = cv2.erode(face.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if core.any():
            away[face] = np.minimum(np.linalg.norm(seen[face] - np.median(seen[core], axis=0), axis=1), MOST)
    return away


def plainer(patch: Patch, one: Image, others: Sequence[Image]) -> tuple[float, float]:
    """By how much (−1 to 1) less a drawing of a block leaves unexplained than any other, where the two differ.

    And how far (Lab units) its own pixels are on the mean from the shades of its faces.
    """
    seen, ground = bare(patch)
    own = unlike(seen, ground, one)
    least = 1.0
    for other in others:
        differ = one != other
        mine, rival = float(own[differ].sum()), float(unlike(seen, ground, other)[differ].sum())
        least = min(least, (rival - mine) / max(1.0, rival + mine))
    return least, float(own[one > 0].mean()) if one.any() else MOST
