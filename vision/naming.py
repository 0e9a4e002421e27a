"""What things scattered on a white table are called: by their hue, and by how they look beside each other.

One light shines on all of them. So a dark olive one among yellow ones is green, and a dull one that is less orange than
the red ones is purple, though neither hue would tell alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision import beads, colour
from vision.background import BLACK
from vision.beads import BROWN, Bead, Hue, doubted
from vision.scattered import Scatter
from vision.smooth import Thing

SURELY: Final = 1.6  #: degrees inside of the hues that go by a name from which on a hue surely goes by it
#: … and the hues between which, the weakest that, and the darkest that goes by it beside a white table: what is less
#: strong may be pink, plum or brown, what is redder or greener orange or olive, what is darker brown
PLAIN: Final = {"red": (346, 46, 0.7, 0.0), "orange": (48, 74, 0.7, 45.0), "yellow": (78, 104, 0.3, 0.0)}
KIN: Final = np.array([6.0, 0.25, 0.35])  #: hue (degrees), logarithms of strength and lightness by which kin differ
GREENISH: Final = 104.0  #: the hue from which on yellow is olive, where it is darker than yellow; sRGB's yellow has 103
SOME: Final = 2  #: so many of a name tell how it looks in this light
BEYOND: Final = 8.0  #: degrees by which olive is greener than all that is surely yellow,
OLIVE: Final = 0.9  #: … and the share of their lightness that it has at most
ASIDE: Final = 10.0  #: degrees by which plum is less orange than all that is surely red,
PLUM: Final = 0.8  #: … and the share of their strength,
DARK: Final = 40.0  #: … and the lightness, beside a white table, that it has at most
BROWNER: Final = 0.8  #: the share of the strength and lightness of red and orange ones that a brown one has at most
REDDISH: Final = 355.0  #: the hue up to which on a white table what is no brighter than
BRIGHT: Final = 60.0  #: … this is purple, not pink
STRONG: Final = 0.22  #: … and no weaker than this, not grey
DARKER: Final = 0.65  #: one that has less of the red ones' usual lightness may be plum, or brown,
ORANGER: Final = 6.0  #: … and one so many degrees from their usual hue orange
LONG: Final = 1.7  #: times as long as wide it may be;
MISFIT: Final = 0.065  #: radii its outline may be off,
CORNERS: Final = (0.055, 0.04)  #: … or three-cornered, or four-cornered,
SEEN: Final = 0.6  #: … and the share of it that must be seen
EVEN: Final = 0.65  #: the share that must have its colour, where it is bright enough to tell
APART: Final = 0.75  #: of both radii; two whose middles are nearer are not what they seem
SURE: Final = 0.97
ODD: Final = "not like the other red ones"
OUTLINE, UNEVEN, PALE, BETWEEN = (beads.SIGNS[i] for i in (0, 1, 2, 4))


@dataclass(frozen=True, slots=True)
class _Look:
    """A thing's hue (degrees), strength (chroma over lightness) and lightness, beside a white table."""

    hue: float
    strength: float
    light: float

    @classmethod
    def of(cls, thing: Thing) -> _Look:
        hue, chroma = colour.hue_chroma(thing.lab)
        light = float(thing.lab[0]) + BLACK
        return cls(float(hue), float(chroma) / max(1.0, light), max(1.0, light))

    def is_kin(self, other: _Look) -> bool:
        """Whether two look much alike."""
        off = (
            float(colour.apart(np.array(self.hue), other.hue)),
            abs(math.log(max(self.strength, 1e-3) / max(other.strength, 1e-3))),
            abs(math.log(self.light / other.light)),
        )
        return bool((np.array(off) < KIN).all())


def named(scatter: Scatter, palette: Sequence[Hue]) -> list[Bead]:
    """The things of a photo as beads; those in doubt have a `why`. Places in millimetres mean nothing here."""
    looks = [_Look.of(thing) for thing in scatter.things]
    hues = beads.by_hue(palette)
    surely = [_surely(look, hues) for look in looks]
    odd = _odd_reds([look for look, name in zip(looks, surely, strict=True) if name == "red"])
    plain = [(look, name) for look, name in zip(looks, surely, strict=True) if name and look not in odd]
    names = [name or _by_others(look, plain, palette) for look, name in zip(looks, surely, strict=True)]
    found = [_bead(*each, hues) for each in zip(scatter.things, looks, names, strict=True)]
    found = [doubted(bead, ODD) if look in odd else bead for bead, look in zip(found, looks, strict=True)]
    return [doubted(bead, OUTLINE) if _is_overlapped(bead, found) else bead for bead in found]


