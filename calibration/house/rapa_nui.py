"""Rapa Nui's house deck: seven faces of island cards, four offerings and the offerings' back.

Every card shows its sign and pattern along both short edges, dark above and light below: of a covered card a strip of
12 mm, from whichever side, tells what it is and how it is turned.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Final

from calibration.house import Face
from calibration.house.paint import INK, PAPER, Colour, Point, Sheet, aged, box, capsule, curve, ellipse, mix, star

CARD: Final = (59.0, 91.0)
OFFERING: Final = (44.0, 67.0)
SORTS: Final = ("fish", "mulberry", "sweet-potato", "grain")
BAND: Final = 13.0  #: height of the bands that show the sign

STONE: Final[Colour] = (132, 128, 122)
SKIN: Final[Colour] = (150, 98, 62)
GROUND: Final[Mapping[str, Colour]] = {
    "woodcutter": (64, 122, 70),
    "priest": (168, 48, 44),
    "moai": (98, 104, 116),
    "fish": (30, 134, 164),
    "mulberry": (112, 66, 138),
    "sweet-potato": (214, 112, 62),
    "grain": (228, 184, 60),
}
#: In the box: 12 woodcutters and a start card of each colour, 9 priests, 9 Moais, 5 and 3 of each sort of hunter.
COPIES: Final = {"woodcutter": 16, "priest": 9, "moai": 9} | {f"hunter-{sort}": 8 for sort in SORTS}
OFFERINGS: Final = 25  #: of each sort


def draw(px_per_mm: float) -> dict[str, Face]:
    """The twelve faces by component name."""
    deck: dict[str, Face] = {}
    for number, (name, copies) in enumerate(COPIES.items()):
        sheet = _card(name.removeprefix("hunter-"), px_per_mm, random.Random(f"card {number}"))
        deck[name] = Face(aged(sheet, 300 + number), CARD, copies=copies)
    for number, sort in enumerate(SORTS):
        sheet = _offering(sort, px_per_mm, random.Random(f"offering {number}"))
        deck[f"offering-{sort}"] = Face(aged(sheet, 320 + number), OFFERING, copies=OFFERINGS, back="offering-back")
    deck["offering-back"] = Face(aged(_back(px_per_mm, random.Random("back")), 330), OFFERING)
    return deck


# --- signs, each about 10 mm across around the origin --------------------------------------------------------------


def _axe(sheet: Sheet) -> None:
    at = sheet.at(0, 0, 35)
    at.polygon(capsule((0, -4.6), (0, 5.4), 0.75), SKIN, INK, 0.35)
    at.polygon(
        curve([(-0.9, -5.0), (3.6, -5.8), (5.2, -3.2), (3.6, -0.8), (-0.9, -1.8)], 5), (206, 208, 206), INK, 0.45
    )


def _staff(sheet: Sheet) -> None:
    """A priest's crown of feathers."""
    for angle, paint in ((-50, PAPER), (-25, (236, 186, 60)), (0, PAPER), (25, (236, 186, 60)), (50, PAPER)):
        feather = curve([(0, -6.4), (1.5, -3.6), (0.9, 0), (-0.9, 0), (-1.5, -3.6)], 5)
        sheet.at(0, 2.4, angle).polygon(feather, paint, INK, 0.35)
    sheet.polygon(box(-4.6, 1.6, 4.6, 4.6, 1.2), INK)
    for x in (-2.8, 0.0, 2.8):
        sheet.polygon(ellipse((x, 3.1), 0.8), (236, 186, 60))


def _statue(sheet: Sheet) -> None:
    """A Moai's head from the front."""
    head = curve([(-3.0, -6), (3.0, -6), (3.9, 0), (3.3, 5.6), (-3.3, 5.6), (-3.9, 0)], 6)
    sheet.polygon(head, (186, 180, 168), INK, 0.5)
    sheet.polygon(box(-3.6, -3.4, 3.6, -2.2), mix(STONE, INK, 0.45))
    sheet.polygon([(-0.9, -2.4), (0.9, -2.4), (1.6, 1.6), (-1.6, 1.6)], mix(STONE, INK, 0.15), INK, 0.3)
    sheet.line([(-1.9, 3.4), (1.9, 3.4)], INK, 0.6)


def _fish(sheet: Sheet) -> None:
    sheet.polygon([(-2.2, 0), (-6.2, -3.4), (-5.0, 0), (-6.2, 3.4)], (246, 150, 92), INK, 0.4)
    body = curve([(5.6, 0), (1.4, -3.5), (-3.2, -1.2), (-3.2, 1.2), (1.4, 3.5)], 6)
    sheet.polygon(body, (252, 186, 112), INK, 0.45)
    for x in (-1.2, 0.6):
        sheet.line([(x, -2.2), (x + 0.9, 0), (x, 2.2)], (196, 88, 52), 0.7)
    sheet.polygon(ellipse((3.4, -0.8), 0.75), INK)


