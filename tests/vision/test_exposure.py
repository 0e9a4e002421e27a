"""Light that is too strong: what it leaves of a face is told, and what it takes is not guessed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import exposure
from vision.deck import Deck, Face
from vision.exposure import Light
from vision.gallery import Gallery
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX = 6
SIDE = 38.0


def _tile(huts: int, sand: tuple[int, int, int] = (110, 190, 215)) -> Image:
    """An island in a blue sea with so many huts on it."""
    size = int(SIDE * PX)
    image = np.full((size, size, 3), (170, 130, 80), np.uint8)
    cv2.circle(image, (size // 2, size // 2), 13 * PX, sand, -1, cv2.LINE_AA)
    cv2.rectangle(image, (size // 2 - 5 * PX, size // 2), (size // 2 + 5 * PX, size - 1), sand, -1)
    for i in range(huts):
        x, y = size // 2 + (-6, 6, 0)[i] * PX, size // 2 + (-4, -4, 5)[i] * PX
        cv2.rectangle(image, (x - 2 * PX, y - 2 * PX), (x + 2 * PX, y + 2 * PX), (50, 70, 110), -1)
    return image


def _numbered(number: int) -> Image:
    """A tile with a number in thin black lines on a white disc; all else is as on the others."""
    tile, reach = _tile(3), 4 * PX
    place = tile.shape[1] // 2, tile.shape[0] // 4
    cv2.circle(tile, place, reach, (240, 240, 240), -1, cv2.LINE_AA)
    corner = place[0] - reach // 2, place[1] + reach // 2
    cv2.putText(tile, str(number), corner, cv2.FONT_HERSHEY_DUPLEX, reach / 22, (20, 20, 20), PX // 2, cv2.LINE_AA)
    return tile


TILES = {f"huts-{n}": _tile(n) for n in range(4)}
COLOURS = {"gold": _tile(1, (70, 170, 205)), "green": _tile(1, (70, 170, 110)), "red": _tile(1, (70, 80, 205))}


def _read(faces: dict[str, Image], look: Look, apart: float = 45) -> tuple[int, int, int]:
    """Tiles read, in doubt and called something else in a light, when they lie this far (mm) apart."""
    names = list(faces)
    cards = tuple(Placed(names[i % len(names)], (250.0 + apart * (i % 4), 200.0 + apart * (i // 4))) for i in range(8))
    taught = tuple(Face(name, "tile", (SIDE, SIDE), image, float(PX)) for name, image in faces.items())
    drawn = {name: FaceImage(image, (SIDE, SIDE)) for name, image in faces.items()}
    table = SimulatedTable(drawn, 3, look=look)
    observation = Observer(Deck("isles", taught)).observe(table.render(Scene(cards)))
    right = wrong = 0
    for seen in observation.components:
        assert seen.centre is not None
        there = min(cards, key=lambda c: float(np.hypot(*np.subtract(seen.centre or (0, 0), c.centre_mm))))
        if seen.component == f"isles/{there.component}":
            right += 1
        else:
            wrong += 1
    return right, len(observation.unsure), wrong


def test_a_light_is_found_by_the_face_that_is_seen_in_it() -> None:
    light = Light((2.1, 3.2, 5.1), (0.02, 0.03, 0.01))
    small = np.stack([cv2.resize(t, (28, 28), interpolation=cv2.INTER_AREA) for t in TILES.values()]).astype(np.uint8)
    seen = light.shown(small[2])
    lights, unlike = exposure.fitted(seen, np.ones((28, 28), np.float32), exposure.Prints(small), range(4))
    assert int(unlike.argmin()) == 2
    assert unlike[2] < 0.02
    assert np.allclose(lights[2].gain[:2], light.gain[:2], rtol=0.1)  # nearly all of the red is burnt out
    assert lights[2].burnt == pytest.approx(float((seen[::2, ::2] >= exposure.BURNT).mean()))


def test_each_of_many_faces_is_told_the_light_it_would_be_told_alone() -> None:
    random = np.random.default_rng(5)
    faces = random.integers(20, 200, (exposure.TOGETHER + 3, 20, 20, 3)).astype(np.uint8)
    seen, prints = Light((1.5, 1.6, 1.7), (0.02, 0.0, 0.0)).shown(faces[-1]), exposure.Prints(faces)
    weight = random.integers(0, 2, (20, 20)).astype(np.float32)
    lights, unlike = exposure.fitted(seen, weight, prints, range(len(faces)))
    assert int(unlike.argmin()) == len(faces) - 1
    for number in (0, len(faces) - 1):
        (alone,), (off,) = exposure.fitted(seen, weight, prints, [number])
        assert np.allclose(alone.gain, lights[number].gain, atol=1e-4)
        assert off == pytest.approx(unlike[number], abs=1e-4)


def test_where_nothing_is_seen_the_light_is_that_of_the_taught_faces() -> None:
    faces = np.stack([cv2.resize(t, (28, 28)) for t in TILES.values()]).astype(np.uint8)
    lights, _ = exposure.fitted(faces[0], np.zeros((28, 28), np.float32), exposure.Prints(faces), range(4))
    assert all(light.gain == (1, 1, 1) and light.gloss == (0, 0, 0) for light in lights)


def test_white_paper_is_not_what_is_burnt_out_of_a_face() -> None:
    face = np.full((1, 20, 20, 3), (240, 244, 246), np.uint8)
    face[0, 4:12, 4:12] = (40, 50, 190)
    prints, all_seen = exposure.Prints(face), np.ones((20, 20), np.float32)
    (light,), _ = exposure.fitted(Light((1.8, 1.8, 1.8), (0, 0, 0)).shown(face[0]), all_seen, prints, [0])
    assert light.burnt == 0
    (light,), _ = exposure.fitted(Light((1.8, 1.8, 2.5), (0, 0, 0)).shown(face[0]), all_seen, prints, [0])
    assert light.burnt == pytest.approx(1 / 3), "the red of the print"


@pytest.mark.quick(2)
@pytest.mark.parametrize(("light", "least"), [(1.0, 8), (1.4, 8), (1.8, 8), (2.1, 7)])
def test_burnt_tiles_are_read_by_what_is_left(light: float, least: int) -> None:
    right, _, wrong = _read(TILES, Look(noise=1.5, exposure=light))
    assert wrong == 0
    assert right >= least


@pytest.mark.quick(1)
@pytest.mark.parametrize(("gloss", "least"), [(1.3, 7), (1.5, 7)])
def test_tiles_on_which_a_lamp_is_mirrored_are_read_by_what_is_left(gloss: float, least: int) -> None:
    """The lamp's own light lies on the print: it hardly changes what is bright, and takes contrast from the dark."""
    right, _, wrong = _read(TILES, Look(noise=1.5, exposure=1.2, gloss=gloss, lamp_mm=(190.0, 164.0, 700.0)), 65)
    assert wrong == 0
    assert right >= least


