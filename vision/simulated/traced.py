"""Dice traced ray by ray: rounded, clear or marbled, glossy under several lamps, with flat or hollow pips.

A die is a cube with round edges, often cut by a ball as well. Lengths are in sides of a die unless told otherwise; x
and y are those of the picture, z is up; colours are B, G, R of 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.patterns import PATTERNS
from vision.simulated.decoys import decoy
from vision.simulated.strokes import (
    any_colour,
    ground,
    hull,
    lab,
    noise,
    packed,
    photographed,
    printed,
    shaded,
    sharpened,
    smeared,
    something,
    strayed,
)

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

SIDES: Final = np.array([(0.5, 0, 0), (-0.5, 0, 0), (0, 0.5, 0), (0, -0.5, 0)])
FINER: Final = 2  #: pictures are drawn so many times as large and then reduced
SIZES: Final = (18.0, 44.0)  #: pixels of a die's side
MOST: Final = 8  #: dice on a picture
NO_DICE: Final = 0.15  #: share of pictures without any
MARCH: Final = 7  #: steps along a ray, from where it enters the cube
LEAST_APART: Final = 14.0  #: Lab units between pips and body, at least
GLARING: Final = 0.55  #: share of tables whose level faces mirror a lamp
DARK: Final = 0.22  #: share of makes that are dark all over,
USUAL: Final = 0.6  #: … and of those whose pips are as large and as far apart as on most dice
DULL: Final = 0.2  #: share of makes whose pips are hardly lighter or darker than their body:
AS_LIGHT: Final = (-12.0, 18.0)  #: … by so much of Lab's L; their hue alone tells them,
HUED: Final = 28.0  #: … which is so many Lab units away, at least
SMOKY: Final = 0.3  #: share of makes that are smoky: dark, marbled and glossy, with large pips of a dull hue
HARDLY_HUED: Final = 25.0  #: … which is so many Lab units away, at least
SOFT: Final = 0.04  #: sides of a die by which a photo of it is blurred, at most,
STRAYED: Final = 0.08  #: … and by which its colours are less sharp than its light, at most
SMALLER: Final = 0.3  #: share of photos on which dice are small when they are packed: pixels of a side
SMALL: Final = (16.0, 32.0)
CORNERS: Final = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Make:
    """What dice of one make look like; `ball` is the radius of the ball that cuts off their corners.

    In a `six` the rows of three lie so many times as near to each other, and their pips so many times as far apart.
    `mixed` tells how sharply vein and body are apart; `domed` and `wavy` bend its faces' gloss as no plane does, and
    `rim` is how wide (in height) a face goes over into that ball: there it mirrors lamps in an arc.
    """

    body: Floats
    vein: Floats
    marbled: float
    mixed: float
    pips: Floats
    spacing: float
    pip: float
    six: tuple[float, float]
    hollow: float
    rounded: float
    ball: float
    rim: float
    gloss: float
    domed: float
    wavy: float
    clear: float
    blank: bool

    @classmethod
    def drawn(cls, random: Generator) -> Make:
        """Any make."""
        body, vein = any_colour(random), any_colour(random)
        if random.random() < 0.3:
            vein = body * random.uniform(0.1, 0.7)
        marbled = float(random.uniform(0.2, 1.0)) if random.random() < 0.4 else 0.0
        dark = random.random() < DARK
        if dark:  # dark all over, with coloured pips that are hardly brighter
            body, vein = (_coloured(random, (0.1, 0.9), (0.04, 0.4)) for _ in range(2))
            marbled = float(random.uniform(0.2, 1.0)) if random.random() < 0.7 else 0.0
        while True:
            pips = np.full(3, random.uniform(0.8, 1)) if random.random() < 0.45 else any_colour(random)
            if random.random() < 0.3:
                pips = np.full(3, random.uniform(0, 0.15))
            if dark and random.random() < 0.7:
                pips = _coloured(random, (0.4, 1), (0.3, 0.9))
            away = [float(np.linalg.norm(lab(pips) - lab(c))) for c in ((body, vein) if marbled else (body,))]
            if min(away) > LEAST_APART and max(away) > 2 * LEAST_APART:
                break
        if random.random() < DULL:
            body, vein, pips = dull(random)
            marbled = float(random.uniform(0.2, 1.0)) if random.random() < 0.8 else 0.0
        usual = random.random() < USUAL
        glassy = random.random() < SMOKY
        if glassy:
            body, vein, pips = smoky(random)
            marbled, usual = float(random.uniform(0.3, 1.0)), True
        spacing = float(random.uniform(0.2, 0.29) if usual else random.uniform(0.13, 0.31))
        pip = (
            random.uniform(0.075, min(0.125, 0.46 * spacing))
            if usual
            else random.uniform(0.055, min(0.145, 0.46 * spacing))
        )
        return cls(
            body, vein, marbled, float(random.uniform(0.3, 1.5)), pips,
            spacing=spacing, pip=float(pip),
            six=_six(random),
            hollow=float(random.uniform(0, 1)) if random.random() < (0.85 if glassy else 0.7) else 0.0,
            rounded=float(random.choice([0.03, 0.06, 0.1, 0.15, 0.22])),
            ball=float(random.uniform(0.66, 0.78)) if random.random() < (0.75 if glassy else 0.45) else 1.0,
            rim=float(random.uniform(0.005, 0.05)),
            gloss=float(random.uniform(0.2, 1.2)) if random.random() < (0.95 if glassy else 0.75) else 0.0,
            domed=float(random.uniform(0, 0.25)) if random.random() < 0.5 else 0.0,
            wavy=float(random.uniform(0, 0.2)) if random.random() < 0.5 else 0.0,
            clear=float(random.uniform(0.1, 0.5)) if random.random() < 0.3 else 0.0,
            blank=bool(random.random() < 0.25),
        )  # fmt: skip

    def values(self, random: Generator) -> dict[tuple[int, int], int]:
        """What its faces show, by axis and side (1 or −1)."""
        if self.blank:  # a game's own die with empty faces
            shown = random.integers(0, 4, 6)
            return {(axis, side): int(shown[2 * axis + (side > 0)]) for axis in range(3) for side in (-1, 1)}
        first = random.permutation(3) + 1
        kept = random.random(3) < 0.5
        return {
            (axis, side): int(first[axis] if kept[axis] == (side > 0) else 7 - first[axis])
            for axis in range(3)
            for side in (-1, 1)
        }


@dataclass(frozen=True, slots=True)
class Lamps:
    """The light on a table: a share from all around, and lamps: directions (n × 3), half widths and strengths.

    A lamp that is seen is `bright` times as bright as a white thing it lights, `long` times as long as wide along an
    `axis` (n × 3), and dark in its middle where it is a ring.
    """

    around: float
    bright: float
    towards: Floats
    width: Floats
    strength: Floats
    axis: Floats
    long: Floats
    ring: NDArray[np.bool_]

    @classmethod
    def drawn(cls, random: Generator, camera: Camera) -> Lamps:
        """Any lamps; often one of them is mirrored to the camera by what lies level."""
        count = int(random.integers(1, 4))
        towards = np.column_stack([random.normal(0, 0.7, (count, 2)), np.ones(count)])
        if random.random() < GLARING:
            x, y, z = -camera.axes[2]
            towards[-1] = np.array([-x, -y, z]) + random.normal(0, 0.1, 3)
        towards /= np.linalg.norm(towards, axis=1, keepdims=True)
        width, strength = random.uniform(0.04, 0.3, count), random.uniform(0.4, 1.2, count)
        bright = float(np.exp(random.uniform(1.0, 3.6)))
        axis = np.column_stack([random.normal(0, 1, (count, 2)), np.zeros(count)])
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        long = np.where(random.random(count) < 0.4, random.uniform(1, 4, count), 1.0)
        ring = random.random(count) < 0.4
        return cls(float(random.uniform(0.35, 0.8)), bright, towards, width, strength, axis, long, ring)

    def reflected(self, ray: Single) -> Single:
        """How much light comes from these directions (… × 3)."""
        seen = 0.25 * np.clip(ray[..., 2], 0, 1)
        for i, (width, strength) in enumerate(zip(self.width, self.strength, strict=True)):
            away = ray - self.towards[i].astype(np.float32)
            along = away @ self.axis[i].astype(np.float32)
            near = np.sqrt(np.maximum(0, (away**2).sum(axis=-1) - along**2 * (1 - self.long[i] ** -2)))
            shine = np.clip((width * 1.3 - near) / (0.35 * width), 0, 1)
            if self.ring[i]:
                shine = shine * np.clip((near - 0.5 * width) / (0.2 * width), 0, 1)
            seen = seen + self.bright * strength * shine
        return np.asarray(seen, np.float32)

    def lit(self, normal: Single) -> Single:
        """How bright a matt surface with these normals (… × 3) is; 1 from straight above."""
        seen = self.around * (0.65 + 0.35 * normal[..., 2])
        total = float(self.strength @ np.clip(self.towards[:, 2], 0.2, 1))
        for towards, strength in zip(self.towards, self.strength, strict=True):
            seen = seen + (1 - self.around) * strength / total * np.clip(normal @ towards.astype(np.float32), 0, 1)
        return np.asarray(seen, np.float32)


@dataclass(frozen=True, slots=True)
class Camera:
    """Far away, seen from a die: `lean` is the angle from straight above, `turn` where to."""

    lean: float
    turn: float

    @classmethod
    def drawn(cls, random: Generator) -> Camera:
        return cls(float(np.radians(min(48.0, abs(random.normal(0, 24))))), float(random.uniform(0, 2 * np.pi)))

    @property
    def leans(self) -> Floats:
        """How far a point one side below another is seen from it, in sides."""
        return np.asarray(-self.axes[:2, 2])

    @property
    def axes(self) -> Floats:
        """The picture's x, y and the way of the light (rows), in table axes."""
        c, s, cl, sl = np.cos(self.turn), np.sin(self.turn), np.cos(self.lean), np.sin(self.lean)
        right = np.array([c, s, 0])
        down = np.array([-s * cl, c * cl, -sl])
        away = np.array([-s * sl, c * sl, cl])  # towards the camera
        spun = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        return np.asarray(spun @ np.stack([right, down, -away]))


