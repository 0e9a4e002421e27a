"""Components laid apart in rows on a sheet: where each lies, to a fraction of a millimetre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.plane import Plane
from vision.topview import TopView

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

SCALE: Final = 1.0  #: pixels per millimetre of the first search
TURNS: Final = range(-12, 13, 2)  #: degrees a component on a sheet may lie askew
APART: Final = 0.06  #: components on a sheet lie apart: outlines that overlap by more than this share are one
GAP: Final = 0.88  #: an outline this much weaker than the one before it may be the first that is none,
HALF: Final = 0.5  #: … if the one before it is this clear, the clearest being 1
WEAK: Final = 0.72  #: without such a gap, one this much weaker than the clearest is none
REACH_MM: Final = 2.5  #: a side is looked for this far from where it was first seen
SHRUNK_MM: Final = 0.5  #: a component may seem this much smaller than it is,
STRETCHED: Final = 0.03  #: … and this share larger
FRAME: Final = 0.45  #: edges that are as far apart as the card is large are preferred to others by this factor
FINE: Final = 4.0  #: steps per millimetre in which it is looked for


@dataclass(frozen=True, slots=True)
class Outline:
    """A rectangle seen on a sheet, and how clear its four sides are (0 … 1)."""

    pose: Pose
    clear: float


def outlines(image_bgr: Image, plane: Plane, size: tuple[float, float], but: Sequence[Doubles] = ()) -> list[Outline]:
    """Every rectangle of this size (width, height in mm) that lies about upright, the clearest first.

    The last one is no longer clear. `but` are places (corners in mm) that none may hold: the markers.
    """
    view = TopView.of(image_bgr, plane, SCALE, many=True)  # it is warped at each turn
    away = np.array([corners.mean(axis=0) for corners in but]).reshape(-1, 2)
    seen = np.concatenate([_at_turn(view, size, turn, away) for turn in TURNS])
    clearest = seen[np.argsort(-seen[:, 3], kind="stable")]
    return [Outline(Pose(size, x, y, turn % 360), clear) for x, y, turn, clear in _distinct(clearest, size).tolist()]


def _at_turn(view: TopView, size: tuple[float, float], turn: float, away: Doubles) -> Doubles:
    """The rectangles at one turn that hold none of the places `away` (n × 2, mm).

    The picture is turned back and its edges summed along the four sides. Rows of x, y (mm), turn and how clear it is.
    """
    rows, columns = view.picture.shape[:2]
    back = cv2.getRotationMatrix2D((columns / 2, rows / 2), turn, 1.0)
    upright = cv2.warpAffine(view.picture, back, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    clear = _clear(np.asarray(upright, np.uint8), size)
    top = cv2.dilate(clear, np.ones((9, 9), np.uint8))
    there = (clear == top) & (clear > 0.2)
    for middle in view.pixels(away) @ back[:, :2].T + back[:, 2]:
        there[_holding(middle, size)] = False
    ys, xs = np.divmod(np.flatnonzero(there), columns)
    forward = np.asarray(cv2.invertAffineTransform(back), np.float64)
    places = np.array(view.origin) + np.column_stack([xs, ys, np.ones(len(xs))]) @ forward.T / SCALE
    return np.column_stack([places, np.full(len(xs), turn), clear[ys, xs]])


def _holding(place: Doubles, size: tuple[float, float]) -> tuple[slice, slice]:
    """The rows and columns about whose pixels an upright rectangle holds this place (x, y in pixels)."""
    half = np.array(size) * SCALE / 2
    left, above = np.maximum(0, np.ceil(place - half)).astype(int).tolist()
    right, below = np.maximum(0, np.floor(place + half) + 1).astype(int).tolist()
    return slice(above, below), slice(left, right)


def _clear(picture: Image, size: tuple[float, float]) -> Floats:
    """How clear the sides of an upright rectangle about each pixel are, the weakest of the four counting most."""
    colours = cv2.split(picture)[:3]
    width, height = (max(4, round(side * SCALE)) for side in size)
    level = cv2.blur(_edges(colours, 0, 1), (width, 1))
    upright_side = cv2.blur(_edges(colours, 1, 0), (1, height))
    # a side may be a pixel off: the frame is never cut quite true
    above, below = _about(np.asarray(cv2.dilate(level, np.ones((3, 1), np.uint8)), np.float32), 0, height)
    before, after = _about(np.asarray(cv2.dilate(upright_side, np.ones((1, 3), np.uint8)), np.float32), width, 0)
    weakest = cv2.min(cv2.min(above, below), cv2.min(before, after))
    together = above + below
    together += before
    together += after
    return np.asarray(cv2.addWeighted(weakest, 0.5, together, 0.125, 0), np.float32)


def _edges(colours: Sequence[NDArray[Any]], dx: int, dy: int) -> Floats:
    """How much of an edge in this direction there is at each pixel, whatever its strength: 0 … 1."""
    # colour by colour: to take slopes of all three apart would cost more than the slopes
    blue, green, red = (np.abs(cv2.Sobel(colour, cv2.CV_16S, dx, dy)) for colour in colours)
    gradient = cv2.max(cv2.max(blue, green), red)
    # the median: so few different values are sorted far sooner than np.median finds it
    some = np.sort(gradient[::2, ::2], axis=None)
    usual = float(some[(some.size - 1) // 2 : some.size // 2 + 1].mean()) / 4 + 2.0
    steep = gradient.astype(np.float32)
    return np.asarray(steep / (steep + np.float32(8 * usual)), np.float32)


def _about(picture: Floats, across: int, down: int) -> tuple[Floats, Floats]:
    """The picture's values half of (across, down) pixels before and behind each pixel; 0 beyond it."""
    rows, columns = picture.shape
    right, below = -(-across // 2), -(-down // 2)
    wide = cv2.copyMakeBorder(picture, below, below, right, right, cv2.BORDER_CONSTANT, value=0)
    if across % 2 or down % 2:  # between two pixels
        next_one = wide[down % 2 :, across % 2 :]
        wide = cv2.addWeighted(wide[: next_one.shape[0], : next_one.shape[1]], 0.5, next_one, 0.5, 0)
    found = np.asarray(wide, np.float32)
    return found[:rows, :columns], found[down:, across:]


def _distinct(found: Doubles, size: tuple[float, float]) -> Doubles:
    """The clearest of those that lie over each other, down to the first that is not HALF as clear as the clearest."""
    x, y = np.ascontiguousarray(found[:, :2].T)
    rest = np.ones(len(found), np.bool_)
    kept: list[int] = []
    while rest.any() and (not kept or found[kept[-1], 3] >= HALF * found[kept[0], 3]):
        kept.append(int(rest.argmax()))
        across, down = size[0] - np.abs(x - x[kept[-1]]), size[1] - np.abs(y - y[kept[-1]])
        rest &= np.maximum(0, across) * np.maximum(0, down) <= APART * size[0] * size[1]
    return found[kept]


def counted(found: list[Outline]) -> list[Outline]:
    """Those outlines that are components: all before the largest drop in how clear they are, the clearest first.

    How many are expected is not asked: a false count must be seen.
    """
    clear = [o.clear for o in found]
    drops = {i: clear[i] / clear[i - 1] for i in range(1, len(found)) if clear[i - 1] >= HALF * clear[0]}
    end = min(drops, key=drops.__getitem__, default=0)
    if drops and drops[end] < GAP:
        return found[:end]
    return [o for o in found if o.clear >= WEAK * clear[0]]


def rows(found: list[Outline], height: float) -> list[list[Outline]]:
    """The components row by row, each row from left to right."""
    lines: list[list[Outline]] = []
    for outline in sorted(found, key=lambda o: o.pose.y):
        if lines and outline.pose.y - np.mean([o.pose.y for o in lines[-1]]) < 0.5 * height:
            lines[-1].append(outline)
        else:
            lines.append([outline])
    return [sorted(line, key=lambda o: o.pose.x) for line in lines]


def corners(image_bgr: Image, plane: Plane, pose: Pose) -> Doubles:
    """The corners of the component in pixels (4 × 2), where lines fitted to its four sides meet.

    A printed frame may be clearer than the edge of the card; but only the edges are as far apart as the card is large.
    """
    quad = pose.corners()
    sides = [_Side.of(image_bgr, plane, quad[i], quad[(i + 1) % 4]) for i in range(4)]
    lines = [np.zeros(3)] * 4
    for i, length in ((0, pose.size[1]), (1, pose.size[0])):
        lines[i], lines[i + 2] = _apart(sides[i], sides[i + 2], length)
    points = np.array([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    return plane.to_px(points[:, :2] / points[:, 2:])


def _apart(one: _Side, other: _Side, length: float) -> tuple[Doubles, Doubles]:
    """The clearest lines near two opposite sides that are as far apart as they should be, or a little more.

    Where a printed frame is far clearer than that, it is taken for centred, and the edges are where the size says.
    """
    together = one.offsets[:, None] + other.offsets[None]
    # white cards seem larger where too much light spills over their edges, and sheets are not printed quite to scale
    allowed = (together > -SHRUNK_MM) & (together < STRETCHED * length + SHRUNK_MM)
    clear = one.clear[:, None] * other.clear[None]
    i, j = np.unravel_index(int(np.where(allowed, clear, FRAME * clear).argmax()), clear.shape)
    outward = 0.0 if allowed[i, j] else -float(together[i, j]) / 2
    return one.line(int(i), outward), other.line(int(j), outward)


@dataclass(frozen=True, slots=True)
class _Side:
    """How clear an edge is along lines near one side: by offset outward (mm), each at its best lean."""

    start: Doubles
    end: Doubles
    offsets: Doubles
    clear: Doubles
    lean: Doubles

    @classmethod
    def of(cls, image_bgr: Image, plane: Plane, start: Doubles, end: Doubles) -> _Side:
        along = end - start
        length = float(np.hypot(*along))
        outward = np.array([along[1], -along[0]]) / length
        places = np.linspace(0.06, 0.94, 48)
        steps = np.arange(-REACH_MM, REACH_MM + 1e-6, 1 / FINE)
        points = start + along * places[:, None, None] + outward * steps[:, None]
        px = plane.to_px(points.reshape(-1, 2)).astype(np.float32).reshape(*points.shape)
        seen = cv2.remap(image_bgr, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        edge = np.abs(np.diff(seen.astype(np.float32), axis=1)).max(axis=2)
        edge = edge / (edge + 2 * np.median(edge) + 1)
        rows = np.repeat(np.arange(len(places), dtype=np.float32)[:, None], edge.shape[1], axis=1)
        leans = np.tan(np.radians(np.arange(-2.0, 2.01, 0.25)))
        totals = []
        for lean in leans:
            shift = lean * (places - 0.5) * length * FINE
            columns = (np.arange(edge.shape[1]) + shift[:, None]).astype(np.float32)
            totals.append(cv2.remap(edge, columns, rows, cv2.INTER_LINEAR).mean(axis=0))
        clear = np.array(totals)
        best = clear.argmax(axis=0)
        return cls(start, end, steps[:-1] + 0.5 / FINE, clear.max(axis=0), leans[best])

    def line(self, at: int, outward_mm: float) -> Doubles:
        """The line (homogeneous, mm) of the edge at an offset, to a fraction of a step, moved outward."""
        offset = float(self.offsets[at]) + outward_mm
        if 0 < at < len(self.clear) - 1:
            left, middle, right = self.clear[at - 1 : at + 2]
            bend = float(left - 2 * middle + right)
            offset += 0.5 * float(np.clip((left - right) / bend, -1, 1)) / FINE if bend < 0 else 0.0
        along = self.end - self.start
        length = float(np.hypot(*along))
        outward = np.array([along[1], -along[0]]) / length
        lean = float(self.lean[at]) * length / 2
        first, last = self.start + outward * (offset - lean), self.end + outward * (offset + lean)
        return np.cross(np.append(first, 1.0), np.append(last, 1.0))
