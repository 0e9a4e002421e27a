"""What lies where on a photo: markers, plane, components, beads and pieces, each with its doubt."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import plane
from vision.deck import Deck
from vision.observation import Observation

Image = NDArray[np.uint8]
T = TypeVar("T")


class Observer:
    """Looks at photos of a table on which the components of one deck lie."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._markers = plane.MarkerFinder()

    def observe(self, image_bgr: Image) -> Observation:
        """What lies where on this photo (height × width × 3, BGR)."""
        clock = Clock()
        height, width = image_bgr.shape[:2]
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        markers = clock.time("markers", lambda: self._markers.find(grey))
        table, _left_out = clock.time("plane", lambda: plane.solve(markers, (width, height)))
        return Observation(size=(width, height), markers=markers, plane=table, stages=clock.stages)


class Clock:
    """Adds up the milliseconds of named stages."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Do the work and put its time to this stage's account."""
        start = perf_counter()
        try:
            return work()
        finally:
            self.stages[stage] = self.stages.get(stage, 0.0) + 1000 * (perf_counter() - start)
