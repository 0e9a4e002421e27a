"""The table as a plane: markers seen in a photo tell how pixels and millimetres belong together.

A camera looks at a flat table. Markers of known size lie anywhere on it; from their corners alone follow the
camera's pose, its focal length and the lens's first distortion term, all at once, by least squares. The table
frame has its origin at the centre of the lowest marker seen, x along that marker's top edge, y down its left edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision import bleeding

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Rect = tuple[int, int, int, int]  #: left, top, right, bottom in a photo's pixels

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
TABLE_IDS: Final = range(10)  #: markers that span the plane
SEAT_IDS: Final = range(10, 16)
ZONE_IDS: Final = range(20, 40)
MARKER_MM: Final = 40.0
LEAST_PERIMETER: Final = 0.02  #: a marker is not smaller than this share of the photo's longer side
LEAST_MARKERS: Final = 2  #: of a table's markers; where fewer are seen they are looked for on a sharpened photo:
SOFT_PX: Final = 2.0  #: what is softened so much (standard deviation) is taken away,
SHARPER: Final = 1.5  #: … and so many times as much of what that leaves is added
CELL_RIM: Final = 0.3  #: share of a marker's cell that is not looked at on each side: white paper shines into black
SEARCHED_PX: Final = 2600  #: markers are searched in an image at most this wide; corners are refined in the whole one
HALVED_PX: Final = 1000  #: where that is no narrower than this, it is searched at half its size first:
ENOUGH: Final = 4  #: … when these, and all that were seen before, are seen there, each is found again at full size
HALVED_WINDOW: Final = 13  #: pixels, around which black and white are told apart at half the size;
WINDOWS: Final = (3, 23)  #: … from and to which they are at full size: fine texture makes many outlines of the least
AROUND: Final = 1.0  #: so far around a marker seen at half the size, in its widths, it is found again
CORNER_PX: Final = 4  #: pixels around a corner that tell where it lies exactly,
CORNER_CELLS: Final = 0.3  #: … or this share of a marker's cell, if that is less
PIXEL_NOISE: Final = 0.3  #: how well a marker's corner is found, px
USUAL: Final = (0.35, 0.1)  #: how far the logarithm of the focal length and the distortion stray from the usual
SETTLED: Final = 1e-10  #: a ray that moves by less is undistorted
MOST_R2: Final = 1.5  #: no lens sees farther out than this; beyond it the distortion is held
NO_SHIFT: Final = np.zeros((1, 2))
LIGHT: Final = (np.arange(256) / 255.0) ** 2.2  #: of each grey value
MAX_RESIDUAL: Final = 3.0  #: a marker that fits worse than this (px, rms) is bent, covered or no table marker


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker on the photo: its id and its corners in pixels, from its own top left clockwise."""

    id: int
    corners: Quad


@dataclass(frozen=True, slots=True)
class Lens:
    """What a calibration knows about a camera: 3×3 camera matrix (px) and OpenCV's distortion k1 k2 p1 p2 k3."""

    matrix: Floats
    distortion: Floats

    @classmethod
    def guess(cls, width: int, height: int) -> Lens:
        """A lens of ordinary width without distortion, for photos whose camera nobody knows."""
        focal = 0.8 * max(width, height)
        matrix = np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
        return cls(matrix, np.zeros(5))


