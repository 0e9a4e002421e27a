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
GLOSS: Final = (-0.1, 1.0)  #: … and what gloss adds, as a share of the brightest there is:
TAKES: Final = -0.05  #: … less than this takes light away, as a steep camera may from all channels alike,
UNEVEN: Final = 0.15  #: … but nothing takes from one so much more than from another
BRIGHTER: Final = 0.02  #: pixels' worth of belief that a light is as bright as usual: often it is not,
GLOSSY: Final = 0.2  #: … and that there is no gloss: seldom there is much
SEEN: Final = 0.6  #: of a face of which less than this is seen a light is hardly told: its place is not sure, either
HARDLY: Final = (15.0, 15.0)  #: … and that much is then believed
TOGETHER: Final = 64  #: lights of so many faces are told at a time: more numbers than these leave the cache
LIGHT: Final[Floats] = np.asarray((np.arange(256, dtype=np.float32) / 255) ** POWER, np.float32)  #: of each byte


def linear(picture: Image) -> Floats:
    """The light (0 to 1) that a picture's bytes show: that is what a lens, and a coarser picture, mixes."""
    return np.asarray(cv2.LUT(picture, LIGHT), np.float32)


def pictured(light: cv2.typing.MatLike) -> Image:
    """A picture of that much light (0 to 1)."""
    return np.asarray(cv2.convertScaleAbs(cv2.pow(light, 1 / POWER), alpha=255.0), np.uint8)


@dataclass(frozen=True, slots=True)
class Light:
    """Gain and gloss (1 is the brightest byte) of each channel: blue, green, red.

    `burnt` is the share of the print that is cut off.
    """

    gain: tuple[float, float, float]
    gloss: tuple[float, float, float]
    burnt: float = 0.0

    @property
    def possible(self) -> bool:
        """Whether there may be such a light: one that makes a face like another's print may have to take a colour."""
        return min(self.gloss) > TAKES or max(self.gloss) - min(self.gloss) < UNEVEN

    def shown(self, picture: Image) -> Image:
        """What a photo in this light shows of a picture (h × w × 3)."""
        return np.asarray(cv2.LUT(picture, tables([self])[0].astype(np.uint8)), np.uint8)


def tables(lights: Sequence[Light]) -> Floats:
    """What photos in n lights show of each byte: n × 256 × 1 × 3, to be looked up in."""
    gain, gloss = (np.array([getattr(light, what) for light in lights], np.float32) for what in ("gain", "gloss"))
    light = LIGHT * gain[..., None] + gloss[..., None]  # n × 3 × 256: numpy is slow along a short axis
    shown = cv2.pow(np.minimum(np.maximum(light, 0), 1).reshape(-1, 256), 1 / POWER)
    each = np.asarray(np.rint(255 * shown), np.float32).reshape(-1, 3, 256, 1)
    return np.ascontiguousarray(each.transpose(0, 2, 3, 1))


class Prints:
    """Faces as lights are told by them: every so many pixels of n pictures (n × h × w × 3)."""

    def __init__(self, faces: Image) -> None:
        sampled = faces[:, ::EVERY, ::EVERY].reshape(len(faces), -1, 3)
        #: each channel's own light, 3 × n × pixels
        self.light: Floats = np.ascontiguousarray(LIGHT[sampled].transpose(2, 0, 1))
        #: what is no white paper, n × pixels
        self.ink: Bools = sampled.min(axis=2) < PAPER * sampled.max(axis=(1, 2), initial=0)[:, None]


