"""What a seat may choose from in the transport: listed lazily (GI-4.1 to GI-4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.games.giants.actions import GiantsAction, Helpers, Mark, Move, Pass
from companion.games.giants.carrying import Way, cheapest_ways, helper_sets, names_of, paths
from companion.games.giants.state import Piece, State
from companion.games.giants.transport import End, refused_end, refused_mark, refused_piece, start_hex

STAY: Way = ((), ())


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
        for way in mover.ways():
            if listed.get(way[0]) != way[1]:
                yield from mover.moves(way)


def moves_to(state: State, seat: int, piece: Piece, target: str) -> Iterator[Move]:
    """Every legal movement of this piece that ends on this hex: all paths, all helpers, and all that may follow."""
    if refused_piece(seat, piece) is None:
        mover, at = Mover(state, seat, piece), state.board.hex_at[target]
        for way in [STAY] if at == mover.start else mover.ways(at):
            yield from mover.moves(way)


class Mover:
    """One piece in one seat's hands: where it can go, and how the turn may end there."""

    def __init__(self, state: State, seat: int, piece: Piece) -> None:
        self._state, self._seat, self.piece = state, seat, piece
        self.start = start_hex(state, piece)
        self.markable = refused_mark(state, seat, piece) is None
        self._ends: dict[int, list[End]] = {}
        self._sets: list[tuple[Helpers, ...]] = []
        figures, weight = state.figures, piece.weight
        if any(figures[at] and helper_sets(figures[at], weight) for at in state.board.links[self.start]):
            self._sets = [helper_sets(group, weight) for group in figures]

    def cheapest(self) -> tuple[Way, ...]:
        """The way to every place that gives others least."""
        state = self._state
        if not self._sets:
            return ()
        return cheapest_ways(state.board, state.figures, self._seat, self.start, self.piece.weight)

    def ways(self, target: int | None = None) -> Iterator[Way]:
        """All paths that may end (at `target` where one is named) with all choices of helpers, short ones first."""
        reached = {path[-1] for path, _ in self.cheapest()}
        targets = {at for at in reached if target in (None, at) and self.ends_on(at)}
        if targets:
            for path in paths(self._state.board, self._sets, self.start, None if targets == reached else targets):
                for helpers in product(*[self._sets[at] for at in path]):
                    yield path, helpers

    def moves(self, way: Way) -> list[Move]:
        """All movements along this way."""
        path, helpers = way
        names, seat, piece = names_of(self._state.board, path), self._seat, self.piece.id
        ends = self.ends_on(path[-1] if path else self.start)
        return [Move(seat, piece, names, helpers, then, ahu) for then, ahu in ends]

    def straight(self) -> list[Move]:
        """All movements that stay, or go the cheapest way to a place."""
        return [move for way in (STAY, *self.cheapest()) for move in self.moves(way)]

    def ends_on(self, at: int) -> list[End]:
        """What may follow on this hex."""
        if at not in self._ends:
            then = "erect" if self.piece.kind == "moai" else "crown"
            board, moved = self._state.board, at != self.start
            ends: list[End] = [(None, None), *((then, board.ahus[i].id) for i in board.ahus_of[at])]
            ends += [("mark", None)] if self.markable else []
            self._ends[at] = [
                end for end in ends if refused_end(self._state, self._seat, self.piece, at, moved, end) is None
            ]
        return self._ends[at]
