"""Sheets to print, true to scale: markers, seat and zone cards, the lens chart, house decks.

Every page is drawn at 300 dots an inch and carries a ruler of 100 mm: when that measures 100 mm, all else is right.
Pages are made one after the other, so that a whole deck needs the memory of one page.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from calibration.house import Face
from calibration.lens import Chart
from vision import lettering
from vision.plane import DICTIONARY, MARKER_MM, SEAT_IDS, TABLE_IDS, ZONE_IDS

DPI: Final = 300
PX_PER_MM: Final = DPI / 25.4
PAPERS: Final[Mapping[str, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN: Final = 10.0  #: printers leave about so much white
FOOT: Final = 14.0  #: for the ruler
RULER_MM: Final = 100.0
BLACK: Final = (0, 0, 0)
GREY: Final = (120, 120, 120)

Rgb = tuple[int, int, int]


class Page:
    """A sheet of paper to draw on in millimetres from its upper left corner."""

    def __init__(self, paper_mm: tuple[float, float], title: str) -> None:
        self.width, self.height = paper_mm
        self.image = Image.new("RGB", (_px(self.width), _px(self.height)), (255, 255, 255))
        self._draw = ImageDraw.Draw(self.image)
        self._foot(title)

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float = 0.2, ink: Rgb = BLACK) -> None:
        self._draw.line([(_px(x), _px(y)) for x, y in (start, end)], fill=ink, width=max(1, _px(width)))

    def box(self, x: float, y: float, width: float, height: float, ink: Rgb = GREY) -> None:
        self._draw.rectangle((_px(x), _px(y), _px(x + width), _px(y + height)), outline=ink, width=2)

    def text(self, x: float, y: float, words: str, height: float = 3.5, ink: Rgb = BLACK, anchor: str = "la") -> None:
        """Words at a place; `anchor` as Pillow's: "la" upper left, "mm" middle, "ra" upper right."""
        font, letters = lettering.font(height * PX_PER_MM), unicodedata.normalize("NFC", words)
        self._draw.text((_px(x), _px(y)), letters, fill=ink, font=font, anchor=anchor)

    def picture(self, image: Image.Image, x: float, y: float, size_mm: tuple[float, float], turn: int = 0) -> None:
        """A picture with its upper left corner there, so large; `turn` is 0 or 90 (clockwise)."""
        sides = (_px(x + size_mm[0]) - _px(x), _px(y + size_mm[1]) - _px(y))
        turned = image.transpose(Image.Transpose.ROTATE_270) if turn else image
        self.image.paste(turned.resize(sides, Image.Resampling.LANCZOS), (_px(x), _px(y)))

    def marker(self, number: int, x: float, y: float, side: float) -> None:
        """A table marker's black square with its upper left corner there."""
        pixels = _px(x + side) - _px(x)
        dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
        square = cv2.aruco.generateImageMarker(dictionary, number, pixels)
        self.image.paste(Image.fromarray(np.asarray(square, np.uint8)), (_px(x), _px(y)))

    def _foot(self, title: str) -> None:
        """The ruler, and what to do with it."""
        left, y = MARGIN, self.height - MARGIN
        self.line((left, y), (left + RULER_MM, y), 0.25)
        for mm in range(int(RULER_MM) + 1):
            tick = 4.0 if mm % 10 == 0 else 2.5 if mm % 5 == 0 else 1.5
            self.line((left + mm, y - tick), (left + mm, y), 0.15)
        self.text(left + RULER_MM + 4, y - 4.2, "100 mm? Print at 100 %, “actual size”.", 2.8, GREY)
        self.text(left + RULER_MM + 4, y - 0.4, title, 2.8, GREY)


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)


