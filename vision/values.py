"""A small network that looks closely at what may be a die: how likely it shows which value.

It learned from traced dice (`vision.simulated.learning`), and is asked several times about each, at slightly different
sizes and in every quarter turn: what only some of these looks say is not sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.things import CROP, DICE, QUARTERS

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

NETWORK: Final = Path(__file__).parent / "values.onnx"
VALUE_SIDE: Final = 40.0  #: pixels of a die's side in a close look
FIRST: Final = (0.75, 1.0, 1.35)  #: sizes at which a place is looked at first, in sides,
LAST: Final = (0.88, 1.0, 1.14)  #: … and last
AROUND: Final = np.array([(0, 0), (0.17, 0), (-0.17, 0), (0, 0.17), (0, -0.17)])  #: where its middle may be, in sides
GROWN: Final = (-0.6, 0.6)  #: logarithms of what a side may be, of what it was thought to be
LIKELY: Final = 0.2  #: a die's share at the first look, without which there is none


@dataclass(frozen=True, slots=True)
class Value:
    """What a close look tells: shares of the values 0 to 6 (the rest is other things); where (pixels) and how large.

    `agreed` is the share of looks to which the likeliest value is the same.
    """

    shares: Single
    middle: tuple[float, float]
    side: float
    agreed: float

    @property
    def best(self) -> int:
        return int(self.shares.argmax())

    @property
    def sure(self) -> float:
        """The share of its likeliest value; 0 where the looks differ."""
        return float(self.shares.max()) if self.agreed == 1 else 0.0


class Values:
    """The network, ready to look."""

    def __init__(self, network: Path = NETWORK) -> None:
        self._network = cv2.dnn.readNetFromONNX(str(network))

    def tell(self, image_bgr: Image, middle: tuple[float, float], side: float) -> Value:
        """What a die shows whose upper face is about there and about so large (pixels)."""
        place = np.array(middle, np.float64)
        shares, sizes = self._look(image_bgr, [(place, side * grown, 0) for grown in FIRST])
        dice = shares[:, DICE].sum(axis=1)
        best = int(dice.argmax())
        if dice[best] < LIKELY:
            return Value(shares[best, DICE], middle, side, 0.0)
        side = float(sizes[best])
        places = place + AROUND * side
        shares, sizes = self._look(image_bgr, [(at, side, 0) for at in places])
        best = int(shares[:, DICE].sum(axis=1).argmax())
        place, side = places[best], float(sizes[best])
        looks = [(place, side * grown, turn) for grown in LAST for turn in range(QUARTERS)]
        shares, sizes = self._look(image_bgr, looks)
        mean = shares.mean(axis=0)
        agreed = float((shares.argmax(axis=1) == mean.argmax()).mean())
        return Value(mean[DICE], (float(place[0]), float(place[1])), float(np.median(sizes)), agreed)

    def _look(self, image: Image, looks: Sequence[tuple[Floats, float, int]]) -> tuple[Single, Floats]:
        """Shares (n × names) and sides (pixels) at places, for a side there, in quarter turns."""
        crops = [np.rot90(_crop(image, place, VALUE_SIDE / side), turn) for place, side, turn in looks]
        blob = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / 255 - 0.5
        self._network.setInput(np.ascontiguousarray(blob))
        said = np.asarray(self._network.forward(), np.float32).reshape(len(looks), -1)
        shares = np.exp(said[:, :-1] - said[:, :-1].max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        sides = np.array([side for _, side, _ in looks])
        return shares, sides * np.exp(np.clip(said[:, -1].astype(np.float64), *GROWN))


def _crop(image: Image, place: Floats, grow: float) -> Image:
    """A square of CROP pixels around a place, `grow` times as large as on the image."""
    x, y = place
    while grow < 0.5:  # halved as often as needed, so that nothing is skipped
        reach = round(CROP / grow)
        left, top = (max(0, int(v - reach)) // 2 * 2 for v in (x, y))
        part = image[top : int(y + reach), left : int(x + reach)]
        if min(part.shape[:2]) < 2:
            break
        size = (part.shape[1] // 2, part.shape[0] // 2)
        image = np.asarray(cv2.resize(part[: 2 * size[1], : 2 * size[0]], size, interpolation=cv2.INTER_AREA), np.uint8)
        x, y = (x - left + 0.5) / 2 - 0.5, (y - top + 0.5) / 2 - 0.5
        grow *= 2
    matrix = np.array([[grow, 0, CROP / 2 - 0.5 - grow * x], [0, grow, CROP / 2 - 0.5 - grow * y]])
    crop = cv2.warpAffine(image, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