def _berries(sheet: Sheet) -> None:
    sheet.polygon(curve([(0, -6.2), (4.6, -4.8), (1.0, -2.2)], 6), (96, 160, 76), INK, 0.35)
    for x, y in ((-2.9, -1.4), (0, -2.2), (2.9, -1.4), (-1.6, 1.2), (1.6, 1.2), (0, 3.8)):
        sheet.polygon(ellipse((x, y), 1.75), (84, 20, 74), INK, 0.35)
        sheet.polygon(ellipse((x - 0.5, y - 0.6), 0.5), (214, 150, 208))


def _tuber(sheet: Sheet) -> None:
    body = curve([(-6.2, 1.0), (-2.6, -3.2), (2.8, -3.0), (6.4, -0.4), (2.2, 3.4), (-2.8, 3.6)], 6)
    sheet.polygon(body, (196, 70, 84), INK, 0.45)
    for x, y in ((-2.4, -0.8), (0.8, 0.9), (3.0, -1.2)):
        sheet.line([(x - 0.9, y), (x + 0.9, y + 0.4)], (112, 28, 44), 0.5)
    sheet.polygon(curve([(-5.8, 0.4), (-6.8, -4.2), (-3.0, -3.4)], 5), (96, 160, 76), INK, 0.35)


def _ear(sheet: Sheet) -> None:
    sheet.line([(0, 6.4), (0, -4.6)], (116, 92, 30), 0.7)
    for i in range(5):
        for side in (-1, 1):
            grain = sheet.at(0, 3.0 - 1.9 * i, 34 * side)
            grain.polygon(curve([(0, -2.9), (1.1, -1.4), (0, 0.2), (-1.1, -1.4)], 5), (250, 222, 120), INK, 0.3)
    sheet.polygon(curve([(0, -7.4), (1.1, -5.8), (0, -4.2), (-1.1, -5.8)], 5), (250, 222, 120), INK, 0.3)


SIGNS: Final[Mapping[str, Callable[[Sheet], None]]] = {
    "woodcutter": _axe,
    "priest": _staff,
    "moai": _statue,
    "fish": _fish,
    "mulberry": _berries,
    "sweet-potato": _tuber,
    "grain": _ear,
}


# --- cards --------------------------------------------------------------------------------------------------------


def _card(kind: str, px_per_mm: float, rng: random.Random) -> Sheet:
    sheet = Sheet(CARD, px_per_mm)
    width, height = CARD
    ground = GROUND[kind]
    rim = 2.0
    sheet.polygon(box(rim, rim, width - rim, height - rim, 1.5), mix(ground, INK, 0.15))
    picture = box(rim, BAND + rim, width - rim, height - BAND - rim)
    sheet.within(picture, lambda inside: SCENES[kind](inside, rng))
    dark, light = mix(ground, INK, 0.28), mix(ground, PAPER, 0.62)
    _band(sheet.at(width / 2, rim + BAND / 2), kind, dark, mix(ground, PAPER, 0.55))
    lower = sheet.at(width / 2, height - rim - BAND / 2, 180)
    _band(lower, kind, light, mix(ground, INK, 0.35))
    sheet.line([*picture, picture[0]], INK, 0.5)
    return sheet


def _band(sheet: Sheet, kind: str, ground: Colour, paint: Colour) -> None:
    """A short edge of the card, its middle at the origin: the sign between pattern."""
    sheet.polygon(box(-27.5, -BAND / 2, 27.5, BAND / 2), ground)
    for i in range(3):
        for side in (1, -1):
            PATTERNS[kind](sheet.at(side * (11.5 + 6.2 * i), 0), paint)
    sheet.polygon(ellipse((0, 0), 7.4, 6.2), mix(GROUND[kind], PAPER, 0.85), INK, 0.6)
    SIGNS[kind](sheet.at(0, 0, scale=0.86))


def _zigzag(sheet: Sheet, paint: Colour) -> None:
    for y in (-3, 0, 3):
        sheet.line([(-2.6, y + 1.2), (0, y - 1.2), (2.6, y + 1.2)], paint, 0.9)


def _rhombs(sheet: Sheet, paint: Colour) -> None:
    sheet.polygon([(0, -4.6), (2.4, 0), (0, 4.6), (-2.4, 0)], paint)


