"""Maori tables for tests: a small catalogue with short names, and states at the point a test needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.game import Effect, Illegal, Note, Ruling
from companion.games.maori import game
from companion.games.maori.actions import MaoriAction, Take
from companion.games.maori.state import NONE, SAIL, TAKE, State

Field = tuple[int, int]

#: `n` is an end that is open to the north, `ew` a middle; `*` adds a hut, `n~` half a wreath at the open side.
CATALOGUE: dict[str, dict[str, Any]] = {
    **{side.lower(): {"open": side, "palms": 1} for side in "NESW"},
    **{f"{side.lower()}*": {"open": side, "palms": 2, "huts": 1} for side in "NESW"},
    **{f"{side.lower()}~": {"open": side, "wreath": side} for side in "NESW"},
    "ns": {"open": "NS", "palms": 2},
    "ew": {"open": "EW", "palms": 2},
    "ne": {"open": "NE", "palms": 1},
    "lone": {"palms": 3},
    "lone*": {"palms": 3, "huts": 1},
    "sea": {},
    "boat": {"boats": 1},
    "boats": {"boats": 2},
    "shell": {"shells": 1},
    "shells": {"shells": 3},
    "volcano": {"volcano": True},
    **{f"plain-{n}": {"palms": 1} for n in range(16)},
}
PLAIN = tuple(f"plain-{n}" for n in range(16))  #: the display, unless told otherwise: row by row from the north
LAND: list[dict[str, Any]] = [{"field": [row, 0], "boats": row % 2} for row in range(4)]  #: two boats, no open sides
BOARD: dict[str, Any] = {"rows": 4, "columns": 5, "printed": LAND}
WATER = [(row, column) for row in range(4) for column in range(1, 5)]


def at_sea(players: int = 2, **told: Any) -> State:
    """Seat 0 begins a turn, the ship is at position 0, north of the column plain-0, -4, -8, -12.

    `display` has sixteen names or None, `boards` fields and names by seat, `stores` names by seat; `catalogue` and
    `board` are the options; everything else are fields of the state.
    """
    catalogue = told.pop("catalogue", CATALOGUE)
    state = game.start(players, {"catalogue": catalogue, "board": told.pop("board", BOARD)})
    numbers = state.setup.numbers
    display = tuple(NONE if name is None else numbers[name] for name in told.pop("display", PLAIN))
    stores = tuple(NONE if name is None else numbers[name] for name in told.pop("stores", ()))
    boards = [_board(state, fields) for fields in told.pop("boards", ())]
    state = replace(
        state,
        step=SAIL,
        ship=0,
        display=display,
        pile=len(catalogue) - 16,
        boards=(*boards, *state.boards[len(boards) :]),
        stores=(*stores, *state.stores[len(stores) :]),
    )
    return replace(state, **told)


def at_take(players: int = 2, **told: Any) -> State:
    """The same with the ship moved already."""
    return replace(at_sea(players, **told), step=TAKE)


def _board(state: State, fields: Mapping[Field, str]) -> tuple[int, ...]:
    board = list(state.boards[0])
    for (row, column), name in fields.items():
        board[row * state.setup.columns + column] = state.setup.numbers[name]
    return tuple(board)


def full(but: Sequence[Field] = (), name: str = "sea") -> dict[Field, str]:
    """Tiles on all water fields but these."""
    return {field: name for field in WATER if field not in but}


def do(state: State, *actions: MaoriAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after these actions, and the effects of the last."""
    effects: tuple[Effect, ...] = ()
    for action in actions:
        state, effects = game.apply(state, action)
    return state, effects


def store(skip: int = 0, seat: int = 0) -> Take:
    return Take(seat, skip, None)


def lying(state: State, seat: int) -> dict[Field, str]:
    """The tiles on a board, by field."""
    names = state.setup.names
    return {state.setup.field(cell): names[tile] for cell, tile in enumerate(state.boards[seat]) if tile >= 0}


def parts(state: State, seat: int = 0) -> dict[str, int]:
    return dict(game.scores(state)[seat].parts)


def refused(state: State, action: Any) -> Ruling:
    """The ruling that refuses the action; fails when it is allowed."""
    try:
        game.apply(state, action)
    except Illegal as error:
        return error.ruling
    raise AssertionError(f"{action} is allowed")


def told(effects: Sequence[Effect], code: str) -> list[dict[str, Any]]:
    """The facts of all effects with this message."""
    return [dict(effect.note.facts) for effect in effects if effect.note.code == code]


def shown(name: str) -> Note:
    """How a tile of the small catalogue is told."""
    setup = game.start(2, {"catalogue": CATALOGUE, "board": BOARD}).setup
    return setup.told(setup.numbers[name])
