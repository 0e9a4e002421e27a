"""The table seen straight from above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import topview
from vision.photo import Pose
from vision.plane import Lens, Plane
from vision.topview import TopView

SIZE = (1080, 1440)
DOTS = np.array([(0.0, 150.0), (0.0, 0.0), (-150.0, 100.0)])


def leant(degrees: float) -> Plane:
    """A phone 600 mm above the table that leans back so far from looking straight down; the sky is below."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = np.array([[1150.0, 0, SIZE[0] / 2], [0, 1150.0, SIZE[1] / 2], [0, 0, 1]])
    rotation = np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
    return Plane(Lens(matrix, np.zeros(5)), rotation, rotation @ (0.0, 0.0, 600.0))


@pytest.mark.parametrize("degrees", [0, 45, 60, 65])
def test_all_of_the_table_is_seen_though_a_horizon_is_in_the_picture(degrees: float) -> None:
    plane = leant(degrees)
    photo = np.full((SIZE[1], SIZE[0], 3), (90, 120, 160), np.uint8)
    ahead = np.array([0.0, 600 * np.tan(np.radians(degrees))])
    for x, y in plane.to_px(DOTS + ahead):
        cv2.circle(photo, (round(x), round(y)), 12, (0, 0, 255), -1)
    view = TopView.of(photo, plane, 1.0)
    red = (view.picture[..., 2] > 200) & (view.picture[..., 1] < 60)
    _, _, stats, middles = cv2.connectedComponentsWithStats(red.astype(np.uint8))
    seen = [m + view.origin for m, s in zip(middles[1:], stats[1:], strict=True) if s[4] > 20]
    assert len(seen) == 3
    assert all(min(np.hypot(*(place - dot)) for place in seen) < 4 for dot in DOTS + ahead)


def test_a_photo_that_shows_the_sky_alone_shows_no_table() -> None:
    photo = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    view = TopView.of(photo, leant(130), 1.0)
    assert min(view.picture.shape) > 0
    assert not view.picture.any()


def test_a_view_is_the_same_when_many_places_are_to_be_cut_out() -> None:
    photo = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    one, many = (TopView.of(photo, leant(30), 0.8, many=each) for each in (False, True))
    assert many.picture.shape[2] == 4
    assert np.array_equal(many.narrowed().picture, one.picture)


def test_what_lies_behind_the_camera_is_told() -> None:
    plane = leant(60)
    assert plane.eye() == pytest.approx((0.0, 0.0, 600.0))
    assert plane.before([(0.0, 0.0), (0.0, 900.0)]).all()
    assert not plane.before([(0.0, -400.0)]).any()
    assert not plane.before(plane.to_mm([(540, 1439)])).any()  # the sky


def test_what_is_cut_out_of_a_padded_view_is_the_same() -> None:
    view = drawn(90, 120, 1.5)
    pose = Pose((30.0, 20.0), 5.0, -8.0, 33.0)
    wide = TopView(topview.padded(view.picture), view.origin, view.scale)
    assert np.array_equal(wide.cut(pose, (24, 36), 3), view.cut(pose, (24, 36), 3))
    assert np.array_equal(wide.narrowed().picture, view.picture)
    brightest = int(view.picture.max())
    for seen in (view, wide):
        assert seen.reaches(brightest)
        assert not seen.reaches(brightest + 1)


@pytest.mark.parametrize("rows", [96, 97, 98, 99])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_cells_are_enlarged_to_where_the_view_has_them(rows: int, scale: float) -> None:
    whole = drawn(rows, 122, 1.0)
    cells, view = whole.resized(0.25), whole if scale == 1 else whole.resized(scale)
    values = np.random.default_rng(3).random(cells.picture.shape[:2]).astype(np.float32)
    enlarged = cells.spread(values, view)
    moved = TopView(view.picture, (view.origin[0] + 1e-3, view.origin[1]), view.scale)  # too far off to be the same
    assert enlarged.shape == view.picture.shape[:2]
    assert np.abs(enlarged - cells.spread(values, moved)).max() < 2e-3


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0, 135.0, 270.0])
def test_nothing_of_a_cut_out_lies_outside_of_what_is_around_it(turn: float) -> None:
    view = drawn(120, 160, 1.0)
    pose = Pose((40.0, 25.0), 12.3, 7.8, turn, 1.04)
    left, top, right, bottom = view.around(pose, (25, 40), 3)
    view.picture[top:bottom, left:right] = 0
    assert not view.cut(pose, (25, 40), 3).any()
    assert (right - left) * (bottom - top) < 120 * 160 / 2


def drawn(rows: int, columns: int, scale: float) -> TopView:
    """A view of noise, about its middle."""
    picture = np.random.default_rng(rows).integers(1, 200, (rows, columns, 3)).astype(np.uint8)
    return TopView(picture, (-columns / 2 / scale, -rows / 2 / scale), scale)


@pytest.mark.parametrize("turn", [0.0, 37.5, 180.0])
def test_the_places_of_a_map_are_those_of_a_cut_out_or_none_where_nothing_is_set(turn: float) -> None:
    picture = np.zeros((80, 120), np.uint8)
    cv2.circle(picture, (70, 40), 9, 255, -1)
    view = TopView(picture, (-20.0, 10.0), 1.0)
    there, partly, empty, beyond = (Pose((20.0, 12.0), *at, turn) for at in ((50, 50), (60, 57), (0, 70), (-20, 20)))
    for pose in (there, partly):
        for nearest in (False, True):
            found = view.places(pose, (24, 24), nearest, 255)
            assert found is not None
            assert np.array_equal(found, view.cut(pose, (24, 24), nearest=nearest, beyond=255))
    assert view.places(empty, (24, 24)) is None
    outside = view.places(beyond, (24, 24), beyond=255)
    assert outside is not None
    assert outside.any()
