"""What is allowed in Rapa Nui and why not: one decision for rulings, actions and lists of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.games.game import TABLE, Note, Ruling
from companion.games.rapa_nui.actions import (
    Buy,
    Deal,
    Offer,
    OfferFromSupply,
    Play,
    RapaNuiAction,
    Refill,
    ReturnMoai,
    Substitute,
)
from companion.games.rapa_nui.cards import CARDS, HUNTER, MOAI, OFFERINGS, bag_of, some
from companion.games.rapa_nui.state import (
    ADD,
    BUY,
    COLUMN,
    DEAL,
    HAND,
    INCOME,
    LAY,
    OFFER,
    OVER,
    PLAY,
    REFILL,
    SUBSTITUTE,
    TAKE,
    State,
    actor,
)

PRICE: Final = 5  #: of an offering card, in wood
MOAI_COST: Final = 7  #: of building, in wood
MOST_HUNTERS: Final = 3

DUE: Final[Mapping[str, tuple[str, ...]]] = {
    DEAL: ("deal",),
    LAY: ("lay_display",),
    BUY: ("buy", "play", "return_moai"),
    PLAY: ("play", "return_moai"),
    OFFER: ("offer",),
    ADD: ("offer_from_supply",),
    TAKE: ("take",),
    REFILL: ("refill",),
    INCOME: ("income",),
    SUBSTITUTE: ("substitute",),
    OVER: (),
}


def _yes(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(True, rule, Note(code, facts))


def _no(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(False, rule, Note(code, facts))


_LAWFUL: Final[Mapping[str, Ruling]] = {
    "deal": _yes("RN-S1", "may_deal"),
    "lay_display": _yes("RN-S3", "may_lay_display"),
    "play": _yes("RN-2.1", "may_play"),
    "return_moai": _yes("RN-2.8", "may_return_moai"),
    "offer": _yes("RN-2.5", "may_offer"),
    "offer_from_supply": _yes("RN-2.6", "may_offer_from_supply"),
    "take": _yes("RN-3.1", "may_take"),
    "refill": _yes("RN-3.2", "may_refill"),
    "income": _yes("RN-3.7", "may_income"),
    "substitute": _yes("RN-3.10", "may_substitute"),
}
_MAY_HIDE: Final = _yes("RN-2.6", "may_offer_hidden")
_MAY_DECLINE: Final = _yes("AMB-1", "may_decline_extra")


def price(state: State, seat: int, offering: int) -> int:
    """What an offering card costs a seat, in wood: 5 less the hunters of its sort laid earlier (RN-1.2, RN-1.3)."""
    return max(0, PRICE - state.tableaus[seat][HUNTER + offering])


def cost(card: int, count: int) -> int:
    """What laying costs, in wood: 7 for a Moai (RN-2.1); a hunter nothing, two 1, three 2, whatever lies (RN-2.2)."""
    return MOAI_COST if card == MOAI else count - 1


def verify(state: State, action: RapaNuiAction) -> Ruling:
    """Whether the action is allowed now, and the rule that says so."""
    return refusal(state, action) or _lawful(state, action)


def refusal(state: State, action: RapaNuiAction) -> Ruling | None:
    """Why the action is not allowed now; None if it is."""
    if action.do not in DUE[state.step] or action.by != actor(state):
        return _out_of_order(state, action)
    check = _CHECKS.get(action.do)
    return None if check is None else check(state, action)


def _lawful(state: State, action: RapaNuiAction) -> Ruling:
    """The ruling on an allowed action."""
    if isinstance(action, Buy):
        facts = _buying(state, action)
        return _yes("RN-1.2", "may_buy", **facts)
    if isinstance(action, Play) and action.cards[0] >= MOAI:
        return _yes("RN-2.1" if action.cards[0] == MOAI else "RN-2.2", "may_lay_for", **_laying(state, action))
    if isinstance(action, Offer) and action.by == state.seat:
        return _MAY_HIDE
    if isinstance(action, OfferFromSupply) and action.offering is None:
        return _MAY_DECLINE
    return _LAWFUL[action.do]


def _out_of_order(state: State, action: RapaNuiAction) -> Ruling:
    """RN-0 the turn goes round clockwise, its steps in order; where the book has an order of its own, that one.

    RN-1.1 and RN-1.3 say so of buying, RN-2.5 and RN-2.6 of who offers when, RN-3.9 of who takes offering cards first.
    """
    who = actor(state)
    if who is None:
        return _no("RN-E1", "game_is_over")
    if isinstance(action, Buy) and action.by == state.seat and state.step not in (DEAL, LAY):
        if state.step == PLAY:
            return _no("RN-1.1", "has_bought", seat=action.by)
        return _no("RN-1.3", "has_laid", seat=action.by)
    return _no(_rule_of_order(state, action), "not_due", due_seat=who, due=state.step)


def _rule_of_order(state: State, action: RapaNuiAction) -> str:
    """The rule that says whose turn it is to do what is due."""
    if action.by == TABLE or action.do != state.step:
        return "RN-0"
    if isinstance(action, Offer):
        return "RN-2.6" if action.by == state.seat else "RN-2.5"
    return "RN-3.9" if isinstance(action, Substitute) else "RN-0"


def _check_deal(state: State, action: Deal) -> Ruling | None:
    """RN-S1 three hunters a hand. Which ones is not checked: no rulebook says which colour has which."""
    for seat, hand in enumerate(action.hands):
        if len(hand) != HAND or min(hand) < HUNTER:
            return _no("RN-S1", "not_three_hunters", seat=seat, cards=some(bag_of(hand), CARDS))
    return None


def _buying(state: State, action: Buy) -> dict[str, Any]:
    seat = _seat(action)
    sort = OFFERINGS[action.offering]
    return {"seat": seat, "offering": sort, "price": price(state, seat, action.offering), "wood": state.wood[seat]}


def _check_buy(state: State, action: Buy) -> Ruling | None:
    """RN-1.1 from a stack that is not empty; RN-1.2 for what it costs."""
    if not state.supply[action.offering]:
        return _no("RN-1.1", "stack_empty", offering=OFFERINGS[action.offering])
    seat = _seat(action)
    if state.wood[seat] < price(state, seat, action.offering):
        return _no("RN-1.2", "too_dear", **_buying(state, action))
    return None


def _laying(state: State, action: Play) -> dict[str, Any]:
    seat = _seat(action)
    cards, count = action.cards, len(action.cards)
    facts = {"cards": some(bag_of(cards), CARDS), "price": cost(cards[0], count), "wood": state.wood[seat]}
    return {"seat": seat, **facts}


def _check_play(state: State, action: Play) -> Ruling | None:
    """RN-2.1 one card, or up to three hunters of one sort, from the hand; RN-2.2 hunters for what they cost."""
    cards, count, seat = action.cards, len(action.cards), _seat(action)
    card = cards[0] if cards else -1
    if not 1 <= count <= MOST_HUNTERS or cards.count(card) < count or (count > 1 and card < HUNTER):
        return _no("RN-2.1", "not_one_kind", seat=seat, cards=some(bag_of(cards), CARDS))
    if state.hands[seat][card] < count:
        return _no("RN-2.1", "not_in_hand", seat=seat, cards=some(bag_of(cards), CARDS))
    if card >= MOAI and state.wood[seat] < cost(card, count):
        return _no("RN-2.1" if card == MOAI else "RN-2.2", "lacks_wood", **_laying(state, action))
    return None


def _check_return(state: State, action: ReturnMoai) -> Ruling | None:
    """RN-2.8 only with three Moais in hand and too little wood, even if it was spent just now (AMB-8)."""
    seat = _seat(action)
    if state.hands[seat][MOAI] < HAND:
        return _no("RN-2.8", "not_three_moais", seat=seat)
    if state.wood[seat] >= MOAI_COST:
        return _no("RN-2.8", "can_build", seat=seat, wood=state.wood[seat])
    return None


def _check_offer(state: State, action: Offer) -> Ruling | None:
    """RN-2.5 an own card; RN-2.6 the builder's too."""
    seat = _seat(action)
    if not state.offerings[seat][action.offering]:
        rule = "RN-2.6" if seat == state.seat else "RN-2.5"
        return _no(rule, "owns_no_such_offering", seat=seat, offering=OFFERINGS[action.offering])
    return None


