"""Cameras: real ones by stand-ins for their drivers, films and folders by real files."""

from __future__ import annotations

import itertools
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision import camera
from vision.camera import (
    CameraError,
    CameraLost,
    EndOfPictures,
    Frame,
    PiCamera,
    Reconnecting,
    Settings,
    SimulatedCamera,
    UnknownCamera,
    UsbCamera,
    open_camera,
)

PICTURE = np.full((36, 64, 3), (10, 120, 240), np.uint8)
PHOTO = np.full((160, 200, 3), (10, 120, 240), np.uint8)
LIGHT = Settings(exposure_us=12_000, gain=2.0, colour_gains=(1.8, 1.4), temperature_k=4200, focus=1.5)


class Webcam:
    """Stands in for cv2.VideoCapture: keeps what is set, gives the pictures it was given."""

    pictures: ClassVar[list[Any]] = []
    refuses: ClassVar[set[int]] = set()
    opens: ClassVar[bool] = True
    last: ClassVar[Webcam]

    def __init__(self, device: int | str, backend: int) -> None:
        self.device = device
        self.values: dict[int, float] = {}
        self.released = False
        Webcam.last = self

    def isOpened(self) -> bool:
        return self.opens

    def set(self, prop: int, value: float) -> bool:
        if prop in self.refuses:
            return False
        self.values[prop] = value
        return True

    def get(self, prop: int) -> float:
        return self.values.get(prop, -1.0)

    def read(self) -> tuple[bool, Any]:
        return (True, self.pictures.pop(0)) if self.pictures else (False, None)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def webcam(monkeypatch: pytest.MonkeyPatch) -> type[Webcam]:
    monkeypatch.setattr(camera.cv2, "VideoCapture", Webcam)
    for name, value in (("pictures", []), ("refuses", set()), ("opens", True)):
        monkeypatch.setattr(Webcam, name, value)
    return Webcam


