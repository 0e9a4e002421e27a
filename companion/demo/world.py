"""The table of the demonstration as it really lies: cards a little askew, beads where they roll, hands in between."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field

from companion.games.tabletop import Laid, Placing, Zone
from vision.simulated import BeadAt, HandAt, Placed, Scene

ASKEW_MM = 2.5
ASKEW_DEG = 2.5
BEAD_APART_MM = 14.5  # centres of two beads that do not overlap
TRIES = 200


@dataclass(slots=True)
class World:
    """What lies on the table. `lay` moves it to what a state asks for, touching only what differs."""

    zones: tuple[Zone, ...]
    rng: random.Random
    cards: dict[str, tuple[Placing, Placed]] = field(default_factory=dict)
    beads: list[tuple[str, BeadAt]] = field(default_factory=list)  # with the zone each lies in

    def scene(self, hands: tuple[HandAt, ...] = ()) -> Scene:
        """The table as a camera would see it."""
        cards = tuple(placed for _, placed in self.cards.values())
        return Scene(cards=cards, beads=tuple(bead for _, bead in self.beads), hands=hands)

    def lay(self, laid: Laid) -> tuple[tuple[float, float], ...]:
        """Move everything to its place; returns where something changed (mm)."""
        return (*self._lay_cards(laid), *self._lay_beads(laid))

    def _lay_cards(self, laid: Laid) -> list[tuple[float, float]]:
        wanted = {p.component: p for p in laid.cards}
        moved = []
        for name in [name for name, (old, _) in self.cards.items() if wanted.get(name) != old]:
            moved.append(self.cards.pop(name)[1].centre_mm)
        for name, placing in wanted.items():
            if name not in self.cards:
                placed = self._askew(placing)
                self.cards[name] = (placing, placed)
                moved.append(placed.centre_mm)
        return moved

    def _askew(self, placing: Placing) -> Placed:
        dx, dy = (self.rng.uniform(-ASKEW_MM, ASKEW_MM) for _ in range(2))
        turn = placing.angle + self.rng.uniform(-ASKEW_DEG, ASKEW_DEG)
        return Placed(placing.component, (placing.x + dx, placing.y + dy), turn)

    def _lay_beads(self, laid: Laid) -> list[tuple[float, float]]:
        wanted = Counter((b.zone, b.colour) for b in laid.beads)
        lying = Counter((zone, bead.colour) for zone, bead in self.beads)
        moved = []
        for zone, colour in (lying - wanted).elements():
            moved.append(self.take_bead(zone, colour).centre_mm)
        for zone, colour in (wanted - lying).elements():
            moved.append(self.put_bead(zone, colour).centre_mm)
        return moved

    def take_bead(self, zone: str, colour: str) -> BeadAt:
        """Take one bead of a colour out of a zone."""
        index = next(i for i, (z, b) in enumerate(self.beads) if (z, b.colour) == (zone, colour))
        return self.beads.pop(index)[1]

    def put_bead(self, zone: str, colour: str) -> BeadAt:
        """Put one bead somewhere into a zone, near its middle, on no other bead."""
        area = next(z for z in self.zones if z.name == zone)
        bead = BeadAt(colour, self._free(area))
        self.beads.append((zone, bead))
        return bead

    def _free(self, area: Zone) -> tuple[float, float]:
        middle = (area.x + area.width / 2, area.y + area.height / 2)
        for spread in (0.2, 0.3, 0.45, 0.7):
            for _ in range(TRIES):
                x, y = (self.rng.gauss(centre, area.height * spread) for centre in middle)
                inside = area.holds(x - 8, y - 8) and area.holds(x + 8, y + 8)
                if inside and all(math.dist((x, y), b.centre_mm) >= BEAD_APART_MM for _, b in self.beads):
                    return x, y
        raise RuntimeError(f"no place for another bead in {area.name}")

    def hands(self, places: tuple[tuple[float, float], ...]) -> tuple[HandAt, ...]:
        """A hand that reaches for the first of these places from the nearer long side of the table."""
        if not places:
            return ()
        x, y = places[self.rng.randrange(len(places))]
        from_below = y > 270
        tip = (x + self.rng.uniform(-8, 8), y + (8 if from_below else -8))
        return (HandAt(tip, arm_deg=(180.0 if from_below else 0.0) + self.rng.uniform(-25, 25)),)
