"""Things with a height: figures on their feet, logs, statues, dice. Each is a stack of slabs with straight sides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patterns import PATTERNS
from vision.simulated.scene import Colour, PieceAt, Point
from vision.simulated.things import Field, Stage, Window, blend, common, darken, empty, to_light, window

Points = NDArray[np.float64]

FINER: Final = 4  #: outlines are filled so many times finer than pixels
PIP_MM: Final = 1.35
DIE_MM: Final = 14.0
SHINE: Final = 235  #: grey values of what mirrors a lamp
PAINT: Final[Mapping[str, Colour]] = {
    "red": (48, 44, 214),
    "yellow": (60, 200, 246),
    "blue": (214, 110, 48),
    "green": (70, 170, 52),
    "purple": (170, 62, 132),
    "white": (226, 232, 234),
    "brown": (48, 78, 122),
    "grey": (150, 158, 164),
    "red-brown": (62, 74, 168),
    "black": (44, 42, 42),
}


@dataclass(frozen=True, slots=True)
class Slab:
    """An outline (mm, around where the piece stands) pulled up from one height to another."""

    outline: tuple[Point, ...]
    low: float
    high: float
    tone: float = 1.0  #: how bright its top is


@dataclass(frozen=True, slots=True)
class Shape:
    """What a piece is made of, bottom first, and its colour when nothing else is said."""

    slabs: tuple[Slab, ...]
    colour: str

    @property
    def height(self) -> float:
        return self.slabs[-1].high

    @property
    def reach(self) -> float:
        """From its middle to the farthest point of its foot, mm."""
        return max(math.hypot(x, y) for x, y in self.slabs[0].outline)


def _disc(rx: float, ry: float | None = None, sides: int = 24) -> tuple[Point, ...]:
    ry = rx if ry is None else ry
    return tuple((rx * math.cos(2 * math.pi * i / sides), ry * math.sin(2 * math.pi * i / sides)) for i in range(sides))


def _star(outer: float, inner: float, rays: int) -> tuple[Point, ...]:
    radii = [(outer, inner)[i % 2] for i in range(2 * rays)]
    return tuple((r * math.sin(math.pi * i / rays), -r * math.cos(math.pi * i / rays)) for i, r in enumerate(radii))


def _box(width: float, depth: float) -> tuple[Point, ...]:
    x, y = width / 2, depth / 2
    return (-x, -y), (x, -y), (x, y), (-x, y)


def _figure(foot: tuple[Point, ...], height: float, neck: float) -> tuple[Slab, ...]:
    """A pawn on a foot: its neck is in its head's shade, its crown catches the lamp."""
    head = neck * 1.1
    return (
        Slab(foot, 0, 2.2),
        Slab(_disc(neck * 1.5, sides=14), 2.2, 2.6, 0.72),
        Slab(_disc(neck, sides=14), 2.6, height - 1.7 * head, 0.6),
        Slab(_disc(head, sides=14), height - 1.7 * head, height - 0.7 * head, 0.9),
        Slab(_disc(head * 0.62, sides=14), height - 0.7 * head, height, 1.18),
    )


HULL: Final[tuple[Point, ...]] = ((-16, -4.5), (-9, -7), (8, -6.5), (17, 0), (8, 6.5), (-9, 7), (-16, 4.5))

SHAPES: Final[Mapping[str, Shape]] = {
    "worker": Shape(_figure(_disc(7.2), 15, 3.0), "red"),
    "chief": Shape(_figure(_disc(11.5, 8.2), 24, 3.4), "red"),
    "sorcerer": Shape(_figure(_star(9.4, 5.6, 6), 18, 3.0), "red"),
    "log": Shape((Slab(_box(25, 6), 0, 4.4), Slab(_box(25, 4), 4.4, 6)), "brown"),
    "moai-size-1": Shape((Slab(_box(11, 11), 0, 17), Slab(_box(9.4, 10), 17, 21)), "grey"),
    "moai-size-2": Shape((Slab(_box(15, 13), 0, 26), Slab(_box(12.6, 12), 26, 32)), "grey"),
    "moai-size-3": Shape((Slab(_box(19, 16), 0, 35), Slab(_box(16, 14.4), 35, 43)), "grey"),
    "headdress": Shape((Slab(_disc(6.8), 0, 7),), "red-brown"),
    "die": Shape((Slab(_box(DIE_MM, DIE_MM), 0, DIE_MM),), "white"),
    "ship": Shape((Slab(HULL, 0, 8), Slab(_box(2, 12), 8, 20)), "brown"),
}


