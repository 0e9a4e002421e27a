"""Dice, on a table whose scale is known and on any photo: pips and a network tell what each shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import blanks, dice, pips
from vision.blanks import Pipped
from vision.dice import Face
from vision.hues import colour_name, maybe, told
from vision.opinions import Opinions, enough
from vision.photo import Photo
from vision.seen import DIE, Seen, doubted
from vision.sizes import (
    AS_LARGE,
    AS_LARGE_MM,
    CLEAR,
    CROWDED,
    FEW_PIPS,
    NOT_AS_LARGE,
    SAME,
    SIDES_MM,
    SURELY_DIE,
    as_large,
    crowded,
    of_a_size,
    one,
    plain,
    tell_sides,
)
from vision.things import BLOCK, DICE, SCALE, Eyes, Thing
from vision.values import Value, Values

Doubles = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

SURE_DIE: Final = 0.9  #: share of all that a die's value must have for it to be acted on with doubtful pips,
SURE_BLIND: Final = 0.95  #: … or with others found,
SURE_ALONE: Final = 0.85  #: … or with none found,
ASKED: Final = 0.35  #: … and that any die must have to be worth a question
CORE: Final = 0.38  #: of a die's side: the radius within which its colour is told,
FACED: Final = 0.15  #: share of dice that a thing must have to be looked at as one,
AROUND_MM: Final = 28.0  #: … and how far around it pips are looked for
TRUE: Final = 0.92  #: of what a die's outline suggests its side is: the outline is that of its sides, too
LONGEST: Final = 1280  #: pixels; larger photos without markers are reduced
HARDLY_DIE: Final = 0.05  #: … of a die with more than FEW_PIPS, of which the network need not think much
MANY_PIPS: Final = 4  #: pips with which the network must be surer (SURE_BLIND) of another value for that to be asked
SAID_BY_ONE: Final = 0.25  #: shares that the two networks must give a value shown by clear pips that do not end
SAID_BY_OTHER: Final = 0.97  #: … as a die's do
SURELY: Final = 0.85  #: share of dice where several pips are seen,
SAID_TOO: Final = 0.4  #: … unless the network gives their value this much, and no other one as much
RATHER: Final = 0.5  #: share of one value for a place without pips on such a photo to be asked about, if it may be none
ALONE: Final = 0.75  #: share a one must have, being the likeliest, as its one pip is confirmed by nothing else
SAID_ELSE: Final = 0.9  #: … and that speaks against it where the other network gives it to another value
HALF_CLEAR: Final = 0.4  #: … and what their value must have where they are not clear
AGREED: Final = 0.6  #: share a value must have that doubtful but clear pips show as well,
BLANK: Final = 0.8  #: … and so does no value where nothing is seen on an even face,
AMONG: Final = 0.98  #: … and one of several that they may show
WHOLE: Final = 1.25  #: of half a face: so much around its middle must be on the photo,
WHOLE_DIE: Final = 2.2  #: … and so much on a table: of a die whose upper face is cut a side may be seen
LOWEST: Final = 38.0  #: degrees from straight above from which on dice are told no more
OFF: Final = 0.3  #: sides from where a die is seen to the middle of its pips, at most,
ELSEWHERE: Final = 0.6  #: … and from where on a single pip is of another die
THROW_MM: Final = 60.0  #: from a die to the next that was thrown with it
HARDLY_PIPS: Final = 0.65  #: share of all values but 0 up to which a face may be empty, if dice beside it tell so,
LIKELIER: Final = 1.5  #: … or where 0 is so many times as likely as each of them, as it is where none is seen,
EMPTY: Final = 0.95  #: … and how sure it is then
CENTRAL: Final = 0.32  #: of a side: the radius within which an empty face must be even:
EVEN: Final = 5.0  #: Lab units by which all but the worst pixels of an empty face are off its colour, at most
WORST: Final = 0.98
MOST: Final = 60  #: hints on one photo that are looked at, the likeliest ones
AFAR: Final = 0.2  #: share of dice from which a place is looked at on a photo without markers,
LARGEST: Final = 0.7  #: … reduced like this at first,
STEP: Final = 0.7  #: … and from one size to the next,
SMALL: Final = 60  #: … down to so many pixels of its longer side;
MOST_AFAR: Final = 150  #: … the likeliest ones
UNLIT: Final = np.ones(3)
NO_COLOUR: Final = "its colour cannot be told"
DENIED: Final = 0.5  #: share up to which two networks deny, at a second look, what was told
CUT: Final = "the photo's edge may cut it: show more of the table"
LASTING: Final = (CUT, NO_COLOUR, NOT_AS_LARGE)  #: doubts that no other look at a die takes away


@dataclass(frozen=True, slots=True)
class _Look:
    """A die on a table as it was looked at: its face, its value, and how long its side is there.

    `away` is how many sides the face's middle is from where the die was seen, `close` the share that its value has to
    those who see pieces as well.
    """

    die: Seen
    face: Face
    value: Value
    side_mm: float
    away: float
    close: float = 0.0


class Dice:
    """Reads dice, of any colours or only of these."""

    def __init__(self, eyes: Eyes, colours: Sequence[str] | None = None) -> None:
        self._eyes = eyes
        self._values = Values()
        self._opinions = Opinions(self._values)
        self._colours = colours

    def on_table(
        self,
        photo: Photo,
        things: Sequence[tuple[Thing, Doubles]],
        others: Sequence[tuple[Thing, Doubles]] = (),
    ) -> list[Seen]:
        """The dice among things, sure and doubtful.

        The `others` are plainly something else; those that look like empty dice as well are doubtful.
        """
        looks: list[_Look] = []
        seen_at: list[tuple[tuple[float, float], Callable[[], Value]]] = []
        for thing, place in things:
            if thing.shares[DICE].sum() < FACED and thing.shares[BLOCK] < FACED:
                continue
            px, side = photo.plane.to_px(place)[0], thing.size / SCALE * photo.plane.scale(_pair(place))
            if not _inside(photo.image, _pair(px), 0):
                continue
            faces = cache(partial(_faces, photo, place, px))
            value = cache(partial(self._best_told, photo.image, _pair(px), side, faces))
            seen_at.append((_pair(px), value))
            if thing.shares[DICE].sum() > FACED:
                # what is brighter than the markers' paper keeps its hue: the gain is not cut off at white
                body = np.median(_disc(photo.image, _pair(px), CORE * side), axis=0) * photo.gain
                looks += self._looked(photo, thing, place, value(), body, faces())
        looks = _uncrowded(looks)
        sides = [look.side_mm for look in looks if plain(look.face, look.value)]
        dice = once(
            [
                as_large(of_a_size(look.die, look.side_mm), look.side_mm, sides or [look.side_mm], AS_LARGE_MM)
                for look in looks
            ]
        )
        seen = {look.die.place: look.value for look in looks}
        close = {look.die.place: look.close for look in looks}

        def shown(die: Seen) -> Pipped:
            return Pipped.of(photo.image, seen[die.place].middle, seen[die.place].side)

        def even(die: Seen, thrown: Sequence[Seen]) -> bool:
            value = seen[die.place]
            return (
                value.best == 0
                and value.sure > SURE_DIE
                and close[die.place] > SURE_ALONE
                and blanks.as_even(photo.image, value.middle, value.side, [shown(other) for other in thrown])
            )

        told = [of_a_throw(die, dice, lambda die: shown(die).colour, even) for die in dice]
        pipped = [die for die in told if die.value and not die.why]
        # an empty face is a die's only beside others: elsewhere nobody need look
        beside = [(px, value) for px, value in seen_at if any(_thrown_with(photo, die, px) for die in pipped)]
        told = with_empty(photo, told, seen, [px for px, value in beside if maybe_empty(value())])
        faced = [t for t in others if t[0].shares[BLOCK] > FACED or t[0].shares[DICE].sum() > FACED]
        blocks = [_pair(photo.plane.to_px(place)[0]) for _, place in faced]
        both = [d for d in with_empty(photo, told, seen, blocks) if all(d is not die for die in told)]
        return told + [doubted(die, "may be a block") for die in both]

    def _best_told(
        self, image: Image, px: tuple[float, float], side: float, faces: Callable[[], Sequence[Face]]
    ) -> Value:
        """What is told of a die at a place; from where its pips are, where it is not plain that one is at the place."""
        told = [self._values.tell(image, px, side)]
        if float(told[0].shares.sum()) < SURELY:
            pipped = [face for face in faces() if face.pips >= FEW_PIPS and not face.hint]
            told += [self._values.tell(image, face.middle, 2 * TRUE * face.half) for face in pipped]
        return max(told, key=lambda value: float(value.shares.sum()))

    def _looked(
        self, photo: Photo, thing: Thing, place: Doubles, value: Value, body: NDArray[np.floating], faces: list[Face]
    ) -> Iterator[_Look]:
        """What a thing at a place (mm) may be as a die whose upper face is of this colour, `body` (B, G, R)."""
        px = photo.plane.to_px(place)[0]
        surely = value.best > 0 and value.sure > SURE_ALONE
        bare = [_blank(photo.image, px, value)] if surely or _rather_die(thing) else []
        for face in faces if any(not f.hint for f in faces) else faces + bare:
            die = judged(face, value, body, thing.shares)
            away = float(np.hypot(*(np.array(face.middle) - px))) / value.side
            die = None if die is None else in_place(die, face, away)
            if die is None:
                continue
            colour = told(body, photo.gain, self._colours, _paler(face))
            if colour is not None:
                die = replace(die, colour=colour)
            elif not die.why:
                die = doubted(die, NO_COLOUR)
            die = from_above(framed(die, photo.image, face, value, WHOLE_DIE), photo, place)
            if not die.why or die.confidence > ASKED:
                placed = _placed(die, photo, np.array(face.middle), thing.size / SCALE)
                side_mm, close = value.side / photo.plane.scale(_pair(place)), float(thing.shares[DICE][die.value or 0])
                yield _Look(placed, face, value, side_mm, away, close)

    def anywhere(self, image_bgr: Image) -> list[Seen]:
        """The dice on a photo without markers, of whatever size.

        Those whose colour cannot be told have none, and are in doubt where it may be one of the game's box.
        """
        factor = min(1.0, LONGEST / max(image_bgr.shape))
        image = _scaled(image_bgr, factor) if factor < 1 else image_bgr
        looks = []
        faces = dice.look(image)
        hints = sorted((f for f in faces if f.hint and f.pips > 1), key=lambda f: -f.worth)[:MOST]
        for face in [f for f in faces if not f.hint] + hints + self._from_afar(image):
            value = self._values.tell(image, face.middle, 2 * TRUE * face.half)
            asked = face.pips > 0 or value.shares.max() > RATHER or value.shares.sum() > SURELY_DIE
            die = judged(face, value) if asked else None
            if die is not None:
                looks.append((face, value, framed(self._coloured(die, face), image, face, value, WHOLE)))
        sides = tell_sides(image, looks)
        looks = [(face, value, as_large(die, value.side, sides, AS_LARGE)) for face, value, die in looks]
        looks.sort(key=lambda look: (bool(look[2].why), look[0].hint, bool(look[0].why), -look[2].confidence))
        found: list[tuple[Value, Seen]] = []
        for face, value, die in looks:
            at = next((i for i, other in enumerate(found) if one(value, other[0])), None)
            if at is None:
                rivals = [f for f, other, _ in looks if f is not face and one(value, other)]
                found.append((value, die if die.why or not face.why else unrivalled(die, face, rivals)))
            elif not die.why and not found[at][1].why and die.value != found[at][1].value:
                found[at] = found[at][0], doubted(found[at][1], f"may show {die.value}")
        sure = [value for value, die in found if not die.why]
        for i, (value, die) in enumerate(found):
            beside = [other for other in sure if other is not value]
            found[i] = value, self._again(image, die, [(f, v) for f, v, _ in looks if one(value, v)], sides, beside)
            sure += [value] if die.why and not found[i][1].why else []
        return [replace(die, centre_px=_enlarged(die.centre_px, factor)) for _, die in found]

    def _again(
        self,
        image: Image,
        die: Seen,
        looks: Sequence[tuple[Face, Value]],
        sides: Sequence[float],
        beside: Sequence[Value],
    ) -> Seen:
        """A die as two networks tell it at a second look, if they leave no doubt where there was one, or raise one.

        It is asked for unless pips show plainly what is told; `looks` are those at it, `beside` those at sure others.
        """
        face, value = max(looks, key=lambda look: float(look[1].shares.sum()))
        if die.why in LASTING or any(shown(face, die) for face, _ in looks) or float(value.shares.sum()) < SURELY:
            return die
        opinions, faces = self._opinions.said(image, value), [face for face, _ in looks]
        if not die.why:
            return die if float(next(opinions).shares[die.value]) > DENIED else doubted(die, "two looks differ")
        said = next((said for said in opinions if enough(said, faces)), None)
        if said is None or any(crowded(value, other) for other in beside):
            return die
        confidence = round(0.9 + 0.09 * float(said.shares.max()), 3)
        again = replace(
            die, value=said.best, centre_px=said.middle, confidence=confidence,
            candidates=((f"{DIE} {said.best}", confidence),), why="",
        )  # fmt: skip
        again = framed(self._coloured(again, face), image, face, said, WHOLE)
        return as_large(again, said.side, sides, AS_LARGE)

    def _coloured(self, die: Seen, face: Face) -> Seen:
        """The die with the colour of its face, in doubt where it may be one of the game's box but cannot be told."""
        ground = np.array(face.ground)
        die = replace(die, colour=told(ground, UNLIT, self._colours, _paler(face)))
        if not die.why and die.colour is None and self._colours and maybe(ground, self._colours):
            return doubted(die, NO_COLOUR)
        return die

    def _from_afar(self, image: Image) -> list[Face]:
        """Places on a photo that look like a die's to one who does not look for pips."""
        found: list[tuple[float, Face]] = []
        factor = LARGEST
        while max(image.shape) * factor > SMALL and min(image.shape[:2]) * factor > 1:
            small = _scaled(image, factor)
            for thing in self._eyes.places(small):
                share, half = float(thing.shares[DICE].sum()), thing.size / factor / 2
                if share > AFAR:
                    middle = _enlarged(thing.place, factor)
                    colour = np.median(_disc(image, middle, CORE * 2 * half), axis=0)
                    ground = (float(colour[0]), float(colour[1]), float(colour[2]))
                    found.append((share, Face((), middle, half / TRUE, 0, 0.0, ground, dice.NO_PIPS)))
            factor *= STEP
        kept: list[Face] = []
        for _, face in sorted(found, key=lambda f: -f[0])[:MOST_AFAR]:
            apart = [float(np.hypot(*np.subtract(face.middle, f.middle))) / min(face.half, f.half) for f in kept]
            if min(apart, default=np.inf) > 1:
                kept.append(face)
        return kept