def _blocks(sheet: Sheet, paint: Colour) -> None:
    sheet.polygon(box(-2.3, -4.4, 2.3, -0.5), paint)
    sheet.polygon(box(-2.3, 0.5, 2.3, 4.4), mix(paint, INK, 0.3))


def _ripples(sheet: Sheet, paint: Colour) -> None:
    for y in (-3, 0, 3):
        bow = [(-2.6 + 5.2 * i / 10, y + 1.1 * math.sin(math.pi * i / 5)) for i in range(11)]
        sheet.line(bow, paint, 0.9)


def _dots(sheet: Sheet, paint: Colour) -> None:
    for x, y in ((-1.3, -3), (1.3, -1), (-1.3, 1), (1.3, 3)):
        sheet.polygon(ellipse((x, y), 1.05), paint)


def _hooks(sheet: Sheet, paint: Colour) -> None:
    for y in (-2.6, 2.2):
        turns = [(1.7 * math.cos(t), y + 1.7 * math.sin(t)) for t in (math.pi * i / 6 for i in range(9))]
        sheet.line(turns, paint, 0.9)


def _stalks(sheet: Sheet, paint: Colour) -> None:
    for x in (-1.8, 0, 1.8):
        sheet.line([(x, 4.4), (x, -4.4)], paint, 0.8)


PATTERNS: Final[Mapping[str, Callable[[Sheet, Colour], None]]] = {
    "woodcutter": _zigzag,
    "priest": _rhombs,
    "moai": _blocks,
    "fish": _ripples,
    "mulberry": _dots,
    "sweet-potato": _hooks,
    "grain": _stalks,
}


# --- scenes: between the bands, 59 × 61 mm from (0, 15) -------------------------------------------------------------


def _sky(sheet: Sheet, top: Colour, bottom: Colour) -> None:
    for i in range(24):
        y = 15 + 61 * i / 24
        sheet.polygon(box(0, y, 59, y + 2.7), mix(top, bottom, i / 23))


def _hills(sheet: Sheet, y: float, paint: Colour, rng: random.Random) -> None:
    points: list[Point] = [(0, 80), (0, y)]
    points += [(x, y + rng.uniform(-3.5, 3.5)) for x in range(7, 59, 9)]
    sheet.polygon([*points, (59, y), (59, 80)], paint, INK, 0.4)


def _tufts(sheet: Sheet, y: float, paint: Colour, rng: random.Random, count: int = 22) -> None:
    for _ in range(count):
        x, foot = rng.uniform(2, 57), rng.uniform(y, 75)
        for lean in (-1.2, 0, 1.2):
            sheet.line([(x, foot), (x + lean, foot - 2.4)], paint, 0.5)


def _tree(sheet: Sheet, height: float) -> None:
    sheet.polygon([(-1.6, 0), (1.6, 0), (1.0, -height), (-1.0, -height)], SKIN, INK, 0.4)
    for x, y, r in ((-4, 0, 4.4), (4, 0.5, 4.2), (0, -3.6, 5.2)):
        sheet.polygon(ellipse((x, y - height), r, r * 0.9), (58, 112, 62), INK, 0.5)


def _person(sheet: Sheet, cloth: Colour, arm: Point) -> None:
    """Somebody whose feet stand on the origin, 26 mm tall, one arm stretched to a point."""
    for x in (-2, 2):
        sheet.polygon(capsule((x, -7), (x, -0.8), 1.2), SKIN, INK, 0.4)
    sheet.polygon([(-4, -6), (4, -6), (2.8, -11), (-2.8, -11)], cloth, INK, 0.5)
    sheet.polygon(curve([(-3.4, -18.4), (3.4, -18.4), (2.8, -10.4), (-2.8, -10.4)], 5), SKIN, INK, 0.5)
    sheet.polygon(capsule((-3, -17), (-5.4, -11.5), 1.1), SKIN, INK, 0.4)
    sheet.polygon(capsule((3, -17), arm, 1.1), SKIN, INK, 0.4)
    sheet.polygon(ellipse((0, -21.6), 3.1, 3.5), SKIN, INK, 0.5)
    sheet.polygon(curve([(-3.4, -22), (-2.4, -26), (2.4, -26), (3.4, -22), (0, -23.6)], 5), INK)


