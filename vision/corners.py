"""Where one corner of a component shows: of what lies under a card laid askew, or under a hand, often no more does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.topview import TopView

Image = NDArray[np.uint8]
Doubles = NDArray[np.float64]
Point = tuple[float, float]  # (plain numbers: of so few numpy is many times slower)

STRAIGHT_MM: Final = 1.8  #: an outline is straight where it is no farther than this from a line,
LEAST_MM: Final = 14.0  #: … and this long; what is shorter tells no direction
ROUND_MM: Final = 8.0  #: two sides that end this near each other meet, if in a round corner
SQUARE: Final = 12.0  #: degrees by which a corner may seem to be no right angle
INSIDE_MM: Final = 5.0  #: within a corner, so far along both sides, something must be unexplained
SPECK_MM2: Final = 100.0  #: … in a pile in which this much is
MOST: Final = 24  #: corners that are looked at, those of the longest sides


@dataclass(frozen=True, slots=True)
class Corner:
    """A right angle: the length of the shorter side, where, and both ways inwards, the second a quarter clockwise."""

    shorter: float
    place: Point
    along: Point
    down: Point

    def inner(self, away: float) -> Point:
        """The place so many pixels away from both sides, within the corner."""
        x, y = (place + away * (a + b) for place, a, b in zip(self.place, self.along, self.down, strict=True))
        return x, y


def poses(
    unlike: Image, taken: Image, view: TopView, sizes: Sequence[tuple[float, float]]
) -> list[tuple[Pose, Doubles]]:
    """Poses of components of these sizes (mm) of which a corner is seen, and where that is (mm).

    `unlike` is 255 on what has not the table's colour and is not explained, `taken` where something was found; `view`
    tells their scale and place. What was found may hide all but a corner of what it lies on: both are one pile.
    """
    within = INSIDE_MM * view.scale
    seen: list[Corner] = []
    for what in (cv2.max(unlike, taken), unlike):
        for patch in cv2.findContours(what, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            left, top, across, down = cv2.boundingRect(patch)
            there = np.asarray(unlike[top : top + down, left : left + across])
            if cv2.countNonZero(there) < SPECK_MM2 * view.scale**2:
                continue
            for corner in _corners(np.asarray(patch, np.int32), view.scale):
                known = any(math.dist(corner.place, other.place) < within for other in seen)
                if not known and _holds(unlike, corner.inner(within)):
                    seen.append(corner)
    found = []
    for corner in sorted(seen, key=lambda corner: -corner.shorter)[:MOST]:
        place = np.array(corner.place) / view.scale + view.origin
        one, other = np.array(corner.along), np.array(corner.down)
        turn = math.degrees(math.atan2(*corner.along[::-1]))
        for size in sizes:
            # a square one lies alike both ways
            for (width, height), more in {size: 0.0, size[::-1]: 90.0 * (size[0] != size[1])}.items():
                x, y = place + one * width / 2 + other * height / 2
                found.append((Pose(size, float(x), float(y), (turn + more) % 360), place))
    return found


def _holds(mask: Image, place: Point) -> bool:
    """Whether a mask is set at a place (x, y)."""
    x, y = (round(each) for each in place)
    return bool(0 <= y < mask.shape[0] and 0 <= x < mask.shape[1] and mask[y, x])


def _corners(patch: NDArray[np.int32], scale: float) -> Iterator[Corner]:
    """The corners that stick out of an outline, all in pixels."""
    line: list[Point] = cv2.approxPolyDP(patch, STRAIGHT_MM * scale, True)[:, 0].tolist()
    sides = [(bx - ax, by - ay) for (ax, ay), (bx, by) in zip(line, line[1:] + line[:1], strict=True)]
    lengths = [math.hypot(*side) for side in sides]
    straight = [i for i, length in enumerate(lengths) if length >= LEAST_MM * scale]
    # outlines run counter-clockwise: from a corner that sticks out the way back lies a quarter before the way on
    for one, other in zip(straight, straight[1:] + straight[:1], strict=True):
        (ax, ay), (bx, by) = sides[one], sides[other]
        right, below = line[other][0] - line[one][0], line[other][1] - line[one][1]
        if math.hypot(right - ax, below - ay) > ROUND_MM * scale:
            continue
        along, down = (-ax / lengths[one], -ay / lengths[one]), (bx / lengths[other], by / lengths[other])
        cross = along[0] * down[1] - along[1] * down[0]
        if cross < math.cos(math.radians(SQUARE)):
            continue
        back = (right * down[1] - below * down[0]) / cross
        place = line[one][0] + along[0] * back, line[one][1] + along[1] * back
        if lengths[other] > lengths[one]:  # the longer side tells how it is turned
            along = down[1], -down[0]
        yield Corner(min(lengths[one], lengths[other]), place, along, (-along[1], along[0]))
