"""What a movement can pay is the same whether all ways are listed or only payments are followed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.giants import game, payments
from companion.games.giants.actions import Move
from companion.games.giants.carrying import names_of
from companion.games.giants.choices import moves_to
from companion.games.giants.payments import ways_by_payment
from companion.games.giants.state import State
from companion.games.giants.transport import start_hex
from tests.games.giants.tables import in_phase, moai

FIGURE = st.sampled_from(["0w", "0w", "0s", "0c", "1w", "1w", "2c", "log", ""])
GROUP = st.lists(FIGURE, max_size=3).map(lambda words: " ".join(sorted(word for word in words if word)))


def found(state: State, target: str, most: int = 1000) -> list[tuple[tuple[int, ...], Move]]:
    piece = state.pieces[0]
    start, at = start_hex(state, piece), state.board.hex_at[target]
    ways = ways_by_payment(state.board, state.figures, 0, state.players, piece.weight, start, at, most)
    return [(paid, Move(0, piece.id, names_of(state.board, path), helpers)) for paid, (path, helpers) in ways]


def paid(state: State, move: Move) -> tuple[int, ...]:
    return game.apply(state, move)[0].prestige


@settings(max_examples=60, deadline=None)
@given(groups=st.fixed_dictionaries(dict.fromkeys("abcde", GROUP)), size=st.integers(1, 3))
def test_every_payment_is_found_and_no_other(groups: dict[str, str], size: int) -> None:
    state = in_phase("transport", figures=groups, pieces=[moai(1, size, "q", keeper=0)])
    for target in "abcde":
        listed = [move for move in moves_to(state, 0, state.pieces[0], target) if move.then is None]
        ways = found(state, target)
        assert {payment for payment, _ in ways} == {paid(state, move) for move in listed}
        for payment, move in ways:
            assert game.can(state, move)
            assert paid(state, move) == payment
        assert [sum(payment) for payment, _ in ways] == sorted(sum(payment) for payment, _ in ways)


def test_on_a_crowded_island_what_is_found_is_soon_found_and_paid_so() -> None:
    """Five figures of three clans on each hex of the house island."""
    house = game.start(3, {}).board
    everywhere = dict.fromkeys(house.hex_at, "0w 1w 1w 2w 2c")
    crowded = in_phase("transport", board=house.data(), figures=everywhere, pieces=[moai(1, 2, "c1", keeper=0)])
    ways = found(crowded, "d8", most=9)
    assert len(ways) == 9
    for payment, move in ways:
        assert paid(crowded, move) == payment


def test_a_way_through_one_clans_own_figures_pays_nobody() -> None:
    """However many ways there are, they all come to the same."""
    own = dict.fromkeys(game.start(3, {}).board.hex_at, "0w 0w")
    state = in_phase(
        "transport", board=game.start(3, {}).board.data(), figures=own, pieces=[moai(1, 2, "c1", keeper=0)]
    )
    assert [payment for payment, _ in found(state, "d8")] == [(0, 0, 0)]


def test_one_payment_is_not_taken_for_the_only_one_when_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payments, "MOST_STEPS", 3)
    ways_by_payment.cache_clear()
    state = in_phase("transport", figures={"a": "0w 1w", "b": "0w"}, pieces=[moai(1, 1, "q", keeper=0)])
    assert found(state, "b") == []
    ways_by_payment.cache_clear()
    monkeypatch.undo()
    assert len(found(state, "b")) == 2


def test_nobody_carries_where_nobody_stands() -> None:
    state = in_phase("transport", figures={"a": "0w"}, pieces=[moai(1, 1, "q", keeper=0)])
    assert found(state, "b") == []
    assert [move.path for _, move in found(state, "a")] == [("a",)]
