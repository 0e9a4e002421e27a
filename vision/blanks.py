"""Empty faces of dice, told by the dice thrown with them: as large, of the same colour in the same light, and even.

A face without pips looks like the top of any block. What it is, dice of the same make beside it tell, whose pips also
tell how plain a pip would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import pips

Single = NDArray[np.float32]
Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]
Point = tuple[float, float]

AROUND: Final = 1.3  #: sides around a place that are looked at
CORE: Final = 0.3  #: of a side: the radius within which a face's colour is told,
PIPPED: Final = 0.36  #: … and in which there are pips
SOFT: Final = 0.8  #: pixels (standard deviation) by which noise is evened out
LIMITS: Final = (3.0, 4.5, 6.5, 9.0, 13.0)  #: Lab units by which the pixels of one face may be off its colour
NARROW: Final = 0.86  #: the shorter over the longer side of a face, at least,
FULL: Final = 0.84  #: … and its share of the rectangle around it
SOLID: Final = 0.75  #: share of it that is left beside pips
AS_LARGE: Final = 1.15  #: by how much two faces of one make may differ in length,
HUE: Final = 6.0  #: … in a and b (Lab units),
LIGHT: Final = 10.0  #: … and in lightness
INNER: Final = 0.74  #: of a face: the part in which pips are
WORST: Final = 0.985  #: share of that part that the largest pips leave free, at most;
LEAST: Final = 0.97  #: … and of the disc a single one does
EVEN: Final = 0.3  #: share of a pip's contrast up to which a face is empty
PLAIN: Final = 12.0  #: Lab units by which pips must differ from their face to tell that another has none
TURNS: Final = np.arange(0.0, 90.0, 7.5)  #: degrees in which a square is laid on a place,
OFFSETS: Final = np.arange(-0.5, 0.51, 0.125)  #: … and sides by which its middle may be off there
SIZES: Final = (0.86, 1.16)  #: of the side that was expected: between these is a square's own
STEPS: Final = (1.0, 0.5, 0.25)  #: pixels by which a square is then made exact
STEP: Final = 5.0  #: Lab units a pixel that are an edge without doubt
CORNERS: Final = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
ON_EDGE: Final = np.linspace(-0.84, 0.84, 16)  #: where an edge is looked at, in half sides: corners may be round
FREE: Final = 4  #: points of half an edge that must be seen for it to have a say
NOWHERE: Final = np.zeros((0, 3))
LEAST_EDGE: Final = 0.12  #: of such an edge, on the mean of either half of it, is seen of all four of a face,
OUT_OF_NOISE: Final = 5.0  #: … and so many standard deviations of chance


@dataclass(frozen=True, slots=True)
class Top:
    """An upper face that ends as a square: its middle and its sides (pixels), the shorter first.

    `colour` (Lab) is that of most of it, `contrast` (Lab units) how far the most different of its inner part is from
    that.
    """

    middle: Point
    sides: tuple[float, float]
    colour: Single
    contrast: float

    @classmethod
    def of(cls, image_bgr: Image, middle: Point, side: float) -> Top | None:
        """The face at a place that is about so large (pixels); None where no square is seen."""
        rows, columns = image_bgr.shape[:2]
        if not (0 <= middle[0] < columns and 0 <= middle[1] < rows):
            return None
        lab, at, low = _around(image_bgr, middle, side)
        colour, off = _off(lab, at, CORE * side)
        found = [square for limit in LIMITS if (square := _square(off, limit, at)) is not None]
        if not found:
            return None
        _, ((x, y), (width, height), turn) = max(found)
        inside = _inner(off, ((x, y), (width, height), turn))
        contrast = float(np.quantile(off[inside], WORST)) if inside.any() else np.inf
        return cls((x + low[0], y + low[1]), (min(width, height), max(width, height)), colour, contrast)

    @classmethod
    def edged(cls, image_bgr: Image, middle: Point, side: float) -> Top | None:
        """The face about at a place whose side is about known (pixels), by its four edges; None where one is not seen.

        What is of its colour may go on beyond them: another die that touches it, or its own sides in even light.
        """
        rows, columns = image_bgr.shape[:2]
        if not (0 <= middle[0] < columns and 0 <= middle[1] < rows):
            return None
        lab, at, low = _around(image_bgr, middle, side)
        changes = changes_of(lab)
        x, y, turn, own = _laid(changes, at, side)
        colour, off = _off(lab, (x, y), CORE * own)
        inside = _inner(off, ((x, y), (own, own), turn))
        if not inside.any():
            return None
        least = float(_steps(changes, np.array([(x, y, turn, own)])).min())
        noise = np.median(np.square(changes[inside]).sum(axis=(1, 2))) / 2  # a pip changes few of the pixels
        chance = float(np.sqrt(noise / (own / 4)))
        if least < max(LEAST_EDGE * STEP, OUT_OF_NOISE * chance):
            return None
        contrast = float(np.quantile(off[inside], WORST))
        return cls((x + low[0], y + low[1]), (own, own), colour, contrast)


@dataclass(frozen=True, slots=True)
class Pipped:
    """A face with pips that was read: how it looks, and its `top` where it ends as a square."""

    colour: Single
    contrast: float
    top: Top | None

    @classmethod
    def of(cls, image_bgr: Image, middle: Point, side: float) -> Pipped:
        """The face whose middle is there and which is so large (pixels)."""
        top = Top.of(image_bgr, middle, side)
        if top is not None:
            return cls(top.colour, top.contrast, top)
        lab, at, _ = _around(image_bgr, middle, side)
        colour, off = _off(lab, at, PIPPED * side)
        contrast = float(np.quantile(off[_disc(off, at, PIPPED * side)], LEAST))
        return cls(colour, contrast, Top.edged(image_bgr, middle, side))


def empty(top: Top, pipped: Sequence[Pipped], thrown: Sequence[Pipped]) -> bool:
    """Whether a face is an empty one: of the make of those that are `pipped`, as large as those `thrown` with it."""
    alike = [other for other in pipped if one_make(top.colour, other.colour)]
    if not any(other.top is not None and _as_large(top, other.top) for other in thrown):
        return False
    plain = min((other.contrast for other in alike), default=0.0)
    return plain > PLAIN and top.contrast < EVEN * plain


def as_even(image_bgr: Image, middle: Point, side: float, thrown: Sequence[Pipped]) -> bool:
    """Whether a square there is as large as the faces thrown with it, and has nothing on it as plain as their pips."""
    top = Top.of(image_bgr, middle, side)
    plain = min((face.contrast for face in thrown), default=0.0)
    if top is None or plain < PLAIN or top.contrast > EVEN * plain:
        return False
    return any(face.top is not None and _as_large(top, face.top) for face in thrown)


def empty_top(
    image_bgr: Image, middle: Point, side: float, pipped: Sequence[Pipped], thrown: Sequence[Pipped]
) -> Top | None:
    """The empty face about at a place, about so large (pixels); by its edges where its patch is no square.

    None where there is none, or a pip may be on it.
    """
    for seen in (Top.of, Top.edged):
        top = seen(image_bgr, middle, side)
        if top is not None and empty(top, pipped, thrown):
            return top
    return None


def one_make(one: Single, other: Single) -> bool:
    """Whether two colours (Lab) may be those of two dice of one make beside each other."""
    light, *hue = np.abs(one - other)
    return float(np.hypot(*hue)) < HUE and float(light) < LIGHT


def _as_large(one: Top, other: Top) -> bool:
    return all(1 / AS_LARGE < a / b < AS_LARGE for a, b in zip(one.sides, other.sides, strict=True))


def _around(image: Image, middle: Point, side: float) -> tuple[Single, Point, tuple[int, int]]:
    """What is seen around a place, as Lab; the place in it; and its first pixel. A place outside is moved in."""
    rows, columns = image.shape[:2]
    middle = min(max(middle[0], 0.0), columns - 1.0), min(max(middle[1], 0.0), rows - 1.0)
    left, top = (max(0, int(v - AROUND * side)) for v in middle)
    right, bottom = (max(1, int(v + AROUND * side) + 2) for v in middle)
    soft = cv2.GaussianBlur(image[top:bottom, left:right], (0, 0), SOFT)
    return pips.lab(np.asarray(soft, np.uint8)), (middle[0] - left, middle[1] - top), (left, top)


def _disc(lab: Single, at: Point, radius: float) -> NDArray[np.bool_]:
    rows, columns = np.mgrid[: lab.shape[0], : lab.shape[1]]
    return np.asarray(np.hypot(columns - at[0], rows - at[1]) < max(1.0, radius))


def _off(lab: Single, at: Point, radius: float) -> tuple[Single, Single]:
    """The colour of most of a disc, and how far (Lab units) every pixel is off it."""
    colour = np.asarray(np.median(lab[_disc(lab, at, radius)], axis=0), np.float32)
    return colour, np.asarray(np.linalg.norm(lab - colour, axis=2), np.float32)


def _inner(off: Single, square: cv2.typing.RotatedRect) -> NDArray[np.bool_]:
    """The pixels of the part of a square in which pips are."""
    middle, (width, height), turn = square
    inner = cv2.boxPoints((middle, (INNER * width, INNER * height), turn))
    return np.asarray(cv2.fillConvexPoly(np.zeros(off.shape, np.uint8), np.rint(inner).astype(np.int32), 1) > 0)


def changes_of(lab: Single) -> Single:
    """By how much colours change a pixel to the right and down: rows × columns × 2 × channels."""
    both = [cv2.Sobel(lab, cv2.CV_32F, right, down, scale=0.125) for right, down in ((1, 0), (0, 1))]
    return np.asarray(np.stack(both, axis=2), np.float32)


def _laid(changes: Single, at: Point, side: float) -> tuple[float, float, float, float]:
    """The square (x, y, degrees, side) about at a place and about so large whose edges are seen best."""
    tried = np.array([(at[0] + dx * side, at[1] + dy * side, turn, side)
                      for turn in TURNS for dx in OFFSETS for dy in OFFSETS])  # fmt: skip
    worth = _worth(changes, tried)
    best, most = tried[worth.argmax()], float(worth.max())
    for step in STEPS:
        while True:
            moves = step * np.array([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 4, 0), (0, 0, 0, 1)])
            near = best + np.concatenate([moves, -moves])
            near[:, 3] = np.clip(near[:, 3], SIZES[0] * side, SIZES[1] * side)
            worth = _worth(changes, near)
            if float(worth.max()) <= most + 1e-4:
                break
            best, most = near[worth.argmax()], float(worth.max())
    x, y, turn, own = (float(v) for v in best)
    return x, y, turn, own


def _worth(changes: Single, squares: Doubles) -> Doubles:
    """How plain the edges of squares are, 0 to 1; those seen least count most."""
    edges = np.sort(np.minimum(_steps(changes, squares) / STEP, 1), axis=1)
    return np.asarray(edges[:, :2].mean(axis=1) / 2 + edges.mean(axis=1) / 2, np.float64)


def _steps(changes: Single, squares: Doubles) -> Doubles:
    """By how much (Lab units a pixel) colours change across each edge of n squares (x, y, degrees, side): n × 4."""
    radians = np.radians(squares[:, 2])
    along = np.stack([np.cos(radians), np.sin(radians)], 1)
    axes = np.stack([along, np.stack([-along[:, 1], along[:, 0]], 1)], 1)  # n × 2 × 2
    corners = np.einsum("ck,nkd->ncd", CORNERS, axes) * (squares[:, 3] / 2)[:, None, None] + squares[:, None, :2]
    return across(changes, corners, np.roll(corners, -1, axis=1))


def across(changes: Single, begins: Doubles, ends: Doubles, hidden: Doubles = NOWHERE) -> Doubles:
    """By how much (Lab units a pixel) colours change across edges (n × edges × 2, from and to a pixel): n × edges.

    It is the mean change of the half that changes less, so that noise is evened out; `changes` are along x and y. What
    is `hidden` (n × 3: x, y and a radius) has no say; NaN where hardly anything of an edge is seen.
    """
    share = ((ON_EDGE + 1) / 2)[:, None]
    where = begins[:, :, None] * (1 - share) + ends[:, :, None] * share  # n × edges × points × 2
    rows, columns = changes.shape[:2]
    x = np.clip(np.rint(where[..., 0]), 0, columns - 1).astype(np.intp)
    y = np.clip(np.rint(where[..., 1]), 0, rows - 1).astype(np.intp)
    along = ends - begins
    length = np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-6)
    normal = np.stack([-along[..., 1], along[..., 0]], 2) / length  # n × edges × 2
    free = np.ones(x.shape, np.bool_)
    for hx, hy, radius in hidden:
        free &= np.hypot(where[..., 0] - hx, where[..., 1] - hy) > radius
    free = free.reshape(*x.shape[:2], 2, -1)
    told = np.maximum(free.sum(axis=3), 1)[..., None]
    by = np.einsum("nepkc,nek->nepc", changes[y, x], normal).reshape(*free.shape, -1)  # … × halves × points × channels
    change = (by * free[..., None]).sum(axis=3) / told
    enough = free.sum(axis=3) >= FREE
    change = np.where(enough[..., None], change, change[:, :, ::-1])
    whole = change.sum(axis=2) / 2
    # of an edge both halves change alike, of what only reaches there one does
    shared = np.einsum("nehc,nec->neh", change, whole).min(axis=2) / np.maximum(np.linalg.norm(whole, axis=2), 1e-6)
    return np.asarray(np.where(enough.any(axis=2), shared, np.nan), np.float64)


def _square(off: Single, limit: float, at: Point) -> tuple[float, cv2.typing.RotatedRect] | None:
    """How square the patch of one colour around a place is, and the rectangle around it; None for no square."""
    mask = cv2.morphologyEx((off < limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    patch = next((c for c in contours if cv2.pointPolygonTest(c, at, False) >= 0), None)
    if patch is None:
        return None
    x, y, width, height = cv2.boundingRect(patch)
    if min(x, y) == 0 or x + width == mask.shape[1] or y + height == mask.shape[0]:  # it goes on
        return None
    middle, (across, along), turn = cv2.minAreaRect(patch)
    narrow = min(across, along) / max(across, along, 1e-6)
    hull = cv2.contourArea(cv2.convexHull(patch))  # pips near a corner are not cut out of it
    full = hull / max(across * along, 1e-6)
    if narrow < NARROW or full < FULL or cv2.contourArea(patch) < SOLID * hull:
        return None
    return narrow * full, (middle, (across + 1, along + 1), turn)
