"""Carrying, erecting, crowning and marking Moais and headdresses (GI-4.1 to GI-4.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.games.game import Effect, Ruling
from companion.games.giants.actions import LOG, Carrier, Helpers, Mark, Move, Pass
from companion.games.giants.carrying import STRENGTH, helper_sets, points_for
from companion.games.giants.round_end import end_transport
from companion.games.giants.state import (
    Piece,
    Site,
    State,
    clockwise,
    no,
    plus,
    put,
    seen,
    told,
    with_markers,
    with_piece,
    yes,
)

End = tuple[str | None, str | None]  #: what follows a movement, and the ahu where it has one


def start_hex(state: State, piece: Piece) -> int:
    """Where a movement begins: where the piece lies, or in the quarry of its sort (GI-4.1)."""
    return state.board.quarry[piece.kind] if piece.hex is None else state.board.hex_at[piece.hex]


# What is allowed


def verify_move(state: State, action: Move) -> Ruling:
    """Piece, path, helpers and end, in this order; an empty path is no movement, and may be all (GI-A6)."""
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    if piece is None:
        return no("GI-4.1", "no_such_piece")
    refused = refused_piece(action.by, piece) or _refused_path(state, piece, action.path)
    if refused is not None:
        return refused
    if len(action.helpers) != len(action.path):
        return no("GI-4.2", "helpers_per_hex", hexes=len(action.path))
    for hex_id, helpers in zip(action.path, action.helpers, strict=True):
        refused = _refused_helpers(state, piece, hex_id, helpers)
        if refused is not None:
            return refused
    at = state.board.hex_at[action.path[-1]] if action.path else start_hex(state, piece)
    refused = refused_end(state, action.by, piece, at, bool(action.path), (action.then, action.ahu))
    return refused or yes(_RULE_OF_END[action.then], "may_move")


_RULE_OF_END = {None: "GI-4.2", "erect": "GI-4.7", "crown": "GI-4.8", "mark": "GI-4.10"}


def verify_mark(state: State, action: Mark) -> Ruling:
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    if piece is None:
        return no("GI-4.10", "no_such_piece")
    refused = refused_piece(action.by, piece) or refused_mark(state, action.by, piece)
    return refused or yes("GI-4.10", "may_mark")


def refused_piece(seat: int, piece: Piece) -> Ruling | None:
    """Why this seat may not touch the piece, or None (GI-4.7, GI-4.8, GI-4.10, GI-4.11)."""
    if piece.ahu is not None:
        return no("GI-4.7" if piece.kind == "moai" else "GI-4.8", "stands_for_good")  # where, would lead to whose it is
    if piece.owner is None or piece.owner == seat:
        return None
    if piece.marker is not None:
        return no("GI-4.10", "marked_by_another", marker_seat=piece.marker)
    return no("GI-4.11", "belongs_to_another", owner_seat=piece.owner)


def _refused_path(state: State, piece: Piece, path: Sequence[str]) -> Ruling | None:
    """Why these hexes are no path for the piece, or None (GI-4.4)."""
    board = state.board
    here = start_hex(state, piece)
    passed = {here}
    for hex_id in path:
        there = board.hex_at.get(hex_id)
        if there is None:
            return no("GI-4.4", "no_such_hex", hex=hex_id)
        if there in passed:
            return no("GI-4.4", "hex_twice", hex=hex_id)
        if there not in board.links[here]:
            return no("GI-4.4", "not_neighbours", hex=board.hexes[here].id, other=hex_id)
        passed.add(there)
        here = there
    return None


def _refused_helpers(state: State, piece: Piece, hex_id: str, helpers: Helpers) -> Ruling | None:
    """Why these cannot carry the piece onto the hex, or None (GI-4.2, GI-4.3, GI-A4)."""
    group = state.figures[state.board.hex_at[hex_id]]
    if tuple(sorted(helpers)) in helper_sets(group, piece.weight):
        return None
    facts = {"hex": hex_id, "needed": piece.weight}
    if any(count > group.count(carrier) for carrier, count in Counter(helpers).items()):
        return no("GI-4.2", "helper_not_there", hex=hex_id)
    if helpers and all(carrier == LOG for carrier in helpers):
        return no("GI-4.3", "logs_alone", hex=hex_id)
    if _strength(helpers) < piece.weight:
        return no("GI-4.2", "too_weak", **facts, strength=_strength(helpers))
    return no("GI-A4", "too_many_helpers", **facts)


def _strength(helpers: Sequence[Carrier]) -> int:
    return sum(STRENGTH[figure] for _, figure in helpers)


def refused_end(state: State, seat: int, piece: Piece, at: int, moved: bool, end: End) -> Ruling | None:
    """Why the turn cannot end so on this hex, or None (GI-4.7, GI-4.8, GI-4.10, GI-4.11)."""
    then, ahu = end
    if then is None:
        if not moved:
            return no("GI-R0", "nothing_moved")
        return no("GI-4.11", "must_claim") if piece.owner is None else None
    if then == "mark":
        return refused_mark(state, seat, piece)
    rule, kind = ("GI-4.7", "moai") if then == "erect" else ("GI-4.8", "headdress")
    if piece.kind != kind:
        return no(rule, "wrong_kind", kind=piece.kind)
    place, site = state.board.ahu(ahu or ""), state.site(ahu or "")
    hex_ = state.board.hexes[at]
    if place is None or site is None:
        return no(rule, "no_such_ahu")
    if place.hex != hex_.id:
        return no("GI-3G", "ahu_elsewhere", ahu=place.id, hex=hex_.id, beside=place.hex)
    if not any(owner == seat for owner, _ in state.figures[at]):  # any figure will do (GI-A3)
        return no(rule, "no_own_figure", seat=seat, hex=hex_.id)
    return _refused_erection(state, seat, place.id, site) if then == "erect" else _refused_crown(place.id, site)


def _refused_erection(state: State, seat: int, ahu: str, site: Site) -> Ruling | None:
    if site.moai is not None:
        return no("GI-4.7", "ahu_occupied", ahu=ahu)
    if site.reserved not in (None, seat):
        return no("GI-4.7", "ahu_reserved", ahu=ahu, holder_seat=site.reserved)
    if site.reserved is None and not state.stocks[seat].bases:
        return no("GI-4.7", "no_base_left", seat=seat)
    return None


def _refused_crown(ahu: str, site: Site) -> Ruling | None:
    if site.moai is None:
        return no("GI-4.8", "no_moai_there", ahu=ahu)
    return no("GI-4.8", "crowned_already", ahu=ahu) if site.headdress is not None else None


def refused_mark(state: State, seat: int, piece: Piece) -> Ruling | None:
    """Why this seat cannot put a marker on the piece, or None (GI-4.10)."""
    if piece.marker is not None:
        return no("GI-4.10", "marked_already")
    return None if state.stocks[seat].markers else no("GI-4.10", "no_marker_left", seat=seat)


# What it does


def move(state: State, action: Move, effects: list[Effect]) -> State:
    """The piece goes along its path, others are paid, and it is erected, crowned, marked or left there."""
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    assert piece is not None
    seat = action.by
    note = seen if piece.kind == "moai" else told  # a Moai's way would tell later whose it is
    if action.path:
        effects.append(note("GI-4.1", "moves", seat=seat, piece=piece.id, path=list(action.path)))
    state = _pay(state, action, piece, seat, effects)
    at = start_hex(state, piece) if not action.path else state.board.hex_at[action.path[-1]]
    piece = replace(piece, hex=state.board.hexes[at].id, before=None, keeper=seat)
    if action.then == "mark":
        state = _mark(state, piece, seat, effects)
    elif action.then == "erect":
        state = _erect(state, piece, str(action.ahu), seat, effects)
    elif action.then == "crown":
        state = _crown(state, piece, str(action.ahu), seat, effects)
    else:
        state = replace(state, pieces=with_piece(state, piece))
    return _next_turn(state, seat, effects)


def _pay(state: State, action: Move, piece: Piece, seat: int, effects: list[Effect]) -> State:
    """Prestige at once for everybody whose figures helped (GI-4.5)."""
    earned: Counter[int] = Counter()
    for helpers in action.helpers:
        earned.update(points_for(helpers, seat, piece.weight))
    prestige = state.prestige
    for owner in sorted(earned):
        effects.append(told("GI-4.5", "earns_for_helping", seat=owner, points=earned[owner]))
        prestige = plus(prestige, owner, earned[owner])
    return replace(state, prestige=prestige) if earned else state


def mark(state: State, action: Mark, effects: list[Effect]) -> State:
    """A marker on the piece where it is; what stood before the screen goes to its quarry (GI-4.10)."""
    assert isinstance(action.by, int)
    piece = state.piece(action.piece)
    assert piece is not None
    there = state.board.hexes[start_hex(state, piece)].id
    state = _mark(state, replace(piece, hex=there, before=None, keeper=action.by), action.by, effects)
    return _next_turn(state, action.by, effects)


def _mark(state: State, piece: Piece, seat: int, effects: list[Effect]) -> State:
    note = seen if piece.kind == "moai" else told
    effects.append(note("GI-4.10", "marks", seat=seat, piece=piece.id, hex=piece.hex))
    pieces = with_piece(state, replace(piece, marker=seat))
    return replace(state, pieces=pieces, stocks=with_markers(state, seat, -1))


def _erect(state: State, piece: Piece, ahu: str, seat: int, effects: list[Effect]) -> State:
    """A base face down, the Moai on it; its marker returns. Whose base it is, is for memory from now on (GI-4.7)."""
    at = state.board.ahu_at[ahu]
    effects.append(seen("GI-4.7", "erects", seat=seat, size=piece.size, piece=piece.id, ahu=ahu))
    reserved = state.sites[at].reserved == seat
    stock = state.stocks[seat]
    state = replace(
        state,
        sites=put(state.sites, at, Site(base=seat, moai=piece.id)),
        stocks=put(state.stocks, seat, replace(stock, bases=stock.bases - (not reserved))),
    )
    if state.immediate:
        points = state.board.ahus[at].moai * piece.weight
        effects.append(seen("GI-V1", "scores_at_once", seat=seat, points=points))
        state = replace(state, prestige=plus(state.prestige, seat, points))
    return _settle(state, piece, ahu, seat, effects)


def _crown(state: State, piece: Piece, ahu: str, seat: int, effects: list[Effect]) -> State:
    """The headdress on the Moai, whosever it is; its marker returns (GI-4.8)."""
    at = state.board.ahu_at[ahu]
    effects.append(told("GI-4.8", "crowns", seat=seat, piece=piece.id, ahu=ahu))
    state = replace(state, sites=put(state.sites, at, replace(state.sites[at], headdress=piece.id)))
    return _settle(state, piece, ahu, seat, effects)


def _settle(state: State, piece: Piece, ahu: str, seat: int, effects: list[Effect]) -> State:
    """The piece stands on the ahu for good; the marker on it goes back behind the screen (GI-4.10)."""
    if piece.marker is not None:
        note = seen if piece.kind == "moai" else told
        effects.append(note("GI-4.10", "marker_returns", seat=seat))
        state = replace(state, stocks=with_markers(state, seat, 1))
    return replace(state, pieces=with_piece(state, replace(piece, hex=None, ahu=ahu, marker=None, keeper=None)))


def pass_transport(state: State, action: Pass, effects: list[Effect]) -> State:
    assert isinstance(action.by, int)
    effects.append(told("GI-4.13", "passes", seat=action.by))
    return _next_turn(replace(state, out=state.out | {action.by}), action.by, effects)


def _next_turn(state: State, seat: int, effects: list[Effect]) -> State:
    """The next seat that has not passed; when all have, the phase ends (GI-R0, GI-4.13)."""
    for other in clockwise(state, seat + 1):
        if other not in state.out:
            return replace(state, turn=other)
    return end_transport(state, effects)
