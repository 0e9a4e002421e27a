"""What tells two faces apart though print lies a little aside of where it was taught.

A face that was cut out by hand is off by a millimetre here and there, and then thin lines tell rather which face was
cut out alike. Two things do not mind: where two faces differ whatever lies that much aside, and of what colour their
print is, as it takes from the light of its paper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import Gallery
from vision.verdict import INK, Verdict

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

SOME, ALL = (1e-6,) * 3, (1.0,) * 3  #: weights
ASIDE_MM: Final = 1.6  #: print may lie this far aside
LEAST: Final = 0.7  #: mm² of a difference as strong as usual contrast, with less of which nothing is said
PAPER: Final = 0.95  #: quantile of a picture that shows its paper
OTHER_INK: Final = 0.18  #: by so much must one ink be more like what is seen than another
SAME_INK: Final = 0.1  #: … which must be this much like it
FOREIGN_INK: Final = 0.25  #: an ink less like what is seen than this is another's


class Unaligned:
    """What is seen at a verdict's place, held against faces of its gallery (by their entries)."""

    def __init__(self, verdict: Verdict, picture: Callable[[tuple[int, int]], Image]) -> None:
        """`picture` shows the verdict's window in so many rows and columns."""
        view = verdict.view
        self._gallery = verdict.gallery
        self._values, self._weight = view.seen.values, view.seen.weight
        told = cv2.inRange(self._weight, SOME, ALL) > 0
        self._like: Bools = (view.agreed.seen | view.agreed.blank) & told  #: where it is like the verdict's face
        shown = picture(self._gallery.coarse_shape)
        self._paper = cv2.resize(self._like.astype(np.uint8), shown.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
        grain = _power(self._values, view.agreed.blank & told)
        power = np.maximum(0.0, _power(self._values, self._like) - grain)
        self._ink = _ink(power, _brightest(shown, self._paper))
        self._inks: dict[int, Doubles] = {}

    def rather(self, one: int, other: int) -> float:
        """What speaks for one entry rather than another; more than PLAINLY is plain, less than its negative, too."""
        off, other_off = self._off(one), self._off(other)
        if abs(off - other_off) > OTHER_INK and min(off, other_off) < SAME_INK:
            return INK if off < other_off else -INK
        return self._wherever(one, other)

    def foreign(self, entry: int) -> bool:
        """Whether an entry's print plainly has another colour than what is seen, in this light or as it was taught.

        A light that is told of each face for itself may be one that makes black print red.
        """
        taught = float(np.linalg.norm(self._ink - taught_ink(self._gallery, entry)))
        return max(self._off(entry), 0.0 if self._gallery.light is None else taught) > FOREIGN_INK

    def _off(self, entry: int) -> float:
        """How far the ink that is seen is from an entry's (0 to 1.4)."""
        if entry not in self._inks:
            power = _power(self._gallery.fine(entry), self._like)
            self._inks[entry] = _ink(power, _brightest(self._gallery.picture(entry), self._paper))
        return float(np.linalg.norm(self._ink - self._inks[entry]))

    def _wherever(self, one: int, other: int) -> float:
        """What speaks for one entry where the two differ wherever print lies a little aside; 0 where they hardly do."""
        (low, high), (other_low, other_high) = self._range(one), self._range(other)
        above, below = np.maximum(0, low - other_high), np.maximum(0, other_low - high)
        apart = (above - below) * self._weight
        power = float(np.vdot(apart, apart))
        if power < LEAST * self._gallery.scale**2:
            return 0.0
        middle = np.where(above > 0, low + other_high, high + other_low) / 2
        return min(0.5, float(np.vdot(apart, self._values - middle)) / power)

    def _range(self, entry: int) -> tuple[Floats, Floats]:
        """The least and the most of each pixel of an entry and those beside it."""
        face = np.ascontiguousarray(self._gallery.fine(entry))
        side = 2 * round(ASIDE_MM * self._gallery.scale) + 1
        beside = np.ones((side, side), np.uint8)
        return np.asarray(cv2.erode(face, beside), np.float32), np.asarray(cv2.dilate(face, beside), np.float32)


def taught_ink(gallery: Gallery, entry: int) -> Doubles:
    """The ink of all of an entry's print as it was taught."""
    face, picture = gallery.taught(entry), gallery.picture(entry)
    power = _power(face, np.ones(face.shape[:2], np.bool_))
    return _ink(power, _brightest(picture, np.ones(picture.shape[:2], np.bool_)))


def _power(values: Floats, where: Bools) -> Doubles:
    """The mean square of each channel in a part of it."""
    return np.array(cv2.mean(values * values, where.view(np.uint8))[:3])


def _brightest(picture: Image, where: Bools) -> Doubles:
    """How bright each channel is where a part of a picture shows paper, or what is brightest."""
    pixels = picture[where] if where.any() else picture.reshape(-1, 3)
    rank = int(PAPER * (len(pixels) - 1))
    return np.asarray(np.partition(pixels, rank, axis=0)[rank], np.float64)


def _ink(power: Doubles, paper: Doubles) -> Doubles:
    """How much of each channel's light print takes, beside the others: a vector of unit length."""
    taken = np.sqrt(power) / np.maximum(paper, 4.0)
    return np.asarray(taken / max(1e-9, float(np.linalg.norm(taken))), np.float64)