def _grid(page: tuple[float, float], cell: tuple[float, float], gap: float = 0.0) -> tuple[int, int, float, float]:
    """How many columns and rows of cells fit on a page, and where the first one begins."""
    wide, high = page[0] - 2 * MARGIN, page[1] - 2 * MARGIN - FOOT
    columns, rows = (int((room + gap) // (side + gap)) for room, side in ((wide, cell[0]), (high, cell[1])))
    if not columns or not rows:
        raise ValueError(f"{cell[0]:g} × {cell[1]:g} mm do not fit on this paper")
    return columns, rows, (page[0] - columns * (cell[0] + gap) + gap) / 2, MARGIN


def _sheets(
    paper: tuple[float, float],
    title: str,
    cell: tuple[float, float],
    draw: Sequence[Callable[[Page, float, float], None]],
    gap: float = 0.0,
) -> Iterator[Page]:
    """As many pages as the cells need, each cell drawn by its own function at its corner."""
    columns, rows, left, top = _grid(paper, cell, gap)
    for first in range(0, len(draw), columns * rows):
        page = Page(paper, title)
        for i, one in enumerate(draw[first : first + columns * rows]):
            one(page, left + i % columns * (cell[0] + gap), top + i // columns * (cell[1] + gap))
        yield page


# --- markers and cards --------------------------------------------------------------------------------------------


def markers(paper: tuple[float, float], ids: Sequence[int] = range(4), side: float = MARKER_MM) -> Iterator[Page]:
    """Table markers to cut out along the grey lines, with the white margin that they need."""
    wrong = sorted(set(ids) - set(TABLE_IDS))
    if wrong:
        raise ValueError(f"table markers have the numbers 0 to 9, not {', '.join(map(str, wrong))}")
    margin = side / 4
    cell = side + 2 * margin

    def one(number: int) -> Callable[[Page, float, float], None]:
        def draw(page: Page, x: float, y: float) -> None:
            page.box(x, y, cell, cell)
            page.marker(number, x + margin, y + margin, side)
            page.text(x + margin, y + cell - margin * 0.62, f"{number}", 2.6, GREY)

        return draw

    return _sheets(paper, f"table markers, {side:g} mm", (cell, cell), [one(i) for i in ids], 8.0)


def seat_cards(paper: tuple[float, float], names: Sequence[str] = (), side: float = MARKER_MM) -> Iterator[Page]:
    """One card a seat, with its marker and its number or name."""
    labels = list(names) or [f"{i + 1}" for i in range(len(SEAT_IDS))]
    if len(labels) > len(SEAT_IDS):
        raise ValueError(f"there are {len(SEAT_IDS)} seat cards, not {len(labels)}")
    return _named_cards(paper, "seat cards", list(zip(SEAT_IDS, labels, strict=False)), side)


def zone_cards(
    paper: tuple[float, float], names: Sequence[str], side: float = MARKER_MM, order: Sequence[str] | None = None
) -> Iterator[Page]:
    """One card for each zone of a layout; `order` names all zones that have cards, by number (else `names` does)."""
    if len(names) > len(ZONE_IDS):
        raise ValueError(f"there are {len(ZONE_IDS)} zone cards, not {len(names)}")
    numbered = zip(ZONE_IDS, names if order is None else order, strict=False)
    return _named_cards(paper, "zone cards", [(number, name) for number, name in numbered if name in names], side)


def _named_cards(
    paper: tuple[float, float], title: str, cards: Sequence[tuple[int, str]], side: float
) -> Iterator[Page]:
    margin = side / 4
    cell = (side + 2 * margin, side + 2 * margin + 9)

    def one(number: int, name: str) -> Callable[[Page, float, float], None]:
        def draw(page: Page, x: float, y: float) -> None:
            page.box(x, y, *cell)
            page.marker(number, x + margin, y + margin, side)
            size = min(6.0, 1.7 * (cell[0] - 4) / max(1, len(name)))
            page.text(x + cell[0] / 2, y + side + 2 * margin + 1.5, name, size, BLACK, "mm")
            page.text(x + 1.5, y + 1.5, f"{number}", 2.4, GREY)

        return draw

    return _sheets(paper, f"{title}, {side:g} mm", cell, [one(i, name) for i, name in cards], 6.0)


def lens_chart(paper: tuple[float, float], chart: Chart | None = None) -> Iterator[Page]:
    """The chart on a page laid across; glue it flat on stiff card."""
    chart = chart or Chart()
    page = Page((paper[1], paper[0]), "lens chart: glue it flat on card, take 10 photos from all sides")
    width, height = chart.columns * chart.square_mm, chart.rows * chart.square_mm
    x, y = (page.width - width) / 2, (page.height - FOOT - height) / 2
    if x < 4 or y < 4:
        raise ValueError("the chart does not fit on this paper")
    size = (_px(x + width) - _px(x), _px(y + height) - _px(y))
    drawn = chart.board().generateImage(size, marginSize=0, borderBits=1)
    page.image.paste(Image.fromarray(np.asarray(drawn, np.uint8)), (_px(x), _px(y)))
    yield page


# --- decks --------------------------------------------------------------------------------------------------------


def deck(paper: tuple[float, float], faces: Mapping[str, Face], title: str) -> Iterator[Page]:
    """A house deck edge to edge with marks to cut along, as many of each component as its box holds.

    Cards with a back are followed by a page of backs in mirrored order, for printing on both sides.
    """
    sizes = list(dict.fromkeys(face.size_mm for face in faces.values()))
    backs = {face.back for face in faces.values() if face.back}
    for size in sizes:
        cards = [f for name, f in faces.items() if f.size_mm == size and name not in backs for _ in range(f.copies)]
        if max(_count(paper, size), _count(paper, size[::-1])):
            yield from _cards(paper, faces, cards, title)
        else:
            for card in cards:
                yield from _poster(paper, card, title)


def _cards(paper: tuple[float, float], faces: Mapping[str, Face], cards: Sequence[Face], title: str) -> Iterator[Page]:
    """Cards of one size, as many on a page as fit."""
    size = cards[0].size_mm
    if not any(card.back for card in cards):  # else keep upright: paper lying across is turned over another way
        paper = max((paper, paper[::-1]), key=lambda way: max(_count(way, size), _count(way, size[::-1])))
    turn = 90 if _count(paper, size[::-1]) > _count(paper, size) else 0
    cell = size[::-1] if turn else size
    columns, rows, left, top = _grid(paper, cell)
    for first in range(0, len(cards), columns * rows):
        sheet = cards[first : first + columns * rows]
        for side in ("front", "back") if any(card.back for card in sheet) else ("front",):
            page = Page(paper, f"{title}, {size[0]:g} × {size[1]:g} mm" + (", backs" if side == "back" else ""))
            for i, card in enumerate(sheet):
                column = i % columns if side == "front" else columns - 1 - i % columns
                image = card.image if side == "front" else faces[card.back].image if card.back else None
                if image is not None:
                    page.picture(image, left + column * cell[0], top + i // columns * cell[1], cell, turn)
            _cut_marks(page, cell, (columns, -(-len(sheet) // columns)), (left, top))
            yield page


def _poster(paper: tuple[float, float], board: Face, title: str) -> Iterator[Page]:
    """A board larger than the paper on several pages, to be joined along the marks."""
    ways = []
    for way in (paper, paper[::-1]):
        room = way[0] - 2 * MARGIN, way[1] - 2 * MARGIN - FOOT
        ways.append((math.ceil(board.size_mm[0] / room[0]), math.ceil(board.size_mm[1] / room[1]), way))
    columns, rows, way = min(ways, key=lambda w: w[0] * w[1])
    cell = board.size_mm[0] / columns, board.size_mm[1] / rows
    across, down = board.image.width / columns, board.image.height / rows
    left = (way[0] - cell[0]) / 2
    for row in range(rows):
        for column in range(columns):
            page = Page(way, f"{title}: row {row + 1} of {rows}, part {column + 1} of {columns}")
            part = (round(column * across), round(row * down), round((column + 1) * across), round((row + 1) * down))
            page.picture(board.image.crop(part), left, MARGIN, cell)
            _cut_marks(page, cell, (1, 1), (left, MARGIN))
            yield page


def _count(paper: tuple[float, float], size: tuple[float, float]) -> int:
    try:
        columns, rows, _, _ = _grid(paper, size)
    except ValueError:
        return 0
    return columns * rows


def _cut_marks(page: Page, cell: tuple[float, float], count: tuple[int, int], start: tuple[float, float]) -> None:
    """Short lines outside the cards, in line with their edges."""
    (left, top), (columns, rows) = start, count
    right, bottom = left + columns * cell[0], top + rows * cell[1]
    for i in range(columns + 1):
        x = left + i * cell[0]
        page.line((x, top - 6), (x, top - 1.5), 0.15, GREY)
        page.line((x, bottom + 1.5), (x, bottom + 6), 0.15, GREY)
    for i in range(rows + 1):
        y = top + i * cell[1]
        page.line((left - 6, y), (left - 1.5, y), 0.15, GREY)
        page.line((right + 1.5, y), (right + 6, y), 0.15, GREY)


def write(pages: Iterable[Page], path: Path) -> int:
    """Write the pages as a PDF, true to scale; returns how many there are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, page in enumerate(pages, start=1):
        page.image.save(path, "PDF", resolution=float(DPI), append=count > 1, quality=92)
    if not count:
        raise ValueError("there is nothing to print")
    return count
