"""A few strokes of paint: tables, glass beads and cards drawn by formula, for tests that must know the truth."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

GLASS = {"red": (40, 30, 190), "yellow": (40, 180, 220), "green": (70, 140, 40), "blue": (180, 60, 40)}  # B, G, R
LAMP = np.array([-0.35, -0.45, 0.82])


@dataclass(frozen=True, slots=True)
class FlatPlane:
    """A camera straight above: `scale` pixels a millimetre, the table's origin at the photo's first pixel."""

    scale: float = 1.5
    first: tuple[int, int] = (0, 0)  #: the photo's first pixel, if it was cut from a larger one

    def to_mm(self, px: ArrayLike, height: float = 0.0) -> Floats:
        return (np.asarray(px, np.float64).reshape(-1, 2) + self.first + 0.5) / self.scale

    def to_px(self, mm: ArrayLike, height: float = 0.0) -> Floats:
        return np.asarray(mm, np.float64).reshape(-1, 2) * self.scale - 0.5 - self.first

    def resized(self, factor: float) -> Self:
        assert factor == 1 or self.first == (0, 0)
        return replace(self, scale=self.scale * factor)

    def cropped(self, left: int, top: int) -> Self:
        return replace(self, first=(self.first[0] + left, self.first[1] + top))


class Painting:
    """A table top seen from above that things are put on; coordinates are pixels."""

    def __init__(self, colour: tuple[int, int, int], size: tuple[int, int] = (900, 600), seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        width, height = size
        self.light = np.tile(np.array(colour, np.float64) / 255, (height, width, 1)) ** 2.2

    def grain(self, strength: float) -> Self:
        """Streaks along x, as wood has them."""
        streaks = self.random.normal(0, 1, (self.light.shape[0], 6))
        streaks = np.apply_along_axis(lambda v: np.convolve(v, np.ones(7) / 7, "same"), 0, streaks)
        across = np.repeat(streaks, self.light.shape[1] // 6 + 1, axis=1)[:, : self.light.shape[1]]
        self.light *= np.exp(strength * across)[..., None]
        return self

    def check(self, other: tuple[int, int, int], cell: int) -> Self:
        """A chequered cloth."""
        height, width = self.light.shape[:2]
        y, x = np.mgrid[:height, :width]
        self.light[(x // cell + y // cell) % 2 == 1] = (np.array(other) / 255) ** 2.2
        return self

    def rectangle(self, x: int, y: int, width: int, height: int, colour: tuple[int, int, int]) -> Self:
        self.light[y : y + height, x : x + width] = (np.array(colour) / 255) ** 2.2
        return self

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        colour: tuple[int, int, int],
        glass: bool = True,
        long: float = 1.0,
        turn: float = 0.0,
    ) -> Self:
        """A sphere of coloured glass with a glint and a shadow, or else a flat print with a drawn highlight.

        With `long` times its width it is as long an egg of the same area, `turn` degrees turned.
        """
        left, top = max(0, int(x - 2 * radius)), max(0, int(y - 2 * radius))
        patch = self.light[top : int(y + 2 * radius) + 2, left : int(x + 2 * radius) + 2]
        rows, columns = np.mgrid[: patch.shape[0], : patch.shape[1]]
        dx, dy = (columns + left - x) / radius, (rows + top - y) / radius
        if long != 1:
            c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            dx, dy = (c * dx + s * dy) / np.sqrt(long), (c * dy - s * dx) * np.sqrt(long)
        away = np.hypot(dx, dy)
        paint = np.tile((np.array(colour) / 255) ** 2.2, (*away.shape, 1))
        if glass:
            shadow = np.clip(1.5 - np.hypot(dx - 0.45, dy - 0.55), 0, 1)
            patch *= (1 - 0.45 * shadow)[..., None]
            up = np.sqrt(np.clip(1 - away**2, 0, 1))
            facing = np.clip(dx * LAMP[0] + dy * LAMP[1] + up * LAMP[2], 0, 1)
            paint *= (0.45 + 0.75 * facing)[..., None]
            paint += (facing**60)[..., None] * 0.8
        else:
            paint += (np.hypot(dx + 0.3, dy + 0.35) < 0.25)[..., None] * 0.5
        share = np.clip((1 - away) * radius + 0.5, 0, 1)[..., None]
        patch[:] = patch * (1 - share) + paint * share
        return self

    def lamp(self, x: float, y: float, reach: float, rest: float) -> Self:
        """Light that falls off from (x, y) to `rest` of what it was."""
        rows, columns = np.mgrid[: self.light.shape[0], : self.light.shape[1]]
        away = np.hypot(columns - x, rows - y) / reach
        self.light *= (rest + (1.2 - rest) * np.exp(-(away**2)))[..., None]
        return self

    def photo(self, noise: float = 2.0, cast: tuple[float, float, float] = (1, 1, 1)) -> Image:
        """What a camera makes of it: colour cast (B, G, R), gamma, a soft lens, noise."""
        grey = np.clip(self.light * np.array(cast), 0, 1) ** (1 / 2.2) * 255
        for axis in (0, 1):
            grey = (np.roll(grey, 1, axis) + 2 * grey + np.roll(grey, -1, axis)) / 4
        return np.clip(grey + self.random.normal(0, noise, grey.shape), 0, 255).astype(np.uint8)
