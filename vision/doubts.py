"""Why one should not bet on what was found at a place, and the chance that it is what it seems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.verdict import PLAINLY, Verdict
from vision.verify import OPEN

BOARD: Final = "board"
DAZZLED: Final = "too much of it is burnt out"
WASHED_OUT: Final = "it is too bright to tell its colours"
UNFIT: Final = "what is seen of it fits nothing well"
COVERED: Final = "what lies on it cannot be told"
HALF_LIKE: Final = "too much of it is unlike its face"
TURNED: Final = "which way round it lies is not seen"
# likeness with the face where it is seen, and the share of what is free that agrees with it,
LIKE: Final = 0.72
WHOLE: Final = 0.75
LIKE_PLAIN: Final = 0.85  #: … both for one that lies open and plain
WHOLE_PLAIN: Final = 0.85
LIKE_LITTLE: Final = 0.9  #: … and where less agrees: what lies there may itself look like print
PLAIN: Final = 0.05  #: evidence (less twice its error) that must speak against each rival,
PLAIN_OWN: Final = 0.1  #: … and when the pose is fitted to the face itself
STRIP: Final = 0.35  #: a component of which less than this is free
LIKE_STRIP: Final = 0.75  #: … must be this much like the face where it is seen,
THIN: Final = 0.22  #: … or, where even less than this is free,
LIKE_THIN: Final = 0.8  #: … this much
PLAIN_BEST: Final = 0.13  #: … or less four times its error, when fitted to whichever of several faces fits best,
PLAIN_BEST_LIT: Final = 0.15  #: … this in light that burns things out, as each face was given a light of its own;
PLAIN_ASIDE: Final = 0.15  #: … but where so much speaks against it a little aside of there, too, no fit made it:
PLAIN_STEADY: Final = 0.1  #: … then this much, less four times its error, will do
TOO_SOFT: Final = 1.1  #: mm of blur (standard deviation) beyond which details are lost that tell faces apart:
PLAIN_SOFT: Final = 0.25  #: … the evidence must then be this plain, as where burnt light leaves parts unlike the face,
LIKE_WHOLLY: Final = 0.96  #: … or the likeness this high
PARTLY: Final = 0.5  #: what seems a component of which less than this is free,
SMALL: Final = 0.25  #: … or that agrees on less than this beside something strange,
NOTHING_LIKE: Final = 0.5  #: … and from near is no more like any face, is none of the deck
NONE: Final = 0.86  #: a doubtful likeness at which it is as likely as not nothing of the deck
HARDLY_SEEN: Final = 0.002  #: less than this share of a difference seen says nothing,
HARDLY_OPEN: Final = 0.1  #: … nor less than this beside something strange, like a hand: it may be that which is seen
LITTLE_OPEN: Final = 0.4  #: … of which this share of the face must stay open
HARDLY_LEFT: Final = 0.1  #: … and neither does a difference of which too strong a light leaves less than this
PLAIN_LIT: Final = 0.1  #: in light that burns things out the evidence must be plainer,
PLAIN_OWN_LIT: Final = 0.15
LIKE_GRAINY: Final = 0.65  #: a close look at what is plain from afar may be only this much like it there,
PLAIN_GRAINY: Final = 0.5  #: … if its evidence is this plain
ALL: Final = 0.5  #: all the evidence there is; what seems more is so many times too much, and so is its error
UNLIKE_BOTH: Final = 1.0  #: evidence (½ is plain) from which on what lies open in such light is like neither face,
BURNT_OUT: Final = 0.85  #: … and where more than this share of the print is cut off, it is not believed


@dataclass(frozen=True, slots=True)
class Found:
    """A component found: the verdict, and why it is doubtful ("" when it is not)."""

    verdict: Verdict
    doubt: str

    @property
    def confidence(self) -> float:
        """The chance that name and turn are right, from how plainly the rivals are refuted and how well it fits."""
        wrong = (
            0.1 * np.exp(-(self.verdict.surely - PLAIN) / 0.045)
            + 0.3 * max(0.0, LIKE_PLAIN - self.verdict.likeness) ** 2
        )
        wrong += 0.06 * np.exp(-self.visible / 0.12)  # a strip may be of something else altogether
        return float(np.clip(1 - wrong, 0.5, 0.9995))

    @property
    def visible(self) -> float:
        """The share of it that is seen."""
        return self.verdict.free * min(1.0, self.verdict.agreement.share)

    @property
    def candidates(self) -> tuple[tuple[str, float], ...]:
        """What it may be, the likeliest first, each with its chance; the rest is the chance that it is none of them.

        How surely a rival is refuted and how alike the face is tell the chances as they were found on simulated
        tables drawn by lot and on photographs of house-made decks (`tests.bench.confidence`).
        """
        weights = {self.verdict.name: 1.0}
        for rival in self.verdict.rivals[:3]:  # the same face turned otherwise adds to its chance
            against = max(0.0, rival.evidence - rival.error)
            weights[rival.name] = weights.get(rival.name, 0.0) + float(np.exp(-12 * against))
        total = sum(weights.values()) + float(np.exp((NONE - self.verdict.likeness) / 0.05))
        return tuple((name, weight / total) for name, weight in sorted(weights.items(), key=lambda w: -w[1]))


def doubt(verdict: Verdict, blur: float = 0.0) -> str:
    """Why one should not bet on this verdict on a photo this soft (mm), or ""."""
    light = verdict.gallery.light
    plain, own, best = PLAIN, PLAIN_OWN, PLAIN_BEST
    if light is not None:
        plain, own, best = PLAIN_LIT, PLAIN_OWN_LIT, PLAIN_BEST_LIT
    partly = verdict.free > STRIP and verdict.agreement.share < WHOLE_PLAIN and verdict.gallery.kind != BOARD
    if blur > TOO_SOFT or (light is not None and partly):
        plain = own = PLAIN_SOFT
    neither = verdict.free > OPEN and any(rival.evidence > UNLIKE_BOTH for rival in verdict.rivals)
    if light is not None and (neither or light.burnt > BURNT_OUT):
        return DAZZLED
    if verdict.free < STRIP and verdict.likeness < (LIKE_THIN if verdict.free < THIN else LIKE_STRIP):
        return UNFIT
    if verdict.gallery.square and verdict.free < STRIP and (light is not None or verdict.likeness < LIKE_LITTLE):
        return UNFIT  # in a turn, and a light, of its own much is alike
    like = LIKE if verdict.agreement.share > WHOLE else LIKE_LITTLE
    if verdict.gallery.kind != BOARD and verdict.likeness < like:
        return UNFIT
    least_seen = HARDLY_OPEN if _beneath_strange(verdict) else HARDLY_SEEN
    other = next((rival.name for rival in verdict.telling if rival.wherever < -PLAINLY), "")
    if other:
        return _unsure(verdict, other, "looks rather like")
    for rival in verdict.telling:
        if rival.share < least_seen:
            return _unsure(verdict, rival.name, "what tells it from", " is covered")
        if rival.left < HARDLY_LEFT:
            return _unsure(verdict, rival.name, "what tells it from", " is burnt out")
        shown = max(1.0, rival.evidence / ALL)
        steady = light is None and rival.aside > PLAIN_ASIDE * shown
        least = (PLAIN_STEADY if steady else best) * shown
        scattered = verdict.contested and min(rival.surely, rival.own) - 2 * rival.error < least
        if scattered or rival.surely < plain * shown or rival.own < own * shown:
            return _unsure(verdict, rival.name, "looks much like")
    return ""


def imagined(found: Found) -> bool:
    """Whether what seemed to be a strip or a small part of a component is like no face from near: it is something else.

    What something strange hides most of, or too strong a light, may be unlike its face for that.
    """
    verdict = found.verdict
    part = verdict.agreement.area < SMALL if _beneath_strange(verdict) else verdict.free < PARTLY
    return found.doubt == UNFIT and part and verdict.gallery.light is None and verdict.likeness < NOTHING_LIKE


def _unsure(verdict: Verdict, rival: str, before: str, after: str = "") -> str:
    """Why it may be a rival; which may be the same face, turned."""
    return TURNED if rival == verdict.name else f"{before} {rival}{after}"


def hidden(verdict: Verdict) -> str:
    """Why it may be something else that only looks like a part of its face beside something strange, or ""."""
    return COVERED if _beneath_strange(verdict) and verdict.agreement.area < LITTLE_OPEN else ""


def _beneath_strange(verdict: Verdict) -> bool:
    """Whether much of what is free of it is not its face: that must lie under something strange, like a hand."""
    return verdict.agreement.share < WHOLE and verdict.gallery.kind != BOARD


def faded(verdict: Verdict) -> str:
    """Why pale print may have been burnt out together with the paper around it, or ""."""
    pale = next((rival.name for rival in verdict.telling if rival.fades), "")
    return pale and f"what tells it from {pale} may be burnt out"


def grainy(afar: Verdict, near: Verdict) -> bool:
    """Whether light that burns things out left only too little contrast to look closely at what is plain from afar."""
    if afar.gallery.light is None or afar.name != near.name or afar.agreement.share < WHOLE_PLAIN:
        return False
    return afar.likeness > LIKE_PLAIN and near.likeness > LIKE_GRAINY and near.surely > PLAIN_GRAINY
