"""Fiji's house deck: 16 conditions, 16 effects and 4 goals in the manner of stamped bark cloth.

Each colour has its sign (shape and letter) and its own stamped pattern; most is two hands on light ground, fewest
one hand on dark ground. Every effect has a scene of its own, so no two cards are near-twins to a camera.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from calibration.house import Face
from calibration.house.paint import INK, PAPER, Colour, Point, Sheet, aged, box, capsule, curve, ellipse, mix, star

CARD: Final = (91.0, 59.0)
GOAL: Final = (59.0, 91.0)
COLOURS: Final = ("green", "red", "yellow", "blue")
#: The Okabe–Ito palette: told apart by colour-blind people too.
PAINT: Final[Mapping[str, Colour]] = {
    "green": (0, 158, 115),
    "red": (213, 94, 0),
    "yellow": (240, 228, 66),
    "blue": (0, 114, 178),
}
GAINS: Final = {"green": 4, "red": 3, "yellow": 2, "blue": 1}
PAIRS: Final = tuple((a, b) for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :])
SKIN: Final[Colour] = (150, 98, 62)


@dataclass(frozen=True, slots=True)
class Condition:
    colours: tuple[str, ...]
    wins: str

    @property
    def name(self) -> str:
        return f"condition-{self.wins}-{'all' if len(self.colours) == 4 else '-'.join(self.colours)}"


@dataclass(frozen=True, slots=True)
class Effect:
    kind: str
    colour: str | None = None

    @property
    def name(self) -> str:
        kind = f"effect-{self.kind.replace('_', '-')}"
        return f"{kind}-{self.colour}" if self.colour else kind


CONDITIONS: Final = (
    *(Condition((c,), wins) for c in COLOURS for wins in ("most", "fewest")),
    *(Condition(COLOURS, wins) for wins in ("most", "fewest")),
    *(Condition(pair, "most") for pair in PAIRS),
)
EFFECTS: Final = (
    *(Effect(kind, c) for kind in ("gain", "half", "others_gain") for c in COLOURS),
    *(Effect(kind) for kind in ("one_of_each", "keep_bid", "rotate_goal", "swap_goals")),
)


def draw(px_per_mm: float) -> dict[str, Face]:
    """The 36 faces by component name."""
    deck: dict[str, Face] = {}
    for number, condition in enumerate(CONDITIONS):
        sheet = _condition(condition, px_per_mm, random.Random(f"condition {number}"))
        means: dict[str, Any] = {"colours": list(condition.colours), "wins": condition.wins}
        deck[condition.name] = Face(aged(sheet, number), CARD, means)
    for number, effect in enumerate(EFFECTS):
        sheet = _effect(effect, px_per_mm, random.Random(f"effect {number}"))
        means = {"kind": effect.kind} | ({"colour": effect.colour} if effect.colour else {})
        deck[effect.name] = Face(aged(sheet, 100 + number), CARD, means)
    for number, colour in enumerate(COLOURS):
        sheet = _goal(colour, px_per_mm, random.Random(f"goal {number}"))
        means = {"colour": colour, "upright": "most", "turned": "fewest"}
        deck[f"goal-{colour}"] = Face(aged(sheet, 200 + number), GOAL, means)
    return deck


# --- signs --------------------------------------------------------------------------------------------------------


def sign_outline(colour: str, r: float) -> list[Point]:
    """A colour's shape around the origin, about `r` in radius: triangle, diamond, square, circle."""
    if colour == "green":
        return [(0, -1.12 * r), (1.08 * r, 0.78 * r), (-1.08 * r, 0.78 * r)]
    if colour == "red":
        return [(0, -1.2 * r), (1.2 * r, 0), (0, 1.2 * r), (-1.2 * r, 0)]
    if colour == "yellow":
        return box(-0.92 * r, -0.92 * r, 0.92 * r, 0.92 * r)
    return ellipse((0, 0), r)


def sign(sheet: Sheet, colour: str, r: float) -> None:
    """A colour's sign around the origin: its shape in its colour, edged dark, with its letter."""
    sheet.polygon(sign_outline(colour, r * 1.16), PAPER, PAPER, 0.5)
    sheet.polygon(sign_outline(colour, r), PAINT[colour], INK, r * 0.13)
    letter = INK if colour == "yellow" else PAPER
    sheet.text((0, r * (0.18 if colour == "green" else 0)), colour[0].upper(), r * 1.05, letter, r * 0.035)


