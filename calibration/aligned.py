"""Faces that share a print, cut out exactly over each other.

Each is cut out along its own outline, which is found half a millimetre off now and then, or was cropped by hand. Of
near twins that would count as a difference between them, and a larger one than a small number is: on a photo that one
would seem to be seen which was cut out alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck, Face
from vision.gallery import Gallery, galleries, summed

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Image = NDArray[np.uint8]

SHARED: Final = 0.6  #: faces this much like each other share a print, or most of it
MOST_MM: Final = 1.2  #: no corner was found farther off than this: where more would be needed they only look alike
BLOCK_MM: Final = 4.0  #: where blocks so wide differ most, prints differ:
DIFFERS: Final = 6.0  #: … so many times as much as all of them do
ALIKE: Final = 0.7  #: this share of two prints that are mostly the same does not differ,
CLOSER: Final = 0.85  #: … and is so much closer once they lie upon each other
SOFT: Final = 3  #: pixels (a filter's side) by which both are softened to be aligned
FREEDOMS: Final = (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY, cv2.MOTION_HOMOGRAPHY)
ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)


def aligned(deck: Deck, fixed: Iterable[str] = ()) -> Deck:
    """The deck, its faces moved and bent a little where they share a print; those named by `fixed` stay as they are."""
    stay = frozenset(fixed)
    moved = {face.name: face for gallery in galleries(deck) for face in _aligned(deck, gallery, stay)}
    return replace(deck, faces=tuple(moved.get(face.name, face) for face in deck.faces))


def _aligned(deck: Deck, gallery: Gallery, fixed: frozenset[str]) -> Iterator[Face]:
    """Those faces of a gallery that were moved."""
    faces = {face.name: face for face in deck.faces}
    fine = [gallery.fine(entry) for entry in range(len(gallery.entries))]
    now = {i: fine[i] for i in range(len(gallery.names))}
    for number, entry in _order(gallery, [name in fixed for name in gallery.names]):
        what = gallery.entries[entry]
        model = np.ascontiguousarray(np.rot90(now[what.face], -what.quarters))
        bend = _bend(now[number], model, gallery.scale)
        if bend is None:
            continue
        now[number] = np.asarray(_moved(now[number], bend), np.float32)
        face = faces[gallery.names[number]]
        # from the picture's pixels to those of its inner part at the close look's scale
        rim, fewer = (np.array(gallery.size) - gallery.window) / 2 * face.scale, gallery.scale / face.scale
        across, down = (0.5 - rim) * fewer - 0.5
        inner = np.array([[fewer, 0, across], [0, fewer, down], [0, 0, 1]])
        yield replace(face, image=np.asarray(_moved(face.image, np.linalg.inv(inner) @ bend @ inner), np.uint8))


def _moved(picture: Floats | Image, bend: Doubles) -> NDArray[np.generic]:
    """What a bend leads to, of the same shape."""
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(picture, bend, picture.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _order(gallery: Gallery, fixed: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Each face that shares a print with one before, and the entry (of a face before) that it is most like."""
    count = len(gallery.names)
    rows = np.stack([gallery.coarsely(entry).ravel() for entry in range(len(gallery.entries))])
    rows = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)
    like = (rows[:count] @ rows.T).reshape(count, -1, count)  # face × turn × face
    turn, closest = like.argmax(axis=1), like.max(axis=1)
    done = np.array(fixed)
    while not done.all():
        rest = np.flatnonzero(~done)
        near = closest[np.ix_(rest, np.flatnonzero(done))] if done.any() else np.zeros((len(rest), 1))
        at, model = np.unravel_index(int(near.argmax()), near.shape)
        if near[at, model] > SHARED:
            number, other = int(rest[at]), int(np.flatnonzero(done)[model])
            yield number, int(turn[number, other]) * count + other
        else:
            number = int(rest[closest[np.ix_(rest, rest)].sum(axis=1).argmax()])
        done[number] = True


def _bend(face: Floats, model: Floats, scale: float) -> Doubles | None:
    """The homography from a model's pixels to those of a face that share its print; None where it is no such small one.

    It is found in ever more freedom, and believed as far as the two are more alike then (Evangelidis, Psarakis, 2008).
    """
    to, of = summed(model), summed(face)
    best, off = np.eye(3), _off(face, model, scale)
    for freedom in FREEDOMS:
        mask = _alike(np.asarray(_moved(face, best), np.float32), model, scale)
        start = best if freedom == cv2.MOTION_HOMOGRAPHY else best[:2]
        try:
            found = cv2.findTransformECC(to, of, start.astype(np.float32), freedom, ROUNDS, mask, SOFT)[1]
        except cv2.error:  # they are so unlike that it does not converge
            continue
        bend = np.vstack([np.asarray(found, np.float64), (0, 0, 1)])[:3]
        now = _off(np.asarray(_moved(face, bend), np.float32), model, scale)
        if now < CLOSER * off and _reach(bend, face.shape) < MOST_MM * scale:
            best, off = bend, now
    return None if np.array_equal(best, np.eye(3)) else best


def _reach(bend: Doubles, shape: tuple[int, ...]) -> float:
    """How far (pixels) it moves the corner that it moves farthest."""
    rows, columns = shape[:2]
    corners = np.array([[(0, 0), (columns, 0), (columns, rows), (0, rows)]], np.float64)
    return float(np.linalg.norm(cv2.perspectiveTransform(corners, bend) - corners, axis=2).max())


def _differing(one: Floats, other: Floats, scale: float) -> Floats:
    """How far two prints are apart around each pixel (squares)."""
    side = max(2, round(BLOCK_MM * scale)) | 1
    return np.asarray(cv2.blur(summed(np.square(one - other)), (side, side)), np.float32)


def _off(one: Floats, other: Floats, scale: float) -> float:
    """How far two prints are apart where they are rather alike."""
    apart = _differing(one, other, scale).ravel()
    count = int(ALIKE * apart.size)
    return float(np.partition(apart, count)[:count].mean())


def _alike(one: Floats, other: Floats, scale: float) -> Image:
    """Where two prints do not plainly differ (255)."""
    apart = _differing(one, other, scale)
    return np.where(apart <= DIFFERS * float(np.mean(apart)), 255, 0).astype(np.uint8)
