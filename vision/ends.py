"""Whether a component ends where it is said to: along its sides the picture must change.

A print that repeats itself fits a strip of it at many places; where the strip ends tells which is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.covering import Covering
from vision.photo import Pose
from vision.topview import TopView

Doubles = NDArray[np.float64]

BESIDE_MM: Final = 1.6  #: colours are compared this far inside and outside a side,
STEP_MM: Final = 1.0  #: … at points so far from each other,
CORNER_MM: Final = 3.0  #: … and from the corners,
RUN: Final = 8  #: … so many of which are taken together, so that lines that meet the side even out
FEW: Final = 3  #: a side of which fewer such runs are free says nothing
CHANGE: Final = 7.0  #: grey values; where no run of a side changes by as much, nothing ends there


def missing(view: TopView, covering: Covering, pose: Pose) -> bool:
    """Whether nothing changes along a side of the pose on `view` (in colour), though nothing found lies there."""
    for inside, outside in _sides(pose):
        free = covering.free_at(inside) & covering.free_at(outside)
        change = _colours(view, inside) - _colours(view, outside)
        runs = [slice(i, i + RUN) for i in range(0, len(free) - RUN + 1, RUN)]
        changes = [float(np.abs(change[run].mean(axis=0)).max()) for run in runs if free[run].all()]
        if len(changes) >= FEW and max(changes) < CHANGE:
            return True
    return False


def _sides(pose: Pose) -> Iterator[tuple[Doubles, Doubles]]:
    """Points (n × 2, mm) just inside and just outside each side of a pose."""
    corners = pose.corners()
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.hypot(*(b - a)))
        along = (b - a) / length
        out = np.array([along[1], -along[0]])
        if float(out @ (a - corners.mean(axis=0))) < 0:
            out = -out
        count = max(0, math.floor((length - 2 * CORNER_MM) / STEP_MM) + 1)
        points = a + along * (CORNER_MM + STEP_MM * np.arange(count)[:, None])
        yield points - BESIDE_MM * out, points + BESIDE_MM * out


def _colours(view: TopView, points: Doubles) -> Doubles:
    at = view.pixels(points).astype(np.float32)[None]
    if not at.size:
        return np.zeros((0, 3))
    seen = cv2.remap(view.picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], np.float64)
