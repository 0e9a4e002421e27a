"""Maori's state: everything lies open but the pile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.game import TABLE, Actor, Effect, Malformed, Note
from companion.games.maori.actions import POSITIONS, SIZE
from companion.games.maori.tiles import Setup, components, read_setup
from companion.games.reading import Fields

SEATS: Final = range(2, 6)
SHELLS: Final = 5  #: that each player starts with
ALL_SHELLS: Final[int] = components()["counts"]["shells"]

LAY: Final = "lay_display"
SAIL: Final = "sail"
TAKE: Final = "take"
REFILL: Final = "refill"
OVER: Final = "over"

NONE: Final = -1  #: no tile: a gap in the display, a free field, an empty store
PRINTED: Final = -2  #: a field of a board that has a picture, so that no tile goes there


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Tiles are indices into the catalogue; per-seat things are tuples by seat."""

    setup: Setup
    step: str
    seat: int  #: whose turn it is; when over, who acted last
    ship: int | None  #: position clockwise around the display; None before it is laid
    display: tuple[int, ...]  #: sixteen cells row by row, () before it is laid
    boards: tuple[tuple[int, ...], ...]
    stores: tuple[int, ...]
    shells: tuple[int, ...]
    supply: int  #: shells that nobody has
    pile: int
    unseen: frozenset[int]  #: tiles that the pile must hold, if the copy is complete
    gap: int = 0  #: the cell of the display that was emptied last
    turns_left: int | None = None  #: once a board is full: turns of the others still to come

    @property
    def players(self) -> int:
        return len(self.shells)


def start(players: int, options: Mapping[str, Any]) -> State:
    """The state before the display is laid: five shells each, open (MA-S1), of 30 in all; boards with their print."""
    if players not in SEATS:
        raise Malformed(f"Maori is for {SEATS.start} to {SEATS.stop - 1} players, not {players}")
    fields = Fields(options, "options")
    setup = read_setup(fields)
    fields.done()
    printed = {cell for cell, _ in setup.printed}
    board = tuple(PRINTED if cell in printed else NONE for cell in range(setup.cells))
    return State(
        setup=setup,
        step=LAY,
        seat=0,
        ship=None,
        display=(),
        boards=(board,) * players,
        stores=(NONE,) * players,
        shells=(SHELLS,) * players,
        supply=ALL_SHELLS - SHELLS * players,
        pile=len(setup.tiles),
        unseen=frozenset(range(len(setup.tiles))),
    )


def actor(state: State) -> Actor | None:
    """Who has to act: the table, the seat whose turn it is, or nobody when the game is over."""
    if state.step in (LAY, REFILL):
        return TABLE
    return None if state.step == OVER else state.seat


def _line(position: int) -> tuple[int, ...]:
    """Cells of the display as the ship sees them from a position, the nearest first.

    >>> _line(0), _line(4), _line(8), _line(12)
    ((0, 4, 8, 12), (3, 2, 1, 0), (15, 11, 7, 3), (12, 13, 14, 15))
    """
    side, at = divmod(position, SIZE)
    cells = range(SIZE)
    if side == 0:
        return tuple(row * SIZE + at for row in cells)
    if side == 1:
        return tuple(at * SIZE + column for column in reversed(cells))
    if side == 2:
        return tuple(row * SIZE + SIZE - 1 - at for row in reversed(cells))
    return tuple((SIZE - 1 - at) * SIZE + column for column in cells)


LINES: Final = tuple(_line(position) for position in range(POSITIONS))


def line(state: State) -> list[int]:
    """Cells with tiles in the ship's line, the nearest first: a gap is no tile and costs nothing (MA-A5)."""
    assert state.ship is not None
    return [cell for cell in LINES[state.ship] if state.display[cell] != NONE]


def reach(state: State) -> list[int]:
    """The cells of the line that a volcano does not block, the nearest first (MA-2v)."""
    tiles = state.setup.tiles
    free = []
    for cell in line(state):
        if tiles[state.display[cell]].volcano:
            break
        free.append(cell)
    return free


def boats(state: State, seat: int) -> int:
    """The boats seen on a board, the printed ones with them: a tile that left it no longer counts (MA-A4)."""
    tiles = state.setup.tiles
    laid = sum([tiles[tile].boats for tile in state.boards[seat] if tile >= 0])
    return laid + sum([tile.boats for _, tile in state.setup.printed])


def takeable(state: State) -> bool:
    """Whether the display still has a tile that is no volcano."""
    tiles = state.setup.tiles
    return any(tile != NONE and not tiles[tile].volcano for tile in state.display)


def told(rule: str, code: str, **facts: object) -> Effect:
    """Something that happened; in Maori everybody may know everything, now and later."""
    return Effect(Note(code, facts), rule)
