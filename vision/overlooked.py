"""Things that the networks see plainly, but of which nothing was told: they are asked about.

Networks know shapes only. Where a known print is hidden, something stands there; on a bare table other things than
pieces may lie.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import solids
from vision.figures import NEAR_MM, seen_at
from vision.scene import Scene
from vision.seen import DIE, Seen, away
from vision.things import BLOCK, DICE, ROD, Thing
from vision.thrown import THROW_MM

Doubles = NDArray[np.float64]
Things = Sequence[tuple[Thing, Doubles]]

PAWN: Final = 0.95  #: share of pawns from which a thing of which nothing is told is asked about,
PLAIN_BLOCK: Final = 0.8  #: … of a block,
ON_PRINT: Final = 0.3  #: … if this share of what is around it is a known print,
PRINT_MM: Final = 8.0  #: … and this near to it something else is seen;
PLAIN_ROD: Final = 0.99  #: … of a rod,
EDGE_MM: Final = 9.0  #: … if no print begins as near as this: a board's edge is as long and as straight
BLOCK_MM: Final = 22.0  #: from such a thing to the foot or the top of a block,
PAWN_MM: Final = 16.0  #: … and to anything else of which it may be a part


def pawns(things: Things, told: Sequence[Seen], scene: Scene, shapes: Collection[int]) -> list[tuple[Thing, Doubles]]:
    """The things that are plainly pawns, of these shapes (numbers of NAMES), on a known print."""
    return [
        (thing, place)
        for thing, place in things
        if sum(float(thing.shares[shape]) for shape in shapes) > PAWN
        and scene.print[scene.box(place, NEAR_MM)].all()
        and all(away(place, figure) > NEAR_MM for figure in told)
    ]


def blocks(things: Things, told: Sequence[Seen], scene: Scene) -> list[tuple[Thing, Doubles]]:
    """The things that are plainly blocks and hide a known print; each but once."""
    plain = []
    for thing, place in _plainest(things, BLOCK, PLAIN_BLOCK):
        printed = scene.print[scene.box(place, NEAR_MM)]
        if printed.size and printed.mean() >= ON_PRINT and scene.covered(place, PRINT_MM):
            plain.append((thing, place))
    return _apart(plain, told, scene, BLOCK_MM)


def rods(things: Things, told: Sequence[Seen], scene: Scene) -> list[tuple[Thing, Doubles]]:
    """The things that are very plainly rods, wherever they lie; each but once. Brown ones are hardly seen on wood."""
    plain = []
    for thing, place in _plainest(things, ROD, PLAIN_ROD):
        printed = scene.print[scene.box(place, EDGE_MM)]
        if printed.size and (printed.all() or not printed.any()):
            plain.append((thing, place))
    return _apart(plain, told, scene, PAWN_MM)


def dice(things: Things, told: Sequence[Seen], scene: Scene) -> list[tuple[Thing, Doubles]]:
    """The things on the bare table that are plainly blocks or dice, beside a die that was read; each but once.

    The empty face of a brown die is hardly seen on brown wood, and any block's top looks like one; but what lies among
    thrown dice was mostly thrown with them.
    """
    read = [figure for figure in told if figure.piece == DIE and not figure.why]
    plain = []
    for thing, place in sorted(things, key=lambda pair: -_dielike(pair[0])):
        near = any(away(place, die) < THROW_MM for die in read)
        if near and _dielike(thing) >= PLAIN_BLOCK and not scene.print[scene.box(place, NEAR_MM)].any():
            plain.append((thing, place))
    return _apart(plain, told, scene, PAWN_MM)


def _dielike(thing: Thing) -> float:
    """The share of all that an empty die may look like."""
    return float(thing.shares[BLOCK] + thing.shares[DICE].sum())


def _plainest(things: Things, shape: int, least: float) -> Iterable[tuple[Thing, Doubles]]:
    """The things with at least this share of a shape, the plainest first."""
    plain = [pair for pair in things if float(pair[0].shares[shape]) >= least]
    return sorted(plain, key=lambda pair: -float(pair[0].shares[shape]))


def _apart(plain: Things, told: Sequence[Seen], scene: Scene, own: float) -> list[tuple[Thing, Doubles]]:
    """Those that are no part of what is told, nor of another of them (nearer than `own` mm)."""
    known = [(at, BLOCK_MM if _is_block(figure) else PAWN_MM) for figure in told for at in _stood(figure, scene.eye)]
    missed: list[tuple[Thing, Doubles]] = []
    for thing, place in plain:
        if all(float(np.hypot(*(place - at))) > reach for at, reach in known):
            missed.append((thing, place))
            known.append((place, own))
    return missed


def _is_block(figure: Seen) -> bool:
    return figure.piece != DIE and solids.SHAPES[figure.piece].block


def _stood(figure: Seen, eye: Doubles) -> list[Doubles]:
    """Where a figure's foot, and a block's top, or a die is seen on the table (mm)."""
    return [np.array(figure.place)] if figure.piece == DIE else seen_at(figure, eye)
