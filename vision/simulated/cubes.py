"""Dice drawn from scratch: sharp and round edges, plain, pale, marbled and glossy bodies, pips of all colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.patterns import PATTERNS
from vision.simulated.strokes import any_colour, fill, hull, lab, noise, shaded

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

SQUARE: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)


@dataclass(frozen=True, slots=True)
class Sort:
    """What dice of one sort look like: colours are B, G, R of 0 to 1."""

    body: Floats
    vein: Floats
    marbled: float
    pips: Floats
    spacing: float
    pip: float
    rounded: float
    gloss: float

    @classmethod
    def drawn(cls, random: Generator) -> Sort:
        """Any sort."""
        body = any_colour(random)
        vein = any_colour(random)
        marbled = float(random.uniform(0.3, 0.95)) if random.random() < 0.35 else 0.0
        while True:
            pips = np.full(3, random.uniform(0.85, 1)) if random.random() < 0.5 else any_colour(random)
            if random.random() < 0.3:
                pips = np.full(3, random.uniform(0, 0.15))
            away = [float(np.linalg.norm(lab(pips) - lab(c))) for c in ((body, vein) if marbled else (body,))]
            if min(away) > 32:
                break
        gloss = float(random.uniform(0, 1)) if random.random() < 0.5 else 0.0
        spacing, pip = float(random.uniform(0.4, 0.62)), float(random.uniform(0.13, 0.25))
        return cls(body, vein, marbled, pips, spacing, pip, float(random.choice([0.03, 0.12, 0.3, 0.45])), gloss)


def draw(random: Generator, canvas: Single, sort: Sort, place: Floats, side: float, view: Floats, value: int) -> None:
    """Draw one die; `view` is how far its foot is seen beside its upper face, in sides."""
    turn = random.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    square = SQUARE @ np.array([[c, s], [-s, c]]) * side / 2
    top = square + place
    foot = square * random.uniform(0.92, 0.99) + place + view * side
    shift = random.normal(0, 0.25, 2) * side
    shaded(canvas, hull(np.concatenate([foot, foot + shift])), random.uniform(0.0, 0.6), 0.12 * side)
    x, y = np.floor(np.concatenate([top, foot]).min(axis=0) - 0.2 * side).astype(int)
    right, bottom = np.ceil(np.concatenate([top, foot]).max(axis=0) + 0.2 * side).astype(int)
    x, y = max(0, x), max(0, y)
    box = canvas[y:bottom, x:right]
    if not box.size:
        return
    rows, columns = box.shape[:2]
    body = _marble(random, sort, rows, columns, side)
    paint = body.copy()
    light = np.ones((rows, columns), np.float32)
    corner = np.array([x, y])
    lamp = random.uniform(0, 2 * np.pi)
    depth = random.uniform(0.1, 0.55)
    for i in range(4):
        j = (i + 1) % 4
        outward = top[i] + top[j] - 2 * place
        if outward @ view <= 0:
            continue
        shade = 1 - depth * (1 + np.cos(np.arctan2(outward[1], outward[0]) - lamp)) / 2 - 0.05
        quad = np.array([top[i], top[j], foot[j], foot[i]]) - corner
        cv2.fillConvexPoly(light, np.rint(quad).astype(np.int32), float(shade))
        _pips(random, paint, sort, quad, int(random.integers(0, 7)))
    fill(light, top - corner, sort.rounded * side, 1.0)
    cv2.GaussianBlur(light, (0, 0), max(0.3, 0.25 * sort.rounded * side), light)
    # pips of the sides do not reach over the edge
    face = np.zeros((rows, columns), np.uint8)
    cv2.fillConvexPoly(face, np.rint(top - corner).astype(np.int32), 255)
    paint = np.where(face[..., None] > 0, body, paint)
    _pips(random, paint, sort, top - corner, value)
    whole = np.zeros((rows, columns), np.float32)
    fill(whole, hull(np.concatenate([top, foot])) - corner, sort.rounded * side, 1.0)
    cv2.GaussianBlur(whole, (0, 0), 0.8, whole)
    seen = paint * light[..., None]
    if sort.gloss:
        _glossy(random, seen, top - corner, side, sort.gloss)
    box[:] = box * (1 - whole[..., None]) + seen * whole[..., None]


def _pips(random: Generator, paint: Single, sort: Sort, quad: Floats, value: int) -> None:
    """The pips of one face, whose corners are given."""
    sites = np.array(PATTERNS[value], np.float64).reshape(-1, 2)
    if random.random() < 0.5:
        sites = sites @ np.array([[0, 1], [-1, 0]])
    stretch = random.uniform(0.85, 1.12) if value == 6 else 1.0
    matrix = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), quad.astype(np.float32))
    ring = np.stack([np.cos(np.linspace(0, 2 * np.pi, 14)), np.sin(np.linspace(0, 2 * np.pi, 14))], 1)
    for site in sites:
        at = site * sort.spacing * (1, stretch) + random.normal(0, 0.012, 2)
        outline = cv2.perspectiveTransform((at + ring * sort.pip)[None].astype(np.float32), matrix)[0]
        ink = sort.pips * random.uniform(0.85, 1.05)
        cv2.fillConvexPoly(paint, np.rint(outline * 16).astype(np.int32), ink.tolist(), cv2.LINE_AA, 4)
        if sort.gloss and random.random() < 0.25:  # a pip is a hollow: its rim shines or is dark
            cv2.polylines(
                paint, [np.rint(outline * 16).astype(np.int32)], True, [float(random.choice([0.1, 0.9]))] * 3,
                1, cv2.LINE_AA, 4,
            )  # fmt: skip


def _marble(random: Generator, sort: Sort, rows: int, columns: int, side: float) -> Single:
    """The body's colour all over a box."""
    body = np.tile(sort.body.astype(np.float32), (rows, columns, 1))
    if sort.marbled:
        share = noise(random, rows, columns, max(2.0, side * random.uniform(0.12, 0.4)))
        share = np.clip(0.5 + 1.5 * share, 0, 1) * sort.marbled
        body += share[..., None] * (sort.vein - sort.body).astype(np.float32)
    return body


def _glossy(random: Generator, seen: Single, top: Floats, side: float, gloss: float) -> None:
    """Streaks and spots of the lamp along the edges."""
    layer = np.zeros(seen.shape[:2], np.float32)
    for _ in range(random.integers(1, 4)):
        i = int(random.integers(4))
        a, b = top[i], top[(i + 1) % 4]
        middle = top.mean(axis=0)
        inward = random.uniform(0.02, 0.35)
        k0, k1 = np.sort(random.uniform(0, 1, 2))
        ends = [(a + (b - a) * k) * (1 - inward) + middle * inward for k in (k0, k1)]
        start, end = (tuple(int(v) for v in np.rint(e)) for e in ends)
        cv2.line(layer, start, end, float(random.uniform(0.3, 1)), max(1, round(side * random.uniform(0.02, 0.08))))
    cv2.GaussianBlur(layer, (0, 0), 0.03 * side + 0.3, layer)
    seen += (1 - seen) * gloss * layer[..., None]
