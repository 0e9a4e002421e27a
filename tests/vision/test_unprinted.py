"""Tiles of one colour: side by side with others they are asked about, not passed over; what is none is not."""

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
WHEAT, PAPER, WATER = (30, 190, 225), (215, 220, 225), (170, 110, 40)
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


@pytest.mark.parametrize("middle", [(), (("paper", plain(PAPER)),), (("water", plain(WATER)),)])
def test_a_gap_and_what_has_no_faces_colour_are_not(middle: tuple[tuple[str, Tile], ...]) -> None:
    found = seen(*middle)
    assert len(found.components) == 8
    assert not found.unsure


def test_a_colour_is_a_pictures_only_one_where_most_of_it_has_it() -> None:
    colour = one_colour(plain(WHEAT))
    assert colour is not None
    assert colour[2] > 60, "yellow"
    assert one_colour(PRINTED["printed-0"]) is None
