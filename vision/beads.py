"""Glass beads and other small round tokens: where each lies and which colour it has, or that it cannot be told.

A bead is a disc of one hue, of the size that all beads of this table share, with bare table or other beads around
it. Edges vote for circles; each candidate is then unrolled around its centre and measured. Printed beads lie on
cards, not on the table top, so they fall out.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision import background, caustics, circles, colour, glints, roundness
from vision.spots import RADII_MM, Plane, Small, Voters, px_per_mm
from vision.topview import padded

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

SOFTER = np.array([0.25, 0.5, 0.25])  # how much three pixels in a row count where the photo is softened
HALVES_UP = 1 / 64  # grey values; more than nothing, and less than there is between a half and the next sixteenth
MEASURED = 1.7  # pixels a millimetre at which candidates are measured, at most
WORKING = 0.85  # pixels a millimetre at which circles are looked for
ANGLES = 28
REACH = np.arange(0.05, 1.76, 0.05, dtype=np.float32)  # in radii, where a candidate is sampled
INNER, OUTER = slice(0, int(np.sum(REACH < 0.6))), slice(int(np.sum(REACH <= 1.4)), None)
SAMPLE = 2  # of so many directions, one tells the colours within and without
TURN = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
LIGHTNESS = np.float32(0.5)  # counts so much of a colour: a glass bead's rim is dark before it is colourless
SAME_HUE = 20  # degrees by which a pixel may be off its disc's hue,
SAME_STRENGTH = 0.4  # … and the share of the strength of its colour that it must have
FAINT = 0.6  # the faintest edge that is told from none at all
MOST_OFF = 2.0  # radii by which a disc may be off before it is fitted
LOOSE, TIGHT = (
    0.22,
    0.12,
)  # how far an edge may be from where it is expected, in radii, before and after the size is known
BASE = np.stack([np.ones(ANGLES), np.cos(TURN), np.sin(TURN)], 1)
SQUARES = (BASE[:, :, None] * BASE[:, None]).reshape(ANGLES, 9)  # each of them times each
CLEAR = (0.4, 0.8)  # share of bare table around a disc from which it may lie there, and from which it surely does
BESIDE = 0.2  # share of bare table around a disc from which more of it, in less light, is its shadow
WHOLE, SOME = 0.9, 0.5  # … and the share of its outline that is then seen, among other things and where all is strewn
ROUND = 0.08  # … and how far that may be from an ellipse, radii: beads hardly ever 0.08, corners of cards 0.11
SURE = 0.72  # of the weakest of all signs; below it a bead is a question
PLAIN = 0.95  # … and below this it must be as round as beads are: the tip of something coloured is not
WORTH_ASKING = 0.2
PINK = 0.5  # red that is less strong goes by that name


@dataclass(frozen=True, slots=True)
class Hue:
    """A name and the hues (degrees in Lab, under white light) that go by it, from `low` up to `high`.

    A colour at least as strong (chroma over lightness) as `plain` surely goes by it: pale red is pink.
    """

    name: str
    low: float
    high: float
    plain: float = 0.3


PALETTE = (Hue("red", 335, 53, PINK), Hue("yellow", 61, 117), Hue("green", 126, 205), Hue("blue", 235, 318))
SIX = (  # the same where there may be orange or purple ones, too: each has less room
    Hue("red", 8, 46, PINK), Hue("orange", 50, 70), Hue("yellow", 74, 113),
    Hue("green", 122, 205), Hue("blue", 235, 303), Hue("purple", 308, 340),
)  # fmt: skip
BROWN = Hue("brown", 30, 80, 0.2)  #: a dark red or orange; `vision.namesakes` tells it from those


def named(names: Collection[str]) -> tuple[Hue, ...]:
    """The hues that go by these names, as far apart as they can be; names of no hue are left out."""
    four = {hue.name for hue in PALETTE}
    hues = PALETTE if {hue.name for hue in (*SIX, BROWN)}.intersection(names) <= four else (*SIX, BROWN)
    return tuple(hue for hue in hues if hue.name in names)


def by_hue(palette: Sequence[Hue]) -> tuple[Hue, ...]:
    """Those of a palette that hue alone tells: not brown where there may be red or orange ones."""
    ruddy = {"red", "orange"} & {hue.name for hue in palette}
    return tuple(hue for hue in palette if not ruddy or hue.name != BROWN.name)


@dataclass(frozen=True, slots=True)
class Bead:
    """One bead. `why` is the reason for doubt, empty for a bead to act on; `candidates` are colours, likely first.

    `look` is its hue (degrees), and the logarithms of its strength (chroma over lightness) and lightness; `glint` the
    place, in radii from its middle, where a lamp is mirrored.
    """

    colour: str
    centre_px: tuple[float, float]
    centre_mm: tuple[float, float]
    radius_px: float
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    why: str = ""
    look: tuple[float, float, float] = (0.0, 0.0, 0.0)
    glint: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Looks:
    """What is measured about n candidate discs; every array's first axis is n."""

    centre: Doubles  # px
    radius: Doubles  # px
    size_mm: Doubles  # radius on the table
    outline: NDArray[np.bool_]  # n × angles: an edge is there, where a circle wants it
    even: Doubles  # share of the disc that has the disc's own hue
    hue: Doubles  # degrees
    lab: Doubles  # n × 3, as in the photo
    strength: Doubles  # of the colour: chroma relative to lightness

    @property
    def support(self) -> Doubles:
        """Share of the outline that is seen; where another disc with an outline of its own touches it need not be."""
        seen = self.outline.mean(axis=1)
        x, y = self.centre.T
        # discs with an outline of their own (i) that are near enough to others (j) to touch them
        away = np.hypot(x - x[:, None], y - y[:, None])
        near = away < 0.95 * self.radius[:, None] + 1.2 * self.radius
        i, j = np.nonzero((seen > 0.5)[:, None] & near & (away > 1.4 * self.radius[:, None]))
        beside_x = (x[j] - x[i])[:, None] + 1.2 * self.radius[j, None] * np.cos(TURN)
        beside_y = (y[j] - y[i])[:, None] + 1.2 * self.radius[j, None] * np.sin(TURN)
        touched = np.zeros_like(self.outline)
        np.logical_or.at(touched, j, np.hypot(beside_x, beside_y) < 0.95 * self.radius[i, None])
        counts = self.outline | ~touched
        return np.asarray(self.outline.sum(axis=1) / np.maximum(ANGLES / 3, counts.sum(axis=1)), np.float64)