def hand(sheet: Sheet, fill: Colour, edge: Colour) -> None:
    """An open right hand around the origin, 20 mm tall, fingers up."""
    fingers: Sequence[tuple[Point, Point, float]] = (
        ((-3.9, -1), (-5.3, -7.0), 1.35),
        ((-1.35, -2), (-1.8, -9.0), 1.45),
        ((1.35, -2), (1.6, -8.6), 1.45),
        ((3.8, -1), (5.0, -6.6), 1.3),
        ((-3.0, 5.0), (-7.6, 0.4), 1.5),
    )
    palm = curve([(-5.2, -1), (0, -2.6), (5.1, -1), (5.0, 4.6), (2.8, 9.6), (-2.8, 9.6), (-5.0, 4.8)])
    for grow, paint in ((0.55, edge), (0.0, fill)):
        for start, end, r in fingers:
            sheet.polygon(capsule(start, end, r + grow), paint)
        wide = [(x * (1 + grow / 5.2), y * (1 + grow / 7) - grow * 0.3) for x, y in palm]
        sheet.polygon(wide, paint)
    for y, half in ((1.6, 3.2), (4.2, 2.6)):
        sheet.line([(-half, y), (0, y + 0.9), (half, y - 0.3)], mix(fill, edge, 0.55), 0.45)


# --- stamped patterns ---------------------------------------------------------------------------------------------


def _leaves(sheet: Sheet, light: Colour, dark: Colour, rng: random.Random) -> None:
    for row in range(-1, 13):
        for column in range(-1, 12):
            at = sheet.at(column * 9 + (row % 2) * 4.5, row * 8, rng.choice((-40, 0, 40)))
            blade = curve([(0, -4.6), (2.2, -0.6), (0, 4.4), (-2.2, -0.6)], 6)
            at.polygon(blade, rng.choice((dark, light, dark)))
            at.line([(0, -3.4), (0, 5.2)], mix(dark, light, 0.75), 0.45)


def _lozenges(sheet: Sheet, light: Colour, dark: Colour, rng: random.Random) -> None:
    for row in range(-1, 15):
        for column in range(-1, 11):
            at = sheet.at(column * 10 + (row % 2) * 5, row * 6.6)
            at.polygon([(0, -6.2), (4.7, 0), (0, 6.2), (-4.7, 0)], rng.choice((dark, dark, light)))
            at.polygon([(0, -2.6), (2.0, 0), (0, 2.6), (-2.0, 0)], rng.choice((light, dark, INK)))


def _rays(sheet: Sheet, light: Colour, dark: Colour, rng: random.Random) -> None:
    for row in range(9):
        for column in range(9):
            at = sheet.at(5 + column * 12 - (row % 2) * 6, 5 + row * 11.5)
            at.polygon(star((0, 0), 5.6, 2.4, rng.choice((6, 8)), rng.uniform(0, 45)), rng.choice((dark, light)))
            at.polygon(ellipse((0, 0), 1.6), rng.choice((INK, light)))


def _bow(r: float) -> list[Point]:
    return [(r * math.cos(math.pi * i / 12), -r * math.sin(math.pi * i / 12)) for i in range(13)]


def _waves(sheet: Sheet, light: Colour, dark: Colour, rng: random.Random) -> None:
    for row in range(14):
        for column in range(-1, 11):
            at = sheet.at(column * 11 + (row % 2) * 5.5, row * 7.0)
            for r, paint in ((5.5, dark), (4.0, light), (2.5, rng.choice((dark, INK)))):
                at.polygon(_bow(r), paint)


PATTERNS: Final[Mapping[str, Callable[[Sheet, Colour, Colour, random.Random], None]]] = {
    "green": _leaves,
    "red": _lozenges,
    "yellow": _rays,
    "blue": _waves,
}


def _stamped(sheet: Sheet, outline: Sequence[Point], colour: str, night: bool, rng: random.Random) -> None:
    """Fill an area with a colour's pattern, light on day ground or glowing on night ground."""
    paint = PAINT[colour]
    if night:
        ground, light, dark = mix(INK, paint, 0.12), mix(INK, paint, 0.3), mix(INK, paint, 0.62)
    else:
        ground, light, dark = mix(PAPER, paint, 0.25), mix(PAPER, paint, 0.5), paint

    def stamp(inside: Sheet) -> None:
        inside.polygon(box(-99, -99, 199, 199), ground)
        PATTERNS[colour](inside.at(rng.uniform(-4, 4), rng.uniform(-4, 4)), light, dark, rng)

    sheet.within(outline, stamp)


