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
DIFFERS: Final = 3.0  #: … so many times as much as most of them
SOFT: Final = 3  #: pixels (a filter's side) by which both are softened to be aligned
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

    Where the two differ is left out once they lie almost upon each other (Evangelidis, Psarakis, 2008).
    """
    rows, columns = model.shape[:2]
    to, of = summed(model), summed(face)
    mask: Image = np.full((rows, columns), 255, np.uint8)
    bend = np.eye(3, dtype=np.float32)
    try:
        for again in (True, False):
            bend = np.asarray(cv2.findTransformECC(to, of, bend, cv2.MOTION_HOMOGRAPHY, ROUNDS, mask, SOFT)[1])
            if again:
                mask = _alike(np.asarray(_moved(of, bend.astype(np.float64)), np.float32), to, scale)
    except cv2.error:  # they are so unlike that it does not converge
        return None
    corners = np.array([[(0, 0), (columns, 0), (columns, rows), (0, rows)]], np.float64)
    moved = cv2.perspectiveTransform(corners, bend.astype(np.float64))
    if np.linalg.norm(moved - corners, axis=2).max() > MOST_MM * scale:
        return None
    return bend.astype(np.float64)


def _alike(one: Floats, other: Floats, scale: float) -> Image:
    """Where two prints do not plainly differ (255)."""
    side = max(2, round(BLOCK_MM * scale)) | 1
    off = cv2.blur(np.square(one - other), (side, side))
    return np.where(off <= DIFFERS * max(float(np.mean(off)), 1e-6), 255, 0).astype(np.uint8)
