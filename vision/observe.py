"""What lies where on a photo: markers, plane, components, beads and pieces, each with its doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import beads, namesakes, picture, plane, unscaled
from vision.annotate import annotate
from vision.beads import Bead
from vision.cards import CardFinder
from vision.deck import Deck
from vision.doubts import Found
from vision.memory import PieceMemory
from vision.observation import BeadSeen, Component, Doubt, Observation, PieceSeen
from vision.photo import Photo
from vision.pieces import PieceFinder
from vision.places import Places
from vision.regions import Part, Rect, overlap
from vision.scene import Ground
from vision.seen import DieFaces, Seen

__all__ = ["Observer", "annotate", "named_colours"]

MARKER_PAPER: Final = 1.4  #: a marker's white margin is taken with it
STILL: Final = 0.05  #: share of its side by which a marker may seem to have moved while an arm reaches over the table

Image = NDArray[np.uint8]
LensFor = Callable[[tuple[int, int]], plane.Lens | None]
T = TypeVar("T")


def _unknown(_: tuple[int, int]) -> None:
    """Nothing is known of the lens."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lying:
    """What lies flat on a table: all of it stays until something at least `large` (mm) changes, or a marker does."""

    size: tuple[int, int]
    table: plane.Plane
    markers: tuple[plane.Marker, ...]
    found: tuple[Found, ...]
    warnings: tuple[str, ...]
    large: float

    def still(self, size: tuple[int, int], changed: Iterable[Rect]) -> bool:
        """Whether a photo that differs only within these rectangles (pixels) shows the same."""
        return size == self.size and self.table.marked and all(self._small(rect) for rect in changed)

    def _small(self, rect: Rect) -> bool:
        left, top, right, bottom = rect
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
        mm = self.table.to_mm(corners)
        if min(np.linalg.norm(mm[1] - mm[0]), np.linalg.norm(mm[3] - mm[0])) >= self.large:
            return False
        papers = [np.array(m.corners) for m in self.markers]
        return not any(overlap(corners, (p - p.mean(axis=0)) * MARKER_PAPER + p.mean(axis=0)) for p in papers)


