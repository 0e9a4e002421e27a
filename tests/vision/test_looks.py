"""What the small networks learn from."""

from __future__ import annotations

import numpy as np
import pytest

from vision.simulated import looks
from vision.simulated.throws import NAMES
from vision.things import CROP, UNIT

BATCHES = {"places": looks.places, "crops": looks.crops, "dice": looks.dice}


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_is_pictures_and_what_is_on_them_and_a_seed_gives_the_same_again(name: str) -> None:
    pictures, truth, sizes = BATCHES[name]((5, 1))
    assert pictures.dtype == np.uint8
    assert pictures.min() < 76 < 178 < pictures.max()
    assert truth.shape == sizes.shape == (len(pictures), *truth.shape[1:])
    assert truth.min() >= -1
    assert {0} < set(truth.ravel()) - {-1} <= set(range(len(NAMES)))
    if name == "dice":
        assert abs(sizes[truth > 0].mean()) < 0.1  # of about the size at which they are looked at
    else:
        assert 4 < UNIT * np.exp(sizes[truth > 0]).mean() < 40  # pixels
    for one, other in zip(BATCHES[name]((5, 1)), (pictures, truth, sizes), strict=True):
        assert np.array_equal(one, other)


def test_what_is_seen_again_keeps_its_truth() -> None:
    grey = np.repeat(np.arange(looks.CROPS, dtype=np.uint8), 3 * 8 * 8).reshape(-1, 3, 8, 8)
    truth = np.arange(looks.CROPS, dtype=np.int32).reshape(-1, 1, 1)
    batch = (grey, truth, truth.astype(np.float32))
    pictures, again, sizes = looks.mixed(np.random.default_rng(1), [batch, batch])
    assert len(pictures) == looks.SHOWN
    assert (abs(pictures.mean(axis=(1, 2, 3)) - again.ravel()) <= 0.25 * again.ravel() + 1).all()
    assert np.array_equal(sizes, again)
    assert len(set(again.ravel())) > looks.CROPS / 3


def test_a_die_mirrored_turned_and_in_other_colours_is_made_of_the_same_pixels() -> None:
    pictures = np.random.default_rng(2).integers(0, 256, (6, 3, 5, 5)).astype(np.uint8)
    varied = looks.varied(np.random.default_rng(3), pictures)
    assert not np.array_equal(varied, pictures)
    for one, other in zip(varied, pictures, strict=True):
        assert np.array_equal(np.sort(one.ravel()), np.sort(other.ravel()))


def test_networks_are_shown_numbers_around_zero() -> None:
    pictures, _, _ = looks.shown(looks.dice((5, 1)))
    assert pictures.dtype == np.float32
    assert -0.5 <= pictures.min() < -0.2 < 0.2 < pictures.max() <= 0.5


def test_one_network_is_shown_colours_drawn_apart_beside_those_that_are() -> None:
    batch = looks.dice((5, 1))
    pictures, truth, _ = looks.shown(batch, toned=True)
    assert pictures.shape == (looks.CROPS, 6, CROP, CROP)
    assert np.array_equal(pictures[:, :3], looks.shown(batch)[0])
    assert pictures[:, 3:].std() > pictures[:, :3].std() / 2
    assert np.array_equal(truth, batch[1])
