"""A die without its gloss: a lamp mirrored in it adds white to its own colour, and that is taken away.

After the dichromatic reflection model (Shafer, 1985): what all channels have alike beyond what is usual on a face is
the lamp's. Pips that differ from their face by hue stay as they are; white ones on a coloured face are grey then, and
those on a grey one are gone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

FACE: Final = 0.45  #: sides from its middle to which a face tells how much white is usual on it,
REACH: Final = 0.62  #: … and to which more is taken away


def matt(image: Image, middle: tuple[float, float], side: float, usual: float) -> Image:
    """A copy of a photo (BGR) in which a die's upper face mirrors no lamp; middle and side in pixels.

    `usual` is the quantile of a face's least channel that is taken for its own.
    """
    reach = int(np.ceil(REACH * side)) + 1
    left, top = (max(0, int(v) - reach) for v in middle)
    right, bottom = (int(v) + reach + 1 for v in middle)
    part = image[top:bottom, left:right].astype(np.float32)
    least = part.min(axis=2)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    away = np.hypot(x + left - middle[0], y + top - middle[1])
    own = np.quantile(least[away < FACE * side], usual)
    lamp = np.maximum(0, least - own) * (away < REACH * side)
    plain = image.copy()
    plain[top:bottom, left:right] = part - lamp[..., None]
    return plain
