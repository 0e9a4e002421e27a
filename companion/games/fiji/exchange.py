"""How an exchange is evaluated, row by row, once all bids are open (FJ-4b1 to FJ-4b5, FJ-X1 to FJ-X6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.games.fiji.cards import (
    COLOURS,
    GAIN,
    MOST,
    ONE_OF_EACH,
    Bag,
    Row,
    RowEffect,
    bag_data,
    holds,
    minus,
    only,
    plus,
    times,
)
from companion.games.fiji.heads import end_round
from companion.games.fiji.state import CHOICES, EXCHANGES, State, seen, told
from companion.games.game import Effect


def open_bids(state: State) -> tuple[Bag, ...]:
    """All bids; only when all are in."""
    return tuple(bid for bid in state.bids if bid is not None)


def best(values: Sequence[int], wins: str) -> tuple[int | None, tuple[int, ...]]:
    """The seat with the best value that nobody else has, or None; and the better values, which cancelled (FJ-4b4).

    >>> best([2, 2, 1, 1, 0], "most")
    (4, (2, 2, 1, 1))
    """
    cancelled: tuple[int, ...] = ()
    for value in sorted(set(values), reverse=wins == MOST):
        count = values.count(value)
        if count == 1:
            return values.index(value), cancelled
        cancelled += (value,) * count
    return None, cancelled


def portion(effect: RowEffect, supply: Bag) -> Bag:
    """What each taker of a bead effect gets if the supply has enough for all of them.

    The winner takes for gain, one_of_each and half (FJ-X1, FJ-X2; FJ-A4: half of what the supply has now), every
    other seat for others_gain (FJ-X3).
    """
    colour = effect.colour
    if colour is None:
        return ONE_OF_EACH
    if effect.kind == "half":
        return only(colour, (supply[colour] + 1) // 2)
    return only(colour, GAIN[colour] if effect.kind == "gain" else 1)


def evaluate(state: State, effects: list[Effect]) -> State:
    """Resolve the rows top to bottom, up to the first that waits for its winner's choice (FJ-4b1 to FJ-4b5).

    The bids stay as they lie: what is taken goes into hands (FJ-A3), and the supply has no beads of theirs (FJ-A5).
    """
    bids = open_bids(state)
    hands, supply, kept = list(state.hands), state.supply, state.kept
    for at in range(state.row, len(state.rows)):
        row = state.rows[at]
        winner = _winner(at + 1, row, bids, effects)
        if winner is None:
            continue
        kind = row.effect.kind
        if kind == "keep_bid" and not state.keep_bid_optional:
            kept = kept | {winner}
            effects.append(told("FJ-X4", "keeps_bid", row=at + 1, seat=winner))
        elif kind in CHOICES:
            code = "asks_keep" if kind == "keep_bid" else "must_choose"
            effects.append(told(CHOICES[kind], code, row=at + 1, seat=winner, due=kind))
            return replace(state, hands=tuple(hands), supply=supply, kept=kept, row=at, chooser=winner)
        else:
            supply = _take(at + 1, row.effect, winner, hands, supply, effects)
    return _end_exchange(replace(state, hands=tuple(hands), supply=supply, kept=kept), effects)


def _winner(row: int, laid: Row, bids: Sequence[Bag], effects: list[Effect]) -> int | None:
    """Who must carry out this row's effect, told with the values that count and those that cancel."""
    condition = laid.condition
    values = [condition.value(bid) for bid in bids]
    names = ["all"] if len(condition.colours) == len(COLOURS) else [COLOURS[c] for c in condition.colours]
    by_seats = dict(enumerate(values))
    effects.append(seen("FJ-4b1", "row_values", row=row, wins=condition.wins, colours=names, values_by_seats=by_seats))
    winner, cancelled = best(values, condition.wins)
    if winner is None:
        effects.append(seen("FJ-4b4", "row_all_cancel", row=row, cancelled=cancelled))
    elif cancelled:
        facts = {"row": row, "cancelled": cancelled, "value": values[winner], "seat": winner}
        effects.append(seen("FJ-4b4", "row_next_counts", **facts))
    else:
        effects.append(seen("FJ-4b3", "row_best", row=row, value=values[winner], seat=winner))
    return winner


_TAKE_RULES: Final = {"gain": "FJ-X1", "one_of_each": "FJ-X1", "half": "FJ-X2", "others_gain": "FJ-X3"}


def _take(row: int, effect: RowEffect, winner: int, hands: list[Bag], supply: Bag, effects: list[Effect]) -> Bag:
    """Hand out what a bead effect gives, all or nothing; changes `hands`, returns the supply left."""
    rule, others = _TAKE_RULES[effect.kind], effect.kind == "others_gain"
    takers = [seat for seat in range(len(hands)) if (seat == winner) is not others]
    each = portion(effect, supply)
    wanted = times(each, len(takers))
    if not any(each):
        assert effect.colour is not None  # only half of a colour can be nothing
        effects.append(seen(rule, "takes_half_of_none", row=row, seat=winner, colour=COLOURS[effect.colour]))
    elif not holds(supply, wanted):
        lacks = [name for name, has, want in zip(COLOURS, supply, wanted, strict=True) if has < want]
        facts = {"row": row, "seat": winner, "wanted": bag_data(wanted), "lacks": lacks}
        effects.append(seen(rule, "others_take_nothing" if others else "takes_nothing", **facts))
    else:
        for seat in takers:
            hands[seat] = plus(hands[seat], each)
        taken = {"row": row, "beads": bag_data(each)}
        if others:
            effects.append(seen(rule, "others_take", seats=takers, **taken))
        else:
            effects.append(seen(rule, "takes", seat=winner, **taken))
        return minus(supply, wanted)
    return supply


def _end_exchange(state: State, effects: list[Effect]) -> State:
    """Bids go into the supply or, where kept, back behind the screen; an exchange or the heads follow (FJ-4b5)."""
    supply, hands = state.supply, list(state.hands)
    for seat, bid in enumerate(open_bids(state)):
        if seat in state.kept:
            hands[seat] = plus(hands[seat], bid)
        else:
            supply = plus(supply, bid)
    effects.append(told("FJ-4b5", "bids_returned", exchange=state.exchange, supply=bag_data(supply)))
    last = state.exchange == EXCHANGES
    state = replace(
        state,
        exchange=state.exchange if last else state.exchange + 1,
        supply=supply,
        hands=tuple(hands),
        bids=(None,) * state.players,
        row=0,
        kept=frozenset(),
    )
    return end_round(state, effects) if last else state
