"""Features are described alike, however much of the picture between them is looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import features
from vision.features import Describer


def _islands() -> np.ndarray:
    """A plain picture with three islands of texture; two of them side by side, one far below."""
    rng = np.random.default_rng(3)
    picture = np.full((600, 500), 120, np.uint8)
    for left, top in ((60, 60), (340, 80), (150, 450)):
        patch = rng.integers(0, 255, (10, 10), np.uint8)
        picture[top : top + 80, left : left + 80] = cv2.resize(patch, (80, 80), interpolation=cv2.INTER_CUBIC)
    return picture


def test_features_in_bands_are_those_of_the_whole_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    describer, picture = Describer(), _islands()
    corners = describer.corners(picture)
    banded = describer.describe(picture, corners, 4)
    assert banded.places[:, 1].min() < 150
    assert banded.places[:, 1].max() > 450
    monkeypatch.setattr(features, "AROUND", 1000)
    whole = describer.describe(picture, corners, 4)
    for one, other in ((banded.places, whole.places), (banded.turns, whole.turns), (banded.words, whole.words)):
        assert np.array_equal(one, other)


def test_corners_are_found_in_parts_as_in_the_whole_picture() -> None:
    describer, picture = Describer(), _islands()
    mask = np.zeros_like(picture)
    mask[50:150, 40:200] = mask[80:140, 345:400] = mask[460:500, 140:240] = 255
    parted, whole = describer.corners(picture, mask), describer.corners(picture).where(mask)
    assert len(parted.places) > 20
    assert (parted.places[:, 0] > 345).any()
    assert sorted(parted.places.tolist()) == sorted(whole.places.tolist())


def test_where_nothing_is_asked_for_there_is_no_corner() -> None:
    picture = _islands()
    corners = Describer().corners(picture, np.zeros_like(picture))
    assert not len(corners.points)
    assert not len(Describer().describe(picture, corners, 4).turns)
