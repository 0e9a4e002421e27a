"""Where a component ends: seen on a picture or not, where the table shows through it, and where nothing tells."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision import ends
from vision.covering import Covering
from vision.deck import Deck, Face
from vision.observe import Observer
from vision.photo import Pose
from vision.simulated import FaceImage, Look, Placed, Scene, SimulatedTable
from vision.topview import TopView

GROUNDS = {"emblem": (60, 42, 8), "one": (150, 20, 240), "R": (40, 130, 90)}
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


@pytest.mark.parametrize(("covered", "axes"), [((), []), ((70,), []), ((70, 130), [0])])
def test_it_may_slide_between_two_that_cover_both_of_its_ends(covered: tuple[int, ...], axes: list[int]) -> None:
    view = _view(70, 130)
    covering = Covering(view)
    for y in covered:
        covering.take(Pose((60.0, 24.0), 100.0, float(y), 0.0))
    assert ends.loose(view, covering, CARD) == axes


@pytest.mark.parametrize(("print_at", "stays"), [(40, True), (80, False)])
def test_only_print_that_is_seen_keeps_a_part_from_sliding(print_at: int, stays: bool) -> None:
    """Of a plain card with a bar on it only the middle is seen: with the bar, or beside it."""
    face = np.zeros((96, 64, 3), np.float32)
    face[:, :4], face[:, -4:], face[print_at : print_at + 10, 12:52] = 1.0, 1.0, -1.0
    weight = np.zeros_like(face)
    weight[30:60] = 1.0
    values = np.asarray(face + np.random.default_rng(1).normal(0, 0.1, face.shape), np.float32)
    view: Any = SimpleNamespace(seen=SimpleNamespace(values=values), weight=weight)
    assert (ends.slides(view, face, 1.5, 0) > 0.3) == stays


@pytest.mark.parametrize("seed", [0, 9])
def test_the_plain_middle_of_a_card_beneath_two_others_is_told_where_it_lies_or_asked_about(seed: int) -> None:
    """It was told 9 to 13 mm aside, and for sure: its print, which nothing showed, was thought to be hidden just so."""
    size, rng = (44.0, 68.0), np.random.default_rng(seed)
    faces = {name: np.full((272, 176, 3), ground, np.uint8) for name, ground in GROUNDS.items()}
    cv2.rectangle(faces["emblem"], (100, 180), (150, 230), (60, 50, 240), -1)
    cv2.circle(faces["emblem"], (60, 225), 22, (150, 60, 120), -1, cv2.LINE_AA)
    cv2.putText(faces["one"], "1", (30, 100), cv2.FONT_HERSHEY_DUPLEX, 3, (60, 120, 60), 8, cv2.LINE_AA)
    cv2.circle(faces["one"], (110, 180), 30, (40, 40, 60), 5, cv2.LINE_AA)
    cv2.circle(faces["R"], (60, 80), 40, (200, 160, 40), 9, cv2.LINE_AA)
    cv2.putText(faces["R"], "R", (40, 230), cv2.FONT_HERSHEY_DUPLEX, 3, (20, 20, 120), 8, cv2.LINE_AA)
    for image in faces.values():
        cv2.rectangle(image, (0, 0), (175, 271), (120, 60, 160), 16)
    look = Look(table_mm=(400.0, 240.0), surface=str(rng.choice(["walnut", "oak", "slate"])))
    drawn = {name: FaceImage(image, size) for name, image in faces.items()}
    table = SimulatedTable(drawn, seed, size_px=(1280, 720), look=look)
    over = rng.uniform(14, 30)
    beneath = Placed("emblem", (200.0, 120.0), 270.0)
    left = Placed("one", (144.0 + over, 120.0 + rng.uniform(-15, 15)), rng.normal(0, 3))
    right = Placed("R", (256.0 - rng.uniform(3, 30), 120.0 + rng.uniform(-15, 15)), rng.normal(0, 3))
    photo = table.render(Scene((beneath, left, right, Placed("R", (60.0, 120.0)), Placed("one", (340.0, 60.0)))))
    seen = Observer(Deck("d", tuple(Face(n, "card", size, image, 4.0) for n, image in faces.items()))).observe(photo)
    assert {c.component for c in seen.components} >= {"d/one", "d/R"}
    placed = [c.centre for c in seen.components if c.component == "d/emblem"]
    assert all(centre is not None and np.hypot(centre[0] - 200, centre[1] - 120) < 4 for centre in placed)


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
