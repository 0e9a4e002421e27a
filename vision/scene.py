"""The table from above without what is known of it: prints and bare table are taken away together with the light.

What is left to see is what stands there, in the colours it was taught in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import background
from vision.edges import Edges
from vision.photo import Photo
from vision.topview import TopView

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SCALE: Final = 1.4  #: pixels per millimetre of the view
LIGHT_MM: Final = 51  #: pixels within which the light's strength is taken to be even
HOLD: Final = 0.15  #: how much the wider surroundings count


@dataclass(frozen=True, slots=True)
class Ground:
    """Something flat whose print is known, lying on the table: its face (BGR) and its corners in table mm, 4 × 2."""

    face: Image
    corners: Floats


@dataclass(frozen=True, slots=True)
class Scene:
    """The table from above in the light it was taught in: as seen, its bare ground, and where nothing is sought."""

    seen: Image
    ground: Image
    hidden: Mask
    edges: Edges  # of the view as it was photographed
    print: Mask  # where the ground is a known print
    table: background.Tabletop
    origin: Floats  # mm of the first pixel's corner
    eye: Floats

    @classmethod
    def of(cls, photo: Photo, grounds: Sequence[Ground], hidden: Iterable[Floats]) -> Scene:
        view = TopView.of(photo.image, photo.plane, SCALE)
        origin = np.array(view.origin) - 0.5 / SCALE
        rows, columns = view.picture.shape[:2]
        soft = np.asarray(cv2.GaussianBlur(view.picture, (3, 3), 0), np.uint8)
        known = np.where(view.picture.max(axis=2) == 0, 255, 0).astype(np.uint8)
        for outline in hidden:
            cv2.fillConvexPoly(known, _pixels(outline, origin), 255)
        printed = known.copy()
        for ground in grounds:
            cv2.fillConvexPoly(printed, _pixels(ground.corners, origin), 255)
        table = background.tabletop(soft, SCALE, np.zeros((0, 2)), np.zeros(0), printed)
        seen = soft.astype(np.float32) * photo.gain
        bare = table.ground((columns, rows)) * photo.gain
        for ground in grounds:
            low = np.maximum(_pixels(ground.corners, origin).min(axis=0), 0)
            high = np.minimum(_pixels(ground.corners, origin).max(axis=0) + 1, (columns, rows))
            box = slice(low[1], high[1]), slice(low[0], high[0])
            face, inside = _laid(ground, origin + low / SCALE, (int(high[0] - low[0]), int(high[1] - low[1])))
            inside &= known[box] == 0
            seen[box] = np.where(inside[..., None], _relit(soft[box], face, inside), seen[box])
            bare[box] = np.where(inside[..., None], face, bare[box])
        seen8, bare8 = (np.asarray(cv2.convertScaleAbs(v), np.uint8) for v in (seen, bare))
        return cls(
            seen8,
            bare8,
            known > 0,
            Edges.of(view.picture),
            (printed > 0) & (known == 0),
            table,
            origin,
            np.array(photo.plane.eye()),
        )


def _pixels(outline: Floats, origin: Floats) -> NDArray[np.int32]:
    """An outline in mm in the view's pixels."""
    return np.rint((outline - origin) * SCALE - 0.5).astype(np.int32)


def _laid(ground: Ground, origin: Floats, size: tuple[int, int]) -> tuple[Image, Mask]:
    """The face as it lies in a view of `size` (columns, rows) whose first corner is `origin`, and where it is."""
    height, width = ground.face.shape[:2]
    edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(edges, ((ground.corners - origin) * SCALE - 0.5).astype(np.float32))
    fewer = cv2.GaussianBlur(ground.face, (3, 3), 0)
    face = cv2.warpPerspective(fewer, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
    return np.asarray(face, np.uint8), cv2.erode(inside, np.ones((3, 3), np.uint8)) > 128


def _relit(seen: Image, face: Image, inside: Mask) -> Single:
    """The photo in the light the face was taught in, by what the two have in common around each pixel.

    Brightness may change within a hand's breadth, the light's colour only slowly; things that stand on the print
    differ too much to count.
    """
    there, here = np.log(seen.astype(np.float32) + 6), np.log(face.astype(np.float32) + 6)
    gain = there - here
    weight = inside * np.exp(-np.square((np.abs(gain - np.median(gain[inside], axis=0)).max(axis=-1)) / 0.5))
    near, far = (LIGHT_MM, LIGHT_MM), (4 * LIGHT_MM + 1, 4 * LIGHT_MM + 1)
    smooth = gain
    for _ in range(4):
        weight = weight.astype(np.float32)
        sums = gain * weight[..., None]
        wide = cv2.blur(sums, far) / (cv2.blur(weight, far) + 1e-4)[..., None]
        local = (cv2.blur(sums, near) + HOLD * wide) / (cv2.blur(weight, near) + HOLD)[..., None]
        brightness = local.mean(axis=-1, keepdims=True)
        smooth = brightness + (wide - wide.mean(axis=-1, keepdims=True))
        weight = inside * np.exp(-np.square(np.abs(gain - smooth).max(axis=-1) / 0.12))
    return np.asarray(np.clip(np.exp(there - smooth) - 6, 0, 255), np.float32)
