"""From frames to verdicts: lets settled frames through, has them read, and tells the table what was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.tabletop import Meaning, Seen, SeenBead, SeenCard
from companion.referee import Verdict
from vision.deck import Deck
from vision.observation import Observation

if TYPE_CHECKING:
    from companion.table import Table
    from vision.camera import Frame
    from vision.motion import Motion
    from vision.observe import Observer

Image = NDArray[np.uint8]
PICTURE_WIDTH = 1280


def seen(observation: Observation, deck: Deck) -> Seen:
    """An observation in the terms of a game: components by what they mean, in table millimetres."""

    def meaning(name: str) -> Meaning:
        return deck.attributes.get(name.split("/", 1)[-1], {})

    cards = [
        SeenCard(c.component, meaning(c.component), *c.centre, c.angle)
        for c in observation.components
        if c.centre is not None
    ]
    beads = [SeenBead(b.colour, *b.centre) for b in observation.beads if b.centre is not None]
    for doubt in observation.unsure:
        if doubt.centre is None:
            continue
        if doubt.corners is None:
            beads.append(SeenBead("", *doubt.centre))
        elif doubt.candidates:
            candidates = tuple((name, meaning(name)) for name, _ in doubt.candidates)
            cards.append(SeenCard("", {}, *doubt.centre, 0.0, candidates))
    return Seen(tuple(cards), tuple(beads))


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
        self._observer = observer
        self._deck = deck
        self._motion = motion
        self._annotate = annotate
        self._again = True
        self.report = Report()

    def feed(self, frame: Frame) -> Verdict | None:
        """Take one frame; the verdict if the table was looked at, else None."""
        self.report.frames += 1
        still = self._motion.feed(frame)
        if not still.settled or not (still.changed or self._again):
            return None
        return self.look(frame.image)

    def look(self, image: Image) -> Verdict | None:
        """Read a settled image and tell the table; None when nothing can be said of it."""
        observation = self._observer.observe(image)
        self.report.looks += 1
        self.report.milliseconds.append(observation.ms)
        self._again = True
        if not observation.ok:
            return None
        verdict = self._table.observed(seen(observation, self._deck), self._picture(image, observation))
        self._again = verdict.status == "acts"
        return verdict

    def _picture(self, image: Image, observation: Observation) -> bytes | None:
        """The frame with what was recognised drawn in, as JPEG."""
        if self._annotate is None:
            return None
        drawn = self._annotate(image, observation)
        scale = PICTURE_WIDTH / drawn.shape[1]
        if scale < 1:
            drawn = np.asarray(cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        return cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
