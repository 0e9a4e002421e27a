"""Quantiles of many numbers are those that numpy tells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import quantiles


@given(st.integers(1, 5000), st.integers(0, 2**32 - 1), st.floats(0, 1), st.booleans())
def test_the_number_at_a_place_is_found(count: int, seed: int, share: float, alike: bool) -> None:
    rng = np.random.default_rng(seed)
    values = (rng.integers(0, 5, count) if alike else rng.gamma(2, 1, count)).astype(np.float32)
    place = round(share * (count - 1))
    assert quantiles.placed(values, place, place).tolist() == [np.sort(values)[place]]
    assert quantiles.median(values) == np.median(values)


@pytest.mark.parametrize("count", [4000, 4001])
def test_what_was_in_order_before_misleads_nobody(count: int) -> None:
    rising = np.arange(count, dtype=np.float32)
    waves = np.tile(np.arange(quantiles.SAMPLE, dtype=np.float32), count // quantiles.SAMPLE + 1)[:count]
    for values in (rising, rising[::-1], waves):
        assert quantiles.median(values) == np.median(values)
        assert quantiles.placed(values, 7, 9).tolist() == np.sort(values)[7:10].tolist()
