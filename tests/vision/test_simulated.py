"""The simulated table: its pictures agree with its truth, and drawing in parts gives the same as drawing all."""

from __future__ import annotations

import dataclasses
import math

import cv2
import numpy as np
import pytest

from vision.simulated import (
    BeadAt,
    FaceImage,
    HandAt,
    Image,
    Look,
    PieceAt,
    Placed,
    Scene,
    SimulatedTable,
    View,
)
from vision.simulated.pieces import PAINT, SHAPES
from vision.simulated.surface import SURFACES
from vision.simulated.table import _changed, _merged

SIZE = (960, 540)
QUIET = Look(noise=0.0)


def quarters(*colours: tuple[int, int, int]) -> FaceImage:
    """A card whose four quarters have these colours, from the top left, reading order."""
    image = np.zeros((118, 182, 3), np.uint8)
    for i, colour in enumerate(colours):
        image[59 * (i // 2) : 59 * (i // 2 + 1), 91 * (i % 2) : 91 * (i % 2 + 1)] = colour
    return FaceImage(image, (91.0, 59.0))


FACES = {
    "house": quarters((40, 40, 220), (40, 200, 40), (220, 60, 40), (30, 220, 230)),
    "ship": quarters((200, 200, 200), (60, 60, 60), (60, 60, 60), (200, 200, 200)),
}
SCENE = Scene(
    cards=(Placed("house", (250.0, 200.0), 12.0), Placed("ship", (450.0, 300.0), 90.0)),
    beads=(BeadAt("red", (600.0, 200.0)), BeadAt("blue", (640.0, 200.0)), BeadAt("green", (610.0, 330.0))),
)
PIECES = (
    PieceAt("moai-size-3", (800.0, 120.0), 10.0),
    PieceAt("headdress", (800.0, 120.0), base_mm=43.0),
    PieceAt("chief", (770.0, 130.0), 40.0, "blue"),
)


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(FACES, seed=5, size_px=SIZE, look=QUIET)


def at(image: Image, point: tuple[float, float]) -> np.ndarray:
    return image[round(point[1]), round(point[0])].astype(int)


def test_markers_are_found_where_the_truth_says(table: SimulatedTable) -> None:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    found, ids, _ = detector.detectMarkers(table.render(Scene()))
    truth = {m["id"]: np.array(m["corners_px"]) for m in table.truth(Scene())["markers"]}
    assert sorted(ids.ravel().tolist()) == sorted(truth) == [0, 1, 2, 3]
    for quad, number in zip(found, ids.ravel(), strict=True):
        assert np.linalg.norm((quad[0] - truth[int(number)]).mean(axis=0)) < 0.5
        assert np.linalg.norm(quad[0] - truth[int(number)], axis=1).max() < 2  # so turned as it is


def test_a_card_lies_as_its_corners_say(table: SimulatedTable) -> None:
    """The quarter next to the first corner has the colour of the face's top left, and so on clockwise."""
    image = table.render(SCENE)
    corners = np.array(table.truth(SCENE)["components"][0]["corners_px"])
    middle = corners.mean(axis=0)
    seen = [at(image, tuple(middle + 0.5 * (corner - middle))) for corner in corners]
    bright = [tuple((colour > 110).tolist()) for colour in seen]
    red, green, yellow, blue = (False, False, True), (False, True, False), (False, True, True), (True, False, False)
    assert bright == [red, green, yellow, blue]  # clockwise: the lower right quarter comes third


def test_a_bead_stands_where_the_truth_says_and_has_its_colour(table: SimulatedTable) -> None:
    image = table.render(SCENE)
    for bead, channel in zip(table.truth(SCENE)["beads"], (2, 0, 1), strict=True):
        x, y = bead["centre_px"]
        disc = np.zeros(image.shape[:2], np.uint8)
        cv2.circle(disc, (round(x), round(y)), 4, 255, cv2.FILLED)
        colour = np.median(image[disc > 0], axis=0)
        assert colour.argmax() == channel, bead
        assert colour[channel] > 1.4 * np.delete(colour, channel).max(), bead


def test_drawing_what_changed_gives_the_same_picture_as_drawing_everything() -> None:
    moves = (
        SCENE,
        dataclasses.replace(SCENE, cards=(*SCENE.cards, Placed("ship", (270.0, 220.0), 45.0))),  # covers another
        dataclasses.replace(SCENE, cards=SCENE.cards[::-1]),
        dataclasses.replace(SCENE, beads=SCENE.beads[1:]),
        dataclasses.replace(SCENE, cards=SCENE.cards[:1], beads=(*SCENE.beads, BeadAt("red", (250.0, 200.0)))),
        dataclasses.replace(SCENE, clutter=(Placed("phone", (700.0, 300.0), 30.0),)),
        dataclasses.replace(SCENE, pieces=(*PIECES[:1], PieceAt("die", (608.0, 206.0), 20.0, value=3))),
        dataclasses.replace(SCENE, pieces=PIECES),
    )
    one = SimulatedTable(FACES, seed=5, size_px=SIZE, look=QUIET)
    for scene in moves:
        fresh = SimulatedTable(FACES, seed=5, size_px=SIZE, look=QUIET)
        assert np.array_equal(one.render(scene), fresh.render(scene))


def test_equal_seeds_give_equal_pictures_and_no_two_frames_are_alike() -> None:
    first, second, other = (SimulatedTable(FACES, seed=s, size_px=SIZE) for s in (1, 1, 2))
    frame = first.render(SCENE)
    assert np.array_equal(frame, second.render(SCENE))
    assert not np.array_equal(frame, first.render(SCENE))  # the sensor's noise
    assert not np.array_equal(frame, other.render(SCENE))


def test_noise_has_the_strength_asked_for() -> None:
    still = SimulatedTable({}, size_px=SIZE, look=Look(noise=3.0))
    step = still.render(Scene()).astype(float) - still.render(Scene())
    assert 2.0 < step.std() / math.sqrt(2) < 4.5


def test_what_is_covered_is_seen_less(table: SimulatedTable) -> None:
    over = Scene(cards=(Placed("house", (300.0, 200.0)), Placed("ship", (345.5, 200.0))))
    lower, upper = table.truth(over)["components"]
    assert upper["visible"] == pytest.approx(1.0, abs=0.03)
    assert lower["visible"] == pytest.approx(0.5, abs=0.03)


def test_a_hand_hides_what_is_under_it_and_comes_from_where_it_says(table: SimulatedTable) -> None:
    hand = dataclasses.replace(SCENE, hands=(HandAt((600.0, 180.0), 180.0),))
    truth = table.truth(hand)  # fingers over the red bead, the arm over the green one
    assert [b["hidden"] for b in truth["beads"]] == [True, False, True]
    assert truth["components"][0]["visible"] == pytest.approx(1.0, abs=0.02)
    changed = np.abs(table.render(hand).astype(int) - table.render(SCENE)).max(axis=2) > 20
    assert changed[-1].any()  # the arm leaves by the lower edge
    assert not changed[0].any()
    assert not changed[:, : SIZE[0] // 3].any()


def test_a_hand_outside_the_picture_changes_nothing(table: SimulatedTable) -> None:
    away = dataclasses.replace(SCENE, hands=(HandAt((-4000.0, -4000.0), 0.0),))
    assert np.array_equal(table.render(away), table.render(SCENE))
    assert table.truth(away) == table.truth(SCENE)


def test_light_makes_the_picture_darker(table: SimulatedTable) -> None:
    usual, dim = (float(table.render(dataclasses.replace(SCENE, light=light)).mean()) for light in (1.0, 0.6))
    assert dim == pytest.approx(0.6 ** (1 / 2.2) * usual, rel=0.02)


def test_clutter_is_drawn_but_never_true(table: SimulatedTable) -> None:
    littered = dataclasses.replace(SCENE, clutter=(Placed("cup", (700.0, 400.0)), Placed("paper", (200.0, 400.0))))
    assert not np.array_equal(table.render(littered), table.render(SCENE))
    assert [c["component"] for c in table.truth(littered)["components"]] == ["house", "ship"]


@pytest.mark.parametrize("surface", sorted(SURFACES))
def test_every_table_top_can_be_seen(surface: str) -> None:
    image = SimulatedTable({}, size_px=(480, 270), look=Look(surface=surface)).render(Scene())
    assert 25 < image.mean() < 235
    assert image.std() > 4


def test_unknown_names_are_refused_with_those_that_exist(table: SimulatedTable) -> None:
    with pytest.raises(ValueError, match=r"moon.*oak"):
        SimulatedTable({}, size_px=SIZE, look=Look(surface="moon"))
    with pytest.raises(ValueError, match="no face is called 'dragon'"):
        table.render(Scene(cards=(Placed("dragon", (0.0, 0.0)),)))
    with pytest.raises(ValueError, match="no glass is 'pink'"):
        table.render(Scene(beads=(BeadAt("pink", (0.0, 0.0)),)))
    with pytest.raises(ValueError, match=r"no piece is called 'dragon'.*worker"):
        table.render(Scene(pieces=(PieceAt("dragon", (0.0, 0.0)),)))
    with pytest.raises(ValueError, match="no paint is 'pink'"):
        table.render(Scene(pieces=(PieceAt("worker", (0.0, 0.0), colour="pink"),)))
    with pytest.raises(ValueError, match="no die shows 9"):
        table.render(Scene(pieces=(PieceAt("die", (0.0, 0.0), value=9),)))
    table.render(Scene())  # a refused scene leaves the table as it was


@pytest.mark.parametrize("look", [Look(), Look(tilt_deg=(-12.0, 9.0), roll_deg=180.0, distortion=(-0.12, 0.03))])
def test_every_pixel_knows_its_place_on_the_table(look: Look) -> None:
    view = View.over(look, SIZE)
    x, y = view.plane()
    rng = np.random.default_rng(0)
    columns, rows = rng.integers(0, SIZE[0], 300), rng.integers(0, SIZE[1], 300)
    back = view.project(np.stack([x[rows, columns], y[rows, columns]], axis=1))
    assert np.abs(back - np.stack([columns, rows], axis=1)).max() < 0.02


def test_the_higher_the_further_from_the_middle() -> None:
    view = View.over(Look(tilt_deg=(0.0, 0.0)), SIZE)
    foot, head = view.project(np.array([[800.0, 500.0, 0.0], [800.0, 500.0, 60.0]]))
    middle = np.array(SIZE) / 2
    assert np.linalg.norm(head - middle) > np.linalg.norm(foot - middle) + 5


@pytest.mark.parametrize("name", sorted(SHAPES))
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_a_piece_is_drawn_from_its_foot_to_its_top_in_its_colour(table: SimulatedTable, name: str, colour: str) -> None:
    scene = Scene(pieces=(PieceAt(name, (780.0, 430.0), 0.0, colour),))
    (piece,) = table.truth(scene)["pieces"]
    changed = np.abs(table.render(scene).astype(int) - table.render(Scene())).max(axis=2) > 60
    for point in (piece["centre_px"], piece["top_px"]):
        assert at(np.dstack([changed * 255] * 3).astype(np.uint8), point)[0] == 255, point
    middle = np.array(SIZE) / 2
    foot, top = np.array(piece["centre_px"]), np.array(piece["top_px"])
    assert np.linalg.norm(top - middle) > np.linalg.norm(foot - middle)  # it leans outwards
    seen = np.median(table.render(scene)[changed], axis=0)
    assert seen.argmax() == {"red": 2, "blue": 0}[colour]


def test_a_die_shows_as_many_pips_as_it_says() -> None:
    """Seen from straight above the pips of the top are the only dark spots."""
    close = Look(table_mm=(200.0, 120.0), tilt_deg=(0.0, 0.0), roll_deg=0.0, noise=0.0, distortion=(0.0, 0.0))
    table = SimulatedTable({}, seed=1, size_px=SIZE, look=close)
    for value in range(1, 7):
        scene = Scene(pieces=(PieceAt("die", (100.0, 60.0), 30.0, "white", value),))
        (truth,) = table.truth(scene)["pieces"]
        assert truth["value"] == value
        u, v = (round(c) for c in truth["top_px"])
        reach = round(5.4 * table.view.scale(100.0, 60.0, 14.0))
        grey = cv2.cvtColor(table.render(scene)[v - reach : v + reach, u - reach : u + reach], cv2.COLOR_BGR2GRAY)
        count, _ = cv2.connectedComponents((grey < 110).astype(np.uint8))
        assert count - 1 == value


def test_what_is_nearer_to_the_camera_leans_over_what_is_further(table: SimulatedTable) -> None:
    """A headdress on a Moai is drawn over it, whatever the order in the scene."""
    scenes = [Scene(pieces=pieces) for pieces in (PIECES, PIECES[::-1])]
    assert np.array_equal(*(table.render(scene) for scene in scenes))
    top = table.truth(scenes[0])["pieces"][1]["top_px"]
    seen, paint = at(table.render(scenes[1]), tuple(top)), PAINT["red-brown"]
    assert seen[2] > 1.5 * seen[0]
    assert paint[2] > 1.5 * paint[0]


def test_a_piece_covers_the_card_behind_it(table: SimulatedTable) -> None:
    card = Scene(cards=(Placed("house", (780.0, 430.0)),))
    covered = dataclasses.replace(card, pieces=(PieceAt("moai-size-3", (770.0, 425.0)),))
    assert table.truth(card)["components"][0]["visible"] > 0.97
    assert table.truth(covered)["components"][0]["visible"] < 0.9


def test_changes_are_what_differs_or_lies_in_another_order() -> None:
    assert _changed("abc", "abc") == set()
    assert _changed("abc", "abd") == {"c", "d"}
    assert _changed("abc", "acb") == {"a", "b", "c"}
    assert _changed("aab", "ab") == {"a"}


def test_merged_windows_cover_the_same_and_do_not_overlap() -> None:
    assert _merged([(0, 0, 2, 2), (1, 1, 4, 4), (9, 9, 9, 12)]) == [(0, 0, 4, 4)]
    assert sorted(_merged([(0, 0, 2, 2), (5, 5, 6, 6), (1, 0, 5, 1)])) == [(0, 0, 5, 2), (5, 5, 6, 6)]
