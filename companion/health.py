"""What works on this machine and what to do about the rest: one small check each, none depends on another."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)  #: this program is younger; a clock before that is wrong
LEAST_PYTHON: Final = (3, 11)
LEAST_OPENCV: Final = (4, 10)
LEAST_FREE: Final = 500_000_000  #: bytes for logs and the pictures of an evening


class Status(Enum):
    OK = "ok"
    ABSENT = "not here"  #: and not needed to play
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: `says` in words, `do` what to do about it (empty when there is nothing to do)."""

    name: str
    status: Status
    says: str
    do: str = ""

    def data(self) -> dict[str, str]:
        return {"name": self.name, "status": self.status.value, "says": self.says, "do": self.do}


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def pi_cameras() -> list[str]:
    """Models of the cameras on the Pi's ribbon cables."""
    module: Any = importlib.import_module("picamera2")
    return [str(camera.get("Model", "camera")) for camera in module.Picamera2.global_camera_info()]


def opencv_version() -> str:
    import cv2

    return str(cv2.__version__)


def may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


@dataclass(frozen=True, slots=True)
class Machine:
    """What the checks look at; tests put something else in its place. `root` stands before /dev, /sys, /proc, /run."""

    root: Path = Path("/")
    folder: Path = Path()  #: where logs are kept
    port: int = 8000
    python: tuple[int, ...] = sys.version_info[:3]
    has: Callable[[str], bool] = has_module
    opencv: Callable[[], str] = opencv_version
    ribbon_cameras: Callable[[], list[str]] = pi_cameras
    may_use: Callable[[Path], bool] = may_use
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free

    @property
    def pi(self) -> str:
        """The Raspberry Pi's model, or "" on another machine."""
        model = self._text("proc/device-tree/model")
        return model if "Raspberry Pi" in model else ""

    def devices(self, pattern: str) -> list[Path]:
        return sorted((self.root / "dev").glob(pattern))

    def usb_cameras(self) -> list[tuple[str, Path]]:
        """Name and device of each; the other video devices of a Pi are codecs, the second ones of webcams metadata."""
        found = []
        for entry in sorted((self.root / "sys/class/video4linux").glob("video*")):
            if "usb" in str((entry / "device").resolve()) and self._text(entry / "index") in ("", "0"):
                found.append((self._text(entry / "name") or entry.name, self.root / "dev" / entry.name))
        return found

    def clock_is_set(self) -> bool:
        return (self.root / "run/systemd/timesync/synchronized").exists()

    def _text(self, path: str | Path) -> str:
        try:
            return (self.root / path).read_text(errors="replace").strip("\0 \n")
        except OSError:
            return ""


def listed(words: Sequence[str]) -> str:
    """Words as one says them.

    >>> listed(["fiji", "giants", "maori"])
    'fiji, giants and maori'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def examine(machine: Machine) -> Iterator[Finding]:
    """Every finding, one after the other; a check that fails itself is a finding too."""
    for name, check in CHECKS.items():
        try:
            status, says, do = check(machine)
        except Exception as error:
            status, says = Status.PROBLEM, f"could not be checked: {error or type(error).__name__}"
            do = "Tell us what this says; the other checks are not touched by it."
        yield Finding(name, status, says, do)


Answer = tuple[Status, str, str]


def ok(says: str) -> Answer:
    return Status.OK, says, ""


def check_python(machine: Machine) -> Answer:
    version = ".".join(map(str, machine.python))
    if machine.python < LEAST_PYTHON:
        return Status.PROBLEM, f"Python {version} is too old.", "Install Python 3.11 or newer."
    return ok(f"Python {version}" + (f" on {machine.pi}" if machine.pi else ""))


def check_opencv(machine: Machine) -> Answer:
    try:
        version = machine.opencv()
    except ImportError as error:
        return Status.PROBLEM, f"OpenCV cannot be loaded: {error}", "pip install --force-reinstall opencv-python"
    if tuple(int(part) for part in version.split(".")[:2]) < LEAST_OPENCV:
        return Status.PROBLEM, f"OpenCV {version} is too old.", "pip install --upgrade 'opencv-python>=4.10'"
    return ok(f"OpenCV {version}")


def check_games(machine: Machine) -> Answer:
    names = sorted(entry.name for entry in entry_points(group="companion.games"))
    if not names:
        return Status.PROBLEM, "No game is installed.", "Install the program anew: pip install companion-referee"
    return ok(listed(names))


def check_usb(machine: Machine) -> Answer:
    cameras = machine.usb_cameras()
    if not cameras:
        return (
            Status.ABSENT,
            "No USB camera is connected.",
            "Plug one in, use a camera on a Pi's ribbon cable, or score photos taken with a phone.",
        )
    locked = [str(path) for _, path in cameras if not machine.may_use(path)]
    if locked:
        return (
            Status.PROBLEM,
            f"You may not use {listed(locked)}.",
            "sudo usermod -aG video $USER, then log in again. If that is done, another program holds it.",
        )
    return ok(listed([f"{name} ({path.name})" for name, path in cameras]))


def check_ribbon(machine: Machine) -> Answer:
    if not machine.has("picamera2"):
        do = "sudo apt install python3-picamera2, and a venv made with --system-site-packages" if machine.pi else ""
        where = "picamera2 is not installed." if machine.pi else "Only a Raspberry Pi has these."
        return Status.ABSENT, where, do
    cameras = machine.ribbon_cameras()
    if not cameras:
        return Status.ABSENT, "No camera on a ribbon cable was found.", "Check the cable on both sides, then restart."
    return ok(listed(cameras))


def check_lights(machine: Machine) -> Answer:
    if not machine.pi:
        return Status.ABSENT, "No Raspberry Pi, so no LEDs; the pages show whose turn it is.", ""
    if not machine.has("lgpio"):
        return Status.PROBLEM, "gpiozero has no lgpio to work with.", "sudo apt install python3-lgpio"
    chips = machine.devices("gpiochip*")
    if not any(map(machine.may_use, chips)):
        return Status.PROBLEM, "You may not use the GPIO pins.", "sudo usermod -aG gpio $USER, then log in again."
    return ok("gpiozero works on lgpio.")


def check_spi(machine: Machine) -> Answer:
    return _bus(machine, "spidev*", "SPI (e-paper, LED strips)", "spi", "spidev")


def check_i2c(machine: Machine) -> Answer:
    return _bus(machine, "i2c-*", "I2C (some e-paper boards)", "i2c", "")


def _bus(machine: Machine, pattern: str, name: str, group: str, module: str) -> Answer:
    """A bus of the Pi's header; needed only by who has something on it."""
    found = machine.devices(pattern)
    if not machine.pi:
        return Status.ABSENT, f"No Raspberry Pi, so no {name}.", ""
    if not found:
        return Status.ABSENT, f"{name} is switched off.", f"sudo raspi-config nonint do_{group} 0, then restart."
    if not any(map(machine.may_use, found)):
        return Status.PROBLEM, f"You may not use {name}.", f"sudo usermod -aG {group} $USER, then log in again."
    if module and not machine.has(module):
        return Status.PROBLEM, f"Python has no {module}.", f"sudo apt install python3-{module}"
    return ok(listed([path.name for path in found]))


