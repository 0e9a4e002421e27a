"""A small network that looks closely at what may be a die: how likely it shows which value.

It learned from traced dice (`vision.simulated.learning`), and is asked several times about each, at slightly different
sizes and in every quarter turn: what only some of these looks say is not sure. Two more, which see colours drawn apart
as well, are asked about what is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network
from vision.things import CROP, DICE, QUARTERS

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

NETWORK: Final = Path(__file__).parent / "values.onnx"
TONES: Final = Path(__file__).parent / "tones.onnx"  #: that which sees colours drawn apart as well,
SHADES: Final = Path(__file__).parent / "shades.onnx"  #: … and another that learned more of it
VALUE_SIDE: Final = 40.0  #: pixels of a die's side in a close look
FIRST: Final = (0.75, 1.0, 1.35)  #: sizes at which a place is looked at first, in sides,
LAST: Final = (0.88, 1.0, 1.14)  #: … and last
AROUND: Final = np.array([(0, 0), (0.17, 0), (-0.17, 0), (0, 0.17), (0, -0.17)])  #: where its middle may be, in sides
AGAIN: Final = np.array([(0.08, 0), (-0.04, 0.07), (-0.04, -0.07)])  #: … and where it is looked at once more
RATHER: Final = 0.5  #: share of dice that one beside another has,
#: … which touches it there (sides):
RING: Final = np.array([(r * np.cos(a), r * np.sin(a)) for r in (1.05, 1.35) for a in np.arange(12) * np.pi / 6])
#: … and where the middle of another of its own faces may be seen (sides), from about 45 degrees on:
OWN: Final = np.array([(r * np.cos(a), r * np.sin(a)) for r in (0.6, 0.7) for a in np.arange(16) * np.pi / 8])
OTHERS: Final = 0.7  #: … unless so near (sides) to the middle of another die
GROWN: Final = (-0.6, 0.6)  #: logarithms of what a side may be, of what it was thought to be
SPREAD: Final = 45.0  #: by how much (standard deviation) colours drawn apart differ, in each of three ways,
LEAST_SPREAD: Final = 6.0  #: … unless they differed by hardly so much
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
    """A network, ready to look; one that is `toned` sees colours drawn apart, too."""

    def __init__(self, network: Path = NETWORK, toned: bool = False) -> None:
        self._network = Network(network)
        self._toned = toned

    def tell(self, image_bgr: Image, middle: tuple[float, float], side: float, least: float = 0.0) -> Value:
        """What a die shows whose upper face is about there and about so large (pixels).

        What cannot be surer than `least` any more is not looked at again.
        """
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
        shares, sizes = np.zeros((0, shares.shape[1]), np.float32), np.zeros(0)
        for looked, grown in enumerate(LAST, 1):
            more = self._look(image_bgr, [(place, side * grown, turn) for turn in range(QUARTERS)])
            shares, sizes = np.concatenate([shares, more[0]]), np.concatenate([sizes, more[1]])
            most = (float(shares.sum(axis=0).max()) / QUARTERS + len(LAST) - looked) / len(LAST)
            if most < least or (least > 0 and np.ptp(shares.argmax(axis=1)) > 0):
                return Value(shares.mean(axis=0)[DICE], middle, side, 0.0)
        mean = shares.mean(axis=0)
        agreed = float((shares.argmax(axis=1) == mean.argmax()).mean())
        return Value(mean[DICE], (float(place[0]), float(place[1])), float(np.median(sizes)), agreed)

    def again(self, image_bgr: Image, value: Value) -> Value:
        """What more looks tell of a die that was told there, from a little beside its middle."""
        places = np.array(value.middle) + AGAIN * value.side
        looks = [(at, value.side * grown, turn) for at in places for grown in LAST for turn in range(QUARTERS)]
        shares, _ = self._look(image_bgr, looks)
        mean = shares.mean(axis=0)
        agreed = float((shares.argmax(axis=1) == mean.argmax()).mean())
        return Value(mean[DICE], value.middle, value.side, agreed)

    def beside(self, image_bgr: Image, value: Value) -> list[Value]:
        """What is told all around a die, where another one as large may touch it: dice only, the surest first."""
        places = np.array(value.middle) + RING * value.side
        shares, sizes = self._look(image_bgr, [(place, value.side, 0) for place in places])
        dice = shares[:, DICE].sum(axis=1)
        return [
            Value(shares[i, DICE], (float(places[i, 0]), float(places[i, 1])), float(sizes[i]), 0.0)
            for i in np.argsort(-dice)
            if dice[i] > RATHER
        ]

    def sided(self, image_bgr: Image, value: Value, others: Sequence[Value]) -> float:
        """The largest share of all dice where another face of a die may be seen, as its sides are from low above.

        Near one of the `others`, which lie beside it, that one is seen.
        """
        places = np.array(value.middle) + OWN * value.side
        for other in others:
            places = places[np.linalg.norm(places - other.middle, axis=1) > OTHERS * other.side]
        if not len(places):
            return 0.0
        shares, _ = self._look(image_bgr, [(at, value.side, 0) for at in places])
        return float(shares[:, DICE].sum(axis=1).max())

    def _look(self, image: Image, looks: Sequence[tuple[Floats, float, int]]) -> tuple[Single, Floats]:
        """Shares (n × names) and sides (pixels) at places, for a side there, in quarter turns."""
        crops = [np.rot90(self._seen(close_up(image, place, side)), turn) for place, side, turn in looks]
        blob = np.asarray(np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / 255 - 0.5, np.float32)
        said = self._network.answers(blob).reshape(len(looks), -1)
        shares = np.exp(said[:, :-1] - said[:, :-1].max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        sides = np.array([side for _, side, _ in looks])
        return shares, sides * np.exp(np.clip(said[:, -1].astype(np.float64), *GROWN))

    def _seen(self, crop: Image) -> Image:
        return tones(crop) if self._toned else crop


def tones(crop: Image) -> Image:
    """The crop (rows × columns × 3), and beside its colours the same drawn apart (rows × columns × 6)."""
    return np.concatenate([crop, apart(crop)], axis=2)


def apart(crop: Image) -> Image:
    """The crop in colours of which none differ little: dull pips are as plain as any.

    They are stretched along the axes in which those of a die that fills its middle vary (Gillespie et al., 1986).
    """
    rows, columns = crop.shape[:2]
    inner = crop[rows // 5 : rows - rows // 5, columns // 5 : columns - columns // 5].reshape(-1, 3).astype(np.float32)
    middle = inner.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((inner - middle).T))
    grow = (axes * (SPREAD / np.sqrt(np.maximum(spread, 0) + LEAST_SPREAD**2))) @ axes.T
    drawn = cv2.transform(crop.astype(np.float32), np.column_stack([grow, 127.5 - grow @ middle]).astype(np.float32))
    return np.asarray(np.clip(np.rint(drawn), 0, 255), np.uint8)


def close_up(image: Image, place: Floats, side: float) -> Image:
    """A square of CROP pixels around a place, in which what is `side` pixels long has VALUE_SIDE."""
    grow = VALUE_SIDE / side
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
