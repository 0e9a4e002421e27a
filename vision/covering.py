"""Which parts of the table are explained: by what was found, by markers, by the photo's end; and which are bare."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.table import FINE, NEAR, Known, Table, Variation
from vision.topview import TopView

Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

SCALE: Final = 1.0  #: pixels per millimetre of the map
MARGIN: Final = 1.35  #: a marker's white margin is taken with it
FEW: Final = (24, 24)  #: so many places of a component tell how much of it is taken
NOWHERE: Final = np.zeros(FEW, np.uint8)  #: none of them is
RIM_MM: Final = 0.6  #: what lies beside shines so far into it,
RIM_BLURS: Final = 1.2  #: … and so many standard deviations of the photo's blur more
SLIT: Final = 3  #: pixels; less wide is no strip of a component, but the shadow under its rim
TELLING_MM2: Final = 200.0  #: smaller patches are too small for features to tell anything,
JOINED: Final = 5  #: … pixels between them that do not part them
SPREAD: Final = FINE[0] + NEAR[0] - 1  #: pixels about each in which variation tells of it
ROUGHLY: Final = 0.25  #: of its pixels the map has so much finer ones where it is told whether there is room at all:
ROOM: Final = 0.8  #: … for this share of what must show
RIMS: Final = 7  #: pixels; so wide are the rims beside what lies there that are not known as bare table
HEMS: Final = 12.0  #: mm; … and nowhere are they wider than this, between two things neither
ROUND: Final = 0.6  #: share of the circle around it that a disc of few pixels fills at least,
BESIDE: Final = 0.3  #: … and of a wider one that is bare table: discs may lie close together in a row
TURNS: Final = np.linspace(0, 2 * math.pi, 24, endpoint=False)
CIRCLE: Final = np.array([np.cos(TURNS), np.sin(TURNS)])
SEAM: Final = 1  #: pixels along the rim of what is taken, in which variation tells nothing


class Covering:
    """A map of the table from above, in which places are marked as taken."""

    def __init__(
        self, view: TopView, quads: Sequence[Doubles] = (), known: Known | None = None, blur: float = 0.0
    ) -> None:
        """`view` is in colour; nothing is taken yet but what the photo does not show and the `quads` (mm).

        `blur` (mm, standard deviation) is how soft the photo is: so far things shine into what lies beside them.
        Where the view shows a part of the table, what is `known` of all of it tells what is bare.
        """
        assert view.scale == SCALE
        self.grey = view.grey()  #: the view without its colours
        self._map = hidden(self.grey, quads)
        self.rim_mm = RIM_MM + RIM_BLURS * blur  #: so far what is taken shines into what lies beside it
        self._table = Table.of(view, self.grey, self._map, known)
        self._left: TopView | None = None
        self.rims = False  #: whether these are taken, too
        self._grown: TopView | None = None  #: what is taken with its rims, since anything changed
        self._looked: dict[Pose, Image] = {}  #: what was taken of `FEW` places of poses since anything changed

    @property
    def table(self) -> TopView:
        """255 where bare table is seen."""
        return self._table.bare

    @property
    def varies(self) -> Variation:
        """How much the table varies."""
        return self._table.varies

    def _changed(self) -> None:
        self._looked.clear()
        self._grown = None

    @contextmanager
    def with_rims(self) -> Iterator[None]:
        """Nothing is free for as long into which what is taken shines, or throws its shadow."""
        self.rims = True
        try:
            yield
        finally:
            self.rims = False

    def _with_rims(self) -> TopView:
        if self._grown is None:
            side = 2 * round(self.rim_mm * SCALE) + 1
            grown = cv2.dilate(self._map.picture, np.ones((side, side), np.uint8))
            self._grown = replace(self._map, picture=np.asarray(grown, np.uint8))
        return self._grown

    def free(self, pose: Pose, shape: tuple[int, int], margin: int = 0) -> Bools | None:
        """Which pixels of a cut-out of this shape are not taken; None when all are free."""
        left, top, right, bottom = self._map.around(pose, shape, margin)
        rows, columns = self._map.picture.shape
        inside = left >= 0 and top >= 0 and right <= columns and bottom <= rows
        if inside and not cv2.countNonZero(self._map.picture[top:bottom, left:right]):
            return None
        there = self._with_rims() if self.rims else self._map
        taken = there.cut(pose, shape, margin, nearest=True, beyond=255)
        return np.asarray(taken == 0) if taken.any() else None

    def share(self, pose: Pose) -> float:
        """The share of the pose that is not taken."""
        taken = self._few(pose)
        return 1.0 - cv2.countNonZero(taken) / taken.size

    def _few(self, pose: Pose) -> Image:
        """What is taken of a pose at `FEW` places of it: one pose is asked about time and again."""
        taken = self._looked.get(pose)
        if taken is None:
            there = self._map.places(pose, FEW, nearest=True, beyond=255)
            taken = self._looked[pose] = NOWHERE if there is None else there
        return taken

    def free_at(self, points: Doubles) -> Bools:
        """Which points (n × 2, mm) are not taken, and on the map."""
        rows, columns = self._map.picture.shape[:2]
        x, y = np.rint(self._map.pixels(points)).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
        free = np.zeros(len(points), np.bool_)
        free[inside] = self._map.picture[y[inside], x[inside]] == 0
        return free

    def bare(self, pose: Pose) -> float:
        """How much of what is not taken of the pose is bare table."""
        return self.free_and_bare(pose)[1]

    def free_and_bare(self, pose: Pose) -> tuple[float, float]:
        """The share of the pose that is not taken, and how much of that is bare table."""
        taken = self._few(pose)
        free = taken.size - cv2.countNonZero(taken)
        if not free:
            return 0.0, 0.0
        there = self._table.bare.places(pose, FEW)
        if there is None:
            return free / taken.size, 0.0
        bare = cv2.threshold(there, 127, 255, cv2.THRESH_BINARY)[1]
        return free / taken.size, cv2.countNonZero(cv2.subtract(bare, taken)) / free

    def shows(self, pose: Pose) -> float:
        """The share of the pose that is not taken, and that neither bare table nor what lies beside it can explain.

        The map of bare table ends some way before whatever lies on it; between things that lie close together the
        table is known by its colour.
        """
        inner, away, weight = self._inner(pose)
        if not cv2.countNonZero(inner):
            return 0.0
        if float(away.sum()) <= self.varies.print * float(weight.sum()):
            inner[self.table_at(pose, inner.shape)] = 0
        return cv2.countNonZero(inner) / inner.size

    def unexplained(self, pose: Pose) -> float:
        """How much (mm²) of a place `shows`, wherever print may be: any part of the place may belong to something.

        What is no wider than a slit is not counted.
        """
        inner, away, weight = self._inner(pose)
        if not cv2.countNonZero(inner):
            return 0.0
        plain = cv2.blur(away, NEAR) <= self.varies.print * cv2.blur(weight, NEAR)
        inner[self.table_at(pose, inner.shape) & plain] = 0
        wide = cv2.morphologyEx(inner, cv2.MORPH_OPEN, np.ones((SLIT, SLIT), np.uint8))
        return cv2.countNonZero(wide) / SCALE**2

    def like_table(self, pose: Pose) -> float:
        """How much of what is not taken of a pose has the table's colour."""
        shape = (round(pose.size[1] * SCALE), round(pose.size[0] * SCALE))
        free = self._map.cut(pose, shape, nearest=True, beyond=255) == 0
        return float((self.table_at(pose, shape) & free).sum() / max(1, free.sum()))

    def _inner(self, pose: Pose) -> tuple[Image, Floats, Floats]:
        """What is not taken of a pose (1, else 0), but for a rim, at `SCALE`; how finely it varies, and where (1 or 0).

        The variation is in grey values: along the rim a shadow varies as finely as print.
        """
        shape = (round(pose.size[1] * SCALE), round(pose.size[0] * SCALE))
        there = self._map.matrix(pose, shape)
        taken = self._map.warped(there, shape, nearest=True, beyond=255)
        free = np.asarray(cv2.threshold(taken, 0, 1, cv2.THRESH_BINARY_INV)[1], np.uint8)
        rim = 2 * round(self.rim_mm * SCALE) + 1
        inner = np.asarray(cv2.erode(free, np.ones((rim, rim), np.uint8), borderValue=1), np.uint8)
        edge = np.ones((2 * SEAM + 1, 2 * SEAM + 1), np.uint8)
        within = cv2.erode(inner, edge, borderValue=1)
        grey, weight = self.grey.warped(there, shape).astype(np.float32), within.astype(np.float32)
        mean = cv2.blur(grey * weight, FINE) / np.maximum(cv2.blur(weight, FINE), 1e-3)
        return inner, np.asarray(np.abs(grey - mean) * weight, np.float32), weight

    def table_at(self, pose: Pose, shape: tuple[int, int]) -> Bools:
        """Which pixels of a cut-out at the pose, of so many rows and columns, have the table's colour."""
        there = self._map.matrix(pose, shape)
        like, bare = (view.warped(there, shape) for view in (self._table.like, self._table.bare))
        return np.asarray(cv2.max(like, bare) > 127)

    def looked_at(self, grown_mm: float) -> Image:
        """A map (255) of all that is neither bare table, but for a margin, nor taken."""
        side = 2 * round(grown_mm * SCALE) + 1
        bare = cv2.erode(self.table.picture, np.ones((side, side), np.uint8))
        explained = cv2.max(cv2.threshold(bare, 127, 255, cv2.THRESH_BINARY)[1], self._map.picture)
        return np.asarray(cv2.threshold(explained, 0, 255, cv2.THRESH_BINARY_INV)[1], np.uint8)

    def unlike(self) -> Image:
        """A map (255) of what has not the table's colour, and is not taken; without what is no wider than a slit."""
        known = cv2.max(cv2.max(self._table.like.picture, self._table.bare.picture), self._map.picture)
        strange = cv2.threshold(known, 127, 255, cv2.THRESH_BINARY_INV)[1]
        return np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((SLIT, SLIT), np.uint8)), np.uint8)

    def with_room(self, sizes: Sequence[tuple[float, float]], turn: float, share: float) -> list[tuple[float, float]]:
        """Those sizes of which anywhere so much is neither bare nor taken that it may be this `share` of a component.

        It lies `turn` degrees turned, or a quarter more. It is told roughly. Rims that are not known as bare table,
        around every marker, are no room.
        """
        # (a strip that lies askew holds smaller squares than it is wide)
        narrow = ROOM * share * min((min(size) for size in sizes), default=HEMS) / math.sqrt(2)
        side = max(1, round(min(HEMS, narrow) * SCALE))
        wide = cv2.morphologyEx(self.looked_at(0.0), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
        small = cv2.resize(wide, None, fx=ROUGHLY, fy=ROUGHLY, interpolation=cv2.INTER_AREA)
        rows, columns = small.shape[:2]
        upright = cv2.warpAffine(small, cv2.getRotationMatrix2D((columns / 2, rows / 2), turn, 1.0), (columns, rows))

        def most(width: float, height: float) -> float:
            box = (round(width * SCALE * ROUGHLY), round(height * SCALE * ROUGHLY))
            return float(cv2.blur(upright, box, borderType=cv2.BORDER_CONSTANT).max()) / 255

        return [size for size in sizes if max(most(*size), most(*size[::-1])) > ROOM * share]

    def left(self, grown_mm: float) -> Image:
        """A map (255) of what is still unexplained and large enough to tell anything, and so much around it."""
        free = cv2.threshold(self._map.picture, 0, 1, cv2.THRESH_BINARY_INV)[1]
        rim = 2 * round(self.rim_mm * SCALE) + 1
        inner = cv2.erode(free, np.ones((rim, rim), np.uint8), borderValue=1)
        # beside what is taken everything varies
        plain = cv2.max(self._table.plain, cv2.dilate(self._map.picture, np.ones((SPREAD, SPREAD), np.uint8)))
        inner[cv2.min(cv2.max(self._table.like.picture, self._table.bare.picture), plain) > 127] = 0
        wide = np.asarray(cv2.morphologyEx(inner, cv2.MORPH_OPEN, np.ones((SLIT, SLIT), np.uint8)), np.uint8)
        self._left = replace(self._map, picture=wide)
        side = 2 * round(grown_mm * SCALE) + 1
        near = cv2.dilate(_large(wide), np.ones((side, side), np.uint8))
        return np.asarray(near * free * np.uint8(255), np.uint8)

    def left_of(self, pose: Pose) -> float:
        """The share of a pose that was still unexplained when all that was `left` was last looked at; 1 before."""
        if self._left is None:
            return 1.0
        there = self._left.places(pose, FEW, nearest=True)
        return 0.0 if there is None else cv2.countNonZero(there) / (FEW[0] * FEW[1])

    def left_about(self, pose: Pose) -> float:
        """How much (mm²) was still unexplained then of the rectangle around a pose, or a little more."""
        if self._left is None:
            return math.inf
        left, top, right, bottom = self._left.around(pose)
        there = self._left.picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        return cv2.countNonZero(there) / SCALE**2 if there.size else 0.0

    def still_left(self, wide_mm: float = 0.0) -> float:
        """How much (mm²) of all that was `left` is not taken yet, where that is nowhere narrower than so much."""
        if self._left is None:
            return math.inf
        left = cv2.subtract(self._left.picture, self._map.picture)
        if wide_mm:
            side = round(wide_mm * SCALE)
            left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
        return cv2.countNonZero(left) / SCALE**2

    @property
    def picture(self) -> Image:
        """The whole map: 255 where taken."""
        return self._map.picture

    def lacking(self, pose: Pose, seen: Bools) -> Image:
        """A map (255) of what of a component's place is neither `seen` (a mask of its cut-out) nor taken."""
        shape = (seen.shape[0], seen.shape[1])
        rows, columns = self._map.picture.shape[:2]
        rest = cv2.warpAffine(
            np.where(seen, 0, 255).astype(np.uint8),
            self._map.matrix(pose, shape),
            (columns, rows),
            flags=cv2.INTER_NEAREST,
        )
        return np.asarray(np.where(self._map.picture > 0, 0, rest), np.uint8)

    def take(self, pose: Pose, seen: Bools | None = None) -> None:
        """Mark what is `seen` of a component (a mask of its cut-out; None: all of it) as taken."""
        if seen is None:
            self.take_quad(pose.corners())
            return
        self._changed()
        np.maximum(self._map.picture, self.spread(pose, seen).picture, out=self._map.picture)

    @contextmanager
    def beneath(self, pose: Pose) -> Iterator[None]:
        """All of a component's place is taken for as long, whatever lies on it: for what is looked for beneath it."""
        if not self.share(pose):
            yield
            return
        outline = self._map.pixels(pose.corners()).round().astype(np.int32)
        low, high = np.maximum(outline.min(axis=0), 0), np.maximum(outline.max(axis=0) + 1, 0)
        part = self._map.picture[low[1] : high[1], low[0] : high[0]]
        there = np.asarray(cv2.fillConvexPoly(np.zeros_like(part), outline - low, 255), np.uint8)
        before = part.copy()
        self._changed()
        np.maximum(part, there, out=part)
        try:
            yield
        finally:
            self._changed()
            cv2.copyTo(before, there, part)

    def spread(self, pose: Pose, seen: Bools) -> TopView:
        """A map like this one: 255 on what is `seen` of a component (a mask of its cut-out at the pose)."""
        shape = (seen.shape[0], seen.shape[1])
        rows, columns = self._map.picture.shape[:2]
        mask = cv2.warpAffine(
            np.asarray(seen, np.uint8) * 255, self._map.matrix(pose, shape), (columns, rows), flags=cv2.INTER_NEAREST
        )
        return TopView(np.asarray(mask, np.uint8), self._map.origin, self._map.scale)

    def take_discs(self, most_mm: float) -> None:
        """Mark small round things alone on bare table, with their rims: a bead, no wider than this, is no strip."""
        self._changed()
        around = cv2.dilate(self.unlike(), np.ones((SLIT, SLIT), np.uint8))
        patches, _ = cv2.findContours(around, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for patch in patches:
            (x, y), radius = cv2.minEnclosingCircle(patch)
            if radius > most_mm / 2 * SCALE or cv2.contourArea(patch) < ROUND * math.pi * radius**2:
                continue
            if self._bare_around(x, y, radius + RIMS) > BESIDE:
                cv2.circle(self._map.picture, (round(x), round(y)), round(radius) + RIMS, 255, cv2.FILLED)

    def _bare_around(self, x: float, y: float, radius: float) -> float:
        """The share of a circle (pixels) that is bare table."""
        right, down = np.rint(CIRCLE * radius + np.array([[x], [y]])).astype(int)
        rows, columns = self.table.picture.shape
        inside = (right >= 0) & (down >= 0) & (right < columns) & (down < rows)
        return np.count_nonzero(self.table.picture[down[inside], right[inside]] > 127) / len(right)

    def take_quad(self, corners: Doubles) -> None:
        """Mark a quadrangle (4 × 2, mm) as taken."""
        self._changed()
        _fill(self._map, corners)


def _large(mask: Image) -> Image:
    """Those patches of a mask (1 or 0) on which enough can be seen to tell what lies there: no beads, no specks."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((JOINED, JOINED), np.uint8))
    patches, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [patch for patch in patches if cv2.contourArea(patch) > TELLING_MM2 * SCALE**2]
    return np.asarray(cv2.min(mask, cv2.drawContours(np.zeros_like(mask), large, -1, 1, cv2.FILLED)), np.uint8)


def hidden(grey: TopView, quads: Sequence[Doubles]) -> TopView:
    """A map of a grey view: 255 where the photo does not reach, and on the `quads` (markers, mm) with their margin."""
    picture = (grey.picture == 0).astype(np.uint8) * np.uint8(255)
    there = TopView(picture, grey.origin, grey.scale)
    for corners in quads:
        middle = corners.mean(axis=0)
        _fill(there, (corners - middle) * MARGIN + middle)
    return there


def _fill(there: TopView, corners: Doubles) -> None:
    cv2.fillConvexPoly(there.picture, there.pixels(corners).round().astype(np.int32), 255)
