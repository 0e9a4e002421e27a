"""What the conformance suite must know of Rapa Nui: its options, and what a viewer may not know."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from companion.games.rapa_nui.actions import Deal, Offer, Play, RapaNuiAction, Refill, ReturnMoai
from companion.games.rapa_nui.cards import HUNTER, MOAI, OFFERINGS, Bag, bag_of
from companion.games.rapa_nui.state import HAND, State

OPTIONS: list[dict[str, Any]] = [{"extra_offering_optional": True}]
PLENTY = 8  #: cards in a stack that no single action can empty


def twin(
    state: State, action: RapaNuiAction, viewer: int | None, rng: random.Random
) -> tuple[State, RapaNuiAction] | None:
    """Others hold other cards and other offerings, the stone holds others below its top, stacks have other heights.

    The action that ends the game opens everything. What is not the viewer's to see is made up freely: whether it could
    have come about does not matter to the view.
    """
    if isinstance(action, Refill) and len(action.cards) == state.pile:
        return None
    hands, offerings = list(state.hands), list(state.offerings)
    for seat in range(state.players):
        if seat != viewer:
            hands[seat] = _hand(state.hands[seat], _shown(action, seat), rng)
            offerings[seat] = _bag(sum(state.offerings[seat]), len(OFFERINGS), rng)
    other = action
    if isinstance(action, Offer) and action.by != viewer:
        seat = state.asked[0]
        if seat == state.seat:
            other = Offer(seat, rng.choice([sort for sort, n in enumerate(offerings[seat]) if n]))
        elif not offerings[seat][action.offering]:
            offerings[seat] = _with(action.offering, offerings[seat])
    if isinstance(action, Deal):
        other = Deal(action.by, tuple(_dealt(hand, seat == viewer, rng) for seat, hand in enumerate(action.hands)))
    below = len(state.stone) - (0 if state.face_down else 1)
    stone = tuple(rng.randrange(len(OFFERINGS)) if at < below else card for at, card in enumerate(state.stone))
    supply = tuple(rng.randint(PLENTY, 25) if count >= PLENTY else count for count in state.supply)
    changed = replace(
        state, hands=tuple(hands), offerings=tuple(offerings), stone=stone, supply=supply, unseen=(16,) * 7
    )
    return changed, other


def _shown(action: RapaNuiAction, seat: int) -> tuple[int, ...]:
    """The cards that this action proves a seat to hold."""
    if isinstance(action, Play) and action.by == seat:
        return action.cards
    return (MOAI,) * HAND if isinstance(action, ReturnMoai) and action.by == seat else ()


def _hand(hand: Bag, shown: tuple[int, ...], rng: random.Random) -> Bag:
    rest = _bag(sum(hand) - len(shown), len(hand), rng)
    return tuple(one + other for one, other in zip(rest, bag_of(shown), strict=True))


def _bag(size: int, kinds: int, rng: random.Random) -> Bag:
    drawn = [rng.randrange(kinds) for _ in range(size)]
    return tuple(drawn.count(kind) for kind in range(kinds))


def _with(sort: int, own: Bag) -> Bag:
    """The bag with one card exchanged for one of this sort."""
    given = next(at for at, count in enumerate(own) if count)
    changed = list(own)
    changed[given] -= 1
    changed[sort] += 1
    return tuple(changed)


def _dealt(hand: tuple[int, ...], own: bool, rng: random.Random) -> tuple[int, ...]:
    return hand if own else tuple(HUNTER + rng.randrange(len(OFFERINGS)) for _ in hand)
