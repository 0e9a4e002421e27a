"""How far a marker's paper shines into its black on a photo that is too bright, as its own cells tell.

Where paper is brighter than the brightest byte, the edge between it and the black lies farther in the black the more
the photo is blurred: a marker seems smaller by several percent, and with it the whole table larger. But each white
cell within the marker seems larger by as much, and how large cells are is known.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]

CELLS: Final = 6  #: along a marker's side, its black rim among them
FINE: Final = 12  #: pixels of a cell as it is looked at,
INNER: Final = slice(FINE // 4, FINE - FINE // 4)  #: … of which these are not beside another one
POWER: Final = 2.2  #: of a byte that is light
BRIGHTEST: Final = 250  #: a byte this bright may have been cut off
FEW: Final = 16  #: edges that tell it
REACH: Final = 0.55  #: cells from where an edge should be to where it is looked for
LEAST: Final = 0.01  #: cells; less than this is how well an edge is found
MOST: Final = 0.3  #: cells; what seems more is something else
OFF: Final = 0.06  #: cells by which an edge may be off the others


def widened(grey: Image, quad: Floats, cells: Bools) -> Floats:
    """A marker's corners (4 × 2, pixels) where they would be seen in less light.

    They are those that were seen, unless its paper is cut off at white. `cells` (6 × 6) are its white ones.
    """
    framed = np.pad(cells, 1, constant_values=True)
    corners = _corners(0.0)
    seen = cv2.getPerspectiveTransform(quad.astype(np.float32), corners.astype(np.float32))
    side = len(framed) * FINE
    bytes_ = cv2.warpPerspective(grey, seen, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    each = bytes_.reshape(len(framed), FINE, len(framed), FINE)[:, INNER, :, INNER]
    paper = np.median(each.transpose(0, 2, 1, 3)[framed])
    if paper < BRIGHTEST:
        return quad
    by = _shone(np.power(bytes_ / 255.0, POWER), framed)
    if not LEAST < by < MOST:
        return quad
    back = cv2.perspectiveTransform(_corners(by)[None], np.linalg.inv(seen))
    return np.asarray(back[0], np.float64)


def _corners(wider: float) -> Floats:
    """The marker's corners in the picture it is looked at in, so many cells farther out."""
    low, high = (1 - wider) * FINE - 0.5, (CELLS + 1 + wider) * FINE - 0.5
    return np.array([(low, low), (high, low), (high, high), (low, high)])


def _shone(light: Floats, white: Bools) -> float:
    """By how many cells white ones seem larger on each side; 0 where too few edges tell it.

    Where an edge is seen is a place of a grid whose first line and pitch are not known either, and that much aside.
    """
    each = light.reshape(len(white), FINE, len(white), FINE)[:, INNER, :, INNER].mean(axis=(1, 3))
    half = (np.median(each[white]) + np.quantile(each[~white], 0.25)) / 2
    rows: list[tuple[float, ...]] = []
    seen: list[float] = []
    for axis, (picture, cells) in enumerate(((light, white), (light.T, white.T))):
        for row in range(1, CELLS + 1):
            along = picture[row * FINE :][INNER].mean(axis=0)
            for edge in range(1, CELLS + 2):
                if cells[row, edge - 1] == cells[row, edge]:
                    continue
                rises = bool(cells[row, edge])
                place = _crossing(along, edge, half, rises)
                if place is not None:
                    rows.append((axis == 0, axis == 1, (axis == 0) * edge, (axis == 1) * edge, -1.0 if rises else 1.0))
                    seen.append(place)
    known, places = np.array(rows, np.float64), np.array(seen)
    by = 0.0
    for _ in range(2):
        if len(places) < FEW:
            return 0.0
        told = np.linalg.lstsq(known, places, rcond=None)[0]
        off = np.abs(places - known @ told)
        by = float(told[-1])
        near = off < max(OFF, 2.5 * float(np.median(off)))
        known, places = known[near], places[near]
    return by


def _crossing(along: Floats, edge: int, half: float, rises: bool) -> float | None:
    """Where light along a row of cells crosses `half` near an edge (cells); None where it does not, or again."""
    low, high = int((edge - REACH) * FINE), int((edge + REACH) * FINE)
    part = along[low:high]
    crosses = (part[:-1] < half) & (part[1:] >= half) if rises else (part[:-1] >= half) & (part[1:] < half)
    at = np.flatnonzero(crosses)
    if len(at) != 1:
        return None
    i = int(at[0])
    return float(low + i + (half - part[i]) / (part[i + 1] - part[i]) + 0.5) / FINE
