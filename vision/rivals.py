"""A face held against its rivals: how plainly what is seen tells it from each of the others."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import compared
from vision.gallery import Faces
from vision.verdict import Rival, View

Floats = NDArray[np.float32]

TINT: Final = 2.0  #: so many times as much contrast may a channel have as in the light that was found


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


def _power(apart: Floats, weight: Floats) -> float:
    return float(np.vdot(apart * weight, apart))


def _tinted(face: Floats, view: View) -> Floats:
    """The face with as much contrast in each channel as makes it most like what is seen."""
    weighted = face * view.weight
    spoken = np.einsum("ijk,ijk->k", weighted, view.seen.values)
    power = np.einsum("ijk,ijk->k", weighted, face)
    contrast = np.clip(spoken / np.maximum(power, 1e-6), 0.0, TINT)
    return np.asarray(cv2.transform(face, np.diag(contrast)), np.float32)
