"""The table top: which parts of a photo are bare table, whatever it is made of and however it is lit."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

CELL_MM = 4.0
FAINTEST = 1.2  # a step between cells that is always called smooth, Lab units a cell
USUAL = 3.0  # or this many times the photo's usual step (wood grain, weave)
LOCAL = 15.0  # cells over which the table's colour is taken to be much the same
STRANGE = 9.0  # a colour (a, b in Lab) this far from that of the table around is not table's
STRANGER = 5.0  # or this many times further than usual
ISLAND = 25  # cells of a smooth region, cut off from the rest, that are a thing of their own
LIGHTNESS = 0.6  # shadows change lightness, edges of things change colour as well


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The table on a grid of cells, small discs thought away.

    `bare` is the one smooth region that goes on and on; `like` is that and whatever else has its colour.
    """

    factor: float  # cells per pixel of the photo
    bare: Mask
    like: Mask
    lab: Floats

    def colour(self, places_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the table looks like at n places, Lab: n × 3."""
        height, width = self.bare.shape
        x, y = ((places_px + 0.5) * self.factor).T.astype(np.intp)
        return np.asarray(self.lab[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], np.float64)

    def around(
        self, centres_px: NDArray[np.float64], radius_px: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How much of the circle with `radius_px` around each of n places is bare, and like, table: 0 to 1."""
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        x = (centres_px[:, :1] + 0.5 + radius_px[:, None] * np.cos(turn)) * self.factor
        y = (centres_px[:, 1:] + 0.5 + radius_px[:, None] * np.sin(turn)) * self.factor
        height, width = self.bare.shape
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        column, row = np.clip(x, 0, width - 1).astype(np.intp), np.clip(y, 0, height - 1).astype(np.intp)
        count = np.maximum(1, inside.sum(axis=1))
        bare, like = ((grid[row, column] & inside).sum(axis=1) / count for grid in (self.bare, self.like))
        return np.asarray(bare, np.float64), np.asarray(like, np.float64)


def tabletop(
    image: Image, px_per_mm: float, centres: NDArray[np.float64], radii: NDArray[np.float64], hidden_px: Image
) -> Tabletop:
    """The table of a photo: its largest smooth region, where the small discs at `centres` are thought away first.

    Neither colour nor pattern is assumed: the table is what goes on and on without an edge. `hidden_px` is nonzero
    where something known lies.
    """
    factor = min(1.0, 1 / (CELL_MM * px_per_mm))
    seen = np.full(image.shape[:2], 255, np.uint8)
    for (x, y), r in zip(centres, radii, strict=True):
        cv2.circle(seen, (round(float(x)), round(float(y))), int(np.ceil(r)), 0, -1)
    size = (max(8, round(image.shape[1] * factor)), max(8, round(image.shape[0] * factor)))
    weight = (cv2.resize(seen, size, interpolation=cv2.INTER_AREA) / 255).astype(np.float32)
    light = cv2.resize(cv2.bitwise_and(image, image, mask=seen), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    whole = cv2.cvtColor(_filled(light, weight) / 255, cv2.COLOR_BGR2Lab)
    lab = cv2.GaussianBlur(whole, (0, 0), 0.7).astype(np.float32)
    step = _steps(lab)
    hidden = cv2.resize(hidden_px, size, interpolation=cv2.INTER_AREA) > 100
    free = step[~hidden]
    limit = max(FAINTEST, USUAL * float(np.median(free))) if free.size else FAINTEST
    smooth = ((step < limit) & ~hidden).astype(np.uint8)
    _, labels, statistics, _ = cv2.connectedComponentsWithStats(smooth, connectivity=4)
    largest = 1 + int(np.argmax(statistics[1:, cv2.CC_STAT_AREA])) if len(statistics) > 1 else 1
    island = (labels > 0) & (labels != largest) & (statistics[labels, cv2.CC_STAT_AREA] >= ISLAND)
    like = _likeness(labels == largest, lab) & ~hidden
    return Tabletop(factor, (labels == largest) & like, like & ~island, lab)


def _likeness(bare: Mask, lab: Floats) -> Mask:
    """The cells that have the colour of the bare table around them."""
    weight = bare.astype(np.float32)
    near = cv2.GaussianBlur(weight, (0, 0), LOCAL)
    around = cv2.GaussianBlur(lab * weight[..., None], (0, 0), LOCAL) / np.maximum(near, 1e-3)[..., None]
    away = np.linalg.norm((lab - around)[..., 1:], axis=-1)
    usual = float(np.median(away[bare])) if bare.any() else 0.0
    return np.asarray(away < max(STRANGE, STRANGER * usual), np.bool_)


def _filled(light: Floats, weight: Floats) -> Floats:
    """Cell colours from sums and weights; cells without weight take the colour of what lies nearest."""
    sure = weight > 0.5
    value: Floats = np.where(sure[..., None], light / np.maximum(weight, 1e-3)[..., None], 0).astype(np.float32)
    known, done = np.where(sure, weight, 0).astype(np.float32), sure
    total = value * known[..., None]
    for spread in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0):
        if done.all():
            break
        near = cv2.GaussianBlur(known, (0, 0), spread)
        new = ~done & (near > 0.05)
        value[new] = (cv2.GaussianBlur(total, (0, 0), spread)[new]) / near[new][:, None]
        done = done | new
    return value


def _steps(lab: Floats) -> Floats:
    """How much the colour changes from a cell to the next, Lab units."""
    gx = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=0.125)
    gy = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=0.125)
    weights = np.array([LIGHTNESS**2, 1, 1], np.float32)
    steps: Floats = np.sqrt(((gx * gx + gy * gy) * weights).sum(-1)).astype(np.float32)
    return steps
