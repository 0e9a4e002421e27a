"""Things that look like dice and are none: glass beads with a glint, dots and signs on cards, boards, letters.

Lengths are in pixels; colours are B, G, R of 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.simulated.strokes import any_colour, shaded

Floats = NDArray[np.float64]
Single = NDArray[np.float32]

ROUND: Final = np.linspace(0, 2 * np.pi, 24, endpoint=False)
HEART: Final = np.column_stack([16 * np.sin(ROUND) ** 3,
                                -13 * np.cos(ROUND) + 5 * np.cos(2 * ROUND) + 2 * np.cos(3 * ROUND)
                                + np.cos(4 * ROUND)]) / 15  # fmt: skip
STEM: Final = np.array([(0.1, 0.5), (0.4, 1.2), (-0.4, 1.2), (-0.1, 0.5)])
SIGNS: Final = (  #: of playing cards, about 1 from the middle to the end
    HEART, np.array([(0, -1.2), (0.9, 0), (0, 1.2), (-0.9, 0)]),
    np.concatenate([np.roll(-HEART, 12, axis=0), STEM]),
    np.column_stack([np.cos(ROUND), np.sin(ROUND)]) * (0.75 + 0.3 * np.abs(np.cos(1.5 * (ROUND + np.pi / 2))))[:, None],
)  # fmt: skip


def decoy(random: Generator, canvas: Single, side: float) -> Floats:
    """Draw one of about a die's size; returns its middle (x, y)."""
    middle = np.asarray(random.uniform(0.5 * side, canvas.shape[0] - 0.5 * side, 2))
    KINDS[random.integers(len(KINDS))](random, canvas, middle, side)
    return middle


