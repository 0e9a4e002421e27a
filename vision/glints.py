"""Where a lamp is mirrored on beads: at much the same place of each, so that it tells where one really lies.

Light that falls through coloured glass colours the shadow, and a circle may be drawn around half of both. The lamp is
then mirrored elsewhere in it than in others, or not at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import circles

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

REACH: Final = np.arange(0.03, 0.93, 0.06, dtype=np.float32)  #: radii; on the rim what lies beside it shows
ANGLES: Final = 28
LEAST: Final = 40.0  #: grey values by which a glint is whiter than what it lies on
FEW: Final = 4  #: so many tell where glints are,
MANY: Final = 8  #: … and so many how that changes across the table,
MOST: Final = 0.65  #: … if so much of them are there
OFF: Final = (
    0.5,
    0.35,
)  #: radii by which a glint may be off where few and where many tell; measured: 0.03, at most 0.3
NEAR: Final = 0.12  #: … and by which most are
ROUNDS: Final = 8


def found(image: Image, centres: Floats, radii: Floats) -> Floats:
    """For n discs of a BGR photo the place of their glint (n × 2, radii from the middle), NaN where none is seen."""
    if not len(centres):
        return np.zeros((0, 2))
    pixels = circles.unrolled(image, centres, radii, REACH, ANGLES)
    white = pixels.min(axis=3).astype(np.float64)  # what is coloured is dark in one of its channels
    usual = np.median(white.reshape(len(white), -1), axis=1)[:, None, None]
    most = white.max(axis=(1, 2))[:, None, None]
    weight = np.maximum(0.0, white - usual - 0.6 * (most - usual)) * REACH
    turn = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    whole = np.maximum(weight.sum(axis=(1, 2)), 1e-9)
    places = [(weight * REACH * f(turn)[:, None]).sum(axis=(1, 2)) / whole for f in (np.cos, np.sin)]
    return np.where((most - usual)[:, 0] > LEAST, np.stack(places, axis=1), np.nan)


def odd(places_mm: Floats, glints: Floats) -> NDArray[np.bool_]:
    """Which of n glints (n × 2, radii; NaN for none) are elsewhere than most: none where most are nowhere alike.

    Across the table they change as a plane does.
    """
    if len(glints) < FEW:
        return np.zeros(len(glints), np.bool_)
    there = ~np.isnan(glints[:, 0])
    many = np.count_nonzero(there) >= MANY
    base = np.column_stack([np.ones(len(glints)), (places_mm - places_mm.mean(axis=0)) / 1000])[:, : 3 if many else 1]
    weight, off = there.astype(np.float64), np.zeros(len(glints))
    for _ in range(ROUNDS):
        root = np.sqrt(weight[there])[:, None]
        plane = np.linalg.lstsq(base[there] * root, glints[there] * root, rcond=None)[0]
        off = np.where(there, np.linalg.norm(glints - base @ plane, axis=1), np.inf)
        weight = 1 / (1 + (off / NEAR) ** 2)
    like = off < OFF[int(many)]
    return ~like if np.count_nonzero(like) >= max(FEW, MOST * len(like)) else np.zeros(len(like), np.bool_)
