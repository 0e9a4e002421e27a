"""A second opinion on dice: what two networks say alike in many looks, by colours as they are and drawn apart.

It is asked for where the first network and the pips leave a doubt, or where that network alone speaks. Where only
hues tell pips, two networks that see colours drawn apart may tell a value alike, the first one having little say in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import dice
from vision.dice import Face
from vision.sizes import CLEAR
from vision.values import SHADES, TONES, Value, Values

Image = NDArray[np.uint8]

BOTH: Final = 0.7  #: share a value must have from each network to be told,
FIRST: Final = 0.5  #: … or on the mean of all three, in which the first one counts so much,
SURELY: Final = 0.95  #: … of what it gives this share to all values together
NEVERTHELESS: Final = 0.9  #: … where pips may show something else,
ALONE: Final = 0.95  #: … and for a one: much has a single spot
MOSTLY: Final = 0.8  #: share of each one's looks that must say so


class Opinions:
    """Three networks, ready to look at a die that is in doubt."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._tones = Values(TONES, toned=True)
        self._shades = Values(SHADES, toned=True)

    def said(self, image_bgr: Image, value: Value) -> Iterator[Value]:
        """What may be said of a die that was told there.

        First what two networks say: of two shares the smaller, nothing agreed where they differ. Then what those say
        that see colours drawn apart, each from where it sees the die itself, unless the first one is sure of another.
        """
        one, other = (network.again(image_bgr, value) for network in (self._values, self._tones))
        agreed = min(one.agreed, other.agreed) if one.best == other.best else 0.0
        yield Value(np.minimum(one.shares, other.shares), one.middle, one.side, agreed)
        if other.best < 2 or float(value.shares.sum()) < SURELY:  # much has a single spot
            return
        toned, shaded = (
            network.again(image_bgr, network.tell(image_bgr, value.middle, value.side))
            for network in (self._tones, self._shades)
        )
        shares = np.asarray((toned.shares + shaded.shares + FIRST * one.shares) / (2 + FIRST), np.float32)
        vetoed = one.best != toned.best and float(one.shares.max()) > BOTH
        agreed = min(toned.agreed, shaded.agreed) if toned.best == shaded.best and not vetoed else 0.0
        yield Value(shares, toned.middle, toned.side, agreed)


def enough(said: Value, faces: Sequence[Face]) -> bool:
    """Whether what networks say may be acted on, though these faces with pips are seen there as well.

    Clear pips that show something else are never overruled, nor those that are just as many as another value they may
    show: one more may be a glint. Others that tell several values are, where the networks are surer. An empty face is
    told by what lies beside it only.
    """
    shown, share = said.best, float(said.shares.max())
    pipped = [face for face in faces if face.pips > 1 and face.values]
    told = [face for face in pipped if face.why != dice.MORE]
    if any(f.worth > CLEAR and shown not in f.values for f in told):
        return False
    if any(f.worth > dice.CLEAR and f.pips != shown and f.pips in f.values for f in told):
        return False
    several = any(len(face.values) > 1 and shown not in face.values for face in pipped)
    counted = any(face.pips == shown and shown in face.values for face in pipped)
    needed = ALONE if shown == 1 else NEVERTHELESS if several and not counted else BOTH
    return shown > 0 and said.agreed >= MOSTLY and share > needed
