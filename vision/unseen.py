"""Figures in doubt that neither network sees, where something else is known that may have been taken for them.

What the ground does not explain is explained by taught solids: so are the gap between two pawns, a marker's paper and
the back of a hand. Where the networks see nothing of the kind, and it could not stand there or lies on something far
wider than a piece, nobody need be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from vision import occluders, solids
from vision.figures import SPARE_MM, split
from vision.scene import Scene
from vision.seen import DIE, Seen, away

Place = tuple[float, float]

EDGE_MM: Final = 20.0  #: from a marker or a card to where its edge may look like a part of something
ON_WIDE: Final = 0.5  #: share of a figure's foot from which it lies on something wide
FOOT_MM: Final = 4.0  #: … which is told by so many mm to each side of its middle


def explained(told: Sequence[Seen], unseen: Collection[Place], scene: Scene) -> list[Seen]:
    """Pieces and dice without those in doubt, at `unseen` places (mm), that something else explains."""
    doubtful = [figure for figure in told if figure.why and figure.piece != DIE and figure.place in unseen]
    if not doubtful:
        return list(told)
    sure = [figure for figure in told if not figure.why and figure.piece != DIE]
    wide = occluders.occluding(scene, told)
    explained = [
        figure
        for figure in doubtful
        if any(_in_one_place(figure, other) for other in sure)
        or _beside_hidden(figure, scene)
        or occluders.share(wide, scene, np.array(figure.place), FOOT_MM) > ON_WIDE
    ]
    return [figure for figure in told if not any(figure is other for other in explained)]


def _in_one_place(figure: Seen, other: Seen) -> bool:
    """Whether the feet of two pieces would overlap, whatever of its candidates the one in doubt is."""
    foot = min(solids.SHAPES[split(name)[0]].width for name, _ in figure.candidates if split(name)[0] in solids.SHAPES)
    return away(np.array(other.place), figure) < foot + solids.SHAPES[other.piece].width - SPARE_MM


def _beside_hidden(figure: Seen, scene: Scene) -> bool:
    """Whether it would stand on the bare table beside what nothing is sought on: a marker, or a card."""
    at = np.array(figure.place)
    return not scene.print[scene.box(at, 0)].any() and bool(scene.hidden[scene.box(at, EDGE_MM)].any())