def _paler(face: Face) -> bool:
    """Whether a face has paler pips: several of them, one may be a glint."""
    return face.paler and face.pips > 1


def shown(face: Face, die: Seen) -> bool:
    """Whether more than two clear pips show what a die is told to."""
    return not die.why and not face.why and face.pips > FEW_PIPS and face.values == (die.value,)


def framed(die: Seen, image: Image, face: Face, value: Value, around: float) -> Seen:
    """The die, in doubt where the photo's edge is so near (half faces): what lies beyond is not known to be bare."""
    whole = _inside(image, face.middle, around * face.half) and _inside(image, value.middle, value.side / 2)
    return die if die.why or whole else doubted(die, CUT)


def from_above(die: Seen, photo: Photo, place: Doubles) -> Seen:
    """The die at a place (mm), in doubt where it is seen from so low that one of its sides looks like its top."""
    x, y, height = photo.plane.eye()
    low = np.degrees(np.arctan2(np.hypot(*(place - (x, y))), height))
    return die if die.why or low < LOWEST else doubted(die, "it is seen from too low: hold the camera higher above it")


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
        why = "its pips are not clear"
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
        why = _may_show(values, shown)
    part = 0.5 if why else 1.0
    rivals = [(f"{DIE} {v}", round(part * float(shares[v]), 3)) for v in np.argsort(-shares)[:2] if v != shown]
    candidates = sorted([(f"{DIE} {shown}", confidence), *rivals], key=lambda c: -c[1])
    return Seen(DIE, colour, shown, None, face.middle, confidence, tuple(candidates), why)