class Observer:
    """Looks at photos of a table on which the components of one deck lie.

    `palette` says which beads may lie there; None takes those whose colours the deck's attributes name. `die_faces`
    tells what the dice there may be show, by their colour; None for any. Photos that show fewer than two markers are
    read only `without_markers`, and then in pixels: good for a photo somebody chose, not for a camera whose markers may
    just be under an arm. `lens` tells what is known of the camera's lens for photos of a size (width, height); where
    that is None, the lens is estimated from the markers. `marker_mm` is the side of a table marker's black square.
    """

    def __init__(
        self,
        deck: Deck,
        palette: Sequence[beads.Hue] | None = None,
        *,
        die_faces: DieFaces | None = None,
        without_markers: bool = False,
        lens: LensFor | None = None,
        marker_mm: float = plane.MARKER_MM,
    ) -> None:
        self._marker_mm = marker_mm
        self._without_markers = without_markers
        self._lens = lens or _unknown
        self.deck = deck
        self.palette = named_colours(deck) if palette is None else tuple(palette)
        self._markers = plane.MarkerFinder()
        self._cards = CardFinder(deck)
        self._finder = PieceFinder(deck.pieces, die_faces) if deck.pieces else None
        self._pieces = PieceMemory(self._finder) if self._finder else None
        self._lies: _Lying | None = None  # what was seen last

    @property
    def whole(self) -> bool:
        """Whether cards are read on whole photos only: pieces lean over them."""
        return self._pieces is not None

    def observe(
        self, image_bgr: Image, changed: Sequence[Rect] | None = None, places: Places | None = None
    ) -> Observation:
        """What lies where on this photo (height × width × 3, BGR).

        `changed` are the rectangles (pixels) outside which it shows what the photo before has shown: pieces are then
        looked for only there. None: it may be any photo. `places` are where this table's markers lay on photos
        before, which gives the frame; without them the lowest marker seen does.
        """
        clock = Clock()
        size = (image_bgr.shape[1], image_bgr.shape[0])
        lies = self._lies
        if (
            changed is None
            or lies is None
            or not lies.still(size, changed)
            or self.marker_came(image_bgr, lies.markers, changed)
        ):
            self._lies = None
            flat = self._flat(image_bgr, size, places, clock)
            if isinstance(flat, Observation):
                if self._pieces is not None:
                    self._pieces.forget()  # what changes from now on is told against this photo
                return flat
            lies, photo = flat
            self._lies = lies
        else:
            table, seen_markers = lies.table, lies.markers
            photo = clock.time("prepare", lambda: Photo.of(image_bgr, table, seen_markers))
        components, doubts = self.told(photo, lies.found)
        standing = clock.time("pieces", lambda: self._standing(photo, lies.markers, lies.found, changed))
        lying: list[Component | Doubt] = [*components, *doubts]
        singly = clock.time("beads", lambda: self.beads(image_bgr, lies.table, lies.markers, lying))
        seen, asked = self.compared(singly, lies.table)
        return Observation(
            size,
            markers=lies.markers,
            components=tuple(components),
            beads=seen,
            pieces=tuple(_piece(s, lies.table) for s in standing if not s.why),
            unsure=(*doubts, *asked, *(_piece_doubt(s, lies.table) for s in standing if s.why)),
            warnings=lies.warnings,
            stages=clock.stages,
            plane=lies.table,
            singly=tuple(singly),
        )

    def marker_came(self, image_bgr: Image, markers: Sequence[plane.Marker], changed: Iterable[Rect]) -> bool:
        """Whether a marker that is none of these is seen where a photo has changed: uncovered, or laid there."""
        around = max((plane.longest_side(m) for m in markers), default=0.0)  # not all of it need have been covered
        known = {m.id for m in markers}
        came = any(m.id not in known for rect in changed for m in self._markers.within(image_bgr, rect, around))
        if came:
            self._markers.forget()
        return came

    def in_place(self, image_bgr: Image, markers: Iterable[plane.Marker]) -> bool:
        """Whether one of these table markers is still where it was on the photo: the camera was not moved."""
        for marker in markers:
            was = np.array(marker.corners)
            low, high = was.min(axis=0).astype(int).tolist(), was.max(axis=0).astype(int).tolist()
            found = self._markers.within(image_bgr, (*low, *high), plane.longest_side(marker))
            if any(
                m.id == marker.id and np.abs(np.array(m.corners) - was).max() < STILL * plane.longest_side(marker)
                for m in found
            ):
                return True
        return False

    def _flat(
        self, image_bgr: Image, size: tuple[int, int], places: Places | None, clock: Clock
    ) -> tuple[_Lying, Photo] | Observation:
        """Markers and planar components, and the photo made ready; or the whole answer where nothing tells sizes."""
        nothing = picture.seen_nothing(image_bgr)
        if nothing:
            return Observation(size, ok=False, warnings=(nothing,), stages=clock.stages)
        again = not self._without_markers  # photos that somebody chose may show any table
        markers = clock.time("markers", lambda: self._markers.find(_grey(image_bgr), again=again))
        table, left_out = clock.time("plane", lambda: plane.solve(markers, size, self._lens(size), self._marker_mm))
        warnings = [f"marker {i} does not fit the others and was left out" for i in left_out]
        told: plane.Plane | None = None  # by what lies there
        few = table is None
        if places is not None:
            table, said = places.framed(table, markers, left_out)
            warnings += said
        if few:
            warnings.append("fewer than two table markers seen: no places in millimetres; lay two flat on the table")
            if self._without_markers:
                table = told = clock.time("plane", lambda: self._cards.plane(image_bgr))
        if table is None:
            return self._unscaled(image_bgr, markers, warnings, clock)
        photo = clock.time("prepare", lambda: Photo.of(image_bgr, table, markers))
        found = self.cards(photo, table, markers, clock)
        if told is not None and not found:  # what seemed to tell sizes was nothing of the deck
            return self._unscaled(image_bgr, markers, warnings, clock)
        smallest = min((min(face.size) for face in self.deck.faces if face.kind == "board"), default=0.0)
        rests = self._pieces is not None and all(face.kind == "board" for face in self.deck.faces)
        lies = _Lying(size, table, markers, tuple(found), tuple(warnings), smallest / 2 if rests else 0.0)
        return lies, photo

    def _unscaled(
        self, image_bgr: Image, markers: tuple[plane.Marker, ...], warnings: list[str], clock: Clock
    ) -> Observation:
        """What a photo shows that tells no sizes: of a photo that somebody chose, dice and beads."""
        dice: list[Seen] = []
        glass: list[Bead] = []
        if self._without_markers:
            if self.deck.faces:
                warnings.append("too little of the deck is seen to tell sizes by: take the photo from nearer")
            dice = clock.time("pieces", lambda: self._finder.dice(image_bgr) if self._finder else [])
            glass = clock.time("beads", lambda: unscaled.find(image_bgr, self.palette) if self.palette else [])
        return Observation(
            (image_bgr.shape[1], image_bgr.shape[0]),
            ok=bool(dice or glass),
            markers=markers,
            beads=tuple(BeadSeen(b.colour, None, b.centre_px, b.confidence) for b in glass if not b.why),
            pieces=tuple(_piece(s, None) for s in dice if not s.why),
            unsure=(
                *(_bead_doubt(b, None) for b in glass if b.why),
                *(_piece_doubt(s, None) for s in dice if s.why),
            ),
            warnings=tuple(warnings),
            stages=clock.stages,
        )

    def cards(
        self,
        photo: Photo,
        table: plane.Plane,
        markers: Sequence[plane.Marker],
        clock: Clock,
        part: Part | None = None,
    ) -> list[Found]:
        """The planar components that lie on the table, or on a part of it; `table` is the original photo's plane."""
        return self._cards.find(photo, [table.to_mm(m.corners) for m in markers], clock.time, part)

    def told(self, photo: Photo, found: Iterable[Found]) -> tuple[list[Component], list[Doubt]]:
        """Components as they are reported: those to act on, and those in doubt."""
        found = list(found)
        quads = photo.quads_px([f.verdict.pose for f in found])
        lying = list(zip(found, quads, strict=True))
        sure = [self._component(photo, f, quad) for f, quad in lying if not f.doubt]
        return sure, [self._doubt(photo, f, quad) for f, quad in lying if f.doubt]

    def beads(
        self,
        image_bgr: Image,
        table: plane.Plane,
        markers: Sequence[plane.Marker],
        lying: Iterable[Component | Doubt],
        window: Rect | None = None,
        asked: Image | None = None,
    ) -> list[Bead]:
        """The beads on the photo or a part of it, but not on what is `lying`, each told by itself.

        There may be none where none of those `asked` for (a mask of the photo, not 0) can be one.
        """
        if not self.palette:
            return []
        covered = np.zeros(image_bgr.shape[:2], np.uint8)
        for thing in lying:
            if thing.corners is not None:
                quad = np.array(thing.corners)
                grown = (quad - quad.mean(axis=0)) * 1.03 + quad.mean(axis=0)
                cv2.fillConvexPoly(covered, grown.round().astype(np.int32), 255)
        return beads.find(image_bgr, table, covered, [m.corners for m in markers], self.palette, window, asked)

    def compared(self, singly: Sequence[Bead], table: plane.Plane) -> tuple[tuple[BeadSeen, ...], tuple[Doubt, ...]]:
        """Beads that were told one by one, once they are compared: those to act on, and those in doubt."""
        told = namesakes.compared(singly, self.palette)
        sure = (BeadSeen(b.colour, _marked(b.centre_mm, table), b.centre_px, b.confidence) for b in told if not b.why)
        return tuple(sure), tuple(_bead_doubt(b, table) for b in told if b.why)

    def _component(self, photo: Photo, found: Found, quad: plane.Quad) -> Component:
        verdict = found.verdict
        pose = verdict.pose
        return Component(
            self.deck.full_name(verdict.name),
            verdict.gallery.kind,
            _marked((pose.x, pose.y), photo.plane),
            pose.turn,
            quad,
            found.visible,
            found.confidence,
        )

    def _doubt(self, photo: Photo, found: Found, quad: plane.Quad) -> Doubt:
        ranked = tuple((self.deck.full_name(name), share) for name, share in found.candidates)
        pose = found.verdict.pose
        return Doubt(ranked, found.doubt, quad, centre=_marked((pose.x, pose.y), photo.plane))

    def _standing(
        self,
        photo: Photo,
        markers: Sequence[plane.Marker],
        found: Sequence[Found],
        changed: Sequence[Rect] | None,
    ) -> list[Seen]:
        """What stands on the table or a board, but not on cards or markers."""
        if self._pieces is None:
            return []
        poses = [(f.verdict.pose.corners(), f.verdict) for f in found]
        taken = [corners for corners, verdict in poses if verdict.gallery.kind != "board"]
        prints = {face.name: face.image for face in self.deck.faces}
        grounds = [Ground(prints[v.name], corners) for corners, v in poses if v.gallery.kind == "board"]
        for marker in markers:
            corners = photo.plane.to_mm((np.array(marker.corners) + 0.5) * photo.factor - 0.5)
            taken.append((corners - corners.mean(axis=0)) * MARKER_PAPER + corners.mean(axis=0))
        return self._pieces.find(photo, grounds, taken, changed)


