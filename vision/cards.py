"""Planar components on a photo: cards, tiles, chips, boards; every one with its place, its turn and its doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import borne_out, features, table, unmarked
from vision.covering import Covering, hidden
from vision.deck import Deck
from vision.doubts import BOARD, Found
from vision.features import Corners, Describer, FaceIndex
from vision.hypotheses import Hypotheses
from vision.photo import Photo, Pose
from vision.plane import Plane
from vision.regions import Part
from vision.search import Search, Shelf
from vision.table import Known, Variation
from vision.topview import TopView
from vision.tracked import Tracker
from vision.verify import Examiner

VIEW_SCALE: Final = 1.5  #: pixels per millimetre of the top view in colour
TAUGHT_BLUR: Final = 0.32  #: mm, standard deviation: how soft photos of sheets are
BLURS: Final = (0.0, 0.3, 0.45, 0.6, 0.8, 1.0)  #: mm; the faces are kept in these softnesses, made when needed
HALVED: Final = 1.4  #: a photo is halved while it stays so many times finer than the table's cells
TABLE_MARGIN: Final = 8.0  #: mm around what is unexplained that are looked at too
MANY: Final = 1000  #: corners; fewer are all described at once
LEAST_VOTES: Final = 5  #: features that must agree on a pose
FINER: Final = 2.0  #: times as fine they are looked for where something is left, or no markers are seen

T = TypeVar("T")


class Timed(Protocol):
    """Runs a stage of the work and notes how long it took."""

    def __call__(self, stage: str, work: Callable[[], T]) -> T: ...


class CardFinder:
    """Finds the planar components of one deck."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._describer = Describer()
        self._index = FaceIndex(deck.faces, self._describer) if deck.faces else None
        self._tracker = Tracker(deck)
        self._fine: Hypotheses | None = None
        self._shelves: dict[float, Shelf] = {}
        self._usual: dict[tuple[float, float], float] = {}
        self._varies = Variation()

    def _shelf(self, photo_blur: float) -> Shelf:
        """The faces about as soft as the photo, whose markers' edges are blurred like this (mm)."""
        extra = np.sqrt(max(0.0, photo_blur**2 - TAUGHT_BLUR**2))
        level = min(BLURS, key=lambda blur: abs(blur - extra))
        if level not in self._shelves:
            # one camera's photos are all alike: two shelves are enough
            for old in list(self._shelves)[:-1]:
                del self._shelves[old]
            self._shelves[level] = Shelf.of(self._deck, level)
        return self._shelves[level]

    def plane(self, image_bgr: NDArray[np.uint8]) -> Plane | None:
        """The plane of a photo without markers, told by the components on it; None where these are too few."""
        if self._index is None:
            return None
        return unmarked.solve(image_bgr, Hypotheses(self._index, self._describer), self._tracker)

    def find(
        self, photo: Photo, covered: Sequence[NDArray[np.float64]], timed: Timed, part: Part | None = None
    ) -> list[Found]:
        """What lies on the table, but for what is `covered` by markers (corners in mm).

        `timed` runs a stage of the work under its name. With a `part` only that part of the table is looked at, and
        for nothing but what is not yet known there; how large things seem is then taken from the last whole look.
        """
        if self._index is None:
            return []
        index = self._index
        known = () if part is None else part.known
        within = None if part is None else part.within
        view = timed("top view", lambda: TopView.of(photo.image, photo.plane, VIEW_SCALE, within, many=True))
        coarse = timed("top view", lambda: view.resized(features.SCALE).narrowed())
        whole = None if part is None else timed("table", lambda: self._whole(photo, covered))
        covering = timed("table", lambda: Covering(coarse, covered, whole, photo.blur))
        for pose in known:
            covering.take(pose)
        grey = covering.grey
        shelf = timed("faces", lambda: self._shelf(photo.blur))
        examiner = Examiner(view, photo, covering)
        if part is None:
            self._usual, self._varies = examiner.usual, covering.varies
        else:
            examiner.usual = dict(self._usual)
        search = Search(examiner, shelf, grey, part, lambda: self._left(photo, covering))
        timed("look", search.take_laid)
        there = timed("table", lambda: covering.left(TABLE_MARGIN))
        corners = timed("features", lambda: self._describer.corners(grey.picture, there))
        if len(corners.points) > MANY:
            # few features tell what lies open, and where that lies no more need be described
            plain = self._hypotheses(index, grey, corners, features.FEW, timed)
            timed("look", lambda: search.take_plain(plain))
            corners = corners.where(timed("table", lambda: covering.left(TABLE_MARGIN)))
        hypotheses = self._hypotheses(index, grey, corners, features.PER_CELL, timed)
        if photo.plane.marked:
            return timed("look", lambda: search.run(hypotheses))
        places = timed("votes", lambda: self._finely(photo))
        found = timed("look", lambda: search.run(hypotheses + places))
        return timed("look", lambda: borne_out.told(found, places, examiner, search.by_size, self._tracker))

    def _left(self, photo: Photo, covering: Covering) -> list[Pose]:
        """Where finer features say that cards may lie that are not yet found."""
        left = covering.left(TABLE_MARGIN)
        return self._finely(photo, replace(covering.grey, picture=left)) if left.any() else []

    def _finely(self, photo: Photo, within: TopView | None = None) -> list[Pose]:
        """Where finer features say that cards may lie, on a part of the table (not 0) or all of it."""
        if self._fine is None:
            cards = [face for face in self._deck.faces if face.kind != BOARD]
            if not cards:
                return []
            self._fine = Hypotheses.finer(cards, self._describer, FINER)
        return self._fine.poses(photo.image, photo.plane, LEAST_VOTES, within)

    def _hypotheses(self, index: FaceIndex, grey: TopView, corners: Corners, per_cell: int, timed: Timed) -> list[Pose]:
        """Where so many corners of each cell of a view say that something may lie."""
        seen = timed("features", lambda: self._describer.describe(grey.picture, corners, per_cell).shifted(grey.origin))
        return timed("votes", lambda: features.poses(index.votes(seen), index.sizes, LEAST_VOTES))

    def _whole(self, photo: Photo, covered: Sequence[NDArray[np.float64]]) -> Known:
        """What the whole table tells a part of it."""
        small, plane = photo.image, photo.plane
        finest = photo.finest
        while finest / 2 > HALVED * table.SCALE:
            small = np.asarray(cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            plane, finest = plane.resized(0.5), finest / 2
        cells = TopView.of(small, plane, table.SCALE)
        return Known(cells, hidden(cells.grey(), covered), self._varies)
