"""Placing figures, and what sorcerer and chief do where they are placed (GI-3A to GI-3H)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from companion.games.game import Effect, Ruling
from companion.games.giants.actions import FIGURES, LOG, GiantsAction, Pass, Place, Rongo
from companion.games.giants.board import Board, Hex
from companion.games.giants.state import (
    FREE,
    State,
    Stock,
    clockwise,
    new_piece,
    no,
    plus,
    private,
    put,
    seen,
    told,
    yes,
)

MOST_LOGS: Final = 2  #: placed with one figure (GI-3A)
TABLET: Final = 2  #: halves a chief's action costs (GI-3C)
RULES: Final = {
    "village": "GI-3B1",
    "hut": "GI-3B2",
    "forest": "GI-3B3",
    "reserve": "GI-3B4",
    "headdress": "GI-3B5",
}
PLACES: Final = {"village": "village", "hut": "hut", "forest": "forest", "headdress": "headdress_quarry"}


def begin_placing(state: State, effects: list[Effect]) -> State:
    """The start player places first; who has nothing to place with passes by itself (GI-R0)."""
    state = replace(state, phase="place", turn=state.start, out=frozenset())
    return _next_turn(state, state.start, effects)


def _next_turn(state: State, first: int, effects: list[Effect]) -> State:
    """The next seat from `first` on that can still act; when none can, the transport begins (GI-3F)."""
    for seat in clockwise(state, first):
        if seat in state.out:
            continue
        if state.stocks[seat].can_place:
            return replace(state, turn=seat)
        effects.append(told("GI-3F", "cannot_act", seat=seat))
        state = replace(state, out=state.out | {seat})
    effects.append(told("GI-3F", "placing_over"))
    return replace(state, phase="transport", turn=state.start, out=frozenset())


# What is allowed


def verify_place(state: State, action: Place) -> Ruling:
    """Any hex will do; nobody has to act there (GI-A11), and no logs go with a chief (GI-A12)."""
    assert isinstance(action.by, int)
    stock, figure = state.stocks[action.by], action.figure
    if not stock.figures(figure):
        return _lacks_figure(state, action.by, figure)
    hex_ = state.board.hex(action.hex)
    if hex_ is None:
        return no("GI-3A", "no_such_hex", hex=action.hex)
    if not 0 <= action.logs <= MOST_LOGS:
        return no("GI-3A", "logs_0_to_2", logs=action.logs)
    if action.logs and figure == "chief":
        return no("GI-3A", "chief_takes_no_logs")
    if action.logs > stock.logs:
        return no("GI-3A", "lacks_logs", seat=action.by, logs=action.logs)
    if action.action is None:
        return yes("GI-3A", "may_place", figure=figure)
    return _verify_special(state, action, hex_)


def _lacks_figure(state: State, seat: int, figure: str) -> Ruling:
    """Why a figure is not there to be placed: it is a sculptor this round, or it was placed already."""
    bid = state.bids[seat]
    if bid is not None and bid.figures()[figure]:
        return no("GI-2.6", "figure_was_bid", seat=seat, figure=figure)
    return no("GI-3A", "lacks_figure", seat=seat, figure=figure)


def _verify_special(state: State, action: Place, hex_: Hex) -> Ruling:
    """The action of the place: who may do it, whether it can be done here, and what a chief pays for it."""
    assert isinstance(action.by, int)
    special = str(action.action)
    if action.figure == "worker":
        return no("GI-3B", "worker_only_stands")
    if special not in RULES:
        return no("GI-3B", "no_such_action")
    if action.figure == "chief" and state.tablets[action.by] < TABLET:
        return no("GI-3C", "chief_needs_tablet", seat=action.by, halves=state.tablets[action.by])
    if special == "reserve":
        refused = _refused_reservation(state, action)
        if refused is not None:
            return refused
    elif hex_.kind != PLACES[special]:
        return no(RULES[special], "wrong_place", hex=hex_.id, place=PLACES[special])
    elif special == "forest" and hex_.id in state.felled:
        return no("GI-3B3", "forest_felled", hex=hex_.id)
    return yes("GI-3C" if action.figure == "chief" else RULES[special], "may_act_there", figure=action.figure)


def _refused_reservation(state: State, action: Place) -> Ruling | None:
    """Why this ahu cannot be reserved from this hex, or None (GI-3B4, GI-3G)."""
    assert isinstance(action.by, int)
    ahu = state.board.ahu(action.ahu or "")
    site = state.site(action.ahu or "")
    if ahu is None or site is None:
        return no("GI-3B4", "no_such_ahu")
    if ahu.hex != action.hex:
        return no("GI-3G", "ahu_elsewhere", ahu=ahu.id, hex=action.hex, beside=ahu.hex)
    if site != FREE:
        return no("GI-3B4", "ahu_not_free", ahu=ahu.id)
    if not state.stocks[action.by].bases:
        return no("GI-3B4", "no_base_left", seat=action.by)
    return None


def verify_rongo(state: State, action: Rongo) -> Ruling:
    assert isinstance(action.by, int)
    if state.stocks[action.by].markers:
        return yes("GI-3D", "may_buy_half")
    bid = state.bids[action.by]
    if bid is not None and bid.markers:
        return no("GI-2.6", "markers_were_bid", seat=action.by)
    return no("GI-3D", "no_marker_left", seat=action.by)


# What it does


def place(state: State, action: Place, effects: list[Effect]) -> State:
    """The figure and its logs leave the screen for the hex; then the action of the place; then the next seat."""
    assert isinstance(action.by, int)
    seat, at = action.by, state.board.hex_at[action.hex]
    stock = _without(state.stocks[seat], action.figure, action.logs)
    group = (*state.figures[at], (seat, action.figure), *(LOG,) * action.logs)
    state = replace(state, stocks=put(state.stocks, seat, stock), figures=put(state.figures, at, group))
    code = "places_with_logs" if action.logs else "places"
    note = seen if action.action == "reserve" else told
    effects.append(note("GI-3A", code, seat=seat, figure=action.figure, hex=action.hex, logs=action.logs))
    if action.action is not None:
        state = _do_special(state, action, seat, effects)
    return _next_turn(state, seat + 1, effects)


def _without(stock: Stock, figure: str, logs: int) -> Stock:
    if figure == "worker":
        return replace(stock, workers=stock.workers - 1, logs=stock.logs - logs)
    if figure == "sorcerer":
        return replace(stock, sorcerer=0, logs=stock.logs - logs)
    return replace(stock, chief=0)


def _do_special(state: State, action: Place, seat: int, effects: list[Effect]) -> State:
    if action.figure == "chief":
        effects.append(told("GI-3C", "breaks_tablet", seat=seat))
        state = replace(state, tablets=plus(state.tablets, seat, -TABLET), half_tablets=state.half_tablets + TABLET)
    if action.action == "reserve":
        return _reserve(state, str(action.ahu), seat, effects)
    if action.action == "headdress":
        return _headdress(state, seat, effects)
    if action.action == "forest":
        return _forest(state, action.hex, seat, effects)
    return _container(state, str(action.action), seat, effects)


def _container(state: State, special: str, seat: int, effects: list[Effect]) -> State:
    """Village and hut: a worker or marker of one's own from the container, if one is left (GI-3B1, GI-3B2, GI-A8).

    Whether one was left is told to its owner only, since what is in the container may not be counted (GI-3I).
    """
    workers, markers = state.container[seat]
    stock = state.stocks[seat]
    effects.append(told(RULES[special], "reaches_into_container", seat=seat, place=special))
    if not (workers if special == "village" else markers):
        effects.append(private(seat, "GI-A8", "container_has_none", place=special))
        return state
    if special == "village":
        left, stock = (workers - 1, markers), replace(stock, workers=stock.workers + 1)
    else:
        left, stock = (workers, markers - 1), replace(stock, markers=stock.markers + 1)
    effects.append(private(seat, RULES[special], "gets_worker" if special == "village" else "gets_marker"))
    return replace(state, container=put(state.container, seat, left), stocks=put(state.stocks, seat, stock))


def _forest(state: State, hex_id: str, seat: int, effects: list[Effect]) -> State:
    """As many logs as the tile says and the coast has; the tile is turned for good (GI-3B3)."""
    hex_ = state.board.hex(hex_id)
    assert hex_ is not None
    logs = min(hex_.logs, state.logs)
    effects.append(told("GI-3B3", "fells", seat=seat, hex=hex_id, logs=logs))
    stock = state.stocks[seat]
    return replace(
        state,
        logs=state.logs - logs,
        felled=state.felled | {hex_id},
        stocks=put(state.stocks, seat, replace(stock, logs=stock.logs + logs)),
    )


def _reserve(state: State, ahu: str, seat: int, effects: list[Effect]) -> State:
    """A base, colour up, on the ahu (GI-3B4)."""
    effects.append(seen("GI-3B4", "reserves", seat=seat, ahu=ahu))
    stock, at = state.stocks[seat], state.board.ahu_at[ahu]
    return replace(
        state,
        stocks=put(state.stocks, seat, replace(stock, bases=stock.bases - 1)),
        sites=put(state.sites, at, replace(FREE, reserved=seat)),
    )


def _headdress(state: State, seat: int, effects: list[Effect]) -> State:
    """A headdress, before the screen (GI-3B5)."""
    if not state.headdresses:
        effects.append(told("GI-A8", "no_headdress_left", seat=seat))
        return state
    piece = new_piece(state, "headdress", None, seat)
    effects.append(told("GI-3B5", "takes_headdress", seat=seat, piece=piece.id))
    return replace(state, headdresses=state.headdresses - 1, pieces=(*state.pieces, piece))


def rongo(state: State, action: Rongo, effects: list[Effect]) -> State:
    """A marker lies spent before the screen, a half tablet beside it (GI-3D)."""
    assert isinstance(action.by, int)
    seat, got = action.by, min(1, state.half_tablets)
    effects.append(told("GI-3D", "buys_half", seat=seat) if got else told("GI-A8", "no_half_left", seat=seat))
    stock = state.stocks[seat]
    state = replace(
        state,
        stocks=put(state.stocks, seat, replace(stock, markers=stock.markers - 1)),
        spent=plus(state.spent, seat, 1),
        tablets=plus(state.tablets, seat, got),
        half_tablets=state.half_tablets - got,
    )
    return _next_turn(state, seat + 1, effects)


def pass_placing(state: State, action: Pass, effects: list[Effect]) -> State:
    assert isinstance(action.by, int)
    effects.append(told("GI-3E", "passes", seat=action.by))
    return _next_turn(replace(state, out=state.out | {action.by}), action.by + 1, effects)


# What there is to choose from


def legal_placings(state: State, seat: int) -> Iterator[GiantsAction]:
    """Every action of this seat's turn; passing first, then what stands a figure somewhere."""
    stock = state.stocks[seat]
    yield Pass(seat)
    if stock.markers:
        yield Rongo(seat)
    for figure in FIGURES:
        if not stock.figures(figure):
            continue
        for logs in range(most_logs(state, seat, figure) + 1):
            yield from _plain(state.board, seat, figure, logs)
            if may_act(state, seat, figure):
                yield from open_specials(state, seat, figure, logs)