def named_colours(deck: Deck) -> tuple[beads.Hue, ...]:
    """The bead colours that a deck names, or that its attributes speak of."""
    named = set(deck.beads)
    for said in deck.attributes.values():
        colours = said.get("colours", [])
        named |= {said.get("colour"), *(colours if isinstance(colours, list) else [])} - {None}
    return beads.named(named)


def _grey(image_bgr: Image) -> Image:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _marked(centre: plane.Point | None, table: plane.Plane | None) -> plane.Point | None:
    """A place in mm, where there are markers to tell it by."""
    return centre if table is not None and table.marked else None


def _bead_doubt(bead: beads.Bead, table: plane.Plane | None) -> Doubt:
    candidates = tuple((name, round(share * bead.confidence, 3)) for name, share in bead.candidates)
    return Doubt(candidates, bead.why, centre_px=bead.centre_px, centre=_marked(bead.centre_mm, table))


def _piece(standing: Seen, table: plane.Plane | None) -> PieceSeen:
    return PieceSeen(
        standing.piece,
        standing.colour,
        standing.value,
        _marked(standing.place, table),
        standing.centre_px,
        standing.confidence,
    )


def _piece_doubt(standing: Seen, table: plane.Plane | None) -> Doubt:
    centre = _marked(standing.place, table)
    return Doubt(standing.candidates, standing.why, centre_px=standing.centre_px, centre=centre)


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
