"""Which of components that overlap lies on top: they are told in that order, the upper one first."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import Final

import numpy as np

from vision.observation import Component
from vision.regions import overlap

STILL: Final = 0.1  #: of its shorter side: what was found again lies no farther from where it lay before


def upper_first(kept: Sequence[Component], found: Sequence[Component], before: Sequence[Component]) -> list[Component]:
    """What was `kept` of what lay there `before`, and what was `found` just now; both and all have the upper one first.

    What was kept looks as it did before. So it still lies on what it lay on, and nothing that has come lies on it.
    """
    things = [*kept, *found]
    places = [_place(thing, before) for thing in things]
    corners = np.array([thing.corners for thing in things], np.float32).reshape(-1, 4, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = ((low[:, None] < high) & (low < high[:, None])).all(axis=2)
    upper: dict[int, list[int]] = {i: [] for i in range(len(things))}
    for i, j in combinations(range(len(things)), 2):
        if near[i, j] and overlap(corners[i], corners[j]):
            across = i < len(kept) <= j  # all others are in order already
            first, second = (j, i) if across and places[j] < places[i] else (i, j)
            upper[second].append(first)
    try:
        return [things[i] for i in TopologicalSorter(upper).static_order()]
    except CycleError:  # each lies on the next one: there is no order
        return things


def _place(thing: Component, before: Sequence[Component]) -> int:
    """Its number among those that lay there before; behind all of them where it was none."""
    there = np.array(thing.corners)
    least = STILL * float(np.linalg.norm(there - np.roll(there, 1, axis=0), axis=1).min())
    for number, other in enumerate(before):
        if other.component == thing.component and np.abs(there - other.corners).max() < least:
            return number
    return len(before)
