"""Is it this face that lies here? A close look at one pose, against all taught faces of its size.

Every rival is held against the best face only where the two differ: the seen picture is projected on their
difference, so that +½ speaks plainly for the one and −½ for the other, whatever they share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import Gallery, evened, summed
from vision.photo import BURNT, Photo, Pose

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIRST: Final = 4  #: so many of the likeliest faces are tried for where they agree
CLOSE: Final = 12  #: … and so many are looked at closely
AGREE_MM: Final = 9.0  #: agreement is judged over neighbourhoods of this size
AGREE: Final = 0.5  #: likeness there from which on the face is taken to be seen
BLANK: Final = 0.15  #: mean energy below which a neighbourhood shows nothing to agree on
BLOCK_MM: Final = 4.0  #: the doubt of a comparison comes from how much blocks of this size disagree
LEAST_MM2: Final = 300.0  #: a face must agree on a patch at least this large,
LEAST_SHARE: Final = 0.08  #: and on this share of it


@dataclass(frozen=True, slots=True)
class Look:
    """A cut-out made comparable: `values` (h × w × 3) and `weight` (likewise, 0 where nothing can be said)."""

    values: Floats
    weight: Floats


@dataclass(frozen=True, slots=True)
class Agreement:
    """Where a face is seen: `seen` the largest connected patch, `blank` where there is nothing to see it by."""

    seen: Bools
    blank: Bools
    area: float  #: share of the component's area that `seen` covers
    share: float  #: share that agrees of what is free to be seen and has something to agree on


@dataclass(frozen=True, slots=True)
class Rival:
    """Another face and how clearly it is not that one: −½ it is the rival, +½ it is not; `error` of that number."""

    name: str
    evidence: float
    error: float
    share: float  #: how much of what sets the two apart can be seen


@dataclass(frozen=True, slots=True)
class Verdict:
    """What most likely lies at a pose: a face, how alike where it is seen, how much of it, and against which rivals."""

    pose: Pose
    gallery: Gallery
    face: int
    likeness: float
    agreement: Agreement
    rivals: tuple[Rival, ...]

    @property
    def name(self) -> str:
        return self.gallery.names[self.face]


class Examiner:
    """Looks closely at poses of one photo."""

    def __init__(self, photo: Photo) -> None:
        self.photo = photo
        self._gain = np.diag(photo.gain).astype(np.float32)

    def look(self, pose: Pose, scale: float, free: Bools | None) -> Look:
        """The cut-out at the pose, evened; weight 0 where it is burnt out, outside the photo or not `free`."""
        picture = self.photo.cut(pose, scale)
        weight = (picture < BURNT).astype(np.float32)
        inside = self.photo.inside(pose, scale)
        if inside is not None:
            weight *= inside[..., None]
        if free is not None:
            weight *= free[..., None]
        whole = bool(weight.all())
        balanced = cv2.transform(picture.astype(np.float32), self._gain)
        return Look(evened(balanced, scale, None if whole else weight), weight)

    def settle(self, pose: Pose, gallery: Gallery, entry: int, free: Bools | None, rounds: int = 3) -> Pose:
        """The pose moved so that the entry fits best: Gauss–Newton on shift, turn and stretch."""
        target = summed(gallery.fine[entry]).ravel()
        steps = gallery.steps(entry)
        for _ in range(rounds):
            seen = self.look(pose, gallery.scale, free)
            grey = summed(seen.values).ravel()
            weight = seen.weight[:, :, 1].ravel()
            power = float((weight * target) @ target)
            if power < 1:
                return pose
            level = max(0.2, float((weight * grey) @ target) / power)
            error = grey / level - target
            # what disagrees wildly is something else lying there
            size = np.abs(error)
            weight = weight * (size < 2.0 * float(size @ weight) / float(weight.sum()) + 0.2)
            weighted = steps * weight[:, None]
            normal = weighted.T @ steps
            # a stretch of a percent, a turn of three degrees, a shift of three millimetres are usual
            prior = np.diag([1 / 9, 1 / 9, 1 / 0.0027, 1 / 0.0001]) * 0.5
            move = np.linalg.solve(normal + prior, -(weighted.T @ error))
            right, down, turn, stretch = (float(v) for v in np.clip(move, [-3, -3, -0.1, -0.02], [3, 3, 0.1, 0.02]))
            pose = replace(pose.moved(right, down, float(np.degrees(turn))), stretch=pose.stretch * (1 + stretch))
            if abs(right) + abs(down) < 0.15 and abs(turn) < 0.003:
                break
        return pose

    def glance(self, pose: Pose, gallery: Gallery, free: Bools | None) -> tuple[Doubles, int]:
        """How like each entry of the gallery it looks from afar, and the entry that agrees on the largest patch.

        The entry is −1 when none agrees on a patch worth a closer look.
        """
        seen = self.look(pose, gallery.coarse_scale, _smaller(free, gallery.coarse_shape))
        flat = seen.values.ravel()
        own = gallery.coarse_squared @ seen.weight.ravel()
        like = gallery.coarse @ flat / np.sqrt(np.maximum(own * float(flat @ flat), 1e-6))
        best, most = -1, max(0.7 * LEAST_SHARE, 0.7 * LEAST_MM2 / (gallery.size[0] * gallery.size[1]))
        for entry in np.argsort(-like)[:FIRST]:
            face = gallery.coarse[entry].reshape(*gallery.coarse_shape, 3)
            area = agreement(seen, face, gallery.coarse_scale).area
            if area > most:
                best, most = int(entry), area
        return np.asarray(like, np.float64), best

    def examine(self, pose: Pose, gallery: Gallery, free: Bools | None = None) -> Verdict | None:
        """What lies at the pose, or None when it is nothing of this gallery."""
        like, first = self.glance(pose, gallery, free)
        if first < 0:
            return None
        pose = self.settle(pose, gallery, first, free)
        seen = self.look(pose, gallery.scale, free)
        close = np.argsort(-like)[:CLOSE]
        close = close[like[close] > like[first] - 0.35]
        faces = gallery.fine[close]
        best = int(np.flatnonzero(close == first)[0])
        agreed = agreement(seen, faces[best], gallery.scale)
        for _ in range(2):
            weight = np.asarray(seen.weight * (agreed.seen | agreed.blank)[..., None], np.float32)
            likeness = _likeness(seen.values, faces, weight)
            if int(likeness.argmax()) == best:
                break
            best = int(likeness.argmax())
            agreed = agreement(seen, faces[best], gallery.scale)
        if agreed.area < max(LEAST_SHARE, LEAST_MM2 / (gallery.size[0] * gallery.size[1])):
            return None
        rivals = self._rivals(gallery, close, best, seen, weight)
        entry = gallery.entries[close[best]]
        turned = replace(pose, turn=(pose.turn + 90 * entry.quarters) % 360)
        return Verdict(turned, gallery, entry.face, float(likeness[best]), agreed, rivals)

    @staticmethod
    def _rivals(gallery: Gallery, close: NDArray[np.intp], best: int, seen: Look, weight: Floats) -> tuple[Rival, ...]:
        """All faces looked at closely that mean something else, the hardest to tell apart first."""
        mine = gallery.entries[close[best]]
        rivals = []
        for i, number in enumerate(close):
            entry = gallery.entries[number]
            same = gallery.meanings[entry.face] == gallery.meanings[mine.face]
            if i == best or (same and entry.quarters == mine.quarters):
                continue
            told = compared(seen.values, gallery.fine[close[best]], gallery.fine[number], weight, gallery.scale)
            rivals.append(Rival(gallery.names[entry.face], *told))
        return tuple(sorted(rivals, key=lambda r: r.evidence))


def _smaller(free: Bools | None, shape: tuple[int, int]) -> Bools | None:
    """A mask of the close look, for the glance."""
    if free is None:
        return None
    small = cv2.resize(free.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(small, bool)


def _likeness(values: Floats, faces: Floats, weight: Floats) -> Doubles:
    """Correlation of what is seen with each face (n × h × w × 3) under a weight."""
    flat = (values * weight).ravel()
    rows = faces.reshape(len(faces), -1)
    own = (rows * rows) @ weight.ravel()
    seen = float(flat @ values.ravel())
    return np.asarray(rows @ flat / np.sqrt(np.maximum(own * seen, 1e-6)), np.float64)


def agreement(seen: Look, face: Floats, scale: float) -> Agreement:
    """Where what is seen agrees with the face, neighbourhood by neighbourhood."""
    side = int(AGREE_MM * scale) | 1
    box = (side, side)
    weighted = seen.values * seen.weight
    both = cv2.blur(summed(weighted * face), box)
    there = cv2.blur(summed(weighted * seen.values), box)
    taught = cv2.blur(summed(face * face * seen.weight), box)
    most = np.maximum(there, taught)
    covered = cv2.blur(summed(seen.weight), box) < 1.0
    blank = np.asarray((most < BLANK) & ~covered)
    agrees = np.asarray((both > AGREE * most) & (most >= BLANK))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(agrees.astype(np.uint8), connectivity=4)
    if count < 2:
        return Agreement(agrees, blank, 0.0, 0.0)
    sizes: Doubles = np.asarray(stats, np.float64)[1:, cv2.CC_STAT_AREA]
    largest = np.asarray(labels == 1 + int(sizes.argmax()))
    told = np.count_nonzero(~blank & ~covered)
    return Agreement(largest, blank, float(sizes.max()) / agrees.size, float(sizes.sum()) / max(1, int(told)))


def compared(values: Floats, one: Floats, other: Floats, weight: Floats, scale: float) -> tuple[float, float, float]:
    """Which of two faces is seen: (evidence −½ … ½, its standard error, share of the difference that is visible)."""
    apart = one - other
    middle = (one + other) * 0.5
    weighted = middle * weight
    power = float(np.vdot(weighted, middle))
    level = min(1.2, max(0.3, float(np.vdot(weighted, values)) / max(power, 1e-6)))
    difference = apart * weight
    speaks = summed((values * (1 / level) - middle) * difference)
    counts = summed(apart * difference)
    total = float(cv2.sumElems(counts)[0])
    if total < 1e-6:
        return 0.0, 1.0, 0.0
    side = max(2, round(BLOCK_MM * scale))
    rows, columns = counts.shape[0] // side, counts.shape[1] // side
    size = (columns, rows)
    said = cv2.resize(speaks[: rows * side, : columns * side], size, interpolation=cv2.INTER_AREA) * side * side
    heard = cv2.resize(counts[: rows * side, : columns * side], size, interpolation=cv2.INTER_AREA) * side * side
    evidence = float(cv2.sumElems(speaks)[0]) / total
    error = float(np.linalg.norm(said - evidence * heard)) / total
    return evidence, error, total / float(np.vdot(apart, apart))
