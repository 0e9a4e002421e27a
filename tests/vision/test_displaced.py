"""Near twins whose print lies a little aside, as one was cut out askew: they are told apart, or asked about."""

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.displaced import displaced
from vision.gallery import galleries
from vision.observe import Observer
from vision.simulated import FaceImage, Placed, Scene, SimulatedTable

PX = 6  #: pixels a millimetre
SIDE = 40
WATER = (170, 110, 40)


def house(rail: bool, right: float = 0.0, down: float = 0.0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A square tile with a house by the water, cut out so far (mm) beside the middle; a jetty may have a rail."""
    tile = np.full((SIDE * PX, SIDE * PX, 3), WATER, np.uint8)

    def shape(colour: tuple[int, int, int], *points: tuple[float, float]) -> None:
        cv2.fillPoly(tile, [np.rint((np.array(points) - (right, down)) * PX).astype(np.int32)], colour, cv2.LINE_AA)

    shape((60, 80, 190), (9, 20), (19, 12), (32, 17), (29, 23), (12, 24))
    shape((60, 200, 220), (15, 20), (29, 18), (30, 30), (14, 32))
    shape((230, 230, 230), (26, 33), (36, 32), (37, 38), (27, 38))
    shape((40, 90, 150), (15, 5), (25, 4), (24, 8), (16, 8))
    if rail:
        shape((90, 95, 110), (7, 14), (11, 13), (10, 16), (8, 17))
    return tile


def told(deck: Deck, shown: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[str]:
    table = SimulatedTable({"shown": FaceImage(shown, (SIDE, SIDE))}, seed=3)
    places = ((120.0, 120.0), (240.0, 180.0), (380.0, 260.0))
    scene = Scene(tuple(Placed("shown", place, 20.0 * i) for i, place in enumerate(places)))
    return [c.component.split("/")[-1] for c in Observer(deck).observe(table.render(scene)).components]


def twins(right: float, down: float) -> Deck:
    pictures = {"railed": house(True), "bare": house(False, right, down)}
    return Deck("anything", tuple(Face(n, "tile", (SIDE, SIDE), p, PX) for n, p in pictures.items()))


def test_a_print_that_lies_aside_is_found_in_every_turn() -> None:
    gallery = galleries(twins(2.6, -1.8))[0]
    for entry, (turned, quarters) in enumerate((entry.face, entry.quarters) for entry in gallery.entries):
        ((other, right, down),) = gallery.displaced(entry)
        assert (gallery.entries[other].face, gallery.entries[other].quarters) == (1 - turned, quarters)
        way = complex(2.6, -1.8) * (1 if turned else -1) * 1j**quarters
        assert abs(complex(right, down) + way) < 1.0


def test_what_is_as_like_where_it_is_taught_or_nowhere_is_not_displaced() -> None:
    rng = np.random.default_rng(5)
    one, other = (cv2.GaussianBlur(rng.normal(size=(30, 30)).astype(np.float32), (0, 0), 2) for _ in range(2))
    aside = np.roll(one, (2, -1), axis=(0, 1))
    assert displaced(np.stack([one, other, aside]), one, 0.5) == [(2, 2.0, -4.0)]
    assert displaced(np.zeros((1, 4, 4), np.float32), np.ones((4, 4), np.float32), 0.75) == []


@pytest.mark.quick(1)
@pytest.mark.parametrize("aside", [(2.6, -1.8), (3.2, 0.0), (0.0, 2.4)])
def test_a_twin_is_not_told_for_the_one_whose_print_lies_aside(aside: tuple[float, float]) -> None:
    both = twins(*aside)
    assert told(both, house(True)) == ["railed"] * 3
    bare = told(both, house(False, *aside))
    assert set(bare) == {"bare"}, "in doubt where the other one fits as well"
