"""Pawns in a crowd, looked at from where taught solids put them: a network that sees one from aside is easily misled.

Where pawns touch, the first look is at a place between them. Solids know the place to a millimetre; who looks from
there, and from a little to every side, and is sure of one shape each time, is not mistaken as to its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import solids
from vision.figures import Standing, split
from vision.seen import Seen
from vision.solids import shape_of
from vision.things import NAMES

Single = NDArray[np.float32]

#: mm from where solids put a pawn to the places from which it is looked at
ASIDE_MM: Final = np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
STEADY: Final = 0.8  #: share that its shape must have in each of these looks; of drawn pawns none else had as much


def around(figure: Standing) -> list[Standing]:
    """The figure where it stands, and as it would stand a little to every side: where it is looked at."""
    return [replace(figure, place=(float(x), float(y))) for x, y in np.array(figure.place) + ASIDE_MM]


def open_shape(figure: Standing) -> bool:
    """Whether a figure is a pawn of which nothing but its shape may be in doubt: all else is as it should be."""
    if not solids.SHAPES[figure.piece].head:
        return False
    feet = {solids.SHAPES[split(name)[0]].foot for name, _ in figure.candidates}
    return not figure.why or (figure.why.startswith("may be") and len(feet) == len(figure.candidates))


def sure(shape: int, looks: Sequence[Single]) -> bool:
    """Whether each of the looks (shares of `vision.things.NAMES`) is sure of this shape."""
    return all(float(shares[shape]) >= STEADY for shares in looks)


def on_mean(shape: int, looks: Sequence[Single], least: float) -> bool:
    """Whether looks give a shape at least this share on the mean: any of them may be from a little aside."""
    return float(np.mean([shares[shape] for shares in looks])) >= least


def steadied(figure: Seen, looks: Sequence[Single]) -> Seen:
    """The pawn, without the doubt about its shape if looks from its own place and all around it are sure of that."""
    if not sure(NAMES.index(shape_of(figure.piece)), looks):
        return figure
    return replace(figure, why="", confidence=0.9 + 0.09 * STEADY)
