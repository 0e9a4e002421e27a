"""Beads of one colour look alike on one photo: whatever goes by their name and does not is asked about.

A hue alone tells no brown token from a red bead, and no olive one from a yellow. Each colour is therefore learned from
the beads that lie there. From one to the next their looks change little, as light does across a table; what is far
from all the others of its name is something else, or in some other light.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.beads import Bead, doubted

#: what two beads of one colour may differ by: hue (degrees), logarithms of strength and of lightness; those of tables
#: in many lights differ by a third of this from the next one, brown tokens from red beads by twice of it
ALIKE: Final = np.array([12.0, 0.45, 0.7])
MOST: Final = 0.75  #: of those of one name: fewer do not tell which of them are right


def compared(found: Sequence[Bead]) -> list[Bead]:
    """The beads, in doubt where they are not like most of their name; all of that name are where no most is alike."""
    told = list(found)
    for name in {bead.colour for bead in found}:
        namesakes = [i for i, bead in enumerate(found) if bead.colour == name and not bead.why]
        if not namesakes:
            continue
        usual = _usual(np.array([found[i].look for i in namesakes]).reshape(-1, 3))
        for i, like in zip(namesakes, usual, strict=True):
            if not like:
                told[i] = doubted(told[i], f"not like the other {name} ones")
    return told


def _usual(looks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of n looks (n × 3) are linked with most of them by steps between looks that are alike."""
    apart = np.abs(looks[:, None] - looks)
    apart[..., 0] = np.minimum(apart[..., 0], 360 - apart[..., 0])
    linked = np.linalg.norm(apart / ALIKE, axis=2) < 1
    for _ in range(len(looks).bit_length()):  # each time by twice as many steps
        linked = linked @ linked
    return np.asarray(linked.mean(axis=1) >= MOST)
