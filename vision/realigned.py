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

from vision.agreement import correlated
from vision.gallery import summed
from vision.unaligned import OTHER_INK, taught_ink
from vision.verdict import INK, Verdict

Floats = NDArray[np.float32]

BENT_MM: Final = 4.0  #: a face is bent at its corners by no more than this
NEAR: Final = 0.5  #: rivals against which less than this speaks are bent as well
TIED: Final = 0.02  #: faces no less like than the likest by more than this are as like
ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 1e-3)
SOFT: Final = 3  #: pixels (a filter's side) by which both are softened to be aligned


def held(verdict: Verdict) -> Verdict:
    """The verdict, its face and its close rivals each bent for itself: what is liker then is rather what is seen.

    So is a rival as like in print of another colour: too strong a light takes colours away, and where each face is
    given a light of its own that gives it another. The turns of a face are not asked about: once bent they may be one.
    """
    gallery, view = verdict.gallery, verdict.view
    rivals = [number for rival, number in verdict.refuted if rival.evidence < NEAR and rival.name != verdict.name]
    if not rivals:
        return verdict
    likeness = _likeness_bent(verdict, rivals)
    unbent = correlated(view.seen.values, gallery.fine(view.entry)[None], view.seen.weight)
    if max(likeness.values()) <= float(unbent[0]) - TIED:  # its own face fits no worse when it is bent
        return verdict
    least = _likeness_bent(verdict, [view.entry])[view.entry]
    liker = {number for number, like in likeness.items() if like > least}
    tied = {number for number, like in likeness.items() if least - TIED < like <= least}
    if tied:
        ink = taught_ink(gallery, view.entry)
        liker |= {number for number in tied if np.linalg.norm(taught_ink(gallery, number) - ink) > OTHER_INK}
    refuted = tuple((replace(r, wherever=-INK) if number in liker else r, number) for r, number in verdict.refuted)
    return replace(verdict, refuted=refuted)


def _likeness_bent(verdict: Verdict, numbers: Sequence[int]) -> dict[int, float]:
    """How like what is seen each of these entries is, once it is bent for itself."""
    gallery, seen = verdict.gallery, verdict.view.seen
    faces = np.stack([_bent(gallery.fine(number), seen.values, seen.weight, gallery.scale) for number in numbers])
    return dict(zip(numbers, correlated(seen.values, faces, seen.weight).tolist(), strict=True))


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
