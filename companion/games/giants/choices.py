"""What a seat may choose from in the transport: listed lazily (GI-4.1 to GI-4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from companion.games.game import Data
from companion.games.giants.actions import GiantsAction, Helpers, Mark, Move, Pass, carrier_data
from companion.games.giants.carrying import Way, cheapest_helpers, cheapest_ways, helper_sets, names_of, paths
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


def carry_on(state: State, begun: Move) -> Data:
    """How a movement can go on, to be entered hex by hex; {} where this seat may not touch the piece now.

    path      the hexes entered, as far as they are a way; helpers: who carries onto each, those named where they can
    sets      for each hex of the path who else could
    next      hexes to go on to
    ends      how the turn may end there: [then, ahu]
    reach     all hexes that can be reached from the start: {hex: path}, the way that gives others least
    """
    piece = state.piece(begun.piece)
    assert isinstance(begun.by, int)
    if state.phase != "transport" or piece is None or refused_piece(begun.by, piece) is not None:
        return {}
    board, mover = state.board, Mover(state, begun.by, piece)
    trail, helpers = [mover.start], []
    for hex_id, named in zip(begun.path, begun.helpers, strict=True):
        at = board.hex_at[hex_id]
        possible = helper_sets(state.figures[at], piece.weight)
        if at in trail or at not in board.links[trail[-1]] or not possible:
            break
        cheapest = cheapest_helpers(state.figures[at], piece.weight, begun.by)
        assert cheapest is not None
        trail.append(at)
        helpers.append(named if named in possible else cheapest[1])
    onward = [at for at in board.links[trail[-1]] if at not in trail and helper_sets(state.figures[at], piece.weight)]
    reach = [names_of(board, path) for path, _ in mover.cheapest()]
    return {
        "path": list(names_of(board, tuple(trail[1:]))),
        "helpers": [_carriers(group) for group in helpers],
        "sets": [[_carriers(s) for s in helper_sets(state.figures[at], piece.weight)] for at in trail[1:]],
        "next": list(names_of(board, tuple(onward))),
        "ends": [list(end) for end in mover.ends_on(trail[-1])],
        "reach": {path[-1]: list(path) for path in reach},
    }


def _carriers(helpers: Helpers) -> list[Any]:
    return [carrier_data(carrier) for carrier in helpers]


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
