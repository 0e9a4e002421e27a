"""Where a component ends: seen on a picture or not, and where the table shows through it."""

from __future__ import annotations

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
