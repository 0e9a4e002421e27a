"""A strip or a corner of a component, looked at alone and as finely as the photo shows it: what letters tell.

Every face that it may be is fitted for itself, so that none is favoured by where another one fits; then it is asked
how much worse one face explains the patch than another, where the two differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agreement import AGREE_MM, BLOCK_MM, Look, correlated
from vision.gallery import PATCH_WINDOW_MM, Entry, Gallery, evened, summed
from vision.photo import Pose
from vision.sloping import Sloping
from vision.verdict import Rival, Verdict
from vision.verify import PARTLY, Examiner

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

WHOLE: Final = 0.75  #: where more than this share of what is free agrees, all that is free is looked at
THIN_MM: Final = 2.0  #: what is free and thinner than this is not looked at
NARROW: Final = 0.22  #: where more than this share of it is free, what covers it may show its edge or its shadow
SHADE_MM: Final = 1.5  #: … within this distance, which is not looked at, either
MANY: Final = 32  #: of more faces than this only those are looked at that looked likely from afar
TWINS: Final = 0.9  #: … and those this much like the likeliest one where it is seen
FITTED: Final = 8  #: so many of the likeliest are fitted at most,
CONTENDS: Final = 0.15  #: … if they are no less alike than the likeliest by more than this,
FITTINGS: Final = 2  #: … so often, each from where it looked likeliest yet
LOOKS: Final = 3  #: what is free is looked up again where the best one fits,
MOVED_MM: Final = 0.8  #: … if that is farther off than this, or its twins have not been looked at
APART: Final = 0.08  #: blocks in which two faces differ by this share of the most they do tell them apart
SPREAD: Final = 0.2  #: how much a single block may be mistaken, whatever the others say
MISFIT: Final = 0.15  #: how much of what a face leaves unexplained there may speak for it by mistake
LEVEL: Final = (0.3, 1.2)  #: how strong the contrast may be, compared with the taught face's


class Patch:
    """The same part of several faces, finer than the whole faces are kept; without what `mask` leaves out."""

    def __init__(self, gallery: Gallery, mask: Bools, numbers: Sequence[int], scale: float) -> None:
        """`mask` (of the gallery's shape) is what of the window is looked at, `numbers` are the faces' entries."""
        left, top, columns, rows = cv2.boundingRect(mask.astype(np.uint8))
        self.size = gallery.size
        self.scale = scale
        self.window = (columns / gallery.scale, rows / gallery.scale)
        self.shape = (max(4, round(self.window[1] * scale)), max(4, round(self.window[0] * scale)))
        self.names = gallery.names
        self.light = gallery.light
        self.gallery, self.numbers = gallery, tuple(numbers)
        self.entries: tuple[Entry, ...] = tuple(gallery.entries[number] for number in numbers)
        self._shift = (
            (left + columns / 2) / gallery.scale - gallery.window[0] / 2,
            (top + rows / 2) / gallery.scale - gallery.window[1] / 2,
        )
        inside = mask[top : top + rows, left : left + columns].astype(np.uint8)
        self.mask: Bools = np.asarray(cv2.resize(inside, self.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)
        place = Pose(self.window, *self._shift, 0.0)
        parts = [gallery.part(entry.face, entry.quarters, place, self.shape) for entry in self.entries]
        # what lies hidden beside the patch must not shine into it: evened out as the photo is
        self._plain = [evened(part, scale, self.mask, PATCH_WINDOW_MM) for part in parts]
        self.faces: Floats = np.stack(self._plain)
        if gallery.light is not None:
            lit = (gallery.lit(part, entry.face) for part, entry in zip(parts, self.entries, strict=True))
            self.faces = np.stack([evened(part, scale, self.mask, PATCH_WINDOW_MM) for part in lit])

    def pose(self, whole: Pose) -> Pose:
        """Where the patch lies when the whole component lies there."""
        return whole.moved(*(step * whole.stretch for step in self._shift)).resized(self.window)

    def whole(self, patch: Pose) -> Pose:
        """Where the whole component lies when its patch lies there."""
        return patch.moved(*(-step * patch.stretch for step in self._shift)).resized(self.gallery.size)

    def differ(self, one: int, other: int) -> bool:
        return self.gallery.differ(self.numbers[one], self.numbers[other])

    def printed(self, one: int, other: int) -> Floats:
        return self._plain[one] - self._plain[other]

    def fine(self, entry: int) -> Floats:
        return np.asarray(self.faces[entry], np.float32)

    def sloping(self, entry: int) -> Sloping:
        return Sloping.of(summed(self.fine(entry)), self.scale, self.window)


class PatchExaminer(Examiner):
    """Looks at a patch of a component through the photo itself, and only at what `mask` (h × w) shows of it."""

    window = PATCH_WINDOW_MM

    def __init__(self, whole: Examiner, mask: Bools) -> None:
        super().__init__(whole.view, whole.photo, whole.taken, looks_for_glare=False)
        self.usual = whole.usual
        self._mask = mask
        self._masks: dict[int, Bools] = {}  # by the margin around

    def _cut(self, pose: Pose, shape: tuple[int, int], margin: int) -> NDArray[np.uint8]:
        rows, columns = shape
        grown = (pose.size[0] * (1 + 2 * margin / columns), pose.size[1] * (1 + 2 * margin / rows))
        return self.photo.cut_to(pose.resized(grown), (rows + 2 * margin, columns + 2 * margin))

    def _free(self, pose: Pose, shape: tuple[int, int], margin: int) -> Bools | None:
        if margin not in self._masks:
            self._masks[margin] = np.pad(self._mask, margin)
        return self._masks[margin]

    def _tells_nothing(self, picture: NDArray[np.uint8]) -> Bools | None:
        return None  # a name on white is mostly white, and burnt around its letters


@dataclass(frozen=True, slots=True)
class _Fit:
    """A face where it fits best: the pose, what is seen there, how like it, the square of what is not (per pixel)."""

    pose: Pose
    seen: Look
    like: float
    unlike: Floats


def closer(examiner: Examiner, verdict: Verdict) -> Verdict:
    """The verdict once the patch that is seen was looked at alone; as it was when most of the component is seen."""
    gallery, view = verdict.gallery, verdict.view
    if view.agreed.area > PARTLY:
        return verdict
    numbers: Sequence[int] = _alike(examiner, verdict)
    pose = view.pose
    for _ in range(LOOKS):
        shown = _shown(examiner, verdict, pose)
        if not shown.any():
            return verdict
        patch = Patch(gallery, shown, numbers, examiner.photo.finest)
        fits = _fitted(PatchExaminer(examiner, patch.mask), patch, pose)
        order = np.argsort([-fit.like for fit in fits])
        best = int(order[0])
        before, pose = pose, patch.whole(fits[best].pose)
        more = _twins(examiner, verdict, patch.numbers[best], numbers)
        numbers = [*numbers, *more]
        if not more and np.hypot(pose.x - before.x, pose.y - before.y) < MOVED_MM:
            break
    rivals = [(_rival(patch, fits, best, int(n)), patch.numbers[n]) for n in order if patch.differ(best, int(n))]
    rivals.sort(key=lambda r: r[0].surely)
    told = replace(view, pose=pose, entry=patch.numbers[best], likeness=fits[best].like, held=None)
    return examiner.judged(gallery, told, verdict.close, rivals)


def _alike(examiner: Examiner, verdict: Verdict) -> Sequence[int]:
    """The entries that a component may be, by what is seen of it: all of them, or those most alike from afar."""
    gallery, view = verdict.gallery, verdict.view
    if len(gallery.entries) <= MANY:
        return range(len(gallery.entries))
    look, weight = _from_afar(examiner, verdict)
    like = gallery.likeness(look.values * weight, weight)
    chosen = dict.fromkeys([view.entry, *(int(number) for number in verdict.close)])
    return list(dict.fromkeys([*chosen, *(int(number) for number in np.argsort(-like)[:MANY])]))[:MANY]


def _twins(examiner: Examiner, verdict: Verdict, one: int, known: Sequence[int]) -> list[int]:
    """Entries not yet known that look much like this one where the component is seen, the likest first."""
    gallery = verdict.gallery
    if len(known) == len(gallery.entries):
        return []
    _, weight = _from_afar(examiner, verdict)
    like = gallery.likeness(gallery.coarsely(one) * weight, weight)
    return [int(n) for n in np.argsort(-like)[:MANY] if like[n] > TWINS and int(n) not in set(known)]


def _from_afar(examiner: Examiner, verdict: Verdict) -> tuple[Look, Floats]:
    """The first look at a component, and what of it (h × w × 3) is seen."""
    gallery = verdict.gallery
    look = examiner.look(verdict.window, gallery.coarse_shape, gallery.coarse_scale)
    seen = cv2.resize(verdict.view.weight, gallery.coarse_shape[::-1], interpolation=cv2.INTER_AREA)
    return look, np.asarray(look.weight * (seen > 0.5), np.float32)


def within(examiner: Examiner, verdict: Verdict, where: Bools) -> float:
    """How like its face a component is in one part of it (`where`, of the gallery's shape), whoever took it."""
    patch = Patch(verdict.gallery, where, [verdict.view.entry], examiner.photo.finest)
    look = PatchExaminer(examiner, patch.mask).look(patch.pose(verdict.view.pose), patch.shape, patch.scale)
    return float(correlated(look.values, patch.faces, look.weight)[0])


def _shown(examiner: Examiner, verdict: Verdict, pose: Pose) -> Bools:
    """What of the window is seen: all that is free of it, or, where something strange lies on it, what agrees."""
    gallery, agreed = verdict.gallery, verdict.view.agreed
    free = examiner.taken.free(pose.resized(gallery.window), gallery.shape)
    if free is None or agreed.share < WHOLE:
        # letters that other faces do not have must not be left out
        shown = _morphed(agreed.seen, cv2.MORPH_CLOSE, int(AGREE_MM * gallery.scale) | 1)
        return shown if free is None else np.asarray(shown & free)
    thick = _morphed(free, cv2.MORPH_OPEN, int(THIN_MM * gallery.scale) | 1)
    dark = examiner.taken.rim_mm + (SHADE_MM if verdict.free > NARROW else 0.0)
    return _morphed(thick, cv2.MORPH_ERODE, 2 * round(dark * gallery.scale) + 1)


def _morphed(mask: Bools, how: int, side: int) -> Bools:
    kernel = np.ones((side, side), np.uint8)
    border = 1 if how == cv2.MORPH_ERODE else 0
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), how, kernel, borderValue=border) > 0)


