"""Straight edges where they are expected: how much of a line is a change of colour across it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

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
        strongest = size.argmax(axis=2)[..., None]
        x, y = (np.take_along_axis(v, strongest, 2)[..., 0].astype(np.float32) for v in (across, down))
        return cls(np.asarray(x / 8, np.float32), np.asarray(y / 8, np.float32))

    def supports(self, line: Line, at: Floats) -> Single:
        """How much of an edge (0 to 1) there is at every point of a line laid at n places (pixels): n × points."""
        rows, columns = self.x.shape
        points = np.rint(at[:, None] + line.points).astype(np.intp)
        px, py = points[..., 0].clip(0, columns - 1), points[..., 1].clip(0, rows - 1)
        change = np.abs(self.x[py, px] * line.normals[:, 0] + self.y[py, px] * line.normals[:, 1])
        return np.asarray(np.minimum(change / CLEAR, 1), np.float32)


@dataclass(frozen=True, slots=True)
class Line:
    """Points a pixel apart on straight lines, each with the unit vector across its line."""

    points: Floats
    normals: Floats

    @classmethod
    def of(cls, segments: Sequence[tuple[Floats, Floats]]) -> Line:
        """The points of segments (start and end, pixels)."""
        points, normals = [], []
        for start, end in segments:
            along = end - start
            length = max(1e-6, float(np.hypot(*along)))
            count = max(3, round(length))
            points.append(start + ((np.arange(count) + 0.5) / count)[:, None] * along)
            normals.append(np.tile(np.array([-along[1], along[0]]) / length, (count, 1)))
        return cls(np.concatenate(points), np.concatenate(normals))
