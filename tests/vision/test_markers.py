"""Markers are found where a person reads them with ease: on soft and on bright photos."""

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from tests.bench.tables import photo
from vision.plane import Marker, MarkerFinder


def found(number: int, seed: int) -> tuple[tuple[Marker, ...], dict[int, np.ndarray]]:
    """The markers found on a table drawn by lot, and where they are."""
    image, truth = photo(House.of("rapa-nui"), number, seed)
    there = {marker["id"]: np.array(marker["corners_px"]) for marker in truth["markers"]}
    return MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)), there


@pytest.mark.parametrize(("number", "seed", "least"), [(425, 3, 4), (425, 0, 4), (425, 11, 3)])
def test_markers_are_found_on_soft_and_on_bright_photos(number: int, seed: int, least: int) -> None:
    markers, there = found(number, seed)
    assert len(markers) >= least
    for marker in markers:
        assert np.abs(np.array(marker.corners) - there[marker.id]).max() < 2.5


def test_no_markers_are_found_where_there_are_none() -> None:
    image, truth = photo(House.of("maori"), 425, 7)
    for marker in truth["markers"]:
        x, y = np.array(marker["corners_px"]).mean(axis=0).astype(int).tolist()
        cv2.circle(image, (x, y), 60, (120, 130, 140), -1)
    assert MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)) == ()