def find(
    image: Image,
    plane: Plane,
    covered: Image | None = None,
    markers: Sequence[ArrayLike] = (),
    palette: Sequence[Hue] = PALETTE,
    window: tuple[int, int, int, int] | None = None,
    asked: Image | None = None,
    strewn: bool = False,
) -> list[Bead]:
    """Every bead on the table top of a BGR photo, sure ones and doubtful ones (those have a `why`).

    `covered` is nonzero where components lie; `markers` are the corners (4 × 2, px) of printed markers: nothing is
    looked for on them, and their paper tells which colour white has in this light. With a `window` (left, top, right,
    bottom) only that part of the photo is looked at, and where nothing `asked` for (nonzero) can be a bead, no farther.
    With `strewn` there is hardly more than small round things, so pale ones hide no table, and all may throw shadows.
    """
    squares = [np.asarray(m, np.float64).reshape(4, 2) for m in markers]
    palette = by_hue(palette)
    white = colour.paper(image, squares)
    if window is None:
        return _found(image, plane, covered, squares, palette, white, strewn)
    left, top, right, bottom = window
    part, there = (None if mask is None else mask[top:bottom, left:right] for mask in (covered, asked))
    squares = [square - (left, top) for square in squares]
    found = _found(
        image[top:bottom, left:right], plane.cropped(left, top), part, squares, palette, white, strewn, there
    )
    return [replace(bead, centre_px=(bead.centre_px[0] + left, bead.centre_px[1] + top)) for bead in found]


