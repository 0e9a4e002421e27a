"""What a lens does to a picture: photos of a printed chart in, focal length and distortion out.

The house chart (`companion print chart`) is a ChArUco board: a chessboard whose white squares carry markers, so that
a part of it is enough and no photo is taken for another one. A plain chessboard serves as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import toml
from vision.plane import CELL_RIM, Lens

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

FILE: Final = "lens.toml"
LEAST_CORNERS: Final = 12
LEAST_PHOTOS: Final = 4
MANY_PHOTOS: Final = 8  #: so many let a third distortion term be fitted
UNSURE: Final = 0.01  #: of the focal length: then it is not well known
MOST_PX: Final = 2.0  #: photos that fit worse than this together tell no lens
FOCAL: Final = (0.3, 5.0)  #: no camera's focal length is shorter or longer, in widths of its picture
TILTED_DEG: Final = 15.0  #: photos on which the chart is never tilted by more against another tell no focal length
WORST_PX: Final = 1.0  #: a photo that fits worse than this, and three times worse than the middle one, is left out


class NoLens(ValueError):
    """The photos do not tell the lens; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A printed chart of `columns` × `rows` squares; without a dictionary it is a plain chessboard."""

    columns: int = 9
    rows: int = 6
    square_mm: float = 28.0
    marker_mm: float = 20.0
    dictionary: str | None = "5X5_100"  # not the table's own, which the chart could be taken for

    @classmethod
    def parse(cls, text: str) -> Chart:
        """A chart by its description: charuco:9x6:28:20:5X5_100 or chessboard:10x7:25 (squares, millimetres)."""
        number = r"(\d+(?:\.\d+)?)"
        if found := re.fullmatch(rf"charuco:(\d+)x(\d+):{number}:{number}:(\w+)", text):
            columns, rows, square, marker, dictionary = found.groups()
            name = dictionary.upper().removeprefix("DICT_")
            chart = cls(int(columns), int(rows), float(square), float(marker), name)
            sizes_fit = 0 < chart.marker_mm < chart.square_mm
            if chart.columns >= 3 and chart.rows >= 3 and hasattr(cv2.aruco, f"DICT_{name}") and sizes_fit:
                return chart
        if found := re.fullmatch(rf"chessboard:(\d+)x(\d+):{number}", text):
            chart = cls(int(found[1]), int(found[2]), float(found[3]), 0.0, None)
            if chart.columns >= 4 and chart.rows >= 4 and chart.square_mm > 0:
                return chart
        raise ValueError(
            f"{text!r} describes no chart; say charuco:COLUMNSxROWS:SQUARE_MM:MARKER_MM:DICTIONARY "
            "(charuco:9x6:28:20:5X5_100 is the house chart) or chessboard:COLUMNSxROWS:SQUARE_MM, counted in squares"
        )

    def board(self) -> cv2.aruco.CharucoBoard:
        """The ChArUco board; only for a chart with a dictionary."""
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{self.dictionary}"))
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_mm, self.marker_mm, dictionary)

    def corners(self, image: Image) -> tuple[Floats, Floats] | None:
        """The chart's inner corners on a photo: where they are on the chart (n, 3; mm) and in pixels (n, 2)."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) if image.ndim == 3 else image
        return self._chessboard(grey) if self.dictionary is None else self._charuco(grey)

    def _charuco(self, grey: Image) -> tuple[Floats, Floats] | None:
        board = self.board()
        parameters = cv2.aruco.DetectorParameters()
        parameters.perspectiveRemoveIgnoredMarginPerCell = CELL_RIM
        found, ids, _, _ = cv2.aruco.CharucoDetector(board, cv2.aruco.CharucoParameters(), parameters).detectBoard(grey)
        if ids is None or len(ids) < LEAST_CORNERS:
            return None
        solid = np.asarray(board.getChessboardCorners(), np.float64)[ids.ravel()]
        return solid, np.asarray(found, np.float64).reshape(-1, 2)

    def _chessboard(self, grey: Image) -> tuple[Floats, Floats] | None:
        inner = (self.columns - 1, self.rows - 1)
        found, points = cv2.findChessboardCorners(grey, inner)
        if not found:
            return None
        ends = points.reshape(inner[1], inner[0], 2)
        step = float(np.median(np.linalg.norm(np.diff(ends, axis=1), axis=2)))
        reach = int(np.clip(step / 6, 2, 11))  # no further than to the next edge
        until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.001)
        points = cv2.cornerSubPix(grey, points.astype(np.float32), (reach, reach), (-1, -1), until)
        grid = np.mgrid[0 : inner[0], 0 : inner[1]].T.reshape(-1, 2) * self.square_mm
        solid = np.column_stack([grid, np.zeros(len(grid))])
        return solid, np.asarray(points, np.float64).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A lens as photos of a chart tell it, for pictures of `size_px` (width, height).

    `error_px` is the root mean square distance of the corners from where the lens puts them.
    """

    matrix: Floats
    distortion: Floats
    size_px: tuple[int, int]
    error_px: float
    photos: Mapping[str, float]  #: the photos used and the error of each
    left_out: Mapping[str, str]  #: photos that were not used, and why
    advice: tuple[str, ...] = ()

    def lens(self, size_px: tuple[int, int]) -> Lens:
        """The lens for pictures of another size of the same camera. Raises NoLens when their shapes differ."""
        across, down = size_px[0] / self.size_px[0], size_px[1] / self.size_px[1]
        if abs(across / down - 1) > 0.02:
            ours, theirs = ("{} × {}".format(*size) for size in (self.size_px, size_px))
            raise NoLens(f"the lens was calibrated for {ours} pixels, which {theirs} is no enlargement of")
        matrix = np.diag([across, down, 1.0]) @ self.matrix
        matrix[0, 2] += (across - 1) / 2  # pixel centres: x' + 0.5 = factor (x + 0.5)
        matrix[1, 2] += (down - 1) / 2
        return Lens(matrix, self.distortion)

    def data(self) -> dict[str, Any]:
        return {
            "size_px": list(self.size_px),
            "camera_matrix": self.matrix.tolist(),
            "distortion": self.distortion.tolist(),
            "error_px": round(self.error_px, 4),
            "photos": {name: round(error, 4) for name, error in self.photos.items()},
            "left_out": dict(self.left_out),
            "advice": list(self.advice),
        }


@dataclass(frozen=True, slots=True)
class _View:
    name: str
    solid: NDArray[np.float32]
    seen: NDArray[np.float32]


def calibrate(photos: Iterable[tuple[str, Image]], chart: Chart) -> Calibration:
    """The lens that explains these named photos (BGR or grey, all of one size). Raises NoLens."""
    size: tuple[int, int] | None = None
    views: list[_View] = []
    left_out: dict[str, str] = {}
    for name, image in photos:
        here = (image.shape[1], image.shape[0])
        size = size or here
        if here != size:
            left_out[name] = f"is {here[0]} × {here[1]} pixels, the first photo {size[0]} × {size[1]}"
            continue
        found = chart.corners(image)
        if found is None:
            left_out[name] = "shows no chart, or too little of it"
            continue
        views.append(_View(name, found[0].astype(np.float32), found[1].astype(np.float32)))
    if size is None or len(views) < LEAST_PHOTOS:
        why = "; ".join(f"{name} {reason}" for name, reason in left_out.items())
        found_on = f"the chart was found on {len(views)} photos, {LEAST_PHOTOS} are needed"
        printed = "print it with: companion print chart"
        raise NoLens(f"{found_on} ({why}); {printed}" if why else f"{found_on}; {printed}")
    while True:
        error, matrix, distortion, errors, unsure, tilt = _solve(views, size)
        worst = int(np.argmax(errors))
        if errors[worst] <= max(WORST_PX, 3 * float(np.median(errors))) or len(views) == LEAST_PHOTOS:
            break
        off = f"(off by {errors[worst]:.1f} px): blurred, or the chart bent"
        left_out[views[worst].name] = f"does not fit the others {off}"
        views.pop(worst)
    _check(error, float(matrix[0, 0]) / max(size))
    used = {view.name: float(e) for view, e in zip(views, errors, strict=True)}
    advice = _advice(views, size, error, matrix, unsure > UNSURE or tilt < TILTED_DEG)
    return Calibration(matrix, distortion, size, error, used, left_out, advice)


def _check(error: float, focal: float) -> None:
    """Whether this can be a lens: error in px, focal length in widths. Raises NoLens."""
    if error > MOST_PX:
        raise NoLens(
            f"no one lens explains these photos (their corners are off by {error:.1f} px): take them anew with one "
            "camera that does not zoom, the chart flat and still"
        )
    if not FOCAL[0] < focal < FOCAL[1]:
        raise NoLens(
            f"the focal length came out as {focal:.1f} widths of the picture, which no camera has: take the photos "
            "anew, the chart tilted by 30 degrees or so to all sides"
        )


def _solve(views: Sequence[_View], size: tuple[int, int]) -> tuple[float, Floats, Floats, Floats, float, float]:
    """Error (px), camera matrix, distortion, error per photo, how unsure the focal length is (a share), and by how much
    the chart was tilted from photo to photo (degrees)."""
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | (0 if len(views) >= MANY_PHOTOS else cv2.CALIB_FIX_K3)
    focal = 0.9 * max(size)
    guess = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]], np.float64)
    solid, seen = [v.solid for v in views], [v.seen for v in views]
    error, matrix, distortion, turns, _, deviations, _, per_view = cv2.calibrateCameraExtended(
        solid, seen, size, guess, np.zeros(5), flags=flags
    )
    unsure = float(deviations.ravel()[0] / matrix[0, 0])
    upright = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    tilt = float(np.degrees(np.arccos(np.clip(upright @ upright.T, -1, 1))).max())
    return (
        float(error),
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).ravel()[:5],
        np.asarray(per_view, np.float64).ravel(),
        unsure,
        tilt,
    )


def _advice(views: Sequence[_View], size: tuple[int, int], error: float, matrix: Floats, flat: bool) -> tuple[str, ...]:
    """What would make the calibration better."""
    said = []
    seen = np.vstack([v.seen for v in views])
    cells = np.floor(seen / np.array(size) * 4).astype(int).clip(0, 3)
    empty = 16 - len({tuple(cell) for cell in cells.tolist()})
    if empty > 4:
        said.append("move the chart about: large parts of the picture never showed it, least of all corners and edges")
    if flat:
        said.append("tilt the chart more, by 30 degrees or so to all sides: the focal length is not well known")
    if error > 0.5:
        said.append("hold the chart still and flat, in good light: the corners were not found sharply")
    if abs(matrix[0, 2] / size[0] - 0.5) > 0.1 or abs(matrix[1, 2] / size[1] - 0.5) > 0.1:
        said.append("take more photos: the middle of the lens came out far from the middle of the picture")
    return tuple(said)


def save(calibration: Calibration, folder: Path) -> Path:
    """Keep the lens in a table's calibration folder."""
    path = folder / FILE
    values = {
        "size_px": list(calibration.size_px),
        "camera_matrix": calibration.matrix.tolist(),
        "distortion": calibration.distortion.tolist(),
        "error_px": calibration.error_px,
        "photos": len(calibration.photos),
    }
    toml.write(
        path, "The camera's lens, from photos of a chart: OpenCV's camera matrix (px) and k1 k2 p1 p2 k3.", values
    )
    return path


def load(folder: Path) -> Calibration:
    """The lens kept in a calibration folder. Raises toml.Unreadable."""
    path = folder / FILE
    said = toml.read(path)
    try:
        matrix = np.array(said["camera_matrix"], np.float64).reshape(3, 3)
        distortion = np.array(said["distortion"], np.float64).reshape(5)
        width, height = (int(v) for v in said["size_px"])
        if not (
            np.isfinite(matrix).all() and np.isfinite(distortion).all() and matrix[0, 0] > 0 and width > 0 < height
        ):
            raise ValueError("a number is out of range")
        return Calibration(matrix, distortion, (width, height), float(said.get("error_px", 0.0)), {}, {})
    except (KeyError, TypeError, ValueError) as e:
        raise toml.Unreadable(f"{path} is no lens ({e}): calibrate it again") from e
