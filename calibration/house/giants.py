"""Giants' house deck: the island, painted from a board's hexes and ahus.

A hex has `at` = [q, r], axial coordinates with a corner up (x = size·√3·(q + r/2), y = size·1.5·r), and perhaps a
`kind` and `logs`; an ahu has the one `hex` it touches, and what a Moai and a headdress count on it. The map's
attributes say where each hex and ahu lies, in millimetres from the board's upper left corner.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from calibration.house import Face
from calibration.house.paint import INK, PAPER, Colour, Point, Sheet, aged, box, capsule, curve, ellipse, mix

BOARD: Final = (520.0, 300.0)
COAST: Final = 26.0  #: between the outermost hexes and the board's edge, at least
AHU: Final = (21.0, 15.0)  #: along the coast, and across it

SEA: Final[Colour] = (58, 122, 160)
FOAM: Final[Colour] = (158, 204, 216)
SAND: Final[Colour] = (232, 210, 156)
GRASS: Final[Colour] = (150, 178, 98)
AHU_GROUND: Final[Colour] = (206, 176, 128)
ROCK: Final[Colour] = (150, 146, 138)
WOOD: Final[Colour] = (126, 80, 50)
LEAF: Final[Colour] = (46, 104, 62)
EDGES: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  #: neighbours clockwise from the right


def draw(px_per_mm: float, parts: Mapping[str, Any]) -> dict[str, Face]:
    """The map by its name; `parts` has `hexes` and `ahus`."""
    hexes, ahus = parts["hexes"], parts["ahus"]
    size, places = layout(hexes)
    sites = ahu_places(hexes, ahus, size, places)
    sheet = Sheet(BOARD, px_per_mm, SEA)
    rng = random.Random("island")
    _sea(sheet, rng)
    _land(sheet, places, size)
    for name, given in hexes.items():
        _hex(sheet.at(*places[name]), name, given, size, rng)
    for name, given in ahus.items():
        (x, y), turn = sites[name]
        _ahu(sheet.at(x, y, turn), given)
    means = {
        "hexes": {name: _rounded(place) for name, place in places.items()},
        "ahus": {name: _rounded(place) for name, (place, _) in sites.items()},
        "hex_mm": round(size, 2),
    }
    return {"map": Face(aged(sheet, 501), BOARD, means, kind="board")}


def layout(hexes: Mapping[str, Any]) -> tuple[float, dict[str, Point]]:
    """The hexes' size (centre to corner) and their centres on the board, mm."""
    flat = {name: _flat(*given["at"]) for name, given in hexes.items()}
    left, right = (pick(x for x, _ in flat.values()) for pick in (min, max))
    top, bottom = (pick(y for _, y in flat.values()) for pick in (min, max))
    size = min(
        (BOARD[0] - 2 * COAST) / (right - left + math.sqrt(3)),
        (BOARD[1] - 2 * COAST) / (bottom - top + 2),
    )
    shift_x = BOARD[0] / 2 - size * (left + right) / 2
    shift_y = BOARD[1] / 2 - size * (top + bottom) / 2
    return size, {name: (size * x + shift_x, size * y + shift_y) for name, (x, y) in flat.items()}


def ahu_places(
    hexes: Mapping[str, Any], ahus: Mapping[str, Any], size: float, places: Mapping[str, Point]
) -> dict[str, tuple[Point, float]]:
    """Where each ahu lies and how it is turned: on its hex's open edges, or shared out along one of them."""
    taken = {tuple(given["at"]) for given in hexes.values()}
    by_hex: dict[str, list[str]] = {}
    for name, given in ahus.items():
        by_hex.setdefault(given["hex"], []).append(name)
    sites: dict[str, tuple[Point, float]] = {}
    for name, here in by_hex.items():
        q, r = hexes[name]["at"]
        open_edges = [i for i, (dq, dr) in enumerate(EDGES) if (q + dq, r + dr) not in taken]
        angles = _spread(open_edges, len(here))
        x, y = places[name]
        for ahu, angle in zip(here, angles, strict=True):
            away = size * math.sqrt(3) / 2 + AHU[1] * 0.42
            t = math.radians(angle)
            sites[ahu] = ((x + away * math.cos(t), y + away * math.sin(t)), angle + 90)
    return sites