def _found(
    image: Image,
    plane: Plane,
    covered: Image | None,
    squares: Sequence[Doubles],
    palette: Sequence[Hue],
    white: Doubles | None,
    strewn: bool,
    asked: Image | None = None,
) -> list[Bead]:
    """Every bead of a photo whose `squares` are markers, and in which white paper shows as `white` linear light.

    None where nothing that is `asked` for can be a bead.
    """
    middle = np.array([[image.shape[1] / 2, image.shape[0] / 2]])
    counting = (OUTLINE, EVEN, SIZE) if strewn else (OUTLINE, EVEN, PALE, SIZE)  # for a disc of whatever colour
    scale_there = float(px_per_mm(plane, middle)[0])
    factor = min(1.0, MEASURED / scale_there)
    soft = _softened(_reduced(image, factor))
    plane = plane.resized(factor)
    small = Small.of(
        soft, min(1.0, WORKING / (factor * scale_there)), covered, [(q + 0.5) * factor - 0.5 for q in squares]
    )
    photo = padded(soft)
    voters = Voters.of(small, plane)
    centre, radius = voters.candidates()
    if not len(centre) or (asked is not None and not voters.near(asked, centre, MOST_OFF * radius).any()):
        return []
    scale = px_per_mm(plane, centre)
    chance = _chance(photo, small, float(np.median(radius)))
    centre, radius, _ = _fitted(photo, centre, radius, LOOSE, chance)
    looks = _measured(photo, *_fitted(photo, centre, radius, LOOSE, chance), scale, white)
    alone = looks.size_mm
    table = _table(small.halved(), looks, _signs(looks, np.ones(len(centre)), palette)[:, counting], looks.radius)
    size = _common_size(looks, _clear(photo, looks, table, looks.radius, strewn)[0])
    if size is None:
        return []
    centre, first = looks.centre, len(alone)
    more = voters.drawn_aside(size, centre, size * looks.radius / alone, alone, looks.support, looks.strength)
    if len(more):
        per_mm = px_per_mm(plane, more)
        more, radius, _ = _fitted(photo, more, size * per_mm, LOOSE, chance)
        centre, scale = np.concatenate([centre, more]), np.concatenate([scale, per_mm])
        alone = np.concatenate([alone, radius / per_mm])
    looks = _measured(photo, *_fitted(photo, centre, size * scale, TIGHT, chance), scale, white)
    signs = _signs(looks, alone / size, palette)
    seen = signs[first:, OUTLINE]  # of what was drawn aside its shadow may be told as a disc
    within = np.linalg.norm(glints.found(photo, looks.centre[first:], looks.radius[first:]), axis=1) < glints.WITHIN
    signs[first:, OUTLINE] = np.where((seen < WHOLE) | ~within, SURE * seen * 0.99, seen)
    table = _table(small, looks, signs[:, counting], size * scale)
    signs = np.column_stack(
        [signs, _on_table(looks, signs, *_clear(photo, looks, table, size * scale, strewn)), _unlike(looks, table)]
    )
    places = plane.to_mm(looks.centre, size)
    best = _apart(looks, signs, WORTH_ASKING)
    names = names_of(looks.hue[best], palette)
    shining = glints.found(photo, looks.centre[best], looks.radius[best])
    told = [
        _bead(looks, i, places[i], signs[i], named, factor, glint)
        for i, named, glint in zip(best, names, shining, strict=True)
    ]
    return [bead if _touched(bead, told) else rounded(bead, photo, factor) for bead in told]


def _reduced(image: Image, factor: float) -> Image:
    """The photo made smaller, or itself."""
    if factor >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _softened(image: Image) -> Image:
    """The photo as cv2.GaussianBlur has it within 3 × 3 pixels, in a third of the time: that rounds halves up."""
    return np.asarray(cv2.sepFilter2D(image, -1, SOFTER, SOFTER, delta=HALVES_UP), np.uint8)


