"""Components on a sheet are counted whatever number is expected, and a marker is none of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.sheets import Outline, counted, outlines
from tests.vision.painting import FlatPlane
from vision.photo import Pose


@pytest.mark.parametrize(
    ("clear", "count"),
    [
        ([0.91, 0.91, 0.90, 0.76, 0.48, 0.42, 0.40], 4),  # a card that is harder to see than the others
        ([0.91, 0.90, 0.56, 0.55, 0.33, 0.32], 4),  # two lie in the shade
        ([0.45, 0.34, 0.30], 1),  # one board, and what else is straight on its sheet
        ([0.84, 0.84, 0.60, 0.50, 0.48], 2),
        ([0.9, 0.9, 0.88], 3),
        ([0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6], 6),  # no gap at all
        ([0.5], 1),
        ([], 0),
    ],
)
def test_components_end_where_outlines_become_much_weaker(clear: list[float], count: int):
    pose = Pose((59.0, 91.0), 0.0, 0.0, 0.0)
    assert len(counted([Outline(pose, each) for each in clear])) == count


class Upright(FlatPlane):
    """A camera straight above, which has no horizon."""

    def before(self, mm: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.ones(len(mm), np.bool_)


def test_no_outline_holds_a_marker():
    image = np.full((300, 400, 3), 60, np.uint8)
    image[50:250, 50:350] = 200  # 200 × 133 mm, its middle at 133, 100
    size, plane = (200.0, 133.3), Upright(1.5)
    (board,) = outlines(image, plane, size)  # type: ignore[arg-type]
    assert (board.pose.x, board.pose.y) == pytest.approx((133.3, 100.0), abs=1.5)
    marker = np.array([(45.0, 45.0), (65.0, 45.0), (65.0, 65.0), (45.0, 65.0)])
    assert not outlines(image, plane, size, [marker])  # type: ignore[arg-type]
    assert outlines(image, plane, size, [marker - 40])  # type: ignore[arg-type]
