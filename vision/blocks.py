"""Blocks with a flat top: which of several sizes stands where, by the straight edges of its upper face.

A block's colour may be that of the ground it stands on; its edges are what gives it away. Those of its top must be
in the photo and must not be in the ground's print; within the top there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import facets
from vision.edges import CLEAR, Edges, RowSums, Shared, moved, pixels
from vision.explain import Explained, Model, Patch
from vision.scene import SCALE, Scene
from vision.solids import Solid
from vision.upright import Upright

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Ints = NDArray[np.intp]

TURN: Final = 15.0  #: degrees between the turns that are tried
AROUND: Final = 6  #: pixels around the place the colours point to,
STEP: Final = 2  #: … and pixels between the places tried there,
GRID: Final = np.arange(-AROUND, AROUND + 1, STEP)  #: … across and down
HERE: Final = np.zeros(1, np.intp)  #: no such move
STARTS: Final = 5  #: of the best of them are made exact
INSIDE: Final = 1.0  #: what edges inside a plain face count against its own
GONE: Final = 0.3  #: an edge of its top less plain than this is none at all,
LACKING: Final = 0.5  #: … and what that counts against it
SIDES: Final = 0.3  #: what the edges of the sides count
COLOUR: Final = 0.6  #: what the pixels of its colour count
PRINTED: Final = 0.6  #: a correlation with the ground's print that says that the print itself is seen
LEAST: Final = 0.7  #: the score of a block that is there
FAINT: Final = 0.25  #: below that, nothing is said
HOPELESS: Final = 0.5  #: a start so much worse than the best of all comes to nothing
ENOUGH: Final = 0.6  #: what a block of that score is said to be `seen`
PLAIN_SIZE: Final = 0.25  #: by how much better edges must suit a block's size than the next best, or edges and faces,
LEFT: Final = 8.0  #: … which may leave this much (Lab units) unexplained, at most
BARELY: Final = 0.6  #: a block's score below which nothing is said of its size
MANY: Final = 5  #: blocks in one patch
GROWTH: Final = (-0.3, 0.0, 0.3)  #: mm by which a block may look larger all around than those that were taught
ALONG: Final = 0.6  #: by so much of the print's own edges along all of its top must a block beat another size
BEYOND: Final = 80  #: pixels around patches in which blocks that stand there may be seen
MARGIN: Final = 4  #: pixels around points on which their edges depend
REST: Final = 0.5  #: of the smallest block's upper face: the least that is left of a patch for another one

Tried = tuple[float, float, float, int]  #: x, y (pixels), turn (degrees), and which of all models' sizes


@dataclass(frozen=True, slots=True)
class Posed:
    """A block in a patch: its place (pixels) and turn, the solid as large as it looks there, and how well it fits.

    `weakest` is how much (0 to 1) is seen of that edge of its top of which least is seen.
    """

    score: float
    weakest: float
    model: Model
    solid: Solid
    place: Floats
    turn: float


class BlockFinder:
    """Finds blocks among patches of their colour."""

    def __init__(self, scene: Scene, models: Sequence[Model]) -> None:
        self.scene = scene
        self.models = models
        self.sizes = [m.solid.grown(by) for m in models for by in GROWTH]

    def explained(self, patches: Sequence[Patch]) -> list[Explained]:
        """The blocks that patches may be; of those that lie in each other only the best."""
        if not patches:
            return []
        self._look(patches)
        found = [e for patch in patches for e in self._blocks(patch)]
        kept: list[Explained] = []
        for e in sorted(found, key=lambda e: -e.seen):
            if all(np.hypot(*(e.place - k.place)) > k.model.solid.width + e.model.solid.width for k in kept):
                kept.append(e)
        return kept

    def _look(self, patches: Sequence[Patch]) -> None:
        """See what edges there are around patches, in the part of the picture that begins at the `corner`."""
        # (even, as places between two pixels are rounded to the even one)
        self.corner = np.maximum(np.min([patch.corner for patch in patches], axis=0) - BEYOND, 0) // 2 * 2
        (left, top), ends = self.corner.astype(int), np.array([patch.corner + patch.size[::-1] for patch in patches])
        right, bottom = ends.max(axis=0).astype(int) + BEYOND
        box = slice(top, bottom), slice(left, right)
        change = self.scene.seen[box].astype(np.int16) - self.scene.ground[box] + 128
        x, y = self.scene.edges.x[box], self.scene.edges.y[box]
        self.edges = Shared(Edges(x, y), Edges.of(np.clip(change, 0, 255).astype(np.uint8)))
        self.strength = RowSums(np.minimum(np.hypot(x, y) / CLEAR, 1).astype(np.float32))

    def _blocks(self, patch: Patch) -> list[Explained]:
        """The best block in a patch, then the best in what that leaves of it, and so on."""
        smallest = min(4 * m.solid.length * m.solid.width for m in self.models) * SCALE**2
        blocks: list[Explained] = []
        largest = 1
        while len(blocks) < MANY and (patch.worth > 0).sum() >= REST * smallest:
            found = self._best(patch)
            if found is None:
                break
            block, drawn = found
            blocks.append(block)
            largest = max(largest, cv2.countNonZero(drawn))
            rest = patch.without(drawn)
            if np.array_equal(rest.worth, patch.worth):  # the same one would be found again
                break
            patch = rest
        left = float((patch.worth > 0).sum()) / largest
        return [replace(block, rest=left) for block in blocks]

    def _best(self, patch: Patch) -> tuple[Explained, Image] | None:
        """The best block in a patch, and where it is seen (255)."""
        if self._printed(patch, np.where(patch.worth > 0, 255, 0).astype(np.uint8)):
            return None
        starts = [self._starts(patch, number) for number in range(len(self.models))]
        least = max(tried[0][0] for tried in starts) - HOPELESS
        hopeful = [[start for start in tried[:STARTS] if start[0] >= least] or tried[:1] for tried in starts]
        posed = [self._posed(patch, *climb) for climb in self._settled(patch, list(chain.from_iterable(hopeful)))]
        best, *others = sorted(posed, key=lambda p: -p.score)
        drawn = patch.drawn(best.solid, best.place, best.turn)
        printed = self._printed(patch, drawn)
        if best.score < (LEAST if printed else FAINT):
            return None
        margin = best.score - others[0].score if others else 1.0
        if others and best.weakest < GONE:  # where an edge of its top is not seen, nobody can tell how far it goes on
            margin = 0.0
        if margin < ALONG * self._printed_rim(patch, best):
            margin = 0.0
        if others and not printed and (margin < PLAIN_SIZE or best.score < LEAST):
            margin = self._with_faces(patch, best, others, margin)
        rival = others[0].model.name if others else ""
        seen = best.score / LEAST * ENOUGH
        place = patch.mm(best.place)
        block = Explained(best.model, place, seen, 0.0, margin, rival, 0.0, printed=printed, turn=best.turn)
        return block, drawn

    def _with_faces(self, patch: Patch, best: Posed, others: Sequence[Posed], margin: float) -> float:
        """By how much a block on a known print suits better than any other size, if its faces are asked as well.

        At least the `margin` that its edges tell; but where they hardly say that a block is there, not without faces.
        """
        alone = margin if best.score >= LEAST else 0.0
        box = self.scene.box(patch.mm(best.place), best.solid.width)
        if best.score < BARELY or not self.scene.print[box].all():
            return alone
        own, *rivals = (facets.drawn(patch, p.solid, p.place, p.turn) for p in (best, *others))
        plainer, left = facets.plainer(patch, own, rivals)
        return max(alone, best.score - others[0].score + plainer) if left < LEFT else alone

    def _starts(self, patch: Patch, number: int) -> list[tuple[float, Tried]]:
        """The scores and the poses in which a model may stand in a patch, the best first."""
        size = number * len(GROWTH) + GROWTH.index(0.0)
        offsets = np.stack(np.meshgrid(GRID, GRID), -1).reshape(-1, 2)
        turns = [float(turn) for turn in np.arange(0, 180, TURN)]
        peaks = np.array([patch.peak(self.models[number].solid, turn) for turn in turns])
        shapes = self._shapes(patch, [(self.models[number].solid, turn) for turn in turns])
        scores = self._scores(shapes, peaks + patch.corner - self.corner, GRID)
        best = [(n, i) for n, every in enumerate(scores.T) for i in np.argsort(-every)[:2]]
        tried = [(float(scores[i, n]), (*(peaks[n] + offsets[i]).tolist(), turns[n], size)) for n, i in best]
        return sorted(tried, key=lambda start: -start[0])

    def _posed(self, patch: Patch, value: float, tried: Tried) -> Posed:
        """A model in a pose in which its edges are worth so much."""
        model = self.models[tried[3] // len(GROWTH)]
        place, turn, solid = np.array(tried[:2]), tried[2], self.sizes[tried[3]]
        drawn = patch.drawn(solid, place, turn)
        area = max(1, cv2.countNonZero(drawn))
        explained = float(cv2.mean(patch.worth, drawn)[0]) * area / max(area, int((patch.worth > 0).sum()))
        at = place + patch.corner - self.corner
        top = self._supports(self._shapes(patch, [(solid, turn)]), at[None])[0, 0, :4]
        weakest = float(top.astype(np.float32).min())
        score = value + COLOUR * explained - LACKING * max(0.0, 1 - weakest / GONE)
        return Posed(score, weakest, model, solid, place, turn)

    def _settled(self, patch: Patch, climbs: list[tuple[float, Tried]]) -> list[tuple[float, Tried]]:
        """The best score and pose of every model, and of all its sizes, near poses that have such scores.

        All of them climb at once, each to where it is best: asking about many poses together takes much less time.
        """
        known: dict[Tried, float] = {}  # many climb by the same way
        for step in (1.0, 0.5):
            moving = list(range(len(climbs)))
            while moving:
                near = {i: _near(climbs[i][1], step) for i in moving}
                new = [pose for pose in dict.fromkeys(chain.from_iterable(near.values())) if pose not in known]
                if new:
                    shapes = self._shapes(patch, [(self.sizes[size], turn) for _, _, turn, size in new])
                    places = np.array([pose[:2] for pose in new]) + patch.corner - self.corner
                    known |= zip(new, self._scores(shapes, places)[0].tolist(), strict=True)
                best = {i: max(poses, key=known.__getitem__) for i, poses in near.items()}
                moving = [i for i, pose in best.items() if known[pose] > climbs[i][0] + 1e-3]
                for i in moving:
                    climbs[i] = known[best[i]], best[i]
        of_models: dict[int, tuple[float, Tried]] = {}
        for climb in sorted(climbs, key=lambda climb: -climb[0]):
            of_models.setdefault(climb[1][3] // len(GROWTH), climb)
        return [of_models[number] for number in range(len(self.models))]

    def _scores(self, shapes: Sequence[Upright], at: Floats, by: Ints = HERE) -> Floats:
        """How well shapes suit the edges there, each at its place (n × 2, pixels from the corner): about 1 a block.

        A row of scores for every such move of all of them, down and across.
        """
        counts = [shape.rows.shape[1] for shape in shapes]
        rows, places = np.concatenate([shape.rows for shape in shapes], axis=1), np.repeat(at.T, counts, axis=1)
        inside = np.add.reduceat(self.strength.moved(rows, places, by), _begins(counts), axis=1)
        return _score(self._supports(shapes, at, by), inside / [shape.area for shape in shapes])

    def _supports(self, shapes: Sequence[Upright], at: Floats, by: Ints = HERE) -> Floats:
        """How much there is (0 to 1) of the edges of shapes' tops, and of their sides (moves × n × 5)."""
        counts = [len(shape.points) for shape in shapes]
        points = np.concatenate([shape.points for shape in shapes]) + np.repeat(at, counts, axis=0)
        normals = np.concatenate([shape.normals for shape in shapes])
        support = self.edges.supports(moved(points, self.edges.size, by), normals)
        begins = np.array([shape.begins for shape in shapes]) + _begins(counts)[:, None]
        each = np.add.reduceat(support, begins.ravel(), axis=1) / np.concatenate([shape.counts for shape in shapes])
        return np.asarray(each.reshape(-1, len(shapes), 5))

    def _shapes(self, patch: Patch, posed: Sequence[tuple[Solid, float]]) -> list[Upright]:
        """Solids, each in a turn, as they are seen in a patch."""
        keys = [(id(solid), round(turn)) for solid, turn in posed]
        new = {key: pose for key, pose in zip(keys, posed, strict=True) if key not in patch.shapes}
        if new:
            patch.shapes |= zip(new, Upright.of(list(new.values()), patch.middle, self.scene.eye), strict=True)
        return [patch.shapes[key] for key in keys]

    def _printed_rim(self, patch: Patch, posed: Posed) -> float:
        """How much (0 to 1) there is in the ground's own print of that edge of a block's top of which least is."""
        (shape,) = self._shapes(patch, [(posed.solid, posed.turn)])
        points = shape.points + posed.place + patch.corner
        rows, columns = self.scene.print.shape
        left, top = np.clip(points.min(axis=0).astype(int) - MARGIN, 0, (columns - 2 * MARGIN, rows - 2 * MARGIN))
        right, bottom = points.max(axis=0).astype(int) + MARGIN
        ground = Edges.of(self.scene.ground[top:bottom, left:right])
        at = pixels(points - (left, top), ground.x.shape)
        support = Shared(ground, ground).supports(at, shape.normals)
        return float(min(edge.mean() for edge in np.split(support, shape.begins[1:])[:4]))

    def _printed(self, patch: Patch, drawn: Image) -> bool:
        """Whether the ground's own print is what is seen there."""
        x, y = patch.corner.astype(int)
        box = slice(y, y + patch.size[0]), slice(x, x + patch.size[1])
        if not self.scene.print[box].any():
            return False
        where = cv2.dilate(drawn, np.ones((5, 5), np.uint8)) > 0
        seen, ground = (
            cv2.cvtColor(v[box], cv2.COLOR_BGR2GRAY)[where].astype(np.float64)
            for v in (self.scene.seen, self.scene.ground)
        )
        if len(seen) < 20 or min(seen.std(), ground.std()) < 1:
            return False
        return float(np.corrcoef(seen, ground)[0, 1]) > PRINTED


def _near(pose: Tried, step: float) -> list[Tried]:
    """The poses beside one."""
    x, y, turn, size = pose
    near = [(x + step, y, turn, size), (x - step, y, turn, size), (x, y + step, turn, size), (x, y - step, turn, size)]
    near += [(x, y, turn - 6 * step, size), (x, y, turn + 6 * step, size)]
    return near + [(x, y, turn, by) for by in (size - 1, size + 1) if by // len(GROWTH) == size // len(GROWTH)]


def _score(each: Floats, inside: Floats) -> Floats:
    """What the edges of tops and of the sides are worth (… × 5), less what is `inside` those faces (…)."""
    each = each.astype(np.float32)
    top, sides = np.sort(each[..., :4], axis=-1), each[..., 4]  # the weakest first
    return np.asarray(top[..., :2].sum(axis=-1) / 4 + top.sum(axis=-1) / 8 + SIDES * sides - INSIDE * inside)


def _begins(counts: Sequence[int]) -> Ints:
    """Where each of some parts, with so many elements, begins in all of them."""
    return np.asarray(np.cumsum(counts) - counts)
