"""Picture files, read with care: their size is looked at before they are decoded."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

Image = NDArray[np.uint8]

MOST_PIXELS: Final = 25_000_000
LEAST_SIDE: Final = 160
SOI: Final = b"\xff\xd8"  #: a JPEG begins,
SOS: Final = 0xDA  #: … its data follow,
EOI: Final = 0xD9  #: … it ends
ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})  #: markers without a length
IN_SCAN: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)  #: a marker that ends a scan's data
ROWS: Final = 360  #: about so many of a photo tell whether anything is seen on it
DARK: Final = 24  #: a photo whose brightest hundredth is darker than this is black


class Unreadable(ValueError):
    """A file that is no usable picture; the message says why and what to do."""


def read(path: Path | str, least: int = LEAST_SIDE) -> Image:
    """The picture in this file, BGR, turned upright as the camera says. Raises Unreadable.

    `least`: its shorter side must have so many pixels.
    """
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise Unreadable(f"{file}: cannot be read ({error.strerror or error})") from error
    return decode(raw, str(file), least)


def decode(raw: bytes, name: str, least: int = LEAST_SIDE) -> Image:
    """The picture in these bytes; `name` is what messages call it. Raises Unreadable."""
    if not raw:
        raise Unreadable(f"{name}: the file is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a picture too large, which is refused below
            with Pillow.open(io.BytesIO(raw)) as header:
                width, height = header.size
    except Exception as error:  # Pillow raises what its many readers raise
        raise Unreadable(f"{name}: not a picture (JPEG and PNG can be read)") from error
    if width * height > MOST_PIXELS:
        raise Unreadable(f"{name}: {width} × {height} pixels are more than can be taken in; 25 megapixels are the most")
    if min(width, height) < least:
        raise Unreadable(f"{name}: {width} × {height} pixels are too few to see a table on")
    if raw[:2] == SOI and _torn(raw):
        raise Unreadable(f"{name}: the file is torn, its end is missing; copy it again")
    image = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise Unreadable(f"{name}: the picture is damaged; copy it again or take another")
    return np.asarray(image, np.uint8)


def _torn(jpeg: bytes) -> bool:
    """Whether the end of a JPEG's own picture is missing. A preview within it has an end of its own, and what a phone
    puts after it (a film, a depth map) none that matters."""
    at = len(SOI)
    while at + 4 <= len(jpeg):
        if jpeg[at] != 0xFF:
            return bytes((0xFF, EOI)) not in jpeg[at:]  # no JPEG as it should be: any end will do
        kind = jpeg[at + 1]
        if kind == EOI:
            return False
        if kind == 0xFF or kind in ALONE:
            at += 1 if kind == 0xFF else 2
            continue
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        if kind == SOS:  # until the next marker, which in a scan no data can look like
            found = IN_SCAN.search(jpeg, at)
            if found is None:
                return True
            at = found.start()
    return jpeg[at : at + 2] != bytes((0xFF, EOI))


def seen_nothing(image_bgr: Image) -> str:
    """Why nothing can be seen on a photo (black, white, one colour), or ""."""
    some = image_bgr[:: max(1, len(image_bgr) // ROWS)]
    small = cv2.resize(some, (160, 120), interpolation=cv2.INTER_AREA)
    below = np.cumsum(np.bincount(small.ravel(), minlength=256))
    dark, bright = np.searchsorted(below, (0.01 * small.size, 0.99 * small.size)).tolist()
    if bright < DARK:
        return "the photo is black: is the lens covered, or the light off?"
    if dark > 250:
        return "the photo is burnt out: there is far too much light"
    if bright - dark < 12:
        return "the photo shows nothing but one colour"
    return ""
