"""A face held against its rivals: how plainly what is seen tells it from each of the others."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import compared, level_of
from vision.gallery import Faces, summed
from vision.verdict import Rival, Verdict, View

Floats = NDArray[np.float32]

TINT: Final = 2.0  #: so many times as much contrast may a channel have as in the light that was found
OWN: Final = 0.15  #: of what sets two faces apart, at least this share is print of the one that the other has not,
UNSEEN: Final = -0.2  #: … of which it speaks against the one if this much less than half of it is seen (−½: nothing);
PLAINLY: Final = 0.4  #: … a rival against which this much speaks is no faded one


def rivals_of(gallery: Faces, close: NDArray[np.intp], view: View) -> list[tuple[Rival, int]]:
    """The close faces that mean something else or lie another way, the hardest to tell apart first."""
    rivals: list[tuple[Rival, int]] = []
    for i in np.argsort(-view.likenesses):
        number = int(close[i])
        if not gallery.differ(view.entry, number):
            continue
        rivals.append((rival_of(view, view.entry, number, gallery), number))
    return sorted(rivals, key=lambda r: r[0].surely)


def surely(view: View, one: int, other: int, gallery: Faces) -> float:
    """How surely one entry is seen and not the other, once the pose is fitted to the one."""
    if view.entry != one:
        return -0.5
    return rival_of(view, one, other, gallery).own


def rival_of(view: View, one: int, other: int, gallery: Faces) -> Rival:
    """How clearly it is the one entry that is seen and not the other."""
    name = gallery.names[gallery.entries[other].face]
    faces = gallery.fine(one), gallery.fine(other)
    if gallery.light is None:
        evidence, error, share = compared(view.seen.values, *faces, view.weight, gallery.scale)
        return Rival(name, evidence, error, share, evidence - 2 * error)
    # the light is known by one face only; in another each of them may have less contrast in any channel
    faces = _tinted(faces[0], view), _tinted(faces[1], view)
    evidence, error, share = compared(view.seen.values, *faces, view.weight, gallery.scale)
    shown, taught = _power(faces[0] - faces[1], view.weight), _power(gallery.printed(one, other), view.weight)
    return Rival(name, evidence, error, share, evidence - 2 * error, shown / max(1e-6, taught))


def unseen(verdict: Verdict) -> str:
    """The rival of which what lies there may be a faded one, as nothing that only the face has is seen; "" for none.

    Blur and too strong a light take from fine print, and add none: where print of the rival is missing, and the face's
    own as well, neither is told by what is missing.
    """
    view, gallery = verdict.view, verdict.gallery
    asked = ((r.name, number) for r, number in verdict.refuted if r.surely < PLAINLY and not r.is_refuted)
    return next((name for name, number in asked if _own_print(view, number, gallery) < UNSEEN), "")


def _own_print(view: View, other: int, gallery: Faces) -> float:
    """How much of what the likeliest entry has printed, and another has not, is seen: −½ nothing, ½ all of it."""
    one, rival = gallery.fine(view.entry), gallery.fine(other)
    if gallery.light is not None:
        one, rival = _tinted(one, view), _tinted(rival, view)
    middle, apart = (one + rival) * np.float32(0.5), one - rival
    difference = apart * view.weight
    off = view.seen.values * np.float32(1 / level_of(view.seen.values, middle, view.weight)) - middle
    counts = summed(apart * difference)
    own = summed(one * one) > summed(rival * rival)
    power = float(counts[own].sum())
    return float(summed(off * difference)[own].sum()) / power if power > OWN * float(counts.sum()) else 0.5


def _power(apart: Floats, weight: Floats) -> float:
    return float(np.vdot(apart * weight, apart))


def _tinted(face: Floats, view: View) -> Floats:
    """The face with as much contrast in each channel as makes it most like what is seen."""
    weighted = face * view.weight
    spoken = np.einsum("ijk,ijk->k", weighted, view.seen.values)
    power = np.einsum("ijk,ijk->k", weighted, face)
    contrast = np.clip(spoken / np.maximum(power, 1e-6), 0.0, TINT)
    return np.asarray(cv2.transform(face, np.diag(contrast)), np.float32)
