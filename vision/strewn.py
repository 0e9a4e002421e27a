"""Dice on photos without markers, of whatever size: where pips are, and where those who see more than pips see one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import dice
from vision.dice import Face
from vision.hues import maybe, told
from vision.opinions import Opinions, enough
from vision.seen import DIE, DieFaces, Seen, doubted
from vision.sizes import AS_LARGE, FEW_PIPS, NOT_AS_LARGE, SURELY_DIE, as_large, crowded, one, tell_sides
from vision.stencils import explained
from vision.things import DICE, Eyes
from vision.upper import (
    CORE,
    CUT,
    NO_COLOUR,
    SURELY,
    TOO_LOW,
    TRUE,
    disc,
    framed,
    judged,
    paler,
    possible,
    shown,
    unrivalled,
)
from vision.values import Value, Values

Image = NDArray[np.uint8]

LONGEST: Final = 1280  #: pixels; larger photos without markers are reduced
RATHER: Final = 0.5  #: share of one value for a place without pips to be asked about, if it may be no die
WHOLE: Final = 1.25  #: of half a face: so much around its middle must be on the photo
MOST: Final = 60  #: hints on one photo that are looked at, the likeliest ones
AFAR: Final = 0.2  #: share of dice from which a place is looked at closely,
LARGEST: Final = 0.7  #: … reduced like this at first,
STEP: Final = 0.7  #: … and from one size to the next,
SMALL: Final = 60  #: … down to so many pixels of its longer side;
MOST_AFAR: Final = 150  #: … the likeliest ones
UNLIT: Final = np.ones(3)
SIDED: Final = 0.65  #: share of dice where a side of one may be seen, by which it is,
LOW: Final = 1 / 3  #: … and share of those told of which one is, from which on the photo was taken from too low
NEARLY: Final = 0.08  #: of what pips of a value explain, by which those of every other must explain less
LASTING: Final = (CUT, NO_COLOUR, NOT_AS_LARGE)  #: doubts that no other look at a die takes away


class Strewn:
    """Reads dice, any or only those with such faces."""

    def __init__(self, eyes: Eyes, values: Values, die_faces: DieFaces | None = None) -> None:
        self._eyes = eyes
        self._values = values
        self._opinions = Opinions(values)
        self._die_faces = die_faces

    def find(self, image_bgr: Image) -> list[Seen]:
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
            own = [(f, v) for f, v, _ in looks if one(value, v)]
            found[i] = value, self._again(image, die, own, sides, beside)
            sure += [value] if die.why and not found[i][1].why else []
        upper = self._from_above(image, found)
        return [replace(die, centre_px=_enlarged(die.centre_px, factor)) for die in upper]

    def _from_above(self, image: Image, found: Sequence[tuple[Value, Seen]]) -> list[Seen]:
        """The dice found, in doubt where sides of many are seen, too: from so low, one of them looks like a top."""
        told = [value for value, die in found if not die.why]
        sided = [
            self._values.sided(image, value, [v for v in told if v is not value and not crowded(value, v)]) > SIDED
            for value in told
        ]
        low = sum(sided) > LOW * len(sided)
        return [doubted(die, TOO_LOW) if low and not die.why else die for _, die in found]

    def _again(
        self,
        image: Image,
        die: Seen,
        looks: Sequence[tuple[Face, Value]],
        sides: Sequence[float],
        beside: Sequence[Value],
    ) -> Seen:
        """A die as several networks tell it at a second look, if they leave no doubt where there was one, or raise one.

        It is asked for unless pips show plainly what is told; `looks` are those at it, `beside` those at sure others.
        """
        face, value = _surest(looks)
        faces = [face for face, _ in looks]
        if die.why in LASTING or any(shown(face, die) for face in faces):
            return die
        if float(value.shares.sum()) < SURELY:
            return contested(die, image, value)
        if not die.why:
            denied = self._opinions.denied(image, value, die.value or 0)
            return doubted(die, "two looks differ") if denied else contested(die, image, value)
        said = next((said for said in self._opinions.said(image, value) if enough(said, faces)), None)
        if said is None or any(crowded(value, other) for other in beside):
            return die
        second = said.value
        confidence = round(0.9 + 0.09 * float(second.shares.max()), 3)
        again = replace(
            die, value=second.best, centre_px=second.middle, confidence=confidence,
            candidates=((f"{DIE} {second.best}", confidence),), why="",
        )  # fmt: skip
        again = framed(self._coloured(again, face), image, face, second, WHOLE)
        again = as_large(again, second.side, sides, AS_LARGE)
        # what may be one pip more is a glint, and not there without gloss
        return contested(again, image, value) if said.gloss and not any(shown(f, again) for f in faces) else again

    def _coloured(self, die: Seen, face: Face) -> Seen:
        """The die with the colour of its face, in doubt where that may be one of the game's but cannot be told.

        So it is where none of the game's dice of its colour shows its value.
        """
        ground = np.array(face.ground)
        die = replace(die, colour=told(ground, UNLIT, self._die_faces, paler(face)))
        if not die.why and die.colour is None and self._die_faces and maybe(ground, self._die_faces):
            return doubted(die, NO_COLOUR)
        return possible(die, self._die_faces)

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
                    colour = np.median(disc(image, middle, CORE * 2 * half), axis=0)
                    ground = (float(colour[0]), float(colour[1]), float(colour[2]))
                    found.append((share, Face((), middle, half / TRUE, 0, 0.0, ground, dice.NO_PIPS)))
            factor *= STEP
        kept: list[Face] = []
        for _, face in sorted(found, key=lambda f: -f[0])[:MOST_AFAR]:
            apart = [float(np.hypot(*np.subtract(face.middle, f.middle))) / min(face.half, f.half) for f in kept]
            if min(apart, default=np.inf) > 1:
                kept.append(face)
        return kept


def contested(die: Seen, image: Image, value: Value) -> Seen:
    """The die, in doubt where pips of another value explain nearly as well what a look at it sees.

    A glint may look like one more of them, and so may those of a side. Of one and two too little is seen.
    """
    if die.why or not die.value or die.value <= FEW_PIPS:
        return die
    fits = explained(image, value.middle, value.side)
    rival = max((other for other in range(1, len(fits)) if other != die.value), key=lambda other: float(fits[other]))
    return die if fits[die.value] > fits[rival] + NEARLY else doubted(die, f"may show {rival}")


def _surest(looks: Sequence[tuple[Face, Value]]) -> tuple[Face, Value]:
    """The look that is surest of a die."""
    return max(looks, key=lambda look: float(look[1].shares.sum()))


def _scaled(picture: Image, factor: float) -> Image:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how), np.uint8)


def _enlarged(place: tuple[float, float], factor: float) -> tuple[float, float]:
    """Where a pixel of a picture made larger by `factor` was before."""
    return (place[0] + 0.5) / factor - 0.5, (place[1] + 0.5) / factor - 0.5
