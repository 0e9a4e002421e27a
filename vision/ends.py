"""Whether a component lies just where it is said to, although its print repeats itself and fits at many places.

Where a strip of it ends tells which is right: along its sides the picture must change. Or else what is not repeated,
an emblem between stripes, must be seen: then it fits nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import compared
from vision.covering import Covering
from vision.photo import Pose
from vision.topview import TopView
from vision.verdict import View

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]

BESIDE_MM: Final = 1.6  #: colours are compared this far inside and outside a side,
STEP_MM: Final = 1.0  #: … at points so far from each other,
CORNER_MM: Final = 3.0  #: … and from the corners,
RUN: Final = 8  #: … so many of which are taken together, so that lines that meet the side even out
FEW: Final = 3  #: a side of which fewer such runs are free says nothing
AWAY_MM: Final = 4.0  #: a shift by less is no other place;
SOMEWHAT: Final = 0.3  #: … by one that leaves the face at least this much like itself it may lie elsewhere,
SLIDE_MM: Final = 2.0  #: … and is tried by steps of so much where no end is seen;
SHARED: Final = 0.25  #: … if it covers this share of what is seen
CHANGE: Final = 7.0  #: grey values; where no run of a side changes by as much, nothing ends there


def missing(view: TopView, covering: Covering, pose: Pose) -> bool:
    """Whether nothing changes along a side of the pose on `view` (in colour), though nothing found lies there."""
    for inside, outside in _sides(pose):
        changes = _changes(view, covering, inside, outside)
        if len(changes) >= FEW and max(changes) < CHANGE:
            return True
    return False


def loose(view: TopView, covering: Covering, pose: Pose) -> list[int]:
    """The axes (0 down, 1 right) along which a pose might be shifted, as neither end across them is seen."""
    seen = [max(_changes(view, covering, *side), default=0.0) >= CHANGE for side in _sides(pose)]
    return [axis for axis in (0, 1) if not seen[axis] and not seen[axis + 2]]


def _changes(view: TopView, covering: Covering, inside: Doubles, outside: Doubles) -> list[float]:
    """By how much (grey values) the picture changes across each run of a side that nothing covers."""
    free = covering.free_at(inside) & covering.free_at(outside)
    change = _colours(view, inside) - _colours(view, outside)
    runs = [slice(i, i + RUN) for i in range(0, len(free) - RUN + 1, RUN)]
    return [float(np.abs(change[run].mean(axis=0)).max()) for run in runs if free[run].all()]


def slides(view: View, face: Floats, scale: float, axis: int) -> float:
    """How plainly what is seen is not the same face (h × w × 3) shifted along an axis: −½ it is, +½ it is not.

    It is evidence less twice its error, that against the likeliest shift; a shift that changes nothing is as likely.
    """
    least, length = 0.5, face.shape[axis]
    for by in range(round(AWAY_MM * scale), length // 2, max(1, round(SLIDE_MM * scale))):
        for way in (by, -by):
            shifted, there = np.roll(face, way, axis), np.ones(face.shape[:2], np.float32)
            np.moveaxis(there, axis, 0)[slice(0, by) if way > 0 else slice(length - by, length)] = 0
            weight = view.weight * there[..., None]
            if float(weight.sum()) < SHARED * float(view.weight.sum()):
                continue
            evidence, error, share = compared(view.seen.values, face, shifted, weight, scale)
            least = min(least, evidence - 2 * error if share > 0 else 0.0)
    return least


def only_here(view: View, face: Floats, scale: float) -> float:
    """How plainly what was seen of a face (h × w × 3, `scale` px/mm) is not the same face shifted: −½ it is, +½ not.

    It is evidence less twice its error, that against the likeliest shift.
    """
    least = 0.5
    rows, columns = face.shape[:2]
    for down, right in _like_itself(face, scale):
        shifted, there = np.zeros_like(face), np.zeros((rows, columns), np.float32)
        to = np.s_[max(0, down) : rows + min(0, down), max(0, right) : columns + min(0, right)]
        of = np.s_[max(0, -down) : rows + min(0, -down), max(0, -right) : columns + min(0, -right)]
        shifted[to], there[to] = face[of], 1.0
        weight = view.weight * there[..., None]
        if float(weight.sum()) < SHARED * float(view.weight.sum()):
            continue
        evidence, error, _ = compared(view.seen.values, face, shifted, weight, scale)
        least = min(least, evidence - 2 * error)
    return least


def _like_itself(face: Floats, scale: float) -> Iterator[tuple[int, int]]:
    """The shifts (pixels down and right) by which a face is somewhat like itself, and more so than by those around."""
    rows, columns = face.shape[:2]
    frame = (rows // 2, rows // 2, columns // 2, columns // 2)
    power = cv2.copyMakeBorder((face * face).sum(axis=2), *frame, cv2.BORDER_CONSTANT, value=0.0)
    both = cv2.matchTemplate(cv2.copyMakeBorder(face, *frame, cv2.BORDER_CONSTANT, value=0.0), face, cv2.TM_CCORR)
    under = cv2.matchTemplate(np.asarray(power, np.float32), np.ones((rows, columns), np.float32), cv2.TM_CCORR)
    like = both / np.sqrt(np.maximum(under * under[::-1, ::-1], 1e-6))
    near = max(1, int(AWAY_MM * scale))
    like[rows // 2 - near : rows // 2 + near + 1, columns // 2 - near : columns // 2 + near + 1] = -1
    peaks = (like >= cv2.dilate(like, np.ones((3, 3), np.uint8))) & (like > SOMEWHAT)
    for y, x in zip(*np.nonzero(peaks), strict=True):
        # what lies at the middle of the result is the face where it is
        yield rows // 2 - int(y), columns // 2 - int(x)


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
    return np.asarray(seen[0, :, :3], np.float64)
