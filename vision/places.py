"""Where the markers of one table lie, so that its frame stays when a cup stands on one of them or one is moved.

A single photo counts from the lowest marker it shows. A camera's photos show the same table again and again: they all
count from the lowest marker that any of them has shown, by way of those that lie as they lay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from vision.plane import TABLE_IDS, Floats, Marker, Plane

MOVED_MM: Final = 12.0  #: a marker so far from its place was moved; two photos of one table differ by a few at most
Quads = Mapping[int, Floats]  #: corners (4 × 2, mm) by marker


class Places:
    """The places of a table's markers, learned from its photos one after the other.

    `missing` are the markers known that the last photo does not show; `moved`, whether it could not be taken because
    those it shows lie otherwise and nobody can say which of them still lies as it lay.
    """

    def __init__(self) -> None:
        self._known: dict[int, Floats] = {}
        self._origin: int | None = None  # the marker in whose frame all of them are, unless it was moved
        self.missing: tuple[int, ...] = ()
        self.moved = False

    def framed(
        self, table: Plane | None, markers: Iterable[Marker], left_out: Iterable[int] = ()
    ) -> tuple[Plane | None, tuple[str, ...]]:
        """A photo's plane in the frame of this table, and warnings; None where it cannot be told."""
        seen = {m.id: m.corners for m in markers if m.id in TABLE_IDS}
        self.missing = tuple(sorted(self._known.keys() - seen.keys()))
        self.moved = False
        said = tuple(f"marker {number} is not seen" for number in self.missing)
        if table is None:
            return None, said
        wrong = set(left_out)
        here = {number: table.to_mm(corners) for number, corners in seen.items() if number not in wrong}
        if not self._known:
            self._known, self._origin = here, min(here)
            return table, said
        common = sorted(here.keys() & self._known.keys())
        lying = _lying(here, self._known, common)
        if not lying:
            self.moved = bool(common)
            return None, (*said, "the markers do not lie as they lay: lay them back, or begin anew") if common else said
        said += tuple(f"marker {number} was moved" for number in common if number not in lying)
        if min(here) < min(self._known):  # the table counts from this one now
            turn, shift = _fit(self._known, here, lying)
            self._known = {number: quad @ turn.T + shift for number, quad in self._known.items()}
            self._origin = min(here)
        elif self._origin not in lying:
            turn, shift = _fit(here, self._known, lying)
            table = table.reframed(turn, shift)
            here = {number: quad @ turn.T + shift for number, quad in here.items()}
            self._origin = None if self._origin in common else self._origin
        self._known |= {number: quad for number, quad in here.items() if number not in lying}
        return table, said


def _lying(here: Quads, known: Quads, common: Sequence[int]) -> list[int]:
    """Those of the markers that lie to each other as they lay: more than half of them, or none."""
    if len(common) < 2:
        return list(common)
    agreeing = max((_agreeing(here, known, common, pair) for pair in combinations(common, 2)), key=len)
    return agreeing if 2 * len(agreeing) > len(common) and len(agreeing) > 1 else []


def _agreeing(here: Quads, known: Quads, common: Sequence[int], pair: Sequence[int]) -> list[int]:
    """The markers that lie where they lay when this pair is laid on its places."""
    turn, shift = _fit(here, known, pair)
    return [i for i in common if np.linalg.norm(here[i] @ turn.T + shift - known[i], axis=1).max() < MOVED_MM]


def _fit(these: Quads, those: Quads, markers: Iterable[int]) -> tuple[Floats, Floats]:
    """The turn (2 × 2) and shift (2) that lay these markers best on those."""
    one, other = (np.vstack([quads[i] for i in markers]) for quads in (these, those))
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    along, across = float((a * b).sum()), float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    turn = np.array([[along, -across], [across, along]]) / np.hypot(along, across)
    return turn, other.mean(axis=0) - one.mean(axis=0) @ turn.T
