"""Is it this face that lies here? A close look at one pose, against all taught faces of its size.

Every rival is held against the best face only where the two differ: the seen picture is projected on their
difference, so that +½ speaks plainly for the one and −½ for the other, whatever they share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import exposure
from vision.agreement import Agreeing, Look, correlated
from vision.covering import Covering
from vision.exposure import Light
from vision.gallery import ONES, WINDOW_MM, Faces, Gallery, evened, summed
from vision.photo import BURNT, Photo, Pose
from vision.rivals import rival_of, rivals_of, surely
from vision.sloping import Sloping
from vision.topview import TopView
from vision.verdict import Rival, Verdict, View

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIRST: Final = 3  #: so many of the likeliest faces are tried for where they agree
CLOSE: Final = 12  #: … and so many are looked at closely
CONTENDS: Final = 0.15  #: a rival against which less than this speaks contends with the likeliest face;
CONTENDERS: Final = 4  #: … so many do at most,
LOST: Final = 0.06  #: … and when they share so little that the fit is this much worse, they do not
NEARLY: Final = 0.5  #: where a face fits at all, if not well, and
TELLS: Final = 0.05  #: … less than this speaks against a rival,
BETTER: Final = 0.02  #: … that is fitted alone; by so much must it then fit better to be the likeliest
AT_ONCE: Final = 0.85  #: a place that is this much like a face from afar,
CLEARLY: Final = 0.15  #: … and so much more than like any other, is close to where that lies
AGAIN: Final = 2  #: so often a place is looked at, if the fit moves it farther than this
MOVED_MM: Final = 0.8  #: … and one of so many likeliest faces was not looked at before:
NOT_MOVED_MM: Final = 0.3  #: lights told this near to where a face was found are told there
LIKELIEST: Final = 4
PARTLY: Final = 0.5  #: a component of which less is seen is looked at again more finely; where more is,
WELL: Final = 0.97  #: … a face fits less well than this,
WELL_LIT: Final = 0.975  #: … or than this where each face was given a light of its own,
HALFWAY: Final = 0.42  #: … and less than this speaks against a rival, others are looked for that fit better
ALMOST: Final = 0.25  #: … which are no less alike than the likeliest by more than this
NEXT: Final = (-1.2, 0.0, 1.2)  #: … this far (mm) to the right and down, and turned by so much (degrees)
ASIDE: Final = (*product(NEXT, NEXT, (0.0,)), (0.0, 0.0, -2.5), (0.0, 0.0, 2.5))
SWAYED_MM: Final = 0.6  #: evidence that a shift this small in any direction does not take away is none of the fit's
EVERY_SIDE: Final = ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
FITTINGS: Final = 3  #: so often a pose is fitted anew to what the contenders share
SETTLE_MM: Final = 3.0  #: a pose is fitted within this distance,
SETTLE_MOST: Final = np.array([3.0, 3.0, 0.12, 0.03])  #: … this turn (radians) and this stretch,
SETTLE_USUAL: Final = np.sqrt([9.0, 9.0, 0.0027, 0.0001])  #: … and these are usual
LOOSER: Final = np.array([1.0, 1.0, 1.0, 2.0])  #: … so many times more where no markers tell how large things seem
SETTLE_ROUNDS: Final = 6
MOVED: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
WHITE: Final = (236, 236, 236)  #: a pixel all of whose channels are this bright shows white print
BRIGHTEST: Final = (255, 255, 255)
GLARING: Final = 0.35  #: … unless more than this share of what is looked at is so bright
LITTLE: Final = 0.03  #: share of the channels of a cut-out that may be burnt out and is not left out of a fit
GLARE: Final = 0.1  #: share of what is free of a place that may be burnt out before faces are seen in the same light,
WHOLLY: Final = 0.95  #: … unless, by what is not burnt out, more than this share of it agrees,
TOLD: Final = 0.15  #: … this speaks against every other face, though all that is burnt out spoke for that,
AS_PRINTED: Final = 0.9  #: … is this much like a face,
FAR_APART: Final = 0.25  #: … and speaks this plainly against every other;
PLACED: Final = 0.8  #: likeness and share that agrees by which what is not burnt out tells where something lies
UNLIKELY: Final = 0.4  #: … and there no face is looked at that is so much less like that than the likeliest
LIKER: Final = 1.2  #: … of two, one is plainly more like what is seen when the other is so many times as unlike it
LIT: Final = 48  #: the light of so many of the likeliest entries is told anew where the likeliest fits,
LIT_LEAST: Final = 0.3  #: … if one of them is this much like what is not burnt out;
LIT_LIKE: Final = 0.5  #: … in the right light one must be this much like all that is seen
RIM: Final = 0.04  #: where no markers tell exactly how large things seem, this share of the shorter side is left out,
OPEN: Final = 0.9  #: … all around what lies open, of which more than this is free: table may be seen there
LEAST_MM2: Final = 300.0  #: a face must agree on a patch at least this large,
LEAST_SHARE: Final = 0.08  #: … and on this share of it where it does not lie open


class Examiner:
    """Looks closely at poses on a top view in colour; `gain` brings its colours to those of white light.

    `taken` is told what lies where, so that what is known to be covered is not held against a face.
    """

    window = WINDOW_MM
    _on_paper = False
    _well = WELL

    def __init__(self, view: TopView, photo: Photo, taken: Covering, *, looks_for_glare: bool = True) -> None:
        self.view = view
        self.photo = photo
        self.taken = taken
        #: how much larger than they are components of a size seem on this photo
        self.usual: dict[tuple[float, float], float] = {}
        self._gain = np.diag(photo.gain).astype(np.float32)
        looser = 1.0 if photo.plane.marked else LOOSER
        self._most = SETTLE_MOST * looser
        self._prior = np.diag(0.5 / np.square(SETTLE_USUAL * looser))
        self._last: tuple[tuple[Pose, tuple[int, int], int], NDArray[np.uint8], Bools | None] | None = None
        #: whether any of what is seen may be too bright to tell anything
        self.burnt_anywhere = looks_for_glare and view.reaches(BURNT)

    def picture(self, pose: Pose, shape: tuple[int, int]) -> NDArray[np.uint8]:
        """What is seen at the pose, upright: rows × columns × 3, BGR."""
        return self._cut(pose, shape, 0)

    def _cut(self, pose: Pose, shape: tuple[int, int], margin: int) -> NDArray[np.uint8]:
        """What is seen at the pose, upright, with a margin (pixels) around."""
        return self.view.cut(pose, shape, margin)

    def _free(self, pose: Pose, shape: tuple[int, int], margin: int) -> Bools | None:
        """What of it is to be looked at; None when all is."""
        return self.taken.free(pose, shape, margin)

    def _tells_nothing(self, picture: NDArray[np.uint8]) -> Bools | None:
        """Where a channel is burnt out so that it tells nothing (h × w × 3); None where that is nowhere.

        White print burns out first, and says what it is: only where the other channels show a colour, or where most
        of the picture is burnt out though it is no white paper, is a burnt channel no evidence.
        """
        if int(picture.max()) < BURNT:
            return None
        burnt = cv2.threshold(picture, BURNT - 1, 1, cv2.THRESH_BINARY)[1]
        white = cv2.inRange(picture, WHITE, BRIGHTEST)
        count = cv2.countNonZero(white)
        if count and (self._on_paper or count < GLARING * white.size):
            burnt = cv2.bitwise_and(burnt, burnt, mask=cv2.bitwise_not(white))
        told = np.asarray(burnt, np.uint8).view(np.bool_)
        return told if told.any() else None

    def _seen(self, pose: Pose, shape: tuple[int, int], margin: int) -> tuple[NDArray[np.uint8], Bools | None]:
        """What is seen at the pose, and where it tells nothing; the last one is kept."""
        if self._last is None or self._last[0] != (pose, shape, margin):
            picture = self._cut(pose, shape, margin)
            self._last = ((pose, shape, margin), picture, self._tells_nothing(picture))
        return self._last[1:]

    def look(
        self, pose: Pose, shape: tuple[int, int], scale: float, margin: int = 0, rim: int = 0, little: float = 0.0
    ) -> Look:
        """The cut-out at the pose, evened; weight 0 where it is burnt out, outside the photo or already explained.

        A margin is not looked at itself when light is evened out; within it a `rim` is left out (both in pixels). Where
        no more than a `little` share is burnt out, that is seen as it is: as bright as it can be.
        """
        picture, burnt = self._seen(pose, shape, margin)
        if burnt is not None and np.count_nonzero(burnt) <= little * burnt.size:
            burnt = None
        free = self._free(pose, shape, margin)
        if rim:
            within = np.zeros(picture.shape[:2], np.bool_)
            within[margin + rim : -margin - rim, margin + rim : -margin - rim] = True
            free = within if free is None else free & within
        balanced = cv2.transform(picture.astype(np.float32), self._gain)
        if burnt is not None:
            counts = ~burnt if free is None else ~burnt & (_thrice(free) > 0)
            weight = counts.astype(np.float32)
        elif free is not None:
            counts, weight = free, _thrice(free)
        else:
            even = evened(balanced, scale, window=self.window, margin=margin)
            return Look(even, np.ones(balanced.shape, np.float32), True, True)
        if margin:
            inner = np.s_[margin:-margin, margin:-margin]
            around, counts = counts, np.zeros_like(counts)
            counts[inner] = around[inner]
        return Look(evened(balanced, scale, counts, self.window), weight, False, burnt is None)

    def _rim(self, pose: Pose, scale: float) -> int:
        """So many pixels are left out all around a pose."""
        if self.photo.plane.marked or self.taken.share(pose) < OPEN:
            return 0
        return round(RIM * min(pose.size) * scale)

    def settle(self, pose: Pose, gallery: Faces, entries: Sequence[int]) -> Pose:
        """The pose moved so that what these entries share fits best: Gauss–Newton on shift, turn and stretch."""
        sloping = _sloping(gallery, entries)
        scale, shape = gallery.scale, gallery.shape
        rows, columns = shape
        margin = int(np.ceil(SETTLE_MM * scale))
        rim = self._rim(pose, scale)
        # small bright print that is burnt out would be holes, and those would be fitted; beside markers, that is: where
        # none tell sizes, a rim is left out, and nothing that is burnt out is fitted
        seen = self.look(pose.resized(gallery.window), shape, scale, margin, rim, 0.0 if rim else LITTLE)
        picture = summed(seen.values)
        usable = np.ascontiguousarray(seen.weight[:, :, 1])
        flat, changes = sloping.sums, sloping.changes
        move, usual = np.zeros(4), np.array([0, 0, 0, self.usual.get(gallery.size, 1.0) / pose.stretch - 1])
        low, high = usual - self._most, usual + self._most
        everything = cv2.countNonZero(usable) == usable.size
        inner = np.s_[margin : margin + rows, margin : margin + columns]
        grey, weight = picture[inner].ravel(), usable[inner].flatten()
        for _ in range(SETTLE_ROUNDS):
            weighted = weight * flat
            power = float(weighted @ flat)
            if power < 1:
                return pose
            level = max(0.2, float(weighted @ grey) / power)
            error = grey * np.float32(1 / level) - flat
            # what disagrees wildly is something else lying there
            size = np.abs(error)
            weight *= size < 2.0 * float(size @ weight) / float(weight.sum()) + 0.2
            counted = changes * weight
            pull = counted @ error + self._prior @ (move - usual)
            change = cv2.solve(counted @ changes.T + self._prior, -pull[:, None])[1][:, 0]
            move = np.minimum(np.maximum(move + change, low), high)
            if abs(change[0]) + abs(change[1]) < 0.1 and abs(change[2]) < 0.003:
                break
            matrix = _moving(move.tolist(), shape, scale, margin)
            grey = np.asarray(cv2.warpAffine(picture, matrix, (columns, rows), flags=MOVED).ravel(), np.float32)
            weight = np.ones(flat.shape, np.float32)
            if not (everything and _is_inside(matrix, shape, usable.shape)):
                cv2.warpAffine(usable, matrix, (columns, rows), dst=weight.reshape(shape), flags=MOVED)
        right, down, turn, stretch = move.tolist()
        moved = pose.moved(right * pose.stretch, down * pose.stretch, math.degrees(turn))
        return Pose(moved.size, moved.x, moved.y, moved.turn, pose.stretch * (1 + stretch), moved.votes)

    def _from_afar(self, pose: Pose, gallery: Gallery) -> Look:
        """What is seen at the pose, in the first look's resolution."""
        scale = gallery.coarse_scale
        return self.look(pose.resized(gallery.window), gallery.coarse_shape, scale, rim=self._rim(pose, scale))

    def glance(self, pose: Pose, gallery: Gallery, least: float = -1.0) -> tuple[Doubles, int]:
        """How like each entry of the gallery it looks from afar, and the entry that agrees on the largest patch.

        The entry is −1 when none is `least` like it, or agrees on a patch worth a closer look; with 1 none is sought.
        """
        seen = self._from_afar(pose, gallery)
        like = gallery.likeness(seen.values, seen.least_weight)
        first = int(like.argmax())
        if like[first] < least:
            return np.asarray(like, np.float64), -1
        plainly = _plainly(like, first)
        if plainly and self.taken.share(pose) > OPEN:  # as much of it agrees as is asked for
            return np.asarray(like, np.float64), first
        best, most = -1, 0.7 * self._least(pose, gallery)
        agreeing = Agreeing(seen, gallery.coarse_scale)
        likeliest = np.argsort(-like)[: 1 if plainly else FIRST]
        for entry in likeliest:
            area = agreeing.area(agreeing.held_against(gallery.coarsely(int(entry))), most)
            if area > most:
                best, most = int(entry), area
        return np.asarray(like, np.float64), best

    def _least(self, pose: Pose, gallery: Gallery) -> float:
        """The share of a face that must agree: of one that lies open all the print is seen, be it little."""
        least = LEAST_MM2 / (gallery.size[0] * gallery.size[1])
        return least if self.taken.share(pose) > OPEN else max(LEAST_SHARE, least)

    def examine(self, pose: Pose, gallery: Gallery, least: float = 0.0) -> Verdict | None:
        """What lies at the pose, or None when it is nothing of this gallery, or less than `least` like it from afar."""
        if gallery.paper > GLARING and gallery.light is None and not self._on_paper:
            return PaperExaminer(self).examine(pose, gallery, least)
        if gallery.light is not None or not self._glares(pose, gallery):
            return self._as_printed(pose, gallery, least)
        verdict = self._as_printed(pose, gallery, least, contests=False)
        if verdict is not None and _beyond_doubt(verdict):
            return replace(verdict, glares=True)
        return self._lit(pose, gallery, least, verdict)

    def _as_printed(self, pose: Pose, gallery: Gallery, least: float, *, contests: bool = True) -> Verdict | None:
        """What lies at the pose by all that is not burnt out; unless it `contests`, no face is looked for aside."""
        like, first = self.glance(pose, gallery, least)
        if first < 0 or like[first] < least:
            return None
        if not _plainly(like, first):
            pose = self.settle(pose, gallery, (first,))
            like, first = self.glance(pose, gallery)
            if first < 0:
                return None
        for _ in range(AGAIN):
            close = np.argsort(-like)[:CLOSE]
            close = close[like[close] > like[first] - 0.35]
            alone = self.view_of(pose, gallery, (first,), close)
            view, rivals, shared = self._compared(alone, gallery, close)
            better = self._fitting_better(view, gallery, close, rivals)
            if better is not None:
                alone = better
                view, rivals, shared = self._compared(alone, gallery, close)
            if np.hypot(view.pose.x - pose.x, view.pose.y - pose.y) < MOVED_MM:
                break
            # from where it really lies other faces may look likelier than those that were compared
            seen = self._from_afar(view.pose, gallery)
            like = np.asarray(gallery.likeness(seen.values, seen.least_weight), np.float64)
            pose, first = view.pose, int(like.argmax())
            if np.isin(np.argsort(-like)[:LIKELIEST], close).all():
                break
        own = self._own(view, alone, gallery, close) if shared else view
        contested = view.agreed.area > PARTLY and self._contested(view, own, rivals)
        if contested and contests:
            close = self._wider(view.pose, gallery, close)
            alone = self._fitting_best(view.pose, gallery, close)
            view, rivals, shared = self._compared(alone, gallery, close)
            own = self._own(view, alone, gallery, close) if shared else view
        if shared:
            rivals = [(replace(r, own=surely(own, view.entry, number, gallery)), number) for r, number in rivals]
        if view.agreed.area < self._least(view.pose, gallery):
            return None
        if contested and contests and gallery.light is None:
            rivals = self._swayed(view, gallery, rivals)
        return replace(self.judged(gallery, view, close, rivals), contested=contested)

    def _compared(
        self, view: View, gallery: Gallery, close: NDArray[np.intp]
    ) -> tuple[View, list[tuple[Rival, int]], bool]:
        """The view fitted to what the contenders among the close faces share, its rivals, whether there were any.

        It starts from a view fitted to the likeliest face alone.
        """
        rivals = rivals_of(gallery, close, view)
        fitted = {view.fitted}
        for _ in range(FITTINGS):
            # a face fits best where it was fitted itself; what several faces share is fair to all of them
            near = [number for rival, number in rivals if rival.surely < CONTENDS]
            contenders = (view.entry, *near[: CONTENDERS - 1])
            if fitted.issuperset(contenders):
                break
            fair = self.view_of(view.pose, gallery, contenders, close)
            if fair.fit < view.fit - LOST:  # they share too little to be fitted to
                break
            fitted = set(contenders)
            view = fair
            rivals = rivals_of(gallery, close, view)
        return view, rivals, len(fitted) > 1

    def _fitting_better(
        self, view: View, gallery: Gallery, close: NDArray[np.intp], rivals: Sequence[tuple[Rival, int]]
    ) -> View | None:
        """The view fitted to a contending rival alone, if that fits plainly better than what was told; else None.

        A place that was fitted to a wrong face speaks for that face: what lies there is half a millimetre beside it.
        """
        if view.fit < NEARLY or not rivals or rivals[0][0].surely > TELLS:
            return None
        contending = [number for rival, number in rivals if rival.surely < CONTENDS][:CONTENDERS]
        views = [self.view_of(view.pose, gallery, (number,), close) for number in contending]
        best = max(views, key=lambda own: own.fit, default=None)
        return best if best is not None and best.fit > view.fit + BETTER else None

    def _contested(self, view: View, own: View, rivals: Sequence[tuple[Rival, int]]) -> bool:
        """Whether the likeliest face is another once the place is fitted to it, or fits none too well by a rival."""
        return own.entry != view.entry or (view.fit < self._well and any(r.evidence < HALFWAY for r, _ in rivals))

    def _own(self, view: View, alone: View, gallery: Gallery, close: NDArray[np.intp]) -> View:
        """The view fitted to the likeliest face alone; this one, if it is fitted to that and tells it."""
        if alone.fitted == alone.entry == view.entry:
            return alone
        return self.view_of(view.pose, gallery, (view.entry,), close)

    def _wider(self, pose: Pose, gallery: Gallery, close: NDArray[np.intp]) -> NDArray[np.intp]:
        """The entries likeliest a little aside of the pose, the likeliest first, and those that were close."""
        like = np.full(len(gallery.entries), -1.0)
        for right, down, turn in ASIDE:
            seen = self._from_afar(pose.moved(right, down, turn), gallery)
            np.maximum(like, gallery.likeness(seen.values, seen.least_weight), out=like)
        likeliest = np.argsort(-like)[:CLOSE]
        likeliest = likeliest[like[likeliest] > like.max() - ALMOST]
        return np.concatenate([likeliest, close[~np.isin(close, likeliest)]])

    def _fitting_best(self, pose: Pose, gallery: Gallery, close: NDArray[np.intp]) -> View:
        """The view fitted alone to whichever of the close faces, the first of them, then fits best itself.

        A place that was fitted to a wrong face, or to what several share, may be one where the right one fits ill.
        """
        views = [self.view_of(pose, gallery, (int(number),), close) for number in close[:CLOSE]]
        return max(views, key=lambda own: (own.entry == own.fitted, own.fit))

    def _swayed(self, view: View, gallery: Gallery, rivals: Sequence[tuple[Rival, int]]) -> list[tuple[Rival, int]]:
        """The rivals with the least that speaks against each a little aside of the view's pose, on every side.

        What sets prints apart that differ by their lines turns round there; a colour stays what it is.
        """
        scale, shape = gallery.scale, gallery.shape
        places = [view.pose.moved(SWAYED_MM * right, SWAYED_MM * down, 0) for right, down in EVERY_SIDE]
        seen = [self.look(p.resized(gallery.window), shape, scale, 0, self._rim(p, scale)) for p in places]
        views = [replace(view, seen=look) for look in seen]
        least = [min(rival_of(v, view.entry, number, gallery).surely for v in views) for _, number in rivals]
        return [(replace(rival, aside=aside), number) for (rival, number), aside in zip(rivals, least, strict=True)]

    def _glares(self, pose: Pose, gallery: Gallery) -> bool:
        """Whether so much of what is seen at the pose is burnt out that faces must be looked at in the same light."""
        if not self.burnt_anywhere:
            return False
        there = pose.resized(gallery.window)
        burnt = self._seen(there, gallery.coarse_shape, 0)[1]
        if burnt is None:
            return False
        anywhere = cv2.transform(burnt.view(np.uint8), ONES) > 0
        free = self._free(there, gallery.coarse_shape, 0)
        if free is None:
            return cv2.countNonZero(anywhere.view(np.uint8)) > GLARE * anywhere.size
        return float(np.mean(anywhere[free])) > GLARE

    def _lit(self, pose: Pose, gallery: Gallery, least: float, printed: Verdict | None) -> Verdict | None:
        """What lies at the pose, the faces being seen in the light that is there.

        `printed` is what lies there by what is not burnt out: where that fits well, its place is known.
        """
        examiner = LitExaminer(self)
        own: dict[int, Light] = {}
        if printed is not None and _placed(printed):
            pose = printed.view.pose
            likely = _likely(self.glance(pose, gallery, 1.0)[0])
            lit = self._in_own_lights(pose, gallery, np.union1d(likely, printed.close).tolist(), own)
        elif self.glance(pose, gallery, 1.0)[0].max() < LIT_LEAST:
            return None
        else:
            entries: Sequence[int] = range(len(gallery.entries))
            for first_light in (True, False):
                lit = self._in_own_lights(pose, gallery, entries, own)
                # a pose that is not yet fitted is no reason to give up
                like, first = examiner.glance(pose, lit, max(least, LIT_LEAST if first_light else LIT_LIKE))
                if first < 0:
                    return None
                entries = [int(entry) for entry in np.argsort(-like)[:LIT]]
                pose = examiner.settle(pose, lit, (first,))
        verdict = examiner.examine(pose, lit, least)
        if verdict is None:
            return None
        # the light of a face that was told where it does not lie takes from it
        told_at, pose = pose, verdict.view.pose
        if np.hypot(pose.x - told_at.x, pose.y - told_at.y) < NOT_MOVED_MM:
            return verdict
        likely = _likely(examiner.glance(pose, lit, 1.0)[0])
        lit = self._in_own_lights(pose, gallery, np.union1d(likely, verdict.close).tolist(), own)
        again = examiner.examine(pose, lit, least)
        return verdict if again is None or again.quality < verdict.quality else again

    def _in_own_lights(self, pose: Pose, gallery: Gallery, entries: Sequence[int], own: dict[int, Light]) -> Gallery:
        """The faces in the lights in which they are most like what is seen; these entries tell their faces' anew."""
        lights, unlike = self._lights(pose, gallery, entries)
        told: dict[int, Light] = {}
        for i in np.argsort(unlike):
            told.setdefault(gallery.entries[entries[i]].face, lights[i])
        own.update(told)
        return gallery.in_light(next(iter(told.values())), self.photo.gain, own)

    def _lights(self, pose: Pose, gallery: Gallery, entries: Sequence[int]) -> tuple[list[Light], Doubles]:
        """For each of these entries the light in which it is most like what is seen, and how unlike it stays."""
        seen = self._cut(pose.resized(gallery.window), gallery.coarse_shape, 0)
        free = self._free(pose.resized(gallery.window), gallery.coarse_shape, 0)
        weight = np.ones(gallery.coarse_shape, np.float32) if free is None else free.astype(np.float32)
        return exposure.fitted(seen, weight, gallery.prints, entries)

    def in_no_light(self, verdict: Verdict) -> bool:
        """Whether no light shows the verdict's face as it is seen, or one shows a rival plainly more like that."""
        rivals = {number for rival, number in verdict.refuted if rival.name != verdict.name}
        lights, unlike = self._lights(verdict.view.pose, verdict.gallery, [verdict.view.entry, *rivals])
        least = min((off for light, off in zip(lights, unlike, strict=True) if light.possible), default=0.0)
        return not lights[0].possible or bool(unlike[0] > LIKER * least)

    def light_of(self, verdict: Verdict) -> Light:
        """The light in which the verdict's face is most like what is seen at its place."""
        gallery = verdict.gallery
        if gallery.light is not None:
            return gallery.light
        seen = self._cut(verdict.window, gallery.coarse_shape, 0)
        weight = np.ones(gallery.coarse_shape, np.float32)
        return exposure.fitted(seen, weight, gallery.prints, [verdict.view.entry])[0][0]

    def in_light(self, gallery: Gallery, light: Light) -> Gallery:
        """The faces as this photo shows them in a light."""
        return gallery.in_light(light, self.photo.gain)

    def judged(self, gallery: Gallery, view: View, close: NDArray[np.intp], rivals: list[tuple[Rival, int]]) -> Verdict:
        """The verdict that follows from a view, with the face turned as it lies."""
        entry = gallery.entries[view.entry]
        turned = replace(view.pose, turn=(view.pose.turn + 90 * entry.quarters) % 360)
        free = self.taken.share(turned)
        return Verdict(turned, gallery, view, close, tuple(rivals), free, gallery.light is not None)

    def view_of(self, pose: Pose, gallery: Faces, contenders: tuple[int, ...], close: NDArray[np.intp]) -> View:
        """What is seen once the pose is fitted to what the contenders share, and which close one is likeliest then."""
        few = [gallery.fine(int(number)) for number in close]
        faces = np.stack(few) if len(few) > 1 else few[0][None]
        pose = self.settle(pose, gallery, [int(number) for number in close if number in contenders])
        seen = self.look(pose.resized(gallery.window), gallery.shape, gallery.scale, 0, self._rim(pose, gallery.scale))
        best = int(np.flatnonzero(close == contenders[0])[0])
        agreeing = Agreeing(seen, gallery.scale)
        held = agreeing.held_against(faces[best])
        agreed = agreeing.agreement(held)
        weight = seen.weight
        likeness = np.zeros(len(close))
        for _ in range(2):
            weight = seen.weight * _thrice(agreed.seen | agreed.blank)
            likeness = correlated(seen.values, faces, weight)
            if int(likeness.argmax()) == best:
                break
            best = int(likeness.argmax())
            held = agreeing.held_against(faces[best])
            agreed = agreeing.agreement(held)
        alone = contenders[0] if len(contenders) == 1 else -1
        return View(pose, int(close[best]), float(likeness[best]), likeness, agreed, seen, weight, alone, held)


