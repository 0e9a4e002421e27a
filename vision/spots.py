"""Where on a photo discs of about a bead's size may be: edges vote for circles, on the photo made smaller.

First of every size that beads have, and once their own is known again of that size, where something seemed larger: a
shadow, or a neighbour, draws a circle aside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision import circles

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

RADII_MM = (4.4, 5.0, 5.7, 6.5, 7.4, 8.4)  # a bead's radius is between the ends, and alike for all of one table
CANDIDATES = 400
LEAST_VOTE = 0.55  # share of a circle that has to vote for a disc to be looked at
ALIKE = 0.15  # share by which the sizes of beads differ
RINGED, HALF = 0.7, 0.5  # share of the outline that is seen of a good disc, and of one that may be drawn aside
PLAIN = 0.15  # strength of its colour below which a disc is none
ASIDE = 0.7  # radii by which it may be drawn,
TOUCHING = 1.6  # … and that its middle is off that of a good one


class Plane(Protocol):
    """What is needed of the table plane: from the photo's pixels (n × 2) to millimetres, some height above it."""

    def to_mm(self, px: ArrayLike, height: float = 0.0) -> Doubles: ...
    def resized(self, factor: float) -> Self: ...
    def cropped(self, left: int, top: int) -> Self: ...


@dataclass(frozen=True, slots=True)
class Small:
    """The photo made smaller by `factor`; `hidden` is 255 on components and on markers with their paper."""

    image: Image
    factor: float
    hidden: Image

    @classmethod
    def of(cls, photo: Image, factor: float, covered: Image | None, squares: Sequence[Doubles]) -> Self:
        size = (round(photo.shape[1] * factor), round(photo.shape[0] * factor))
        hidden = np.zeros((size[1], size[0]), np.uint8)
        if covered is not None:
            hidden = (cv2.resize(covered, size, interpolation=cv2.INTER_NEAREST) > 0).astype(np.uint8) * np.uint8(255)
        for square in squares:
            paper = square.mean(axis=0) + 1.3 * (square - square.mean(axis=0))
            cv2.fillConvexPoly(hidden, np.rint((paper + 0.5) * factor - 0.5).astype(np.int32), 255)
        return cls(np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_LINEAR), np.uint8), factor, hidden)

    def halved(self) -> Self:
        """Both half as large."""
        half = (self.hidden.shape[1] // 2, self.hidden.shape[0] // 2)
        even = np.s_[: 2 * half[1], : 2 * half[0]]  # halves of whole pixels are many times faster
        image = np.asarray(cv2.resize(self.image[even], half, interpolation=cv2.INTER_AREA), np.uint8)
        return type(self)(image, self.factor / 2, np.asarray(cv2.resize(self.hidden[even], half), np.uint8))


@dataclass(frozen=True, slots=True)
class Voters:
    """The edges of a small photo, and pixels a millimetre at each of its pixels."""

    small: Small
    edges: circles.Edges
    scale: Floats

    @classmethod
    def of(cls, small: Small, plane: Plane) -> Self:
        """Those that something hidden has are left out."""
        height, width = small.hidden.shape
        return cls(
            small, circles.edges(small.image, small.hidden > 0), _scale_map(plane, (width, height), small.factor)
        )

    def candidates(self) -> tuple[Doubles, Doubles]:
        """Centres (n × 2) and radii, in pixels of the photo, of what may be discs of about a bead's size."""
        x, y = self.edges.x.astype(np.intp), self.edges.y.astype(np.intp)
        tries = [circles.votes(self.edges, r * self.scale[y, x]) for r in RADII_MM]
        best = tries[0]
        for more in tries[1:]:
            best = np.asarray(cv2.max(best, more), np.float32)
        spots = circles.peaks(best, 2.5, LEAST_VOTE, CANDIDATES)
        x, y = spots[:, 0].astype(np.intp), spots[:, 1].astype(np.intp)
        radius = np.array(RADII_MM)[np.argmax([t[y, x] for t in tries], axis=0)] * self.scale[y, x] / self.small.factor
        return (spots + 0.5) / self.small.factor - 0.5, radius

    def drawn_aside(
        self, size: float, centre: Doubles, radius: Doubles, own: Doubles, seen: Doubles, strength: Doubles
    ) -> Doubles:
        """Centres (m × 2, px) of discs of the known `size` (mm) that n discs of other sizes may be.

        `own` are those (mm), `radius` (px) is what they would have of that size, `seen` the share of the outline.
        """
        off = np.abs(own / size - 1)
        good = centre[(off < ALIKE) & (seen > RINGED)]
        poor = (off >= ALIKE) & (seen > HALF) & (strength > PLAIN)
        poor &= (np.linalg.norm(centre[:, None] - good, axis=2) > radius[:, None]).all(axis=1)
        if not poor.any():
            return np.zeros((0, 2))
        places, reach = (centre[poor] + 0.5) * self.small.factor - 0.5, radius[poor] * self.small.factor
        window = np.zeros(self.edges.shape, np.uint8)
        for (x, y), r in zip(places, reach, strict=True):
            cv2.circle(window, (round(float(x)), round(float(y))), math.ceil(2 * r), 1, -1)
        found = self.edges
        there = window[found.y.astype(np.intp), found.x.astype(np.intp)] > 0
        near = replace(found, x=found.x[there], y=found.y[there], ux=found.ux[there], uy=found.uy[there])
        wanted = np.float32(size) * self.scale[near.y.astype(np.intp), near.x.astype(np.intp)]
        spots = circles.peaks(circles.votes(near, wanted), 1.5, LEAST_VOTE, CANDIDATES)
        away = np.linalg.norm(spots[:, None] - places, axis=2) / reach
        spots = (spots[(away < ASIDE).any(axis=1)] + 0.5) / self.small.factor - 0.5
        free = np.linalg.norm(spots[:, None] - good, axis=2) > TOUCHING * np.median(radius)
        return np.asarray(spots[free.all(axis=1)], np.float64)

    def near(self, asked: Image, centre: Doubles, radius: Doubles) -> NDArray[np.bool_]:
        """Which of n discs are that near to what is asked for (nonzero)."""
        rows, columns = self.small.hidden.shape
        there = cv2.resize(asked, (columns, rows), interpolation=cv2.INTER_AREA) > 0
        away = cv2.distanceTransform((~there).astype(np.uint8), cv2.DIST_L2, 3)
        x, y = np.rint((centre + 0.5) * self.small.factor - 0.5).astype(np.intp).T
        near = away[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)] <= radius * self.small.factor
        return np.asarray(near)


def px_per_mm(plane: Plane, px: Doubles) -> Doubles:
    """Pixels a millimetre at n places of the photo."""
    at = plane.to_mm(np.concatenate([px, px + np.array([1, 0]), px + np.array([0, 1])])).reshape(3, -1, 2)
    across, down = at[1] - at[0], at[2] - at[0]
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    return np.asarray(1 / np.sqrt(np.maximum(area, 1e-9)))


def _scale_map(plane: Plane, size: tuple[int, int], factor: float) -> Floats:
    """Pixels a millimetre all over a photo of `size` (width, height) reduced by `factor`."""
    width, height = size
    x, y = np.meshgrid(np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9))
    coarse = px_per_mm(plane, np.stack([x.ravel(), y.ravel()], 1) / factor).reshape(9, 9) * factor
    return cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR).astype(np.float32)
