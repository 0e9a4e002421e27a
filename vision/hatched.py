"""Hatching, and other pale print in the colour of a card's own ink, that a face has not, or that is missing.

Hatching is finer than what faces are compared by, so that a shape with and without it looks alike there. But it takes
some of its ink's colour from the light of white paper. How much is told beside the paper around it, by hue alone: a
shadow, or gloss, has none.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

OTHER: Final = 0.155  #: of full ink; on photographs a face and itself differed by up to 0.13, its twin by 0.185 or more
COLOURED: Final = 0.25  #: an ink that is nearly black or grey tells by its hue no more than one this far from grey
PATCH: Final = (3, 3)  #: pixels (4 mm to three) all over which it must be missing, or be seen,
EVEN: Final = 0.2  #: … beside none of which the face has an edge of more contrast than this,
PALE: Final = 0.45  #: … nor more ink
BESIDE: Final = (3, 3)  #: pixels around each that are beside it
STRENGTHS: Final = (0.5, 1.3)  #: print is seen as this many times as strong as it was taught
PAPER: Final = (11, 11)  #: … and so far there is paper beside all print
DARKEST: Final = 8.0  #: grey value of paper below which nothing is told


def other(seen: Image, face: Image, free: Bools | None = None) -> Bools:
    """Where what is `seen` (BGR, 4 mm to three pixels) has more or less of a face's ink, all over a patch.

    Nothing is said of what is not `free`.
    """
    there, taught = _taken(seen), _taken(face)
    ink = np.sqrt(np.square(np.maximum(taught, 0)).mean(axis=(0, 1)))
    ink /= max(1e-6, float(np.linalg.norm(ink)))
    hue = ink - ink.mean()
    colour = float(np.linalg.norm(hue))
    even = _even(taught)
    if free is not None:
        even &= free
    nothing = np.zeros(even.shape, np.bool_)
    if not even.any() or colour < 1e-3:
        return nothing
    strength = _strength(there, taught, ~even if free is None else free & ~even)
    more = np.asarray((there / strength - taught) @ (hue / (colour * max(colour, COLOURED))), np.float32)
    more -= np.median(more[even])
    more[~even] = 0
    share = cv2.blur(even.astype(np.float32), PATCH, borderType=cv2.BORDER_CONSTANT)
    whole = share > 1 - 1e-3
    return np.asarray(whole & (np.abs(cv2.blur(more, PATCH, borderType=cv2.BORDER_CONSTANT)) > OTHER))


def _strength(there: Floats, taught: Floats, where: Bools) -> float:
    """How strong print is on a photo, beside how it was taught: haze and blur make it paler."""
    own = taught[where]
    power = float(np.vdot(own, own))
    low, high = STRENGTHS
    return min(high, max(low, float(np.vdot(there[where], own)) / power)) if power > 0 else 1.0


def _taken(picture: Image) -> Floats:
    """How much of the light of the paper around it each channel of each pixel lacks."""
    paper = cv2.blur(cv2.dilate(cv2.blur(picture, BESIDE), np.ones(PAPER, np.uint8)), PAPER).astype(np.float32)
    return np.asarray(1 - picture / np.maximum(paper, DARKEST), np.float32)


def _even(taken: Floats) -> Bools:
    """Where a face is pale, and has no edge beside it."""
    beside = np.ones(BESIDE, np.uint8)
    contrast = cv2.dilate(taken, beside) - cv2.erode(taken, beside)
    return np.asarray((contrast.max(axis=2) < EVEN) & (taken.max(axis=2) < PALE))
