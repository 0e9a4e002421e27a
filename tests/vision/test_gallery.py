"""Faces made comparable."""

from __future__ import annotations

import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.exposure import Light
from vision.gallery import Gallery, evened, evened_all


@pytest.mark.parametrize("shape", [(54, 35), (27, 27), (12, 40)])
def test_many_pictures_are_evened_as_each_of_them_is(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    levels = rng.uniform(0, 255, (5, 1, 1, 1))  # neighbours differ much: none may shine into the next
    pictures = np.clip(levels + rng.normal(0, 30, (5, *shape, 3)), 0, 255).astype(np.float32)
    one_by_one = np.stack([evened(picture, 0.75) for picture in pictures])
    assert np.abs(evened_all(pictures, 0.75) - one_by_one).max() < 1e-4


@pytest.mark.parametrize(("name", "differs"), [("fish", True), ("fish-back", False)])
def test_it_tells_nothing_which_way_round_a_back_lies(name: str, differs: bool) -> None:
    print_ = np.random.default_rng(1).integers(0, 256, (134, 88, 3)).astype(np.uint8)
    face = Face(name, "card", (44.0, 67.0), print_, 2.0)
    gallery = Gallery(Deck("parlour", (face,)), (face,))
    assert [entry.quarters for entry in gallery.entries] == [0, 2]
    assert gallery.differ(0, 1) is differs


def test_no_light_tells_whether_a_face_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    stripes = np.repeat((np.arange(134) // 12 % 2 * 160 + 40).astype(np.uint8), 88 * 3).reshape(134, 88, 3)
    face = Face("waves", "card", (44.0, 67.0), stripes, 2.0)
    gallery = Gallery(Deck("parlour", (face,)), (face,))
    lit = gallery.in_light(Light((1.0, 1.0, 1.0), (0.0, 0.0, 0.0)), np.ones(3, np.float32))
    lit.coarse = np.random.default_rng(1).normal(0, 1, lit.coarse.shape).astype(np.float32)  # burnt beyond all print
    assert lit.repeats(0)
    assert gallery.repeats(0)


def test_only_faces_with_a_light_of_their_own_are_shown_in_it() -> None:
    rng = np.random.default_rng(1)
    faces = [Face(f"{i}", "card", (44.0, 67.0), rng.integers(0, 200, (134, 88, 3), np.uint8), 2.0) for i in range(3)]
    gallery = Gallery(Deck("parlour", tuple(faces)), faces)
    bright, white = Light((1.5, 1.5, 1.5), (0.0, 0.0, 0.0)), np.ones(3, np.float32)
    every, one = gallery.in_light(bright, white), gallery.in_light(bright, white, {1: bright})
    assert np.array_equal(one.coarse[1], every.coarse[1])
    like = one.likeness(every.coarse[1], None).reshape(-1, 3)
    assert like[0, 1] > 0.99
    assert not like[:, [0, 2]].any()
