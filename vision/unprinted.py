"""Components with hardly any print, of which nothing tells which it is: side by side with others they are asked about.

A tile of one colour is like nothing and like all of that colour; passed over in a grid it would be missing in the
score. A board's fields are as plain, and as large: so its colour must be a face's as the photo shows the others, and
must end where it ends, and where others end that lie beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import tints
from vision.dazzled import BARE, OPEN, in_doubt
from vision.doubts import Found
from vision.gallery import Gallery, evened, one_colour
from vision.neighbours import beside
from vision.outlines import Outlines
from vision.photo import Pose
from vision.verify import Examiner

Image = NDArray[np.uint8]

WHY: Final = "it has hardly any print: say what it is"
EDGED: Final = 0.25  #: how clear the least clear of its sides must be (0 to 1)
NEAR: Final = 5.0  #: Lab units by which its colour may be off a face's: tiles were by up to 4.6, fields by 2 to 15
NEAREST: Final = 4  #: so many components nearby tell how the photo shows colours,
LIKE: Final = 0.6  #: … if they are this much like a face from afar
# a board's field
BEYOND_MM: Final = 4.0  #: so far beyond the sides of a board's fields its ground goes on in their colour,
STRIP_MM: Final = 3.0  #: … seen on a strip so wide,
ALONG: Final = 0.7  #: … and so long as this share of the side;
SAME: Final = 6.0  #: Lab units by which that may be another
INNER: Final = (20, 20)  #: so many pixels tell a field's colour
NEIGHBOURS: Final = 1.2  #: sides between the middles of two that lie side by side


def asked(
    found: Sequence[Pose],
    examiner: Examiner,
    outlines: Outlines,
    by_size: Mapping[tuple[float, float], Gallery],
    within: Callable[[Pose], bool],
) -> list[Found]:
    """What lies beside what was found, has edges, and one colour all over as some face has; all of it in doubt.

    It is looked for where `within` says so, and beside what that brings up: not on a board that is known.
    """
    covering, more, lying = examiner.taken, [], list(found)

    @cache
    def known(pose: Pose) -> tuple[Image, Image]:
        """Pixels of the face that lies at a pose (n × 3) as it was taught, and as it is seen; none if it is none."""
        gallery = by_size[pose.size]
        seen = examiner.picture(pose.resized(gallery.window), gallery.coarse_shape)
        like = gallery.likeness(evened(seen, gallery.coarse_scale), None)
        tells = np.asarray((seen < tints.CUT_OFF).all(axis=2) & (like.max() > LIKE))
        return gallery.picture(int(like.argmax()))[tells], seen[tells]

    def as_taught(pose: Pose) -> Image | None:
        """What is seen at a pose in the colours of the faces, as those nearby tell them; None where there are none."""
        alike = [other for other in found if other.size == pose.size]
        alike.sort(key=lambda other: math.hypot(other.x - pose.x, other.y - pose.y))
        faces, seen = (np.concatenate(each) for each in zip(*map(known, alike[:NEAREST]), strict=True))
        if not len(faces):
            return None
        slope, rise = tints.shown(faces, seen)
        gallery = by_size[pose.size]
        there = examiner.picture(pose.resized(gallery.window), gallery.coarse_shape)
        return np.asarray(np.clip((there - rise) / slope, 0, 255), np.uint8)

    for pose in lying:
        gallery = by_size[pose.size]
        for place in beside(pose) if gallery.one_coloured else ():
            if not within(place) or covering.share(place) < OPEN or covering.bare(place) > BARE:
                continue
            fitted = outlines.fitted(place, covering.free_at)
            taught = as_taught(fitted)
            colour = None if taught is None else one_colour(taught)
            if colour is None:
                continue
            like = [face for face, own in gallery.one_coloured.items() if float(np.linalg.norm(own - colour)) < NEAR]
            if like and covering.share(fitted) > OPEN and outlines.weakest(fitted, covering.free_at) > EDGED:
                more.append(in_doubt(fitted, examiner, gallery, WHY, like))
                covering.take(fitted)
                lying.append(fitted)
    places = [each.verdict.pose for each in more]
    fields = _joined([pose for pose in places if _goes_on(pose, examiner)], places)
    return [each for each in more if each.verdict.pose not in fields]


def _goes_on(pose: Pose, examiner: Examiner) -> bool:
    """Whether its colour goes on beyond one of its sides, where neither a component lies nor bare table is seen."""
    width, height = pose.size
    inner = one_colour(examiner.picture(pose, INNER))
    for right, down, size in (
        (0.0, height / 2 + BEYOND_MM, (ALONG * width, STRIP_MM)),
        (width / 2 + BEYOND_MM, 0.0, (STRIP_MM, ALONG * height)),
    ):
        for way in (1, -1):
            strip = pose.moved(way * right, way * down).resized(size)
            if examiner.taken.share(strip) < OPEN or examiner.taken.bare(strip) > BARE:
                continue
            colour = one_colour(examiner.picture(strip, (round(2 * size[1]), round(2 * size[0]))))
            if inner is not None and colour is not None and float(np.linalg.norm(inner - colour)) < SAME:
                return True
    return False


def _joined(some: Sequence[Pose], places: Sequence[Pose]) -> set[Pose]:
    """Some places, and all that lie side by side with them, and with those in turn."""
    joined = list(some)
    for one in joined:
        reach = NEIGHBOURS * max(one.size)
        joined += [p for p in places if p not in joined and math.hypot(p.x - one.x, p.y - one.y) < reach]
    return set(joined)