def _spread(edges: list[int], count: int) -> list[float]:
    """Directions (degrees clockwise from the right) for so many ahus on these edges of a hex."""
    if not edges:
        return [360 * i / count for i in range(count)]
    first = next((e for e in edges if (e - 1) % 6 not in edges), edges[0])
    run = [e for e in ((first + i) % 6 for i in range(6)) if e in edges]
    start, span = 60.0 * first, 60.0 * (len(run) - 1)
    if count == 1:
        return [start + span / 2]
    inset = 0.0 if span >= 60 * (count - 1) else -12.0
    return [start + inset + (span - 2 * inset) * i / (count - 1) for i in range(count)]


def _flat(q: float, r: float) -> Point:
    return math.sqrt(3) * (q + r / 2), 1.5 * r


def _rounded(place: Point) -> list[float]:
    return [round(place[0], 1), round(place[1], 1)]


# --- painting -----------------------------------------------------------------------------------------------------


def _sea(sheet: Sheet, rng: random.Random) -> None:
    for _ in range(520):
        x, y = rng.uniform(0, BOARD[0]), rng.uniform(0, BOARD[1])
        length = rng.uniform(3, 8)
        bow = [(x, y), (x + length / 2, y - 1.2), (x + length, y)]
        sheet.line(bow, rng.choice((FOAM, mix(SEA, INK, 0.25), mix(SEA, FOAM, 0.4))), 0.7)


def _land(sheet: Sheet, places: Mapping[str, Point], size: float) -> None:
    for grow, colour in ((1.52, FOAM), (1.44, SAND), (1.26, mix(SAND, GRASS, 0.5))):
        for place in places.values():
            sheet.polygon(ellipse(place, size * grow), colour)


def _hex(sheet: Sheet, name: str, given: Mapping[str, Any], size: float, rng: random.Random) -> None:
    corners = [(size * 0.97 * math.sin(math.pi * i / 3), -size * 0.97 * math.cos(math.pi * i / 3)) for i in range(6)]
    ground = mix(GRASS, rng.choice((SAND, LEAF, PAPER)), rng.uniform(0.05, 0.3))
    kind = given.get("kind")
    if kind in ("moai_quarry", "headdress_quarry"):
        ground = ROCK if kind == "moai_quarry" else (176, 98, 76)
    sheet.polygon(corners, ground, mix(INK, GRASS, 0.35), 0.8)
    for _ in range(14):
        turn, r = rng.uniform(0, 2 * math.pi), size * 0.78 * math.sqrt(rng.random())
        x, y = r * math.cos(turn), r * math.sin(turn)
        sheet.line([(x, y), (x + rng.uniform(-0.6, 0.6), y - 1.7)], mix(ground, INK, 0.35), 0.5)
    if kind is not None:
        KINDS[kind](sheet, given, rng)
    sheet.text((-size * 0.62, size * 0.4), name, 4.0, mix(INK, ground, 0.25))


def _forest(sheet: Sheet, given: Mapping[str, Any], rng: random.Random) -> None:
    for x, y in ((-10, -4), (-3.5, -9), (5, -8.5), (10.5, -3), (-6, 2.5), (6.5, 3)):
        at = sheet.at(x + rng.uniform(-0.8, 0.8), y)
        at.polygon(box(-0.7, 0, 0.7, 5), WOOD)
        at.polygon([(-4.2, 2.2), (0, -6.4), (4.2, 2.2)], mix(LEAF, PAPER, rng.uniform(0, 0.2)), INK, 0.45)
    sheet.polygon(capsule((-3.6, 8.8), (-0.4, 8.8), 1.1), mix(WOOD, GRASS, 0.3))
    sheet.text((3.4, 8.6), f"{given.get('logs', 0)}", 5.4, mix(INK, GRASS, 0.15), 0.15)


def _house(sheet: Sheet, x: float, y: float, scale: float) -> None:
    """A long boat-shaped house of the island."""
    at = sheet.at(x, y, scale=scale)
    at.polygon(curve([(-7, 3), (-4.5, -2.6), (0, -4.2), (4.5, -2.6), (7, 3)], 6), (206, 168, 104), INK, 0.5)
    for i in (-4, -2, 2, 4):
        at.line([(i, -1.8), (i * 1.2, 2.6)], (140, 102, 60), 0.5)
    at.polygon(box(-1.1, -0.4, 1.1, 3), (150, 112, 66))


