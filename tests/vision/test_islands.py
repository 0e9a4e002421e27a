"""Tiles that are nearly the same, taught a little askew; and what only its edges tell where it lies."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from tests.bench.truth import claims
from tests.vision.islands import PX, SIDE, SIZE, askew, tiles
from vision import judge
from vision.deck import Deck, Face
from vision.doubts import PLAIN_ASIDE, UNFIT
from vision.gallery import Gallery
from vision.judge import Judge
from vision.observe import Observer
from vision.outlines import Free, Outlines
from vision.photo import Pose
from vision.simulated import FaceImage, HandAt, Look, Placed, Scene, SimulatedTable
from vision.tried import one_place
from vision.verdict import Verdict
from vision.verify import Examiner


def told(deck: Deck, faces: Mapping[str, FaceImage], laid: Sequence[Placed], seed: int, look: Look) -> list[bool]:
    """Whether each component that is told of a drawn table is right."""
    scene, table = Scene(tuple(laid)), SimulatedTable(faces, seed, look=look)
    seen = Observer(deck, ()).observe(table.render(scene))
    return [c.right for c in claims(seen, table.truth(scene), deck) if c.sort == "component"]


@pytest.mark.thorough
def test_a_place_fitted_to_a_wrong_tile_is_fitted_to_those_that_may_lie_there_as_well() -> None:
    faces = tiles(40)
    skewed = tuple(Face(n, "tile", SIZE, askew(face.image, i), PX) for i, (n, face) in enumerate(faces.items()))
    deck = Deck("islands", skewed)
    rng, step = np.random.default_rng((13, 0)), SIDE + 0.6
    for _ in range(2):  # on the second of these tables one was told that lies elsewhere
        names = rng.permutation(list(faces))[:24]
        turns = [float(rng.choice((0, 90, 180, 270))) for _ in names]
    laid = [
        Placed(str(name), (230.0 + step * (i % 6), 120.0 + step * (i // 6)), turn)
        for i, (name, turn) in enumerate(zip(names, turns, strict=True))
    ]
    right = told(deck, faces, laid, 21, Look(noise=5.0, blur_px=1.6))
    assert right.count(False) == 0
    assert sum(right) > 18


@pytest.mark.thorough
def test_what_fits_none_too_well_is_held_against_all_that_fit_a_little_aside() -> None:
    faces = tiles(60)
    taught = (Face(n, "tile", SIZE, askew(f.image, 4000 + i), PX) for i, (n, f) in enumerate(faces.items()))
    deck = Deck("islands", tuple(taught))
    rng = np.random.default_rng((9, 4))
    names, step = rng.permutation(list(faces))[:24], SIDE + 3
    laid = []
    for i, name in enumerate(names):
        x, y = 230.0 + step * (i % 6) + rng.normal(0, 1), 120.0 + step * (i // 6) + rng.normal(0, 1)
        laid.append(Placed(str(name), (float(x), float(y)), float(rng.choice((0, 90, 180, 270)) + rng.normal(0, 2))))
    right = told(deck, faces, laid, 4, Look(noise=4.0, blur_px=1.3))
    assert right.count(False) == 0
    assert sum(right) > 21


@pytest.mark.thorough
def test_a_tile_with_little_print_that_lies_beside_where_its_edges_are_seen_is_found() -> None:
    house = House.of("maori")
    water = sorted(name for name in house.faces if name.startswith("water"))
    rng = np.random.default_rng(12)
    laid = [Placed("board", (250.0, 280.0)), Placed("board", (620.0, 280.0))]
    for left in (260.0, 630.0):
        for i, j in ((i, j) for i in range(4) for j in range(4) if (i + j) % 2 == 0):
            name = str(rng.choice(water))
            x, y = left + 39 * (i - 1.5) + rng.normal(0, 1), 280.0 + 39 * (j - 1.5) + rng.normal(0, 1)
            laid.append(Placed(name, (float(x), float(y)), float(rng.choice((0, 90, 180, 270)) + rng.normal(0, 3))))
    look = Look(surface="walnut", noise=2.0, blur_px=1.0)
    assert told(house.deck, house.faces, laid, 12, look) == [True] * len(laid)


@pytest.mark.thorough
def test_rectangles_are_fitted_once_however_often_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board's fields look like tiles that are not found: each is looked at, but not after every tile again."""
    house = House.of("maori")
    water = sorted(name for name in house.faces if name.startswith("water"))[:6]
    at = ((0, 0), (0, 2), (1, 1), (2, 2), (3, 1), (3, 3))
    laid = [Placed(name, (200.0 + 39 * i, 200.0 + 39 * j)) for name, (i, j) in zip(water, at, strict=True)]
    began: list[Pose] = []
    fitted = Outlines.fitted

    def noted(outlines: Outlines, pose: Pose, free: Free | None = None) -> Pose:
        began.append(pose)
        return fitted(outlines, pose, free)

    monkeypatch.setattr(Outlines, "fitted", noted)
    assert told(house.deck, house.faces, [Placed("board", (258.5, 258.5)), *laid], 3, Look()) == [True] * 7
    again = sum(any(one_place(pose, other) for other in began[:i]) for i, pose in enumerate(began))
    assert again <= 0.2 * len(began)


@pytest.mark.thorough
@pytest.mark.parametrize(("tip", "turn"), [((284.0, 281.0), 3.0), ((290.0, 289.0), 3.4)])
def test_a_back_of_fine_lines_beside_a_hand_is_found_by_its_edges(tip: tuple[float, float], turn: float) -> None:
    house = House.of("rapa-nui")
    laid = Placed("offering-back", (300.0, 300.0), turn), Placed("priest", (600.0, 300.0))
    scene = Scene(laid, hands=(HandAt(tip, 60.0),))
    table = SimulatedTable(house.faces, 1, look=Look(surface="walnut", noise=3.2, blur_px=1.1, exposure=0.85))
    seen = Observer(house.deck, ()).observe(table.render(scene))
    assert {c.component for c in seen.components} == {"rapa-nui/offering-back", "rapa-nui/priest"}


