"""A drawing sheet in millimetres: shapes are polygons under a movable frame, drawn large and shrunk to be smooth."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Point = tuple[float, float]

INK: Colour = (52, 38, 32)
PAPER: Colour = (247, 238, 219)

SMOOTHING = 2  #: every pixel of the finished picture is drawn as this many squared
STRIP = 256  #: so many columns of a picture are shaded at a time


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """`a` with this share of `b` in it."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def capsule(start: Point, end: Point, radius: float, steps: int = 12) -> list[Point]:
    """A finger: the outline of all points within `radius` of a line."""
    along = math.atan2(end[1] - start[1], end[0] - start[0])
    turns = [along + math.pi / 2 + math.pi * i / steps for i in range(steps + 1)]
    near = [(start[0] + radius * math.cos(t), start[1] + radius * math.sin(t)) for t in turns]
    far = [(end[0] + radius * math.cos(t + math.pi), end[1] + radius * math.sin(t + math.pi)) for t in turns]
    return near + far


def ellipse(centre: Point, rx: float, ry: float | None = None, steps: int = 40) -> list[Point]:
    """The outline of an ellipse (of a circle when `ry` is left out)."""
    ry = rx if ry is None else ry
    turns = [2 * math.pi * i / steps for i in range(steps)]
    return [(centre[0] + rx * math.cos(t), centre[1] + ry * math.sin(t)) for t in turns]


def box(left: float, top: float, right: float, bottom: float, corner: float = 0.0) -> list[Point]:
    """A rectangle, its corners rounded by `corner`."""
    if not corner:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    points: list[Point] = []
    for i, (x, y) in enumerate(
        (
            (right - corner, top + corner),
            (right - corner, bottom - corner),
            (left + corner, bottom - corner),
            (left + corner, top + corner),
        )
    ):
        for j in range(7):
            t = math.pi / 2 * (i - 1 + j / 6)
            points.append((x + corner * math.cos(t), y + corner * math.sin(t)))
    return points


def star(centre: Point, outer: float, inner: float, rays: int, turn: float = 0.0) -> list[Point]:
    """A star of `rays` points, the first one upwards (turned by `turn` degrees)."""
    points = []
    for i in range(2 * rays):
        r = inner if i % 2 else outer
        t = math.pi * i / rays + math.radians(turn)
        points.append((centre[0] + r * math.sin(t), centre[1] - r * math.cos(t)))
    return points


def curve(points: Sequence[Point], steps: int = 10) -> list[Point]:
    """A closed smooth curve (Catmull–Rom) through the points."""
    t = np.arange(steps) / steps
    weights = np.stack(
        [
            -0.5 * t + t**2 - 0.5 * t**3,
            1 - 2.5 * t**2 + 1.5 * t**3,
            0.5 * t + 2 * t**2 - 1.5 * t**3,
            0.5 * (t**3 - t**2),
        ],
        axis=1,
    )
    corners = np.asarray(points, np.float64)
    four = np.stack([np.roll(corners, shift, axis=0) for shift in (1, 0, -1, -2)], axis=1)
    return [(x, y) for x, y in (weights @ four).reshape(-1, 2).tolist()]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the pen's own millimetres lie on the sheet: x' = a·x + c·y + e, y' = b·x + d·y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def place(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def moved(self, x: float, y: float, turn: float, scale: float, mirrored: bool) -> Frame:
        cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
        flip = -1 if mirrored else 1
        e, f = self.place((x, y))
        return Frame(
            (self.a * cos + self.c * sin) * flip,
            (self.b * cos + self.d * sin) * flip,
            self.c * cos - self.a * sin,
            self.d * cos - self.b * sin,
            e,
            f,
        )

    @property
    def scale(self) -> float:
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


