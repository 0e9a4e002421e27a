from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.patterns import PATTERNS
from vision.seen import Seen
from vision.stencils import explained
from vision.strewn import contested
from vision.thrown import gainsaid
from vision.values import Value

Image = NDArray[np.uint8]

MIDDLE, SIDE = (60.0, 60.0), 40.0
#: body and pips: white and black, black and white, and a smoky one with red pips that are as light (B, G, R)
MAKES = [((235, 240, 240), (20, 20, 20)), ((25, 25, 25), (230, 235, 235)), ((70, 72, 70), (35, 35, 150))]


def drawn(value: int, body: tuple[int, int, int], ink: tuple[int, int, int], turn: float = 20.0) -> Image:
    """A face of SIDE pixels about MIDDLE, on a grey table with a little grain."""
    big = 4
    picture = np.full((120 * big, 120 * big, 3), 170, np.uint8)
    ways = np.array([[np.cos(t), np.sin(t)] for t in np.radians([turn, turn + 90])])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE / 2 @ ways + MIDDLE
    cv2.fillConvexPoly(picture, (square * big).astype(np.int32), body)
    for site in PATTERNS[value]:
        x, y = (np.array(site) * 0.25 * SIDE @ ways + MIDDLE) * big
        cv2.circle(picture, (round(x), round(y)), round(0.095 * SIDE * big), ink, cv2.FILLED)
    small = cv2.resize(picture, (120, 120), interpolation=cv2.INTER_AREA)
    return np.clip(small + np.random.default_rng(value).normal(0, 4, small.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("value", range(1, 7))
def test_of_all_stencils_that_of_what_it_shows_fits_a_face_best(
    value: int, make: tuple[tuple[int, int, int], tuple[int, int, int]]
) -> None:
    fits = explained(drawn(value, *make), MIDDLE, SIDE)
    assert fits.argmax() == value
    assert fits[value] > 0.8
    assert np.delete(fits, value).max() < 0.8 * fits[value]


def test_nothing_fits_an_empty_face() -> None:
    assert explained(drawn(0, *MAKES[0]), MIDDLE, SIDE).max() < 0.3


def test_nearly_all_faces_are_told_however_they_lie_and_where_they_are_told_about() -> None:
    """Not all: from beside its middle half of a four's pips may look more like a two than all of them like a four."""
    rng = np.random.default_rng(3)
    right = 0
    for _ in range(40):
        value, turn, grown = int(rng.integers(2, 7)), float(rng.uniform(0, 360)), float(rng.uniform(0.9, 1.12))
        x, y = np.array(MIDDLE) + SIDE * rng.uniform(-0.1, 0.1, 2)
        right += bool(explained(drawn(value, *MAKES[2], turn), (float(x), float(y)), SIDE * grown).argmax() == value)
    assert right > 36


def test_which_colours_a_die_has_says_nothing() -> None:
    fits = [explained(drawn(5, *make), MIDDLE, SIDE) for make in MAKES]
    assert np.ptp(np.array(fits), axis=0).max() < 0.15


def test_a_die_at_the_photos_edge_is_looked_at_as_far_as_it_is_seen() -> None:
    picture = drawn(4, *MAKES[0])[:70]
    assert np.isfinite(explained(picture, MIDDLE, SIDE)).all()
    assert np.isfinite(explained(picture, (0.0, 0.0), 2000.0)).all()


def test_a_die_on_a_table_that_a_network_alone_tells_is_doubted_where_stencils_plainly_fit_another() -> None:
    """Pips smeared by a camera that moved were told as six where there were three."""
    sure = Seen("die", "brown", 6, (0.0, 0.0), MIDDLE, 0.98, (("die 6", 0.98),))
    told = Value(np.zeros(7, np.float32), MIDDLE, SIDE, 1.0)
    smeared = cv2.blur(drawn(3, *MAKES[1]), (5, 1))
    assert gainsaid(sure, smeared, told).why == "may show 3"
    assert not gainsaid(sure, drawn(6, *MAKES[1]), told).why
    assert not gainsaid(sure, drawn(0, *MAKES[1]), told).why, "where no pips are seen no stencil fits"


@pytest.mark.parametrize(("shown", "others"), [(4, 5), (3, 5)])
def test_a_die_is_doubted_where_a_glint_may_be_one_of_its_pips(shown: int, others: int) -> None:
    """A glint in the middle of a four made it a five, to networks and to pips alike."""
    sure = Seen("die", "red", others, None, MIDDLE, 0.98, ((f"die {others}", 0.98),))
    told = Value(np.zeros(7, np.float32), MIDDLE, SIDE, 1.0)
    glinting = cv2.addWeighted(drawn(shown, *MAKES[1]), 0.5, drawn(others, *MAKES[1]), 0.5, 0)
    assert contested(sure, glinting, told).why == f"may show {shown}"
    assert not contested(sure, drawn(others, *MAKES[1]), told).why
    assert not contested(replace(sure, value=2), drawn(2, *MAKES[1]), told).why
