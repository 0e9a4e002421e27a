"""The table of the demonstration as it really lies: cards a little askew, beads where they roll, hands in between."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field

from companion.games.tabletop import Laid, PiecePlacing, Placing, Zone
from vision.simulated import BeadAt, HandAt, PieceAt, Placed, Scene

ASKEW_MM = 2.5
ASKEW_DEG = 2.5
BEAD_APART_MM = 14.5  # centres of two beads that do not overlap
TRIES = 200


@dataclass(slots=True)
class World:
    """What lies on the table. `lay` moves it to what a state asks for, touching only what differs."""

    zones: tuple[Zone, ...]
    rng: random.Random
    cards: dict[Placing, Placed] = field(default_factory=dict)  # from the bottom up
    beads: list[tuple[str, BeadAt]] = field(default_factory=list)  # with the zone each lies in
    pieces: tuple[PiecePlacing, ...] = ()

    def scene(self, hands: tuple[HandAt, ...] = ()) -> Scene:
        """The table as a camera would see it."""
        pieces = tuple(PieceAt(p.piece, (p.x, p.y), colour=p.colour or None, value=p.value) for p in self.pieces)
        beads = tuple(bead for _, bead in self.beads)
        return Scene(cards=tuple(self.cards.values()), beads=beads, pieces=pieces, hands=hands)

    def lay(self, laid: Laid) -> tuple[tuple[float, float], ...]:
        """Move everything to its place; returns where something changed (mm)."""
        moved = [(p.x, p.y) for p in {*self.pieces} ^ {*laid.pieces}]
        self.pieces = laid.pieces
        return (*self._lay_cards(laid), *self._lay_beads(laid), *moved)

    def _lay_cards(self, laid: Laid) -> list[tuple[float, float]]:
        before = self.cards
        self.cards = {placing: before.get(placing) or self._askew(placing) for placing in laid.cards}
        gone = [placed for placing, placed in before.items() if placing not in self.cards]
        come = [placed for placing, placed in self.cards.items() if placing not in before]
        return [placed.centre_mm for placed in (*gone, *come)]

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
