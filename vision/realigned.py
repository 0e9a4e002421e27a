"""Faces bent until each lies as exactly as it can upon what is seen: then the colours of thin lines tell, too.

A pose has a shift, a turn and a stretch. Faces cut out by hand are askew by a millimetre besides, each in its own way,
and of near twins drawn in thin lines the one fits best that was cut out alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import compared, correlated
from vision.gallery import summed
from vision.unaligned import OTHER_INK, taught_ink
from vision.verdict import Rival, Verdict

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

BENT_MM: Final = 6.0  #: a face is bent at its corners by no more than this
NEAR: Final = 0.5  #: rivals against which less than this speaks are bent as well
TIED: Final = 0.02  #: faces no less like than the likest by more than this are as like
ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 1e-3)
SOFT: Final = 3  #: pixels (a filter's side) by which both are softened to be aligned


def told(verdict: Verdict) -> Verdict:
    """The verdict, if its face is the likest once each of the close ones is bent for itself; else what is then told.

    A rival as like in print of another colour is not refuted: too strong a light takes colours away, and where each
    face is given a light of its own that gives it another.
    """
    gallery, view = verdict.gallery, verdict.view
    values, weight = view.seen.values, view.seen.weight
    close = [view.entry, *(number for rival, number in verdict.refuted if rival.evidence < NEAR)]
    faces = np.stack([_bent(gallery.fine(number), values, weight, gallery.scale) for number in close])
    likeness = correlated(values, faces, weight)
    best = int(likeness.argmax())
    if gallery.differ(close[best], view.entry):
        verdict = _retold(verdict, close, faces, likeness, best)
    near = [n for n, like in zip(close, likeness, strict=True) if like > likeness[best] - TIED and n != close[best]]
    if not near:
        return verdict
    ink = taught_ink(gallery, close[best])
    tied = {number for number in near if np.linalg.norm(taught_ink(gallery, number) - ink) > OTHER_INK}
    refuted = tuple((replace(r, whatever=-0.5) if number in tied else r, number) for r, number in verdict.refuted)
    return replace(verdict, refuted=refuted)


def _retold(verdict: Verdict, close: Sequence[int], faces: Floats, likeness: Doubles, best: int) -> Verdict:
    """The verdict for the best of some close entries, their faces being bent."""
    gallery, view = verdict.gallery, verdict.view
    entry = close[best]
    others = [number for number in verdict.close.tolist() if number not in close]
    rivals: list[tuple[Rival, int]] = []
    for number, face in zip([*close, *others], [*faces, *map(gallery.fine, others)], strict=True):
        if gallery.differ(entry, number):
            seen = compared(view.seen.values, faces[best], face, view.weight, gallery.scale)
            name = gallery.names[gallery.entries[number].face]
            rivals.append((Rival(name, *seen, seen[0] - 2 * seen[1]), number))
    rivals.sort(key=lambda rival: rival[0].surely)
    turn = 90 * (gallery.entries[entry].quarters - gallery.entries[view.entry].quarters)
    pose = replace(verdict.pose, turn=(verdict.pose.turn + turn) % 360)
    view = replace(view, entry=entry, likeness=float(likeness[best]), held=None)
    return replace(verdict, pose=pose, view=view, refuted=tuple(rivals), contested=True)


def _bent(face: Floats, values: Floats, weight: Floats, scale: float) -> Floats:
    """A face as it lies most exactly upon what is seen (Evangelidis, Psarakis, 2008), or as it is if that fails."""
    face = np.ascontiguousarray(face)
    mask = (weight[:, :, 1] > 0).astype(np.uint8)
    start = np.eye(3, dtype=np.float32)
    try:
        found = cv2.findTransformECC(summed(values), summed(face), start, cv2.MOTION_HOMOGRAPHY, ROUNDS, mask, SOFT)
    except cv2.error:  # they are so unlike that it does not converge
        return face
    rows, columns = face.shape[:2]
    corners = np.array([[(0, 0), (columns, 0), (columns, rows), (0, rows)]], np.float64)
    bend = np.asarray(found[1], np.float64)
    moved = cv2.perspectiveTransform(corners, bend)
    if np.abs(moved - corners).max() > BENT_MM * scale:
        return face
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    bent = cv2.warpPerspective(face, bend, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.float32)
