"""Colours as the table's light would show them under white: linear light, white balance, Lab."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.9505, 1.0, 1.089])


def linear(bgr: NDArray[np.floating]) -> Floats:
    """Linear light 0–1 from sRGB bytes 0–255 (IEC 61966-2-1), channels in the order given."""
    v = np.asarray(bgr, np.float64) / 255
    return np.asarray(np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4))


def lab(light_bgr: Floats) -> Floats:
    """CIE L*a*b* (D65) from linear B, G, R in 0–1, last axis 3."""
    xyz = light_bgr[..., ::-1] @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > 0.008856, np.cbrt(np.maximum(xyz, 1e-9)), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def hue_chroma(values: Floats) -> tuple[Floats, Floats]:
    """Hue in degrees 0–360 and chroma of Lab values."""
    a, b = values[..., 1], values[..., 2]
    return np.degrees(np.arctan2(b, a)) % 360, np.hypot(a, b)


def apart(hue: Floats, other: Floats | float) -> Floats:
    """The angle between two hues, 0–180 degrees."""
    return np.asarray(np.abs((hue - other + 180) % 360 - 180))