def _fitted(examiner: PatchExaminer, patch: Patch, whole: Pose) -> list[_Fit]:
    """Every face where it looks likeliest; the likeliest of them are fitted."""
    poses = [patch.pose(whole)]
    looks = [examiner.look(poses[0], patch.shape, patch.scale)]
    alike = [correlated(looks[0].values, patch.faces, looks[0].weight)]
    for _ in range(FITTINGS):
        where, like = np.argmax(alike, axis=0), np.max(alike, axis=0)
        for entry in (e for e in np.argsort(-like)[:FITTED] if like[e] > like.max() - CONTENDS):
            pose = examiner.settle(poses[int(where[entry])], patch, (int(entry),))
            poses.append(pose.resized(patch.window))
            looks.append(examiner.look(poses[-1], patch.shape, patch.scale))
            alike.append(correlated(looks[-1].values, patch.faces, looks[-1].weight))
    where, like = np.argmax(alike, axis=0), np.max(alike, axis=0)
    return [
        _Fit(poses[int(i)], looks[int(i)], float(like[n]), _unlike(looks[int(i)], patch.fine(n)))
        for n, i in enumerate(where)
    ]


def _unlike(seen: Look, face: Floats) -> Floats:
    """The square of what is seen and not in the face, at the face's contrast: h × w."""
    weighted = face * seen.weight
    level = float(np.vdot(weighted, seen.values)) / max(1e-6, float(np.vdot(weighted, face)))
    return summed(np.square(seen.values / np.float32(np.clip(level, *LEVEL)) - face) * seen.weight)


