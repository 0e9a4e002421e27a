"""A pinhole camera with a slightly bent picture above a plane: millimetres to pixels and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import Look

Array = NDArray[np.float64]
Map = NDArray[np.float32]

GRID: Final = 8  #: the plane is solved for every eighth pixel, interpolated between: an error below 0.01 px


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """x right, y down, both on the table; heights are above it. `rotation` and `translation` lead into the camera."""

    size_px: tuple[int, int]
    matrix: Array
    distortion: Array
    rotation: Array
    translation: Array

    @classmethod
    def over(cls, look: Look, size_px: tuple[int, int]) -> View:
        """The camera as low as it may hang with all four markers and a little more in the picture."""
        width, height = size_px
        focal = width / 2 / math.tan(math.radians(look.field_deg) / 2)
        matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]], np.float64)
        distortion = np.array([*look.distortion, 0, 0, 0], np.float64)
        tilt, lean = (math.radians(d) for d in look.tilt_deg)
        roll = math.radians(look.roll_deg)
        rotation = _turn(0, tilt) @ _turn(1, lean) @ _turn(2, roll)
        middle = np.array([look.table_mm[0] / 2, look.table_mm[1] / 2, 0.0])
        margin = look.marker_mm * 0.95
        right, bottom = look.table_mm[0] + margin, look.table_mm[1] + margin
        corners = np.array([(x, y, 0.0) for x in (-margin, right) for y in (-margin, bottom)])
        near, far = 200.0, 4000.0
        for _ in range(40):
            distance = (near + far) / 2
            view = cls(size_px, matrix, distortion, rotation, np.array([0, 0, distance]) - rotation @ middle)
            inside = view.project(corners)
            if (inside >= 4).all() and (inside <= np.array(size_px) - 4.0).all():
                far = distance
            else:
                near = distance
        return cls(size_px, matrix, distortion, rotation, np.array([0, 0, far]) - rotation @ middle)

    def project(self, points_mm: NDArray[np.floating]) -> Array:
        """Pixels (n, 2) of points (n, 2) on the table or (n, 3) with their height above it."""
        points = np.asarray(points_mm, np.float64).reshape(len(points_mm), -1)
        solid = np.zeros((len(points), 3))
        solid[:, :2] = points[:, :2]
        if points.shape[1] == 3:
            solid[:, 2] = -points[:, 2]
        pixels, _ = cv2.projectPoints(
            solid, cv2.Rodrigues(self.rotation)[0], self.translation, self.matrix, self.distortion
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def scale(self, x: float, y: float, height: float = 0.0) -> float:
        """Pixels a millimetre measures there."""
        depth = (self.rotation @ np.array([x, y, -height]) + self.translation)[2]
        return float(self.matrix[0, 0] / depth)

    def plane(self) -> tuple[Map, Map]:
        """Where on the table every pixel looks: x and y in millimetres, each (height, width) float32."""
        width, height = self.size_px
        edge = 2 * GRID  # so that the interpolation never meets a border within the picture
        columns = np.arange(-edge, width + edge, GRID) + (GRID - 1) / 2
        rows = np.arange(-edge, height + edge, GRID) + (GRID - 1) / 2
        pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2).astype(np.float64)
        rays = cv2.undistortPoints(pixels, self.matrix, self.distortion).reshape(-1, 2)
        lift = np.linalg.inv(np.column_stack((self.rotation[:, 0], self.rotation[:, 1], self.translation)))
        ground = np.column_stack((rays, np.ones(len(rays)))) @ lift.T
        where = (ground[:, :2] / ground[:, 2:]).reshape(len(rows), len(columns), 2)
        x, y = (
            cv2.resize(np.ascontiguousarray(where[..., axis]), None, fx=GRID, fy=GRID, interpolation=cv2.INTER_LINEAR)
            for axis in (0, 1)
        )
        part = np.s_[edge : edge + height, edge : edge + width]
        return np.ascontiguousarray(x[part], np.float32), np.ascontiguousarray(y[part], np.float32)


def _turn(axis: int, angle: float) -> Array:
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)
