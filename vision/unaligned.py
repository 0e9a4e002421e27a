"""What tells two faces apart though print lies a little aside of where it was taught.

A face that was cut out by hand is off by a millimetre here and there, and then thin lines tell rather which face was
cut out alike. Two things do not mind: where two faces differ whatever lies that much aside, and of what colour their
print is, as it takes from the light of its paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import Gallery
from vision.verdict import Verdict

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

ASIDE_MM: Final = 1.6  #: print may lie this far aside
LEAST: Final = 0.7  #: mm² of a difference as strong as usual contrast, with less of which nothing is said
PAPER: Final = 0.95  #: quantile of a picture that shows its paper
OTHER_INK: Final = 0.18  #: by so much must one ink be more like what is seen than another
SAME_INK: Final = 0.1  #: … which must be this much like it


@dataclass(frozen=True, slots=True)
class Unaligned:
    """What is seen at a verdict's place, held against faces of its gallery (by their entries)."""

    gallery: Gallery
    values: Floats
    weight: Floats
    like: Bools  #: where it is like the verdict's face
    ink: Doubles

    @classmethod
    def of(cls, verdict: Verdict, picture: Callable[[tuple[int, int]], Image]) -> Unaligned:
        """`picture` shows the verdict's window in so many rows and columns."""
        gallery, view = verdict.gallery, verdict.view
        like = view.agreed.seen | view.agreed.blank
        blank = view.seen.weight * view.agreed.blank[..., None]
        grain = _power(view.seen.values, blank)
        power = np.maximum(0.0, _power(view.seen.values, view.seen.weight * like[..., None]) - grain)
        ink = _ink(power, _paper(picture(gallery.coarse_shape), like))
        return cls(gallery, view.seen.values, view.seen.weight, like, ink)

    def rather(self, one: int, other: int) -> float:
        """What speaks for one entry rather than another; more than PLAINLY is plain, less than its negative, too."""
        unlike, like = self._off(one), self._off(other)
        if abs(like - unlike) > OTHER_INK and min(unlike, like) < SAME_INK:
            return 0.5 if unlike < like else -0.5
        return self._beyond_doubt(one, other)

    def _off(self, entry: int) -> float:
        """How far the ink that is seen is from an entry's (0 to 1.4)."""
        power = _power(self.gallery.fine(entry), self.weight * self.like[..., None])
        return float(np.linalg.norm(self.ink - _ink(power, _paper(self.gallery.picture(entry), self.like))))

    def _beyond_doubt(self, one: int, other: int) -> float:
        """What speaks for one entry where the two differ whatever lies a little aside; 0 where they hardly do."""
        (low, high), (other_low, other_high) = self._range(one), self._range(other)
        above, below = np.maximum(0, low - other_high), np.maximum(0, other_low - high)
        apart = (above - below) * self.weight
        middle = np.where(above > 0, low + other_high, high + other_low) / 2
        power = float(np.vdot(apart, apart))
        if power < LEAST * self.gallery.scale**2:
            return 0.0
        return float(np.vdot(apart, self.values - middle)) / power

    def _range(self, entry: int) -> tuple[Floats, Floats]:
        """The least and the most of each pixel of an entry and those beside it."""
        face = np.ascontiguousarray(self.gallery.fine(entry))
        side = 2 * round(ASIDE_MM * self.gallery.scale) + 1
        beside = np.ones((side, side), np.uint8)
        return np.asarray(cv2.erode(face, beside), np.float32), np.asarray(cv2.dilate(face, beside), np.float32)


def taught_ink(gallery: Gallery, entry: int) -> Doubles:
    """The ink of all of an entry's print as it was taught."""
    face = gallery.taught(entry)
    return _ink(_power(face, np.ones_like(face)), _paper(gallery.picture(entry), np.ones(face.shape[:2], np.bool_)))


def _power(values: Floats, weight: Floats) -> Doubles:
    """The mean square of each channel under a weight."""
    total = np.maximum(1e-6, weight.sum(axis=(0, 1)))
    return np.asarray((np.square(values) * weight).sum(axis=(0, 1)) / total, np.float64)


def _paper(picture: Image, where: Bools) -> Doubles:
    """How bright each channel is where a picture shows paper, or what is brightest, in a part of it."""
    part = cv2.resize(where.astype(np.uint8), picture.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    return np.asarray(np.quantile(picture[part] if part.any() else picture.reshape(-1, 3), PAPER, axis=0), np.float64)


def _ink(power: Doubles, paper: Doubles) -> Doubles:
    """How much of each channel's light print takes, beside the others: a vector of unit length."""
    taken = np.sqrt(power) / np.maximum(paper, 4.0)
    return np.asarray(taken / max(1e-9, float(np.linalg.norm(taken))), np.float64)
