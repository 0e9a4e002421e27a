"""Pictures of the table for people: only the part of it that everybody may see, never faces or what a screen hides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.tabletop import Zone
from vision.plane import Plane

Image = NDArray[np.uint8]

WIDTH: Final = 1280  #: pixels; enough for a television across the room
QUALITY: Final = 85
RING_MM: Final = 30.0  #: around what lies otherwise than it should
WRONG: Final = (60, 70, 255)  #: … and in this colour
DARK: Final = (32, 28, 26)  #: blue, green, red of what is not shown


def public(image: Image, plane: Plane | None, area: Zone) -> Image | None:
    """The picture with everything outside the open part of the table painted over; None when that is not known."""
    if plane is None:
        return None
    outline = np.asarray(plane.to_px(area.outline()), np.float32)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    shown: Image = np.empty_like(image)
    shown[:] = DARK
    cv2.copyTo(image, mask, shown)
    return shown


def ringed(image: Image, plane: Plane, places: Iterable[tuple[float, float]], radius_mm: float = RING_MM) -> Image:
    """The picture with a ring around each of these places of the table (mm)."""
    drawn: Image = image.copy()
    for x, y in places:
        (px, py), (qx, qy) = plane.to_px([(x, y), (x + radius_mm, y)])
        radius, middle = round(float(np.hypot(qx - px, qy - py))), (round(float(px)), round(float(py)))
        for colour, width in ((DARK, 0.28), (WRONG, 0.16)):
            cv2.circle(drawn, middle, radius, colour, max(2, round(width * radius)), cv2.LINE_AA)
    return drawn


def jpeg(image: Image, width: int = WIDTH) -> bytes:
    """The picture as JPEG, at most so many pixels wide."""
    scale = width / image.shape[1]
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
