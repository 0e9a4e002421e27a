import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.opinions import Opinions, enough
from vision.pieces import PieceFinder
from vision.seen import Seen
from vision.simulated import traced
from vision.simulated.decoys import KINDS
from vision.simulated.strokes import lab, packed, sharpened
from vision.simulated.traced import AS_LIGHT, HARDLY_HUED, HUED, Camera, Lamps, Make, dull, place, smoky, table
from vision.upper import TOO_LOW
from vision.values import Value, Values

pytestmark = pytest.mark.xdist_group("traced")  # what they share is seen once

BODY, PIPS = (0.95, 0.95, 0.95), (0.05, 0.05, 0.05)
DRAWN = 12  #: pictures, each of some dice


def plain(six: tuple[float, float] = (1.0, 1.0)) -> Make:
    """White dice with flat black pips and hardly rounded edges."""
    return Make(
        np.array(BODY), np.array(BODY), 0.0, 0.0, np.array(PIPS),
        spacing=0.26, pip=0.1, six=six, hollow=0.0, rounded=0.03, ball=1.0, gloss=0.0,
        rim=0.01, domed=0.0, wavy=0.0, clear=0.0, blank=False,
    )  # fmt: skip


def above() -> Lamps:
    """Light from straight above."""
    up, one = np.array([[0.0, 0.0, 1.0]]), np.ones(1)
    return Lamps(0.5, 1.0, up, 0.1 * one, one, axis=np.array([[1.0, 0.0, 0.0]]), long=one, ring=np.zeros(1, np.bool_))


SIX = [np.array([x, y]) for y in (90.0, 270.0) for x in (80.0, 240.0, 400.0)]  #: two rows


def thrown(degrees: float, places: Sequence[NDArray[np.float64]] = SIX) -> tuple[NDArray[np.uint8], list[int]]:
    """Plain dice at places, seen from so many degrees off straight above, and what they show."""
    random, canvas = np.random.default_rng(1), np.full((360, 480, 3), 0.25, np.float32)
    canvas += random.normal(0, 0.01, canvas.shape).astype(np.float32)
    camera = Camera(math.radians(degrees), 0.3)
    values = [place(random, canvas, plain(), above(), camera, at, 60.0)[0] for at in places]
    return np.clip(canvas * 255, 0, 255).astype(np.uint8), values


def shown_by(seen: Sequence[Seen]) -> list[int]:
    """What those show that are told, row by row."""
    upper = sorted((d for d in seen if not d.why), key=lambda die: (die.centre_px[1] > 180, die.centre_px[0]))
    return [die.value or 0 for die in upper]


@pytest.mark.thorough
@pytest.mark.parametrize(("degrees", "low"), [(20, False), (50, True), (55, True)])
def test_where_sides_of_dice_look_like_their_tops_none_is_told(degrees: float, low: bool) -> None:
    photo, values = thrown(degrees)
    seen = PieceFinder(()).dice(photo)
    assert shown_by(seen) == ([] if low else values)
    assert (TOO_LOW in {die.why for die in seen}) == low


def test_two_dice_that_touch_are_no_sides_of_each_other() -> None:
    away = np.array([22.0, -22.0])
    photo, values = thrown(0, [np.array([240.0, 180.0]) - away, np.array([240.0, 180.0]) + away])
    assert shown_by(PieceFinder(()).dice(photo)) == values


@pytest.mark.thorough
def test_what_networks_alone_tell_is_doubted_where_a_stencil_of_another_value_fits_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo, values = thrown(0)
    assert max(values) > 2
    monkeypatch.setattr("vision.dice.look", lambda *_: [])  # no pips are seen
    assert shown_by(PieceFinder(()).dice(photo)) == values
    monkeypatch.setattr("vision.strewn.explained", lambda *_: np.full(7, 0.5))
    seen = PieceFinder(()).dice(photo)
    assert shown_by(seen) == [value for value in values if value < 3]
    assert {die.why for die in seen if die.why} == {"may show 1"}


@pytest.mark.parametrize("seed", range(8))
def test_as_many_pips_are_seen_as_a_die_is_said_to_show(seed: int) -> None:
    canvas = np.full((120, 120, 3), 0.5, np.float32)
    value, beside = place(
        np.random.default_rng(seed), canvas, plain(), above(), Camera(0.0, 0.3), np.array([60.0, 60.0]), 60.0
    )
    on_it = np.hypot(*(np.indices((120, 120)) - 60)) < 29
    dark = (on_it & (canvas.max(axis=2) < 0.3)).sum()
    assert dark == pytest.approx(value * math.pi * (0.1 * 60) ** 2, rel=0.25)
    assert len(beside) == 0