@dataclass(frozen=True, slots=True)
class Plane:
    """The map between a photo's pixels and the table's millimetres.

    `marked` is false where no markers were seen and the scale comes from elsewhere: then millimetres are only
    relative and must not be reported as places.
    """

    lens: Lens
    rotation: Floats  #: 3 × 3, table to camera
    translation: Floats  #: 3, mm
    residual: float = 0.0  #: rms distance of the marker corners from where the plane puts them, px
    marked: bool = True

    def to_px(self, mm: ArrayLike, height: float = 0.0) -> Floats:
        """Pixels (n × 2) of points on the table (n × 2, mm), or `height` mm above it."""
        flat = np.asarray(mm, np.float64).reshape(-1, 2)
        solid = np.column_stack([flat, np.full(len(flat), -height)])
        points = solid @ self.rotation.T + self.translation
        return _distort(points[:, :2] / points[:, 2:], self.lens)

    def to_mm(self, px: ArrayLike, height: float = 0.0) -> Floats:
        """Table millimetres (n × 2) of pixels (n × 2), for things `height` mm above the table."""
        flat = np.asarray(px, np.float64).reshape(-1, 2)
        rays = _undistort(flat, self.lens)
        to_table = self.rotation[:, :2]
        shifted = self.translation - height * self.rotation[:, 2]
        matrix = np.linalg.inv(np.column_stack([to_table, shifted]))
        points = np.column_stack([rays, np.ones(len(flat))]) @ matrix.T
        return np.asarray(points[:, :2] / points[:, 2:])

    def before(self, mm: ArrayLike) -> NDArray[np.bool_]:
        """Which places on the table (n × 2, mm) lie before the camera: `to_mm` puts the sky behind it."""
        flat = np.asarray(mm, np.float64).reshape(-1, 2)
        return np.asarray(flat @ self.rotation[2, :2] + self.translation[2] > 0)

    def scale(self, mm: Point) -> float:
        """Pixels per millimetre at a place on the table."""
        x, y = mm
        p = self.to_px([(x - 5, y), (x + 5, y), (x, y - 5), (x, y + 5)])
        a, b = p[1] - p[0], p[3] - p[2]
        return float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])) / 10)

    def eye(self) -> tuple[float, float, float]:
        """Where the camera is: x, y and height above the table, mm."""
        x, y, z = -self.rotation.T @ self.translation
        return float(x), float(y), float(-z)

    def reframed(self, turn: Floats, shift: Floats) -> Plane:
        """The same plane in another frame: what is at p in this one is at `turn` (2 × 2) times p plus `shift` (mm)."""
        back = np.eye(3)
        back[:2, :2] = turn.T
        rotation = self.rotation @ back
        return replace(self, rotation=rotation, translation=self.translation - rotation[:, :2] @ shift)

    def cropped(self, left: int, top: int) -> Plane:
        """The plane of the part of the same photo that begins at this pixel."""
        matrix = self.lens.matrix - np.array([[0, 0, left], [0, 0, top], [0, 0, 0]])
        return Plane(Lens(matrix, self.lens.distortion), self.rotation, self.translation, self.residual, self.marked)

    def resized(self, factor: float) -> Plane:
        """The plane of the same photo enlarged by `factor`."""
        matrix = np.diag([factor, factor, 1.0]) @ self.lens.matrix
        # pixel centres: x' + 0.5 = factor (x + 0.5)
        matrix[:2, 2] += 0.5 * factor - 0.5
        return Plane(
            Lens(matrix, self.lens.distortion), self.rotation, self.translation, self.residual * factor, self.marked
        )