def _coloured(random: Generator, strength: tuple[float, float], value: tuple[float, float]) -> Floats:
    """Any hue of so much strength (saturation) and value."""
    pixel = np.array([[[random.uniform(0, 360), random.uniform(*strength), random.uniform(*value)]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float64)


def dull(random: Generator) -> tuple[Floats, Floats, Floats]:
    """Colours of body, vein and pips that are about as light: cameras keep light sharp, and colours less so."""
    while True:
        body = _coloured(random, (0, 0.9), (0.12, 0.7))
        vein = body * random.uniform(0.4, 1.3, 3) if random.random() < 0.6 else _coloured(random, (0, 0.9), (0.04, 0.5))
        pips = _coloured(random, (0.4, 1), (0.2, 0.95))
        away = lab(pips) - lab(body)
        hued = min(float(np.hypot(*away[1:])), float(np.linalg.norm(lab(pips) - lab(vein)))) > HUED
        if hued and AS_LIGHT[0] < away[0] < AS_LIGHT[1]:
            return body, np.clip(vein, 0, 1), pips


def smoky(random: Generator) -> tuple[Floats, Floats, Floats]:
    """Colours of body, vein and pips of a die like smoked glass: only their hue tells the pips, and hardly."""
    while True:
        body = (
            _coloured(random, (0, 0.5), (0.15, 0.6))
            if random.random() < 0.7
            else _coloured(random, (0.5, 1), (0.25, 0.8))
        )
        vein = body * random.uniform(0.1, 1.2)
        pips = _coloured(random, (0.5, 1), (0.25, 0.85))
        away = lab(pips) - lab((body + vein) / 2)
        if float(np.hypot(*away[1:])) > HARDLY_HUED and AS_LIGHT[0] < away[0] < AS_LIGHT[1]:
            return body, np.clip(vein, 0, 1), pips


def _six(random: Generator) -> tuple[float, float]:
    """How a make's six lies: as its other values, or with its rows of three drawn together, and those drawn out."""
    if random.random() < 0.5:
        return 1.0, float(random.uniform(0.85, 1.1))
    return float(random.uniform(0.6, 1.0)), float(random.uniform(1.0, 1.25))


def place(
    random: Generator, canvas: Single, make: Make, lamps: Lamps, camera: Camera, top: Floats, side: float
) -> tuple[int, Floats]:
    """Draw a die whose upper face's middle is at `top` (pixels) and whose side is so long.

    Returns its value, and the middles (n × 2, pixels) of those of its other faces that are seen.
    """
    yaw = random.uniform(0, 2 * np.pi)
    c, s = np.cos(yaw), np.sin(yaw)
    own = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])  # table axes to the die's own
    axes = camera.axes @ own.T  # rows: picture x, picture y, ray; in the die's own axes
    spots = CORNERS @ axes[:2].T
    shift = np.array([0, 0, 0.5]) @ axes[:2].T
    foot = hull((spots[CORNERS[:, 2] < 0] - shift) * side + top)
    cast = -lamps.towards[0, :2] / max(0.4, float(lamps.towards[0, 2])) * side * 0.7
    shaded(
        canvas, hull(np.concatenate([foot, foot + cast])), random.uniform(0.05, 0.5), random.uniform(0.05, 0.3) * side
    )
    shaded(canvas, foot, random.uniform(0.2, 0.6), 0.08 * side)
    low = np.floor(top + (spots.min(axis=0) - shift) * side).astype(int) - 1
    high = np.ceil(top + (spots.max(axis=0) - shift) * side).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, canvas.shape[1::-1])
    values = make.values(random)
    beside = np.array([side_ for side_ in SIDES if side_ @ axes[2] < -0.15]).reshape(-1, 3) @ axes[:2].T
    beside = (beside - shift) * side + top
    if (high - low < 3).any():
        return values[2, 1], beside
    x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    flat = (np.stack([x, y], axis=-1) - top) / side + shift
    hit, point, normal = _met(flat.astype(np.float32), axes.astype(np.float32), make)
    colour = _painted(random, make, values, point, normal, hit, side)
    world = normal @ own.astype(np.float32)
    ray = axes[2].astype(np.float32) @ own.astype(np.float32)
    seen = colour * lamps.lit(world)[..., None]
    if make.clear:
        depth = np.abs(normal @ axes[2].astype(np.float32))
        seen = seen * (1 - make.clear * (1 - depth))[..., None]
    if make.gloss:
        facing = np.clip(-(world @ ray), 0, 1)
        mirrored = ray - 2 * (world @ ray)[..., None] * world
        fresnel = 0.06 + 0.94 * (1 - facing) ** 5
        seen = seen + (make.gloss * fresnel * lamps.reflected(mirrored))[..., None]
    box = canvas[low[1] : high[1], low[0] : high[0]]
    cover = cv2.GaussianBlur(hit.astype(np.float32), (0, 0), 0.6)[..., None]
    box[:] = box * (1 - cover) + seen * cover
    return values[2, 1], beside


