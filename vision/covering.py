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
FINE: Final = (7, 7)  #: mm; what varies within this window is grain or print,
NEAR: Final = (9, 9)  #: mm; … of which so wide a neighbourhood is looked at;
PRINTED: Final = 2.5  #: … print is what varies this many times as much as the table usually does,
LEAST_PRINT: Final = 0.5  #: … and by this many grey values more
MARGIN: Final = 1.35  #: a marker's white margin is taken with it
# what may be bare table between things that lie close together
AROUND_MM: Final = 120  #: the table's colour is that of what is bare within this window,
LEAST_AROUND: Final = 0.02  #: … if so much of the window is;
USUALLY: Final = 99  #: … so many of a hundred bare places are as near to it as one must be,
HUE: Final = 0.04  #: … or they are this near in the ratios of the channels (log),
SHADE: Final = (-0.5, 0.06)  #: … and in brightness (log): things throw shadows on the table beside them
DARK: Final = 8.0  #: grey values added before the log, so that noise in the dark counts little
RIM_MM: Final = 0.6  #: what lies beside shines so far into it,
RIM_BLURS: Final = 1.2  #: … and so many standard deviations of the photo's blur more


class Covering:
    """A map of the table from above, in which places are marked as taken."""

    def __init__(
        self, view: TopView, quads: Sequence[Doubles] = (), whole: Covering | None = None, blur: float = 0.0
    ) -> None:
        """`view` is in colour; nothing is taken yet but what the photo does not show and the `quads` (mm).

        `blur` (mm, standard deviation) is how soft the photo is: so far things shine into what lies beside them.

        Where it shows a part of the table, the `whole` table tells what is bare: a part may be full of plain tiles.
        """
        assert view.scale == SCALE
        self._map = TopView(np.where(view.grey().picture == 0, 255, 0).astype(np.uint8), view.origin, SCALE)
        for corners in quads:
            self.take_quad(corners, MARGIN)
        self._grey = view.grey()
        self.rim_mm = RIM_MM + RIM_BLURS * blur  #: so far what is taken shines into what lies beside it
        self.table: TopView  #: 255 where bare table is seen
        self._like: TopView
        self._grain: float  #: how much the table varies finely, grey values
        if whole is None:
            self._learn_table(view)
        else:
            self._grain = whole._grain
            self.table, self._like = (known.shifted_to(view) for known in (whole.table, whole._like))

    def _learn_table(self, view: TopView) -> None:
        grain = _grain(self._grey.picture)
        bare = self._smooth(view)
        self._grain = float(np.median(grain[bare])) if bare.any() else 0.0
        bare &= grain <= self._print
        self.table = TopView(np.where(bare, 255, 0).astype(np.uint8), view.origin, SCALE)
        self._like = self._table_like(view)

    @property
    def _print(self) -> float:
        """What varies finely by more than this (grey values) is print: it may have the table's colour."""
        return PRINTED * self._grain + LEAST_PRINT

    def _smooth(self, view: TopView) -> Bools:
        """Where the table goes on and on without an edge."""
        rows, columns = self._map.picture.shape
        half = (columns // 2, rows // 2)
        small = np.asarray(cv2.resize(view.picture, half, interpolation=cv2.INTER_AREA), np.uint8)
        hidden = np.asarray(cv2.resize(self._map.picture, half, interpolation=cv2.INTER_NEAREST), np.uint8)
        table = background.tabletop(small, SCALE / 2, np.zeros((0, 2)), np.zeros(0), hidden)
        bare = cv2.resize(table.bare.astype(np.uint8) * 255, (columns, rows), interpolation=cv2.INTER_LINEAR)
        return np.asarray(bare > 127)

    def _table_like(self, view: TopView) -> TopView:
        """255 where a pixel has the colour of the bare table around it, be it in a shadow; print may have it too."""
        rows, columns = self._map.picture.shape
        half = (columns // 2, rows // 2)
        small = cv2.resize(view.picture, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        colour: Floats = np.asarray(cv2.log(small + DARK), np.float32)
        bare: Floats = (cv2.resize(self.table.picture, half, interpolation=cv2.INTER_AREA) > 250).astype(np.float32)
        if not bare.any():
            return TopView(np.zeros((rows, columns), np.uint8), view.origin, SCALE)
        window = (AROUND_MM // 2, AROUND_MM // 2)
        near = cv2.blur(bare, window)
        usual = cv2.blur(colour * bare[..., None], window) / np.maximum(near, 1e-3)[..., None]
        away = colour - usual
        shade = np.asarray(cv2.transform(away, np.full((1, 3), 1 / 3, np.float32)), np.float32)
        hue = np.abs(away - shade[..., None]).max(axis=2)
        sure = bare > 0
        limit = max(HUE, float(np.percentile(hue[sure], USUALLY)))
        bright = max(SHADE[1], float(np.percentile(shade[sure], USUALLY)))
        like = (near > LEAST_AROUND) & (hue < limit) & (shade > SHADE[0]) & (shade < bright)
        whole = cv2.resize(like.astype(np.uint8) * 255, (columns, rows), interpolation=cv2.INTER_LINEAR)
        return TopView(np.asarray(whole, np.uint8), view.origin, SCALE)

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

    def shows(self, pose: Pose) -> float:
        """The share of the pose that is not taken, and that neither bare table nor what lies beside it can explain.

        The map of bare table ends some way before whatever lies on it; between things that lie close together the
        table is known by its colour.
        """
        shape = (round(pose.size[1]), round(pose.size[0]))
        free = (self._map.cut(pose, shape, nearest=True) == 0).astype(np.uint8)
        rim = 2 * round(self.rim_mm * SCALE) + 1
        inner = cv2.erode(free, np.ones((rim, rim), np.uint8), borderValue=1)
        area = cv2.countNonZero(inner)
        if not area:
            return 0.0
        grey = self._grey.cut(pose, shape).astype(np.float32)
        weight = inner.astype(np.float32)
        mean = cv2.blur(grey * weight, FINE) / np.maximum(cv2.blur(weight, FINE), 1e-3)
        if float((np.abs(grey - mean) * weight).sum()) <= self._print * area:
            inner[(self._like.cut(pose, shape) > 127) | (self.table.cut(pose, shape) > 127)] = 0
        return cv2.countNonZero(inner) / inner.size

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


def _grain(grey: Image) -> Floats:
    """How much a picture varies finely around each pixel, grey values."""
    rough: Floats = np.asarray(grey, np.float32)
    return np.asarray(cv2.blur(cv2.absdiff(rough, cv2.blur(rough, FINE)), NEAR), np.float32)
