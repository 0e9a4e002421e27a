"""Where a taught face may lie: fixed-scale features of the table's top view vote for places and turns.

The plane gives the scale, so one matching feature with its direction already tells place and turn of the whole
component. A pose on which many features agree is worth a look; what lies there is decided elsewhere.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Face
from vision.photo import Pose

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Complex = NDArray[np.complexfloating]

SCALE: Final = 1.0  #: pixels per millimetre in which features live
BLURRED: Final = 3  #: it softens the picture so often as well, which is not used; by smaller steps it takes least time
EDGE: Final = 9  #: corners nearer than this (pixels) to the end of a picture are none
SIZE: Final = 3.5  #: diameter given to the descriptor; its window is 21 mm wide
AROUND: Final = 32  #: pixels around a feature that tell its descriptor
CELL: Final = 24  #: features are shared out over cells of this many pixels, so that one busy corner cannot take all
PER_CELL: Final = 10
FEW: Final = 4  #: … of which so many tell what lies open and plain
MOST_OF_FACE: Final = 600  #: features of one face (a board) about
MOST: Final = 3500  #: features of one view at most
DIMENSIONS: Final = 48  #: descriptors are reduced to this many principal components of the deck's own
CHOICES: Final = 3  #: each feature votes for its best matches of the deck
TOGETHER: Final = 128  #: so many features are matched at a time: more likenesses than these leave the cache
NONE: Final = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
LIKE: Final = 0.65  #: cosine a match must reach
SAME_MM: Final = 1.6  #: features of two faces that are nearer than this, as the faces lie upon each other,
ALIKE: Final = 0.9  #: … and of which the cosine is more than this, are one


@dataclass(frozen=True, slots=True)
class Features:
    """n features: places (n × 2, mm), directions (n, degrees) and unit descriptors (n × d)."""

    places: Floats
    turns: Floats
    words: Floats

    def shifted(self, by: tuple[float, float]) -> Features:
        """The same features, `by` mm farther on."""
        return Features(self.places + np.array(by, np.float32), self.turns, self.words)


@dataclass(frozen=True, slots=True)
class Corners:
    """n corners of a picture: where (n × 2, pixels), in which cell of it, and how strong each is."""

    points: NDArray[np.object_]  #: as they were found, be it on a part of the picture
    places: Floats
    cells: Ints
    strength: Floats

    @classmethod
    def of(cls, points: Sequence[cv2.KeyPoint], places: Floats, width: int) -> Corners:
        """Those at these places (n × 2) of a picture so many pixels wide."""
        cells = ((places[:, 1] // CELL) * (width // CELL + 1) + places[:, 0] // CELL).astype(np.int64)
        kept = np.empty(len(points), np.object_)
        kept[:] = points
        return cls(kept, places, cells, np.array([p.response for p in points], np.float32))

    def where(self, mask: Image) -> Corners:
        """Those that lie where a mask of the picture is not 0."""
        x, y = np.rint(self.places).astype(np.intp).T
        wanted = mask[y, x] > 0
        return Corners(self.points[wanted], self.places[wanted], self.cells[wanted], self.strength[wanted])

    def strongest(self, per_cell: int) -> tuple[Floats, Floats]:
        """The strongest of each cell: places (n × 2, pixels) and directions (n, degrees)."""
        order = np.lexsort((-self.strength, self.cells))
        ordered = self.cells[order]
        starts = np.searchsorted(ordered, ordered)
        kept = order[np.arange(len(ordered)) - starts < per_cell]
        if len(kept) > MOST:
            kept = kept[np.argsort(-self.strength[kept])[:MOST]]
        return self.places[kept], np.array([point.angle for point in self.points[kept]], np.float32)


def _known(new: Features, places: Floats, words: Floats) -> NDArray[np.bool_]:
    """Which features are alike to one of m others nearby, of which `places` and `words` are told."""
    known = np.zeros(len(new.turns), np.bool_)
    for start in range(0, len(known), TOGETHER):  # there are many pairs of both
        some = slice(start, start + TOGETHER)
        right, down = (new.places[some, axis, None] - places[:, axis] for axis in (0, 1))
        i, j = np.nonzero(right * right + down * down < SAME_MM**2)
        known[start + i[np.einsum("nd,nd->n", new.words[some][i], words[j]) > ALIKE]] = True
    return known


def _parts(mask: Image) -> list[tuple[slice, slice]]:
    """The rows and columns of parts of a mask, each with an edge around, outside which it is 0."""
    bands = _bands(np.asarray(mask.any(axis=1)))  # many times faster than cv2.reduce
    return [(rows, columns) for rows in bands for columns in _bands(np.asarray(mask[rows].any(axis=0)))]


def _bands(some: NDArray[np.bool_]) -> list[slice]:
    """The bands of a row of flags, each with an edge, between which none is set."""
    there = np.flatnonzero(some)
    bands = np.split(there, np.flatnonzero(np.diff(there) > 2 * EDGE) + 1) if len(there) else []
    return [slice(max(0, int(band[0]) - EDGE), min(len(some), int(band[-1]) + 1 + EDGE)) for band in bands]


class Describer:
    """Finds corners and describes their surroundings, in whatever light."""

    def __init__(self) -> None:
        self._corners = cv2.ORB.create(
            20000, nlevels=1, edgeThreshold=EDGE, patchSize=17, fastThreshold=4, scoreType=cv2.ORB_HARRIS_SCORE
        )
        self._sift = cv2.SIFT.create(nOctaveLayers=BLURRED)

    def corners(self, grey: Image, mask: Image | None = None) -> Corners:
        """The corners of a grey picture of `SCALE` px/mm, where the mask is not 0."""
        points: list[cv2.KeyPoint] = []
        places = [np.zeros((0, 2), np.float32)]
        for part in [np.s_[:, :]] if mask is None else _parts(mask):
            found = self._corners.detect(grey[part], None if mask is None else mask[part])
            points += found
            there = np.asarray(cv2.KeyPoint.convert(found), np.float32).reshape(-1, 2)
            places.append(there + np.array((part[1].start or 0, part[0].start or 0), np.float32))
        return Corners.of(points, np.vstack(places), grey.shape[1])

    def describe(self, grey: Image, corners: Corners, per_cell: int) -> Features:
        """The features at the strongest corners of a grey picture, so many of each cell at most; places in its mm."""
        places, turns = corners.strongest(per_cell)
        if not len(turns):  # a blank picture
            return Features(places, turns, np.zeros((0, 128), np.float32))
        words = self._words(grey, places, turns)
        words = np.sqrt(words / np.maximum(words.sum(axis=1, keepdims=True), 1e-6))
        return Features(places / np.float32(SCALE), turns, words.astype(np.float32))

    def _words(self, grey: Image, places: Floats, turns: Floats) -> Floats:
        """The descriptors at these places (n × 2, pixels), in bands of the picture with nothing between them."""
        order = np.argsort(places[:, 1])
        apart = np.flatnonzero(np.diff(places[order, 1]) > 2 * AROUND) + 1
        bands = np.split(order, apart)
        words = np.vstack([self._band(grey, places[band], turns[band]) for band in bands])
        return np.asarray(words[np.argsort(order)], np.float32)

    def _band(self, grey: Image, places: Floats, turns: Floats) -> Floats:
        """The descriptors at these places (n × 2, pixels); no more of the picture is looked at than tells them."""
        left, top = np.maximum(places.min(axis=0).astype(int) - AROUND, 0).tolist()
        right, bottom = (places.max(axis=0).astype(int) + AROUND + 1).tolist()
        there = np.ascontiguousarray(grey[top:bottom, left:right])
        points = (places - np.array((left, top), np.float32)).tolist()
        asked = [cv2.KeyPoint(x, y, SIZE, turn) for (x, y), turn in zip(points, turns.tolist(), strict=True)]
        return np.asarray(self._sift.compute(there, asked)[1], np.float32)

    def describe_face(self, face: Face, per_cell: int) -> Features:
        """The features of a taught face; places in mm from its top left corner."""
        width, height = (max(8, round(side * SCALE)) for side in face.size)
        per_cell = max(2, min(per_cell, MOST_OF_FACE * CELL * CELL // (width * height)))
        grey = cv2.cvtColor(face.image, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        edge = 16
        framed = cv2.copyMakeBorder(small, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
        inside = np.zeros_like(framed)
        inside[edge:-edge, edge:-edge] = 255
        picture = np.asarray(framed, np.uint8)
        found = self.describe(picture, self.corners(picture, np.asarray(inside, np.uint8)), per_cell)
        # pixel centres lie half a pixel in
        margin = (edge - 0.5) / SCALE
        return found.shifted((-margin, -margin))


class FaceIndex:
    """The features of all faces of a deck, each kept once, ready to be matched."""

    def __init__(self, faces: Sequence[Face], describer: Describer, per_cell: int = 20) -> None:
        self.sizes = sorted({face.size for face in faces})
        parts = [self._distinct([f for f in faces if f.size == size], size, describer, per_cell) for size in self.sizes]
        self._kind = np.concatenate([np.full(len(p.turns), i) for i, p in enumerate(parts)])
        self._places = np.vstack([p.places for p in parts])
        self._turns = np.concatenate([p.turns for p in parts])
        words = np.vstack([p.words for p in parts])
        self._mean = words.mean(axis=0)
        # principal axes of the deck's own words; the scene's are projected on the same
        off = words - self._mean
        axes = np.linalg.eigh((off.T @ off).astype(np.float64))[1][:, ::-1]
        self._axes = np.ascontiguousarray(axes[:, :DIMENSIONS], np.float32)
        self._words = np.ascontiguousarray(self._reduced(words).T)  # d × n: multiplied fastest so

    @staticmethod
    def _distinct(faces: Sequence[Face], size: tuple[float, float], describer: Describer, per_cell: int) -> Features:
        """The features of faces of one size about their centre; what several share only once."""
        places, turns, words = np.zeros((0, 2), np.float32), np.zeros(0, np.float32), np.zeros((0, 128), np.float32)
        for face in faces:
            new = describer.describe_face(face, per_cell)
            fresh = ~_known(new, places, words)
            new = Features(new.places[fresh], new.turns[fresh], new.words[fresh])
            places = np.vstack([places, new.places])
            turns = np.concatenate([turns, new.turns])
            words = np.vstack([words, new.words])
        return Features(np.asarray(places - np.array(size) / 2, np.float32), turns, words)

    def _reduced(self, words: Floats) -> Floats:
        short = (words - self._mean) @ self._axes
        return np.asarray(short / np.maximum(np.linalg.norm(short, axis=1, keepdims=True), 1e-6), np.float32)

    def __len__(self) -> int:
        return len(self._turns)

    def votes(self, seen: Features) -> Votes:
        """What each feature seen says about where a component may lie."""
        words = self._reduced(seen.words)
        blocks = (self._chosen(words[start : start + TOGETHER], start) for start in range(0, len(words), TOGETHER))
        i, j, value = (np.concatenate(part) for part in zip(NONE, *blocks, strict=True))
        turn = np.radians(seen.turns[i] - self._turns[j])
        c, s = np.cos(turn), np.sin(turn)
        x, y = self._places[j].T
        centre = seen.places[i] - np.column_stack([c * x - s * y, s * x + c * y])
        return Votes(self._kind[j], centre, turn, i, seen.places[i], self._places[j], value)

    def _chosen(self, words: Floats, start: int) -> tuple[Ints, Ints, Floats]:
        """Features (numbered from `start`), their best matches of the deck, and how alike they are."""
        likeness = words @ self._words
        rows = np.arange(len(likeness))
        chosen = []
        for _ in range(min(CHOICES, len(self))):
            best = likeness.argmax(axis=1)
            value = likeness[rows, best]
            good = value > LIKE
            chosen.append((rows[good] + start, best[good], value[good]))
            likeness[rows, best] = -1
        i, j, value = (np.concatenate(part) for part in zip(*chosen, strict=True))
        return i, j, value


@dataclass(frozen=True)
class Votes:
    """n votes for poses: kind of size, centre (mm), turn (radians), the feature that votes, and the two ends."""

    kind: Ints
    centre: Floats
    turn: Floats
    feature: Ints
    seen: Floats
    face: Floats
    weight: Floats

    @cached_property
    def said(self) -> Complex:
        """The turns as unit vectors (complex)."""
        return np.asarray(np.exp(1j * self.turn))

    @cached_property
    def ends(self) -> tuple[Complex, Complex]:
        """Where the features are on the face, and where they are seen (complex)."""
        return self.face @ COMPLEX, self.seen @ COMPLEX


NEAR_MM: Final = 6.0  #: votes this near to their middle, and
NEAR_TURN: Final = np.radians(14)  #: this alike in turn, speak of the same pose
BIN_MM: Final = 2 * NEAR_MM
TURN_BINS: Final = 13


def poses(votes: Votes, sizes: Sequence[tuple[float, float]], least: int) -> list[Pose]:
    """The poses at least `least` features agree on, the best first; each vote counts for one pose only."""
    if len(votes.kind) < least:
        return []
    members, starts, count = _bins(votes)
    # a bin's weight only falls while votes are used up: look at the heaviest, and again when it has become lighter
    heap = [(-float(count[i]), int(i)) for i in np.flatnonzero(count >= 0.6 * least)]
    heapq.heapify(heap)
    free = np.ones(len(votes.kind), bool)
    groups: list[Ints] = []
    agreeing: list[int] = []
    while heap:
        weight, i = heapq.heappop(heap)
        inside = members[starts[i] : starts[i + 1]]
        inside = inside[free[inside]]
        now = float(votes.weight[inside].sum())
        if now < -0.98 * weight:
            if now >= 0.6 * least:
                heapq.heappush(heap, (-now, i))
            continue
        inside = _gathered(votes, inside)
        features = len(set(votes.feature[inside].tolist()))
        if features >= least:
            groups.append(inside)
            agreeing.append(features)
        free[inside] = False
    return sorted(_fitted(votes, groups, sizes, agreeing), key=lambda pose: -pose.votes) if groups else []


def _bins(votes: Votes) -> tuple[Ints, Ints, Floats]:
    """Votes in overlapping bins of place and turn: (votes, bin by bin; where each bin starts; its weight)."""
    x, y = votes.centre.T / BIN_MM
    t = votes.turn / (2 * np.pi) * TURN_BINS
    rows = []
    for corner in range(8):
        bx = np.floor(x + 0.5 * (corner & 1)).astype(np.int64) + 4096
        by = np.floor(y + 0.5 * (corner >> 1 & 1)).astype(np.int64) + 4096
        bt = np.floor(t + 0.5 * (corner >> 2)).astype(np.int64) % TURN_BINS
        rows.append(((((votes.kind * 8 + corner) * TURN_BINS + bt) * 8192) + by) * 8192 + bx)
    names = np.concatenate(rows)
    order = np.argsort(names, kind="stable")
    starts = np.flatnonzero(np.diff(names[order], prepend=-1, append=-1))
    weights = np.tile(votes.weight, 8)[order]
    return order % len(x), starts, np.add.reduceat(weights, starts[:-1])


def _gathered(votes: Votes, members: Ints) -> Ints:
    """Those of the votes that lie near the middle of them all."""
    for _ in range(2):
        weight = votes.weight[members]
        centre = weight @ votes.centre[members] / weight.sum()
        turn = np.angle((votes.said[members] * weight).sum())
        near = np.abs(votes.centre[members] - centre).max(axis=1) < NEAR_MM
        near &= np.abs((votes.turn[members] - turn + np.pi) % (2 * np.pi) - np.pi) < NEAR_TURN
        if near.all() or not near.any():
            break
        members = members[near]
    return members


COMPLEX: Final = np.array([1, 1j])
LEVER: Final = 15.0  #: mm; how much farther than this apart features must lie to correct the turn they say themselves


def _fitted(
    votes: Votes, groups: Sequence[Ints], sizes: Sequence[tuple[float, float]], features: Sequence[int]
) -> list[Pose]:
    """The poses that map the face's features best to where they are seen: one for each group of votes.

    So many features vote for each.
    """
    inside = np.concatenate(groups)
    counts = np.array([len(group) for group in groups])
    first = np.cumsum(counts) - counts

    def each(values: NDArray[Any]) -> NDArray[Any]:
        """The sum over each group."""
        return np.asarray(np.add.reduceat(values, first))

    def spread(values: NDArray[Any]) -> NDArray[Any]:
        """A group's value for each of its votes."""
        return np.repeat(values, counts)

    face, seen = (end[inside] for end in votes.ends)
    weight = votes.weight[inside].astype(np.float64)
    said = each(votes.said[inside] * weight)
    spin = said = said / np.abs(said)
    shift = each((seen - spread(spin) * face) * weight) / each(weight)
    for limit in (3.0, 1.5):
        away = np.abs(seen - spread(shift) - spread(spin) * face)
        w = weight * (away < spread(np.maximum(limit, 1.5 * each(away) / counts)))
        total = each(w)
        f0, s0 = each(w * face) / total, each(w * seen) / total
        f, s = face - spread(f0), seen - spread(s0)
        tie = LEVER**2 * 2
        spin = (each(w * np.conj(f) * s) + tie * said) / (each(w * np.abs(f) ** 2) + tie)
        shift = s0 - spin * f0
    turn, stretch = np.degrees(np.angle(spin)) % 360, np.abs(spin)
    kinds = votes.kind[inside[first]].tolist()
    found = zip(kinds, shift.real.tolist(), shift.imag.tolist(), turn.tolist(), stretch.tolist(), features, strict=True)
    return [Pose(sizes[kind], x, y, t, s, n) for kind, x, y, t, s, n in found]
