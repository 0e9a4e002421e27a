"""The lens that a table's calibration keeps is the one its camera is read with."""

import threading

import cv2
import numpy as np
import pytest

from calibration import layout, lens
from calibration.toml import Unreadable
from companion import serving
from companion.demo.stage import House
from companion.log import Log
from companion.optics import lens_for, marker_mm
from companion.serving import Setup, _watch
from companion.table import Table
from vision.camera import EndOfPictures
from vision.observe import Observer
from vision.simulated import Scene, SimulatedTable

SIZE = (1280, 720)
MATRIX = np.array([[985.0, 0, 641.0], [0, 985.0, 358.0], [0, 0, 1]])
DISTORTION = np.array([0.01, -0.002, 0.0004, 0.0003, 0.0])


@pytest.fixture
def calibration(tmp_path):
    lens.save(lens.Calibration(MATRIX, DISTORTION, SIZE, 0.2, {}, {}), tmp_path / "calibration")
    return tmp_path / "calibration"


@pytest.fixture(scope="module")
def house():
    return House.of("fiji")


@pytest.fixture(scope="module")
def photo(house):
    """A table on which nothing but its markers lies."""
    return SimulatedTable(house.faces, seed=3, size_px=SIZE).render(Scene())


@pytest.mark.thorough
def test_a_photo_is_read_with_the_lens_that_was_calibrated(calibration, house, photo):
    said = []
    observer = Observer(house.deck, lens=lens_for(calibration, said.append))
    for size in (SIZE, (960, 540)):
        seen = observer.observe(cv2.resize(photo, size, interpolation=cv2.INTER_AREA))
        assert np.allclose(seen.plane.lens.matrix[0, 0], 985.0 * size[0] / SIZE[0])
        assert np.array_equal(seen.plane.lens.distortion, DISTORTION)
    assert said == []


@pytest.mark.thorough
def test_photos_of_another_shape_are_read_with_an_estimate_and_that_is_said_once(calibration, house, photo):
    said = []
    observer = Observer(house.deck, lens=lens_for(calibration, said.append))
    for _ in range(2):
        seen = observer.observe(np.ascontiguousarray(photo[:, 80:-80]))
        assert seen.ok
        assert not np.array_equal(seen.plane.lens.distortion, DISTORTION)
    (told,) = said
    assert "1280 × 720" in told
    assert "estimated from the markers" in told


def test_without_a_calibrated_lens_nothing_is_known_and_a_damaged_one_is_refused(calibration, tmp_path):
    assert lens_for(None, print) is None
    assert lens_for(tmp_path, print) is None
    (calibration / lens.FILE).write_text("camera_matrix = 3")
    with pytest.raises(Unreadable, match="calibrate it again"):
        lens_for(calibration, print)


def test_the_size_of_the_markers_is_kept_with_the_layout(calibration):
    assert marker_mm(None) == marker_mm(calibration) == 40.0
    layout.save((), calibration, 30.0)
    assert marker_mm(calibration) == 30.0
    for text in ("marker_mm = -3", "marker_mm = nan", "marker_mm = 'large'", "="):
        (calibration / layout.FILE).write_text(text)
        with pytest.raises(Unreadable, match=r"layout\.toml"):
            marker_mm(calibration)


def test_a_served_camera_is_read_with_the_lens_and_the_marker_size_of_its_calibration(
    tmp_path, calibration, house, photo, monkeypatch
):
    read = threading.Event()
    found = []

    class Once:
        """Reads the first picture and lets go."""

        def __init__(self, _table, observer, *_):
            self.observer = observer

        def feed(self, frame):
            found.append(self.observer.observe(frame.image))
            read.set()
            raise EndOfPictures("one is enough")

    monkeypatch.setattr(serving, "Watcher", Once)
    folder = tmp_path / "photos"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), photo)
    layout.save((), calibration, 60.0)
    table = Table(Log(tmp_path / "companion.db", "oak"), "fiji", camera=True)
    setup = Setup("fiji", tmp_path, "oak", "localhost", 8000, "en", calibration=calibration)
    end = _watch(table, setup, f"folder:{folder}", house.deck, print)
    assert read.wait(60)
    end()
    table.close()
    seen = found[0]
    assert np.allclose(seen.plane.lens.matrix, MATRIX)
    mm = seen.plane.to_mm(seen.markers[0].corners)
    assert np.hypot(*(mm[1] - mm[0])) == pytest.approx(60, rel=0.02)
