"""The outline of one small smooth thing on a table: where it ends all around, and the ellipse that is most like that.

It is the closed line around the thing's middle along which most of its colour is lost (`vision.contour`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import contour
from vision.background import BLACK

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ellipse = tuple[tuple[float, float], tuple[float, float], float]  #: middle, both diameters (px), turn (degrees)

ANGLES: Final = 64
REACH: Final = np.arange(0.4, 2.3, 0.05, dtype=np.float32)  #: half widths, where the outline is looked for
WITHIN: Final = slice(0, 8)  #: … of these that surely lie within
TURNED: Final = 0.15  #: what it costs to go nearer or farther by one of these from an angle to the next
CLOSE: Final = np.arange(-3, 4)  #: so near to the way around the edge is where most is lost
STEP: Final = 0.15  #: share of the way from table to thing that is lost at an edge that is seen
ENDS: Final = 0.3  #: an edge in a heap counts so much for every time that it is clearer than an edge must be
STEEP: Final = 0.6  #: … and no more is counted
ENOUGH: Final = 0.6  #: of how far a thing's colour is from the table's: where it shines it is paler
CLEAR: Final = 0.75  #: share of an outline that is seen where it need not be sought again among what touches it,
SMOOTH: Final = 0.055  #: … and the misfit it then has at most
OFF: Final = 0.08  #: radii; places farther from the ellipse are another thing's
INNER: Final = 0.8  #: of the ellipse; the colour is told within
GLINT: Final = 1 / 6  #: the brightest share of a thing is left aside
ALIKE: Final = 0.3  #: of its usual strength by which a colour may be off; the least that counts:
FAINT: Final = 0.12

_TURN: Final = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
_COUNTED: Final = np.array([0.5, 1, 1], np.float32)  #: lightness counts half
_TABLE: Final = np.array([100, 0, 0], np.float32) * _COUNTED


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing: where it lies on the photo (px), how its outline is, and its usual colour."""

    centre: tuple[float, float]
    radius: float  #: px: a circle as large
    long: float  #: times as long as wide
    misfit: float  #: radii from its ellipse; four fifths of what is seen of its outline are nearer
    triangular: float  #: radii by which it is three-cornered,
    square: float  #: … and four-cornered
    seen: float  #: share of the outline at which an edge is
    even: float  #: share of it that has its usual colour
    lab: Doubles  #: CIE L*a*b* beside a white table

    def is_clear(self) -> bool:
        """Whether all its outline is seen, and is that of one smooth thing."""
        return self.seen > CLEAR and self.misfit < SMOOTH

    def is_within(self, other: Thing) -> bool:
        """Whether its middle lies in another thing."""
        return math.dist(self.centre, other.centre) < min(self.radius, other.radius)

    def overlaps(self, other: Thing) -> bool:
        """Whether the middle of one lies in the other, whichever is larger."""
        return math.dist(self.centre, other.centre) < max(self.radius, other.radius)


def thing_at(lab: Floats, edges: Floats, x: float, y: float, half: float, factor: float) -> Thing | None:
    """The thing whose middle (px of the photo made smaller by `factor`) and half width these are."""
    outline, seen = _outline(lab, edges, x, y, half)
    if np.count_nonzero(seen) < ANGLES / 2:
        return None
    (cx, cy), (width, height), _ = ellipse = _ellipse(outline[seen])
    if min(width, height) < 2 or not (0 <= cx < lab.shape[1] and 0 <= cy < lab.shape[0]):
        return None
    reach = np.where(seen, np.hypot(*_upright(outline, ellipse).T), 1)
    waves = np.abs(np.fft.rfft(reach)) * 2 / ANGLES
    usual, even = _usual(_inner(lab, ellipse))
    return Thing(
        ((cx + 0.5) / factor - 0.5, (cy + 0.5) / factor - 0.5),
        float(np.sqrt(width * height)) / 2 / factor,
        max(width, height) / min(width, height),
        float(np.quantile(np.abs(reach[seen] - 1), 0.8)),
        float(waves[3]),
        float(waves[4]),
        float(seen.mean()),
        even,
        usual,
    )


