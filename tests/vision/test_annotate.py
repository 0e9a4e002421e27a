"""The drawn-in names can be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from vision.annotate import MANY, _Drawing, _signs, annotate
from vision.observation import BeadSeen, Component, Observation, PieceSeen

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


def pieces(count: int) -> _Drawing:
    """A drawing of so many workers, side by side on a board."""
    workers = [PieceSeen("worker", "red", None, None, (600.0 + 20 * i, 500.0), 0.99) for i in range(count)]
    board = Component("giants/map", "board", None, 0.0, ((400, 300), (1400, 300), (1400, 800), (400, 800)), 0.6, 0.99)
    drawing = _Drawing(
        Image.new("RGB", (1920, 1080)), Observation((1920, 1080), components=(board,), pieces=tuple(workers))
    )
    drawing.all()
    return drawing


def test_where_many_pieces_stand_signs_are_written_into_them() -> None:
    """Their names were moved below each other and the board, away from what they name."""
    assert len(pieces(MANY - 1).taken) == MANY
    drawing = pieces(MANY)
    assert drawing.signs == {"worker": "W"}
    ((_, top, _, _),) = drawing.taken
    assert top > 700, "the board's name hides what stands on it"


def test_signs_tell_kinds_apart_by_as_few_letters_as_they_can() -> None:
    kinds = ["chief", "cube", "cup", "die 1", "die 2", "log", "moai-size-2", "moai-size-3"]
    assert list(_signs(kinds).values()) == ["Ch", "Cub", "Cup", "D1", "D2", "L", "M2", "M3"]


@pytest.mark.parametrize("size", [(1920, 1080), (400, 300)])
def test_what_is_written_at_an_edge_hides_no_bead_and_is_all_there(size: tuple[int, int]) -> None:
    width, height = size
    beads = tuple(BeadSeen("red", None, (width / 2, height * share), 0.99) for share in (0.5, 0.8, 0.97))
    warnings = ("fewer than two table markers seen: no places in millimetres; lay two flat on the table",)
    picture = annotate(np.full((height, width, 3), 128, np.uint8), Observation(size, beads=beads, warnings=warnings))
    written = (picture < 30).all(axis=2).mean(axis=1) > 0.5  # rows of the dark ground
    assert written[0]
    assert not written[height // 2 :].any()
    edge = picture[: np.flatnonzero(written)[-1], -4:]
    assert (edge < 60).all(), "the text goes beyond the picture"


def test_names_are_drawn_with_their_accents() -> None:
    drawing = _Drawing(Image.new("RGB", (1920, 1080)), Observation((1920, 1080)))
    for font in (drawing.font, drawing.small, drawing.tiny):
        missing = bytes(font.getmask("\U0010ffff"))
        assert all(bytes(font.getmask(letter)) != missing for letter in "äöüßéłč")
