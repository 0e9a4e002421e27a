"""Small smooth things scattered on a white or grey table, on a photo that nothing tells the scale of.

Whatever is neither table nor table in less light stands out as a patch; what touches in a heap is told apart by where
the colour changes, and by creases. Smooth things have contours like ellipses: where most have corners they are dice,
or print, and nothing is told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import background, colour
from vision.background import BLACK
from vision.smooth import SMOOTH, Thing, thing_at

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

ROUGHLY: Final = 200  #: pixels across or down at which it is told where the table lies,
MOSTLY: Final = 0.35  #: … of a photo of which it fills less than this share
LONGEST: Final = 1600  #: pixels; larger photos are made smaller
CELL: Final = 4  #: pixels to a cell of the table's grid,
WIDE: Final = 2  #: … so many around each of which tell its light
EVEN: Final = 0.15  #: share of the photo that must be bare table,
BRIGHTER: Final = 0.9  #: … which is told by what is as bright as its brightest tenth,
SHADED: Final = 0.8  #: … or no darker than this share of that
BRIGHT: Final = 50.0  #: a table as light as this (L*),
PALE: Final = 0.22  #: … and less strong in colour (over lightness) tells the light
CHROMA: Final = 18.0  #: what is no table has so much more colour than it,
STRENGTH: Final = 0.22  #: … also over its lightness: the glow of a thing on the table beside it has less,
DARK: Final = 30.0  #: … or is this dark beside it (100): no shadow is
SHINING: Final = 112.0  #: what is brighter than the table by so much shines, and its edges are none
ACROSS: Final = np.array([[-1, 0, 0, 0, 1]], np.float32)
DIM: Final = 60.0  #: lightness, from black, below which colours tell no more of themselves
CHANGED: Final = 0.25  #: colour over lightness that changes so much in a few pixels is another thing's
HEAPED: Final = 16.0  #: pixels of a half width at which edges are sought in a heap;
CREASE: Final = (13, 13)  #: … what is narrower and
DARKER: Final = 0.15  #: … by this share darker than both sides is a crease
FULL: Final = 0.95  #: of its hull; a patch that has more is one thing
HOLE: Final = 0.8  #: of a half width; smaller holes are glints, or print
LEAST: Final = 3  #: so few things are chance
LEAST_PX: Final = 12.0  #: radius from which an outline tells a shape
SMALL: Final = 0.45  #: of the usual half width of a patch; narrower ones are specks
CORE: Final = 0.75  #: … and from so much of it on, things that touch are apart
HEADROOM: Final = 0.5  #: a table shows as so much of the brightest that is told: what shines on it is brighter than it
SIZES: Final = (0.65, 1.55)  #: of the usual size, that things may have
SEEN: Final = 0.65  #: share of the outline that must be seen of the things by which it is told what they all are
TOLD: Final = 0.4  #: share of all that is no table that they must be; their glow is some of it, too
#: what most things of a photo must be: no farther off, no more four-cornered, as even (dark ones show only noise)
MOST: Final = (SMOOTH, 0.03, 0.8)


@dataclass(frozen=True, slots=True)
class Scatter:
    """Things on a white or grey table, so that their colours are those in white light."""

    things: tuple[Thing, ...]
    strange: Image  #: 255 on what is no table, of a part of the photo made smaller
    factor: float  #: … by this,
    first: tuple[int, int] = (0, 0)  #: … which begins at this pixel

    def holds(self, x: float, y: float) -> bool:
        """Whether a place of the photo lies in that part: beyond it may be another table, and other light."""
        row, column = self._at(x, y)
        rows, columns = self.strange.shape
        return bool(0 <= row < rows and 0 <= column < columns)

    def is_table(self, x: float, y: float) -> bool:
        """Whether the table is seen at a place of the photo, be it in a shadow."""
        return bool(self.holds(x, y) and not self.strange[self._at(x, y)])

    def _at(self, x: float, y: float) -> tuple[int, int]:
        column, row = (math.floor((v + 0.5 - first) * self.factor) for v, first in zip((x, y), self.first, strict=True))
        return row, column


def find(image: Image) -> Scatter | None:
    """The things on a BGR photo; None where they are not smooth, or the table is coloured, uneven or mostly hidden.

    The table may be a plate on another one.
    """
    left, top, right, bottom = _plate(image)
    found = _found(image[top:bottom, left:right])
    if found is None:
        return None
    things = tuple(replace(t, centre=(t.centre[0] + left, t.centre[1] + top)) for t in found.things)
    return Scatter(things, found.strange, found.factor, (left, top))


def _plate(image: Image) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the largest pale patch of a photo; of all of it where that is hardly smaller."""
    height, width = image.shape[:2]
    factor = min(1.0, ROUGHLY / max(height, width))
    size = (max(1, round(factor * width)), max(1, round(factor * height)))
    pale = _is_pale(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(pale.astype(np.uint8))
    x, y, across, down = max(boxes[1:, :4].tolist(), key=lambda box: box[2] * box[3], default=(0, 0, *size))
    if across * down > MOSTLY * pale.size or min(across, down) < 3:
        return 0, 0, width, height
    # without its rim
    return tuple(round(v / factor) for v in (x + 1, y + 1, x + across - 1, y + down - 1))


def _is_pale(image: Floats) -> NDArray[np.bool_]:
    """Where a photo (BGR, 0 to 255) is white or a bright grey."""
    light, a, b = np.moveaxis(colour.lab(colour.linear(image)), 2, 0)
    return np.asarray((light > BRIGHT) & (np.hypot(a, b) < PALE * (light + BLACK)))


def _found(image: Image) -> Scatter | None:
    """The things on a photo of a table."""
    factor = min(1.0, LONGEST / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    ground = _ground(small)
    if ground is None:
        return None
    lab = _beside(small, ground)
    strange = _strange(lab)
    things = _things(np.asarray(cv2.GaussianBlur(lab, (3, 3), 0), np.float32), strange, factor)
    return Scatter(things, strange, factor) if _are_smooth(things, strange, factor) else None


def _things(lab: Floats, strange: Image, factor: float) -> tuple[Thing, ...]:
    """Whatever stands out, if it is of the usual size."""
    half = 0.0 if strange.all() else _half(strange)
    if half < LEAST_PX / 2:
        return ()
    none = np.zeros(strange.shape, np.float32)
    first, inside = (
        [thing for place in _middles(strange, edges, half) if (thing := thing_at(lab, edges, *place, factor))]
        for edges in (none, _edges(lab, half))  # those of a heap show inside of it
    )
    told = [thing for thing in first if thing.is_clear()]
    for more, is_told in ((inside, Thing.is_within), (first, Thing.overlaps)):
        for thing in more:
            if not any(is_told(thing, other) for other in told):
                told.append(thing)
    usual = float(np.median([thing.radius for thing in told] or [0.0]))
    return tuple(thing for thing in told if SIZES[0] * usual < thing.radius < SIZES[1] * usual)


def _are_smooth(things: Sequence[Thing], strange: Image, factor: float) -> bool:
    """Whether there are some, large enough to tell, that are most of all that is strange, and have no corners."""
    clear = [t for t in things if t.seen > SEEN]
    if len(clear) < LEAST or float(np.median([t.radius for t in things])) * factor < LEAST_PX:
        return False
    area = sum(math.pi * (t.radius * factor) ** 2 for t in things)
    shapes = [(t.misfit, t.square, max(t.even, float(t.lab[0] < DARK))) for t in clear]
    misfit, square, even = np.median(shapes, axis=0).tolist()
    smooth = misfit < MOST[0] and square < MOST[1] and even > MOST[2]
    return bool(smooth and area > TOLD * cv2.countNonZero(strange))


def _ground(image: Image) -> Floats | None:
    """What a white or grey table would look like all over a photo, or None where too little of one is seen."""
    size = (max(8, image.shape[1] // CELL), max(8, image.shape[0] // CELL))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
    light, pale = colour.lab(colour.linear(small))[..., 0], _is_pale(small)
    if pale.mean() < EVEN:
        return None
    pale &= light > SHADED * np.quantile(light[pale], BRIGHTER)
    if pale.mean() < EVEN:
        return None
    seen = cv2.erode(pale.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.float32)
    whole = background.filled(np.asarray(small * seen[..., None], np.float32), seen)
    soft = cv2.blur(whole, (2 * WIDE + 1, 2 * WIDE + 1), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(soft, image.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _beside(image: Image, ground: Floats) -> Floats:
    """Lab of a photo as if its table, of which it shows the `ground`, were white all over."""
    light = cv2.LUT(image, colour.LIGHT[:, None].astype(np.float32))
    white = cv2.LUT(np.clip(ground, 1, 255).astype(np.uint8), colour.LIGHT[:, None].astype(np.float32))
    relative = np.minimum(cv2.divide(light, white) * np.float32(HEADROOM), np.float32(1))
    lab = np.asarray(cv2.cvtColor(relative, cv2.COLOR_LBGR2Lab), np.float32)
    lab[..., 0] += BLACK
    lab *= np.float32(HEADROOM ** (-1 / 3))  # Lab grows with the cube root of light
    lab[..., 0] -= BLACK
    return lab


def _strange(lab: Floats) -> Image:
    """A mask (255) of what is no table, without specks; in a shadow it has no more colour over its lightness."""
    light, a, b = cv2.split(lab)
    chroma = cv2.magnitude(a, b)
    there = ((chroma > CHROMA) & (chroma > STRENGTH * (light + BLACK))) | (light < DARK)
    clean = cv2.morphologyEx(there.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return _without_holes(np.asarray(clean, np.uint8), LEAST_PX**2 / 2)


def _edges(lab: Floats, half: float) -> Floats:
    """Where things of about this half width (px) end in a heap: 1 and more where the colour changes, or in a crease."""
    factor = min(1.0, HEAPED / half)
    size = (max(1, round(lab.shape[1] * factor)), max(1, round(lab.shape[0] * factor)))
    small = cv2.resize(lab, size, interpolation=cv2.INTER_AREA)
    light = np.minimum(small[..., 0], SHINING)
    strength = small[..., 1:] / np.maximum(light[..., None] + BLACK, DIM)
    across, down = (cv2.filter2D(strength, -1, step) for step in (ACROSS, ACROSS.T))
    change = np.sqrt(np.maximum(np.square(across).sum(axis=2), np.square(down).sum(axis=2)))
    around = cv2.morphologyEx(light, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, CREASE))
    crease = (around - light) / (around + BLACK)
    found = np.maximum(change / CHANGED, crease / DARKER)
    return np.asarray(cv2.resize(found, lab.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _half(strange: Image) -> float:
    """The usual half width (px) of patches; of those that are one thing each, if there are any."""
    within = cv2.distanceTransform(strange, cv2.DIST_L2, 5)
    patches, _ = cv2.findContours(strange, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    halves, alone = [], []
    for patch in patches:
        x, y, width, height = cv2.boundingRect(patch)
        half = float(within[y : y + height, x : x + width].max())
        if half > LEAST_PX / 2:
            halves.append(half)
            if cv2.contourArea(patch) > FULL * max(1.0, cv2.contourArea(cv2.convexHull(patch))):
                alone.append(half)
    return float(np.median(alone or halves or [0.0]))


def _middles(strange: Image, edges: Floats, usual: float) -> list[tuple[float, float, float]]:
    """The middle (x, y) and half width of every thing: of a patch whole, or of each part where several touch."""
    inner = ((strange > 0) & (edges < 1)).astype(np.uint8) * np.uint8(255)
    inner = _without_holes(inner, (HOLE * usual) ** 2)
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(SMALL * usual / 2) + 1,) * 2)
    inner = np.asarray(cv2.morphologyEx(inner, cv2.MORPH_OPEN, round_), np.uint8)
    within = cv2.distanceTransform(inner, cv2.DIST_L2, 5)
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(inner)
    parts = [np.s_[y : y + h, x : x + w] for x, y, w, h in boxes[1:, :4].tolist()]
    found = []
    for i, part in enumerate(parts, 1):
        half = float(within[part][labels[part] == i].max())
        if half < SMALL * usual:
            continue
        core = (labels[part] == i) & (within[part] > CORE * min(half, 1.1 * usual))
        several, apart, _, middles = cv2.connectedComponentsWithStats(core.astype(np.uint8))
        for j in range(1, several):
            x, y = middles[j].tolist()
            found.append((part[1].start + x, part[0].start + y, float(within[part][apart == j].max())))
    return found


def _without_holes(mask: Image, most: float) -> Image:
    """A mask (255) whose holes of no more than so many square pixels are filled."""
    outlines, above = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    holes = [hole for hole, tree in zip(outlines, above[0], strict=True) if tree[3] >= 0] if outlines else []
    small = [hole for hole in holes if cv2.contourArea(hole) < most]
    return np.asarray(cv2.drawContours(mask, small, -1, 255, cv2.FILLED), np.uint8)
