"""Tiles of one colour: side by side with others they are asked about, not passed over; a board's fields are not."""

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.gallery import one_colour
from vision.observation import Observation
from vision.observe import Observer
from vision.simulated import FaceImage, Placed, Scene, SimulatedTable
from vision.unprinted import WHY

PX, SIDE = 4, 40
WHEAT, PAPER, WATER = (30, 150, 180), (215, 220, 225), (170, 110, 40)
Tile = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def plain(colour: tuple[int, int, int], seed: int = 1) -> Tile:
    """A tile of one colour with a little grain and two small stalks."""
    rng = np.random.default_rng(seed)
    tile = np.clip(np.array(colour) + rng.normal(0, 2, (SIDE * PX, SIDE * PX, 3)), 0, 255).astype(np.uint8)
    for x, y in rng.integers(30, 130, (2, 2)).tolist():
        cv2.line(tile, (x, y), (x + 5, y + 3), (20, 60, 70), 1, cv2.LINE_AA)
    return tile


def printed(seed: int) -> Tile:
    rng = np.random.default_rng(seed)
    tile = np.full((SIDE * PX, SIDE * PX, 3), rng.integers(60, 200, 3), np.uint8)
    for x, y, radius, *colour in rng.integers((10, 10, 8, 20, 20, 20), (150, 150, 26, 235, 235, 235), (12, 6)).tolist():
        cv2.circle(tile, (x, y), radius, colour, -1, cv2.LINE_AA)
    return tile


PRINTED = {f"printed-{i}": printed(i) for i in range(4)}
DECK = Deck(
    "anything",
    tuple(Face(n, "tile", (SIDE, SIDE), p, PX) for n, p in {**PRINTED, "wheat": plain(WHEAT)}.items()),
)


def seen(*middle: tuple[str, Tile]) -> Observation:
    """Printed tiles all around what is in the middle of their grid; nothing, if nothing is."""
    step = SIDE + 0.5
    grid = [(220 + step * (i % 3), 140 + step * (i // 3)) for i in range(9)]
    around = [place for i, place in enumerate(grid) if i != 4]
    laid = [Placed(f"printed-{i % 4}", place) for i, place in enumerate(around)]
    laid += [Placed(name, grid[4]) for name, _ in middle]
    pictures = {**PRINTED, **dict(middle)}
    table = SimulatedTable({name: FaceImage(picture, (SIDE, SIDE)) for name, picture in pictures.items()}, seed=4)
    return Observer(DECK).observe(table.render(Scene(tuple(laid))))


def test_one_of_a_colour_that_some_face_has_is_asked_about() -> None:
    found = seen(("other wheat", plain(WHEAT, seed=7)))
    assert sorted(c.component for c in found.components) == sorted(f"anything/printed-{i % 4}" for i in range(8))
    (asked,) = found.unsure
    assert (asked.why, asked.candidates[0][0]) == (WHY, "anything/wheat")
    middle = np.mean([c.corners for c in found.components], axis=(0, 1))
    assert np.abs(np.mean(asked.corners, axis=0) - middle).max() < 5


@pytest.mark.quick(1)
@pytest.mark.parametrize("middle", [(), (("paper", plain(PAPER)),), (("water", plain(WATER)),)])
def test_a_gap_and_what_has_no_faces_colour_are_not(middle: tuple[tuple[str, Tile], ...]) -> None:
    found = seen(*middle)
    assert len(found.components) == 8
    assert not found.unsure


BOARD = "board"


def board() -> Tile:
    """A board of four by four plain fields of a tile's size, with lines between them, and a wide rim on one side."""
    step, rim = SIDE * PX, 10 * PX
    fields = np.full((4 * step + 2 * rim, 4 * step + 5 * rim, 3), WHEAT, np.uint8)
    for n in range(5):
        cv2.line(fields, (rim + n * step, rim), (rim + n * step, rim + 4 * step), (200, 230, 240), 4)
        cv2.line(fields, (rim, rim + n * step), (rim + 4 * step, rim + n * step), (200, 230, 240), 4)
    cv2.circle(fields, (4 * step + 3 * rim, 2 * step), 2 * rim - 8, (60, 70, 160), -1)
    return fields


@pytest.mark.quick(1)
@pytest.mark.parametrize("taught", [True, False])
def test_a_boards_plain_fields_are_not_though_they_have_a_faces_colour(taught: bool) -> None:
    image = board()
    size = (image.shape[1] / PX, image.shape[0] / PX)
    left, top = 300 - size[0] / 2 + 10 + SIDE / 2, 240 - size[1] / 2 + 10 + SIDE / 2
    laid = [Placed(BOARD, (300.0, 240.0))]
    for i, (column, row) in enumerate([(0, 0), (1, 0), (1, 1), (2, 2), (3, 2), (0, 3)]):
        laid.append(Placed(f"printed-{i % 4}", (left + SIDE * column, top + SIDE * row)))
    pictures = {n: FaceImage(p, (SIDE, SIDE)) for n, p in PRINTED.items()} | {BOARD: FaceImage(image, size)}
    photo = SimulatedTable(pictures, seed=4).render(Scene(tuple(laid)))
    deck = Deck("anything", (*DECK.faces, Face(BOARD, "board", size, image, PX))) if taught else DECK
    found = Observer(deck).observe(photo)
    assert sum(c.kind == "tile" for c in found.components) == 6
    assert [doubt.why for doubt in found.unsure] == []


def test_a_colour_is_a_pictures_only_one_where_most_of_it_has_it() -> None:
    colour = one_colour(plain(WHEAT))
    assert colour is not None
    assert colour[2] > 60, "yellow"
    assert one_colour(PRINTED["printed-0"]) is None
