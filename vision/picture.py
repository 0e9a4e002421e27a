"""Picture files, read with care: their size is looked at before they are decoded."""

from __future__ import annotations

import io
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
    if raw[:2] == b"\xff\xd8" and b"\xff\xd9" not in raw[-1024:]:
        raise Unreadable(f"{name}: the file is torn, its end is missing; copy it again")
    image = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise Unreadable(f"{name}: the picture is damaged; copy it again or take another")
    return np.asarray(image, np.uint8)


def seen_nothing(image_bgr: Image) -> str:
    """Why nothing can be seen on a photo (black, white, one colour), or ""."""
    small = cv2.resize(image_bgr, (160, 120), interpolation=cv2.INTER_AREA)
    bright, dark = float(np.percentile(small, 99)), float(np.percentile(small, 1))
    if bright < DARK:
        return "the photo is black: is the lens covered, or the light off?"
    if dark > 250:
        return "the photo is burnt out: there is far too much light"
    if bright - dark < 12:
        return "the photo shows nothing but one colour"
    return ""
