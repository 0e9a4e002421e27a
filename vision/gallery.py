"""Taught faces made comparable in any light: the local mean taken away, the local contrast evened out."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import exposure
from vision.deck import Deck, Face
from vision.displaced import displaced
from vision.exposure import PAPER, Light, Prints
from vision.photo import Pose
from vision.pips import lab
from vision.sloping import Sloping

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Picture = TypeVar("Picture", Floats, Image)

RIM_MM: Final = 1.0  #: so much of a face's rim is left out
WINDOW_MM: Final = 24.0  #: the neighbourhood a pixel is compared with; lamps and gloss change slowly within it
PATCH_WINDOW_MM: Final = 8.0  #: … and within which letters on a patch are compared
SHIFT: Final = 2  #: pixels of the first look; a face that is less like itself after such a shift
FINE_LINED: Final = 0.0  #: … than this consists of fine lines
ELUSIVE: Final = 0.2  #: … than this has print that fine, among other
ALIKE_TURNED: Final = 0.5  #: a face this much like itself turned need not be looked for in that turn
BRIGHTEST: Final = 0.95  #: quantile of each channel that white paper has, be it grey or yellowish in a lamp's light,
WHITISH: Final = 0.6  #: … if its channels differ by no more than this ratio
SYMMETRIC: Final = 0.97  #: a face this much like itself turned looks the same so
UNLIKE: Final = 0.2  #: a face that is no more like itself some way off than this,
REPEATS: Final = 0.45  #: … and this much farther off, repeats itself
BRIGHT: Final = 1.5  #: times as bright as taught is a photo on which pale print fades:
FADED: Final = 0.2  #: less than this is left of it (squares)
FLAT: Final = 6.0  #: grey values; contrast below this is noise and is not blown up
FINE: Final = 1.5  #: pixels per millimetre of the close look
COARSE: Final = 0.75  #: … and of the first one
FINE_PIXELS: Final = 8000  #: larger faces are looked at more coarsely, so that a close look costs the same for all
ONES: Final = np.ones((1, 3), np.float32)
MOST: Final = 0.8  #: share of a face of one colour that is off that
EVEN: Final = 6.0  #: … by no more than this (Lab units): plain fields 2 to 6, print 7 to 70
HARDLY: Final = np.full((4, 1), 1e-3)  #: of each channel; no less is divided by
KEPT: Final = 40  #: entries' slopes, of 160 kB each
TOGETHER: Final = 32  #: so many faces are multiplied at a time
TURNS: Final = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)


def evened(
    picture: NDArray[np.generic],
    scale: float,
    seen: NDArray[np.bool_] | None = None,
    window: float = WINDOW_MM,
    margin: int = 0,
) -> Floats:
    """The picture (h × w × 3, `scale` px/mm) less its local mean, over its local contrast (all channels together).

    What is not `seen` (h × w × 3, or h × w for all channels) is left out, and becomes 0; where all is seen, so is a
    `margin` (pixels).
    """
    values = np.asarray(picture, np.float32)
    side = int(window * scale) | 1
    box = (min(side, 2 * values.shape[1] - 1), min(side, 2 * values.shape[0] - 1))
    if seen is None and not margin:
        rest = np.asarray(values - cv2.blur(values, box, borderType=cv2.BORDER_REFLECT), np.float32)
        spread = cv2.blur(summed(rest * rest), box, borderType=cv2.BORDER_REFLECT)
    else:
        counted = _framed((values.shape[0], values.shape[1]), margin, box) if seen is None else _Counted.of(seen, box)
        rest = np.asarray(values * counted.weight, np.float32)
        blurred = cv2.blur(rest, box, borderType=cv2.BORDER_REFLECT)
        mean = np.asarray(cv2.divide(blurred, counted.some), np.float32)
        rest -= np.multiply(mean, counted.weight, out=mean)
        spread = cv2.blur(summed(np.multiply(rest, rest, out=mean)), box, borderType=cv2.BORDER_REFLECT)
        spread = cv2.divide(spread, counted.share)
    contrast = np.sqrt(spread + np.float32(3 * FLAT * FLAT))
    # many times faster than numpy's along a short axis
    return np.asarray(cv2.divide(rest, cv2.merge([contrast, contrast, contrast]), dst=rest), np.float32)


class _Counted(NamedTuple):
    """What counts of a picture, and how much of what is around each of its pixels does."""

    weight: Floats  #: 1 or 0: h × w × 3
    some: Floats  #: the share around each that counts, channel by channel, of which there always is some,
    share: Floats  #: … and of all channels together: h × w

    @classmethod
    def of(cls, seen: NDArray[np.bool_], box: tuple[int, int]) -> _Counted:
        """By what is seen (h × w × 3, or h × w), within a box (pixels across, down) around each."""
        weight = seen.astype(np.float32)
        share = np.asarray(cv2.blur(weight, box, borderType=cv2.BORDER_REFLECT), np.float32)
        some = np.asarray(cv2.max(share, HARDLY), np.float32)
        if seen.ndim == 2:
            weight, some = (np.asarray(cv2.merge([each] * 3), np.float32) for each in (weight, some))
        else:
            share = summed(share) / np.float32(3)
        return cls(weight, some, np.maximum(share, np.float32(1e-2)))


@lru_cache(maxsize=8)
def _framed(shape: tuple[int, int], margin: int, box: tuple[int, int]) -> _Counted:
    """All of a picture but for its margin: that is the same for all components of a size."""
    seen = np.zeros(shape, np.bool_)
    seen[margin:-margin, margin:-margin] = True
    return _Counted.of(seen, box)


def evened_all(pictures: Floats, scale: float, window: float = WINDOW_MM) -> Floats:
    """Many pictures (n × h × w × 3, `scale` px/mm), each evened; faster than one after the other."""
    count, rows, columns = pictures.shape[:3]
    side = int(window * scale) | 1
    box = (min(side, 2 * columns - 1), min(side, 2 * rows - 1))
    # one above the other, each mirrored at its upper and lower edge, so that none sees the next
    margin = box[1] // 2
    mirrored = np.pad(np.arange(rows), margin, mode="symmetric")

    def blurred(values: Floats) -> Floats:
        tall = values[:, mirrored].reshape(count * len(mirrored), columns, -1)
        soft = cv2.blur(tall, box, borderType=cv2.BORDER_REFLECT).reshape(count, len(mirrored), columns, -1)
        return np.asarray(soft[:, margin : margin + rows], np.float32)

    tall = (count * rows, columns, 3)
    rest = np.asarray(pictures - blurred(pictures), np.float32).reshape(tall)
    spread = blurred(summed(rest * rest).reshape(count, rows, columns, 1)).reshape(tall[:2])
    contrast = np.sqrt(spread + np.float32(3 * FLAT * FLAT))
    return np.asarray(cv2.divide(rest, cv2.merge([contrast] * 3)), np.float32).reshape(pictures.shape)


def summed(values: Floats) -> Floats:
    """Sum over the three channels (h × w × 3 to h × w); many times faster than numpy's along a short axis."""
    return np.asarray(cv2.transform(values, ONES), np.float32)


