"""A sensible Fiji player: weighs each bid against a few guesses of what the others bid, from its own view only."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from companion.games.fiji.actions import Bid, FijiAction, KeepBid, RotateGoal, SetAside, SwapGoals
from companion.games.fiji.cards import (
    COLOURS,
    EMPTY,
    EXTENDED_SET,
    FULL_SET,
    Bag,
    Goal,
    Row,
    as_bag,
    capped,
    handfuls,
    holds,
    minus,
    only,
    plus,
    read_goal,
    read_row,
    times,
)
from companion.games.fiji.exchange import best, portion
from companion.games.fiji.rules import LEAST_BID, MOST_BID
from companion.games.game import Data

GUESSES: Final = 8  #: how often the others' bids are imagined
WEIGHTS: Final = (8, 4, 2, 1)  #: what a bead counts for the first goal, the second, …
WEIGHTS_OF_TWO: Final = (4, 3, 2, 1)  #: two players score the goals apart

Goals = tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """What the bot makes of its view."""

    players: int
    supply: Bag
    hand: Bag
    own_bid: Bag
    rows: tuple[Row, ...]
    goals: Goals

    @classmethod
    def of(cls, view: Data, seat: int) -> Sight:
        own_bid = view["bids"][seat]
        return cls(
            players=len(view["hands"]),
            supply=_bag(view["supply"]),
            hand=_bag(view["hands"][seat]),
            own_bid=_bag(own_bid) if own_bid else EMPTY,
            rows=tuple(read_row(row, "rows") for row in view["rows"]),
            goals=tuple(read_goal(goal, "goals") for goal in view["goals"]),
        )

    def worth(self, hand: Bag, goals: Goals) -> int:
        """How well a hand meets the goals, the first counting most."""
        weights = WEIGHTS_OF_TWO if self.players == 2 else WEIGHTS
        return sum([weight * goal.merit(hand) for weight, goal in zip(weights, goals, strict=True)])

    def rival_hand(self) -> Bag:
        """A hand each of the others may well hold: an equal part of what is neither here nor in the supply."""
        dealt = EXTENDED_SET if self.players == 2 else FULL_SET
        out = (
            n * self.players + full - own - s
            for n, full, own, s in zip(dealt, FULL_SET, self.hand, self.supply, strict=True)
        )
        return as_bag(max(0, -(-count // (self.players - 1))) for count in out)


class Bot:
    """Greedy: takes a choice whose outcome, on average over the guesses, meets the goals best."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self._seat = seat
        self._rng = rng

    def choose(self, view: Data, legal: Sequence[FijiAction]) -> FijiAction:
        """One of the legal actions, given this seat's view."""
        sight = Sight.of(view, self._seat)
        if isinstance(legal[0], Bid):
            return self._bid(sight, legal)
        return max(legal, key=lambda action: _outcome(sight, action, []))

    def _bid(self, sight: Sight, legal: Sequence[FijiAction]) -> FijiAction:
        """One of the best bids, the better the likelier: players who all think alike would all cancel."""
        guesses = self._guess(sight)
        ranked = sorted(legal, key=lambda action: _outcome(sight, action, guesses), reverse=True)
        return self._rng.choices(ranked, [2.0**-place for place in range(len(ranked))])[0]

    def _guess(self, sight: Sight) -> list[list[Bag]]:
        """Imagined bids of the others, all handfuls alike."""
        bids = handfuls(capped(sight.rival_hand(), MOST_BID), LEAST_BID, MOST_BID) or (only(0, 1),)
        return [[self._rng.choice(bids) for _ in range(sight.players - 1)] for _ in range(GUESSES)]


def _outcome(sight: Sight, action: FijiAction, guesses: list[list[Bag]]) -> float:
    """How well things stand after the action."""
    match action:
        case Bid(beads=beads):
            return sum(_exchange(sight, beads, others) for others in guesses)
        case SetAside(beads=beads):
            return sight.worth(minus(sight.hand, beads), sight.goals)
        case RotateGoal(position=position):
            return sight.worth(sight.hand, _rotated(sight.goals, position - 1))
        case SwapGoals(positions=(one, other)):
            return sight.worth(sight.hand, _swapped(sight.goals, one - 1, other - 1))
        case KeepBid(keep=True):
            return sight.worth(plus(sight.hand, sight.own_bid), sight.goals)
        case _:
            return sight.worth(sight.hand, sight.goals)


def _exchange(sight: Sight, own: Bag, others: list[Bag]) -> int:
    """The worth of the own hand after an exchange with these bids; the own one stands first."""
    hand, supply, kept, choices = minus(sight.hand, own), sight.supply, False, [sight.goals]
    bids = [own, *others]
    for row in sight.rows:
        winner, _ = best([row.condition.value(bid) for bid in bids], row.condition.wins)
        if winner is None:
            continue
        mine, kind = winner == 0, row.effect.kind
        if kind == "keep_bid":
            kept = kept or mine
        elif kind == "rotate_goal":
            choices += [_rotated(sight.goals, at) for at in range(4)] if mine else []
        elif kind == "swap_goals":
            choices += [_swapped(sight.goals, *pair) for pair in combinations(range(4), 2)] if mine else []
        else:
            each = portion(row.effect, supply)
            wanted = times(each, sight.players - 1 if kind == "others_gain" else 1)
            if holds(supply, wanted):
                supply = minus(supply, wanted)
                hand = plus(hand, each) if mine is (kind != "others_gain") else hand
    if kept:
        hand = plus(hand, own)
    return max(sight.worth(hand, goals) for goals in choices)


def _rotated(goals: Goals, at: int) -> Goals:
    return (*goals[:at], goals[at].rotated(), *goals[at + 1 :])


def _swapped(goals: Goals, one: int, other: int) -> Goals:
    changed = list(goals)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def _bag(data: Data) -> Bag:
    return as_bag(data[colour] for colour in COLOURS)