class MarkerFinder:
    """Finds ArUco markers of the table's dictionary."""

    def __init__(self) -> None:
        #: the markers of one table, as they were seen when last all of a photo was searched at its full size
        self._known: frozenset[int] = frozenset()
        self._parameters = cv2.aruco.DetectorParameters()
        self._parameters.perspectiveRemoveIgnoredMarginPerCell = CELL_RIM
        self._detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))

    def find(
        self, grey: Image, least: float = LEAST_PERIMETER, *, again: bool = False, whole: bool = True
    ) -> tuple[Marker, ...]:
        """The markers on a grey photo, by id; one of each id (the largest).

        None is shorter all around than `least`, a share of the photo's longer side. Where a camera shows one table
        `again`, the photo is first searched at half its size, where one marker in fifty is missed. Where a `whole`
        photo shows too few for a table it may be soft.
        """
        factor = min(1.0, SEARCHED_PX / grey.shape[1])
        small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else grey
        searched = np.asarray(small, np.uint8)
        best = (self._halved(searched, least) if again else {}) or self._searched(searched, least)
        if whole and len(best.keys() & TABLE_IDS) < LEAST_MARKERS:
            best = {**self._searched(_unsoftened(searched), least), **best}
        if again:
            self._known = frozenset(best)
        corners = {i: _sharpened(searched, best[i]) for i in sorted(best)}
        quads = {i: _refined(grey, (quad + 0.5) / factor - 0.5) for i, quad in corners.items()}
        return tuple(Marker(i, _quad(bleeding.widened(grey, quad, self._cells(i)))) for i, quad in quads.items())

    def forget(self) -> None:
        """Search all of the next photo at its full size: another marker may lie there."""
        self._known = frozenset()

    def _halved(self, grey: Image, least: float) -> dict[int, Floats]:
        """The known markers' corners by id, sought at half the size first; none unless these are seen, and enough."""
        if not self._known or max(grey.shape) < HALVED_PX:
            return {}
        half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        seen = self._searched(np.asarray(half, np.uint8), least, (HALVED_WINDOW, HALVED_WINDOW))
        if seen.keys() != self._known or len(self._known.intersection(TABLE_IDS)) < ENOUGH:
            return {}
        found: dict[int, Floats] = {}
        for number, quad in seen.items():
            low, high = 2 * quad.min(axis=0), 2 * quad.max(axis=0)
            around = AROUND * float((high - low).max())
            left, top = np.maximum(low - around, 0).astype(int).tolist()
            right, bottom = (high + around).astype(int).tolist()
            part = np.ascontiguousarray(grey[top:bottom, left:right])
            again = self._searched(part, least * max(grey.shape) / max(part.shape))
            if number not in again:
                return {}
            found[number] = again[number] + (left, top)
        return found

    def _searched(self, grey: Image, least: float, windows: tuple[int, int] = WINDOWS) -> dict[int, Floats]:
        """The corners (4 × 2, pixels) of the largest marker of each id; black is told from white in such windows."""
        self._parameters.minMarkerPerimeterRate = least
        self._parameters.adaptiveThreshWinSizeMin, self._parameters.adaptiveThreshWinSizeMax = windows
        self._detector.setDetectorParameters(self._parameters)
        corners, ids, _ = self._detector.detectMarkers(grey)
        best: dict[int, Floats] = {}
        for found, of in zip(corners, () if ids is None else ids.ravel().tolist(), strict=True):
            number = int(of)
            quad = found.reshape(4, 2).astype(np.float64)
            if number not in best or _area(quad) > _area(best[number]):
                best[number] = quad
        return best

    def _cells(self, number: int) -> NDArray[np.bool_]:
        """Which cells of a marker, its rim among them, are white."""
        picture = cv2.aruco.generateImageMarker(self._detector.getDictionary(), number, bleeding.CELLS)
        return np.asarray(picture > 0)

    def within(self, image_bgr: Image, rect: Rect, around: float = 0.0) -> tuple[Marker, ...]:
        """The markers in one part of a photo (left, top, right, bottom in pixels) and `around` pixels about it."""
        left, top = (max(0, int(edge - around)) for edge in rect[:2])
        right, bottom = (int(np.ceil(edge + around)) for edge in rect[2:])
        part = image_bgr[top:bottom, left:right]
        if not part.size:
            return ()
        least = LEAST_PERIMETER * max(image_bgr.shape[:2]) / max(part.shape[:2])
        found = self.find(np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8), least, whole=False)
        return tuple(Marker(m.id, _quad(np.add(m.corners, (left, top)))) for m in found)


def solve(
    markers: Sequence[Marker], size: tuple[int, int], lens: Lens | None = None, marker_mm: float = MARKER_MM
) -> tuple[Plane | None, tuple[int, ...]]:
    """The plane that the table markers lie in, and the ids of the markers that had to be left out.

    `size` is the photo's width and height. With a calibrated `lens` only the pose is solved. None when fewer than
    two table markers agree.
    """
    used = [m for m in markers if m.id in TABLE_IDS]
    left_out: list[int] = []
    while len(used) >= 2:
        solution = _Solution.start(used, size, lens, marker_mm)
        solution.refine()
        plane, worst, residual = solution.plane()
        if residual <= MAX_RESIDUAL * max(1.0, size[0] / 1920):
            return plane, tuple(sorted(left_out))
        left_out.append(used.pop(worst).id)
    return None, tuple(sorted(left_out))


