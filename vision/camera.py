"""Cameras: every source of pictures looks alike. `open_camera("usb:0")`, "pi", "folder:PATH", "video:PATH".

>>> from vision.camera import open_camera
>>> open_camera("cupboard:0")
Traceback (most recent call last):
    ...
vision.camera.UnknownCamera: no camera is called 'cupboard:0'; try usb:0, pi, folder:PATH or video:PATH
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import picture

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PHOTOS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})
MAY_BE_NONE: Final = frozenset({cv2.CAP_PROP_GAIN, cv2.CAP_PROP_FOCUS})  #: a webcam's focus is 0 at infinity
DAMAGED: Final = 10  #: a film on which so many pictures in a row cannot be read, and one more, has ended
WAIT_S: Final = 4.0  #: a Pi camera that gives no picture for so long is gone


class CameraError(OSError):
    """Something is wrong with a camera; the message says what to do about it."""


class CameraLost(CameraError, ConnectionError):
    """The camera cannot be opened or gives no more pictures: unplugged, asleep, or in use elsewhere."""


class EndOfPictures(CameraError, EOFError):
    """A video or folder has no more pictures."""


class UnknownCamera(CameraError, ValueError):
    """No source of pictures has this address."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture, BGR uint8 (height, width, 3), and when it was taken: seconds on the camera's own clock."""

    image: Image
    at: float


@dataclass(frozen=True, slots=True)
class Settings:
    """What a camera is held to; None leaves it as it is (or automatic).

    `exposure_us` microseconds · `gain` as the camera counts it · `colour_gains` red and blue (Pi) ·
    `temperature_k` white balance in kelvin (USB) · `focus` in dioptres (Pi) or the camera's own steps (USB).
    """

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    temperature_k: int | None = None
    focus: float | None = None


class Camera(Protocol):
    """A source of pictures."""

    def read(self) -> Frame:
        """The next picture. Raises CameraLost or EndOfPictures."""

    def close(self) -> None:
        """Let go of the device; may be called twice."""


class Adjustable(Camera, Protocol):
    """A camera whose light can be held still."""

    def settings(self) -> Settings:
        """What the camera uses now."""

    def lock(self, settings: Settings) -> list[str]:
        """Switch the automatics off and use these; returns the names of those the camera did not accept."""


def open_camera(
    address: str,
    *,
    size_px: tuple[int, int] = (1920, 1080),
    settings: Settings | None = None,
    clock: Clock = time.monotonic,
) -> Camera:
    """The camera at an address: usb:N, usb:/dev/videoN, pi, pi:N, folder:PATH or video:PATH.

    `size_px` is asked of real cameras, which may give another. Raises UnknownCamera or CameraLost.
    """
    kind, rest = parse(address)
    if kind == "usb":
        return UsbCamera(rest or "0", size_px, settings, clock)
    if kind == "pi":
        return PiCamera(int(rest or 0), size_px, settings, clock)
    return PhotoFolder(Path(rest)) if kind == "folder" else VideoFile(Path(rest))


def parse(address: str) -> tuple[str, str]:
    """The kind of an address (usb, pi, folder, video) and what is said after it. Raises UnknownCamera."""
    if not re.fullmatch(r"usb(:.*)?|pi(:\d*)?|(folder|video):.+", address):
        raise UnknownCamera(f"no camera is called {address!r}; try usb:0, pi, folder:PATH or video:PATH")
    kind, _, rest = address.partition(":")
    return kind, rest