def _frieze(sheet: Sheet, size: tuple[float, float], paint: Colour, rng: random.Random) -> None:
    """A border of stamped triangles inside the card's pale edge."""
    width, height = size
    margin, depth = 1.8, 3.4
    for length, at, turn in (
        (width - 2 * margin, (margin, margin), 0),
        (height - 2 * margin, (width - margin, margin), 90),
        (width - 2 * margin, (width - margin, height - margin), 180),
        (height - 2 * margin, (margin, height - margin), 270),
    ):
        side = sheet.at(*at, turn)
        count = round(length / 4.2)
        step = length / count
        for i in range(count):
            x = i * step
            side.polygon([(x, 0), (x + step, 0), (x + step / 2, depth)], paint if rng.random() < 0.72 else INK)


# --- conditions ---------------------------------------------------------------------------------------------------


def _areas(colours: Sequence[str], rng: random.Random) -> list[list[Point]]:
    """How the card's ground is shared by its colours: whole, by a slant, or in four wedges."""
    width, height = CARD
    if len(colours) == 1:
        return [box(0, 0, width, height)]
    if len(colours) == 2:
        lean = rng.choice((-7.0, 7.0))
        middle = height * 0.5
        return [
            [(0, 0), (width, 0), (width, middle - lean), (0, middle + lean)],
            [(0, middle + lean), (width, middle - lean), (width, height), (0, height)],
        ]
    centre = (width * 0.45, height * 0.5)
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    return [[centre, corners[i], corners[(i + 1) % 4]] for i in range(4)]


def _condition(card: Condition, px_per_mm: float, rng: random.Random) -> Sheet:
    sheet = Sheet(CARD, px_per_mm)
    width, height = CARD
    night = card.wins == "fewest"
    for colour, area in zip(card.colours, _areas(card.colours, rng), strict=True):
        _stamped(sheet, area, colour, night, rng)
    _edge(sheet, CARD, INK if night else mix(INK, PAINT[card.colours[-1]], 0.35), rng)

    # neighbours in the palette, and pairs, show their hands on the other side: no two layouts are near-twins
    right = len(card.colours) == 2 or card.colours in (("red",), ("blue",))
    if night:
        middle = width - 28 if right else 28
        sheet.polygon(ellipse((middle, height / 2), 18.5), INK, PAINT[card.colours[0]], 1.1)
        hand(sheet.at(middle + 0.5, height / 2 + 1, scale=1.35), PAPER, mix(INK, SKIN, 0.4))
        _signs(sheet, card.colours, (width - middle + (-5 if right else 5), height / 2))
        return sheet
    middle = width - 30.5 if right else 30.5
    sheet.polygon(box(middle - 21, 11.5, middle + 21, height - 11.5, 7), PAPER, INK, 1.0)
    hand(sheet.at(middle - 9.6, height / 2 + 0.5, -8, 1.2), SKIN, INK)
    hand(sheet.at(middle + 9.6, height / 2 + 0.5, 8, 1.2, mirrored=True), SKIN, INK)
    _signs(sheet, card.colours, (width - middle + (-8 if right else 9), height / 2))
    return sheet


def _signs(sheet: Sheet, colours: Sequence[str], centre: Point) -> None:
    """One, two or four signs around a point."""
    x, y = centre
    if len(colours) == 1:
        sign(sheet.at(x, y), colours[0], 11.5)
    elif len(colours) == 2:
        for colour, dx, dy in zip(colours, (-6.2, 6.2), (-8.2, 8.2), strict=True):
            sign(sheet.at(x + dx, y + dy), colour, 8.2)
    else:
        for colour, dx, dy in zip(colours, (-8, 8, -8, 8), (-9.2, -9.2, 9.2, 9.2), strict=True):
            sign(sheet.at(x + dx, y + dy), colour, 6.6)


