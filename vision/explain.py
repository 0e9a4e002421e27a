"""Patches of one colour explained by as few solids as will do, seen from where the camera is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene import SCALE, Scene
from vision.solids import Solid

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]

TURN: Final = 15.0  #: degrees between the turns that are tried
MOST: Final = 12.0  #: a patch this many times as large as the largest piece is none of ours (an arm, a phone)
LEAST: Final = 0.3  #: a patch this much smaller than the smallest piece is not looked at
TOLL: Final = 0.35  #: what another piece costs, in areas of the smallest
MANY: Final = 8  #: pieces in one patch
GROWTH: Final = (-0.4, 0.0, 0.4, 0.8)  #: mm by which a photo's blur may make pieces look larger
SAMPLES: Final = 10  #: patches by which the growth is told
COARSE: Final = 2  #: places are first tried on a view this many times smaller
MAYBE: Final = np.float32(-0.1)  #: what a pixel counts where the ground and a piece would look the same
STOOD: Final = np.float32(-0.5)  #: … and where another piece's foot is: no two stand in each other
GRAIN: Final = 0.025  #: a coarse pixel counts so much or a multiple: a quarter of what a pixel does
UNLIKE: Final = 0.3  #: share of a piece's pixels that a wrong colour costs
ROUNDS: Final = 4  #: how often pieces of one patch are moved for each other's sake
EXCHANGES: Final = 4  #: … and how often one of them gives way to others,
CLOSE: Final = 0.12  #: … if another kind there explains almost as much (share of its pixels)
ODD: Final = 0.1  #: … and not all is as it should be
FINE_BITS: Final = 4  #: a pixel is drawn in so many binary digits:
FINE: Final = 1 << FINE_BITS  #: … so many parts
STEPS: Final = (1.0, 0.5)  #: pixels by which a place is then made exact


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of piece: what it is called, the number of its colour among all that were taught, and its solid."""

    name: str
    colour: int
    solid: Solid

    @property
    def turns(self) -> list[float]:
        """The turns (degrees) to try it in."""
        period = self.solid.turns
        return [float(t) for t in np.arange(0, period, TURN)] if period else [0.0]


@dataclass(frozen=True, slots=True)
class Guess:
    """A piece that may stand at `place` (pixels of a patch), and what speaks for it."""

    model: Model
    place: Floats
    turn: float
    gain: float  # pixels explained less pixels contradicted
    drawn: Image  # 255 where it would be seen


@dataclass(frozen=True, slots=True)
class Explained:
    """A piece that explains a patch: shares of its outline's pixels that are `seen` and that speak `against` it.

    `margin` is how much better it explains them than `rival`, the next best kind of piece, per pixel; `left` is what
    of the patch around it nothing explains, per pixel of its own, and `rest` the most that is left around any piece
    of its patch. A block has no `against` and `left`; its `seen` tells how well its edges fit (0.6 is enough), its
    `rest` is all that is left of its patch, per pixel of the largest block. Where it is `printed` the ground's print
    looks much the same. A block has a `turn`, in degrees.
    """

    model: Model
    place: Floats  # mm
    seen: float
    against: float
    margin: float
    rival: str
    left: float
    rest: float = 0.0
    printed: bool = False
    turn: float = 0.0


Unlike = Callable[[Model, Image], float]
Told = tuple[Explained, Guess | None]  #: how well a piece explains its part, and the best of those it might be instead