def bead(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A ball, or half of one, of glass or not: darker towards its rim, with a glint or two, in its shadow."""
    radius = side * random.uniform(0.25, 0.6)
    outline = middle + radius * np.column_stack([np.cos(ROUND), np.sin(ROUND)])
    shaded(canvas, outline + random.normal(0, 0.25 * radius, 2), random.uniform(0, 0.5), 0.2 * radius + 0.5)
    x, y = (np.clip(v, 0, canvas.shape[0] - 1) for v in (middle - radius - 1, middle + radius + 2))
    box = canvas[int(x[1]) : int(y[1]), int(x[0]) : int(y[0])]
    rows, columns = np.mgrid[int(x[1]) : int(y[1]), int(x[0]) : int(y[0])]
    away = np.hypot(columns - middle[0], rows - middle[1]) / radius
    dim = 1 - random.uniform(0, 0.7) * np.clip(away, 0, 1) ** random.uniform(1.5, 4)
    clear = random.uniform(0, 0.6) if random.random() < 0.5 else 0.0
    colour = (any_colour(random) * (1 - clear) + clear * box) * dim[..., None]
    for _ in range(int(random.integers(0, 3))):
        glint = middle + random.uniform(-0.5, 0.5, 2) * radius
        near = np.hypot(columns - glint[0], rows - glint[1]) / (radius * random.uniform(0.08, 0.3))
        colour = colour + (random.uniform(0.4, 1.5) * np.exp(-(near ** random.uniform(2, 6))))[..., None]
    cover = np.clip((1 - away) * radius + 0.5, 0, 1)[..., None]
    box[:] = box * (1 - cover) + colour * cover


def dotted(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A card with a dot in its middle, a row of dots, or any dots; but never as on a die."""
    size = side * random.uniform(0.7, 2.0, 2)
    turn = random.uniform(0, 180)
    _card(random, canvas, middle, size, turn)
    along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    reach, ink = random.uniform(0.06, 0.2) * side, any_colour(random)
    kind = random.integers(3)
    count = int(random.integers(2, 5))
    places = np.zeros((1, 2))
    if kind == 1:
        places = (np.arange(count) - (count - 1) / 2)[:, None] * random.uniform(0.25, 0.5) * side * along
    elif kind == 2:
        places = random.normal(0, 0.3 * side, (count, 2))
    diamond = random.random() < 0.3
    for place in middle + places:
        if diamond:
            shape = place + reach * np.array([(0, -1.3), (1, 0), (0, 1.3), (-1, 0)])
            cv2.fillPoly(canvas, [shape.astype(np.int32)], ink.tolist(), cv2.LINE_AA)
        else:
            _disc(canvas, place, reach, ink)
            if random.random() < 0.3:
                _disc(canvas, place - 0.3 * reach, 0.3 * reach, np.ones(3))


def suits(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A playing card, from so near that its signs lie like pips; but the card goes on where a die would end."""
    turn = random.uniform(0, 2 * np.pi)
    axes = side * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    _card(
        random, canvas, middle + random.normal(0, 0.3 * side, 2), side * random.uniform(1.8, 3.5, 2), np.degrees(turn)
    )
    ink = any_colour(random).tolist()
    across, down = random.uniform(0.22, 0.45), random.uniform(0.22, 0.4)
    columns = random.choice([1, 2, 2, 3])
    x = (np.arange(columns) - (columns - 1) / 2) * across * (2 if columns == 2 else 1)
    y = (np.arange(random.integers(1, 5)) - random.choice([0.5, 1, 1.5])) * down
    places = [(a, b) for a in x for b in y] + ([(0.0, y[0] + down / 2)] if random.random() < 0.5 else [])
    shape = SIGNS[random.integers(len(SIGNS))] * min(across, down) * random.uniform(0.3, 0.55)
    for a, b in places:
        upright = -1 if b > 0 and random.random() < 0.8 else 1
        outline = (shape * upright + (a, b)) @ axes + middle
        cv2.fillPoly(canvas, [np.rint(outline * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def court(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A part of a card full of print: patches, dots and lines of a few colours, many of them in rows."""
    turn = random.uniform(0, 2 * np.pi)
    axes = side * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    _card(random, canvas, middle, side * random.uniform(1.5, 3.5, 2), np.degrees(turn))
    colours = [any_colour(random).tolist() for _ in range(random.integers(2, 5))]
    for _ in range(int(random.integers(4, 14))):
        at, ink = random.normal(0, 0.5, 2), colours[random.integers(len(colours))]
        kind, reach = random.integers(4), random.uniform(0.04, 0.2)
        step = random.uniform(1.2, 3.5) * reach * np.array([np.cos(a := random.uniform(0, np.pi)), np.sin(a)])
        for k in range(int(random.integers(1, 6))):
            x, y = np.rint(16 * ((at + k * step) @ axes + middle)).astype(int)
            if kind == 0:
                cv2.circle(canvas, (int(x), int(y)), int(16 * reach * side), ink, -1, cv2.LINE_AA, 4)
            elif kind == 1:
                shape = (SIGNS[random.integers(len(SIGNS))] * reach + at + k * step) @ axes + middle
                cv2.fillPoly(canvas, [np.rint(shape * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)
            elif kind == 2:
                axis = (int(2 * reach * side) + 1, int(reach * side) + 1)
                arc = int(random.choice([180, 360]))
                thick = max(1, round(0.06 * side))
                cv2.ellipse(canvas, (int(x / 16), int(y / 16)), axis, np.degrees(turn), 0, arc, ink, thick, cv2.LINE_AA)
            else:
                end = np.rint(16 * ((at + k * step + random.normal(0, 0.3, 2)) @ axes + middle)).astype(int)
                thick = max(1, round(random.uniform(0.02, 0.12) * side))
                cv2.line(canvas, (int(x), int(y)), (int(end[0]), int(end[1])), ink, thick, cv2.LINE_AA, 4)


def squares(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A board of squares of two colours."""
    cell, count = side * random.uniform(0.25, 1.3), int(random.integers(2, 7))
    turn = random.uniform(0, np.pi)
    axes = cell * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn) * random.uniform(0.6, 1)]])
    colours = [any_colour(random).tolist(), any_colour(random).tolist()]
    odd = 0.5 * int(random.integers(2))  # the middle is a square's, or a corner
    for i in range(-count, count):
        for j in range(-count, count):
            corners = np.array([(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]) - odd
            shape = corners @ axes + middle
            cv2.fillPoly(canvas, [shape.astype(np.int32)], colours[(i + j) % 2], cv2.LINE_AA)


def letters(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A word, or a sign."""
    text = "".join(random.choice(list("ABEMOSWXabcegmosw0356889%#&")) for _ in range(random.integers(1, 6)))
    tall = side * random.uniform(0.3, 1.2)
    size = max(0.3, tall / 22)
    thick = max(1, round(tall * random.uniform(0.06, 0.25)))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, thick)
    if random.random() < 0.6:
        _card(random, canvas, middle, np.array([wide, high]) * random.uniform(1.1, 2), 0.0)
    written = np.zeros(canvas.shape[:2], np.uint8)  # letters are drawn in bytes only
    at = (int(middle[0] - wide / 2), int(middle[1] + high / 2))
    cv2.putText(written, text, at, cv2.FONT_HERSHEY_DUPLEX, size, 255, thick, cv2.LINE_AA)
    turned = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), random.uniform(0, 360), 1)
    cover = cv2.warpAffine(written, turned, written.shape[::-1]).astype(np.float32)[..., None] / 255
    canvas[:] = canvas * (1 - cover) + any_colour(random).astype(np.float32) * cover


def marker(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A marker: a dark square with some light cells, on paper."""
    length, turn = side * random.uniform(0.6, 1.6), random.uniform(0, np.pi)
    axes = length * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    paper, ink = np.full(3, random.uniform(0.7, 1)), np.full(3, random.uniform(0, 0.3))
    cells = int(random.integers(3, 7))
    for grown, colour in ((1.4, paper), (1.0, ink)):
        cv2.fillPoly(canvas, [(square * grown @ axes + middle).astype(np.int32)], colour.tolist(), cv2.LINE_AA)
    for i in range(1, cells - 1):
        for j in range(1, cells - 1):
            if random.random() < 0.5:
                shape = ((square + 0.5 + (i, j)) / cells - 0.5) @ axes + middle
                cv2.fillPoly(canvas, [shape.astype(np.int32)], paper.tolist(), cv2.LINE_AA)


def rings(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    """A disc on a disc."""
    radius = side * random.uniform(0.3, 0.7)
    for _ in range(int(random.integers(1, 4))):
        _disc(canvas, middle, radius, any_colour(random))
        radius *= random.uniform(0.2, 0.8)


def _card(random: Generator, canvas: Single, middle: Floats, size: Floats, turn: float) -> None:
    box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (float(size[0]), float(size[1])), turn))
    if random.random() < 0.5:
        shaded(canvas, np.asarray(box, np.float64) + random.normal(0, 1, 2), random.uniform(0, 0.3), 1.5)
    cv2.fillPoly(canvas, [box.astype(np.int32)], any_colour(random).tolist(), cv2.LINE_AA)


def _disc(canvas: Single, place: Floats, radius: float, colour: Floats) -> None:
    at = (round(float(place[0]) * 16), round(float(place[1]) * 16))
    cv2.circle(canvas, at, max(8, round(radius * 16)), colour.tolist(), -1, cv2.LINE_AA, 4)


KINDS: Final[tuple[Callable[[Generator, Single, Floats, float], None], ...]] = (
    bead, bead, dotted, dotted, suits, suits, court, court, squares, letters, marker, rings,
)  # fmt: skip
