"""The end of a round: what goes where when the transport is over, markers put on and taken back (GI-4.12 to GI-5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.game import Effect, Ruling
from companion.games.giants.actions import LOG, GiantsAction, Mark, Unmark
from companion.games.giants.scoring import tell_final_scores, winners_of_the_race
from companion.games.giants.state import Piece, State, Stock, no, plus, seen, told, with_markers, with_piece, yes


def end_transport(state: State, effects: list[Effect]) -> State:
    """What was not moved goes to its quarry; then the game is over, or everything is taken back (GI-4.12, GI-E1)."""
    effects.append(told("GI-4.13", "transport_over"))
    left = [piece.id for piece in state.pieces if piece.before is not None]
    if left:
        effects.append(told("GI-4.12", "goes_to_quarry", pieces=left))
    state = replace(
        state, phase="end", turn=None, out=frozenset(), pieces=tuple(_come_to_rest(state, p) for p in state.pieces)
    )
    finished = winners_of_the_race(state)
    if not finished:
        return _take_back(state, effects)
    effects.append(told("GI-E1", "all_bases_built", seats=finished))
    state = replace(state, over=True)
    tell_final_scores(state, effects)
    return state


def _come_to_rest(state: State, piece: Piece) -> Piece:
    """What still stands before a screen goes to its quarry and may be marked; all else is no longer anybody's."""
    if piece.before is None:
        return replace(piece, keeper=None)
    quarry = state.board.hexes[state.board.quarry[piece.kind]].id
    return replace(piece, hex=quarry, before=None, keeper=piece.before)


def _take_back(state: State, effects: list[Effect]) -> State:
    """Figures and markers go behind the screens, all logs leave, the start moves on (GI-5.1, GI-5.3, GI-5.4, GI-A5)."""
    logs = sum(group.count(LOG) for group in state.figures)
    effects.append(told("GI-5.1", "figures_return"))
    if logs:
        effects.append(told("GI-5.3", "logs_leave", logs=logs))
    start = (state.start + 1) % state.players
    effects.append(told("GI-5.4", "new_start", seat=start))
    return replace(
        state,
        start=start,
        spare=tuple(stock.markers for stock in state.stocks),
        stocks=tuple(_refilled(state, seat) for seat in range(state.players)),
        bids=(None,) * state.players,
        spent=(0,) * state.players,
        figures=((),) * len(state.figures),
    )


def _refilled(state: State, seat: int) -> Stock:
    """What a seat has behind the screen after it has taken its things back (GI-5.1)."""
    stock, bid = state.stocks[seat], state.bids[seat]
    assert bid is not None
    on_board = [figure for group in state.figures for owner, figure in group if owner == seat]
    return replace(
        stock,
        workers=stock.workers + bid.workers + on_board.count("worker"),
        sorcerer=1,
        chief=1,
        markers=stock.markers + bid.markers + state.spent[seat],
    )


# Markers at the round's end


def verify_quarry_mark(state: State, action: Mark) -> Ruling:
    """Only what was just put on its quarry may be marked, with a marker that was free then (GI-4.12, GI-A9)."""
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    if piece is None or piece.keeper is None:
        return no("GI-4.12", "not_put_on_quarry")
    if piece.keeper != action.by:
        return no("GI-4.12", "belongs_to_another", owner_seat=piece.keeper)
    if piece.marker is not None:
        return no("GI-4.10", "marked_already")
    if not state.spare[action.by] or not state.stocks[action.by].markers:
        return no("GI-4.12", "no_spare_marker", seat=action.by)
    return yes("GI-4.12", "may_mark")


def quarry_mark(state: State, action: Mark, effects: list[Effect]) -> State:
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    assert piece is not None
    note = seen if piece.kind == "moai" else told
    effects.append(note("GI-4.12", "marks", seat=action.by, piece=piece.id, hex=piece.hex))
    return replace(
        state,
        pieces=with_piece(state, replace(piece, marker=action.by)),
        stocks=with_markers(state, action.by, -1),
        spare=plus(state.spare, action.by, -1),
    )


def verify_unmark(state: State, action: Unmark) -> Ruling:
    """One's own marker may be taken back; the claim goes with it when the dice roll (GI-5.2)."""
    piece = state.piece(action.piece)
    if piece is None or piece.marker is None:
        return no("GI-5.2", "no_marker_on_it")
    if piece.marker != action.by:
        return no("GI-5.2", "marked_by_another", marker_seat=piece.marker)
    return yes("GI-5.2", "may_unmark")


def unmark(state: State, action: Unmark, effects: list[Effect]) -> State:
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    assert piece is not None
    note = seen if piece.kind == "moai" else told
    effects.append(note("GI-5.2", "unmarks", seat=action.by, piece=piece.id))
    return replace(
        state,
        pieces=with_piece(state, replace(piece, marker=None)),
        stocks=with_markers(state, action.by, 1),
    )


def legal_at_end(state: State, seat: int) -> Iterator[GiantsAction]:
    for piece in state.pieces:
        mark, take_back = Mark(seat, piece.id), Unmark(seat, piece.id)
        if verify_quarry_mark(state, mark).legal:
            yield mark
        if verify_unmark(state, take_back).legal:
            yield take_back
