"""Pieces that stand on a table or a board: figures, logs, statues; found as what the ground does not explain.

The ground is known: the taught print of a board, or the table itself. Taken away from the photo, and with its light,
it leaves what stands on it, in the colours it was taught in. Each colour's patches are then explained by as few
taught solids as will do, seen from where the camera is: blocks first, as they hide others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import solids
from vision.blocks import PLAIN_SIZE, BlockFinder
from vision.deck import Piece
from vision.explain import Explained, Explainer, Model
from vision.photo import Photo
from vision.scene import SCALE, Scene, lab
from vision.seen import Seen
from vision.solids import Example

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

COLOURS: Final = ("red", "yellow", "blue", "green", "purple", "black", "white", "orange", "brown", "grey")
STRANGE: Final = 0.10  #: chroma over lightness by which a pixel must differ from its ground
ROUGH: Final = 10.0  #: grey values by which a pixel must differ from its ground to be looked at
CHANGED: Final = 14  #: grey values by which something of the ground's own colour differs from it,
UNCHANGED: Final = 9  #: … and does not
CLEAR: Final = 0.6  #: share of the surroundings that must be table,
CLEAR_MM: Final = 8.0  #: … so far around a piece that stands on no known print
SPARE_MM: Final = 2.0  #: by which a block may stand beside where it is told
HALF: Final = 0.45  #: share of the whole way from the ground's colour to the piece's that a pixel must have gone
SHADE: Final = 0.4  #: how much a change of strength counts in what is darker and of the ground's hue: a shadow
SHADOW_HUE: Final = 7.0  #: degrees of hue that a shadow may change
SAME_HUE: Final = 14.0  #: degrees of hue that light may make of one colour
ALIKE: Final = 0.05  #: … and below which ground and paint cannot be told apart
LEAST_SEEN: Final = 0.6  #: share of a piece that must be seen
MOST_AGAINST: Final = 0.2  #: share of it where the ground may be seen instead
LEAST_MARGIN: Final = 0.035  #: by how many of its pixels it must explain more than the next best kind
MOST_LEFT: Final = 0.3  #: of its own pixels, how many around it may be left over
TORN: Final = 0.85  #: so many times as far from a hue as from another, and light may have made the one of the other
STRONG: Final = 0.75  #: quantile of a paint's strength from which its hue is plainest
PALE: Final = 0.12  #: chroma over lightness below which a colour is none
FADED: Final = 0.65  #: of the weakest strength a paint was taught in: what is weaker is not painted with it,
TINGED: Final = 0.3  #: … and what is stronger than this is not grey
PRINT: Final = "it may be the board's print"
HIDDEN: Final = "partly hidden"
UNPLACED: Final = "where it lies is not seen"
NEAR_MM: Final = 7.0  #: from where a figure stands to where the networks see the same one


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece where it stands. `why` is the reason for doubt, empty for a piece to act on.

    `printed` is whether the ground there is a known print, and not the bare table.
    """

    piece: str
    colour: str | None
    place: tuple[float, float]  # mm
    centre_px: tuple[float, float]
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    why: str = ""
    printed: bool = True


