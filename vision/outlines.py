"""Rectangles of a known size seen on the table, whatever is printed on them: where plain components may lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.topview import TopView

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Shares = NDArray[np.uint16]
Places = tuple[Pose, ...]
Free = Callable[[Doubles], Bools]

SCALE: Final = 0.6  #: pixels per millimetre in which edges are summed
WHOLE: Final = 6553  #: stands for 1 where shares are kept in 16 bits, ten of which may be summed
CLEAR: Final = 0.25  #: the faintest outline that is worth a look (0 … 1)
TAKEN: Final = 0.4  #: a place of which more than this is explained is not looked at
#: an outline is fitted first in turns (degrees) and steps (mm) as large as these, then in smaller ones
FITS: Final = (((-4.0, -2.0, 0.0, 2.0, 4.0), 1.5), ((-1.0, 0.0, 1.0), 0.4))
GRID: Final = np.stack(np.meshgrid(np.arange(-2.0, 2.1), np.arange(-2.0, 2.1)), -1).reshape(-1, 2)
#: an outline is seen at so many places of its upper, lower, left and right side, of their lengths from the middle
ALONG: Final = np.linspace(-0.44, 0.44, 14)
LEAST_OF_SIDE: Final = 4  #: … so many of which must be seen of a side that is partly covered
LEVEL: Final = np.arange(4 * 14) < 2 * 14  #: which of them are on the first two
#: how far along the width and height they lie, and at which end of these
SIDES: Final = np.array(
    [
        np.concatenate(part)
        for part in (
            (ALONG, ALONG, 0 * ALONG, 0 * ALONG),
            (0 * ALONG, 0 * ALONG, ALONG, ALONG),
            (0 * ALONG, 0 * ALONG, 0 * ALONG - 1, 0 * ALONG + 1),
            (0 * ALONG - 1, 0 * ALONG + 1, 0 * ALONG, 0 * ALONG),
        )
    ]
)
STEPS: Final = np.arange(6.0, 90.0, 1.0)  #: mm by which components beneath others are looked for
STICKS_OUT: Final = 0.3  #: how clear the edge of such a one must be,
MOST_BEYOND: Final = 2  #: … of which so many are looked at on each side
THIN_MM: Final = 7.0  #: what is thinner than this beside a component is grain
WIDER_MM: Final = 26.0  #: bare table is known as such only so far beside what lies on it, on both sides together;
UNEVEN_MM: Final = 9.0  #: … the two directions differ by less than this
SHORT_MM: Final = 3.0  #: a patch of what is unlike the table may be so much shorter than what lies there,
RIM_MM: Final = 6.0  #: … or so much longer, by its shadow;
LOOSE_MM: Final = 4.0  #: … but where it is longer than this, it is looked for by its edges;
GAP_MM: Final = 8.0  #: … things with gaps no wider than this may look like one patch
FULL: Final = 0.85  #: … of whose rectangle it fills at least this share,
NEARLY_ALL: Final = 0.85  #: … if they are this share of all that is unlike the table
STEEP: Final = np.arange(4 * 255 + 1, dtype=np.float32) / 4  #: what a step in a picture of bytes may be (grey values)
MOST: Final = 32  #: outlines of one size at one turn
ALIKE: Final = 5.0  #: turns nearer than this (degrees) are looked at once


class Outlines:
    """The edges of one top view."""

    def __init__(self, view: TopView) -> None:
        """`view` is grey, at `SCALE`."""
        self.view = view
        self._across = cv2.Sobel(view.picture, cv2.CV_32F, 1, 0, scale=0.25)
        self._down = cv2.Sobel(view.picture, cv2.CV_32F, 0, 1, scale=0.25)
        self._usual = float(np.median(np.abs(self._across[::4, ::4]))) + 1.5
        self._known: dict[tuple[float, ...], tuple[Pose, Pose]] = {}  #: outlines that were fitted, by where they began

    def fitted(self, pose: Pose, free: Free | None = None) -> Pose:
        """The pose nearby (a few mm, a few degrees) whose four sides show most clearly.

        `free` tells of points (n × 2, mm) whether they are seen; what is not seen of the sides then does not count.
        """
        for turns, step in FITS:
            pose = self._fitted(pose, np.array(turns), step, free)
        return pose

    def laid(self, unlike: Image, table: TopView, sizes: Sequence[tuple[float, float]]) -> list[list[list[Places]]]:
        """Of each patch `unlike` the table (255, on its map): the ways in which components of one size may fill it.

        They lie alone, or in rows, each at one of a few places, the likeliest first. There are none where much else is
        unlike the table: among that they may lie askew.
        """
        patches, _ = cv2.findContours(unlike, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        least = min((min(size) for size in sizes), default=math.inf)
        filled, found = np.zeros_like(unlike), []
        for patch in patches:
            (x, y), (width, height), turn = cv2.minAreaRect(patch)
            if min(width, height) < least - SHORT_MM or cv2.contourArea(patch) < FULL * width * height:
                continue
            x, y = (np.array((x, y)) / table.scale + table.origin).tolist()
            whole = Pose((width / table.scale, height / table.scale), x, y, turn % 360)
            ways = [_in_rows(whole, size, more) for size in sizes for more in ((0, 90) if size[0] != size[1] else (0,))]
            ways = [way for way in ways if way[0]]
            if ways:
                found.append(ways)
                cv2.drawContours(filled, [patch], 0, 255, cv2.FILLED)
        if cv2.countNonZero(cv2.min(unlike, filled)) < NEARLY_ALL * cv2.countNonZero(unlike):
            return []
        return [[[self._near(p, *off) if off else (p,) for p in way] for way, off in ways] for ways in found]

    def _near(self, pose: Pose, right: float, down: float) -> Places:
        """Where one lies that lies about there, or so far (mm) to its sides: by its edges, or at an end.

        A shadow has edges, too.
        """
        along = (pose.turn + 90 * (pose.size[0] < pose.size[1])) % 180
        key = pose.x, pose.y, round(along), *sorted(pose.size)
        if key not in self._known:  # of another size it may have the same outline
            self._known[key] = pose, self.fitted(pose)
        start, fitted = self._known[key]
        ends = dict.fromkeys(pose.moved(x, y) for x in (-right, right) for y in (-down, down))
        return replace(pose, x=fitted.x, y=fitted.y, turn=(pose.turn + fitted.turn - start.turn) % 360), *ends

    def weakest(self, pose: Pose, free: Free) -> float:
        """How clear (0 … 1) that side of a pose is which is least clear where it is `free`; 0 if too little is."""
        sides = self._sides(pose, np.zeros(1), np.zeros((1, 2)), free)
        return float(sides.min()) if sides.size else 0.0

    def _fitted(self, pose: Pose, turns: Doubles, step: float, free: Free | None) -> Pose:
        """The best of the poses so much turned and up to two steps (mm) to each side."""
        steps = GRID * step
        sides = self._sides(pose, turns, steps, free)
        if not sides.size:
            return pose
        score = sides.min(axis=2) + 0.5 * sides.mean(axis=2)
        turn, best = np.unravel_index(int(score.argmax()), score.shape)
        right, down = steps[best]
        return replace(pose, x=pose.x + float(right), y=pose.y + float(down), turn=float(pose.turn + turns[turn]) % 360)

    def _sides(self, pose: Pose, turns: Doubles, steps: Doubles, free: Free | None) -> Floats:
        """How clear the sides of n × m poses are, so much turned (n) and moved (m × 2, mm); those that are seen."""
        x, y = (self.view.pixels(np.array([[pose.x, pose.y]]))[0]).tolist()
        width, height = (side * pose.stretch * SCALE for side in pose.size)
        angles = np.radians(pose.turn + turns)[:, None]
        c, s = np.cos(angles), np.sin(angles)
        u = SIDES[0] * width + SIDES[2] * (width / 2)
        v = SIDES[1] * height + SIDES[3] * (height / 2)
        # across each side: down the picture for the upper and lower one, along it for the other two
        nx, ny = np.where(LEVEL, -s, c).astype(np.float32), np.where(LEVEL, c, s).astype(np.float32)
        shifts: Floats = (steps * SCALE).astype(np.float32)
        px = np.asarray(x + c * u - s * v, np.float32)[:, None, :] + shifts[:, :1]
        py = np.asarray(y + s * u + c * v, np.float32)[:, None, :] + shifts[:, 1:]
        rows, columns = self.view.picture.shape
        i, j = _nearest(py, rows), _nearest(px, columns)
        there = i * np.int32(columns) + j
        edge = np.abs(self._across.ravel().take(there) * nx[:, None] + self._down.ravel().take(there) * ny[:, None])
        clear = (edge / (edge + np.float32(2 * self._usual))).reshape(*there.shape[:2], 4, 14)
        if free is None:
            return np.asarray(clear.mean(axis=3), np.float32)
        cosine, sine = math.cos(math.radians(pose.turn)), math.sin(math.radians(pose.turn))
        points = np.column_stack([cosine * u - sine * v, sine * u + cosine * v]) / SCALE + (pose.x, pose.y)
        seen = free(points).reshape(4, 14)
        much = seen.sum(axis=1) >= LEAST_OF_SIDE
        return np.asarray((clear * seen)[:, :, much].sum(axis=3) / seen[much].sum(axis=1), np.float32)

    def beyond(self, pose: Pose, quarters: int, least: float = STICKS_OUT) -> list[Pose]:
        """Poses of components that stick out from under this one, beyond its bottom edge turned by `quarters` × 90°.

        Each has a straight edge of its own there, along this one's, at `least` so clear (0 … 1); the farthest is a
        whole component away.
        """
        width, height = pose.size if quarters % 2 == 0 else pose.size[::-1]
        along = np.linspace(-0.44, 0.44, 28) * width * pose.stretch
        out = height / 2 * pose.stretch + STEPS[0.9 * height > STEPS]
        angle = np.radians(pose.turn + 90 * quarters)
        c, s = np.cos(angle), np.sin(angle)
        x = (pose.x + c * along - s * out[:, None] - self.view.origin[0]) * SCALE
        y = (pose.y + s * along + c * out[:, None] - self.view.origin[1]) * SCALE
        rows, columns = self.view.picture.shape
        i, j = np.clip(np.rint(y), 0, rows - 1).astype(np.intp), np.clip(np.rint(x), 0, columns - 1).astype(np.intp)
        edge = np.abs(-s * self._across[i, j] + c * self._down[i, j])
        clear = np.asarray(edge / (edge + 2 * self._usual)).mean(axis=1)
        near = cv2.dilate(clear[None], np.ones((1, 7), np.uint8))[0]
        peaks = np.flatnonzero((clear >= near) & (clear > least))
        best = peaks[np.argsort(-clear[peaks])][:MOST_BEYOND]
        return [replace(pose, x=pose.x - s * step, y=pose.y + c * step, votes=0) for step in STEPS[best]]

    def at(self, turn: float, sizes: Sequence[tuple[float, float]], explained: Image) -> list[Pose]:
        """Poses about so turned (degrees; a quarter more is the same) whose four sides show, the clearest first.

        `explained` (of the same ground, at any scale) is 255 where something was found already.
        """
        rows, columns = self.view.picture.shape
        # (linearly: areas take many times as long, and it is told roughly)
        explained = np.asarray(cv2.resize(explained, (columns, rows), interpolation=cv2.INTER_LINEAR), np.uint8)
        back = cv2.getRotationMatrix2D((columns / 2, rows / 2), turn, 1.0)
        upright = cv2.warpAffine(self.view.picture, back, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
        taken = cv2.warpAffine(explained, back, (columns, rows))
        across, down = _edges(np.asarray(upright, np.uint8), 1, 0), _edges(np.asarray(upright, np.uint8), 0, 1)
        forward = cv2.invertAffineTransform(back)

        @cache
        def clearest(width: float, height: float) -> tuple[list[float], list[list[float]]]:
            """How clear the clearest upright rectangles of this size are, and where they lie (mm)."""
            box = (max(4, round(width * SCALE)), max(4, round(height * SCALE)))
            clear = _clear(across, down, *box)
            clear[cv2.blur(taken, box) > 255 * TAKEN] = 0
            top = cv2.dilate(clear, np.ones((7, 7), np.uint8))
            peaks = np.asarray(clear >= top) & (clear > CLEAR * 10 * WHOLE)
            ys, xs = np.divmod(np.flatnonzero(peaks), columns)
            values = clear[ys, xs].astype(np.float64) / (10 * WHOLE)
            best = np.argsort(-values)[:MOST]
            places = np.column_stack([xs[best], ys[best]]) @ forward[:, :2].T + forward[:, 2]
            return values[best].tolist(), (places / SCALE + self.view.origin).tolist()

        found: list[tuple[float, Pose]] = []
        for size in sizes:
            shapes = {(size[0], size[1], 0), (size[1], size[0], 90 if size[0] != size[1] else 0)}
            for width, height, more in shapes:
                for value, (x, y) in zip(*clearest(width, height), strict=True):
                    found.append((value, Pose(size, x, y, (turn + more) % 360)))
        return [pose for _, pose in sorted(found, key=lambda item: -item[0])]


def alone(unexplained: Image, table: TopView, sizes: Sequence[tuple[float, float]]) -> list[Pose]:
    """Poses of patches of what is `unexplained` (255, on the table's map) that may be one component each."""
    thick = np.ones((round(THIN_MM * table.scale),) * 2, np.uint8)
    patches, _ = cv2.findContours(
        cv2.morphologyEx(unexplained, cv2.MORPH_OPEN, thick), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    found = []
    for patch in patches:
        middle, sides, turn = cv2.minAreaRect(patch)
        x, y = np.array(middle) / table.scale + table.origin
        for size in sizes:
            for width, height, more in ((*sides, 0.0), (*sides[::-1], 90.0)):
                wider, higher = width / table.scale - size[0], height / table.scale - size[1]
                if min(wider, higher) > 0 and max(wider, higher) < WIDER_MM and abs(wider - higher) < UNEVEN_MM:
                    found.append(Pose(size, float(x), float(y), (turn + more) % 360))
    return found


def _in_rows(whole: Pose, size: tuple[float, float], more: int) -> tuple[list[Pose], tuple[float, float] | None]:
    """Poses of components of this size, `more` degrees turned against the whole that they fill; [] if they do not.

    And how far (mm, along its own axes) each of them may lie off where they fill it so loosely that each may lie some
    way off: shadows make a patch larger to one side. Else None.
    """
    sides = size if not more else size[::-1]
    across, down = (_along(*lengths) for lengths in zip(whole.size, sides, strict=True))
    poses = [whole.moved(right, below, more).resized(size) for below in down for right in across]
    left = [whole.size[axis] - len(along) * sides[axis] for axis, along in enumerate((across, down))]
    if max(left) <= LOOSE_MM:
        return poses, None
    off = [max(0.0, rest) / 2 if len(along) == 1 else 0.0 for rest, along in zip(left, (across, down), strict=True)]
    return poses, (off[0], off[1]) if not more else (off[1], off[0])


def _along(whole: float, side: float) -> list[float]:
    """Where, from the middle, components as long as `side` lie side by side on the `whole` (mm); [] if none fit it."""
    count = int((whole + SHORT_MM) / side)
    if not count or whole - count * side > RIM_MM + (count - 1) * GAP_MM:
        return []
    end = max(0.0, whole - side) / 2
    return np.linspace(-end, end, count).tolist() if count > 1 else [0.0]


def _nearest(places: Floats, most: int) -> NDArray[np.int32]:
    """The pixels (0 … most − 1) nearest to places."""
    return np.asarray(np.clip(np.rint(places), 0, most - 1), np.int32)


def turns(poses: Sequence[Pose], period: float = 90.0) -> list[float]:
    """The turns (0 … period) that occur, the commonest first; a period (degrees) more is the same."""
    found: list[list[float]] = []
    for pose in poses:
        for group in found:
            if abs((pose.turn - group[0] + period / 2) % period - period / 2) < ALIKE:
                group.append(pose.turn)
                break
        else:
            found.append([pose.turn])
    found.sort(key=lambda group: -len(group))
    return [_middle(group, period) for group in found]


def _middle(group: Sequence[float], period: float) -> float:
    angles = np.exp(2j * np.pi * np.array(group) / period)
    return float(np.angle(angles.sum()) * period / (2 * np.pi) % period)


def _edges(picture: Image, dx: int, dy: int) -> Shares:
    """How much of an edge in this direction there is at each pixel, whatever its strength: 0 … `WHOLE`."""
    gradient = np.abs(cv2.Sobel(picture, cv2.CV_16S, dx, dy))
    usual = float(np.median(gradient[::4, ::4])) / 4 + 1.5
    shares = STEEP / (STEEP + np.float32(2 * usual)) * np.float32(WHOLE)  # of each gradient there may be
    return np.asarray(shares.astype(np.uint16).take(gradient), np.uint16)


def _clear(across: Shares, down: Shares, width: int, height: int) -> Shares:
    """How clear the weakest side of a rectangle around each pixel is, mostly: 0 … 10 `WHOLE`."""
    level = np.asarray(cv2.dilate(cv2.blur(down, (width, 1)), np.ones((3, 1), np.uint8)), np.uint16)
    upright = np.asarray(cv2.dilate(cv2.blur(across, (1, height)), np.ones((1, 3), np.uint8)), np.uint16)
    above, below = _apart(level, 0, round(height / 2))
    left, right = _apart(upright, round(width / 2), 0)
    weakest = np.asarray(cv2.min(cv2.min(above, below), cv2.min(left, right)), np.uint16)
    return np.asarray(6 * weakest + (above + below) + (left + right), np.uint16)


def _apart(picture: Shares, right: int, down: int) -> tuple[Shares, Shares]:
    """The picture's values as seen from so many pixels to the left or up, and to the right or down; 0 beyond it."""
    rows, columns = picture.shape
    framed: Shares = np.pad(picture, ((down, down), (right, right)))
    return framed[:rows, :columns], framed[2 * down :, 2 * right :]
