"""Beads on a photo that shows neither markers nor known components, so that nothing tells its scale.

A level table is tried at several distances. Any picture has something round in it, so more is asked of a bead here:
an outline that is a circle seen from somewhere (print and dice are not that round), some others of the same size, and
the colour of those that go by the same name. Brown, which is a dark red or orange, is told beside those.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import beads, circles, clipped, colour, namesakes, naming, scattered
from vision.beads import Bead, Hue, doubted
from vision.naming import GREENISH
from vision.plane import Lens, Plane
from vision.roundness import ANGLES, OVAL, misfit
from vision.scattered import Scatter

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SPANS: Final = 1600.0 / 1.5 ** np.arange(9)  #: mm that a photo may be wide on the table
LEAST: Final = 3  #: so few discs are chance
LEAST_PX: Final = 10.0  #: radius from which an outline tells its shape
ROUND: Final = 0.035  #: most of the outline is no farther than this from an ellipse, radii; print and dice: 0.06 to 0.2
NEARLY: Final = 0.055  #: … and so far from it where it looks like one that is
CUT_OFF: Final = 3.0  #: of 255: red with less green and blue may have had more, before contrast was raised;
SOME_GREEN: Final = 0.16  #: … what then still has this share of its red, and no blue, is orange,
LEAST_RED: Final = 150.0  #: … being this bright in red,
LEAST_APART: Final = 2.5  #: … by so many degrees of hue,
LEAST_OF_EACH: Final = 2  #: … if there are so many of both
WITHIN: Final = 8.0  #: degrees inside of the hues that go by a name from which on a hue surely goes by it
RUDDY: Final = 8.0  #: the least hue of a brown one, where no white paper tells the light's colour
OUTLINE: Final = beads.SIGNS[0]
PALE: Final = beads.SIGNS[2]
BETWEEN: Final = beads.SIGNS[4]
BEYOND: Final = beads.SIGNS[5]
BESIDE: Final = 1.2  #: of both radii; its shadow is no farther from a thing
NEAR: Final = 0.5  #: radii; what was found twice is no farther apart
FEW: Final = "too few of them to tell beads from other round things"
#: what two beads of one colour may differ by: hue (degrees), logarithms of strength and of lightness
ALIKE: Final = np.array([4.5, 0.14, 0.18])


def find(image: Image, palette: Sequence[Hue]) -> list[Bead]:
    """The beads of a BGR photo; those in doubt have a `why`. Places in millimetres mean nothing here."""
    found = _found(image, palette)
    raised = _is_raised(image, found)
    found = [doubted(bead, BETWEEN) if _may_be_no_red(image, bead, raised) else bead for bead in found]
    return clipped.added(image, found, beads.by_hue(palette), LEAST_APART if raised else clipped.HUE)


def _found(image: Image, palette: Sequence[Hue]) -> list[Bead]:
    """Whatever the photo shows all of, or nearly."""
    best: list[Bead] = []
    where = _level(image, float(SPANS[0]))
    for span in SPANS:
        level = _level(image, float(span))
        found = _large(beads.find(image, level, palette=palette, strewn=True))
        if (_sure(found), len(found)) > (_sure(best), len(best)):
            best, where = found, level
    edge = _red_from_orange(image, best, palette)
    if edge is not None:
        best = _large(beads.find(image, where, palette=_told_at(edge, palette), strewn=True))
    looks = np.array([_look(image, bead) for bead in best])
    if edge is not None:
        between = [abs(float(look[0]) - float(np.mean(edge))) < (edge[1] - edge[0]) / 4 for look in looks]
        best = [doubted(bead, BETWEEN) if odd else bead for bead, odd in zip(best, between, strict=True)]
    olive = [bead.colour == "yellow" and float(look[0]) > GREENISH for bead, look in zip(best, looks, strict=True)]
    best = [doubted(bead, BETWEEN) if odd else bead for bead, odd in zip(best, olive, strict=True)]
    best = _ovals_doubted(image, namesakes.browns(best, looks, palette, _least_brown(palette)), looks)
    if _sure(best) >= LEAST:
        best = _strangers_doubted(best, looks)
    scatter = None if _is_raised(image, best) else scattered.find(image)
    if scatter is not None:
        best = _joined(best, naming.named(scatter, palette), scatter)
        return [bead for bead in best if _sure(best) or bead.why != PALE]  # what is only dark may be any print
    if _sure(best) < LEAST:
        return [doubted(bead, FEW) for bead in best if not bead.why]
    return best


def _joined(found: Sequence[Bead], things: Sequence[Bead], scatter: Scatter) -> list[Bead]:
    """What was found as discs and as things with an outline: one of each, in doubt where they gainsay each other.

    Discs in doubt that lie on the table are none, nor are pale ones beside a thing: its shadow. Beyond the table all
    are in doubt.
    """
    joined = list(things)
    for disc in found:
        there = [
            i for i, t in enumerate(things) if math.dist(t.centre_px, disc.centre_px) < t.radius_px + disc.radius_px / 2
        ]
        if not there:
            beside = any(
                math.dist(t.centre_px, disc.centre_px) < BESIDE * (t.radius_px + disc.radius_px) for t in things
            )
            if not disc.why or not (scatter.is_table(*disc.centre_px) or (disc.why == PALE and beside)):
                joined.append(disc if scatter.holds(*disc.centre_px) else doubted(disc, BEYOND))
            continue
        i = min(there, key=lambda k: math.dist(things[k].centre_px, disc.centre_px))
        if disc.why or math.dist(things[i].centre_px, disc.centre_px) > NEAR * things[i].radius_px:
            continue
        if things[i].why == OUTLINE:
            joined[i] = disc
        elif things[i].colour != disc.colour:
            joined[i] = doubted(things[i], BETWEEN)
    return joined


def _large(found: Sequence[Bead]) -> list[Bead]:
    return [bead for bead in found if bead.radius_px >= LEAST_PX]


def _red_from_orange(image: Image, found: Sequence[Bead], palette: Sequence[Hue]) -> tuple[float, float] | None:
    """The highest hue of red beads and the lowest of orange ones, where only the photo's own range tells them apart.

    None on usual photos. Where the contrast was raised until red has neither green nor blue, all that was redder than
    it has its hue, and orange is nearer to that than elsewhere.
    """
    if not {"red", "orange"} <= {hue.name for hue in palette}:
        return None
    middle = np.array([_median(image, bead) for bead in found]).reshape(-1, 3)
    bright = (middle[:, 2] > LEAST_RED) & (middle[:, 0] < CUT_OFF)
    red, orange = bright & (middle[:, 1] < CUT_OFF), bright & (middle[:, 1] > SOME_GREEN * middle[:, 2])
    if min(np.count_nonzero(red), np.count_nonzero(orange)) < LEAST_OF_EACH:
        return None
    hues = np.array([_look(image, bead)[0] for bead in found])
    highest, lowest = float(hues[red].max()), float(hues[orange].min())
    return (highest, lowest) if lowest - highest > LEAST_APART else None


def _may_be_no_red(image: Image, bead: Bead, raised: bool) -> bool:
    """Whether what is told as red may be orange of which raised contrast has left no blue.

    Or nearly black, where contrast was `raised`: of dark colours little is left then.
    """
    if bead.colour != "red" or bead.why:
        return False
    blue, green, red = _median(image, bead)
    orange = blue < CUT_OFF and red > LEAST_RED and green > SOME_GREEN * red
    return bool(orange or (raised and _look(image, bead)[2] < clipped.BLACKISH))


def _is_raised(image: Image, found: Sequence[Bead]) -> bool:
    """Whether the contrast of a photo was raised until some bright things show nothing but one of its colours."""
    middle = np.sort(np.array([_median(image, bead) for bead in found]).reshape(-1, 3), axis=1)
    pure = (middle[:, 1] < CUT_OFF) & (middle[:, 2] > LEAST_RED)
    return bool(np.count_nonzero(pure) >= LEAST_OF_EACH)


def _told_at(edge: tuple[float, float], palette: Sequence[Hue]) -> tuple[Hue, ...]:
    """The palette, where red goes up to the first of these hues and orange begins at the second."""
    red, orange = edge[0] + WITHIN, edge[1] - WITHIN
    return tuple(
        replace(hue, high=max(hue.high, red)) if hue.name == "red"
        else replace(hue, low=min(hue.low, orange)) if hue.name == "orange"
        else hue
        for hue in palette
    )  # fmt: skip


def _least_brown(palette: Sequence[Hue]) -> float:
    """The hue from which on a dark one is brown: nearer to red than in white light, unless purple may be there, too."""
    names = {hue.name for hue in palette}
    return RUDDY if "brown" in names and "purple" not in names else beads.BROWN.low


def _sure(found: Sequence[Bead]) -> int:
    return sum(not bead.why for bead in found)


def _level(image: Image, span: float) -> Plane:
    """The plane of a table straight below, of which `span` mm are seen across."""
    height, width = image.shape[:2]
    lens = Lens.guess(width, height)
    away = span * lens.matrix[0, 0] / width
    return Plane(lens, np.eye(3), np.array([0.0, 0.0, away]), marked=False)


def _ovals_doubted(image: Image, found: Sequence[Bead], looks: Floats) -> list[Bead]:
    """The beads, in doubt where they are not round; nearly will do for one that looks like a round one."""
    misfits = np.array([misfit(image, bead.centre_px, bead.radius_px) for bead in found])
    told = []
    for i, bead in enumerate(found):
        models = [k for k, other in enumerate(found) if misfits[k] < ROUND and _goes_by(other, bead.colour)]
        like = bool(models) and _near(looks[i], looks[models])
        told.append(bead if misfits[i] < (NEARLY if like else ROUND) else doubted(bead, OVAL))
    return told


def _goes_by(bead: Bead, name: str) -> bool:
    return bead.colour == name and not bead.why


def _strangers_doubted(found: Sequence[Bead], looks: Floats) -> list[Bead]:
    """The beads, in doubt where most that go by the same name look alike and they do not."""
    told = []
    for i, bead in enumerate(found):
        kin = looks[[k for k, other in enumerate(found) if _goes_by(other, bead.colour)]]
        usual = max((_linked(kin, look) for look in kin), key=np.count_nonzero, default=None)
        if bead.why or usual is None or 2 * np.count_nonzero(usual) <= len(kin) or _near(looks[i], kin[usual]):
            told.append(bead)
        else:
            told.append(namesakes.odd(bead))
    return told


def _median(image: Image, bead: Bead) -> Floats:
    """The usual colour of a bead: B, G, R of 0 to 255."""
    reach = np.arange(0.1, 0.75, 0.1, dtype=np.float32)
    pixels = circles.unrolled(image, np.array([bead.centre_px]), np.array([bead.radius_px]), reach, ANGLES)
    return np.asarray(np.median(pixels.reshape(-1, 3), axis=0), np.float64)


def _look(image: Image, bead: Bead) -> Floats:
    """Hue (degrees), logarithm of strength (chroma over lightness) and of lightness of a bead."""
    lab = colour.lab(colour.linear(_median(image, bead)))
    hue, chroma = colour.hue_chroma(lab)
    light = max(1.0, float(lab[0]) + 16)
    return np.array([float(hue), np.log(max(1e-3, float(chroma) / light)), np.log(light)])


def _near(look: Floats, others: Floats) -> bool:
    """Whether a look is like one of the others (n × 3)."""
    apart = np.abs(others - look)
    apart[:, 0] = np.minimum(apart[:, 0], 360 - apart[:, 0])
    return bool((np.linalg.norm(apart / ALIKE, axis=1) < 1).any())


def _linked(looks: Floats, look: Floats) -> NDArray[np.bool_]:
    """Which of these looks are linked to this one by steps between looks that are alike."""
    linked = np.array([_near(look, one[None]) for one in looks])
    while True:
        more = np.array([_near(one, looks[linked]) for one in looks])
        if (more == linked).all():
            return linked
        linked = more
