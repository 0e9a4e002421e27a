"""Dice and pieces seen by two small networks that learned from drawn ones: what stands where, and how sure that is.

The first finds places, the second looks closely at each. They are made by `vision.simulated.learning` and know kinds
of shapes only, no game and no copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network

Single = NDArray[np.float32]
Image = NDArray[np.uint8]

PLACES: Final = Path(__file__).parent / "places.onnx"
CLOSE: Final = Path(__file__).parent / "close.onnx"
NAMES: Final = (
    "nothing", "0", "1", "2", "3", "4", "5", "6", "round", "oval", "star", "rod", "block", "cylinder",
)  # fmt: skip
DICE: Final = slice(1, 8)  #: a die goes by the value of its upper face
SHAPES: Final = NAMES[8:]
BLOCK: Final = NAMES.index("block")
ROD: Final = NAMES.index("rod")
SCALE: Final = 1.25  #: pixels per millimetre the network is used to
CROP: Final = 64  #: pixels of a close look's side,
ENLARGED: Final = 1.6  #: … in which things are so many times as large
QUARTERS: Final = 4  #: a close look is taken in so many turns
STRIDE: Final = 4  #: pixels between the places it speaks of
UNIT: Final = 16.0  #: pixels; sizes are told as the logarithm of their ratio to this
TILE: Final = 640  #: pixels; larger pictures are looked at in parts, so that memory stays small,
OVERLAP: Final = 40  #: … which overlap by what the network needs to see around a place
TOGETHER: Final = 16  #: so many things are looked at closely at a time, so that memory stays small
LEAST: Final = 0.2  #: a place is something if the network gives that at least this share


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that stands at (x, y) of a picture; `shares` says for each of NAMES how likely, `size` in pixels."""

    place: tuple[float, float]
    shares: Single
    size: float

    @property
    def there(self) -> float:
        """How likely it is anything at all."""
        return 1 - float(self.shares[0])


