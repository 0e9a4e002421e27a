"""How what is seen agrees with a face: all in all, neighbourhood by neighbourhood, or rather than with another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import summed

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

AGREE_MM: Final = 9.0  #: agreement is judged over neighbourhoods of this size
AGREE: Final = 0.5  #: likeness there from which on the face is taken to be seen
BLANK: Final = 0.15  #: mean energy below which a neighbourhood shows nothing to agree on
MANY: Final = 0.04  #: share of a face from which on its plain parts tell how noisy the photo is
ALL_SEEN: Final = 2.9  #: sum of the three channels' weights of a neighbourhood of which all is seen
NOISE_MOST: Final = 0.35  #: … but noise is never taken to be more than this
BLOCK_MM: Final = 4.0  #: the doubt of a comparison comes from how much blocks of this size disagree


@dataclass(frozen=True, slots=True)
class Look:
    """A cut-out made comparable: `values` (h × w × 3) and `weight` (likewise, 0 where nothing can be said)."""

    values: Floats
    weight: Floats
    whole: bool  #: whether the weight is 1 everywhere
    alike: bool  #: … or the same for all channels

    @property
    def least_weight(self) -> Floats | None:
        """The weight with as few numbers as tell it: h × w where all channels weigh alike, None where it is 1."""
        if self.whole:
            return None
        return np.ascontiguousarray(self.weight[:, :, 0]) if self.alike else self.weight


@dataclass(frozen=True, slots=True)
class Sums:
    """Energies of the three channels of each pixel (h × w): of what is `seen`, of a face, and what both show."""

    seen: Floats
    face: Floats
    both: Floats
    full: Floats | None  #: the channels' weights; None where all is seen


@dataclass(frozen=True, slots=True)
class Held:
    """What is seen, held against a face: mean energies of each pixel's neighbourhood (h × w)."""

    both: Floats  #: what both show,
    most: Floats  #: … and what the one of them shows that shows more
    full: Floats | None  #: how much is seen: the three channels' weights; None where all is
    sums: Sums  #: what these are the means of

    def nearer(self, scale: float, near: float) -> Held:
        """The same in neighbourhoods `near` mm wide."""
        box = _box(scale, near)
        return _held(self.sums, box, _near(self.sums.seen, box), _full(self.sums.full, box))

    def other_print(self, least: float, like: float) -> Bools:
        """Where all is seen, and there is print (`least` mean energy) on the one that is less `like` the other's."""
        found = np.asarray((self.most > least) & (self.both < like * self.most))
        return found if self.full is None else found & (self.full > ALL_SEEN)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Where a face is seen: `seen` the largest connected patch, `blank` where there is nothing to see it by."""

    seen: Bools
    blank: Bools
    area: float  #: share of the component's area that `seen` covers
    share: float  #: share that agrees of what is free to be seen and has something to agree on


def correlated(values: Floats, faces: Floats, weight: Floats) -> Doubles:
    """Correlation of what is seen with each face (n × h × w × 3) under a weight."""
    flat = (values * weight).ravel()
    rows = faces.reshape(len(faces), -1)
    own = (rows * rows) @ weight.ravel()
    seen = float(flat @ values.ravel())
    return np.asarray(rows @ flat / np.sqrt(np.maximum(own * seen, 1e-6)), np.float64)


class Agreeing:
    """What is seen, neighbourhood by neighbourhood (`near` mm wide), to be held against several faces."""

    def __init__(self, seen: Look, scale: float, near: float = AGREE_MM) -> None:
        self._box = _box(scale, near)
        self._weight = None if seen.whole else seen.weight
        self._weighted = seen.values if seen.whole else seen.values * seen.weight
        self._sums = summed(self._weighted * seen.values), None if seen.whole else summed(seen.weight)
        self._there = _near(self._sums[0], self._box)
        self._full = _full(self._sums[1], self._box)
        self._covered = None if self._full is None else np.asarray(self._full < 1.0)

    def area(self, held: Held, least: float) -> float:
        """The share of the area that the largest patch covers on which it agrees; 0 where `least` is not reached."""
        agrees, blank = self._agrees(held)
        if np.count_nonzero(agrees) <= least * agrees.size:
            return 0.0
        return float(_patches(agrees, blank)[1].max(initial=0)) / agrees.size

    def agreement(self, held: Held) -> Agreement:
        """Where what is seen agrees with the face it was held against."""
        agrees, blank = self._agrees(held)
        if not agrees.any():
            return Agreement(agrees, blank, 0.0, 0.0)
        labels, sizes = _patches(agrees, blank)
        several = np.count_nonzero(sizes) > 1
        largest = np.asarray(agrees & (labels == int(sizes.argmax()))) if several else agrees
        told = np.count_nonzero(~blank if self._covered is None else ~(blank | self._covered))
        area = float(sizes.max(initial=0))
        return Agreement(largest, blank, area / agrees.size, float(sizes.sum()) / max(1, int(told)))

    def _agrees(self, held: Held) -> tuple[Bools, Bools]:
        """Where what is seen agrees with the face, and where it is seen that there is nothing to see."""
        blank = np.asarray(held.most < BLANK)
        agrees = np.asarray((held.both > AGREE * held.most) & ~blank)
        if self._covered is not None:
            blank &= ~self._covered
        return agrees, blank

    def held_against(self, face: Floats) -> Held:
        """What is seen, held against a face."""
        taught = summed(face * face if self._weight is None else face * face * self._weight)
        seen, full = self._sums
        return _held(Sums(seen, taught, summed(self._weighted * face), full), self._box, self._there, self._full)


def _box(scale: float, near: float) -> tuple[int, int]:
    """The pixels, across and down, of neighbourhoods `near` mm wide."""
    return (int(near * scale) | 1,) * 2


def _near(sums: Floats, box: tuple[int, int]) -> Floats:
    """The mean of each pixel's neighbourhood."""
    return np.asarray(cv2.blur(sums, box), np.float32)


