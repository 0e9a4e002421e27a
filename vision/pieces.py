"""Pieces that stand on a table or a board, and dice: which of a copy's own, of which colour, and where.

Two ways of looking must agree. One knows the copy: what the ground does not explain, explained by taught solids in
taught paints. The other knows shapes only, and has seen very many: two small networks. What one of them alone would
say is a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import dice, solids
from vision.deck import Piece
from vision.dice import Face
from vision.figures import Figures, Standing, split
from vision.photo import Photo
from vision.scene import Ground, Scene
from vision.things import DICE, ENLARGED, NAMES, SCALE, Eyes, Thing
from vision.topview import TopView

Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]

DIE: Final = "die"
SURE_DIE: Final = 0.9  #: share of all that a die's value must have for it to be acted on,
SURE_BLIND: Final = 0.97  #: … though its pips could not be found one by one,
ASKED: Final = 0.35  #: … and that any die must have to be worth a question
SAME_MM: Final = 4.0  #: two figures cannot stand nearer to each other
NEAR_MM: Final = 7.0  #: from where a figure stands to where the networks see the same one
DIE_MM: Final = 14.0  #: … and to a die that something of another name cannot stand on
PLAIN: Final = 0.66  #: share of the taught solids' evidence from which a figure is plain among its rivals,
HARDLY: Final = 0.59  #: … and below which it hardly is
LEAST: Final = 0.15  #: share the networks must give to a plain figure's shape,
LIKELY: Final = 0.35  #: … to any figure's,
FIRM: Final = 0.65  #: … to one hardly told from a figure of another shape, or in doubt about one,
SURE: Final = 0.9  #: … and to one in any other doubt
CORE: Final = 0.38  #: of a die's side: the radius within which its colour is told,
BARE: Final = 0.5  #: … and within which it differs from the print it lies on
USUAL: Final = 18.0  #: pixels of a die's side at which it is read best
FACED: Final = 0.15  #: share of dice that a thing must have for pips to be looked for on it,
AROUND_MM: Final = 28.0  #: … so far around
SIDES_MM: Final = (9.0, 26.0)  #: a die's side
TRUE: Final = 0.92  #: of what a die's outline suggests its side is: the outline is that of its sides, too
LEANING_MM: Final = 12.0  #: from where a thing stands to where the networks may see it, at most
LONGEST: Final = 1280  #: pixels; larger photos without markers are reduced
FEW_PIPS: Final = 2  #: more pips than these are no chance:
HARDLY_DIE: Final = 0.05  #: … the networks need not think much of such a die
ALONE: Final = 0.8  #: share a die's value must have whose one pip nothing else confirms
COLOURLESS: Final = 0.17  #: chroma over lightness below which a colour has no hue,
FAINT: Final = 0.1  #: … or in another light might have one
BURNT: Final = 245.0  #: a channel of the photo this bright may have been brighter
UNLIT: Final = np.ones(3)
HUES: Final = (
    ("red", 345, 38),
    ("orange", 38, 70),
    ("yellow", 70, 112),
    ("green", 112, 200),
    ("blue", 200, 315),
    ("purple", 315, 345),
)  #: the everyday names of hues, degrees in Lab


@dataclass(frozen=True, slots=True)
class Seen:
    """A piece or a die: where it stands in table mm (None without markers) and in pixels of the photo.

    `why` is the reason for doubt, empty for a piece to act on.
    """

    piece: str
    colour: str | None
    value: int | None
    place: tuple[float, float] | None
    centre_px: tuple[float, float]
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    why: str = ""


class PieceFinder:
    """Finds dice, and the pieces of one deck."""

    def __init__(self, taught: Sequence[Piece]) -> None:
        self._eyes = Eyes()
        self._figures = Figures(taught)

    def find(
        self,
        photo: Photo,
        grounds: Sequence[Ground],
        taken: Sequence[Doubles] = (),
        within: Doubles | None = None,
    ) -> list[Seen]:
        """Everything that stands on a table or on `grounds`, sure and doubtful, but inside outlines `taken` (mm).

        With `within` only what stands in this box (low and high corner, mm) is looked at closely.
        """
        view = TopView.of(photo.image, photo.plane, ENLARGED * SCALE)
        small = view.resized(SCALE)
        fine, coarse = (np.asarray(cv2.convertScaleAbs(v.picture * photo.gain), np.uint8) for v in (view, small))
        everywhere = np.array([[-np.inf], [np.inf]])
        low, high = everywhere if within is None else within + np.array([[-LEANING_MM], [LEANING_MM]])

        def sought(thing: Thing) -> bool:
            place = _mm(thing, view)
            return bool((low < place).all() and (place < high).all()) and not _inside(place, taken)

        things = [(thing, _mm(thing, view)) for thing in self._eyes.look(coarse, fine, ENLARGED, sought)]
        scene = Scene.of(photo, grounds, taken)
        standing = self._figures.find(photo, scene, None if within is None else np.array([low, high]))
        found = [agreed(figure, owned(figure, standing, things)) for figure in standing]
        dice = [t for t in things if not (scene.bare(t[1], BARE * t[0].size / SCALE) or _sure(t, found))]
        return together(found, self._dice(photo, coarse, dice))

    def _dice(self, photo: Photo, coarse: Image, things: Sequence[tuple[Thing, Doubles]]) -> list[Seen]:
        """The dice among things, sure and doubtful; `coarse` is the picture in which the networks have found them."""
        thrown, read = [], []
        for face, thing in self._faces(photo, things):
            body = np.median(_disc(coarse, thing, CORE), axis=0)
            die = self._thrown(face, thing, body, photo.gain)
            if die is not None:
                thrown.append(_placed(die, photo, np.array(face.middle), thing.size / SCALE))
                read.append(face)
        for thing, place in things:
            px = photo.plane.to_px(place)[0]
            die = None if any(_on(px, face) for face in read) else self._die(thing, coarse, photo.gain)
            if die is not None:
                thrown.append(_placed(die, photo, px, thing.size / SCALE))
        return [die for die in thrown if not die.why or die.confidence > ASKED]

    @staticmethod
    def _faces(photo: Photo, things: Sequence[tuple[Thing, Doubles]]) -> list[tuple[Face, Thing]]:
        """The faces with pips on what may be dice on a photo with markers."""
        found = []
        for thing, place in things:
            if thing.shares[DICE].sum() < FACED:
                continue
            px, scale = photo.plane.to_px(place)[0], photo.plane.scale(_pair(place))
            low = np.maximum(0, np.floor(px - AROUND_MM * scale)).astype(int)
            high = np.ceil(px + AROUND_MM * scale).astype(int)
            cut = photo.image[low[1] : high[1], low[0] : high[0]]
            for face in dice.find(cut, SIDES_MM[0] * scale, SIDES_MM[1] * scale) if cut.size else ():
                middle = np.array(face.middle) + low
                if np.hypot(*(middle - px)) < face.half:
                    found.append((replace(face, middle=_pair(middle)), thing))
        return found

    def dice(self, image_bgr: Image) -> list[Seen]:
        """The dice on a photo without markers, of whatever size."""
        factor = min(1.0, LONGEST / max(image_bgr.shape))
        image = _scaled(image_bgr, factor) if factor < 1 else image_bgr
        found = []
        for face in dice.find(image):
            usual = USUAL / (2 * TRUE * face.half)
            look = Thing(_enlarged(face.middle, 1 / usual), np.zeros(len(NAMES), np.float32), USUAL)
            die = self._thrown(face, self._eyes.closely([look], image, 1 / usual)[0])
            if die is not None:
                found.append(replace(die, centre_px=_enlarged(face.middle, factor)))
        return found

    @staticmethod
    def _thrown(
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
        if not why and not _told(body, gain):
            why = "its colour cannot be told"
        confidence = round(0.9 + 0.09 * face.worth * max(0.5, own), 3) if not why else round(0.5 * face.worth, 3)
        rivals = [(f"{DIE} {v}", round(float(shares[v]), 3)) for v in face.values if v != value]
        candidates = ((f"{DIE} {value}", confidence), *rivals)
        return Seen(DIE, colour, value, None, face.middle, confidence, candidates, why)

    @staticmethod
    def _die(thing: Thing, picture: Image, gain: NDArray[np.floating]) -> Seen | None:
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
        if not why and not _told(body, gain):
            why = "its colour cannot be told"
        candidates = tuple((f"{DIE} {v}", round(float(thing.shares[DICE][v]), 3)) for v in order[:2])
        return Seen(DIE, colour, value, None, thing.place, round(min(0.999, sure), 3), candidates, why)


def owned(
    figure: Standing, standing: Sequence[Standing], things: Sequence[tuple[Thing, Doubles]]
) -> list[tuple[Thing, Doubles]]:
    """The things that speak for this figure: those to which no other one stands nearer.

    None speaks for one of two doubtful figures at one place: networks know shapes, not which of two colours it is.
    """
    if figure.why and any(
        other is not figure and other.why and float(np.hypot(*np.subtract(other.place, figure.place))) < SAME_MM
        for other in standing
    ):
        return []
    if not things:
        return []
    places = np.array([place for _, place in things]).reshape(-1, 1, 2)
    apart = np.linalg.norm(places - np.array([other.place for other in standing]), axis=2)
    nearest = apart.argmin(axis=1)
    return [pair for pair, number in zip(things, nearest, strict=True) if standing[number] is figure]


def agreed(figure: Standing, things: Sequence[tuple[Thing, Doubles]]) -> Seen:
    """A figure with the doubts that the networks take away or add."""
    near = [thing.shares for thing, place in things if np.hypot(*(place - figure.place)) < NEAR_MM]
    own = max((float(shares[NAMES.index(shape_of(figure.piece))]) for shares in near), default=0.0)
    why, confidence = "", min(0.999, max(figure.confidence, 0.9 + 0.1 * own))
    if own < _needed(figure):
        seen = NAMES[int(np.max(near, axis=0)[1:].argmax()) + 1] if near else "nothing"
        why, confidence = figure.why or f"looks like {seen} from afar", 0.5 * figure.candidates[0][1]
    candidates = figure.candidates
    return Seen(
        figure.piece, figure.colour, None, figure.place, figure.centre_px, round(confidence, 3), candidates, why
    )  # fmt: skip


def _needed(figure: Standing) -> float:
    """The share the networks must give to a figure's own shape for it to be acted on; more than 1 for never."""
    margin = figure.candidates[0][1]
    rivals = [shape_of(split(name)[0]) for name, _ in figure.candidates[1:]]
    alike = shape_of(figure.piece) in rivals  # what shapes cannot tell apart, they do not decide
    if figure.why:
        return 2.0 if alike else FIRM if figure.why.startswith("may be") else SURE
    if margin < HARDLY:
        return 2.0 if alike else FIRM
    return LEAST if margin >= PLAIN else LIKELY