def test_usb_gives_frames_with_the_time_they_were_taken(webcam: type[Webcam]) -> None:
    webcam.pictures = [PICTURE, PICTURE]
    ticks = iter((3.0, 4.5))
    source = open_camera("usb:2", size_px=(1280, 720), clock=lambda: next(ticks))
    assert webcam.last.device == 2
    assert webcam.last.values[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    frames = [source.read(), source.read()]
    assert [f.at for f in frames] == [3.0, 4.5]
    assert np.array_equal(frames[0].image, PICTURE)
    source.close()
    assert webcam.last.released


def test_usb_takes_a_device_by_its_path(webcam: type[Webcam]) -> None:
    open_camera("usb:/dev/video4")
    assert webcam.last.device == "/dev/video4"


def test_usb_gives_three_channels_whatever_the_driver_gives(webcam: type[Webcam]) -> None:
    webcam.pictures = [np.full((4, 6), 7, np.uint8), np.full((4, 6, 4), 9, np.uint8)]
    source = open_camera("usb:0")
    assert [source.read().image.shape, source.read().image.shape] == [(4, 6, 3), (4, 6, 3)]


def test_usb_that_is_not_there_or_stops_is_lost(webcam: type[Webcam], monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_camera("usb:0")
    with pytest.raises(CameraLost, match="check its cable"):
        source.read()
    monkeypatch.setattr(webcam, "opens", False)
    with pytest.raises(ConnectionError, match="plug it in"):  # a built-in error too
        open_camera("usb:0")


def test_usb_settings_are_locked_and_read_back(webcam: type[Webcam]) -> None:
    source = UsbCamera("0", (640, 480), LIGHT, lambda: 0.0)
    values = webcam.last.values
    assert values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert values[cv2.CAP_PROP_EXPOSURE] == 120  # of 100 microseconds
    assert (values[cv2.CAP_PROP_AUTO_WB], values[cv2.CAP_PROP_AUTOFOCUS]) == (0, 0)
    assert source.settings() == Settings(exposure_us=12_000, gain=2.0, temperature_k=4200, focus=1.5)


def test_usb_focus_at_infinity_is_a_setting_and_what_the_camera_lacks_is_none(webcam: type[Webcam]) -> None:
    source = UsbCamera("0", (640, 480), Settings(gain=0.0, focus=0.0), lambda: 0.0)
    assert source.settings() == Settings(gain=0.0, focus=0.0)
    assert UsbCamera("0", (640, 480), None, lambda: 0.0).settings() == Settings()


def test_usb_names_what_the_camera_does_not_accept(webcam: type[Webcam]) -> None:
    webcam.refuses = {cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_WB_TEMPERATURE}
    assert UsbCamera("0", (640, 480), None, lambda: 0.0).lock(LIGHT) == ["white balance", "focus"]


class Pi:
    """Stands in for picamera2.Picamera2."""

    stalls: ClassVar[bool] = False
    last: ClassVar[Pi]
    metadata: ClassVar[dict[str, Any]] = {
        "ExposureTime": 9000,
        "AnalogueGain": 1.5,
        "ColourGains": (2.0, 1.3),
        "LensPosition": 0.9,
    }

    def __init__(self, number: int) -> None:
        if number:
            raise IndexError("list index out of range")
        self.camera_controls = dict.fromkeys(("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"))
        self.controls: dict[str, Any] = {}
        self.config: dict[str, Any] = {}
        self.closed = False
        Pi.last = self

    def create_video_configuration(self, **config: Any) -> dict[str, Any]:
        return config

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def capture_array(self, name: str, wait: bool) -> Any:
        assert (name, wait) == ("main", False)
        return PICTURE

    def capture_metadata(self, wait: bool) -> Any:
        return self.metadata

    def wait(self, job: Any, timeout: float) -> Any:
        if self.stalls:
            raise TimeoutError
        return job

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[Pi]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Pi  # type: ignore[attr-defined]  # a module made up here
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(Pi, "stalls", False)
    return Pi


def test_pi_gives_blue_green_red_as_it_lies_in_memory(pi: type[Pi]) -> None:
    source = open_camera("pi", size_px=(2304, 1296), clock=lambda: 8.0)
    assert pi.last.config["main"] == {"size": (2304, 1296), "format": "RGB888"}
    frame = source.read()
    assert frame.at == 8.0
    assert np.array_equal(frame.image, PICTURE)
    source.close()
    assert pi.last.closed


def test_pi_locks_what_its_sensor_knows_and_names_the_rest(pi: type[Pi]) -> None:
    source = PiCamera(0, (64, 36), None, lambda: 0.0)
    assert source.lock(LIGHT) == ["focus"]  # a fixed lens
    assert pi.last.controls == {
        "AeEnable": False,
        "ExposureTime": 12_000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.8, 1.4),
    }


def test_pi_tells_its_settings(pi: type[Pi]) -> None:
    source = PiCamera(0, (64, 36), None, lambda: 0.0)
    assert source.settings() == Settings(exposure_us=9000, gain=1.5, colour_gains=(2.0, 1.3), focus=0.9)


def test_pi_that_stalls_or_is_not_there_is_lost(pi: type[Pi], monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_camera("pi:0")
    monkeypatch.setattr(pi, "stalls", True)
    with pytest.raises(CameraLost, match="ribbon cable"):
        source.read()
    with pytest.raises(CameraLost, match="does not start"):
        open_camera("pi:1")


def test_pi_without_picamera2_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        open_camera("pi")


def test_folder_gives_its_photos_in_order(tmp_path: Path) -> None:
    for name, grey in (("b.png", 90), ("a.JPG", 30), ("c.jpeg", 150)):
        assert cv2.imwrite(str(tmp_path / name), np.full((160, 160, 3), grey, np.uint8))
    (tmp_path / "notes.txt").write_text("no photo")
    source = open_camera(f"folder:{tmp_path}")
    frames = [source.read() for _ in range(3)]
    assert [round(float(f.image.mean()), -1) for f in frames] == [30, 90, 150]
    assert [f.at for f in frames] == [0.0, 1.0, 2.0]
    with pytest.raises(EOFError, match="no more than 3 photos"):
        source.read()


def test_folder_names_a_photo_that_cannot_be_read_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"no picture at all")
    whole = cv2.imencode(".jpg", PHOTO)[1].tobytes()
    (tmp_path / "2.jpg").write_bytes(whole[:-10])
    assert cv2.imwrite(str(tmp_path / "3.png"), PHOTO)
    source = open_camera(f"folder:{tmp_path}")
    with pytest.raises(CameraError, match=r"1\.png: not a picture"):
        source.read()
    with pytest.raises(CameraError, match=r"2\.jpg: the file is torn"):
        source.read()
    assert np.array_equal(source.read().image, PHOTO)


def test_folder_without_photos_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="has no photos"):
        open_camera(f"folder:{tmp_path}")
    with pytest.raises(CameraLost, match="is no folder"):
        open_camera(f"folder:{tmp_path / 'gone'}")


