"""Corners of what is not explained: where components may lie of which no more shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import corners
from vision.photo import Pose
from vision.topview import Image, TopView

CARD, TILE = (91.0, 59.0), (38.0, 38.0)
ORIGIN = (-40.0, -30.0)


def table(*laid: Pose, scale: float) -> Image:
    """A map that is 255 where these lie, their corners a little round."""
    mask = np.zeros((round(300 * scale), round(360 * scale)), np.uint8)
    for pose in laid:
        outline = (pose.corners() - ORIGIN) * scale
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))))


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("turn", [0.0, 23.0, 80.0, 204.0])
@pytest.mark.parametrize("size", [CARD, TILE])
def test_one_corner_tells_where_it_lies(size: tuple[float, float], turn: float, scale: float) -> None:
    under = Pose(size, 130.0, 120.0, turn)
    upon = under.moved(0.3 * size[0], -0.3 * size[1], 30.0).resized((1.15 * size[0], size[1]))
    taken = table(upon, scale=scale)
    unlike = np.where(taken > 0, 0, table(under, scale=scale)).astype(np.uint8)
    found = corners.poses(unlike, taken, TopView(unlike, ORIGIN, scale), [size])
    period = 90 if size == TILE else 180
    there = [
        (pose, corner)
        for pose, corner in found
        if np.hypot(pose.x - under.x, pose.y - under.y) < 2.5
        and abs((pose.turn - turn + period / 2) % period - period / 2) < 3
    ]
    assert there
    for pose, corner in there:
        assert np.linalg.norm(pose.corners() - corner, axis=1).min() < 0.1


def test_round_things_and_what_is_explained_have_none() -> None:
    beads = np.zeros((300, 360), np.uint8)
    for i in range(12):
        cv2.circle(beads, (60 + 13 * i, 80 + i % 3), 7, 255, -1)
    card = table(Pose(CARD, 200.0, 150.0, 10.0), scale=1.0)
    view = TopView(beads, ORIGIN, 1.0)
    assert not corners.poses(beads, card, view, [CARD, TILE])
    assert corners.poses(card, beads, view, [CARD])


def test_a_corner_that_reaches_in_is_none() -> None:
    """Of a frame the outer corners tell where something lies; a notch tells nothing."""
    notched = np.zeros((300, 360), np.uint8)
    notched[50:150, 50:200] = 255
    notched[50:100, 140:200] = 0
    found = {tuple(np.rint(corner - ORIGIN).astype(int)) for _, corner in _found(notched)}
    assert not any(abs(x - 140) < 6 and abs(y - 100) < 6 for x, y in found)
    assert len(found) == 5


def _found(unlike: Image) -> list[tuple[Pose, np.ndarray]]:
    return corners.poses(unlike, np.zeros_like(unlike), TopView(unlike, ORIGIN, 1.0), [CARD])
