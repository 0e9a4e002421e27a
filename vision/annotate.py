"""Draws an observation into its photo: outlines, names, turns, beads, pieces, and what is doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from vision import lettering
from vision.observation import Component, Doubt, Observation, PieceSeen
from vision.plane import Point, Quad

Image = NDArray[np.uint8]

SURE: Final = (40, 220, 60)  #: red, green, blue
DOUBTFUL: Final = (255, 140, 0)
MARKER: Final = (0, 170, 255)
PLAIN: Final = (240, 240, 240)
COLOURS: Final = {
    "red": (225, 40, 40),
    "orange": (240, 120, 20),
    "yellow": (250, 205, 30),
    "green": (30, 160, 60),
    "blue": (50, 90, 235),
    "purple": (150, 60, 190),
    "shell": (245, 235, 215),
    "white": (245, 245, 245),
    "brown": (140, 85, 40),
}
MANY: Final = 12  #: so many pieces show signs, and what these mean is said below, as their names would hide each other


def annotate(image_bgr: Image, observation: Observation) -> Image:
    """A copy of the photo (BGR) with the observation drawn in, legible when the photo is shown 1200 pixels wide."""
    picture = Pillow.fromarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB))
    _Drawing(picture, observation).all()
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), np.uint8)


class _Drawing:
    def __init__(self, picture: Pillow.Image, observation: Observation) -> None:
        self.draw = ImageDraw.Draw(picture)
        self.seen = observation
        self.unit = max(1.0, picture.width / 1200)
        self.font = lettering.font(12.5 * self.unit)
        self.small = lettering.font(10.5 * self.unit)
        self.tiny = lettering.font(8.5 * self.unit)
        self.signs = _signs(sorted({_kind(p) for p in observation.pieces})) if len(observation.pieces) >= MANY else {}
        self.taken: list[tuple[float, float, float, float]] = []  # where labels stand already

    def all(self) -> None:
        for marker in self.seen.markers:
            self._outline(marker.corners, MARKER, 2)
            self._label(_middle(marker.corners), str(marker.id), MARKER, self.font)
        for component in self.seen.components:
            self._component(component)
        for bead in self.seen.beads:
            self._dot(bead.centre_px, COLOURS.get(bead.colour, SURE), bead.colour[:1].upper())
        for piece in self.seen.pieces:
            name = " ".join(str(part) for part in (piece.colour, piece.piece, piece.value) if part is not None)
            self._dot(piece.centre_px, COLOURS.get(piece.colour or "", SURE), self.signs.get(_kind(piece), ""))
            if not self.signs:
                self._label((piece.centre_px[0], piece.centre_px[1] + 14 * self.unit), name, SURE, self.small)
        for doubt in self.seen.unsure:
            self._doubt(doubt)
        self._legend()

    def _component(self, component: Component) -> None:
        self._outline(component.corners, SURE, 2)
        self._top(component.corners, SURE)
        name = component.component.split("/", 1)[-1]
        share = "" if component.visible > 0.75 else f" ({component.visible:.0%})"
        room = _span(component.corners)
        longest = max(self.draw.textlength(word, font=self.font) for word in _words(name + share)) + 6 * self.unit
        font = self.font if longest <= room else self.tiny  # a tile's name must not hide its neighbours
        edge = component.corners[2:] if component.kind == "board" else component.corners  # much may lie on a board
        self._label(_middle(edge), name + share, SURE, font, room)

    def _doubt(self, doubt: Doubt) -> None:
        guess = " / ".join(name.split("/", 1)[-1] for name, _ in doubt.candidates[:2])
        text = f"? {guess or doubt.why}"
        if doubt.corners is not None:
            self._outline(doubt.corners, DOUBTFUL, 3)
            self._label(_middle(doubt.corners), text, DOUBTFUL, self.small, _span(doubt.corners))
        elif doubt.centre_px is not None:
            self._dot(doubt.centre_px, DOUBTFUL, "?")

    def _outline(self, corners: Quad, colour: tuple[int, int, int], width: int) -> None:
        self.draw.line([*corners, corners[0]], fill=colour, width=max(1, round(width * self.unit)), joint="curve")

    def _top(self, corners: Quad, colour: tuple[int, int, int]) -> None:
        """An arrowhead on the component's own top edge, pointing out of it."""
        (ax, ay), (bx, by), _, (dx, dy) = corners
        middle = ((ax + bx) / 2, (ay + by) / 2)
        length = float(np.hypot(ax - dx, ay - dy)) or 1.0
        up = ((ax - dx) / length, (ay - dy) / length)
        size = 7 * self.unit
        side = (-up[1] * size * 0.8, up[0] * size * 0.8)
        tip = (middle[0] + up[0] * size, middle[1] + up[1] * size)
        base = [(middle[0] + side[0], middle[1] + side[1]), (middle[0] - side[0], middle[1] - side[1])]
        self.draw.polygon([tip, *base], fill=colour)

    def _dot(self, centre: Point, colour: tuple[int, int, int], letter: str) -> None:
        x, y = centre
        radius = 7 * self.unit
        box = (x - radius, y - radius, x + radius, y + radius)
        self.draw.ellipse(box, outline=(255, 255, 255), width=round(3 * self.unit))
        self.draw.ellipse(box, outline=colour, width=max(1, round(1.5 * self.unit)))
        if letter:
            self._text((x, y), letter, (255, 255, 255), self.small)

    def _label(
        self, at: Point, text: str, colour: tuple[int, int, int], font: ImageFont.FreeTypeFont,
        room: float = 0.0,
    ) -> None:  # fmt: skip
        """Text on a dark ground, broken at its hyphens where it is wider than `room`, moved off other labels."""
        lines = self._broken(text, (room or 66 * self.unit) - 6 * self.unit, font)
        width = max(self.draw.textlength(line, font=font) for line in lines) + 6 * self.unit
        pitch = 10 if font is self.tiny else 14
        height = (len(lines) * pitch + 4) * self.unit
        x, y = at[0] - width / 2, at[1] - height / 2
        while any(x < r and x + width > a and y < s and y + height > b for a, b, r, s in self.taken):
            y += 4 * self.unit
        self.taken.append((x, y, x + width, y + height))
        self.draw.rectangle((x, y, x + width, y + height), fill=(15, 15, 15))
        for i, line in enumerate(lines):
            place = (x + width / 2, y + (i * pitch + pitch / 2 + 2) * self.unit)
            self.draw.text(place, line, fill=colour, font=font, anchor="mm")

    def _broken(self, text: str, room: float, font: ImageFont.FreeTypeFont) -> list[str]:
        lines = [""]
        for word in _words(text):
            if lines[-1] and self.draw.textlength(lines[-1] + word, font=font) > room:
                lines.append("")
            lines[-1] += word
        return lines

    def _text(self, at: Point, text: str, colour: tuple[int, int, int], font: ImageFont.FreeTypeFont) -> None:
        self.draw.text(
            at, text, fill=colour, font=font, anchor="mm", stroke_width=round(self.unit), stroke_fill=(0, 0, 0)
        )

    def _legend(self) -> None:
        """What was counted, and the warnings, along the edge, lower or upper, at which less was seen."""
        seen = self.seen
        counts = [(len(seen.components), "components"), (len(seen.beads), "beads"), (len(seen.pieces), "pieces")]
        said = ", ".join(f"{n} {what}" for n, what in counts if n) or "nothing recognised"
        said += f"; {len(seen.unsure)} unsure" if seen.unsure else ""
        texts = [(said, PLAIN), *((warning, DOUBTFUL) for warning in seen.warnings)]
        if self.signs:
            texts.append((", ".join(f"{sign}: {kind}" for kind, sign in self.signs.items()), SURE))
        broken = ((self._broken(text, seen.size[0] - 16 * self.unit, self.font), colour) for text, colour in texts)
        rows = [(line, colour) for lines, colour in broken for line in lines]
        width, below = seen.size
        height = len(rows) * 17 * self.unit + 6 * self.unit
        middles = [_middle(component.corners) for component in seen.components]
        middles += [thing.centre_px for things in (seen.beads, seen.pieces) for thing in things]
        middles += [_middle(doubt.corners) for doubt in seen.unsure if doubt.corners is not None]
        middles += [doubt.centre_px for doubt in seen.unsure if doubt.centre_px is not None]
        at_top = sum(y < height for _, y in middles) < sum(y > below - height for _, y in middles)
        top = 0 if at_top else below - height
        self.draw.rectangle((0, top, width, top + height), fill=(15, 15, 15))
        for i, (line, colour) in enumerate(rows):
            self.draw.text((8 * self.unit, top + (i * 17 + 3) * self.unit), line, fill=colour, font=self.font)


def _kind(piece: PieceSeen) -> str:
    return piece.piece if piece.value is None else f"{piece.piece} {piece.value}"


def _signs(kinds: Sequence[str]) -> dict[str, str]:
    """A sign for each kind: its first letter, as many as tell it from others, and its number."""
    signs: dict[str, str] = {}
    for kind in kinds:
        name, number = kind.rstrip("0123456789"), kind[len(kind.rstrip("0123456789")) :]
        others = {other.rstrip("0123456789") for other in kinds} - {name}
        length = next((n for n in range(1, len(name)) if not any(o[:n] == name[:n] for o in others)), len(name))
        signs[kind] = name[:length].capitalize() + number
    return signs


def _words(text: str) -> Iterable[str]:
    """The text cut after hyphens and spaces."""
    start = 0
    for i, sign in enumerate(text):
        if sign in "- ":
            yield text[start : i + 1]
            start = i + 1
    yield text[start:]


def _middle(corners: Sequence[Point]) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _span(corners: Quad) -> float:
    """How wide a component is along the picture's rows, px."""
    xs = [x for x, _ in corners]
    return max(xs) - min(xs)
