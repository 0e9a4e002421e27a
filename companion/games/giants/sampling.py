"""One legal action at random, drawn without listing them all. Any may come, but not all alike often: what brings a game
on is likelier, so that games at random come to an end.
"""

from __future__ import annotations

import random
from typing import Final

from companion.games.giants import auction, peeking, placing, rules
from companion.games.giants.actions import FIGURES, GiantsAction, Mark, Move, Pass, Place, Rongo
from companion.games.giants.carrying import helper_sets
from companion.games.giants.choices import Mover
from companion.games.giants.state import State, to_act
from companion.games.giants.transport import refused_piece, start_hex

# How often, one time in so many
LOOKS: Final = 16  #: under a Moai, where that can be paid
PASSES: Final = 16
BUYS: Final = 8  #: half a tablet
RESERVES: Final = 64  #: where the figure could act otherwise


def sample(state: State, seat: int, rng: random.Random) -> GiantsAction:
    """One legal action of a seat that may act."""
    if state.tablets[seat] and not rng.randrange(LOOKS):
        peeks = list(peeking.legal_peeks(state, seat))
        if peeks:
            return rng.choice(peeks)
    if seat in to_act(state):
        if state.phase == "bid":
            bids = auction.legal_bids(seat, state.stocks[seat])
            return min(rng.choice(bids), rng.choice(bids), key=lambda bid: bid.hands.sculptors)
        if state.phase == "place":
            return _placing(state, seat, rng)
        if state.phase == "transport":
            return _transport(state, seat, rng)
    return rng.choice(list(rules.legal(state, seat)))


def _placing(state: State, seat: int, rng: random.Random) -> GiantsAction:
    stock = state.stocks[seat]
    figures = [figure for figure in FIGURES for _ in range(stock.figures(figure))]
    if stock.markers and not (figures and rng.randrange(BUYS)):
        return Rongo(seat)
    if not figures or not rng.randrange(PASSES):
        return Pass(seat)
    figure = rng.choice(figures)
    logs = rng.randint(0, placing.most_logs(state, seat, figure))
    if placing.may_act(state, seat, figure) and rng.randrange(2):
        reserving = not rng.randrange(RESERVES)
        acts = placing.open_specials(state, seat, figure, logs)
        wanted = [act for act in acts if (act.action == "reserve") is reserving]
        if wanted:
            return rng.choice(wanted)
    return Place(seat, figure, _hex_to_stand_on(state, seat, rng), logs)


def _hex_to_stand_on(state: State, seat: int, rng: random.Random) -> str:
    """Half the time beside a piece of the seat, else anywhere."""
    hexes = range(len(state.board.hexes))
    own = [piece for piece in state.pieces if piece.ahu is None and piece.owner == seat]
    beside = state.board.links[start_hex(state, rng.choice(own))] if own else ()
    return state.board.hexes[rng.choice(beside if beside and rng.randrange(2) else hexes)].id


def _transport(state: State, seat: int, rng: random.Random) -> GiantsAction:
    """Some piece that can be moved or marked; how the turn ends with it is drawn first, then the way."""
    if rng.randrange(PASSES):
        pieces = [piece for piece in state.pieces if refused_piece(seat, piece) is None]
        for piece in rng.sample(pieces, len(pieces)):
            mover = Mover(state, seat, piece)
            if mover.markable and not rng.randrange(4):
                return Mark(seat, piece.id)
            moves = _walk(mover, state, rng) if rng.randrange(2) else mover.straight()
            if moves:
                then = rng.choice(sorted({move.then or "" for move in moves}))
                return rng.choice([move for move in moves if (move.then or "") == then])
    return Pass(seat)


def _walk(mover: Mover, state: State, rng: random.Random) -> list[Move]:
    """All movements along a path walked at random, with helpers at random."""
    path, helpers = [mover.start], []
    while rng.randrange(4):
        there = rng.choice(state.board.links[path[-1]] or (mover.start,))
        sets = helper_sets(state.figures[there], mover.piece.weight)
        if there in path or not sets:
            break
        path.append(there)
        helpers.append(rng.choice(sets))
    return mover.moves((tuple(path[1:]), tuple(helpers)))
