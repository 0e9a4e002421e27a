"""Print of another colour than a face's: a component that is drawn alike in other colours is another one.

Where faces are compared, light is evened out, and a pale or small colour then counts little beside many lines. Here
the face is shown as most of what is seen says that this photo shows it, and only hue and saturation count: a lamp, a
shadow or gloss makes a colour paler, and none another.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

OTHER: Final = 22.0  #: so far apart in a* and b* (CIE 1976) two colours are no longer the same in another light,
OTHER_LIT: Final = 30.0  #: … and so far in one that burns things out, which is known less well,
NEAR: Final = (3, 3)  #: … on the mean of so many pixels,
FEWEST: Final = 8  #: … at so many places at least
STRONGER: Final = 1.2  #: a colour may be so many times as saturated as the face's; it may always be paler
CUT_OFF: Final = 248  #: a channel this bright may be any brighter,
WHITE: Final = 245  #: … and where all are, no colour is left
LEAST: Final = 0.1  #: so much of it must be seen to tell how the photo shows a face,
SOME: Final = 2  #: … by every so manieth pixel across and down,
ROUNDS: Final = 3  #: … with less weight, so many times, for what fits badly
BESIDE: Final = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))  #: pixels


def other(
    seen: Image, face: Image, gain: Floats, agreed: Bools, free: Bools | None = None, least: float = OTHER
) -> Bools:
    """Where a colour is `seen` (BGR, a few millimetres to 3 pixels) that the face has not there, nor a pixel beside.

    `gain` (3) brings what is seen to white light. What is `agreed` to be the face tells how this photo shows it;
    nothing is said of what is not `free`.
    """
    nothing = np.zeros(seen.shape[:2], np.bool_)
    tells = (seen.max(axis=2) < CUT_OFF) & agreed
    if free is not None:
        tells &= free
    few = tells[::SOME, ::SOME]
    if np.count_nonzero(few) < LEAST * few.size:
        return nothing
    brightest = np.minimum(255, CUT_OFF * gain).astype(np.float32)
    shown = np.minimum(seen * gain, brightest)
    hues = _hues(shown)
    faces = _hues(_as_shown(face.astype(np.float32), shown, tells, brightest))
    left_out = seen.min(axis=2) >= WHITE if free is None else (seen.min(axis=2) >= WHITE) | ~free
    off = _off(hues, faces)
    off[left_out] = 0
    if cv2.blur(off, NEAR, borderType=cv2.BORDER_CONSTANT).max() <= least:
        return nothing
    rows, columns = off.shape
    for right, down in BESIDE[1:]:
        shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
        moved = cv2.warpAffine(faces, shift, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
        np.minimum(off, _off(hues, np.asarray(moved, np.float32)), out=off)
    found = np.asarray(cv2.blur(off, NEAR, borderType=cv2.BORDER_CONSTANT) > least)
    return found if np.count_nonzero(found) >= FEWEST else nothing


def _hues(picture: Floats) -> Floats:
    """a* and b* of a picture in bytes: h × w × 2."""
    return np.ascontiguousarray(cv2.cvtColor(picture * np.float32(1 / 255), cv2.COLOR_BGR2LAB)[:, :, 1:])


def _off(hues: Floats, faces: Floats) -> Floats:
    """How far each colour is from all that the face's colour may become: paler, down to none, or a little stronger."""
    a, b = hues[:, :, 0], hues[:, :, 1]
    x, y = faces[:, :, 0], faces[:, :, 1]
    share = np.clip((a * x + b * y) / np.maximum(x * x + y * y, 1e-3), 0, STRONGER)
    return np.asarray(np.hypot(a - share * x, b - share * y), np.float32)


def _as_shown(face: Floats, shown: Floats, tells: Bools, brightest: Floats) -> Floats:
    """The face, each channel brighter and paler as most of it is `shown`, where that `tells`."""
    x, y = (picture[::SOME, ::SOME][tells[::SOME, ::SOME]].T for picture in (face, shown))  # 3 × n
    weight, half = np.ones_like(x), x.shape[1] // 2
    for _ in range(ROUNDS):
        total = weight.sum(axis=1, keepdims=True)
        middle, mean = ((weight * values).sum(axis=1, keepdims=True) / total for values in (x, y))
        apart, off = x - middle, y - mean
        power = (weight * apart * apart).sum(axis=1, keepdims=True)
        slope = (weight * apart * off).sum(axis=1, keepdims=True) / np.maximum(power, 1)
        error = np.abs(off - slope * apart)
        usual = 1.5 * np.partition(error, half)[:, half, None] + 1
        weight = 1 / (1 + np.square(error / (2 * usual)))
    return np.asarray(np.clip(face * slope[:, 0] + (mean - slope * middle)[:, 0], 0, brightest), np.float32)
