"""Components with hardly any print, of which nothing tells which it is: side by side with others they are asked about.

A tile of one colour is like nothing and like all of that colour; passed over in a grid it would be missing in the
score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from vision.dazzled import BARE, OPEN, in_doubt
from vision.doubts import Found
from vision.gallery import Gallery, one_colour
from vision.neighbours import beside
from vision.outlines import Outlines
from vision.photo import Pose
from vision.verify import Examiner

WHY: Final = "it has hardly any print: say what it is"
EDGED: Final = 0.25  #: how clear the least clear of its sides must be (0 to 1)
NEAR: Final = 18.0  #: Lab units by which its colour may be off that of a face as even, in whatever light


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
                more.append(in_doubt(fitted, examiner, gallery, WHY, like))
                covering.take(fitted)
                lying.append(fitted)
    return more
