"""The table top: which parts of a photo are bare table, whatever it is made of and however it is lit."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import quantiles
from vision.channels import channels

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

CELL_MM = 4.0
FAINTEST = 1.2  # a step between cells that is always called smooth, Lab units a cell
USUAL = 3.0  # or this many times the photo's usual step (wood grain, weave)
LOCAL = (25, 25)  # double cells over which the table's colour is taken to be much the same
STRANGE = 9.0  # a colour (a, b in Lab) this far from that of the table around is not table's
STRANGER = 5.0  # or this many times further than usual
SHOWN = 0.4  # share of a circle that must be seen to tell what is around it
REACH = 8  # cells around a place whose colours are the table's there
FEW = 4  # cells that may have a colour by chance
WHOLE = 0.5  # a region with this share of all that is smooth is the table
SPECK = 4  # cells; smaller regions tell no colour
ISLAND = 25  # cells of a smooth region, cut off from the rest, that are a thing of their own
BLACK = 16.0  # below Lab's 0 by so much, lightness is 0
LIGHTNESS = 0.6  # shadows change lightness, edges of things change colour as well


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The table on a grid of cells, small discs thought away.

    `bare` is the one smooth region that goes on and on; `like` is that and whatever else has its colour; `shade` is
    what has its colour in less light: a small thing throws a shadow that is not smooth.
    """

    factor: float  # cells per pixel of the photo
    bare: Mask
    like: Mask
    shade: Mask
    lab: Floats
    seen: Mask  # nothing was thought away here
    known: Mask  # something known lies here

    def ground(self, size: tuple[int, int]) -> Floats:
        """What the bare table would look like all over a photo of `size` (width, height): BGR, 0 to 255."""
        sure = self.bare.astype(np.float32)
        whole = filled(cv2.cvtColor(self.lab, cv2.COLOR_Lab2BGR) * sure[..., None], sure)
        return np.asarray(cv2.resize(whole * 255, size, interpolation=cv2.INTER_LINEAR), np.float32)

    def distance(self, places_px: NDArray[np.float64], lab: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far n colours (n × 3, Lab, lightness at half weight) are from any the table has around their places."""
        height, width = self.bare.shape
        near = np.arange(-REACH, REACH + 1)
        x, y = ((places_px + 0.5) * self.factor).T.astype(np.intp)
        row, column = y[:, None, None] + near[:, None], x[:, None, None] + near
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        row, column = np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)
        away = np.linalg.norm((self.lab[row, column] - lab[:, None, None]) * (0.5, 1, 1), axis=-1)
        away = np.where(inside & self.bare[row, column] & self.seen[row, column], away, np.inf).reshape(len(lab), -1)
        here = self.lab[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        there = np.linalg.norm((here - lab) * (0.5, 1, 1), axis=1)
        return np.asarray(np.minimum(there, np.partition(away, FEW, axis=1)[:, FEW]), np.float64)

    def lies(self, x: NDArray[np.intp], y: NDArray[np.intp]) -> Mask:
        """Whether bare table, be it in a shadow, is at these columns and rows of the photo."""
        height, width = self.bare.shape
        column, row = (((v + 0.5) * self.factor).astype(np.intp) for v in (x, y))
        column, row = np.minimum(column, width - 1), np.minimum(row, height - 1)
        return np.asarray(self.like[row, column] | self.shade[row, column])

    def around(
        self, centres_px: NDArray[np.float64], radius_px: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """How much of the circle with `radius_px` around each of n places is bare, like, and shaded table: 0 to 1.

        What something known covers of it does not count, unless that is most of it.
        """
        turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        x = (centres_px[:, :1] + 0.5 + radius_px[:, None] * np.cos(turn)) * self.factor
        y = (centres_px[:, 1:] + 0.5 + radius_px[:, None] * np.sin(turn)) * self.factor
        height, width = self.bare.shape
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        column, row = np.clip(x, 0, width - 1).astype(np.intp), np.clip(y, 0, height - 1).astype(np.intp)
        seen = inside & ~self.known[row, column]
        count = np.maximum(1, np.maximum(SHOWN * inside.sum(axis=1), seen.sum(axis=1)))
        grids = (self.bare, self.like, self.shade)
        bare, like, shade = (((grid[row, column] & seen).sum(axis=1) / count).astype(np.float64) for grid in grids)
        return bare, like, shade


def tabletop(
    image: Image, px_per_mm: float, centres: NDArray[np.float64], radii: NDArray[np.float64], hidden_px: Image
) -> Tabletop:
    """The table of a photo: its largest smooth region, where the small discs at `centres` are thought away first.

    Neither colour nor pattern is assumed: the table is what goes on and on without an edge. `hidden_px` is nonzero
    where something known lies.
    """
    factor = min(1.0, 1 / (CELL_MM * px_per_mm))
    size = (max(8, round(image.shape[1] * factor)), max(8, round(image.shape[0] * factor)))
    light, weight = _without(image, centres, radii, size)
    whole = cv2.cvtColor(filled(light, weight) / 255, cv2.COLOR_BGR2Lab)
    lab = cv2.GaussianBlur(whole, (0, 0), 0.7).astype(np.float32)
    step = _steps(lab)
    hidden = cv2.resize(hidden_px, size, interpolation=cv2.INTER_AREA) > 100
    free = step[~hidden]
    limit = max(FAINTEST, USUAL * quantiles.median(free)) if free.size else FAINTEST
    smooth = ((step < limit) & ~hidden).astype(np.uint8)
    count, labels, statistics, _ = cv2.connectedComponentsWithStats(smooth, connectivity=4)
    fields = _fields(np.asarray(labels, np.int32), np.asarray(statistics, np.int32), lab) if count > 1 else []
    bare, like, shade = np.zeros((3, *step.shape), np.bool_)
    for field in fields:
        same, darker = (mask & ~hidden for mask in _likeness(field, lab))
        bare, like, shade = bare | (field & same), like | same, shade | darker
    large = statistics[:, cv2.CC_STAT_AREA] >= ISLAND
    large[0] = False
    island = large[labels] & ~bare
    return Tabletop(factor, bare, like & ~island, shade & ~island & ~bare, lab, weight > 0.99, hidden)


def _without(
    image: Image, centres: NDArray[np.float64], radii: NDArray[np.float64], size: tuple[int, int]
) -> tuple[Floats, Floats]:
    """A photo without discs, made smaller to `size` (width, height), and how much of each of its pixels is left."""
    if not len(centres):
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return small.astype(np.float32), np.ones(small.shape[:2], np.float32)
    seen = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)  # the fourth channel is 255 where a pixel is left
    for (x, y), r in zip(centres, radii, strict=True):
        cv2.circle(seen, (round(float(x)), round(float(y))), int(np.ceil(r)), (0, 0, 0, 0), -1)
    small = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    light = cv2.cvtColor(small, cv2.COLOR_BGRA2BGR).astype(np.float32)
    return light, (small[:, :, 3] / 255).astype(np.float32)


def _fields(labels: NDArray[np.int32], statistics: NDArray[np.int32], lab: Floats) -> list[Mask]:
    """The table's ground, or the several grounds of a patterned one: regions alike that lie all over the photo."""
    areas = statistics[:, cv2.CC_STAT_AREA].astype(np.float64)
    areas[0] = 0
    largest = int(np.argmax(areas))
    if areas[largest] > WHOLE * areas.sum():
        return [labels == largest]
    flat = labels.ravel()
    sums = [np.bincount(flat, weights=lab[..., k].ravel(), minlength=len(areas)) for k in (1, 2)]
    colours = np.stack(sums, 1) / np.maximum(areas, 1)[:, None]
    sides = statistics[:, (cv2.CC_STAT_LEFT, cv2.CC_STAT_TOP)].astype(np.float64)
    ends = sides + statistics[:, (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)]
    fields, rest = [], areas >= SPECK
    while rest.any():
        seed = int(np.argmax(np.where(rest, areas, 0)))
        alike = rest & (np.linalg.norm(colours - colours[seed], axis=1) < STRANGE)
        spread = (ends[alike].max(axis=0) - sides[alike].min(axis=0)) / labels.shape[::-1]
        if areas[alike].sum() > 0.1 * areas.sum() and spread.min() > 0.4:
            fields.append(np.asarray(alike[labels], np.bool_))
        rest &= ~alike
    return fields or [labels == largest]


def _likeness(bare: Mask, lab: Floats) -> tuple[Mask, Mask]:
    """The cells that have the colour of the bare table around them, and those that have it in less light."""
    weight = bare.astype(np.float32)
    height, width = bare.shape
    half = (max(1, width // 2), max(1, height // 2))
    own_light, own_a, own_b = channels(lab)
    weighted = cv2.merge([own_light * weight, own_a * weight, own_b * weight, weight])
    around = cv2.blur(cv2.resize(weighted, half, interpolation=cv2.INTER_AREA), LOCAL)
    *table, near = channels(np.asarray(cv2.resize(around, (width, height), interpolation=cv2.INTER_LINEAR), np.float32))
    some = np.maximum(near, np.float32(1e-3))
    light, a, b = (each / some for each in table)
    # (cv2's; numpy's hypot takes many times as long)
    away = cv2.magnitude(own_a - a, own_b - b)
    usual = quantiles.median(np.asarray(away[bare], np.float32)) if bare.any() else 0.0
    far = max(STRANGE, STRANGER * usual)
    dimmed = (own_light + BLACK) / np.maximum(light + BLACK, 1)  # lightness and colour shrink alike in less light
    dim = cv2.magnitude(own_a - dimmed * a, own_b - dimmed * b)
    shade = (dim < dimmed * far) & (dimmed < 1)
    return np.asarray(away < far, np.bool_), np.asarray(shade, np.bool_)


def filled(light: Floats, weight: Floats) -> Floats:
    """Cell colours from sums and weights; cells without weight take the colour of what lies nearest."""
    sure = weight > 0.5
    known = np.maximum(weight, np.float32(1e-3))
    value = np.asarray(cv2.divide(light, cv2.merge([known, known, known])), np.float32)
    if sure.all():
        return value
    value[~sure] = 0
    known, done = np.where(sure, weight, np.float32(0)), sure
    total = np.asarray(cv2.multiply(value, cv2.merge([known, known, known])), np.float32)
    for reach in (3, 7, 15, 31, 63, 127):
        if done.all():
            break
        # no farther around what is not yet filled than is looked
        box = _around(~done, reach // 2)
        near = cv2.blur(known[box], (reach, reach))
        new = ~done[box] & (near > 0.05)
        value[box][new] = cv2.blur(total[box], (reach, reach))[new] / near[new][:, None]
        done[box] |= new
    return value


def _around(mask: Mask, margin: int) -> tuple[slice, slice]:
    """Rows and columns of the part of a mask beyond which, but for a margin, nothing is set."""
    down, across = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    rows, columns = (slice(max(0, int(n[0]) - margin), int(n[-1]) + margin + 1) for n in (down, across))
    return rows, columns


def _steps(lab: Floats) -> Floats:
    """How much the colour changes from a cell to the next, Lab units."""
    gx = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=0.125)
    gy = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=0.125)
    squares = cv2.transform(gx * gx + gy * gy, np.array([[LIGHTNESS**2, 1, 1]], np.float32))
    return np.asarray(np.sqrt(squares), np.float32)
