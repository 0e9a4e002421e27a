"""A component that nobody taught looks like the taught one that shares most with it: it is told by what they do not.

Rivals are held against each other only where they differ. There what is seen must look like its own face, and not
just more like it than like the rival. And nowhere may there be print that the face has not, or none where it has some.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import AGREE_MM, BLOCK_MM, Agreeing
from vision.gallery import summed
from vision.verdict import Verdict

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

RIVALS: Final = 4  #: so many are looked at, the hardest to tell apart
PLAINLY: Final = 0.45  #: evidence against a rival from which on it is the face itself that is seen (½ is all there is)
APART: Final = 0.3  #: blocks in which two faces differ at least this much of the most set them apart:
UNLIKE: Final = 0.75  #: there it may be this much of the way to the rival (in squares) off its own face
PRINT: Final = 0.3  #: mean energy from which on a neighbourhood shows print,
OTHER_PRINT: Final = 0.15  #: … which is another's where it is less like the face than this,
LEAST_MM2: Final = 130.0  #: … on so large a patch
FINE_MM: Final = 4.0  #: in neighbourhoods this small
FINE_PRINT: Final = 0.6  #: … print shows from this mean energy on,
FINE_OTHER: Final = 0.3  #: … is another's where it is less like the face than this,
SCATTERED: Final = 0.02  #: … and is none of the face where it is another's on this share of it,
MOTIF_MM2: Final = 13.0  #: … or on one patch as large as a small printed motif, nowhere narrower than this:
MOTIF_MM: Final = 3.0
ASIDE_MM: Final = 0.7  #: … and the face, moved by so much to any side, does not show it either


def unlike(verdict: Verdict) -> bool:
    """Whether what lies open there is, where a rival is told from its face, about as far from that as the rival."""
    view, gallery = verdict.view, verdict.gallery
    rivals = [gallery.fine(number) for rival, number in verdict.refuted[:RIVALS] if rival.evidence < PLAINLY]
    if not rivals:
        return False
    face = gallery.fine(view.entry)
    level = float(np.vdot(face * view.weight, view.seen.values)) / max(1e-6, float(np.vdot(face * view.weight, face)))
    off = _blocks((view.seen.values / max(0.3, level) - face) ** 2 * view.weight, gallery.scale)
    return any(_unlike(off, _blocks((face - rival) ** 2 * view.weight, gallery.scale)) > UNLIKE for rival in rivals)


def contradicted(verdict: Verdict, but: Bools | None = None, *, exactly: bool = True) -> Bools:
    """Where plain print is seen, or taught, of which the other shows nothing (masks of what was compared).

    Nothing is said of what lies near some places (`but`). It is one large patch, or much that is small and plain, or,
    where it is known `exactly` how it lies, one such patch as large as a motif: a near twin may show the same motif
    among other small print, or one motif more or less.
    """
    pixels = verdict.gallery.scale**2
    much = SCATTERED * verdict.view.seen.values[..., 0].size
    small = _other_print(verdict, FINE_MM, FINE_PRINT, FINE_OTHER, min(much, MOTIF_MM2 * pixels), but)
    motif = exactly and _patches(_wide(small, MOTIF_MM * verdict.gallery.scale), MOTIF_MM2 * pixels).any()
    if motif or np.count_nonzero(small) > much:
        return small
    print_ = _other_print(verdict, AGREE_MM, PRINT, OTHER_PRINT, LEAST_MM2 * pixels, but)
    return _patches(print_, LEAST_MM2 * pixels)


def _wide(mask: Bools, least: float) -> Bools:
    """A mask without what is narrower than so many pixels: along the rim, what lies beside it shines in."""
    if not mask.any():
        return mask
    side = max(1, round(least))
    framed = cv2.copyMakeBorder(mask.astype(np.uint8), side, side, side, side, cv2.BORDER_CONSTANT, value=0)
    return cv2.morphologyEx(framed, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))[side:-side, side:-side] > 0


def _patches(print_: Bools, least: float) -> Bools:
    """Those patches of a mask that are larger than so many pixels."""
    if np.count_nonzero(print_) <= least:
        return np.zeros(print_.shape, np.bool_)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(print_.astype(np.uint8), connectivity=4)
    large = np.flatnonzero(np.asarray(stats)[:, cv2.CC_STAT_AREA] > least)
    return np.asarray(np.isin(labels, large[large > 0]))


def _other_print(verdict: Verdict, near: float, print_: float, other: float, least: float, but: Bools | None) -> Bools:
    """Where other print is seen in neighbourhoods `near` mm wide; on more than so many pixels only if no fit helps.

    A bowed card fits nowhere as a whole: the face must show something else as well when moved by ASIDE_MM to any side.
    """
    gallery, view = verdict.gallery, verdict.view
    face = gallery.fine(view.entry)
    held = view.held or Agreeing(view.seen, gallery.scale).held_against(face)
    found = (held if near == AGREE_MM else held.nearer(gallery.scale, near)).other_print(print_, other)
    if but is not None:
        box = (int(near * gallery.scale) | 1,) * 2
        found &= cv2.dilate(but.astype(np.uint8), np.ones(box, np.uint8)) == 0
    if np.count_nonzero(found) <= least:
        return found
    agreeing = Agreeing(view.seen, gallery.scale, near)
    step = max(1, round(ASIDE_MM * gallery.scale))
    for x, y in ((step, 0), (-step, 0), (0, step), (0, -step)):
        by = np.array([[1, 0, x], [0, 1, y]], np.float32)
        moved = cv2.warpAffine(face, by, (face.shape[1], face.shape[0]), borderMode=cv2.BORDER_REPLICATE)
        found &= agreeing.held_against(np.asarray(moved, np.float32)).other_print(print_, other)
    return found


def _unlike(off: Floats, apart: Floats) -> float:
    """How far it is off its own face (squares, per block) where a rival is this far from that: 1 for as far.

    Noise, and what the fit leaves, is off everywhere, and does not count.
    """
    telling = apart > APART * apart.max()
    usual = float(np.median(off[~telling])) if not telling.all() else 0.0
    return float((off[telling] - usual).sum() / max(1e-6, apart[telling].sum()))


def _blocks(squares: Floats, scale: float) -> Floats:
    """The mean of each block of BLOCK_MM."""
    side = max(2, round(BLOCK_MM * scale))
    rows, columns = squares.shape[0] // side, squares.shape[1] // side
    cut = summed(np.asarray(squares, np.float32))[: rows * side, : columns * side]
    return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
