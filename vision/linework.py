"""Faces of fine lines, such as backs, sought over all of the table that is not yet explained.

Features have nothing to hold on to on lines that all look alike, and a fit is drawn towards a line only from within
half the distance to the next. So every place is tried; where most of the face is seen it lies, not a line farther on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import Floats, Gallery, summed
from vision.photo import Pose
from vision.verify import Examiner

BARE_MM: Final = 2.0  #: so far into the bare table its edge may be off
EDGE_MM: Final = 15  #: the table at the photo's edge is not known to be bare
THIN_MM: Final = 7.0  #: what is thinner is an edge of something, or grain
LEAST: Final = 0.12  #: share of a face that must be unexplained
SEEN: Final = 0.25  #: likeness, of the whole face, from which on a place is worth a closer look
APART: Final = 0.3  #: places of one patch are so far apart, in widths of the face,
MOST: Final = 4  #: … and no more than these
TURNS: Final = (0.0, 5.0, -5.0, 10.0, -10.0)  #: degrees by which things turn from the usual
ALIKE: Final = 12.0  #: turns nearer than this (degrees) are tried once


class Linework:
    """Looks for those faces of a gallery that consist of fine lines."""

    def __init__(self, examiner: Examiner, gallery: Gallery) -> None:
        self._examiner = examiner
        self._gallery = gallery
        faces = [summed(gallery.coarsely(entry)) for entry in gallery.fine_entries]
        self._faces = [(turn, _rotated(face, turn)) for face in faces for turn in TURNS]
        self._sought: set[tuple[int, ...]] = set()

    def places(self, turns: Sequence[float]) -> Iterator[Pose]:
        """The best places in each unexplained patch of the table that changed since it was last looked at.

        `turns` (degrees) are those in which things lie on this table.
        """
        width, height = self._gallery.size
        table = self._examiner.taken.table
        turns = _distinct(turns)
        for patch in self._patches():
            x, y, columns, rows, area = patch
            if area < LEAST * width * height * table.scale**2 or patch in self._sought:
                continue
            self._sought.add(patch)
            middle = np.array([x + columns / 2 - 0.5, y + rows / 2 - 0.5]) / table.scale + table.origin
            # the rest of the face may lie under what was found beside the patch
            across, down = (side / table.scale + max(width, height) for side in (columns, rows))
            found = sorted((f for t in turns for f in self._seen(middle, across, down, t)), key=lambda f: -f[0])
            kept: list[Pose] = []
            for _, pose in found:
                if all(np.hypot(pose.x - k.x, pose.y - k.y) > APART * width for k in kept):
                    kept.append(pose)
            yield from kept[:MOST]

    def _patches(self) -> list[tuple[int, ...]]:
        """Left, top, columns, rows and area (pixels of the table's map) of the patches that nothing explains yet."""
        taken = self._examiner.taken
        unexplained = taken.looked_at(BARE_MM)
        edge = round(EDGE_MM * taken.table.scale)
        for side in (np.s_[:edge], np.s_[-edge:], np.s_[:, :edge], np.s_[:, -edge:]):
            unexplained[side] = 0
        thick = np.ones((round(THIN_MM * taken.table.scale),) * 2, np.uint8)
        _, _, patches, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(unexplained, cv2.MORPH_OPEN, thick))
        return [tuple(patch) for patch in np.asarray(patches[1:], np.int64).tolist()]

    def _seen(
        self, middle: NDArray[np.float64], across: float, down: float, turn: float
    ) -> Iterator[tuple[float, Pose]]:
        """Places in a patch (mm, upright) in about this turn, and how much of the face is seen there."""
        c, s = abs(np.cos(np.radians(turn))), abs(np.sin(np.radians(turn)))
        size = (float(c * across + s * down), float(s * across + c * down))
        scale = self._gallery.coarse_scale
        box = Pose(size, float(middle[0]), float(middle[1]), turn)
        shape = (round(size[1] * scale), round(size[0] * scale))
        seen = summed(self._examiner.look(box, shape, scale).values)
        reach = round(APART * self._gallery.size[0] * scale)
        for more, face in self._faces:
            like = cv2.matchTemplate(seen, face, cv2.TM_CCORR_NORMED)
            for _ in range(MOST):
                _, best, _, (x, y) = cv2.minMaxLoc(like)
                if best < SEEN:
                    break
                right = (x + face.shape[1] / 2 - shape[1] / 2) / scale
                below = (y + face.shape[0] / 2 - shape[0] / 2) / scale
                yield best, box.moved(right, below, more).resized(self._gallery.size)
                like[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = -1


def _distinct(turns: Sequence[float]) -> list[float]:
    """The turns without those that are nearly the same as an earlier one; half a turn makes no difference."""
    kept: list[float] = []
    for turn in turns:
        if all(abs((turn - other + 90) % 180 - 90) > ALIKE for other in kept):
            kept.append(turn)
    return kept


def _rotated(face: Floats, turn: float) -> Floats:
    """The face turned clockwise (degrees) about its middle; 0 where its corners leave room."""
    rows, columns = face.shape
    matrix = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), -turn, 1.0)
    return np.asarray(cv2.warpAffine(face, matrix, (columns, rows), flags=cv2.INTER_LINEAR), np.float32)
