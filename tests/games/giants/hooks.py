"""What the conformance suite must know of Giants: its options, and what a viewer may not know."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from companion.games.giants import game
from companion.games.giants.actions import Bid, GiantsAction, Hands, Peek
from companion.games.giants.state import State, Stock, put

OPTIONS: list[dict[str, Any]] = [{"fast": True, "immediate_scoring": True}]


def twin(
    state: State, action: GiantsAction, viewer: int | None, rng: random.Random
) -> tuple[State, GiantsAction] | None:
    """Other Moais are whose they are, and others have other things behind their screens and in the container.

    As many Moais as before belong to everybody, so that the same one finishes; who can act at all still can, and the
    container still has what it had some of: when a worker it gave is placed, everybody sees that there was one.
    """
    if (isinstance(action, Peek) and action.by == viewer) or game.apply(state, action)[0].over:
        return None
    other = _hidden_elsewhere(_owned_otherwise(state, rng), action, viewer, rng)
    if isinstance(action, Bid) and action.by != viewer and state.bids.count(None) > 1:
        stock = other.stocks[int(action.by)]
        counts = (stock.markers, stock.workers, stock.sorcerer, stock.chief)
        action = Bid(action.by, Hands(*(rng.randint(0, count) for count in counts)))
    return other, action


def _owned_otherwise(state: State, rng: random.Random) -> State:
    """The bases under the Moais change places."""
    bases = [site.base for site in state.sites if site.base is not None]
    rng.shuffle(bases)
    return replace(
        state,
        sites=tuple(site if site.base is None else replace(site, base=bases.pop()) for site in state.sites),
    )


def _hidden_elsewhere(state: State, action: GiantsAction, viewer: int | None, rng: random.Random) -> State:
    for seat in range(state.players):
        if seat != viewer and seat != action.by:
            state = replace(state, stocks=put(state.stocks, seat, _more(state.stocks[seat], rng)))
        if seat != viewer:
            left = tuple(rng.randint(1, 5) if count else 0 for count in state.container[seat])
            state = replace(state, container=put(state.container, seat, (left[0], left[1])))
        if seat != viewer and state.phase == "bid" and state.bids[seat] is not None and None in state.bids:
            if isinstance(action, Bid) and state.bids.count(None) == 1:
                continue
            bid = Hands(rng.randint(0, 3), rng.randint(0, 3), rng.randint(0, 1), rng.randint(0, 1))
            state = replace(state, bids=put(state.bids, seat, bid))
    return state


def _more(stock: Stock, rng: random.Random) -> Stock:
    """Other counts, but none where there was none to place with: passing by itself is seen by all."""
    if not stock.can_place:
        return replace(stock, logs=rng.randint(0, 9), bases=rng.randint(0, 7))
    return Stock(
        rng.randint(1, 6), rng.randint(0, 1), rng.randint(0, 1), rng.randint(0, 6), rng.randint(0, 9), rng.randint(0, 7)
    )
