"""Channels of pictures."""

from __future__ import annotations

import cv2
import numpy as np

from vision.channels import channels


def test_channels_are_those_that_opencv_splits_off() -> None:
    picture = np.random.default_rng(1).random((7, 5, 4), np.float32)
    apart = channels(picture)
    assert len(apart) == 4
    assert all(np.array_equal(one, other) for one, other in zip(apart, cv2.split(picture), strict=True))