def _beyond_doubt(verdict: Verdict) -> bool:
    """Whether it lies open, and what too strong a light leaves of it fits so well that more need not be known."""
    whole = verdict.free == 1.0 and verdict.agreement.share > WHOLLY
    told = all(rival.surely * rival.share - 0.5 * (1 - rival.share) > TOLD for rival in verdict.rivals)
    plain = verdict.likeness > AS_PRINTED and verdict.surely > FAR_APART
    return whole and told and plain and not verdict.contested


def _likely(like: Doubles) -> NDArray[np.intp]:
    """The likeliest entries whose lights are told once the place is known."""
    likeliest = np.argsort(-like)[:LIT]
    return np.asarray(likeliest[like[likeliest] > like.max() - UNLIKELY])


def _placed(verdict: Verdict) -> bool:
    """Whether it lies open, and what is not burnt out fits so well that its place is known, be it this or a twin."""
    return verdict.free > OPEN and verdict.likeness > PLACED and verdict.agreement.share > PLACED


def _plainly(like: Doubles | Floats, first: int) -> bool:
    """Whether from afar it is this entry and no other: then the pose is close enough to fit it to the entry at once."""
    return float(like[first]) > AT_ONCE and np.count_nonzero(like > like[first] - CLEARLY) == 1


def _sloping(gallery: Faces, entries: Sequence[int]) -> Sloping:
    """How what these entries share changes with where it lies."""
    if len(entries) == 1:
        return gallery.sloping(entries[0])
    shared = np.asarray(np.mean([gallery.fine(entry) for entry in entries], axis=0), np.float32)
    return Sloping.of(summed(shared), gallery.scale, gallery.window)


