"""Blocks drawn in many turns at a time show what each shows alone, and sums along rows are those of their pixels."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import Line, RowSums
from vision.scene import SCALE
from vision.solids import SHAPES, Solid, lifted
from vision.upright import RIM, Upright

Floats = NDArray[np.float64]

EYE = np.array([300.0, 250.0, 900.0])
BLOCKS = [solid.grown(by) for solid in SHAPES.values() if solid.block for by in (0.0, 0.3)]


def edges(solid: Solid, place: Floats, turn: float, eye: Floats) -> Floats:
    """The straight edges (mm, on the table plane, n × 2 × 2) a block shows: its top's, and its outline's others."""
    foot = solid.outline(turn) + place
    top = lifted(foot, solid.height, eye)
    corners = np.concatenate([foot, top])
    around = cv2.convexHull(corners.astype(np.float32), returnPoints=False).ravel().tolist()
    sides = [(a, b) for a, b in pairwise([*around, around[0]]) if min(a, b) < len(foot)]
    lid = [(i + len(foot), (i + 1) % len(foot) + len(foot)) for i in range(len(foot))]
    return np.asarray(corners[np.array(lid + sides)])


def test_blocks_in_many_turns_show_what_each_shows_alone() -> None:
    random = np.random.default_rng(1)
    posed = [(solid, float(turn)) for solid in BLOCKS for turn in random.uniform(0, 180, 5)]
    for place in (*random.uniform(0, 600, (8, 2)), EYE[:2] + 1.0):  # straight below the eye no side is seen
        for (solid, turn), shape in zip(posed, Upright.of(posed, place, EYE), strict=True):
            lines = (edges(solid, place, turn, EYE) - place) * SCALE
            each = [Line.of(part) for part in (*np.split(lines[:4], 4), lines[4:] if len(lines) > 4 else lines)]
            assert shape.counts.tolist() == [len(line.points) for line in each]
            for begin, line in zip(shape.begins, each, strict=True):
                points = shape.points[begin : begin + len(line.points)]
                assert np.allclose(sorted(points.round(6).tolist()), sorted(line.points.round(6).tolist()), atol=1e-5)


def test_the_inner_part_of_a_top_is_what_its_rim_leaves() -> None:
    place = np.array([40.0, 90.0])
    for solid in BLOCKS:
        (shape,) = Upright.of([(solid, 20.0)], place, EYE)
        face = (edges(solid, place, 20.0, EYE)[:4, 0] - place) * SCALE
        small = max(0.3, 1 - RIM / (SCALE * min(solid.length, solid.width)))
        picture = np.zeros((200, 200), np.uint8)
        corners = face.mean(axis=0) + (face - face.mean(axis=0)) * small + 100
        cv2.fillConvexPoly(picture, np.rint(corners * 16).astype(np.int32), 1, shift=4)
        rows, columns = picture.nonzero()
        assert shape.area == len(rows)
        pixels = {(y, x) for y, first, last in (shape.rows + 100).T.tolist() for x in range(first, last + 1)}
        assert pixels == set(zip(rows.tolist(), columns.tolist(), strict=True))


def test_sums_along_rows_are_those_of_their_pixels() -> None:
    values = np.random.default_rng(2).random((30, 40)).astype(np.float32)
    by = np.array([-4, 0, 2])
    for x, y, first, width in [(3.0, 7.0, 2, 9), (3.5, 7.5, 2, 9), (-6.5, -2.0, 1, 12), (36.5, 29.5, -3, 14)]:
        rows = np.array([[1, 2], [first, first + 1], [first + width, first + width]])
        sums = RowSums(values).moved(rows, np.array([[x, x], [y, y]]), by)
        moves = [(down, across) for down in by for across in by]
        assert sums.shape == (len(moves), 2)
        for (down, across), each in zip(moves, sums, strict=True):
            for (row, begin, end), told in zip(rows.T, each, strict=True):
                at = np.clip(np.rint(np.arange(begin, end + 1) + x + across).astype(int), 0, 39)
                assert np.isclose(told, values[np.clip(int(np.rint(row + y + down)), 0, 29), at].sum())
