"""The table seen straight from above: one picture in which everything has its true shape and a known scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pose
from vision.plane import Plane, Rect

Image = NDArray[np.uint8]
Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Picture = TypeVar("Picture", NDArray[np.uint8], NDArray[np.float32])

REACH_MM: Final = 1400.0  #: no farther across than this is looked around the middle of the photo
LEAST_MM: Final = 40.0  #: … and no less
STRIP: Final = 8  #: so many rows of that grid's tiles are drawn at a time
ALONG: Final = 33  #: points across and down a photo with a horizon, of which those below it are kept
NOWHERE: Final = -1e5  #: the pixel at which a place behind the camera is seen
NEAREST: Final = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
LINEAR: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
ALIGNED: Final = 1e-6  #: pixels by which two views may be off to count as one and the same at two scales
NO_MAP: Final = cast(Floats, None)  #: a map of both x and y has no second one, though OpenCV says so to type checkers
STEP: Final = 16  #: the way to the photo's pixels is computed on so coarse a grid, and interpolated


@dataclass(frozen=True, slots=True)
class TopView:
    """A top view of `scale` px/mm; `origin` is the mm of its pixel (0, 0).

    Its picture is grey, BGR, or `padded`; what is cut out of a padded one is BGR.
    """

    picture: Image
    origin: tuple[float, float]
    scale: float

    @classmethod
    def of(
        cls,
        picture: Image,
        plane: Plane,
        scale: float,
        within: tuple[Doubles, Doubles] | None = None,
        *,
        many: bool = False,
    ) -> TopView:
        """The top view of a photo, grey or in colour; black where the photo does not reach.

        `within`: only what lies between these two corners (mm). One in colour is padded if `many` places are to be cut
        out of it.
        """
        height, width = picture.shape[:2]
        edge = np.array([(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5)]) * (width, height)
        middle = plane.to_mm([(width / 2, height / 2)])[0]
        outline = plane.to_mm(edge)
        if not plane.before(outline).all():
            middle, outline = _below_horizon(plane, width, height)
        outline = np.clip(outline - middle, -REACH_MM / 2, REACH_MM / 2) + middle
        low, high = outline.min(axis=0), outline.max(axis=0)
        if within is not None:
            low = np.clip(within[0], low, high - LEAST_MM)
            high = np.clip(within[1], low + LEAST_MM, high)
        columns, rows = (int(n) for n in np.ceil((high - low) * scale))
        # a tile of the grid about each of its places, and one more all around
        across, down = (STEP * (np.arange(-(-n // STEP) + 2) - 0.5) - 0.5 for n in (columns, rows))
        gx, gy = np.meshgrid(across, down)
        places = np.column_stack([gx.ravel(), gy.ravel()]) / scale + low
        coarse = np.where(plane.before(places)[:, None], plane.to_px(places), NOWHERE)
        picture, first = _shown(picture, coarse)
        grid = (coarse - first).reshape(*gx.shape, 2).astype(np.float32)
        view = np.empty((rows, columns, *((4,) if many else picture.shape[2:])), np.uint8)
        # strip by strip: maps of the whole view leave the cache
        for top in range(0, rows, STRIP * STEP):
            strip = view[top : top + STRIP * STEP]
            tiles = grid[top // STEP : top // STEP + STRIP + 2]
            part, corner = _shown(picture, tiles)  # no more of the photo is padded than is shown
            maps = cv2.resize(tiles - corner, None, fx=STEP, fy=STEP, interpolation=cv2.INTER_LINEAR)
            there = np.asarray(maps[STEP : STEP + len(strip), STEP : STEP + columns], np.float32)
            if many:
                cv2.remap(padded(part), there, NO_MAP, cv2.INTER_LINEAR, dst=strip)
            else:
                narrowed(np.asarray(cv2.remap(padded(part), there, NO_MAP, cv2.INTER_LINEAR), np.uint8), strip)
        return cls(view, (float(low[0]), float(low[1])), scale)

    def resized(self, scale: float) -> TopView:
        """The same view at another, coarser scale."""
        factor = scale / self.scale
        picture, left = self.picture, factor
        while left < 0.49 and math.log2(left).is_integer():  # halves are many times faster than quarters
            half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            picture, left = np.asarray(half, np.uint8), 2 * left
        # down to a half, a pixel sees its neighbours anyway
        how = cv2.INTER_LINEAR if left > 0.49 else cv2.INTER_AREA
        small = cv2.resize(picture, None, fx=left, fy=left, interpolation=how)
        # the middle of the new first pixel lies elsewhere than that of the old one
        shift = (0.5 / factor - 0.5) / self.scale
        return TopView(np.asarray(small, np.uint8), (self.origin[0] + shift, self.origin[1] + shift), scale)

    def spread(self, picture: Picture, other: TopView) -> Picture:
        """A picture of this view's ground and pixels as the `other`, finer view has them; its edges beyond it."""
        x, y = self.pixels(np.array([other.origin]))[0]
        rows, columns = other.picture.shape[:2]
        finer = self.scale / other.scale
        times = round(1 / finer)
        # where its pixels are whole shares of this view's, as where this view is the other resized, it is only enlarged
        if max(abs(times * finer - 1), abs(x - (finer - 1) / 2), abs(y - (finer - 1) / 2)) < ALIGNED:
            below, right = max(0, -(-rows // times) - len(picture)), max(0, -(-columns // times) - picture.shape[1])
            whole = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_REPLICATE)
            enlarged = cv2.resize(whole, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
            return np.asarray(enlarged[:rows, :columns], picture.dtype)
        matrix = np.array([[finer, 0, x], [0, finer, y]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(picture, matrix, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE),
            picture.dtype,
        )

    def narrowed(self) -> TopView:
        """The same view, not padded: to be looked at as a whole."""
        return TopView(narrowed(self.picture), self.origin, self.scale)

    def reaches(self, level: int) -> bool:
        """Whether any channel is this bright anywhere; mostly some is, and then not all of the view is looked at."""
        strips = (self.picture[top : top + STRIP] for top in range(0, len(self.picture), STRIP))
        return any(int(narrowed(strip).max()) >= level for strip in strips)

    def grey(self) -> TopView:
        """The same view without its colours."""
        return TopView(np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), np.uint8), self.origin, self.scale)

    def pixels(self, mm: Doubles) -> Doubles:
        """Pixels (n × 2) of places on the table (n × 2)."""
        return (mm - self.origin) * self.scale

    def matrix(self, pose: Pose, shape: tuple[int, int], margin: int = 0) -> Doubles:
        """From a cut-out's pixels (`shape` rows, columns, without the margin) to the view's: 2 × 3."""
        angle = math.radians(pose.turn)
        return self._matrix(pose, math.cos(angle), math.sin(angle), shape, margin)

    def _matrix(self, pose: Pose, c: float, s: float, shape: tuple[int, int], margin: int) -> Doubles:
        """The same by the cosine and sine of the pose's turn."""
        right = pose.size[0] * pose.stretch / shape[1] * self.scale
        down = pose.size[1] * pose.stretch / shape[0] * self.scale
        u, v = margin + (shape[1] - 1) / 2, margin + (shape[0] - 1) / 2
        x, y = (pose.x - self.origin[0]) * self.scale, (pose.y - self.origin[1]) * self.scale
        return np.array(
            (
                (c * right, -s * down, x - c * right * u + s * down * v),
                (s * right, c * down, y - s * right * u - c * down * v),
            )
        )

    def around(self, pose: Pose, shape: tuple[int, int] = (1, 1), margin: int = 0) -> Rect:
        """Left, top, right, bottom of the pixels that hold all that a cut-out at the pose shows: some may be beyond.

        A margin is one of `shape` (rows, columns) pixels.
        """
        angle = math.radians(pose.turn)
        return self._around(pose, math.cos(angle), math.sin(angle), shape, margin)

    def _around(self, pose: Pose, c: float, s: float, shape: tuple[int, int], margin: int) -> Rect:
        """The same by the cosine and sine of the pose's turn."""
        half = pose.stretch * self.scale / 2
        width, height = pose.size
        width, height = width * half * (1 + 2 * margin / shape[1]), height * half * (1 + 2 * margin / shape[0])
        across, down = abs(c) * width + abs(s) * height + 1, abs(s) * width + abs(c) * height + 1
        x, y = (pose.x - self.origin[0]) * self.scale, (pose.y - self.origin[1]) * self.scale
        return math.floor(x - across), math.floor(y - down), math.ceil(x + across) + 1, math.ceil(y + down) + 1

    def places(self, pose: Pose, shape: tuple[int, int], nearest: bool = False, beyond: int = 0) -> Image | None:
        """What a `cut` of a map (of one channel) at the pose shows; None where nothing is set all around there.

        Maps are asked about hundreds of poses a photo: nothing of it is computed twice.
        """
        angle = math.radians(pose.turn)
        c, s = math.cos(angle), math.sin(angle)
        left, top, right, bottom = self._around(pose, c, s, (1, 1), 0)
        rows, columns = self.picture.shape
        inside = left >= 0 and top >= 0 and right <= columns and bottom <= rows
        if inside and not cv2.hasNonZero(self.picture[top:bottom, left:right]):
            return None
        flags = NEAREST if nearest else LINEAR
        matrix = self._matrix(pose, c, s, shape, 0)
        return np.asarray(cv2.warpAffine(self.picture, matrix, shape[::-1], flags=flags, borderValue=beyond), np.uint8)

    def cut(self, pose: Pose, shape: tuple[int, int], margin: int = 0, nearest: bool = False, beyond: int = 0) -> Image:
        """What lies at the pose, upright and edge to edge in `shape` (rows, columns) pixels, and a margin around.

        `beyond` is the value of all that is not on this view.
        """
        whole = (shape[0] + 2 * margin, shape[1] + 2 * margin)
        return self.warped(self.matrix(pose, shape, margin), whole, nearest, beyond)

    def warped(self, matrix: Doubles, shape: tuple[int, int], nearest: bool = False, beyond: int = 0) -> Image:
        """A cut-out of so many rows and columns, whose pixels a `matrix` (2 × 3) leads to this view's."""
        flags = NEAREST if nearest else LINEAR
        cut = cv2.warpAffine(self.picture, matrix, shape[::-1], flags=flags, borderValue=beyond)
        return narrowed(np.asarray(cut, np.uint8))


def padded(picture: Image) -> Image:
    """A picture in colour with a fourth channel: OpenCV warps four twice as fast as three. A grey one as it is."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)


def _shown(picture: Image, px: Doubles | Floats) -> tuple[Image, Floats]:
    """The part of a photo that holds these places (… × 2, pixels) as far as it holds any, and its upper left corner."""
    height, width = picture.shape[:2]
    places = px.reshape(-1, 2)
    first = np.clip(np.floor(places.min(axis=0)) - 1, 0, (width - 1, height - 1)).astype(int)
    last = np.clip(np.ceil(places.max(axis=0)) + 2, first + 1, (width, height)).astype(int)
    return picture[first[1] : last[1], first[0] : last[0]], first.astype(np.float32)


def narrowed(picture: Image, into: Image | None = None) -> Image:
    """A picture without a fourth channel, as it is or put `into` another."""
    if picture.ndim == 3 and picture.shape[2] == 4:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR, dst=into), np.uint8)
    if into is not None:
        into[...] = picture
    return picture


def _below_horizon(plane: Plane, width: int, height: int) -> tuple[Doubles, Doubles]:
    """The middle of what a photo shows of the table, and places all over it (mm), where it shows a horizon as well."""
    px = np.stack(np.meshgrid(np.linspace(0, width, ALONG), np.linspace(0, height, ALONG)), axis=-1).reshape(-1, 2)
    table = plane.to_mm(px)
    seen = plane.before(table)
    if not seen.any():  # nothing but sky
        foot = np.array(plane.eye()[:2])
        return foot, foot + np.array([[-LEAST_MM], [LEAST_MM]]) / 2
    return plane.to_mm(px[seen].mean(axis=0)[None])[0], table[seen]
