"""Where a game's zones lie on this table: rectangles in table millimetres, kept in a file, moved by zone cards.

A zone card (marker ids 20 to 39) lies at its zone's upper left corner, outside it: the zone begins at the card's
right edge, level with its upper edge, and is turned as the card is. The card with id 20 + n is the n-th zone's of the
layout for the most players, so that the same cards serve however many play.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from calibration import toml
from vision.plane import MARKER_MM, ZONE_IDS, Marker, Plane

FILE: Final = "layout.toml"
CARD_MARGINS: Final = 0.25  #: white around a zone card's marker, as a share of the marker
STRAIGHT_DEG: Final = 2.0  #: a card that is turned by less was meant to lie straight


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle: its upper left corner, its sides, and its turn about that corner (clockwise)."""

    name: str
    x: float
    y: float
    width: float
    height: float
    angle_deg: float = 0.0

    def holds(self, x: float, y: float) -> bool:
        """Whether a place on the table is in the zone."""
        turn = math.radians(self.angle_deg)
        dx, dy = x - self.x, y - self.y
        along, down = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
        return 0 <= along <= self.width and 0 <= down <= self.height

    def data(self) -> dict[str, Any]:
        sides = {name: round(getattr(self, name), 1) for name in ("x", "y", "width", "height")}
        turn = {"angle_deg": round(self.angle_deg, 1)} if round(self.angle_deg, 1) else {}
        return {"name": self.name, **sides, **turn}


def parse(text: str) -> Zone:
    """A zone from NAME=X,Y,WIDTH,HEIGHT[,ANGLE] in millimetres and degrees. Raises ValueError."""
    name, _, numbers = text.partition("=")
    parts = numbers.split(",")
    number = re.compile(r"-?\d+(\.\d+)?")
    if not name.strip() or len(parts) not in (4, 5) or not all(number.fullmatch(p.strip()) for p in parts):
        raise ValueError(f"{text!r} is no zone; say NAME=X,Y,WIDTH,HEIGHT in millimetres, as in supply=330,275,300,145")
    zone = Zone(name.strip(), *(float(p) for p in parts))
    if zone.width <= 0 or zone.height <= 0:
        raise ValueError(f"zone {zone.name} has no area")
    return zone


def with_cards(
    zones: Sequence[Zone],
    markers: Iterable[Marker],
    plane: Plane,
    card_mm: float = MARKER_MM,
    order: Sequence[str] | None = None,
) -> tuple[tuple[Zone, ...], tuple[str, ...]]:
    """The zones moved to where their cards lie, and the names of those that have one. Cards of no zone are ignored.

    `order` names all zones that have cards, by the cards' numbers; without it these are `zones`.
    """
    names = [zone.name for zone in zones] if order is None else order
    of_card = dict(zip(ZONE_IDS, names, strict=False))
    moved = {zone.name: zone for zone in zones}
    named = []
    for marker in markers:
        zone = moved.get(of_card.get(marker.id, ""))
        if zone is None:
            continue
        (left, top), (right, along), *_ = plane.to_mm(marker.corners).tolist()
        angle = math.degrees(math.atan2(along - top, right - left))
        angle = 0.0 if abs(angle) < STRAIGHT_DEG else angle
        turn = math.radians(angle)
        over, up = card_mm * (1 + CARD_MARGINS), -card_mm * CARD_MARGINS
        x = left + over * math.cos(turn) - up * math.sin(turn)
        y = top + over * math.sin(turn) + up * math.cos(turn)
        moved[zone.name] = replace(zone, x=x, y=y, angle_deg=angle)
        named.append(zone.name)
    return tuple(moved.values()), tuple(named)


def with_given(zones: Sequence[Zone], given: Iterable[Zone]) -> tuple[Zone, ...]:
    """The zones, those of equal name replaced and new ones added at the end."""
    by_name = {zone.name: zone for zone in zones}
    return tuple((by_name | {zone.name: zone for zone in given}).values())


def save(zones: Sequence[Zone], folder: Path, marker_mm: float = MARKER_MM) -> Path:
    """Keep a layout, and the side of its markers' black squares, in a table's calibration folder."""
    path = folder / FILE
    said = "Zones in table millimetres: x right and y down from the centre of the lowest table marker."
    toml.write(path, said, {"marker_mm": marker_mm, "zones": [zone.data() for zone in zones]})
    return path


def load(folder: Path) -> tuple[Zone, ...]:
    """The layout kept in a calibration folder. Raises toml.Unreadable."""
    path = folder / FILE
    said = toml.read(path)
    try:
        zones = tuple(_zone(values) for values in said.get("zones", []))
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise toml.Unreadable(f"{path} is no layout ({e}): each zone needs name, x, y, width and height") from e
    names = [zone.name for zone in zones]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise toml.Unreadable(f"{path} has zones of the same name: {', '.join(twice)}")
    return zones


def marker_mm(folder: Path) -> float:
    """The side of this table's markers as its layout has it, or the usual one. Raises toml.Unreadable."""
    path = folder / FILE
    try:
        side = toml.finite(toml.read(path).get("marker_mm", MARKER_MM)) if path.exists() else MARKER_MM
        if side <= 0:
            raise ValueError(f"{side} mm is no size")
    except (TypeError, ValueError) as e:
        if isinstance(e, toml.Unreadable):
            raise
        raise toml.Unreadable(f"{path} says no size of markers ({e}): mend marker_mm, or calibrate again") from e
    return side


def _zone(values: Mapping[str, Any]) -> Zone:
    x, y, width, height = (toml.finite(values[name]) for name in ("x", "y", "width", "height"))
    zone = Zone(str(values["name"]), x, y, width, height, toml.finite(values.get("angle_deg", 0.0)))
    if width <= 0 or height <= 0:
        raise ValueError(f"zone {zone.name} has no area")
    return zone
