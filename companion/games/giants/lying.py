"""What stands where on a table of Giants, by what is seen, and how that differs from what should.

A spot is a hex, an ahu, the quarry tile, or the table before a screen. What stands so near to the border of two hexes
that it may belong to either belongs to the one that lacks it. A thing that cannot be told may be any one thing that
is missing where it stands; where nothing is missing it is one too many.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.games.game import Note
from companion.games.giants.actions import LOG
from companion.games.giants.board import Board
from companion.games.giants.places import Island
from companion.games.giants.state import State
from companion.games.tabletop import Difference, SeenPiece, Zone

Spot = tuple[str, str]  #: ("hex", "c3"), ("ahu", "A"), ("front", "0"), ("quarry", "")
Things = Mapping[Spot, Counter[str]]  #: "worker-red", "log", "moai-size-2", "headdress" and how many, by spot

DOUBT: Final = ""  #: a thing that cannot be told
QUARRY: Final[Spot] = ("quarry", "")
HEADDRESS: Final = "headdress"
MOAI: Final = "moai"
BORDER: Final = 5.0  #: a thing is on either of two spots when it is nearer to one by no more than this, mm
UNTOLD: Final = 10.0  #: … or by this, where nobody knows what it is, and so not quite where it stands
ON_AHU: Final = 20.0  #: how far from its middle something may stand on an ahu, mm
NONE: Final[Counter[str]] = Counter()


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the spots of a table are. `island` None: nobody knows where the hexes are, so nothing on them is read."""

    board: Board
    island: Island | None
    map: Zone
    quarry: Zone
    fronts: tuple[Zone, ...]

    def spots(self, piece: SeenPiece) -> tuple[Spot, ...]:
        """The spot a piece stands on, or the two it may stand on, the nearer first; none where nothing is."""
        if self.island is not None:
            found = self._on_the_island(self.island, piece)
            if found:
                return found
        if self.quarry.holds(piece.x, piece.y):
            return (QUARRY,)
        return tuple(("front", str(seat)) for seat, zone in enumerate(self.fronts) if zone.holds(piece.x, piece.y))[:1]

    def middle(self, spot: Spot) -> tuple[float, float] | None:
        """The middle of a spot (mm); None where nobody knows where it is."""
        kind, name = spot
        if kind in ("quarry", "front"):
            return (self.quarry if kind == "quarry" else self.fronts[int(name)]).middle
        if self.island is None:
            return None
        at = self.board.hex_at[name] if kind == "hex" else self.board.ahu_at[name]
        return self.map.at(*(self.island.hexes if kind == "hex" else self.island.ahus)[at])

    def _on_the_island(self, island: Island, piece: SeenPiece) -> tuple[Spot, ...]:
        along, down = _local(self.map, piece.x, piece.y)
        near = [
            (away, ("hex", self.board.hexes[at].id))
            for at, (x, y) in enumerate(island.hexes)
            if (away := math.hypot(x - along, y - down)) <= island.size
        ]
        if _may_stand_on_ahu(piece.piece):
            near += [
                (away, ("ahu", self.board.ahus[at].id))
                for at, (x, y) in enumerate(island.ahus)
                if (away := math.hypot(x - along, y - down)) <= ON_AHU
            ]
        near.sort()
        border = UNTOLD if piece.piece == DOUBT else BORDER
        return tuple(spot for away, spot in near if away - near[0][0] <= border)[:2]


def _may_stand_on_ahu(piece: str) -> bool:
    return piece in (HEADDRESS, DOUBT) or piece.startswith(MOAI)


def _local(zone: Zone, x: float, y: float) -> tuple[float, float]:
    """How far along and down a zone something lies."""
    turn = math.radians(zone.angle)
    c, s, dx, dy = math.cos(turn), math.sin(turn), x - zone.x, y - zone.y
    return dx * c + dy * s, dy * c - dx * s


@dataclass(frozen=True, slots=True)
class Off:
    """At a spot so many of a thing are seen and not expected (`more` > 0), or expected and not seen (`more` < 0)."""

    spot: Spot
    thing: str
    more: int
    expected: int


@dataclass(frozen=True, slots=True)
class Lying:
    """What is seen at each spot, and what should be there."""

    seen: Things
    expected: Things

    def off(self) -> Iterator[Off]:
        """Every thing too many or too few, spot by spot."""
        for spot in sorted({*self.seen, *self.expected}):
            yield from self.off_at(spot)

    def off_at(self, spot: Spot) -> Iterator[Off]:
        seen, expected = self.seen.get(spot, NONE), self.expected.get(spot, NONE)
        if seen == expected:
            return
        doubts = seen[DOUBT]
        missing = 0
        for thing in sorted({*seen, *expected} - {DOUBT}):
            more = seen[thing] - expected[thing]
            if more > 0:
                yield Off(spot, thing, more, expected[thing])
            elif more < 0:
                excused = min(-more, doubts - missing)
                missing += excused
                if more + excused and not _hidden(spot, thing, seen, expected):
                    yield Off(spot, thing, more + excused, expected[thing])
        if doubts > missing:
            yield Off(spot, DOUBT, doubts - missing, 0)

    def lacks(self, spot: Spot, thing: str) -> bool:
        """Whether the thing may be gone from a spot where it should be."""
        seen = self.seen.get(spot, NONE)
        return seen[thing] < self.expected.get(spot, NONE)[thing]

    def has_more(self, spot: Spot, thing: str) -> bool:
        """Whether one more of the thing may stand there than should."""
        return any(one.more > 0 and one.thing in (thing, DOUBT) for one in self.off_at(spot))

    def differences(self, state: State, ground: Ground) -> tuple[Difference, ...]:
        """One difference for each thing too many or too few."""
        return tuple(
            Difference(
                _kind(state, one),
                _zone(one.spot),
                _note(one, self.seen.get(one.spot, NONE)[one.thing]),
                _doubt(one),
                ground.middle(one.spot),
            )
            for one in self.off()
            for _ in range(abs(one.more))
        )


