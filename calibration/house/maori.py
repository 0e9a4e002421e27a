"""Maori's house deck: tiles painted from what they show, and the players' board.

What tiles show comes from the game's own list of components: open (sides on which land goes on), palms, huts, boats,
shells, wreath (the side with half a wreath), volcano. Trunks point to the player: a tile has one way up.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from calibration.house import Face
from calibration.house.paint import INK, PAPER, Colour, Point, Sheet, aged, box, curve, ellipse, mix

TILE: Final = (38.0, 38.0)
PITCH: Final = 40.0  #: of the board's fields
EDGE: Final = 6.0  #: around the board's fields
RIM: Final = 1.0  #: of a tile, pale, so that open water is told from the board's
STORE: Final = 46.0  #: width of the board's storage, left of the fields

SEA: Final[Colour] = (36, 124, 168)
DEEP: Final[Colour] = (20, 86, 132)
FOAM: Final[Colour] = (150, 208, 222)
SAND: Final[Colour] = (238, 214, 152)
GRASS: Final[Colour] = (132, 178, 92)
LEAF: Final[Colour] = (30, 104, 62)
WOOD: Final[Colour] = (126, 80, 50)

TURN: Final = {"N": 0, "E": 90, "S": 180, "W": 270}
#: Feet of one, two or three palms, from the tile's middle; and of huts before them.
PALMS: Final[Mapping[int, Sequence[Point]]] = {
    0: (),
    1: ((0.0, 6.2),),
    2: ((-5.4, 6.4), (5.4, 5.2)),
    3: ((-7.0, 4.4), (0.2, 8.0), (7.2, 4.0)),
}
PALMS_BY_HUTS: Final[Mapping[int, Sequence[Point]]] = {
    0: (),
    1: ((5.6, 5.0),),
    2: ((-6.6, 3.0), (6.6, 2.2)),
    3: ((-7.6, 3.0), (0.0, -0.5), (7.6, 3.0)),
}
HUTS: Final[Mapping[int, Sequence[Point]]] = {0: ((0.0, 1.6),), 1: ((-4.6, 5.0),), 2: ((0.0, 6.6),), 3: ((0.0, 7.0),)}
BOATS: Final[Sequence[Point]] = ((-13.6, -13.0), (13.2, 13.4), (13.4, -13.2))
SHELLS: Final[Sequence[Point]] = ((-13.4, 13.8), (14.0, -14.0), (-14.0, 5.5))


def draw(px_per_mm: float, parts: Mapping[str, Any]) -> dict[str, Face]:
    """The tiles and the board by component name; `parts` has `tiles` (attributes by name) and `board`.

    `board` has `rows`, `columns` and `printed`, a list of fields with what is printed on them.
    """
    deck: dict[str, Face] = {}
    for name, given in parts["tiles"].items():
        means = attributes(given)
        sheet = Sheet(TILE, px_per_mm, SEA)
        middle = sheet.at(TILE[0] / 2, TILE[1] / 2)
        paint(middle, means, random.Random(name))
        rim = box(-TILE[0] / 2, -TILE[1] / 2, TILE[0] / 2, TILE[1] / 2)
        middle.line([*rim, rim[0]], PAPER, 2 * RIM)
        deck[name] = Face(aged(sheet, _seed(name)), TILE, means, kind="tile")
    deck["board"] = Face(
        aged(_board(px_per_mm, parts["board"]), 401), board_size(parts["board"]), kind="board", copies=4
    )
    return deck


def attributes(given: Mapping[str, Any]) -> dict[str, Any]:
    """A tile's attributes, what is left out filled in."""
    empty: dict[str, Any] = {
        "open": "",
        "palms": 0,
        "huts": 0,
        "boats": 0,
        "shells": 0,
        "wreath": None,
        "volcano": False,
    }
    return empty | dict(given)


def board_size(board: Mapping[str, Any]) -> tuple[float, float]:
    """Width and height of the board, mm."""
    return STORE + board["columns"] * PITCH + EDGE, board["rows"] * PITCH + 2 * EDGE


def _seed(name: str) -> int:
    return zlib.crc32(name.encode())


