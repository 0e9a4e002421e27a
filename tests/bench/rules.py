"""How fast the rules are: actions a second of whole random games, every choice listed, and decisions of the bots.

Processor time of one thread. Frames and phones need a few hundred actions an evening; what needs the speed is a
referee that tries what could explain a table, and tests that play many games.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from companion.games.game import TABLE, Action, Game, games
from companion.games.record import Header, dumps, replay

SECONDS = 1.0
MANY = 1000  #: actions a bot chooses from at most


def run() -> list[dict[str, Any]]:
    """Rows of `what`, `value`, `unit`: for each game and number of players."""
    rows = []
    for game in games().values():
        for players in game.seats:
            named = f"{game.name}, {players} players"
            rows.append(_row(f"{named}: random play", _rate(_random_play(game, players)), "actions/s"))
        most = game.seats.stop - 1
        rows.append(_row(f"{game.name}, {most} players: bots", _rate(_bots(game, most)), "decisions/s"))
        rows += [_replayed(game, players) for players in game.seats]
    return rows


def _replayed(game: Game[Any, Any], players: int) -> dict[str, Any]:
    """How long a whole game of bots takes from the bytes of its record to its final state."""
    lines = _record(game, players)
    rate = _rate(lambda _: sum(1 for _ in replay(lines)))
    what = f"{game.name}, {players} players: replay of {len(lines)} lines"
    return {"what": what, "value": round(1000 * len(lines) / rate, 1), "unit": "ms"}


def _row(what: str, rate: float, unit: str) -> dict[str, Any]:
    return {"what": what, "value": round(rate), "unit": unit}


def _rate(work: Callable[[random.Random], int]) -> float:
    """What `work` counts, a second of processor time; the first call is not measured."""
    rng = random.Random(1)
    work(rng)
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        count += work(rng)
    return count / spent


def _random_play(game: Game[Any, Any], players: int) -> Callable[[random.Random], int]:
    """Actions of a whole game in which all legal actions are listed and one is drawn.

    Giants draws without listing: on a crowded island there are more than anybody can list.
    """

    def play(rng: random.Random) -> int:
        return len(_actions(game, players, rng))

    return play


def _actions(game: Game[Any, Any], players: int, rng: random.Random) -> list[Any]:
    state, dealer, actions = game.start(players, {}), game.dealer(rng), []
    while actors := game.to_act(state):
        by = actors[0] if len(actors) == 1 else rng.choice(actors)
        action = dealer.act(state) if by == TABLE else game.sample(state, by, rng)
        state, _ = game.apply(state, action)
        actions.append(action)
    return actions


def _bots(game: Game[Any, Any], players: int) -> Callable[[random.Random], int]:
    """Decisions of bots in a whole game, views included."""
    return lambda rng: sum(action.by != TABLE for action in _played(game, players, rng))


def _played(game: Game[Any, Any], players: int, rng: random.Random) -> list[Action]:
    """Actions of a whole game of bots."""
    state, dealer, actions = game.start(players, {}), game.dealer(rng), list[Action]()
    seats = [game.bot(seat, rng) for seat in range(players)]
    while actors := game.to_act(state):
        by = actors[0]
        if by == TABLE:
            action = dealer.act(state)
        else:
            action = seats[by].choose(game.view(state, by), list(islice(game.legal(state, by), MANY)))
        state, _ = game.apply(state, action)
        actions.append(action)
    return actions


def _record(game: Game[Any, Any], players: int) -> list[bytes]:
    """A whole game of bots as lines of a record."""
    names = tuple(f"player {seat}" for seat in range(players))
    text = dumps(Header(game.name, names), _played(game, players, random.Random(2)))
    return text.encode().splitlines(keepends=True)


if __name__ == "__main__":
    for row in run():
        print(f"{row['what']:<50}{row['value']:>10,} {row['unit']}")
