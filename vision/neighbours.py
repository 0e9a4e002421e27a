"""Where more components may lie, told by those already found: side by side, or half under one another.

A plain tile has nothing for features to hold on to, and of a card in a column only a strip shows; but both lie along
the edges of others. These are only places to look at closely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.covering import Covering
from vision.gallery import RIM_MM, Gallery
from vision.photo import Pose
from vision.verify import Examiner

Floats = NDArray[np.float32]

GAP_MM: Final = 1.5  #: between components that lie side by side
STRIP: Final = 0.1  #: share of a component by whose strip it is looked for
LEAST_MM: Final = 8.0
REACH: Final = 0.55  #: how far beyond the edge of the upper one a strip may end, in lengths of the component
SLACK_MM: Final = 5.0  #: how far cards of one column lie to the left or right of each other
OPEN: Final = 0.12  #: less than this of the ground beyond an edge unexplained, and nothing sticks out there
SHOWN: Final = 0.05  #: … and neither where less than this share of a component would be seen of it
HARDLY: Final = 0.5  #: … of which this share was left: what shows is told roughly first
LIKE: Final = 0.45  #: likeness of a strip worth a closer look
ALIKE: Final = 0.6  #: strips this alike are looked for only once,
TWINS: Final = 0.85  #: … or where nothing else explains what is seen: strips this alike
MOST: Final = 2  #: places of strips along one edge


def beside(pose: Pose, steps: int = 1) -> list[Pose]:
    """The four places next to a component, as in a grid; or so many steps away."""
    across, down = (steps * (side * pose.stretch + GAP_MM) for side in pose.size)
    return [pose.moved(*step) for step in ((across, 0), (-across, 0), (0, down), (0, -down))]


def ground(pose: Pose, quarters: int) -> Pose:
    """The ground beyond a component's bottom edge turned by `quarters` × 90°, with some slack left and right."""
    width, height = pose.size[::-1] if quarters % 2 else pose.size
    turn, reach = (pose.turn + 90 * quarters) % 360, REACH * height
    angle, away = math.radians(turn), (height / 2 + reach / 2) * pose.stretch
    x, y = pose.x - math.sin(angle) * away, pose.y + math.cos(angle) * away
    return Pose((width + 2 * SLACK_MM, reach), x, y, turn, pose.stretch, pose.votes)


def any_around(taken: Covering, pose: Pose) -> bool:
    """Whether enough is unexplained all around a component that another may stick out from under it."""
    width, height = pose.size
    all_around = (width + 2 * max(REACH * width, SLACK_MM), height + 2 * max(REACH * height, SLACK_MM))
    return taken.left_about(pose.resized(all_around)) > HARDLY**2 * SHOWN * width * height