def paint(sheet: Sheet, tile: Mapping[str, Any], rng: random.Random) -> None:
    """A tile around the origin. Two tiles that show the same still have their own waves, shores and turns."""
    _waves(sheet, 19.0, 19.0, rng)
    if tile["volcano"]:
        _volcano(sheet, rng)
        return
    sides = str(tile["open"])
    land = bool(sides or tile["palms"] or tile["huts"])
    if land:
        _island(sheet, sides, rng)
    if tile["wreath"]:
        _wreath(sheet.at(0, 0, TURN[tile["wreath"]]))
    boats, shells = list(BOATS), list(SHELLS)
    if not land:  # open water: boats and shells towards the middle, larger
        boats, shells = [(-5.0, -6.5), (6.0, 5.5), (-6.0, 8.0)], [(8.5, -8.0), (-9.5, 9.0), (0.0, 13.0)]
    for x, y in boats[: tile["boats"]]:
        _boat(sheet.at(x, y, rng.uniform(-14, 14), 1.0 if land else 1.45))
    for x, y in shells[: tile["shells"]]:
        _shell(sheet.at(x, y, rng.uniform(-25, 25), 1.0 if land else 1.25))
    trees = min(3, tile["palms"])
    for x, foot in (PALMS_BY_HUTS if tile["huts"] else PALMS)[trees]:
        _palm(sheet.at(x + rng.uniform(-0.5, 0.5), foot))
    for i in range(tile["huts"]):
        x, foot = HUTS[trees][0]
        _hut(sheet.at(x + 6.0 * i, foot))


def _waves(sheet: Sheet, half_width: float, half_height: float, rng: random.Random) -> None:
    sheet.polygon(box(-half_width, -half_height, half_width, half_height), SEA)
    for _ in range(int(half_width * half_height / 16)):
        x, y = rng.uniform(-half_width, half_width), rng.uniform(-half_height, half_height)
        length = rng.uniform(2.0, 4.5)
        bow = [(x, y), (x + length / 2, y - 0.8), (x + length, y)]
        sheet.line(bow, rng.choice((FOAM, DEEP, DEEP, mix(SEA, FOAM, 0.5))), 0.6)


def _island(sheet: Sheet, sides: str, rng: random.Random) -> None:
    """Sand and grass, with a neck to every open side."""
    wobble = [rng.uniform(-0.8, 0.8) for _ in range(14)]
    for grow, colour in ((1.2, FOAM), (0.0, SAND), (-2.2, GRASS)):
        for side in sides:
            neck = box(-8.0 - grow, -19.5, 8.0 + grow, 0)
            sheet.at(0, 0, TURN[side]).polygon(neck, colour)
        shore = [
            ((12.4 + grow + w) * math.cos(2 * math.pi * i / 14), (12.0 + grow + w) * math.sin(2 * math.pi * i / 14))
            for i, w in enumerate(wobble)
        ]
        sheet.polygon(curve(shore, 5), colour)
    for _ in range(9):
        x, y = rng.uniform(-8, 8), rng.uniform(-8, 8)
        sheet.line([(x, y), (x + 0.4, y - 1.4)], mix(GRASS, LEAF, 0.6), 0.45)


def _palm(sheet: Sheet) -> None:
    """A palm whose foot is the origin: trunk towards the player, crown away."""
    sheet.line([(0.4, 0), (-0.3, -4.5), (0, -9.2)], INK, 2.0)
    sheet.line([(0.4, 0), (-0.3, -4.5), (0, -9.2)], WOOD, 1.2)
    for angle in (-150, -105, -60, -15, 25, 195):
        frond = curve([(0, 0), (2.2, -1.3), (5.0, -0.4), (5.8, 1.5), (3.6, 0.7), (1.6, 0.6)], 5)
        sheet.at(0, -9.2, angle).polygon(frond, LEAF, mix(INK, LEAF, 0.2), 0.35)
    sheet.polygon(ellipse((0, -8.9), 0.9), (222, 150, 60), INK, 0.3)


def _hut(sheet: Sheet) -> None:
    sheet.polygon(box(-3.8, -1.6, 3.8, 3.6), (226, 178, 118), INK, 0.45)
    sheet.polygon([(-5.4, -1.2), (0, -6.6), (5.4, -1.2)], (190, 62, 40), INK, 0.5)
    sheet.polygon(box(-1.2, 0.2, 1.2, 3.6), INK)


def _ferns(sheet: Sheet, half_width: float, half_height: float, rng: random.Random) -> None:
    """Undergrowth around the origin: nothing that counts."""
    for _ in range(int(half_width * half_height / 18)):
        fern = sheet.at(rng.uniform(-half_width, half_width), rng.uniform(-half_height, half_height))
        for lean in (-1.6, 0.0, 1.6):
            fern.line([(0, 0), (lean, -2.4)], mix(GRASS, LEAF, rng.uniform(0.3, 0.8)), 0.7)


def _boat(sheet: Sheet) -> None:
    sheet.polygon(curve([(-4.6, 0.8), (0, 1.6), (4.6, 0.8), (2.8, 3.6), (-2.8, 3.6)], 5), WOOD, INK, 0.4)
    sheet.line([(0, 1.4), (0, -4.6)], INK, 0.5)
    sheet.polygon([(0.3, -4.6), (4.2, 0.4), (0.3, 0.4)], PAPER, INK, 0.4)
    sheet.polygon([(-0.3, -3.4), (-2.8, 0.4), (-0.3, 0.4)], (226, 92, 52), INK, 0.4)