def _rival(patch: Patch, fits: Sequence[_Fit], one: int, other: int) -> Rival:
    """How clearly it is the one face that is seen and not the other, each where it fits best."""
    face = patch.fine(one) - patch.fine(other)
    weight = np.minimum(fits[one].seen.weight, fits[other].seen.weight)
    apart = summed(np.square(face) * weight)
    said = _blocks(np.asarray(fits[other].unlike - fits[one].unlike, np.float32) / 2, patch.scale)
    heard = _blocks(apart, patch.scale)
    tells = heard > APART * heard.max()
    total = float(heard[tells].sum())
    name = patch.names[patch.entries[other].face]
    if total < 1e-6:
        return Rival(name, 0.0, 1.0, 0.0, -0.5)
    evidence = float(said[tells].sum()) / total
    scatter = float(np.linalg.norm(said[tells] - evidence * heard[tells])) / total
    single = SPREAD * float(np.linalg.norm(heard[tells])) / total
    misfit = MISFIT * float(_blocks(fits[one].unlike, patch.scale)[tells].sum()) / total
    error = float(np.linalg.norm((scatter, single, misfit)))
    share = float(apart.sum()) / max(1e-6, float(np.vdot(face, face)))
    left = 1.0
    if patch.light is not None:
        left = float(apart.sum()) / max(1e-6, float(np.vdot(np.square(patch.printed(one, other)), weight)))
    return Rival(name, evidence, error, share, evidence - 2 * error, left)


def _blocks(values: NDArray[np.floating], scale: float) -> Floats:
    """Means over blocks of `BLOCK_MM`."""
    side = BLOCK_MM * scale
    size = (max(1, round(values.shape[1] / side)), max(1, round(values.shape[0] / side)))
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)
