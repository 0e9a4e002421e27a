"""A table's frame stays where it is while its markers are covered, uncovered and moved, or its camera is."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face, Piece
from vision.follower import Follower
from vision.memory import PieceMemory
from vision.observation import Observation
from vision.observe import Observer
from vision.places import Places
from vision.plane import Floats, Lens, Marker, Plane, Quad
from vision.simulated import Image, Scene, SimulatedTable

SIZE = (1280, 720)
SQUARE = np.array([(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)])
LAID = {0: (0.0, 0.0), 1: (880.0, 10.0), 2: (5.0, 540.0), 3: (870.0, 560.0)}  #: mm, in the frame of marker 0
CARD = (300.0, 200.0)
BOARD = Face("board", "board", (400.0, 300.0), np.random.default_rng(3).integers(0, 255, (60, 80, 3), np.uint8), 0.2)
ROUND = cv2.circle(np.zeros((64, 64), np.uint8), (32, 32), 12, 255, -1)
LOG = Piece("log", np.full((64, 64, 3), 90, np.uint8), np.asarray(ROUND, np.uint8), 1.0, (0.0, 0.0, 900.0))


def camera(x: float = -440.0, y: float = -280.0, turn: float = 0.0) -> Plane:
    """A camera above the table; what the frame's origin is, `photo` says."""
    return Plane(Lens.guess(*SIZE), np.asarray(cv2.Rodrigues(np.array([0.1, 0.2, turn]))[0]), np.array([x, y, 1400.0]))


def photo(laid: dict[int, tuple[float, float]], seen: Iterable[int], above: Plane) -> tuple[Plane, tuple[Marker, ...]]:
    """A photo of these markers as it is understood alone: in the frame of the lowest one seen."""
    markers = tuple(Marker(i, quad(above.to_px(SQUARE + laid[i]))) for i in sorted(seen))
    origin = np.array(laid[min(seen)])
    return above.reframed(np.eye(2), -origin), markers


