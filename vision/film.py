"""A film of a table on which little moves: one whole picture, then of each frame only the blocks that changed.

What a film gives back is the same, byte for byte, when it is recorded and whenever it is played: whoever looks at the
frames that `Recorder.add` returns sees exactly what others see later. A block that did not change keeps the look it
had (noise and all), so a table at rest costs next to nothing.

A frame is stored as its size (two numbers of 16 bits), the length of the packed mask (32 bits), the mask (one bit for
each block of 16 × 16 pixels, row by row, packed by zlib; empty for a whole picture) and a JPEG of the whole picture
or of the changed blocks, 64 abreast. All numbers little-endian.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]  #: (rows, columns) of blocks

BLOCK: Final = 16
CELL: Final = 4  #: blocks are compared in cells of so many pixels, so that print on a card that moved a little is seen
ACROSS: Final = 64  #: blocks abreast in a JPEG of blocks
LEVELS: Final = 4.0  #: a cell has changed when it differs by so many grey levels beyond its noise
NOISE_TIMES: Final = 3.0
WHOLE_SHARE: Final = 0.6  #: where more of the picture changed than this, all of it is stored
QUALITY: Final = 92
HEADER: Final = struct.Struct("<HHI")


class BrokenFilm(ValueError):
    """The data of a frame cannot be read."""


class Recorder:
    """Packs the frames of one camera in order."""

    def __init__(self, quality: int = QUALITY) -> None:
        self._options = [
            cv2.IMWRITE_JPEG_QUALITY, quality,
            cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
        ]  # fmt: skip
        self._player = Player()

    def changed(self, image: Image) -> float:
        """The share of the picture that differs from the frame packed last (1 for the first one)."""
        mask = self._mask(image)
        return 1.0 if mask is None else float(mask.mean())

    def add(self, image: Image) -> tuple[Image, bytes]:
        """The frame (BGR, at most 65,535 pixels a side) as it is played back, and its data."""
        height, width = image.shape[:2]
        mask = self._mask(image)
        if mask is None or mask.mean() > WHOLE_SHARE:
            packed, picture = b"", image
        else:
            packed, picture = zlib.compress(np.packbits(mask).tobytes()), _mosaic(image, mask)
        jpeg = b"" if picture.size == 0 else cv2.imencode(".jpg", picture, self._options)[1].tobytes()
        data = HEADER.pack(width, height, len(packed)) + packed + jpeg
        return self._player.play(data), data

    def _mask(self, image: Image) -> Mask | None:
        """Which blocks changed; None when there is nothing to compare with."""
        then = self._player.shown
        if then is None or then.shape != image.shape:
            return None
        far = cv2.absdiff(_cells(image), _cells(then)).max(axis=2).astype(np.float32)
        cells = far > LEVELS + NOISE_TIMES * float(np.median(far[::4, ::4]))
        rows, columns = _grid(image)
        whole = np.zeros((rows * BLOCK // CELL, columns * BLOCK // CELL), np.bool_)
        whole[: cells.shape[0], : cells.shape[1]] = cells
        return np.asarray(whole.reshape(rows, BLOCK // CELL, columns, BLOCK // CELL).any(axis=(1, 3)), np.bool_)


class Player:
    """Unpacks frames in the order in which they were packed."""

    def __init__(self) -> None:
        self.shown: Image | None = None  #: the newest frame; nobody changes it

    def play(self, data: bytes) -> Image:
        """The frame in this data; raises BrokenFilm."""
        try:
            width, height, length = HEADER.unpack_from(data)
            packed, jpeg = data[HEADER.size : HEADER.size + length], data[HEADER.size + length :]
            shown = self._patched(width, height, packed, jpeg) if length else _decoded(jpeg, (height, width))
        except (struct.error, zlib.error, cv2.error, ValueError) as error:
            raise BrokenFilm(f"a frame of the film is damaged: {error}") from error
        shown.flags.writeable = False
        self.shown = shown
        return shown

    def _patched(self, width: int, height: int, packed: bytes, jpeg: bytes) -> Image:
        if self.shown is None or self.shown.shape[:2] != (height, width):
            raise ValueError("it continues another frame")
        rows, columns = _grid(self.shown)
        mask = np.unpackbits(np.frombuffer(zlib.decompress(packed), np.uint8), count=rows * columns).astype(np.bool_)
        count = int(mask.sum())
        if not count:
            return self.shown.copy()
        down = -(-count // ACROSS)
        mosaic = _decoded(jpeg, (down * BLOCK, min(count, ACROSS) * BLOCK))
        blocks = mosaic.reshape(down, BLOCK, -1, BLOCK, 3).swapaxes(1, 2).reshape(-1, BLOCK, BLOCK, 3)
        padded = _padded(self.shown)
        padded.reshape(rows, BLOCK, columns, BLOCK, 3).swapaxes(1, 2)[mask.reshape(rows, columns)] = blocks[:count]
        return np.ascontiguousarray(padded[:height, :width])


def _mosaic(image: Image, mask: Mask) -> Image:
    """The blocks of the mask side by side, the last row filled up."""
    rows, columns = mask.shape
    blocks = _padded(image).reshape(rows, BLOCK, columns, BLOCK, 3).swapaxes(1, 2)[mask]
    if not len(blocks):
        return np.empty((0, 0, 3), np.uint8)
    across, down = min(len(blocks), ACROSS), -(-len(blocks) // ACROSS)
    filled = np.concatenate([blocks, np.repeat(blocks[-1:], across * down - len(blocks), axis=0)])
    return np.ascontiguousarray(
        filled.reshape(down, across, BLOCK, BLOCK, 3).swapaxes(1, 2).reshape(down * BLOCK, across * BLOCK, 3)
    )


def _padded(image: Image) -> Image:
    """A copy made larger to whole blocks."""
    rows, columns = _grid(image)
    height, width = image.shape[:2]
    more = (0, rows * BLOCK - height, 0, columns * BLOCK - width)
    return np.asarray(cv2.copyMakeBorder(image, *more, cv2.BORDER_REPLICATE), np.uint8)


def _grid(image: Image) -> tuple[int, int]:
    """Rows and columns of blocks, those at the edge counted whole."""
    height, width = image.shape[:2]
    return -(-height // BLOCK), -(-width // BLOCK)


def _cells(image: Image) -> Image:
    height, width = image.shape[:2]
    size = (max(1, width // CELL), max(1, height // CELL))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _decoded(jpeg: bytes, size: tuple[int, int]) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None or image.shape[:2] != size:
        raise ValueError("its picture is missing or has another size")
    return np.asarray(image, np.uint8)
