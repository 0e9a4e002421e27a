"""Planar components on a photo: cards, tiles, chips, boards; every one with its place, its turn and its doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.features import SCALE, Describer, FaceIndex, TopView, poses
from vision.gallery import Gallery, galleries
from vision.photo import Photo, Pose
from vision.verify import Examiner, Verdict

Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]

LEAST_VOTES: Final = 5  #: features that must agree on a pose before it is looked at
LIKE: Final = 0.72  #: likeness, where it is seen, a component must have with its face
WHOLE: Final = 0.75  #: share of a component that must agree with its face to count as lying open
LIKE_PARTLY: Final = 0.8  #: likeness a component under a hand or an unknown thing must have where it is seen,
PARTLY: Final = 0.2  #: … and the share of it that must be seen
LEFT: Final = 0.12  #: a pose of which less than this is not yet explained by other components is not looked at


T = TypeVar("T")


class Timed(Protocol):
    """Runs a stage of the work and notes how long it took."""

    def __call__(self, stage: str, work: Callable[[], T]) -> T: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A component found: the verdict, and why it is doubtful ("" when it is not)."""

    verdict: Verdict
    doubt: str

    @property
    def confidence(self) -> float:
        """The chance that name and turn are right."""
        return 0.99

    @property
    def candidates(self) -> tuple[tuple[str, float], ...]:
        """What it may be, the likeliest first, with their shares."""
        weights = [(self.verdict.name, 1.0)]
        weights += [(r.name, float(np.exp(-12 * max(0.0, r.evidence)))) for r in self.verdict.rivals[:3]]
        total = sum(weight for _, weight in weights)
        return tuple((name, weight / total) for name, weight in weights)


class Covering:
    """Which parts of the table, from above, are known to be covered by components found so far."""

    def __init__(self, view: TopView) -> None:
        self._origin = np.array(view.origin)
        self.shape = (view.picture.shape[0], view.picture.shape[1])
        self._taken = np.zeros(self.shape, np.uint8)

    def _matrix(self, pose: Pose, scale: float) -> NDArray[np.float64]:
        """From a cut-out's pixels to the map's pixels: 2 × 3."""
        corners = (pose.corners() - self._origin) * SCALE
        columns, rows = max(4, round(pose.size[0] * scale)), max(4, round(pose.size[1] * scale))
        right = (corners[1] - corners[0]) / columns
        down = (corners[3] - corners[0]) / rows
        return np.column_stack([right, down, corners[0] + (right + down) / 2])

    def free(self, pose: Pose, scale: float) -> Bools | None:
        """Which pixels of a cut-out are not yet taken; None when all are free."""
        columns, rows = (max(4, round(side * scale)) for side in pose.size)
        taken = cv2.warpAffine(
            self._taken, self._matrix(pose, scale), (columns, rows), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        )
        return np.asarray(taken == 0) if taken.any() else None

    def take(self, pose: Pose, scale: float, seen: Bools | None) -> None:
        """Mark what is seen of a component (None: all of it) as taken."""
        if seen is None:
            self.take_quad(pose.corners())
            return
        height, width = self.shape
        mask = cv2.warpAffine(
            seen.astype(np.uint8) * 255, self._matrix(pose, scale), (width, height), flags=cv2.INTER_NEAREST
        )
        np.maximum(self._taken, np.asarray(mask, np.uint8), out=self._taken)

    def take_quad(self, corners_mm: NDArray[np.float64], grown: float = 1.0) -> None:
        """Mark a quadrangle, grown about its middle, as taken."""
        middle = corners_mm.mean(axis=0)
        corners = ((corners_mm - middle) * grown + middle - self._origin) * SCALE
        cv2.fillConvexPoly(self._taken, corners.round().astype(np.int32), 255)


class CardFinder:
    """Finds the planar components of one deck."""

    def __init__(self, deck: Deck) -> None:
        self._describer = Describer()
        flat = [face for face in deck.faces if face.kind != "board"]
        self._galleries = {g.size: g for g in galleries(deck) if g.kind != "board"}
        self._index = FaceIndex(flat, self._describer) if flat else None

    def find(self, photo: Photo, covered: Sequence[NDArray[np.float64]], timed: Timed) -> list[Found]:
        """What lies on the table, but for what is `covered` by markers (corners in mm).

        `timed` runs a stage of the work under its name.
        """
        if self._index is None:
            return []
        index = self._index
        view = timed("top view", lambda: TopView.of(photo.grey(), photo.plane))
        features = timed("features", lambda: self._describer.describe(view.picture, 10))
        placed = features.shifted(view.origin)
        hypotheses = timed("votes", lambda: poses(index.votes(placed), index.sizes, LEAST_VOTES))
        covering = Covering(view)
        for corners in covered:
            covering.take_quad(corners, 1.3)
        search = _Search(Examiner(photo), covering, self._galleries)
        return timed("look", lambda: search.run(hypotheses))


class _Search:
    """Explains the table component by component: what lies open first, then what is partly covered."""

    def __init__(self, examiner: Examiner, covering: Covering, by_size: dict[tuple[float, float], Gallery]) -> None:
        self.examiner = examiner
        self.covering = covering
        self.by_size = by_size
        self.found: list[Found] = []

    def run(self, hypotheses: list[Pose]) -> list[Found]:
        partly = [verdict for pose in hypotheses if (verdict := self._open(pose)) is not None]
        for verdict in sorted(partly, key=lambda v: -v.agreement.area * v.likeness):
            again = self._examined(verdict.pose)
            if again is not None and self._stands_out(again):
                self._keep(again)
        return self.found

    def _examined(self, pose: Pose) -> Verdict | None:
        """The verdict on what is not yet explained of a pose."""
        gallery = self.by_size[pose.size]
        free = self.covering.free(pose, gallery.scale)
        if free is not None and free.mean() < LEFT:
            return None
        return self.examiner.examine(pose, gallery, free)

    def _open(self, pose: Pose) -> Verdict | None:
        """Keep what lies open at the pose; a verdict on something that seems partly covered is given back."""
        verdict = self._examined(pose)
        if verdict is None or verdict.likeness < LIKE:
            return None
        if verdict.agreement.share < WHOLE:
            return verdict
        self._keep(verdict)
        return None

    @staticmethod
    def _stands_out(verdict: Verdict) -> bool:
        """Whether all that is free to be seen agrees, or so much that the rest must lie under something strange."""
        agreement = verdict.agreement
        if verdict.likeness > LIKE and agreement.share > WHOLE:
            return True
        return verdict.likeness > LIKE_PARTLY and agreement.area > PARTLY and verdict.pose.votes > 1.5 * LEAST_VOTES

    def _keep(self, verdict: Verdict) -> None:
        self.found.append(Found(verdict, doubt(verdict)))
        open_ = verdict.agreement.share > WHOLE
        self.covering.take(verdict.pose, verdict.gallery.scale, None if open_ else verdict.agreement.seen)


def doubt(verdict: Verdict) -> str:
    """Why one should not bet on this verdict, or ""."""
    for rival in verdict.rivals:
        if rival.evidence - 1.5 * rival.error < 0.06:
            return f"looks much like {rival.name}"
        if rival.share < 0.1:
            return f"what tells it from {rival.name} is covered"
    return ""
