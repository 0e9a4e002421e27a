"""What a seat may choose from in the transport: listed lazily (GI-4.1 to GI-4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.games.giants.actions import GiantsAction, Helpers, Mark, Move, Pass
from companion.games.giants.carrying import Way, cheapest_ways, helper_sets, names_of, paths
from companion.games.giants.state import Piece, State
from companion.games.giants.transport import End, refused_end, refused_mark, refused_piece, start_hex

STAY: Way = ((), ())
Choice = tuple[Helpers, ...]  #: who helps on each hex of a path


def legal_transports(state: State, seat: int) -> Iterator[GiantsAction]:
    """Every action of this seat's turn: passing, marking, then the cheapest way of each piece to each place, then
    all other ways, short ones first. Lazy, for on a crowded island the ways are more than anybody can list."""
    yield Pass(seat)
    movers = [Mover(state, seat, piece) for piece in state.pieces if refused_piece(seat, piece) is None]
    for mover in movers:
        if mover.markable:
            yield Mark(seat, mover.piece.id)
    for mover in movers:
        yield from mover.straight()
    for mover in movers:
        listed = dict(mover.cheapest())
        for path in mover.paths():
            cheapest = listed.get(path)
            for helpers in mover.choices_of_helpers(path):
                if helpers != cheapest:
                    yield from mover.moves(path, helpers)


def moves_to(state: State, seat: int, piece: Piece, target: str) -> Iterator[Move]:
    """Every legal movement of this piece that ends on this hex: all paths, all helpers, and all that may follow."""
    if refused_piece(seat, piece) is not None:
        return
    mover, at = Mover(state, seat, piece), state.board.hex_at[target]
    if at == mover.start:
        yield from mover.moves(*STAY)
        return
    for path in mover.paths(at):
        for helpers in mover.choices_of_helpers(path):
            yield from mover.moves(path, helpers)


class Mover:
    """One piece in one seat's hands: where it can go, and how the turn may end there."""

    def __init__(self, state: State, seat: int, piece: Piece) -> None:
        self._state, self._seat, self.piece = state, seat, piece
        self.start = start_hex(state, piece)
        self.markable = refused_mark(state, seat, piece) is None
        self._known: dict[int, list[End]] = {}

    def cheapest(self) -> tuple[Way, ...]:
        state = self._state
        return cheapest_ways(state.board, state.figures, self._seat, self.start, self.piece.weight)

    def paths(self, target: int | None = None) -> Iterator[tuple[int, ...]]:
        return paths(self._state.board, self._state.figures, self.start, self.piece.weight, target)

    def choices_of_helpers(self, path: tuple[int, ...]) -> Iterator[Choice]:
        return product(*(helper_sets(self._state.figures[at], self.piece.weight) for at in path))

    def moves(self, path: tuple[int, ...], helpers: Choice) -> Iterator[Move]:
        """All movements along this path with these helpers."""
        names = names_of(self._state.board, path)
        for then, ahu in self._ends(path[-1] if path else self.start):
            yield Move(self._seat, self.piece.id, names, helpers, then, ahu)

    def straight(self) -> list[Move]:
        """All movements that stay, or go the cheapest way to a place."""
        return [move for way in (STAY, *self.cheapest()) for move in self.moves(*way)]

    def _ends(self, at: int) -> list[End]:
        """What may follow on this hex."""
        if at not in self._known:
            then = "erect" if self.piece.kind == "moai" else "crown"
            ahus = self._state.board.ahus
            ends: list[End] = [
                (None, None),
                ("mark", None),
                *((then, ahus[i].id) for i in self._state.board.ahus_of[at]),
            ]
            moved = at != self.start
            self._known[at] = [
                end for end in ends if refused_end(self._state, self._seat, self.piece, at, moved, end) is None
            ]
        return self._known[at]