def in_place(die: Seen, face: Face, away: float) -> Seen | None:
    """The die, in doubt where its pips' middle is too many sides `away` from where it is seen.

    They may be a neighbour's in part, unless they are as many as it shows; a single pip far off is another die's, and
    so are several that only look like a face's.
    """
    if away > ELSEWHERE and (face.pips < FEW_PIPS or face.hint):
        return None
    if die.why or away <= OFF or (face.pips >= FEW_PIPS and face.pips == die.value):
        return die
    return doubted(die, "its pips are not in the middle")


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


def _faces(photo: Photo, place: Doubles, px: Doubles) -> list[Face]:
    """The faces with pips that are, or may be, seen at a place (mm, and pixels) of a photo with markers."""
    scale = photo.plane.scale(_pair(place))
    low = np.maximum(0, np.floor(px - AROUND_MM * scale)).astype(int)
    high = np.ceil(px + AROUND_MM * scale).astype(int)
    cut = photo.image[low[1] : high[1], low[0] : high[0]]
    found = []
    for face in dice.look(cut, SIDES_MM[0] * scale, SIDES_MM[1] * scale) if cut.size else ():
        if face.hint and face.why != dice.NO_END:
            continue
        middle = np.array(face.middle) + low
        if np.hypot(*(middle - px)) < face.half:
            found.append(replace(face, middle=_pair(middle)))
    return found