class Piece:
    """A piece that stands on the table."""

    def __init__(self, piece: PieceAt, stage: Stage) -> None:
        if piece.piece not in SHAPES:
            raise ValueError(f"no piece is called {piece.piece!r}; there are: {', '.join(SHAPES)}")
        self.piece, self.shape = piece, SHAPES[piece.piece]
        self.colour = piece.colour or self.shape.colour
        if self.colour not in PAINT:
            raise ValueError(f"no paint is {self.colour!r}; there is: {', '.join(PAINT)}")
        if piece.value is not None and piece.value not in PATTERNS:
            raise ValueError(f"no die shows {piece.value}")
        self.top_mm = piece.base_mm + self.shape.height
        self.foot_px, self.top_px = stage.view.project(self._solid([(0, 0)] * 2, [piece.base_mm, self.top_mm]))
        self._shadow = self._cast(stage)
        rings = [stage.view.project(self._ring(slab, z)) for slab in self.shape.slabs for z in (slab.low, slab.high)]
        hull = cv2.convexHull(np.vstack(rings).astype(np.float32))
        self.outline_px: Points = np.asarray(hull, np.float64).reshape(-1, 2)  #: around all that is seen of it
        self.window = window(np.vstack([self.outline_px, self._shadow]), stage.view.size_px, 8)

    def order(self, stage: Stage) -> tuple[float, float]:
        """Pieces further from below the camera are drawn first: nearer ones lean over them."""
        eye = -stage.view.rotation.T @ stage.view.translation
        x, y = self.piece.centre_mm
        return self.piece.base_mm, -math.hypot(x - float(eye[0]), y - float(eye[1]))

    def draw_shadow(self, canvas: Field, stage: Stage, clip: Window) -> None:
        w = common(self.window, clip)
        if empty(w):
            return
        dark = np.asarray(cv2.GaussianBlur(_cover(self._shadow, self.window), (0, 0), 2.5), np.float32)
        darken(canvas[w[1] : w[3], w[0] : w[2]], _within(dark, self.window, w) * 0.42)

    def draw(self, canvas: Field, stage: Stage, clip: Window) -> None:
        w = common(self.window, clip)
        if empty(w):
            return
        for slab in self.shape.slabs:
            self._sides(canvas, stage, w, slab)
            self._fill(canvas, stage, w, self._ring(slab, slab.high), slab.tone, self._shining(slab, stage))
        if self.piece.value is not None:
            self._pips(canvas, stage, w)

    def _shining(self, slab: Slab, stage: Stage) -> Colour | None:
        """The colour of a figure's foot in a lamp's light; None for what does not shine."""
        if not stage.look.sheen or slab is not self.shape.slabs[0] or len(self.shape.slabs) != len(_figure((), 0, 0)):
            return None
        blue, green, red = (round(c + (SHINE - c) * stage.look.sheen) for c in PAINT[self.colour])
        return blue, green, red

    def _sides(self, canvas: Field, stage: Stage, w: Window, slab: Slab) -> None:
        """The side faces, the furthest first; each as bright as it faces the lamp."""
        low, high = self._ring(slab, slab.low), self._ring(slab, slab.high)
        hull = cv2.convexHull(np.vstack([stage.view.project(low), stage.view.project(high)]).astype(np.float32))
        many = len(slab.outline) > 8
        if many and len(slab.outline) != 12:  # round: one shade; the star is the only other one with many sides
            self._fill_px(canvas, stage, w, hull.reshape(-1, 2).astype(np.float64), 0.66)
            return
        eye = -stage.view.rotation.T @ stage.view.translation
        faces = [(low[i], low[i - 1], high[i - 1], high[i]) for i in range(len(low))]
        faces.sort(key=lambda f: -math.hypot(*(f[0][:2] + f[1][:2] - 2 * eye[:2]).tolist()))
        lamp = np.array(stage.look.lamp_mm)
        for face in faces:
            along = face[0][:2] - face[1][:2]
            normal = np.array([-along[1], along[0]]) / max(1e-9, float(np.hypot(*along)))
            to_lamp = lamp[:2] - face[0][:2]
            facing = float(normal @ to_lamp) / max(1.0, float(np.hypot(*to_lamp)))
            self._fill(canvas, stage, w, np.array(face), 0.60 + 0.18 * facing)

    def _pips(self, canvas: Field, stage: Stage, w: Window) -> None:
        """Pips on the top, and on the sides those of other values."""
        value = self.piece.value or 0
        half, step = DIE_MM / 2, DIE_MM / 4  # pips are a quarter of the side apart
        ink = (46, 44, 44) if self.colour in ("white", "yellow") else (236, 236, 236)
        ring = _disc(PIP_MM, sides=12)
        for a, b in PATTERNS[value]:
            spot = self._solid([(a * step + x, b * step + y) for x, y in ring], [self.top_mm] * len(ring))
            self._fill(canvas, stage, w, spot, 0.8, ink)
        eye = -stage.view.rotation.T @ stage.view.translation
        for side in range(4):
            turn = math.radians(90 * side)
            cos, sin = math.cos(turn), math.sin(turn)
            facing = self._solid([(half * sin, -half * cos), (0, 0)], [0, 0])
            out = facing[0, :2] - facing[1, :2]
            if float(out @ (eye[:2] - facing[0, :2])) <= 0:
                continue
            for a, b in PATTERNS[(value + 1 + side) % 4]:
                across = [a * step + x for x, _ in ring]
                flat = [(x * cos + half * sin, x * sin - half * cos) for x in across]
                heights = [self.piece.base_mm + half - b * step - y for _, y in ring]
                self._fill(canvas, stage, w, self._solid(flat, heights), 0.5, ink)

    # --- geometry -------------------------------------------------------------------------------------------------

    def _solid(self, flat: Sequence[Point], heights: Sequence[float]) -> Points:
        """Points of the piece's own frame on the table (n, 3)."""
        turn = math.radians(self.piece.angle_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        x0, y0 = self.piece.centre_mm
        return np.array(
            [(x0 + x * cos - y * sin, y0 + x * sin + y * cos, z) for (x, y), z in zip(flat, heights, strict=True)]
        )

    def _ring(self, slab: Slab, height: float) -> Points:
        return self._solid(slab.outline, [self.piece.base_mm + height] * len(slab.outline))

    def _cast(self, stage: Stage) -> Points:
        """The outline (px) of the shadow on the table: of all slabs' tops and bottoms together."""
        lamp = np.array(stage.look.lamp_mm)
        rings = np.vstack([self._ring(slab, z) for slab in self.shape.slabs for z in (slab.low, slab.high)])
        reach = rings[:, 2] / np.maximum(60.0, lamp[2] - rings[:, 2])
        spots = rings[:, :2] + (rings[:, :2] - lamp[:2]) * reach[:, None]
        hull = cv2.convexHull(stage.view.project(spots).astype(np.float32))
        return np.asarray(hull, np.float64).reshape(-1, 2)

    def _fill(
        self, canvas: Field, stage: Stage, w: Window, solid: Points, shade: float, colour: Colour | None = None
    ) -> None:
        self._fill_px(canvas, stage, w, stage.view.project(solid), shade, colour)

    def _fill_px(
        self, canvas: Field, stage: Stage, clip: Window, px: Points, shade: float, colour: Colour | None = None
    ) -> None:
        around = window(px, stage.view.size_px, 1)
        w = common(around, clip)
        if empty(w):
            return
        part = np.s_[w[1] : w[3], w[0] : w[2]]
        paint = to_light(np.array(colour or PAINT[self.colour]) * shade)
        blend(canvas[part], paint * stage.light[part], _within(_cover(px, around), around, w))


def _within(field: Field, around: Window, w: Window) -> Field:
    """The part of a window's field that lies in a smaller one: what is cut off must not change what is left."""
    left, top = w[0] - around[0], w[1] - around[1]
    return field[top : top + w[3] - w[1], left : left + w[2] - w[0]]


def _cover(outline: Points, w: Window) -> Field:
    """The share of each pixel of a window that an outline covers."""
    width, height = w[2] - w[0], w[3] - w[1]
    fine = np.zeros((height * FINER, width * FINER), np.uint8)
    spots = (outline - np.array(w[:2]) + 0.5) * FINER - 0.5
    cv2.fillPoly(fine, [np.round(spots * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)
