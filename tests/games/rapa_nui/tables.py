"""Rapa Nui tables for tests: short words for cards, and states at the point a test needs.

Letters: w woodcutter, p priest, m Moai; f u s g are fish, mulberry, sweet potato and grain, as hunters or offerings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.game import Effect, Illegal, Ruling
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Income, Offer, OfferFromSupply, Play, RapaNuiAction, Take
from companion.games.rapa_nui.cards import STACKS, Bag, bag_of
from companion.games.rapa_nui.state import BUY, State

LETTERS = "wpmfusg"
SORTS = "fusg"
WOODCUTTER, PRIEST, MOAI, FISH_HUNTER, MULBERRY_HUNTER, POTATO_HUNTER, GRAIN_HUNTER = range(7)
FISH, MULBERRY, POTATO, GRAIN = range(4)
DISPLAY = ("wwww", "pppp", "mmmm", "wpwp")


def cards(text: str) -> tuple[int, ...]:
    """Cards by their letters, in this order."""
    return tuple(LETTERS.index(letter) for letter in text)


def bag(text: str) -> Bag:
    return bag_of(cards(text))


def offerings(text: str) -> Bag:
    return tuple(text.count(letter) for letter in SORTS)


def stone(text: str) -> tuple[int, ...]:
    return tuple(SORTS.index(letter) for letter in text)


def at_turn(players: int = 4, **told: Any) -> State:
    """Seat 0 begins a turn. What is told by seat may leave the last seats out.

    `hands`, `tableaus`, `offerings` are texts by seat, `wood` and `fame` counts by seat, `columns` four texts with the
    front card last; `options` are the header's, everything else are fields of the state.
    """
    state = game.start(players, told.pop("options", {}))
    columns = tuple(cards(column) for column in told.pop("columns", DISPLAY))
    hands = [bag(hand) for hand in told.pop("hands", [])]
    tableaus = [bag(tableau) for tableau in told.pop("tableaus", [])]
    owned = [offerings(own) for own in told.pop("offerings", [])]
    state = replace(
        state,
        step=BUY,
        columns=columns,
        pile=told.pop("pile", 34),
        hands=_filled(hands, (bag("fug"),) * players),
        tableaus=_filled(tableaus, state.tableaus),
        offerings=_filled(owned, state.offerings),
        wood=_filled(told.pop("wood", []), state.wood),
        fame=_filled(told.pop("fame", []), state.fame),
        supply=offerings(told.pop("supply")) if "supply" in told else tuple(n - players for n in STACKS),
        stone=stone(told.pop("stone", "")),
    )
    return replace(state, **told)


def _filled(some: Sequence[Any], usual: Sequence[Any]) -> tuple[Any, ...]:
    return (*some, *usual[len(some) :])


def do(state: State, *actions: RapaNuiAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after these actions, and the effects of the last."""
    effects: tuple[Effect, ...] = ()
    for action in actions:
        state, effects = game.apply(state, action)
    return state, effects


def play(seat: int, text: str) -> Play:
    return Play(seat, cards(text))


def offer(seat: int, letter: str) -> Offer:
    return Offer(seat, SORTS.index(letter))


def add(seat: int, letter: str | None) -> OfferFromSupply:
    return OfferFromSupply(seat, None if letter is None else SORTS.index(letter))


def take(seat: int, *columns: int) -> list[Take]:
    return [Take(seat, column) for column in columns]


def incomes(*takes: tuple[int, str]) -> list[Income]:
    return [Income(seat, what) for seat, what in takes]


def scored(kind: str, players: int = 4, **told: Any) -> State:
    """Seat 0 lays a woodcutter and draws from a column whose next card is this kind."""
    hands = ["w" + "p" * 2, *told.pop("hands", [])]
    state = at_turn(players, hands=hands, columns=["ww" + kind + "p", "pppp", "mmmm", "wwww"], **told)
    return do(state, play(0, "w"), *take(0, 1))[0]


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
