"""What a die's upper face shows: pips and a network are held against each other, and all else is doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import dice
from vision.dice import Face
from vision.figures import PRINT
from vision.hues import colour_name
from vision.scene import Scene
from vision.seen import DIE, DieFaces, Seen, doubted
from vision.sizes import CLEAR, FEW_PIPS
from vision.things import DICE
from vision.values import Value

Single = NDArray[np.float32]
Image = NDArray[np.uint8]

SURE_DIE: Final = 0.9  #: share of all that a die's value must have for it to be acted on with doubtful pips,
SURE_BLIND: Final = 0.95  #: … or with others found,
SURE_ALONE: Final = 0.85  #: … or with none found,
ASKED: Final = 0.35  #: … and that any die must have to be worth a question
HARDLY_DIE: Final = 0.05  #: … of a die with more than FEW_PIPS, of which the network need not think much
MANY_PIPS: Final = 4  #: pips with which the network must be surer (SURE_BLIND) of another value for that to be asked
SAID_BY_ONE: Final = 0.25  #: shares that the two networks must give a value shown by clear pips that do not end
SAID_BY_OTHER: Final = 0.97  #: … as a die's do
SURELY: Final = 0.85  #: share of dice where several pips are seen,
SAID_TOO: Final = 0.4  #: … unless the network gives their value this much, and no other one as much
ALONE: Final = 0.75  #: share a one must have, being the likeliest, as its one pip is confirmed by nothing else
SAID_ELSE: Final = 0.9  #: … and that speaks against it where the other network gives it to another value
HALF_CLEAR: Final = 0.4  #: … and what their value must have where they are not clear
AGREED: Final = 0.6  #: share a value must have that doubtful but clear pips show as well,
BLANK: Final = 0.8  #: … and so does no value where nothing is seen on an even face,
AMONG: Final = 0.98  #: … and one of several that they may show
CORE: Final = 0.38  #: of a die's side: the radius within which its colour is told,
TRUE: Final = 0.92  #: of what a die's outline suggests its side is: the outline is that of its sides, too
NO_COLOUR: Final = "its colour cannot be told"
FACE_MM: Final = 4.0  #: from a die's middle to where its face still hides what it lies on;
HIDES: Final = 0.5  #: … so much of that print must not be seen there: of dice on 18 photos all is hidden, of print 0.05
CUT: Final = "the photo's edge may cut it: show more of the table"
TOO_LOW: Final = "it is seen from too low: hold the camera higher above it"


def paler(face: Face) -> bool:
    """Whether a face has paler pips: several of them, one may be a glint."""
    return face.paler and face.pips > 1


def covering(die: Seen, scene: Scene) -> Seen:
    """The die, in doubt where the board's own print is seen where its face should hide that."""
    hides = die.why or scene.strange(np.array(die.place), FACE_MM) > HIDES
    return die if hides else doubted(die, PRINT)


def shown(face: Face, die: Seen) -> bool:
    """Whether more than two clear pips show what a die is told to."""
    return not die.why and not face.why and face.pips > FEW_PIPS and face.values == (die.value,)


def judged(
    face: Face, value: Value, body: NDArray[np.floating] | None = None, close: Single | None = None
) -> Seen | None:
    """The die whose upper face this is, with the doubts that the network takes away or adds; None for no die.

    `close` are the shares that another network gives it, which knows pieces as well.
    """
    shares, assent = value.shares, close is not None and agreed(face, value, close)
    likely = float(shares.sum()) > SURELY or close is None or float(close[DICE].sum()) > SURELY
    if not assent and float(shares.sum()) < (HARDLY_DIE if face.pips > FEW_PIPS and not face.hint else ASKED):
        return None
    values = face.values or (value.best,)
    shown = max(values, key=lambda v: float(shares[v]))
    own, why = float(shares[shown]), face.why
    surely = float(shares.sum()) > SURELY or (value.best == shown and own > SAID_TOO)
    elsewhere = close is not None and float(np.delete(close[DICE], shown).max()) > SAID_ELSE
    if not why and face.pips == 1 and (value.best != shown or own < ALONE or elsewhere):
        why = "its one pip may be none"
    elif not why and not (likely and (face.pips < 2 or surely)):
        why = "it may be no die"
    elif not why and face.pips > 1 and face.worth < CLEAR and own < HALF_CLEAR:
        why = dice.UNCLEAR
    elif not why and value.best != shown and value.sure > (SURE_DIE if face.pips < MANY_PIPS else SURE_BLIND):
        why = f"may show {value.best}"
    elif why and value.sure > _needed(face, value.best):
        shown, own, why = value.best, value.sure, ""
    elif assent:
        why = ""
    if face.hint and (why or shown not in face.values):
        return None
    body = np.array(face.ground) if body is None else body
    colour = colour_name(body)
    confidence = round(0.9 + 0.09 * max(0.5, own), 3) if not why else round(0.5 * max(face.worth, own), 3)
    if why == f"may show {shown}":
        why = may_show(values, shown)
    part = 0.5 if why else 1.0
    rivals = [(f"{DIE} {v}", round(part * float(shares[v]), 3)) for v in np.argsort(-shares)[:2] if v != shown]
    candidates = sorted([(f"{DIE} {shown}", confidence), *rivals], key=lambda c: -c[1])
    return Seen(DIE, colour, shown, None, face.middle, confidence, tuple(candidates), why)


