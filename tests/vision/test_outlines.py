"""Where components may lie, by patches that are unlike the table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.outlines import Outlines
from vision.photo import Pose
from vision.topview import TopView

SIZES = ((60.0, 90.0), (90.0, 60.0), (40.0, 40.0))


def _table(lying: Sequence[Pose], shades: Sequence[Pose] = ()) -> tuple[TopView, Outlines]:
    """A map (255) of what is unlike the table, and what is seen of it; shades are unlike it, and lie beneath."""
    unlike = np.zeros((400, 600), np.uint8)
    for pose in (*lying, *shades):
        cv2.fillConvexPoly(unlike, pose.corners().round().astype(np.int32), 255)
    seen = np.full_like(unlike, 140)
    for value, poses in ((120, shades), (230, lying)):
        for pose in poses:
            cv2.fillConvexPoly(seen, pose.corners().round().astype(np.int32), value)
    view = TopView(seen, (0.0, 0.0), 1.0)
    return TopView(unlike, (0.0, 0.0), 1.0), Outlines(view.resized(0.6))


def _laid(lying: Sequence[Pose], shades: Sequence[Pose] = ()) -> list[list[list[Pose]]]:
    """The likeliest place of each."""
    table, outlines = _table(lying, shades)
    laid = outlines.laid(table.picture, table, SIZES)
    return [[[places[0] for places in way] for way in ways] for ways in laid]


def _is_among(pose: Pose, found: Sequence[Pose], far: float) -> bool:
    return any(
        pose.size == other.size
        and np.hypot(pose.x - other.x, pose.y - other.y) < far
        and abs((pose.turn - other.turn + 90) % 180 - 90) < 2
        for other in found
    )


def test_what_lies_at_an_end_of_a_patch_whose_other_edges_are_clearer_is_sought_there_as_well() -> None:
    """Its shadow and the frame that is printed on it look as large as a card, 6 mm beside it."""
    card = Pose((90.0, 60.0), 200.0, 150.0, 0.0)
    table, outlines = _table([card.moved(0.0, -6.0)], [card])
    ((way,),) = outlines.laid(table.picture, table, [card.size])
    (places,) = way
    assert not _is_among(card, places[:1], 3.0)
    assert _is_among(card, places[1:], 1.0)


@pytest.mark.parametrize("turn", [0.0, 20.0, 90.0, 130.0])
def test_what_lies_alone_may_be_each_of_the_sizes_that_it_has(turn: float) -> None:
    card = Pose((60.0, 90.0), 200.0, 150.0, turn)
    (ways,) = _laid([card])
    assert len(ways) == 2
    assert any(_is_among(card, way, 1.5) for way in ways)
    assert any(_is_among(Pose((90.0, 60.0), 200.0, 150.0, turn + 90), way, 1.5) for way in ways)


def test_what_lies_side_by_side_in_rows_is_told_apart() -> None:
    rows = [Pose((60.0, 90.0), 120.0 + 63 * i, 100.0 + 94 * j, 0.0) for i in range(3) for j in range(2)]
    gaps = [Pose((4.0, 190.0), 151.0 + 63 * i, 147.0, 0.0) for i in range(2)] + [Pose((190.0, 5.0), 183.0, 147.0, 0.0)]
    (ways,) = _laid(rows, gaps)
    (way,) = [way for way in ways if way[0].size == (60.0, 90.0) and way[0].turn % 180 == 0]
    assert len(way) == 6
    assert all(_is_among(card, way, 2.0) for card in rows)


def test_a_shadow_beside_it_does_not_move_what_lies_there() -> None:
    card = Pose((60.0, 90.0), 200.0, 150.0, 0.0)
    (ways,) = _laid([card], [card.moved(0.0, 5.5)])
    assert any(_is_among(card, way, 1.0) for way in ways)


@pytest.mark.parametrize(
    "lying",
    [
        [Pose((60.0, 90.0), 200.0, 150.0, 0.0), Pose((60.0, 90.0), 259.0, 200.0, 0.0)],  # a step
        [Pose((60.0, 75.0), 200.0, 150.0, 0.0)],
        [Pose((30.0, 30.0), 200.0, 150.0, 0.0)],
        [Pose((60.0, 130.0), 200.0, 150.0, 0.0)],
    ],
)
def test_what_is_no_rectangle_or_of_another_size_is_none_of_them(lying: list[Pose]) -> None:
    assert not _laid(lying)


def test_where_much_else_lies_nothing_is_told_by_patches() -> None:
    card, arm = Pose((60.0, 90.0), 100.0, 150.0, 0.0), Pose((25.0, 200.0), 300.0, 150.0, 30.0)
    assert _laid([card, Pose((8.0, 100.0), 300.0, 150.0, 30.0)])
    assert not _laid([card, arm])
