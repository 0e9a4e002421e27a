"""Photos taken with a phone in place of the camera: each is read once and counts as several looks at the table.

What is shown of it to people is only the open part of the table, as with a camera's pictures.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion import pictures, shots
from companion.referee import Verdict
from companion.watcher import Image, seen
from vision.deck import Deck
from vision.observation import Observation
from vision.places import Places

if TYPE_CHECKING:
    from companion.table import Table
    from vision.observe import Observer


class Snapshots:
    """Reads photos for one table, one at a time; `Table.on_photo` calls it."""

    def __init__(
        self, table: Table, observer: Observer, deck: Deck, annotate: Callable[[Image, Observation], Image]
    ) -> None:
        self._table = table
        self._observer = observer
        self._deck = deck
        self._annotate = annotate
        self._places = Places()  # of the table's markers, of which a photo may show only some
        self._one = threading.Lock()

    def __call__(self, jpeg: bytes) -> Verdict | None:
        """The verdict on a photo (JPEG); None when nothing can be said of it."""
        with self._one:
            image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            if image is None:
                return None
            photo: Image = np.asarray(image, np.uint8)
            observation = self._observer.observe(photo, None, self._places)
            if self._places.moved:  # laid anew: the next photo counts
                self._places = Places()
            if not observation.ok or observation.plane is None:
                return None
            return self._tell(photo, observation)

    def _tell(self, photo: Image, observation: Observation) -> Verdict:
        """Tell the table what lies there, and show people the photo."""
        table, area = self._table, self._table.tabletop.area
        shot = shots.take(photo, observation, area, ()) if table.witness is not None else None
        verdict = table.photographed(seen(observation, self._deck), shot)
        drawn = self._annotate(photo, observation)
        if observation.plane is not None:
            wrong = [one.at for one in verdict.differences if one.at is not None]
            drawn = pictures.ringed(drawn, observation.plane, wrong)
        shown = pictures.public(drawn, observation.plane, area)
        if shown is not None:
            table.show("table", pictures.jpeg(shown))
        return verdict
