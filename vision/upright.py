"""Blocks as they are seen from one place of the table, in many turns and sizes at a time: their edges and top faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import Line
from vision.scene import SCALE
from vision.solids import Solid

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

RIM: Final = 2.2  #: pixels along a face's rim that belong to its edge
FOUR: Final = np.arange(4)
PARTS: Final = np.arange(5)  #: of a block: the four edges of its top, and all those of its sides


@dataclass(frozen=True, slots=True)
class Upright:
    """A block in one turn: points of its edges around its place, and the inner part of its top, in pixels."""

    points: Floats  # of the four edges of its top one after the other, then of those of its sides
    normals: Floats
    begins: Ints  # the first points of those four, and of the sides
    counts: Ints  # … and how many each has
    rows: Ints  # y, first x and last x of every row of the inner part
    area: int  # … and its pixels

    @classmethod
    def of(cls, posed: Sequence[tuple[Solid, float]], middle: Floats, eye: Floats) -> list[Upright]:
        """Blocks, each in a turn (degrees), standing at `middle` (mm), seen from `eye`."""
        foot = np.stack([solid.outline(turn) for solid, turn in posed])
        rise = np.array([solid.height / (eye[2] - solid.height) for solid, _ in posed])[:, None, None]
        top = foot + (foot + (middle - eye[:2])) * rise
        foot, top = foot * SCALE, top * SCALE
        line, counts, begins = _edges(foot, top, (eye[:2] - middle) * SCALE)
        ends = [*begins[1:, 0].tolist(), len(line.points)]
        sides = np.array([min(solid.length, solid.width) for solid, _ in posed])
        inner = _inner(top, RIM / (SCALE * sides))
        return [
            cls(line.points[first[0] : end], line.normals[first[0] : end], first - first[0], count, *part)
            for first, end, count, part in zip(begins, ends, counts, inner, strict=True)
        ]


def _edges(foot: Floats, top: Floats, eye: Floats) -> tuple[Line, Ints, Ints]:
    """The edges that blocks (n × 4 corners) show, and of each block's parts how many points they have, and the first.

    Of the edges of a foot those are seen that face the eye, and the upright ones at their ends.
    """
    ahead = foot[:, (1, 2, 3, 0)]
    along, away = ahead - foot, eye - foot
    facing = along[..., 1] * away[..., 0] > along[..., 0] * away[..., 1]
    upright = facing != facing[:, (3, 0, 1, 2)]
    lid = np.stack([top, top[:, (1, 2, 3, 0)]], axis=2)
    every = np.concatenate([lid, np.stack([foot, ahead], axis=2), np.stack([foot, top], axis=2), lid], axis=1)
    from_above = np.repeat(~facing.any(axis=1), 4).reshape(-1, 4)  # then the top's edges are those of the sides as well
    seen = np.concatenate([np.ones(facing.shape, np.bool_), facing, upright, from_above], axis=1)
    line = Line.of(every[seen])
    each = seen.sum(axis=1)
    parts = (np.cumsum(each) - each)[:, None] + PARTS
    counts = np.add.reduceat(line.counts, parts.ravel())
    return line, counts.reshape(-1, 5), (np.cumsum(counts) - counts).reshape(-1, 5)


def _inner(top: Floats, rim: Floats) -> list[tuple[Ints, int]]:
    """The inner parts of top faces (n × 4 corners) without a `rim` (shares of each): their rows, and their pixels."""
    centre = top.mean(axis=1, keepdims=True)
    shrunk = centre + (top - centre) * np.maximum(0.3, 1 - rim)[:, None, None]
    low = np.floor(shrunk.min(axis=1)).astype(np.intp)
    columns, rows = (np.ceil(shrunk.max(axis=1)).astype(np.intp) - low).max(axis=0) + 1
    drawn = np.zeros((len(top), rows, columns), np.uint8)
    corners = np.rint((shrunk - low[:, None]) * 16).astype(np.int32)
    for image, outline in zip(drawn, corners, strict=True):
        cv2.fillConvexPoly(image, outline, 1, shift=4)
    widths = drawn.sum(axis=2, dtype=np.intp)
    firsts = drawn.argmax(axis=2)
    parts = []
    for (x, y), width, first in zip(low.tolist(), widths, firsts, strict=True):
        filled = width.nonzero()[0]
        left = first[filled] + x
        parts.append((np.stack([filled + y, left, left + width[filled] - 1]), int(width.sum())))
    return parts