@dataclass(frozen=True, slots=True)
class Paint:
    """The colour that pieces share, as taught: hue in degrees, and its strength (chroma over lightness)."""

    hue: float
    weakest: float
    usual: float
    strongest: float

    @property
    def coloured(self) -> bool:
        """Whether it has a hue at all."""
        return self.strongest >= 2 * PALE

    def aside(self, hue: float) -> float:
        """How far a hue is from this one, 0 to 180 degrees."""
        return abs((hue - self.hue + 180) % 360 - 180)

    def distance(self, hue: Single, strength: Single) -> Single:
        """How far colours are from this one, whatever its shade, in units of chroma over lightness."""
        if not self.coloured:
            return np.asarray(np.maximum(0, strength - PALE) + 0.03, np.float32)
        turned = np.abs((hue - self.hue + 180) % 360 - 180)
        aside = strength * np.sin(np.radians(np.minimum(turned, 90))) + (turned > 90)
        beyond = np.maximum(0, 0.6 * self.weakest - strength) + 0.5 * np.maximum(0, strength - 1.3 * self.strongest)
        return np.asarray(aside + beyond, np.float32)

    def step(self, hue: Single, strength: Single) -> Single:
        """How far a full change from colours to this one would be: to its weaker or its stronger shade."""
        shades = (0.0,) if not self.coloured else (0.5 * (self.weakest + self.usual), self.strongest)
        cosine = np.cos(np.radians(hue - self.hue))
        squares = [strength**2 + s * s - 2 * s * strength * cosine for s in shades]
        return np.asarray(np.sqrt(np.maximum(0, np.min(squares, axis=0))), np.float32)

    def unlike(self, hue: Single, strength: Single) -> float:
        """0 when n pixels have the taught colour, 1 when they are as different as other light makes them.

        The strongest of them count: gloss makes a colour weaker, nothing makes it stronger.
        """
        middle = np.degrees(np.angle(np.exp(1j * np.radians(hue)).mean()))
        turned = self.aside(float(middle)) / 15
        deep = float(np.quantile(strength, 0.9))
        return float(np.hypot(turned, np.log(max(deep, 0.02) / max(self.strongest, 0.02)) / 0.4))


def split(name: str) -> tuple[str, str | None]:
    """The piece and the colour in a taught name.

    >>> split("worker-red"), split("moai-size-2")
    (('worker', 'red'), ('moai-size-2', None))
    """
    head, _, tail = name.rpartition("-")
    return (head, tail) if tail in COLOURS and head else (name, None)