def _edge(sheet: Sheet, size: tuple[float, float], paint: Colour, rng: random.Random) -> None:
    """The pale edge of the card and its frieze."""
    width, height = size
    for side in (box(0, 0, width, 5.2), box(0, height - 5.2, width, height)):
        sheet.polygon(side, PAPER)
    for side in (box(0, 0, 5.2, height), box(width - 5.2, 0, width, height)):
        sheet.polygon(side, PAPER)
    _frieze(sheet, size, paint, rng)


# --- effects ------------------------------------------------------------------------------------------------------


def _effect(card: Effect, px_per_mm: float, rng: random.Random) -> Sheet:
    sheet = Sheet(CARD, px_per_mm)
    SCENES[card.kind](sheet, card.colour, rng)
    width, height = CARD
    rim = 2.2
    for side in (
        box(0, 0, width, rim),
        box(0, height - rim, width, height),
        box(0, 0, rim, height),
        box(width - rim, 0, width, height),
    ):
        sheet.polygon(side, PAPER)
    sheet.line([*box(rim, rim, width - rim, height - rim), (rim, rim)], INK, 0.6)
    return sheet


def _sky(sheet: Sheet, top: Colour, bottom: Colour, size: tuple[float, float] = CARD) -> None:
    for i in range(30):
        y = size[1] * i / 30
        sheet.polygon(box(0, y, size[0], y + size[1] / 30 + 0.1), mix(top, bottom, i / 29))


def _sea(sheet: Sheet, y: float, paint: Colour, rng: random.Random) -> None:
    """Water from `y` down, in rows of strokes."""
    sheet.polygon(box(0, y, 91, 59), paint)
    light, dark = mix(paint, PAPER, 0.45), mix(paint, INK, 0.35)
    row = y + 2.0
    while row < 58:
        x = rng.uniform(-6, 4)
        while x < 91:
            length = rng.uniform(4, 11)
            bow = [(x, row), (x + length / 2, row - 0.9), (x + length, row)]
            sheet.line(bow, rng.choice((light, dark)), 0.7)
            x += length + rng.uniform(2, 8)
        row += 3.4


def _palm(sheet: Sheet, height: float, leaf: Colour) -> None:
    """A palm whose foot is the origin."""
    trunk = [(-1.5, 0), (1.5, 0), (2.6, -height * 0.6), (1.2, -height), (-0.4, -height), (0.4, -height * 0.55)]
    sheet.polygon(trunk, SKIN, INK, 0.5)
    for angle in (-155, -115, -65, -20, 15, 195):
        crown = sheet.at(0.4, -height, angle)
        frond = curve([(0, 0), (5, -2.4), (12, -0.5), (14, 3.0), (9, 1.6), (4, 1.2)], 6)
        crown.polygon(frond, leaf, INK, 0.4)
    for x, y in ((-1.2, 1.2), (1.9, 1.4), (0.4, 2.4)):
        sheet.polygon(ellipse((x, y - height), 1.5), mix(SKIN, INK, 0.4))