def _inner(lab: Floats, ellipse: Ellipse) -> Floats:
    """The pixels (n × 3) well within an ellipse whose middle is one of them."""
    (x, y), (width, height), turn = ellipse
    reach = math.ceil(max(width, height) / 2)
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    part = lab[top : int(y) + reach + 1, left : int(x) + reach + 1]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.ellipse(mask, ((x - left, y - top), (INNER * width, INNER * height), turn), 1, cv2.FILLED)
    mask[int(y) - top, int(x) - left] = 1
    return np.asarray(part[mask > 0], np.float32)


def _usual(pixels: Floats) -> tuple[Doubles, float]:
    """The usual colour of n pixels (Lab), and the share that have it, be they lighter or darker; glints left aside."""
    ordered = pixels[np.argsort(pixels[:, 0])]
    ordered = ordered[: max(1, round(len(ordered) * (1 - GLINT)))]
    strength = ordered[:, 1:] / (ordered[:, :1] + BLACK)
    middle = np.median(strength, axis=0)
    off = np.linalg.norm(strength - middle, axis=1)
    even = float(np.mean(off < max(ALIKE * float(np.linalg.norm(middle)), FAINT)))
    return np.asarray(np.median(pixels, axis=0), np.float64), even


def _outline(lab: Floats, edges: Floats, x: float, y: float, half: float) -> tuple[Doubles, NDArray[np.bool_]]:
    """The outline (angles × 2, px) around a middle, and where an edge is seen there."""
    right, down = (half * REACH * f(_TURN)[:, None] for f in (np.cos, np.sin))
    there = (x + right).astype(np.float32), (y + down).astype(np.float32)
    around = cv2.remap(lab, *there, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) * _COUNTED
    away = np.linalg.norm(around - _TABLE, axis=2)
    like = np.minimum(away / (ENOUGH * max(float(np.median(away[:, WITHIN])), 1.0)), 1)  # 0 is table, 1 the thing
    lost = np.zeros(like.shape, np.float32)
    lost[:, 2:-2] = (like[:, :-4] + like[:, 1:-3] - like[:, 3:-1] - like[:, 4:]) / 2
    ends = cv2.remap(edges, *there, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    lost = np.maximum(lost, np.clip(ENDS * (ends - 1), 0, STEEP))
    way = contour.closed_path(np.clip(lost, -STEEP, STEEP), 1, TURNED)
    near = np.clip(way[:, None] + CLOSE, 0, len(REACH) - 1)
    weight = np.square(np.maximum(np.take_along_axis(lost, near, 1), 1e-6))
    reach = half * (REACH[near] * weight).sum(axis=1) / weight.sum(axis=1)
    places = np.stack([x + reach * np.cos(_TURN), y + reach * np.sin(_TURN)], axis=1)
    return np.asarray(places, np.float64), np.asarray(lost[np.arange(ANGLES), way] > STEP)


def _ellipse(places: Doubles) -> Ellipse:
    """The ellipse through most of these places (n × 2, px)."""
    kept = places
    for _ in range(3):
        (x, y), (width, height), turn = cv2.fitEllipseDirect(kept.astype(np.float32))
        found = (float(x), float(y)), (float(width), float(height)), float(turn)
        off = np.abs(np.hypot(*_upright(places, found).T) - 1)
        kept = places[off <= max(OFF, float(np.quantile(off, 0.75)))]
    return found


def _upright(places: Doubles, ellipse: Ellipse) -> Doubles:
    """Places (n × 2) as seen from the ellipse's middle, its axes being 1."""
    (x, y), (width, height), turn = ellipse
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    axes = np.array([[c, -s], [s, c]])
    return np.asarray((places - (x, y)) @ axes / (max(width, 1e-3) / 2, max(height, 1e-3) / 2), np.float64)