class Sheet:
    """A picture of `size_mm` (width, height) to draw on; `px_per_mm` is that of the finished picture."""

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float, ground: Colour = PAPER) -> None:
        self.size_mm = size_mm
        self.px_per_mm = px_per_mm
        self._fine = px_per_mm * SMOOTHING
        self._large = Image.new("RGB", (round(size_mm[0] * self._fine), round(size_mm[1] * self._fine)), ground)
        self._frame = Frame()

    def at(self, x: float, y: float, turn: float = 0.0, scale: float = 1.0, mirrored: bool = False) -> Sheet:
        """The same sheet with the pen's origin at (x, y), its axes turned clockwise and scaled."""
        other = copy.copy(self)  # shares the picture
        other._frame = self._frame.moved(x, y, turn, scale, mirrored)
        return other

    def unturned(self, x: float, y: float) -> Sheet:
        """The same sheet with the pen's origin at (x, y), its axes straight again."""
        other = copy.copy(self)
        e, f = self._frame.place((x, y))
        other._frame = Frame(self._frame.scale, 0.0, 0.0, self._frame.scale, e, f)
        return other

    def polygon(self, points: Iterable[Point], fill: Colour, edge: Colour | None = None, width: float = 0.5) -> None:
        """A filled outline; `width` is that of its edge in millimetres."""
        pixels = self._pixels(points)
        draw = ImageDraw.Draw(self._large)
        draw.polygon(pixels, fill=fill)
        if edge is not None:
            draw.line([*pixels, *pixels[:2]], fill=edge, width=self._width(width), joint="curve")

    def line(self, points: Iterable[Point], colour: Colour, width: float) -> None:
        """A line with round ends."""
        pixels = self._pixels(points)
        draw = ImageDraw.Draw(self._large)
        wide = self._width(width)
        draw.line(pixels, fill=colour, width=wide, joint="curve")
        for x, y in (pixels[0], pixels[-1]):
            draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=colour)

    def text(self, centre: Point, words: str, height: float, colour: Colour, weight: float = 0.0) -> None:
        """Words around a point, turned with the pen; `height` is the letters' size in millimetres."""
        font = ImageFont.load_default(height * self._frame.scale * self._fine)
        bold = max(0, round(weight * self._frame.scale * self._fine))
        left, top, right, bottom = font.getbbox(words, stroke_width=bold)
        stamp = Image.new("L", (math.ceil(right - left) + 4, math.ceil(bottom - top) + 4), 0)
        ImageDraw.Draw(stamp).text((2 - left, 2 - top), words, fill=255, font=font, stroke_width=bold)
        turn = math.degrees(math.atan2(self._frame.b, self._frame.a))
        if abs(turn) > 0.01:
            stamp = stamp.rotate(-turn, resample=Image.Resampling.BICUBIC, expand=True)
        ((x, y),) = self._pixels([centre])
        self._large.paste(colour, (round(x - stamp.width / 2), round(y - stamp.height / 2)), stamp)

    def within(self, outline: Iterable[Point], draw: Callable[[Sheet], None]) -> None:
        """Whatever `draw` draws, kept inside the outline."""
        pixels = self._pixels(outline)
        (left, top), (right, bottom) = (tuple(edge(axis) for axis in zip(*pixels, strict=True)) for edge in (min, max))
        width, height = self._large.size
        box = max(0, int(left)), max(0, int(top)), min(width, int(right) + 2), min(height, int(bottom) + 2)
        mask = Image.new("L", (box[2] - box[0], box[3] - box[1]), 0)
        ImageDraw.Draw(mask).polygon([(x - box[0], y - box[1]) for x, y in pixels], fill=255)
        before = self._large.copy()
        draw(self)
        before.paste(self._large.crop(box), box, mask)
        self._large.paste(before)

    def finish(self) -> Image.Image:
        """The finished picture (RGB)."""
        size = round(self.size_mm[0] * self.px_per_mm), round(self.size_mm[1] * self.px_per_mm)
        return self._large.resize(size, Image.Resampling.BOX, reducing_gap=1.0)  # whole pixels at once

    def _pixels(self, points: Iterable[Point]) -> list[Point]:
        placed = (self._frame.place(p) for p in points)
        return [(x * self._fine, y * self._fine) for x, y in placed]

    def _width(self, mm: float) -> int:
        return max(1, round(mm * self._frame.scale * self._fine))


def aged(sheet: Sheet, seed: int) -> Image.Image:
    """The finished picture with the faint blotches of beaten bark."""
    noise = np.random.default_rng(seed).normal(1.0, 0.045, (9, 12)).astype(np.float32)
    return shaded(sheet.finish(), noise)


def shaded(picture: Image.Image, gain: NDArray[np.float32]) -> Image.Image:
    """A picture times a smooth field (any shape; stretched over all of it)."""
    width, height = picture.size
    wide = Image.fromarray(gain).resize((width, gain.shape[0]), Image.Resampling.BICUBIC)
    for left in range(0, width, STRIP):  # a whole board in floating point does not fit into a small computer
        right = min(left + STRIP, width)
        field = wide.crop((left, 0, right, gain.shape[0])).resize((right - left, height), Image.Resampling.BICUBIC)
        pixels = np.asarray(picture.crop((left, 0, right, height)), np.float32) * np.asarray(field)[..., None]
        picture.paste(Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)), (left, 0))
    return picture