def _surely(look: _Look, palette: Sequence[Hue]) -> str:
    """The name that a hue goes by whatever lies beside it; none where it may be another."""
    for hue in palette:
        low, high, weakest, darkest = PLAIN.get(hue.name, (hue.low, hue.high, hue.plain, 0.0))
        both = (hue, Hue(hue.name, low, high))
        if max(float(beads.degrees_outside(np.array(look.hue), each)) for each in both) > -SURELY:
            continue
        if look.strength >= max(weakest, hue.plain) and look.light >= darkest + BLACK:
            return hue.name
    return ""


def _odd_reds(reds: Sequence[_Look]) -> list[_Look]:
    """Those of the red ones that are much darker, or nearer to orange, than most."""
    if len(reds) <= SOME:
        return []
    dark = DARKER * float(np.median([look.light for look in reds]))
    hues = [(look.hue + 180) % 360 for look in reds]
    orange = float(np.median(hues)) + ORANGER
    return [look for look, hue in zip(reds, hues, strict=True) if look.light < dark or hue > orange]


def _by_others(look: _Look, surely: Sequence[tuple[_Look, str]], palette: Sequence[Hue]) -> str:
    """The name of one that its hue does not surely tell, by those that surely have one; none where they do not."""
    known = {hue.name for hue in palette}
    greenish = GREENISH < look.hue < 180
    alike = {name for other, name in surely if look.is_kin(other) and not (greenish and name == "yellow")}
    if len(alike) == 1 and not alike & {"red"}:
        return alike.pop()
    if look.strength < STRONG:
        return ""
    yellow, red = ([other for other, own in surely if own == name] for name in ("yellow", "red"))
    if "green" in known and len(yellow) >= SOME:
        beyond = min(look.hue - other.hue for other in yellow)
        darker = look.light < OLIVE * float(np.median([other.light for other in yellow]))
        if beyond > BEYOND and greenish and darker:
            return "green"
    if "purple" in known and len(red) >= SOME:
        aside = min((other.hue - look.hue + 180) % 360 - 180 for other in red)
        duller = look.strength < PLUM * min(other.strength for other in red)
        if aside > ASIDE and duller and look.light < DARK + BLACK:
            return "purple"
    warm = [other for other, name in surely if name in ("red", "orange")]
    if {"orange", "brown"} & known and BROWN.low < look.hue < BROWN.high and look.light < DARK + BLACK:
        dimmer = [other for other in warm if max(look.strength / other.strength, look.light / other.light) < BROWNER]
        if len(dimmer) >= SOME:
            return "brown"
    low = next((hue.low for hue in palette if hue.name == "purple"), REDDISH)
    return "purple" if low < look.hue < REDDISH and look.light < BRIGHT + BLACK else ""


def _bead(thing: Thing, look: _Look, name: str, palette: Sequence[Hue]) -> Bead:
    """A thing as a bead; in doubt where it has no name, or is not what a bead looks like."""
    (ranked,) = beads.names_of(np.array([look.hue]), palette)
    if not name:
        why = PALE if look.strength < STRONG else BETWEEN
        return Bead(ranked[0][0], thing.centre, thing.centre, thing.radius, ranked[0][1] / 2, ranked, why)
    bead = Bead(name, thing.centre, thing.centre, thing.radius, SURE, ((name, SURE),))
    cornered = thing.triangular > CORNERS[0] or thing.square > CORNERS[1]
    if cornered or thing.misfit > MISFIT or thing.seen < SEEN or thing.long > LONG:
        return doubted(bead, OUTLINE)
    return doubted(bead, UNEVEN) if thing.even < EVEN and look.light > DARK + BLACK else bead


def _is_overlapped(bead: Bead, others: Sequence[Bead]) -> bool:
    """Whether another one seems to lie half in it."""
    return any(
        other is not bead and math.dist(bead.centre_px, other.centre_px) < APART * (bead.radius_px + other.radius_px)
        for other in others
    )