def test_video_gives_its_frames_in_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for grey in (40, 120, 200):
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    source = open_camera(f"video:{path}")
    frames = [source.read() for _ in range(3)]
    assert [f.at for f in frames] == pytest.approx([0.0, 0.1, 0.2])
    assert [float(f.image.mean()) for f in frames] == pytest.approx([40, 120, 200], abs=4)
    with pytest.raises(EndOfPictures, match="ends after 3 pictures"):
        source.read()
    source.close()
    source.close()


def test_a_damaged_picture_does_not_end_a_film(tmp_path: Path) -> None:
    class Film(Webcam):
        def __init__(self, path: str) -> None:
            super().__init__(path, 0)
            self.values = {cv2.CAP_PROP_FPS: 10.0}
            self.seen: list[Any] = [PICTURE, None, None, PICTURE]

        def read(self) -> tuple[bool, Any]:
            image = self.seen.pop(0) if self.seen else None
            return image is not None, image

    (tmp_path / "film.avi").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(camera.cv2, "VideoCapture", Film)
        source = open_camera(f"video:{tmp_path / 'film.avi'}")
    assert [source.read().at, source.read().at] == pytest.approx([0.0, 0.3])
    with pytest.raises(EndOfPictures):
        source.read()


def test_video_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="is no film"):
        open_camera(f"video:{tmp_path / 'gone.mp4'}")


@pytest.mark.parametrize("address", ["", "usb3", "folder:", "video:", "pi:two", "http://camera"])
def test_unknown_addresses_say_which_there_are(address: str) -> None:
    with pytest.raises(UnknownCamera, match="try usb:0, pi, folder:PATH or video:PATH"):
        open_camera(address)


def test_simulated_shows_what_is_drawn_now() -> None:
    greys = itertools.count(10, 10)
    source = SimulatedCamera(lambda: np.full((2, 2, 3), next(greys), np.uint8), clock=lambda: 1.0)
    assert [int(source.read().image[0, 0, 0]) for _ in range(2)] == [10, 20]
    source.close()
    with pytest.raises(EndOfPictures):
        source.read()


class Flaky:
    """A camera that gives a frame per True and is lost at each False."""

    def __init__(self, fate: Iterator[bool]) -> None:
        self.fate = fate

    def read(self) -> Frame:
        if next(self.fate):
            return Frame(PICTURE, 0.0)
        raise CameraLost("pulled out")

    def close(self) -> None:
        pass


def test_a_camera_that_vanishes_comes_back_and_says_so_once() -> None:
    fate = iter([True, False, True, False, False, True])
    openings = iter([True, False, True, True, False, True])
    said: list[str] = []

    def reopen() -> Flaky:
        if not next(openings):
            raise CameraLost("not plugged in")
        return Flaky(fate)

    source = Reconnecting(reopen, said.append, pause_s=0.001)
    for _ in range(3):
        assert np.array_equal(source.read().image, PICTURE)
    assert said == ["camera lost: pulled out", "camera is back"] * 2


def test_patience_ends_with_the_camera_lost() -> None:
    now = itertools.count(0.0, 5.0)
    source = Reconnecting(
        lambda: Flaky(itertools.repeat(False)), lambda _: None, pause_s=0.001, patience_s=12.0, clock=lambda: next(now)
    )
    with pytest.raises(CameraLost, match="pulled out"):
        source.read()


def test_closing_ends_the_wait_for_a_lost_camera() -> None:
    lost = threading.Event()
    source = Reconnecting(lambda: Flaky(itertools.repeat(False)), lambda _: lost.set(), pause_s=30.0)
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            source.read()
        except EndOfPictures as e:
            ended.append(e)

    reader = threading.Thread(target=wait)
    reader.start()
    assert lost.wait(5)
    source.close()
    reader.join(5)
    assert len(ended) == 1


def test_a_camera_is_not_let_go_of_while_it_is_read() -> None:
    reading, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    class Slow:
        def read(self) -> Frame:
            reading.set()
            assert go_on.wait(5)
            order.append("read")
            return Frame(PICTURE, 0.0)

        def close(self) -> None:
            order.append("closed")

    source = Reconnecting(Slow, pytest.fail)
    reader = threading.Thread(target=source.read)
    closer = threading.Thread(target=source.close)
    reader.start()
    assert reading.wait(5)
    closer.start()
    closer.join(0.05)
    go_on.set()
    for thread in (reader, closer):
        thread.join(5)
    assert order == ["read", "closed"]
    with pytest.raises(EndOfPictures):
        source.read()


def test_the_end_of_a_film_is_no_loss(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "only.png"), PHOTO)
    source = Reconnecting(lambda: open_camera(f"folder:{tmp_path}"), pytest.fail)
    source.read()
    with pytest.raises(EndOfPictures):
        source.read()
