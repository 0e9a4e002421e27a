"""What networks and pips say of a die, put together by hand."""

import numpy as np

from vision.dice import Face
from vision.values import Value


def said(agreed: float = 1.0, **named: float) -> Value:
    """What the network says: v3=0.9 for a share of 0.9 for a three."""
    return Value(np.array([named.get(f"v{value}", 0.0) for value in range(7)], np.float32), (50.0, 50.0), 40.0, agreed)


def face(values: tuple[int, ...], count: int, why: str = "", hint: bool = False) -> Face:
    return Face(values, (50.0, 50.0), 20.0, count, 0.95, (40.0, 40.0, 190.0), why, hint)