def check_panels(machine: Machine) -> Answer:
    from hardware.panels import kinds

    return ok(f"Boards can be shown on: {listed(list(kinds()))}.")


def check_fonts(machine: Machine) -> Answer:
    from hardware.ink import FONTS, font, spell, width

    try:
        drawn = all(width("Größe 0", weight, 15) > 0 for weight in ("Medium", "ExtraBold"))
    except OSError:
        drawn = False
    if not drawn or spell("ÄÖÜäöüß") != "ÄÖÜäöüß":
        return Status.PROBLEM, f"The board's fonts in {FONTS} cannot be used.", "Install the program anew."
    return ok(f"{font('Medium', 15).getname()[0]} is here.")


def check_database(machine: Machine) -> Answer:
    """A real log in the real folder: written, read back, gone again."""
    from companion.log import Log, LogError

    if not machine.folder.is_dir():
        return Status.PROBLEM, f"There is no folder {machine.folder.absolute()}.", "Make it, or name another: --folder."
    try:
        with tempfile.TemporaryDirectory(dir=machine.folder, prefix=".companion-doctor-") as place:
            with Log(Path(place) / "doctor.db", "doctor") as log:
                log.append("check", {})
            with Log(Path(place) / "doctor.db", "doctor", read_only=True) as log:
                log.verify()
    except LogError as error:
        return Status.PROBLEM, str(error), "Choose a folder on a disk of this machine: --folder."
    except OSError as error:
        where = machine.folder.absolute()
        return (
            Status.PROBLEM,
            f"{where} takes no files: {error.strerror}.",
            "Make it writable, or name another: --folder.",
        )
    free = machine.free(machine.folder)
    if free < LEAST_FREE:
        return Status.PROBLEM, f"Only {free // 1_000_000} MB are free.", "Make room: an evening needs 500 MB."
    return ok(f"{machine.folder.absolute()} keeps what is written (SQLite, WAL, FULL); {free / 1e9:.1f} GB are free.")


def check_port(machine: Machine) -> Answer:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind(("", machine.port))
            server.listen()
        except OSError as error:
            other = "Stop what uses it (perhaps another companion), or choose another: --port."
            if error.errno == errno.EACCES:
                return Status.PROBLEM, f"Port {machine.port} is not for everybody.", "Choose one from 1024: --port."
            return Status.PROBLEM, f"Port {machine.port} is in use.", other
    return ok(f"Port {machine.port} is free.")


def check_network(machine: Machine) -> Answer:
    from companion.network import address

    here = address("")
    if here == "localhost":
        return Status.ABSENT, "There is no network.", "Join a Wi-Fi, or let this machine or a phone make one."
    return ok(f"Phones on the same network reach this machine at {here}.")


def check_clock(machine: Machine) -> Answer:
    now = machine.now()
    shown = now.strftime("%Y-%m-%d %H:%M UTC")
    if now < EARLIEST:
        return (
            Status.PROBLEM,
            f"The clock says {shown}.",
            "sudo timedatectl set-ntp true, or set it: timedatectl set-time",
        )
    return ok(f"{shown}, set over the network" if machine.clock_is_set() else shown)


CHECKS: Final[dict[str, Callable[[Machine], Answer]]] = {
    "Python": check_python,
    "OpenCV": check_opencv,
    "Games": check_games,
    "USB camera": check_usb,
    "Ribbon camera": check_ribbon,
    "Lights": check_lights,
    "SPI": check_spi,
    "I2C": check_i2c,
    "Panels": check_panels,
    "Fonts": check_fonts,
    "Log": check_database,
    "Port": check_port,
    "Network": check_network,
    "Clock": check_clock,
}
