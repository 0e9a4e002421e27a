"""Blocks drawn on a board's print: those whose print looks much like them, and those among whose edges are printed."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_upright import edges
from vision.blocks import PLAIN_SIZE, BlockFinder, Posed
from vision.edges import Edges
from vision.explain import Explained, Model, Patch
from vision.scene import SCALE, Scene
from vision.solids import SHAPES, Solid

Image = NDArray[np.uint8]

LAND, LABEL, INK = (110, 170, 130), (165, 180, 195), (110, 115, 125)
STONE, SIDE = (160, 162, 165), (105, 105, 108)
EYE = np.array([-300.0, 45.0, 900.0])
PLACE = np.array([45.0, 45.0])
MODELS = [Model(f"moai-size-{size}", 0, SHAPES[f"moai-size-{size}"]) for size in (1, 2, 3)]


def board(*labels: tuple[float, float, float, float]) -> Image:
    """A print with labels (left, top, right, bottom in mm), each dark at its left."""
    ground = np.full((round(90 * SCALE), round(90 * SCALE), 3), LAND, np.uint8)
    for label in labels:
        left, top, right, bottom = (round(v * SCALE) for v in label)
        ground[top:bottom, left:right] = LABEL
        ground[top + 4 : bottom - 4, left + 2 : left + 9] = INK
    return ground


def with_block(ground: Image, solid: Solid) -> Image:
    """The same with a block on it."""
    seen = ground.copy()
    lines = np.array(edges(solid, PLACE, 0.0, EYE)) * SCALE
    foot = (solid.outline(0.0) + PLACE) * SCALE
    cv2.fillConvexPoly(seen, cv2.convexHull(np.rint([*lines[:4, 0], *foot]).astype(np.int32)), SIDE)
    cv2.fillConvexPoly(seen, np.rint(lines[:4, 0]).astype(np.int32), STONE)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.uint8)


def found(seen: Image, ground: Image) -> list[Explained]:
    """What is told where the photo is not as the ground."""
    nowhere = np.zeros(seen.shape[:2], np.bool_)
    table: Any = None
    scene = Scene(seen, ground, nowhere, Edges.of(seen), ~nowhere, nowhere, table, np.zeros(2), EYE)
    mine = cv2.absdiff(seen, ground).max(axis=2) > 25
    return BlockFinder(scene, MODELS).explained([Patch(np.where(mine, 1, -1).astype(np.float32), (0, 0), scene)])


def test_what_a_block_leaves_of_a_patch_is_not_explained_by_the_same_block_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []
    best = BlockFinder._best

    def counted(finder: BlockFinder, patch: Patch) -> tuple[Explained, Image] | None:
        looks.append(patch)
        return best(finder, patch)

    monkeypatch.setattr(BlockFinder, "_best", counted)
    picture = with_block(board(), MODELS[0].solid)
    picture[10:22, 60:72] = STONE  # of its colour, but no block
    blocks = found(picture, board())
    assert len(blocks) == 1
    assert len(looks) == 2


LIKE_IT = (37, 36, 60, 54)  #: a label that looks much like the smallest block on it


def test_a_block_on_print_that_looks_much_like_it_is_told_with_that_doubt() -> None:
    ground = board(LIKE_IT)
    (block,) = found(with_block(ground, MODELS[0].solid), ground)
    assert (block.model.name, block.printed) == ("moai-size-1", True)
    assert np.hypot(*(block.place - PLACE)) < 2
    (block,) = found(with_block(board(), MODELS[0].solid), board())
    assert (block.model.name, block.printed) == ("moai-size-1", False)


def test_that_print_alone_is_no_block() -> None:
    ground = board(LIKE_IT)
    seen = np.asarray(cv2.convertScaleAbs(cv2.GaussianBlur(ground, (0, 0), 1.0), alpha=0.8), np.uint8)
    assert found(seen, ground) == []


@pytest.mark.parametrize(("labelled", "margin"), [(False, 0.2), (True, 0.0)])
def test_print_along_all_edges_of_a_block_does_not_tell_its_size(
    labelled: bool, margin: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = np.array(edges(MODELS[0].solid, PLACE, 0.0, EYE))[:4, 0]
    ground = board((*top.min(axis=0), *top.max(axis=0))) if labelled else board()
    scores = iter((1.0, 0.8, 0.6))
    posed = BlockFinder._posed

    def as_good(*args: Any) -> Posed:
        return replace(posed(*args), score=next(scores))

    monkeypatch.setattr(BlockFinder, "_posed", as_good)
    monkeypatch.setattr(BlockFinder, "_printed", lambda *_: False)
    monkeypatch.setattr("vision.facets.plainer", lambda *_: (0.0, 99.0))
    monkeypatch.setattr("vision.blocks.MANY", 1)
    (block,) = found(with_block(ground, MODELS[0].solid), ground)
    assert block.margin == pytest.approx(margin)


@pytest.mark.parametrize(
    ("size", "score", "told"), [(1, 0.9, True), (2, 0.9, False), (1, 0.65, True), (1, 0.55, False)]
)
def test_faces_tell_the_size_of_a_block_whose_edges_hardly_do_but_never_another_one(
    size: int, score: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = iter((score, score - 0.1, score - 0.2))
    posed = BlockFinder._posed

    def hardly(*args: Any) -> Posed:
        return replace(posed(*args), score=next(scores))

    monkeypatch.setattr(BlockFinder, "_posed", hardly)
    monkeypatch.setattr("vision.blocks.MANY", 1)
    (block,) = found(with_block(board(), MODELS[size - 1].solid), board())
    assert block.model.name == "moai-size-1"
    assert (block.margin >= PLAIN_SIZE) == told


def test_faces_off_a_known_print_tell_nothing() -> None:
    seen, ground = with_block(board(), MODELS[1].solid), board()
    nowhere = np.zeros(seen.shape[:2], np.bool_)
    table: Any = None
    scene = Scene(seen, ground, nowhere, Edges.of(seen), ~nowhere, nowhere, table, np.zeros(2), EYE)
    finder = BlockFinder(scene, MODELS)
    patch = Patch(np.where(cv2.absdiff(seen, ground).max(axis=2) > 25, 1, -1).astype(np.float32), (0, 0), scene)
    at = PLACE * SCALE - 0.5
    one, two = (Posed(0.8, 0.2, model, model.solid, at, 0.0) for model in MODELS[:2])
    assert finder._with_faces(patch, two, [one], 0.0) >= PLAIN_SIZE
    assert finder._with_faces(patch, one, [two], 0.0) == 0.0
    assert finder._with_faces(patch, one, [two], 0.1) == 0.1
    hardly = replace(one, score=0.65), [replace(two, score=0.4)]
    assert finder._with_faces(patch, *hardly, PLAIN_SIZE) < PLAIN_SIZE, "edges that hardly say so are not enough"
    assert finder._with_faces(patch, replace(two, score=0.55), [one], 0.0) == 0.0
    finder.scene = replace(scene, print=nowhere)
    assert finder._with_faces(patch, two, [one], 0.0) == 0.0
