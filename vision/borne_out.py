"""What is in doubt on photos without markers, borne out by its print: point by point it lies where the face has it.

Shadows, gloss and haze on sleeves, and strangers' things on top, make a card unlike its face as a whole. Points of its
print are found all the same, and those that no other face has at their places tell which it is. Where they are too few
for all that is seen, it is asked about: something lies there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from vision.doubts import COVERED, HALF_LIKE, UNFIT, Found
from vision.gallery import Gallery
from vision.judge import ON_PAPER
from vision.photo import Photo, Pose
from vision.tracked import Seen, Tracker
from vision.tried import NEAR_MM, NEAR_TURN, one_place
from vision.verdict import Verdict
from vision.verify import Examiner

OWN: Final = 12  #: points that no other face has,
ALL: Final = 25  #: … and points in all that bear a component out,
AMID: Final = 0.64  #: … of which this share of those is seen that are amid others,
PART: Final = 0.25  #: share of the face that must be like it,
SURELY: Final = 0.25  #: … and what must speak against every other face: few have the frame of some
#: … and more than this share of its points, by what is in doubt: one that nobody taught may share many with a face
LEAST: Final = {UNFIT: 0.0, COVERED: 0.0, HALF_LIKE: 0.8}
MOST: Final = 40  #: places that are looked at


def told(
    found: Sequence[Found],
    places: Sequence[Pose],
    examiner: Examiner,
    by_size: Mapping[tuple[float, float], Gallery],
    tracker: Tracker,
) -> list[Found]:
    """What was found, no more in doubt where points bear it out; and what else they bear out at these places."""
    photo = examiner.photo
    told = []
    for one in found:
        seen = _seen(photo, one.verdict.pose, tracker) if one.doubt in LEAST and _plain(one.verdict) else None
        told.append(Found(one.verdict, "") if seen is not None and _bears_out(one, seen, tracker) else one)
    for pose in places[:MOST]:
        seen = None if _known(pose, told) else _seen(photo, pose, tracker)
        if seen is None or _known(seen.pose, told) or examiner.taken.share(seen.pose) < PART:
            continue
        verdict = examiner.examine(seen.pose, by_size[pose.size])
        if verdict is not None and verdict.name == seen.face.name and not _on_paper(verdict):
            told.append(Found(verdict, "" if _plain(verdict) and _surely(seen, tracker) else COVERED))
    return told


def _bears_out(one: Found, seen: Seen, tracker: Tracker) -> bool:
    """Whether the points seen there are enough to tell what is in doubt."""
    return seen.face.name == one.verdict.name and seen.share > LEAST[one.doubt] and _surely(seen, tracker)


def _known(pose: Pose, told: Sequence[Found]) -> bool:
    """Whether something at a pose is told, or asked about, already."""
    return any(one_place(pose, one.verdict.pose, NEAR_MM, NEAR_TURN) for one in told)


def _plain(verdict: Verdict) -> bool:
    """Whether it is plain enough to ask its points."""
    return not _on_paper(verdict) and verdict.agreement.area > PART and verdict.surely > SURELY


def _on_paper(verdict: Verdict) -> bool:
    """Whether it is print on white paper: of that points tell neither colour nor hatching."""
    return verdict.gallery.paper > ON_PAPER


def _seen(photo: Photo, pose: Pose, tracker: Tracker) -> Seen | None:
    """The points of a face that lies about there, if so many of them are no other's that something does."""
    seen = tracker.seen(photo.image, photo.plane, pose)
    return None if seen is None or len(seen.corners) < ALL or tracker.own(seen)[0] < OWN else seen


def _surely(seen: Seen, tracker: Tracker) -> bool:
    """Whether its own points are seen wherever any are: what was never taught shares some with a face."""
    return tracker.own(seen)[1] > AMID