class Patch:
    """A connected patch of one paint and its surroundings: `worth` is 1 on it, −1 on bare ground, 0 where unknown.

    It is MAYBE where ground and piece would look the same.
    """

    def __init__(self, worth: Single, corner: tuple[int, int], scene: Scene) -> None:
        self.worth = worth
        self.corner = np.array(corner, np.float64)
        self.scene = scene
        self.size = (worth.shape[0], worth.shape[1])
        self.middle = (self.corner + np.array(worth.shape[::-1]) / 2) / SCALE + scene.origin  # mm
        self._shapes: dict[tuple[int, int, int], list[Ints]] = {}
        self._stamps: dict[tuple[int, int, float, float], tuple[Floats, int, int]] = {}
        self._kernels: dict[tuple[int, int], tuple[Single, tuple[int, int]]] = {}
        self.small = _coarse(worth)
        self.shapes: dict[tuple[int, int], Any] = {}  # room for what others work out for this patch

    def without(self, drawn: Image) -> Patch:
        """What is left of this patch where nothing is drawn; solids look the same in it."""
        rest = copy(self)
        rest.worth = np.where(drawn > 0, 0, self.worth).astype(np.float32)
        rest.small = _coarse(rest.worth)
        return rest

    def mm(self, place: Floats) -> Floats:
        """The table place of a pixel."""
        return np.asarray((place + 0.5 + self.corner) / SCALE + self.scene.origin)

    def drawn(self, solid: Solid, place: Floats, turn: float) -> Image:
        """The solid standing at `place` (pixels) as it would be seen in this patch."""
        image = np.zeros(self.size, np.uint8)
        at = np.rint(place * FINE).astype(np.int32)
        for shape in self._shape(solid, turn, FINE):
            cv2.fillPoly(image, [shape + at], 255, shift=FINE_BITS)
        return image

    def _shape(self, solid: Solid, turn: float, fine: int) -> list[Ints]:
        """Its outlines (so many parts a pixel) around its place; within a patch they are the same everywhere."""
        key = (id(solid), round(turn), fine)
        if key not in self._shapes:
            parts = solid.parts(self.middle, turn, self.scene.eye)
            self._shapes[key] = [np.rint((p - self.middle) * (SCALE * fine)).astype(np.int32) for p in parts]
        return self._shapes[key]

    @staticmethod
    def gain(drawn: Image, worth: Single | Floats) -> float:
        """Pixels that a drawn piece explains less those that contradict it."""
        return float(cv2.mean(worth, drawn)[0]) * cv2.countNonZero(drawn)

    def peak(self, solid: Solid, turn: float) -> Floats:
        """The place (pixels) where the solid in this turn explains most."""
        _, best = _peak(self.small, *self._kernel(solid, turn))
        return (np.array(best, np.float64) + 0.5) * COARSE - 0.5

    def candidates(self, models: Sequence[Model], worth: Single) -> list[Guess]:
        """The best place and turn of every model, the best of all first."""
        small = _coarse(worth)
        guesses = []
        for model in models:
            best: tuple[float, float, tuple[int, int]] = (-1e9, 0.0, (0, 0))
            for turn in model.turns:
                value, at = _peak(small, *self._kernel(model.solid, turn), best[0])
                best = max(best, (value, turn, at))
            place = (np.array(best[2], np.float64) + 0.5) * COARSE - 0.5
            drawn = self.drawn(model.solid, place, best[1])
            guesses.append(Guess(model, place, best[1], best[0] * COARSE**2, drawn))
        return sorted(guesses, key=lambda g: -g.gain)

    def _kernel(self, solid: Solid, turn: float) -> tuple[Single, tuple[int, int]]:
        """The solid on the coarse grid, and which pixel of it is its place."""
        key = (id(solid), round(turn))
        if key not in self._kernels:
            self._kernels[key] = self._coarsely(solid, turn)
        return self._kernels[key]

    def _coarsely(self, solid: Solid, turn: float) -> tuple[Single, tuple[int, int]]:
        shapes = self._shape(solid, turn, FINE // COARSE)  # in FINE parts of a coarse pixel
        drawn, left, top = _drawn(shapes)
        return drawn, (-left, -top)

    def settled(self, guess: Guess, worth: Single) -> Guess:
        """The guess moved and turned a little to where it explains most."""
        solid, place, turn = guess.model.solid, guess.place, guess.turn
        exactly = worth.astype(np.float64)
        best = self._worth(solid, place, turn, exactly)
        known: set[tuple[float, float, float]] = set()  # poses that are no better, however they are come by
        for step in STEPS:
            moves = [np.array(m) * step for m in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            turns = (8.0 * step, -8.0 * step) if solid.turns else ()
            better = True
            while better:
                better = False
                for tried in [(place + m, turn) for m in moves] + [(place, turn + t) for t in turns]:
                    pose = (*tried[0].tolist(), tried[1])
                    if pose in known:
                        continue
                    known.add(pose)
                    value = self._worth(solid, *tried, exactly)
                    if value > best + 0.5:
                        (place, turn), best, better = tried, value, True
        return Guess(guess.model, place, turn, best, self.drawn(solid, place, turn))

    def _worth(self, solid: Solid, place: Floats, turn: float, worth: Floats) -> float:
        """What a solid explains less what contradicts it, at a place between so many halves of pixels."""
        x, y = place.tolist()
        stamp, left, top = self._stamp(solid, turn, x % 1, y % 1)
        left, top = left + math.floor(x), top + math.floor(y)
        right, bottom = left + stamp.shape[1], top + stamp.shape[0]
        if left < 0 or top < 0 or right > worth.shape[1] or bottom > worth.shape[0]:
            return self.gain(self.drawn(solid, place, turn), worth)
        area = cv2.countNonZero(stamp)
        # as `gain` rounds it: many are equal
        return float(np.vdot(worth[top:bottom, left:right], stamp)) * (1 / area) * area

    def _stamp(self, solid: Solid, turn: float, x: float, y: float) -> tuple[Floats, int, int]:
        """The solid drawn alone (1), its place at these parts of a pixel, and the first column and row of that."""
        key = (id(solid), round(turn), x, y)
        if key not in self._stamps:
            at = np.array([x * FINE, y * FINE], np.int32)
            drawn, left, top = _drawn([shape + at for shape in self._shape(solid, turn, FINE)])
            self._stamps[key] = drawn.astype(np.float64), left, top
        return self._stamps[key]


def _drawn(shapes: Sequence[Ints]) -> tuple[Single, int, int]:
    """Outlines (FINE parts of pixels) drawn 1 on a picture that holds them, and its first column and row."""
    x, y, width, height = cv2.boundingRect(np.concatenate(shapes))
    left, top = x // FINE, y // FINE
    drawn = np.zeros(((y + height) // FINE + 2 - top, (x + width) // FINE + 2 - left), np.float32)
    for shape in shapes:
        cv2.fillPoly(drawn, [shape - np.array([left * FINE, top * FINE], np.int32)], 1, shift=FINE_BITS)
    return drawn, left, top


def _coarse(worth: Single) -> Single:
    small = cv2.resize(worth, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _peak(small: Single, kernel: Single, anchor: tuple[int, int], least: float = -1e9) -> tuple[float, tuple[int, int]]:
    """How much of a coarse view a drawn solid explains at most, and where: of places that are as good the first.

    Where it explains less than the `least` that is sought, any place will do.
    """
    (x, y), (rows, columns) = anchor, kernel.shape
    around = cv2.copyMakeBorder(small, y, rows - 1 - y, x, columns - 1 - x, cv2.BORDER_CONSTANT)
    score = cv2.matchTemplate(around, kernel, cv2.TM_CCORR)
    best = round(cv2.minMaxLoc(score)[1] / GRAIN)
    if best * GRAIN < least:
        return best * GRAIN, (0, 0)
    first = int((score > (best - 0.5) * GRAIN).argmax())
    return best * GRAIN, (first % score.shape[1], first // score.shape[1])


class Explainer:
    """Explains the patches of one paint.

    `mine` are the pixels of that paint, `bare` those where the ground is seen and could be told from it, `same` those
    where it could not but all is as the bare ground should be, `stood` those where something else stands. `unlike`
    says how little (0 to 1) the colours of pixels (n × 3, BGR) suit a model; it is asked only where models of several
    colours compete.
    """

    def __init__(
        self,
        scene: Scene,
        models: Sequence[Model],
        mine: Mask,
        bare: Mask,
        same: Mask,
        stood: Mask,
        unlike: Unlike | None = None,
    ) -> None:
        self.scene = scene
        self.unlike = unlike
        self.models = list(models)
        # where two colours meet, the camera sees a thin line of a third
        opened = cv2.morphologyEx(mine.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        self.mine = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        self.bare = bare & (self.mine == 0)
        self.same = same
        self.stood = stood
        self.areas = [float(cv2.contourArea(m.solid.outline(0).astype(np.float32))) * SCALE**2 for m in models]
        self.reach = int(max(m.solid.length + 0.15 * m.solid.height for m in models) * SCALE) + 3

    def pieces(self) -> Iterator[tuple[Patch, list[Guess]]]:
        """Every patch with the pieces that explain it best."""
        patches = list(self.patches())
        known = self._grown(patches)
        for patch in patches:
            yield patch, self._chosen(patch, known.get(patch) or patch.candidates(self.models, patch.worth))

    def explained(self) -> list[Explained]:
        """Every piece that explains a patch, with how well it does."""
        return [e for patch, chosen in self.pieces() for e in self._exchanged(patch, chosen)]

    def _exchanged(self, patch: Patch, chosen: list[Guess]) -> list[Explained]:
        """The chosen pieces with how well they explain a patch, some after they gave way to others that do better."""
        told = self._told(patch, chosen)
        for _ in range(EXCHANGES):
            better = self._better(patch, chosen, told)
            if better is None:
                break
            chosen, told = better, self._told(patch, better)
        rest = max((e.left for e, _ in told), default=0.0)
        return [replace(e, rest=rest) for e, _ in told]

    def _told(self, patch: Patch, chosen: Sequence[Guess]) -> list[Told]:
        """How well each of the chosen pieces explains a patch, and what it might be instead."""
        return [self._judged(patch, guess, chosen) for guess in chosen]

    def _better(self, patch: Patch, chosen: list[Guess], told: Sequence[Told]) -> list[Guess] | None:
        """The same pieces, but for one that hardly does better than another kind, if that leads to a better whole."""
        for i in sorted(range(len(told)), key=lambda i: told[i][0].margin):
            explained, rival = told[i]
            if rival is None or explained.margin > CLOSE or explained.against + explained.left < ODD:
                continue
            others = self._together(patch, self._filled(patch, [*chosen[:i], *chosen[i + 1 :], rival]))
            if self._cost(others) < self._cost(chosen) - 0.5:
                return others
        return None

    def patches(self) -> Iterator[Patch]:
        """The connected patches of the paint that are neither too small nor too large."""
        rows, columns = self.mine.shape
        labels = np.zeros(self.mine.shape, np.int32)
        x, y, width, height = cv2.boundingRect(self.mine)
        if not width:
            return
        first = np.array([x, y]) // 2 * 2  # (even, as patches are numbered two rows and columns at a time)
        there = slice(first[1], y + height), slice(first[0], x + width)
        _, _, stats, _ = cv2.connectedComponentsWithStats(self.mine[there], labels[there])
        for i, (x, y, width, height, area) in enumerate(stats + np.array([*first, 0, 0, 0])):
            if i == 0 or not LEAST * min(self.areas) < area < MOST * max(self.areas):
                continue
            left, top = max(0, x - self.reach), max(0, y - self.reach)
            right, bottom = min(columns, x + width + self.reach), min(rows, y + height + self.reach)
            box = slice(top, bottom), slice(left, right)
            signs = [self.stood[box], labels[box] == i, self.bare[box], self.same[box]]
            worth = np.select(signs, [STOOD, 1.0, -1.0, MAYBE], 0.0)
            yield Patch(worth.astype(np.float32), (left, top), self.scene)

    def _grown(self, patches: Sequence[Patch]) -> dict[Patch, list[Guess]]:
        """The candidates of the patches that tell how much larger or smaller this photo's blur makes all pieces look.

        The models are made so.
        """
        areas = {p: float(np.count_nonzero(p.worth > 0)) for p in patches}
        usual = [p for p in patches if areas[p] < 2 * max(self.areas)][:SAMPLES]
        if not usual:
            return {}
        most = {p: float(np.maximum(p.small, 0).sum()) * COARSE**2 + 1 for p in usual}  # more than any piece explains
        grown = {by: [replace(m, solid=m.solid.grown(by)) for m in self.models] for by in GROWTH}
        known: dict[float, dict[Patch, list[Guess]]] = {by: {} for by in GROWTH}

        def unexplained(by: float) -> float:
            """The least pixels that are left, as far as candidates are known."""
            return sum(areas[p] - (known[by][p][0].gain if p in known[by] else most[p]) for p in usual)

        while True:
            by = min(GROWTH, key=lambda by: (unexplained(by), abs(by)))
            patch = next((p for p in usual if p not in known[by]), None)
            if patch is None:
                self.models = grown[by]
                return known[by]
            known[by][patch] = patch.candidates(grown[by], patch.worth)

    def _chosen(self, patch: Patch, candidates: Sequence[Guess]) -> list[Guess]:
        """The set of guesses that explains the patch best, begun with one of its candidates, the best first."""
        best: tuple[float, list[Guess]] = (0.0, [])
        for first in candidates[:4]:
            guess = self._weighed(patch, patch.settled(first, patch.worth))
            if guess.gain > TOLL * min(self.areas):
                chosen = self._together(patch, self._filled(patch, [guess]))
                best = min(best, (self._cost(chosen), chosen), key=lambda b: b[0])
        return best[1]

    def _filled(self, patch: Patch, chosen: list[Guess]) -> list[Guess]:
        """The guesses, and those that explain what they leave of the patch, the best first."""
        smallest = min(self.areas)
        filled = list(chosen)
        while len(filled) < MANY:
            left = _without(patch.worth, filled)
            if (left > 0).sum() <= LEAST * smallest:
                break
            guess = self._weighed(patch, patch.settled(patch.candidates(self.models, left)[0], left))
            if guess.gain <= TOLL * smallest:
                break
            filled.append(guess)
        return filled

    def _cost(self, chosen: Sequence[Guess]) -> float:
        """What pieces cost less what they explain (pixels)."""
        return sum(TOLL * min(self.areas) - guess.gain for guess in chosen)

    def _together(self, patch: Patch, chosen: list[Guess]) -> list[Guess]:
        """The guesses, each moved to where it explains most of what the others leave: the first were chosen alone.

        One that then explains less than it costs is given up.
        """
        while len(chosen) > 1:
            chosen = self._eased(patch, chosen)
            own = [self._weighed(patch, replace(g, gain=patch.gain(g.drawn, left))) for g, left in _each(patch, chosen)]
            least = min(range(len(own)), key=lambda i: own[i].gain)
            if own[least].gain > TOLL * min(self.areas):
                break
            del chosen[least]
        # what two of them share counts once
        told: list[Guess] = []
        for guess in chosen:
            gain = patch.gain(guess.drawn, _without(patch.worth, told))
            told.append(self._weighed(patch, replace(guess, gain=gain)))
        return told

    @staticmethod
    def _eased(patch: Patch, chosen: list[Guess]) -> list[Guess]:
        """The guesses, moved and turned a little for each other's sake."""
        eased = list(chosen)
        for _ in range(ROUNDS):
            before = [(g.place, g.turn) for g in eased]
            for i, guess in enumerate(eased):
                left = _without(patch.worth, eased[:i] + eased[i + 1 :])
                eased[i] = patch.settled(replace(guess, gain=patch.gain(guess.drawn, left)), left)
            if all(g.turn == turn and (g.place == place).all() for g, (place, turn) in zip(eased, before, strict=True)):
                break
        return eased

    def _weighed(self, patch: Patch, guess: Guess) -> Guess:
        """The guess with what its colour says against it."""
        if self.unlike is None:
            return guess
        x, y = patch.corner.astype(int)
        box = self.scene.seen[y : y + patch.size[0], x : x + patch.size[1]]
        seen = box[(guess.drawn > 0) & (patch.worth > 0)]
        if not len(seen):
            return guess
        loss = UNLIKE * self.unlike(guess.model, seen) * cv2.countNonZero(guess.drawn)
        return replace(guess, gain=guess.gain - loss)

    def _judged(self, patch: Patch, guess: Guess, chosen: Sequence[Guess]) -> Told:
        """How well a chosen guess explains its part of the patch, and the best of the pieces it might be instead."""
        worth = _without(patch.worth, [other for other in chosen if other is not guess])
        area = cv2.countNonZero(guess.drawn)
        own = self._weighed(patch, replace(guess, gain=patch.gain(guess.drawn, worth))).gain
        rivals = [m for m in self.models if m.name != guess.model.name]
        near = cv2.dilate(guess.drawn, np.ones((7, 7), np.uint8))
        focus = np.where(near > 0, worth, np.minimum(worth, 0)).astype(np.float32)
        others = patch.candidates(rivals, focus)[:2] if rivals else []
        others = [self._weighed(patch, patch.settled(g, focus)) for g in others]
        rival = max(others, key=lambda g: g.gain, default=None)
        inside = worth[guess.drawn > 0]
        inside = np.where(inside == STOOD, 0, inside)[inside != MAYBE]
        left = float(((near > 0) & (guess.drawn == 0) & (worth > 0)).sum())
        explained = Explained(
            guess.model,
            patch.mm(guess.place),
            float((inside > 0).mean()) if len(inside) else 0.0,
            float((inside < 0).mean()) if len(inside) else 0.0,
            (own - rival.gain) / area if rival else 1.0,
            rival.model.name if rival else "",
            left / area,
        )
        return explained, rival


def _without(worth: Single, guesses: Sequence[Guess]) -> Single:
    """A patch's worth to others than these pieces: nothing where one of them is seen, less where one stands."""
    left = worth.copy()
    for guess in guesses:
        left[guess.drawn > 0] = 0
    for guess in guesses:
        if guess.model.solid.head:
            foot = np.rint((guess.model.solid.outline(guess.turn) * SCALE + guess.place) * 16).astype(np.int32)
            cv2.fillPoly(left, [foot], float(STOOD), shift=4)
    return left


def _each(patch: Patch, guesses: Sequence[Guess]) -> Iterator[tuple[Guess, Single]]:
    """Each guess with what the others leave of a patch's worth."""
    for i, guess in enumerate(guesses):
        yield guess, _without(patch.worth, [*guesses[:i], *guesses[i + 1 :]])
