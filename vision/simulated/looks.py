"""What small networks learn from: drawn tables and close looks at them, and what should be said to each.

A batch is pictures (n × 3 × rows × columns, −½ to ½), for every place the number of what is there in NAMES, and the
logarithm of its size as a ratio to UNIT (both n × rows × columns of places; a close look has one).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.throws import Thing, throw
from vision.simulated.traced import table
from vision.things import CROP, ENLARGED, STRIDE, UNIT

NEAR: Final = 3.0  #: pixels from a thing's middle within which it must be named,
FAR: Final = 5.5  #: … and beyond which there is nothing
JITTER: Final = 2.5  #: pixels by which a close look may be off
BATCH: Final = 16  #: drawn tables a step
CROPS: Final = 80  #: close looks a step

Ints = NDArray[np.int32]
Singles = NDArray[np.float32]
Image = NDArray[np.uint8]
Batch = tuple[Singles, Ints, Singles]


def labelled(things: list[Thing], size: int) -> tuple[Ints, Singles]:
    """For every place the number of what is there, −1 where that is not asked; and the logarithm of its size."""
    count = size // STRIDE
    truth, sizes = np.zeros((count, count), np.int32), np.zeros((count, count), np.float32)
    y, x = np.mgrid[:count, :count] * STRIDE
    for thing in things:
        away = np.hypot(x - thing.place[0], y - thing.place[1])
        truth[(away < FAR) & (truth == 0)] = -1
        truth[away < NEAR] = -1 if thing.hidden else thing.name
        sizes[away < NEAR] = np.log(thing.size / UNIT)
    return truth, sizes


def places(seed: tuple[int, int], size: int = 128) -> Batch:
    """Pictures and what should be said to them."""
    random = np.random.default_rng(seed)
    drawn = [throw(random, size) for _ in range(BATCH)]
    truth, sizes = zip(*(labelled(things, size) for _, things in drawn), strict=True)
    return _pictures([image for image, _ in drawn]), np.stack(truth), np.stack(sizes)


def crops(seed: tuple[int, int]) -> Batch:
    """Close looks at things and at nothing, and what should be said to them."""
    random = np.random.default_rng(seed)
    looks: list[tuple[Image, int, float]] = []
    while len(looks) < CROPS:
        picture, things = throw(random, 128, ENLARGED)
        shown = [thing for thing in things if not thing.hidden]
        for thing in shown:
            x, y = thing.place + random.uniform(-JITTER, JITTER, 2)
            looks.append((_crop(picture, x, y), thing.name, np.log(thing.size / ENLARGED / UNIT)))
        for x, y in random.uniform(0, picture.shape[0], (3, 2)):
            if all(np.hypot(x - t.place[0], y - t.place[1]) > max(11.0, 0.5 * t.size) for t in things):
                looks.append((_crop(picture, x, y), 0, 0.0))
    return _stacked(random, looks)


def dice(seed: tuple[int, int]) -> Batch:
    """Close looks at traced dice and at drawn ones, at what is beside them, and at things that are none."""
    random = np.random.default_rng(seed)
    looks: list[tuple[Image, int, float]] = []
    while len(looks) < CROPS:
        if random.random() < 0.12:
            pictures, truth, sizes = crops((seed[0], int(random.integers(2**31))))
            for i in random.permutation(CROPS)[: CROPS // 2]:
                picture = np.clip(np.rint((pictures[i].transpose(1, 2, 0) + 0.5) * 255), 0, 255)
                looks.append((picture.astype(np.uint8), int(truth[i, 0, 0]), float(sizes[i, 0, 0])))
        picture, shown, beside, decoys = table(random, 205)
        for value, middle, side in shown:
            x, y = middle + random.uniform(-1, 1, 2) * (JITTER + 0.04 * side)
            looks.append((_crop(picture, x, y), 1 + value, np.log(side / ENLARGED / UNIT)))
        wrong = np.concatenate([beside[random.random(len(beside)) < 0.25], decoys, random.uniform(0, 205, (1, 2))])
        for x, y in wrong:
            if all(np.hypot(*(at - (x, y))) > 0.45 * side for _, at, side in shown):
                looks.append((_crop(picture, x, y), 0, 0.0))
    return _stacked(random, looks)


def _stacked(random: np.random.Generator, looks: list[tuple[Image, int, float]]) -> Batch:
    some = [looks[i] for i in random.permutation(len(looks))[:CROPS]]
    pictures = _pictures([np.rot90(look, int(random.integers(4))) for look, _, _ in some])
    truth, sizes = np.array([name for _, name, _ in some]), np.array([size for _, _, size in some], np.float32)
    shape = (CROPS, 1, 1)
    return pictures, truth.reshape(shape).astype(np.int32), sizes.reshape(shape)


def _pictures(images: Sequence[Image]) -> Singles:
    return np.asarray(np.stack(images).transpose(0, 3, 1, 2) / 255 - 0.5, np.float32)


def varied(random: np.random.Generator, pictures: Singles) -> Singles:
    """The same close looks mirrored and turned, and in other colours: a die stays one of the same value."""
    seen = np.empty_like(pictures)
    for i, picture in enumerate(pictures):
        turned = np.rot90(picture, int(random.integers(4)), (1, 2))
        turned = turned[:, ::-1] if random.random() < 0.5 else turned
        seen[i] = turned[random.permutation(3)] if random.random() < 0.5 else turned
    return seen


def mixed(random: np.random.Generator, drawn: Sequence[Batch]) -> Batch:
    """As many close looks as are drawn at once, of all that were drawn; the newest ones more often."""
    batch = np.where(random.random(CROPS) < 1 / 4, len(drawn) - 1, random.integers(len(drawn), size=CROPS))
    each = random.integers(CROPS, size=CROPS)
    pictures, truth, sizes = (
        np.stack([drawn[i][k][j] for i, j in zip(batch, each, strict=True)]) for k in range(3)
    )  # fmt: skip
    return varied(random, pictures), truth, sizes


def _crop(picture: Image, x: float, y: float) -> Image:
    shift = np.array([[1, 0, CROP / 2 - 0.5 - x], [0, 1, CROP / 2 - 0.5 - y]], np.float32)
    crop = cv2.warpAffine(picture, shift, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