class UsbCamera:
    """A webcam by OpenCV's VideoCapture, as `name` 0, 1, … or a device's path."""

    def __init__(self, name: str, size_px: tuple[int, int], settings: Settings | None, clock: Clock) -> None:
        self._name, self._clock = name, clock
        device: int | str = int(name) if name.isdigit() else name
        backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
        self._capture = cv2.VideoCapture(device, backend)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraLost(f"USB camera {name} cannot be opened: plug it in, or close the program that uses it")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # full size at full rate over USB 2
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if settings is not None:
            self.lock(settings)

    def read(self) -> Frame:
        got, image = self._capture.read()
        if not got or image is None:
            raise CameraLost(f"USB camera {self._name} gives no picture: check its cable")
        return Frame(_three_channels(image), self._clock())

    def settings(self) -> Settings:
        def value(prop: int) -> float | None:
            number = self._capture.get(prop)  # -1 of what the camera does not have
            return number if number > 0 or (number == 0 and prop in MAY_BE_NONE) else None

        exposure, kelvin = value(cv2.CAP_PROP_EXPOSURE), value(cv2.CAP_PROP_WB_TEMPERATURE)
        return Settings(
            exposure_us=round(exposure * 100) if exposure else None,  # V4L2 counts in 100 microseconds
            gain=value(cv2.CAP_PROP_GAIN),
            temperature_k=round(kelvin) if kelvin else None,
            focus=value(cv2.CAP_PROP_FOCUS),
        )

    def lock(self, settings: Settings) -> list[str]:
        refused: list[str] = []

        def put(name: str, *pairs: tuple[int, float]) -> None:
            done = [self._capture.set(prop, number) for prop, number in pairs]
            if not all(done):
                refused.append(name)

        if settings.exposure_us is not None:  # 1 is "manual" of V4L2's menu
            put("exposure", (cv2.CAP_PROP_AUTO_EXPOSURE, 1), (cv2.CAP_PROP_EXPOSURE, settings.exposure_us / 100))
        if settings.gain is not None:
            put("gain", (cv2.CAP_PROP_GAIN, settings.gain))
        if settings.temperature_k is not None:
            put("white balance", (cv2.CAP_PROP_AUTO_WB, 0), (cv2.CAP_PROP_WB_TEMPERATURE, settings.temperature_k))
        if settings.focus is not None:
            put("focus", (cv2.CAP_PROP_AUTOFOCUS, 0), (cv2.CAP_PROP_FOCUS, settings.focus))
        return refused

    def close(self) -> None:
        self._capture.release()


class PiCamera:
    """A Raspberry Pi camera by picamera2, which exists only there (apt install python3-picamera2)."""

    def __init__(self, number: int, size_px: tuple[int, int], settings: Settings | None, clock: Clock) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as e:
            hint = "on a Raspberry Pi: sudo apt install python3-picamera2, and a venv made with --system-site-packages"
            raise CameraLost(f"picamera2 is not here ({hint})") from e
        self._clock = clock
        try:
            self._camera: Any = Picamera2(number)
            # "RGB888" is named after the bits of a word: in memory each pixel is blue, green, red
            config = self._camera.create_video_configuration(main={"size": size_px, "format": "RGB888"}, buffer_count=3)
            self._camera.configure(config)
            self._camera.start()
        except (RuntimeError, IndexError) as e:
            raise CameraLost(f"Pi camera {number} does not start ({e}): check its ribbon cable") from e
        if settings is not None:
            self.lock(settings)

    def read(self) -> Frame:
        try:
            job = self._camera.capture_array("main", wait=False)
            image = self._camera.wait(job, timeout=WAIT_S)
        except (TimeoutError, RuntimeError) as e:
            raise CameraLost(f"the Pi camera gives no picture ({e or 'timed out'}): check its ribbon cable") from e
        return Frame(_three_channels(image), self._clock())

    def settings(self) -> Settings:
        try:
            seen = self._camera.wait(self._camera.capture_metadata(wait=False), timeout=WAIT_S)
        except (TimeoutError, RuntimeError) as e:
            raise CameraLost("the Pi camera does not say its settings: check its ribbon cable") from e
        gains = seen.get("ColourGains")
        return Settings(
            exposure_us=seen.get("ExposureTime"),
            gain=seen.get("AnalogueGain"),
            colour_gains=(float(gains[0]), float(gains[1])) if gains else None,
            focus=seen.get("LensPosition"),
        )

    def lock(self, settings: Settings) -> list[str]:
        wanted: dict[str, tuple[str, Any]] = {}
        if settings.exposure_us is not None:
            wanted |= {"AeEnable": ("exposure", False), "ExposureTime": ("exposure", settings.exposure_us)}
        if settings.gain is not None:
            wanted |= {"AeEnable": ("exposure", False), "AnalogueGain": ("gain", settings.gain)}
        if settings.colour_gains is not None:
            wanted |= {
                "AwbEnable": ("white balance", False),
                "ColourGains": ("white balance", settings.colour_gains),
            }
        if settings.focus is not None:  # AfMode 0 is manual; fixed lenses know neither
            wanted |= {"AfMode": ("focus", 0), "LensPosition": ("focus", settings.focus)}
        known = self._camera.camera_controls
        self._camera.set_controls({name: value for name, (_, value) in wanted.items() if name in known})
        return sorted({what for name, (what, _) in wanted.items() if name not in known})

    def close(self) -> None:
        def shut() -> None:
            with contextlib.suppress(RuntimeError):
                self._camera.close()

        closing = threading.Thread(target=shut, daemon=True)  # with its cable out, picamera2 may never come back
        closing.start()
        closing.join(WAIT_S)


