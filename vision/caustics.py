"""Light that falls through glass lies in the shadow beside it, a spot of the same colour that looks like a bead.

By a lamp from the side each bead has such a spot, all on the same side and darker than the beads. Of two circles that
overlap more than glass can, one or both are halves of a bead and of its spot.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import colour

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAME_HUE: Final = 20.0  #: degrees by which a spot may be off the hue of its bead
LARGER: Final = 1.2  #: so much larger, at least, is a bead than a spot beside it that is seen whole
TOUCHES: Final = 1.3  #: sums of both radii within which it lies beside it
FEW: Final = 3  #: so many tell that there are spots
OVERLAP: Final = 1.85  #: radii; the middles of beads are two apart, those measured on 18 photos at least 2.1
BESIDE: Final = 2.6  #: radii within which two may be a bead and its spot
SHARE: Final = 0.4  #: of all discs that are then in such pairs
ONE_WAY: Final = 0.7  #: length of the mean of their directions (unit vectors); of some that lie anyhow it is short


def spots(centre: Floats, radius: Floats, hue: Floats, size: Floats) -> Flags:
    """Which of n discs are spots: they lie beside a larger one of their hue.

    `centre` (n × 2) and `radius` are in pixels, `hue` in degrees, `size` is the radius on the table.

    Where most discs as large as those have one, all that are as small are spots: of a bead beside its spot either may
    be all that is seen.
    """
    gaps = np.linalg.norm(centre[:, None] - centre, axis=2)
    larger = (size > LARGER * size[:, None]) & (colour.apart(hue[:, None], hue) < SAME_HUE)
    beside = larger & (gaps < TOUCHES * (radius + radius[:, None]))
    found, lit = beside.any(axis=1), beside.any(axis=0)
    if np.count_nonzero(lit) < FEW:
        return np.asarray(found)
    small = size < float(np.median(size[lit])) / LARGER
    most = 2 * np.count_nonzero(lit) > np.count_nonzero(~small)
    return np.asarray(found | (most & small))


def doubtful(centre: Floats, radius: Floats, hue: Floats, light: Floats, sure: Flags) -> Flags:
    """Which of n discs told as beads may be spots, or halves of both, though they are `sure`.

    `light` is how light they are (in any measure). Where a lamp shines from the side, the darker one of each pair is
    in doubt.
    """
    near = np.linalg.norm(centre[:, None] - centre, axis=2) / np.maximum((radius[:, None] + radius) / 2, 1e-6)
    np.fill_diagonal(near, np.inf)
    found = (sure & (near < OVERLAP)).any(axis=1)
    beside = (near < BESIDE) & (colour.apart(hue[:, None], hue) < SAME_HUE)
    alone = np.count_nonzero(beside, axis=1) == 1
    other = beside.argmax(axis=1) if len(centre) else np.zeros(0, np.intp)
    dark = np.flatnonzero(alone & alone[other] & (light < light[other]))
    if len(dark) >= FEW and 2 * len(dark) >= SHARE * len(centre):
        way = centre[dark] - centre[other[dark]]
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
        if np.linalg.norm(way.mean(axis=0)) > ONE_WAY:
            found[dark] = True
    return np.asarray(found & sure)