class _Solution:
    """Least squares over pose, focal length, distortion and the places of all markers but the first."""

    def __init__(self, markers: Sequence[Marker], lens: Lens, fixed: bool, marker_mm: float) -> None:
        self.markers = markers
        self.lens = lens
        self.fixed = fixed
        half = marker_mm / 2
        self.square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        self.seen = np.array([m.corners for m in markers], np.float64)
        # log focal ratio, k1, rotation vector (3), translation (3), then x, y, turn of each further marker
        self.state = np.zeros(8 + 3 * (len(markers) - 1))

    @classmethod
    def start(cls, markers: Sequence[Marker], size: tuple[int, int], lens: Lens | None, marker_mm: float) -> _Solution:
        """Begin with the single marker whose pose makes all the others most square and of the right size."""
        self = cls(markers, lens or Lens.guess(*size), lens is not None, marker_mm)
        best = np.inf
        solid = np.column_stack([self.square, np.zeros(4)])
        for i in range(len(markers)):
            _, turns, shifts, _ = cv2.solvePnPGeneric(
                solid * (1, -1, 1), self.seen[i], self.lens.matrix, self.lens.distortion, flags=cv2.SOLVEPNP_IPPE_SQUARE
            )
            for turn, shift in zip(turns, shifts, strict=True):
                rotation = _matrix(turn) @ np.diag([1.0, -1.0, -1.0])
                plane = Plane(self.lens, rotation, np.asarray(shift, np.float64).ravel())
                places = plane.to_mm(self.seen.reshape(-1, 2)).reshape(-1, 4, 2)
                sides = np.linalg.norm(places - np.roll(places, 1, axis=1), axis=2)
                diagonals = np.linalg.norm(places[:, 2:] - places[:, :2], axis=2) / np.sqrt(2)
                error = float(np.square(np.hstack([sides, diagonals]) / marker_mm - 1).sum())
                if error < best:
                    best = error
                    self._begin(plane, places)
        return self

    def _begin(self, plane: Plane, places: Floats) -> None:
        """Write the state for this plane, with the first marker as the frame."""
        centres = places.mean(axis=1)
        tops = places[:, 1] + places[:, 2] - places[:, 0] - places[:, 3]
        turns = np.arctan2(tops[:, 1], tops[:, 0])
        c, s = np.cos(turns[0]), np.sin(turns[0])
        into = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        rotation = plane.rotation @ into
        translation = plane.translation + plane.rotation @ np.append(centres[0], 0.0)
        self.state[2:5] = cv2.Rodrigues(rotation)[0].ravel()
        self.state[5:8] = translation
        rest = (centres[1:] - centres[0]) @ into[:2, :2]
        self.state[8:] = np.column_stack([rest, turns[1:] - turns[0]]).ravel()

    def _lens(self, state: Floats) -> Lens:
        if self.fixed:
            return self.lens
        matrix = self.lens.matrix.copy()
        matrix[0, 0] *= np.exp(state[0])
        matrix[1, 1] *= np.exp(state[0])
        return Lens(matrix, np.array([state[1], 0, 0, 0, 0]))

    def _plane(self, state: Floats) -> Plane:
        return Plane(self._lens(state), _matrix(state[2:5]), state[5:8])

    def _errors(self, states: Floats) -> Floats:
        """Corner errors in units of their noise, and how far lens and focal length stray from what is usual.

        For many states at once: n × unknowns to n × errors.
        """
        count = len(states)
        poses = np.concatenate([np.zeros((count, 1, 3)), states[:, 8:].reshape(count, -1, 3)], axis=1)
        c, s = np.cos(poses[..., 2:]), np.sin(poses[..., 2:])
        x, y = self.square.T
        across = c * x - s * y + poses[..., :1]
        down = s * x + c * y + poses[..., 1:2]
        turned = _rotations(states[:, 2:5])
        column = (count, 1, 1, 3)
        points = (
            across[..., None] * turned[:, :, 0].reshape(column)
            + down[..., None] * turned[:, :, 1].reshape(column)
            + states[:, 5:8].reshape(column)
        )
        rays = points[..., :2] / points[..., 2:]
        if self.fixed:
            px = _distort(rays.reshape(-1, 2), self.lens).reshape(rays.shape)
        else:
            bent = 1 + states[:, 1].reshape(-1, 1, 1, 1) * np.minimum(
                np.square(rays).sum(axis=-1, keepdims=True), MOST_R2
            )
            focal = np.exp(states[:, :1]) * self.lens.matrix[(0, 1), (0, 1)]
            px = rays * bent * focal[:, None, None] + self.lens.matrix[:2, 2]
        away = ((px - self.seen) / PIXEL_NOISE).reshape(count, -1)
        return np.concatenate([away, states[:, :2] / USUAL], axis=1)

    def refine(self, rounds: int = 30) -> None:
        """Levenberg–Marquardt with numeric derivatives; the problem has at most 35 unknowns."""
        self.state = least_squares(self._errors, self.state, rounds)

    def plane(self) -> tuple[Plane, int, float]:
        """The plane, the marker that fits worst, and that one's rms error in pixels."""
        away = self._errors(self.state[None])[0, :-2].reshape(-1, 8) * PIXEL_NOISE
        rms = np.sqrt(np.square(away).mean(axis=1) * 2)
        plane = self._plane(self.state)
        whole = float(np.sqrt(np.square(away).mean() * 2))
        return Plane(plane.lens, plane.rotation, plane.translation, whole), int(rms.argmax()), float(rms.max())


