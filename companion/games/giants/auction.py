"""The quarry and the auction: rolling, bidding, taking Moais (GI-1.1 to GI-2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from companion.games.game import Effect, Ruling
from companion.games.giants.actions import SIZES, Bid, Carve, Hands, Roll
from companion.games.giants.placing import begin_placing
from companion.games.giants.state import State, Stock, new_piece, no, put, seen, told, yes

# Phase 1: the dice


def verify_roll(state: State, action: Roll) -> Ruling:
    if len(action.dice) != state.players:
        return no("GI-1.1", "one_die_each", dice=len(action.dice), players=state.players)
    return yes("GI-1.1", "may_roll")


def roll(state: State, action: Roll, effects: list[Effect]) -> State:
    """The Moais the dice show stand on the quarry tile; a new round's first act (GI-1.1)."""
    if state.phase == "end":
        pieces = tuple(replace(piece, keeper=None) for piece in state.pieces)
        state = replace(state, round=state.round + 1, pieces=pieces, spare=(0,) * state.players)
    effects.append(told("GI-1.1", "rolled", round=state.round, dice=list(action.dice)))
    dice = action.dice
    if state.round == 1:
        dice = tuple(min(max(face, 1), 2) for face in dice)
        if dice != action.dice:
            effects.append(told("GI-1.2", "first_round_counts", dice=list(dice)))
    moais, quarry = list(state.moais), []
    for size in dice:
        if size == 0:
            effects.append(told("GI-1.1", "block_broke"))
        elif not moais[size - 1]:
            effects.append(told("GI-1.3", "size_used_up", size=size))
        else:
            moais[size - 1] -= 1
            quarry.append(size)
    effects.append(told("GI-1.1", "on_offer", sizes=quarry) if quarry else told("GI-1.1", "nothing_on_offer"))
    one, two, three = moais
    return replace(state, phase="bid", quarry=tuple(quarry), moais=(one, two, three))


# Phase 2: bids


def verify_bid(state: State, action: Bid) -> Ruling:
    assert isinstance(action.by, int)
    stock, hands = state.stocks[action.by], action.hands
    if min(hands.markers, hands.workers, hands.sorcerer, hands.chief) < 0:
        return no("GI-2.1", "bid_below_zero")
    if hands.markers > stock.markers:
        return no("GI-2.1", "bid_lacks_markers", seat=action.by, asked=hands.markers)
    for figure, count in hands.figures().items():
        if count > stock.figures(figure):
            return no("GI-2.1", "bid_lacks_figures", seat=action.by, figure=figure, asked=count)
    return yes("GI-2.1", "may_bid")


def bid(state: State, action: Bid, effects: list[Effect]) -> State:
    """The bid leaves the screen; the last one opens them all (GI-2.1, GI-2.6)."""
    assert isinstance(action.by, int)
    stock, hands = state.stocks[action.by], action.hands
    left = replace(
        stock,
        markers=stock.markers - hands.markers,
        workers=stock.workers - hands.workers,
        sorcerer=stock.sorcerer - hands.sorcerer,
        chief=stock.chief - hands.chief,
    )
    state = replace(state, stocks=put(state.stocks, action.by, left), bids=put(state.bids, action.by, hands))
    if None in state.bids:
        return state
    return _reveal(state, effects)


def open_bids(state: State) -> tuple[Hands, ...]:
    """All bids; only when all are in."""
    return tuple(hands for hands in state.bids if hands is not None)


def _reveal(state: State, effects: list[Effect]) -> State:
    """Show all bids and fix who chooses first: markers, then half tablets, then order of play (GI-2.2)."""
    bids = open_bids(state)
    for seat, hands in enumerate(bids):
        effects.append(told("GI-2.1", "bid_open", seat=seat, markers=hands.markers, figures=hands.figures()))
    order = choice_order([hands.markers for hands in bids], state.tablets, state.start)
    effects.append(told("GI-2.2", "choice_order", seats=order))
    for seat in order:
        if bids[seat].markers and not bids[seat].sculptors:
            effects.append(told("GI-2.4", "markers_alone", seat=seat))
    state = replace(state, phase="carve", order=order, carved=((),) * state.players, out=frozenset())
    return _next_choice(state, order[-1], effects)