def once(dice: Sequence[Seen]) -> list[Seen]:
    """Each die once, though it was seen at two places nearer to each other than any two dice can be."""
    kept: list[Seen] = []
    for die in sorted(dice, key=lambda d: (bool(d.why), -d.confidence)):
        at = next((i for i, other in enumerate(kept) if _apart_mm(die, other) < SIDES_MM[0] * SAME), None)
        if at is None:
            kept.append(die)
        elif not die.why and die.value != kept[at].value:
            kept[at] = doubted(kept[at], f"may show {die.value}")
    return kept


def _uncrowded(looks: Sequence[_Look]) -> list[_Look]:
    """The looks, in doubt where no die can be beside one whose face is nearer to where it was seen.

    The pips of two dice that touch may lie like those of a third between them.
    """
    kept: list[_Look] = []
    for look in sorted(looks, key=lambda look: look.away):
        beside = [
            other
            for other in kept
            if SIDES_MM[0] * SAME <= _apart_mm(look.die, other.die) < CROWDED * min(look.side_mm, other.side_mm)
        ]
        if not look.die.why and any(not other.die.why for other in beside):
            look = replace(look, die=doubted(look.die, "its pips may be those of others"))
        kept.append(look)
    return kept


def _apart_mm(one: Seen, other: Seen) -> float:
    if one.place is None or other.place is None:
        return float("inf")
    return float(np.hypot(*np.subtract(one.place, other.place)))


