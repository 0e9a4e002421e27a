"""Round things that the photo's edge cuts, told beside whole ones: an arc of the same circle, in the same colour.

Where whole beads lie on a photo it is known how large they are and how each colour of them looks. What is left of one
at the photo's edge is told if its outline is that circle's all along the photo, and its colour is that of whole ones
of one name only. What is like none of them is asked about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import beads, circles, colour
from vision.beads import Bead, Hue
from vision.roundness import OVAL

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

WORKED: Final = 24.0  #: px; radius at which arcs are looked at
LEAST: Final = 3  #: fewer whole ones do not tell how large they are
SIZE: Final = 0.12  #: share by which sizes of one sort differ,
MOST: Final = 0.75  #: … of this share of them
VOTED: Final = 0.5  #: share of the arc that has to vote for a place to be looked at,
PLACES: Final = 60  #: … and so many are
ANGLES: Final = 72
THIRD: Final = 1 / 3  #: of a thing, that must be on the photo: of a slice, that is two fifths of the outline,
WHOLE: Final = 0.995  #: … what is all there is told otherwise,
ARC: Final = 0.25  #: … and in the photo's corner more than this, which the round corner of a card shows as well
SEEN: Final = 0.9  #: share of the arc at which an edge must be
OFF: Final = 0.04  #: radii; four fifths of the edges of a round thing are no farther from its circle
DRAWN: Final = 0.15  #: radii by which an arc may be off before it is fitted
REACH: Final = np.arange(0.3, 1.55, 0.04, dtype=np.float32)  #: radii
INNER: Final = REACH < 0.75
OUTER: Final = REACH > 1.2
EVEN: Final = 0.8  #: share that must have the arc's own hue,
TURNED: Final = 20.0  #: … within these degrees,
STRONG: Final = 0.4  #: … and as strong by this share
TABLE: Final = 15.0  #: by how much (Lab) the table beside it may be unlike the table beside whole ones
LASTING: Final = ("green", "blue")  #: names that a colour keeps in less light; red turns brown, yellow olive
WITHIN: Final = 8.0  #: degrees inside of the hues that go by a name from which on a hue surely goes by it,
STRONGER: Final = 1.2  #: … if it is so many times as strong as one that surely has a colour
PLAIN: Final = 0.3  #: a colour less strong than this (over lightness) is asked about by nobody
BLACKISH: Final = math.log(30.0)  #: what is as dark as this (logarithm of lightness) may be of any colour
GLINT: Final = 1 / 6  #: the brightest and the darkest share of a thing are left aside
HUE: Final = 6.0  #: what two of one colour may differ by, degrees,
ALIKE: Final = (0.2, 0.25)  #: … and logarithms of strength and of lightness
OTHERS: Final = 2.0  #: times as far must the looks of others be
SAME: Final = 0.7  #: of a radius; what is found twice is no farther apart,
APART: Final = 1.5  #: … and two things lie no nearer
BETWEEN: Final = beads.SIGNS[4]
SHAPELESS: Final = (*(beads.SIGNS[i] for i in (0, 3, 5)), OVAL)  #: a cut one seems so to those that look at whole ones
SURE: Final = 0.97

_TURN: Final = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
_BASE: Final = np.stack([np.ones(ANGLES), np.cos(_TURN), np.sin(_TURN)], axis=1)


@dataclass(frozen=True, slots=True)
class _Arc:
    """What is seen of a circle on a photo: where it lies, and how well it fits."""

    centre: tuple[float, float]
    radius: float
    share: float  #: of what is within that is on the photo
    seen: float  #: share of that at which an edge is
    off: float  #: radii; four fifths of the edges are nearer
    beside: Floats  #: the usual colour around it (Lab, lightness halved)
    look: Floats  #: hue (degrees), logarithms of strength and of lightness
    even: float  #: share of it that has its hue

    @property
    def is_round(self) -> bool:
        return self.seen >= SEEN and self.off < OFF


def added(image: Image, found: Sequence[Bead], palette: Sequence[Hue], hue: float = HUE) -> list[Bead]:
    """The beads of a BGR photo, and what is left at its edge of more of them; `hue` (degrees) parts colours there."""
    whole = [bead for bead in found if not bead.why and _is_within(image, bead)]
    if len(whole) < LEAST:
        return list(found)
    factor = min(1.0, WORKED / float(np.median([bead.radius_px for bead in whole])))
    small = image if factor == 1 else cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    small = np.asarray(small, np.uint8)
    models = [_arc(small, np.array(_scaled(bead.centre_px, factor)), bead.radius_px * factor) for bead in whole]
    pairs = [(arc, bead.colour) for arc, bead in zip(models, whole, strict=True) if arc is not None]
    size = _common([arc.radius for arc, _ in pairs if arc.is_round])
    if size is None:
        return list(found)
    joined = list(found)
    for place in _places(small, size):
        arc = _arc(small, place, size)
        if arc is None or not _is_one(arc, size, [model for model, _ in pairs]):
            continue
        bead = _named(arc, pairs, palette, hue)
        if bead is not None:
            x, y = ((v + 0.5) / factor - 0.5 for v in arc.centre)
            joined = _joined(joined, replace(bead, centre_px=(x, y), centre_mm=(x, y), radius_px=arc.radius / factor))
    return joined


def _is_one(arc: _Arc, size: float, models: Sequence[_Arc]) -> bool:
    """Whether enough of a thing of this radius is seen that lies on the same table as those."""
    table = min(float(np.linalg.norm(arc.beside - model.beside)) for model in models)
    enough = THIRD <= arc.share < WHOLE and arc.even >= EVEN
    return bool(arc.is_round and enough and abs(arc.radius / size - 1) < SIZE and table < TABLE)


def _scaled(place: tuple[float, float], factor: float) -> tuple[float, float]:
    x, y = ((v + 0.5) * factor - 0.5 for v in place)
    return x, y


def _is_within(image: Image, bead: Bead) -> bool:
    """Whether all of it is on the photo."""
    (x, y), height, width = bead.centre_px, *image.shape[:2]
    return bool(min(x, y, width - 1 - x, height - 1 - y) > bead.radius_px)


def _common(radii: Sequence[float]) -> float | None:
    """The radius that most of them have; None where there are too few, or of several sizes."""
    if len(radii) < LEAST:
        return None
    usual = float(np.median(radii))
    return usual if np.mean(np.abs(np.array(radii) / usual - 1) < SIZE) >= MOST else None


def _places(image: Image, radius: float) -> Floats:
    """Where the middle (n × 2, px) of a circle of this radius may be that the photo's edge cuts, likely ones first."""
    margin = math.ceil(radius)
    edges = circles.edges(image)
    height, width = (v + 2 * margin for v in edges.shape)
    wider = replace(edges, x=edges.x + np.float32(margin), y=edges.y + np.float32(margin), shape=(height, width))
    voted = circles.votes(wider, np.full(len(edges.x), radius, np.float32))
    share = _shares(height, width, margin, radius)
    score = np.where((share > ARC) & (share < 1), voted / np.maximum(share, 0.1), 0).astype(np.float32)
    return circles.peaks(score, radius / 4, VOTED, PLACES) - margin


