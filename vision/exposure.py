"""How a taught face looks in light that is too strong for the photo: brightened, and cut off where it is burnt out.

Other light multiplies a face's own light, channel by channel, and gloss adds a light of its own; a photo's bytes are a
power of both together. Beyond the brightest byte nothing is told apart. What a burnt pixel tells is that it must be at
least as bright.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

BURNT: Final = 250.0  #: a byte this bright may have been cut off
PAPER: Final = 0.85  #: what is so bright in all channels, compared with a face's brightest byte, is its white paper
EVERY: Final = 2  #: every so many pixels of a row, and rows, are enough to tell a light by
ROUNDS: Final = 6  #: of fitting a light, and of telling what it burns out
POWER: Final = 2.2  #: of a byte that is light
OFF: Final = 24.0  #: bytes by which a pixel may be off before it is rather something else that lies there
RIM: Final = 0.1  #: what counts a pixel beside one that is cut off: some of its light may have been cut off, too
FAINT: Final = 0.08  #: light below which a byte is no finer than noise
GAINS: Final = (0.2, 8.0)  #: between these lies how many times the light is that a face was taught in,
GLOSS: Final = (-0.1, 1.0)  #: … and what gloss adds, as a share of the brightest there is
BRIGHTER: Final = 0.02  #: pixels' worth of belief that a light is as bright as usual: often it is not,
GLOSSY: Final = 0.2  #: … and that there is no gloss: seldom there is much
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


def fitted(seen: Image, weight: Floats, faces: Image) -> tuple[list[Light], Doubles]:
    """For each of n faces (n × h × w × 3) the light in which it is most like what is seen, and how unlike it stays.

    `weight` (h × w) is 0 where something else lies. Unlikeness is the share of the variance left, about 0 to 1.
    """
    here = weight[::EVERY, ::EVERY].ravel() > 0
    target = seen[::EVERY, ::EVERY].reshape(-1, 3)[here]
    prints = faces[:, ::EVERY, ::EVERY].reshape(len(faces), -1, 3)[:, here]
    cut = (seen >= BURNT).astype(np.uint8)
    near = cv2.dilate(cut, np.ones((3, 3), np.uint8))[::EVERY, ::EVERY].reshape(-1, 3)[here] > 0
    gains, glosses, shown = _fitted(target.T, prints.transpose(2, 0, 1), near.T)
    away = shown - target.T[:, None].astype(np.float32)
    left = np.einsum("kij,kij->i", away, away)
    whole = 1e-6 + float(np.square(target - target.mean(axis=0)).sum()) if len(target) else 1e-6
    ink = prints.min(axis=2) < PAPER * prints.max(axis=(1, 2), initial=0)[:, None]
    cut_off = ink @ (target >= BURNT).mean(axis=1) / np.maximum(1, ink.sum(axis=1))
    lights = [Light(_three(g), _three(o), float(b)) for g, o, b in zip(gains.T, glosses.T, cut_off, strict=True)]
    return lights, np.asarray(left / whole)


def _fitted(seen: Image, faces: Image, near: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Gain and gloss (3 × n) in which n faces (3 × n × pixels) are most like what is seen (3 × pixels).

    And what they show in it. A byte's error is an error in light, the larger the brighter it is.
    """
    burnt = (seen >= BURNT)[:, None]
    rim = np.where(near[:, None] & ~burnt, np.float32(RIM), np.float32(1))
    light, f = (BYTES**POWER)[seen][:, None], (BYTES**POWER)[faces]
    counts = np.maximum(light, np.float32(FAINT)) ** np.float32(2 / POWER - 2)
    trusted = np.broadcast_to(~burnt * rim, f.shape)  # what is not cut off tells the light first
    for _ in range(ROUNDS):
        w = trusted * counts
        wf = w * f
        ff, sum_f, one = np.einsum("kij,kij->ki", wf, f), wf.sum(axis=2), w.sum(axis=2) + GLOSSY
        fs, sum_s = np.einsum("kij,kij->ki", wf, np.broadcast_to(light, f.shape)), (w * light).sum(axis=2)
        varies, follows = ff - sum_f * sum_f / one, fs - sum_f * sum_s / one
        # a channel that tells little of its gain has about that of the others
        usual = (follows.sum(axis=0) + BRIGHTER) / (varies.sum(axis=0) + BRIGHTER)
        gain = np.clip((follows + BRIGHTER * usual) / (varies + BRIGHTER), *GAINS).astype(np.float32)
        gloss = np.clip((sum_s - sum_f * gain) / one, *GLOSS).astype(np.float32)
        shown = 255 * np.clip(gain[..., None] * f + gloss[..., None], 0, 1) ** np.float32(1 / POWER)
        away = (shown - seen[:, None]) / np.float32(OFF)
        trusted = rim * ~(burnt & (shown >= BURNT)) / (1 + away * away)
    return gain, gloss, np.asarray(shown, np.float32)


def _three(values: Doubles) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
