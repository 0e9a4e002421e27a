"""What holds in every game of Rapa Nui, however it is played (rules.md 1.5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import (
    INCOMES,
    Buy,
    Deal,
    Income,
    Offer,
    OfferFromSupply,
    Play,
    RapaNuiAction,
    Refill,
    ReturnMoai,
    Substitute,
    Take,
)
from companion.games.rapa_nui.cards import BOX, MOAI, STACKS, bag_of
from companion.games.rapa_nui.state import State
from companion.games.rapa_nui.verdict import DUE
from tests.games.playing import Playthrough
from tests.games.playing import play as play_through

EXTRA = "extra_offering_optional"


def in_any_game(test: Callable[[Playthrough], None]) -> Callable[..., None]:
    """The test over random games; a failure names the game by its seed, not by all its states."""

    @settings(max_examples=25, deadline=None)
    @given(players=st.sampled_from(game.seats), seed=st.integers(0, 2**32), extra=st.booleans())
    def run(players: int, seed: int, extra: bool) -> None:
        test(play_through(game, players, seed, {EXTRA: extra}))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def _sum(bags: object) -> list[int]:
    return [sum(column) for column in zip(*bags, strict=True)]  # type: ignore[call-overload]  # bags of one length


@in_any_game
def test_25_offerings_of_each_sort(playthrough: Playthrough) -> None:
    for state in playthrough.states:
        on_stone = [state.stone.count(sort) for sort in range(4)]
        assert tuple(_sum([*state.offerings, state.supply, on_stone])) == STACKS == (25,) * 4


@in_any_game
def test_50_cards_and_the_start_cards(playthrough: Playthrough) -> None:
    players, returned, start = len(playthrough.players), 0, [0] * 7
    for turn in playthrough.turns:
        if isinstance(turn.action, Deal):
            start = _sum([bag_of(hand) for hand in turn.action.hands])
        returned += isinstance(turn.action, ReturnMoai)
        state = game.apply(turn.state, turn.action)[0]
        display = bag_of(card for column in state.columns for card in column)
        cards = _sum([*state.tableaus, *state.hands, state.unseen, display])
        cards[MOAI] += returned
        assert cards == [
            n + m + (players if kind == 0 else 0) for kind, (n, m) in enumerate(zip(BOX, start, strict=True))
        ]
        assert state.pile == sum(state.unseen)


@in_any_game
def test_between_turns_every_hand_is_three_cards(playthrough: Playthrough) -> None:
    for state in playthrough.states:
        assert min(state.wood) >= 0
        assert all(count >= 0 for bag in (*state.hands, *state.offerings, state.supply) for count in bag)
        if state.step == "buy":
            assert all(sum(hand) == 3 for hand in state.hands)


@in_any_game
def test_the_ninth_emptied_column_ends_the_game(playthrough: Playthrough) -> None:
    refills = [action for action in playthrough.actions if isinstance(action, Refill)]
    taken = sum(isinstance(action, Take) for action in playthrough.actions)
    assert [len(refill.cards) for refill in refills] == [4] * 8 + [2]
    assert 36 <= taken <= 45
    assert playthrough.end.pile == 0
    assert playthrough.end.step == "over"


@in_any_game
def test_the_stone_grows_by_moais_only(playthrough: Playthrough) -> None:
    for turn in playthrough.turns:
        if isinstance(turn.action, Play) and turn.action.cards == (MOAI,):
            owners = sum(any(own) for own in turn.state.offerings)
            rounds = [t.action for t in playthrough.turns[playthrough.turns.index(turn) + 1 :]]
            offered = next(i for i, action in enumerate(rounds) if not isinstance(action, Offer))
            assert offered == owners
    laid = [t for t in playthrough.turns if isinstance(t.action, Offer | OfferFromSupply)]
    declined = sum(getattr(t.action, "offering", 0) is None for t in laid)
    assert len(playthrough.end.stone) == len(laid) - declined


@in_any_game
def test_the_list_of_actions_is_complete_and_exact(playthrough: Playthrough) -> None:
    """Every action there could be is allowed if and only if it is listed."""
    for state in playthrough.states[:: max(1, len(playthrough.turns) // 12)]:
        for seat in range(len(playthrough.players)):
            allowed = {action for action in _all(seat) if game.can(state, action)}
            assert set(game.legal(state, seat)) == allowed


def _all(seat: int) -> list[RapaNuiAction]:
    """Every action of a seat, orders of hunters aside."""
    hands = [cards for n in (1, 2, 3) for cards in combinations_with_replacement(range(7), n)]
    sorts = [*range(4)]
    return [
        *(Buy(seat, sort) for sort in sorts),
        *(Play(seat, cards) for cards in hands),
        ReturnMoai(seat),
        *(Offer(seat, sort) for sort in sorts),
        *(OfferFromSupply(seat, sort) for sort in [*sorts, None]),
        *(Substitute(seat, sort) for sort in [*sorts, None]),
        *(Take(seat, column) for column in (1, 2, 3, 4)),
        *(Income(seat, take) for take in INCOMES),
    ]


@in_any_game
def test_only_three_moais_can_leave_a_seat_stuck(playthrough: Playthrough) -> None:
    for state in playthrough.states:
        if state.step in ("buy", "play"):
            can_lay = any(isinstance(action, Play) for action in game.legal(state, state.seat))
            assert can_lay != (state.hands[state.seat][MOAI] == 3 and state.wood[state.seat] < 7)


def test_random_games_meet_every_step() -> None:
    """The properties above would say little if some steps never came up."""
    met: set[str] = set()
    for seed in range(20):
        met |= {state.step for state in play_through(game, 3, seed, {EXTRA: True}).states}
    assert met == set(DUE)


def test_a_state_is_all_there_is_to_know() -> None:
    one, other = (play_through(game, 3, 6, {}).end for _ in range(2))
    assert isinstance(one, State)
    assert one == other
    assert hash(one) == hash(other)
