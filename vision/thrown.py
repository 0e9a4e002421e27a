"""Dice, on a table whose scale is known and on any photo: pips and a network must agree on what each shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import dice as faces
from vision.dice import Face
from vision.hues import colour_name, told
from vision.photo import Photo
from vision.seen import DIE, Seen
from vision.things import DICE, NAMES, SCALE, Eyes, Thing

Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]

SURE_DIE: Final = 0.9  #: share of all that a die's value must have for it to be acted on,
SURE_BLIND: Final = 0.97  #: … though its pips could not be found one by one,
ASKED: Final = 0.35  #: … and that any die must have to be worth a question
CORE: Final = 0.38  #: of a die's side: the radius within which its colour is told,
USUAL: Final = 18.0  #: pixels of a die's side at which it is read best
FACED: Final = 0.15  #: share of dice that a thing must have for pips to be looked for on it,
AROUND_MM: Final = 28.0  #: … so far around
SIDES_MM: Final = (9.0, 26.0)  #: a die's side
TRUE: Final = 0.92  #: of what a die's outline suggests its side is: the outline is that of its sides, too
LONGEST: Final = 1280  #: pixels; larger photos without markers are reduced
FEW_PIPS: Final = 2  #: more pips than these are no chance:
HARDLY_DIE: Final = 0.05  #: … the networks need not think much of such a die
ALONE: Final = 0.8  #: share a die's value must have whose one pip nothing else confirms
UNLIT: Final = np.ones(3)


class Dice:
    """Reads dice."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    def on_table(self, photo: Photo, coarse: Image, things: Sequence[tuple[Thing, Doubles]]) -> list[Seen]:
        """The dice among things, sure and doubtful; `coarse` is the picture in which the networks have found them."""
        found, read = [], []
        for face, thing in _pipped(photo, things):
            body = np.median(_disc(coarse, thing, CORE), axis=0)
            die = judged(face, thing, body, photo.gain)
            if die is not None:
                found.append(_placed(die, photo, np.array(face.middle), thing.size / SCALE))
                read.append(face)
        for thing, place in things:
            px = photo.plane.to_px(place)[0]
            die = None if any(_on(px, face) for face in read) else _blind(thing, coarse, photo.gain)
            if die is not None:
                found.append(_placed(die, photo, px, thing.size / SCALE))
        return [die for die in found if not die.why or die.confidence > ASKED]

    def anywhere(self, image_bgr: Image) -> list[Seen]:
        """The dice on a photo without markers, of whatever size."""
        factor = min(1.0, LONGEST / max(image_bgr.shape))
        image = _scaled(image_bgr, factor) if factor < 1 else image_bgr
        found = []
        for face in faces.find(image):
            usual = USUAL / (2 * TRUE * face.half)
            look = Thing(_enlarged(face.middle, 1 / usual), np.zeros(len(NAMES), np.float32), USUAL)
            die = judged(face, self._eyes.closely([look], image, 1 / usual)[0])
            if die is not None:
                found.append(replace(die, centre_px=_enlarged(face.middle, factor)))
        return found


def _pipped(photo: Photo, things: Sequence[tuple[Thing, Doubles]]) -> list[tuple[Face, Thing]]:
    """The faces with pips on what may be dice on a photo with markers."""
    found = []
    for thing, place in things:
        if thing.shares[DICE].sum() < FACED:
            continue
        px, scale = photo.plane.to_px(place)[0], photo.plane.scale(_pair(place))
        low = np.maximum(0, np.floor(px - AROUND_MM * scale)).astype(int)
        high = np.ceil(px + AROUND_MM * scale).astype(int)
        cut = photo.image[low[1] : high[1], low[0] : high[0]]
        for face in faces.find(cut, SIDES_MM[0] * scale, SIDES_MM[1] * scale) if cut.size else ():
            middle = np.array(face.middle) + low
            if np.hypot(*(middle - px)) < face.half:
                found.append((replace(face, middle=_pair(middle)), thing))
    return found


def judged(
    face: Face, thing: Thing, body: NDArray[np.floating] | None = None, gain: NDArray[np.floating] = UNLIT
) -> Seen | None:
    """The die whose pips make a face, with the doubts that the networks take away or add; None for no die."""
    shares = thing.shares[DICE]
    if not face.values or float(shares.sum()) < (HARDLY_DIE if face.pips > FEW_PIPS else ASKED):
        return None
    value = max(face.values, key=lambda v: float(shares[v]))
    own, most = float(shares[value]), int(shares.argmax())
    why = face.why
    if not why and face.pips == 1 and own < ALONE:
        why = "its one pip may be none"
    if not why and most != value and float(shares[most]) > SURE_DIE:
        why = f"may show {most}"
    body = np.array(face.ground) if body is None else body
    colour = colour_name(body)
    if not why and not told(body, gain):
        why = "its colour cannot be told"
    confidence = round(0.9 + 0.09 * face.worth * max(0.5, own), 3) if not why else round(0.5 * face.worth, 3)
    rivals = [(f"{DIE} {v}", round(float(shares[v]), 3)) for v in face.values if v != value]
    candidates = ((f"{DIE} {value}", confidence), *rivals)
    return Seen(DIE, colour, value, None, face.middle, confidence, candidates, why)


def _blind(thing: Thing, picture: Image, gain: NDArray[np.floating]) -> Seen | None:
    """The die on which no pips are seen that a thing may be, on a picture in the networks' own scale."""
    order = np.argsort(-thing.shares[DICE])
    share = float(thing.shares[DICE].sum())
    if share < ASKED or share < thing.shares[DICE.stop :].sum():
        return None
    value = int(order[0])
    sure = float(thing.shares[DICE][value])
    why = "" if sure > (SURE_DIE if value == 0 else SURE_BLIND) else f"may show {order[1]}"
    body = np.median(_disc(picture, thing, CORE), axis=0)
    colour = colour_name(body)
    if not why and not told(body, gain):
        why = "its colour cannot be told"
    candidates = tuple((f"{DIE} {v}", round(float(thing.shares[DICE][v]), 3)) for v in order[:2])
    return Seen(DIE, colour, value, None, thing.place, round(min(0.999, sure), 3), candidates, why)


def _on(px: Doubles, face: Face) -> bool:
    """Whether a place (pixels of the photo) lies on a face."""
    return bool(np.hypot(*(px - face.middle)) < face.half)


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


def _disc(picture: Image, thing: Thing, reach: float) -> Image:
    """The pixels (n × 3) around a thing's middle, `reach` of its size far."""
    radius = max(2.0, reach * thing.size)
    x, y = thing.place
    rows, columns = picture.shape[:2]
    gy, gx = np.mgrid[max(0, int(y - radius)) : min(rows, int(y + radius) + 2),
                      max(0, int(x - radius)) : min(columns, int(x + radius) + 2)]  # fmt: skip
    inside = np.hypot(gx - x, gy - y) <= radius
    return np.asarray(picture[gy[inside], gx[inside]], np.uint8)
