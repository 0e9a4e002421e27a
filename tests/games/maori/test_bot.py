"""The bot: lawful, sensible, from its own view."""

from __future__ import annotations

import random

import pytest

from companion.games.maori import game
from companion.games.maori.actions import Nothing, Remove, Sail, Take
from companion.games.maori.bot import Bot
from companion.games.maori.state import State
from tests.games.maori.tables import PLAIN, at_sea, at_take

GAMES = 24


def duel(seed: int) -> tuple[State, int]:
    """A game of one bot against random players; the end, and the bot's seat."""
    rng = random.Random(seed)
    players = 2 + seed % 4
    seat = seed // 4 % players
    state, dealer, bot = game.start(players, {}), game.dealer(rng), game.bot(seat, rng)
    while actors := game.to_act(state):
        by = actors[0]
        if by == "table":
            action = dealer.act(state)
        elif by == seat:
            action = bot.choose(game.view(state, seat), game.legal(state, seat))
        else:
            action = rng.choice(game.legal(state, by))
        state, _ = game.apply(state, action)
    return state, seat


@pytest.mark.thorough
def test_it_beats_random_players_clearly() -> None:
    """By chance it would win about a third of these games."""
    won = sum(game.ranking(state)[0] == (seat,) for state, seat in map(duel, range(GAMES)))
    assert won >= 0.9 * GAMES


def choice(state: State) -> object:
    return Bot(state.seat, random.Random(0)).choose(game.view(state, state.seat), game.legal(state, state.seat))


def with_first(name: str) -> list[str]:
    return [name, *PLAIN[1:]]


def test_it_finishes_an_island() -> None:
    state = at_take(display=with_first("w*"), boards=[{(1, 2): "e"}], shells=(0, 5))
    assert choice(state) == Take(0, 0, (1, 3))


def test_it_completes_a_wreath() -> None:
    state = at_take(display=with_first("n~"), boards=[{(1, 2): "s~"}], shells=(0, 5))
    assert choice(state) == Take(0, 0, (2, 2))


def test_it_sails_to_the_better_tile() -> None:
    display = [*PLAIN[:2], "lone*", *PLAIN[3:]]
    assert choice(at_sea(display=display, shells=(0, 5))) == Sail(0, 2)


def test_it_does_not_open_land_to_the_edge() -> None:
    state = at_take(display=with_first("n"), shells=(0, 5))
    chosen = choice(state)
    assert isinstance(chosen, Take)
    assert chosen.to is not None
    assert chosen.to[0] > 0


def test_it_clears_lost_land_or_does_nothing_when_nothing_can_be_had() -> None:
    nothing: list[str | None] = [None] * 16
    assert choice(at_take(display=nothing, boards=[{(0, 1): "n*"}])) == Remove(0, (0, 1))
    assert choice(at_take(display=nothing, boards=[{(0, 1): "lone"}])) == Nothing(0)
