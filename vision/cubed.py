"""Dice told by all of their edges: a cube of a known size, laid on what is seen from where the camera is.

The edges of an upper face need not be seen: in even light a side is as bright as that. But where a cube stands, and
how it is turned, its outline tells alone; where its upper face is follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import blanks, pips
from vision.blanks import (
    CORNERS,
    EVEN,
    INNER,
    LEAST_EDGE,
    OFFSETS,
    OUT_OF_NOISE,
    STEP,
    TURNS,
    WORST,
    Pipped,
    one_make,
)
from vision.plane import Plane

Single = NDArray[np.float32]
Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

#: of eight corners, the upper four first: the edges of the upper face, those of the foot, and the upright ones
EDGES: Final = np.array([*((i, (i + 1) % 4) for i in range(4)), *((4 + i, 4 + (i + 1) % 4) for i in range(4)),
                         *((i, 4 + i) for i in range(4))])  # fmt: skip
AROUND: Final = 3.0  #: sides around a place that are looked at
SIZES: Final = (0.85, 1.15)  #: of the side that is known: between these a cube's own is sought,
SAME: Final = 1.08  #: … and so near to it a die's is: what is flat, or higher than wide, is as some other cube
STEPS: Final = (1.0, 0.5, 0.25)  #: mm by which a cube is then made exact,
TURNED: Final = 4.0  #: … and so many times as many degrees,
GROWN: Final = 0.5  #: … and so many times as many mm of its side
WEAKEST: Final = 2  #: edges of its outline that count most: those that are seen least
HIDES: Final = 0.75  #: sides from the middle of another die's upper face within which that hides what is behind it
OPEN: Final = 4  #: edges of its outline, of mostly six, that must be free of other dice
BURNT: Final = 97.0  #: lightness (Lab) from which on all that is pale looks as if it was of one make
THIN: Final = 5.0  #: pixels below which a side is too narrow to tell what is on it
PIPPED: Final = 0.2  #: share of all values but 0 from which a die of another make may have pips


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube on the table: its place (mm), its side (mm), and the middle of its upper face (pixels).

    `colour` (Lab) is that of most of its upper face, `contrast` (Lab units) how far the most different of the inner
    part of any face is from what most of that face is. `outlined` is whether its outline is seen, `edged` whether each
    of its edges is that would be.
    """

    place: tuple[float, float]
    side: float
    middle: tuple[float, float]
    colour: Single
    contrast: float
    outlined: bool
    edged: bool

    @classmethod
    def of(cls, image_bgr: Image, plane: Plane, foot: Doubles, side: float, others: Doubles) -> Cube | None:
        """The cube about so large (mm) that is seen best about a place (mm); None where hardly any of it is seen.

        `others` are the middles (n × 2, pixels) of the upper faces of dice that may hide a part of it.
        """
        look = _Look.of(image_bgr, plane, foot, side, others)
        if look is None:
            return None
        pose = look.laid(foot, side)
        steps, seen, outline = (each[0] for each in look.edges(pose[None]))
        told = ~np.isnan(steps)
        if (outline & told).sum() < OPEN:
            return None
        plain = np.nan_to_num(steps) > max(LEAST_EDGE * STEP, OUT_OF_NOISE * look.chance)
        corners = look.px(pose[None])[0]
        x, y = corners[:4].mean(axis=0)
        colour, contrast = look.face(corners[:4])
        sides = [look.face(corners[[i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i]]) for i in np.flatnonzero(seen[4:8])]
        return cls(
            (float(pose[0]), float(pose[1])),
            float(pose[3]),
            (float(x + look.low[0]), float(y + look.low[1])),
            colour,
            max(contrast, *(other for _, other in sides), 0.0),
            bool(plain[outline & told].all()),
            bool(plain[seen].all()),
        )

    def empty(self, side: float, pipped: Sequence[Pipped]) -> bool:
        """Whether it is a die of the make of those that are `pipped`, as large as they are (mm), with an empty face."""
        alike = [face for face in pipped if one_make(self.colour, face.colour)]
        told = self.outlined and float(self.colour[0]) < BURNT
        return told and self._as_large(side) and bool(alike) and self._even(alike)

    def empty_too(self, side: float, thrown: Sequence[Pipped], shares: Single) -> bool:
        """Whether it is a die of another make than those `thrown` with it, as large as they are (mm), and empty.

        `shares` are what a network gives to the values 0 to 6.
        """
        return self.edged and self._as_large(side) and float(shares[1:].sum()) < PIPPED and self._even(thrown)

    def _as_large(self, side: float) -> bool:
        return 1 / SAME < self.side / side < SAME

    def _even(self, pipped: Sequence[Pipped]) -> bool:
        """Whether nothing on its faces is at all as plain as pips are on others: nor as the edge of another thing."""
        plain = min(face.contrast for face in pipped)
        return plain > blanks.PLAIN and self.contrast < EVEN * plain


