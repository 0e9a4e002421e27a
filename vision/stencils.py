"""Which value's pips explain a die's colours best: stencils of pips laid on its face, whatever colours it has.

A stencil is 1 where a value's pips are and 0 on the face around them. How well it fits is the share of it that is a
linear function of the colours seen there: the square of the coefficient of multiple correlation. So pips may be darker
or paler than their face, or of another hue alone, and nobody need know which. Nothing is learned from any picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patterns import PATTERNS
from vision.values import VALUE_SIDE, close_up

Single = NDArray[np.float32]
Image = NDArray[np.uint8]

REDUCED: Final = 0.4  #: of a close look: pips are seen as well, and grain is less
SIDE: Final = REDUCED * VALUE_SIDE  #: pixels of a die's side under the stencils
WINDOW: Final = 17  #: pixels of a stencil, of which the disc is compared that a die's side spans
SPACINGS: Final = (0.19, 0.21, 0.235, 0.26, 0.285, 0.31)  #: sides between neighbouring pips,
SIX: Final = ((1.0, 1.0), (0.8, 1.0), (0.8, 1.1))  #: … of a six so many times as far across its rows and along them
RADII: Final = (0.085, 0.11)  #: sides; a lone pip may be larger:
LARGE: Final = 0.14
TURN: Final = 7.5  #: degrees from one stencil to the next
ALIKE: Final = {1: TURN, 4: 90.0, 5: 90.0}  #: degrees after which these values look the same, others after half a turn
SOFT: Final = 0.7  #: pixels by which a stencil is blurred
SHIFTS: Final = 0.05 * np.arange(-3, 4)  #: sides by which a face's middle may be beside where it was told, each way
GRAIN: Final = 1.0  #: Lab units (standard deviation) by which colours differ without a reason


def explained(image_bgr: Image, middle: tuple[float, float], side: float) -> Single:
    """How much of each value's best stencil, of 0 to 6, a die's colours explain (0 to 1); nothing of an empty one.

    `middle` is that of its upper face and `side` how long that is, in pixels.
    """
    look = close_up(image_bgr, np.array(middle), side)
    small = cv2.resize(look, None, fx=REDUCED, fy=REDUCED, interpolation=cv2.INTER_AREA)
    colours = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    stencils, firsts = _stencils()
    centre = REDUCED * len(look) / 2 - 0.5
    window = (WINDOW, WINDOW)
    shifts = [(float(centre + right), float(centre + down)) for right in SIDE * SHIFTS for down in SIDE * SHIFTS]
    seen = np.stack([cv2.getRectSubPix(colours, window, at)[_disc()] for at in shifts])
    seen -= seen.mean(axis=1, keepdims=True)
    spread = np.swapaxes(seen, 1, 2) @ seen + np.eye(3, dtype=np.float32) * seen.shape[1] * GRAIN**2
    even = seen @ np.linalg.cholesky(np.linalg.inv(spread))
    fits = np.square(stencils @ np.concatenate(even, axis=1)).reshape(len(stencils), -1, 3).sum(axis=2).max(axis=1)
    return np.concatenate([np.zeros(1, np.float32), np.maximum.reduceat(fits, firsts)])


@cache
def _disc() -> NDArray[np.bool_]:
    across = np.hypot(*_across())
    return np.asarray(across <= SIDE / 2)


@cache
def _stencils() -> tuple[Single, NDArray[np.intp]]:
    """All stencils (n × pixels of the disc), without their means and of unit length; where those of 1 to 6 begin."""
    drawn = [[stencil[_disc()] for stencil in _drawn(value)] for value in PATTERNS if value]
    stencils = np.array([stencil for each in drawn for stencil in each])
    stencils -= stencils.mean(axis=1, keepdims=True)
    stencils /= np.linalg.norm(stencils, axis=1, keepdims=True)
    return stencils, np.cumsum([0, *(len(each) for each in drawn[:-1])])


def _drawn(value: int) -> Iterator[Single]:
    """A value's stencils: in every way in which its face may be turned, its pips lie apart and are large."""
    x, y = _across()
    radii = (*RADII, LARGE) if value == 1 else RADII
    for turn in np.radians(np.arange(0.0, ALIKE.get(value, 180.0), TURN)):
        for apart in SPACINGS if value > 1 else SPACINGS[:1]:
            for across, along in SIX if value == 6 else SIX[:1]:
                sites = [(apart * across * a, apart * along * b) for a, b in PATTERNS[value]]
                for radius in radii:
                    pips = np.zeros((WINDOW, WINDOW), np.float32)
                    for a, b in sites:
                        right, down = a * np.cos(turn) - b * np.sin(turn), a * np.sin(turn) + b * np.cos(turn)
                        away = np.hypot(x - SIDE * right, y - SIDE * down)
                        pips = np.maximum(pips, np.clip(SIDE * radius - away + 0.5, 0, 1).astype(np.float32))
                    yield np.asarray(cv2.GaussianBlur(pips, (0, 0), SOFT), np.float32)


def _across() -> tuple[Single, Single]:
    """How far each pixel of a stencil is from its middle, to the right and down."""
    steps = np.arange(WINDOW, dtype=np.float32) - (WINDOW - 1) / 2
    x, y = np.meshgrid(steps, steps)
    return x, y
