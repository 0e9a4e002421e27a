"""The bare table: where nothing lies on it, and which colour it has around each place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import background, quantiles
from vision.topview import TopView

Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]

SCALE: Final = 1 / background.CELL_MM  #: pixels per millimetre in which the whole table is looked at
FINE: Final = (7, 7)  #: pixels; what varies within this window is grain or print,
NEAR: Final = (9, 9)  #: … of which so wide a neighbourhood is looked at;
PRINTED: Final = 2.5  #: … print is what varies this many times as much as the table usually does,
LEAST_PRINT: Final = 0.5  #: … and by this many grey values more,
ALL_PRINT: Final = 5.0  #: … and what seems to be table but varies by more than this is print that fills the photo
# what may be bare table between things that lie close together
AROUND_MM: Final = 120  #: the table's colour is that of what is bare within this window,
LEAST_AROUND: Final = 0.02  #: … if so much of the window is;
EVERY: Final = 2  #: of so many rows, and pixels of a row, one is enough to tell what is usual
USUALLY: Final = 99  #: … so many of a hundred bare places are as near to it as one must be,
HUE: Final = 0.04  #: … or they are this near in the ratios of the channels (log),
SHADE: Final = (-0.5, 0.06)  #: … and in brightness (log): things throw shadows on the table beside them
DARK: Final = 8.0  #: grey values added before the log, so that noise in the dark counts little
LOGS: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


@dataclass(frozen=True, slots=True)
class Variation:
    """How much a table varies: finely (grey values), and in hue and brightness (log) from what is around."""

    grain: float = 0.0
    hue: float = 0.0
    bright: float = 0.0

    @property
    def print(self) -> float:
        """What varies finely by more than this (grey values) is print: it may have the table's colour."""
        return PRINTED * self.grain + LEAST_PRINT


@dataclass(frozen=True, slots=True)
class Known:
    """What tells the bare table on a part of a photo: all of it in `cells` and what is `hidden` there (not 0)."""

    cells: TopView
    hidden: TopView
    varies: Variation


@dataclass(frozen=True, slots=True)
class Table:
    """Maps of a top view's pixels: 255 where `bare` table is seen, and 255 where a pixel is `like` table in colour."""

    bare: TopView
    like: TopView
    plain: Image  #: 255 where it varies no more finely than the table does
    varies: Variation

    @classmethod
    def of(cls, view: TopView, grey: TopView, hidden: TopView, known: Known | None = None) -> Table:
        """The table on a `view` in colour, which is told as `grey` as well, without what is `hidden` (not 0).

        Of a photo full of components, whose print goes on and on as a table does, nothing is told to be table.
        Where the view shows a part of a table, what is `known` of all of it tells: a part may be full of plain tiles.
        """
        cells = view.resized(SCALE) if known is None else known.cells
        covered = hidden.resized(SCALE) if known is None else known.hidden
        top = background.tabletop(cells.picture, SCALE, np.zeros((0, 2)), np.zeros(0), covered.picture)
        smooth: Image = top.bare.astype(np.uint8) * 255
        bare = cells.spread(smooth, view) > 127
        grain = fine_variation(grey.picture)
        varies = known.varies if known else Variation(grain=_quantile(grain[::EVERY, ::EVERY][bare[::EVERY, ::EVERY]]))
        plain = grain <= varies.print
        if varies.grain > ALL_PRINT:
            nowhere = replace(view, picture=np.zeros(grey.picture.shape, np.uint8))
            return cls(nowhere, nowhere, plain.astype(np.uint8) * np.uint8(255), varies)
        bare &= plain
        table = replace(view, picture=bare.astype(np.uint8) * np.uint8(255))
        sure = smooth > 0 if known else table.resized(SCALE).picture > 250
        like, varies = _like(view, cells, sure, None if known else table, varies)
        return cls(table, like, plain.astype(np.uint8) * np.uint8(255), varies)


def _like(
    view: TopView, cells: TopView, sure: Bools, table: TopView | None, varies: Variation
) -> tuple[TopView, Variation]:
    """255 where a pixel has the colour of the bare table around it, be it in a shadow; print may have it too.

    `sure` are the cells that are bare. Where bare table is known on the view itself (`table`) it is learned from it
    how much its colours vary.
    """
    if not sure.any():
        return replace(view, picture=np.zeros(view.picture.shape[:2], np.uint8)), varies
    window = (round(AROUND_MM * SCALE),) * 2
    weight: Floats = sure.astype(np.float32)
    near = np.asarray(cv2.blur(weight, window), np.float32)
    half = view.resized(view.scale / 2)
    some = np.maximum(near, np.float32(1e-3))
    known = (cv2.blur(cv2.multiply(colour, weight), window) for colour in _colours(cells))
    # (channel by channel: to take a picture apart that is made of them takes longer)
    usual = [cells.spread(np.asarray(each / some, np.float32), half) for each in known]
    around = cells.spread(near, half)
    away = [colour - mean for colour, mean in zip(_colours(half), usual, strict=True)]
    shade = np.asarray((away[0] + away[1] + away[2]) * np.float32(1 / 3), np.float32)
    blue, green, red = (cv2.absdiff(each, shade) for each in away)
    hue = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    if table is not None:
        there = table.resized(half.scale).picture[::EVERY, ::EVERY] > 250
        limits = (_quantile(far[::EVERY, ::EVERY][there], USUALLY) for far in (hue, shade))
        varies = Variation(varies.grain, *limits)
    like = (around > LEAST_AROUND) & (hue < max(HUE, varies.hue))
    like &= (shade > SHADE[0]) & (shade < max(SHADE[1], varies.bright))
    rows, columns = view.picture.shape[:2]
    whole = cv2.resize(like.astype(np.uint8) * 255, (columns, rows), interpolation=cv2.INTER_LINEAR)
    return replace(view, picture=np.asarray(whole, np.uint8)), varies


def _quantile(values: Floats, percent: float = 50) -> float:
    """What so many of a hundred values are below; 0 where there are none."""
    if not values.size:
        return 0.0
    place = round((values.size - 1) * percent / 100)
    return float(quantiles.placed(values, place, place)[0])


def _colours(view: TopView) -> list[Floats]:
    """Logarithms of each of the channels: light that grows dimmer shifts all of them alike."""
    return [
        np.asarray(cv2.LUT(cv2.extractChannel(view.picture, number), LOGS), np.float32)
        for number in range(view.picture.shape[2])
    ]


def fine_variation(grey: Image) -> Floats:
    """How much a picture varies finely around each pixel, grey values."""
    # sums of whole numbers are summed again in half the time of means
    count = np.uint16(FINE[0] * FINE[1])
    around = cv2.boxFilter(grey, cv2.CV_16U, FINE, normalize=False)
    away = cv2.absdiff(np.multiply(grey, count, dtype=np.uint16), around)
    return np.asarray(cv2.boxFilter(away, cv2.CV_32F, NEAR) / np.float32(count), np.float32)