def _felling(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (176, 214, 196), (226, 236, 198))
    for x in (6, 16, 50):
        _tree(sheet.at(x, 52 + rng.uniform(-3, 3), scale=0.9), 14)
    _hills(sheet, 52, (118, 160, 84), rng)
    _tufts(sheet, 56, (62, 112, 58), rng)
    trunk = sheet.at(44, 66)
    trunk.polygon([(-4.5, 0), (4.5, 0), (3.4, -30), (-3.4, -30)], mix(SKIN, INK, 0.15), INK, 0.6)
    trunk.polygon([(-4.3, -9), (0.5, -12), (-4.0, -14)], (236, 204, 150), INK, 0.5)
    for x, y, r in ((-7, -32, 6.5), (7, -31, 6.5), (0, -38, 8)):
        trunk.polygon(ellipse((x, y), r), (58, 112, 62), INK, 0.5)
    _person(sheet.at(22, 71, scale=1.25), (182, 74, 44), (9, -17))
    _axe(sheet.at(36, 47, 20, 1.3))


def _rite(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (66, 24, 54), (232, 124, 70))
    for i in range(18):
        ray = sheet.at(30, 60, -90 + i * 10.5)
        ray.polygon([(-1.4, -14), (1.4, -14), (3.0, -60), (-3.0, -60)], ((240, 168, 84), (198, 84, 60))[i % 2])
    sheet.polygon(ellipse((30, 56), 15), (250, 208, 110))
    _hills(sheet, 60, (76, 42, 46), rng)
    _person(sheet.at(30, 74, scale=1.45), (244, 240, 226), (8, -27))
    _staff(sheet.at(30, 36.5, scale=1.25))
    sheet.polygon(capsule((42, 32), (42, 74), 0.9), SKIN, INK, 0.4)
    sheet.polygon(star((42, 30), 5.0, 2.2, 8), (244, 240, 226), INK, 0.4)


def _ahu(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (96, 150, 196), (218, 226, 220))
    for _ in range(5):
        x, y = rng.uniform(4, 55), rng.uniform(18, 34)
        for dx in (-4, 0, 4):
            sheet.polygon(ellipse((x + dx, y), 4.0, 1.9), (242, 244, 240))
    _hills(sheet, 58, (112, 132, 80), rng)
    for x, size in ((12.5, 2.1), (30.5, 2.9), (48.5, 2.0)):
        sheet.polygon(box(x - 2.4 * size, 66 - 2 * size, x + 2.4 * size, 68), mix(STONE, INK, 0.1), INK, 0.5)
        _statue(sheet.at(x, 66 - 5.4 * size, scale=size))
    for row in range(2):
        for i in range(8):
            stone = box(i * 8 - 4 * row, 66 + row * 5, i * 8 + 8 - 4 * row, 71 + row * 5)
            sheet.polygon(stone, mix(STONE, PAPER, rng.uniform(0, 0.3)), INK, 0.4)


def _fishing(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (150, 214, 226), (24, 112, 146))
    for row in range(9):
        y = 33 + row * 5
        bow = [(x, y + 0.9 * math.sin(x / 3.1 + row)) for x in range(0, 60, 2)]
        sheet.line(bow, mix((24, 112, 146), PAPER, 0.35 if row % 2 else 0.15), 0.8)
    sheet.polygon(curve([(3, 31), (30, 36), (56, 31), (48, 41), (11, 41)], 6), SKIN, INK, 0.7)
    _person(sheet.at(20, 35, scale=0.72), (226, 164, 60), (8, -17))
    sheet.line([(26, 22.6), (45, 24), (46, 52)], INK, 0.5)
    _fish(sheet.at(42, 60, -24, 2.0))
    for x, y, turn in ((14, 55, 12), (24, 70, -8), (50, 73, 190)):
        _fish(sheet.at(x, y, turn, 0.9))


def _gathering(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (232, 210, 236), (198, 168, 208))
    _hills(sheet, 58, (128, 112, 92), rng)
    _tufts(sheet, 62, (78, 84, 62), rng)
    for x, y, r in ((12, 40, 12), (30, 31, 14), (47, 41, 12)):
        sheet.polygon(ellipse((x, y), r, r * 0.85), (76, 120, 84), INK, 0.6)
    sheet.polygon([(26, 74), (34, 74), (32, 46), (28, 46)], mix(SKIN, INK, 0.2), INK, 0.5)
    for x, y in ((10, 40), (22, 31), (37, 29), (49, 42), (30, 43)):
        _berries(sheet.at(x, y, rng.uniform(-30, 30), 0.95))
    _person(sheet.at(48, 74, scale=0.95, mirrored=True), (90, 60, 130), (6, -22))