class VideoFile:
    """A film, as fast as it can be read; `at` is the film's own time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._capture = cv2.VideoCapture(str(path)) if path.is_file() else None
        if self._capture is None or not self._capture.isOpened():
            raise CameraLost(f"{path} is no film that can be read")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._number = 0

    def read(self) -> Frame:
        for number in range(self._number, self._number + DAMAGED + 1):
            got, image = self._capture.read() if self._capture else (False, None)
            if got and image is not None:
                self._number = number + 1
                return Frame(_three_channels(image), number / self._rate)
        raise EndOfPictures(f"{self._path} ends after {self._number} pictures")

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class PhotoFolder:
    """The photos of a folder in the order of their names, `step_s` seconds apart."""

    def __init__(self, folder: Path, step_s: float = 1.0) -> None:
        if not folder.is_dir():
            raise CameraLost(f"{folder} is no folder")
        self._folder, self._step = folder, step_s
        self._photos = sorted(p for p in folder.iterdir() if p.suffix.lower() in PHOTOS)
        if not self._photos:
            raise CameraLost(f"{folder} has no photos (.jpg or .png)")
        self._next = 0

    def read(self) -> Frame:
        if self._next == len(self._photos):
            raise EndOfPictures(f"{self._folder} has no more than {self._next} photos")
        path = self._photos[self._next]
        self._next += 1
        try:
            return Frame(picture.read(path), (self._next - 1) * self._step)
        except picture.Unreadable as e:
            raise CameraError(str(e)) from e

    def close(self) -> None:
        self._next = len(self._photos)


class SimulatedCamera:
    """A camera that shows what `draw` gives at the moment it is asked."""

    def __init__(self, draw: Callable[[], Image], clock: Clock = time.monotonic) -> None:
        self._draw, self._clock = draw, clock
        self._closed = False

    def read(self) -> Frame:
        if self._closed:
            raise EndOfPictures("the simulated camera is closed")
        return Frame(self._draw(), self._clock())

    def close(self) -> None:
        self._closed = True


class Reconnecting:
    """A camera that comes back by itself: opens it, and opens it again whenever it is lost, and says so.

    `say` is told once when the camera is lost and once when it is back. `read` waits for it, for ever or for
    `patience_s` seconds (then CameraLost); closing from another thread ends the wait. Ends of films pass through.
    """

    def __init__(
        self,
        reopen: Callable[[], Camera],
        say: Callable[[str], None],
        *,
        pause_s: float = 1.0,
        longest_pause_s: float = 15.0,
        patience_s: float | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._reopen, self._say, self._clock = reopen, say, clock
        self._pause, self._longest, self._patience = pause_s, longest_pause_s, patience_s
        self._camera: Camera | None = None
        self._lost = False
        self._closing = threading.Event()
        self._using = threading.Lock()  # nobody may let go of a camera that is being read

    def read(self) -> Frame:
        pause, since = self._pause, self._clock()
        while not self._closing.is_set():
            try:
                with self._using:
                    if self._camera is None:
                        self._camera = self._reopen()
                    frame = self._camera.read()
            except CameraLost as e:
                self._let_go()
                if not self._lost:
                    self._lost = True
                    self._say(f"camera lost: {e}")
                if self._patience is not None and self._clock() - since >= self._patience:
                    raise
                self._closing.wait(pause)
                pause = min(2 * pause, self._longest)
                continue
            if self._lost:
                self._lost = False
                self._say("camera is back")
            return frame
        raise EndOfPictures("the camera was closed")

    def close(self) -> None:
        self._closing.set()
        self._let_go()

    def _let_go(self) -> None:
        with self._using:
            camera, self._camera = self._camera, None
            if camera is not None:
                with contextlib.suppress(CameraError):
                    camera.close()


def _three_channels(image: Any) -> Image:
    """The picture as contiguous BGR bytes, whatever the driver gave."""
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
    return np.ascontiguousarray(image, np.uint8)
