"""Blocks of which the foot and the top are seen apart: what is so high is no die, whatever its top looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import solids
from vision.figures import seen_at
from vision.scene import Scene
from vision.seen import Seen
from vision.things import BLOCK, DICE, Thing

Doubles = NDArray[np.float64]

TOLD: Final = 0.85  #: share of the taught solids' evidence from which a block may be told to be no die
APART_MM: Final = 9.0  #: from its foot to its top, as they are seen: a die leans less, wherever it is on a table
AT_MM: Final = 4.0  #: from each of them to where the networks see it
FOOT: Final = 0.95  #: share of a block that they must give to its foot, which is no face of a die,
TOP: Final = 0.8  #: … and of a block or a die to its top


def stands(figure: Seen, things: Sequence[tuple[Thing, Doubles]], scene: Scene) -> bool:
    """Whether a figure is a block on a known print, of which networks see the foot and, well apart from it, the top.

    A die that lies there has no such foot; and beside others of its throw it lies on the table.
    """
    if figure.why or not solids.SHAPES[figure.piece].block or figure.candidates[0][1] < TOLD:
        return False
    foot, top = seen_at(figure, scene.eye)
    if float(np.hypot(*(top - foot))) < APART_MM or not scene.print[scene.box(foot, 0)].all():
        return False

    def seen(at: Doubles, least: float, *, die: bool) -> bool:
        near = [thing.shares for thing, place in things if float(np.hypot(*(place - at))) < AT_MM]
        return any(float(shares[BLOCK] + die * shares[DICE].sum()) >= least for shares in near)

    return seen(foot, FOOT, die=False) and seen(top, TOP, die=True)
