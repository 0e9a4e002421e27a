"""What a close look tells: the view it had, the rivals it was held against, and the verdict that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.agreement import Agreement, Held, Look
from vision.gallery import Gallery
from vision.photo import Pose

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

BETWEEN: Final = 0.25  #: evidence for one of two faces that is surely less than this is none for either,
PLAINLY: Final = 0.2  #: more evidence than this is plain where it holds wherever print lies,
INK: Final = 1.0  #: … and as much as this is that of the print's colour
BOTH_SEEN: Final = 0.5  #: … where more than this share of what sets them apart is seen


@dataclass(frozen=True, slots=True)
class Rival:
    """Another face and how clearly it is not that one: −½ it is the rival, +½ it is not; `error` of that number."""

    name: str
    evidence: float
    error: float
    share: float  #: how much of what sets the two apart can be seen
    own: float  #: the evidence less twice its error when the pose is fitted to the likeliest face alone
    left: float = 1.0  #: how much too strong a light leaves of what sets the two apart where they are seen
    fades: bool = False  #: whether it has print that may be too pale for a light which burns out the paper
    aside: float = -0.5  #: the least evidence, less twice its error, a little aside of the pose, where it was told
    wherever: float = 0.0  #: evidence that holds wherever print lies a little aside, if it was asked for

    @property
    def surely(self) -> float:
        """The evidence less twice its error, the pose being fitted to what the contending faces share."""
        return self.evidence - 2 * self.error

    @property
    def is_refuted(self) -> bool:
        """Whether its print has another colour. What differs otherwise may be less off in one that was never taught."""
        return self.wherever >= INK

    @property
    def is_between(self) -> bool:
        """Whether what is seen surely lies between the two: only by the photo that taught them do they differ."""
        return self.share > BOTH_SEEN and abs(self.evidence) + 2 * self.error < BETWEEN


@dataclass(frozen=True, slots=True)
class View:
    """A close look once the pose was fitted: the likeliest entry, how alike, where, and what was seen."""

    pose: Pose
    entry: int
    likeness: float
    likenesses: Doubles  #: of all the faces looked at closely
    agreed: Agreement
    seen: Look
    weight: Floats
    fitted: int  #: the one entry that the pose was fitted to; -1 when it was fitted to what several share
    held: Held | None  #: what was seen, held against the entry; None where a closer look told the entry

    @property
    def fit(self) -> float:
        return self.likeness * min(1.0, self.agreed.share)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What most likely lies at a pose, what was seen of it, and the others it was held against."""

    pose: Pose
    gallery: Gallery
    view: View
    close: NDArray[np.intp]  #: the entries that were looked at closely
    refuted: tuple[tuple[Rival, int], ...]  #: rivals and their entries, the hardest to tell apart first
    free: float  #: share of the place that was not yet taken when it was looked at
    glares: bool = False  #: whether the light is so strong that it burns much of it out
    contested: bool = False  #: whether it is that one of several, each fitted alone, which fits best

    @property
    def face(self) -> int:
        return self.gallery.entries[self.view.entry].face

    @property
    def name(self) -> str:
        return self.gallery.names[self.face]

    @property
    def likeness(self) -> float:
        """How alike where it is seen."""
        return self.view.likeness

    @property
    def agreement(self) -> Agreement:
        return self.view.agreed

    @property
    def rivals(self) -> tuple[Rival, ...]:
        return tuple(rival for rival, _ in self.refuted)

    @property
    def telling(self) -> tuple[Rival, ...]:
        """The rivals not plainly refuted, without the same face in turns in which what is seen looks the same."""
        asked = (r for r in self.rivals if not r.is_refuted)
        return tuple(r for r in asked if r.name != self.name or not r.is_between)

    @property
    def surely(self) -> float:
        """How plainly the rival hardest to tell apart is refuted."""
        return min((min(r.surely, r.own) for r in self.telling), default=0.5)

    @property
    def window(self) -> Pose:
        """The part of the place that was compared, turned as the masks of what was seen there are."""
        return self.view.pose.resized(self.gallery.window)

    @property
    def quality(self) -> float:
        """How well and how completely it fits."""
        return float(self.likeness * min(1.0, self.agreement.share) * self.agreement.area**0.25)
