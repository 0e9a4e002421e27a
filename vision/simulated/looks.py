"""What small networks learn from: drawn tables and close looks at them, and what should be said to each.

A batch is pictures (n × 3 × rows × columns, bytes), for every place the number of what is there in NAMES, and the
logarithm of its size as a ratio to UNIT (both n × rows × columns of places; a close look has one).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.throws import Thing, throw
from vision.simulated.traced import SIZES, table
from vision.things import CROP, ENLARGED, STRIDE, UNIT
from vision.values import VALUE_SIDE, tones

NEAR: Final = 3.0  #: pixels from a thing's middle within which it must be named,
FAR: Final = 5.5  #: … and beyond which there is nothing
JITTER: Final = 2.5  #: pixels by which a close look may be off,
OFF: Final = 0.12  #: … and sides by which one at a die may be
DIE: Final = 18.0  #: pixels of a drawn die's side about
BATCH: Final = 16  #: drawn tables a step
CROPS: Final = 80  #: close looks drawn at once,
SHOWN: Final = 128  #: … and shown at once
NEWEST: Final = 250  #: batches that are shown more often than those before

Ints = NDArray[np.int32]
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Batch = tuple[Image, Ints, Singles]


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
    """Close looks at traced dice and at drawn ones, at what is beside them, and at things that are none.

    A die's side is about VALUE_SIDE pixels long there, and sizes are told as the logarithm of their ratio to that.
    """
    random = np.random.default_rng(seed)
    looks: list[tuple[Image, int, float]] = []
    while len(looks) < CROPS:
        if random.random() < 0.12:
            looks += _pieces(random, seed[0])
        picture, shown, beside, decoys = table(random, 205)
        side = shown[0][2] if shown else float(np.exp(random.uniform(*np.log(SIZES))))
        for value, middle, _ in shown:
            at = middle + random.uniform(-1, 1, 2) * OFF * side
            looks.append(_sized(random, picture, at, 1 + value, side))
        wrong = np.concatenate([beside[random.random(len(beside)) < 0.25], decoys, random.uniform(0, 205, (1, 2))])
        for place in wrong:
            if all(np.hypot(*(at - place)) > 0.45 * side for _, at, side in shown):
                looks.append(_sized(random, picture, place, 0, side))
    return _stacked(random, looks)


def _sized(random: np.random.Generator, picture: Image, at: Floats, name: int, side: float) -> tuple[Image, int, float]:
    """A close look at a place where dice have such sides, a little too large or too small."""
    off = float(np.clip(random.normal(0, 0.14), -0.35, 0.35))
    return _crop(picture, at[0], at[1], VALUE_SIDE * np.exp(off) / side), name, off if name else 0.0


def _pieces(random: np.random.Generator, seed: int) -> list[tuple[Image, int, float]]:
    """Some close looks at drawn pieces and dice, as large as those at traced dice are."""
    pictures, truth, sizes = crops((seed, int(random.integers(2**31))))
    looks = []
    grow, middle = VALUE_SIDE / (DIE * ENLARGED), CROP / 2 - 0.5
    for i in random.permutation(CROPS)[: CROPS // 2]:
        picture = np.asarray(pictures[i].transpose(1, 2, 0), np.uint8)
        off = float(sizes[i, 0, 0]) + np.log(UNIT / DIE) if truth[i, 0, 0] else 0.0
        looks.append((_crop(picture, middle, middle, grow), int(truth[i, 0, 0]), off))
    return looks


def _stacked(random: np.random.Generator, looks: list[tuple[Image, int, float]]) -> Batch:
    some = [looks[i] for i in random.permutation(len(looks))[:CROPS]]
    pictures = _pictures([np.rot90(look, int(random.integers(4))) for look, _, _ in some])
    truth, sizes = np.array([name for _, name, _ in some]), np.array([size for _, _, size in some], np.float32)
    shape = (CROPS, 1, 1)
    return pictures, truth.reshape(shape).astype(np.int32), sizes.reshape(shape)


def _pictures(images: Sequence[Image]) -> Image:
    return np.stack(images).transpose(0, 3, 1, 2)


def shown(batch: Batch, toned: bool = False) -> tuple[Singles, Ints, Singles]:
    """The batch as networks are shown it: pictures of −½ to ½, beside their colours the same drawn apart if `toned`."""
    pictures, truth, sizes = batch
    if toned:
        crops = [np.ascontiguousarray(picture.transpose(1, 2, 0)) for picture in pictures]
        pictures = np.stack([tones(crop).transpose(2, 0, 1) for crop in crops])
    return np.asarray(pictures / 255 - 0.5, np.float32), truth, sizes


def varied(random: np.random.Generator, pictures: Image) -> Image:
    """The same close looks mirrored and turned, and in other colours: a die stays one of the same value."""
    seen = np.empty_like(pictures)
    for i, picture in enumerate(pictures):
        turned = np.rot90(picture, int(random.integers(4)), (1, 2))
        turned = turned[:, ::-1] if random.random() < 0.5 else turned
        seen[i] = turned[random.permutation(3)] if random.random() < 0.5 else turned
    return seen


def lit(random: np.random.Generator, pictures: Image) -> Image:
    """The same close looks in a little more or less light, of about any colour."""
    light = random.uniform(0.85, 1.15, (len(pictures), 1, 1, 1)) * random.uniform(0.93, 1.07, (len(pictures), 3, 1, 1))
    return np.clip(np.rint(pictures * light), 0, 255).astype(np.uint8)


def mixed(random: np.random.Generator, drawn: Sequence[Batch]) -> Batch:
    """As many close looks as are shown at once, of all that were drawn; the newest ones more often."""
    newest = random.integers(max(0, len(drawn) - NEWEST), len(drawn), size=SHOWN)
    batch = np.where(random.random(SHOWN) < 1 / 4, newest, random.integers(len(drawn), size=SHOWN))
    each = random.integers(CROPS, size=SHOWN)
    pictures, truth, sizes = (
        np.stack([drawn[i][k][j] for i, j in zip(batch, each, strict=True)]) for k in range(3)
    )  # fmt: skip
    return lit(random, varied(random, pictures)), truth, sizes


def _crop(picture: Image, x: float, y: float, grow: float = 1.0) -> Image:
    shift = np.array([[grow, 0, CROP / 2 - 0.5 - grow * x], [0, grow, CROP / 2 - 0.5 - grow * y]], np.float32)
    crop = cv2.warpAffine(picture, shift, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
