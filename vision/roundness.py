"""How round a small thing is: whether its outline is that of a circle, seen from somewhere."""

from __future__ import annotations

from itertools import groupby
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import circles

Image = NDArray[np.uint8]

OVAL: Final = "not quite round"  #: a reason for doubt
ANGLES: Final = 48
LEAST_PX: Final = 2.0  #: radius; of less no outline is seen
SEEN: Final = 0.75  #: share of these in which an edge must be found
OUTLIER: Final = 0.03  #: radii; edges that are farther off count less
BESIDE: Final = 0.12  #: radii from the ellipse at which an edge is another thing's;
OPEN: Final = 0.25  #: share of the outline without an edge, at a stretch: round ends of long things have more
LONG: Final = 0.2  #: by how much of both together it may be longer than wide: as much as a circle seen from 45°

_TURN = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
_ELLIPSE = np.stack([np.ones(ANGLES), *(f(k * _TURN) for k in (1, 2) for f in (np.cos, np.sin))], 1)


def misfit(image_bgr: Image, centre_px: tuple[float, float], radius_px: float) -> float:
    """How far the outline of a disc is from an ellipse, in radii: four fifths of it are nearer.

    Infinite for what has no such outline, is a speck, or is too long for a circle seen from anywhere.
    """
    if radius_px < LEAST_PX:
        return np.inf
    reach = np.arange(0.5, 1.5, 0.5 / radius_px, dtype=np.float32)
    picture = circles.unrolled(image_bgr, np.array([centre_px]), np.array([radius_px]), reach, ANGLES)[0]
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) * np.array([0.5, 1, 1], np.float32)
    inner = np.median(lab[:, reach < 0.85].reshape(-1, 3), axis=0)
    outer = np.median(lab[:, reach > 1.2].reshape(-1, 3), axis=0)
    outwards = (lab - inner) @ (outer - inner) / max(1e-6, float(np.sum((outer - inner) ** 2)))
    before, after = outwards[:, :-1], outwards[:, 1:]
    crossed = (before < 0.5) & (after >= 0.5)
    place = reach[:-1] + (0.5 - before) / np.where(crossed, after - before, 1) * (reach[1] - reach[0])
    nearest = np.argmin(np.where(crossed, np.abs(place - 1), np.inf), axis=1)
    seen = crossed.any(axis=1)
    if seen.mean() < SEEN:
        return np.inf
    edge, shapes = place[np.arange(ANGLES), nearest][seen].astype(np.float64), _ELLIPSE[seen]
    weight = np.ones(len(edge))
    for _ in range(5):
        shape = np.linalg.lstsq(shapes * weight[:, None], edge * weight, rcond=None)[0]
        off = np.abs(edge - shapes @ shape)
        weight = 1 / (1 + (off / OUTLIER) ** 2)
    there = seen & (np.abs(place[np.arange(ANGLES), nearest] - _ELLIPSE @ shape) < BESIDE)
    gaps = [len(list(run)) for edge, run in groupby(np.tile(there, 2)) if not edge]
    long_ = np.hypot(shape[3], shape[4]) > LONG * shape[0]
    return np.inf if long_ or max(gaps, default=0) > OPEN * ANGLES else float(np.quantile(off, 0.8))
