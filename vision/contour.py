"""The closed line of strongest change around a place: where something ends whose middle is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Single = NDArray[np.float32]

ANGLES: Final = 32
STEPS: Final = 40  #: radii that are tried
MOST: Final = 30.0  #: a change (Lab units) that cannot be any clearer
BEND: Final = 3  #: steps of radius that the line may go in or out from one angle to the next,
STIFF: Final = 1.0  #: … and what each costs
TURN: Final = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
AWAY: Final = np.stack([np.cos(TURN), np.sin(TURN)], axis=1)


@dataclass(frozen=True, slots=True)
class Contour:
    """A closed line: its corners (n × 2, pixels) and the change across it at each (Lab units)."""

    line: Single
    change: Single

    @property
    def half(self) -> float:
        """Half the side of a square of the same area."""
        return float(np.sqrt(cv2.contourArea(self.line)) / 2)

    @property
    def middle(self) -> Floats:
        moments = cv2.moments(self.line)
        return np.array([moments["m10"], moments["m01"]]) / max(moments["m00"], 1e-6)

    @property
    def compact(self) -> tuple[float, float]:
        """The shorter over the longer side of the rectangle around it, and its share of that rectangle."""
        _, (width, height), _ = cv2.minAreaRect(self.line)
        area = max(width * height, 1e-6)
        return min(width, height) / max(width, height, 1e-6), float(cv2.contourArea(self.line)) / area

    def holds(self, points: Floats, grown: float = 1.0) -> NDArray[np.bool_]:
        """Which of n points lie inside, once it is made larger about its middle."""
        middle = self.line.mean(axis=0)
        line = (middle + (self.line - middle) * grown).astype(np.float32)
        inside = ((points > line.min(axis=0)) & (points < line.max(axis=0))).all(axis=1)
        for i in np.flatnonzero(inside):
            inside[i] = cv2.pointPolygonTest(line, (float(points[i, 0]), float(points[i, 1])), False) >= 0
        return np.asarray(inside)


def around(
    lab: Single, place: Floats, nearest: float, farthest: float, spots: Floats, radii: Floats
) -> Contour:  # fmt: skip
    """The line around a place of a Lab picture, between two radii; the edges of round `spots` do not count."""
    radius = np.linspace(nearest, farthest, STEPS)
    reach = max(0.8, 0.6 * (farthest - nearest) / (STEPS - 1))
    points = [(place + AWAY[:, None] * (radius + by)[:, None]).astype(np.float32) for by in (-reach, 0.0, reach)]
    inner, outer = (
        cv2.remap(lab, p[..., 0], p[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for p in points[::2]
    )
    change = np.linalg.norm(outer - inner, axis=2).astype(np.float32)
    for spot, size in zip(spots, radii, strict=True):
        change[np.linalg.norm(points[1] - spot, axis=2) < 1.5 * size] = 0
    path = closed_path(np.minimum(change, MOST), BEND, STIFF)
    at = np.arange(ANGLES)
    return Contour(points[1][at, path], change[at, path])


def closed_path(worth: Single, bend: int, stiff: float) -> NDArray[np.intp]:
    """For each of n angles the step of radius at which the closed line of most `worth` (n × steps) passes.

    It goes in or out by no more than `bend` steps from an angle to the next, each of which costs `stiff`.
    """
    path = _path(worth, None, bend, stiff)
    # a line that begins where it has become sure ends there as well
    half = len(worth) // 2
    return np.roll(_path(np.roll(worth, -half, axis=0), int(path[half]), bend, stiff), half)


def _path(worth: Single, start: int | None, bend: int, stiff: float) -> NDArray[np.intp]:
    """For every angle the step at which the best line passes, from `start` and back to it if that is given."""
    angles, steps = worth.shape
    total = worth[0].astype(np.float64) if start is None else np.where(np.arange(steps) == start, worth[0], -1e9)
    came = np.zeros((angles + 1, steps), np.intp)
    padded = np.full(steps + 2 * bend, -1e9)
    beside = np.lib.stride_tricks.sliding_window_view(padded, 2 * bend + 1)
    dear = stiff * np.abs(np.arange(-bend, bend + 1))
    all_steps = np.arange(steps)
    for k in range(1, angles + 1):
        padded[bend:-bend] = total
        from_ = beside - dear
        best = from_.argmax(axis=1)
        came[k] = all_steps + best - bend
        total = from_[all_steps, best] + worth[k % angles]
    at = int(total.argmax()) if start is None else start
    path = np.zeros(angles + 1, np.intp)
    path[angles] = at
    for k in range(angles, 0, -1):
        at = min(max(int(came[k, at]), 0), steps - 1)
        path[k - 1] = at
    return path[:angles]