def _shares(height: int, width: int, margin: int, radius: float) -> NDArray[np.float32]:
    """For the middle of a circle at every pixel the share of it that is on a photo with a margin around it."""
    y, x = (np.arange(n, dtype=np.float32) for n in (height, width))
    share = np.zeros((height, width), np.float32)
    for turn in _TURN:
        across, down = x + radius * np.cos(turn), y + radius * np.sin(turn)
        inside_x = (across >= margin) & (across < width - margin)
        inside_y = (down >= margin) & (down < height - margin)
        share += inside_y[:, None] & inside_x
    return np.asarray(share / ANGLES, np.float32)


def _arc(image: Image, place: Floats, radius: float) -> _Arc | None:
    """The arc of about this radius around about this place (px); None where too little of it is on the photo."""
    size = radius
    for _ in range(3):
        picture, there = _unrolled(image, place, size)
        edge, seen = _edges(picture, there)
        if np.count_nonzero(seen) < ARC * ANGLES / 2:
            return None
        shape, off = _fitted(edge, seen, radius / size)
        place, size = place + np.clip(shape[1:], -DRAWN, DRAWN) * size, size * float(shape[0])
        if not 0.5 < size / radius < 2:
            return None
    picture, there = _unrolled(image, place, size)
    edge, seen = _edges(picture, there)
    beside = np.median(_lab(picture)[there & OUTER], axis=0) if (there & OUTER).any() else np.full(3, np.inf)
    on_photo = there[:, np.searchsorted(REACH, 1.0) + 2]
    if not on_photo.any():
        return None
    near = seen & (np.abs(edge - 1) < DRAWN)
    off = np.abs(edge - 1)[near]
    look, even = _look(picture[:, INNER][there[:, INNER]])
    return _Arc(
        (float(place[0]), float(place[1])), size, _on_photo(image, place, size), float(near[on_photo].mean()),
        float(np.quantile(off, 0.8)) if len(off) else np.inf, beside, look, even,
    )  # fmt: skip


def _unrolled(image: Image, place: Floats, radius: float) -> tuple[Image, Bools]:
    """The surroundings of a disc (angles × reach × 3), and what of them is on the photo."""
    picture = circles.unrolled(image, place[None], np.array([radius]), REACH, ANGLES)[0]
    x, y = (place[i] + radius * REACH * f(_TURN)[:, None] for i, f in enumerate((np.cos, np.sin)))
    return picture, np.asarray((x >= 0) & (y >= 0) & (x <= image.shape[1] - 1) & (y <= image.shape[0] - 1))


def _lab(picture: Image) -> Floats:
    """Lab of a picture, lightness halved: rims are dark before they are colourless."""
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    return np.asarray(lab * np.array([0.5, 1, 1], np.float32), np.float64)


