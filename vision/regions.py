"""Which parts of a photo must be looked at again when only some of it changed.

What lies over or under something that changed belongs to it, and what that overlaps, and so on; so do changes so near
to each other that they may be one component's. All the rest is as it was and is only looked around.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.photo import Pose
from vision.plane import Plane

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Rect = tuple[int, int, int, int]  #: left, top, right, bottom in a photo's pixels

LEAST_SHARE: Final = 0.01  #: of the smaller of two outlines: they overlap if they share more
ABOUT_MM: Final = 5.0  #: so far components may lie from where they are first thought to lie
AROUND_MM: Final = 40.0  #: so much of the table around a region is looked at with it


@dataclass(frozen=True, slots=True)
class Region:
    """A connected part that changed: outlines (each n × 2, px), and the numbers of the things that belong to it."""

    outlines: tuple[Floats, ...]
    things: frozenset[int]

    def meets(self, quad: ArrayLike) -> bool:
        """Whether a component's outline (4 × 2, px) overlaps what changed."""
        return any(overlap(outline, quad) for outline in self.outlines)

    def bounds(self, size: tuple[int, int], around: float = 0.0) -> Rect:
        """The rectangle around it, and `around` pixels more, within a picture of this size."""
        points = np.vstack(self.outlines)
        left, top = np.maximum(np.floor(points.min(axis=0) - around), 0).astype(int).tolist()
        right, bottom = np.minimum(np.ceil(points.max(axis=0) + around), size).astype(int).tolist()
        return left, top, right, bottom

    def drawn(self, size: tuple[int, int]) -> Image:
        """A mask (255) of it for a picture of this size."""
        mask = np.zeros((size[1], size[0]), np.uint8)
        for outline in self.outlines:
            cv2.fillConvexPoly(mask, outline.round().astype(np.int32), 255)
        return mask


def overlap(one: ArrayLike, other: ArrayLike) -> bool:
    """Whether two convex outlines share more than a sliver."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    # a few numbers: many times faster than numpy's
    for here, there in zip(zip(*a.tolist(), strict=True), zip(*b.tolist(), strict=True), strict=True):
        if max(here) <= min(there) or max(there) <= min(here):
            return False
    shared, _ = cv2.intersectConvexConvex(a, b)
    return bool(shared > LEAST_SHARE * min(cv2.contourArea(a), cv2.contourArea(b)))


def regions(changed: Iterable[Rect], things: Sequence[Floats], reach: float = 0.0) -> list[Region]:
    """The parts that changed (rectangles in px), each with all of the things (outlines, px) that belong to it.

    Of changes not farther apart than `reach` (px) both may be of one thing.
    """
    rects = list(changed)
    outlines = [np.array([(a, b), (c, b), (c, d), (a, d)], np.float64) for a, b, c, d in rects]
    first = len(outlines)
    outlines += [np.asarray(thing, np.float64) for thing in things]
    free = set(range(len(outlines)))
    found = []
    for start in range(first):
        if start not in free:
            continue
        free.remove(start)
        part, edge = {start}, [start]
        while edge:
            number = edge.pop()
            joined = {i for i in free if overlap(outlines[number], outlines[i])}
            if number < first:
                joined |= {i for i in free if i < first and _apart(rects[number], rects[i]) < reach}
            free -= joined
            part |= joined
            edge += joined
        found.append(Region(tuple(outlines[i] for i in sorted(part)), frozenset(i - first for i in part if i >= first)))
    return found


def _apart(one: Rect, other: Rect) -> float:
    """How far two rectangles are apart (px), across or down."""
    (a, b, c, d), (left, top, right, bottom) = one, other
    return max(left - c, a - right, top - d, b - bottom)


@dataclass(frozen=True)
class Part:
    """A part of the table to look for components in: `low` and `high` corner (mm), and what is `known` to lie there.

    Only what overlaps one of the `outlines` (each n × 2, mm) is looked for; it may lie on one of the `boards`, which
    are known as well.
    """

    low: tuple[float, float]
    high: tuple[float, float]
    outlines: tuple[Floats, ...]
    known: tuple[Pose, ...] = ()
    boards: tuple[Pose, ...] = ()

    @classmethod
    def around(
        cls, region: Region, size: tuple[int, int], plane: Plane, known: Iterable[Pose], boards: Iterable[Pose] = ()
    ) -> Part:
        """The part of the table around a region of a photo of this size, with the known poses that reach into it."""
        left, top, right, bottom = region.bounds(size)
        edge = plane.to_mm([(left, top), (right, top), (right, bottom), (left, bottom)])
        low, high = edge.min(axis=0) - AROUND_MM, edge.max(axis=0) + AROUND_MM
        near, under = (
            tuple(p for p in poses if (p.corners().max(axis=0) > low).all() and (p.corners().min(axis=0) < high).all())
            for poses in (known, boards)
        )
        outlines = tuple(plane.to_mm(outline) for outline in region.outlines)
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), outlines, near, under)

    @property
    def within(self) -> tuple[Floats, Floats]:
        """The two corners."""
        return np.array(self.low), np.array(self.high)

    def may_meet(self, pose: Pose) -> bool:
        """Whether what lies about there may overlap what is asked for."""
        width, height = pose.size
        near = pose.resized((width + 2 * ABOUT_MM, height + 2 * ABOUT_MM))
        reach = math.hypot(*near.size) / 2 * pose.stretch
        there = [
            outline
            for outline, (left, top, right, bottom) in zip(self.outlines, self._bounds, strict=True)
            if left - reach < pose.x < right + reach and top - reach < pose.y < bottom + reach
        ]
        if not there:
            return False
        corners = near.corners()
        return any(overlap(outline, corners) for outline in there)

    @cached_property
    def _bounds(self) -> list[tuple[float, ...]]:
        """Left, top, right and bottom end of each outline."""
        return [(*outline.min(axis=0).tolist(), *outline.max(axis=0).tolist()) for outline in self.outlines]


def pose_of(quad: Floats, size: tuple[float, float]) -> Pose:
    """Where a component of this size lies whose corners (4 × 2, mm, from its own top left clockwise) are known."""
    a, b, c, d = quad
    right, down = (b - a + c - d) / 2, (d - a + c - b) / 2
    x, y = (a + b + c + d) / 4
    stretch = float(np.hypot(*right) / size[0] + np.hypot(*down) / size[1]) / 2
    return Pose(size, float(x), float(y), float(np.degrees(np.arctan2(right[1], right[0]))) % 360, stretch)