@dataclass(frozen=True, slots=True)
class Entry:
    """A face of the gallery as it looks lying turned by `quarters` × 90°."""

    face: int
    quarters: int


def _paper(picture: Image) -> float:
    """The share of a face that is white paper, in whatever light it was taught."""
    brightest = np.quantile(picture.reshape(-1, 3), BRIGHTEST, axis=0)
    if brightest.min() < WHITISH * brightest.max():
        return 0.0
    return float((picture > PAPER * brightest).all(axis=2).mean())


def one_colour(picture: Image) -> Floats | None:
    """The colour (Lab) of a picture (BGR) that hardly shows any other; None where it does."""
    seen = lab(picture).reshape(-1, 3)
    usual = np.asarray(np.median(seen, axis=0), np.float32)
    return usual if float(np.quantile(np.linalg.norm(seen - usual, axis=1), MOST)) < EVEN else None


def _shifted_likeness(face: Floats) -> float:
    """How like itself a face is when it is shifted a little to the right, or down, whichever is less."""
    return min(_likeness(face[:, :-SHIFT], face[:, SHIFT:]), _likeness(face[:-SHIFT], face[SHIFT:]))


def _rises_again(likenesses: Sequence[float]) -> bool:
    """Whether likenesses fall, and then rise again."""
    low = next((i for i, likeness in enumerate(likenesses) if likeness < UNLIKE), len(likenesses))
    return any(likeness > REPEATS for likeness in likenesses[low:])


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation of two pictures of the same shape."""
    return float(np.vdot(one, other)) / max(1e-6, float(np.linalg.norm(one) * np.linalg.norm(other)))


class Faces(Protocol):
    """Faces, or the same part of each, to be held against what is seen."""

    size: tuple[float, float]  #: mm, of the whole faces
    scale: float  #: px/mm
    shape: tuple[int, int]  #: rows and columns
    window: tuple[float, float]  #: mm
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    light: Light | None

    def differ(self, one: int, other: int) -> bool: ...

    def printed(self, one: int, other: int) -> Floats: ...

    def fine(self, entry: int) -> Floats: ...

    def sloping(self, entry: int) -> Sloping: ...


class Gallery:
    """All faces of one size in all turns that keep their outline, side by side in two resolutions."""

    def __init__(self, deck: Deck, faces: Sequence[Face], blur: float = 0.0) -> None:
        """`blur` (mm, standard deviation) is what a photo is softer than the photos the faces come from."""
        self._blur = blur
        self._faces = tuple(faces)
        #: the light in which the faces are shown; None: as they were taught
        self.light: Light | None = None
        #: what that light, or each face's own, shows of each byte, balanced
        self._tables = np.zeros((0, 256, 1, 3), np.float32)
        self._plain = self
        self.size = faces[0].size
        #: the part of a face that is compared: not its rim, which table and neighbours shine into
        self.window = (self.size[0] - 2 * RIM_MM, self.size[1] - 2 * RIM_MM)
        self.kind = faces[0].kind
        area = self.size[0] * self.size[1]
        # a board is large, but what is printed on it is no larger than on a card
        pixels = max(FINE_PIXELS, 0.3 * area)
        self.scale = float(min(FINE, np.sqrt(pixels / area)))
        self.coarse_scale = float(min(COARSE, np.sqrt(pixels / 4 / area)))
        self.names = tuple(face.name for face in faces)
        self.meanings = tuple(deck.meaning(face.name) for face in faces)
        self._turn_tells = tuple(deck.turn_tells(face.name) for face in faces)
        #: the faces' pictures at the close look's resolution, each when it is first needed
        self._close: dict[int, Image] = {}
        self._repeats: dict[int, bool] = {}
        self._displaced: dict[int, tuple[tuple[int, float, float], ...]] = {}
        self._sloping: dict[int, Sloping] = {}  #: of the entries asked for last
        self._prints: Prints | None = None
        self._one_coloured: dict[int, Floats] | None = None
        reduced = [self._reduced(i, blur, (self.scale, self.coarse_scale)) for i in range(len(faces))]
        self._fine = {i: evened(close, self.scale) for i, (close, _) in enumerate(reduced)}
        #: the faces' pictures at the first look's resolution: n × h × w × 3
        self.pictures = np.stack([first for _, first in reduced])
        #: the share of them that is white paper, of most faces
        self.paper = float(np.median([_paper(picture) for picture in self.pictures]))
        self.coarse = np.stack([evened(picture, self.coarse_scale) for picture in self.pictures])
        self.shape = (self._fine[0].shape[0], self._fine[0].shape[1])
        self.coarse_shape = (self.coarse.shape[1], self.coarse.shape[2])
        self.turns = (0, 1, 2, 3) if self.square else (0, 2)
        self.entries = tuple(Entry(i, quarters) for quarters in self.turns for i in range(len(faces)))
        self._line_up()
        #: the turns in which each face looks as it does upright
        self._same = [
            {q for q in self.turns[1:] if _likeness(face, np.rot90(face, q)) > SYMMETRIC}
            for face in self._fine.values()
        ]
        #: faces of fine lines only: of these little is left from afar, unless they lie upon each other exactly
        sharp = self.coarse
        if blur:
            pictures = (self._reduced(i, 0.0, (self.coarse_scale,)) for i in range(len(faces)))
            sharp = np.stack([evened(picture, self.coarse_scale) for (picture,) in pictures])
        shifted = [_shifted_likeness(face) for face in sharp]
        self.fine_lined = frozenset(i for i, likeness in enumerate(shifted) if likeness < FINE_LINED)
        #: whether of one of them so little is left a little way off that it is easily missed there
        self.elusive = min(shifted) < ELUSIVE
        #: the entries of these, without those that look much like the same face upright
        self.fine_entries = tuple(
            i
            for i, entry in enumerate(self.entries)
            if entry.face in self.fine_lined
            and (not entry.quarters or _likeness(self.coarse[entry.face], self.coarsely(i)) < ALIKE_TURNED)
        )

    @property
    def square(self) -> bool:
        """Whether its faces may lie in any quarter turn."""
        return self.size[0] == self.size[1]

    def differ(self, one: int, other: int) -> bool:
        """Whether two entries mean different things, or lie differently, show it and tell something by it."""
        a, b = self.entries[one], self.entries[other]
        if self.meanings[a.face] != self.meanings[b.face]:
            return True
        turned = a.quarters != b.quarters and self._turn_tells[a.face]
        return turned and (a.face != b.face or (a.quarters - b.quarters) % 4 not in self._same[a.face])

    def in_light(self, light: Light, white: Floats, own: Mapping[int, Light] | None = None) -> Gallery:
        """The same faces as a photo shows them in a light; `white` (3) is how its channels are then balanced.

        With an `own` light of each face (by its number) only those that have one are shown; the others are like
        nothing from afar: nobody knows which of the lights tells the right one.
        What was found out about faces themselves (their symmetry, fine lines) stays as they were taught.
        """
        shown = copy.copy(self)
        lights = [own.get(face, light) for face in range(len(self.names))] if own else [light]
        shown.light, shown._tables = light, exposure.tables(lights) * white
        shown._fine, shown._sloping = {}, {}
        faces = list(own or range(len(self.names)))
        lit = np.stack([shown.lit(self.pictures[face], face) for face in faces])
        shown.coarse = np.zeros_like(self.coarse)
        shown.coarse[faces] = evened_all(lit, self.coarse_scale)
        shown._line_up()
        shown._plain = self
        return shown

    def fades(self, one: int, other: int) -> bool:
        """Whether an entry has print beyond that of another, so pale that it fades in a light that burns out paper."""
        faces = np.stack([self.picture(one), self.picture(other)]).astype(np.float32)
        if faces[0].mean() > faces[1].mean():
            return False
        bright = np.minimum(255, BRIGHT * faces)
        return float(np.square(bright[0] - bright[1]).sum()) < FADED * float(np.square(faces[0] - faces[1]).sum())

    def turn_tells(self, face: int) -> bool:
        """Whether it tells anything which way round a face lies: it does not of a back."""
        return self._turn_tells[face]

    def repeats(self, face: int) -> bool:
        """Whether a face, as it was taught, looks much like itself some way off: a strip of it fits at many places."""
        if self._plain is not self:
            return self._plain.repeats(face)
        if face not in self._repeats:
            picture = self.coarse[face]
            shifts = range(1, min(picture.shape[:2]) // 2)
            across = [_likeness(picture[:, :-n], picture[:, n:]) for n in shifts]
            down = [_likeness(picture[:-n], picture[n:]) for n in shifts]
            self._repeats[face] = _rises_again(across) or _rises_again(down)
        return self._repeats[face]

    @property
    def one_coloured(self) -> Mapping[int, Floats]:
        """The colours (Lab) of those faces that have hardly any other, as they were taught."""
        if self._one_coloured is None:
            colours = {face: one_colour(picture) for face, picture in enumerate(self.pictures)}
            self._one_coloured = {face: colour for face, colour in colours.items() if colour is not None}
        return self._one_coloured

    def displaced(self, entry: int) -> tuple[tuple[int, float, float], ...]:
        """The entries that differ from one and yet show its print a little aside, as they were taught.

        Each with how far (mm) to the right and down it lies where the one seems to.
        """
        if self._plain is not self:
            return self._plain.displaced(entry)
        if entry not in self._displaced:
            found = []
            faces = self.coarse.sum(axis=3)
            for turn, quarters in enumerate(self.turns):
                face = _turned(self.coarsely(entry), -quarters).sum(axis=2)
                for i, right, down in displaced(faces, face, self.coarse_scale):
                    for _ in range(quarters):  # its own right and down, turned as it lies
                        right, down = -down, right
                    found.append((i + turn * len(self.names), right, down))
            self._displaced[entry] = tuple(each for each in found if self.differ(entry, each[0]))
        return self._displaced[entry]

    def _line_up(self) -> None:
        """Keep the first look's faces as rows, ready to be compared."""
        self._rows = self.coarse.reshape(len(self.names), -1)
        self._squares = self._rows * self._rows
        self._sums = summed(self._squares.reshape(len(self.names), -1, 3))
        self._powers = self._sums.sum(axis=1)

    def lit(self, picture: Image, face: int) -> Floats:
        """A picture of a face in its light, balanced."""
        return np.asarray(cv2.LUT(picture, self._tables[face if len(self._tables) > 1 else 0]), np.float32)

    def taught(self, entry: int) -> Floats:
        """An entry at the close look's resolution, as it was taught."""
        return self._plain.fine(entry)

    def printed(self, one: int, other: int) -> Floats:
        """What sets two entries apart as they were taught."""
        return self.taught(one) - self.taught(other)

    def _reduced(self, face: int, blur: float, scales: Sequence[float]) -> list[Image]:
        """A face without its rim, softened by `blur` (mm), at each of the scales (px/mm).

        A camera mixes light, and not the bytes that show it: thin black lines on white are paler than half of them.
        What is coarser than its photo is cut out of that.
        """
        picture, taught = self._faces[face].image, self._faces[face].scale
        soft, rim = _soft(exposure.linear(picture), blur * taught), int(RIM_MM * taught)
        rows, columns = picture.shape[:2]
        inner = cv2.getRectSubPix(soft, (columns - 2 * rim, rows - 2 * rim), ((columns - 1) / 2, (rows - 1) / 2))
        photo = exposure.pictured(cv2.resize(inner, self._side(FINE), interpolation=cv2.INTER_AREA))
        # down to a half, pixels of cut-outs lie between those of a photo
        hows = [cv2.INTER_LINEAR if scale > 0.49 * FINE else cv2.INTER_AREA for scale in scales]
        sides = [self._side(scale) for scale in scales]
        return [
            np.asarray(cv2.resize(photo, side, interpolation=how), np.uint8)
            for side, how in zip(sides, hows, strict=True)
        ]

    def _side(self, scale: float) -> tuple[int, int]:
        """So many pixels are a face across and down, without its rim."""
        width, height = (max(4, round(side * scale)) for side in self.window)
        return width, height

    def fine(self, entry: int) -> Floats:
        """An entry at the close look's resolution: h × w × 3."""
        what = self.entries[entry]
        if what.face not in self._fine:
            if what.face not in self._close:
                (self._close[what.face],) = self._reduced(what.face, self._blur, (self.scale,))
            self._fine[what.face] = evened(self.lit(self._close[what.face], what.face), self.scale)
        return _turned(self._fine[what.face], what.quarters)

    def coarsely(self, entry: int) -> Floats:
        """An entry at the first look's resolution."""
        what = self.entries[entry]
        return _turned(self.coarse[what.face], what.quarters)

    def picture(self, entry: int) -> Image:
        """An entry's picture at the first look's resolution, as it was taught."""
        what = self.entries[entry]
        return _turned(self.pictures[what.face], what.quarters)

    @property
    def prints(self) -> Prints:
        """All entries' pictures, to tell lights by."""
        if self._prints is None:
            self._prints = Prints(np.stack([self.picture(entry) for entry in range(len(self.entries))]))
        return self._prints

    def likeness(self, values: Floats, weight: Floats | None) -> Floats:
        """How like each entry a picture (of `coarse_shape`) is: correlation under the weight, up to 1.

        The weight may be one for each channel (h × w × 3), one for all (h × w), or None where it is 1 everywhere.

        The picture is turned instead of the faces: a few numbers, where all faces in all turns would be many.
        """
        seen = _products(np.stack([_turned(values, -q).ravel() for q in self.turns]), self._rows)
        own = self._powers
        if weight is not None:
            squares = self._sums if weight.ndim == 2 else self._squares
            own = _products(np.stack([_turned(weight, -q).ravel() for q in self.turns]), squares)
        power = float(np.vdot(values, values))
        like = seen / np.sqrt(np.maximum(own * power, 1e-6))
        return np.asarray(like.ravel(), np.float32)

    def sloping(self, entry: int) -> Sloping:
        """How an entry changes with where it lies; what was asked for last is kept, but not for each of many lights."""
        kept = self._sloping.pop(entry, None) or Sloping.of(summed(self.fine(entry)), self.scale, self.window)
        if self.light is not None:
            return kept
        self._sloping[entry] = kept
        if len(self._sloping) > KEPT:
            del self._sloping[next(iter(self._sloping))]
        return kept

    def part(self, face: int, quarters: int, place: Pose, shape: tuple[int, int]) -> Image:
        """What a face turned by `quarters` shows at a place (mm from its middle), in `shape` (rows, columns) pixels."""
        scale = self._faces[face].scale
        picture = np.rot90(self._faces[face].image, -quarters)
        corners = place.corners() * scale + (np.array(picture.shape[1::-1]) - 1) / 2
        columns, rows = shape[1], shape[0]
        fewer = scale * place.size[0] / columns  # face pixels to a pixel of the patch
        margin = int(2 * fewer + 4 * self._blur * scale) + 4  # more than is blurred into
        left, top = np.maximum(corners.min(axis=0) - margin, 0).astype(int).tolist()
        right, bottom = (corners.max(axis=0) + margin).astype(int).tolist()
        corners = corners - (left, top)
        smoother = 0.4 * fewer if fewer > 1 else 0.0  # one blur after another is one as wide as both
        light = exposure.linear(np.ascontiguousarray(picture[top:bottom, left:right]))
        light = _soft(light, math.hypot(self._blur * scale, smoother))
        target = np.array([(0, 0), (columns, 0), (columns, rows)], np.float32) - 0.5
        matrix = cv2.getAffineTransform(corners[:3].astype(np.float32), target)
        cut = cv2.warpAffine(light, matrix, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return exposure.pictured(cut)


def _products(few: Floats, many: Floats) -> Floats:
    """Each of a few rows times each of many: few × many."""
    # larger products at once would be laid out anew first, which takes many times as long
    starts = range(0, len(many), TOGETHER)
    return np.concatenate([few @ many[start : start + TOGETHER].T for start in starts], axis=1)


def _soft(light: Floats, deviation: float) -> Floats:
    """A picture in linear light, softened by so many pixels."""
    if not deviation:
        return light
    return np.asarray(cv2.GaussianBlur(light, (0, 0), deviation, borderType=cv2.BORDER_REPLICATE), np.float32)


def _turned(picture: Picture, quarters: int) -> Picture:
    """The picture turned clockwise by quarters."""
    if quarters % 4 == 0:
        return picture
    return np.asarray(cv2.rotate(picture, TURNS[quarters % 4 - 1]), picture.dtype)


def galleries(deck: Deck, blur: float = 0.0) -> list[Gallery]:
    """One gallery for each kind and size of the deck's faces."""
    groups: dict[tuple[str, tuple[float, float]], list[Face]] = {}
    for face in deck.faces:
        groups.setdefault((face.kind, face.size), []).append(face)
    return [Gallery(deck, faces, blur) for _, faces in sorted(groups.items())]
