"""The everyday names of colours, and whether one can be told."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

COLOURLESS: Final = 0.17  #: chroma over lightness below which a colour has no hue,
FAINT: Final = 0.1  #: … or in another light might have one
BURNT: Final = 245.0  #: a channel of the photo this bright may have been brighter;
WASHED: Final = 0.2  #: … and then what looks white but is not as faint as this may have been any colour
HUES: Final = (
    ("red", 345, 38),
    ("orange", 38, 70),
    ("yellow", 70, 112),
    ("green", 112, 200),
    ("blue", 200, 315),
    ("purple", 315, 345),
)  #: the everyday names of hues, degrees in Lab,
BROWN: Final = (20, 80)  #: … and those of brown,
IN_LIGHT: Final = 112  #: … up to this where a lamp burns out its red;
DULL: Final = 0.95  #: it is no stronger than this,
WOODEN: Final = 0.7  #: … and no stronger than this where it may be some orange as well
IN_OTHER_LIGHT: Final = {"brown": ("orange", "yellow", "grey"), "white": ("grey", "yellow")}


def told(
    bgr: NDArray[np.floating],
    gain: NDArray[np.floating],
    among: Collection[str] | None = None,
    paler_print: bool = False,
) -> str | None:
    """The name a colour is sure to have: not too faint for another light, not burnt out to another hue, or None.

    Where it can only be one of several (`among`), a faint colour has that name which is one of them, and brown is what
    much light made orange or, where `paler_print` shows that it is no white, hardly any colour at all; that is never
    white. A `gain` that is the same for all channels does not tell which colour the light has.
    """
    names = {colour_name(bgr), colour_name(bgr, FAINT)}
    burnt = bgr / gain >= BURNT
    if among is not None:
        lit = paler_print or (names == {"orange"} and np.ptp(gain) > 0 and not burnt.any())
        if lit and "brown" in among and not {"orange", "yellow"} & set(among) and _warm(bgr):
            return "brown"
        names &= set(among) - ({"white"} if paler_print else set())
    if len(names) != 1:
        return None
    name = names.pop()
    if not burnt.any():
        return name
    return name if name == "white" and (burnt.all() or _lab(bgr)[1] < WASHED) else None


def _warm(bgr: NDArray[np.floating]) -> bool:
    """Whether a colour may be a brown one's in some light."""
    _, strength, hue = _lab(bgr)
    return FAINT < strength < WOODEN and BROWN[0] < hue < IN_LIGHT


def maybe(bgr: NDArray[np.floating], among: Collection[str]) -> bool:
    """Whether light of another colour, or more of it, may have made a colour of one of these names."""
    seen = {colour_name(bgr), colour_name(bgr, FAINT)}
    return any(seen & {name, *IN_OTHER_LIGHT.get(name, ())} for name in among)


def colour_name(bgr: NDArray[np.floating], colourless: float = COLOURLESS) -> str:
    """The everyday name of a colour (B, G, R, 0 to 255 for white, under white light).

    One that is brighter than white has the name of what is as bright as white.
    """
    light, strength, hue = _lab(bgr)
    if strength < colourless:
        return "white" if light > 68 else "black" if light < 30 else "grey"
    if light > 85 and strength < 0.3:
        return "white"
    if BROWN[0] < hue < BROWN[1] and light < 58 and strength < DULL:
        return "brown"
    return next(name for name, low, high in HUES if (hue - low) % 360 < (high - low) % 360)


def _lab(bgr: NDArray[np.floating]) -> tuple[float, float, float]:
    """Lightness, chroma over lightness, and hue in degrees, in Lab."""
    pixel = np.maximum(np.asarray(bgr, np.float32) / max(255.0, float(np.max(bgr))), 0).reshape(1, 1, 3)
    light, a, b = (float(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab)[0, 0])
    return light, float(np.hypot(a, b)) / (light + 16), float(np.degrees(np.arctan2(b, a)) % 360)