def test_the_rows_of_a_six_may_lie_nearer_to_each_other_than_their_pips() -> None:
    for seed in range(40):
        canvas = np.full((120, 120, 3), 0.5, np.float32)
        random, make = np.random.default_rng(seed), plain(six=(0.7, 1.2))
        value, _ = place(random, canvas, make, above(), Camera(0.0, 0.3), np.array([60.0, 60.0]), 60.0)
        if value == 6:
            break
    _, _, stats, spots = cv2.connectedComponentsWithStats((canvas.max(axis=2) < 0.3).astype(np.uint8))
    pips = spots[stats[:, cv2.CC_STAT_AREA] < 400]
    assert len(pips) == 6
    spread = np.sqrt(np.linalg.eigvalsh(np.cov(pips.T, bias=True)))
    assert spread[0] == pytest.approx(0.7 * 0.26 * 60, rel=0.1)
    assert spread[1] == pytest.approx(math.sqrt(2 / 3) * 1.2 * 0.26 * 60, rel=0.1)


def test_dull_pips_are_about_as_light_as_their_die_and_of_another_hue() -> None:
    for seed in range(20):
        body, _, pips = dull(np.random.default_rng(seed))
        away = lab(pips) - lab(body)
        assert AS_LIGHT[0] < away[0] < AS_LIGHT[1]
        assert np.hypot(*away[1:]) > HUED


def test_the_pips_of_a_smoky_die_are_told_by_their_hue_alone() -> None:
    for seed in range(20):
        body, vein, pips = smoky(np.random.default_rng(seed))
        away = lab(pips) - lab((body + vein) / 2)
        assert AS_LIGHT[0] < away[0] < AS_LIGHT[1]
        assert np.hypot(*away[1:]) > HARDLY_HUED
        assert lab(body)[0] < 85


def test_of_a_packed_picture_light_is_kept_better_than_colours() -> None:
    rows, columns = np.indices((64, 64)) // 3 % 2
    board = (rows ^ columns).astype(np.uint8)
    grey = np.repeat((90 + 60 * board)[..., None], 3, axis=2)
    tinted = np.stack([np.full_like(board, 120), 110 + 20 * board, 160 - 39 * board], axis=2)
    seen = [
        (packed(np.random.default_rng(seed), grey), packed(np.random.default_rng(seed), tinted)) for seed in range(12)
    ]
    changed = [(light, hue) for light, hue in seen if (light != grey).any()]
    assert 0 < len(changed) < len(seen), "not every photo is"
    for light, hue in changed:
        assert np.std(light[..., 1]) > 0.7 * np.std(grey[..., 1])
        assert np.std(hue[..., 2].astype(float) - hue[..., 1]) < 0.7 * np.std(
            tinted[..., 2].astype(float) - tinted[..., 1]
        )


def test_a_sharpened_picture_has_brighter_and_darker_rims() -> None:
    picture = np.full((40, 40, 3), 90, np.uint8)
    picture[:, 20:] = 150
    seen = [sharpened(np.random.default_rng(seed), picture) for seed in range(12)]
    changed = [image for image in seen if (image != picture).any()]
    assert 0 < len(changed) < len(seen), "not every camera does"
    assert all(image.min() < 85 and image.max() > 155 for image in changed)


def test_the_sides_of_a_die_are_seen_towards_the_cameras_foot() -> None:
    canvas = np.full((160, 160, 3), 0.5, np.float32)
    camera = Camera(0.7, 1.0)
    _, beside = place(np.random.default_rng(1), canvas, plain(), above(), camera, np.array([80.0, 80.0]), 50.0)
    assert len(beside) in (1, 2)
    assert ((beside - 80) @ camera.leans > 0).all()


def test_a_traced_table_is_the_same_for_the_same_seed() -> None:
    one, other = (table(np.random.default_rng(5), 100) for _ in range(2))
    assert (one[0] == other[0]).all()
    assert [die[0] for die in one[1]] == [die[0] for die in other[1]]
    assert one[0].shape == (100, 100, 3)


def test_a_decoy_is_where_it_is_said_to_be() -> None:
    for number, draw in enumerate(KINDS):
        canvas = np.full((120, 120, 3), 0.5, np.float32)
        draw(np.random.default_rng(number), canvas, np.array([60.0, 60.0]), 30.0)
        changed = np.abs(canvas - 0.5).max(axis=2) > 0.05
        assert changed[30:90, 30:90].any()
        assert np.isfinite(canvas).all()


def test_no_decoy_is_taken_to_lie_where_a_die_does() -> None:
    for seed in range(8):
        _, dice, _, decoys = table(np.random.default_rng(seed), 205)
        for _, middle, side in dice:
            assert (np.hypot(*(decoys - middle).T) > 0.85 * side).all()