def _moving(move: Sequence[float], shape: tuple[int, int], scale: float, margin: int) -> Doubles:
    """From a cut-out's pixels (`shape` rows, columns) to those of one with a margin that it is moved against: 2 × 3.

    It is moved to the right and down (mm), turned (radians) and stretched by so much.
    """
    right, down, turn, stretch = move
    u, v = (shape[1] - 1) / 2, (shape[0] - 1) / 2
    c, s = (1 + stretch) * math.cos(turn), (1 + stretch) * math.sin(turn)
    x = margin + u + right * scale - c * u + s * v
    y = margin + v + down * scale - s * u - c * v
    return np.array(((c, -s, x), (s, c, y)))


def _is_inside(matrix: Doubles, shape: tuple[int, int], around: tuple[int, ...]) -> bool:
    """Whether all pixels of a cut-out (rows, columns), led by a `matrix` (2 × 3), lie inside of what is `around`."""
    # (a few numbers: numpy takes several times as long)
    for (across, down, begin), most in zip(matrix.tolist(), (around[1] - 1.5, around[0] - 1.5), strict=True):
        ends = across * (shape[1] - 1), down * (shape[0] - 1)
        if begin + sum(min(end, 0.0) for end in ends) < 0.5 or begin + sum(max(end, 0.0) for end in ends) > most:
            return False
    return True


