"""What stands on a table of which only parts have changed: looked for again there, remembered everywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo
from vision.pieces import PieceFinder
from vision.regions import Rect
from vision.scene import Ground
from vision.seen import Seen

Doubles = NDArray[np.float64]

AGAIN_MM: Final = 25.0  #: everything so near to what changed is looked for again,
AROUND_MM: Final = 45.0  #: … and so much more of the table is looked at for it
SAME_MM: Final = 7.0  #: what is seen at the rim of such a part, this near to something remembered, is that
STILL_PX: Final = 1.5  #: how far markers and boards may seem to have moved that have not
MOST: Final = 0.6  #: share of the photo from which all of it is looked at


@dataclass(frozen=True, slots=True, eq=False)
class _Whole:
    """The last look at all of a table: its photo and the boards on it."""

    photo: Photo
    grounds: tuple[Ground, ...]

    def fits(self, photo: Photo, grounds: Sequence[Ground]) -> bool:
        """Whether camera and boards are where they were."""
        if photo.image.shape != self.photo.image.shape or len(grounds) != len(self.grounds):
            return False
        height, width = photo.image.shape[:2]
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
        before, now = self.photo.plane.to_mm(corners), photo.plane.to_mm(corners)
        moved = [now - before, *(g.corners - was.corners for g, was in zip(grounds, self.grounds, strict=True))]
        scale = photo.plane.scale((float(now[:, 0].mean()), float(now[:, 1].mean())))
        return all(float(np.abs(by).max()) * scale < STILL_PX for by in moved)


class PieceMemory:
    """A `PieceFinder` that looks again only where it is told that something has changed."""

    def __init__(self, finder: PieceFinder) -> None:
        self._finder = finder
        self._whole: _Whole | None = None
        self._seen: list[Seen] = []

    def find(
        self,
        photo: Photo,
        grounds: Sequence[Ground],
        taken: Sequence[Doubles] = (),
        changed: Sequence[Rect] | None = None,
    ) -> list[Seen]:
        """Everything that stands there; with `changed`, elsewhere as it was seen last (None: all may have changed)."""
        boxes = None if changed is None else _boxes(photo, changed)
        if boxes is None or self._whole is None or not self._whole.fits(photo, grounds):
            self._whole = _Whole(photo, tuple(grounds))
            self._seen = self._finder.find(photo, grounds, taken)
        else:
            for box in boxes:
                self._seen = self._renewed(photo, grounds, taken, box)
        return list(self._seen)

    def forget(self) -> None:
        """Look at all of the next photo, whatever it is said to have changed."""
        self._whole = None

    def _renewed(self, photo: Photo, grounds: Sequence[Ground], taken: Sequence[Doubles], box: Doubles) -> list[Seen]:
        """What was seen, but within the box (low and high corner, mm) what is seen now."""
        part, (left, top) = _part(photo, box)
        kept = [seen for seen in self._seen if not _within(box, seen)]
        new, near = [], box + np.array([[-SAME_MM], [SAME_MM]])
        for seen in self._finder.find(part, grounds, taken, near):
            if _within(box, seen, SAME_MM) and not any(_apart(seen, other) < SAME_MM for other in kept):
                x, y = seen.centre_px
                new.append(replace(seen, centre_px=(x + left / photo.factor, y + top / photo.factor)))
        return [*kept, *new]


def _boxes(photo: Photo, changed: Sequence[Rect]) -> list[Doubles] | None:
    """What to look at again: boxes in table mm that do not overlap; None when that is nearly everything."""
    boxes: list[Doubles] = []
    for left, top, right, bottom in changed:
        px = (np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) + 0.5) * photo.factor - 0.5
        mm = photo.plane.to_mm(px)
        boxes = _joined(boxes, np.array([mm.min(axis=0) - AGAIN_MM, mm.max(axis=0) + AGAIN_MM]))
    whole = photo.image.shape[0] * photo.image.shape[1]
    area = sum(part.image.shape[0] * part.image.shape[1] for part, _ in (_part(photo, box) for box in boxes))
    return boxes if area < MOST * whole else None


def _joined(boxes: Sequence[Doubles], box: Doubles) -> list[Doubles]:
    """The boxes with one more; those that overlap become one."""
    apart = list(boxes)
    while True:
        near = [b for b in apart if (b[0] < box[1]).all() and (box[0] < b[1]).all()]
        if not near:
            return [*apart, box]
        apart = [b for b in apart if all(b is not n for n in near)]
        every = np.array([box, *near])
        box = np.array([every[:, 0].min(axis=0), every[:, 1].max(axis=0)])


def _part(photo: Photo, box: Doubles) -> tuple[Photo, tuple[int, int]]:
    """The part of the photo that shows a box and its surroundings, and its first pixel."""
    (x0, y0), (x1, y1) = box + np.array([[-AROUND_MM], [AROUND_MM]])
    px = photo.plane.to_px([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    height, width = photo.image.shape[:2]
    left, top = (int(v) for v in np.clip(np.floor(px.min(axis=0)), 0, (width - 1, height - 1)))
    right, bottom = (int(v) for v in np.clip(np.ceil(px.max(axis=0)), (left + 1, top + 1), (width, height)))
    part = replace(photo, image=photo.image[top:bottom, left:right], plane=photo.plane.cropped(left, top))
    return part, (left, top)


def _within(box: Doubles, seen: Seen, more: float = 0.0) -> bool:
    """Whether a piece stands in a box; one whose place is not known stands everywhere."""
    if seen.place is None:
        return True
    return bool((np.array(seen.place) > box[0] - more).all() and (np.array(seen.place) < box[1] + more).all())


def _apart(one: Seen, other: Seen) -> float:
    assert one.place is not None
    assert other.place is not None
    return float(np.hypot(*np.subtract(one.place, other.place)))