class Figures:
    """The pieces of one deck, learned from its taught examples, and how to find them."""

    def __init__(self, taught: Sequence[Piece]) -> None:
        groups: dict[str, list[Example]] = {}
        colours: dict[str, list[Single]] = {}
        names: dict[str, str] = {}
        for piece in taught:
            stem, colour = split(piece.name)
            paint = colour or re.sub(r"-size-\d+$", "", stem)
            mask = bright(piece)
            groups.setdefault(stem, []).append(Example(mask, piece.scale, np.array(piece.eye), _lit(piece, mask)))
            inner = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
            colours.setdefault(paint, []).append(lab(piece.image)[inner])
            names[piece.name] = paint
        shapes = {
            stem: solids.learned(e, solids.SHAPES[stem])[0] for stem, e in groups.items() if stem in solids.SHAPES
        }
        paints = {name: _paint(np.concatenate(seen)) for name, seen in colours.items()}
        families = _families(paints)
        self.colours = tuple(paints.values())
        order = list(paints)
        self._firsts = [order.index(names[0]) for names in families]
        self.paints = tuple(self.colours[first] for first in self._firsts)
        self.models = [
            [
                Model(name, order.index(paint), shapes[split(name)[0]])
                for name, paint in names.items()
                if paint in family and split(name)[0] in shapes
            ]
            for family in families
        ]

    def shown(self, hues: Mapping[str, float]) -> Figures:
        """The same pieces, their paints (by the name of their colour) as a photo's light shows their hues (degrees)."""
        colours = {m.colour: split(m.name)[1] or "" for models in self.models for m in models}
        other = copy(self)
        other.colours = tuple(
            replace(paint, hue=hues.get(colours.get(number, ""), paint.hue))
            for number, paint in enumerate(self.colours)
        )
        other.paints = tuple(other.colours[first] for first in self._firsts)
        return other

    def find(
        self, photo: Photo, scene: Scene, within: Floats | None = None, stands: Callable[[Standing], bool] | None = None
    ) -> list[Standing]:
        """Every piece on the photo, sure ones and doubtful; `scene` is what the photo shows, and the bare ground.

        With `within` only those near a box (low and high corner, mm) are told. `stands` says whether a block that is
        not doubted here is there by another look too: then it hides what is behind it.
        """
        if not any(self.models):
            return []
        labels, alike = self.labelled(scene)
        light = cv2.absdiff(*(cv2.cvtColor(v, cv2.COLOR_BGR2GRAY) for v in (scene.seen, scene.ground)))
        behind, stood = np.zeros((2, *labels.shape), bool)
        found: list[Standing] = []
        for family, models in sorted(enumerate(self.models, 1), key=lambda pair: not _blocks(pair[1])):
            if not models:
                continue
            twin = alike == family
            mine = (labels == family) | (twin & (light > CHANGED))
            mine = mine if within is None else _reaching(mine, (within - scene.origin) * SCALE)
            several = len({m.colour for m in models}) > 1
            explainer = Explainer(
                scene, models, mine, (labels == 0) & ~twin & ~scene.hidden & ~behind,
                twin & (light < UNCHANGED) & ~behind, stood, self._unlike if several else None,
            )  # fmt: skip
            if _blocks(models):
                explained = BlockFinder(scene, models).explained(list(explainer.patches()))
            else:
                explained = explainer.explained()
            there = [e for e in explained if _free(scene, e)]
            told = [standing(e, photo, bool(scene.print[_pixel(scene, e)[::-1]])) for e in there]
            found += told
            for e, figure in zip(there, told, strict=True):
                if e.model.solid.block and stands is not None and not figure.why and stands(figure):
                    behind |= _drawn(scene, e.model.solid.parts(e.place, e.turn, scene.eye))
                    stood |= _drawn(scene, [e.model.solid.grown(-SPARE_MM).outline(e.turn) + e.place])
        return found

    def alike(self, figure: Standing) -> list[str]:
        """The names of the taught pieces whose paints light makes like a figure's."""
        own = f"{figure.piece}-{figure.colour}" if figure.colour else figure.piece
        return next(names for names in ([m.name for m in models] for models in self.models) if own in names)

    def nearest(self, bgr: NDArray[np.floating], piece: str) -> str | None:
        """The taught piece of this kind whose paint a colour (B, G, R, 0 to 255) is nearest to; None where none is."""
        hue, strength, _ = _hsl(np.clip(bgr, 0, 255).astype(np.uint8)[None])
        kind = [m for models in self.models for m in models if split(m.name)[0] == piece]
        alike = [(float(self.colours[m.colour].distance(hue, strength)[0]), m.name) for m in kind]
        return min(alike)[1] if alike else None

    def torn(self, bgr: NDArray[np.floating], name: str) -> str | None:
        """The taught piece of this name's kind to whose hue a colour (B, G, R, 0 to 255) is nearly as near, if any.

        Those that light could make alike are told apart by more than their hue.
        """
        hue = hue_of(bgr)
        own = 0.0
        away: dict[str, float] = {}
        for models in self.models:
            kind = [m for m in models if split(m.name)[0] == split(name)[0]]
            far = {m.name: self.colours[m.colour].aside(hue) for m in kind if self.colours[m.colour].coloured}
            if name in far:
                own = far[name]
            else:
                away |= far
        other = min(away, key=lambda one: away[one], default=None)
        return other if other is not None and own > TORN * away[other] else None

    def unpainted(self, bgr: NDArray[np.floating], name: str, faded: float = FADED) -> bool:
        """Whether no light makes a taught piece's paint this colour: far too weak for it, or for grey too strong.

        It is where it has less than `faded` times the weakest strength in which the paint was taught.
        """
        _, strength, _ = _hsl(np.clip(bgr, 0, 255).astype(np.uint8)[None])
        paint = next(self.colours[m.colour] for models in self.models for m in models if m.name == name)
        return bool(strength[0] < faded * paint.weakest if paint.coloured else strength[0] > TINGED)

    def _unlike(self, model: Model, seen: Image) -> float:
        """0 when the pixels have a model's taught colour, up to 1 the less they do."""
        hue, strength, _ = _hsl(seen)
        return min(1.0, self.colours[model.colour].unlike(hue, strength) / 2)

    def labelled(self, scene: Scene) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """For every pixel the number of the paint it has (0 for ground), and of the paint its ground looks like."""
        rough = cv2.inRange(cv2.absdiff(scene.seen, scene.ground), (0, 0, 0), (ROUGH, ROUGH, ROUGH)) == 0
        rough &= ~scene.hidden
        y, x = np.nonzero(cv2.dilate(rough.astype(np.uint8), np.ones((9, 9), np.uint8)))
        if not len(y):  # a bare table, as even as can be
            return np.zeros(rough.shape, np.uint8), np.zeros(rough.shape, np.uint8)
        hue, strength, light = _hsl(scene.seen[y, x])
        ground_hue, ground_strength, ground_light = _hsl(scene.ground[y, x])
        turn = np.cos(np.radians(hue - ground_hue))
        apart = np.sqrt(np.maximum(0, strength**2 + ground_strength**2 - 2 * strength * ground_strength * turn))
        lighter = light - ground_light
        same_hue = turn > np.cos(np.radians(SHADOW_HUE))
        apart = np.where(same_hue & (lighter < -3), SHADE * apart, apart)
        strange = np.hypot(apart, np.where(lighter > 0, 0.008, 0.002) * lighter)
        labels, alike, maybe = np.zeros((3, *scene.hidden.shape), np.uint8)
        alike[y, x] = self._pale(ground_hue, ground_strength)
        maybe[y, x] = strange > STRANGE
        near = cv2.dilate(maybe, np.ones((9, 9), np.uint8))[y, x] > 0  # what is farther away has no say
        y, x, hue, strength, strange = y[near], x[near], hue[near], strength[near], strange[near]
        away = np.stack([p.distance(hue, strength) for p in self.paints])
        nearest = away.argmin(axis=0)
        whole = np.choose(nearest, [p.step(ground_hue[near], ground_strength[near]) for p in self.paints])
        bound = np.maximum(STRANGE, HALF * whole)
        # noise goes to either side of the bound, what stands there to one
        over = np.zeros(scene.hidden.shape, np.float32)
        over[y, x] = np.clip(strange / bound - 1, -1, 1)
        mostly_over = cv2.GaussianBlur(over, (5, 5), 0)[y, x] > 0
        standing = mostly_over & (away.min(axis=0) < strange) & ~scene.hidden[y, x]
        labels[y, x] = np.where(standing, nearest + 1, 0)
        # a pixel belongs to a piece from half way between the ground's colour and the piece's own around there
        deep = np.zeros(labels.shape, np.float32)
        deep[y, x] = np.where(standing, strange, 0)
        usual = cv2.blur(deep, (9, 9)) / np.maximum(cv2.blur((labels > 0).astype(np.float32), (9, 9)), 1e-3)
        labels[deep < HALF * usual] = 0
        left, top, width, height = cv2.boundingRect(labels)
        box = slice(max(0, top - 4), top + height + 4), slice(max(0, left - 4), left + width + 4)
        around = cv2.medianBlur(labels[box], 9)  # a piece is of one colour, whatever its shades
        labels[box] = np.where((labels[box] > 0) & (around > 0), around, labels[box])
        return labels, alike

    def _pale(self, hue: Single, strength: Single) -> NDArray[np.uint8]:
        """The number of the paint without a hue that ground of these colours looks like; 0 where it has a hue."""
        found = np.zeros(hue.shape, np.uint8)
        for number in (number for number, paint in enumerate(self.paints) if not paint.coloured):
            like = np.flatnonzero(self.paints[number].distance(hue, strength) < ALIKE)
            away = [p.distance(hue[like], strength[like]) for p in self.paints]
            found[like[np.argmin(away, axis=0) == number]] = number + 1
        return found


