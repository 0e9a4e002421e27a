"""Which actions may have made a table of Giants what it is, and how people are asked which it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.games.game import Action, Note
from companion.games.giants import auction
from companion.games.giants.actions import FIGURES, GiantsAction, Mark, Move, Place
from companion.games.giants.carrying import names_of, points_for
from companion.games.giants.choices import Mover
from companion.games.giants.lying import HEADDRESS, Lying, Spot, spot_of, thing_of
from companion.games.giants.payments import ways_by_payment
from companion.games.giants.placing import legal_placings
from companion.games.giants.state import Piece, State
from companion.games.giants.transport import End, refused_piece
from companion.games.giants.wording import tell
from companion.games.tabletop import Option

MOST_WAYS: Final = 40  #: payments among which people are asked to choose


def explaining(state: State, seat: int, lying: Lying, colours: Sequence[str]) -> Iterator[GiantsAction]:
    """The seat's actions that bring the state nearer to what lies there; what the table does not tell is left open.

    Of movements that end alike there is one for every payment they can make, and of pieces that are alike one moves.
    """
    if state.phase == "carve":
        yield from (action for action in auction.legal_carves(state, seat) if action.size is not None)
    elif state.phase == "place":
        yield from _placings(state, seat, lying, colours[seat])
    elif state.phase == "transport":
        for piece in _unlike(state.pieces):
            spot, thing = spot_of(piece.hex, piece.ahu, piece.before), thing_of(piece.kind, piece.size)
            if refused_piece(seat, piece) is None and lying.lacks(spot, thing):
                mover = Mover(state, seat, piece)
                for target in sorted(lying.seen):
                    if target != spot and target[0] in ("hex", "ahu") and lying.has_more(target, thing):
                        yield from _movements(state, seat, mover, target)


def _placings(state: State, seat: int, lying: Lying, colour: str) -> Iterator[GiantsAction]:
    """Figures put where one more of the seat's may stand. A new headdress before the screen tells who took it."""
    things = [f"{figure}-{colour}" for figure in FIGURES]
    hexes = {name for kind, name in lying.seen if kind == "hex" and _any_more(lying, (kind, name), things)}
    took_headdress = lying.has_more(("front", str(seat)), HEADDRESS)
    for action in legal_placings(state, seat):
        if isinstance(action, Place) and action.hex in hexes and (action.action == HEADDRESS or not took_headdress):
            yield action


def _any_more(lying: Lying, spot: Spot, things: Sequence[str]) -> bool:
    return any(lying.has_more(spot, thing) for thing in things)


def _unlike(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The first of all pieces between which the rules see no difference."""
    yield from {replace(piece, id=""): piece for piece in reversed(pieces)}.values()


def _movements(state: State, seat: int, mover: Mover, target: Spot) -> Iterator[GiantsAction]:
    """The piece brought to the spot: for every payment that can be made on the way, and every end that looks so."""
    board, piece = state.board, mover.piece
    ahu = board.ahu(target[1]) if target[0] == "ahu" else None
    beside = None if ahu is None else ahu.id
    at = board.hex_at[target[1] if ahu is None else ahu.hex]
    ends = [end for end in mover.ends_on(at) if end[1] == beside]
    if at == mover.start:
        yield from (_staying(seat, piece, end) for end in ends)
    elif ends:
        for _, (path, helpers) in ways_by_payment(
            board, state.figures, seat, state.players, piece.weight, mover.start, at, MOST_WAYS
        ):
            for then, _ in ends:
                yield Move(seat, piece.id, names_of(board, path), helpers, then, beside)


def _staying(seat: int, piece: Piece, end: End) -> Move | Mark:
    """What is done without moving; a mark is the shorter way to say it."""
    then, ahu = end
    return Mark(seat, piece.id) if then == "mark" else Move(seat, piece.id, (), (), then, ahu)


# --- asking ----------------------------------------------------------------------------------------------------------


def question(state: State, actions: Sequence[GiantsAction]) -> tuple[Note, tuple[Option, ...]]:
    """What is asked of the seat, and the answers: the likeliest first."""
    moves = [action for action in actions if isinstance(action, Move) and action.path]
    if len(moves) == len(actions) and len({(move.piece, move.path[-1], move.ahu) for move in moves}) == 1:
        return _ask_carried(state, moves)
    places = [action for action in actions if isinstance(action, Place)]
    if len(places) == len(actions) and len({(place.figure, place.hex, place.logs) for place in places}) == 1:
        return _ask_placed(places)
    return Note("ask_which"), tuple(Option(tell(action), action) for action in actions)


def _ask_carried(state: State, moves: Sequence[Move]) -> tuple[Note, tuple[Option, ...]]:
    """Who has carried the piece, what gives others least first; or only whether it was marked there."""
    piece = state.piece(moves[0].piece)
    assert piece is not None
    paid = [_points(state, move, piece) for move in moves]
    facts = {"thing": thing_of(piece.kind, piece.size), "place": moves[0].path[-1]}
    ends = len({move.then for move in moves}) > 1
    if all(points == paid[0] for points in paid):
        told = [Note("answer_marked" if move.then == "mark" else "answer_unmarked") for move in moves]
        return Note("ask_marked", facts), _options(told, moves)
    told = []
    for move, points in zip(moves, paid, strict=True):
        code = "answer_carried" if points else "answer_carried_free"
        code += "_marked" if ends and move.then == "mark" else ""
        told.append(Note(code, {"path": list(move.path), **({"points_seats": points} if points else {})}))
    return Note("ask_carried", facts), _options(told, moves)


def _points(state: State, move: Move, piece: Piece) -> dict[int, int]:
    """What the others get for this movement, by seat."""
    points: dict[int, int] = {}
    for helpers in move.helpers:
        for owner, more in points_for(helpers, int(move.by), piece.weight).items():
            points[owner] = points.get(owner, 0) + more
    return dict(sorted(points.items()))


def _ask_placed(places: Sequence[Place]) -> tuple[Note, tuple[Option, ...]]:
    """What the figure does there. A medicine man is mostly sent for something; a chief pays for it, and few reserve."""

    def rank(place: Place) -> tuple[bool, bool]:
        sent = place.figure == "sorcerer" and place.action not in (None, "reserve")
        return not sent, place.action is not None

    ordered = sorted(places, key=rank)
    told = [
        Note("answer_stands")
        if place.action is None
        else Note("answer_reserves", {"ahu": place.ahu})
        if place.action == "reserve"
        else Note("answer_acts", {"action": place.action})
        for place in ordered
    ]
    return Note("ask_placed", {"figure": places[0].figure, "place": places[0].hex}), _options(told, ordered)


def _options(notes: Sequence[Note], actions: Sequence[Action]) -> tuple[Option, ...]:
    return tuple(Option(note, action) for note, action in zip(notes, actions, strict=True))