def table(random: Generator, size: int) -> tuple[Image, list[tuple[int, Floats, float]], Floats, Floats]:
    """A picture (size × size, BGR) of some dice.

    Of every die its value, the middle of its upper face and its side (pixels); places (n × 2) that are no die's
    middle, though a die is near; and the middles of what only looks like a die.
    """
    large = size * FINER
    canvas = ground(random, large)
    if random.random() < 0.4:
        printed(random, canvas)
    for _ in range(random.poisson(0.7)):
        something(random, canvas)
    camera = Camera.drawn(random)
    lamps = Lamps.drawn(random, camera)
    makes = [Make.drawn(random) for _ in range(random.integers(1, 5))]
    side = float(np.exp(random.uniform(*np.log(SIZES)))) * FINER
    decoys = [decoy(random, canvas, side) for _ in range(random.poisson(1.5))]
    places: list[Floats] = []
    for _ in range(0 if random.random() < NO_DICE else 40):
        near = places[random.integers(len(places))] if places and random.random() < 0.6 else None
        angle, away = random.uniform(0, 2 * np.pi), random.uniform(0.95, 1.6) * side
        at = random.uniform(0, large, 2) if near is None else near + away * np.array([np.cos(angle), np.sin(angle)])
        inside = (at > 0.5 * side).all() and (at < large - 0.5 * side).all()
        if inside and all(np.hypot(*(at - other)) > 0.95 * side for other in places):
            places.append(at)
        if len(places) == MOST:
            break
    places.sort(key=lambda at: float(at @ camera.leans))  # what is nearer to the camera's foot hides what is farther
    dice, beside = [], [np.zeros((0, 2))]
    for at in places:
        value, others = place(random, canvas, makes[random.integers(len(makes))], lamps, camera, at, side)
        dice.append((value, (at + 0.5) / FINER - 0.5, side / FINER))
        beside.append((others + 0.5) / FINER - 0.5)
    coarse = round(size * random.uniform(0.5, 1)) if random.random() < 0.5 else size
    if random.random() < SMALLER:
        coarse = min(size, round(size * random.uniform(*SMALL) * FINER / side))
    seen_side = side * coarse / large
    photo = photographed(random, strayed(random, canvas), coarse, SOFT * seen_side)
    photo = smeared(random, photo, STRAYED * seen_side)
    picture = packed(random, sharpened(random, photo))
    picture = np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)
    seen = [at for at in decoys if all(np.hypot(*(at - place)) > 0.9 * side for place in places)]
    return picture, dice, np.concatenate(beside), (np.array(seen).reshape(-1, 2) + 0.5) / FINER - 0.5