def _full(weights: Floats | None, box: tuple[int, int]) -> Floats | None:
    """How much of each neighbourhood is seen; None where all is."""
    return None if weights is None else _near(weights, box)


def _held(sums: Sums, box: tuple[int, int], there: Floats, full: Floats | None) -> Held:
    """What is seen held against a face; `there` and `full` are means of what is seen, and of how much is."""
    taught = _near(sums.face, box)
    unprinted = np.asarray(taught < 0.5 * BLANK)
    if np.count_nonzero(unprinted) > MANY * there.size:  # what is seen where nothing is printed is noise
        plain = there[unprinted][::2]  # neighbourhoods overlap: every other one tells as much
        there = there - min(NOISE_MOST, float(np.partition(plain, plain.size // 3)[plain.size // 3]))
    return Held(_near(sums.both, box), np.asarray(np.maximum(there, taught), np.float32), full, sums)


def _patches(agrees: Bools, blank: Bools) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The patches on which it agrees, numbered, and their sizes (pixels); symbols on blank paper are one patch."""
    count, labels = cv2.connectedComponents((agrees | blank).view(np.uint8), connectivity=4)
    if count == 2:  # all of it is one
        return np.asarray(labels, np.int32), np.array([0, np.count_nonzero(agrees)])
    return np.asarray(labels, np.int32), np.bincount(labels[agrees])


def level_of(values: Floats, face: Floats, weight: Floats) -> float:
    """How strong the print that is seen is beside a face's."""
    weighted = face * weight
    return min(1.2, max(0.3, float(np.vdot(weighted, values)) / max(float(np.vdot(weighted, face)), 1e-6)))


def compared(values: Floats, one: Floats, other: Floats, weight: Floats, scale: float) -> tuple[float, float, float]:
    """Which of two faces is seen: (evidence −½ … ½, its standard error, share of the difference that is visible)."""
    apart = one - other
    middle = (one + other) * 0.5
    difference = apart * weight
    off = values * np.float32(1 / level_of(values, middle, weight))
    off -= middle
    speaks = summed(np.multiply(off, difference, out=off))
    counts = summed(np.multiply(apart, difference, out=off))
    total = float(cv2.sumElems(counts)[0])
    if total < 1e-6:
        return 0.0, 1.0, 0.0
    side = max(2, round(BLOCK_MM * scale))
    rows, columns = counts.shape[0] // side, counts.shape[1] // side
    size = (columns, rows)
    blocks = np.s_[: rows * side, : columns * side]
    said, heard = (cv2.resize(sums[blocks], size, interpolation=cv2.INTER_AREA) for sums in (speaks, counts))
    evidence = float(cv2.sumElems(speaks)[0]) / total
    error = float(np.linalg.norm(said - evidence * heard)) * side * side / total
    return evidence, error, total / float(np.vdot(apart, apart))
