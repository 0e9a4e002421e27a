"""Maori's actions, and how record lines spell them. Tiles are indices into the catalogue, fields are cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.games.game import Action, Actor, Data, Malformed
from companion.games.maori.tiles import Setup, read_field
from companion.games.reading import Fields, items

STORE: Final = "store"
POSITIONS: Final = 16  #: of the ship around the display
SIZE: Final = 4  #: rows and columns of the display


@dataclass(frozen=True, slots=True)
class LayDisplay(Action):
    """The table lays sixteen tiles and puts the ship beside one at the edge."""

    do: ClassVar[str] = "lay_display"
    tiles: tuple[str, ...]  #: row by row from the north
    ship: int

    def arguments(self) -> Data:
        rows = [list(self.tiles[i : i + SIZE]) for i in range(0, len(self.tiles), SIZE)]
        return {"tiles": rows, "ship": self.ship}


@dataclass(frozen=True, slots=True)
class Sail(Action):
    """Move the ship clockwise (MA-1.1)."""

    do: ClassVar[str] = "sail"
    steps: int

    def arguments(self) -> Data:
        return {"steps": self.steps}


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Take a tile of the ship's line, passing over `skip` others, to a field or the store (MA-2a, MA-2b)."""

    do: ClassVar[str] = "take"
    skip: int
    to: tuple[int, int] | None  #: a field [row, column]; None: the store

    def arguments(self) -> Data:
        return {"skip": self.skip, "to": STORE if self.to is None else list(self.to)}


@dataclass(frozen=True, slots=True)
class PlaceStored(Action):
    """Move the stored tile to a field [row, column] (MA-2c)."""

    do: ClassVar[str] = "place_stored"
    field: tuple[int, int]

    def arguments(self) -> Data:
        return {"field": list(self.field)}


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """Take a tile off the own board and out of the game (MA-2d)."""

    do: ClassVar[str] = "remove"
    field: tuple[int, int]

    def arguments(self) -> Data:
        return {"field": list(self.field)}


@dataclass(frozen=True, slots=True)
class Nothing(Action):
    """Do nothing with the tiles (MA-2e)."""

    do: ClassVar[str] = "nothing"


@dataclass(frozen=True, slots=True)
class Refill(Action):
    """The table fills the gap from the pile (MA-3); None when the pile is empty."""

    do: ClassVar[str] = "refill"
    tile: str | None

    def arguments(self) -> Data:
        return {} if self.tile is None else {"tile": self.tile}


MaoriAction = LayDisplay | Sail | Take | PlaceStored | Remove | Nothing | Refill


class _Reader:
    """Reads the arguments of actions on a copy of the game."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.readers: Mapping[str, Callable[[Actor, Fields], MaoriAction]] = {
            "lay_display": self._lay_display,
            "sail": lambda by, f: Sail(by, f.integer("steps")),
            "take": lambda by, f: Take(by, f.integer("skip"), self._target(f.take("to"))),
            "place_stored": lambda by, f: PlaceStored(by, self._field(f.take("field"), "action.field")),
            "remove": lambda by, f: Remove(by, self._field(f.take("field"), "action.field")),
            "nothing": lambda by, f: Nothing(by),
            "refill": lambda by, f: Refill(by, self._tile(f.take("tile"), "action.tile") if f.has("tile") else None),
        }

    def _lay_display(self, by: Actor, fields: Fields) -> LayDisplay:
        rows = fields.items("tiles", lambda row, where: items(row, where, self._tile, SIZE), SIZE)
        return LayDisplay(by, tuple(tile for row in rows for tile in row), fields.integer("ship", 0, POSITIONS - 1))

    def _tile(self, value: object, where: str) -> str:
        if not isinstance(value, str) or value not in self._setup.numbers:
            raise Malformed(f"{where} must be a tile of the catalogue; {str(value)[:40]!r} is none")
        return value

    def _target(self, value: object) -> tuple[int, int] | None:
        return None if value == STORE else self._field(value, f'action.to, when it is not "{STORE}",')

    def _field(self, value: object, where: str) -> tuple[int, int]:
        setup = self._setup
        return setup.field(read_field(value, where, setup.rows, setup.columns))


def read_action(data: Mapping[str, Any], players: int, setup: Setup) -> MaoriAction:
    """The action a record line means; raises Malformed."""
    readers = _Reader(setup).readers
    fields = Fields(data, "action")
    by = fields.actor(players)
    action = readers[fields.word("do", tuple(readers))](by, fields)
    fields.done()
    return action
