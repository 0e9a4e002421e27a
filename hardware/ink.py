"""Drawing for paper with two or three inks: boxes, text that fits, shapes, QR codes.

Everything is drawn without grey in palette indices, so that a panel shows exactly these pixels.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from math import ceil, cos, pi, sin
from pathlib import Path
from typing import Final, Literal, NamedTuple

import segno
from PIL import Image, ImageDraw, ImageFont

WHITE: Final = 0
BLACK: Final = 1
RED: Final = 2
PALETTE: Final = (255, 255, 255, 0, 0, 0, 255, 0, 0)  #: what the indices 0, 1, 2 look like

Weight = Literal["Medium", "ExtraBold"]
FONTS: Final = Path(__file__).parent / "fonts"
CAP: Final = 0.668  #: height of a capital in the font, per em
QUIET: Final = 4  #: white modules a QR code needs around it (ISO/IEC 18004)
LEAST_MODULE: Final = 2  #: pixels; smaller modules no phone reads from paper


class Shape(Enum):
    """Signs told apart by form alone; the first four are those of the house deck's colours."""

    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    SQUARE = "square"
    CIRCLE = "circle"
    HEXAGON = "hexagon"
    STAR = "star"
    CROSS = "cross"
    BAR = "bar"


class Box(NamedTuple):
    """A rectangle in pixels; right and bottom lie outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    def split_left(self, width: int) -> tuple[Box, Box]:
        """This much on the left, and the rest."""
        x = min(self.left + width, self.right)
        return self._replace(right=x), self._replace(left=x)

    def split_right(self, width: int) -> tuple[Box, Box]:
        """The rest, and this much on the right."""
        x = max(self.right - width, self.left)
        return self._replace(right=x), self._replace(left=x)

    def split_top(self, height: int) -> tuple[Box, Box]:
        """This much at the top, and the rest."""
        y = min(self.top + height, self.bottom)
        return self._replace(bottom=y), self._replace(top=y)

    def split_bottom(self, height: int) -> tuple[Box, Box]:
        """The rest, and this much at the bottom."""
        y = max(self.bottom - height, self.top)
        return self._replace(bottom=y), self._replace(top=y)

    def inset(self, x: int, y: int = 0) -> Box:
        return Box(self.left + x, self.top + y, self.right - x, self.bottom - y)

    def grid(self, count: int, columns: int, most: int) -> Iterator[Box]:
        """`count` cells column by column, each at most `most` high."""
        rows = max(1, ceil(count / columns))
        height, width = min(most, self.height // rows), self.width // columns
        for n in range(count):
            column, row = divmod(n, rows)
            left, top = self.left + column * width, self.top + row * height
            yield Box(left, top, left + width, top + height)

    def square(self, side: int) -> Box:
        """A square of this side in the middle."""
        left, top = self.left + (self.width - side) // 2, self.top + (self.height - side) // 2
        return Box(left, top, left + side, top + side)


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is set: `cap` and `least` are the wished and the smallest height of its capitals in pixels."""

    cap: int
    least: int
    weight: Weight = "Medium"
    ink: int = BLACK
    align: Literal["left", "right", "centre"] = "left"
    primary: bool = False  #: a fact that must be read from the other side of the table


@dataclass(frozen=True, slots=True)
class Placed:
    """A text as it was drawn, for tests of legibility: the pixels it may cover and whether it was shortened."""

    text: str
    cap: int
    box: Box
    primary: bool
    shortened: bool


