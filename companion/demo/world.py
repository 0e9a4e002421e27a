"""The table of the demonstration as it really lies: cards a little askew, beads where they roll, hands in between."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.games.tabletop import BeadPlacing, Laid, PiecePlacing, Placing, Zone
from vision.simulated import BeadAt, HandAt, PieceAt, Placed, Scene
from vision.simulated.pieces import SHAPES

ASKEW_MM = 2.5
ASKEW_DEG = 2.5
BEAD_APART_MM = 14.5  # centres of two beads that do not overlap
APART_MM = 0.5  # between two pieces
PUSHED_MM = 4.5  # farther askew a piece may stand where others are in its way
TIDY_MM = 1.5  # beads laid in rows lie no farther beside their places
TRIES = 200
Place = tuple[float, float]
Lying = Placing | PiecePlacing


@dataclass(slots=True)
class World:
    """What lies on the table. `lay` moves it to what a state asks for, touching only what differs."""

    zones: tuple[Zone, ...]
    rng: random.Random
    cards: dict[Placing, Placed] = field(default_factory=dict)  # from the bottom up
    beads: list[tuple[str, BeadAt]] = field(default_factory=list)  # with the zone each lies in
    pieces: dict[PiecePlacing, PieceAt] = field(default_factory=dict)
    touched: frozenset[str] = frozenset()  # zones in which cards or pieces were moved last

    def scene(self, hands: tuple[HandAt, ...] = ()) -> Scene:
        """The table as a camera would see it."""
        pieces = tuple(self._carried(placing, piece) for placing, piece in self.pieces.items())
        beads = tuple(bead for _, bead in self.beads)
        return Scene(cards=tuple(self.cards.values()), beads=beads, pieces=pieces, hands=hands)

    def lay(self, laid: Laid) -> tuple[Place, ...]:
        """Move everything to its place; returns where something changed (mm)."""
        before: list[Lying] = [*self.cards, *self.pieces]
        changed = _changed(before, [*laid.cards, *laid.pieces])
        self.touched = frozenset(placing.zone for placing in changed) or self.touched
        self.cards = {placing: self.cards.get(placing) or self._askew(placing) for placing in laid.cards}
        self._stand(laid.pieces)
        return (*((placing.x, placing.y) for placing in changed), *self._lay_beads(laid.beads))

    def straighten(self, zones: Iterable[str]) -> tuple[Place, ...]:
        """Lay anew what lies in these zones or at these spots, as people do with what the camera cannot read.

        Returns where (mm).
        """
        names = set(zones)
        cards = [placing for placing in self.cards if placing.zone in names]
        pieces = [placing for placing in self.pieces if not names.isdisjoint((placing.zone, placing.spot))]
        self.cards |= {placing: self._askew(placing) for placing in cards}
        standing = tuple(self.pieces)
        self.pieces = {placing: piece for placing, piece in self.pieces.items() if placing not in pieces}
        self._stand(standing)
        lying: list[Lying] = [*cards, *pieces]
        return tuple((placing.x, placing.y) for placing in lying)

    # --- cards and pieces ------------------------------------------------------------------------------------------

    def _askew(self, placing: Placing) -> Placed:
        dx, dy = (self.rng.uniform(-ASKEW_MM, ASKEW_MM) for _ in range(2))
        turn = placing.angle + self.rng.uniform(-ASKEW_DEG, ASKEW_DEG)
        return Placed(placing.component, (placing.x + dx, placing.y + dy), turn)

    def _stand(self, placings: Sequence[PiecePlacing]) -> None:
        """Stand the pieces where they belong; those that stand already stay, and what stands on others comes last."""
        kept = {placing: self.pieces[placing] for placing in placings if placing in self.pieces}
        self.pieces = kept
        for placing in sorted(placings, key=lambda placing: placing.on):
            if placing not in kept:
                self.pieces[placing] = self._stood(placing)

    def _stood(self, placing: PiecePlacing) -> PieceAt:
        """A piece a little aside of its place, but in no other one; or on the one below it."""
        below = self._below(placing)
        turn, (at, base) = self.rng.uniform(0, 360), below or (self._room(placing), 0.0)
        return PieceAt(placing.piece, at, turn, placing.colour or None, placing.value, base)

    def _below(self, placing: PiecePlacing) -> tuple[Place, float] | None:
        """Where the upper face is on which a piece is to stand: its middle and its height, mm."""
        for other, piece in self.pieces.items():
            if placing.on and (other.piece, other.x, other.y) == (placing.on, placing.x, placing.y):
                return piece.centre_mm, SHAPES[placing.on].height
        return None

    def _room(self, placing: PiecePlacing) -> Place:
        """The first place found around a piece's own where it touches no other, else the one farthest from others."""
        others = [(p.centre_mm, SHAPES[p.piece].reach) for p in self.pieces.values() if not p.base_mm]
        best, most = (placing.x, placing.y), -math.inf
        for number in range(TRIES):
            askew = ASKEW_MM + PUSHED_MM * number / TRIES
            at = placing.x + self.rng.uniform(-askew, askew), placing.y + self.rng.uniform(-askew, askew)
            spare = min((math.dist(at, place) - reach for place, reach in others), default=math.inf)
            if spare > most:
                best, most = at, spare
            if spare > SHAPES[placing.piece].reach + APART_MM:
                break
        return best

    def _carried(self, placing: PiecePlacing, piece: PieceAt) -> PieceAt:
        """Where a piece is when the board on which it stands lies askew."""
        board = next((card for card in self.cards if card.zone == placing.zone), None)
        if board is None:
            return piece
        lies = self.cards[board]
        turn = math.radians(lies.angle_deg - board.angle)
        dx, dy = piece.centre_mm[0] - board.x, piece.centre_mm[1] - board.y
        x, y = dx * math.cos(turn) - dy * math.sin(turn), dx * math.sin(turn) + dy * math.cos(turn)
        return replace(piece, centre_mm=(lies.centre_mm[0] + x, lies.centre_mm[1] + y))

    # --- beads -----------------------------------------------------------------------------------------------------

    def _lay_beads(self, laid: tuple[BeadPlacing, ...]) -> list[Place]:
        wanted = Counter((b.zone, b.colour) for b in laid)
        lying = Counter((zone, bead.colour) for zone, bead in self.beads)
        moved, tidied = list[Place](), set[str]()
        for zone, colour in (lying - wanted).elements():
            moved.append(self.take_bead(zone, colour).centre_mm)
        for zone, colour in (wanted - lying).elements():
            if zone in tidied:
                continue
            try:
                moved.append(self.put_bead(zone, colour).centre_mm)
            except Crowded:
                tidied.add(zone)
                moved += self._tidy(zone, laid)
        return moved

    def take_bead(self, zone: str, colour: str) -> BeadAt:
        """Take one bead of a colour out of a zone."""
        index = next(i for i, (z, b) in enumerate(self.beads) if (z, b.colour) == (zone, colour))
        return self.beads.pop(index)[1]

    def put_bead(self, zone: str, colour: str) -> BeadAt:
        """Put one bead somewhere into a zone, near its middle, on no other bead; raises Crowded."""
        area = next(z for z in self.zones if z.name == zone)
        bead = BeadAt(colour, self._free(area))
        self.beads.append((zone, bead))
        return bead

    def _free(self, area: Zone) -> Place:
        middle = (area.x + area.width / 2, area.y + area.height / 2)
        for spread in (0.2, 0.3, 0.45, 0.7):
            for _ in range(TRIES):
                x, y = (self.rng.gauss(centre, area.height * spread) for centre in middle)
                inside = area.holds(x - 8, y - 8) and area.holds(x + 8, y + 8)
                if inside and all(math.dist((x, y), b.centre_mm) >= BEAD_APART_MM for _, b in self.beads):
                    return x, y
        raise Crowded(f"no place for another bead in {area.name}")

    def _tidy(self, zone: str, laid: tuple[BeadPlacing, ...]) -> list[Place]:
        """Lay all beads of a crowded zone in rows."""
        self.beads = [(name, bead) for name, bead in self.beads if name != zone]
        rows = [bead for bead in laid if bead.zone == zone]
        for bead in rows:
            dx, dy = (self.rng.uniform(-TIDY_MM, TIDY_MM) for _ in range(2))
            self.beads.append((zone, BeadAt(bead.colour, (bead.x + dx, bead.y + dy))))
        return [(bead.x, bead.y) for bead in rows]

    # --- hands -----------------------------------------------------------------------------------------------------

    def hands(self, places: tuple[Place, ...]) -> tuple[HandAt, ...]:
        """A hand that reaches for one of these places from the nearer long side of the table."""
        if not places:
            return ()
        x, y = places[self.rng.randrange(len(places))]
        from_below = y > 270
        tip = (x + self.rng.uniform(-8, 8), y + (8 if from_below else -8))
        return (HandAt(tip, arm_deg=(180.0 if from_below else 0.0) + self.rng.uniform(-25, 25)),)


def _changed(before: Sequence[Lying], after: Sequence[Lying]) -> list[Lying]:
    """What lies in one of two tables only."""
    gone, come = set(before) - set(after), set(after) - set(before)
    return [*(placing for placing in before if placing in gone), *(placing for placing in after if placing in come)]


class Crowded(RuntimeError):
    """No place is left in a zone for one more bead to roll to."""