def _lab(bgr: Image) -> Floats:
    """Lab of an (n, angles, reach, 3) array of BGR bytes."""
    n, angles, reach, _ = bgr.shape
    values = bgr.reshape(n * angles, reach, 3) * np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(values, cv2.COLOR_BGR2Lab), np.float32).reshape(bgr.shape)


def _outlines(image: Image, centre: Doubles, radius: Doubles, loose: float) -> tuple[Doubles, Doubles]:
    """Where (in radii) each of n discs ends in every direction, and how much its colour falls off there: n × angles."""
    lab = _lab(circles.unrolled(image, centre, radius, REACH, ANGLES))
    lab[..., 0] *= LIGHTNESS
    lab = np.asarray((np.roll(lab, 1, axis=1) + lab + np.roll(lab, -1, axis=1)) / 3, np.float32)
    few = np.moveaxis(lab[:, ::SAMPLE], 3, 1)
    inner, outer = (_medians(few[..., part].reshape(len(lab), 3, -1)) for part in (INNER, OUTER))
    across = (inner - outer) / np.maximum(np.linalg.norm(inner - outer, axis=1, keepdims=True), 1e-3)
    off = lab[:, :, :-3] - lab[:, :, 3:]
    # channel by channel: numpy's sums along a short axis take several times as long
    step = sum(off[..., channel] * across[:, channel, None, None] for channel in range(3))
    place = REACH[:-3] + (REACH[3] - REACH[0]) / 2
    strongest = np.argmax(step * np.exp(-0.5 * ((place - 1) / loose) ** 2), axis=2)
    return place[strongest].astype(np.float64), np.take_along_axis(step, strongest[..., None], 2)[..., 0]


def _medians(values: Floats) -> Floats:
    """Medians along the last axis: short rows are sorted ten times as fast as numpy finds their medians."""
    middle = values.shape[-1] // 2
    ordered = np.sort(values, axis=-1)
    return np.asarray((ordered[..., middle] + ordered[..., -middle - 1]) / 2, np.float32)


def _chance(photo: Image, small: Small, radius: float) -> float:
    """How strong an edge the texture and noise of this photo give where there is no disc."""
    height, width = small.hidden.shape
    x, y = np.meshgrid((np.arange(10) + 0.5) * width / 10, (np.arange(7) + 0.5) * height / 7)
    places = np.stack([x.ravel(), y.ravel()], 1)
    free = places[small.hidden[places[:, 1].astype(np.intp), places[:, 0].astype(np.intp)] == 0] / small.factor
    if not len(free):
        return FAINT
    return max(FAINT, float(np.median(_outlines(photo, free, np.full(len(free), radius), TIGHT)[1])))


def _fitted(
    image: Image, centre: Doubles, radius: Doubles, loose: float, chance: float
) -> tuple[Doubles, Doubles, NDArray[np.bool_]]:
    """Centre and radius of n discs drawn to their strongest edge, and in which directions (n × angles) that is one.

    `loose` says how far, in radii, an edge may well be from where it is expected; an edge counts from twice `chance`
    and from a share of the clear part of the outline.
    """
    edge, size = _outlines(image, centre, radius, loose)
    weight = np.clip(size / 20, 0, 1)
    shape = np.tile(np.array([1.0, 0, 0]), (len(centre), 1))
    for _ in range(4):
        agree = weight * np.exp(-0.5 * ((edge - shape @ BASE.T) / 0.12) ** 2)
        normal = (agree @ SQUARES).reshape(-1, 3, 3) + 1e-3 * np.eye(3)
        right = (agree * edge) @ BASE + np.array([1e-3, 0, 0])
        shape = np.linalg.solve(normal, right[..., None])[..., 0]
        shape[:, 0] = np.clip(shape[:, 0], 1 - loose, 1 + loose)
    place, share = divmod(0.75 * (ANGLES - 1), 1)
    low, high = np.sort(size, axis=1)[:, int(place) : int(place) + 2].T
    least = np.maximum(2 * chance, 0.3 * (low + (high - low) * share)[:, None])
    outline = (np.abs(edge - shape @ BASE.T) < 0.12) & (size > least)
    return centre + radius[:, None] * np.clip(shape[:, 1:], -0.5, 0.5), radius * shape[:, 0], outline


