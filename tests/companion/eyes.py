"""A camera, a table and an observer for tests that need pictures but no recognition.

Every picture of the table carries a number in black and white blocks, and the observer knows what each number stands
for. Whatever lies between (motion, watcher, shots, recording) is real.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.games.tabletop import Laid
from tests.companion.sights import meanings
from vision.deck import Deck
from vision.observation import BeadSeen, Component, Observation
from vision.plane import Lens, Plane

SIZE = (640, 400)
BITS = 12
BLOCK = 16
HEIGHT_MM = 1250.0


def plane() -> Plane:
    """A camera straight above the middle of a table of 900 × 560 mm."""
    return Plane(Lens.guess(*SIZE), np.eye(3), np.array([-450.0, -280.0, HEIGHT_MM]))


def deck() -> Deck:
    return Deck("fiji", (), attributes=meanings())


@dataclass
class Eyes:
    """Draws tables and knows them again; an `Observer` as far as a watcher can tell."""

    known: list[Laid] = field(default_factory=list)
    seen: dict[int, Observation] = field(default_factory=dict)
    drawn: dict[tuple[int, bool], np.ndarray] = field(default_factory=dict)
    looks: int = 0

    def draw(self, laid: Laid, hand: bool = False) -> np.ndarray:
        """The table as a picture: its number, a patch for each card and bead, bare table, perhaps an arm."""
        if laid not in self.known:
            self.known.append(laid)
        number = self.known.index(laid)
        if (number, hand) not in self.drawn:
            self.drawn[number, hand] = self._paint(laid, number, hand)
        return self.drawn[number, hand]

    def _paint(self, laid: Laid, number: int, hand: bool) -> np.ndarray:
        image = np.full((SIZE[1], SIZE[0], 3), (90, 120, 150), np.uint8)
        places = [(thing.x, thing.y) for thing in (*laid.cards, *laid.beads)]
        for px, py in plane().to_px(places).round().astype(int):
            image[py - 5 : py + 6, px - 8 : px + 9] = (200, 220, 230)
        for bit in range(BITS):
            left = 200 + BLOCK * bit
            image[190 : 190 + BLOCK, left : left + BLOCK] = 255 if number >> bit & 1 else 0
        if hand:
            cv2.rectangle(image, (60, 0), (140, 300), (60, 80, 170), -1)
        return image

    @property
    def whole(self) -> bool:
        """Its pictures can be read as a whole only."""
        return True

    def observe(self, image: np.ndarray, *_: object) -> Observation:
        self.looks += 1
        number = self._number(image)
        if number not in self.seen:
            self.seen[number] = self._observation(self.known[number])
        return self.seen[number]

    def _observation(self, laid: Laid) -> Observation:
        to_px = plane().to_px
        components = []
        for card in laid.cards:
            corners = [(card.x + dx, card.y + dy) for dx, dy in ((-22, -14), (22, -14), (22, 14), (-22, 14))]
            quad = tuple((float(x), float(y)) for x, y in to_px(corners))
            components.append(Component(f"fiji/{card.component}", "card", (card.x, card.y), card.angle, quad, 1.0, 1.0))
        beads = [
            BeadSeen(b.colour, (b.x, b.y), tuple(float(v) for v in to_px([(b.x, b.y)])[0]), 1.0) for b in laid.beads
        ]
        return Observation(SIZE, components=tuple(components), beads=tuple(beads), plane=plane())

    def _number(self, image: np.ndarray) -> int:
        middles = [200 + BLOCK * bit + BLOCK // 2 for bit in range(BITS)]
        return sum(1 << bit for bit, x in enumerate(middles) if image[190 + BLOCK // 2, x].mean() > 127)