@pytest.mark.quick(2)
@pytest.mark.parametrize("light", [1.4, 1.8, 2.1, 3.0])
def test_a_colour_that_burns_out_is_not_guessed(light: float) -> None:
    """Gold, green and red sand in too much light are all pale: which it is depends on a light nobody knows."""
    assert _read(COLOURS, Look(noise=1.5, exposure=light))[2] == 0


@pytest.mark.parametrize(
    ("gloss", "possible"),
    [
        pytest.param((0.3, 0.5, 0.7), True, id="a lamp mirrored"),
        pytest.param((-0.04, -0.06, -0.1), True, id="a steep camera"),
        pytest.param((0.12, -0.1, 0.16), False, id="purple lines held for green ones"),
    ],
)
def test_no_light_takes_one_colour_away_and_adds_others(gloss: tuple[float, float, float], possible: bool) -> None:
    assert Light((2.0, 2.0, 2.0), gloss).possible is possible


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("look", "least"),
    [
        (Look(surface="cloth", noise=2.0, blur_px=1.1), 3),
        (Look(surface="linen", exposure=1.4, warmth=0.12, lamp=0.4, gloss=0.2, noise=2.5, blur_px=1.0), 0),
        (Look(surface="linen", exposure=1.7, lamp=0.4, blur_px=0.8), 5),
    ],
    ids=["usual light", "warm light", "strong light"],
)
def test_thin_numbers_that_light_makes_paler_are_not_taken_for_those_with_less_ink(look: Look, least: int) -> None:
    right, _, wrong = _read({f"number-{n}": _numbered(n) for n in range(1, 6)}, look)
    assert wrong == 0
    assert right >= least


def test_a_face_is_made_smaller_as_a_camera_sees_it_from_farther_away() -> None:
    """Of black and white lines too fine to be seen a photo shows more than half of the white's bytes."""
    lines = np.zeros((360, 360, 3), np.uint8)
    lines[:, ::2] = 255
    face = Face("lines", "tile", (60.0, 60.0), lines, 6.0)
    (picture,) = Gallery(Deck("lines", (face,)), (face,)).pictures
    assert np.abs(picture[4:-4, 4:-4].astype(int) - round(255 * 0.5 ** (1 / exposure.POWER))).max() <= 2
