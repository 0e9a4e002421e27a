"""Print of another colour than a face's: a component that is drawn alike in other colours is another one.

Where faces are compared, light is evened out, and a pale or small colour then counts little beside many lines. Here
what is seen is brought to the colours in which the face was taught, as most of it says, and then only hue and
saturation count: a lamp, a shadow or gloss makes a colour paler, and none another.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.channels import channels
from vision.verify import BRIGHTEST

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

OTHER: Final = 18.0  #: so far apart in a* and b* (CIE 1976) two colours are no longer the same in another light,
OTHER_LIT: Final = 40.0  #: … and so far in one that burns things out, which is known less well,
NEAR: Final = (3, 3)  #: … on the mean of so many pixels,
FEWEST: Final = 8  #: … at so many places at least
STRONGER: Final = 1.2  #: a colour may be so many times as saturated as the face's; it may always be paler
CUT_OFF: Final = 248  #: a channel this bright may be any brighter,
DARKER: Final = (CUT_OFF - 1,) * 3  #: … so that colours are told up to here,
PALE: Final = (245, 245, 245)  #: … and where all are this bright, none is left
LEAST: Final = 0.1  #: so much of it must be seen to tell how the photo shows a face,
SOME: Final = 2  #: … by one pixel in so many across and down,
ROUNDS: Final = 3  #: … with less weight, so many times, for what fits badly;
FLATTEST: Final = 0.5  #: … less contrast than this share of the face's is not raised to that
BESIDE: Final = (3, 3)  #: pixels around each whose colours blur, or a fit that is a little off, mixes with its own


def other(seen: Image, face: Image, agreed: Bools, free: Bools | None = None, least: float = OTHER) -> Bools:
    """Where a colour is `seen` (BGR, 4 mm to three pixels) that the face has not there, nor beside it.

    What is `agreed` to be the face tells how this photo shows it; nothing is said of what is not `free`.
    """
    nothing = np.zeros(seen.shape[:2], np.bool_)
    tells = (cv2.inRange(seen, (0, 0, 0), DARKER) > 0) & agreed
    if free is not None:
        tells &= free
    some = np.s_[::SOME, ::SOME]
    few = np.flatnonzero(tells[some])
    if len(few) < LEAST * tells[some].size:
        return nothing
    # (pixels are taken by their numbers in half the time of a mask's)
    slope, rise = shown(*(picture[some].reshape(-1, 3).take(few, axis=0) for picture in (face, seen)))
    # what is seen as it was taught, and the face below it: one array for both
    both = np.empty((2 * len(seen), *seen.shape[1:]), np.uint8)
    as_taught = np.zeros((3, 4))
    as_taught[(0, 1, 2), (0, 1, 2)], as_taught[:, 3] = 1 / slope, -rise / slope
    cv2.transform(np.minimum(seen, np.uint8(CUT_OFF)), as_taught, dst=both[: len(seen)])
    brightest = np.append((CUT_OFF - rise) / slope, 0.0).astype(np.float64)[:, None]
    cv2.min(face, brightest, dst=both[len(seen) :])  # numpy is many times slower along a short axis
    hues = _hues(both)
    off = _off(hues[: len(seen)], hues[len(seen) :])
    off[cv2.inRange(seen, PALE, BRIGHTEST) > 0] = 0
    if free is not None:
        off[~free] = 0
    found = np.asarray(cv2.blur(off, NEAR, borderType=cv2.BORDER_CONSTANT) > least)
    return found if np.count_nonzero(found) >= FEWEST else nothing


def _hues(colours: Image) -> Floats:
    """a* and b*, to whole numbers, of BGR colours (rows × columns × 3): lightness does not count."""
    hues = np.empty((*colours.shape[:2], 2), np.uint8)
    lab = cv2.cvtColor(colours, cv2.COLOR_BGR2Lab)
    cv2.mixChannels([lab], [hues], [1, 0, 2, 1])  # many times faster than numpy along a short axis
    return np.asarray(hues - np.float32(128), np.float32)


def _off(hues: Floats, faces: Floats) -> Floats:
    """How far each colour (a*, b*) is from those that the face may show there: its own and those beside it, blurred.

    Each of them may be paler, down to none, or a little stronger.
    """
    beside = np.ones(BESIDE, np.uint8)
    low = STRONGER * np.minimum(cv2.erode(faces, beside), 0)
    high = STRONGER * np.maximum(cv2.dilate(faces, beside), 0)
    off = np.asarray(np.maximum(np.maximum(low - hues, hues - high), 0), np.float32)
    return np.asarray(cv2.magnitude(*channels(off)), np.float32)


def shown(face: Image, seen: Image) -> tuple[Floats, Floats]:
    """How a photo shows the pixels of a face (n × 3) as it is `seen`: the factor of each channel, and what is added.

    Most of them tell it: what fits badly has little weight.
    """
    x, y = (np.ascontiguousarray(pixels.T, np.float32) for pixels in (face, seen))
    terms, half = np.ones((*x.shape, 5), np.float32), x.shape[1] // 2
    terms[:, :, 1], terms[:, :, 2], terms[:, :, 3], terms[:, :, 4] = x, y, x * x, x * y
    weight: Floats = np.ones_like(x)
    for again in reversed(range(ROUNDS)):
        sums = (weight[:, None] @ terms)[:, 0].tolist()
        line = np.array([_line(*channel) for channel in sums], np.float32)
        slope, rise = line[:, :1], line[:, 1:]
        if again:
            error = np.abs(y - rise - slope * x)
            usual = 1.5 * np.partition(error, half)[:, half, None] + 1
            weight = np.asarray(1 / (1 + np.square(error / (2 * usual))), np.float32)
    return slope[:, 0], rise[:, 0]


def _line(total: float, x: float, y: float, xx: float, xy: float) -> tuple[float, float]:
    """The slope of a line through weighted points, and where it starts, by the sums of weights, x, y, x² and xy."""
    slope = max((xy - x * y / total) / max(xx - x * x / total, 1.0), FLATTEST)
    return slope, (y - slope * x) / total
