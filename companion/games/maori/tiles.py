"""Maori's tiles and boards: what they show, the house set, and a copy's own by the options of a record.

A tile is an index into the catalogue; a board is a tuple of cells, row by row from the far edge.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from companion.games.game import Data, Malformed, Note
from companion.games.reading import Fields, integer, word

SIDES: Final = "NESW"
AHEAD: Final = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}  #: rows and columns to the neighbour at a side
FACING: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}
MOST_SYMBOLS: Final = 9  #: of one kind on a tile
LARGEST: Final = 12  #: rows or columns of a board
PRINTED_NAME: Final = "printed"  #: how records name a printed field, so no tile may be called so


@dataclass(frozen=True, slots=True)
class Tile:
    """What a tile, or a printed field of a board, shows (MA-S2)."""

    open: frozenset[str] = frozenset()  #: sides where the land goes on
    palms: int = 0
    huts: int = 0
    boats: int = 0
    shells: int = 0
    wreath: str | None = None  #: side at which half a wreath lies
    volcano: bool = False

    def data(self) -> Data:
        """The attributes, as in a deck."""
        return {
            "open": "".join(side for side in SIDES if side in self.open),
            "palms": self.palms,
            "huts": self.huts,
            "boats": self.boats,
            "shells": self.shells,
            "wreath": self.wreath,
            "volcano": self.volcano,
        }


def told(tile: Tile) -> Note:
    """A tile in words: its land and what it shows.

    >>> told(Tile(frozenset("NE"), palms=2)).code
    'tile_land_with'
    """
    if tile.volcano:
        return Note("tile_volcano")
    shows = {name: tile.data()[name] for name in ("palms", "huts", "boats", "shells")}
    shows["wreaths"] = int(tile.wreath is not None)
    facts: Data = {"shows": shows} if any(shows.values()) else {}
    if tile.open:
        facts["sides"] = [f"to_{side}" for side in SIDES if side in tile.open]
        return Note("tile_land_with" if "shows" in facts else "tile_land", facts)
    if tile.palms or tile.huts:
        return Note("tile_single_with", facts)
    return Note("tile_water_with" if facts else "tile_water", facts)


SHOWN: Final = Tile().data().keys()  #: what a tile's attributes may speak of


@dataclass(frozen=True, slots=True)
class Setup:
    """What a copy of the game is like: its tiles by index, and its boards."""

    names: tuple[str, ...] = field(hash=False)
    tiles: tuple[Tile, ...] = field(hash=False)
    rows: int
    columns: int
    printed: tuple[tuple[int, Tile], ...]  #: cells with what is printed on them
    numbers: Mapping[str, int] = field(compare=False, repr=False)  #: tiles by name

    def told(self, tile: int) -> Note:
        """A tile in words."""
        return told(self.tiles[tile])

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def field(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell."""
        return divmod(cell, self.columns)

    def neighbour(self, cell: int, side: str) -> int | None:
        """The cell at a side, or None beyond the board's edge."""
        row, column = self.field(cell)
        down, right = AHEAD[side]
        row, column = row + down, column + right
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def board_data(self) -> Data:
        """The board as in the option `board`."""
        kept = ("open", "palms", "huts", "boats", "wreath")
        printed = [
            {"field": list(self.field(cell)), **{name: tile.data()[name] for name in kept}}
            for cell, tile in self.printed
        ]
        return {"rows": self.rows, "columns": self.columns, "printed": printed}


def read_setup(fields: Fields) -> Setup:
    """The copy that a record's options describe, the house set where they are silent; raises Malformed."""
    catalogue = fields.take("catalogue") if fields.has("catalogue") else components()["tiles"]
    board = fields.take("board") if fields.has("board") else components()["board"]
    if catalogue is components()["tiles"] and board is components()["board"]:
        return _house()
    return _setup(catalogue, board)


@cache
def components() -> dict[str, Any]:
    """`components.toml` as it stands."""
    return tomllib.loads(files(__package__).joinpath("components.toml").read_text("utf-8"))


@cache
def _house() -> Setup:
    return _setup(components()["tiles"], components()["board"])


def _setup(catalogue: object, board: object) -> Setup:
    if not isinstance(catalogue, Mapping) or not catalogue:
        raise Malformed("options.catalogue must be an object with at least one tile")
    if PRINTED_NAME in catalogue:
        raise Malformed(f"options.catalogue: no tile may be called {PRINTED_NAME!r}, since that is a printed field")
    tiles = tuple(read_tile(value, f"options.catalogue.{name}") for name, value in catalogue.items())
    fields = Fields(board, "options.board")
    rows, columns = fields.integer("rows", 1, LARGEST), fields.integer("columns", 1, LARGEST)
    printed: dict[int, Tile] = {}
    for cell, tile in fields.items("printed", lambda value, where: _read_printed(value, where, rows, columns)):
        if cell in printed:
            raise Malformed(f"options.board.printed: the field {list(divmod(cell, columns))} is there twice")
        printed[cell] = tile
    fields.done()
    if len(printed) == rows * columns:
        raise Malformed("options.board.printed: no field is left for tiles")
    names = tuple(catalogue)
    in_order = tuple((cell, printed[cell]) for cell in sorted(printed))
    return Setup(names, tiles, rows, columns, in_order, {name: i for i, name in enumerate(names)})


def read_tile(value: object, where: str) -> Tile:
    """A tile by its attributes, as in a deck or a record's catalogue; raises Malformed."""
    fields = Fields(value, where)
    tile = _read_land(fields, where)
    shells = fields.integer("shells", most=MOST_SYMBOLS, default=0)
    volcano = fields.flag("volcano", default=False)
    fields.done()
    return Tile(tile.open, tile.palms, tile.huts, tile.boats, shells, tile.wreath, volcano)


def _read_printed(value: object, where: str, rows: int, columns: int) -> tuple[int, Tile]:
    fields = Fields(value, where)
    cell = read_field(fields.take("field"), f"{where}.field", rows, columns)
    tile = _read_land(fields, where)
    fields.done()
    return cell, tile


def _read_land(fields: Fields, where: str) -> Tile:
    """What tiles and printed fields may both show; what is left out is not there."""
    return Tile(
        open=_read_open(fields.take("open"), f"{where}.open") if fields.has("open") else frozenset(),
        palms=fields.integer("palms", most=MOST_SYMBOLS, default=0),
        huts=fields.integer("huts", most=MOST_SYMBOLS, default=0),
        boats=fields.integer("boats", most=MOST_SYMBOLS, default=0),
        wreath=_read_wreath(fields.take("wreath"), f"{where}.wreath") if fields.has("wreath") else None,
    )


def _read_open(value: object, where: str) -> frozenset[str]:
    if not isinstance(value, str) or not set(value) <= set(SIDES) or len(set(value)) < len(value):
        raise Malformed(f"{where} must be a text of the sides N, E, S, W, each at most once")
    return frozenset(value)


def _read_wreath(value: object, where: str) -> str | None:
    return None if value is None else word(value, where, tuple(SIDES))


def read_field(value: object, where: str, rows: int, columns: int) -> int:
    """The cell that [row, column] names; raises Malformed if the board has no such field."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Malformed(f"{where} must be [row, column]")
    row = integer(value[0], f"{where}[0]", 0, rows - 1)
    return row * columns + integer(value[1], f"{where}[1]", 0, columns - 1)
