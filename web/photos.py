"""Photos sent by phones: held to a size before they are decoded, and made new, so that nothing else comes with them."""

from __future__ import annotations

import io
import warnings
from threading import Semaphore
from typing import Final

from flask import request
from PIL import Image, ImageOps
from werkzeug.exceptions import RequestEntityTooLarge

from web.port import Refused

LARGEST: Final = 12_000_000  # bytes as they come
MOST_PIXELS: Final = 25_000_000
LONGEST_SIDE: Final = 4032  # pixels of what is kept
QUALITY: Final = 92
KINDS: Final = ("JPEG", "PNG")

one_at_a_time: Final = Semaphore()  # a decoded photo takes 75 MB


def received() -> bytes:
    """The body of this request, which may be larger than that of others. Raises Refused."""
    request.max_content_length = LARGEST
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise Refused("photo_size") from None


def clean(data: bytes) -> bytes:
    """The picture as a new JPEG: upright, and without whatever else was in the file (place, time, device).

    Its size is read before anything is decoded. Raises Refused (`photo_kind`, `photo_size`).
    """
    if len(data) > LARGEST:
        raise Refused("photo_size")
    with one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd notes in a file that can be read
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(io.BytesIO(data), formats=KINDS) as image:
                return _made_new(image)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise Refused("photo_size") from None
        except Refused:
            raise
        except Exception:  # a broken file makes its reader stumble over anything
            raise Refused("photo_kind") from None


def _made_new(image: Image.Image) -> bytes:
    if image.width * image.height > MOST_PIXELS:
        raise Refused("photo_size")
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(image).convert("RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    bare = Image.new("RGB", upright.size)
    bare.paste(upright)
    out = io.BytesIO()
    bare.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
