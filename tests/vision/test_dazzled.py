"""What is too bright to be read is asked about where its outline is a component's, and not passed over."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.doubts import DAZZLED
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX, SIDE = 6, 38.0
PLACES = [(250.0, 200.0), (310.0, 200.0), (370.0, 200.0)]
Colour = tuple[int, int, int]


def _tile(huts: int) -> Image:
    """So many huts on a blue ground."""
    size = int(SIDE * PX)
    image = np.full((size, size, 3), (170, 130, 80), np.uint8)
    for i in range(huts):
        x, y = size // 2 + (-9, 9, 0)[i] * PX, size // 2 + (-6, -6, 8)[i] * PX
        cv2.rectangle(image, (x - 3 * PX, y - 3 * PX), (x + 3 * PX, y + 3 * PX), (50, 70, 210), -1)
    return image


FACES = {f"huts-{n}": _tile(n) for n in (1, 2, 3)}
OBSERVER = Observer(Deck("isles", tuple(Face(n, "tile", (SIDE, SIDE), f, float(PX)) for n, f in FACES.items())))
ROOM = Look(noise=1.5, exposure=1.1)


@pytest.fixture(scope="module")
def photo() -> Image:
    """Two tiles, and beside them bare table."""
    drawn = {name: FaceImage(face, (SIDE, SIDE)) for name, face in FACES.items()}
    laid = tuple(Placed(name, place) for name, place in zip(("huts-3", "huts-2"), PLACES[:2], strict=True))
    return SimulatedTable(drawn, 3, look=ROOM).render(Scene(laid))


def _with(photo: Image, colours: Iterable[Colour], size: float = SIDE) -> Image:
    """The photo with a sheet beside the tiles, of so many columns of these colours, as large (mm) as told."""
    seen = OBSERVER.observe(photo)
    assert len(seen.components) == 2
    assert not seen.unsure
    assert seen.plane is not None
    x, y = PLACES[2]
    colours = list(colours)
    width = size / len(colours)
    image = photo.copy()
    for i, colour in enumerate(colours):
        left, right = x - size / 2 + i * width, x - size / 2 + (i + 1) * width
        quad = seen.plane.to_px(
            np.array([(left, y - size / 2), (right, y - size / 2), (right, y + size / 2), (left, y + size / 2)])
        )
        cv2.fillPoly(image, [np.rint(16 * quad).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def _asked(image: Image) -> list[tuple[float, float]]:
    seen = OBSERVER.observe(image)
    assert len(seen.components) == 2
    assert {doubt.why for doubt in seen.unsure} <= {DAZZLED}
    return [doubt.centre for doubt in seen.unsure if doubt.centre is not None]


@pytest.mark.thorough
def test_a_tile_that_is_nothing_but_bright_is_asked_about_once(photo: Image) -> None:
    (centre,) = _asked(_with(photo, [(252, 254, 255)]))
    assert np.hypot(*np.subtract(centre, PLACES[2])) < 3
    (doubt,) = OBSERVER.observe(_with(photo, [(252, 254, 255)])).unsure
    assert all(share < 0.1 for _, share in doubt.candidates), "nothing speaks for any face"


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("colours", "size"),
    [
        ([(255, 228, 140)], SIDE),  # a board's field: blue and burnt, but a colour
        ([(244, 243, 241)], SIDE),  # white paper, not burnt
        ([(252, 254, 255)], 1.5 * SIDE),  # no component is so large
        ([(252, 254, 255), (90, 80, 70)], SIDE),  # half of it is plain to see
    ],
)
def test_what_is_of_another_size_or_plainly_something_else_is_not(
    photo: Image, colours: list[Colour], size: float
) -> None:
    assert not _asked(_with(photo, colours, size))


def test_on_a_photo_that_shows_enough_nothing_is_asked(photo: Image) -> None:
    assert not _asked(photo)


@pytest.mark.parametrize("seed", [8, 9])
def test_small_print_that_a_bright_lamp_burns_out_is_no_hole(seed: int) -> None:
    """The huts' red was burnt out, left out, and the rest fitted aside: what was told before was asked about."""
    drawn = {name: FaceImage(face, (SIDE, SIDE)) for name, face in FACES.items()}
    laid = tuple(Placed(name, place) for name, place in zip(("huts-3", "huts-2"), PLACES[:2], strict=True))
    seen = OBSERVER.observe(SimulatedTable(drawn, seed, look=ROOM).render(Scene(laid)))
    assert sorted(component.component for component in seen.components) == ["isles/huts-2", "isles/huts-3"]
    assert not seen.unsure
