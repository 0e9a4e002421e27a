"""What holds for every game of Fiji, tried on many: against resolvers written a second time, in another way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import ceil
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, RotateGoal, SwapGoals
from companion.games.fiji.cards import COLOURS, Bag, Condition, Goal, Row, RowEffect, handfuls
from companion.games.fiji.heads import heads_for_places, places
from companion.games.fiji.state import State
from tests.games.fiji.tables import laid
from tests.games.playing import play

WINS = st.sampled_from(["most", "fewest"])
COLOUR = st.integers(0, 3)
CONDITION = st.builds(Condition, st.lists(COLOUR, min_size=1, max_size=4, unique=True).map(tuple), WINS)
EFFECT = st.builds(RowEffect, st.sampled_from(["gain", "half", "others_gain"]), COLOUR) | st.builds(
    RowEffect, st.sampled_from(["one_of_each", "keep_bid", "rotate_goal", "swap_goals"])
)
ROWS = st.tuples(*[st.builds(Row, CONDITION, EFFECT)] * 4)
BIDS = st.lists(st.sampled_from(handfuls((4, 4, 3, 2), 1, 4)), min_size=3, max_size=5)
SUPPLY = st.tuples(*[st.integers(0, 9)] * 4)


def total(state: State) -> Bag:
    """All beads in play of each colour."""
    bags = [state.supply, *state.hands, *(b for b in (*state.bids, *state.aside) if b is not None)]
    green, red, yellow, blue = (sum(counts) for counts in zip(*bags, strict=True))
    return (green, red, yellow, blue)


def resolved(rows: tuple[Row, ...], bids: list[Bag], supply: Bag) -> tuple[list[Counter[str]], Counter[str], list[Any]]:
    """What seats gain, what the supply holds in the end, and who turns, swaps or keeps; by names and counters."""
    given_by = [Counter(dict(zip(COLOURS, bag, strict=True))) for bag in bids]
    there = Counter(dict(zip(COLOURS, supply, strict=True)))
    gains: list[Counter[str]] = [Counter() for _ in bids]
    choices: list[Any] = []
    kept = set()
    for card in rows:
        values = [sum(bid[COLOURS[c]] for c in card.condition.colours) for bid in given_by]
        alone = [v for v in values if values.count(v) == 1]
        if not alone:
            continue
        winner = values.index(max(alone) if card.condition.wins == "most" else min(alone))
        kind, colour = card.effect.kind, None if card.effect.colour is None else COLOURS[card.effect.colour]
        takers, each = [winner], Counter[str]()
        if kind == "gain":
            each[colour or ""] = {"green": 4, "red": 3, "yellow": 2, "blue": 1}[colour or ""]
        elif kind == "one_of_each":
            each.update(COLOURS)
        elif kind == "half":
            each[colour or ""] = ceil(there[colour or ""] / 2)
        elif kind == "others_gain":
            takers, each = [s for s in range(len(bids)) if s != winner], Counter([colour or ""])
        elif kind == "keep_bid":
            kept.add(winner)
        else:
            choices.append((winner, kind))
        if all(there[name] >= n * len(takers) for name, n in each.items()):
            for seat in takers:
                gains[seat] += each
                there -= each
    for seat, bid in enumerate(given_by):
        if seat in kept:
            gains[seat] += bid
        else:
            there += bid
    return gains, there, choices


@settings(max_examples=300, deadline=None)
@given(rows=ROWS, bids=BIDS, supply=SUPPLY)
def test_an_exchange_is_resolved_as_written_a_second_time(rows: tuple[Row, ...], bids: list[Bag], supply: Bag) -> None:
    state = replace(laid(len(bids)), rows=rows, supply=supply, hands=tuple(bids))
    for seat, bag in enumerate(bids):
        state, _ = game.apply(state, Bid(seat, bag))
    chosen = []
    while state.exchange == 1:
        chosen.append((state.chooser, state.step))
        (seat,) = game.to_act(state)
        action = RotateGoal(seat, 1) if state.step == "rotate_goal" else SwapGoals(seat, (1, 2))
        state, _ = game.apply(state, action)
    gains, there, choices = resolved(rows, bids, supply)
    assert chosen == choices
    assert state.hands == tuple(tuple(gain[name] for name in COLOURS) for gain in gains)
    assert state.supply == tuple(there[name] for name in COLOURS)


@settings(max_examples=100, deadline=None)
@given(hand=st.tuples(*[st.integers(0, 6)] * 4))
def test_legal_bids_are_all_that_verify_allows(hand: Bag) -> None:
    state = laid(3)
    state = replace(state, hands=(hand, *state.hands[1:]))
    every = [Bid(0, (g, r, y, b)) for g, r, y, b in product(range(6), repeat=4)]
    assert set(game.legal(state, 0)) == {bid for bid in every if game.can(state, bid)}


@settings(max_examples=200, deadline=None)
@given(
    hands=st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=3, max_size=5),
    goals=st.lists(st.builds(Goal, COLOUR, WINS), min_size=4, max_size=4),
)
def test_heads_are_the_seats_that_stand_worse(hands: list[Bag], goals: list[Goal]) -> None:
    """n-q heads for places p to q is one for every seat that is strictly worse."""

    def worse(one: Bag, other: Bag) -> bool:
        for goal in goals:
            mine, theirs = one[goal.colour], other[goal.colour]
            if mine != theirs:
                return (mine < theirs) == (goal.wins == "most")
        return False

    assert heads_for_places(places(goals, hands)) == tuple(sum(worse(o, h) for o in hands) for h in hands)


@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 10**6), optional=st.booleans())
def test_beads_and_heads_never_get_lost(players: int, seed: int, optional: bool) -> None:
    playthrough = play(game, players, seed, {"keep_bid_optional": optional})
    for turn, after in zip(playthrough.turns, playthrough.states[1:], strict=True):
        assert min(min(hand) for hand in after.hands) >= 0
        assert min(after.supply) >= 0
        if after.round == turn.state.round:
            assert total(after) == total(turn.state)
    most = 40 if players == 2 else players * (players - 1) // 2 * 4
    assert sum(playthrough.end.heads) <= most


@settings(max_examples=50, deadline=None)
@given(bids=BIDS, order=st.randoms(use_true_random=False))
def test_the_order_of_bidding_does_not_matter(bids: list[Bag], order: Any) -> None:
    state = other = laid(len(bids))
    seats = list(enumerate(bids))
    for seat, bag in seats:
        state, effects = game.apply(state, Bid(seat, bag))
    order.shuffle(seats)
    for seat, bag in seats:
        other, same = game.apply(other, Bid(seat, bag))
    assert (state, effects) == (other, same)
