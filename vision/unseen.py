"""Figures in doubt that no network sees, and even tops that may be dice, where something else is known to be there.

What the ground does not explain is explained by taught solids: so are the gap between two pawns, a marker's paper and
the back of a hand. Where the networks see nothing of the kind, and it could not stand there or lies on something far
wider than a piece, nobody need be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from vision import occluders, solids
from vision.dice import NO_PIPS
from vision.figures import SPARE_MM, split
from vision.scene import Scene
from vision.seen import DIE, Seen, away
from vision.thrown import THROW_MM

Place = tuple[float, float]

EDGE_MM: Final = 20.0  #: from a marker or a card to where its edge may look like a part of something
ON_WIDE: Final = 0.9  #: share of what is around its middle from which it lies on something wide, not beside that,
FOOT_MM: Final = 8.0  #: … so many mm to each side, as far as a foot reaches


def explained(told: Sequence[Seen], unseen: Collection[Place], scene: Scene) -> list[Seen]:
    """Pieces and dice without those in doubt that something else explains: figures at `unseen` places (mm).

    And dice on which no pips are seen, and far from any that was read: anything even looks so.
    """
    sure, dice = ([f for f in told if not f.why and (f.piece == DIE) is die] for die in (False, True))
    wide = occluders.occluding(scene, told)

    def elsewise(figure: Seen) -> bool:
        on_wide = occluders.share(wide, scene, np.array(figure.place), FOOT_MM) > ON_WIDE
        if figure.piece == DIE:
            return on_wide and figure.why == NO_PIPS and all(_apart(figure, die) > THROW_MM for die in dice)
        if figure.place not in unseen:
            return False
        return on_wide or _beside_hidden(figure, scene) or any(_in_one_place(figure, other) for other in sure)

    return [figure for figure in told if not figure.why or not elsewise(figure)]


def _apart(one: Seen, other: Seen) -> float:
    return away(np.array(one.place), other)


def _in_one_place(figure: Seen, other: Seen) -> bool:
    """Whether the feet of two pieces would overlap, whatever of its candidates the one in doubt is."""
    foot = min(solids.SHAPES[split(name)[0]].width for name, _ in figure.candidates if split(name)[0] in solids.SHAPES)
    return _apart(figure, other) < foot + solids.SHAPES[other.piece].width - SPARE_MM


def _beside_hidden(figure: Seen, scene: Scene) -> bool:
    """Whether it would stand on the bare table beside what nothing is sought on: a marker, or a card."""
    at = np.array(figure.place)
    return not scene.print[scene.box(at, 0)].any() and bool(scene.hidden[scene.box(at, EDGE_MM)].any())