@pytest.mark.thorough
@pytest.mark.parametrize(("tip", "arm", "noise"), [((284.0, 276.0), 30.0, 4.0), ((280.0, 272.0), 60.0, 4.0)])
def test_print_so_fine_that_nothing_of_it_is_seen_half_a_line_off_is_found_beside_a_hand(
    tip: tuple[float, float], arm: float, noise: float
) -> None:
    """Its edges tell its place to a millimetre, which is not near enough."""
    house = House.of("rapa-nui")
    laid = Placed("offering-back", (300.0, 300.0), 3.2), Placed("priest", (600.0, 300.0))
    scene = Scene(laid, hands=(HandAt(tip, arm),))
    table = SimulatedTable(house.faces, 1, look=Look(surface="walnut", noise=noise, blur_px=1.6, exposure=0.85))
    seen = Observer(house.deck, ()).observe(table.render(scene))
    assert {c.component for c in seen.components} == {"rapa-nui/offering-back", "rapa-nui/priest"}


@pytest.mark.thorough
@pytest.mark.parametrize(("tip", "noise"), [((280.0, 272.0), 9.0), ((272.0, 262.0), 12.0)])
def test_what_is_like_a_face_and_goes_on_under_a_hand_is_asked_about(tip: tuple[float, float], noise: float) -> None:
    """On a soft and grainy photo fine print is not like enough to be told: nor is it passed over."""
    house = House.of("rapa-nui")
    laid = Placed("offering-back", (300.0, 300.0), 3.2), Placed("priest", (600.0, 300.0))
    scene = Scene(laid, hands=(HandAt(tip, 60.0),))
    table = SimulatedTable(house.faces, 1, look=Look(surface="walnut", noise=noise, blur_px=2.2, exposure=0.85))
    seen = Observer(house.deck, ()).observe(table.render(scene))
    assert [doubt.candidates[0][0] for doubt in seen.unsure] == ["rapa-nui/offering-back"]


@pytest.mark.parametrize(("sort", "steady"), [("colour", True), ("lines", False)])
def test_what_a_colour_tells_is_told_a_little_aside_as_well_and_what_lines_tell_is_not(
    monkeypatch: pytest.MonkeyPatch, sort: str, steady: bool
) -> None:
    """Of two tiles one has another colour, or the same lines a little farther on."""
    n = round(SIDE * PX)
    one = np.full((n, n, 3), (190, 205, 215), np.uint8)
    cv2.circle(one, (n // 2, n // 3), n // 8, (60, 60, 60), -1, cv2.LINE_AA)
    other = one.copy()
    for i, image in enumerate((one, other)):
        if sort == "colour":
            cv2.rectangle(image, (n // 5, n // 2), (4 * n // 5, 4 * n // 5), ((60, 60, 200), (60, 170, 60))[i], -1)
        else:
            for x in (30, 46, 57, 80, 88, 107):
                cv2.line(image, (x + i * PX, n // 2), (x + i * PX, 4 * n // 5), (60, 60, 60), PX)
    faces = {"one": FaceImage(one, SIZE, kind="tile"), "other": FaceImage(other, SIZE, kind="tile")}
    least: list[float] = []
    told = Judge.told

    def heard(judge: Judge, verdict: Verdict) -> object:
        swayed = judge.examiner._swayed(verdict.view, verdict.gallery, verdict.refuted)
        least.append(min(rival.aside for rival, _ in swayed if rival.name != verdict.name))
        return told(judge, verdict)

    monkeypatch.setattr(Judge, "told", heard)
    deck = Deck("twins", tuple(Face(name, "tile", SIZE, face.image, PX) for name, face in faces.items()))
    laid = Scene((Placed("one", (300.0, 250.0), 3.0), Placed("other", (450.0, 250.0), 0.0)))
    seen = Observer(deck, ()).observe(SimulatedTable(faces, 1, look=Look(noise=2.0)).render(laid))
    assert len(seen.components) == 2
    assert (min(least) > PLAIN_ASIDE) == steady


@pytest.mark.parametrize(("other", "why", "looks"), [(False, "", 0), (True, "", 1), (False, UNFIT, 2)])
def test_around_what_hardly_fits_another_face_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, other: bool, why: str, looks: int
) -> None:
    """Where the face itself is likeliest, it is that, off its place: only in doubt that is looked at once more."""
    monkeypatch.setattr(judge, "lies_open", lambda verdict: True)
    monkeypatch.setattr(Judge, "doubt", lambda *_: why)
    pose = Pose(SIZE, 100.0, 100.0, 0.0)
    gallery = SimpleNamespace(light=None)
    there = pose.moved(4.0, 0.0)
    asked: list[Pose] = []

    def glance(place: Pose, *_: object) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], int]:
        return np.array([0.5, 0.8 if other and place == there else 0.3]), -1

    def examine(place: Pose, *_: object) -> SimpleNamespace:
        asked.append(place)
        return SimpleNamespace(quality=0.9)

    verdict = SimpleNamespace(
        quality=0.7, gallery=gallery, pose=pose, view=SimpleNamespace(pose=pose, fit=0.8, entry=0)
    )
    examiner = cast(Examiner, SimpleNamespace(glance=glance, examine=examine, taken=None))
    better = Judge(examiner, {SIZE: cast(Gallery, gallery)})._beside_itself(cast(Verdict, verdict))
    assert len(asked) == looks
    assert (there in asked) == other
    assert better.quality == (0.9 if looks else 0.7)