def shape_of(piece: str) -> str:
    """The name the networks have for a piece's shape."""
    solid = solids.SHAPES[piece]
    if solid.head:
        return solid.foot
    return "cylinder" if solid.foot == "round" else "block" if solid.block else "rod"


def _sure(thing: tuple[Thing, Doubles], found: Sequence[Seen]) -> bool:
    """Whether a thing is a figure that both ways of looking tell, rather than a die."""
    place, shares = thing[1], thing[0].shares
    return any(
        not figure.why
        and float(np.hypot(*(place - np.array(figure.place)))) < NEAR_MM
        and float(shares[DICE].sum()) < float(shares[NAMES.index(shape_of(figure.piece))])
        for figure in found
    )


def together(figures: Sequence[Seen], dice: Sequence[Seen]) -> list[Seen]:
    """Figures and dice; but where a die stands no figure does, and where one may stand it is either of the two."""
    told = list(dice)
    kept = []
    for figure in figures:
        near = [number for number, die in enumerate(told) if _apart(figure, die) < DIE_MM]
        if not near:
            kept.append(figure)
        for number in near:
            die = told[number]
            if die.why:
                told[number] = replace(die, candidates=(*die.candidates, *figure.candidates))
    return kept + told


def _apart(figure: Seen, die: Seen) -> float:
    assert figure.place is not None
    assert die.place is not None
    return float(np.hypot(*np.subtract(figure.place, die.place)))