def _check_add(state: State, action: OfferFromSupply) -> Ruling | None:
    """RN-2.6 a card from a stack that is not empty, and a must (AMB-1: unless the option makes it a may)."""
    if action.offering is None:
        return None if state.extra_optional else _no("RN-2.6", "extra_is_a_must", seat=action.by)
    if not state.supply[action.offering]:
        return _no("RN-2.6", "stack_empty", offering=OFFERINGS[action.offering])
    return None


def _check_refill(state: State, action: Refill) -> Ruling | None:
    """RN-3.2 the emptied column gets four cards, or what is left of the pile."""
    if action.column != state.drawn + 1:
        return _no("RN-3.2", "other_column", column=action.column, due=state.drawn + 1)
    count = min(COLUMN, state.pile)
    if len(action.cards) != count:
        return _no("RN-3.2", "refill_count", count=len(action.cards), due=count)
    return None


def _check_substitute(state: State, action: Substitute) -> Ruling | None:
    """RN-3.10 from any stack that is not empty; AMB-4 it may be declined."""
    if action.offering is not None and not state.supply[action.offering]:
        return _no("RN-3.10", "stack_empty", offering=OFFERINGS[action.offering])
    return None


def _seat(action: RapaNuiAction) -> int:
    assert action.by != TABLE
    return action.by


#: What more than its turn a deed needs; a display, a take (no column is empty then) and an income need nothing.
_CHECKS: Final[Mapping[str, Callable[[State, Any], Ruling | None]]] = {
    Deal.do: _check_deal,
    Buy.do: _check_buy,
    Play.do: _check_play,
    ReturnMoai.do: _check_return,
    Offer.do: _check_offer,
    OfferFromSupply.do: _check_add,
    Refill.do: _check_refill,
    Substitute.do: _check_substitute,
}