def agreed(face: Face, value: Value, close: Single) -> bool:
    """Whether clear pips and both networks say the same, though it hardly differs from what it lies on."""
    if face.why != dice.NO_END or len(face.values) != 1 or face.worth < CLEAR:
        return False
    shown = face.values[0]
    return (
        value.best == shown and float(value.shares[shown]) > SAID_BY_ONE and float(close[DICE][shown]) > SAID_BY_OTHER
    )


def _needed(face: Face, value: int) -> float:
    """The share a value must have, all looks agreeing, for a doubtful face to show it."""
    if value not in face.values or face.why in (dice.NO_DIE, dice.MORE):
        return SURE_BLIND if face.values or value == 0 else SURE_ALONE
    if face.worth < CLEAR or face.hint:
        return SURE_DIE
    if face.values == (0,):
        return BLANK
    return AGREED if len(face.values) == 1 else AMONG


def unrivalled(die: Seen, face: Face, faces: Sequence[Face]) -> Seen:
    """A die of which the network alone is sure, in doubt where clear pips of several show something else.

    Where it did not look at pips at all, those that tell several values are enough: one of them may be a glint; but
    not where others are just as many as its value and tell no other.
    """
    clear = [f for f in faces if f.pips >= max(2, face.pips) and f.worth > CLEAR and f.why != dice.MORE]
    other = [f for f in clear if f.values and die.value not in f.values]
    counted = any(f.pips > FEW_PIPS and f.pips == die.value and f.values == (die.value,) for f in faces)
    if not face.pips and not counted:
        other += [f for f in faces if f.pips > 1 and len(f.values) > 1]
    return doubted(die, may_show(other[0].values, die.value)) if other else die


def may_show(values: Sequence[int], shown: int | None) -> str:
    """What else than is shown a die may show."""
    return f"may show {next(value for value in values if value != shown)}"


def possible(die: Seen, die_faces: DieFaces | None) -> Seen:
    """The die, in doubt where none of its colour has a face that shows its value."""
    if die.why or die_faces is None or die.colour is None or die.value in die_faces.get(die.colour, (die.value,)):
        return die
    return doubted(die, f"no {die.colour} die of this game shows {die.value}: look at it again")


def framed(die: Seen, image: Image, face: Face, value: Value, around: float) -> Seen:
    """The die, in doubt where the photo's edge is so near (half faces): what lies beyond is not known to be bare."""
    whole = inside(image, face.middle, around * face.half) and inside(image, value.middle, value.side / 2)
    return die if die.why or whole else doubted(die, CUT)


def inside(image: Image, place: tuple[float, float], reach: float) -> bool:
    """Whether a photo shows all that is so many pixels around a place, to the right and left, above and below."""
    rows, columns = image.shape[:2]
    x, y = place
    return bool(reach <= x + 0.5 <= columns - reach and reach <= y + 0.5 <= rows - reach)


def disc(picture: Image, place: tuple[float, float], reach: float) -> Image:
    """The pixels (n × 3) around a place, so many pixels far."""
    radius = max(2.0, reach)
    x, y = place
    rows, columns = picture.shape[:2]
    gy, gx = np.mgrid[max(0, int(y - radius)) : min(rows, int(y + radius) + 2),
                      max(0, int(x - radius)) : min(columns, int(x + radius) + 2)]  # fmt: skip
    near = np.hypot(gx - x, gy - y) <= radius
    return np.asarray(picture[gy[near], gx[near]], np.uint8)
