"""Rapa Nui's rules: what an action does, and which actions there are. Sources are rule ids (RN-…, AMB-…)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from companion.games.game import TABLE, Actor, Effect
from companion.games.rapa_nui.actions import (
    INCOMES,
    Buy,
    Deal,
    Income,
    LayDisplay,
    Offer,
    OfferFromSupply,
    Play,
    RapaNuiAction,
    Refill,
    ReturnMoai,
    Substitute,
    Take,
)
from companion.games.rapa_nui.cards import (
    CARDS,
    HUNTER,
    MOAI,
    OFFERINGS,
    WOODCUTTER,
    Bag,
    bag_of,
    plus,
    some,
)
from companion.games.rapa_nui.scoring import ranking, scores, yields
from companion.games.rapa_nui.state import (
    ADD,
    BUY,
    COLUMNS,
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
    hushed,
    seen,
    told,
)
from companion.games.rapa_nui.verdict import MOST_HUNTERS, cost, price, refusal

Effects = list[Effect]
GAINS: Final = {"wood": "gains_wood", "fame": "gains_fame"}  #: messages


def _add_to(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


def _sum(values: tuple[int, ...], more: list[int]) -> tuple[int, ...]:
    return tuple(value + n for value, n in zip(values, more, strict=True))


def _put(bags: tuple[Bag, ...], seat: int, index: int, count: int) -> tuple[Bag, ...]:
    """The bags with `count` more of one thing in a seat's bag."""
    return (*bags[:seat], plus(bags[seat], index, count), *bags[seat + 1 :])