def _gain(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """A dawn over the sea, the colour's signs falling into a bowl; a large number says how many."""
    assert colour is not None
    paint = PAINT[colour]
    _sky(sheet, mix(paint, PAPER, 0.15), mix(paint, PAPER, 0.8))
    sheet.polygon(ellipse((20 + 14 * COLOURS.index(colour), 30), 13), mix(PAPER, (255, 196, 87), 0.5))
    _sea(sheet, 37, mix(paint, (30, 70, 92), 0.55), rng)
    palm_left = colour in ("green", "yellow")
    _palm(sheet.at(9 if palm_left else 82, 47, rng.uniform(-6, 6)), 26, mix(PAINT["green"], INK, 0.3))
    bowl = curve([(-25, 0), (0, -2.5), (25, 0), (19, 10), (8, 13.5), (-8, 13.5), (-19, 10)], 8)
    at = sheet.at(45.5, 39)
    at.polygon(bowl, SKIN, INK, 0.9)
    at.polygon(ellipse((0, 0), 24.5, 3.2), mix(SKIN, INK, 0.55), INK, 0.7)
    for dot in (-17, -6, 6, 17):
        at.polygon(star((dot, 6.5), 2.4, 1.0, 4), PAPER)
    count = GAINS[colour]
    places: dict[int, list[Point]] = {
        1: [(0, -15)],
        2: [(-9, -15), (9, -15)],
        3: [(-16, -13), (0, -18), (16, -13)],
        4: [(-21, -10), (-7.5, -18), (7.5, -18), (21, -10)],
    }
    for x, y in places[count]:
        at.line([(x, y), (x * 0.6, -2.2)], INK, 0.5)
        sign(at.at(x, y), colour, 9.0 if count == 1 else 6.6)
    _number(sheet.at(81 if palm_left else 10, 10), f"{count}")


def _number(sheet: Sheet, words: str) -> None:
    sheet.polygon(ellipse((0, 0), 6.4), PAPER, INK, 0.9)
    sheet.text((0, 0), words, 9, INK, 0.35)


def _fraction(sheet: Sheet) -> None:
    sheet.polygon(ellipse((0, 0), 6.4), PAPER, INK, 0.9)
    sheet.line([(-3.0, 3.2), (3.0, -3.2)], INK, 0.7)
    sheet.text((-2.4, -1.9), "1", 5.4, INK, 0.2)
    sheet.text((2.4, 2.1), "2", 5.4, INK, 0.2)


def _half(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """The colour's sign on its pattern, split by a paddle: one half stays, one goes."""
    assert colour is not None
    width, height = CARD
    left = [(0.0, 0.0), (58.0, 0.0), (33.0, height), (0.0, height)]
    right = [(58.0, 0.0), (width, 0.0), (width, height), (33.0, height)]
    _stamped(sheet, left, colour, False, rng)
    sheet.polygon(right, mix(INK, PAINT[colour], 0.25))
    for _ in range(26):
        x, y = rng.uniform(40, 90), rng.uniform(0, 59)
        if (x - 58) * height + y * 25 > 60:
            sheet.polygon(ellipse((x, y), rng.uniform(0.5, 1.3)), mix(INK, PAINT[colour], 0.6))
    r = 19.0
    outline = [(45.5 + x, 30 + y) for x, y in sign_outline(colour, r)]
    sheet.polygon([(45.5 + x, 30 + y) for x, y in sign_outline(colour, r * 1.12)], PAPER)
    sheet.polygon(outline, mix(INK, PAINT[colour], 0.12))
    sheet.within(left, lambda s: s.polygon(outline, PAINT[colour], INK, 1.6))
    sheet.line([*outline, outline[0]], INK, 1.4)
    paddle = sheet.at(45.5, 29.5, 23)
    paddle.polygon(capsule((0, -30), (0, 14), 1.3), SKIN, INK, 0.7)
    paddle.polygon(curve([(-1.4, 8), (1.4, 8), (4.6, 20), (0, 33), (-4.6, 20)], 6), SKIN, INK, 0.8)
    _fraction(sheet.at(76, 46))
    sign(sheet.at(15, 14), colour, 5.4)


def _others_gain(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """Three villagers before their huts, each under the colour's sign."""
    assert colour is not None
    paint = PAINT[colour]
    _sky(sheet, mix((64, 48, 92), paint, 0.45), mix((250, 214, 160), paint, 0.3))
    ground = mix((196, 160, 108), paint, 0.25)
    sheet.polygon([(0, 38), (22, 34), (50, 37), (91, 33), (91, 59), (0, 59)], ground)
    for _ in range(34):
        x, y = rng.uniform(2, 89), rng.uniform(40, 58)
        sheet.line([(x, y), (x + rng.uniform(-1, 1), y - rng.uniform(1, 2.6))], mix(ground, INK, 0.5), 0.5)
    for x in sorted(rng.sample(range(8, 84, 5), 4)):
        hut = sheet.at(x, 38 + rng.uniform(-1, 2), scale=rng.uniform(0.8, 1.2))
        hut.polygon(box(-5, -6, 5, 1), mix(SKIN, PAPER, 0.3), INK, 0.5)
        hut.polygon([(-7.5, -5), (0, -15), (7.5, -5)], mix(SKIN, INK, 0.45), INK, 0.6)
        hut.polygon(box(-1.5, -4, 1.5, 1), INK)
    wide = colour in ("green", "yellow")
    for i, x in enumerate((18.0, 45.5, 73.0) if wide else (13.0, 33.0, 56.0)):
        person = sheet.at(x, 56 if wide else 58 - 3 * i)
        cloth = (mix(paint, INK, 0.15), mix(paint, PAPER, 0.55))[i % 2]
        person.polygon(curve([(-3, -19), (3, -19), (7.5, 2), (-7.5, 2)], 6), cloth, INK, 0.8)
        for y in (-13, -8, -3):
            person.line([(-4.2 - (y + 13) * 0.2, y), (4.2 + (y + 13) * 0.2, y)], INK, 0.8)
        person.polygon(ellipse((0, -22.5), 4.4, 4.9), mix(SKIN, INK, 0.3), INK, 0.7)
        person.polygon(ellipse((0, -26.2), 5.6, 3.0), INK)
        sign(person.at(0, -38), colour, 6.2)
    _number(sheet.at(82, 9 if wide else 48), "+1")


def _one_of_each(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """A necklace that holds all four signs."""
    _sky(sheet, (120, 52, 72), (236, 168, 120))
    for i in range(24):
        rays = sheet.at(45.5, 64, -82 + i * 7.1)
        rays.polygon([(-1.6, -18), (1.6, -18), (3.4, -90), (-3.4, -90)], ((245, 197, 120), (196, 100, 84))[i % 2])
    cord = [(8 + 75 * i / 24, 12 + 27 * math.sin(math.pi * i / 24)) for i in range(25)]
    sheet.line(cord, INK, 1.6)
    for i, (x, y) in enumerate(cord):
        if i % 2:
            sheet.polygon(ellipse((x, y), 1.9), PAPER if i % 4 == 1 else SKIN, INK, 0.5)
    for c, at in zip(COLOURS, ((13.5, 24.0), (33.5, 37.5), (57.5, 37.5), (77.5, 24.0)), strict=True):
        sign(sheet.at(*at), c, 8.0)
    _number(sheet.at(45.5, 13), "1")


def _keep_bid(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """A turtle whose shell keeps all four signs safe, an arrow bending back to it."""
    _sea(sheet, 0, (26, 120, 132), rng)
    sheet.polygon(curve([(0, 48), (20, 44), (50, 50), (91, 43), (95, 62), (-5, 62)]), (236, 210, 158), INK, 0.5)
    body = sheet.at(44, 30)
    skin = (118, 134, 70)
    for x, y, turn in ((-19, -17, -38), (19, -17, 38), (-19, 17, -142), (19, 17, 142)):
        body.at(x, y, turn).polygon(curve([(0, -10), (4.5, -3), (3, 8), (-3, 8), (-4.5, -3)], 6), skin, INK, 0.8)
    body.polygon(curve([(27, -6), (37, -5), (39, 0), (37, 5), (27, 6)], 6), skin, INK, 0.8)
    body.polygon(ellipse((35.4, -2), 0.9), INK)
    body.polygon(ellipse((0, 0), 28, 21), mix(SKIN, INK, 0.25), INK, 1.2)
    for i in range(12):
        body.at(0, 0, i * 30).polygon([(-2.4, -17.5), (2.4, -17.5), (0, -20.4)], PAPER)
    for c, at in zip(COLOURS, ((-14.0, -1.0), (-1.0, -10.0), (-1.0, 9.5), (13.0, 0.0)), strict=True):
        sign(body.at(*at), c, 5.6)


def _turning_arrow(sheet: Sheet, r: float, start: float, sweep: float, paint: Colour) -> None:
    """A bent arrow around the origin, clockwise from `start` degrees."""
    turns = [math.radians(start + sweep * i / 30) for i in range(31)]
    bow = [(r * math.cos(t), r * math.sin(t)) for t in turns]
    tip, heading = bow[-1], math.degrees(turns[-1]) + 90
    for width, colour in ((4.6, INK), (3.0, paint)):
        sheet.line(bow, colour, width)
        grow = 0.9 if colour == INK else 0.0
        head = [(-1 - grow, -5.2 - grow), (7.5 + 2 * grow, 0), (-1 - grow, 5.2 + grow)]
        sheet.at(*tip, heading).polygon(head, colour)


def _little_goal(sheet: Sheet, ground: Colour) -> None:
    """A goal card in small, 18 × 28 mm around the origin: light half with two hands, dark half with one."""
    sheet.polygon(box(-9, -14, 9, 14, 1.2), PAPER, INK, 0.8)
    sheet.polygon(box(-7.6, -12.6, 7.6, 0), ground)
    sheet.polygon(box(-7.6, 0, 7.6, 12.6), INK)
    hand(sheet.at(-3.7, -6.2, scale=0.44), SKIN, INK)
    hand(sheet.at(3.7, -6.2, scale=0.44, mirrored=True), SKIN, INK)
    hand(sheet.at(0, 6.4, 180, 0.44), PAPER, INK)


def _rotate_goal(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """One goal card in a whirl: turn it."""
    _sky(sheet, (58, 38, 84), (164, 112, 150))
    for i in range(40):
        t, r = i * 0.62, 8 + i * 1.5
        blot = ellipse((45.5 + r * math.cos(t), 29.5 + r * math.sin(t) * 0.72), 1.2 + i * 0.05)
        sheet.polygon(blot, ((214, 168, 206), (132, 96, 160))[i % 2])
    _little_goal(sheet.at(45.5, 29.5, 24, 1.2), (240, 190, 80))
    for start in (16, 196):
        _turning_arrow(sheet.at(45.5, 29.5), 23.5, start, 116, (245, 215, 140))


def _swap_goals(sheet: Sheet, colour: str | None, rng: random.Random) -> None:
    """Two goal cards changing places above two crossing canoes."""
    sheet.polygon(box(0, 0, 91, 59), (214, 196, 160))
    for i in range(9):
        for j in range(6):
            cell = sheet.at(i * 11 + 1, j * 11 - 2)
            cell.polygon([(0, 0), (11, 0), (5.5, 5.5)], (176, 84, 52) if (i + j) % 2 else (92, 60, 44))
            cell.polygon([(0, 11), (11, 11), (5.5, 5.5)], (120, 150, 120) if (i * j) % 3 else (200, 140, 70))
    _little_goal(sheet.at(19, 29.5, -7, 1.35), (120, 190, 220))
    _little_goal(sheet.at(72, 29.5, 7, 1.35), (235, 150, 110))
    for middle, turn in ((20.0, 0), (39.0, 180)):
        arrow = sheet.at(45.5, middle, turn)
        for width, paint in ((5.0, INK), (3.2, PAPER)):
            grow = 0.9 if paint == INK else 0.0
            arrow.line([(-9, 0), (6, 0)], paint, width)
            arrow.polygon([(3 - grow, -5.5 - grow), (11 + 2 * grow, 0), (3 - grow, 5.5 + grow)], paint)


SCENES: Final[Mapping[str, Callable[[Sheet, str | None, random.Random], None]]] = {
    "gain": _gain,
    "half": _half,
    "others_gain": _others_gain,
    "one_of_each": _one_of_each,
    "keep_bid": _keep_bid,
    "rotate_goal": _rotate_goal,
    "swap_goals": _swap_goals,
}


# --- goals --------------------------------------------------------------------------------------------------------


def _goal(colour: str, px_per_mm: float, rng: random.Random) -> Sheet:
    """Upright the light half reads: two hands, the most; turned round the dark half: one hand, the fewest."""
    sheet = Sheet(GOAL, px_per_mm)
    width, height = GOAL
    _stamped(sheet, box(0, 0, width, height / 2), colour, False, rng)
    _stamped(sheet, box(0, height / 2, width, height), colour, True, rng)
    _edge(sheet, GOAL, mix(INK, PAINT[colour], 0.35), rng)
    sheet.polygon(box(5.2, height / 2 - 1.1, width - 5.2, height / 2 + 1.1), PAPER)
    swapped = colour in ("red", "blue")  # so that no two goals are near-twins
    middle = 30.0 if swapped else 19.0
    sheet.polygon(box(8, middle - 10, width - 8, middle + 10, 5), PAPER, INK, 0.9)
    hand(sheet.at(18.5, middle, -10, 0.82), SKIN, INK)
    hand(sheet.at(width - 18.5, middle, 10, 0.82, mirrored=True), SKIN, INK)
    for x in (14.5, 29.5, 44.5):
        sign(sheet.at(x, 12.6 if swapped else 36.2), colour, 5.0)
    lower = sheet.at(width / 2, height * 0.75 - 0.5, 180)
    side = -1 if swapped else 1
    lower.polygon(ellipse((-6.5 * side, -0.5), 14.0, 14.0), INK, PAINT[colour], 0.9)
    hand(lower.at(-6.2 * side, 0.2, scale=1.0), PAPER, mix(INK, SKIN, 0.4))
    sign(lower.at(14.5 * side, 4.5), colour, 6.2)
    return sheet
