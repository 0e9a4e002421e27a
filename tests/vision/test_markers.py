"""Markers are found where a person reads them with ease, and where they are: on soft and on bright photos."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from tests.bench.tables import look, photo
from vision import bleeding, plane
from vision.plane import DICTIONARY, Marker, MarkerFinder, solve
from vision.simulated import Look, Scene, SimulatedTable


def found(number: int, seed: int) -> tuple[tuple[Marker, ...], dict[int, np.ndarray]]:
    """The markers found on a table drawn by lot, and where they are."""
    image, truth = photo(House.of("rapa-nui"), number, seed)
    there = {marker["id"]: np.array(marker["corners_px"]) for marker in truth["markers"]}
    return MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)), there


@pytest.mark.parametrize(("number", "seed", "least"), [(425, 3, 4), (425, 0, 4), (425, 11, 3)])
def test_markers_are_found_on_soft_and_on_bright_photos(number: int, seed: int, least: int) -> None:
    markers, there = found(number, seed)
    assert len(markers) >= least
    for marker in markers:
        assert np.abs(np.array(marker.corners) - there[marker.id]).max() < 2.5


def test_no_markers_are_found_where_there_are_none() -> None:
    image, truth = photo(House.of("maori"), 425, 7)
    for marker in truth["markers"]:
        x, y = np.array(marker["corners_px"]).mean(axis=0).astype(int).tolist()
        cv2.circle(image, (x, y), 60, (120, 130, 140), -1)
    assert MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)) == ()


def marked(exposure: float, seed: int) -> np.ndarray:
    """A table with nothing but markers, in a light."""
    own = replace(look(np.random.default_rng((79, seed))), exposure=exposure)
    image = SimulatedTable({}, seed=seed, look=own).render(Scene())
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def sizes(monkeypatch: pytest.MonkeyPatch, finder: MarkerFinder) -> list[int]:
    """The widths of the pictures that a finder will search, as it goes on."""
    searched, widths = finder._searched, list[int]()

    def noted(grey: np.ndarray, *how: object) -> dict[int, np.ndarray]:
        widths.append(grey.shape[1])
        return searched(grey, *how)

    monkeypatch.setattr(finder, "_searched", noted)
    return widths


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_known_markers_sought_at_half_the_size_lie_where_all_of_the_photo_shows_them(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    grey, finder = marked(0.9, seed), MarkerFinder()
    every = finder.find(grey, again=True)
    assert len(every) == 4
    widths = sizes(monkeypatch, finder)
    assert finder.find(grey, again=True) == every
    assert len(widths) == 5
    assert max(widths) < grey.shape[1]


def test_a_marker_that_half_the_size_does_not_show_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    grey, finder = marked(0.9, 0), MarkerFinder()
    every = finder.find(grey, again=True)
    assert len(every) == 4
    assert (
        len(finder._searched(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), 0.02, (13, 13))) == 3
    )
    monkeypatch.setattr(plane, "ENOUGH", 3)
    assert finder.find(grey, again=True) == every


@pytest.mark.parametrize("again", [False, True])
def test_a_table_of_which_nothing_is_known_is_searched_at_full_size(
    monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    grey, finder = marked(0.9, 1), MarkerFinder()
    finder.find(grey, again=True)
    finder.forget()
    widths = sizes(monkeypatch, finder)
    finder.find(grey, again=again)
    assert widths == [grey.shape[1]]


def test_photos_that_somebody_chose_are_searched_at_full_size(monkeypatch: pytest.MonkeyPatch) -> None:
    grey, finder = marked(0.9, 1), MarkerFinder()
    finder.find(grey, again=True)
    widths = sizes(monkeypatch, finder)
    finder.find(grey)
    assert widths == [grey.shape[1]]


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(4))
def test_strong_light_makes_no_table_larger(seed: int) -> None:
    """Paper brighter than the brightest byte shines into a marker's black, which then seems smaller."""

    def apart(exposure: float) -> float:
        """How far the outermost markers are from each other, mm."""
        grey = marked(exposure, seed)
        table, left_out = solve(MarkerFinder().find(grey), (grey.shape[1], grey.shape[0]))
        assert table is not None
        assert not left_out
        places = table.to_mm([np.mean(m.corners, axis=0) for m in MarkerFinder().find(grey)])
        return float(np.linalg.norm(places[:, None] - places, axis=2).max())

    assert apart(3.0) == pytest.approx(apart(0.9), rel=0.007)


def drawn(number: int, side: int, paper: int, blur: float) -> np.ndarray:
    """A marker on paper in the middle of a grey picture, blurred before it is cut off at white."""
    marker = np.pad(cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, side), 20)
    marker[:20], marker[-20:], marker[:, :20], marker[:, -20:] = 255, 255, 255, 255
    light = cv2.GaussianBlur(np.where(marker > 0, (paper / 255) ** 2.2, 0.01), (0, 0), blur)
    return np.rint(255 * np.minimum(1, light) ** (1 / 2.2)).astype(np.uint8)


@pytest.mark.parametrize("paper", [200, 330, 420])
@pytest.mark.parametrize("number", [0, 3, 17])
def test_a_markers_corners_lie_where_they_do_in_less_light(paper: int, number: int) -> None:
    seen = MarkerFinder().find(drawn(number, 60, paper, 1.5))
    truth = np.array([(19.5, 19.5), (79.5, 19.5), (79.5, 79.5), (19.5, 79.5)])
    assert [m.id for m in seen] == [number]
    assert np.abs(np.array(seen[0].corners) - truth).max() < 0.25


@pytest.mark.parametrize("shade", [90, 255])
def test_where_no_cells_are_seen_corners_stay(shade: int) -> None:
    quad = np.array([(10.0, 10.0), (40.0, 11.0), (41.0, 40.0), (9.0, 41.0)])
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), 2, bleeding.CELLS) > 0
    assert bleeding.widened(np.full((50, 50), shade, np.uint8), quad, cells) is quad


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_small_markers_on_a_soft_photo_are_found(seed: int) -> None:
    """Of 24 px, each black and white square 4 px wide, softened by 1.2 px: fewer than two were seen of such."""
    soft = Look(blur_px=1.2, roll_deg=43.0, tilt_deg=(4.0, -3.0), exposure=0.9, surface="slate")
    table = SimulatedTable({}, seed=seed, size_px=(1280, 720), look=soft)
    grey = np.asarray(cv2.cvtColor(table.render(Scene()), cv2.COLOR_BGR2GRAY), np.uint8)
    there = {marker["id"]: np.array(marker["corners_px"]) for marker in table.truth(Scene())["markers"]}
    finder = MarkerFinder()
    assert len(finder._searched(grey, plane.LEAST_PERIMETER)) < 2, "or it is found without"
    markers = finder.find(grey)
    assert len(markers) >= 3
    for marker in markers:
        assert np.abs(np.array(marker.corners) - there[marker.id]).max() < 1.5
    assert len(finder.find(grey, whole=False)) < 2