def _edges(picture: Image, there: Bools) -> tuple[Floats, Bools]:
    """How far out (radii) a disc ends in every direction, and in which of them that is seen on the photo."""
    lab = _lab(picture)
    within, beyond = there & INNER, there & OUTER
    if not within.any() or not beyond.any():
        return np.ones(ANGLES), np.zeros(ANGLES, np.bool_)
    inner, outer = np.median(lab[within], axis=0), np.median(lab[beyond], axis=0)
    outwards = (lab - inner) @ (outer - inner) / max(1e-6, float(np.sum((outer - inner) ** 2)))
    before, after = outwards[:, :-1], outwards[:, 1:]
    crossed = (before < 0.5) & (after >= 0.5) & there[:, 1:]
    place = REACH[:-1] + (0.5 - before) / np.where(crossed, after - before, 1) * (REACH[1] - REACH[0])
    nearest = np.argmin(np.where(crossed, np.abs(place - 1), np.inf), axis=1)
    return place[np.arange(ANGLES), nearest].astype(np.float64), np.asarray(crossed.any(axis=1))


def _fitted(edge: Floats, seen: Bools, usual: float) -> tuple[Floats, Floats]:
    """Radius and middle of the circle through most edges, in radii; short arcs are held to the `usual` radius."""
    weight = seen.astype(np.float64)
    held = np.zeros(3)
    for _ in range(5):
        normal = (_BASE * weight[:, None]).T @ _BASE + np.diag([0.15 * ANGLES, 1e-3, 1e-3])
        held = np.linalg.solve(normal, _BASE.T @ (weight * edge) + np.array([0.15 * ANGLES * usual, 0, 0]))
        off = np.abs(edge - _BASE @ held)
        weight = seen / (1 + (off / OFF) ** 2)
    return held, off


def _on_photo(image: Image, place: Floats, radius: float) -> float:
    """The share of a disc that is on the photo."""
    reach = radius * np.sqrt((np.arange(20) + 0.5) / 20)  # rings of one area
    x, y = (place[i] + reach * f(_TURN)[:, None] for i, f in enumerate((np.cos, np.sin)))
    height, width = image.shape[:2]
    return float(np.mean((x > -0.5) & (y > -0.5) & (x < width - 0.5) & (y < height - 0.5)))


def _look(pixels: Image) -> tuple[Floats, float]:
    """Hue (degrees), logarithm of strength and of lightness of n pixels, and the share of them that has that hue."""
    lab = colour.lab(colour.linear(pixels.astype(np.float64)))
    lab = lab[np.argsort(lab[:, 0])]
    cut = round(len(lab) * GLINT)
    middle = np.median(lab[cut : len(lab) - cut], axis=0)
    hue, chroma = colour.hue_chroma(middle)
    light = max(1.0, float(middle[0]) + 16)
    each_hue, each_chroma = colour.hue_chroma(lab)
    strength = float(chroma) / light
    same = (colour.apart(each_hue, float(hue)) < TURNED) & (
        each_chroma / np.maximum(lab[:, 0] + 16, 1) > STRONG * strength
    )
    return np.array([float(hue), np.log(max(1e-3, strength)), np.log(light)]), float(same.mean())


def _named(arc: _Arc, models: Sequence[tuple[_Arc, str]], palette: Sequence[Hue], hue: float) -> Bead | None:
    """An arc as a bead: of the name of whole ones that look like it, in doubt where those of others hardly less do."""
    away = [(_unlike(arc.look, model.look, hue), name) for model, name in models]
    nearest, name = min(away)
    others = min((off for off, other in away if other != name), default=np.inf)
    if nearest < 1 and others > OTHERS * max(nearest, 0.5):
        return Bead(name, arc.centre, arc.centre, arc.radius, SURE, ((name, SURE),))
    strength = math.exp(arc.look[1])
    if strength < PLAIN:
        return None
    (ranked,) = beads.names_of(arc.look[:1], palette)
    own = next(each for each in palette if each.name == ranked[0][0])
    plain = beads.degrees_outside(arc.look[0], own) < -WITHIN and strength > STRONGER * own.plain
    if plain and own.name in LASTING and arc.look[2] > BLACKISH:
        return Bead(own.name, arc.centre, arc.centre, arc.radius, SURE, ((own.name, SURE),))
    return Bead(ranked[0][0], arc.centre, arc.centre, arc.radius, ranked[0][1] / 2, ranked, BETWEEN)


def _unlike(one: Floats, other: Floats, hue: float) -> float:
    """How unlike two looks are: less than 1 for those of one colour."""
    off = np.abs(one - other)
    off[0] = min(off[0], 360 - off[0])
    return float(np.linalg.norm(off / (hue, *ALIKE)))


def _joined(found: Sequence[Bead], more: Bead) -> list[Bead]:
    """The beads and one more, in place of one there that only its outline or size leaves in doubt."""
    near = [bead for bead in found if math.dist(bead.centre_px, more.centre_px) < APART * more.radius_px]
    if any(not bead.why for bead in near):
        return list(found)
    if not near:
        return [*found, more]
    same = all(math.dist(bead.centre_px, more.centre_px) < SAME * more.radius_px for bead in near)
    if more.why or not same or any(bead.why not in SHAPELESS for bead in near):
        return list(found)
    return [*(bead for bead in found if bead not in near), more]
