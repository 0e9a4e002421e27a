"""The bot: lawful, sensible, and blind to what its seat may not know."""

from __future__ import annotations

import random

import pytest

from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy
from companion.games.rapa_nui.bot import Bot
from companion.games.rapa_nui.state import State
from tests.games.rapa_nui.tables import FISH, at_turn, do, incomes, offer, play, scored, take

GAMES = 100


def duel(seed: int) -> tuple[State, int]:
    """A game of one bot against random players; the end, and the bot's seat."""
    rng = random.Random(seed)
    players = 2 + seed % 3
    seat = seed // 3 % players
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
    """By chance it would win about 36 % of these games."""
    won = sum(game.ranking(state)[0] == (seat,) for state, seat in map(duel, range(GAMES)))
    assert won >= 0.75 * GAMES


def choice(state: State, seat: int = 0) -> object:
    return Bot(seat, random.Random(0)).choose(game.view(state, seat), game.legal(state, seat))


def test_it_builds_while_there_is_time() -> None:
    assert choice(at_turn(2, hands=["mww"], wood=[8], pile=10)) == play(0, "m")


def test_it_keeps_wood_for_a_moai() -> None:
    told = {"wood": [7], "tableaus": ["wffff"], "pile": 10}
    assert choice(at_turn(2, hands=["pww"], **told)) == Buy(0, FISH)
    assert choice(at_turn(2, hands=["mww"], **told)) == play(0, "m")


def test_it_draws_what_scores_for_itself() -> None:
    state = at_turn(2, hands=["wpp"], tableaus=["wwwww", "wpppp"], columns=["wwpw", "wwww", "wwpw", "wwpw"])
    state, _ = do(state, play(0, "p"))
    assert choice(state) == take(0, 2)[0]


def test_it_offers_what_it_has_most_of() -> None:
    state, _ = do(at_turn(2, hands=["mff"], wood=[7], offerings=["f", "uuus"]), play(0, "m"))
    assert choice(state, 1) == offer(1, "u")


def test_it_takes_wood_only_when_a_moai_waits_for_it() -> None:
    state = scored("m", 2, tableaus=["wm", "w"])
    assert choice(state) == incomes((0, "fame"))[0]
