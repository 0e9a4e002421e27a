"""Phone photos of a few cards on a printed mat: one card tells how the table lies, and no mat is taken for cards."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tests.vision.trading import CARD, Lying, camera, card, deck, photo
from vision import doubts
from vision.doubts import UNFIT
from vision.judge import Judge
from vision.observation import Observation
from vision.observe import Observer
from vision.plane import Plane
from vision.simulated import FaceImage, Placed, Scene, SimulatedTable
from vision.verdict import Verdict
from vision.verify import Examiner

WIDE, TALL = (960, 540), (540, 960)
STRANGER = 500  #: a card that nobody taught, with the frame of others


@pytest.fixture(scope="module")
def observer() -> Observer:
    return Observer(deck(24), without_markers=True)


def names(seen: Observation) -> list[str]:
    return sorted(component.component.removeprefix("trading/") for component in seen.components)


def off(seen: Observation, plane: Plane, lying: Lying) -> float:
    """How far the outline that is told is from where the card lies, in shares of its shorter side on the photo."""
    (told,) = seen.components
    true = plane.to_px(lying.corners())
    side = min(np.linalg.norm(true[1] - true[0]), np.linalg.norm(true[2] - true[1]))
    return float(np.abs(np.array(told.corners) - true).max() / side)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("size", "span", "tilt", "turn", "seed"),
    [
        (TALL, 110, (0, 0), -8, 1),
        (TALL, 95, (0, 0), 185, 2),
        (WIDE, 170, (12, -8), 20, 3),
        (WIDE, 230, (-45, 5), 10, 4),
        (WIDE, 260, (30, 25), 100, 5),
        (WIDE, 420, (-30, 0), 270, 6),
    ],
)
def test_one_card_is_enough(
    observer: Observer, size: tuple[int, int], span: float, tilt: tuple[float, float], turn: float, seed: int
) -> None:
    plane, lying = camera(size, span, tilt), Lying(card(seed), (0.0, 5.0), turn)
    seen = observer.observe(photo(plane, size, [lying], seed))
    assert names(seen) == [f"card-{seed}"]
    assert off(seen, plane, lying) < 0.02


@pytest.mark.quick(1)
@pytest.mark.parametrize("tilt", [0.0, -25.0])
def test_a_fan_is_read(observer: Observer, tilt: float) -> None:
    fan = [Lying(card(k), (-50.0 + 22 * k, 10.0 - 8 * k), 10.0 * k) for k in range(4)]
    seen = observer.observe(photo(camera(WIDE, 310, (tilt, 0)), WIDE, fan, 7))
    assert set(names(seen)) <= {f"card-{k}" for k in range(4)}
    assert len(seen.components) >= 3


@pytest.mark.thorough
def test_a_card_of_which_too_few_points_show_to_tell_it_is_asked_about() -> None:
    """A stranger's lies askew on it: it is none that is told, but it is not passed over either."""
    lying = [Lying(card(3), (0, 0)), Lying(card(STRANGER), (20, -15), 35)]
    seen = Observer(deck(12), without_markers=True).observe(photo(camera(WIDE, 240, (-10, 6)), WIDE, lying))
    assert not seen.components
    assert "trading/card-3" in [doubt.candidates[0][0] for doubt in seen.unsure]


@pytest.mark.thorough
def test_half_a_card_under_a_strangers_is_told_by_its_points(observer: Observer) -> None:
    told = 0
    for number, under in itertools.product((3, 8), ((-28.0, 26.0), (30.0, -24.0))):
        lying = [Lying(card(number), (0, 0), 5), Lying(card(STRANGER), under, 50)]
        seen = observer.observe(photo(camera(WIDE, 240, (-15, 0)), WIDE, lying, number))
        assert set(names(seen)) <= {f"card-{number}"}
        told += len(seen.components)
    assert told >= 2


@pytest.mark.thorough
@pytest.mark.parametrize("number", [2, 6, 9])
def test_a_card_half_in_the_shade_is_read(observer: Observer, number: int) -> None:
    lying = [Lying(card(number), (0, 0), 12)]
    seen = observer.observe(photo(camera(WIDE, 240), WIDE, lying, number, shade=0.45))
    assert names(seen) == [f"card-{number}"]


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(6))
def test_a_frame_alone_tells_no_card(number: int) -> None:
    """Half hidden and half in the shade, beside one that was taught: what nobody taught has others' frame, no more."""
    lying = [Lying(card(number), (-45, 0), 5), Lying(card(STRANGER), (-30, 15), 50), Lying(card(9), (60, 0), -10)]
    observer = Observer(deck(24, without=number), without_markers=True)
    seen = observer.observe(photo(camera(WIDE, 300, (-15, 0)), WIDE, lying, number, shade=0.6))
    assert names(seen) == ["card-9"]


def test_a_picture_as_small_as_a_stamp_is_no_error(observer: Observer) -> None:
    plane = camera((90, 60), 200)
    seen = observer.observe(photo(plane, (90, 60), [Lying(card(1), (0, 0))]))
    assert not seen.ok
    assert not seen.components


@pytest.mark.thorough
def test_a_mat_alone_shows_no_cards(observer: Observer) -> None:
    for seed in range(3):
        seen = observer.observe(photo(camera(WIDE, 300 + 100 * seed), WIDE, [], seed))
        assert not seen.components
        assert not seen.unsure


@pytest.mark.thorough
def test_a_card_in_the_hand_is_as_large_as_any(observer: Observer) -> None:
    """Seen from as near as a phone may be held: the card is larger than the photo."""
    lying = Lying(card(4), (0, 0))
    seen = observer.observe(photo(camera(WIDE, 0.95 * CARD[1]), WIDE, [Lying(lying.face, (0, 0), 90)], 8))
    assert names(seen) == ["card-4"]


@pytest.mark.parametrize(
    ("marked", "free", "likeness", "surely", "why"),
    [
        (False, 0.2, 0.81, 0.29, UNFIT),
        (False, 0.2, 0.83, 0.29, ""),
        (False, 0.2, 0.81, 0.31, ""),
        (False, 0.5, 0.81, 0.29, ""),
        (True, 0.2, 0.81, 0.29, ""),
    ],
)
def test_a_strip_must_be_plainer_where_no_markers_tell_how_it_lies(
    monkeypatch: pytest.MonkeyPatch, marked: bool, free: float, likeness: float, surely: float, why: str
) -> None:
    """Titles and frames of trading cards look much alike, and a strip shows little else."""
    monkeypatch.setattr(doubts, "doubt", lambda verdict, blur: "")
    photo = SimpleNamespace(plane=SimpleNamespace(marked=marked), blur=0.0)
    judge = Judge(cast(Examiner, SimpleNamespace(photo=photo, taken=None)), {})
    verdict = SimpleNamespace(free=free, likeness=likeness, surely=surely)
    assert judge.doubt(cast(Verdict, verdict)) == why


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("step", "turn"),
    [(22.0, 10.0), (16.0, 8.0), (25.0, 15.0)],
)
def test_a_fan_is_read_beside_markers(step: float, turn: float) -> None:
    """Each card lies turned against those on it, and what is seen around its features is mostly theirs."""
    faces = {face.name: FaceImage(face.image, CARD) for face in deck(24).faces}
    fan = tuple(Placed(f"card-{k}", (250.0 + step * k, 250.0 - 6 * k), turn * k) for k in range(6))
    seen = Observer(deck(24)).observe(SimulatedTable(faces, 3).render(Scene(fan)))
    assert names(seen) == [f"card-{k}" for k in range(6)]
