"""How often each game's bot wins against players that choose at random, over 200 games of all numbers of players.

`chance` is the share it would win by luck; a shared place counts as its share. `margin` is how many points the bot has
more than the best of the others.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from companion.games.game import TABLE, Game, games

GAMES = 200
ENOUGH = 2000  #: actions a bot weighs, where there are more than anybody can list


def run() -> list[dict[str, Any]]:
    """A row for each game."""
    return [_row(game) for game in games().values()]


def _row(game: Game[Any, Any]) -> dict[str, Any]:
    won, margin, chance = 0.0, 0, 0.0
    for number in range(GAMES):
        players = game.seats[number % len(game.seats)]
        seat = number // len(game.seats) % players
        end = _play(game, players, seat, random.Random(number))
        first = game.ranking(end)[0]
        won += (seat in first) / len(first)
        points = [score.total for score in game.scores(end)]
        margin += points.pop(seat) - max(points)
        chance += 1 / players
    shares = {"won": f"{won / GAMES:.0%}", "chance": f"{chance / GAMES:.0%}"}
    return {"game": game.name, **shares, "margin": f"{margin / GAMES:+.1f}", "games": GAMES}


def _play(game: Game[Any, Any], players: int, seat: int, rng: random.Random) -> Any:
    """The end of a game in which one seat is a bot."""
    state, dealer, bot = game.start(players, {}), game.dealer(rng), game.bot(seat, rng)
    while actors := game.to_act(state):
        by = actors[0]
        if by == TABLE:
            action = dealer.act(state)
        elif by == seat:
            action = bot.choose(game.view(state, by), list(islice(game.legal(state, by), ENOUGH)))
        else:
            action = game.sample(state, by, rng)
        state, _ = game.apply(state, action)
    return state
