"""Random play of any game, for tests: whole games as lists of turns, and actions with something changed."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from companion.games.game import TABLE, Action, Actor, Effect, Game
from companion.games.record import Header, dumps

NAMES = ("Hedwig", "Christian", "Angelika", "Marcel", "Jörg {0}")  # braces must not confuse a sentence
LONGEST_GAME = 20_000  #: actions; no game of ours comes near it
MANY = 1000  #: actions listed at most where a game can have more than anybody can list


@dataclass(frozen=True, slots=True)
class Turn:
    """A state, the action played from it, and what that did."""

    state: Any
    action: Action
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A game from its first state to its last."""

    game: Game[Any, Any]
    options: dict[str, Any]
    players: tuple[str, ...]
    turns: tuple[Turn, ...]
    end: Any

    @property
    def states(self) -> list[Any]:
        return [*(turn.state for turn in self.turns), self.end]

    @property
    def actions(self) -> list[Action]:
        return [turn.action for turn in self.turns]

    @property
    def header(self) -> Header:
        return Header(self.game.name, self.players, self.options)

    def record(self) -> str:
        return dumps(self.header, self.actions)


def play(game: Game[Any, Any], players: int, seed: int, options: Mapping[str, Any], bots: bool = False) -> Playthrough:
    """A game to its end: the dealer plays the table, seats choose at random or are bots."""
    rng = random.Random(seed)
    state = game.start(players, options)
    dealer = game.dealer(rng)
    seats = [game.bot(seat, rng) for seat in range(players)]
    turns: list[Turn] = []
    while actors := game.to_act(state):
        assert len(turns) < LONGEST_GAME, "the game does not end"
        by = rng.choice(actors)
        if by == TABLE:
            action = dealer.act(state)
        elif bots:
            action = seats[by].choose(game.view(state, by), listed(game, state, by))
        else:
            action = game.sample(state, by, rng)
        after, effects = game.apply(state, action)
        turns.append(Turn(state, action, effects))
        state = after
    return Playthrough(game, dict(options), NAMES[:players], tuple(turns), state)


def listed(game: Game[Any, Any], state: Any, by: Actor) -> list[Any]:
    """The legal actions, the first ones only where there are very many."""
    return list(islice(game.legal(state, by), MANY))


@cache
def _played(game: Game[Any, Any], players: int, seed: int, options: tuple[tuple[str, Any], ...]) -> Playthrough:
    return play(game, players, seed, dict(options))


def played(game: Game[Any, Any], players: int, seed: int, options: Mapping[str, Any]) -> Playthrough:
    """The same as `play`, remembered between tests (states are frozen)."""
    if all(isinstance(value, int | str) for value in options.values()):
        return _played(game, players, seed, tuple(options.items()))
    return play(game, players, seed, options)


def sample(rng: random.Random, items: list[Any], most: int) -> list[Any]:
    return items if len(items) <= most else rng.sample(items, most)


def mutants(rng: random.Random, data: Any, words: list[str]) -> Iterator[Any]:
    """The same JSON with one thing changed: a number, a word, a key, an entry, a type."""
    for path in _paths(data):
        changed = copy.deepcopy(data)
        parent, key = _parent(changed, path)
        value = parent[key]
        choices: list[Any] = [None, 0.5, [], {}, True, "?", 1, rng.choice(words)]
        if isinstance(value, int):
            choices += [value + 1, value - 1, value + 1, value - 1, -1, 10**9]
        parent[key] = rng.choice(choices)
        yield changed
        if isinstance(value, dict):
            more = copy.deepcopy(data)
            parent, key = _parent(more, path)
            parent[key]["surplus"] = 1
            yield more
        if isinstance(parent, dict):
            fewer = copy.deepcopy(data)
            parent, key = _parent(fewer, path)
            del parent[key]
            yield fewer
        if isinstance(value, list) and value:
            doubled = copy.deepcopy(data)
            parent, key = _parent(doubled, path)
            parent[key] = rng.choice([value[1:], [*value, value[0]]])
            yield doubled


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _parent(data: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    for key in path[:-1]:
        data = data[key]
    return data, path[-1]
