"""Drawn tables with dice and pieces, to learn and to test reading them: every thing's kind and place is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.simulated import cubes
from vision.simulated.standing import KINDS, Standing
from vision.simulated.strokes import any_colour, ground, photographed, printed, something

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

FINER: Final = 3  #: pictures are drawn so many times as large and then reduced
SIDES: Final = (12.5, 25.0)  #: pixels of a die's side
SCALES: Final = (1.12, 1.38)  #: pixels a millimetre at which pieces are seen
NAMES: Final = ("nothing", *(str(value) for value in range(7)), *KINDS)  #: a die goes by its value


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing on a picture: its number in NAMES, its middle (x, y) and its size, both in pixels.

    A die's middle is that of its upper face, a piece's that of its foot; a `hidden` one cannot be seen.
    """

    name: int
    place: tuple[float, float]
    size: float
    hidden: bool = False


def throw(random: Generator, size: int = 128, enlarged: float = 1.0) -> tuple[Image, list[Thing]]:
    """A picture (size × size, BGR) of some dice or pieces, and where they are; some pictures show none.

    `enlarged` makes the same picture so many times as large.
    """
    large = size * FINER
    canvas = ground(random, large)
    if random.random() < 0.5:
        printed(random, canvas)
    for _ in range(random.poisson(1.0)):
        something(random, canvas)
    angle = random.uniform(0, 2 * np.pi)
    view = random.uniform(0, 0.6) * np.array([np.cos(angle), np.sin(angle)])  # away from the camera's foot
    dice = random.random() < 0.5
    things = _dice(random, canvas, view) if dice else _pieces(random, canvas, view)
    picture = photographed(random, canvas, round(size * enlarged))
    finer = large / picture.shape[0]
    return picture, [
        Thing(t.name, ((t.place[0] + 0.5) / finer - 0.5, (t.place[1] + 0.5) / finer - 0.5), t.size / finer, t.hidden)
        for t in things
    ]


def _dice(random: Generator, canvas: Single, view: Floats) -> list[Thing]:
    side = float(np.exp(random.uniform(*np.log(SIDES)))) * FINER
    sorts = [cubes.Sort.drawn(random) for _ in range(random.integers(1, 4))]
    most = 3 if random.random() < 0.4 else 6  # a game's own dice may end at 3
    lowest = 0 if random.random() < 0.3 else 1
    places: list[tuple[Floats, float]] = []
    for _ in range(random.integers(1, 9) if random.random() < 0.93 else 0):
        own = side * random.uniform(0.9, 1.12)
        place = _place(random, places, own / 2, canvas.shape[0])
        if place is not None:
            places.append((place, own / 2))
    places.sort(key=lambda p: -float(p[0] @ view))
    found = []
    for place, half in places:
        value = int(random.integers(lowest, most + 1))
        cubes.draw(random, canvas, sorts[random.integers(len(sorts))], place, 2 * half, -view, value)
        found.append(Thing(1 + value, (float(place[0]), float(place[1])), 2 * half))
    return found


def _pieces(random: Generator, canvas: Single, view: Floats) -> list[Thing]:
    scale = random.uniform(*SCALES) * FINER
    paints = [any_colour(random) if random.random() < 0.3 else _vivid(random) for _ in range(5)]
    washed = random.uniform(0, 0.8) if random.random() < 0.25 else random.uniform(0, 0.15)
    lamp = random.uniform(0, 2 * np.pi)
    places: list[tuple[Floats, float]] = []
    chosen: list[tuple[Floats, Standing]] = []
    for _ in range(random.integers(2, 16) if random.random() < 0.95 else 0):
        piece = Standing.drawn(random, scale, paints, washed)
        place = _place(random, places, piece.reach, canvas.shape[0])
        if place is not None:
            places.append((place, piece.reach))
            chosen.append((place, piece))
    chosen.sort(key=lambda p: -float(p[0] @ view))  # what is nearer to the camera's foot hides what is farther
    found = []
    for i, (place, piece) in enumerate(chosen):
        piece.draw(random, canvas, place, view, lamp)
        hidden = any(p.covers(place - at, view) for at, p in chosen[i + 1 :])
        found.append(Thing(8 + KINDS.index(piece.kind), (float(place[0]), float(place[1])), piece.size, hidden))
    return found


def _place(random: Generator, others: list[tuple[Floats, float]], reach: float, size: int) -> Floats | None:
    """Somewhere apart from the others, often close to one."""
    for _ in range(20):
        if others and random.random() < 0.5:
            near, own = others[random.integers(len(others))]
            a = random.uniform(0, 2 * np.pi)
            place = near + (own + reach) * random.uniform(1.0, 1.5) * np.array([np.cos(a), np.sin(a)])
        else:
            place = random.uniform(0, size, 2)
        inside = bool((place > 0.6 * reach).all() and (place < size - 0.6 * reach).all())
        if inside and all(np.hypot(*(place - p)) > 0.98 * (own + reach) for p, own in others):
            return np.asarray(place, np.float64)
    return None


def _vivid(random: Generator) -> Floats:
    pixel = np.array([[[random.uniform(0, 360), random.uniform(0.6, 1), random.uniform(0.5, 1)]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float64)