def _hidden(spot: Spot, thing: str, seen: Counter[str], expected: Counter[str]) -> bool:
    """A Moai below its headdress may not be seen."""
    return spot[0] == "ahu" and thing.startswith(MOAI) and expected[HEADDRESS] > 0 and seen[HEADDRESS] > 0


def _kind(state: State, one: Off) -> str:
    """What tells an action is "card". Figures that were bid, what goes back into the box and a headdress that is on
    its way come and go after it: they are counted."""
    kind, _ = one.spot
    if kind == "quarry":
        return "card" if state.phase in ("bid", "carve") else "count"
    if kind == "front" and (not _may_stand_on_ahu(one.thing) or (one.thing == HEADDRESS and state.phase == "place")):
        return "count"
    return "card"


def _doubt(one: Off) -> str:
    """What eyes may have missed, or not told."""
    return f"no {one.thing}" if one.more < 0 else "" if one.thing else "unclear"


def _zone(spot: Spot) -> str:
    kind, name = spot
    if kind == "front":
        return f"seat{int(name) + 1}.front"
    return name or kind


def _note(one: Off, seen: int) -> Note:
    kind, name = one.spot
    facts = {"thing": one.thing or "unclear", "seen": seen, "expected": one.expected}
    where = {"seat": int(name)} if kind == "front" else {"place": name}
    return Note(f"differs_{kind}", facts | (where if name else {}))


# --- from what is seen, and from a state -----------------------------------------------------------------------------


def located(pieces: Sequence[SeenPiece], ground: Ground, expected: Things) -> Lying:
    """What is seen at each spot. Things between two spots come last, so that they fill what is still missing."""
    fixed, loose = _sorted(tuple(pieces), ground)
    if not loose:
        return Lying(fixed, expected)
    seen = {spot: Counter(things) for spot, things in fixed.items()}
    for thing, spots in loose:
        fitting = [spot for spot in spots if _wanting(seen, expected, spot, thing)]
        seen.setdefault((fitting or spots)[0], Counter())[thing] += 1
    return Lying(seen, expected)


def _wanting(seen: Things, expected: Things, spot: Spot, thing: str) -> bool:
    have, want = seen.get(spot, NONE), expected.get(spot, NONE)
    return have.total() < want.total() if thing == DOUBT else have[thing] < want[thing]


@lru_cache(maxsize=8)
def _sorted(
    pieces: tuple[SeenPiece, ...], ground: Ground
) -> tuple[dict[Spot, Counter[str]], list[tuple[str, tuple[Spot, ...]]]]:
    """The things whose spot is clear, by spot, and those with two spots."""
    fixed: dict[Spot, Counter[str]] = {}
    loose = []
    for piece in pieces:
        thing = _thing(piece)
        spots = () if thing is None else ground.spots(piece)
        if thing is not None and len(spots) == 1:
            fixed.setdefault(spots[0], Counter())[thing] += 1
        elif thing is not None and spots:
            loose.append((thing, spots))
    return fixed, loose


def _thing(piece: SeenPiece) -> str | None:
    """What a piece is as a thing of this game; None for what is none, like a die."""
    if piece.piece in ("worker", "sorcerer", "chief"):
        return f"{piece.piece}-{piece.colour}" if piece.colour else DOUBT
    known = piece.piece in ("", "log", HEADDRESS) or piece.piece.startswith(MOAI)
    return piece.piece if known else None


def contents(state: State, colours: Sequence[str]) -> Things:
    """What should stand at each spot in this state."""
    found: dict[Spot, Counter[str]] = {}

    def put(spot: Spot, thing: str) -> None:
        found.setdefault(spot, Counter())[thing] += 1

    for hex_, group in zip(state.board.hexes, state.figures, strict=True):
        for carrier in group:
            put(("hex", hex_.id), "log" if carrier == LOG else f"{carrier[1]}-{colours[carrier[0]]}")
    for piece in state.pieces:
        put(spot_of(piece.hex, piece.ahu, piece.before), thing_of(piece.kind, piece.size))
    for size in state.quarry:
        put(QUARRY, thing_of(MOAI, size))
    if None not in state.bids:
        for seat, hands in enumerate(state.bids):
            for figure, count in (hands.figures() if hands else {}).items():
                for _ in range(count):
                    put(("front", str(seat)), f"{figure}-{colours[seat]}")
    return found


def spot_of(hex_: str | None, ahu: str | None, before: int | None) -> Spot:
    """The spot of a piece by where it stands."""
    if hex_ is not None:
        return "hex", hex_
    return ("ahu", ahu) if ahu is not None else ("front", str(before))


def thing_of(kind: str, size: int | None) -> str:
    return HEADDRESS if kind == HEADDRESS else f"{MOAI}-size-{size}"