def _met(flat: Single, axes: Single, make: Make) -> tuple[NDArray[np.bool_], Single, Single]:
    """Where rays through points of the picture (… × 2) meet the die: whether, where, and the normals there."""
    ray = axes[2]
    start = flat @ axes[:2]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(np.abs(ray) > 1e-5, ray, 1e-5)
        enter = ((-0.5 * np.sign(step) - start) / step).max(axis=-1)
        leave = ((0.5 * np.sign(step) - start) / step).min(axis=-1)
    way = enter
    inner = 0.5 - make.rounded
    for _ in range(MARCH):
        point = start + way[..., None] * ray
        outside = np.maximum(np.abs(point) - inner, 0)
        gap = np.linalg.norm(outside, axis=-1) - make.rounded
        if make.ball < 1:
            gap = np.maximum(gap, np.linalg.norm(point, axis=-1) - make.ball)
        way = way + gap
    point = start + way[..., None] * ray
    outside = np.maximum(np.abs(point) - inner, 0)
    edge = np.linalg.norm(outside, axis=-1)
    away = np.linalg.norm(point, axis=-1)
    hit = (enter < leave) & (edge - make.rounded < 0.02) & (away - make.ball < 0.02)
    normal = np.sign(point) * outside / np.maximum(edge, 1e-6)[..., None]
    if make.ball < 1:
        ball = np.clip(0.5 + (away - make.ball - edge + make.rounded) / (2 * make.rim), 0, 1)[..., None]
        normal = ball * point / np.maximum(away, 1e-6)[..., None] + (1 - ball) * normal
        normal = normal / np.maximum(np.linalg.norm(normal, axis=-1), 1e-6)[..., None]
    if make.domed:
        normal = normal + make.domed * point
        normal = normal / np.maximum(np.linalg.norm(normal, axis=-1), 1e-6)[..., None]
    return hit, point.astype(np.float32), normal.astype(np.float32)


