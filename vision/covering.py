"""Which parts of the table are explained: by what was found, by markers, by the photo's end; and which are bare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import background
from vision.photo import Pose
from vision.topview import TopView

Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

SCALE: Final = 1.0  #: pixels per millimetre of the map
FINE_MM: Final = 7  #: what varies within this distance is grain or print,
NEAR_MM: Final = 9  #: … of which so wide a neighbourhood is looked at;
PRINTED: Final = 2.5  #: … print is what varies this many times as much as the table usually does,
LEAST_PRINT: Final = 0.5  #: … and by this many grey values more
MARGIN: Final = 1.35  #: a marker's white margin is taken with it


class Covering:
    """A map of the table from above, in which places are marked as taken."""

    def __init__(self, view: TopView, quads: Sequence[Doubles] = (), whole: Covering | None = None) -> None:
        """`view` is in colour; nothing is taken yet but what the photo does not show and the `quads` (mm).

        Where it shows a part of the table, the `whole` table tells what is bare: a part may be full of plain tiles.
        """
        assert view.scale == SCALE
        self._map = TopView(np.where(view.grey().picture == 0, 255, 0).astype(np.uint8), view.origin, SCALE)
        for corners in quads:
            self.take_quad(corners, MARGIN)
        #: 255 where bare table is seen
        self.table: TopView = self._bare(view) if whole is None else whole.table.shifted_to(view)

    def _bare(self, view: TopView) -> TopView:
        rows, columns = self._map.picture.shape
        half = (columns // 2, rows // 2)
        small = np.asarray(cv2.resize(view.picture, half, interpolation=cv2.INTER_AREA), np.uint8)
        hidden = np.asarray(cv2.resize(self._map.picture, half, interpolation=cv2.INTER_NEAREST), np.uint8)
        table = background.tabletop(small, SCALE / 2, np.zeros((0, 2)), np.zeros(0), hidden)
        bare = cv2.resize(table.bare.astype(np.uint8) * 255, (columns, rows), interpolation=cv2.INTER_LINEAR)
        bare[_printed(view.grey().picture, bare > 127)] = 0
        return TopView(np.asarray(bare, np.uint8), view.origin, SCALE)

    def free(self, pose: Pose, shape: tuple[int, int], margin: int = 0) -> Bools | None:
        """Which pixels of a cut-out of this shape are not taken; None when all are free."""
        taken = self._map.cut(pose, shape, margin, nearest=True)
        return np.asarray(taken == 0) if taken.any() else None

    def share(self, pose: Pose) -> float:
        """The share of the pose that is not taken."""
        taken = self._map.cut(pose, (24, 24), nearest=True)
        return 1.0 - np.count_nonzero(taken) / taken.size

    def bare(self, pose: Pose) -> float:
        """How much of what is not taken of the pose is bare table."""
        free = self._map.cut(pose, (24, 24), nearest=True) == 0
        bare = self.table.cut(pose, (24, 24)) > 127
        return float((bare & free).sum() / max(1, free.sum()))

    def looked_at(self, grown_mm: float) -> Image:
        """A map (255) of all that is neither bare table, but for a margin, nor taken."""
        side = 2 * round(grown_mm * SCALE) + 1
        bare = cv2.erode(self.table.picture, np.ones((side, side), np.uint8)) > 127
        return np.asarray(np.where(bare | (self._map.picture > 0), 0, 255), np.uint8)

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
        shape = (seen.shape[0], seen.shape[1])
        rows, columns = self._map.picture.shape[:2]
        mask = cv2.warpAffine(
            np.asarray(seen, np.uint8) * 255, self._map.matrix(pose, shape), (columns, rows), flags=cv2.INTER_NEAREST
        )
        np.maximum(self._map.picture, np.asarray(mask, np.uint8), out=self._map.picture)

    def take_quad(self, corners: Doubles, grown: float = 1.0) -> None:
        """Mark a quadrangle (4 × 2, mm), grown about its middle, as taken."""
        middle = corners.mean(axis=0)
        pixels = self._map.pixels((corners - middle) * grown + middle)
        cv2.fillConvexPoly(self._map.picture, pixels.round().astype(np.int32), 255)


def _printed(grey: Image, bare: Bools) -> Bools:
    """Where a picture varies more finely than the bare table does: a card of the table's own colour."""
    rough: Floats = np.asarray(grey, np.float32)
    grain = cv2.absdiff(rough, cv2.blur(rough, (FINE_MM, FINE_MM)))
    rough = np.asarray(cv2.blur(grain, (NEAR_MM, NEAR_MM)), np.float32)
    usual = float(np.median(rough[bare])) if bare.any() else 0.0
    return np.asarray(rough > PRINTED * usual + LEAST_PRINT)