def least_squares(errors: Callable[[Floats], Floats], start: Floats, rounds: int) -> Floats:
    """Levenberg–Marquardt: the state near `start` with the least sum of squared errors."""
    beside = np.zeros((len(start) + 1, len(start)))
    steps = np.full(len(start), 1e-5)
    steps[5:8] = 1e-2
    beside[1:] = np.diag(steps)

    def around(state: Floats) -> tuple[Floats, Floats]:
        """The errors at a state, and how they change with each unknown: looked at at once, as each look costs much."""
        there = errors(state + beside)
        return there[0], ((there[1:] - there[0]) / steps[:, None]).T

    state, damping = start.copy(), 1e-3
    now, jacobian = around(state)
    for _ in range(rounds):
        normal, right = jacobian.T @ jacobian, jacobian.T @ now
        while damping < 1e8:
            weighted = normal + damping * np.diag(np.diag(normal) + 1e-9)
            move = -np.linalg.solve(weighted, right)
            new, changes = around(state + move)
            if new @ new < now @ now:
                break
            damping *= 10
        else:
            break
        gain = now @ now - new @ new
        state, now, jacobian, damping = state + move, new, changes, damping / 10
        if gain < 1e-4 * (new @ new):
            break
    return state


def _rotations(vectors: Floats) -> Floats:
    """Rotation vectors (n × 3) to matrices (n × 3 × 3)."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None] + 1e-12
    x, y, z = (vectors / angle[:, 0]).T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def _bend(rays: Floats, lens: Lens) -> tuple[Floats, Floats]:
    """The lens's radial factor (n × 1) and tangential shift (n × 2, or one for all) for undistorted rays."""
    k1, k2, p1, p2, k3 = lens.distortion[:5].tolist()
    x, y = rays[:, 0], rays[:, 1]
    # beyond what any lens shows the polynomial turns back; hold it there
    r2 = np.minimum(x * x + y * y, MOST_R2)
    # wherever the lens is estimated, all but the first are 0
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3)) if k2 or k3 else 1 + r2 * k1
    if p1 == p2 == 0:
        return radial[:, None], NO_SHIFT
    tangential = np.column_stack([2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y])
    return radial[:, None], tangential


def _distort(rays: Floats, lens: Lens) -> Floats:
    """Pixels of normalised camera rays (n × 2)."""
    radial, tangential = _bend(rays, lens)
    bent = rays * radial + tangential
    return np.asarray(bent * lens.matrix[(0, 1), (0, 1)] + lens.matrix[:2, 2])


def _undistort(px: Floats, lens: Lens) -> Floats:
    """Normalised camera rays of pixels (n × 2), by fixed-point iteration."""
    bent = (px - lens.matrix[:2, 2]) / lens.matrix[(0, 1), (0, 1)]
    rays = bent
    for _ in range(12):
        radial, tangential = _bend(rays, lens)
        before, rays = rays, (bent if tangential is NO_SHIFT else bent - tangential) / radial
        if not len(rays) or float(np.abs(rays - before).max()) < SETTLED:
            break
    return np.asarray(rays)


def _unsoftened(grey: Image) -> Image:
    """The photo with fine detail made stronger: small markers that are soft show no white between their black."""
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT_PX)
    return np.asarray(cv2.addWeighted(grey, 1 + SHARPER, soft, -SHARPER, 0), np.uint8)


