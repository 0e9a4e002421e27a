"""The box: counts of the books, and the dealer."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Deal, LayDisplay, Refill
from companion.games.rapa_nui.cards import BOX, CARDS, COMPONENTS, HUNTER, MOAI, NONE
from tests.games.playing import play as play_through
from tests.games.rapa_nui.tables import at_turn, do, play, take


def test_the_box_holds_what_the_books_list() -> None:
    assert dict(zip(CARDS, BOX, strict=True)) == {
        "woodcutter": 12, "priest": 9, "moai": 9,
        "hunter-fish": 5, "hunter-mulberry": 5, "hunter-sweet-potato": 5, "hunter-grain": 5,
    }  # fmt: skip
    assert sum(BOX) == 50
    assert sum(COMPONENTS["offerings"].values()) == 100
    start = COMPONENTS["start"]
    assert start["colours"] * (start["woodcutter"] + start["hunters"]) == 16


def test_tokens_have_the_values_the_book_lists() -> None:
    tokens = COMPONENTS["tokens"]
    assert (sum(tokens["fame"].values()), sum(tokens["wood"].values())) == (30, 36)
    assert sum(int(value) * count for value, count in tokens["fame"].items()) == 90
    assert sum(int(value) * count for value, count in tokens["wood"].items()) == 164


def test_each_colour_of_the_house_deck_lacks_another_sort() -> None:
    deal = game.dealer(random.Random(2)).act(game.start(4, {}))
    assert isinstance(deal, Deal)
    held = [card for hand in deal.hands for card in hand]
    assert [held.count(HUNTER + sort) for sort in range(4)] == [3] * 4


@pytest.mark.parametrize("players", game.seats)
def test_a_dealt_game_uses_the_whole_box(players: int) -> None:
    actions = play_through(game, players, 1, {}).actions
    laid = [card for a in actions if isinstance(a, LayDisplay) for column in a.columns for card in column]
    laid += [card for a in actions if isinstance(a, Refill) for card in a.cards]
    assert tuple(laid.count(card) for card in range(len(CARDS))) == BOX


def test_two_dealers_of_one_seed_lay_the_same() -> None:
    state = game.start(3, {})
    one, two, other = (game.dealer(random.Random(seed)).act(state) for seed in (1, 1, 2))
    assert one == two != other


def test_a_dealer_goes_on_from_any_state() -> None:
    """It keeps no pile of its own, so a game that was wound back is dealt on."""
    state, _ = do(at_turn(columns=["wwww", "p", "wwww", "wwww"]), play(0, "f"), *take(0, 2))
    dealer = game.dealer(random.Random(0))
    for left in ((0, 0, 5, 0, 0, 0, 0), NONE):
        refill = dealer.act(replace(state, unseen=left, pile=30))
        assert isinstance(refill, Refill)
        assert len(refill.cards) == 4
        assert sum(left) == 0 or set(refill.cards) == {MOAI}
