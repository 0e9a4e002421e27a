"""Pieces drawn from scratch: pawns on round, oval and star feet, rods, blocks and flat cylinders, all of any size.

They need not look like wood or plastic, only vary more than real ones do: a reader that learned from them reads those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.simulated.strokes import CIRCLE, any_colour, hull, noise, shaded

Floats = NDArray[np.float64]
Single = NDArray[np.float32]

PAWNS: Final = ("round", "oval", "star")
KINDS: Final = (*PAWNS, "rod", "block", "cylinder")


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece of some kind: its foot around its middle (n × 2), how high and how large it is, and its colour.

    Lengths are pixels; `size` is a foot's mean diameter, a rod's length, a block's side. `head` is 0 for no pawn.
    """

    kind: str
    foot: Floats
    height: float
    size: float
    head: float
    colour: Floats
    washed: float  #: how much of the foot's colour a glare takes away

    @classmethod
    def drawn(cls, random: Generator, scale: float, paints: list[Floats], washed: float) -> Standing:
        """Any piece; `scale` is pixels a millimetre, `paints` the players' colours."""
        kind = str(random.choice(KINDS, p=(0.26, 0.15, 0.19, 0.14, 0.19, 0.07)))
        head = 0.0
        colour = paints[random.integers(len(paints))] * random.uniform(0.85, 1.1)
        if kind in PAWNS:
            r = scale * random.uniform(6.5, 9.5)
            reach = {"round": (1.0, 1.0), "oval": (random.uniform(1.25, 1.7), 1.0), "star": (1.0, 1.0)}[kind]
            outline = CIRCLE * r * (0.92 if kind == "oval" else 1.0) * reach
            if kind == "star":
                outline = _star(random, r)
            height, head = scale * random.uniform(11, 26), scale * random.uniform(2.2, 4.2)
            size = float(np.ptp(outline, axis=0).mean())
        elif kind == "rod":
            length, width = scale * random.uniform(18, 32), scale * random.uniform(5, 9)
            outline = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (length / 2, width / 2)
            height, size = width * random.uniform(0.6, 1.0), length
            colour = _brown(random) if random.random() < 0.75 else any_colour(random)
        elif kind == "block":
            side = scale * random.uniform(9.5, 23)
            outline = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (side / 2, side / 2 * random.uniform(0.8, 1))
            height, size = side * random.uniform(1.5, 2.4), side
            colour = np.full(3, random.uniform(0.3, 0.8)) * random.uniform(0.9, 1.1, 3)
            if random.random() < 0.2:
                colour = any_colour(random)
        else:
            r = scale * random.uniform(5.5, 9)
            outline, height, size = CIRCLE * r, r * random.uniform(0.7, 1.3), 2 * r
            if random.random() < 0.6:
                colour = np.array([0.2, 0.25, 0.65]) * random.uniform(0.6, 1.2, 3)
        turn = random.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        return cls(kind, outline @ np.array([[c, s], [-s, c]]), height, size, head, np.clip(colour, 0, 1), washed)

    @property
    def reach(self) -> float:
        """Pixels from its middle to where the next may stand."""
        area = abs(float(cv2.contourArea(self.foot.astype(np.float32))))
        return float(np.sqrt(area / np.pi))

    def covers(self, place: Floats, view: Floats) -> bool:
        """Whether a place, seen from its own, lies behind it."""
        outline = self.foot if self.head else hull(np.concatenate([self.foot, self.foot + view * self.height]))
        return cv2.pointPolygonTest(outline.astype(np.float32), (float(place[0]), float(place[1])), False) > 0

    def draw(self, random: Generator, canvas: Single, place: Floats, view: Floats, lamp: float) -> None:
        """Draw it standing at `place`; what is one pixel high is seen `view` pixels away from its foot."""
        lean = view * self.height
        shift = lean + np.array([np.cos(lamp), np.sin(lamp)]) * random.uniform(0, 0.5) * self.height
        shaded(canvas, hull(np.concatenate([self.foot + place, self.foot * 0.6 + place + shift])),
               random.uniform(0.05, 0.5), 0.06 * self.size + 1)  # fmt: skip
        if self.head:
            self._pawn(random, canvas, place, view, lamp)
        else:
            self._solid(random, canvas, place, lean, lamp)

    def _solid(self, random: Generator, canvas: Single, place: Floats, lean: Floats, lamp: float) -> None:
        """Sides darker than the top, or lighter; a rod has none that show much."""
        top = self.foot * random.uniform(1.0, 1.05) + place + lean
        foot = self.foot + place
        depth = random.uniform(0.15, 0.6)
        if len(foot) == 4:
            for i in range(4):
                j = (i + 1) % 4
                outward = foot[i] + foot[j] - 2 * place
                if outward @ lean >= 0:
                    continue
                shade = 1 - depth * (0.55 + 0.45 * np.cos(np.arctan2(outward[1], outward[0]) - lamp))
                _polygon(canvas, np.array([foot[i], foot[j], top[j], top[i]]), self.colour * shade)
        else:
            _polygon(canvas, hull(np.concatenate([foot, top])), self.colour * (1 - depth))
        _polygon(canvas, top, self._glared(random))
        _grain(random, canvas, hull(np.concatenate([foot, top])), random.uniform(0, 0.12))

    def _pawn(self, random: Generator, canvas: Single, place: Floats, view: Floats, lamp: float) -> None:
        foot = self.foot + place
        slab = view * self.height * random.uniform(0.05, 0.2)
        _polygon(canvas, hull(np.concatenate([foot, foot + slab])) if self.kind != "star" else foot, self.colour * 0.75)
        _polygon(canvas, foot + slab, self._glared(random))
        neck = self.head * random.uniform(0.6, 1.3)
        top = place + view * (self.height - self.head)
        body = hull(np.concatenate([CIRCLE * neck + place + slab, CIRCLE * 0.75 * self.head + top]))
        shade = random.uniform(0.5, 0.95)
        away = np.array([np.cos(lamp), np.sin(lamp)])
        _polygon(canvas, body + away * 0.35 * self.head, self.colour * shade * 0.85)
        _polygon(canvas, body, self.colour * shade)
        _polygon(canvas, CIRCLE * self.head + top, self.colour * random.uniform(0.7, 1.0))
        _polygon(
            canvas, CIRCLE * 0.65 * self.head + top - away * 0.25 * self.head, self.colour * random.uniform(0.85, 1.2)
        )
        if random.random() < 0.6:
            _polygon(
                canvas, CIRCLE * 0.25 * self.head + top - away * 0.4 * self.head, np.full(3, random.uniform(0.7, 1))
            )
        _grain(random, canvas, foot, random.uniform(0, 0.1))

    def _glared(self, random: Generator) -> Floats:
        share = float(np.clip(self.washed * random.uniform(0.6, 1.4), 0, 0.9))
        return np.asarray(self.colour * (1 - share) + share * random.uniform(0.7, 1.0))


def _star(random: Generator, reach: float) -> Floats:
    points = int(random.integers(5, 8))
    angle = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    notch = random.uniform(0.48, 0.68)
    rays = np.where(np.arange(2 * points) % 2 == 0, 1.15, 1.15 * notch) * reach
    return np.stack([np.cos(angle), np.sin(angle)], 1) * rays[:, None]


def _brown(random: Generator) -> Floats:
    return np.array([0.1, 0.3, 0.55]) * random.uniform(0.6, 1.4) * random.uniform(0.85, 1.15, 3)


def _polygon(canvas: Single, outline: Floats, colour: Floats) -> None:
    cv2.fillPoly(canvas, [np.rint(outline * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)


def _grain(random: Generator, canvas: Single, outline: Floats, strength: float) -> None:
    """Uneven paint."""
    x, y = np.maximum(0, np.floor(outline.min(axis=0))).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int)
    box = canvas[y:bottom, x:right]
    if box.size:
        inside = np.zeros(box.shape[:2], np.float32)
        cv2.fillPoly(inside, [np.rint(outline - (x, y)).astype(np.int32)], 1.0)
        uneven = noise(random, box.shape[0], box.shape[1], random.uniform(3, 9))
        box *= 1 + strength * (uneven * inside)[..., None]