class Strips:
    """The four edges of all faces of a gallery, to find cards of which only an edge shows."""

    def __init__(self, gallery: Gallery, alike: Strips | None = None) -> None:
        """The edges that differ from each other; those that do in a gallery of the same faces, where it is given."""
        self.gallery = gallery
        edges = [_edges(gallery.coarse, quarters, gallery.coarse_scale) for quarters in range(4)]
        #: rows and columns of the edges, by quarters
        self._shapes = [(edge.shape[1], edge.shape[2]) for edge in edges]
        rows = [_normed(edge.reshape(len(edge), -1)) for edge in edges]
        self._numbers: list[list[int]] = alike._numbers if alike else [_distinct(each, ALIKE) for each in rows]
        #: by quarters, the edges as rows of unit length: those that differ, and those that are no twins
        self._few = [each[numbers] for each, numbers in zip(rows, self._numbers, strict=True)]
        self._many = self._few if alike else [each[_distinct(each, TWINS)] for each in rows]

    def sides(self, examiner: Examiner, pose: Pose, asked: Callable[[Pose], bool]) -> dict[int, float]:
        """How much (mm²) is unexplained beyond those edges, by quarters, beyond which another may stick out.

        Only ground that is `asked` for is looked at.
        """
        if not any_around(examiner.taken, pose):
            return {}
        least = SHOWN * pose.size[0] * pose.size[1]
        grounds = {quarters: ground(pose, quarters) for quarters in range(4)}
        sides = {q: self._sticks_out(examiner, there, least) for q, there in grounds.items() if asked(there)}
        return {quarters: much for quarters, much in sides.items() if much}

    def _sticks_out(self, examiner: Examiner, there: Pose, least: float) -> float:
        """How much (mm²) is unexplained on the ground beyond an edge; 0 where `least` is not reached: no other's."""
        taken = examiner.taken
        if taken.left_of(there) * there.size[0] * there.size[1] <= HARDLY * least:
            return 0.0
        free, bare = taken.free_and_bare(there)
        if free <= OPEN or bare >= 1 - OPEN:
            return 0.0
        unexplained = taken.unexplained(there)
        return unexplained if unexplained > least else 0.0

    def beneath(self, examiner: Examiner, pose: Pose, quarters: int, *, closely: bool = False) -> list[Pose]:
        """Poses of cards that stick out from under a card, beyond its bottom edge turned by `quarters` × 90°.

        Edges much alike are taken for one another, unless it is to look `closely`.
        """
        gallery = self.gallery
        turned = _seen_turned(pose, quarters)
        beyond = ground(pose, quarters)
        shape = (
            max(4, round(beyond.size[1] * gallery.coarse_scale)),
            max(4, round(beyond.size[0] * gallery.coarse_scale)),
        )
        seen = examiner.look(beyond, shape, gallery.coarse_scale).values
        rows, columns = self._shapes[quarters]
        if rows > shape[0] or columns > shape[1]:
            return []
        found: list[tuple[float, Pose]] = []
        alike = _likeness(seen, (self._many if closely else self._few)[quarters], rows, columns)
        for like in alike[alike.max(axis=(1, 2)) >= LIKE]:
            for _ in range(MOST):
                _, best, _, (x, y) = cv2.minMaxLoc(like)
                if best < LIKE:
                    break
                right = (x + columns / 2 - shape[1] / 2) / gallery.coarse_scale
                end = (y + rows) / gallery.coarse_scale
                there = turned.moved(right * pose.stretch, (end + RIM_MM) * pose.stretch)
                found.append((best, replace(_seen_turned(there, -quarters), votes=0)))
                like[max(0, y - 4) : y + 5] = -1
        found.sort(key=lambda item: -item[0])
        kept: list[Pose] = []
        for _, place in found:
            if all(np.hypot(place.x - k.x, place.y - k.y) > 3.0 for k in kept):
                kept.append(place)
        return kept[: 2 * MOST]


def _seen_turned(pose: Pose, quarters: int) -> Pose:
    """The same place in a frame turned clockwise by quarters."""
    width, height = pose.size
    size = (height, width) if quarters % 2 else (width, height)
    return pose.resized(size).moved(0, 0, 90 * quarters)


def _edges(faces: Floats, quarters: int, scale: float) -> Floats:
    """The faces' edges that lie at the bottom when the faces are looked at turned by quarters."""
    turned = np.rot90(faces, quarters, axes=(1, 2))
    rows = max(round(STRIP * turned.shape[1]), round(LEAST_MM * scale))
    return np.ascontiguousarray(turned[:, -rows:])


def _normed(rows: Floats) -> Floats:
    """Rows of unit length."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)


def _likeness(seen: Floats, edges: Floats, rows: int, columns: int) -> Floats:
    """How like each edge (a row of unit length) what is seen (h × w × 3) is at each place: edges × down × across."""
    down, across = seen.shape[0] - rows + 1, seen.shape[1] - columns + 1
    flat = seen.reshape(seen.shape[0], -1)
    windows = np.lib.stride_tricks.sliding_window_view(flat, (rows, 3 * columns))[:, ::3]
    places = windows.reshape(down * across, -1)
    power = np.einsum("ij,ij->i", places, places)
    # one product for all: a fraction of the time that matching one after the other takes
    like = edges @ places.T / np.sqrt(np.maximum(power, np.float32(1e-6)))
    return np.asarray(like, np.float32).reshape(-1, down, across)


def _distinct(rows: Floats, alike: float) -> list[int]:
    """The numbers of those edges that do not look as much like an earlier one."""
    like = rows @ rows.T
    kept: list[int] = []
    for i in range(len(rows)):
        if (like[i, kept] < alike).all():
            kept.append(i)
    return kept