def _shell(sheet: Sheet) -> None:
    fan = [(3.0 * math.sin(t), 1.4 - 4.2 * math.cos(t)) for t in (math.radians(a) for a in range(-75, 76, 15))]
    sheet.polygon([(0, 2.2), *fan], (250, 222, 212), INK, 0.45)
    for angle in (-45, -15, 15, 45):
        t = math.radians(angle)
        sheet.line([(0, 1.6), (2.5 * math.sin(t), 1.4 - 3.5 * math.cos(t))], (212, 128, 128), 0.4)


def _wreath(sheet: Sheet) -> None:
    """Half a wreath of flowers at the upper edge."""
    for i in range(6):
        t = math.pi * (i + 0.5) / 6
        flower = sheet.at(6.6 * math.cos(t), -19 + 6.6 * math.sin(t), i * 20)
        for petal in range(5):
            flower.at(0, 0, petal * 72).polygon(ellipse((0, -1.25), 0.95, 1.15), (232, 70, 130), INK, 0.2)
        flower.polygon(ellipse((0, 0), 0.75), (250, 216, 84))


def _volcano(sheet: Sheet, rng: random.Random) -> None:
    sheet.polygon(curve([(-16, 12), (0, 15.5), (16, 12), (13, 16.5), (-13, 16.5)], 6), FOAM)
    sheet.polygon([(-15, 14), (-4.5, -8), (4.5, -8), (15, 14)], (92, 72, 70), INK, 0.7)
    for x in (-8.5, -3, 4, 9):
        sheet.line([(x * 0.4, -6), (x, 13)], mix((92, 72, 70), INK, 0.45), 0.6)
    sheet.polygon(
        [(-4.5, -8), (4.5, -8), (3, -4.5), (1.2, -6), (0, 2.5), (-1.4, -5), (-3, -4)], (232, 74, 30), INK, 0.4
    )
    for x, y, r in ((0, -12, 3.4), (-3.4, -14.4, 2.7), (3.6, -15, 2.5)):
        sheet.polygon(ellipse((x + rng.uniform(-0.5, 0.5), y), r), (206, 202, 200), INK, 0.35)


# --- the board ----------------------------------------------------------------------------------------------------


def _board(px_per_mm: float, board: Mapping[str, Any]) -> Sheet:
    """Open water in fields, the printed land, and a place to store one tile at its left."""
    width, height = board_size(board)
    sheet = Sheet((width, height), px_per_mm, DEEP)
    rng = random.Random("board")
    _waves(sheet.at(width / 2, height / 2), width / 2, height / 2, rng)
    beach: list[Point] = [(0, 0), (STORE - 5, 0)]
    beach += [(STORE - 5 + rng.uniform(-1.6, 1.6), height * i / 9) for i in range(1, 9)]
    sheet.polygon([*beach, (STORE - 5, height), (0, height)], SAND, FOAM, 1.6)
    sheet.polygon(box(-5, -5, STORE - 13, height + 5), GRASS)
    _ferns(sheet.at(STORE / 2 - 7, height / 2 - 26), STORE / 2 - 9, height / 2 - 34, rng)
    sheet.polygon(box(1.2, height - 46, 41.2, height - 6, 2), mix(SAND, PAPER, 0.5), INK, 0.8)
    _hut(sheet.at(21.2, height - 24, scale=1.4))
    printed = {tuple(entry["field"]): entry for entry in board["printed"]}
    for row in range(board["rows"]):
        for column in range(board["columns"]):
            middle = sheet.at(STORE + (column + 0.5) * PITCH, EDGE + (row + 0.5) * PITCH)
            if (row, column) in printed:
                _printed(middle, attributes(printed[row, column]), rng)
            half = PITCH / 2
            middle.line([*box(-half, -half, half, half), (-half, -half)], mix(SEA, PAPER, 0.7), 0.5)
    return sheet


def _printed(sheet: Sheet, field: Mapping[str, Any], rng: random.Random) -> None:
    """A printed field: the coast, with boats beside it; no tile is laid there."""
    half = PITCH / 2
    sheet.polygon(box(-half, -half, half - 12, half), SAND)
    sheet.polygon(box(-half, -half, half - 15, half), GRASS)
    for side in field["open"]:
        if side in "EW":
            sheet.at(0, 0, TURN[side]).polygon(box(-8, -half, 8, 0), SAND)
    for i in range(field["boats"]):
        _boat(sheet.at(14.5, -4 + 9 * i))
    _ferns(sheet.at(-8, 0), 9, 16, rng)
    for x, y in PALMS[min(3, field["palms"])]:
        _palm(sheet.at(x - 6, y))
    for i in range(field["huts"]):
        _hut(sheet.at(-6 + 7 * i, -9))
    if field["wreath"]:
        _wreath(sheet.at(0, 0, TURN[field["wreath"]], PITCH / 38))