def _sharpened(grey: Image, quad: Floats) -> Floats:
    """The corners moved to where the black of a marker ends, by fractions of a pixel."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    reach = min(CORNER_PX, max(1, round(CORNER_CELLS * float(sides.mean()) / bleeding.CELLS)))
    until = (cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 30, 0.1)
    corners = cv2.cornerSubPix(grey, quad.astype(np.float32).reshape(4, 1, 2), (reach, reach), (-1, -1), until)
    return np.asarray(corners.reshape(4, 2), np.float64)


def _refined(grey: Image, quad: Floats) -> Floats:
    """The corners where lines fitted to the marker's four sides meet.

    An edge is where the light, not the grey value, is halfway between black and white: on a blurred photo the grey
    values' edge lies inside the black and makes the marker seem smaller by as much as 3 %.
    """
    ends = np.roll(quad, -1, axis=0)
    along = ends - quad
    sides = np.linalg.norm(along, axis=1, keepdims=True)
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / sides
    reach = float(np.clip(0.1 * sides.mean(), 2.5, 12.0))
    steps = np.linspace(-reach, reach, 33)
    places = np.linspace(0.12, 0.88, 25)
    points = (
        quad[:, None, None] + along[:, None, None] * places[:, None, None] + outward[:, None, None] * steps[:, None]
    ).astype(np.float32)
    values = cv2.remap(
        grey,
        points[..., 0].reshape(100, 33),
        points[..., 1].reshape(100, 33),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    light = LIGHT[np.asarray(values, np.uint8)].reshape(4, 25, 33)
    dark, bright = light[:, :, :8], light[:, :, -8:]
    half = (dark.mean(axis=2) + bright.mean(axis=2)) / 2
    clear = bright.min(axis=2) - dark.max(axis=2) > 0.02
    first = (light > half[:, :, None]).argmax(axis=2)
    good = clear & (first > 0)
    lines: list[tuple[float, float, float]] = []
    for i in range(4):
        rows = np.flatnonzero(good[i])
        if len(rows) < 8:
            return quad
        at = first[i, rows]
        low, high = light[i, rows, at - 1], light[i, rows, at]
        offset = steps[at - 1] + (half[i, rows] - low) / (high - low) * (steps[1] - steps[0])
        slope, start = _line(places[rows], offset)
        begin = quad[i] + outward[i] * start
        lines.append(_through(begin.tolist(), (begin + along[i] + outward[i] * slope).tolist()))
    corners = np.array([_crossing(lines[i - 1], lines[i]) for i in range(4)])
    return corners if np.abs(corners - quad).max() < 1.5 * reach else quad


def edge_width(grey: Image, marker: Marker, marker_mm: float = MARKER_MM) -> float:
    """How wide the blur makes the step from a marker's black to its paper, mm: the contrast over the steepest slope."""
    quad = np.array(marker.corners)
    along = np.roll(quad, -1, axis=0) - quad
    sides = np.linalg.norm(along, axis=1, keepdims=True)
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / sides
    scale = float(sides.mean()) / marker_mm
    steps = np.linspace(-4, 4, 65) * scale
    places = np.linspace(0.2, 0.8, 21)
    points = (
        quad[:, None, None] + along[:, None, None] * places[:, None, None] + outward[:, None, None] * steps[:, None]
    )
    flat = points.astype(np.float32).reshape(84, 65, 2)
    values = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = np.partition(np.asarray(values, np.float64).reshape(4, 21, 65), 10, axis=1)[:, 10]  # the median ones
    contrast = np.ptp(profiles, axis=1)
    slope = np.abs(np.diff(profiles, axis=1)).max(axis=1) / (8 / 64)
    return float(np.median(contrast / np.maximum(slope, 1e-6)))


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """Slope and start of the line through these points, without those that lie far off."""
    keep = np.ones(len(x))
    for _ in range(3):
        kept_x = keep * x
        count, sum_x, sum_y = float(keep.sum()), float(kept_x.sum()), float(keep @ y)
        across = float(kept_x @ x) - sum_x * sum_x / count
        slope = (float(kept_x @ y) - sum_x * sum_y / count) / max(1e-9, across)
        start = (sum_y - slope * sum_x) / count
        away = np.abs(y - slope * x - start)
        keep = (away <= max(0.15, 2.5 * median(away.tolist()))).astype(np.float64)
    return slope, start


def _through(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """The line through two points (x, y): a, b, c of ax + by + c = 0."""
    return one[1] - other[1], other[0] - one[0], one[0] * other[1] - one[1] * other[0]


def _crossing(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Where two such lines cross: x, y. Parallel ones do so nowhere."""
    (a, b, c), (d, e, f) = one, other
    bottom = a * e - b * d
    return ((b * f - c * e) / bottom, (c * d - a * f) / bottom) if bottom else (math.inf, math.inf)


def _matrix(vector: ArrayLike) -> Floats:
    """Rotation vector to matrix."""
    return np.asarray(cv2.Rodrigues(np.asarray(vector, np.float64))[0], np.float64)


def longest_side(marker: Marker) -> float:
    """A marker's longest side, px."""
    quad = np.array(marker.corners)
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())


def _area(quad: Floats) -> float:
    return abs(float(cv2.contourArea(quad.astype(np.float32))))


def _quad(corners: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
