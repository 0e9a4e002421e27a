"""A sensible player of Maori: sails to the tile that improves its board most, and lays it there. Sees its view only."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from companion.games.game import Data
from companion.games.maori.actions import POSITIONS, MaoriAction, PlaceStored, Remove, Sail, Take
from companion.games.maori.islands import WREATH, palm_points
from companion.games.maori.state import LINES
from companion.games.maori.tiles import FACING, PRINTED_NAME, Setup, Tile, read_setup
from companion.games.reading import Fields

SHELL: Final = 0.8  #: points a shell is worth, for the most shells count and they carry far
BOAT: Final = 0.8
HALF_WREATH: Final = 1.0  #: points of half a wreath whose other half still has a field to lie on
HOPE: Final = 0.7  #: of an unfinished island's points, as long as it can be finished
OPEN_SIDE: Final = 0.6  #: what each side costs that still wants land
LOST: Final = -0.4  #: a tile of an island that cannot be finished any more
STORED: Final = 0.4  #: what a tile is worth in the store, of what it would be worth laid

Laid = Mapping[int, Tile]


class _Table:
    """What the bot knows of the table."""

    def __init__(self, view: Data, seat: int) -> None:
        self._view = view
        self._seat = seat
        self.setup: Setup = read_setup(Fields({"catalogue": view["tiles"] or {"none": {}}, "board": view["board"]}, ""))
        self.ship: int = view["ship"]
        self.shells: int = view["shells"][seat]
        self.supply: int = view["supply"]
        self._placing: dict[str, float] = {}

    @cached_property
    def laid(self) -> dict[int, Tile]:
        """What lies or is printed on the own board, by cell."""
        found = dict(self.setup.printed)
        names = [name for row in self._view["boards"][self._seat] for name in row]
        found.update((at, self.tile(name)) for at, name in enumerate(names) if name and name != PRINTED_NAME)
        return found

    @cached_property
    def free(self) -> list[int]:
        return [cell for cell in range(self.setup.cells) if cell not in self.laid]

    @cached_property
    def now(self) -> float:
        """What the own board is worth as it lies."""
        return self.worth(self.laid)

    @property
    def boats(self) -> int:
        return sum(tile.boats for tile in self.laid.values())

    def tile(self, name: str) -> Tile:
        return self.setup.tiles[self.setup.numbers[name]]

    def cell(self, field: tuple[int, int]) -> int:
        return field[0] * self.setup.columns + field[1]

    def stored(self) -> Tile:
        return self.tile(self._view["stores"][self._seat])

    def line(self, position: int) -> list[str]:
        """Names of the tiles that can be had from a position, the nearest first."""
        display = [name for row in self._view["display"] for name in row]
        found = []
        for cell in LINES[position]:
            name = display[cell]
            if name is not None:
                if self.tile(name).volcano:
                    break
                found.append(name)
        return found

    def in_line(self) -> list[str]:
        return self.line(self.ship)

    def gain(self, tile: Tile, cell: int) -> float:
        """What laying a tile in a cell adds."""
        return self.worth({**self.laid, cell: tile}) - self.now + SHELL * min(tile.shells, self.supply)

    def best_gain(self, name: str) -> float:
        """What a tile adds in the best free cell, or in the store when none is free."""
        if name not in self._placing:
            tile = self.tile(name)
            self._placing[name] = max((self.gain(tile, cell) for cell in self.free), default=0.0)
        return self._placing[name]

    def worth(self, laid: Laid) -> float:
        """Points a board promises: each island, wreaths and their halves, boats."""
        symbols: list[float] = [BOAT * tile.boats + self._wreath(laid, at, tile) for at, tile in laid.items()]
        return self._islands(laid) + sum(symbols)

    def _wreath(self, laid: Laid, at: int, tile: Tile) -> float:
        """Half of a complete wreath, or the hope for one."""
        if tile.wreath is None:
            return 0.0
        beyond = self.setup.neighbour(at, tile.wreath)
        if beyond is None:
            return 0.0
        if beyond not in laid:
            return HALF_WREATH
        return WREATH / 2 if laid[beyond].wreath == FACING[tile.wreath] else 0.0

    def _islands(self, laid: Laid) -> float:
        total, seen = 0.0, set()
        for first in laid:
            if first not in seen:
                island = _Island(self.setup, laid, first)
                seen.update(island.cells)
                total += island.promise()
        return total


class _Island:
    """An island of the own board: `_dead` open sides meet no land any more, `_wanting` free cells could bring it."""

    def __init__(self, setup: Setup, laid: Laid, first: int) -> None:
        self._laid = laid
        self.cells = {first}
        waiting, wanting, self._dead = [first], set(), 0
        while waiting:
            cell = waiting.pop()
            for side in laid[cell].open:
                beyond = setup.neighbour(cell, side)
                if beyond is None:
                    self._dead += 1
                elif beyond not in laid:
                    wanting.add(beyond)
                elif FACING[side] not in laid[beyond].open:
                    self._dead += 1
                elif beyond not in self.cells:
                    self.cells.add(beyond)
                    waiting.append(beyond)
        self._wanting = len(wanting)

    def promise(self) -> float:
        tiles = len(self.cells)
        if self._dead:
            return LOST * tiles
        points = palm_points([self._laid[cell] for cell in self.cells]) + tiles
        return points if not self._wanting else HOPE * points - OPEN_SIDE * self._wanting


class Bot:
    """Plays a seat from its view."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self._seat = seat
        self._rng = rng

    def choose(self, view: Data, legal: Sequence[MaoriAction]) -> MaoriAction:
        """The action that promises most; equal ones by lot."""
        table = _Table(view, self._seat)
        promises = [self._promise(table, action) for action in legal]
        best = max(promises)
        return self._rng.choice([action for action, promise in zip(legal, promises, strict=True) if promise == best])

    def _promise(self, table: _Table, action: MaoriAction) -> float:
        match action:
            case Sail():
                return self._sailing(table, action.steps)
            case Take():
                name, paid = table.in_line()[action.skip], SHELL * action.skip
                if action.to is None:
                    return STORED * max(0.0, table.best_gain(name)) - paid
                return table.gain(table.tile(name), table.cell(action.to)) - paid
            case PlaceStored():
                stored = table.stored()
                return table.gain(stored, table.cell(action.field)) - STORED
            case Remove():
                cell = table.cell(action.field)
                left = {at: tile for at, tile in table.laid.items() if at != cell}
                return table.worth(left) - table.now
            case _:
                return 0.0

    def _sailing(self, table: _Table, steps: int) -> float:
        """The best tile to be had from there, less the shells it takes."""
        paid = max(0, steps - table.boats)
        line = table.line((table.ship + steps) % POSITIONS)
        gains = [table.best_gain(name) - SHELL * skip for skip, name in enumerate(line) if paid + skip <= table.shells]
        return max([0.0, *gains]) - SHELL * paid