def strongest(bgr: Image) -> Image:
    """The strongest of the colours (n × 3) of something painted: gloss makes a paint weaker, nothing stronger."""
    strength = _hsl(bgr)[1]
    return bgr[strength >= np.quantile(strength, STRONG)]


def hue_of(bgr: NDArray[np.floating]) -> float:
    """The hue of a colour (B, G, R, 0 to 255), degrees."""
    return float(_hsl(np.clip(bgr, 0, 255).astype(np.uint8)[None])[0][0])


def bright(piece: Piece) -> Image:
    """The silhouette of a taught piece (255), without the shadow beside it: what is half way to its own colour."""
    seen = lab(cv2.GaussianBlur(piece.image, (3, 3), 0))
    ring = cv2.dilate(piece.mask, np.ones((9, 9), np.uint8)) == 0
    ground = np.median(seen[ring], axis=0)
    apart = np.linalg.norm(seen[..., 1:] / (seen[..., :1] + 16) - ground[1:] / (ground[0] + 16), axis=-1)
    lighter = np.maximum(0, seen[..., 0] - ground[0])
    away = np.hypot(apart, 0.008 * lighter)
    usual = float(np.median(away[cv2.erode(piece.mask, np.ones((5, 5), np.uint8)) > 0]))
    kept = (piece.mask > 0) & (away > max(STRANGE / 2, HALF * usual))
    mask = cv2.morphologyEx(np.where(kept, 255, 0).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return piece.mask
    return np.where(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), 255, 0).astype(np.uint8)


