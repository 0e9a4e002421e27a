"""How a game of Maori lies on a table: the display with the ship around it, boards with tiles, stores, shells.

Tiles are read by the field they lie on, whatever way they are turned; equal tiles stand for each other. Shells are
counted by zone. That a turn passes with nothing done lies on no table: a phone tells it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

from companion.games.game import TABLE, Action, Note
from companion.games.maori import rules
from companion.games.maori.actions import POSITIONS, SIZE, LayDisplay, MaoriAction, Refill
from companion.games.maori.state import LAY, NONE, REFILL, State
from companion.games.maori.tiles import SHOWN, Setup, Tile, told
from companion.games.tabletop import (
    BeadPlacing,
    Difference,
    Laid,
    Meaning,
    Option,
    PiecePlacing,
    Placing,
    Reading,
    Seen,
    SeenCard,
    Tabletop,
    Zone,
)

PITCH: Final = 40.0  #: of a board's fields, mm
STORE: Final = 46.0  #: width of a board's storage, left of its fields
EDGE: Final = 6.0  #: around a board's fields
CELL: Final = 42.0  #: of the display
RING: Final = 30.0  #: from the display's edge to the middle of the ship
SHELL_STEP: Final = 18.0
MOST_WAYS: Final = 64
MOST_OPTIONS: Final = 6
SIDES: Final = ("north", "east", "south", "west")  #: of the display, as the ship sails around it
BOARD: Final = "board"
SHELL: Final = "shell"
SHIP: Final = "ship"
DISPLAY: Final = Zone("display", 384, 81, SIZE * CELL, SIZE * CELL)
SUPPLY: Final = Zone("supply", 284, 40, 48, 245)
BOARDS: Final = (
    Zone("seat1.board", 30, 370, 252, 172),
    Zone("seat2.board", 30, 30, 252, 172),
    Zone("seat3.board", 618, 30, 252, 172),
    Zone("seat4.board", 618, 370, 252, 172),
    Zone("seat5.board", 324, 370, 252, 172),
)
SHELLS: Final = (
    Zone("seat1.shells", 30, 298, 252, 68),
    Zone("seat2.shells", 30, 206, 252, 68),
    Zone("seat3.shells", 618, 206, 252, 68),
    Zone("seat4.shells", 618, 298, 252, 68),
    Zone("seat5.shells", 324, 298, 252, 68),
)
AREA: Final = Zone("area", -35, -35, 970, 630)
NOTHING: Final[tuple[int, ...]] = (NONE,)


@dataclass(frozen=True, slots=True)
class MaoriTable(Tabletop[State]):
    """Maori's `Tabletop`."""

    display: Zone = DISPLAY
    supply: Zone = SUPPLY
    boards: tuple[Zone, ...] = BOARDS  #: by seat
    shells: tuple[Zone, ...] = SHELLS  #: by seat
    area: Zone = AREA
    signs: Mapping[str, str] = field(default_factory=dict)

    def zones(self, players: int) -> tuple[Zone, ...]:
        return (self.display, self.supply, *self.boards[:players], *self.shells[:players])

    def relaid(self, zones: Iterable[Zone]) -> MaoriTable:
        by_name = {zone.name: zone for zone in zones}
        return MaoriTable(
            by_name.get(self.display.name, self.display),
            by_name.get(self.supply.name, self.supply),
            tuple(by_name.get(zone.name, zone) for zone in self.boards),
            tuple(by_name.get(zone.name, zone) for zone in self.shells),
            self.area,
        )

    def lay(self, state: State) -> Laid:
        """Where everything lies in this state, the boards below their tiles."""
        boards = self.boards[: state.players]
        cards = [Placing(BOARD, *zone.at(zone.width / 2, zone.height / 2), zone.angle, zone.name) for zone in boards]
        names = state.setup.names
        cards += [Placing(names[tile], *place, angle, zone) for zone, place, angle, tile in self._tiles(state)]
        beads = _heap(self.supply, state.supply)
        for zone, count in zip(self.shells, state.shells, strict=False):
            beads += _heap(zone, count)
        pieces = () if state.ship is None else (PiecePlacing(SHIP, *_beside(self.display, state.ship), "ship"),)
        return Laid(tuple(cards), tuple(beads), pieces)

    def _tiles(self, state: State) -> Iterator[tuple[str, tuple[float, float], float, int]]:
        """The tiles that lie: zone, place, turn, index."""
        for cell, tile in enumerate(state.display):
            if tile >= 0:
                yield "display", _cell(self.display, cell), self.display.angle, tile
        for zone, board, stored in zip(self.boards, state.boards, state.stores, strict=False):
            for cell, tile in enumerate(board):
                if tile >= 0:
                    yield zone.name, _field(zone, state.setup, cell), zone.angle, tile
            if stored >= 0:
                yield zone.name, zone.at(*_store(zone)), zone.angle, stored

    def steps(self, before: State, actions: Sequence[MaoriAction], after: State) -> tuple[Laid, ...]:
        return (self.lay(after),)

    def just_after(self, state: State, action: MaoriAction) -> State:
        return rules.act(state, action)[0]

    def read(self, state: State, seen: Seen, past: Iterable[Action]) -> Reading:
        """`lay_display` with the ship, or the `refill` of the gap."""
        if state.step == REFILL and not state.pile:
            return Reading(action=Refill(TABLE, None))
        lying = self._lying(state, seen)
        if state.step == REFILL:
            tile = lying.display.get(state.gap)
            return Reading(waiting=Note("see_gap")) if tile is None else _reading(state, [tile], None)
        ship = _ship(self.display, seen)
        count = len(lying.display)
        if count != SIZE * SIZE:
            return Reading(waiting=Note("see_display", {"tiles": count}))
        tiles = [lying.display[cell] for cell in range(SIZE * SIZE)]
        return _ask_ship(state, tiles) if ship is None else _reading(state, tiles, ship)

    def differences(self, state: State, seen: Seen) -> tuple[Difference, ...]:
        if state.step == LAY:
            return ()  # the table is being laid
        lying, setup = self._lying(state, seen), state.setup
        found = [
            Difference(
                "card",
                "display",
                Note("differs_display", {**_row_column(cell, SIZE), **said}),
                at=_cell(self.display, cell),
            )
            for cell, said in _wrong(setup, dict(enumerate(state.display)), lying.display)
        ]
        ship = _ship(self.display, seen)
        if ship is not None and state.ship is not None and ship != state.ship:
            facts = {"seen": _at_side(ship), "expected": _at_side(state.ship)}
            found.append(Difference("card", "ship", Note("differs_ship", facts), at=_beside(self.display, ship)))
        for seat, board in enumerate(state.boards):
            zone = self.boards[seat]
            fields = {cell: tile for cell, tile in enumerate(board) if tile >= NONE}
            found += [
                Difference(
                    "card",
                    zone.name,
                    Note("differs_board", {"seat": seat, **_row_column(cell, setup.columns), **s}),
                    at=_field(zone, setup, cell),
                )
                for cell, s in _wrong(setup, fields, lying.boards[seat])
            ]
            stored = _wrong(setup, {0: state.stores[seat]}, lying.stores[seat])
            found += [
                Difference("card", zone.name, Note("differs_store", {"seat": seat, **said}), at=zone.at(*_store(zone)))
                for _, said in stored
            ]
        return (*found, *self._shell_differences(state, seen))

    def _shell_differences(self, state: State, seen: Seen) -> list[Difference]:
        """Shells too many or too few in a zone. Eyes that see none at all cannot tell them: they count none."""
        found: list[Difference] = []
        if all(bead.colour != SHELL for bead in seen.beads):
            return found
        places = [(self.supply, state.supply, Note("differs_supply"))]
        for seat, count in enumerate(state.shells):
            places.append((self.shells[seat], count, Note("differs_shells", {"seat": seat})))
        for zone, want, note in places:
            inside = [bead.colour for bead in seen.beads if zone.holds(bead.x, bead.y)]
            count, doubts = inside.count(SHELL), inside.count("")
            if not count <= want <= count + doubts:
                facts = {**note.facts, "seen": count, "expected": want}
                found.append(Difference("count", zone.name, Note(note.code, facts), at=zone.middle))
        return found

    def _lying(self, state: State, seen: Seen) -> _Lying:
        """Which tile lies where; boards and what lies beside every field are left out."""
        players = state.players
        lying = _Lying({}, [{} for _ in range(players)], [{} for _ in range(players)])
        for card in seen.cards:
            tiles = _may_be(state.setup, card)
            if not tiles:
                continue
            if self.display.holds(card.x, card.y):
                along, down = _local(self.display, card)
                lying.display[int(down // CELL) * SIZE + int(along // CELL)] = (tiles, card.sure)
                continue
            for seat, zone in enumerate(self.boards[:players]):
                if not zone.holds(card.x, card.y):
                    continue
                cell = field_at(zone, state.setup, card)
                if _local(zone, card)[0] < STORE:
                    lying.stores[seat][0] = (tiles, card.sure)
                elif cell is not None:
                    lying.boards[seat][cell] = (tiles, card.sure)
        return lying

    def name(self, meaning: Meaning) -> Note:
        if not says_tile(meaning):
            return Note("name_board" if meaning.get("card") == BOARD else "name_other")
        return told(tile_of(meaning))


@dataclass(frozen=True, slots=True)
class _Lying:
    """Tiles by place: what each may be, the likeliest first, and whether that is sure."""

    display: dict[int, tuple[tuple[int, ...], bool]]
    boards: list[dict[int, tuple[tuple[int, ...], bool]]]
    stores: list[dict[int, tuple[tuple[int, ...], bool]]]


tabletop: Final = MaoriTable()


# --- places ----------------------------------------------------------------------------------------------------------


def _cell(display: Zone, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, SIZE)
    return display.at((column + 0.5) * CELL, (row + 0.5) * CELL)


def _field(board: Zone, setup: Setup, cell: int) -> tuple[float, float]:
    row, column = setup.field(cell)
    return board.at(STORE + (column + 0.5) * PITCH, EDGE + (row + 0.5) * PITCH)


def field_at(board: Zone, setup: Setup, card: SeenCard) -> int | None:
    """The cell of a board on which a tile lies; None in its storage and beside its fields."""
    along, down = _local(board, card)
    row, column = int((down - EDGE) // PITCH), int((along - STORE) // PITCH)
    inside = 0 <= row < setup.rows and 0 <= column < setup.columns
    return row * setup.columns + column if inside else None


def _store(board: Zone) -> tuple[float, float]:
    """The storage's middle, along and down from the board's corner."""
    return 21.2, board.height - 26


def _beside(display: Zone, position: int) -> tuple[float, float]:
    """Where the ship stands at a position."""
    side, at = divmod(position, SIZE)
    whole, along = SIZE * CELL, (at + 0.5) * CELL
    where = ((along, -RING), (whole + RING, along), (whole - along, whole + RING), (-RING, whole - along))
    return display.at(*where[side])


def _ship(display: Zone, seen: Seen) -> int | None:
    """The position of the ship; None when it is not seen, or not clearly beside one line."""
    for piece in seen.pieces:
        if piece.piece == SHIP:
            for position in range(POSITIONS):
                if math.dist((piece.x, piece.y), _beside(display, position)) < CELL / 2:
                    return position
    return None


def _local(zone: Zone, card: SeenCard) -> tuple[float, float]:
    """How far along and down a zone a card lies."""
    turn = math.radians(zone.angle)
    c, s, dx, dy = math.cos(turn), math.sin(turn), card.x - zone.x, card.y - zone.y
    return dx * c + dy * s, dy * c - dx * s


def _heap(zone: Zone, count: int) -> list[BeadPlacing]:
    """Shells in rows from the zone's upper left corner."""
    across = int(zone.width // SHELL_STEP)
    spots = ((SHELL_STEP * (i % across + 0.5), SHELL_STEP * (i // across + 0.5)) for i in range(count))
    return [BeadPlacing(SHELL, *zone.at(*spot), zone.name) for spot in spots]


# --- tiles -----------------------------------------------------------------------------------------------------------


def says_tile(meaning: Meaning) -> bool:
    """Whether these are a tile's attributes; those that it does not show may be left out."""
    return not meaning.keys().isdisjoint(SHOWN)


def tile_of(meaning: Meaning) -> Tile:
    """What a deck's attributes say of a tile."""
    palms, huts, boats, shells = (int(meaning.get(name, 0)) for name in ("palms", "huts", "boats", "shells"))
    sides, volcano = frozenset(meaning.get("open", "")), bool(meaning.get("volcano", False))
    return Tile(sides, palms, huts, boats, shells, meaning.get("wreath"), volcano)


def _may_be(setup: Setup, card: SeenCard) -> tuple[int, ...]:
    """The tiles a card may be, the likeliest first; of equal ones the one it is called."""
    named = ((card.component, card.meaning),) if card.sure else card.candidates
    found = []
    for component, meaning in named:
        number = setup.numbers.get(component.rsplit("/", 1)[-1])
        if number is None and says_tile(meaning):
            wanted = tile_of(meaning)
            number = next((i for i, tile in enumerate(setup.tiles) if tile == wanted), None)
        found += [] if number is None else [number]
    return tuple(found)


def _wrong(
    setup: Setup, expected: Mapping[int, int], lying: Mapping[int, tuple[tuple[int, ...], bool]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Places where something else lies than should, nothing where something should, or the other way round."""
    for place, want in expected.items():
        tiles, sure = lying.get(place, (NOTHING, True))
        if not sure or want in tiles:
            continue
        if want == NONE or tiles == NOTHING or setup.tiles[want] != setup.tiles[tiles[0]]:
            yield place, {"tile": _word(setup, tiles[0]), "expected": _word(setup, want)}


def _word(setup: Setup, tile: int) -> Note | str:
    return "nothing" if tile == NONE else setup.told(tile)


def _row_column(cell: int, columns: int) -> dict[str, int]:
    return {"field_row": cell // columns + 1, "field_column": cell % columns + 1}


# --- reading -----------------------------------------------------------------------------------------------------


def _reading(state: State, places: Sequence[tuple[tuple[int, ...], bool]], ship: int | None) -> Reading:
    """One way to read the tiles is an action, several are a question.

    A tile that lies elsewhere already, with none like it left in the box, is not believed unasked.
    """
    ways = list(product(*(tiles for tiles, _ in places))) if math.prod(len(t) for t, _ in places) <= MOST_WAYS else []
    if not ways:
        return Reading(waiting=Note("see_unclear"))
    in_box = [way for way in ways if _in_box(state, way)]
    if len(in_box) == 1 and all(sure for _, sure in places):
        return Reading(action=_laid(state, in_box[0], ship))
    options = [
        Option(Note("laid_tiles", {"tiles": [state.setup.told(t) for t in way]}), _laid(state, way, ship))
        for way in (in_box or ways)[:MOST_OPTIONS]
    ]
    return Reading(question=Note("ask_laid"), options=(*options, Option(Note("answer_again"), None)))


def _ask_ship(state: State, tiles: Sequence[tuple[tuple[int, ...], bool]]) -> Reading:
    """Once the tiles are read: beside which of them the ship stands, for eyes that do not see it. It may still come."""
    read = _reading(state, tiles, 0).action
    if not isinstance(read, LayDisplay):
        return Reading(waiting=Note("see_ship"))
    options = [Option(_at_side(position), replace(read, ship=position)) for position in range(POSITIONS)]
    return Reading(question=Note("ask_ship"), options=(*options, Option(Note("answer_again"), None)))


def _at_side(position: int) -> Note:
    """Where the ship stands: the side, and beside which tile of it."""
    side, number = divmod(position, SIZE)
    return Note("laid_ship", {"side": SIDES[side], "number": number + 1})


def _laid(state: State, way: tuple[int, ...], ship: int | None) -> Action:
    names = tuple(state.setup.names[tile] for tile in way)
    return Refill(TABLE, names[0]) if ship is None else LayDisplay(TABLE, names, ship)


def _in_box(state: State, way: tuple[int, ...]) -> bool:
    """Whether the box still holds these tiles, or equal ones."""
    left, tiles = set(state.unseen), state.setup.tiles
    for tile in way:
        equal = tile if tile in left else next((other for other in left if tiles[other] == tiles[tile]), None)
        if equal is None:
            return False
        left.remove(equal)
    return True