def fitted(seen: Image, weight: Floats, prints: Prints, which: Sequence[int]) -> tuple[list[Light], Doubles]:
    """For these of the faces the light in which each is most like what is seen, and how unlike it stays.

    `weight` (h × w) is 0 where something else lies. Unlikeness is the share of the variance left, about 0 to 1.
    """
    here = np.flatnonzero(weight[::EVERY, ::EVERY])
    if not len(here):  # nothing that is seen tells another light
        return [Light((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))] * len(which), np.zeros(len(which))
    target = seen[::EVERY, ::EVERY].reshape(-1, 3)[here]
    cut = (seen >= BURNT).astype(np.uint8)
    near = cv2.dilate(cut, np.ones((3, 3), np.uint8))[::EVERY, ::EVERY].reshape(-1, 3)[here] > 0
    burnt = target >= BURNT
    order = np.argsort(burnt.any(axis=1), kind="stable")  # what is cut off comes last
    here, target, near, burnt = here[order], target[order], near[order], burnt[order]
    photo = _Seen.of(target, near & ~burnt, burnt)
    believed = (BRIGHTER, GLOSSY) if len(here) > SEEN * prints.light.shape[2] else HARDLY
    whole = 1e-6 + float(np.square(target - target.mean(axis=0)).sum())
    lights: list[Light] = []
    unlike = np.zeros(len(which))
    for start in range(0, len(which), TOGETHER):
        some = np.asarray(which[start : start + TOGETHER], np.intp)
        taught = np.take(prints.light[:, some], here, axis=2)
        gain, gloss = _fitted(photo, taught, believed)
        shown = np.multiply(taught, gain[..., None], out=taught)
        shown += gloss[..., None]
        np.minimum(np.maximum(shown, 0, out=shown), 1, out=shown)
        off = 255 * cv2.pow(shown.reshape(-1, len(here)), 1 / POWER).reshape(shown.shape) - target.T[:, None]
        unlike[start : start + TOGETHER] = np.einsum("kij,kij->i", off, off) / whole
        ink = prints.ink[some][:, here]
        share = ink @ burnt.mean(axis=1) / np.maximum(1, ink.sum(axis=1))
        lights += [Light(_three(g), _three(o), float(b)) for g, o, b in zip(gain.T, gloss.T, share, strict=True)]
    return lights, unlike


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of a place, channel by channel (3 × 1 × pixels); those that are cut off in any come last.

    A byte's error is an error in light, the larger the brighter it is. What is near to something burnt counts little.
    """

    light: Floats
    rim: Floats  #: how much a pixel counts by what it lies beside,
    counts: Floats  #: … and by how exactly its byte tells light
    steep: Floats  #: bytes over light, in units of `OFF`
    sums: Floats  #: 3 × pixels × 2: what sums of weights, and of weighted light, are made with
    burnt: Bools
    whole: int  #: so many of the pixels are cut off in none

    @classmethod
    def of(cls, target: Image, rim: Bools, burnt: Bools) -> _Seen:
        """Of these pixels (n × 3), some of them at the `rim` of what is `burnt`."""
        light = LIGHT[target.T[:, None]]
        slope = np.maximum(light, np.float32(FAINT)) ** np.float32(1 / POWER - 1) / np.float32(POWER)
        return cls(
            light,
            np.where(rim.T[:, None], np.float32(RIM), np.float32(1)),
            np.square(slope * np.float32(POWER)),
            slope * np.float32(255 / OFF),
            np.stack([np.ones_like(light[:, 0]), light[:, 0]], axis=2),
            burnt.T[:, None],
            int(np.count_nonzero(~burnt.any(axis=1))),
        )


def _fitted(seen: _Seen, taught: Floats, believed: tuple[float, float]) -> tuple[Floats, Floats]:
    """Gain and gloss (3 × n) in which n faces' own light (3 × n × pixels) is most like what is seen."""
    brighter, glossy = believed
    some = np.s_[:, :, seen.whole :]  # pixels that may be cut off
    weight = np.repeat(seen.counts * seen.rim * ~seen.burnt, taught.shape[1], axis=1)  # the others tell the light first
    most = np.where(seen.burnt[some], np.float32(0), np.float32(np.inf))
    buffer = np.empty_like(taught)
    gain = gloss = np.zeros(taught.shape[:2], np.float32)
    least = np.full(taught.shape[:2], np.inf, np.float32)
    for _ in range(ROUNDS):
        weighed = np.multiply(weight, taught, out=buffer)
        one, sum_s = np.moveaxis(weight @ seen.sums, 2, 0)
        sum_f, fs = np.moveaxis(weighed @ seen.sums, 2, 0)
        ff = np.einsum("kij,kij->ki", weighed, taught)
        one = one + glossy
        varies, follows = ff - sum_f * sum_f / one, fs - sum_f * sum_s / one
        # a channel that tells little of its gain has about that of the others
        usual = (follows.sum(axis=0) + brighter) / (varies.sum(axis=0) + brighter)
        tried = np.clip((follows + brighter * usual) / (varies + brighter), *GAINS).astype(np.float32)
        added = np.clip((sum_s - sum_f * tried) / one, *GLOSS).astype(np.float32)
        away = np.multiply(taught, tried[..., None], out=buffer)
        away += added[..., None]
        away -= seen.light
        away *= seen.steep
        cut = np.minimum(away[some], most, out=away[some])
        told = cut != most  # what is cut off and shown no darker is as it should be
        away *= away
        away += 1
        trusted = np.divide(seen.rim, away, out=buffer)
        # where all is burnt out, what is told in one round is no more to be told in the next
        off = seen.rim.sum(axis=2) - trusted.sum(axis=2)
        better = off < least
        least, gain, gloss = np.where(better, off, least), np.where(better, tried, gain), np.where(better, added, gloss)
        np.multiply(seen.counts, trusted, out=weight)
        weight[some] *= told
    return gain, gloss


def _three(values: Doubles) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
