"""How a taught face looks in light that is too strong for the photo: brightened, and cut off where it is burnt out.

A photo's bytes are about a power of the light, so other light multiplies them, channel by channel, and gloss adds to
them; beyond the brightest byte nothing is told apart. What a burnt pixel tells is that it must be at least as bright.
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
ROUNDS: Final = 4  #: of fitting a light, and of telling what it burns out
GAINS: Final = (0.4, 4.0)  #: between these lies how much brighter than taught a face may be,
GLOSS: Final = (-60.0, 160.0)  #: … and what gloss adds
USUAL: Final = np.array([1.0, 0.0])  #: gain and gloss where little can be told,
PRIOR: Final = np.array([400.0, 0.2])  #: … and how much that weighs, in pixels of unit brightness


@dataclass(frozen=True, slots=True)
class Light:
    """Gain and gloss (bytes) of each channel: blue, green, red; `burnt` is the share of the print that is cut off."""

    gain: tuple[float, float, float]
    gloss: tuple[float, float, float]
    burnt: float = 0.0

    def shown(self, picture: Image) -> Image:
        """What a photo in this light shows of a picture (h × w × 3)."""
        return np.asarray(cv2.transform(picture, np.column_stack([np.diag(self.gain), self.gloss])), np.uint8)


def fitted(seen: Image, weight: Floats, faces: Image) -> tuple[list[Light], Doubles]:
    """For each of n faces (n × h × w × 3) the light in which it is most like what is seen, and how unlike it stays.

    `weight` (h × w) is 0 where something else lies. Unlikeness is the share of the variance left, about 0 to 1.
    """
    here = weight[::EVERY, ::EVERY].ravel() > 0
    target = seen[::EVERY, ::EVERY].reshape(-1, 3)[here].astype(np.float32)
    prints = faces[:, ::EVERY, ::EVERY].reshape(len(faces), -1, 3)[:, here].astype(np.float32)
    gains, glosses = np.ones((len(faces), 3)), np.zeros((len(faces), 3))
    left, whole = np.zeros(len(faces)), 1e-6
    for channel in range(3):
        s, f = target[:, channel], prints[:, :, channel]
        burnt = s >= BURNT
        gain, gloss = np.ones(len(faces), np.float32), np.zeros(len(faces), np.float32)
        before: NDArray[np.bool_] | None = None
        for _ in range(ROUNDS):
            told = ~(burnt & (gain[:, None] * f + gloss[:, None] >= BURNT))
            if before is not None and (told == before).all():  # nothing would change any more
                break
            before = told
            used = np.where(told, f, np.float32(0))
            one, sum_f, sum_s = told.sum(axis=1), used.sum(axis=1), told @ s
            ff, fs = np.einsum("ij,ij->i", used, used), used @ s
            a = ff + PRIOR[0] * 255
            d = one + PRIOR[1] * len(s)
            right = fs + PRIOR[0] * 255 * USUAL[0]
            determinant = a * d - sum_f * sum_f
            gain = np.clip((right * d - sum_f * sum_s) / determinant, *GAINS).astype(np.float32)
            gloss = np.clip((sum_s - sum_f * gain) / d, *GLOSS).astype(np.float32)
        away = np.clip(gain[:, None] * f + gloss[:, None], 0, 255) - s
        left += np.einsum("ij,ij->i", away, away)
        whole += float(np.square(s - s.mean()).sum()) if len(s) else 0.0
        gains[:, channel], glosses[:, channel] = gain, gloss
    ink = prints.min(axis=2) < PAPER * prints.max(axis=(1, 2), initial=0)[:, None]
    cut_off = ink @ (target >= BURNT).mean(axis=1) / np.maximum(1, ink.sum(axis=1))
    lights = [Light(_three(g), _three(o), float(b)) for g, o, b in zip(gains, glosses, cut_off, strict=True)]
    return lights, np.asarray(left / whole)


def _three(values: Doubles) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
