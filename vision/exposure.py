"""How a taught face looks in light that is too strong for the photo: brightened, and cut off where it is burnt out.

Other light multiplies a face's own light, channel by channel, and gloss adds a light of its own; a photo's bytes are a
power of both together. Beyond the brightest byte nothing is told apart. What a burnt pixel tells is that it must be at
least as bright.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

BURNT: Final = 250.0  #: a byte this bright may have been cut off
PAPER: Final = 0.85  #: what is so bright in all channels, compared with a face's brightest byte, is its white paper
EVERY: Final = 2  #: every so many pixels of a row, and rows, are enough to tell a light by
POWER: Final = 2.2  #: of a byte that is light
ROUNDS: Final = 6  #: of fitting a light, and of telling what it burns out
OFF: Final = 24.0  #: bytes by which a pixel may be off before it is rather something else that lies there
RIM: Final = 0.1  #: what counts a pixel beside one that is cut off: some of its light may have been cut off, too
FAINT: Final = 0.08  #: light below which a byte is no finer than noise
GAINS: Final = (0.2, 8.0)  #: between these lies how many times the light is that a face was taught in,
GLOSS: Final = (-0.1, 1.0)  #: … and what gloss adds, as a share of the brightest there is
BRIGHTER: Final = 0.02  #: pixels' worth of belief that a light is as bright as usual: often it is not,
GLOSSY: Final = 0.2  #: … and that there is no gloss: seldom there is much
SEEN: Final = 0.6  #: of a face of which less than this is seen a light is hardly told: its place is not sure, either
HARDLY: Final = (15.0, 15.0)  #: … and that much is then believed
BYTES: Final = np.arange(256, dtype=np.float32) / 255


@dataclass(frozen=True, slots=True)
class Light:
    """Gain and gloss (1 is the brightest byte) of each channel: blue, green, red.

    `burnt` is the share of the print that is cut off.
    """

    gain: tuple[float, float, float]
    gloss: tuple[float, float, float]
    burnt: float = 0.0

    def shown(self, picture: Image) -> Image:
        """What a photo in this light shows of a picture (h × w × 3)."""
        light = (BYTES**POWER)[:, None] * np.array(self.gain) + np.array(self.gloss)
        table = np.rint(255 * np.clip(light, 0, 1) ** (1 / POWER)).astype(np.uint8)
        return np.asarray(cv2.LUT(picture, table[:, None]), np.uint8)


class Prints:
    """Faces as lights are told by them: every so many pixels of n pictures (n × h × w × 3)."""

    def __init__(self, faces: Image) -> None:
        sampled = faces[:, ::EVERY, ::EVERY].reshape(len(faces), -1, 3)
        #: each channel's own light, 3 × n × pixels
        self.light: Floats = np.ascontiguousarray((BYTES**POWER)[sampled].transpose(2, 0, 1))
        #: what is no white paper, n × pixels
        self.ink: Bools = sampled.min(axis=2) < PAPER * sampled.max(axis=(1, 2), initial=0)[:, None]


def fitted(seen: Image, weight: Floats, prints: Prints, which: Sequence[int]) -> tuple[list[Light], Doubles]:
    """For these of the faces the light in which each is most like what is seen, and how unlike it stays.

    `weight` (h × w) is 0 where something else lies. Unlikeness is the share of the variance left, about 0 to 1.
    """
    here = np.flatnonzero(weight[::EVERY, ::EVERY])
    target = seen[::EVERY, ::EVERY].reshape(-1, 3)[here]
    cut = (seen >= BURNT).astype(np.uint8)
    near = cv2.dilate(cut, np.ones((3, 3), np.uint8))[::EVERY, ::EVERY].reshape(-1, 3)[here] > 0
    taught = prints.light[:, which][:, :, here]
    believed = (BRIGHTER, GLOSSY) if len(here) > SEEN * prints.light.shape[2] else HARDLY
    gain, gloss = _fitted(target.T, near.T, taught, believed)
    shown = 255 * np.clip(gain[..., None] * taught + gloss[..., None], 0, 1) ** np.float32(1 / POWER)
    left = np.square(shown - target.T[:, None]).sum(axis=(0, 2))
    whole = 1e-6 + float(np.square(target - target.mean(axis=0)).sum()) if len(target) else 1e-6
    ink = prints.ink[which][:, here]
    burnt = ink @ (target >= BURNT).mean(axis=1) / np.maximum(1, ink.sum(axis=1))
    lights = [Light(_three(g), _three(o), float(b)) for g, o, b in zip(gain.T, gloss.T, burnt, strict=True)]
    return lights, np.asarray(left / whole, np.float64)


def _fitted(seen: Image, near: Bools, taught: Floats, believed: tuple[float, float]) -> tuple[Floats, Floats]:
    """Gain and gloss (3 × n) in which n faces' own light is most like what is seen (3 × pixels).

    A byte's error is an error in light, the larger the brighter it is. What is `near` to something burnt counts little.
    """
    brighter, glossy = believed
    burnt = (seen >= BURNT)[:, None]
    rim = np.where(near[:, None] & ~burnt, np.float32(RIM), np.float32(1))
    light = (BYTES**POWER)[seen][:, None]
    slope = np.maximum(light, np.float32(FAINT)) ** np.float32(1 / POWER - 1) / np.float32(POWER)  # of bytes over light
    counts = np.square(slope * np.float32(POWER))
    weight = np.broadcast_to(counts * rim * ~burnt, taught.shape)  # what is not cut off tells the light first
    gain = gloss = np.zeros(taught.shape[:2], np.float32)
    least = np.full(taught.shape[:2], np.inf, np.float32)
    for _ in range(ROUNDS):
        weighed = weight * taught
        ff, sum_f, one = np.einsum("kij,kij->ki", weighed, taught), weighed.sum(axis=2), weight.sum(axis=2) + glossy
        fs, sum_s = (weighed @ light[:, 0, :, None])[..., 0], (weight @ light[:, 0, :, None])[..., 0]
        varies, follows = ff - sum_f * sum_f / one, fs - sum_f * sum_s / one
        # a channel that tells little of its gain has about that of the others
        usual = (follows.sum(axis=0) + brighter) / (varies.sum(axis=0) + brighter)
        tried = np.clip((follows + brighter * usual) / (varies + brighter), *GAINS).astype(np.float32)
        added = np.clip((sum_s - sum_f * tried) / one, *GLOSS).astype(np.float32)
        shown = tried[..., None] * taught
        shown += added[..., None]
        beyond = burnt & (shown >= light)
        away = (shown - light) * (slope * np.float32(255 / OFF))
        away *= away
        away[beyond] = 0
        trusted = rim / (1 + away)
        # where all is burnt out, what is told in one round is no more to be told in the next
        off = (away * trusted).sum(axis=2)
        better = off < least
        least, gain, gloss = np.where(better, off, least), np.where(better, tried, gain), np.where(better, added, gloss)
        weight = counts * trusted
        weight[beyond] = 0
    return gain, gloss


def _three(values: Doubles) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
