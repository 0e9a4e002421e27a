"""A photo of a table together with its plane: whatever lies at a pose can be cut out of it, straightened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import TABLE_IDS, Floats, Marker, Plane, Quad, edge_width

Image = NDArray[np.uint8]

FINEST: Final = 2.0  #: a photo is reduced to at most this many px/mm: finer detail is noise at a table's distance
WHITE: Final = 230.0  #: grey value that a marker's white paper is brought to
AS_PAPER: Final = 0.93 * WHITE  #: … an upper face this bright may be a white die's
AROUND: Final = 0.2  #: so much of a marker's size around it is looked at to see its edges
BURNT: Final = 250  #: a channel this bright says nothing any more


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a component of this size lies: centre in table mm, turn in degrees clockwise seen from above.

    `stretch` is how much larger than its true size it seems: 1 when the plane's scale is right and it lies flat on
    it. `votes` is how many features spoke for it.
    """

    size: tuple[float, float]
    x: float
    y: float
    turn: float
    stretch: float = 1.0
    votes: int = 0

    def corners(self) -> Floats:
        """Its corners in table mm, from its own top left clockwise: 4 × 2."""
        angle = math.radians(self.turn)
        c, s = math.cos(angle) * self.stretch / 2, math.sin(angle) * self.stretch / 2
        width, height = self.size
        right, down = (c * width, s * width), (-s * height, c * height)
        return np.array(
            [
                (self.x + i * right[0] + j * down[0], self.y + i * right[1] + j * down[1])
                for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
        )

    def moved(self, right: float, down: float, turn: float = 0.0) -> Pose:
        """Shifted along its own axes (mm), then turned about its centre."""
        angle = math.radians(self.turn)
        c, s = math.cos(angle), math.sin(angle)
        x, y = self.x + c * right - s * down, self.y + s * right + c * down
        return Pose(self.size, x, y, (self.turn + turn) % 360, self.stretch, self.votes)

    def resized(self, size: tuple[float, float]) -> Pose:
        return Pose(size, self.x, self.y, self.turn, self.stretch, self.votes)


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo at working resolution: `image` (BGR) and `plane` belong together, `factor` leads back to the original.

    `gain` brings the markers' paper to white, channel by channel; `blur` (mm, standard deviation) is how soft their
    edges are, 0 when that is not known.
    """

    image: Image
    plane: Plane
    factor: float
    gain: NDArray[np.float32]
    blur: float = 0.0

    @classmethod
    def of(cls, image_bgr: Image, plane: Plane, markers: Sequence[Marker]) -> Photo:
        """The photo, reduced where it is finer than is of use."""
        height, width = image_bgr.shape[:2]
        middle = plane.to_mm([(width / 2, height / 2)])[0]
        factor = min(1.0, FINEST * 1.15 / plane.scale((float(middle[0]), float(middle[1]))))
        gain = paper_gain(image_bgr, markers)
        # the step from black to white over its steepest slope is √2π standard deviations wide
        widths = [_edge_width(image_bgr, m, plane) / np.sqrt(2 * np.pi) for m in markers if m.id in TABLE_IDS]
        blur = float(np.median(widths)) if widths else 0.0
        if factor == 1.0:
            return cls(image_bgr, plane, 1.0, gain, blur)
        small = cv2.resize(image_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return cls(np.asarray(small, np.uint8), plane.resized(factor), factor, gain, blur)

    @property
    def finest(self) -> float:
        """Pixels per millimetre in the middle of the picture, at most `FINEST`."""
        height, width = self.image.shape[:2]
        middle = self.plane.to_mm([(width / 2, height / 2)])[0]
        return min(FINEST, self.plane.scale((float(middle[0]), float(middle[1]))))

    def white(self, picture: Image) -> Image:
        """A picture cut out of this photo (BGR) as bright as if the markers' paper were white."""
        levels = cv2.convertScaleAbs(np.arange(256, dtype=np.float32)[None, :, None] * self.gain)
        return np.asarray(cv2.LUT(picture, levels), np.uint8)

    def cut(self, pose: Pose, scale: float) -> Image:
        """What lies at the pose, upright and edge to edge, `scale` px/mm of its own size; black outside the photo."""
        columns, rows = (max(4, round(side * scale)) for side in pose.size)
        return self.cut_to(pose, (rows, columns))

    def cut_to(self, pose: Pose, shape: tuple[int, int]) -> Image:
        """What lies at the pose, upright and edge to edge in `shape` (rows, columns) pixels; black outside."""
        rows, columns = shape
        corners = self.plane.to_px(pose.corners()).astype(np.float32)
        target = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners, target)
        return np.asarray(cv2.warpPerspective(self.image, matrix, (columns, rows), flags=cv2.INTER_LINEAR), np.uint8)

    def inside(self, pose: Pose, scale: float) -> NDArray[np.bool_] | None:
        """Which pixels of a cut-out the photo covers; None when it covers all."""
        px = self.plane.to_px(pose.corners())
        height, width = self.image.shape[:2]
        if px.min() >= 0 and (px < (width - 1, height - 1)).all():
            return None
        columns, rows = (max(4, round(side * scale)) for side in pose.size)
        target = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - 0.5
        matrix = np.linalg.inv(cv2.getPerspectiveTransform(px.astype(np.float32), target))
        gx, gy = np.meshgrid(np.arange(columns), np.arange(rows))
        points = np.stack([gx, gy, np.ones_like(gx)], -1) @ matrix.T
        x, y = points[..., 0] / points[..., 2], points[..., 1] / points[..., 2]
        return np.asarray((x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1))

    def corners_px(self, pose: Pose) -> Quad:
        """The pose's corners in pixels of the original photo."""
        return self.quads_px([pose])[0]

    def quads_px(self, poses: Sequence[Pose]) -> list[Quad]:
        """The same of several poses."""
        if not poses:
            return []
        mm = np.concatenate([pose.corners() for pose in poses])
        px = ((self.plane.to_px(mm) + 0.5) / self.factor - 0.5).reshape(-1, 4, 2)
        return [((a, b), (c, d), (e, f), (g, h)) for (a, b), (c, d), (e, f), (g, h) in px.tolist()]


