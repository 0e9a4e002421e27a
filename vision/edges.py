"""Straight edges where they are expected: how much of a line is a change of colour across it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

BESIDE: Final = 80  #: pixels beside a picture that are as those at its rim
CLEAR: Final = 8.0  #: a change (8-bit Lab units a pixel) that is an edge without doubt


@dataclass(frozen=True, slots=True)
class Edges:
    """The strongest change of lightness or colour at every pixel of a picture, along x and along y."""

    x: Single
    y: Single

    @classmethod
    def of(cls, picture: Image) -> Edges:
        """The edges of a BGR picture."""
        lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2Lab)
        across, down = cv2.Sobel(lab, cv2.CV_16S, 1, 0), cv2.Sobel(lab, cv2.CV_16S, 0, 1)
        size = cv2.add(cv2.convertScaleAbs(across, alpha=0.25), cv2.convertScaleAbs(down, alpha=0.25))
        lightness, red, blue = cv2.split(size)
        reddish, light = cv2.compare(red, blue, cv2.CMP_GE), cv2.compare(lightness, cv2.max(red, blue), cv2.CMP_GE)
        # (picked channel by channel: numpy is many times slower along a short axis)
        x, y = (cv2.copyTo(v[0], light, cv2.copyTo(v[1], reddish, v[2])) for v in map(cv2.split, (across, down)))
        return cls(np.asarray(x / np.float32(8), np.float32), np.asarray(y / np.float32(8), np.float32))


class Shared:
    """What two pictures of one size have in common: an edge there is only where both have one."""

    def __init__(self, one: Edges, other: Edges) -> None:
        self.size = one.x.shape
        self._changes = np.stack([one.x, one.y, other.x, other.y], axis=2).reshape(-1, 4)

    def supports(self, at: NDArray[np.intp], normals: Floats) -> Single:
        """How much of an edge (0 to 1) there is at pixels (numbers, … × n) of lines with these normals (n × 2)."""
        x, y, nx, ny = np.moveaxis(self._changes.take(at, axis=0), -1, 0)
        ax, ay = normals.astype(np.float32).T
        change = np.minimum(np.abs(x * ax + y * ay), np.abs(nx * ax + ny * ay))
        return np.asarray(np.minimum(change / np.float32(CLEAR), 1), np.float32)


def pixels(points: Floats, size: tuple[int, int]) -> NDArray[np.intp]:
    """The numbers, row by row, of the pixels of a picture that are nearest to points (n × 2)."""
    return np.asarray(moved(points, size, np.zeros(1, np.intp))[0])


def moved(points: Floats, size: tuple[int, int], by: NDArray[np.intp]) -> NDArray[np.intp]:
    """The same of points that are moved `by` so many pixels, down and across: a row of numbers for every such move."""
    rows, columns = size
    x, y = np.rint(points).astype(np.intp).T
    x = np.minimum(np.maximum(x + by[:, None], 0), columns - 1)
    y = np.minimum(np.maximum(y + by[:, None], 0), rows - 1)
    return np.asarray((y[:, None] * columns + x).reshape(-1, len(points)))


class RowSums:
    """Sums of a picture's values along parts of its rows, which may lie between two of its pixels."""

    def __init__(self, values: Single) -> None:
        self.size = values.shape
        x = np.arange(-BESIDE, values.shape[1] + BESIDE)
        self._width = len(x) + 1
        sums = np.zeros((2, len(values), self._width))
        for each, by in zip(sums, (0.0, 0.5), strict=True):
            at = np.clip(np.rint(x + by), 0, values.shape[1] - 1).astype(np.intp)
            np.cumsum(values.take(at, axis=1), axis=1, dtype=np.float64, out=each[:, 1:])
        self._sums = sums.ravel()

    def moved(self, rows: NDArray[np.intp], at: Floats, by: NDArray[np.intp]) -> Floats:
        """Of rows (y, first x and last x: 3 × n), each moved to its place (x and y: 2 × n, whole and half pixels).

        A row of sums for every even number `by` which all are moved, down and across.
        """
        y = np.minimum(np.maximum(np.rint(rows[0] + at[1]).astype(np.intp) + by[:, None], 0), self.size[0] - 1)
        whole = np.floor(at[0])
        half = (at[0] > whole) * self.size[0]
        x = (rows[1:] + whole).astype(np.intp)[:, None] + (by[:, None] + BESIDE)
        begin, end = np.minimum(np.maximum(x, 0), self._width - 2)
        line = ((y + half) * self._width)[:, None]
        return np.asarray((self._sums.take(line + end + 1) - self._sums.take(line + begin)).reshape(-1, rows.shape[1]))


@dataclass(frozen=True, slots=True)
class Line:
    """Points a pixel apart on straight lines, each with the unit vector across its line; how many each line has."""

    points: Floats
    normals: Floats
    counts: NDArray[np.intp]

    @classmethod
    def of(cls, ends: Floats) -> Line:
        """The points of segments whose start and end (n × 2 × 2, pixels) are given."""
        start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
        length = np.maximum(1e-6, np.hypot(along[:, 0], along[:, 1]))
        counts = np.maximum(3, np.rint(length)).astype(np.intp)
        on = np.repeat(np.arange(len(ends)), counts)  # the segment of each point
        begins = np.cumsum(counts) - counts
        share = (np.arange(len(on)) - begins.take(on) + 0.5) / counts.take(on)
        normals = np.stack([-along[:, 1], along[:, 0]], 1) / length[:, None]
        points = start.take(on, axis=0) + share[:, None] * along.take(on, axis=0)
        return cls(points, normals.take(on, axis=0), counts)
