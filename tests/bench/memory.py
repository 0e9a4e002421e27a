"""How much memory a game takes: the state in its middle, and a history of 500 actions with the state after each.

`state` is all that is reachable from a state but classes and functions, in bytes; `own` leaves out what it shares with
the first state of its game (the board, the catalogue, empty supplies). `history` is what Python holds more of once 500
actions and the states after them are kept, in KiB; `record` is the same actions as lines of a record.
"""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from companion.games.game import Action, Game, games
from companion.games.record import dump_line
from tests.bench.rules import _actions

ACTIONS = 500
SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)


def run() -> list[dict[str, Any]]:
    """A row for each game with as many players as it takes."""
    return [_row(game) for game in games().values()]


def _row(game: Game[Any, Any]) -> dict[str, Any]:
    players = game.seats.stop - 1
    actions = _enough(game, players)
    middle = _middle(game, players)
    tracemalloc.start()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    history = _history(game, players, actions)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(history) == ACTIONS
    lines = sum(len(dump_line(action.data())) + 1 for action, _ in history)
    return {
        "game": f"{game.name}, {players} players",
        "state": _size(_reachable(middle)),
        "own": _size(_reachable(middle, but=_reachable(game.start(players, {})))),
        "history_KiB": round((after - before) / 1024),
        "record_KiB": round(lines / 1024),
    }


def _enough(game: Game[Any, Any], players: int) -> list[Action]:
    """500 actions, of several games in a row where one is shorter."""
    rng, found = random.Random(3), list[Action]()
    while len(found) < ACTIONS:
        found += _actions(game, players, rng)
    return found[:ACTIONS]


def _middle(game: Game[Any, Any], players: int) -> Any:
    """The state half-way through a random game."""
    state, actions = game.start(players, {}), _actions(game, players, random.Random(3))
    for action in actions[: len(actions) // 2]:
        state, _ = game.apply(state, action)
    return state


def _history(game: Game[Any, Any], players: int, actions: list[Action]) -> list[tuple[Action, Any]]:
    """Each action, read anew from its data as a table reads it, with the state after it."""
    state, kept = game.start(players, {}), []
    for action in actions:
        if game.over(state):
            state = game.start(players, {})
        own = game.read(state, action.data())
        state, _ = game.apply(state, own)
        kept.append((own, state))
    return kept


def _reachable(root: object, but: dict[int, object] | None = None) -> dict[int, object]:
    """Objects by identity that can be reached from one, but for classes, functions and those in `but`."""
    found: dict[int, object] = {}
    todo = [root]
    while todo:
        item = todo.pop()
        if id(item) in found or isinstance(item, SHARED) or (but is not None and id(item) in but):
            continue
        found[id(item)] = item
        todo += gc.get_referents(item)
    return found


def _size(objects: dict[int, object]) -> int:
    return sum(map(sys.getsizeof, objects.values()))