def of_a_throw(
    die: Seen,
    dice: Sequence[Seen],
    colour: Callable[[Seen], Single],
    even: Callable[[Seen, Sequence[Seen]], bool] = lambda *_: False,
) -> Seen:
    """An empty face is a die's beside another of its make that has pips; in doubt elsewhere: any block looks so.

    `colour` tells what colour (Lab) a die's face has on the photo. Beside dice of another make only what is plainly as
    large as they are, and `even`, is one.
    """
    if die.why or die.value:
        return die
    pipped = [d for d in dice if d.value and not d.why and _apart_mm(die, d) < THROW_MM]
    same = [d for d in pipped if d.colour == die.colour]
    if any(blanks.one_make(colour(die), colour(other)) for other in same):
        return die
    if pipped and not same and even(die, pipped):
        return die
    return doubted(die, "no die is beside it")


def with_empty(
    photo: Photo,
    dice: Sequence[Seen],
    seen: Mapping[tuple[float, float] | None, Value],
    places: Sequence[tuple[float, float]],
) -> list[Seen]:
    """The dice, and the empty faces at `places` (pixels) that those beside them tell.

    `seen` are the looks at dice, by place. What was only taken for a die at such a place is one now.
    """
    read = [(die, seen[die.place]) for die in dice if die.value and not die.why]
    pipped = [(die, Pipped.of(photo.image, value.middle, value.side)) for die, value in read]
    found: list[Seen] = []
    for px in places:
        near = [(die, face) for die, face in pipped if _thrown_with(photo, die, px)]
        sides = [side for _, face in near if face.top is not None for side in face.top.sides]
        if not sides:
            continue
        for colour in dict.fromkeys(die.colour for die, _ in near):
            same = [face for die, face in near if die.colour == colour]
            top = blanks.empty_top(photo.image, px, float(np.mean(sides)), same, [face for _, face in near])
            if top is not None:
                die = Seen(DIE, colour, 0, None, top.middle, EMPTY, ((f"{DIE} 0", EMPTY),), "")
                if not _inside(photo.image, top.middle, max(top.sides) / 2):
                    die = doubted(die, CUT)
                height = max(top.sides) / photo.plane.scale(_pair(photo.plane.to_mm(np.array(px))[0]))
                found.append(_placed(die, photo, np.array(top.middle), height))
    sure = [die for die in dice if not die.why]
    found = [die for die in once(found) if all(_apart_mm(die, other) > SIDES_MM[0] for other in sure)]
    return [d for d in dice if not d.why or all(_apart_mm(d, other) > SIDES_MM[0] for other in found)] + found


