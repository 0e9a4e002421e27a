"""Cards of thin outlines, near twins by colour or by what fills them, each cut out a little askew for teaching."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX = 6  #: pixels per millimetre of the drawings
CARD = (58.0, 88.0)
INKS = {"green": (90, 130, 20), "purple": (120, 35, 95), "red": (50, 45, 215)}  # B, G, R
FILLS = ("empty", "striped", "solid")
COUNTS = (1, 2)
PAPER = (232, 238, 240)
ASKEW = 6.0  #: pixels (standard deviation) by which a corner is cut out aside


def card(ink: str, fill: str, count: int) -> Image:
    width, height = (int(side * PX) for side in CARD)
    image = np.full((height, width, 3), PAPER, np.uint8)
    for number in range(count):
        middle = width // 2, round(height * (0.5 + 0.25 * (number - (count - 1) / 2)))
        inside = np.zeros((height, width), np.uint8)
        cv2.ellipse(inside, middle, (20 * PX, 8 * PX), 0, 0, 360, 255, -1)
        if fill == "striped":
            inside[:, np.arange(width) % (PX + 1) >= 2] = 0
        if fill != "empty":
            image[inside > 0] = INKS[ink]
        cv2.ellipse(image, middle, (20 * PX, 8 * PX), 0, 0, 360, INKS[ink], 5, cv2.LINE_AA)
    return image


@cache
def cards() -> dict[str, FaceImage]:
    kinds = product(INKS, FILLS, COUNTS)
    return {f"{count}-{ink}-{fill}": FaceImage(card(ink, fill, count), CARD) for ink, fill, count in kinds}


@cache
def cut_askew(seed: int) -> Deck:
    """Each face as somebody cut it out of a photo in some light by clicking at its corners."""
    random = np.random.default_rng(seed)
    faces = []
    for name, shown in cards().items():
        height, width = shown.image.shape[:2]
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        moved = corners + random.normal(0, ASKEW, (4, 2)).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(corners, moved)
        image = cv2.warpPerspective(shown.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        lamp = random.uniform(0.6, 0.95) * random.uniform(0.93, 1.0, 3)
        faces.append(Face(name, "card", CARD, np.asarray(image * lamp, np.uint8), float(PX)))
    return Deck("outlines", tuple(faces))


def wrongly_told(deck: Deck, exposure: float) -> tuple[list[str], int]:
    """What is told of cards on a table that are others, and how many are told rightly."""
    order = np.random.default_rng(1).permutation(list(cards()))[9:]
    there = [
        Placed(str(name), (95.0 + 95 * (i % 8), 140.0 + 125 * (i // 8)), 4.0 * (i % 3) - 4)
        for i, name in enumerate(order)
    ]
    photo = SimulatedTable(cards(), 1, look=Look(exposure=exposure)).render(Scene(tuple(there)))
    wrong, right = [], 0
    for component in Observer(deck, ()).observe(photo).components:
        x, y = component.centre or (0.0, 0.0)
        nearest = min(there, key=lambda placed: math.dist(placed.centre_mm, (x, y)))
        if component.component == f"outlines/{nearest.component}":
            right += 1
        else:
            wrong.append(f"{nearest.component} as {component.component}")
    return wrong, right


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("exposure", "least"),
    [
        pytest.param(0.6, 4, id="the colour of lines, and what fills them"),
        pytest.param(0.85, 2, id="burnt out"),
    ],
)
def test_near_twins_cut_out_askew_are_told_or_asked_about(exposure: float, least: int) -> None:
    wrong, right = wrongly_told(cut_askew(1), exposure)
    assert not wrong
    assert right >= least


@pytest.mark.thorough
def test_print_of_a_colour_that_was_never_taught_is_asked_about() -> None:
    deck = cut_askew(1)
    wrong, _ = wrongly_told(replace(deck, faces=tuple(face for face in deck.faces if "green" not in face.name)), 0.6)
    assert not wrong