def _painted(
    random: Generator, make: Make, values: dict[tuple[int, int], int], point: Single, normal: Single,
    hit: NDArray[np.bool_], side: float,
) -> Single:  # fmt: skip
    """The colours of the die's surface; the normals are bent where pips are hollow."""
    rows, columns = hit.shape
    colour = np.tile(make.body.astype(np.float32), (rows, columns, 1))
    if make.marbled:
        swirl = noise(random, rows, columns, max(2.0, side * random.uniform(0.12, 0.5)))
        share = np.clip(0.5 + make.mixed * swirl, 0, 1)
        colour += (make.marbled * share)[..., None] * (make.vein - make.body).astype(np.float32)
    if make.wavy:
        grain = max(3.0, side * random.uniform(0.15, 0.5))
        normal += make.wavy * np.stack([noise(random, rows, columns, grain) for _ in range(3)], axis=-1)
        normal /= np.maximum(np.linalg.norm(normal, axis=-1), 1e-6)[..., None]
    main = np.abs(point).argmax(axis=-1)
    soft = max(0.01, 0.5 / side)
    for (axis, way), value in values.items():
        on = hit & (main == axis) & (np.take(point, axis, axis=-1) * way > 0)
        if not value or not on.any():
            continue
        first, second = (k for k in range(3) if k != axis)
        if random.random() < 0.5:
            first, second = second, first
        here = point[on][:, [first, second]]
        bent, ink = normal[on], np.zeros(len(here), np.float32)
        for a, b in PATTERNS[value]:
            near, far = make.six if value == 6 else (1.0, 1.0)
            middle = np.array([a * near, b * far], np.float32) * make.spacing
            middle += random.normal(0, 0.006, 2).astype(np.float32)
            away = here - middle
            reach = np.linalg.norm(away, axis=1)
            inside = np.clip((make.pip - reach) / (2 * soft) + 0.5, 0, 1)
            ink = np.maximum(ink, inside)
            if make.hollow:
                bent[:, [first, second]] -= (make.hollow * inside / make.pip * 0.7)[:, None] * away
        tint = make.pips * random.uniform(0.88, 1.05)
        colour[on] += ink[:, None] * (tint.astype(np.float32) - colour[on])
        normal[on] = bent / np.linalg.norm(bent, axis=1, keepdims=True)
    return colour
