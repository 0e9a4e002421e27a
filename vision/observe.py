"""What lies where on a photo: markers, plane, components, beads and pieces, each with its doubt."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import plane
from vision.cards import CardFinder, Found
from vision.deck import Deck
from vision.observation import Component, Doubt, Observation
from vision.photo import Photo

Image = NDArray[np.uint8]
T = TypeVar("T")


class Observer:
    """Looks at photos of a table on which the components of one deck lie."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._markers = plane.MarkerFinder()
        self._cards = CardFinder(deck)

    def observe(self, image_bgr: Image) -> Observation:
        """What lies where on this photo (height × width × 3, BGR)."""
        clock = Clock()
        height, width = image_bgr.shape[:2]
        size = (width, height)
        grey = clock.time("grey", lambda: np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
        markers = clock.time("markers", lambda: self._markers.find(grey))
        table, left_out = clock.time("plane", lambda: plane.solve(markers, size))
        warnings = [f"marker {i} does not fit the others and was left out" for i in left_out]
        if table is None:
            warnings.append("fewer than two table markers seen: no places in millimetres")
            return Observation(size, ok=False, markers=markers, warnings=tuple(warnings), stages=clock.stages)
        photo = clock.time("prepare", lambda: Photo.of(image_bgr, table, markers))
        found = self._cards.find(photo, [table.to_mm(m.corners) for m in markers], clock.time)
        return Observation(
            size,
            markers=markers,
            components=tuple(self._component(photo, f) for f in found if not f.doubt),
            unsure=tuple(self._doubt(photo, f) for f in found if f.doubt),
            warnings=tuple(warnings),
            stages=clock.stages,
            plane=table,
        )

    def _component(self, photo: Photo, found: Found) -> Component:
        verdict = found.verdict
        pose = verdict.pose
        return Component(
            self.deck.full_name(verdict.name),
            verdict.gallery.kind,
            (pose.x, pose.y) if photo.plane.marked else None,
            pose.turn,
            photo.corners_px(pose),
            min(1.0, verdict.agreement.share),
            found.confidence,
        )

    def _doubt(self, photo: Photo, found: Found) -> Doubt:
        names = {self.deck.full_name(name): share for name, share in reversed(found.candidates)}
        ranked = tuple(sorted(names.items(), key=lambda item: -item[1]))
        return Doubt(ranked, found.doubt, photo.corners_px(found.verdict.pose))


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
