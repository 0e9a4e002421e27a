"""The table from above without what is known of it: prints and bare table are taken away together with the light.

What is left to see is what stands there, in the colours it was taught in.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import background
from vision.edges import Edges
from vision.photo import Photo
from vision.topview import TopView

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SCALE: Final = 1.4  #: pixels per millimetre of the view
LIGHT_MM: Final = 51  #: pixels within which the light's strength is taken to be even
LIKE: Final = 0.2  #: how far (log) a pixel's gain may be from that of its surroundings to count fully
BLOCK: Final = 24  #: pixels of a block whose median gain is taken,
WIDE: Final = 3  #: … and blocks to every side in which the light has one colour
HOLD: Final = 0.15  #: how much the wider surroundings count
STRANGE: Final = 24  #: grey values by which a pixel, with those around it, differs from the print it should show,
SOFT: Final = 7  #: … so many pixels across,
SAME: Final = 0.12  #: how much (log) a shadow may take more of one channel than of another,
DIM: Final = 0.25  #: … and how much it takes at least of a print, whose light is known less well than bare table's
ASIDE: Final = 3  #: pixels by which a print may lie beside where it should,
ALIKE: Final = 0.75  #: … a correlation from which on it is the same,
OTHER: Final = 18.0  #: … and Lab units from which on a colour is another
MOST_STRANGE: Final = 0.15  #: … and share of such pixels up to which it is the print
TINTED: Final = 0.12  #: how much (log) one channel beside the others may be other than in most of a print,
TIMES: Final = 4.0  #: … or so many times what is usual there: light has one colour, or nearly so


@dataclass(frozen=True, slots=True)
class Ground:
    """Something flat whose print is known, lying on the table: its face (BGR) and its corners in table mm, 4 × 2."""

    face: Image
    corners: Floats


@dataclass(frozen=True, slots=True)
class Scene:
    """The table from above in the light it was taught in: as seen, its bare ground, and where nothing is sought."""

    seen: Image
    ground: Image
    hidden: Mask
    edges: Edges  # of the view as it was photographed
    print: Mask  # where the ground is a known print,
    tinted: Mask  # … and is seen in a colour that light does not make of it
    table: background.Tabletop
    origin: Floats  # mm of the first pixel's corner
    eye: Floats

    @classmethod
    def of(cls, photo: Photo, grounds: Sequence[Ground], hidden: Iterable[Floats]) -> Scene:
        view = TopView.of(photo.image, photo.plane, SCALE)
        origin = np.array(view.origin) - 0.5 / SCALE
        rows, columns = view.picture.shape[:2]
        soft = np.asarray(cv2.GaussianBlur(view.picture, (3, 3), 0), np.uint8)
        known = np.asarray(cv2.inRange(view.picture, (0, 0, 0), (0, 0, 0)), np.uint8)
        for outline in hidden:
            cv2.fillConvexPoly(known, _pixels(outline, origin), 255)
        printed = known.copy()
        for ground in grounds:
            cv2.fillConvexPoly(printed, _pixels(ground.corners, origin), 255)
        table = background.tabletop(soft, SCALE, np.zeros((0, 2)), np.zeros(0), printed)
        seen = photo.white(soft)
        bare = np.asarray(cv2.convertScaleAbs(table.ground((columns, rows)) * photo.gain), np.uint8)
        tinted = np.zeros((rows, columns), np.bool_)
        for ground in grounds:
            low = np.maximum(_pixels(ground.corners, origin).min(axis=0), 0)
            high = np.minimum(_pixels(ground.corners, origin).max(axis=0) + 1, (columns, rows))
            if (high - low < BLOCK).any():  # it lies outside, or all but a strip of it
                continue
            box = slice(low[1], high[1]), slice(low[0], high[0])
            face, inside = _laid(ground, origin + low / SCALE, (int(high[0] - low[0]), int(high[1] - low[1])))
            inside &= known[box] == 0
            mask = np.where(inside, 255, 0).astype(np.uint8)
            there, here = np.log(soft[box].astype(np.float32) + 6), np.log(face.astype(np.float32) + 6)
            gain = np.asarray(there - here, np.float32)
            cv2.copyTo(cv2.convertScaleAbs(_relit(there, gain, inside)), mask, seen[box])
            cv2.copyTo(face, mask, bare[box])
            tinted[box] |= _tinted(gain, inside)
        return cls(
            seen,
            bare,
            known > 0,
            Edges.of(view.picture),
            (printed > 0) & (known == 0),
            tinted,
            table,
            origin,
            np.array(photo.plane.eye()),
        )

    def bare(self, place: Floats, reach: float) -> bool:
        """Whether a known print is seen within so many mm of a place (mm), and nothing on it."""
        return self.strange(place, reach) < MOST_STRANGE

    def strange(self, place: Floats, reach: float) -> float:
        """The share of what is within so many mm of a place (mm) that differs from its print; 1 where none is known."""
        box = self.box(place, reach)
        if not self.print[box].size or not self.print[box].all():
            return 1.0
        apart = cv2.blur(self.seen[box].astype(np.float32) - self.ground[box], (SOFT, SOFT))  # noise evens out
        return float((_most(np.asarray(apart, np.float32)) > STRANGE).mean())

    def covered(self, place: Floats, reach: float) -> bool:
        """Whether something lies within so many mm of a place (mm): no ground is seen there, nor one in a shadow.

        It has another colour in its middle, or another print: that of the ground may lie a little aside.
        """
        middle = self.box(place, reach / 2)
        if not self.seen[middle].size or self.shaded(place, reach / 2):
            return False
        seen, ground = (np.median(lab(view[middle]).reshape(-1, 3), axis=0) for view in (self.seen, self.ground))
        return float(np.linalg.norm(seen - ground)) > OTHER or self._like_ground(place, reach) < ALIKE

    def _like_ground(self, place: Floats, reach: float) -> float:
        """How well what is seen within so many mm of a place correlates with the ground there, or just beside it."""
        box = self.box(place, reach)
        around = tuple(slice(max(0, side.start - ASIDE), side.stop + ASIDE) for side in box)
        seen, ground = self.seen[around], self.ground[box]
        if ground.shape[0] > seen.shape[0] or ground.shape[1] > seen.shape[1]:
            return 0.0
        return float(cv2.matchTemplate(seen, ground, cv2.TM_CCOEFF_NORMED).max())

    def clear(self, places: Floats) -> Mask:
        """Whether bare table, be it in a shadow, or a known print is at places (n × 2, mm)."""
        rows, columns = self.print.shape
        x, y = np.rint((places - self.origin) * SCALE - 0.5).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
        x, y = np.clip(x, 0, columns - 1), np.clip(y, 0, rows - 1)
        return np.asarray(inside & (self.print[y, x] | self.table.lies(x, y)))

    def box(self, place: Floats, reach: float) -> tuple[slice, slice]:
        """Rows and columns of what is within so many mm of a place (mm)."""
        x, y = ((place - self.origin) * SCALE - 0.5).ravel()
        radius = max(1.0, reach * SCALE)
        return slice(max(0, int(y - radius)), int(y + radius) + 2), slice(max(0, int(x - radius)), int(x + radius) + 2)

    def shaded(self, place: Floats, reach: float) -> bool:
        """Whether what is seen within so many mm of a place (mm) is only darker than the ground, as in a shadow."""
        box = self.box(place, reach)
        if not self.seen[box].size:
            return False
        seen, ground = (np.median(v[box].reshape(-1, 3), axis=0) + 6 for v in (self.seen, self.ground))
        left = np.log(seen / ground)
        return bool(left.max() < (-DIM if self.print[box].any() else 0) and np.ptp(left) < SAME)


def lab(image: NDArray[np.generic]) -> Single:
    """Lab of a BGR picture of 0–255."""
    return np.asarray(cv2.cvtColor(np.clip(image.astype(np.float32) / 255, 0, 1), cv2.COLOR_BGR2Lab), np.float32)


def _pixels(outline: Floats, origin: Floats) -> NDArray[np.int32]:
    """An outline in mm in the view's pixels."""
    return np.rint((outline - origin) * SCALE - 0.5).astype(np.int32)