def act(state: State, action: RapaNuiAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after a lawful action, and what happened."""
    effects: Effects = []
    match action:
        case Take():
            state = _take(state, action, effects)
        case Play():
            state = _play(state, action, effects)
        case Refill():
            state = _refill(state, action, effects)
        case Buy():
            state = _buy(state, action, effects)
        case Offer():
            state = _offer(state, action, effects)
        case OfferFromSupply():
            state = _add(state, action, effects)
        case Income():
            state = _income(state, action, effects)
        case Substitute():
            state = _substitute(state, action, effects)
        case ReturnMoai():
            state = _return(state, action, effects)
        case Deal():
            state = _deal(state, action, effects)
        case LayDisplay():
            state = _lay(state, action, effects)
    return state, tuple(effects)


# Before the first turn


def _deal(state: State, action: Deal, effects: Effects) -> State:
    """RN-S1, RN-S5: hands and offering cards are known to their owners only."""
    hands = tuple(bag_of(hand) for hand in action.hands)
    effects.append(told("RN-S7", "starting_wood", start_seat=state.seat, seats=dict(enumerate(state.wood))))
    effects.extend(hushed(s, "RN-S1", "hand_dealt", seat=s, cards=some(h, CARDS)) for s, h in enumerate(hands))
    return replace(state, step=LAY, hands=hands)


def _lay(state: State, action: LayDisplay, effects: Effects) -> State:
    """RN-S3: 34 of the 50 cards are left in the pile."""
    laid = bag_of(card for column in action.columns for card in column)
    state = replace(state, step=BUY, columns=action.columns, pile=state.pile - sum(laid))
    effects.append(told("RN-S3", "display_laid", count=state.pile, seat=state.seat))
    return _drawn_from_box(state, laid, effects)


def _drawn_from_box(state: State, laid: Bag, effects: Effects) -> State:
    """What the pile must still hold. More of a kind than the box has is told, not forbidden: copies differ."""
    unseen = tuple(had - n for had, n in zip(state.unseen, laid, strict=True))
    if min(unseen) < 0:
        effects.extend(
            seen("RN-S3", "more_than_box", card=CARDS[card]) for card, n in enumerate(unseen) if n < 0 < laid[card]
        )
    return replace(state, unseen=unseen)


# Step 1: buy


def _buy(state: State, action: Buy, effects: Effects) -> State:
    seat, sort = state.seat, action.offering
    paid = price(state, seat, sort)
    effects.append(told("RN-1.1", "buys", seat=seat))
    effects.append(seen("RN-1.2", "offering_bought", seat=seat, offering=OFFERINGS[sort], price=paid))
    return replace(
        state,
        step=PLAY,
        wood=_add_to(state.wood, seat, -paid),
        offerings=_put(state.offerings, seat, sort, 1),
        supply=plus(state.supply, sort, -1),
    )


# Step 2: lay


def _play(state: State, action: Play, effects: Effects) -> State:
    """RN-2.3: only a Moai does something when it is laid (RN-2.4)."""
    seat, card, count = state.seat, action.cards[0], len(action.cards)
    paid = cost(card, count)
    if card == MOAI:
        effects.append(told("RN-2.4", "built", seat=seat, price=paid))
    elif paid:
        effects.append(told("RN-2.2", "laid_for", seat=seat, cards={CARDS[card]: count}, price=paid))
    else:
        effects.append(told("RN-2.3", "laid", seat=seat, cards={CARDS[card]: count}))
    state = replace(
        state,
        step=TAKE,
        wood=_add_to(state.wood, seat, -paid) if paid else state.wood,
        hands=_put(state.hands, seat, card, -count),
        tableaus=_put(state.tableaus, seat, card, count),
    )
    return _offering_round(state, effects) if card == MOAI else state


def _return(state: State, action: ReturnMoai, effects: Effects) -> State:
    """RN-2.8: the Moai leaves the game."""
    effects.append(told("RN-2.8", "moai_returned", seat=state.seat))
    return replace(state, step=TAKE, hands=_put(state.hands, state.seat, MOAI, -1))


def _clockwise(state: State, first: int) -> list[int]:
    """All seats in turn order, from `first`."""
    return [(first + i) % state.players for i in range(state.players)]


def _offering_round(state: State, effects: Effects) -> State:
    """RN-2.5: clockwise from the builder's left; who has no card is passed over. RN-2.6: the builder is last."""
    owners = tuple(seat for seat in _clockwise(state, state.seat + 1) if any(state.offerings[seat]))
    if state.seat not in owners:
        effects.append(told("AMB-2", "builder_owns_none", seat=state.seat))
    return replace(state, step=OFFER, asked=owners) if owners else _ask_extra(state)


def _offer(state: State, action: Offer, effects: Effects) -> State:
    """RN-2.7: what lies on top is seen for as long as it lies on top."""
    seat, sort = state.asked[0], action.offering
    hidden = seat == state.seat
    if hidden:
        effects.append(told("RN-2.6", "offers_hidden", seat=seat))
        effects.append(hushed(seat, "RN-2.6", "on_stone", offering=OFFERINGS[sort]))
    else:
        effects.append(told("RN-2.5", "offers", seat=seat))
        effects.append(seen("RN-2.7", "on_stone", offering=OFFERINGS[sort]))
    state = replace(
        state,
        offerings=_put(state.offerings, seat, sort, -1),
        stone=(*state.stone, sort),
        face_down=hidden,
        asked=state.asked[1:],
    )
    return state if state.asked else _ask_extra(state)


def _ask_extra(state: State) -> State:
    """RN-2.6, AMB-2: then the builder adds a card from the supply, as long as there is one."""
    return replace(state, step=ADD if any(state.supply) else TAKE, asked=())


def _add(state: State, action: OfferFromSupply, effects: Effects) -> State:
    sort = action.offering
    if sort is None:
        effects.append(told("AMB-1", "adds_nothing", seat=state.seat))
        return replace(state, step=TAKE)
    effects.append(told("RN-2.6", "adds", seat=state.seat))
    effects.append(seen("RN-2.7", "on_stone", offering=OFFERINGS[sort]))
    return replace(state, step=TAKE, supply=plus(state.supply, sort, -1), stone=(*state.stone, sort), face_down=False)


# Step 3: draw, then score


def _take(state: State, action: Take, effects: Effects) -> State:
    seat, at = state.seat, action.column - 1
    *rest, card = state.columns[at]
    effects.append(told("RN-3.1", "draws", seat=seat))
    effects.append(seen("RN-3.1", "card_taken", seat=seat, card=CARDS[card], column=action.column))
    state = replace(
        state,
        step=TAKE if rest else REFILL,
        columns=(*state.columns[:at], tuple(rest), *state.columns[at + 1 :]),
        hands=_put(state.hands, seat, card, 1),
        drawn=at,
    )
    return _after_draw(state, effects) if rest else state


def _refill(state: State, action: Refill, effects: Effects) -> State:
    """RN-E1: the game ends at once when this empties the pile."""
    at = action.column - 1
    pile = state.pile - len(action.cards)
    effects.append(told("RN-3.2", "refilled", count=pile))
    columns = (*state.columns[:at], action.cards, *state.columns[at + 1 :])
    state = replace(state, step=TAKE, columns=columns, pile=pile)
    state = _drawn_from_box(state, bag_of(action.cards), effects)
    return _end(state, effects) if pile == 0 else _after_draw(state, effects)


def _end(state: State, effects: Effects) -> State:
    effects.append(told("RN-E1", "pile_empty"))
    if not state.stone:
        effects.append(told("RN-E4", "nothing_offered"))
    winners, points = ranking(state)[0], max(score.total for score in scores(state))
    effects.append(told("RN-E5", "shared_victory" if len(winners) > 1 else "victory", seats=winners, points=points))
    return replace(state, step=OVER)


def _after_draw(state: State, effects: Effects) -> State:
    """RN-3.1: draw until the hand is three cards again; RN-3.3, RN-3.4: then one kind is scored, for all."""
    if sum(state.hands[state.seat]) < HAND:
        return state
    card = state.exposed
    earned = yields(card, [tableau[card] for tableau in state.tableaus])
    if card >= HUNTER:
        effects.append(told("RN-3.3", "hunters_scored"))
        effects.append(seen("RN-3.3", "scored", card=CARDS[card]))
        return _hand_out(state, card - HUNTER, earned, effects)
    effects.append(told("RN-3.3", "scored", card=CARDS[card]))
    if card == MOAI:
        return _ask_income(state, earned, effects)
    if card == WOODCUTTER:
        effects.extend(told("RN-3.5", GAINS["wood"], seat=seat, count=n) for seat, n in enumerate(earned) if n)
        return _next_turn(replace(state, wood=_sum(state.wood, earned)))
    effects.extend(told("RN-3.6", GAINS["fame"], seat=seat, count=n) for seat, n in enumerate(earned) if n)
    return _next_turn(replace(state, fame=_sum(state.fame, earned)))


def _ask_income(state: State, earned: list[int], effects: Effects) -> State:
    """RN-3.7: whoever has a Moai chooses; AMB-3: the player who drew first, then clockwise."""
    asked = tuple(seat for seat in _clockwise(state, state.seat) if earned[seat])
    return replace(state, step=INCOME, asked=asked) if asked else _next_turn(state)


def _income(state: State, action: Income, effects: Effects) -> State:
    seat = state.asked[0]
    earned = yields(MOAI, [tableau[MOAI] for tableau in state.tableaus])[seat]
    effects.append(told("RN-3.7", GAINS[action.take], seat=seat, count=earned))
    if action.take == "wood":
        state = replace(state, wood=_add_to(state.wood, seat, earned), asked=state.asked[1:])
    else:
        state = replace(state, fame=_add_to(state.fame, seat, earned), asked=state.asked[1:])
    return state if state.asked else _next_turn(state)


def _hand_out(state: State, sort: int, earned: list[int], effects: Effects) -> State:
    """RN-3.8, RN-3.9: offering cards of the sort, to the player who drew first; AMB-4: each takes all at once."""
    offerings, supply, missing = state.offerings, state.supply, []
    for seat in _clockwise(state, state.seat):
        count = min(earned[seat], supply[sort])
        missing += [seat] * (earned[seat] - count)
        if count:
            offerings, supply = _put(offerings, seat, sort, count), plus(supply, sort, -count)
            effects.append(seen("RN-3.8", "offerings_taken", seat=seat, count=count, offering=OFFERINGS[sort]))
    state = replace(state, offerings=offerings, supply=supply)
    if missing:
        effects.append(told("RN-3.10", "stack_ran_out"))
    return _ask_substitutes(state, tuple(missing))


def _ask_substitutes(state: State, missing: tuple[int, ...]) -> State:
    """RN-3.10: a question for each missing card, as long as any stack has one."""
    if missing and any(state.supply):
        return replace(state, step=SUBSTITUTE, asked=missing)
    return _next_turn(state)


def _substitute(state: State, action: Substitute, effects: Effects) -> State:
    seat, sort = state.asked[0], action.offering
    if sort is None:
        effects.append(told("AMB-4", "substitute_declined", seat=seat))
    else:
        effects.append(told("RN-3.10", "substitute_taken", seat=seat))
        effects.append(seen("RN-3.10", "offerings_taken", seat=seat, count=1, offering=OFFERINGS[sort]))
        state = replace(state, offerings=_put(state.offerings, seat, sort, 1), supply=plus(state.supply, sort, -1))
    return _ask_substitutes(state, state.asked[1:])


def _next_turn(state: State) -> State:
    """RN-3.11: the next player clockwise begins a turn (RN-1.1: and may buy)."""
    return replace(state, step=BUY, seat=(state.seat + 1) % state.players, asked=())


# What there is to choose from


def legal(state: State, by: Actor) -> tuple[RapaNuiAction, ...]:
    """Every action this seat may do now; for the table none, since any cards may be laid."""
    if by == TABLE or by != actor(state):
        return ()
    return tuple(action for action in _candidates(state, by) if refusal(state, action) is None)


def _candidates(state: State, seat: int) -> list[RapaNuiAction]:
    """Every action of the due deeds that could be allowed."""
    if state.step in (BUY, PLAY):
        found: list[RapaNuiAction] = list(_deeds(BUY, seat)) if state.step == BUY else []
        for card, count in enumerate(state.hands[seat]):
            found.extend(_plays(seat, card)[:count])
        return [*found, ReturnMoai(seat)] if state.hands[seat][MOAI] == HAND else found
    return list(_deeds(state.step, seat))


@cache
def _plays(seat: int, card: int) -> tuple[RapaNuiAction, ...]:
    """One card of a kind, and for hunters two and three."""
    return tuple(Play(seat, (card,) * n) for n in range(1, (MOST_HUNTERS if card >= HUNTER else 1) + 1))


@cache
def _deeds(step: str, seat: int) -> tuple[RapaNuiAction, ...]:
    """Every action of a deed with few arguments."""
    sorts = range(len(OFFERINGS))
    if step == BUY:
        return tuple(Buy(seat, sort) for sort in sorts)
    if step == OFFER:
        return tuple(Offer(seat, sort) for sort in sorts)
    if step == ADD:
        return (*(OfferFromSupply(seat, sort) for sort in sorts), OfferFromSupply(seat, None))
    if step == SUBSTITUTE:
        return (*(Substitute(seat, sort) for sort in sorts), Substitute(seat, None))
    if step == INCOME:
        return tuple(Income(seat, take) for take in INCOMES)
    assert step == TAKE
    return tuple(Take(seat, column) for column in range(1, COLUMNS + 1))
