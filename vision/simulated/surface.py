"""Table tops and clutter, painted by noise. All pictures are BGR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import Colour, FaceImage, Image

Field = NDArray[np.float32]

PX_PER_MM: Final = 2.0
MARGIN_MM: Final = 260.0  #: a table top goes this far beyond the frame's origin, to all sides
BANDS: Final = 64  #: it is coloured in so many pieces, each small enough to stay near the processor


def _noise(rng: np.random.Generator, shape: tuple[int, int], across: float, down: float) -> Field:
    """Smooth noise of unit deviation whose blots measure about `across` × `down` pixels."""
    small = rng.normal(size=(max(2, int(shape[0] / down) + 3), max(2, int(shape[1] / across) + 3)))
    field = cv2.resize(small.astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(field / max(1e-6, float(field.std())), np.float32)


def _tint(field: Field, dark: Colour, light: Colour) -> Image:
    """Colours between `dark` (0) and `light` (1)."""
    picture = np.empty((*field.shape, 3), np.uint8)
    for band, painted in zip(np.array_split(field, BANDS), np.array_split(picture, BANDS), strict=True):
        share = np.clip(band, 0, 1)
        rest = 1 - share
        for channel, (low, high) in enumerate(zip(dark, light, strict=True)):
            painted[..., channel] = np.float32(low) * rest + np.float32(high) * share
    return picture


def _wood(dark: Colour, light: Colour, plank_mm: float) -> Callable[[np.random.Generator, tuple[int, int]], Image]:
    def paint(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
        rows = np.arange(shape[0], dtype=np.float32)[:, None]
        wander = _noise(rng, shape, 500, 90) * 14
        rings = np.sin((rows + wander) * 0.11 + _noise(rng, shape, 900, 240) * 2.2)
        pores = _noise(rng, shape, 90, 2.2) * 0.06 + _noise(rng, shape, 26, 1.6) * 0.03
        field = 0.52 + rings * 0.10 + _noise(rng, shape, 320, 11) * 0.07 + pores
        plank = np.floor(rows / (plank_mm * PX_PER_MM)).astype(int)
        field = field + rng.normal(0, 0.07, plank.max() + 1).astype(np.float32)[plank]
        groove = np.abs(rows % (plank_mm * PX_PER_MM) - 1.2)
        field = field - np.clip(1.4 - groove, 0, 1) * 0.42
        return _tint(field.astype(np.float32), dark, light)

    return paint


def _woven(dark: Colour, light: Colour, thread_px: float) -> Callable[[np.random.Generator, tuple[int, int]], Image]:
    def paint(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
        along = np.sin(np.arange(shape[1], dtype=np.float32) * (2 * np.pi / thread_px))[None, :]
        down = np.sin(np.arange(shape[0], dtype=np.float32) * (2 * np.pi / thread_px))[:, None]
        slubs = _noise(rng, shape, 60, 2) * 0.05 + _noise(rng, shape, 2, 60) * 0.05
        field = 0.55 + along * down * 0.09 + slubs + _noise(rng, shape, 260, 260) * 0.05
        return _tint(np.asarray(field, np.float32), dark, light)

    return paint


def _stone(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    field = 0.5 + _noise(rng, shape, 180, 120) * 0.08 + _noise(rng, shape, 14, 9) * 0.05
    veins = np.exp(-np.abs(_noise(rng, shape, 420, 260)) * 26) * 0.16
    return _tint(np.asarray(field + veins, np.float32), (56, 50, 46), (112, 104, 98))


SURFACES: Final[Mapping[str, Callable[[np.random.Generator, tuple[int, int]], Image]]] = {
    "oak": _wood((62, 98, 142), (140, 182, 216), 130),
    "walnut": _wood((26, 42, 66), (74, 104, 138), 150),
    "cloth": _woven((62, 84, 34), (98, 124, 58), 5.0),
    "linen": _woven((150, 168, 180), (214, 226, 232), 4.0),
    "slate": _stone,
}


def top(surface: str, rng: np.random.Generator, size_mm: tuple[float, float]) -> Image:
    """A table top at `PX_PER_MM`, reaching `MARGIN_MM` beyond `size_mm` on every side."""
    if surface not in SURFACES:
        raise ValueError(f"no table top is called {surface!r}; there are: {', '.join(SURFACES)}")
    width, height = (round((side + 2 * MARGIN_MM) * PX_PER_MM) for side in size_mm)
    return SURFACES[surface](rng, (height, width))


def marker(number: int, size_mm: float) -> FaceImage:
    """A table marker (DICT_4X4_50) with a white margin of one and a half of its cells."""
    cell = 24
    square = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6 * cell)
    ink = np.clip(square, 26, 240)
    sheet = cv2.copyMakeBorder(ink, *(3 * cell // 2,) * 4, cv2.BORDER_CONSTANT, value=(240, 240, 240))
    side = size_mm * 9 / 6
    return FaceImage(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR).astype(np.uint8), (side, side), 0.5, "clutter")


def clutter(rng: np.random.Generator) -> dict[str, FaceImage]:
    """A phone, a cup of coffee on its saucer, a sheet of notes: things that are no part of any game."""
    phone = np.full((600, 292, 3), 22, np.uint8)
    glow = np.linspace(0, 1, 560, dtype=np.float32)[:, None] * np.ones((1, 264), np.float32)
    phone[20:580, 14:278] = _tint(glow, (140, 80, 50), (190, 150, 120))
    for row in range(5):
        cv2.rectangle(phone, (34, 120 + row * 84), (258, 180 + row * 84), (232, 226, 220), cv2.FILLED)
    cup = np.full((360, 360, 3), 232, np.uint8)
    for radius, paint in ((176, (226, 232, 236)), (128, (205, 212, 218)), (112, (240, 243, 246)), (100, (40, 66, 104))):
        cv2.circle(cup, (180, 180), radius, paint, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(cup, (150, 150), 34, (70, 104, 146), 5, cv2.LINE_AA)
    paper = np.full((594, 420, 3), (236, 240, 240), np.uint8)
    for y in range(60, 540, 30):
        ends = np.cumsum(rng.integers(8, 22, 20)) + 40
        points = [(int(x), int(y + rng.integers(-6, 7))) for x in ends if x < 370]
        cv2.polylines(paper, [np.array(points, np.int32)], False, (120, 60, 40), 2, cv2.LINE_AA)
    return {
        "phone": FaceImage(phone, (73.0, 150.0), 9.0, "clutter"),
        "cup": FaceImage(cup, (120.0, 120.0), 60.0, "clutter"),
        "paper": FaceImage(paper, (148.0, 210.0), 0.3, "clutter"),
    }
