"""A film gives back what was seen when it was recorded, and costs little while nothing moves."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.film import BLOCK, BrokenFilm, Player, Recorder

RNG = np.random.default_rng(1)
TOP = cv2.resize(RNG.integers(60, 200, (27, 48, 3), np.uint8), (650, 370), interpolation=cv2.INTER_CUBIC)


def noisy(image, sigma=2.2):
    return np.clip(image + RNG.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def with_card(x, y, image=TOP):
    image = image.copy()
    image[y : y + 40, x : x + 60] = (240, 240, 240)
    cv2.putText(image, "7", (x + 15, y + 32), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 200), 3)
    return image


def recorded(images):
    recorder = Recorder()
    pairs = [recorder.add(image) for image in images]
    return [seen for seen, _ in pairs], [data for _, data in pairs]


def test_it_is_played_as_it_was_seen_when_it_was_recorded():
    images = [noisy(with_card(20 * n, 10 * n)) for n in range(8)]
    seen, data = recorded(images)
    player = Player()
    for frame, packed in zip(seen, data, strict=True):
        assert np.array_equal(player.play(packed), frame)


def test_every_frame_is_close_to_what_the_camera_saw():
    images = [noisy(with_card(20 * n, 10 * n)) for n in range(8)]
    for image, frame in zip(images, recorded(images)[0], strict=True):
        assert frame.shape == image.shape
        blurred = (cv2.blur(each, (9, 9)).astype(int) for each in (image, frame))
        assert np.abs(np.subtract(*blurred)).max() < 8


def test_a_table_at_rest_costs_next_to_nothing():
    _, data = recorded([noisy(TOP) for _ in range(6)])
    assert max(map(len, data[1:])) < len(data[0]) / 20


def test_what_changed_is_told_as_a_share_of_the_picture():
    recorder = Recorder()
    assert recorder.changed(TOP) == 1.0
    recorder.add(TOP)
    assert recorder.changed(TOP) == 0.0
    assert 0.01 < recorder.changed(with_card(100, 100)) < 0.1


def test_a_card_that_moves_by_its_print_only_is_seen():
    """A twin in a twin's place: most of the card stays as it is."""
    recorder = Recorder()
    recorder.add(with_card(96, 96))
    other = with_card(96, 96)
    cv2.putText(other, "1", (96 + 15, 96 + 32), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 200), 3)
    assert recorder.changed(other) > 0
    frame, _ = recorder.add(other)
    assert np.abs(frame.astype(int) - other).mean() < 2


def test_another_size_begins_anew():
    seen, data = recorded([TOP, TOP[:320, :480].copy(), TOP])
    assert [frame.shape[:2] for frame in seen] == [(370, 650), (320, 480), (370, 650)]
    player = Player()
    for frame, packed in zip(seen, data, strict=True):
        assert np.array_equal(player.play(packed), frame)


def test_a_frame_out_of_order_or_damaged_is_refused():
    _, data = recorded([TOP, with_card(100, 100)])
    with pytest.raises(BrokenFilm, match="continues"):
        Player().play(data[1])
    for packed in (b"", data[0][:20], data[0][:8], b"\xff" * 100):
        with pytest.raises(BrokenFilm):
            Player().play(packed)


@settings(max_examples=30, deadline=None)
@given(width=st.integers(1, 90), height=st.integers(1, 90), seed=st.integers(0, 99), frames=st.integers(1, 4))
def test_any_size_and_content_comes_back(width, height, seed, frames):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (height, width, 3), np.uint8)
    recorder, player = Recorder(), Player()
    for _ in range(frames):
        image = image.copy()
        y, x = rng.integers(0, height), rng.integers(0, width)
        image[y : y + BLOCK, x : x + BLOCK] = rng.integers(0, 256, 3)
        frame, data = recorder.add(image)
        assert np.array_equal(player.play(data), frame)