@dataclass(frozen=True, slots=True)
class _Look:
    """What is seen around a place, in a part of a photo that begins at the pixel `low`.

    `changes` are by how much colours change across and down, `hidden` (n × 3: x, y, radius) where other dice are, and
    `chance` is how much (Lab units a pixel) noise changes along an edge.
    """

    plane: Plane
    eye: Doubles
    lab: Single
    changes: Single
    low: Doubles
    hidden: Doubles
    chance: float

    @classmethod
    def of(cls, image: Image, plane: Plane, foot: Doubles, side: float, others: Doubles) -> _Look | None:
        """None where the photo shows hardly any of it."""
        length = side * plane.scale((float(foot[0]), float(foot[1])))  # pixels
        middle, reach = plane.to_px(foot)[0], AROUND * length
        low, high = (np.maximum(0, np.rint(middle + by)).astype(int) for by in (-reach, reach))
        part = image[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) < reach:
            return None
        lab = pips.lab(np.asarray(cv2.GaussianBlur(part, (0, 0), blanks.SOFT), np.uint8))
        changes = blanks.changes_of(lab)
        noise = float(np.median(np.square(changes).sum(axis=(2, 3)))) / 2
        hidden = np.column_stack([others - low, np.full(len(others), HIDES * length)])
        chance = float(np.sqrt(noise / (length / 4)))
        return cls(plane, np.array(plane.eye()), lab, changes, low.astype(np.float64), hidden, chance)

    def laid(self, foot: Doubles, side: float) -> Doubles:
        """The cube (x, y, degrees, side; mm) about at a place and about so large whose edges are seen best."""
        tried = np.array([(foot[0] + dx * side, foot[1] + dy * side, turn, side)
                          for turn in TURNS for dx in OFFSETS for dy in OFFSETS])  # fmt: skip
        worth = self._worth(tried)
        best, most = tried[worth.argmax()], float(worth.max())
        for step in STEPS:
            while True:
                moves = step * np.array([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, TURNED, 0), (0, 0, 0, GROWN)])
                near = best + np.concatenate([moves, -moves])
                near[:, 3] = np.clip(near[:, 3], SIZES[0] * side, SIZES[1] * side)
                worth = self._worth(near)
                if float(worth.max()) <= most + 1e-4:
                    break
                best, most = near[worth.argmax()], float(worth.max())
        return np.asarray(best)

    def _worth(self, poses: Doubles) -> Doubles:
        """How plain the edges of cubes are: all that would be seen, those of their outline, and the least of these."""
        steps, seen, outline = self.edges(poses)
        plain, told = np.minimum(np.nan_to_num(steps) / STEP, 1), ~np.isnan(steps)
        means = [(plain * part).sum(axis=1) / np.maximum(part.sum(axis=1), 1) for part in (seen & told, outline & told)]
        least = np.sort(np.where(outline & told, plain, 1), axis=1)[:, :WEAKEST].mean(axis=1)
        return np.asarray(means[0] + means[1] + least)

    def edges(self, poses: Doubles) -> tuple[Doubles, Mask, Mask]:
        """Of each of EDGES of cubes by how much colours change across it, if it would be seen, if it is of its outline.

        All are n × 12.
        """
        corners = self.px(poses)
        begins, ends = corners[:, EDGES[:, 0]], corners[:, EDGES[:, 1]]
        steps = blanks.across(self.changes, begins, ends, self.hidden)
        foot = self._corners(poses)[:, 4:]
        along, away = np.roll(foot, -1, axis=1) - foot, self.eye[:2] - foot
        facing = along[..., 1] * away[..., 0] > along[..., 0] * away[..., 1]  # the sides that are seen
        before = np.roll(facing, 1, axis=1)
        seen = np.concatenate([np.ones_like(facing), facing, facing | before], axis=1)
        return steps, seen, np.concatenate([~facing, facing, facing != before], axis=1)

    def px(self, poses: Doubles) -> Doubles:
        """The corners (n × 8 × 2) of cubes, in pixels of the part."""
        corners = self._corners(poses)
        return np.asarray(self.plane.to_px(corners.reshape(-1, 2)).reshape(corners.shape) - self.low)

    def _corners(self, poses: Doubles) -> Doubles:
        """Where corners of cubes (n × 8 × 2) are seen on the table, mm: those of the upper faces, then the feet's."""
        x, y, turn, side = poses.T[..., None]
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        across, down = CORNERS[:, 0] * side / 2, CORNERS[:, 1] * side / 2
        foot = np.stack([x + across * cos - down * sin, y + across * sin + down * cos], axis=2)
        rise = (side / (self.eye[2] - side))[..., None]
        return np.concatenate([foot + (foot - self.eye[:2]) * rise, foot], axis=1)

    def face(self, corners: Doubles) -> tuple[Single, float]:
        """The colour (Lab) of most of a face (4 × 2, pixels), and how far what differs most is off that.

        What other dice hide of it has no say, nor has a side that is seen from so high above that it is but an edge.
        """
        longest = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())
        rows, columns = self.lab.shape[:2]
        y, x = np.mgrid[:rows, :columns]
        hidden = np.zeros((rows, columns), np.bool_)
        for hx, hy, radius in self.hidden:
            hidden |= np.hypot(x - hx, y - hy) < radius
        inner = corners.mean(axis=0) + INNER * (corners - corners.mean(axis=0))
        blank = np.zeros((rows, columns), np.uint8)
        inside = (cv2.fillConvexPoly(blank, np.rint(inner).astype(np.int32), 1) > 0) & ~hidden
        if not inside.any() or cv2.contourArea(corners.astype(np.float32)) < THIN * longest:
            return np.zeros(3, np.float32), 0.0
        colour = np.asarray(np.median(self.lab[inside], axis=0), np.float32)
        return colour, float(np.quantile(np.linalg.norm(self.lab[inside] - colour, axis=1), WORST))
