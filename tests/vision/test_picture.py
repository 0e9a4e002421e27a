"""Picture files: what is whole is read whatever hangs on it, what is torn is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import picture
from vision.picture import Unreadable

SCENE = np.random.default_rng(5).integers(0, 255, (200, 240, 3), np.uint8)
END = b"\xff\xd9"


def jpeg(*flags: int) -> bytes:
    return cv2.imencode(".jpg", SCENE, flags)[1].tobytes()


def with_preview(raw: bytes) -> bytes:
    """The JPEG with a small one of its own in its EXIF part."""
    preview = b"Exif\0\0" + cv2.imencode(".jpg", SCENE[:32, :32])[1].tobytes()
    return raw[:2] + b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview + raw[2:]


KINDS = {
    "plain": jpeg(),
    "progressive": jpeg(cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "restarts": jpeg(cv2.IMWRITE_JPEG_RST_INTERVAL, 4),
    "preview": with_preview(jpeg()),
}


@pytest.mark.parametrize("raw", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("after", [b"", b"SEFT" + bytes(2000), bytes(range(200)) * 1000], ids=["", "short", "film"])
def test_a_whole_jpeg_is_read_whatever_hangs_on_its_end(raw: bytes, after: bytes) -> None:
    assert picture.decode(raw + after, "photo").shape == SCENE.shape


@pytest.mark.parametrize("raw", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_a_torn_jpeg_is_refused(raw: bytes, share: float) -> None:
    with pytest.raises(Unreadable, match="the file is torn"):
        picture.decode(raw[: int(share * len(raw))], "photo")


def test_the_end_of_a_preview_is_not_the_end_of_its_photo() -> None:
    raw = KINDS["preview"]
    torn = raw[: raw.index(END) + 900]
    assert END in torn[-1024:]
    with pytest.raises(Unreadable, match="the file is torn"):
        picture.decode(torn, "photo")
