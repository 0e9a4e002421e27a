"""Dice on a table whose scale is known: pips and a network tell what each shows, those beside it which is empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import blanks, dice, pips
from vision.blanks import Pipped, Top
from vision.cubed import Cube
from vision.dice import Face
from vision.hues import told
from vision.photo import AS_PAPER, Photo
from vision.seen import DIE, DieFaces, Seen, doubted
from vision.sizes import AS_LARGE_MM, CROWDED, FEW_PIPS, SAME, SIDES_MM, as_large, no_ball, of_a_size, one, plain
from vision.stencils import explained
from vision.things import BLOCK, DICE, SCALE, Thing
from vision.upper import (
    ASKED,
    CORE,
    CUT,
    NO_COLOUR,
    SURE_ALONE,
    SURE_BLIND,
    SURE_DIE,
    SURELY,
    TOO_LOW,
    TRUE,
    disc,
    framed,
    inside,
    judged,
    paler,
    possible,
)
from vision.values import Value, Values

Doubles = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Point = tuple[float, float]
Things = Sequence[tuple[Thing, Doubles]]

FACED: Final = 0.15  #: share of dice that a thing must have to be looked at as one,
AROUND_MM: Final = 28.0  #: … and how far around it pips are looked for
#: sides from a place to those beside it from which a die that touches others may be seen better:
BESIDE: Final = 0.2 * np.array([(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4])
WHOLE_DIE: Final = 2.2  #: of half a face: so much around it must be on the photo, which may show a side of a cut die
FITS: Final = 0.7  #: how well a stencil fits that gainsays a network,
MUCH_WORSE: Final = 2.0  #: … and how many times as much is left unexplained by that of what the network tells
LOWEST: Final = 38.0  #: degrees from straight above from which on dice are told no more
OFF: Final = 0.3  #: sides from where a die is seen to the middle of its pips, at most,
ELSEWHERE: Final = 0.6  #: … and from where on a single pip is of another die
SPANNING: Final = 1.25  #: sides from which on the pips of a face are of more than one die, where one is sure
HALF_MM: Final = 7.0  #: of a die: what is plainly something else as near as this is no die
THROW_MM: Final = 100.0  #: from a die to the next that was thrown with it
HARDLY_PIPS: Final = 0.65  #: share of all values but 0 up to which a face may be empty, if dice beside it tell so,
LIKELIER: Final = 1.5  #: … or where 0 is so many times as likely as each of them, as it is where none is seen,
EMPTY: Final = 0.95  #: … and how sure it is then
SQUARE: Final = 0.8  #: share of dice and blocks from which a cube may be a die of another make than those beside it
COLOURLESS: Final = ("white", "grey")  #: … unless it is of these, and not as bright as paper
CENTRAL: Final = 0.32  #: of a side: the radius within which an empty face must be even:
EVEN: Final = 5.0  #: Lab units by which all but the worst pixels of an empty face are off its colour, at most
WORST: Final = 0.98


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


@dataclass(frozen=True, slots=True)
class _Place:
    """A pixel where a die or a block may be, what a network tells of a die there, and the share of both of these."""

    px: Point
    value: Callable[[], Value]
    square: float


class Thrown:
    """Reads dice on a table, any or only those with such faces."""

    def __init__(self, values: Values, die_faces: DieFaces | None = None) -> None:
        self._values = values
        self._die_faces = die_faces

    def find(
        self,
        photo: Photo,
        things: Things,
        others: Things,
        closely: Callable[[Sequence[Doubles]], Things],
    ) -> list[Seen]:
        """The dice among things, and what touches those, sure and doubtful.

        The `others` are plainly something else; those that look like empty dice as well are doubtful. `closely` tells
        what is seen at more places (mm).
        """
        looks, seen_at = self._looks(photo, things)
        more, more_at = self._looks(photo, closely(self._passed_over(photo, looks, others)), faced=True)
        looks, seen_at = looks + more, seen_at + more_at
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
        beside = [at for at in seen_at if any(_thrown_with(photo, die, at.px) for die in pipped)]
        beside = [at for at in beside if maybe_empty(at.value())]
        told = with_empty(photo, told, seen, [at.px for at in beside])
        told = self._cubes(photo, told, seen, beside)
        faced = [t for t in others if t[0].shares[BLOCK] > FACED or t[0].shares[DICE].sum() > FACED]
        blocks = [_pair(photo.plane.to_px(place)[0]) for _, place in faced]
        both = [d for d in with_empty(photo, told, seen, blocks) if all(d is not die for die in told)]
        return told + [doubted(die, "may be a block") for die in both]

    def _looks(self, photo: Photo, things: Things, faced: bool = False) -> tuple[list[_Look], list[_Place]]:
        """What things may be as dice; and where each is that may be one or a block.

        Those that are `faced` look like dice to the network that knows no pieces.
        """
        looks: list[_Look] = []
        seen_at: list[_Place] = []
        for thing, place in things:
            die = faced or float(thing.shares[DICE].sum()) > FACED
            if not die and thing.shares[BLOCK] < FACED:
                continue
            px, side = photo.plane.to_px(place)[0], thing.size / SCALE * photo.plane.scale(_pair(place))
            if not inside(photo.image, _pair(px), 0):
                continue
            faces = cache(partial(_faces, photo, place, px))
            value = cache(partial(self._best_told, photo.image, _pair(px), side, faces))
            square = float(thing.shares[BLOCK] + thing.shares[DICE].sum())
            seen_at.append(_Place(_pair(px), value, square))
            if die:
                looks += self._looked(photo, thing, place, value(), faces(), faced or _rather_die(thing))
        return looks, seen_at

    def _passed_over(self, photo: Photo, looks: Sequence[_Look], others: Things) -> list[Doubles]:
        """Places (mm) of what touches a die and was taken for a part of it, or is in doubt: they look like dice.

        What is plainly something else is not looked at again.
        """
        told = [look.value for look in looks if not look.die.why]
        found: list[Value] = []
        for near in told:
            for value in self._values.beside(photo.image, near):
                if not any(one(value, other) for other in told + found):
                    found.append(value)
        places = [photo.plane.to_mm(np.array(value.middle))[0] for value in found]
        return [p for p in places if all(np.hypot(*(p - other)) > HALF_MM for _, other in others)]

    def _cubes(
        self,
        photo: Photo,
        dice: Sequence[Seen],
        seen: Mapping[tuple[float, float] | None, Value],
        places: Sequence[_Place],
    ) -> list[Seen]:
        """The dice, and empty ones at places beside them that all of their edges tell.

        Their sides may be as bright as their upper faces, or these as the table.
        """
        sure = [die for die in dice if not die.why]
        read = [
            (die, Pipped.of(photo.image, seen[die.place].middle, seen[die.place].side)) for die in sure if die.value
        ]
        found: list[Seen] = []
        for at in places:
            near = [(die, face) for die, face in read if _thrown_with(photo, die, at.px)]
            sides = [_side_mm(photo, die, face.top) for die, face in near if face.top is not None]
            if not sides:
                continue
            side = float(np.mean(sides))
            foot = photo.plane.to_mm(np.array(at.px), side)[0]
            if any(float(np.hypot(*(foot - np.array(die.place)))) < SIDES_MM[0] for die in [*sure, *found]):
                continue
            tops = np.concatenate([photo.plane.to_px(np.array(die.place), side) for die in sure])
            cube = Cube.of(photo.image, photo.plane, foot, side, tops)
            colour = None if cube is None else self._cube_colour(photo, cube, side, near, at)
            if cube is not None and colour is not None:
                die = Seen(DIE, colour, 0, None, cube.middle, EMPTY, ((f"{DIE} 0", EMPTY),), "")
                whole = inside(photo.image, cube.middle, side * photo.plane.scale(cube.place))
                die = from_above(die if whole else doubted(die, CUT), photo, np.array(cube.place))
                found.append(_placed(die, photo, np.array(cube.middle), cube.side))
        return _with(dice, found)

    def _cube_colour(
        self, photo: Photo, cube: Cube, side: float, near: Sequence[tuple[Seen, Pipped]], at: _Place
    ) -> str | None:
        """The colour of an empty die that a cube is beside those `near` it, which are so large (mm); None for none."""
        for colour in dict.fromkeys(die.colour for die, _ in near):
            if cube.empty(side, [face for die, face in near if die.colour == colour]):
                return colour
        if at.square < SQUARE or not cube.empty_too(side, [face for _, face in near], at.value().shares):
            return None
        seen = disc(photo.image, cube.middle, CORE * side * photo.plane.scale(cube.place))
        body = np.median(seen, axis=0) * photo.gain
        colour = told(body, photo.gain, self._die_faces)
        pale = colour in COLOURLESS and float(body.mean()) < AS_PAPER  # as any stone is
        # one of a colour that is there would be like that
        return None if pale or colour in [die.colour for die, _ in near] else colour

    def _best_told(
        self, image: Image, px: tuple[float, float], side: float, faces: Callable[[], Sequence[Face]]
    ) -> Value:
        """What is told of a die at a place; from where its pips are, where it is not plain that one is at the place.

        Dice that touch look like another one between them: where nothing is sure, it is also seen from beside there.
        """
        told = [self._values.tell(image, px, side)]
        if float(told[0].shares.sum()) < SURELY:
            pipped = [face for face in faces() if face.pips >= FEW_PIPS and not face.hint]
            told += [self._values.tell(image, face.middle, 2 * TRUE * face.half) for face in pipped]
        best = max(told, key=lambda value: float(value.shares.sum()))
        if best.sure > SURE_ALONE or float(best.shares.sum()) < ASKED:
            return best
        beside = [self._values.tell(image, _pair(at), side, SURE_ALONE) for at in np.array(px) + BESIDE * side]
        surest = max(beside, key=lambda value: value.sure)
        return surest if surest.sure > SURE_ALONE else best

    def _looked(
        self,
        photo: Photo,
        thing: Thing,
        place: Doubles,
        value: Value,
        faces: list[Face],
        rather: bool,
    ) -> Iterator[_Look]:
        """What a thing at a place (mm) may be as a die; one on which no pips are seen if it is `rather` that."""
        px = photo.plane.to_px(place)[0]
        surely = value.best > 0 and value.sure > SURE_ALONE
        if value.sure > SURE_BLIND:
            faces = [f for f in faces if 2 * TRUE * f.half < SPANNING * value.side]
        bare = [_blank(photo.image, value)] if surely or rather else []
        for face in faces if any(not f.hint for f in faces) else faces + bare:
            # what is brighter than the markers' paper keeps its hue: the gain is not cut off at white
            body = np.median(disc(photo.image, face.middle, CORE * min(value.side, 2 * face.half)), axis=0) * photo.gain
            die = judged(face, value, body, thing.shares)
            away = float(np.hypot(*(np.array(face.middle) - px))) / value.side if face.pips else 0.0
            die = None if die is None else in_place(die, face, away)
            if die is None:
                continue
            colour = told(body, photo.gain, self._die_faces, paler(face))
            if colour is not None:
                die = replace(die, colour=colour)
            elif not die.why:
                die = doubted(die, NO_COLOUR)
            die = no_ball(possible(die, self._die_faces), photo.image, value)
            if not face.pips:
                die = gainsaid(die, photo.image, value)
            die = from_above(framed(die, photo.image, face, value, WHOLE_DIE), photo, place)
            if not die.why or die.confidence > ASKED:
                placed = _placed(die, photo, np.array(face.middle), thing.size / SCALE)
                side_mm, close = value.side / photo.plane.scale(_pair(place)), float(thing.shares[DICE][die.value or 0])
                yield _Look(placed, face, value, side_mm, away, close)


def gainsaid(die: Seen, image: Image, value: Value) -> Seen:
    """A die that a network alone tells, in doubt where stencils fit another value plainly, and its own far worse.

    Pips that are smeared, as the camera moved, look like more of them.
    """
    if die.why or not die.value:
        return die
    fits = explained(image, value.middle, value.side)
    best = int(fits.argmax())
    worse = best != die.value and 1 - fits[die.value] > MUCH_WORSE * (1 - fits[best])
    return doubted(die, f"may show {best}") if worse and fits[best] > FITS else die


def from_above(die: Seen, photo: Photo, place: Doubles) -> Seen:
    """The die at a place (mm), in doubt where it is seen from so low that one of its sides looks like its top."""
    x, y, height = photo.plane.eye()
    low = np.degrees(np.arctan2(np.hypot(*(place - (x, y))), height))
    return die if die.why or low < LOWEST else doubted(die, TOO_LOW)


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
                if not inside(photo.image, top.middle, max(top.sides) / 2):
                    die = doubted(die, CUT)
                height = max(top.sides) / photo.plane.scale(_pair(photo.plane.to_mm(np.array(px))[0]))
                found.append(_placed(die, photo, np.array(top.middle), height))
    return _with(dice, found)


def _with(dice: Sequence[Seen], found: Sequence[Seen]) -> list[Seen]:
    """The dice, and those found where none of them is told: what was only taken for a die there is one now."""
    sure = [die for die in dice if not die.why]
    found = [die for die in once(found) if all(_apart_mm(die, other) > SIDES_MM[0] for other in sure)]
    return [*(d for d in dice if not d.why or all(_apart_mm(d, other) > SIDES_MM[0] for other in found)), *found]


def _side_mm(photo: Photo, die: Seen, top: Top) -> float:
    """The side (mm) of a die whose upper face is seen so large: it is nearer to the camera than the table is."""
    seen = float(np.mean(top.sides)) / photo.plane.scale(die.place or (0.0, 0.0))
    return seen / (1 + seen / photo.plane.eye()[2])


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


def _blank(image: Image, value: Value) -> Face:
    """A face on which no pips are seen: an empty one if it is as even as can be."""
    left, top = (max(0, int(v - value.side)) for v in value.middle)
    right, bottom = (int(v + value.side) + 1 for v in value.middle)
    soft = np.asarray(cv2.GaussianBlur(image[top:bottom, left:right], (0, 0), 1.0), np.uint8)
    seen = disc(soft, (value.middle[0] - left, value.middle[1] - top), CENTRAL * value.side)
    lab = pips.lab(seen[None])[0]
    off = float(np.quantile(np.linalg.norm(lab - np.median(lab, axis=0), axis=1), WORST))
    return Face((0,) if off < EVEN else (), value.middle, value.side / 2, 0, 1.0, (0.0, 0.0, 0.0), dice.NO_PIPS)


def _placed(die: Seen, photo: Photo, px: Doubles, height: float) -> Seen:
    """The die where it stands, whose upper face is so high (mm) and seen at a pixel of the photo."""
    place = photo.plane.to_mm(px, height)[0]
    centre = (photo.plane.to_px(place)[0] + 0.5) / photo.factor - 0.5
    return replace(die, place=_pair(place), centre_px=_pair(centre))


def _pair(values: Doubles) -> tuple[float, float]:
    return float(values[0]), float(values[1])