def _mm(thing: Thing, view: TopView) -> Doubles:
    """Where a thing's picture is on the table."""
    return np.asarray((np.array(thing.place) + 0.5) / SCALE + view.origin - 0.5 / view.scale)


def _on(px: Doubles, face: Face) -> bool:
    """Whether a place (pixels of the photo) lies on a face."""
    return bool(np.hypot(*(px - face.middle)) < face.half)


def _placed(die: Seen, photo: Photo, px: Doubles, height: float) -> Seen:
    """The die where it stands, whose upper face is so high (mm) and seen at a pixel of the photo."""
    place = photo.plane.to_mm(px, height)[0]
    centre = (photo.plane.to_px(place)[0] + 0.5) / photo.factor - 0.5
    return replace(die, place=_pair(place), centre_px=_pair(centre))


def _inside(place: Doubles, outlines: Sequence[Doubles]) -> bool:
    return any(
        cv2.pointPolygonTest(o.astype(np.float32), (float(place[0]), float(place[1])), False) >= 0 for o in outlines
    )


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


def _told(bgr: NDArray[np.floating], gain: NDArray[np.floating]) -> bool:
    """Whether a colour is sure to have its name: not too faint for another light, not burnt out to another hue."""
    name = colour_name(bgr)
    return name == colour_name(bgr, FAINT) and (name == "white" or float(np.max(bgr / gain)) < BURNT)


def colour_name(bgr: NDArray[np.floating], colourless: float = COLOURLESS) -> str:
    """The everyday name of a colour (B, G, R, 0 to 255, under white light)."""
    pixel = np.clip(np.asarray(bgr, np.float32) / 255, 0, 1).reshape(1, 1, 3)
    light, a, b = (float(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab)[0, 0])
    strength = float(np.hypot(a, b)) / (light + 16)
    hue = float(np.degrees(np.arctan2(b, a)) % 360)
    if strength < colourless:
        return "white" if light > 68 else "black" if light < 30 else "grey"
    if light > 85 and strength < 0.3:
        return "white"
    if 20 < hue < 80 and light < 58 and strength < 0.95:
        return "brown"
    return next(name for name, low, high in HUES if (hue - low) % 360 < (high - low) % 360)