class Eyes:
    """The networks, ready to look at pictures."""

    def __init__(self, places: Path = PLACES, close: Path = CLOSE) -> None:
        self._places = Network(places)
        self._close = Network(close)

    def look(
        self, picture: Image, fine: Image, enlarged: float, sought: Callable[[Thing], bool] = lambda _: True
    ) -> list[Thing]:
        """What stands on a picture (BGR), the surest first; nothing is told twice.

        `fine` is the same picture `enlarged` times as large; what is not `sought` is not looked at closely.
        """
        found = self.closely([t for t in self._apart(self.places(picture)) if sought(t)], fine, enlarged)
        return self._apart([thing for thing in found if thing.there > LEAST])

    def closely(self, things: Sequence[Thing], fine: Image, enlarged: float) -> list[Thing]:
        """The same things as they show themselves at a closer look."""
        parts = (things[start : start + TOGETHER] for start in range(0, len(things), TOGETHER))
        return [thing for part in parts for thing in self._closely(part, fine, enlarged)]

    def _closely(self, things: Sequence[Thing], fine: Image, enlarged: float) -> list[Thing]:
        grow = ENLARGED / enlarged
        blob = np.empty((len(things), QUARTERS, 3, CROP, CROP), np.float32)
        for number, thing in enumerate(things):
            x, y = ((p + 0.5) * enlarged - 0.5 for p in thing.place)
            matrix = np.array([[grow, 0, CROP / 2 - 0.5 - grow * x], [0, grow, CROP / 2 - 0.5 - grow * y]])
            crop = cv2.warpAffine(fine, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            upright = crop.transpose(2, 0, 1).astype(np.float32) / 255 - 0.5
            for quarters in range(QUARTERS):
                blob[number, quarters] = np.rot90(upright, quarters, (1, 2))
        said = self._close.answers(blob.reshape(-1, 3, CROP, CROP)).reshape(len(things), QUARTERS, -1).mean(axis=1)
        shares = np.exp(said[:, :-1] - said[:, :-1].max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        sizes = UNIT * np.exp(np.clip(said[:, -1], -2, 2))
        return [replace(t, shares=s, size=float(z)) for t, s, z in zip(things, shares, sizes, strict=True)]

    def places(self, picture: Image) -> list[Thing]:
        """Where something may stand on a picture, at a first look."""
        shares, size = self.answers(picture)
        there = 1 - shares[0]
        top = cv2.dilate(there, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((there >= top) & (there > LEAST))
        return [self._thing(shares, size, there, int(r), int(c)) for r, c in zip(rows, columns, strict=True)]

    @staticmethod
    def _apart(found: Sequence[Thing]) -> list[Thing]:
        """The surest of those that cannot stand beside each other."""
        kept: list[Thing] = []
        for thing in sorted(found, key=lambda t: -t.there):
            if all(_beside(thing, other) for other in kept):
                kept.append(thing)
        return kept

    @staticmethod
    def _thing(shares: Single, size: Single, there: Single, row: int, column: int) -> Thing:
        """What the places around one say together, each as much as it is sure of anything."""
        box = slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2)
        weight = np.where(there[box] > 0.5 * there[row, column], there[box], 0)
        total = float(weight.sum())
        mean = (shares[:, *box] * weight).sum(axis=(1, 2)) / total
        mean[1:] *= there[row, column] / max(1e-6, float(mean[1:].sum()))
        mean[0] = 1 - there[row, column]
        y, x = np.mgrid[box[0].start : box[0].start + weight.shape[0], box[1].start : box[1].start + weight.shape[1]]
        place = (float((x * weight).sum() / total) * STRIDE, float((y * weight).sum() / total) * STRIDE)
        return Thing(place, mean.astype(np.float32), float(size[row, column]))

    def answers(self, picture: Image) -> tuple[Single, Single]:
        """Shares (names × rows / 4 × columns / 4) and sizes in pixels, for every fourth pixel of a picture."""
        height, width = picture.shape[:2]
        shares = np.zeros((len(NAMES), -(-height // STRIDE), -(-width // STRIDE)), np.float32)
        sizes = np.zeros(shares.shape[1:], np.float32)
        step = TILE - 2 * OVERLAP
        for y in range(0, max(1, height - 2 * OVERLAP), step):
            for x in range(0, max(1, width - 2 * OVERLAP), step):
                part = picture[y : y + TILE, x : x + TILE]
                said = self._said(np.ascontiguousarray(part))
                # of every part the inner is kept, and its rim where the picture ends
                top, left = (OVERLAP if y else 0) // STRIDE, (OVERLAP if x else 0) // STRIDE
                rows, columns = shares.shape[1] - y // STRIDE, shares.shape[2] - x // STRIDE
                said = said[:, top:rows, left:columns]
                at = slice(y // STRIDE + top, y // STRIDE + top + said.shape[1])
                across = slice(x // STRIDE + left, x // STRIDE + left + said.shape[2])
                shares[:, at, across] = said[:-1]
                sizes[at, across] = said[-1]
        return shares, sizes

    def _said(self, part: Image) -> Single:
        """Shares and, last, sizes, of one part."""
        height, width = part.shape[:2]
        down, right = -height % STRIDE, -width % STRIDE
        whole = cv2.copyMakeBorder(part, 0, down, 0, right, cv2.BORDER_REPLICATE)
        blob = np.asarray(whole.transpose(2, 0, 1)[None].astype(np.float32) / 255 - 0.5, np.float32)
        (said,) = self._places.answers(blob)
        values = said[: len(NAMES)]
        values = np.exp(values - values.max(axis=0))
        size = UNIT * np.exp(np.clip(said[-1:], -2, 2))
        return np.concatenate([values / values.sum(axis=0), size]).astype(np.float32)


def _beside(one: Thing, other: Thing) -> bool:
    """Whether two can stand beside each other."""
    return math.dist(one.place, other.place) > 0.3 * min(one.size, other.size) + 2