def _laid(ground: Ground, origin: Floats, size: tuple[int, int]) -> tuple[Image, Mask]:
    """The face as it lies in a view of `size` (columns, rows) whose first corner is `origin`, and where it is."""
    height, width = ground.face.shape[:2]
    edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(edges, ((ground.corners - origin) * SCALE - 0.5).astype(np.float32))
    fewer = cv2.GaussianBlur(ground.face, (3, 3), 0)
    face = cv2.warpPerspective(fewer, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
    return np.asarray(face, np.uint8), cv2.erode(inside, np.ones((3, 3), np.uint8)) > 128


def _tinted(gain: Single, inside: Mask) -> Mask:
    """Where a print is seen in another colour than light makes of most of it; `gain` is how much (log) that light is.

    How bright it is does not count: it may be in a shadow.
    """
    if not inside.any():
        return inside
    soft = cv2.blur(gain, (SOFT, SOFT))
    colour = soft - soft.mean(axis=2, keepdims=True)
    away = _most(colour - np.median(colour[inside][::SOFT], axis=0))
    return np.asarray(inside & (away > max(TINTED, TIMES * float(np.median(away[inside])))))


def _relit(there: Single, gain: Single, inside: Mask) -> Single:
    """The photo in the light the face was taught in, by what the two have in common around each pixel.

    `there` is the photo and `gain` how much brighter it is than the face (logarithms). Brightness may change within a
    hand's breadth, the light's colour only slowly; things that stand on the print differ too much to count.
    """
    smooth = _blocks(gain, inside)
    near = (LIGHT_MM, LIGHT_MM)
    for _ in range(2):
        weight = (inside * np.exp(-np.square(_most(gain - smooth) / LIKE))).astype(np.float32)
        local = cv2.blur(gain * weight[..., None], near) + HOLD * smooth
        smooth = local / (cv2.blur(weight, near) + HOLD)[..., None]
    return np.asarray(np.clip(np.exp(there - smooth) - 6, 0, 255), np.float32)


def _most(apart: Single) -> Single:
    """The most by which any channel is apart (channel by channel: numpy is many times slower along a short axis)."""
    return np.asarray(np.maximum.reduce(cv2.split(np.abs(apart))), np.float32)


def _blocks(gain: Single, inside: Mask) -> Single:
    """The gain that most of the surroundings have: medians of medians, so that an arm across them does not count."""
    rows, columns = max(1, inside.shape[0] // BLOCK), max(1, inside.shape[1] // BLOCK)
    cut = slice(0, rows * BLOCK), slice(0, columns * BLOCK)
    known = np.where(inside[cut][..., None], gain[cut], np.nan)
    tiles = known.reshape(rows, BLOCK, columns, BLOCK, 3).swapaxes(1, 2).reshape(rows, columns, -1, 3)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a block outside the print has no median
        medians = np.nanmedian(tiles[:, :, ::5], axis=2)
        whole = np.nanmedian(medians.reshape(-1, 3), axis=0)
        padded = np.pad(medians, ((WIDE, WIDE), (WIDE, WIDE), (0, 0)), constant_values=np.nan)
        around = np.lib.stride_tricks.sliding_window_view(padded, (2 * WIDE + 1, 2 * WIDE + 1), axis=(0, 1))
        colour = np.nanmedian(around.reshape(rows, columns, 3, -1), axis=-1)
        inner = around[..., WIDE - 1 : WIDE + 2, WIDE - 1 : WIDE + 2]
        light = np.nanmedian(inner.reshape(rows, columns, 3, -1), axis=-1)
    colour, light = (np.where(np.isfinite(v), v, whole) for v in (colour, light))
    coarse = light.mean(axis=-1, keepdims=True) + colour - colour.mean(axis=-1, keepdims=True)
    size = (inside.shape[1], inside.shape[0])
    return np.asarray(cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), np.float32)