def choice_order(markers: Sequence[int], tablets: Sequence[int], first: int) -> tuple[int, ...]:
    """Seats in order of choice: most markers, then most half tablets, then order of play from `first` (GI-2.2).

    >>> choice_order([2, 2, 1, 1, 0], [3, 0, 1, 1, 0], first=0)
    (0, 1, 2, 3, 4)
    """
    n = len(markers)
    return tuple(sorted(range(n), key=lambda seat: (-markers[seat], -tablets[seat], (seat - first) % n)))


# Phase 2: carving


def can_be_shared_out(sizes: Sequence[int], hands: Hands) -> bool:
    """Whether these figures can carve all these Moais, each figure helping one: a chief does any (GI-2.3, GI-A1).

    >>> can_be_shared_out([1, 2], Hands(0, 2, 0, 1)), can_be_shared_out([1, 2, 1], Hands(0, 0, 1, 1))
    (True, False)
    """
    by_chief = max(sizes, default=0) if hands.chief else 0
    return sum(sizes) - by_chief <= hands.workers + hands.sorcerer


def sizes_for(state: State, seat: int) -> list[int]:
    """The sizes on the quarry tile that this seat's bid still suffices for."""
    hands = state.bids[seat]
    if hands is None or seat in state.out:
        return []
    return [s for s in SIZES if s in state.quarry and can_be_shared_out((*state.carved[seat], s), hands)]


def verify_carve(state: State, action: Carve) -> Ruling:
    assert isinstance(action.by, int)
    if action.size is None:
        return yes("GI-A2", "may_decline")
    if action.size not in state.quarry:
        return no("GI-2.3", "size_not_on_offer", size=action.size, sizes=list(state.quarry))
    if action.size not in sizes_for(state, action.by):
        return no("GI-2.3", "too_few_sculptors", seat=action.by, size=action.size)
    return yes("GI-2.5" if state.carved[action.by] else "GI-2.3", "may_carve", size=action.size)


def carve(state: State, action: Carve, effects: list[Effect]) -> State:
    """A Moai goes before the chooser's screen, or the chooser is out of the auction; then the next one chooses."""
    assert isinstance(action.by, int)
    seat, size = action.by, action.size
    if size is None:
        effects.append(told("GI-A2", "declines", seat=seat))
        return _next_choice(replace(state, out=state.out | {seat}), seat, effects)
    piece = new_piece(state, "moai", size, seat)
    rule = "GI-2.5" if state.carved[seat] else "GI-2.3"
    effects.append(seen(rule, "carves", seat=seat, size=size, piece=piece.id))
    quarry = list(state.quarry)
    quarry.remove(size)
    state = replace(
        state,
        quarry=tuple(quarry),
        pieces=(*state.pieces, piece),
        carved=put(state.carved, seat, (*state.carved[seat], size)),
    )
    return _next_choice(state, seat, effects)


def _next_choice(state: State, last: int, effects: list[Effect]) -> State:
    """The next in order who can take something; when nobody can, the rest goes back to the box (GI-2.5, GI-2.7)."""
    after = state.order.index(last) + 1
    for seat in (*state.order[after:], *state.order[:after]):
        if sizes_for(state, seat):
            return replace(state, turn=seat)
    moais = list(state.moais)
    for size in state.quarry:
        moais[size - 1] += 1
    if state.quarry:
        effects.append(told("GI-2.7", "unclaimed", sizes=list(state.quarry)))
    one, two, three = moais
    return begin_placing(replace(state, quarry=(), moais=(one, two, three)), effects)


# What there is to choose from


@lru_cache(maxsize=4096)
def legal_bids(seat: int, stock: Stock) -> tuple[Bid, ...]:
    """Every bid from what is behind the screen, empty hands included."""
    ranges = (range(count + 1) for count in (stock.markers, stock.workers, stock.sorcerer, stock.chief))
    return tuple(Bid(seat, Hands(*counts)) for counts in product(*ranges))


def legal_carves(state: State, seat: int) -> tuple[Carve, ...]:
    return (*(Carve(seat, size) for size in sizes_for(state, seat)), Carve(seat, None))
