"""Components with hardly any print, of which nothing tells which it is: side by side with others they are asked about.

A tile of one colour is like nothing and like all of that colour; passed over in a grid it would be missing in the
score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.doubts import Found
from vision.gallery import Gallery, one_colour
from vision.neighbours import beside
from vision.outlines import Outlines
from vision.photo import Pose
from vision.verify import Examiner

WHY: Final = "hardly any print tells what it is"
OPEN: Final = 0.85  #: share of it that must be free,
BARE: Final = 0.1  #: … of which no more may be bare table,
EDGED: Final = 0.25  #: how clear the least clear of its sides must be (0 to 1)
NEAR: Final = 18.0  #: Lab units by which that may be off the colour of a face as even, in whatever light


def asked(
    found: Sequence[Pose],
    examiner: Examiner,
    outlines: Outlines,
    by_size: Mapping[tuple[float, float], Gallery],
    within: Callable[[Pose], bool],
) -> list[Found]:
    """What lies beside what was found, has edges, and one colour all over as some face has; all of it in doubt.

    It is looked for where `within` says so, and beside what that brings up.
    """
    covering, more, lying = examiner.taken, [], list(found)
    for pose in lying:
        gallery = by_size[pose.size]
        for place in beside(pose) if gallery.one_coloured else ():
            if not within(place) or covering.share(place) < OPEN or covering.bare(place) > BARE:
                continue
            fitted = outlines.fitted(place, covering.free_at)
            colour = one_colour(examiner.picture(fitted.resized(gallery.window), gallery.coarse_shape))
            if colour is None:
                continue
            like = [face for face, own in gallery.one_coloured.items() if float(np.linalg.norm(own - colour)) < NEAR]
            if like and covering.share(fitted) > OPEN and outlines.weakest(fitted, covering.free_at) > EDGED:
                more.append(_seen(fitted, examiner, gallery, like))
                covering.take(fitted)
                lying.append(fitted)
    return more


def _seen(pose: Pose, examiner: Examiner, gallery: Gallery, faces: Sequence[int]) -> Found:
    """What is seen there, by the face of its colour that it is most like, be it little."""
    like = examiner.glance(pose, gallery, 1.0)[0]
    close = np.array([i for i, entry in enumerate(gallery.entries) if entry.face in faces])
    likeliest = int(close[like[close].argmax()])
    view = examiner.view_of(pose, gallery, (likeliest,), np.array([likeliest]))
    return Found(examiner.judged(gallery, replace(view, pose=pose), np.array([likeliest]), []), WHY)
