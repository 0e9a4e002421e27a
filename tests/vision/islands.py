"""Tiles with an island each, like those of many games: all nearly the same, and each a little different."""

import cv2
import numpy as np

from vision.simulated import FaceImage, Image

SIDE, PX = 38.0, 4  # mm, and pixels a mm
SIZE = (SIDE, SIDE)


def island(seed: int) -> Image:
    """A tile with sand of some outline in the sea, a bridge to its upper edge on two of three."""
    rng = np.random.default_rng(seed)
    n = round(SIDE * PX)
    sea = cv2.resize(rng.integers(-18, 18, (6, 6)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
    image = np.clip(np.array((150, 110, 60), np.float32) + sea[..., None], 0, 255).astype(np.uint8)
    angles = np.linspace(0, 2 * np.pi, int(rng.integers(8, 12)), endpoint=False) + rng.uniform(0, 1)
    reach = rng.uniform(0.29, 0.36, len(angles)) * n
    sand = int(rng.integers(90, 120)), int(rng.integers(180, 200)), int(rng.integers(210, 225))
    outline = n / 2 + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
    cv2.fillPoly(image, [np.rint(outline).astype(np.int32)], sand, cv2.LINE_AA)
    if seed % 3:
        cv2.rectangle(image, (round(0.28 * n), 0), (round(0.72 * n), n // 2), sand, -1)
    return np.asarray(cv2.circle(image, (n // 2, n // 2), round(0.2 * n), (70, 130, 70), -1, cv2.LINE_AA), np.uint8)


def askew(image: Image, seed: int) -> Image:
    """The picture as one who cut it out badly would have it: turned, larger or smaller, and shifted."""
    rng = np.random.default_rng(seed)
    turn, larger = float(rng.normal(0, 1.5)), float(1 + rng.normal(0, 0.018))
    matrix = cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), turn, larger)
    matrix[:, 2] += rng.normal(0, 0.75, 2) * PX
    moved = cv2.warpAffine(image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def tiles(count: int) -> dict[str, FaceImage]:
    return {f"tile-{i}": FaceImage(island(i), SIZE, kind="tile") for i in range(count)}
