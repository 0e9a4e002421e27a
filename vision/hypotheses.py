"""Where on a photo features say that components may lie, if the table lies in a plane.

What tells features apart is seen within 21 mm around them. Of a strip that shows beneath other cards little is so wide:
where time does not press, features are looked for at twice the scale as well, and see half as far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import features
from vision.deck import Face
from vision.features import Describer, FaceIndex
from vision.photo import Pose
from vision.plane import Plane
from vision.topview import TopView

Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The features of a deck's faces, `grow` times as large as they are: so much finer are they looked at."""

    index: FaceIndex
    describer: Describer
    grow: float = 1.0

    @classmethod
    def finer(cls, faces: Iterable[Face], describer: Describer, grow: float) -> Self:
        """Of faces as if they were so many times as large."""
        large = [replace(f, size=(grow * f.size[0], grow * f.size[1]), scale=f.scale / grow) for f in faces]
        return cls(FaceIndex(large, describer), describer, grow)

    def poses(self, picture: Image, plane: Plane, least: int, within: TopView | None = None) -> list[Pose]:
        """Where at least so many features agree that a component lies, the best place first; each place once.

        The picture is a photo, grey or in colour. Features are looked for where `within` is not 0.
        """
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
        scale = features.SCALE * self.grow
        if within is None:
            view = TopView.of(np.asarray(grey, np.uint8), plane, scale)
            corners = self.describer.corners(view.picture)
        else:
            view = TopView.of(np.asarray(grey, np.uint8), plane, scale, _box(within))
            corners = self.describer.corners(view.picture, within.spread(within.picture, view))
        origin = self.grow * view.origin[0], self.grow * view.origin[1]
        seen = self.describer.describe(view.picture, corners, features.PER_CELL).shifted(origin)
        kept: list[Pose] = []
        for pose in features.poses(self.index.votes(seen), self.index.sizes, least):
            if not any(self._one(pose, other) for other in kept):
                kept.append(pose)
        return [self._shrunk(pose) for pose in kept]

    def _one(self, pose: Pose, other: Pose) -> bool:
        """Whether two poses are those of one component, for which features may vote several times."""
        turned = abs((pose.turn - other.turn + 180) % 360 - 180)
        near = np.hypot(pose.x - other.x, pose.y - other.y) < features.NEAR_MM * self.grow
        return bool(near and turned < np.degrees(features.NEAR_TURN) and pose.size == other.size)

    def _shrunk(self, pose: Pose) -> Pose:
        width, height = pose.size
        size = width / self.grow, height / self.grow
        return replace(pose, size=size, x=pose.x / self.grow, y=pose.y / self.grow)


def _box(within: TopView) -> tuple[Doubles, Doubles]:
    """Two corners (mm) between which a map is not 0."""
    x, y, width, height = cv2.boundingRect(within.picture)
    ends = np.array([(x, y), (x + width, y + height)], np.float64)
    low, high = ends / within.scale + within.origin
    return low, high
