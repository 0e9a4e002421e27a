"""A photo without markers: sizes of components tell how far away and how tilted the table is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_cards import NAMES, PX, drawn
from vision.deck import Deck, Face
from vision.observe import Observer
from vision.simulated import Image, Look, Placed, Scene, SimulatedTable

CARDS = (
    *(Placed(name, (200.0 + 130 * i, 200.0 + 20 * (i % 2)), 8.0 * i) for i, name in enumerate(NAMES)),
    *(Placed(f"chip-{i}", (260.0 + 120 * i, 380.0), -20.0 * i) for i in range(3)),
)


@pytest.fixture(scope="module")
def observer() -> Observer:
    faces = tuple(Face(name, face.kind, face.size_mm, face.image, float(PX)) for name, face in drawn().items())
    return Observer(Deck("parlour", faces), without_markers=True)


def photo(look: Look, cards: tuple[Placed, ...] = CARDS) -> tuple[Image, SimulatedTable]:
    """A photo on which the markers are painted over."""
    table = SimulatedTable(drawn(), 4, look=look)
    scene = Scene(cards)
    image = table.render(scene)
    for marker in table.truth(scene)["markers"]:
        x, y = table.view.project(np.array([marker["centre_mm"]]))[0]
        cv2.circle(image, (round(float(x)), round(float(y))), 60, (90, 110, 130), -1)
    return image, table


@pytest.mark.parametrize("look", [Look(), Look(tilt_deg=(14.0, -9.0)), Look(field_deg=50.0), Look(roll_deg=182.0)])
def test_components_are_read_in_pixels(observer: Observer, look: Look) -> None:
    image, table = photo(look)
    observation = observer.observe(image)
    assert observation.ok
    assert not observation.markers
    assert any("no places in millimetres" in warning for warning in observation.warnings)
    middles = {p.component: table.view.project(np.array([p.centre_mm]))[0] for p in CARDS}
    for component in observation.components:
        assert component.centre is None
        name = component.component.removeprefix("parlour/")
        assert np.hypot(*(np.mean(component.corners, axis=0) - middles[name])) < 20, name
    assert len(observation.components) >= len(CARDS) - 1


def test_too_little_is_seen_to_tell(observer: Observer) -> None:
    image, _ = photo(Look(), ())
    observation = observer.observe(image)
    assert not observation.ok or not observation.components
    assert observation.warnings[-1].endswith("take the photo from nearer")


def test_a_camera_over_a_table_needs_its_markers(observer: Observer) -> None:
    """An arm over the markers is no reason to take the table for empty."""
    image, _ = photo(Look())
    observation = Observer(observer.deck).observe(image)
    assert not observation.ok
    assert not observation.components
