"""Follows a table through the photos of one camera: only what changed is recognised again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beads import Bead
from vision.observation import Component, Doubt, Observation
from vision.observe import Clock, Observer
from vision.photo import Photo, Pose
from vision.places import Places
from vision.plane import TABLE_IDS, Plane, Point
from vision.regions import Part, Rect, Region, overlap, pose_of, regions
from vision.stacked import upper_first

Image = NDArray[np.uint8]

MOST: Final = 0.3  #: of a photo: where more changed, all is looked at
NEAR_BEADS_MM: Final = 60.0  #: so much around a change is looked at to tell beads from the table
MARKED: Final = 1.4  #: a marker's white margin is its own
MOVED: Final = 0.3  #: of a board: where more changed, it may have been moved itself


class Follower:
    """Remembers what was seen last, so that only changes need be looked at."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._before: Observation | None = None
        self.places = Places()  #: of the table's markers

    def observe(self, image_bgr: Image, changed: Sequence[Rect] | None = None) -> Observation:
        """What lies where on the next photo, which differs from the one before only within `changed` (px).

        Without `changed` all of it is looked at; so it is where that is much of the photo or of a board, and where a
        marker came or went. Pieces lean over their surroundings: decks with some are read whole, but for the pieces.
        """
        before = self._before
        if self._observer.whole:
            self._before = self._observer.observe(image_bgr, changed, self.places)
        elif before is None or changed is None or self._all(image_bgr, before, changed):
            self._before = self._observer.observe(image_bgr, None, self.places)
        else:
            self._before = self._again(image_bgr, before, changed)
        return self._before

    def in_place(self, image_bgr: Image) -> bool:
        """Whether a photo, perhaps of hands over the table, shows it where the last one did."""
        markers = () if self._before is None else self._before.markers
        return self._observer.in_place(image_bgr, [m for m in markers if m.id in TABLE_IDS])

    def _all(self, image_bgr: Image, before: Observation, changed: Iterable[Rect]) -> bool:
        """Whether it takes a look at the whole photo."""
        height, width = image_bgr.shape[:2]
        if not before.ok or before.plane is None or before.size != (width, height):
            return True
        mask = np.zeros((height, width), np.uint8)
        for left, top, right, bottom in changed:
            mask[top:bottom, left:right] = 1
        if cv2.countNonZero(mask) > MOST * mask.size:
            return True
        for board in (c for c in before.components if c.kind == "board"):
            there = cv2.fillConvexPoly(np.zeros_like(mask), np.array(board.corners).round().astype(np.int32), 1)
            if cv2.countNonZero(cv2.min(there, mask)) > MOVED * cv2.countNonZero(there):
                return True
        whole = [_grown(m.corners, MARKED) for m in before.markers]
        rects = [np.array([(a, b), (c, b), (c, d), (a, d)], np.float64) for a, b, c, d in changed]
        if any(overlap(rect, quad) for rect in rects for quad in whole):
            return True
        return self._observer.marker_came(image_bgr, before.markers, changed)

    def _again(self, image_bgr: Image, before: Observation, changed: Sequence[Rect]) -> Observation:
        table = before.plane
        assert table is not None
        clock = Clock()
        flat: list[Component | Doubt] = [c for c in before.components if c.kind != "board"]
        flat += [d for d in before.unsure if d.corners is not None]
        parts = regions(changed, [np.array(thing.corners) for thing in flat], self._reach(table, before.size))
        gone = {id(flat[number]) for part in parts for number in part.things}
        known = self._poses([thing for thing in flat if id(thing) not in gone], table)
        boards = self._poses([c for c in before.components if c.kind == "board"], table)
        kept = [c for c in before.components if id(c) not in gone]
        seen: list[Component] = []
        doubts = [d for d in before.unsure if d.corners is not None and id(d) not in gone]
        photo = clock.time("prepare", lambda: Photo.of(image_bgr, table, before.markers))
        for part in parts:
            there = Part.around(part, before.size, table, known, boards)
            found = [
                f
                for f in self._observer.cards(photo, table, before.markers, clock, there)
                if part.meets(photo.corners_px(f.verdict.pose))
            ]
            sure, asked = self._observer.told(photo, found)
            seen += sure
            doubts += asked
        components = upper_first(kept, seen, before.components)
        lying: list[Component | Doubt] = [*components, *doubts]
        singly = list(before.singly)
        for part in parts:
            singly = clock.time("beads", partial(self._beads, image_bgr, before, part, singly, lying))
        beads, odd = self._observer.compared(singly, table)
        return replace(
            before,
            components=tuple(components),
            beads=beads,
            unsure=(*doubts, *odd),
            stages=clock.stages,
            singly=tuple(singly),
        )

    def _beads(
        self,
        image_bgr: Image,
        before: Observation,
        part: Region,
        beads: Sequence[Bead],
        lying: Sequence[Component | Doubt],
    ) -> list[Bead]:
        """The beads, those of one part of the photo replaced by what is seen there now."""
        if not self._observer.palette or before.plane is None:
            return list(beads)
        inside = part.drawn(before.size)
        middle = np.vstack(part.outlines).mean(axis=0)
        x, y = before.plane.to_mm([middle])[0]
        window = part.bounds(before.size, NEAR_BEADS_MM * before.plane.scale((float(x), float(y))))
        seen = self._observer.beads(image_bgr, before.plane, before.markers, lying, window, inside)
        return [b for b in beads if not _on(b.centre_px, inside)] + [b for b in seen if _on(b.centre_px, inside)]

    def _reach(self, table: Plane, size: tuple[int, int]) -> float:
        """How long (px) the longest component is that lies on a photo: of one that is laid only its ends may differ."""
        longest = max((max(face.size) for face in self._observer.deck.faces if face.kind != "board"), default=0.0)
        x, y = table.to_mm([(size[0] / 2, size[1] / 2)])[0]
        return longest * table.scale((float(x), float(y)))

    def _poses(self, things: Sequence[Component | Doubt], table: Plane) -> list[Pose]:
        """Where components lie, or the likeliest ones of doubts."""
        if not things:
            return []
        sizes = {self._observer.deck.full_name(face.name): face.size for face in self._observer.deck.faces}
        names = [t.component if isinstance(t, Component) else t.candidates[0][0] for t in things]
        quads = table.to_mm(np.vstack([np.array(t.corners) for t in things])).reshape(-1, 4, 2)
        return [pose_of(quad, sizes[name]) for quad, name in zip(quads, names, strict=True)]


def _grown(quad: Sequence[Point], factor: float) -> NDArray[np.float64]:
    corners = np.array(quad)
    return np.asarray((corners - corners.mean(axis=0)) * factor + corners.mean(axis=0))


def _on(point: Point, mask: Image) -> bool:
    rows, columns = mask.shape
    x, y = round(point[0]), round(point[1])
    return 0 <= x < columns and 0 <= y < rows and bool(mask[y, x])
