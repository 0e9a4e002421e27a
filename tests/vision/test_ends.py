"""Where a component ends: seen on a picture or not, where the table shows through it, and where nothing tells."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision import ends
from vision.covering import Covering
from vision.photo import Pose
from vision.topview import TopView

CARD = Pose((40.0, 60.0), 100.0, 100.0, 0.0)


def _view(striped_from: int, striped_to: int) -> TopView:
    """A grey table with a striped band across x 80 to 120, between these rows."""
    rng = np.random.default_rng(2)
    picture = np.full((200, 200, 3), (120, 140, 150), np.float64)
    y, x = np.mgrid[striped_from:striped_to, 80:120]
    picture[striped_from:striped_to, 80:120] = np.where(((x + y) // 4 % 2)[..., None], (60, 60, 90), (90, 90, 130))
    return TopView(np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8), (0.0, 0.0), 1.0)


@pytest.mark.parametrize(("high", "low", "missing"), [(70, 130, False), (40, 130, True), (70, 180, True)])
def test_a_side_along_which_nothing_changes_is_missing(high: int, low: int, missing: bool) -> None:
    view = _view(high, low)
    assert ends.missing(view, Covering(view), CARD) == missing


def test_a_side_under_something_else_is_not() -> None:
    view = _view(70, 180)
    covering = Covering(view)
    covering.take(Pose((60.0, 40.0), 100.0, 135.0, 0.0))
    assert not ends.missing(view, covering, CARD)


def test_which_points_are_free_is_told_on_the_map_only() -> None:
    covering = Covering(_view(70, 130))
    covering.take(Pose((20.0, 20.0), 50.0, 50.0, 0.0))
    assert covering.free_at(np.array([(50.0, 50.0), (75.0, 50.0), (-5.0, 50.0), (50.0, 500.0)])).tolist() == [
        False,
        True,
        False,
        False,
    ]


def _back() -> np.ndarray[Any, np.dtype[np.float32]]:
    """A face of slanting stripes, 8 pixels apart, with a ring in its middle."""
    y, x = np.mgrid[:96, :64]
    grey = np.where((x + y) // 4 % 2, 1.0, -1.0).astype(np.float32)
    cv2.circle(grey, (32, 48), 14, -1.0, -1)
    cv2.circle(grey, (32, 48), 14, 1.0, 3)
    return np.repeat(grey[..., None], 3, axis=2)


@pytest.mark.parametrize(("columns", "only"), [(slice(0, 64), True), (slice(0, 28), True), (slice(0, 12), False)])
def test_what_repeats_itself_lies_only_here_where_its_emblem_is_seen(columns: slice, only: bool) -> None:
    face, rng = _back(), np.random.default_rng(4)
    weight = np.zeros_like(face)
    weight[:, columns] = 1.0
    values = np.asarray(face + rng.normal(0, 0.5, face.shape), np.float32)
    view: Any = SimpleNamespace(seen=SimpleNamespace(values=values), weight=weight)
    assert (ends.only_here(view, face, 1.5) > 0.15) == only


def test_what_is_seen_a_stripe_farther_on_lies_rather_there() -> None:
    face = _back()
    values, weight = np.roll(face, 8, axis=0), np.ones_like(face)
    view: Any = SimpleNamespace(seen=SimpleNamespace(values=values), weight=weight)
    assert ends.only_here(view, face, 1.5) < 0
