"""Cards of which only the bar with the name shows: told by their letters, also where names are alike, or not at all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.bench.truth import claims
from vision.deck import Deck, Face
from vision.gallery import galleries
from vision.observe import Observer
from vision.patches import _twins
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX = 6  #: pixels per millimetre of the drawings
SIZE = (59.0, 91.0)
NAMES = ("Fischer", "Fiedler", "Falkner", "Farmer", "Former", "Holz")
STRIP = 16.0  #: mm of each card that shows


def _drawn(name: str, seed: int) -> Image:
    """Discs on a ground of the card's own colour; below them the name on a bar that all cards share."""
    rng = np.random.default_rng(seed)
    width, height = (int(side * PX) for side in SIZE)
    image = np.full((height, width, 3), rng.integers(60, 220, 3), np.uint8)
    for _ in range(14):
        place = (int(rng.integers(30, width - 30)), int(rng.integers(30, height - 120)))
        cv2.circle(image, place, int(rng.integers(14, 50)), rng.integers(20, 235, 3).tolist(), -1, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (90, 100, 60), 3 * PX)
    cv2.rectangle(image, (3 * PX, height - 14 * PX), (width - 3 * PX, height - 3 * PX), (190, 235, 220), -1)
    size = cv2.getTextSize(name, cv2.FONT_HERSHEY_COMPLEX, 1.1, 2)[0]
    at = ((width - size[0]) // 2, height - 7 * PX)
    cv2.putText(image, name, at, cv2.FONT_HERSHEY_COMPLEX, 1.1, (40, 40, 40), 2, cv2.LINE_AA)
    return image


@pytest.fixture(scope="module")
def faces() -> dict[str, FaceImage]:
    return {name: FaceImage(_drawn(name, i), SIZE) for i, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def observer(faces: dict[str, FaceImage]) -> Observer:
    taught = tuple(Face(name, "card", SIZE, face.image, float(PX)) for name, face in faces.items())
    return Observer(Deck("parlour", taught))


def _columns(seed: int) -> Scene:
    """Seven columns of five cards by lot; the last of each lies open."""
    rng = np.random.default_rng(seed)
    return Scene(
        tuple(
            Placed(
                str(rng.choice(NAMES)),
                (110 + 110 * column + float(rng.normal(0, 1)), 430 - STRIP * i),
                float(rng.normal(0, 1)),
            )
            for column in range(7)
            for i in range(5)
        )
    )


@pytest.mark.parametrize(("surface", "blur"), [("slate", 0.7), pytest.param("linen", 1.4, marks=pytest.mark.thorough)])
def test_names_that_are_alike_are_told_apart_or_in_doubt(
    observer: Observer, faces: dict[str, FaceImage], surface: str, blur: float
) -> None:
    table = SimulatedTable(faces, 4, look=Look(surface=surface, noise=1.5, blur_px=blur))
    scene = _columns(int(10 * blur))
    made = list(claims(observer.observe(table.render(scene)), table.truth(scene), observer.deck))
    read = [claim for claim in made if claim.sort == "component"]
    assert all(claim.right for claim in read)
    assert len(read) >= (19 if blur < 1 else 5)


def test_twins_of_the_likeliest_are_looked_at_even_where_they_looked_unlikely_from_afar() -> None:
    """Of 40 faces two share their upper half, and only that is seen: each is the twin of the other alone."""
    pictures = {f"card-{i}": _drawn("Holz", 100 + i) for i in range(40)}
    pictures["card-7"][: 45 * PX] = pictures["card-31"][: 45 * PX]
    deck = Deck("many", tuple(Face(name, "card", SIZE, image, float(PX)) for name, image in pictures.items()))
    (gallery,) = galleries(deck, 0.0)
    weight = np.zeros((*gallery.shape, 3), np.float32)
    weight[: gallery.shape[0] // 3] = 1
    afar = SimpleNamespace(weight=np.ones((*gallery.coarse_shape, 3), np.float32))
    examiner: Any = SimpleNamespace(look=lambda *_: afar)
    verdict: Any = SimpleNamespace(gallery=gallery, window=None, view=SimpleNamespace(weight=weight))
    number = gallery.names.index
    assert _twins(examiner, verdict, number("card-7"), [number("card-7")]) == [number("card-31")]
    assert _twins(examiner, verdict, number("card-7"), range(len(gallery.entries))) == []
