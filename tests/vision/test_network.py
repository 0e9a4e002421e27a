"""What networks say does not depend on what runs them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import things, values
from vision.network import Network


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        (things.PLACES, (1, 3, 96, 128)),
        (things.CLOSE, (4, 3, 64, 64)),
        (values.NETWORK, (4, 3, 64, 64)),
        (values.TONES, (4, 6, 64, 64)),
        (values.SHADES, (4, 6, 64, 64)),
    ],
    ids=lambda v: v.stem if isinstance(v, Path) else "",
)
def test_networks_say_the_same_as_when_opencv_runs_them(path: Path, shape: tuple[int, ...]) -> None:
    pictures = np.random.default_rng(5).uniform(-0.5, 0.5, shape).astype(np.float32)
    reference = cv2.dnn.readNetFromONNX(str(path))
    reference.setInput(pictures)
    assert np.allclose(Network(path).answers(pictures), reference.forward(), atol=1e-3)
