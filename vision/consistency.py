"""What was found on a table, held against each other once all of it is found: one may be a part of another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import AGREE_MM
from vision.doubts import LIKE_LITTLE, PLAIN_SOFT, STRIP, UNFIT, Found
from vision.judge import AWAY, BETWEEN, UNTAUGHT, Judge, lies_open
from vision.patches import within
from vision.topview import TopView
from vision.verdict import Verdict

Bools = NDArray[np.bool_]

SHARED: Final = 0.02  #: share of another's face that a strip must lie on to be taken for a part of it,
OWN_PRINT: Final = 0.4  #: … and how like that face it must be there
MUCH: Final = 0.6  #: share of one under a hand that must be seen where grain makes all unlike,
LESS: Final = 0.05  #: … which its shadow may make this much less alike than its like
FEW: Final = 3  #: so many components that lie open tell how well they fit on this photo:
WORSE: Final = 0.15  #: without markers, what lies open and fits this much worse than most may be its near twin


def told(found: Sequence[Found], excused: Mapping[int, Bools], judge: Judge) -> list[Found]:
    """What was found, in the order in which it was; in doubt where the others make it doubtful.

    `excused` is the other print that was seen on some of them, by their numbers (masks of what was compared).
    """
    judged = [_contested(found, number, judge) for number in range(len(found))]
    for number, other in excused.items():  # what seemed to reach beyond it may be its neighbours
        verdict = judged[number].verdict
        around = np.ones((round(AGREE_MM * verdict.gallery.scale),) * 2, np.uint8)  # small patches tell little
        upon = (v.pose for v in _showing(judged, number, cv2.dilate(other.astype(np.uint8), around) > 0, judge))
        if not judged[number].doubt and not judge.is_covered(other, verdict, upon):
            judged[number] = Found(verdict, UNTAUGHT)
    judged = [_as_its_like(one, judged, judge) if one.doubt == UNFIT else one for one in judged]
    return judged if judge.examiner.photo.plane.marked else _fitting_as_others(judged)


def _contested(found: Sequence[Found], number: int, judge: Judge) -> Found:
    """One that was found, in doubt if it is a strip in which one that was found later shows its own print."""
    strip = found[number]
    verdict = strip.verdict
    if strip.doubt or verdict.free > (STRIP if verdict.likeness > LIKE_LITTLE else BETWEEN):
        return strip
    for other in _showing(found, number, verdict.agreement.seen, judge):
        return Found(verdict, f"it may be a part of {other.name}")
    return strip


def _showing(found: Sequence[Found], number: int, where: Bools, judge: Judge) -> Iterator[Verdict]:
    """Those found later that show their own print on a part (a mask of what was compared) of one found.

    Of one beneath another that shows its print there only what the other leaves is asked.
    """
    verdict = found[number].verdict
    part = judge.covering.spread(verdict.window, where)
    x, y = verdict.pose.x, verdict.pose.y
    later = [other.verdict for other in found[number + 1 :]]
    near = [v for v in later if math.hypot(v.pose.x - x, v.pose.y - y) <= max(v.pose.size)]
    while shown := next((other for other in near if _shows_print(other, part, judge)), None):
        yield shown
        near.remove(shown)
        corners = part.pixels(shown.pose.corners())
        cv2.fillConvexPoly(part.picture, corners.round().astype(np.int32), 0)


def _shows_print(verdict: Verdict, part: TopView, judge: Judge) -> bool:
    """Whether one found shows its own print on a part (255) of the map."""
    shared = part.cut(verdict.window, verdict.gallery.shape, nearest=True) > 0
    return bool(shared.mean() > SHARED) and within(judge.examiner, verdict, shared) > OWN_PRINT


def _as_its_like(one: Found, found: Sequence[Found], judge: Judge) -> Found:
    """What lies under a hand, without doubt where it fits as well as the same face does that lies open on this photo.

    Nothing fits well on a photo of much grain.
    """
    verdict = one.verdict
    likes = [f.verdict for f in found if not f.doubt and f.verdict.name == verdict.name and lies_open(f.verdict)]
    plain = verdict.agreement.area > MUCH and verdict.surely > PLAIN_SOFT and verdict.gallery.light is None
    least = min((like.likeness for like in likes), default=math.inf)
    if not plain or verdict.likeness < least - LESS or not judge.under(verdict, AWAY):
        return one
    fitting = replace(verdict, view=replace(verdict.view, likeness=max(LIKE_LITTLE, verdict.likeness)))
    return Found(verdict, judge.doubt(fitting))


def _fitting_as_others(found: Sequence[Found]) -> list[Found]:
    """What was found, in doubt where it lies open and fits worse than most that does: its near twin was taught."""
    fits = [f.verdict.view.fit for f in found if lies_open(f.verdict)]
    least = float(np.median(fits)) - WORSE if len(fits) >= FEW else 0.0
    worse = [not f.doubt and lies_open(f.verdict) and f.verdict.view.fit < least for f in found]
    return [Found(f.verdict, UNTAUGHT) if less else f for f, less in zip(found, worse, strict=True)]
