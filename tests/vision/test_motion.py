"""The gate: what moves, rests, flickers, fades or is swapped, and whether the gate says so."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest

from vision.camera import Frame
from vision.motion import Moment, Motion, Rect, Tuning
from vision.simulated import BeadAt, FaceImage, HandAt, Image, Look, Placed, Scene, SimulatedTable

SIZE = (1280, 720)
STEP = 0.1
RNG = np.random.default_rng(4)
FACE = RNG.integers(0, 255, (12, 18, 3)).astype(np.uint8).repeat(20, axis=0).repeat(20, axis=1)
TWIN = FACE.copy()
TWIN[100:120, 180:200] = 255 - TWIN[100:120, 180:200]  # 5 × 5 mm of 91 × 59 differ
FACES = {"card": FaceImage(FACE, (91.0, 59.0)), "twin": FaceImage(TWIN, (91.0, 59.0))}
SCENE = Scene(
    cards=tuple(Placed("card", (150.0 + 110 * i, 200.0), 1.0) for i in range(4)),
    beads=tuple(BeadAt("green", (200.0 + 45 * i, 400.0)) for i in range(6)),
)
ARM = HandAt((420.0, 380.0), 180.0)


class Watch:
    """A table, a camera above it, and the gate, in step."""

    def __init__(self, look: Look | None = None, tuning: Tuning | None = None, seed: int = 1) -> None:
        self.table = SimulatedTable(FACES, seed, SIZE, look or Look())
        self.motion = Motion(tuning)
        self.clock = itertools.count()

    def see(self, scene: Scene, frames: int, change: Callable[[Image, int], Image] | None = None) -> list[Moment]:
        moments = []
        for _ in range(frames):
            n = next(self.clock)
            image = self.table.render(scene)
            moments.append(self.motion.feed(Frame(change(image, n) if change else image, n * STEP)))
        return moments

    def where(self, x: float, y: float) -> tuple[float, float]:
        u, v = self.table.view.project(np.array([[x, y]]))[0].tolist()
        return u, v


@pytest.fixture(scope="module")
def shared() -> Watch:
    return Watch()


@pytest.fixture
def watch(shared: Watch) -> Watch:
    """The shared table with a gate that has settled on SCENE."""
    shared.motion.forget()
    shared.see(SCENE, 8)
    return shared


def story(moments: Iterable[Moment]) -> str:
    """M moving, - waiting, S settled."""
    return "".join("M" if m.moving else "S" if m.settled else "-" for m in moments)


def told(moments: Iterable[Moment]) -> list[Rect]:
    return [rect for m in moments for rect in m.changed]


def holds(rects: Sequence[Rect], point: tuple[float, float]) -> bool:
    return any(left <= point[0] < right and top <= point[1] < bottom for left, top, right, bottom in rects)


def test_a_still_table_settles_and_everything_is_new_once() -> None:
    moments = Watch().see(SCENE, 12)
    assert story(moments) == "M----SSSSSSS"
    assert told(moments) == [(0, 0, *SIZE)]
    assert moments[5].changed


def test_only_where_a_bead_was_taken_has_changed(watch: Watch) -> None:
    moments = watch.see(dataclasses.replace(SCENE, beads=SCENE.beads[:-1]), 10)
    assert story(moments) == "M----SSSSS"
    (rect,) = told(moments)
    assert holds([rect], watch.where(425, 400))
    assert (rect[2] - rect[0]) * (rect[3] - rect[1]) < 90 * 90


@pytest.mark.quick(2)
@pytest.mark.parametrize("surface", ["oak", "walnut", "cloth", "linen", "slate"])
def test_a_bead_of_any_colour_is_noticed_on_any_table(surface: str) -> None:
    watch = Watch(Look(surface=surface, noise=3.0))
    watch.see(SCENE, 8)
    for i, colour in enumerate(("green", "red", "yellow", "blue")):
        more = dataclasses.replace(SCENE, beads=(*SCENE.beads, BeadAt(colour, (500.0 + 60 * i, 300.0))))
        assert holds(told(watch.see(more, 8)), watch.where(500 + 60 * i, 300)), colour
        watch.see(SCENE, 8)


def test_two_changes_are_two_rectangles(watch: Watch) -> None:
    cards = (Placed("card", (150.0, 320.0)), *SCENE.cards[1:])
    rects = told(watch.see(dataclasses.replace(SCENE, cards=cards), 10))
    for y in (200.0, 320.0):
        assert holds(rects, watch.where(150, y))
    assert not holds(rects, watch.where(370, 200))
    assert not holds(rects, watch.where(290, 400))


@pytest.mark.parametrize("noise", [1.0, 3.0, 6.0])
def test_what_lies_beside_a_card_that_was_laid_has_not_changed(noise: float) -> None:
    watch = Watch(Look(noise=noise))
    watch.see(SCENE, 8)
    rects = told(watch.see(dataclasses.replace(SCENE, cards=(*SCENE.cards, Placed("card", (370.0, 270.0)))), 10))
    for x, y in itertools.product((327.0, 413.0), (243.0, 297.0)):  # its corners
        assert holds(rects, watch.where(x, y))
    for y in (231.5, 308.5):  # 9 mm beside it, beyond its shadow
        assert not holds(rects, watch.where(370, y))


@pytest.mark.quick(2)
@pytest.mark.parametrize("noise", [0.0, 2.0, 6.0, 10.0])
def test_noise_is_no_motion(noise: float) -> None:
    moments = Watch(Look(noise=noise)).see(SCENE, 60)
    assert story(moments[8:]) == "S" * 52
    assert told(moments[8:]) == []


def test_flicker_is_no_motion(watch: Watch) -> None:
    def mains(image: Image, n: int) -> Image:
        rows = np.arange(image.shape[0]) / image.shape[0]
        band = 1 + 0.05 * np.sin(2 * np.pi * (2.5 * rows + 0.37 * n))
        return np.clip(image * band[:, None, None], 0, 255).astype(np.uint8)

    watch.motion.forget()
    moments = watch.see(SCENE, 50, mains)
    assert story(moments[8:]) == "S" * 42
    assert told(moments[8:]) == []


@pytest.mark.thorough
def test_slow_light_is_no_change(watch: Watch) -> None:
    """From full light to three fifths in ten seconds, and a shadow that creeps in from one side."""

    def dusk(image: Image, n: int) -> Image:
        along = np.linspace(0, 1, image.shape[1])
        gain = 1 - min(1.0, (n - start) / 100) * (0.25 + 0.3 * along)
        return np.clip(image * gain[None, :, None], 0, 255).astype(np.uint8)

    start = next(watch.clock)
    moments = watch.see(SCENE, 120, dusk)
    assert story(moments) == "S" * 120
    assert told(moments) == []


def test_a_lamp_switched_off_is_motion_but_settles_without_forgetting_the_table(watch: Watch) -> None:
    moments = watch.see(dataclasses.replace(SCENE, light=0.8), 15)
    assert story(moments)[-5:] == "SSSSS"
    assert told(moments) == []


def test_an_arm_that_moves_is_motion(watch: Watch) -> None:
    for i in range(12):
        (moment,) = watch.see(dataclasses.replace(SCENE, hands=(HandAt((420.0, 480.0 - 12 * i), 180.0),)), 1)
        assert moment.moving


def test_an_arm_that_creeps_is_motion(watch: Watch) -> None:
    """Two millimetres a frame: less than a cell, but more and more."""
    moments = []
    for i in range(30):
        moments += watch.see(dataclasses.replace(SCENE, hands=(HandAt((420.0, 430.0 - 2 * i), 180.0),)), 1)
    assert "S" not in story(moments)


def test_an_arm_that_rests_is_no_table(watch: Watch) -> None:
    resting = watch.see(dataclasses.replace(SCENE, hands=(ARM,)), 60)
    assert "S" not in story(resting)
    assert holds(resting[-1].hands, watch.where(420, 420))
    gone = watch.see(SCENE, 10)
    assert story(gone)[-3:] == "SSS"
    assert told(gone) == []  # nothing was taken


def test_what_an_arm_took_is_told_when_it_is_gone(watch: Watch) -> None:
    left = dataclasses.replace(SCENE, beads=SCENE.beads[:-1])
    watch.see(dataclasses.replace(left, hands=(ARM,)), 20)
    rects = told(watch.see(left, 10))
    assert holds(rects, watch.where(425, 400))
    assert not holds(rects, watch.where(200, 400))


def test_a_twin_put_in_a_twins_place_by_a_hand_is_noticed(watch: Watch) -> None:
    """A difference of 5 mm is less than the gate sees at first, but the place was touched."""
    swapped = dataclasses.replace(SCENE, cards=(*SCENE.cards[:3], Placed("twin", SCENE.cards[3].centre_mm, 1.0)))
    for i in range(5):
        watch.see(dataclasses.replace(swapped, hands=(HandAt((480.0, 300.0 - 40 * i), 180.0),)), 1)
    rects = told(watch.see(swapped, 10))
    assert holds(rects, watch.where(480, 200)) or holds(rects, watch.where(480, 195))


def test_something_laid_across_the_border_is_taken_for_an_arm_only_so_long() -> None:
    watch = Watch(tuning=Tuning(hand_patience_s=2.0))
    watch.see(SCENE, 8)
    moments = watch.see(dataclasses.replace(SCENE, hands=(ARM,)), 40)
    assert "S" not in story(moments[:15])
    assert story(moments)[-5:] == "SSSSS"
    assert holds(told(moments), watch.where(420, 420))
    assert holds(moments[-1].hands, watch.where(420, 420))  # still said to lie there
    gone = watch.see(SCENE, 10)
    assert story(gone)[-3:] == "SSS"  # its leaving is not taken for another arm
    assert holds(told(gone), watch.where(420, 420))
    assert gone[-1].hands == ()


def test_a_bumped_camera_has_changed_everywhere(watch: Watch) -> None:
    moments = watch.see(SCENE, 12, lambda image, _: np.roll(image, (9, 14), axis=(0, 1)))
    assert story(moments) == "M----SSSSSSS"
    rects = told(moments)
    for x in (150.0, 480.0):
        assert holds(rects, watch.where(x, 200))


def test_after_forgetting_everything_is_new_again(watch: Watch) -> None:
    watch.motion.forget()
    assert told(watch.see(SCENE, 8)) == [(0, 0, *SIZE)]


def test_a_camera_of_another_size_begins_anew(watch: Watch) -> None:
    moments = watch.see(SCENE, 8, lambda image, _: np.ascontiguousarray(image[:540, :960]))
    assert told(moments) == [(0, 0, 960, 540)]


def test_few_frames_a_second_need_few_frames() -> None:
    watch = Watch()
    moments = []
    for second in range(4):
        moments.append(watch.motion.feed(Frame(watch.table.render(SCENE), float(second))))
    assert story(moments) == "M-SS"


@pytest.mark.parametrize("size", [(1, 1), (2, 7), (7, 2)])
def test_a_tiny_picture_is_a_picture(size: tuple[int, int]) -> None:
    motion, moments = Motion(), []
    for n in range(12):
        grey = 60 if n < 6 else 200
        moments.append(motion.feed(Frame(np.full((*size, 3), grey, np.uint8), n * STEP)))
    assert story(moments[:6]) == "M----S"
    assert moments[5].changed == ((0, 0, size[1], size[0]),)
