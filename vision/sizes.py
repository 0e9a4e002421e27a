"""How large dice are, told by those that are plain: what is much smaller or larger beside them is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice import Face
from vision.roundness import misfit
from vision.seen import Seen, doubted
from vision.values import Value

Image = NDArray[np.uint8]

SIDES_MM: Final = (9.0, 26.0)  #: a die's side
FEW_PIPS: Final = 2  #: more pips than these are no chance
CLEAR: Final = 0.85  #: pips worth this much are clear
PLAINLY: Final = 0.85  #: share a value must have for its die to be plain,
PLAINLY_ELSE: Final = 0.97  #: … where its pips are not clear
SURELY_DIE: Final = 0.97  #: share of all values that a thing must have to be a die, whatever it shows
OUTLINES: Final = (0.5, 0.6, 0.7)  #: sides from a die's middle to where its outline may be,
ANGULAR: Final = 0.06  #: … and how far that is from an ellipse, in such radii: balls 0.01 to 0.05,
ROUND: Final = 0.04  #: … and most of them less than this, but no die: 0.05 to 0.16
AS_LARGE: Final = 1.6  #: by how much the dice on a photo without markers may differ in size,
AS_LARGE_MM: Final = 1.4  #: … and those on a table
SAME: Final = 0.6  #: sides within which the middles of two faces are those of one die
CROWDED: Final = 0.8  #: … and within which two dice cannot lie
NOT_AS_LARGE: Final = "no plain die is as large"


def tell_sides(image: Image, looks: Sequence[tuple[Face, Value, Seen]]) -> list[float]:
    """How long (pixels) dice are on a photo without markers, each told by a face, a value and what they come to.

    Plain ones tell it; where there are none, two of about one length that are no balls: sure of their value, or else
    surely dice.
    """
    sides = [value.side for face, value, _ in looks if plain(face, value)]
    sides = sides or alike(
        [v.side for _, v, die in looks if not die.why and v.sure > PLAINLY_ELSE and angular(image, v)]
    )
    return sides or alike([value.side for value in apart([v for _, v, _ in looks]) if angular(image, value)])


def plain(face: Face, value: Value) -> bool:
    """Whether this is a die beyond doubt: clear pips show what the network says, or doubtful ones what it surely says.

    There must be three or more: a ball may have two glints.
    """
    if face.pips <= FEW_PIPS or face.hint or face.values != (value.best,):
        return False
    clear = not face.why and face.worth > CLEAR
    return value.sure > PLAINLY_ELSE or (clear and float(value.shares.max()) > PLAINLY)


def angular(image: Image, value: Value) -> bool:
    """Whether a thing that surely looks like a die, of whatever value, has no round outline as a ball with glints."""
    if float(value.shares.sum()) < SURELY_DIE:
        return False
    return _off_round(image, value) > ANGULAR


def no_ball(die: Seen, image: Image, value: Value) -> Seen:
    """The die, in doubt where it is round and shows no more than glints might: a glass bead does."""
    if die.why or not die.value or die.value > FEW_PIPS or _off_round(image, value) > ROUND:
        return die
    return doubted(die, "it may be a ball with a glint: take beads away")


def _off_round(image: Image, value: Value) -> float:
    """How far (radii) the outline about where a die's may be is from an ellipse."""
    return min(misfit(image, value.middle, reach * value.side) for reach in OUTLINES)


def apart(values: Sequence[Value]) -> list[Value]:
    """The looks at different dice: of several at one, that which is surest of a die."""
    kept: list[Value] = []
    for value in sorted(values, key=lambda v: -float(v.shares.sum())):
        if not any(one(value, other) for other in kept):
            kept.append(value)
    return kept


def alike(sides: Sequence[float]) -> list[float]:
    """Those of some sides that another is about as long as."""
    near = [[max(a, b) < AS_LARGE * min(a, b) for b in sides] for a in sides]
    return [side for side, others in zip(sides, near, strict=True) if sum(others) > 1]


def of_a_size(die: Seen, side: float) -> Seen:
    """The die, in doubt where none is that small or large (mm): print has round spots of any size."""
    if die.why or SIDES_MM[0] < side < SIDES_MM[1]:
        return die
    return doubted(die, "no die is that large" if side >= SIDES_MM[1] else "no die is that small")


def as_large(die: Seen, side: float, sides: Sequence[float], ratio: float) -> Seen:
    """The die, in doubt where none of the plain dice beside it is about as large: a glint on a ball looks so, too."""
    if die.why or any(1 / ratio < side / other < ratio for other in sides):
        return die
    return doubted(die, NOT_AS_LARGE)


def one(value: Value, other: Value) -> bool:
    """Whether two looks are at one die."""
    return float(np.hypot(*np.subtract(value.middle, other.middle))) < SAME * max(value.side, other.side)


def crowded(value: Value, other: Value) -> bool:
    """Whether two looks are nearer to each other than two dice can lie."""
    return float(np.hypot(*np.subtract(value.middle, other.middle))) < CROWDED * min(value.side, other.side)