@pytest.fixture(scope="module")
def told() -> list[tuple[int, Value]]:
    """What traced dice show, with what the network tells of each."""
    random, network = np.random.default_rng(977), Values()
    looks = []
    for _ in range(DRAWN):
        picture, dice, _, _ = table(random, 205)
        looks += [(value, network.tell(picture, (float(at[0]), float(at[1])), side)) for value, at, side in dice]
    return looks


@pytest.mark.thorough
def test_a_value_told_surely_is_hardly_ever_wrong(told: list[tuple[int, Value]]) -> None:
    sure = [(shown, value) for shown, value in told if value.sure > 0.95]
    assert len(sure) > 0.25 * len(told)
    assert sum(value.best == shown for shown, value in sure) >= 0.98 * len(sure)


@pytest.mark.thorough
def test_what_two_networks_say_alike_is_hardly_ever_wrong() -> None:
    random, network = np.random.default_rng(12), Values()
    opinions, told, right, count = Opinions(network), 0, 0, 0
    for _ in range(4):
        picture, dice, _, _ = table(random, 205)
        for shown, at, side in dice:
            value = Value(np.ones(7, np.float32) / 7, (float(at[0]), float(at[1])), side, 1.0)
            said = next(opinions.said(picture, value))
            count += 1
            told += enough(said, [])
            right += enough(said, []) and said.value.best == shown
    assert told > 0.4 * count
    assert right >= 0.95 * told


@pytest.mark.thorough
def test_networks_that_see_hues_and_stencils_tell_more_of_smoky_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traced, "SMOKY", 1.0)
    random, network = np.random.default_rng(3), Values()
    opinions, told = Opinions(network), [Counter[bool]() for _ in range(5)]
    for _ in range(2):
        picture, dice, _, _ = table(random, 205)
        for shown, at, side in dice:
            value = network.tell(picture, (float(at[0]), float(at[1])), side)
            for number, said in enumerate(opinions.said(picture, value)):
                if enough(said, []):
                    told[number][said.value.best == shown] += 1
                    break
    *more_hues, without_gloss, _ = told
    for more in more_hues[1:]:
        assert more[True] > 0.05 * told[0][True]
        assert more[False] <= 0.05 * sum(more.values())
    assert without_gloss[True]
    assert not without_gloss[False]


@pytest.mark.thorough
def test_a_die_is_told_though_its_place_and_size_are_hardly_known() -> None:
    random, network = np.random.default_rng(61), Values()
    right = wrong = 0
    for _ in range(7):
        picture, dice, _, _ = table(random, 205)
        for value, at, side in dice:
            x, y = at + random.uniform(-0.15, 0.15, 2) * side
            seen = network.tell(picture, (float(x), float(y)), side * random.uniform(0.7, 1.4))
            right += seen.sure > 0.9 and seen.best == value
            wrong += seen.sure > 0.95 and seen.best != value
    assert right > 14
    assert wrong <= 0.02 * right


def test_a_six_is_told_whose_rows_lie_near_to_each_other() -> None:
    network, told = Values(), []
    make = replace(plain(six=(0.7, 1.2)), pip=0.11)
    for seed in range(60):
        random, canvas = np.random.default_rng(seed), np.full((120, 120, 3), 0.75, np.float32)
        camera = Camera(0.35, random.uniform(0, 2 * np.pi))
        value, _ = place(random, canvas, make, above(), camera, np.array([60.0, 60.0]), 44.0)
        if value == 6:
            picture = cv2.resize(np.clip(canvas * 255, 0, 255).astype(np.uint8), (60, 60), interpolation=cv2.INTER_AREA)
            told.append(network.tell(np.asarray(picture, np.uint8), (29.75, 29.75), 22.0))
    assert len(told) > 5
    assert all(value.best == 6 for value in told)
    assert np.mean([value.shares.max() for value in told]) > 0.6


def test_nothing_on_an_empty_table_is_a_die() -> None:
    grain = np.random.default_rng(4).normal(0, 2, (120, 120, 3))
    picture = np.clip(150 + grain, 0, 255).astype(np.uint8)
    assert Values().tell(picture, (60.0, 60.0), 30.0).shares.sum() < 0.1


def test_a_die_that_fills_the_photo_is_told() -> None:
    canvas = np.full((600, 600, 3), 0.5, np.float32)
    value, _ = place(
        np.random.default_rng(2), canvas, plain(), above(), Camera(0.2, 0.3), np.array([300.0, 300.0]), 400.0
    )
    picture = np.clip(canvas * 255, 0, 255).astype(np.uint8)
    seen = Values().tell(picture, (300.0, 300.0), 400.0)
    assert seen.best == value
    assert seen.side == pytest.approx(400, rel=0.2)