def most_logs(state: State, seat: int, figure: str) -> int:
    """How many logs may go with the figure."""
    return 0 if figure == "chief" else min(state.stocks[seat].logs, MOST_LOGS)


def may_act(state: State, seat: int, figure: str) -> bool:
    """Whether the figure may act where it is put (GI-3B, GI-3C)."""
    return figure == "sorcerer" or (figure == "chief" and state.tablets[seat] >= TABLET)


@lru_cache(maxsize=4096)
def _plain(board: Board, seat: int, figure: str, logs: int) -> tuple[Place, ...]:
    return tuple(Place(seat, figure, hex_.id, logs) for hex_ in board.hexes)


def open_specials(state: State, seat: int, figure: str, logs: int) -> Iterator[Place]:
    """Everything that can be done at places and ahus now."""
    at_places, at_ahus = _specials(state.board, seat, figure, logs)
    for action in at_places:
        if action.hex not in state.felled:
            yield action
    if state.stocks[seat].bases:
        for action, site in zip(at_ahus, state.sites, strict=True):
            if site == FREE:
                yield action


@lru_cache(maxsize=4096)
def _specials(board: Board, seat: int, figure: str, logs: int) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """All actions at places, and all reservations in the order of the ahus."""
    acts = {kind: act for act, kind in PLACES.items()}
    at_places = tuple(Place(seat, figure, h.id, logs, acts[h.kind]) for h in board.hexes if h.kind in acts)
    at_ahus = tuple(Place(seat, figure, ahu.hex, logs, "reserve", ahu.id) for ahu in board.ahus)
    return at_places, at_ahus
