"""The scoreboard as a picture: one layout for a 7.5" and a 2.13" panel, made to be read from across the table.

Legibility. Who sees 20/20 tells letters apart whose capitals span 5 minutes of arc; comfortable reading takes about
twice that (ISO 9241-303 asks for 16 at the least and 20 to 22 for long reading, at an arm's length). At 2 m, 5
minutes are 2.9 mm and 10 minutes are 5.8 mm. Both panels have pixels of about 0.2 mm (7.5": 163.2 mm / 800,
2.13": 48.6 mm / 250), so our rule for capitals and figures is:

- Primary facts (phase, names, counts, points, notices) are at least 10 minutes high on the 7.5" panel (29 px) in an
  ordinary game, and never under 5 minutes (15 px): a phase that is too long gives way to its short form, any other
  text is first set smaller, then shortened.
- On the 2.13" panel phases, figures and names of up to nine letters are 4 to 5 minutes high (12 to 15 px). Where names
  are wide or points have three signs, each seat gets a line of its own, with counts beside them. Longer names, notices,
  and all rows of five seats while a notice or fingerprints stand there too, may shrink to 3.3 minutes (10 px), which
  reads from 1.3 m.
- What is read from near by (addresses, fingerprints, labels) is at least 7 px.

Red only repeats what a shape says already, so black and white lose nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from math import ceil, radians, tan
from typing import Final, Literal, NamedTuple

from PIL import Image

from hardware.ink import BLACK, RED, WHITE, Box, Canvas, Shape, Style, fit, module_size, spell, width

Colours = Literal["bwr", "bw"]

LEAST_SIZE: Final = (200, 96)  #: pixels; nothing smaller shows five seats


def pixels_for(minutes: float, distance_mm: float, pitch_mm: float) -> float:
    """Height in pixels that spans so many minutes of arc."""
    return distance_mm * tan(radians(minutes / 60)) / pitch_mm


class Mark(Enum):
    """What a seat has to do with the present moment."""

    NONE = "none"
    TO_ACT = "to act"  #: an arrow that points at the name
    SEALED = "sealed"  #: a tick


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: `value` is what belongs beside the name (heads, points), `start` the start player."""

    name: str
    mark: Mark = Mark.NONE
    start: bool = False
    value: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A counted thing: its shape and one or two letters tell it apart, the label says it in words."""

    number: int
    label: str = ""
    letter: str = ""
    shape: Shape = Shape.CIRCLE


@dataclass(frozen=True, slots=True)
class Print:
    """A fingerprint in hex to compare with a phone: a seat's commitment or the log's head; shortened to fit."""

    label: str
    hex: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the table should see to: a question for a person, or a table that differs from what is expected."""

    text: str
    question: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """How to get in before the game; `wifi` is the text of a Wi-Fi QR code (see `wifi_text`)."""

    url: str
    hint: str = ""
    wifi: str = ""
    wifi_hint: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the final ranking; tied seats have the same `place`."""

    place: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class Board:
    """All that a scoreboard shows, in the words of the table's language: public things only.

    With `join` it shows how to get in, with `ranking` how the game ended, else the game. `short` is the phase in few
    words, for a panel on which the whole one would be set small.
    """

    title: str
    phase: str = ""
    seats: tuple[Seat, ...] = ()
    counts: tuple[Count, ...] = ()
    foot: tuple[Print, ...] = ()
    notice: Notice | None = None
    join: Join | None = None
    ranking: tuple[Place, ...] = ()
    short: str = ""


def wifi_text(name: str, password: str = "", hidden: bool = False) -> str:
    """The text of a QR code that phones join a Wi-Fi network with (WPA, or open without a password)."""
    quoted = [text.translate({ord(c): f"\\{c}" for c in '\\;,:"'}) for text in (name, password)]
    kind = "WPA" if password else "nopass"
    return f"WIFI:T:{kind};S:{quoted[0]};" + (f"P:{quoted[1]};" if password else "") + ("H:true;;" if hidden else ";")


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Measures of a layout in pixels; caps are heights of capitals (see the module's text)."""

    tight: bool  #: seats in two columns, and only one of two things where both would be too much
    margin: int
    band: int  #: height of the header
    notice: int  #: height of a notice
    row: int  #: greatest height of a seat's row
    main: int  #: cap of primary facts as a rule
    least: int  #: cap of primary facts at the least
    small: int  #: cap of labels
    tiny: int  #: cap of fingerprints and addresses

    def scaled(self, by: float) -> _Sizes:
        rest = {f.name: max(1, round(getattr(self, f.name) * by)) for f in fields(self) if f.name != "tight"}
        return replace(self, **{**rest, "tiny": max(7, rest["tiny"])})

    @property
    def gap(self) -> int:
        """Between things in a row."""
        return max(2, self.margin // 2)

    @property
    def name(self) -> int:
        """Cap of names at the least where a panel is tight, as long as another arrangement can help."""
        return self.main * 7 // 8

    @property
    def primary(self) -> Style:
        return Style(self.main, self.least, primary=True)

    @property
    def bold(self) -> Style:
        return replace(self.primary, weight="ExtraBold")


LARGE: Final = (800, 480)
SMALL: Final = (250, 122)
_LARGE: Final = _Sizes(False, margin=16, band=68, notice=96, row=76, main=31, least=15, small=15, tiny=13)
_SMALL: Final = _Sizes(True, margin=2, band=25, notice=53, row=24, main=15, least=10, small=9, tiny=7)


def draw(board: Board, size: tuple[int, int], colours: Colours = "bwr") -> Image.Image:
    """The board in pixels: mode "P" with white, black and red (0, 1, 2) for "bwr", mode "1" for "bw".

    `size` is width, height; 800 × 480 and 250 × 122 are what it is made for, other landscape sizes are scaled from
    these. Raises ValueError for a panel smaller than 200 × 96 or higher than wide.
    """
    image = lay_out(board, size).image
    return image if colours == "bwr" else image.point([255 * (i == WHITE) for i in range(256)], "1")


def lay_out(board: Board, size: tuple[int, int]) -> Canvas:
    """The board drawn, with the texts as they were placed."""
    if size[0] < LEAST_SIZE[0] or size[1] < LEAST_SIZE[1] or size[0] < size[1]:
        raise ValueError(f"a scoreboard needs at least {LEAST_SIZE} pixels in landscape, not {size}")
    sizes = _sizes(size)
    canvas = Canvas(size)
    if board.join:
        _draw_join(canvas, board, board.join, sizes)
    elif board.ranking:
        _draw_ranking(canvas, board, sizes)
    else:
        _draw_game(canvas, board, sizes)
    return canvas


def _sizes(size: tuple[int, int]) -> _Sizes:
    large = min(size[0] / LARGE[0], size[1] / LARGE[1])
    if large >= 0.5:
        return _LARGE.scaled(large)
    return _SMALL.scaled(min(size[0] / SMALL[0], size[1] / SMALL[1]))


# --- during the game


def _draw_game(canvas: Canvas, board: Board, s: _Sizes) -> None:
    body = _draw_top(canvas, board, s)
    if board.foot:
        body, foot = body.split_bottom(2 * s.tiny + s.margin)
        _draw_foot(canvas, foot.inset(s.margin), board.foot, s)
    body = body.inset(s.margin)
    if s.tight:
        _draw_tight(canvas, body, board, s)
        return
    body = body.inset(0, s.margin // 2)
    seats, counts = body.split_right(body.width * 3 // 8 if board.counts else 0)
    _draw_seats(canvas, seats._replace(right=seats.right - s.margin), board.seats, 1, s)
    if board.counts:
        canvas.fill(counts._replace(right=counts.left + 2).inset(0, s.margin // 2), BLACK)
        _draw_counts(canvas, counts.split_left(s.margin)[1], board.counts, 1, s)


def _draw_tight(canvas: Canvas, body: Box, board: Board, s: _Sizes) -> None:
    """Counts below the seats; beside them where names need whole lines."""
    columns = 1 if len(board.seats) <= 3 else 2
    seats, counts = body.split_top(s.row * ceil(len(board.seats) / columns))
    across, high = len(board.counts), s.row - s.margin
    if columns > 1 and (least := _least_name(seats, board.seats, columns, s)) < s.name:
        tall, beside = body.split_right(body.width // 4 if board.counts else 0)
        tall = tall._replace(right=tall.right - 2 * s.gap)
        if _least_name(tall, board.seats, 1, s) >= max(least, s.least):
            columns, seats, counts = 1, tall, beside
            across, high = 1, across * (s.main + s.margin)
    _draw_seats(canvas, seats, board.seats, columns, s)
    if board.counts and counts.height >= high:
        _draw_counts(canvas, counts, board.counts, across, s)


def _least_name(box: Box, seats: tuple[Seat, ...], columns: int, s: _Sizes) -> int:
    """The cap of the smallest name in so many columns; 0: one would be shortened, or too small to read."""
    cells = _cells(box, seats, columns, s)
    return _least_at(_cap_for(cells, seats, s), cells, seats, s)


def _least_at(row: int, cells: list[Box], seats: tuple[Seat, ...], s: _Sizes) -> int:
    """The same where capitals of all else in the rows are so high."""
    caps = []
    for cell, seat in zip(cells, seats, strict=True):
        name = spell(seat.name)
        short, cap = fit(name, replace(s.primary, cap=row), _places(cell, seat, row, s).name.width)
        caps.append(cap if short == name and cap >= s.least else 0)
    return min(caps, default=0)


def _cap_for(cells: list[Box], seats: tuple[Seat, ...], s: _Sizes) -> int:
    """How high capitals are in these rows; where it is tight, lower if only that keeps all names whole."""
    cap = _cap_in(cells, s)
    if not s.tight:
        return cap
    return next((c for c in range(cap, s.least - 1, -1) if _least_at(c, cells, seats, s)), cap)


def _draw_top(canvas: Canvas, board: Board, s: _Sizes) -> Box:
    """Header and notice, on a small panel only one of them; gives the box below."""
    body = canvas.box
    if not (board.notice and s.tight):
        band, body = body.split_top(s.band)
        _draw_header(canvas, band, board, s)
    if board.notice:
        band, body = body.split_top(s.notice)
        _draw_notice(canvas, band.inset(s.margin // 4, s.margin // 4), board.notice, s)
    return body


def _draw_header(canvas: Canvas, band: Box, board: Board, s: _Sizes) -> None:
    """White on black: what the table is doing, and which game it is where there is room."""
    canvas.fill(band, BLACK)
    inner = band.inset(s.margin + 1)
    text, style = board.phase or board.title, replace(s.bold, ink=WHITE)
    if board.short and width(spell(text), "Medium", style.cap) > inner.width:
        text = board.short
    if width(spell(text), style.weight, style.cap) > inner.width:
        style = replace(style, weight="Medium")  # narrower, and so larger
    took = canvas.line(inner, text, style)
    rest = inner.split_left(took + 2 * s.margin)[1]
    cap = s.small * 4 // 3
    if board.phase and rest.width >= width(spell(board.title), "Medium", cap):
        canvas.line(rest, board.title, Style(cap, cap, ink=WHITE, align="right"))


def _draw_notice(canvas: Canvas, band: Box, notice: Notice, s: _Sizes) -> None:
    """A frame with a sign: "?" in a circle waits for a person, "!" in a triangle for the table."""
    edge = max(2, s.margin // 4)
    canvas.fill(band, RED)
    canvas.fill(band.inset(edge, edge), WHITE)
    sign, text = band.inset(2 * edge, 2 * edge).split_left(2 * s.main + edge)
    sign = sign.square(min(sign.width, sign.height))
    canvas.shape(sign, Shape.CIRCLE if notice.question else Shape.TRIANGLE, RED)
    cap = sign.height * 2 // 5
    symbol = sign if notice.question else sign._replace(top=sign.top + sign.height // 4)
    canvas.line(symbol, "?" if notice.question else "!", Style(cap, cap, "ExtraBold", WHITE, "centre"))
    style = s.primary if s.tight else s.bold
    canvas.paragraph(text.split_left(2 * edge)[1], notice.text, style)


def _draw_seats(canvas: Canvas, box: Box, seats: tuple[Seat, ...], columns: int, s: _Sizes) -> None:
    """A row a seat: mark, name, the start player's badge, value."""
    cells = _cells(box, seats, columns, s)
    cap = _cap_for(cells, seats, s)
    for cell, seat in zip(cells, seats, strict=True):
        places = _places(cell, seat, cap, s)
        if seat.mark is Mark.TO_ACT:
            canvas.arrow(places.mark.square(cap - 2), RED)
        elif seat.mark is Mark.SEALED:
            canvas.check(places.mark.square(cap))
        canvas.line(places.value, seat.value, replace(s.bold, cap=cap, align="right"))
        if places.badge:
            _draw_badge(canvas, places.badge.square(cap), "1", Shape.CIRCLE)
        style = s.bold if seat.mark is Mark.TO_ACT and not s.tight else s.primary
        canvas.line(places.name, seat.name, replace(style, cap=cap))


def _cells(box: Box, seats: tuple[Seat, ...], columns: int, s: _Sizes) -> list[Box]:
    """The seats' rows, with room between columns and none beside them."""
    between = s.gap * 3 // 2 * (columns > 1)
    high = s.row if s.tight else s.row * 5 // 4
    return [cell.inset(between) for cell in box.inset(-between).grid(len(seats), columns, high)]


class _Places(NamedTuple):
    """Where the parts of a seat's row stand."""

    mark: Box
    name: Box
    badge: Box | None  #: the start player's; None as well where there is no room for it
    value: Box


def _places(cell: Box, seat: Seat, cap: int, s: _Sizes) -> _Places:
    """The value goes before the name, and where it is tight the name before the badge."""
    mark, name = cell.split_left(cap)
    value_room = width(spell(seat.value), "ExtraBold", cap)
    name, value = name.split_left(s.gap)[1].split_right(value_room + 2 * s.gap if value_room else 0)
    if not seat.start:
        return _Places(mark, name, None, value)
    if s.tight and seat.mark is Mark.NONE:
        return _Places(mark, name, mark, value)
    left, badge = name.split_right(cap + s.gap)
    if s.tight and width(spell(seat.name), "Medium", cap) > left.width:
        return _Places(mark, name, None, value)
    return _Places(mark, left, badge, value)


def _cap_in(cells: list[Box], s: _Sizes) -> int:
    """Few rows have room for larger letters, low ones only for smaller."""
    if not cells:
        return s.main
    height = cells[0].height
    return min(s.main, height * 2 // 3) if s.tight else max(s.main, min(s.main * 4 // 3, height * 9 // 20))


def _draw_counts(canvas: Canvas, box: Box, counts: tuple[Count, ...], columns: int, s: _Sizes) -> None:
    """Shape with letter, number, and the label where there is room."""
    style = replace(s.bold, cap=s.main if s.tight else s.main * 5 // 4, align="left" if s.tight else "right")
    number_room = max(width(str(count.number), style.weight, style.cap) for count in counts)
    cells = list(box.grid(len(counts), columns, s.row))
    side = min(s.row * 3 // 4, cells[0].height - s.gap)
    lettered = all(_letter_cap(side, count.letter, count.shape) for count in counts)
    for cell, count in zip(cells, counts, strict=True):
        sign, rest = cell.split_left(side)
        _draw_badge(canvas, sign.square(side), count.letter if lettered else "", count.shape)
        number, label = rest.split_left(2 * s.gap + number_room)
        canvas.line(number.inset(s.gap), str(count.number), style)
        if not s.tight:
            canvas.paragraph(label.inset(s.gap), count.label, Style(s.small * 4 // 3, s.small * 3 // 4))


def _draw_badge(canvas: Canvas, box: Box, text: str, shape: Shape) -> None:
    """A shape with one or two letters in it, if they fit."""
    canvas.shape(box, shape)
    cap = _letter_cap(box.width, text, shape)
    if cap:
        inner = box._replace(top=box.top + round(box.height * ROOM[shape][2]))
        canvas.line(inner, text, Style(cap, cap, "ExtraBold", WHITE, "centre"))


def _letter_cap(side: int, text: str, shape: Shape) -> int:
    """How high capitals can be in a shape of this side; 0: they would be too small to read."""
    across, down, _ = ROOM[shape]
    for cap in range(round(side * down), 6, -1):
        if width(spell(text), "ExtraBold", cap) <= side * across:
            return cap
    return 0


ROOM: Final[dict[Shape, tuple[float, float, float]]] = {
    Shape.TRIANGLE: (0.56, 0.36, 0.34),
    Shape.DIAMOND: (0.60, 0.38, 0.0),
    Shape.SQUARE: (0.76, 0.45, 0.0),
    Shape.CIRCLE: (0.74, 0.45, 0.0),
    Shape.HEXAGON: (0.74, 0.45, 0.0),
    Shape.STAR: (0.42, 0.28, 0.08),
    Shape.CROSS: (0.60, 0.26, 0.0),
    Shape.BAR: (0.90, 0.30, 0.0),
}  #: width of letters in a shape, their greatest cap, and how far down their box begins, all in sides


def _draw_foot(canvas: Canvas, box: Box, prints: tuple[Print, ...], s: _Sizes) -> None:
    """Each label with the first digits of its fingerprint, all equally many; where it is tight, only initials."""
    style = Style(s.tiny, 7)
    for letters, digits in ((99, 16), (99, 8), (1, 8), (1, 6), (1, 4)):
        texts = [spell(f"{p.label[:letters]} {p.hex[:digits]}") for p in prints]
        widths = [width(text, style.weight, style.cap) for text in texts]
        gap = (box.width - sum(widths)) // len(prints)
        if gap >= style.cap // 2:
            break
    for text, took in zip(texts, widths, strict=True):
        cell, box = box.split_left(took + max(0, gap))
        canvas.line(cell.split_left(took)[0], text, style)


# --- before and after the game


def _draw_join(canvas: Canvas, board: Board, join: Join, s: _Sizes) -> None:
    """The codes to scan, the address to type, and who is there already."""
    if s.tight:
        _draw_join_tight(canvas, board, join, s)
        return
    band, body = canvas.box.split_top(s.band)
    _draw_header(canvas, band, board, s)
    body = body.inset(s.margin, s.margin // 2)
    names, codes = body.split_right(body.width * (7 if join.wifi else 5) // 10)
    there = tuple(replace(seat, mark=Mark.SEALED) for seat in board.seats)
    _draw_seats(canvas, names, there, 1, replace(s, row=s.row * 4 // 5))
    if join.wifi:
        wifi, codes = codes.split_left(codes.width // 2)
        _draw_code(canvas, wifi, join.wifi, join.wifi_hint, "", s)
    _draw_code(canvas, codes, join.url, join.hint, _shown(join.url), s)


def _draw_code(canvas: Canvas, box: Box, code: str, hint: str, address: str, s: _Sizes) -> None:
    rest, below = box.split_bottom(2 * s.tiny)
    canvas.line(below, address, Style(s.tiny, 7, align="centre"))
    rest, below = rest.split_bottom(2 * s.small)
    canvas.line(below, hint, Style(s.small * 4 // 3, s.small * 2 // 3, "ExtraBold", align="centre"))
    canvas.qr(rest, code)


def _draw_join_tight(canvas: Canvas, board: Board, join: Join, s: _Sizes) -> None:
    """One code with words beside it; two codes with only their order."""
    box, code = canvas.box.split_right(canvas.box.height)
    if join.wifi and module_size(code, join.wifi) and module_size(code, join.url):
        wifi, box = box.split_left(code.width)
        canvas.qr(wifi, join.wifi)
        canvas.qr(code, join.url)
        canvas.arrow(box.square(s.main))
        return
    if not canvas.qr(code, join.url):
        box = canvas.box
    title, box = box.inset(2 * s.margin, s.margin).split_top(s.band)
    canvas.line(title, board.title, s.bold)
    box, address = box.split_bottom(4 * s.tiny)
    canvas.paragraph(address, _shown(join.url).replace("/", " /", 1), Style(s.small, 7))
    canvas.paragraph(box, join.hint, Style(s.main, s.small, primary=True))


def _shown(url: str) -> str:
    """The address as one types it."""
    return url.removeprefix("http://")


def _draw_ranking(canvas: Canvas, board: Board, s: _Sizes) -> None:
    """Places, names, points; a star for who won."""
    body = canvas.box
    if not s.tight or len(board.ranking) * s.row + s.band <= body.height:
        band, body = body.split_top(s.band)
        _draw_header(canvas, band, board, s)
    cells = list(body.inset(s.margin, s.margin // 2).grid(len(board.ranking), 1, s.row * 5 // 4))
    cap = _cap_in(cells, s)
    plain, bold = replace(s.primary, cap=cap), replace(s.bold, cap=cap)
    points_room = max(width(spell(place.points), "ExtraBold", cap) for place in board.ranking)
    for cell, place in zip(cells, board.ranking, strict=True):
        sign, name = cell.split_left(s.row)
        if place.place == 1:
            canvas.shape(sign.square(min(sign.height, cap * 3 // 2)), Shape.STAR, RED)
        else:
            canvas.line(sign, str(place.place), replace(plain, align="centre"))
        name, points = name.split_right(points_room + s.gap)
        canvas.line(name.inset(s.gap), place.name, bold if place.place == 1 else plain)
        canvas.line(points, place.points, replace(bold, align="right"))
