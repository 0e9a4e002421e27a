"""What is told of what was found: all that may be said against it is asked before anybody bets on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import doubts, ends, hatched, realigned, rivals, strangers, tints
from vision.agreement import AGREE_MM
from vision.doubts import (
    BOARD,
    HALF_LIKE,
    LIKE_LITTLE,
    LIKE_WHOLLY,
    PLAIN_SOFT,
    STRIP,
    TURNED,
    UNFIT,
    WASHED_OUT,
    WHOLE,
    Found,
    faded,
    grainy,
    hidden,
)
from vision.gallery import Gallery
from vision.patches import closer
from vision.photo import Pose
from vision.unaligned import Unaligned
from vision.verdict import Verdict
from vision.verify import ASIDE, OPEN, Examiner, LitExaminer

Bools = NDArray[np.bool_]

GLANCE: Final = 0.35  #: likeness from afar
BETWEEN: Final = 0.6  #: where less than this is free, the table may be seen between other things
FITS: Final = 0.9  #: what lies open and fits less well may be another face, whose middle is as far from its own:
AROUND_MM: Final = (4.0, 8.0)
AROUND: Final = 2  #: … so many of these places are looked at closely
EVIDENT: Final = 0.4  #: evidence against every rival that is plain, however exactly faces were cut out
ON_PAPER: Final = 0.35  #: … unless so much of a face is white paper: its print's colour is known by that
HARDEST: Final = 6  #: rivals that are held against it once more elsewhere
UNTAUGHT: Final = "it may be one that was never taught"
WHOLE_OPEN: Final = 0.8  #: so much of one that lies open must agree, or lie under something strange;
FIT_OPEN: Final = 0.77  #: … and where markers tell exactly how large it is, so much times its likeness
FIT_AFAR: Final = 0.83  #: … unless it is this much like it from afar;
BARE: Final = 0.3  #: what lies on it: at most this share may be bare table,
BEYOND_MM: Final = (8, 18)  #: … and it is seen beside it, at this distance,
AWAY: Final = 10  #: … surely, so many pixels away from what is known, along whose rims no table is known to be bare,
BEYOND: Final = 0.35  #: … on this share of the ground there;
AT_RIM_MM: Final = 2.0  #: … other print of it comes this near to the rim,
WITHIN_MM2: Final = 8.0  #: … or it is less than this
SMALLER_MM: Final = 1.0  #: so far within its taught rim the table may be seen
AS_WELL: Final = 0.02  #: a displaced twin whose fit is less by no more than this may as well be seen,
NOT_MUCH_LESS: Final = 0.1  #: … or than this where what was told fits less well than FITS
LITTLE_SEEN: Final = 0.25  #: where less than this share of a difference is seen, it is looked at more finely
TABLE_IN_IT: Final = 0.04  #: where more than this share of a tile has the table's colour, it must be plain what it is;
TABLE_IN_ANY: Final = 0.15  #: where more than this has, the likeness must be high, however plain the evidence;
TABLE_IN_STRIP: Final = 0.18  #: … or where more than this of what is free of another component that is mostly covered
TABLE_IN_MOST: Final = 0.5  #: … or more than this of any that is mostly covered, and not wholly like its face
LIKE_AFAR: Final = 0.82  #: where no markers tell exactly how things lie, a strip must be this much like its face,
PLAIN_AFAR: Final = 0.3  #: … or this must speak against every other
NOT_SLID: Final = 0.35  #: where neither end is seen, this must speak against its being shifted along between them;
ONLY_HERE: Final = 0.15  #: where no end is seen, it must be this plain that it is here,
RATHER_HERE: Final = -1.0  #: … and of a print that repeats itself elsewhere that it is not far plainer elsewhere


class Judge:
    """Tells what was found, or why not to bet on it; what counts is what the examiner's map does not explain yet."""

    def __init__(self, examiner: Examiner, by_size: Mapping[tuple[float, float], Gallery]) -> None:
        self.examiner = examiner
        self.covering = examiner.taken
        self.by_size = by_size
        self._doubted: tuple[Verdict, str] | None = None  #: the verdict asked about last, and what was answered

    def under(self, verdict: Verdict, away: int = 0) -> bool:
        """Whether what disagrees may be covered by something that reaches beyond the component, like a hand.

        It surely is if that is seen AWAY pixels `away` from all that is known, too.
        """
        agreement = verdict.agreement
        rest = self.covering.lacking(verdict.window, agreement.seen | agreement.blank)
        return self._reaches_beyond(rest, verdict, away)

    def is_covered(self, other: NDArray[np.bool_], verdict: Verdict, upon: Iterable[Pose] = ()) -> bool:
        """Whether other print on a component (a mask of what was compared) is of something that lies on it.

        That is one of those known to lie `upon` others, or reaches in from outside: print which ends within the
        component is its own.
        """
        agreed = verdict.agreement
        if _ends_within(other, other | ~(agreed.seen | agreed.blank), verdict.gallery.scale):
            return False
        rest = self.covering.spread(verdict.window, other)
        for pose in upon:
            # print is compared in neighbourhoods, which reach beyond what is covered
            grown = pose.resized((pose.size[0] + AGREE_MM, pose.size[1] + AGREE_MM))
            cv2.fillConvexPoly(rest.picture, rest.pixels(grown.corners()).round().astype(np.int32), 0)
        return self._reaches_beyond(rest.picture, verdict, AWAY)

    def _reaches_beyond(self, rest: NDArray[np.uint8], verdict: Verdict, away: int) -> bool:
        """Whether what is seen on a part of a component (255 on the map) is seen beside it as well.

        That is so many pixels `away` from all that is known.
        """
        inside = rest > 0
        if not inside.any():
            return True
        bare = self.covering.table.picture > 127
        if float(bare[inside].mean()) > BARE:
            return False
        outline = self.covering.table.pixels(verdict.pose.corners()).round().astype(np.int32)
        own = cv2.fillConvexPoly(np.zeros_like(rest), outline, 255)
        near = cv2.dilate(rest, np.ones((2 * BEYOND_MM[1] + 1, 2 * BEYOND_MM[1] + 1), np.uint8)) > 0
        there = near & (cv2.dilate(own, np.ones((2 * BEYOND_MM[0] + 1, 2 * BEYOND_MM[0] + 1), np.uint8)) == 0)
        there &= cv2.dilate(self.covering.picture, np.ones((2 * away + 1, 2 * away + 1), np.uint8)) == 0
        return bool(there.any()) and float(bare[there].mean()) < 1 - BEYOND

    def _beside_itself(self, verdict: Verdict) -> Verdict:
        """What fits best around what lies open, but fits hardly: another face may show its motif elsewhere on it.

        In light that burns things out a light may be found for each of them that makes them fit, but none for sure.
        """
        doubtful = bool(self.doubt(verdict))
        lit = verdict.gallery.light is not None and verdict.free > OPEN and doubtful
        if not lit and (not lies_open(verdict) or verdict.view.fit > FITS):
            return verdict
        pose, gallery = verdict.view.pose, self.by_size[verdict.pose.size]
        examiner, shown = (LitExaminer(self.examiner), verdict.gallery) if lit else (self.examiner, gallery)
        around = [
            pose.moved(reach * math.cos(angle), reach * math.sin(angle))
            for reach in AROUND_MM
            for angle in np.arange(0, 2 * math.pi, math.pi / 4)
        ]
        like = np.array([examiner.glance(place, shown, 1.0)[0] for place in around])
        likeliest = np.argsort(like.max(axis=1))[: -AROUND - 1 : -1]
        # it itself lies here; only where it is in doubt a look from beside may show it more clearly
        asked = [around[i] for i in likeliest if doubtful or like[i].argmax() != verdict.view.entry]
        looks = (self.examiner.examine(place, gallery, GLANCE) for place in asked)
        return max([verdict, *(look for look in looks if look is not None)], key=lambda v: v.quality)

    def told(self, verdict: Verdict) -> tuple[Found, Bools | None]:
        """What is told of a verdict after all that may be said against it.

        And other print on it, where something seems to lie on it and reach beyond it; None for none.
        """
        verdict = self._beside_itself(verdict)
        pale = faded(verdict)
        little = verdict.free < STRIP or min((r.share for r in verdict.rivals), default=1.0) < LITTLE_SEEN
        if little or verdict.agreement.share < WHOLE or self.doubt(verdict):
            near = closer(self.examiner, verdict)
            if not self.doubt(verdict) and grainy(verdict, near):
                near = replace(near, view=replace(near.view, likeness=verdict.likeness))
            verdict = near
        verdict, foreign = self._however_it_lies(verdict)
        why = self.doubt(verdict) or pale or foreign
        if not why and verdict.free > STRIP:
            rival = rivals.unseen(verdict)
            why = rival and (TURNED if rival == verdict.name else f"may be a faded {rival}")
        if why:
            return Found(verdict, why), None
        if self._on_bare_table(verdict):
            return Found(verdict, "it does not end where the table begins"), None
        if self._lies_elsewhere(verdict):
            return Found(verdict, "where it ends is not seen"), None
        found, other = self._taught(verdict)
        if found.doubt:
            return found, other
        kept = replace(verdict, view=replace(verdict.view, held=None))  # so much need not be kept as long as it lies
        return Found(kept, self._displaced(verdict)), other

    def _however_it_lies(self, verdict: Verdict) -> tuple[Verdict, str]:
        """What lies open, with what speaks for it though faces were cut out a little askew; and a doubt, or "".

        Where markers tell how things lie, and the rivals are plainly refuted, that is not asked.
        """
        on_paper = verdict.gallery.paper > ON_PAPER
        well_known = self.examiner.photo.plane.marked and verdict.surely > EVIDENT and not on_paper
        if verdict.free < OPEN or verdict.gallery.kind == BOARD or verdict.agreement.share < WHOLE or well_known:
            return verdict, ""
        if verdict.glares and not on_paper:  # what is burnt out has another colour, and another brightness
            return realigned.held(verdict), ""
        if verdict.glares and self.examiner.in_no_light(verdict):
            return verdict, WASHED_OUT
        unaligned = Unaligned(verdict, lambda shape: self.examiner.picture(verdict.window, shape))
        entry, hardest = verdict.view.entry, verdict.refuted[:HARDEST]
        foreign = UNTAUGHT if on_paper and unaligned.foreign(entry) else ""
        if verdict.glares:
            return realigned.held(verdict), foreign
        asked = ((replace(rival, wherever=unaligned.rather(entry, number)), number) for rival, number in hardest)
        verdict = replace(verdict, refuted=(*asked, *verdict.refuted[HARDEST:]))
        return verdict, foreign

    def _displaced(self, verdict: Verdict) -> str:
        """Why it may be a near twin whose print, as it was taught, lies a little aside; "" if it is none.

        On white paper, print that was cut out askew is told apart by bending it.
        """
        gallery, view = verdict.gallery, verdict.view
        if gallery.paper > ON_PAPER:
            return ""
        least = view.fit - (AS_WELL if view.fit > FITS else NOT_MUCH_LESS)
        for number, right, down in gallery.displaced(view.entry):
            there = replace(view.pose.moved(right, down), stretch=self.examiner.usual.get(gallery.size, 1.0))
            aside = [there.moved(*step) for step in ((0, 0, 0), *ASIDE)]
            like = [self.examiner.glance(place, gallery, 1.0)[0][number] for place in aside]
            place = aside[int(np.argmax(like))]
            fit = self.examiner.view_of(place, gallery, (number,), np.array([number])).fit
            if fit > least:
                return f"looks as much like {gallery.names[gallery.entries[number].face]}"
        return ""

    def _taught(self, verdict: Verdict) -> tuple[Found, Bools | None]:
        """The same, in doubt where it may as well be a component that was never taught."""
        if verdict.gallery.kind == BOARD:
            return Found(verdict, ""), None
        other, strip = self._other_colour(verdict), verdict.free < OPEN
        if not strip:
            exactly = self.examiner.photo.plane.marked
            print_ = strangers.contradicted(verdict, exactly=exactly)
            if print_.any():
                other |= strangers.contradicted(verdict, self._table_at_rim(verdict), exactly=exactly)
        if other.any() and not self.is_covered(other, verdict):
            return Found(verdict, UNTAUGHT), None
        if strip:
            return Found(verdict, hidden(verdict)), None
        return Found(verdict, self._unlike(verdict) or hidden(verdict)), other if other.any() else None

    def _other_colour(self, verdict: Verdict) -> Bools:
        """Where its print has another colour than its face, or more or less ink (a mask of what was compared)."""
        gallery, window, view = verdict.gallery, verdict.window, verdict.view
        seen = self.examiner.picture(window, gallery.coarse_shape)
        free = self.covering.free(window, gallery.coarse_shape)
        agreed = _resized(view.agreed.seen | view.agreed.blank, gallery.coarse_shape)
        least = tints.OTHER if gallery.light is None else tints.OTHER_LIT
        other = tints.other(seen, gallery.picture(view.entry), agreed, free, least)
        if gallery.paper > ON_PAPER and gallery.light is None:
            other |= hatched.other(seen, gallery.picture(view.entry), free)
        return _resized(other, gallery.shape)

    def _table_at_rim(self, verdict: Verdict) -> Bools:
        """Where the table shows along its rim (a mask of what was compared), as it is smaller than it was taught."""
        shape, scale = verdict.gallery.shape, verdict.gallery.scale
        rim = np.ones(shape, np.bool_)
        width = max(1, round(SMALLER_MM * scale))
        rim[width:-width, width:-width] = False
        return self.covering.table_at(verdict.window, shape) & rim

    def _unlike(self, verdict: Verdict) -> str:
        """Why what lies open is not enough like its face; "" if it is."""
        if verdict.gallery.light is not None:  # too strong a light takes from its likeness
            return ""
        if strangers.unlike(verdict):
            return UNTAUGHT
        little = verdict.agreement.share < WHOLE_OPEN
        little = little or (self.examiner.photo.plane.marked and self._hardly_fits(verdict))
        return HALF_LIKE if little and not self.under(verdict, AWAY) else ""

    def _hardly_fits(self, verdict: Verdict) -> bool:
        """Whether it fits its face too little, and not because of grain: that is less from afar."""
        if verdict.view.fit >= FIT_OPEN:
            return False
        return float(self.examiner.glance(verdict.view.pose, verdict.gallery, 1.0)[0][verdict.view.entry]) < FIT_AFAR

    def _lies_elsewhere(self, verdict: Verdict) -> bool:
        """Whether it is a part that might as well lie elsewhere, as its ends are not seen, or its print repeats."""
        gallery, view = verdict.gallery, verdict.view
        if verdict.free > BETWEEN:
            return False
        top, face = self.examiner.view, gallery.fine(view.entry)
        loose = ends.loose(top, self.covering, view.pose)
        if any(ends.slides(view, face, gallery.scale, axis) < NOT_SLID for axis in loose):
            return True
        missing = ends.missing(top, self.covering, verdict.pose)
        if not (missing or gallery.repeats(verdict.face)):
            return False
        return ends.only_here(view, face, gallery.scale) < (ONLY_HERE if missing else RATHER_HERE)

    def _on_bare_table(self, verdict: Verdict) -> bool:
        """Whether a tile that might lie in any turn, or a strip, shows the table where it should be itself."""
        if verdict.likeness >= LIKE_WHOLLY:
            return False
        strip, little = verdict.free < BETWEEN, verdict.likeness < LIKE_LITTLE
        most = TABLE_IN_MOST if strip else 1.0
        if not verdict.gallery.square:
            most = TABLE_IN_STRIP if strip and little else most
        elif verdict.surely < PLAIN_SOFT:
            most = TABLE_IN_IT
        elif little:
            most = TABLE_IN_ANY
        return most < 1 and self.covering.like_table(verdict.pose) > most

    def doubt(self, verdict: Verdict) -> str:
        """Why not to bet on it by what it shows itself; "" if one may. One verdict is asked about time and again."""
        if self._doubted is None or self._doubted[0] is not verdict:
            self._doubted = verdict, self._doubt(verdict)
        return self._doubted[1]

    def _doubt(self, verdict: Verdict) -> str:
        """The same, thought over."""
        strip = verdict.free < STRIP and not self.examiner.photo.plane.marked
        if strip and verdict.likeness < LIKE_AFAR and verdict.surely < PLAIN_AFAR:
            return UNFIT
        return doubts.doubt(verdict, self.examiner.photo.blur)


def _resized(mask: Bools, shape: tuple[int, int]) -> Bools:
    """A mask of the same place, of rows × columns."""
    return np.asarray(cv2.resize(mask.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _ends_within(other: Bools, strange: Bools, scale: float) -> bool:
    """Whether a patch of what is `strange` (`scale` px/mm), and shows `other` print, stays away from the rim."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8))
    shown = np.bincount(labels[other], minlength=len(stats))
    x, y, width, height, _ = np.asarray(stats)[shown > WITHIN_MM2 * scale**2].T
    rim = max(1, round(AT_RIM_MM * scale))
    inside = (np.minimum(x, y) > rim) & (x + width < other.shape[1] - rim) & (y + height < other.shape[0] - rim)
    return bool(inside.any())


def lies_open(verdict: Verdict) -> bool:
    """Whether it lies open in light that burns nothing out."""
    return verdict.free > OPEN and not verdict.glares and verdict.gallery.kind != BOARD
