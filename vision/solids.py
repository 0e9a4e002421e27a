"""Pieces as simple solids: what outline each shows on the table plane to a camera that looks from anywhere.

All lengths are millimetres. Height moves a point away from the camera's foot: seen from an eye at height H, what is
z above the table at p appears on the table at p + (p − eye) · z / (H − z).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Pose = tuple[float, float, float]  # x, y and turn in degrees

BLOCK: Final = 10.0  #: mm; from this height on the upper face of a block tells its height
CIRCLE: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 28, endpoint=False)),
                          np.sin(np.linspace(0, 2 * np.pi, 28, endpoint=False))], 1)  # fmt: skip
CORNERS: Final = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])


@dataclass(frozen=True, slots=True)
class Solid:
    """A foot of some outline, and what rises from it.

    `foot` is "round", "oval", "star" or "square"; `length` and `width` are its two radii (a star's tips and notches,
    a rectangle's half sides). `head` is the radius of a pawn's head; 0 for a solid as broad above as below.
    """

    foot: str
    length: float
    width: float
    height: float
    head: float = 0.0
    points: int = 6

    @property
    def turns(self) -> float:
        """Degrees after which it looks the same again."""
        return {"round": 0.0, "oval": 180.0, "star": 360.0 / self.points, "square": 180.0}[self.foot]

    def grown(self, by: float) -> Solid:
        """The same solid as a blurred photo shows it: `by` mm larger all around."""
        return replace(self, length=self.length + by, width=self.width + by, head=self.head + by if self.head else 0.0)

    def outline(self, turn: float) -> Floats:
        """The foot around its own middle, turned by degrees: n × 2."""
        return _outline(self, turn)

    def parts(self, place: Floats, turn: float, eye: Floats) -> list[Floats]:
        """The polygons whose union is seen on the table plane, of the piece standing at `place` (x, y)."""
        foot = self.outline(turn) + place
        if not self.head:
            return [_hull(np.concatenate([foot, lifted(foot, self.height, eye)]))]
        return [foot, _upper(self.head, self.height, tuple(place), tuple(eye))]

    @property
    def block(self) -> bool:
        """Whether it has corners, a flat top and some height."""
        return self.foot == "square" and not self.head and self.height >= BLOCK


@lru_cache(4096)
def _outline(solid: Solid, turn: float) -> Floats:
    if solid.foot == "square":
        corners = CORNERS * (solid.length, solid.width)
    elif solid.foot == "star":
        angle = np.linspace(0, 2 * np.pi, 2 * solid.points, endpoint=False)
        reach = np.where(np.arange(2 * solid.points) % 2 == 0, solid.length, solid.width)
        corners = np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None]
    else:
        corners = CIRCLE * (solid.length, solid.width)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    outline = np.asarray(corners @ np.array([[c, s], [-s, c]]))
    outline.flags.writeable = False  # it is kept
    return outline


@lru_cache(4096)
def _upper(head: float, height: float, place: tuple[float, ...], eye: tuple[float, ...]) -> Floats:
    """What is seen of a pawn above its foot, however it is turned."""
    neck = CIRCLE * (0.8 * head) + place
    top = lifted(CIRCLE * head + place, height - head, np.array(eye))
    outline = _hull(np.concatenate([neck, top]))
    outline.flags.writeable = False  # it is kept
    return outline


def _hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def lifted(points: Floats, height: float, eye: Floats) -> Floats:
    """Where points (n × 2) at this height appear on the table plane, seen from `eye` (x, y, height)."""
    return np.asarray(points + (points - eye[:2]) * (height / (eye[2] - height)))


def silhouette(parts: list[Floats], size: tuple[int, int], scale: float, origin: Floats) -> Image:
    """The union of polygons (mm) drawn 255 on a picture of `size` (rows, columns) whose first pixel is `origin`."""
    drawn = np.zeros(size, np.uint8)
    for part in parts:
        pixels = (part - origin) * scale - 0.5
        cv2.fillPoly(drawn, [np.rint(pixels * 16).astype(np.int32)], 255, shift=4)
    return drawn


SHAPES: Final = {
    "worker": Solid("round", 8, 8, 15, 3),
    "chief": Solid("oval", 11, 8, 20, 3),
    "sorcerer": Solid("star", 9, 6, 18, 3),
    "log": Solid("square", 12, 3.5, 6),
    "moai-size-1": Solid("square", 6, 6, 20),
    "moai-size-2": Solid("square", 8, 8, 30),
    "moai-size-3": Solid("square", 10, 10, 40),
    "headdress": Solid("round", 7, 7, 7),
}  #: what is known of the pieces before a copy's own are seen: the shape of the foot; sizes are learned
POINTS: Final = (5, 6, 7, 8)
TALLEST: Final = 60.0


@dataclass(frozen=True, slots=True)
class Example:
    """A piece seen alone: its silhouette (255) on a picture of `scale` px/mm, and the eye, both from its middle, mm.

    `top` is 255 on the part of it that is lit from above, which of a block is its upper face.
    """

    mask: Image
    scale: float
    eye: Floats
    top: Image

    def overlap(self, solid: Solid, pose: Pose) -> float:
        """Intersection over union of the silhouette and the solid's at the pose; of a block also of the upper faces."""
        parts = solid.parts(np.array(pose[:2]), pose[2], self.eye)
        whole = self._shared(parts, self.mask)
        if not solid.block:
            return whole
        face = lifted(solid.outline(pose[2]) + np.array(pose[:2]), solid.height, self.eye)
        return (whole + 2 * self._shared([face], self.top)) / 3

    def _shared(self, parts: list[Floats], mask: Image) -> float:
        rows, columns = mask.shape
        drawn = silhouette(parts, (rows, columns), self.scale, -np.array([columns, rows]) / 2 / self.scale)
        both = cv2.countNonZero(cv2.bitwise_and(drawn, mask))
        return both / max(1, cv2.countNonZero(drawn) + cv2.countNonZero(mask) - both)

    def settled(self, solid: Solid, pose: Pose, steps: tuple[float, ...] = (2.0, 1.0, 0.5)) -> Pose:
        """The pose near this one at which the solid covers the silhouette best."""
        best = self.overlap(solid, pose)
        for step in steps:
            better = True
            while better:
                better = False
                for move in (
                    (step, 0, 0),
                    (-step, 0, 0),
                    (0, step, 0),
                    (0, -step, 0),
                    (0, 0, 8 * step),
                    (0, 0, -8 * step),
                ):
                    tried = (pose[0] + move[0], pose[1] + move[1], pose[2] + move[2])
                    value = self.overlap(solid, tried)
                    if value > best + 1e-4:
                        best, pose, better = value, tried, True
        return pose

    def begun(self, solid: Solid) -> Pose:
        """A pose to start from: the silhouette's middle, moved to where its foot may be, and the best turn."""
        moments = cv2.moments(self.mask, True)
        rows, columns = self.mask.shape
        x = (moments["m10"] / moments["m00"] + 0.5 - columns / 2) / self.scale
        y = (moments["m01"] / moments["m00"] + 0.5 - rows / 2) / self.scale
        shift = 0.3 * solid.height / self.eye[2]
        x, y = x - (x - self.eye[0]) * shift, y - (y - self.eye[1]) * shift
        turns = np.arange(12) * solid.turns / 12 if solid.turns else [0.0]
        return max(((float(x), float(y), float(t)) for t in turns), key=lambda pose: self.overlap(solid, pose))


def learned(examples: list[Example], start: Solid) -> tuple[Solid, float]:
    """The solid of the same shape as `start` that fits the examples best, and its mean overlap."""
    tried = [start]
    if start.foot == "star":
        tried = [replace(start, points=n) for n in POINTS]
    elif start.foot == "square" and start.height >= BLOCK:
        tried = [replace(start, length=start.length * k, width=start.width * k) for k in (0.6, 0.8, 1.0)]
    return max((_descended(examples, solid) for solid in tried), key=lambda result: result[1])


def _descended(examples: list[Example], solid: Solid) -> tuple[Solid, float]:
    poses = [e.settled(solid, e.begun(solid)) for e in examples]

    def fit(candidate: Solid) -> float:
        return sum(e.overlap(candidate, p) for e, p in zip(examples, poses, strict=True)) / len(examples)

    best = fit(solid)
    for step in (1.0, 0.5, 0.25):
        for _ in range(3):
            before = best
            for change in _changes(solid, step):
                while True:
                    grown = change(solid)
                    value = fit(grown) if grown is not None else 0.0
                    if grown is None or value <= best + 1e-4:
                        break
                    solid, best = grown, value
            poses = [e.settled(solid, p, (1.0, 0.5)) for e, p in zip(examples, poses, strict=True)]
            best = fit(solid)
            if best < before + 1e-3:
                break
    return solid, best


def _changes(solid: Solid, step: float) -> list[Callable[[Solid], Solid | None]]:
    """Ways to make the solid a little larger or smaller; each answers None at the limits of what is sensible."""

    def change(field: str, by: float) -> Callable[[Solid], Solid | None]:
        def changed(s: Solid) -> Solid | None:
            value = getattr(s, field) + by
            if not (1 < value < TALLEST):
                return None
            return (
                replace(s, length=value, width=value)
                if s.foot == "round" and field == "length"
                else replace(s, **{field: value})
            )

        return changed

    fields = {"length": 1.0, "height": 3.0}
    if solid.foot != "round":
        fields["width"] = 1.0
    if solid.head:
        fields["head"] = 0.5
    return [change(field, sign * step * size) for field, size in fields.items() for sign in (1, -1)]


def shape_of(piece: str) -> str:
    """The name the networks have for a piece's shape."""
    solid = SHAPES[piece]
    if solid.head:
        return solid.foot
    return "cylinder" if solid.foot == "round" else "block" if solid.block else "rod"
