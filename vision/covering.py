"""Which parts of the table are already explained: by what was found, by markers, or by the photo's end."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.topview import TopView

Bools = NDArray[np.bool_]
Doubles = NDArray[np.float64]

SCALE: Final = 1.0  #: pixels per millimetre of the map


class Covering:
    """A map of the table from above, in which places are marked as taken."""

    def __init__(self, view: TopView) -> None:
        """Nothing is taken yet but what the photo does not show (black in a view of `SCALE` px/mm)."""
        black = view.picture if view.picture.ndim == 2 else view.picture.max(axis=2)
        self._map = TopView(np.where(black == 0, 255, 0).astype(np.uint8), view.origin, view.scale)

    def free(self, pose: Pose, shape: tuple[int, int], margin: int = 0) -> Bools | None:
        """Which pixels of a cut-out of this shape are not taken; None when all are free."""
        taken = self._map.cut(pose, shape, margin, nearest=True)
        return np.asarray(taken == 0) if taken.any() else None

    def share(self, pose: Pose) -> float:
        """The share of the pose that is not taken."""
        taken = self._map.cut(pose, (24, 24), nearest=True)
        return 1.0 - np.count_nonzero(taken) / taken.size

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