def _village(sheet: Sheet, given: Mapping[str, Any], rng: random.Random) -> None:
    for x, y, scale in ((-7, -7, 0.95), (7, -5.5, 1.0), (-5.5, 3.5, 1.05), (7.5, 6, 0.95)):
        _house(sheet, x, y, scale)
    sheet.polygon(ellipse((1, 0), 1.8), (230, 120, 50), INK, 0.4)


def _hut(sheet: Sheet, given: Mapping[str, Any], rng: random.Random) -> None:
    _house(sheet, 0, 2, 1.5)
    for side in (-1, 1):
        sheet.line([(side * 11.5, 8), (side * 11.5, -7)], WOOD, 1.1)
        sheet.polygon([(side * 11.5, -8), (side * 11.5, -2.5), (side * 6.5, -5.2)], (176, 52, 48), INK, 0.4)
    for angle in (-40, 0, 40):
        feather = curve([(0, -7.5), (1.4, -4), (0, 0), (-1.4, -4)], 5)
        sheet.at(0, -5.5, angle).polygon(feather, mix(PAPER, GRASS, 0.3), mix(INK, GRASS, 0.4), 0.35)


def _moai_quarry(sheet: Sheet, given: Mapping[str, Any], rng: random.Random) -> None:
    sheet.polygon(curve([(-14, 7), (-10, -6), (0, -12), (10, -6), (14, 7)], 6), mix(ROCK, INK, 0.25), INK, 0.6)
    for x, scale in ((-7.5, 0.8), (0, 1.1), (7.5, 0.8)):
        head = sheet.at(x, 2.5, scale=scale)
        head.polygon(
            curve([(-3, -6), (3, -6), (3.7, 0), (3.2, 5.4), (-3.2, 5.4), (-3.7, 0)], 6), (196, 190, 178), INK, 0.5
        )
        head.line([(-3, -2.6), (3, -2.6)], INK, 0.9)
        head.line([(0, -2), (0, 1.6)], INK, 1.0)
        head.line([(-1.8, 3.4), (1.8, 3.4)], INK, 0.6)


def _headdress_quarry(sheet: Sheet, given: Mapping[str, Any], rng: random.Random) -> None:
    for x, y in ((-8, -5), (7.5, -6), (0, 1.5), (-9, 6), (9, 5.5)):
        at = sheet.at(x, y)
        at.polygon(box(-4.2, -1.6, 4.2, 3.0, 1.2), (158, 58, 42), INK, 0.5)
        at.polygon(ellipse((0, -1.8), 4.2, 1.7), (206, 106, 78), INK, 0.45)
        at.polygon(ellipse((0, -2.2), 1.6, 0.8), (158, 58, 42), INK, 0.35)


KINDS: Final[Mapping[str, Callable[[Sheet, Mapping[str, Any], random.Random], None]]] = {
    "forest": _forest,
    "village": _village,
    "hut": _hut,
    "moai_quarry": _moai_quarry,
    "headdress_quarry": _headdress_quarry,
}


def _ahu(sheet: Sheet, given: Mapping[str, Any]) -> None:
    """A platform along the coast; outwards what a Moai counts there, and what a headdress does, in red.

    Plain and of the beach's colours: what stands on it must be told from it.
    """
    half_w, half_h = AHU[0] / 2, AHU[1] / 2
    sheet.polygon(box(-half_w, -half_h, half_w, half_h, 1.5), AHU_GROUND, mix(AHU_GROUND, INK, 0.45), 0.6)
    for row in range(2):
        across = 0.6 + row * 3.4
        sheet.line([(-half_w + 1.5, across), (half_w - 1.5, across)], mix(AHU_GROUND, INK, 0.16), 0.5)
    for x, value, ink in ((-5.4, given["moai"], INK), (5.4, given["headdress"], (150, 50, 36))):
        sheet.unturned(x, -3.4).text((0, 0), f"{value}", 4.6, mix(ink, AHU_GROUND, 0.2), 0.15)
