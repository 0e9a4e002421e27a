"""Fiji tables for tests: short words for cards and beads, and states at the point a test needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, LayConditions, LayGoals, SetAside
from companion.games.fiji.cards import COLOURS, Bag, Condition, Goal, Row, RowEffect, as_bag
from companion.games.fiji.state import State
from companion.games.game import TABLE, Effect, Illegal, Ruling

GREEN, RED, YELLOW, BLUE = range(4)


def beads(text: str) -> Bag:
    """A bag by its letters: "ggr" is 2 green and 1 red."""
    return as_bag(text.count(colour[0]) for colour in COLOURS)


def row(condition: str, effect: str = "keep_bid") -> Row:
    """ "most green+red", "gain blue" and the like; "all" names all colours."""
    wins, names = condition.split()
    colours = COLOURS if names == "all" else names.split("+")
    kind, *colour = effect.split()
    return Row(
        Condition(tuple(COLOURS.index(c) for c in colours), wins),
        RowEffect(kind, COLOURS.index(colour[0]) if colour else None),
    )


def goals(*texts: str) -> tuple[Goal, ...]:
    """Goals like "most red", the most important first."""
    return tuple(Goal(COLOURS.index(colour), wins) for wins, colour in (text.split() for text in texts))


GOALS = goals("most green", "most red", "most yellow", "most blue")
IDLE = (row("most blue"),) * 4  #: rows that nobody wins as long as nobody bids blue


def laid(players: int, rows: Sequence[Row] = (), goals: tuple[Goal, ...] = GOALS, **options: Any) -> State:
    """The first round with cards laid, the rows given on top, ready for the bids (two players: to set aside)."""
    state = game.start(players, options)
    state, _ = game.apply(state, LayConditions(TABLE, (*rows, *IDLE[len(rows) :])))
    state, _ = game.apply(state, LayGoals(TABLE, goals))
    return state


def set_aside(state: State, *bags: str) -> State:
    for seat, bag in enumerate(bags):
        state, _ = game.apply(state, SetAside(seat, beads(bag)))
    return state


def bid(state: State, *bags: str) -> tuple[State, tuple[Effect, ...]]:
    """All seats bid, in seat order; the effects are those of the last bid."""
    effects: tuple[Effect, ...] = ()
    for seat, bag in enumerate(bags):
        state, effects = game.apply(state, Bid(seat, beads(bag)))
    return state, effects


def with_supply(state: State, text: str) -> State:
    return replace(state, supply=beads(text))


def after_round(state: State, bids: Sequence[str]) -> tuple[State, tuple[Effect, ...]]:
    """The three exchanges of a round, each with these bids."""
    effects: tuple[Effect, ...] = ()
    for _ in range(3):
        state, effects = bid(state, *bids)
    return state, effects


def refused(state: State, action: Any) -> Ruling:
    """The ruling that refuses the action; fails when it is allowed."""
    try:
        game.apply(state, action)
    except Illegal as error:
        return error.ruling
    raise AssertionError(f"{action} is allowed")


def told(effects: Sequence[Effect], code: str) -> list[dict[str, Any]]:
    """The facts of all effects with this message."""
    return [dict(effect.note.facts) for effect in effects if effect.note.code == code]