def _edge_width(image_bgr: Image, marker: Marker, plane: Plane) -> float:
    """How wide the step from a marker's black to its paper is, mm; only the marker's surroundings are made grey."""
    quad = np.array(marker.corners)
    mm = plane.to_mm(quad)
    side = float(np.linalg.norm(mm - np.roll(mm, 1, axis=0), axis=1).mean())
    low, high = quad.min(axis=0), quad.max(axis=0)
    margin = AROUND * float((high - low).max())
    left, top = np.maximum(np.floor(low - margin), 0).astype(int).tolist()
    right, bottom = (np.ceil(high + margin).astype(int) + 1).tolist()
    around = np.asarray(cv2.cvtColor(image_bgr[top:bottom, left:right], cv2.COLOR_BGR2GRAY), np.uint8)
    a, b, c, d = ((float(x) - left, float(y) - top) for x, y in quad)
    return edge_width(around, Marker(marker.id, (a, b, c, d)), side)


def paper_gain(image_bgr: Image, markers: Sequence[Marker]) -> NDArray[np.float32]:
    """Factors (blue, green, red) that bring the markers' white margin to `WHITE`; ones where it cannot be told."""
    papers = []
    height, width = image_bgr.shape[:2]
    for marker in markers:
        quad = np.array(marker.corners)
        ring = (quad - quad.mean(axis=0)) * 1.12 + quad.mean(axis=0)
        along = np.linspace(0.1, 0.9, 12)[:, None]
        points = np.vstack([a + (b - a) * along for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True)])
        x, y = points.round().astype(int).T
        seen = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        if seen.sum() >= 12:
            papers.append(np.median(image_bgr[y[seen], x[seen]], axis=0))
    if not papers:
        return np.ones(3, np.float32)
    white = np.median(papers, axis=0)
    # burnt-out paper tells no colour: only the brightness is then taken
    if white.max() >= BURNT:
        white = np.full(3, white.max())
    return np.asarray(WHITE / np.maximum(white, 20.0), np.float32)
