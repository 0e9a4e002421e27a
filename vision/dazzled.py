"""What is too bright to be read: its outline tells that something lies there, which must not be passed over."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.doubts import DAZZLED, Found
from vision.gallery import Gallery
from vision.outlines import Outlines
from vision.photo import BURNT, Pose
from vision.verify import BRIGHTEST, WHITE, Examiner

OPEN: Final = 0.85  #: share of it that must be free,
BARE: Final = 0.1  #: … of which no more may be bare table,
EDGED: Final = 0.6  #: how clear the least clear of its sides must be (0 to 1),
BURNT_OUT: Final = 0.25  #: … the share of it in which a channel must be burnt out,
ALL_WHITE: Final = 0.8  #: … and that which is white: a colour would be a board's field


def asked(
    poses: Iterable[Pose], examiner: Examiner, outlines: Outlines, by_size: Mapping[tuple[float, float], Gallery]
) -> list[Found]:
    """What lies at these poses though nobody can tell what, as most of it shows nothing; all of it in doubt.

    Each is taken, so that it is asked about but once. A sheet that is no component may be just as large, and just as
    bright: better one question too many.
    """
    covering, sided = examiner.taken, []
    for pose in poses:
        if covering.share(pose) > OPEN and covering.bare(pose) < BARE and is_white(examiner, pose, by_size[pose.size]):
            sided.append((outlines.weakest(pose, covering.free_at), pose))
    found = []
    for clear, pose in sorted(sided, key=lambda each: -each[0]):
        if clear > EDGED and covering.share(pose) > OPEN:
            found.append(in_doubt(pose, examiner, by_size[pose.size], DAZZLED))
            covering.take(pose)
    return found


def is_white(examiner: Examiner, pose: Pose, gallery: Gallery) -> bool:
    """Whether what is seen at a pose is nearly white all over, and burnt out."""
    seen = examiner.picture(pose, gallery.coarse_shape)
    white = float((cv2.inRange(seen, WHITE, BRIGHTEST) > 0).mean())
    return white > ALL_WHITE and float((seen.max(axis=2) >= BURNT).mean()) > BURNT_OUT


def in_doubt(pose: Pose, examiner: Examiner, gallery: Gallery, why: str, faces: Container[int] | None = None) -> Found:
    """What is seen at a pose, in doubt, by the face (of some, or any) that it is most like, be it little."""
    like = examiner.glance(pose, gallery, 1.0)[0]
    among = [i for i, entry in enumerate(gallery.entries) if faces is None or entry.face in faces]
    likeliest = max(among, key=lambda i: float(like[i]))
    close = np.array([likeliest])
    view = replace(examiner.view_of(pose, gallery, (likeliest,), close), pose=pose)
    return Found(examiner.judged(gallery, view, close, []), why)
