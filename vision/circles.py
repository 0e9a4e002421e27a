"""Discs of a known size in a photo: where they may be, by edges that vote, and what each looks like unrolled."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.topview import narrowed

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

EDGE = 8.0  # the faintest edge that votes, in steps of 8-bit Lab a pixel, across and down together
NOISE = 2.2  # an edge must stand out this many times above the photo's usual unevenness


@dataclass(frozen=True, slots=True)
class Edges:
    """Pixels where the colour changes, each with the unit vector (ux, uy) across the edge."""

    x: Floats
    y: Floats
    ux: Floats
    uy: Floats
    shape: tuple[int, int]  # the image's height and width


def edges(image_bgr: Image, blind: NDArray[np.bool_] | None = None) -> Edges:
    """Edges in lightness or colour, whichever is stronger at a pixel, outside the pixels that are `blind`."""
    lab = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2Lab)
    across, down = cv2.Sobel(lab, cv2.CV_16S, 1, 0), cv2.Sobel(lab, cv2.CV_16S, 0, 1)
    each = cv2.split(cv2.add(cv2.convertScaleAbs(across, alpha=0.25), cv2.convertScaleAbs(down, alpha=0.25)))
    rough = cv2.max(each[0], cv2.max(each[1], each[2]))  # |x| + |y|, cut off at 255
    keep = rough > max(EDGE, NOISE * _median(np.asarray(rough[::4, ::4], np.uint8)))
    if blind is not None:
        keep &= ~blind
    height, width = keep.shape
    there = np.flatnonzero(keep)
    gx, gy = (step.reshape(-1, 3).take(there, axis=0).astype(np.float32) for step in (across, down))
    strongest = np.argmax(gx * gx + gy * gy, axis=1)[:, None]
    gx, gy = (np.take_along_axis(v, strongest, 1)[:, 0] for v in (gx, gy))
    length = np.maximum(np.hypot(gx, gy), np.float32(1))
    y, x = (place.astype(np.float32) for place in np.divmod(there, width))
    return Edges(x, y, np.asarray(gx / length, np.float32), np.asarray(gy / length, np.float32), (height, width))


def _median(values: Image) -> float:
    """The median of bytes: counted, as numpy takes many times as long to find it."""
    below = np.cumsum(np.bincount(values.ravel(), minlength=256))
    return float(np.searchsorted(below, ((values.size - 1) // 2, values.size // 2), side="right").mean())


def votes(found: Edges, radius: Floats) -> Floats:
    """How much of a circle of `radius` pixels (one for each edge) is seen around each pixel: 1 or more for a disc."""
    if not len(radius):
        return np.zeros(found.shape, np.float32)
    margin = int(np.ceil(radius.max())) + 1  # so far outside of the picture votes may fall
    height, width = found.shape[0] + 2 * margin, found.shape[1] + 2 * margin
    right, down = radius * found.ux, radius * found.uy
    x, y = found.x + np.float32(margin + 0.5), found.y + np.float32(margin + 0.5)
    # whole parts of numbers above 0 are found faster than nearest ones
    weight = np.float32(1) / radius
    total = np.zeros(height * width, np.float32)
    np.add.at(total, (y + down).astype(np.int32) * width + (x + right).astype(np.int32), weight)
    np.add.at(total, (y - down).astype(np.int32) * width + (x - right).astype(np.int32), weight)
    whole = total.reshape(height, width)[margin:-margin, margin:-margin]
    return np.asarray(cv2.GaussianBlur(whole, (7, 7), 1.2), np.float32)


def peaks(score: Floats, apart: float, least: float, most: int) -> NDArray[np.float64]:
    """The `most` highest places of `score` above `least`, about `apart` pixels from each other: (n, 2), best first."""
    size = 2 * max(1, round(apart)) + 1
    top = cv2.dilate(score, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    y, x = np.divmod(np.flatnonzero((score >= top) & (score > least)), score.shape[1])
    order = np.argsort(-score[y, x], kind="stable")[:most]
    return np.stack([x[order], y[order]], 1).astype(np.float64)


def unrolled(
    image_bgr: Image, centres: NDArray[np.float64], radii: NDArray[np.float64], reach: Floats, angles: int
) -> Image:
    """The surroundings of n discs as (n, angles, len(reach), 3) BGR bytes, `reach` in units of each disc's radius.

    A picture with a fourth channel (`topview.padded`) is read twice as fast.
    """
    turn = np.linspace(0, 2 * np.pi, angles, endpoint=False)
    step = radii[:, None, None] * reach[None, None, :]
    x = centres[:, 0, None, None] + step * np.cos(turn)[None, :, None]
    y = centres[:, 1, None, None] + step * np.sin(turn)[None, :, None]
    n = len(centres)
    flat_x = x.reshape(n * angles, -1).astype(np.float32)
    flat_y = y.reshape(n * angles, -1).astype(np.float32)
    rows = [
        cv2.remap(
            image_bgr, flat_x[i : i + 30000], flat_y[i : i + 30000], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for i in range(0, n * angles, 30000)
    ]
    return narrowed(np.asarray(np.concatenate(rows), np.uint8)).reshape(n, angles, len(reach), 3)
