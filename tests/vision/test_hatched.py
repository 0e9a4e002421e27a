"""White cards with outlined shapes, empty or hatched: all but the hatching is alike."""

from functools import cache

import cv2
import numpy as np
import pytest

from vision import hatched
from vision.deck import Deck, Face
from vision.observation import Observation
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX = 8  #: pixels per millimetre of the drawings
SIZE = (88.0, 57.0)
FEW = (54, 35)  # pixels across and down of what is compared, about three of them 4 mm
PLACES = {1: (44.0,), 2: (32.0, 56.0), 3: (20.0, 44.0, 68.0)}
PAPER = 232
RED, GREEN = (40, 50, 215), (70, 150, 20)


@cache
def card(number: int, ink: tuple[int, int, int], filling: str) -> Image:
    """Some upright boxes with round ends, which are empty, hatched or full."""
    width, height = (round(side * PX) for side in SIZE)
    inside = np.zeros((height, width), np.uint8)
    for middle in PLACES[number]:
        for y in (20.5, 36.5):
            cv2.circle(inside, (round(middle * PX), round(y * PX)), 7 * PX, 255, -1)
        top, bottom = (round((middle - 7) * PX), round(20.5 * PX)), (round((middle + 7) * PX), round(36.5 * PX))
        cv2.rectangle(inside, top, bottom, 255, -1)
    for y, words in ((7, "Some Few Plain Boxes"), (54, "With A Title And A Text")):  # the same on all
        cv2.putText(inside, words, (6 * PX, y * PX), cv2.FONT_HERSHEY_DUPLEX, 1.3, 255, 3, cv2.LINE_AA)
    rim = inside - cv2.erode(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (21, 21)))
    lines = np.zeros_like(inside)
    if filling == "hatched":
        lines[np.arange(height) % 6 < 2] = 255
    elif filling == "full":
        lines[:] = 255
    share = np.maximum(rim, np.minimum(lines, inside))[..., None] / 255
    return np.asarray(np.rint(PAPER + (np.array(ink) - PAPER) * share), np.uint8)


def drawn(name: str) -> Image:
    """A card that is named by number, ink and filling."""
    number, ink, filling = name.split("-")
    return card(int(number), RED if ink == "red" else GREEN, filling)


def seen(taught: list[str], shown: list[str]) -> Observation:
    deck = Deck("outlines", tuple(Face(name, "card", SIZE, drawn(name), float(PX)) for name in taught))
    faces = {name: FaceImage(drawn(name), SIZE) for name in shown}
    scene = Scene(tuple(Placed(n, (200.0 + 130 * i, 230.0 + 40 * i), 4.0 * i - 4) for i, n in enumerate(shown)))
    table = SimulatedTable(faces, 3, look=Look(exposure=0.7))
    photo = table.render(scene)
    for marker in table.truth(scene)["markers"]:  # they are painted over
        x, y = table.view.project(np.array([marker["centre_mm"]]))[0]
        cv2.circle(photo, (round(float(x)), round(float(y))), 60, (90, 110, 130), -1)
    return Observer(deck, (), without_markers=True).observe(photo)


def names(observation: Observation) -> list[str]:
    return sorted(component.component.removeprefix("outlines/") for component in observation.components)


SHOWN = ["1-red-hatched", "2-green-empty", "3-red-hatched"]
TWINS = ["1-red-empty", "2-green-hatched", "3-red-empty"]


@pytest.mark.thorough
def test_hatched_and_empty_twins_are_both_told() -> None:
    observation = seen([*SHOWN, *TWINS], SHOWN)
    assert names(observation) == SHOWN
    assert not observation.unsure


@pytest.mark.thorough
def test_one_never_taught_is_not_told_as_its_hatched_or_empty_twin() -> None:
    assert names(seen(TWINS, SHOWN)) == []


def few(image: Image, light: tuple[float, float, float] = (1, 1, 1), shade: float = 1.0) -> Image:
    """The card as it is compared, in the light of some lamp, with a shade over a part of it, and a little noisy."""
    lit = cv2.GaussianBlur(image, (0, 0), 4).astype(np.float32) * light
    lit[: lit.shape[0] // 2] *= shade
    small = cv2.resize(lit, FEW, interpolation=cv2.INTER_AREA)
    return np.clip(small + np.random.default_rng(0).normal(0, 1.5, small.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [(1, 1, 1), (0.5, 0.5, 0.5), (0.6, 0.8, 1.0)])
@pytest.mark.parametrize("ink", [RED, GREEN])
def test_hatching_is_told_in_any_light(ink: tuple[int, int, int], light: tuple[float, float, float]) -> None:
    empty, lines = card(2, ink, "empty"), card(2, ink, "hatched")
    assert hatched.other(few(lines, light), few(empty)).any()
    assert hatched.other(few(empty, light), few(lines)).any()
    for face in (empty, lines):
        assert not hatched.other(few(face, light, 0.7), few(face)).any()


def test_nothing_is_said_of_what_is_hidden_or_of_black_ink() -> None:
    empty, lines = (few(card(2, RED, filling)) for filling in ("empty", "hatched"))
    free = np.ones(empty.shape[:2], np.bool_)
    free[:, 12:44] = False
    assert not hatched.other(lines, empty, free).any()
    assert not hatched.other(few(card(2, (20, 20, 20), "hatched")), few(card(2, (20, 20, 20), "empty"))).any()
    assert not hatched.other(lines, np.full_like(empty, 240)).any()
