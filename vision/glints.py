"""Where a lamp is mirrored on beads: at much the same place of each, so that it tells where one really lies.

Light that falls through coloured glass colours the shadow, and a circle may be drawn around half of both. The lamp is
then mirrored farther out than in others, or beside it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import circles

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

REACH: Final = np.arange(0.03, 1.5, 0.06, dtype=np.float32)  #: radii
INSIDE: Final = REACH < 0.93
BESIDE: Final = REACH > 0.9
RIM: Final = 0.93
WITHIN: Final = 0.65  #: radii; those of whole beads are not farther out
ANGLES: Final = 28
LEAST: Final = 40.0  #: grey values by which a glint is whiter than what it lies on
SMALL: Final = 0.15  #: the share of a ring that it is less than
FEW: Final = 4  #: so many tell where glints are,
MANY: Final = 8  #: … and so many how that changes across the table
OUT: Final = 0.35  #: radii by which a glint may be farther out; those of 19 tables were off by 0.05, at most 0.3
NEAR: Final = 0.12  #: … and by which they weigh half as much
ALONG: Final = 0.85  #: cosine of the angle to where others have theirs at which it is on the same side
ROUNDS: Final = 8


def found(image: Image, centres: Floats, radii: Floats) -> Floats:
    """For n discs of a BGR photo the place of their glint (n × 2, radii from the middle), NaN where none is seen.

    Where a disc has none, that is one just beside it: it may be no disc, but half of one.
    """
    if not len(centres):
        return np.zeros((0, 2))
    pixels = circles.unrolled(image, centres, radii, REACH, ANGLES)
    white = pixels.min(axis=3).astype(np.float64)  # what is coloured is dark in one of its channels
    usual = np.median(white[:, :, INSIDE].reshape(len(white), -1), axis=1)
    around = np.median(white[:, :, BESIDE].reshape(len(white), -1), axis=1)
    own = _brightest(white[:, :, INSIDE], usual, REACH[INSIDE])
    beside = _brightest(white[:, :, BESIDE], np.maximum(usual, around), REACH[BESIDE])
    return np.where(np.isnan(own), beside, own)


def _brightest(white: Floats, usual: Floats, reach: NDArray[np.float32]) -> Floats:
    """The middle (n × 2) of what is much whiter than usual in n rings (n × angles × reach); NaN where none is small."""
    most = white.max(axis=(1, 2))
    above = white - usual[:, None, None] - 0.6 * (most - usual)[:, None, None]
    weight = np.maximum(0.0, above) * reach
    turn = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    whole = np.maximum(weight.sum(axis=(1, 2)), 1e-9)
    places = np.stack([(weight * reach * f(turn)[:, None]).sum(axis=(1, 2)) / whole for f in (np.cos, np.sin)], axis=1)
    seen = (most - usual > LEAST) & ((above > 0).mean(axis=(1, 2)) < SMALL)
    return np.where(seen[:, None], places, np.nan)


def odd(places_mm: Floats, glints: Floats) -> NDArray[np.bool_]:
    """Which of n glints (n × 2, radii; NaN for none) are farther out than others, on the side of the lamp.

    Across the table they change as a plane does. Where too few are alike none is; another lamp's, on another side, says
    nothing.
    """
    within = np.linalg.norm(glints, axis=1) < RIM
    none = np.zeros(len(glints), np.bool_)
    if np.count_nonzero(within) < FEW:
        return none
    many = np.count_nonzero(within) >= MANY
    base = np.column_stack([np.ones(len(glints)), (places_mm - places_mm.mean(axis=0)) / 1000])[:, : 3 if many else 1]
    weight, off, expected = within.astype(np.float64), np.zeros(len(glints)), np.zeros((len(glints), 2))
    for _ in range(ROUNDS):
        root = np.sqrt(weight[within])[:, None]
        expected = base @ np.linalg.lstsq(base[within] * root, glints[within] * root, rcond=None)[0]
        off = np.linalg.norm(glints - expected, axis=1)
        weight = np.where(within, 1 / (1 + (off / NEAR) ** 2), 0)
    if np.count_nonzero(within & (off < OUT)) < FEW:
        return none
    far, usual = np.linalg.norm(glints, axis=1), np.linalg.norm(expected, axis=1)
    towards = np.sum(glints * expected, axis=1) > ALONG * far * usual
    return np.asarray(towards & (far > usual + OUT))