def _digging(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (252, 226, 176), (240, 182, 120))
    _hills(sheet, 44, (196, 150, 92), rng)
    sheet.polygon(box(0, 52, 59, 80), (122, 74, 46))
    for _ in range(40):
        x, y = rng.uniform(1, 58), rng.uniform(54, 76)
        sheet.polygon(ellipse((x, y), rng.uniform(0.4, 0.9)), (84, 48, 32))
    for x, y, turn in ((14, 61, 20), (31, 66, -25), (47, 60, 10), (20, 72, -8)):
        _tuber(sheet.at(x, y, turn, 1.15))
    for x in (14, 31, 47):
        for angle in (-38, 0, 38):
            leaf = curve([(0, -9), (2.6, -4.4), (0, 0), (-2.6, -4.4)], 5)
            sheet.at(x, 53, angle).polygon(leaf, (88, 150, 70), INK, 0.4)
    _person(sheet.at(38, 52, scale=0.8), (70, 120, 150), (8, -9))


def _reaping(sheet: Sheet, rng: random.Random) -> None:
    _sky(sheet, (140, 196, 226), (250, 236, 190))
    sheet.polygon(ellipse((46, 26), 6.5), (252, 214, 96))
    _hills(sheet, 46, (206, 160, 60), rng)
    for row in range(3):
        for i in range(7):
            x = 5 + i * 8.4 + (row % 2) * 4
            _ear(sheet.at(x, 52 + row * 9.5, rng.uniform(-12, 12), 1.05))
    _person(sheet.at(17, 54, scale=0.9), (150, 48, 52), (9, -14))


SCENES: Final[Mapping[str, Callable[[Sheet, random.Random], None]]] = {
    "woodcutter": _felling,
    "priest": _rite,
    "moai": _ahu,
    "fish": _fishing,
    "mulberry": _gathering,
    "sweet-potato": _digging,
    "grain": _reaping,
}


# --- offerings ----------------------------------------------------------------------------------------------------


def _offering(sort: str, px_per_mm: float, rng: random.Random) -> Sheet:
    """The sort's sign, large, in a bowl's round on dark ground; small in a corner, and a light hem below."""
    sheet = Sheet(OFFERING, px_per_mm)
    width, height = OFFERING
    ground = mix(GROUND[sort], INK, 0.55)
    sheet.polygon(box(2, 2, width - 2, height - 2, 2), ground)
    for row in range(9):
        for column in range(6):
            at = sheet.at(5 + column * 6.8, 6 + row * 6.9, 90 * rng.randrange(2), 0.62)
            PATTERNS[sort](at, mix(ground, GROUND[sort], 0.55))
    sheet.polygon(ellipse((width / 2, height / 2 + 1), 16.5), mix(GROUND[sort], PAPER, 0.62), INK, 0.8)
    sheet.polygon(star((width / 2, height / 2 + 1), 15.4, 13.6, 24), mix(GROUND[sort], PAPER, 0.8))
    SIGNS[sort](sheet.at(width / 2, height / 2 + 1, scale=2.0))
    corner = sheet.at(9.2, 10.2)
    corner.polygon(ellipse((0, 0), 5.6), PAPER, INK, 0.5)
    SIGNS[sort](corner.at(0, 0, scale=0.7))
    hem = box(2, height - 10, width - 2, height - 2, 1.5)
    sheet.polygon(hem, mix(GROUND[sort], PAPER, 0.62))
    for column in range(6):
        PATTERNS[sort](sheet.at(5 + column * 6.8, height - 6, 0, 0.7), mix(GROUND[sort], INK, 0.4))
    return sheet


def _back(px_per_mm: float, rng: random.Random) -> Sheet:
    """Rows of carved marks, as on a wooden tablet."""
    sheet = Sheet(OFFERING, px_per_mm)
    width, height = OFFERING
    wood, carved = (112, 74, 48), (216, 184, 138)
    sheet.polygon(box(2, 2, width - 2, height - 2, 2), wood)
    for row in range(7):
        y = 9 + row * 8.2
        sheet.line([(4, y + 4.1), (width - 4, y + 4.1)], mix(wood, INK, 0.4), 0.5)
        for column in range(6):
            at = sheet.at(7.2 + column * 6, y, 180 * (row % 2))
            marks: tuple[list[Point], ...] = (
                [(-1.6, 2.6), (-1.6, -2.6), (1.6, -0.6)],
                [(0, 2.8), (0, -1), (-1.8, -2.8)],
                [(-1.8, 2.4), (0, -2.6), (1.8, 2.4)],
                [(-1.4, -2.6), (1.4, -2.6), (-1.4, 2.6), (1.4, 2.6)],
                [(0, -2.8), (0, 2.8), (1.8, 0.8)],
            )
            at.line(marks[rng.randrange(len(marks))], carved, 0.9)
    return sheet
