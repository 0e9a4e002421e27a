"""The drawn-in names can be told apart."""

from __future__ import annotations

from PIL import Image

from vision.annotate import _Drawing
from vision.observation import Component, Observation

TILE = 62  #: pixels, as on a photo 1920 wide


def test_the_names_of_touching_tiles_stand_on_their_own_tiles() -> None:
    places = [(600.0 + TILE * (i % 4), 300.0 + TILE * (i // 4)) for i in range(16)]
    quads = [((x, y), (x + TILE, y), (x + TILE, y + TILE), (x, y + TILE)) for x, y in places]
    tiles = tuple(
        Component(f"maori/middle-{i:02}", "tile", None, 0.0, quad, 1.0, 0.999) for i, quad in enumerate(quads)
    )
    drawing = _Drawing(Image.new("RGB", (1920, 1080)), Observation((1920, 1080), components=tiles))
    drawing.all()
    assert len(drawing.taken) == len(tiles)
    for (x, y), (left, top, right, bottom) in zip(places, drawing.taken, strict=True):
        assert x <= (left + right) / 2 <= x + TILE
        assert y <= (top + bottom) / 2 <= y + TILE


def test_names_are_drawn_with_their_accents() -> None:
    drawing = _Drawing(Image.new("RGB", (1920, 1080)), Observation((1920, 1080)))
    for font in (drawing.font, drawing.small, drawing.tiny):
        missing = bytes(font.getmask("\U0010ffff"))
        assert all(bytes(font.getmask(letter)) != missing for letter in "äöüßéłč")