def _measured(
    image: Image, centre: Doubles, radius: Doubles, outline: NDArray[np.bool_], scale: Doubles, white: Doubles | None
) -> Looks:
    """What the discs look like; the brightest and darkest sixth of each do not count (glint, shadow)."""
    reach = REACH[REACH <= 0.8]
    pixels = circles.unrolled(image, centre, radius, reach, ANGLES).reshape(len(centre), -1, 3)
    area = np.tile(reach, ANGLES) / (reach.sum() * ANGLES)
    order = np.argsort(pixels @ np.ones(3, np.float32), axis=1)
    below = np.cumsum(area[order], axis=1)
    counts = np.zeros(order.shape, np.float64)
    np.put_along_axis(counts, order, ((below > 1 / 6) & (below < 5 / 6)).astype(np.float64), axis=1)
    # looked up at once: numpy is many times slower along a short axis
    balanced = colour.LIGHT[:, None] / (np.ones(3) if white is None else white)
    light = np.asarray(cv2.LUT(pixels, balanced[:, None]), np.float64)
    weight = counts * area
    mean = (weight[:, None] @ light)[:, 0] / weight.sum(axis=1)[:, None]
    lab = colour.lab(mean * (1.0 if white is None else white))
    hue, strength = _hue_and_strength(colour.lab(mean))
    even = (_same(colour.lab(light), hue, strength) * area).sum(axis=1)
    return Looks(centre, radius, radius / scale, outline, even, hue, lab, strength)


def _same(each: Doubles, hue: Doubles, strength: Doubles) -> NDArray[np.bool_]:
    """Which colours (n × m × 3, Lab) have about a hue (n, degrees), and are not much paler than so strong (n) a one.

    Angles are compared by their cosines: to tell the hue of every pixel takes five times as long.
    """
    lightness, a, b = (each[..., k] for k in range(3))
    right, up = np.cos(np.radians(hue))[:, None], np.sin(np.radians(hue))[:, None]
    chroma = np.sqrt(a * a + b * b)
    alike = a * right + b * up > math.cos(math.radians(SAME_HUE)) * chroma
    return np.asarray(alike & (chroma > SAME_STRENGTH * strength[:, None] * np.maximum(lightness + 16, 1)))


def _table(small: Small, looks: Looks, signs: Doubles, radius: Doubles) -> background.Tabletop:
    """The table top, once what looks like beads is thought away."""
    k = small.factor
    scale = float(np.median(looks.radius / looks.size_mm))
    discs = _apart(looks, signs, 0.4)
    table = background.tabletop(
        small.image, scale * k, looks.centre[discs] * k, (1.5 * radius[discs] + 1) * k, small.hidden
    )
    return replace(table, factor=table.factor * k)


def _unlike(looks: Looks, table: background.Tabletop) -> Doubles:
    """The sign that a disc is no patch of table between other things: its colour is not the table's there."""
    return _ramp(table.distance(looks.centre, looks.lab), 6, 12)


