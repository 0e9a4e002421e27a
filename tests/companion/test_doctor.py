"""The doctor names what is there, what is not, and what to do; tried on machines that do not exist."""

from __future__ import annotations

import doctest
import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import health
from companion.commands.doctor_ import command
from companion.health import Finding, Machine, Status, examine, listed

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture
def laptop(tmp_path: Path) -> Machine:
    """A laptop with nothing on it but Python."""
    (tmp_path / "root").mkdir()
    (tmp_path / "data").mkdir()
    return Machine(
        root=tmp_path / "root",
        folder=tmp_path / "data",
        port=free_port(),
        has=lambda name: False,
        now=lambda: NOON,
        free=lambda path: 20_000_000_000,
        may_use=lambda path: True,
    )


@pytest.fixture
def pi(laptop: Machine) -> Machine:
    """A Raspberry Pi with everything."""
    write(laptop.root / "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    for name in ("gpiochip0", "spidev0.0", "spidev0.1", "i2c-1", "video0", "video1", "video19"):
        write(laptop.root / "dev" / name)
    add_video(laptop.root, "video0", "platform/usb1/1-1", "HD Webcam", "0")
    add_video(laptop.root, "video1", "platform/usb1/1-1", "HD Webcam", "1")
    add_video(laptop.root, "video19", "platform/codec", "rpivid", "0")
    return replace(laptop, has=lambda name: True, ribbon_cameras=lambda: ["imx708"])


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def add_video(root: Path, name: str, device: str, title: str, index: str) -> None:
    entry = root / "sys/class/video4linux" / name
    write(entry / "name", f"{title}\n")
    write(entry / "index", f"{index}\n")
    (root / "sys/devices" / device).mkdir(parents=True, exist_ok=True)
    (entry / "device").symlink_to(root / "sys/devices" / device)


def finding(machine: Machine, name: str) -> Finding:
    return {found.name: found for found in examine(machine)}[name]


def test_a_bare_laptop_is_enough_to_play(laptop: Machine) -> None:
    found = list(examine(laptop))
    assert [f.name for f in found] == list(health.CHECKS)
    assert [f for f in found if f.status is Status.PROBLEM] == []
    absent = {f.name for f in found if f.status is Status.ABSENT}
    assert absent - {"Network"} == {"USB camera", "Ribbon camera", "Lights", "SPI", "I2C"}


def test_on_a_full_pi_everything_works(pi: Machine) -> None:
    assert [f for f in examine(pi) if f.status is not Status.OK and f.name != "Network"] == []
    assert finding(pi, "Python").says.endswith("Raspberry Pi 5 Model B Rev 1.0")
    assert finding(pi, "USB camera").says == "HD Webcam (video0)"
    assert finding(pi, "Ribbon camera").says == "imx708"
    assert finding(pi, "SPI").says == "spidev0.0 and spidev0.1"


def lacks(*names: str) -> Callable[[str], bool]:
    return lambda name: name not in names


@pytest.mark.parametrize(
    ("name", "change", "says", "do"),
    [
        ("Python", {"python": (3, 9, 2)}, "3.9.2 is too old", "3.11"),
        ("OpenCV", {"opencv": lambda: "4.6.0"}, "4.6.0 is too old", "opencv-python>=4.10"),
        ("Lights", {"has": lacks("lgpio")}, "no lgpio", "apt install python3-lgpio"),
        ("Lights", {"may_use": lambda path: False}, "may not use the GPIO", "usermod -aG gpio"),
        ("SPI", {"has": lacks("spidev")}, "no spidev", "apt install python3-spidev"),
        ("SPI", {"may_use": lambda path: False}, "may not use SPI", "usermod -aG spi"),
        ("I2C", {"may_use": lambda path: False}, "may not use I2C", "usermod -aG i2c"),
        ("USB camera", {"may_use": lambda path: False}, "may not use .*/dev/video0", "usermod -aG video"),
        ("Log", {"folder": Path("/no/such/folder")}, "no folder /no/such/folder", "--folder"),
        ("Log", {"folder": Path("/sys")}, "/sys takes no files", "--folder"),
        ("Log", {"free": lambda path: 3_000_000}, "Only 3 MB", "500 MB"),
        ("Clock", {"now": lambda: datetime(1970, 1, 2, tzinfo=UTC)}, "1970-01-02", "timedatectl"),
    ],
)
def test_problems_come_with_what_to_do(pi: Machine, name: str, change: dict[str, object], says: str, do: str) -> None:
    found = finding(replace(pi, **change), name)  # type: ignore[arg-type]  # fields by name
    assert found.status is Status.PROBLEM
    assert re.search(says, found.says)
    assert do in found.do


@pytest.mark.parametrize(
    ("name", "gone", "do"),
    [
        ("SPI", "dev/spidev0.*", "do_spi 0"),
        ("I2C", "dev/i2c-1", "do_i2c 0"),
        ("USB camera", "sys/class/video4linux/video0/device", "Plug one in"),
    ],
)
def test_what_is_switched_off_or_unplugged(pi: Machine, name: str, gone: str, do: str) -> None:
    for path in pi.root.glob(gone):
        path.unlink()
    found = finding(pi, name)
    assert found.status is Status.ABSENT
    assert do in found.do


def test_a_pi_without_picamera2_is_told_how_to_get_it(pi: Machine) -> None:
    found = finding(replace(pi, has=lacks("picamera2")), "Ribbon camera")
    assert found.status is Status.ABSENT
    assert "apt install python3-picamera2" in found.do
    assert finding(replace(pi, ribbon_cameras=list), "Ribbon camera").status is Status.ABSENT


def test_a_port_in_use_is_named(laptop: Machine) -> None:
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        found = finding(replace(laptop, port=other.getsockname()[1]), "Port")
    assert found.status is Status.PROBLEM
    assert "in use" in found.says
    assert "--port" in found.do


def test_the_log_check_leaves_nothing_behind(laptop: Machine) -> None:
    assert finding(laptop, "Log").status is Status.OK
    assert list(laptop.folder.iterdir()) == []


def test_a_clock_set_over_the_network(laptop: Machine) -> None:
    assert finding(laptop, "Clock").says == "2026-11-21 12:00 UTC"
    write(laptop.root / "run/systemd/timesync/synchronized")
    assert finding(laptop, "Clock").says.endswith("set over the network")


def test_a_check_that_breaks_leaves_the_others_alone(laptop: Machine) -> None:
    def explode() -> str:
        raise RuntimeError("smoke")

    found = {f.name: f for f in examine(replace(laptop, opencv=explode))}
    assert found["OpenCV"].status is Status.PROBLEM
    assert "smoke" in found["OpenCV"].says
    assert found["Log"].status is Status.OK
    assert len(found) == len(health.CHECKS)


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists_are_said_in_words(words: list[str], said: str) -> None:
    assert listed(words) == said
    assert doctest.testmod(health).failed == 0


# --- the command


def test_the_command_prints_words_and_exits_0_when_all_is_well(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--folder", str(tmp_path), "--port", str(free_port())])
    assert result.exit_code == 0
    assert result.output.endswith("Ready to play.\n")
    assert len([line for line in result.output.splitlines() if line.startswith(("ok ", "not here "))]) == len(
        health.CHECKS
    )


def test_the_log_is_tried_where_serve_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for made in (tmp_path, tmp_path / "companion"):
        made.mkdir(exist_ok=True)
        answer = json.loads(CliRunner().invoke(command, ["--json", "--port", str(free_port())]).stdout)
        log = next(check for check in answer["checks"] if check["name"] == "Log")
        assert log["says"].startswith(f"{made} keeps")


def test_the_command_exits_1_when_something_is_wrong(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--folder", str(tmp_path / "none"), "--port", str(free_port())])
    assert result.exit_code == 1
    assert "-> Make it, or name another: --folder." in result.output
    assert result.output.endswith("ask again.\n")


def test_the_command_prints_json_and_nothing_else(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--json", "--folder", str(tmp_path / "none"), "--port", str(free_port())])
    answer = json.loads(result.stdout)
    assert result.exit_code == 1
    assert answer["ok"] is False
    assert [check["name"] for check in answer["checks"]] == list(health.CHECKS)
    log = next(check for check in answer["checks"] if check["name"] == "Log")
    assert set(log) == {"name", "status", "says", "do"}
    assert log["status"] == "problem"
