"""Colours as the table's light would show them under white: linear light, white balance, Lab."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
BURNT = 0.98  # linear light at and above which a channel may have been cut off
_WHITE = np.array([0.9505, 1.0, 1.089])
_FROM_BGR = np.ascontiguousarray(_TO_XYZ[:, ::-1].T / _WHITE)  # relative to white


def linear(bgr: NDArray[np.floating]) -> Floats:
    """Linear light 0–1 from sRGB bytes 0–255 (IEC 61966-2-1), channels in the order given."""
    v = np.asarray(bgr, np.float64) / 255
    return np.asarray(np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4))


LIGHT = linear(np.arange(256.0))  #: of each byte


def lab(light_bgr: Floats) -> Floats:
    """CIE L*a*b* (D65) from linear B, G, R in 0–1, last axis 3."""
    xyz = light_bgr @ _FROM_BGR
    f = np.where(xyz > 0.008856, np.cbrt(np.maximum(xyz, 1e-9)), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def hue_chroma(values: Floats) -> tuple[Floats, Floats]:
    """Hue in degrees 0–360 and chroma of Lab values."""
    a, b = values[..., 1], values[..., 2]
    return np.degrees(np.arctan2(b, a)) % 360, np.hypot(a, b)


def apart(hue: Floats, other: Floats | float) -> Floats:
    """The angle between two hues, 0–180 degrees."""
    return np.asarray(np.abs((hue - other + 180) % 360 - 180))


def paper(image: Image, markers: Iterable[Floats]) -> Floats | None:
    """Linear light (B, G, R) of the white paper around printed markers (4 × 2 corners, px); None without markers.

    Margins that are burnt out tell no colour and are left aside as long as another marker is not.
    """
    seen = []
    for corners in markers:
        middle = corners.mean(axis=0)
        along = np.linspace(0.1, 0.9, 9)[:, None]
        edges = [corners[i] * (1 - along) + corners[(i + 1) % 4] * along for i in range(4)]
        points = (middle + 1.1 * (np.concatenate(edges) - middle)).astype(np.float32)
        ring = cv2.remap(
            image, points[None, :, 0], points[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        seen.append(np.median(ring[0], axis=0))
    if not seen:
        return None
    light = linear(np.array(seen))
    kept = light[light.max(axis=1) < BURNT]
    return np.asarray(np.median(kept if len(kept) else light, axis=0))
