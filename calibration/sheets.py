"""Components laid apart in rows on a sheet: where each lies, to a fraction of a millimetre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
    view = TopView.of(image_bgr, plane, SCALE)
    away = np.array([corners.mean(axis=0) for corners in but]).reshape(-1, 2)
    seen = np.concatenate([_at_turn(view, size, turn) for turn in TURNS])
    turn = np.radians(seen[:, 2:3])
    right, down = np.moveaxis(away - seen[:, None, :2], 2, 0)
    along, across = right * np.cos(turn) + down * np.sin(turn), down * np.cos(turn) - right * np.sin(turn)
    free = ((np.abs(along) > size[0] / 2) | (np.abs(across) > size[1] / 2)).all(axis=1)
    clearest = seen[free][np.argsort(-seen[free, 3], kind="stable")]
    return [Outline(Pose(size, x, y, turn % 360), clear) for x, y, turn, clear in _distinct(clearest, size).tolist()]


def _at_turn(view: TopView, size: tuple[float, float], turn: float) -> Doubles:
    """The rectangles at one turn: the picture is turned back and its edges summed along the four sides.

    Rows of x, y (mm), turn and how clear it is.
    """
    rows, columns = view.picture.shape[:2]
    middle = (columns / 2, rows / 2)
    back = cv2.getRotationMatrix2D(middle, turn, 1.0)
    upright = np.asarray(cv2.warpAffine(view.picture, back, (columns, rows), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    across = _edges(upright, 1, 0)
    down = _edges(upright, 0, 1)
    width, height = (max(4, round(side * SCALE)) for side in size)
    level: Floats = np.asarray(cv2.blur(down, (width, 1)), np.float32)
    upright_side: Floats = np.asarray(cv2.blur(across, (1, height)), np.float32)
    # a side may be a pixel off: the frame is never cut quite true
    level = np.asarray(cv2.dilate(level, np.ones((3, 1), np.uint8)), np.float32)
    upright_side = np.asarray(cv2.dilate(upright_side, np.ones((1, 3), np.uint8)), np.float32)
    above, below = _moved(level, 0, -height / 2), _moved(level, 0, height / 2)
    before, after = _moved(upright_side, -width / 2, 0), _moved(upright_side, width / 2, 0)
    weakest = cv2.min(cv2.min(above, below), cv2.min(before, after))
    clear = 0.5 * weakest + 0.125 * (above + below + before + after)
    top = cv2.dilate(clear, np.ones((9, 9), np.uint8))
    ys, xs = np.nonzero((clear == top) & (clear > 0.2))
    forward = np.asarray(cv2.invertAffineTransform(back), np.float64)
    places = np.array(view.origin) + np.column_stack([xs, ys, np.ones(len(xs))]) @ forward.T / SCALE
    return np.column_stack([places, np.full(len(xs), turn), clear[ys, xs]])


def _edges(picture: Image, dx: int, dy: int) -> Floats:
    """How much of an edge in this direction there is at each pixel, whatever its strength: 0 … 1."""
    blue, green, red = cv2.split(np.abs(cv2.Sobel(picture, cv2.CV_16S, dx, dy)))
    gradient = cv2.max(cv2.max(blue, green), red)
    usual = float(np.median(gradient[::2, ::2])) / 4 + 2.0
    steep = gradient.astype(np.float32)
    return np.asarray(steep / (steep + np.float32(8 * usual)), np.float32)


def _moved(picture: Floats, right: float, down: float) -> Floats:
    """The picture's values as seen from (right, down) pixels away."""
    shift = np.array([[1, 0, -right], [0, 1, -down]], np.float32)
    rows, columns = picture.shape
    return np.asarray(cv2.warpAffine(picture, shift, (columns, rows)), np.float32)


def _distinct(found: Doubles, size: tuple[float, float]) -> Doubles:
    """The clearest of those that lie over each other, down to the first that is not HALF as clear as the clearest."""
    kept: list[Doubles] = []
    while len(found) and (not kept or kept[-1][3] >= HALF * kept[0][3]):
        kept.append(found[0])
        across, down = np.abs(found[:, :2] - found[0, :2]).T
        shared = np.maximum(0, size[0] - across) * np.maximum(0, size[1] - down)
        found = found[shared <= APART * size[0] * size[1]]
    return np.array(kept).reshape(-1, 4)


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
