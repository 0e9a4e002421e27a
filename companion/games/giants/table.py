"""How a game of Giants lies on a table: the island with all that stands on it, the quarry tile, the dice, the screens.

What stands before a screen is open: Moais not yet moved, headdresses, the figures that were bid. Markers, bases, half
tablets and turned forests are flat and small, and no eyes of ours tell them; what only they would show (a mark, a
reservation, buying half a tablet, what a medicine man fetches, passing) is told or asked on phones. Nothing behind
a screen is ever looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.games.game import Action, Note
from companion.games.giants import rules
from companion.games.giants.actions import LOG, Carrier, Carve, GiantsAction, Mark, Pass, Roll, Rongo
from companion.games.giants.box import components
from companion.games.giants.dice import rolled
from companion.games.giants.guesses import explaining, question
from companion.games.giants.lying import HEADDRESS, Ground, Lying, contents, located
from companion.games.giants.places import FIGURE_SPOTS, MAP, PIECE_SPOTS, Point, island
from companion.games.giants.state import Piece, State
from companion.games.tabletop import (
    Difference,
    Laid,
    Meaning,
    Option,
    PiecePlacing,
    Placing,
    Reading,
    Seen,
    SeenPiece,
    Tabletop,
    Zone,
)

MAP_NAME: Final = "map"
DIE: Final = "die"
STEP: Final = 27.0  #: between things that stand in rows,
TALL_STEP: Final = 54.0  #: … and between Moais, which seen from the camera lean over what stands beside them,
TALL_ROW: Final = 38.0  #: … or in the next row
ISLAND: Final = Zone("island", 190, 130, *MAP)
QUARRY: Final = Zone("quarry", 12, 215, 165, 100)
DICE: Final = Zone("dice", 724, 235, 165, 60)
FRONTS: Final = (
    Zone("seat1.front", 60, 446, 250, 108),
    Zone("seat2.front", 60, 20, 250, 108),
    Zone("seat3.front", 590, 20, 250, 108),
    Zone("seat4.front", 590, 446, 250, 108),
    Zone("seat5.front", 325, 446, 250, 108),
)
AREA: Final = Zone("area", -35, -35, 970, 630)
COLOURS: Final[tuple[str, ...]] = tuple(components()["colours"]["names"])


@dataclass(frozen=True, slots=True)
class GiantsTable(Tabletop[State]):
    """Giants' `Tabletop`."""

    map: Zone = ISLAND
    quarry: Zone = QUARRY
    dice: Zone = DICE
    fronts: tuple[Zone, ...] = FRONTS  #: before the screens, by seat
    colours: tuple[str, ...] = COLOURS  #: of the seats' figures
    area: Zone = AREA
    signs: Mapping[str, str] = field(default_factory=dict)

    def zones(self, players: int) -> tuple[Zone, ...]:
        return (self.map, self.quarry, self.dice, *self.fronts[:players])

    def relaid(self, zones: Iterable[Zone]) -> GiantsTable:
        by_name = {zone.name: zone for zone in zones}
        return replace(
            self,
            map=by_name.get(self.map.name, self.map),
            quarry=by_name.get(self.quarry.name, self.quarry),
            dice=by_name.get(self.dice.name, self.dice),
            fronts=tuple(by_name.get(zone.name, zone) for zone in self.fronts),
        )

    # --- laying ------------------------------------------------------------------------------------------------------

    def lay(self, state: State) -> Laid:
        """Where everything open lies in this state. The dice are nobody's any more once they have been read."""
        map_ = Placing(MAP_NAME, *self.map.at(self.map.width / 2, self.map.height / 2), self.map.angle, self.map.name)
        pieces = [*self._on_the_island(state), *_row(self.quarry, [f"moai-size-{size}" for size in state.quarry])]
        for seat, zone in enumerate(self.fronts[: state.players]):
            pieces += _row(zone, [_piece_name(p) for p in state.pieces if p.before == seat], self._bid(state, seat))
        return Laid((map_,), (), tuple(pieces))

    def _on_the_island(self, state: State) -> Iterator[PiecePlacing]:
        """Pieces in the middle of their hexes, figures and logs around them; a headdress on its Moai."""
        lies, board = island(state.board), state.board
        if lies is None:
            return
        for at, group in enumerate(state.figures):
            for number, carrier in enumerate(group):
                place = _spot(lies.hexes[at], FIGURE_SPOTS, number)
                yield self._placed(self._carrier(carrier), place, board.hexes[at].id)
        standing: Counter[int] = Counter()
        for piece in state.pieces:
            if piece.hex is not None:
                at = board.hex_at[piece.hex]
                yield self._placed(
                    (_piece_name(piece), ""), _spot(lies.hexes[at], PIECE_SPOTS, standing[at]), piece.hex
                )
                standing[at] += 1
            elif piece.ahu is not None:
                below = (p for p in state.pieces if p.ahu == piece.ahu and p.kind != HEADDRESS)
                on = next(map(_piece_name, below), "") if piece.kind == HEADDRESS else ""
                yield self._placed((_piece_name(piece), ""), lies.ahus[board.ahu_at[piece.ahu]], piece.ahu, on)

    def _placed(self, thing: tuple[str, str], at: Point, spot: str, on: str = "") -> PiecePlacing:
        return PiecePlacing(thing[0], *self.map.at(*at), self.map.name, thing[1], on=on, spot=spot)

    def _carrier(self, carrier: Carrier) -> tuple[str, str]:
        return ("log", "") if carrier == LOG else (carrier[1], self.colours[carrier[0]])

    def _bid(self, state: State, seat: int) -> list[tuple[str, str]]:
        """The figures that a seat has bid, once all bids are open."""
        hands = None if None in state.bids else state.bids[seat]
        if hands is None:
            return []
        return [(figure, self.colours[seat]) for figure, count in hands.figures().items() for _ in range(count)]

    def steps(self, before: State, actions: Sequence[GiantsAction], after: State) -> tuple[Laid, ...]:
        """Dice lie where they were rolled until something else is done."""
        laid, first = self.lay(after), actions[0]
        if not isinstance(first, Roll):
            return (laid,)
        dice = [
            PiecePlacing(DIE, *self.dice.at(STEP * (i + 0.5), 30), self.dice.name, value=value)
            for i, value in enumerate(first.dice)
        ]
        return (replace(laid, pieces=(*laid.pieces, *dice)),)

    def just_after(self, state: State, action: GiantsAction) -> State:
        """What nobody wants goes back into the box later; and the last to pass has touched nothing."""
        if isinstance(action, Pass):
            return state
        after, _ = rules.act(state, action)
        if isinstance(action, Carve):
            quarry = list(state.quarry)
            if action.size is not None:
                quarry.remove(action.size)
            return replace(after, quarry=tuple(quarry))
        return after

    # --- reading -----------------------------------------------------------------------------------------------------

    def read(self, state: State, seen: Seen, past: Iterable[Action]) -> Reading:
        """`roll`: the dice from the left, and the Moais on the quarry tile."""
        inside = [p for p in seen.pieces if self.dice.holds(p.x, p.y) and p.piece in (DIE, "")]
        dice = sorted(inside, key=lambda piece: _along(self.dice, piece))
        tile = Counter(p.piece for p in seen.pieces if self.quarry.holds(p.x, p.y))
        return rolled(state, [die.value if die.piece == DIE else None for die in dice], tile)

    def differences(self, state: State, seen: Seen) -> tuple[Difference, ...]:
        """Between two rounds people clear the island and set it up."""
        if state.phase in ("roll", "end"):
            return ()
        ground = self._ground(state, seen)
        return located(seen.pieces, ground, contents(state, self.colours)).differences(state, ground)

    def lying(self, state: State, seen: Seen) -> Lying:
        """What stands where by what is seen, against what should."""
        return located(seen.pieces, self._ground(state, seen), contents(state, self.colours))

    def _ground(self, state: State, seen: Seen) -> Ground:
        """Where the map's hexes and ahus lie on this table: where the map is seen, else in its zone."""
        found = next((card for card in seen.cards if _is_map(card.component, card.meaning)), None)
        zone, said = self.map, None
        if found is not None:
            zone, said = _centred(self.map, found.x, found.y, found.angle), found.meaning
        return Ground(state.board, island(state.board, said), zone, self.quarry, self.fronts[: state.players])

    def explaining(self, state: State, seat: int, seen: Seen, legal: Iterable[Action]) -> Iterable[Action]:
        """Of each movement that would explain the table, one for every payment it can make."""
        return explaining(state, seat, self.lying(state, seen), self.colours)

    def unseen(self, state: State, seat: int) -> Iterable[Action]:
        """Passing; buying half a tablet; declining a Moai; marking what stays where it is."""
        if state.phase == "transport":
            return (Pass(seat), *(Mark(seat, piece.id) for piece in state.pieces if piece.hex is not None))
        return {"carve": (Carve(seat, None),), "place": (Pass(seat), Rongo(seat))}.get(state.phase, ())

    def asked(self, state: State, actions: Sequence[GiantsAction]) -> tuple[Note, tuple[Option, ...]]:
        return question(state, actions)

    def name(self, meaning: Meaning) -> Note:
        return Note("name_map" if _is_map("", meaning) else "name_other")