def quad(corners: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def card(table: Plane | None, above: Plane) -> tuple[float, ...]:
    """Where the card lies in this plane's frame."""
    assert table is not None
    return tuple(table.to_mm(above.to_px([CARD]))[0].round(3).tolist())


@pytest.mark.parametrize("seen", [(1, 2, 3), (2, 3), (3,), (0, 3)])
def test_a_covered_marker_does_not_move_the_frame(seen: tuple[int, ...]) -> None:
    places, above = Places(), camera()
    places.framed(*photo(LAID, LAID, above))
    table, said = places.framed(*photo(LAID, seen, above))
    assert card(table, above) == CARD
    assert said == tuple(f"marker {i} is not seen" for i in LAID if i not in seen)
    assert places.missing == tuple(i for i in LAID if i not in seen)


def test_a_camera_that_was_moved_sees_the_table_in_the_same_frame() -> None:
    places = Places()
    places.framed(*photo(LAID, LAID, camera()))
    bumped = camera(-380.0, -330.0, 0.3)
    table, said = places.framed(*photo(LAID, (1, 2, 3), bumped))
    assert card(table, bumped) == CARD
    assert said == ("marker 0 is not seen",)


def test_the_table_counts_from_the_lowest_marker_once_that_is_uncovered() -> None:
    places, above = Places(), camera()
    table, _ = places.framed(*photo(LAID, (1, 2), above))
    assert card(table, above) == (-580.0, 190.0)
    table, _ = places.framed(*photo(LAID, (0, 1, 2, 3), above))
    assert card(table, above) == CARD
    table, _ = places.framed(*photo(LAID, (2, 3), above))
    assert card(table, above) == CARD


@pytest.mark.parametrize("number", LAID)
def test_a_marker_that_was_moved_is_told_by_the_others_and_its_new_place_is_known(number: int) -> None:
    places, above = Places(), camera()
    places.framed(*photo(LAID, LAID, above))
    x, y = LAID[number]
    moved = {**LAID, number: (x + 60.0, y - 30.0)}
    table, said = places.framed(*photo(moved, LAID, above))
    assert card(table, above) == CARD
    assert said == (f"marker {number} was moved",)
    table, said = places.framed(*photo(moved, (number, 3 - number), above))
    assert card(table, above) == CARD
    assert not places.moved


@pytest.mark.parametrize("seen", [(0, 1), (0, 1, 2, 3)])
def test_where_nobody_can_say_which_marker_was_moved_nothing_is_read(seen: tuple[int, ...]) -> None:
    places, above = Places(), camera()
    places.framed(*photo(LAID, seen, above))
    moved = {**LAID, 0: (60.0, 0.0), 2: (65.0, 540.0)}
    table, said = places.framed(*photo(moved, seen, above))
    assert table is None
    assert places.moved
    assert said == ("the markers do not lie as they lay: lay them back, or begin anew",)
    table, _ = places.framed(*photo(LAID, seen, above))
    assert card(table, above) == CARD


def test_where_no_marker_is_known_nothing_is_read() -> None:
    places, above = Places(), camera()
    places.framed(*photo(LAID, (0, 1), above))
    assert places.framed(*photo(LAID, (2, 3), above)) == (None, ("marker 0 is not seen", "marker 1 is not seen"))
    assert (places.missing, places.moved) == ((0, 1), False)
    assert places.framed(None, photo(LAID, (1,), above)[1]) == (None, ("marker 0 is not seen",))


# --- on photos -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> Image:
    """A table on which nothing but its markers lies."""
    return SimulatedTable({}, seed=3, size_px=SIZE).render(Scene())


def covered(image: Image, marker: Marker) -> tuple[Image, tuple[int, int, int, int]]:
    """The photo with something lying on a marker, and where."""
    corners = np.array(marker.corners)
    left, top = corners.min(axis=0).astype(int).tolist()
    right, bottom = corners.max(axis=0).astype(int).tolist()
    cup = image.copy()
    cup[top - 3 : bottom + 3, left - 3 : right + 3] = (60, 70, 80)
    return cup, (left, top, right, bottom)


def origin(seen: Observation) -> Floats:
    """Which pixel the frame counts from."""
    assert seen.plane is not None
    return seen.plane.to_px([(0.0, 0.0)])[0]


@pytest.mark.parametrize("first", ["free", "covered"])
@pytest.mark.parametrize("deck", [Deck("parlour", ()), Deck("parlour", (BOARD,), (LOG,))], ids=["cards", "pieces"])
def test_a_cup_on_the_lowest_marker_moves_nothing_and_its_going_is_noticed(
    table: Image, first: str, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PieceMemory, "find", lambda *_: [])
    observer = Observer(deck, ())
    free = observer.observe(table)
    cup, where = covered(table, free.markers[0])
    alone = observer.observe(cup)  # a photo by itself counts from the lowest marker it shows
    assert np.hypot(*(origin(alone) - np.mean(free.markers[1].corners, axis=0))) < 1
    follower = Follower(observer)
    follower.observe(table if first == "free" else cup)
    for image in (cup, table, cup):
        seen = follower.observe(image, [where])
        assert len(seen.markers) == (3 if image is cup else 4)
        if first == "free" or image is table:
            assert np.hypot(*(origin(seen) - origin(free))) < 1
            assert seen.warnings == (("marker 0 is not seen",) if image is cup else ())
            first = "free"


def test_a_camera_is_where_it_was_while_a_marker_is(table: Image) -> None:
    follower = Follower(Observer(Deck("parlour", ()), ()))
    assert not follower.in_place(table)  # nothing has been seen yet
    seen = follower.observe(table)
    hands = table
    for marker in seen.markers[:3]:
        hands, _ = covered(hands, marker)
    assert follower.in_place(hands)
    assert not follower.in_place(np.roll(hands, 12, axis=1))
    assert not follower.in_place(covered(hands, seen.markers[3])[0])
