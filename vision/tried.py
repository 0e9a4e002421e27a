"""Places where components were looked for: nothing is looked at twice, and nothing counted twice, at one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from vision.photo import Pose

SAME_MM: Final = 2.0  #: poses nearer than this are at one place,
SAME_TURN: Final = 5.0  #: … in turns (degrees) nearer than this
SAME_SHARE: Final = 0.02  #: … and as much of both is free
NEAR_MM: Final = 4.0  #: poses that features say are at one place if they are nearer than this,
NEAR_TURN: Final = 10.0  #: … in turns (degrees) nearer than this


class Tried:
    """The poses that were looked at, and how much of each was free then."""

    def __init__(self) -> None:
        #: by size and cell of the table (of `SAME_MM`)
        self._cells: dict[tuple[tuple[float, float], int, int], list[tuple[Pose, float]]] = {}

    def __iter__(self) -> Iterator[Pose]:
        return (pose for there in self._cells.values() for pose, _ in there)

    def again(self, pose: Pose, free: float) -> bool:
        """Whether its place was tried while as much of it was `free`; if not, it is now."""
        column, row = int(pose.x // SAME_MM), int(pose.y // SAME_MM)
        around = [(pose.size, column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        for other, share in (one for cell in around for one in self._cells.get(cell, ())):
            if abs(share - free) < SAME_SHARE and one_place(pose, other):
                return True
        self._cells.setdefault((pose.size, column, row), []).append((pose, free))
        return False


def one_place(one: Pose, other: Pose, mm: float = SAME_MM, degrees: float = SAME_TURN) -> bool:
    """Whether two components of a size would lie exactly upon each other, be it in another turn of their outline."""
    if one.size != other.size or math.hypot(one.x - other.x, one.y - other.y) >= mm:
        return False
    period = 90 if one.size[0] == one.size[1] else 180
    return abs((one.turn - other.turn + period / 2) % period - period / 2) < degrees


def fresh(poses: Iterable[Pose]) -> list[Pose]:
    """The poses without those that are the same place in another turn: faces are compared in all turns."""
    kept: list[Pose] = []
    for pose in poses:
        if not any(one_place(pose, other, NEAR_MM, NEAR_TURN) for other in kept):
            kept.append(pose)
    return kept
