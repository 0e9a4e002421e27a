"""Quantiles of many numbers: numpy puts all of them half in order, here only those are that lie near the one sought."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SAMPLE: Final = 64  #: one of so many numbers tells about where a quantile is,
AWAY: Final = 40  #: … which is hardly ever so many places of these off


def median(values: Floats) -> float:
    """The median of one number or more, as numpy has it.

    >>> median(np.array([4, 1, 3, 2], np.float32))
    2.5
    """
    return float(placed(values, (values.size - 1) // 2, values.size // 2).mean())


def placed(values: Floats, first: int, last: int) -> Floats:
    """The smallest values but `first`, up to that with `last` below it, in order.

    >>> placed(np.array([4, 1, 3, 2], np.float32), 1, 2).tolist()
    [2.0, 3.0]
    """
    values = values.ravel()
    few = np.sort(values[::SAMPLE])
    ends = (first / SAMPLE - AWAY, last / SAMPLE + AWAY)
    low, high = (few[min(max(round(end), 0), len(few) - 1)] for end in ends)
    near = values[(values >= low) & (values <= high)]
    below = int(np.count_nonzero(values < low))
    if first < below or last >= below + len(near):
        near, below = values, 0
    return np.asarray(np.sort(near)[first - below : last - below + 1], np.float32)
