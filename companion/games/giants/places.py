"""Where hexes and ahus lie on a map, and where on them figures and pieces stand.

A map says itself where everything lies (the attributes of a taught board: `hexes` and `ahus`, millimetres from its
upper left corner); else it follows from the hexes' axial places (`Hex.at`), spread over the map as the house map is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from companion.games.game import Malformed
from companion.games.giants.board import Board

Point = tuple[float, float]

MAP: Final = (520.0, 300.0)  #: width and height of the house map, mm
COAST: Final = 26.0  #: between the outermost hexes and the map's edge, at least
ASHORE: Final = 6.3  #: how far an ahu's middle lies beyond the edge of its hex
EDGES: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  #: axial steps to the neighbours, clockwise
WIDE: Final = 24.0  #: how much farther two ahus at one edge lie apart than on neighbouring edges, degrees


def _around(radius: float, first: float) -> Iterator[Point]:
    """Six places around a middle, one after the other as far apart as can be."""
    for turn in (0, 180, 60, 240, 120, 300):
        angle = math.radians(first + turn)
        yield radius * math.cos(angle), radius * math.sin(angle)


PIECE_SPOTS: Final = ((0.0, 0.0), *_around(8.0, 0), *_around(12.0, 30))  #: from a hex's middle, mm
FIGURE_SPOTS: Final = (*_around(18.5, 30), *_around(14.0, 0))  #: towards the corners first


@dataclass(frozen=True, slots=True)
class Island:
    """The middles of all hexes and ahus on the map, in the board's order; `size` is a hex's middle to its corner."""

    size: float
    hexes: tuple[Point, ...]
    ahus: tuple[Point, ...]


def island(board: Board, said: Mapping[str, Any] | None = None) -> Island | None:
    """The island by what the map says, or by the board's own coordinates; None where neither tells all of it."""
    return (_as_said(board, said) if said else None) or _as_drawn(board)


def _as_said(board: Board, said: Mapping[str, Any]) -> Island | None:
    hexes, ahus = said.get("hexes", {}), said.get("ahus", {})
    if any(hex_.id not in hexes for hex_ in board.hexes) or any(ahu.id not in ahus for ahu in board.ahus):
        return None
    places = tuple((float(x), float(y)) for x, y in (hexes[hex_.id] for hex_ in board.hexes))
    sites = tuple((float(x), float(y)) for x, y in (ahus[ahu.id] for ahu in board.ahus))
    steps = [math.dist(places[a], places[b]) for a, near in enumerate(board.links) for b in near]
    return Island(min(steps) / math.sqrt(3), places, sites)


def check(says: Mapping[str, Any], where: str) -> None:
    """Raises Malformed if a taught board does not give its hexes and ahus as {id: [x, y]}."""
    for key in ("hexes", "ahus"):
        placed = says.get(key, {})
        if not isinstance(placed, Mapping):
            raise Malformed(f"{where}.{key} must be an object")
        for name, place in placed.items():
            if not (isinstance(place, list | tuple) and len(place) == 2 and all(map(_is_number, place))):
                raise Malformed(f"{where}.{key}.{name} must be [x, y] in millimetres")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@lru_cache(maxsize=16)
def _as_drawn(board: Board) -> Island | None:
    """Hexes with a corner up, as large as the map allows; ahus on the open edges of their hex."""
    if any(hex_.at is None for hex_ in board.hexes):
        return None
    axial = [hex_.at or (0, 0) for hex_ in board.hexes]
    flat = [(math.sqrt(3) * (q + r / 2), 1.5 * r) for q, r in axial]
    xs, ys = [x for x, _ in flat], [y for _, y in flat]
    size = min(
        (MAP[0] - 2 * COAST) / (max(xs) - min(xs) + math.sqrt(3)), (MAP[1] - 2 * COAST) / (max(ys) - min(ys) + 2)
    )
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    places = tuple((MAP[0] / 2 + size * (x - middle[0]), MAP[1] / 2 + size * (y - middle[1])) for x, y in flat)
    taken = set(axial)
    sites: dict[int, Point] = {}
    for at, here in enumerate(board.ahus_of):
        q, r = axial[at]
        open_edges = [i for i, (dq, dr) in enumerate(EDGES) if (q + dq, r + dr) not in taken]
        away = size * math.sqrt(3) / 2 + ASHORE
        for ahu, angle in zip(here, _directions(open_edges, len(here)), strict=True):
            x, y = places[at]
            sites[ahu] = (x + away * math.cos(math.radians(angle)), y + away * math.sin(math.radians(angle)))
    return Island(size, places, tuple(sites[at] for at in range(len(board.ahus))))


def _directions(edges: list[int], count: int) -> list[float]:
    """Directions (degrees clockwise from the right) of so many ahus: shared out over a hex's open edges."""
    if not edges:
        return [360 * i / count for i in range(count)]
    first = next((edge for edge in edges if (edge - 1) % 6 not in edges), edges[0])
    span = 60.0 * (sum((first + i) % 6 in edges for i in range(6)) - 1)
    start = 60.0 * first
    if count == 1:
        return [start + span / 2]
    wider = 0.0 if span >= 60 * (count - 1) else WIDE
    return [start - wider / 2 + (span + wider) * i / (count - 1) for i in range(count)]
