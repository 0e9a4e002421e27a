"""Where exactly the print of taught faces is seen, once it is about known how they lie: points, tracked one by one.

Each face is held against the photo as it should look there, and corners of its print are tracked to where they are
(Lucas, Kanade, 1981; in a pyramid: Bouguet, 2001). What hides a part of it hides some of its points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Face
from vision.gallery import evened, summed
from vision.photo import Pose
from vision.plane import Plane

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Single = NDArray[np.float32]

SCALE: Final = 2.0  #: px/mm in which points are tracked,
NAMED: Final = 0.75  #: … and in which it is told which face it is
MARGIN_MM: Final = 6.0  #: around a face that is looked at as well
CORNERS: Final = 150  #: of a face's print, at most,
APART_MM: Final = 2.0  #: … so far from each other,
STRONG: Final = 0.02  #: … each as strong as this share of the strongest
WINDOW: Final = (15, 15)  #: pixels around a corner that are tracked,
LEVELS: Final = 2  #: … and how often they are halved
BACK_PX: Final = 0.7  #: a point tracked there and back must come so near to where it began,
FAR_MM: Final = 5.0  #: … and lies no farther off than this
TOGETHER_MM: Final = 0.7  #: all that are found move together, but for so much
LEAST: Final = 12  #: points of a face, with fewer of which nothing is told
GREY: Final = 40.0  #: grey values of a usual contrast


class Tracker:
    """The faces of a deck, ready to be tracked."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self._faces = faces
        self._small: dict[tuple[float, float], tuple[list[Face], Single]] = {}
        self._drawn: dict[str, tuple[Image, Single]] = {}

    def points(self, image_bgr: Image, plane: Plane, pose: Pose) -> tuple[Floats, NDArray[np.complex128]] | None:
        """Where on the table (n × 2, mm) points of a component are that lies about there, and where on its face.

        The latter from its middle, mm, as complex numbers. None where too few points of any face are found again.
        """
        around = self._seen(image_bgr, plane, pose, SCALE)
        drawn, corners = self._corners(self._named(around, pose))
        seen = _evened(around, SCALE)
        there, kept = _tracked(drawn, seen, corners)
        kept &= np.linalg.norm(there - corners, axis=1) < FAR_MM * SCALE
        kept &= _as_one(corners, there, kept)
        if np.count_nonzero(kept) < LEAST:
            return None
        middle = np.array([seen.shape[1], seen.shape[0]]) / 2 - 0.5
        face, place = ((points[kept] - middle) / SCALE for points in (corners, there))
        return _placed(np.asarray(place, np.float64), pose), face @ np.array([1, 1j])

    def _named(self, around: Image, pose: Pose) -> Face:
        """The face that is most like what is seen there."""
        if pose.size not in self._small:
            faces = [face for face in self._faces if face.size == pose.size]
            drawn = np.stack([_colours(_resized(face.image, _shape(face.size, NAMED)), NAMED) for face in faces])
            self._small[pose.size] = faces, drawn
        faces, drawn = self._small[pose.size]
        margin = round(MARGIN_MM * SCALE)
        seen = _resized(around[margin:-margin, margin:-margin], (drawn.shape[1], drawn.shape[2]))
        values = _colours(seen, NAMED)
        like = np.einsum("nijk,ijk->n", drawn, values) / np.sqrt(np.einsum("nijk,nijk->n", drawn, drawn))
        return faces[int(like.argmax())]

    def _corners(self, face: Face) -> tuple[Image, Single]:
        """A face as it is tracked, with a margin, and its corners (n × 2, pixels)."""
        if face.name not in self._drawn:
            margin = round(MARGIN_MM * SCALE)
            rows, columns = _shape(face.size, SCALE)
            picture = cv2.copyMakeBorder(
                _resized(face.image, (rows, columns)), margin, margin, margin, margin, cv2.BORDER_REPLICATE
            )
            drawn = _evened(np.asarray(picture, np.uint8), SCALE)
            inside = np.zeros(drawn.shape, np.uint8)
            inside[margin:-margin, margin:-margin] = 255
            found = cv2.goodFeaturesToTrack(drawn, CORNERS, STRONG, APART_MM * SCALE, mask=inside)
            corners = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
            self._drawn[face.name] = drawn, corners
        return self._drawn[face.name]

    def _seen(self, image_bgr: Image, plane: Plane, pose: Pose, scale: float) -> Image:
        """What is seen at a pose, upright, with a margin around."""
        width, height = pose.size
        across, down = width / 2 + MARGIN_MM, height / 2 + MARGIN_MM
        corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
        rows, columns = _shape(pose.size, scale)
        rows, columns = rows + 2 * round(MARGIN_MM * scale), columns + 2 * round(MARGIN_MM * scale)
        ends = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)]) - 0.5
        there = plane.to_px(_placed(corners, pose))
        matrix = cv2.getPerspectiveTransform(ends.astype(np.float32), there.astype(np.float32))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(
            image_bgr, matrix, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8)


def _placed(mm: Floats, pose: Pose) -> Floats:
    """Places on the table of places on a component, both mm."""
    turn = np.radians(pose.turn)
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(mm @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y), np.float64)


def _shape(size: tuple[float, float], scale: float) -> tuple[int, int]:
    """Rows and columns."""
    return round(size[1] * scale), round(size[0] * scale)


def _resized(picture: Image, shape: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def _colours(picture: Image, scale: float) -> Single:
    return evened(picture, scale)


def _evened(picture: Image, scale: float) -> Image:
    """A picture (BGR) in grey, in whatever light."""
    values = summed(evened(picture, scale)) / 3
    return np.asarray(np.clip(np.rint(GREY * np.sqrt(3) * values + 128), 0, 255), np.uint8)


def _tracked(one: Image, other: Image, points: Single) -> tuple[Single, NDArray[np.bool_]]:
    """Where points of one picture are on another (n × 2), and which of them are found there."""
    if not len(points):
        return points, np.zeros(0, np.bool_)
    there, found, _ = cv2.calcOpticalFlowPyrLK(one, other, points, None, winSize=WINDOW, maxLevel=LEVELS)
    back, again, _ = cv2.calcOpticalFlowPyrLK(other, one, there, None, winSize=WINDOW, maxLevel=LEVELS)
    near = np.linalg.norm(back - points, axis=1) < BACK_PX
    return np.asarray(there, np.float32), (found.ravel() > 0) & (again.ravel() > 0) & near


def _as_one(points: Single, there: Single, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the points that are found moved as those of one flat thing do."""
    together = np.zeros(len(points), np.bool_)
    if np.count_nonzero(found) >= LEAST:
        _, mask = cv2.findHomography(points[found], there[found], cv2.RANSAC, TOGETHER_MM * SCALE)
        if mask is not None:
            together[np.flatnonzero(found)] = mask.ravel() > 0
    return together
