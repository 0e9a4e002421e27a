"""How a face changes with where it lies: by that it is fitted to what is seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sloping:
    """A face's sums of channels, pixel by pixel, and how each `changes` with where it lies.

    These are (4 × pixels) with a shift to the right, down (mm), a turn (rad), and a stretch.
    """

    sums: Floats
    changes: Floats

    @classmethod
    def of(cls, sums: Floats, scale: float, window: tuple[float, float]) -> Sloping:
        """Of a face's sums of channels (h × w, `scale` px/mm) as large as a `window` (mm)."""
        rows, columns = sums.shape
        across, down, turned, stretched = changes = np.empty((4, rows, columns), np.float32)
        cv2.Sobel(sums, cv2.CV_32F, 1, 0, dst=across, scale=0.125 * scale)
        cv2.Sobel(sums, cv2.CV_32F, 0, 1, dst=down, scale=0.125 * scale)
        x = (np.arange(columns, dtype=np.float32) + 0.5) / scale - window[0] / 2
        y = ((np.arange(rows, dtype=np.float32) + 0.5) / scale - window[1] / 2)[:, None]
        np.subtract(np.multiply(x, down, out=turned), y * across, out=turned)
        np.add(np.multiply(x, across, out=stretched), y * down, out=stretched)
        return cls(sums.ravel(), changes.reshape(4, -1))