tabletop: Final = GiantsTable()


def _piece_name(piece: Piece) -> str:
    return HEADDRESS if piece.kind == HEADDRESS else f"moai-size-{piece.size}"


def _spot(middle: Point, spots: Sequence[Point], number: int) -> Point:
    """The place of the n-th thing on a hex; when all are taken they are taken again, a little aside."""
    round_, at = divmod(number, len(spots))
    return middle[0] + spots[at][0] + 3.0 * round_, middle[1] + spots[at][1] + 3.0 * round_


def _row(zone: Zone, pieces: Sequence[str], figures: Sequence[tuple[str, str]] = ()) -> list[PiecePlacing]:
    """Things in rows from the zone's upper left corner, figures below pieces."""
    across, tall = int(zone.width // STEP), int(zone.width // TALL_STEP)
    places = [(TALL_STEP * (i % tall + 0.5), STEP / 2 + TALL_ROW * (i // tall)) for i in range(len(pieces))]
    below = STEP / 2 + TALL_ROW * -(-len(pieces) // tall)
    places += [(STEP * (i % across + 0.5), below + STEP * (i // across)) for i in range(len(figures))]
    things = [*((name, "") for name in pieces), *figures]
    return [
        PiecePlacing(name, *zone.at(*at), zone.name, colour) for (name, colour), at in zip(things, places, strict=True)
    ]


def _along(zone: Zone, piece: SeenPiece) -> float:
    """How far along the zone's upper edge a piece lies (any constant may be added)."""
    (x0, y0), (x1, y1) = zone.at(0, 0), zone.at(1, 0)
    return piece.x * (x1 - x0) + piece.y * (y1 - y0)


def _is_map(component: str, meaning: Meaning) -> bool:
    return "hexes" in meaning or meaning.get("card") == MAP_NAME or component.rsplit("/", 1)[-1] == MAP_NAME


def _centred(zone: Zone, x: float, y: float, angle: float) -> Zone:
    """The zone moved so that this is its middle and its turn."""
    turned = replace(zone, x=0.0, y=0.0, angle=angle)
    dx, dy = turned.at(zone.width / 2, zone.height / 2)
    return replace(turned, x=x - dx, y=y - dy)
