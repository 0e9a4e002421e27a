"""A game of Fiji between two actions: the state, how it starts, whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from companion.games.fiji.cards import EXTENDED_SET, FULL_SET, Bag, Goal, Row
from companion.games.game import TABLE, Actor, Effect, Note

ROUNDS: Final = 4  #: of a game (FJ-0)
EXCHANGES: Final = 3  #: of a round (FJ-4)
CHOICES: Final = {"rotate_goal": "FJ-X5", "swap_goals": "FJ-X6", "keep_bid": "FJ-X4"}  #: effects a winner carries out


@dataclass(frozen=True, slots=True)
class State:
    """A game of Fiji between two actions."""

    players: int
    keep_bid_optional: bool
    round: int
    exchange: int
    supply: Bag
    hands: tuple[Bag, ...]
    bids: tuple[Bag | None, ...]
    aside: tuple[Bag | None, ...]  #: two players: what lies behind the second screen; () with more
    goals: tuple[Goal, ...]
    rows: tuple[Row, ...]
    heads: tuple[int, ...]
    row: int = 0  #: rows of this exchange that are done
    chooser: int | None = None  #: the winner of the next row while it waits for that seat's choice
    kept: frozenset[int] = frozenset()  #: seats that keep their bid of this exchange (FJ-X4)
    over: bool = False

    @property
    def step(self) -> str:
        """The `do` that is due, or "over" (FJ-0a)."""
        if self.over:
            return "over"
        if not self.rows:
            return "lay_conditions"
        if not self.goals:
            return "lay_goals"
        if None in self.aside:
            return "set_aside"
        if self.chooser is not None:
            return self.rows[self.row].effect.kind
        return "bid"


def start(players: int, keep_bid_optional: bool) -> State:
    """The first round with its beads handed out (FJ-S1, FJ-1, FJ-2p1)."""
    empty = State(players, keep_bid_optional, 0, 1, FULL_SET, (), (), (), (), (), (0,) * players)
    return next_round(empty)


def next_round(state: State) -> State:
    """Everybody gets a full set behind the screen, one lies open as supply (FJ-1, FJ-2p1, FJ-5r)."""
    n = state.players
    return replace(
        state,
        round=state.round + 1,
        exchange=1,
        supply=FULL_SET,
        hands=(EXTENDED_SET if n == 2 else FULL_SET,) * n,
        bids=(None,) * n,
        aside=(None,) * n if n == 2 else (),
        goals=(),
        rows=(),
    )


def to_act(state: State) -> tuple[Actor, ...]:
    """Who may act now: everybody whose bid is out, the winner who must choose, or the table."""
    step = state.step
    if step == "bid":
        return tuple(seat for seat, bid in enumerate(state.bids) if bid is None)
    if step == "set_aside":
        return tuple(seat for seat, beads in enumerate(state.aside) if beads is None)
    if state.chooser is not None:
        return (state.chooser,)
    return () if state.over else (TABLE,)


def told(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody may know, now and later."""
    return Effect(Note(code, facts), rule)


def seen(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody saw, but that would tell hands if it could be looked up later (rules.md 2.4)."""
    return Effect(Note(code, facts), rule, memory=True)