def _thrown_with(photo: Photo, die: Seen, px: tuple[float, float]) -> bool:
    """Whether what is seen at a pixel is so near to a die that both may be of one throw."""
    away = photo.plane.to_mm(np.array(px))[0] - np.array(die.place)
    return float(np.hypot(*away)) < THROW_MM


def maybe_empty(value: Value) -> bool:
    """Whether a face may be empty: hardly any pips are seen on it, or no telling which."""
    pipped = value.shares[1:]
    return float(pipped.sum()) < HARDLY_PIPS or float(value.shares[0]) > LIKELIER * float(pipped.max())


def _rather_die(thing: Thing) -> bool:
    """Whether a thing on which no pips are seen is a die rather than a piece to those who see both."""
    share = float(thing.shares[DICE].sum())
    return share > ASKED and share > float(thing.shares[DICE.stop :].sum())


def _blank(image: Image, px: Doubles, value: Value) -> Face:
    """A face on which no pips are seen: an empty one if it is as even as can be."""
    left, top = (max(0, int(v - value.side)) for v in value.middle)
    right, bottom = (int(v + value.side) + 1 for v in value.middle)
    soft = np.asarray(cv2.GaussianBlur(image[top:bottom, left:right], (0, 0), 1.0), np.uint8)
    seen = _disc(soft, (value.middle[0] - left, value.middle[1] - top), CENTRAL * value.side)
    lab = pips.lab(seen[None])[0]
    off = float(np.quantile(np.linalg.norm(lab - np.median(lab, axis=0), axis=1), WORST))
    return Face((0,) if off < EVEN else (), _pair(px), value.side / 2, 0, 1.0, (0.0, 0.0, 0.0), dice.NO_PIPS)


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
    return doubted(die, _may_show(other[0].values, die.value)) if other else die


def _may_show(values: Sequence[int], shown: int | None) -> str:
    """What else than is shown a die may show."""
    return f"may show {next(value for value in values if value != shown)}"


def _inside(image: Image, place: tuple[float, float], reach: float) -> bool:
    """Whether a photo shows all that is so many pixels around a place, to the right and left, above and below."""
    rows, columns = image.shape[:2]
    x, y = place
    return bool(reach <= x + 0.5 <= columns - reach and reach <= y + 0.5 <= rows - reach)


def _placed(die: Seen, photo: Photo, px: Doubles, height: float) -> Seen:
    """The die where it stands, whose upper face is so high (mm) and seen at a pixel of the photo."""
    place = photo.plane.to_mm(px, height)[0]
    centre = (photo.plane.to_px(place)[0] + 0.5) / photo.factor - 0.5
    return replace(die, place=_pair(place), centre_px=_pair(centre))


def _pair(values: Doubles) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _scaled(picture: Image, factor: float) -> Image:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how), np.uint8)


def _enlarged(place: tuple[float, float], factor: float) -> tuple[float, float]:
    """Where a pixel of a picture made larger by `factor` was before."""
    return (place[0] + 0.5) / factor - 0.5, (place[1] + 0.5) / factor - 0.5


def _disc(picture: Image, place: tuple[float, float], reach: float) -> Image:
    """The pixels (n × 3) around a place, so many pixels far."""
    radius = max(2.0, reach)
    x, y = place
    rows, columns = picture.shape[:2]
    gy, gx = np.mgrid[max(0, int(y - radius)) : min(rows, int(y + radius) + 2),
                      max(0, int(x - radius)) : min(columns, int(x + radius) + 2)]  # fmt: skip
    inside = np.hypot(gx - x, gy - y) <= radius
    return np.asarray(picture[gy[inside], gx[inside]], np.uint8)
