"""The channels of a picture, one by one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def channels(picture: Floats) -> list[Floats]:
    """Each channel of a picture (h × w × n) for itself, as cv2.split has them: that copies each of them once more."""
    return [np.asarray(cv2.extractChannel(picture, number), np.float32) for number in range(picture.shape[2])]