def _on_table(looks: Looks, signs: Doubles, bare: Doubles, like: Doubles) -> Doubles:
    """The sign that a bead lies on the table top: bare table around it, or much like it if others look the same."""
    clear = _ramp(bare, *CLEAR)
    model = np.nonzero((signs.min(axis=1) > SURE) & (clear > SURE))[0]
    if not len(model):
        return clear
    turned = colour.apart(looks.hue[:, None], looks.hue[model])
    paler = np.abs(np.log(np.maximum(looks.strength, 0.01)[:, None] / looks.strength[model]))
    kin = _ramp(-np.min(turned / 8 + paler / 0.3, axis=1), -1.5, -0.5)
    return np.maximum(clear, np.minimum(_ramp(like, 0.4, 0.8), kin * signs[:, OUTLINE] * signs[:, SIZE]))


def _clear(
    photo: Image, looks: Looks, table: background.Tabletop, radius: Doubles, strewn: bool
) -> tuple[Doubles, Doubles]:
    """How much around each of n discs is bare table, its own shadow included, and how much is like it: 0 to 1."""
    bare, like, shade = table.around(looks.centre, 1.25 * radius)
    beside = np.maximum(bare, table.around(looks.centre, 2.5 * radius)[0]) > BESIDE
    own = beside & (looks.outline.mean(axis=1) > (SOME if strewn else WHOLE))
    if not strewn:  # the dark rim of a card is no shadow of its corner
        for i in np.flatnonzero(own & (bare < CLEAR[1]) & (bare + shade > CLEAR[0])):  # to all others it is the same
            x, y = looks.centre[i]
            own[i] = roundness.misfit(photo, (float(x), float(y)), float(looks.radius[i])) < ROUND
    return bare + np.where(own, shade, 0), np.where(beside | strewn, like, 0)


def _hue_and_strength(lab: Doubles) -> tuple[Doubles, Doubles]:
    """Hue in degrees, and chroma relative to lightness, which stays the same when the light grows dim."""
    hue, chroma = colour.hue_chroma(lab)
    return hue, chroma / np.maximum(lab[..., 0] + 16, 1)


def _common_size(looks: Looks, bare: Doubles) -> float | None:
    """The radius (mm) that most good discs on the bare table share; None where there is none."""
    good = (looks.support > 0.7) & (looks.even > 0.75) & (looks.strength > 0.3) & (bare > 0.5)
    good &= (looks.size_mm > 0.9 * RADII_MM[0]) & (looks.size_mm < 1.1 * RADII_MM[-1])
    sizes = looks.size_mm[good]
    if not len(sizes):
        return None
    near = np.abs(sizes[:, None] / sizes[None, :] - 1) < 0.1
    spots = caustics.spots(looks.centre[good], looks.radius[good], looks.hue[good], sizes)
    votes = near[~spots].sum(axis=0)
    return float(np.median(sizes[near[:, int(votes.argmax())]]))


def _ramp(value: Doubles, nothing: float, all_of_it: float) -> Doubles:
    """0 at `nothing`, 1 at `all_of_it`, straight in between."""
    return np.asarray(np.clip((value - nothing) / (all_of_it - nothing), 0, 1))


OUTLINE, EVEN, PALE, SIZE = range(4)  # the first of:
SIGNS = ("outline", "uneven colour", "pale", "size", "colour between two", "not on the table top", "like the table")


def _signs(looks: Looks, size: Doubles, palette: Sequence[Hue]) -> Doubles:
    """How far each of SIGNS but the last two speaks for a bead: n × 5, 0 to 1. `size` is relative to the common one."""
    each = np.array([degrees_outside(looks.hue, hue) for hue in palette])
    outside, plain = each.min(axis=0), np.array([hue.plain for hue in palette])[each.argmin(axis=0)]
    return np.column_stack(
        [
            np.minimum(_ramp(looks.support, 0.55, 0.95), _ramp(looks.outline.mean(axis=1), 0.4, 1)),
            0.3 + 0.7 * _ramp(looks.even, 0.5, 0.85),  # a glint on dark glass; or a thing of several colours
            _ramp(looks.strength / plain, 0.5, 1.2),
            _ramp(-np.abs(size - 1), -0.4, -0.15),
            0.3 + 0.7 * _ramp(-outside, -8, 8),  # a token of another colour is worth asking about
        ]
    )


