"""Beads of one colour look alike on one photo: whatever goes by their name and does not is asked about.

A hue alone tells no brown token from a red bead, and no olive one from a yellow. Each colour is therefore learned from
the beads that lie there. From one to the next their looks change little, as light does across a table; what is far
from all the others of its name is something else, or in some other light. Brown, which is a dark red or orange, is told
beside those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import caustics, glints
from vision.beads import BROWN, SIGNS, Bead, Hue, doubted

Floats = NDArray[np.float64]

#: what two beads of one colour may differ by: hue (degrees), logarithms of strength and of lightness; those of tables
#: in many lights differ by a third of this from the next one, brown tokens from red beads by twice of it
ALIKE: Final = np.array([12.0, 0.45, 0.7])
MOST: Final = 0.75  #: of those of one name: fewer do not tell which of them are right
DARKER: Final = 0.3  #: of a brown one: by how much (logarithm of lightness) it is darker than red and orange ones,
DULLER: Final = 0.22  #: … and (logarithm of strength) duller: in a shadow they are as strong;
HARDLY: Final = 0.08  #: … where it is duller by this only, it is in doubt
LEAST: Final = 2  #: so many red and orange ones tell which are brown
SURE: Final = 0.97
SPOT: Final = "it may be light in a bead's shadow: hang the lamp higher"
ELSEWHERE: Final = "its glint is not where others have theirs"
PALE, BETWEEN = SIGNS[2], SIGNS[4]


def compared(found: Sequence[Bead], palette: Sequence[Hue] = ()) -> list[Bead]:
    """The beads, in doubt where they are not like most of their name; all of that name are where no most is alike.

    Those that are brown are called so where there are such among the names. In doubt is also what may lie elsewhere, as
    its glint does or is not seen, and what may be a coloured spot in a bead's shadow.
    """
    looks = np.array([bead.look for bead in found]).reshape(-1, 3)
    told = browns(found, looks, palette) if BROWN in palette else list(found)
    for name in {bead.colour for bead in told}:
        namesakes = [i for i, bead in enumerate(told) if bead.colour == name and not bead.why]
        if namesakes:
            for i, like in zip(namesakes, _usual(looks[namesakes]), strict=True):
                told[i] = told[i] if like else odd(told[i])
    sure = [i for i, bead in enumerate(told) if not bead.why]
    places = np.array([told[i].centre_mm for i in sure]).reshape(-1, 2)
    shining = np.array([told[i].glint or (np.nan, np.nan) for i in sure]).reshape(-1, 2)
    for i, elsewhere in zip(sure, glints.odd(places, shining), strict=True):
        told[i] = doubted(told[i], ELSEWHERE) if elsewhere else told[i]
    spots = _in_shadows(told)
    return [doubted(bead, SPOT) if spot else bead for bead, spot in zip(told, spots, strict=True)]


def _in_shadows(told: Sequence[Bead]) -> NDArray[np.bool_]:
    """Which of the sure ones may be light in the shadow of another."""
    centre = np.array([bead.centre_px for bead in told]).reshape(-1, 2)
    hue, _, light = np.array([bead.look for bead in told]).reshape(-1, 3).T
    sure = np.array([not bead.why for bead in told], np.bool_)
    return caustics.doubtful(centre, np.array([bead.radius_px for bead in told]), hue, light, sure)


def odd(bead: Bead) -> Bead:
    """The bead, in doubt as it is not like its namesakes."""
    return doubted(bead, f"not like the other {bead.colour} ones")


def browns(found: Sequence[Bead], looks: Floats, palette: Sequence[Hue], low: float = BROWN.low) -> list[Bead]:
    """The beads, brown where red and orange ones tell that no light but its own colour makes one so dark and dull.

    It is in doubt where neither brown nor orange is among the names. `looks` (n × 3) are as in Bead; `low` is the least
    hue of a brown one.
    """
    told = list(found)
    like = [i for i, bead in enumerate(found) if bead.colour in ("red", "orange")]  # be they beads or not
    names = {hue.name for hue in palette}
    for i, bead in enumerate(found):
        hue, strength, light = looks[i]
        duller = {k: looks[k][1] - strength for k in like if looks[k][2] > light + DARKER}
        if bead.why not in ("", BETWEEN, PALE) or not low < hue < BROWN.high:
            continue
        sure = sum(off > DULLER for k, off in duller.items() if not found[k].why)
        if {"orange", BROWN.name} & names and sure >= LEAST:
            told[i] = replace(bead, colour="brown", confidence=SURE, candidates=(("brown", SURE),), why="")
        elif sum(off > HARDLY for off in duller.values()) >= LEAST:
            told[i] = odd(bead)
    return told


def _usual(looks: Floats) -> NDArray[np.bool_]:
    """Which of n looks (n × 3) are linked with most of them by steps between looks that are alike."""
    apart = np.abs(looks[:, None] - looks)
    apart[..., 0] = np.minimum(apart[..., 0], 360 - apart[..., 0])
    linked = np.linalg.norm(apart / ALIKE, axis=2) < 1
    for _ in range(len(looks).bit_length()):  # each time by twice as many steps
        linked = linked @ linked
    return np.asarray(linked.mean(axis=1) >= MOST)