@lru_cache(maxsize=256)
def font(weight: Weight, cap: int) -> ImageFont.FreeTypeFont:
    """The font whose capitals are `cap` pixels high; laid out in whole pixels, everywhere the same."""
    path = FONTS / f"AtkinsonHyperlegibleNext-{weight}.ttf"
    return ImageFont.truetype(path, round(cap / CAP), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def _known(letter: str) -> bool:
    """Whether the font has this letter (it draws one box for all it has not)."""
    letters = font("Medium", 20)
    return bytes(letters.getmask(letter, "1")) != bytes(letters.getmask("\U0010ffff", "1"))


def spell(text: str) -> str:
    """The text in letters the font has: in one line, accents it lacks left out, others as "?"."""

    def one(letter: str) -> str:
        if _known(letter):
            return letter
        plain = unicodedata.normalize("NFKD", letter)[0]
        return plain if _known(plain) else "?"

    line = " ".join("".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", text)).split())
    return "".join(c if c.isascii() else one(c) for c in line)


@lru_cache(maxsize=4096)
def width(text: str, weight: Weight, cap: int) -> int:
    """Pixels a text takes in one line."""
    return ceil(font(weight, cap).getlength(text, mode="1"))


def fit(text: str, style: Style, room: int) -> tuple[str, int]:
    """The text and cap height that fit in `room` pixels: first smaller down to `least`, then shorter with "…"."""
    cap = style.cap
    while cap > style.least and width(text, style.weight, cap) > room:
        cap -= 1
    short, end = text, len(text)
    while short and width(short, style.weight, cap) > room:
        end -= 1
        short = text[:end].rstrip() + "…" if end else ""
    return short, cap


def wrap(text: str, weight: Weight, cap: int, room: int) -> list[str]:
    """The text in lines of at most `room` pixels, broken at spaces; a longer word stands alone."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", weight, cap) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Canvas:
    """A white image to draw on, mode "P" with the indices WHITE, BLACK, RED."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = Image.new("P", size, WHITE)
        self.image.putpalette(PALETTE)
        self.box = Box(0, 0, *size)
        self.placed: list[Placed] = []
        self._draw = ImageDraw.Draw(self.image)
        self._draw.fontmode = "1"  # no grey at the edges of letters

    def fill(self, box: Box, ink: int) -> None:
        if box.width > 0 and box.height > 0:
            self._draw.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), fill=ink)

    def line(self, box: Box, text: str, style: Style) -> int:
        """One line in the middle of the box's height, as large as it fits its width; gives the pixels it took."""
        text = spell(text)
        short, cap = fit(text, style, box.width)
        if not short:
            return 0
        took = width(short, style.weight, cap)
        left = {"left": 0, "right": box.width - took, "centre": (box.width - took) // 2}[style.align]
        place = (box.left + left, box.top + (box.height + cap) // 2)
        letters = font(style.weight, cap)
        self._draw.text(place, short, fill=style.ink, font=letters, anchor="ls")
        covered = self._draw.textbbox(place, short, font=letters, anchor="ls")
        self.placed.append(Placed(short, cap, Box(*map(int, covered)), style.primary, short != text))
        return took

    def paragraph(self, box: Box, text: str, style: Style) -> None:
        """Lines in the middle of the box, as large as they fit in it; what does not fit at `least` ends with "…"."""
        text, cap = spell(text), style.cap
        while cap > style.least and not _fits(text, style.weight, cap, box):
            cap -= 1
        lines, room = wrap(text, style.weight, cap, box.width), max(1, box.height // _leading(cap))
        if len(lines) > room:
            lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
        top = box.top + max(0, box.height - len(lines) * _leading(cap)) // 2
        for n, line in enumerate(lines):
            cell = Box(box.left, top + n * _leading(cap), box.right, top + (n + 1) * _leading(cap))
            self.line(cell, line, replace(style, cap=cap, least=cap))

    def shape(self, box: Box, shape: Shape, ink: int = BLACK) -> None:
        """A filled sign in the middle of the box, as large as it fits."""
        side = min(box.width, box.height)
        box = box.square(side)
        if shape is Shape.CIRCLE:
            self._draw.ellipse((box.left, box.top, box.right - 1, box.bottom - 1), fill=ink)
        else:
            outline = [(box.left + x * (side - 1), box.top + y * (side - 1)) for x, y in OUTLINES[shape]]
            self._draw.polygon(outline, fill=ink)

    def check(self, box: Box, ink: int = BLACK) -> None:
        """A tick in the middle of the box."""
        self._stroke(box, ((0.08, 0.55), (0.38, 0.85), (0.92, 0.18)), ink)

    def arrow(self, box: Box, ink: int = BLACK) -> None:
        """A triangle that points to the right, in the middle of the box."""
        side = min(box.width, box.height)
        b = box.square(side)
        self._draw.polygon([(b.left, b.top), (b.right - 1, b.top + side // 2), (b.left, b.bottom - 1)], fill=ink)

    def qr(self, box: Box, text: str) -> bool:
        """A QR code with its quiet zone in the middle of the box; False (nothing drawn) where it would be too fine."""
        module = module_size(box, text)
        matrix = _qr(text)
        if not module:
            return False
        field = box.square((len(matrix) + 2 * QUIET) * module)
        self.fill(field, WHITE)
        for y, row in enumerate(matrix, QUIET):
            for x, dark in enumerate(row, QUIET):
                if dark:
                    left, top = field.left + x * module, field.top + y * module
                    self.fill(Box(left, top, left + module, top + module), BLACK)
        return True

    def _stroke(self, box: Box, points: Sequence[tuple[float, float]], ink: int) -> None:
        side = min(box.width, box.height)
        b = box.square(side)
        line = [(b.left + x * side, b.top + y * side) for x, y in points]
        self._draw.line(line, fill=ink, width=max(2, side // 6), joint="curve")


def module_size(box: Box, text: str) -> int:
    """Pixels of a QR code's module in this box; 0 where no phone could read it."""
    module = min(box.width, box.height) // (len(_qr(text)) + 2 * QUIET)
    return module if module >= LEAST_MODULE else 0


@lru_cache(maxsize=8)
def _qr(text: str) -> tuple[bytearray, ...]:
    """The modules; corrects 7 % of errors, or more where that needs no larger code."""
    return tuple(segno.make(text, error="l", micro=False).matrix)


def _fits(text: str, weight: Weight, cap: int, box: Box) -> bool:
    lines = wrap(text, weight, cap, box.width)
    return len(lines) * _leading(cap) <= box.height and all(width(t, weight, cap) <= box.width for t in lines)


def _leading(cap: int) -> int:
    """From one line to the next: room for the dots of Ä and the tail of g."""
    return ceil(cap * 1.5)


def _round(count: int, start: float, inner: float = 1.0) -> tuple[tuple[float, float], ...]:
    """Points around a circle, from `start` (in turns, 0 is up); every second one at `inner` of the radius."""
    turns = [(start + n / count, 0.5 * (inner if n % 2 else 1.0)) for n in range(count)]
    return tuple((0.5 + r * sin(2 * pi * t), 0.5 - r * cos(2 * pi * t)) for t, r in turns)


OUTLINES: Final[dict[Shape, tuple[tuple[float, float], ...]]] = {
    Shape.TRIANGLE: ((0.5, 0.04), (1.0, 0.96), (0.0, 0.96)),
    Shape.DIAMOND: ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
    Shape.SQUARE: ((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),
    Shape.HEXAGON: _round(6, 1 / 12),
    Shape.STAR: _round(10, 0.0, 0.45),
    Shape.CROSS: (
        *((0.34, 0.0), (0.66, 0.0), (0.66, 0.34), (1.0, 0.34), (1.0, 0.66), (0.66, 0.66)),
        *((0.66, 1.0), (0.34, 1.0), (0.34, 0.66), (0.0, 0.66), (0.0, 0.34), (0.34, 0.34)),
    ),
    Shape.BAR: ((0.0, 0.3), (1.0, 0.3), (1.0, 0.7), (0.0, 0.7)),
}
