"""Near twins that show the same print a little aside: where they are taught they are not alike at all.

So they are where one was cut out askew, or one drawing was printed on both. At the place of the one the other then
fits nothing, and would not be asked about.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

REACH_MM: Final = 4.0  #: a print may lie this far aside,
ALIKE: Final = 0.6  #: … where it is this much like the other,
LESS: Final = 0.15  #: … and by so much less where it is taught


def displaced(faces: Floats, face: Floats, scale: float) -> list[tuple[int, float, float]]:
    """Which of the faces (n × h × w, `scale` px/mm) show the print of one (h × w), but a little aside.

    Each with how far (mm) to the right and down it would lie where the one does. All are evened, and their channels
    added up, so that their product at a shift tells how alike they are there.
    """
    reach = min(int(np.ceil(REACH_MM * scale)), min(face.shape) // 3)
    wide = 2 * reach + 1
    shifted = np.lib.stride_tricks.sliding_window_view(np.pad(face, reach, "wrap"), face.shape)
    rows = faces.reshape(len(faces), -1)
    power = np.linalg.norm(rows, axis=1, keepdims=True) * np.linalg.norm(face)
    like = (rows @ shifted.reshape(wide * wide, -1).T) / np.maximum(power, 1e-6)
    least = np.maximum(ALIKE, like[:, like.shape[1] // 2] + LESS)
    best = like.argmax(axis=1)
    return [
        (int(i), (int(best[i]) % wide - reach) / scale, (int(best[i]) // wide - reach) / scale)
        for i in np.flatnonzero(like.max(axis=1) > least)
    ]
