"""From frames to verdicts: lets settled frames through, has them read, and tells the table what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion import pictures, shots
from companion.games.game import Note
from companion.games.tabletop import Meaning, Seen, SeenBead, SeenCard, SeenPiece
from companion.looks import ENOUGH
from companion.referee import Verdict
from vision.deck import Deck
from vision.follower import Follower
from vision.observation import Observation

if TYPE_CHECKING:
    from companion.table import Table
    from vision.camera import Frame
    from vision.motion import Moment, Motion
    from vision.observe import Observer
    from vision.plane import Plane

Image = NDArray[np.uint8]
LOOK_EVERY_S = 10.0  # a table on which nothing seems to move is read again so often
PIECES_EVERY_S = 60.0  # … where pieces stand, which takes long
SPOT_MM = 8.0  # so far around a place what stands there is looked at again
PIECES = ("worker", "chief", "sorcerer", "log", "moai", "headdress", "die", "ship")
SHOW_EVERY = 3  # frames between two pictures of a table on which something moves


def seen(observation: Observation, deck: Deck) -> Seen:
    """An observation in the terms of a game: components by what they mean, in table millimetres."""

    def meaning(name: str) -> Meaning:
        short = name.split("/", 1)[-1]
        return deck.attributes.get(short) or {"card": short}

    cards = [
        SeenCard(c.component, meaning(c.component), *c.centre, c.angle)
        for c in observation.components
        if c.centre is not None
    ]
    beads = [SeenBead(b.colour, *b.centre) for b in observation.beads if b.centre is not None]
    pieces = [
        SeenPiece(p.piece, *p.centre, p.colour or "", p.value) for p in observation.pieces if p.centre is not None
    ]
    for doubt in observation.unsure:
        if doubt.centre is None:
            continue
        if doubt.corners is None and any(_is_piece(name) for name, _ in doubt.candidates):
            dice = all(_kind(name) == "die" for name, _ in doubt.candidates)  # then only its value is in doubt
            pieces.append(SeenPiece("die" if dice else "", *doubt.centre))
        elif doubt.corners is None:
            beads.append(SeenBead("", *doubt.centre, tuple(name for name, _ in doubt.candidates)))
        elif doubt.candidates:
            candidates = tuple((name, meaning(name)) for name, _ in doubt.candidates)
            cards.append(SeenCard("", {}, *doubt.centre, 0.0, candidates))
    return Seen(tuple(cards), tuple(beads), tuple(pieces))


def _is_piece(name: str) -> bool:
    """Whether this is the name of a thing with a height, as observations spell it ("worker-red", "die 3")."""
    return _kind(name) in PIECES


def _kind(name: str) -> str:
    """What a piece is, without its deck, colour, size and value: "worker", "moai", "die"."""
    return name.rsplit("/", 1)[-1].replace(" ", "-").split("-", 1)[0]


@dataclass(slots=True)
class Report:
    """What a watcher has done so far."""

    frames: int = 0
    looks: int = 0
    milliseconds: list[float] = field(default_factory=list)  # of each look


class Watcher:
    """Feeds one table with what one camera sees. Not for many threads: one loop calls `feed`."""

    def __init__(
        self,
        table: Table,
        observer: Observer,
        deck: Deck,
        motion: Motion,
        annotate: Callable[[Image, Observation], Image] | None = None,
    ) -> None:
        self._table = table
        self._follower = Follower(observer)
        self._deck = deck
        self._motion = motion
        self._annotate = annotate
        self._area = table.tabletop.area
        self._plane: Plane | None = None
        self._again = True  # the next settled frame is read, whether anything seems to have changed or not
        self._due = ENOUGH  # settled frames to be read before the table is as it was understood
        self._seen = False  # whether anything has been read so far
        self._disputed: list[shots.Rect] = []  # where the newest looks have not seen the same
        self._every = PIECES_EVERY_S if deck.pieces else LOOK_EVERY_S
        self._looked_at = -self._every
        self._changed: list[shots.Rect] = []  # where, since the table was last kept
        self._unread: list[shots.Rect] = []  # … and since it was last as it was understood
        self.report = Report()

    def feed(self, frame: Frame) -> Verdict | None:
        """Take one frame; the verdict if the table was looked at, else None."""
        self.report.frames += 1
        moment = self._motion.feed(frame)
        if not moment.settled or moment.changed:
            self._due = ENOUGH  # what has come or gone is believed after so many looks
        self._unread += moment.changed
        idle = frame.at - self._looked_at > self._every
        if self._deck.pieces:
            told = self._table.verdict is None  # by a phone: does it lie so?
            if moment.settled and (idle or told or self._open):
                return self._feed_pieces(frame, moment, idle)
        elif moment.settled and (self._open or idle):
            part = tuple(self._unread) if self._due and not idle else None
            self._due = max(0, self._due - 1)
            if not self._due:
                self._unread = []
            self._looked_at = frame.at
            return self.look(frame.image, moment.changed, part)
        if not moment.settled and self.report.frames % SHOW_EVERY == 0:
            self._show(frame.image)
        return None

    @property
    def _open(self) -> bool:
        """Whether another look would tell more."""
        return self._due > 0 or self._again

    def _feed_pieces(self, frame: Frame, moment: Moment, idle: bool) -> Verdict | None:
        """Pieces take long to find: what has changed is looked at so often that it is believed, then only where looks
        still disagree; all of it now and then."""
        part = None if idle or not self._seen else (*self._unread, *self._disputed)
        self._looked_at = frame.at
        verdict = self.look(frame.image, moment.changed, part)
        if verdict is not None:
            self._seen = True
            self._due = max(0, self._due - 1)
            self._disputed = self._around(verdict.where)
        if not self._due:
            self._unread = []
        return verdict

    def _around(self, places: Iterable[tuple[float, float]]) -> list[shots.Rect]:
        """The parts of the picture that show what stands at these places of the table (mm)."""
        if self._plane is None:
            return []
        rects = []
        for x, y in places:
            edge = [(x + dx, y + dy) for dx in (-SPOT_MM, SPOT_MM) for dy in (-SPOT_MM, SPOT_MM)]
            px = self._plane.to_px(edge)
            (left, top), (right, bottom) = px.min(axis=0).astype(int), px.max(axis=0).astype(int) + 1
            rects.append((int(left), int(top), int(right), int(bottom)))
        return rects

    def look(
        self, image: Image, changed: Iterable[shots.Rect] = (), part: Sequence[shots.Rect] | None = None
    ) -> Verdict | None:
        """Read a settled image and tell the table; None when nothing can be said of it.

        `changed`: where it differs from the settled image before (left, top, right, bottom in pixels); `part`: where
        it may differ from what was read last, or None to read all of it.
        """
        witness = self._table.witness
        if witness is not None and witness.up_to_date:
            self._changed = []
        self._changed += changed
        observation = self._follower.observe(image, part)
        self.report.looks += 1
        self.report.milliseconds.append(observation.ms)
        self._again = True
        self._plane = observation.plane if observation.ok else None  # what nobody can place, nobody is shown
        if not observation.ok:
            self._table.blinded(self._why())
            return None
        keep = witness is not None and self._changed
        shot = shots.take(image, observation, self._area, self._changed) if keep else None
        verdict = self._table.observed(seen(observation, self._deck), shot)
        self._show(image, observation, [one.at for one in verdict.differences if one.at is not None])
        self._again = verdict.more
        return verdict

    def _why(self) -> Note | None:
        """Why a photo could not be read, if it is for the markers."""
        places = self._follower.places
        if places.moved:
            return Note("sync_markers_moved")
        return Note("sync_markers_hidden", {"markers": list(places.missing)}) if places.missing else None

    def _show(
        self, image: Image, observation: Observation | None = None, wrong: Sequence[tuple[float, float]] = ()
    ) -> None:
        """Show people the open part of the table, with what was recognised drawn in where there is something, and
        rings around what lies `wrong` (mm). A picture that nobody has looked at is shown while the camera stays put."""
        if self._annotate is None or (observation is None and not self._follower.in_place(image)):
            return
        drawn = self._annotate(image, observation) if observation else image
        if self._plane is not None and wrong:
            drawn = pictures.ringed(drawn, self._plane, wrong)
        shown = pictures.public(drawn, self._plane, self._area)
        if shown is not None:
            self._table.show("table", pictures.jpeg(shown), told=observation is not None)
