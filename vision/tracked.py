"""Where exactly the print of taught faces is seen, once it is about known how they lie: points, tracked one by one.

Each face is held against the photo as it should look there, and corners of its print are tracked to where they are
(Lucas, Kanade, 1981; in a pyramid: Bouguet, 2001). What hides a part of it hides some of its points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck, Face
from vision.features import COMPLEX
from vision.gallery import TURNS, evened, summed
from vision.photo import Pose
from vision.plane import Plane

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Bools = NDArray[np.bool_]

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
LEAST: Final = 6  #: points of a face, with fewer of which nothing is told
SHARED_MM: Final = 2.0  #: a point is another face's, too, that has its like so near:
SHARED: Final = 0.8  #: correlation of what is around the two
AMID: Final = 4  #: a corner that has so many points around it
AMID_MM: Final = 9.0  #: … so near must be seen as well
GREY: Final = 40.0  #: grey values of a usual contrast


@dataclass(frozen=True, slots=True)
class Seen:
    """n points of a face that are seen: where on the table (n × 2, mm), and which of the face's corners they are.

    `print` is where they are on the face: mm from its middle, as complex numbers. `share` of its corners are seen.
    """

    face: Face
    table: Floats
    corners: Single
    print: NDArray[np.complex128]
    share: float

    @property
    def pose(self) -> Pose:
        """Where the component lies by all of its points."""
        there = self.table @ COMPLEX
        turn = np.vdot(self.print - self.print.mean(), there - there.mean())
        middle = there.mean() - self.print.mean() * turn / max(1e-9, abs(turn))
        return Pose(self.face.size, float(middle.real), float(middle.imag), float(np.degrees(np.angle(turn))) % 360)


class Tracker:
    """The faces of a deck, ready to be tracked."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._small: dict[tuple[float, float], tuple[list[Face], Single]] = {}
        self._drawn: dict[str, tuple[Image, Single]] = {}
        self._alone: dict[str, Bools] = {}

    def seen(self, image_bgr: Image, plane: Plane, pose: Pose) -> Seen | None:
        """The points of the component that lies about there; None where too few of any are seen.

        The photo is best no finer than twice SCALE there.
        """
        around = _around(image_bgr, plane, pose)
        face = self._likest(around, pose)
        drawn, corners = self._corners(face)
        there, kept = _tracked(drawn, _grey(around), corners, FAR_MM)
        kept &= _as_one(corners, there, kept)
        if np.count_nonzero(kept) < LEAST:
            return None
        middle = np.array([around.shape[1], around.shape[0]]) / 2 - 0.5
        on_face, place = ((points[kept] - middle) / SCALE for points in (corners, there))
        table = _placed(np.asarray(place, np.float64), pose)
        return Seen(face, table, corners[kept], on_face @ COMPLEX, float(kept.mean()))

    def own(self, seen: Seen) -> tuple[int, float]:
        """How many of the points are this face's only, and the share of such that are seen of all amid what is seen.

        No other face has their like there, nor has it itself turned otherwise. Print that many faces share says nothing
        about which it is, and is on faces that were never taught.
        """
        _, corners = self._corners(seen.face)
        alone = self._alone_of(seen.face)
        away = np.linalg.norm(corners[:, None] - seen.corners, axis=2)
        found = away.min(axis=1) == 0
        amid = (away < AMID_MM * SCALE).sum(axis=1) - found >= AMID
        asked = alone & amid
        return int(np.count_nonzero(alone & found)), float(found[asked].mean()) if asked.any() else 0.0

    def _alone_of(self, face: Face) -> Bools:
        """Which of a face's corners no other has, nor it itself turned otherwise."""
        if face.name not in self._alone:
            drawn, corners = self._corners(face)
            alone = np.ones(len(corners), np.bool_)
            for other in self._others(face):
                there, shared = _tracked(drawn, other, corners, SHARED_MM)
                alone &= ~(shared & (_alike(drawn, corners, other, there) > SHARED))
            self._alone[face.name] = alone
        return self._alone[face.name]

    def _others(self, face: Face) -> list[Image]:
        """All that may lie where a face seems to: the others of its size that mean something else, and its turns."""
        meaning = self._deck.meaning(face.name)
        others = [f for f in self._deck.faces if f.size == face.size and self._deck.meaning(f.name) != meaning]
        turns = TURNS if face.size[0] == face.size[1] else TURNS[1:2]
        turned = [_rotated(self._corners(face)[0], turn) for turn in turns] if self._deck.turn_tells(face.name) else []
        return [*(self._corners(other)[0] for other in others), *turned]

    def _likest(self, around: Image, pose: Pose) -> Face:
        """The face that is most like what is seen there."""
        if pose.size not in self._small:
            alike = [face for face in self._deck.faces if face.size == pose.size]
            pictures = [evened(_resized(face.image, _shape(face.size, NAMED)), NAMED) for face in alike]
            self._small[pose.size] = (
                alike,
                np.stack([each / max(1e-6, float(np.linalg.norm(each))) for each in pictures]),
            )
        faces, drawn = self._small[pose.size]
        margin = round(MARGIN_MM * SCALE)
        inner = _resized(around[margin:-margin, margin:-margin], (drawn.shape[1], drawn.shape[2]))
        like = drawn.reshape(len(faces), -1) @ evened(inner, NAMED).ravel()
        return faces[int(like.argmax())]

    def _corners(self, face: Face) -> tuple[Image, Single]:
        """A face as it is tracked, with a margin, and its corners (n × 2, pixels)."""
        if face.name not in self._drawn:
            margin = round(MARGIN_MM * SCALE)
            small = _resized(face.image, _shape(face.size, SCALE))
            picture = cv2.copyMakeBorder(small, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
            drawn = _grey(np.asarray(picture, np.uint8))
            inside = np.zeros(drawn.shape, np.uint8)
            inside[margin:-margin, margin:-margin] = 255
            found = cv2.goodFeaturesToTrack(drawn, CORNERS, STRONG, APART_MM * SCALE, mask=inside)
            corners = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
            self._drawn[face.name] = drawn, corners
        return self._drawn[face.name]


def _around(image_bgr: Image, plane: Plane, pose: Pose) -> Image:
    """What is seen at a pose, upright, with a margin around."""
    width, height = pose.size
    across, down = width / 2 + MARGIN_MM, height / 2 + MARGIN_MM
    corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
    rows, columns = (n + 2 * round(MARGIN_MM * SCALE) for n in _shape(pose.size, SCALE))
    ends = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)]) - 0.5
    there = plane.to_px(_placed(corners, pose))
    matrix = cv2.getPerspectiveTransform(ends.astype(np.float32), there.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(image_bgr, matrix, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
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


def _rotated(picture: Image, turn: int) -> Image:
    return np.asarray(cv2.rotate(picture, turn), np.uint8)


def _grey(picture: Image) -> Image:
    """A picture (BGR, SCALE px/mm) in grey, in whatever light."""
    values = summed(evened(picture, SCALE)) / np.float32(np.sqrt(3))
    return np.asarray(np.clip(np.rint(GREY * values + 128), 0, 255), np.uint8)


def _tracked(one: Image, other: Image, points: Single, far_mm: float) -> tuple[Single, Bools]:
    """Where points of one picture are on another (n × 2), and which of them are found there, no farther than that."""
    if not len(points):
        return points, np.zeros(0, np.bool_)
    there, found, _ = cv2.calcOpticalFlowPyrLK(one, other, points, points.copy(), winSize=WINDOW, maxLevel=LEVELS)
    back, again, _ = cv2.calcOpticalFlowPyrLK(other, one, there, points.copy(), winSize=WINDOW, maxLevel=LEVELS)
    near = np.linalg.norm(back - points, axis=1) < BACK_PX
    near &= np.linalg.norm(there - points, axis=1) < far_mm * SCALE
    return np.asarray(there, np.float32), (found.ravel() > 0) & (again.ravel() > 0) & near


def _alike(one: Image, points: Single, other: Image, there: Single) -> Single:
    """How like what is around points of one picture is what is around those of another: correlations (n)."""
    reach = np.arange(WINDOW[0], dtype=np.float32) - WINDOW[0] // 2
    x, y = (part.ravel() for part in np.meshgrid(reach, reach))
    looks = []
    for picture, places in ((one, points), (other, there)):
        across, down = (np.ascontiguousarray(places[:, i, None] + part) for i, part in enumerate((x, y)))
        around = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        values = around.astype(np.float32)
        values -= values.mean(axis=1, keepdims=True)
        looks.append(values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-6))
    return np.asarray((looks[0] * looks[1]).sum(axis=1), np.float32)


def _as_one(points: Single, there: Single, found: Bools) -> Bools:
    """Which of the points that are found moved as those of one flat thing do."""
    together = np.zeros(len(points), np.bool_)
    if np.count_nonzero(found) >= LEAST:
        _, mask = cv2.findHomography(points[found], there[found], cv2.RANSAC, TOGETHER_MM * SCALE)
        if mask is not None:
            together[np.flatnonzero(found)] = mask.ravel() > 0
    return together