def _thrice(mask: Bools) -> Floats:
    """A mask as weights of three channels."""
    return np.asarray(cv2.merge([mask.astype(np.float32)] * 3), np.float32)


class PaperExaminer(Examiner):
    """Looks at faces on white paper, of which it is no wonder that most is burnt out; but so may be some pale print."""

    _on_paper = True

    def __init__(self, whole: Examiner) -> None:
        super().__init__(whole.view, whole.photo, whole.taken, looks_for_glare=False)
        self.burnt_anywhere = whole.burnt_anywhere
        self.usual = whole.usual

    def _as_printed(self, pose: Pose, gallery: Gallery, least: float, *, contests: bool = True) -> Verdict | None:
        """What lies at the pose; what tells it from another has faded where much light would leave little of it."""
        verdict = super()._as_printed(pose, gallery, least, contests=contests)
        if verdict is None or not self.burnt_anywhere:
            return verdict
        view = verdict.view
        if float((self._cut(view.pose.resized(gallery.window), gallery.coarse_shape, 0) >= BURNT).mean()) < GLARE:
            return verdict
        refuted = [(replace(r, fades=gallery.fades(n, view.entry)), n) for r, n in verdict.refuted]
        return replace(verdict, refuted=tuple(refuted))


class LitExaminer(Examiner):
    """Holds what is seen against faces in the same light: what is burnt out tells that it is bright."""

    _well = WELL_LIT

    def __init__(self, whole: Examiner) -> None:
        super().__init__(whole.view, whole.photo, whole.taken, looks_for_glare=False)
        self.usual = whole.usual

    def _tells_nothing(self, picture: NDArray[np.uint8]) -> Bools | None:
        return None
