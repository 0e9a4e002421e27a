"""Simulated tables drawn by lot: any light, any camera, cards apart, in columns and in heaps, beads, arms, clutter.

They are harder than a table at which people play, so that there is something to doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from companion.demo.stage import House
from tests.bench.truth import Truth
from vision.simulated import BeadAt, HandAt, Image, Look, Placed, Scene, SimulatedTable

SURFACES: Final = ("oak", "walnut", "cloth", "linen", "slate")
GLASS: Final = ("green", "red", "yellow", "blue")
Rng = np.random.Generator


def photos(house: House, count: int, seed: int) -> Iterator[tuple[Image, Truth]]:
    """So many photographs (BGR, 1920 × 1080) with the truth about each."""
    for number in range(count):
        yield photo(house, number, seed)


def photo(house: House, number: int, seed: int) -> tuple[Image, Truth]:
    """One of them."""
    rng = np.random.default_rng((seed, number))
    table = SimulatedTable(house.faces, int(rng.integers(1 << 30)), look=look(rng))
    laid = scene(house, rng)
    return table.render(laid), table.truth(laid)


def look(rng: Rng) -> Look:
    """A room by lot, from kind to hardly usable."""
    hard = float(rng.uniform(0, 1))
    return Look(
        surface=str(rng.choice(SURFACES)),
        tilt_deg=(float(rng.normal(0, 4 + 6 * hard)), float(rng.normal(0, 4 + 4 * hard))),
        roll_deg=float(rng.uniform(-8, 8)),
        lamp_mm=(float(rng.uniform(0, 900)), float(rng.uniform(0, 560)), float(rng.uniform(500, 1200))),
        lamp=float(rng.uniform(0.1, 0.3 + 0.9 * hard)),
        warmth=float(rng.uniform(-0.05, 0.1 + 0.1 * hard)),
        exposure=float(np.exp(rng.normal(0, 0.1 + 0.45 * hard))),
        gloss=float(rng.uniform(0.02, 0.1 + 0.4 * hard)),
        noise=float(rng.uniform(1, 2 + 5 * hard)),
        blur_px=float(rng.uniform(0.4, 0.7 + 1.8 * hard)),
    )


def scene(house: House, rng: Rng) -> Scene:
    """Components in columns and heaps by lot, and what else lies on tables."""
    flat = [name for name, face in house.faces.items() if face.kind != "board"]
    laid: list[Placed] = []
    for column in range(int(rng.integers(2, 6))):
        laid += _column(house, flat, (110.0 + 150 * column, 60.0), rng)
    for _ in range(int(rng.integers(0, 8))):
        place = (float(rng.uniform(60, 840)), float(rng.uniform(60, 500)))
        laid.append(Placed(str(rng.choice(flat)), place, float(rng.uniform(0, 360))))
    beads = tuple(
        BeadAt(str(rng.choice(GLASS)), (float(100 + 16 * i), float(rng.uniform(520, 550))))
        for i in range(int(rng.integers(0, 40)))
    )
    hands = (HandAt((float(rng.uniform(100, 800)), float(rng.uniform(100, 450)))),) if rng.uniform() < 0.3 else ()
    clutter = (Placed("phone", (float(rng.uniform(60, 840)), 470.0), float(rng.uniform(0, 360))),)
    return Scene(tuple(laid), beads, hands=hands, clutter=clutter if rng.uniform() < 0.3 else ())


def _column(house: House, names: list[str], top: tuple[float, float], rng: Rng) -> Iterator[Placed]:
    """Components of one size below each other, each over the one before, or all of them apart."""
    first = str(rng.choice(names))
    size = house.faces[first].size_mm
    alike = [name for name in names if house.faces[name].size_mm == size]
    turn = float(rng.choice((0.0, 180.0)) + rng.normal(0, 3))
    step = float(rng.uniform(0.12, 0.5) * size[1] if rng.uniform() < 0.6 else size[1] + rng.uniform(1, 12))
    y = top[1] + size[1] / 2
    for _ in range(int(rng.integers(2, 9))):
        if y > 470:
            break
        yield Placed(str(rng.choice(alike)), (top[0] + float(rng.normal(0, 1.5)), y), turn + float(rng.normal(0, 1)))
        y += step
