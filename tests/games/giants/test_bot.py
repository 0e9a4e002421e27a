"""The sensible player."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from companion.games.game import TABLE
from companion.games.giants import game
from companion.games.giants.state import State

GAMES = 40  #: of each number of players


def played_out(players: int, bots: range | list[int], seed: int) -> State:
    """A game to its end in which these seats are bots and the others play at random."""
    rng = random.Random(seed)
    state, dealer = game.start(players, {}), game.dealer(rng)
    seats = {seat: game.bot(seat, rng) for seat in bots}
    while actors := game.to_act(state):
        by = actors[0]
        if by == TABLE:
            action = dealer.act(state)
        elif by in seats:
            action = seats[by].choose(game.view(state, by), list(islice(game.legal(state, by), 1000)))
        else:
            action = game.sample(state, by, rng)
        state, _ = game.apply(state, action)
    return state


@pytest.mark.thorough
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_bot_beats_players_at_random(players: int) -> None:
    won = 0
    for seed in range(GAMES):
        seat = seed % players
        end = played_out(players, [seat], seed)
        won += game.ranking(end)[0] == (seat,)
    assert won >= GAMES * 0.9


@pytest.mark.parametrize("players", [3, 4, 5])
def test_bots_among_themselves_come_to_an_end(players: int) -> None:
    end = played_out(players, range(players), 11)
    assert game.over(end)
    assert end.round <= 15
