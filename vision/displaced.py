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
    """Which of the faces (n × h × w × 3, `scale` px/mm) show the print of one (h × w × 3), but a little aside.

    Each with how far (mm) to the right and down it would lie where the one does. All are evened, so that their
    product at a shift tells how alike they are there, and spectra tell it at all shifts.
    """
    many, one = faces.sum(axis=3), face.sum(axis=2)
    spectra = np.conj(np.fft.rfft2(one)) * np.fft.rfft2(many)
    reach = min(int(np.ceil(REACH_MM * scale)), min(one.shape) // 3)
    near = np.arange(-reach, reach + 1)
    power = np.linalg.norm(many.reshape(len(many), -1), axis=1) * np.linalg.norm(one)
    like = np.fft.irfft2(spectra, s=one.shape)[:, near[:, None], near] / np.maximum(power, 1e-6)[:, None, None]
    found = []
    for i, each in enumerate(like):
        down, right = np.unravel_index(int(each.argmax()), each.shape)
        if each[down, right] > max(ALIKE, each[reach, reach] + LESS):
            found.append((i, -float(near[right]) / scale, -float(near[down]) / scale))
    return found