def _lit(piece: Piece, mask: Image) -> Image:
    """The brighter part of a taught piece (255)."""
    light = cv2.cvtColor(cv2.GaussianBlur(piece.image, (5, 5), 0), cv2.COLOR_BGR2GRAY)
    level, _ = cv2.threshold(light[mask > 0][:, None], 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.where((mask > 0) & (light > level), 255, 0).astype(np.uint8)


def _hsl(colours: Image) -> tuple[Single, Single, Single]:
    """Hue in degrees, chroma over lightness, and lightness, of n BGR colours of 0–255."""
    seen = lab(colours[:, None])[:, 0]
    hue = np.degrees(np.arctan2(seen[:, 2], seen[:, 1])) % 360
    strength = np.hypot(seen[:, 1], seen[:, 2]) / (seen[:, 0] + 16)
    return np.asarray(hue, np.float32), np.asarray(strength, np.float32), seen[:, 0]


def _paint(seen: Single) -> Paint:
    relative = seen[:, 1:] / (seen[:, :1] + 16)
    a, b = relative.mean(axis=0)
    weakest, usual, strongest = np.quantile(np.linalg.norm(relative, axis=1), [0.05, 0.5, 0.95])
    hue = float(np.degrees(np.arctan2(b, a)) % 360)
    return Paint(hue, float(weakest), float(usual), float(usual if usual < PALE else strongest))


def _families(paints: Mapping[str, Paint]) -> tuple[tuple[str, ...], ...]:
    """Names of paints, those together that light could make alike."""
    families: list[list[str]] = []
    for name, paint in paints.items():
        for family in families:
            other = paints[family[0]]
            close = other.aside(paint.hue) < SAME_HUE
            if close and paint.coloured == other.coloured:
                family.append(name)
                break
        else:
            families.append([name])
    return tuple(tuple(f) for f in families)


def _reaching(mine: Mask, box: Floats) -> Mask:
    """Of the connected patches of a mask those that reach into a box (low and high corner, pixels)."""
    (left, top), (right, bottom) = np.maximum(box, 0).astype(int)
    joined = cv2.dilate(mine.astype(np.uint8), np.ones((3, 3), np.uint8))
    _, numbers = cv2.connectedComponents(joined)
    return np.asarray(mine & np.isin(numbers, np.unique(numbers[top : bottom + 1, left : right + 1])))


def _blocks(models: Sequence[Model]) -> bool:
    return all(m.solid.block for m in models)


def _drawn(scene: Scene, outlines: list[Floats]) -> Mask:
    """Where a scene shows any of these outlines (mm)."""
    rows, columns = scene.hidden.shape
    return np.asarray(solids.silhouette(outlines, (rows, columns), SCALE, scene.origin) > 0)


def _free(scene: Scene, explained: Explained) -> bool:
    """Whether it stands on a known print or has bare table around: not on a stranger's card, not on a sleeve.

    Around what is well seen there may also be a known print, or a shadow, or itself, as it is seen leaning.
    """
    x, y = _pixel(scene, explained)
    rows, columns = scene.print.shape
    if not (0 <= x < columns and 0 <= y < rows):
        return False
    if scene.print[y, x]:
        return True
    solid, place = explained.model.solid, explained.place
    away = solid.length + CLEAR_MM
    at = (place - scene.origin) * SCALE - 0.5
    if float(scene.table.around(at[None], np.array([away * SCALE]))[1][0]) > CLEAR:
        return True
    if explained.seen < LEAST_SEEN:
        return False
    parts = [part.astype(np.float32) for part in solid.parts(place, explained.turn, scene.eye)]
    around = [
        p for p in place + solids.CIRCLE * away if all(cv2.pointPolygonTest(part, p, False) < 0 for part in parts)
    ]
    return bool(around) and float(scene.clear(np.array(around)).mean()) > CLEAR


def _pixel(scene: Scene, explained: Explained) -> tuple[int, int]:
    """The column and the row of the scene where a piece stands."""
    x, y = np.rint((explained.place - scene.origin) * SCALE - 0.5)
    return int(x), int(y)


def standing(explained: Explained, photo: Photo, printed: bool) -> Standing:
    """The piece as it is reported, with its doubt.

    Where the ground is no known print, all of a patch must be explained: its veins are as long as logs. A log of which
    much is hidden may lie anywhere along what is seen, if more of that is left.
    """
    px = (photo.plane.to_px(explained.place)[0] + 0.5) / photo.factor - 0.5
    name, colour = split(explained.model.name)
    long = explained.model.solid.foot == "square" and not explained.model.solid.block
    doubts = {
        PRINT: -float(explained.printed),
        UNPLACED: max(explained.seen - LEAST_SEEN, MOST_LEFT - explained.rest) if long else 0.0,
        HIDDEN: explained.seen - LEAST_SEEN,
        "its outline does not fit": MOST_AGAINST - explained.against,
        f"may be {explained.rival}": explained.margin - (PLAIN_SIZE if explained.model.solid.block else LEAST_MARGIN),
        "something is beside it": MOST_LEFT - (explained.left if printed else explained.rest),
    }
    why = next((reason for reason, spare in doubts.items() if spare < 0), "")
    share = float(np.clip(0.5 + explained.margin, 0.5, 0.99)) if explained.rival else 0.99
    candidates = ((explained.model.name, round(share, 3)), (explained.rival, round(1 - share, 3)))
    place, centre = (float(explained.place[0]), float(explained.place[1])), (float(px[0]), float(px[1]))
    confidence = 0.5 * share if why else 0.9 + 0.09 * min(1.0, explained.seen)
    named = candidates[: 2 if explained.rival else 1]
    return Standing(name, colour, place, centre, round(confidence, 3), named, why, printed)


def seen_at(figure: Seen | Standing, eye: Floats) -> list[Floats]:
    """Where a figure's foot is seen on the table (mm), and a block's top."""
    solid, foot = solids.SHAPES[figure.piece], np.array([figure.place])
    return [foot[0], solids.lifted(foot, solid.height, eye)[0]] if solid.block else [foot[0]]
