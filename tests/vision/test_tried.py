"""Places that were tried are not tried again, unless more or less of them is free by now."""

import pytest

from vision.photo import Pose
from vision.tried import Tried, fresh, one_place

CARD, TILE = (59.0, 91.0), (40.0, 40.0)
HERE = Pose(CARD, 100.0, 100.0, 359.0)


def test_a_place_is_tried_once_while_as_much_of_it_is_free() -> None:
    tried = Tried()
    assert [tried.again(HERE, free) for free in (1.0, 1.0, 0.5, 0.51)] == [False, True, False, True]
    assert list(tried) == [HERE, HERE]


@pytest.mark.parametrize(
    ("size", "right", "turn", "same"),
    [
        pytest.param(CARD, 1.5, 2.0, True, id="a little aside"),
        pytest.param(CARD, 0.0, 181.0, True, id="the other way round"),
        pytest.param(CARD, 0.0, 89.0, False, id="a card across"),
        pytest.param(TILE, 0.0, 89.0, True, id="a tile across"),
        pytest.param(CARD, 2.5, 359.0, False, id="beside it"),
    ],
)
def test_what_lies_upon_another_is_at_one_place(
    size: tuple[float, float], right: float, turn: float, same: bool
) -> None:
    one, other = Pose(size, 100.0, 100.0, 359.0), Pose(size, 100.0 + right, 100.0, turn)
    assert one_place(one, other) is same
    tried = Tried()
    tried.again(one, 1.0)
    assert tried.again(other, 1.0) is same


def test_of_poses_at_one_place_the_first_is_kept() -> None:
    beside = HERE.moved(10.0, 0.0)
    assert fresh([HERE, HERE.moved(3.0, 0.0, 188.0), beside, beside]) == [HERE, beside]