def degrees_outside(hue: Doubles, named: Hue) -> Doubles:
    """How many degrees hues lie outside of a named one; negative inside."""
    half = ((named.high - named.low) % 360) / 2
    return colour.apart(hue, named.low + half) - half


def names_of(hue: Doubles, palette: Sequence[Hue]) -> list[tuple[tuple[str, float], ...]]:
    """For each of n hues the two names that fit it best, with their shares."""
    outside = np.stack([degrees_outside(hue, named) for named in palette], axis=1)
    near = np.argsort(outside, axis=1, kind="stable")[:, :2]
    share = np.exp(-np.maximum(0.0, np.take_along_axis(outside, near, 1) + 8) / 12)
    share = (share / share.sum(axis=1, keepdims=True)).tolist()
    return [
        tuple((palette[k].name, round(s, 3)) for k, s in zip(*each, strict=True))
        for each in zip(near.tolist(), share, strict=True)
    ]


def _apart(looks: Looks, signs: Doubles, least: float) -> list[int]:
    """Candidates whose weakest sign is at least `least`, best first, without those that lie in a better one."""
    worth = signs.min(axis=1)
    order = np.lexsort((-signs.mean(axis=1), -worth))
    order = order[worth[order] >= least]
    centre, radius = looks.centre[order], looks.radius[order]
    gaps = np.linalg.norm(centre[:, None] - centre, axis=2)
    near = gaps <= 1.6 * np.minimum(radius[:, None], radius)
    free = np.ones(len(order), np.bool_)
    kept: list[int] = []
    for i, number in enumerate(order.tolist()):
        if free[i]:
            kept.append(number)
            free &= ~near[i]
    return kept


def _bead(
    looks: Looks, i: int, place: Doubles, signs: Doubles, names: tuple[tuple[str, float], ...], factor: float,
    glint: Doubles,
) -> Bead:  # fmt: skip
    worth = float(signs.min())
    x, y = (looks.centre[i] + 0.5) / factor - 0.5
    return Bead(
        colour=names[0][0],
        centre_px=(float(x), float(y)),
        centre_mm=(float(place[0]), float(place[1])),
        radius_px=float(looks.radius[i]) / factor,
        confidence=_confidence(worth),
        candidates=names,
        why="" if worth >= SURE else SIGNS[int(signs.argmin())],
        look=(float(looks.hue[i]), _log(looks.strength[i]), _log(looks.lab[i, 0] + 16)),
        glint=None if np.isnan(glint[0]) else (float(glint[0]), float(glint[1])),
    )


def _log(value: float) -> float:
    return math.log(max(1e-3, value))


def doubted(bead: Bead, why: str) -> Bead:
    """The bead with this reason for doubt, or with the one that it has already."""
    return bead if bead.why else replace(bead, confidence=bead.candidates[0][1] / 2, why=why)


def _confidence(worth: float) -> float:
    return round(0.9 + 0.099 * worth if worth >= SURE else worth, 4)


def _touched(bead: Bead, others: Sequence[Bead]) -> bool:
    """Whether another sure one is so near that the outline of both is not that of a circle.

    Ones in doubt beside it may be parts of the same strange thing.
    """
    sure = [other for other in others if other is not bead and not other.why]
    return any(math.dist(bead.centre_px, other.centre_px) < 3 * bead.radius_px for other in sure)


def rounded(bead: Bead, photo: Image, factor: float) -> Bead:
    """The bead, in doubt where one of its signs is weak and it is not round on the photo (made smaller by `factor`)."""
    if bead.why or bead.confidence >= _confidence(PLAIN):
        return bead
    x, y = ((v + 0.5) * factor - 0.5 for v in bead.centre_px)
    if roundness.misfit(photo, (x, y), bead.radius_px * factor) < ROUND:
        return bead
    return replace(bead, confidence=round(bead.confidence / 2, 4), why=SIGNS[OUTLINE])
