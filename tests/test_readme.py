"""Every command of the README is run; those that need a Pi's own hardware are named here with the reason."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from importlib import metadata
from pathlib import Path

import cv2
import pytest
from packaging.requirements import Requirement

from calibration.lens import Chart
from tests.calibration.test_lens import photo

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^ *```sh\n(.*?)^ *```", README, re.DOTALL | re.MULTILINE)
COMMANDS = [line.strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
NOT_HERE = {
    "make test": "it runs this very test",
    "sudo apt install git python3-venv python3-lgpio python3-spidev python3-picamera2": "only a Pi has them all",
    "companion calibrate light --camera usb:0 --folder my-table": "needs a camera",
}
SERVERS = ("make demo", "companion serve")
INSTALLS = ("python3 -m venv --system-site-packages .venv", ".venv/bin/pip install .", ".venv/bin/companion doctor")
PLAIN = [c for c in COMMANDS if c not in NOT_HERE and c not in INSTALLS and not c.startswith(SERVERS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a reader would stand: the project's folder, with a few photos of the lens chart."""
    here = tmp_path_factory.mktemp("reader")
    (here / "calibration").symlink_to(ROOT / "calibration")
    for number in range(9):
        cv2.imwrite(str(here / f"chart-{number}.jpg"), photo(Chart(), number))
    return here


def run(command, folder, environ=None, **more):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, **(environ or {})}
    return subprocess.run(command, shell=True, cwd=folder, env=environ, capture_output=True, text=True, **more)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_every_exception_is_still_a_command_of_the_readme():
    assert set(NOT_HERE) <= set(COMMANDS)
    assert set(INSTALLS) <= set(COMMANDS)


def test_the_two_commands_stand_there():
    assert COMMANDS[:2] == ["make demo", "make test"]


def test_the_picture_is_there():
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", README):
        assert cv2.imread(str(ROOT / picture)) is not None


def test_links_lead_somewhere():
    for link in re.findall(r"(?<!!)\[[^\]]*\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link


@pytest.mark.xdist_group("readme")
def test_the_commands_work_in_their_order(folder):
    """One reader, one folder: what one command makes the next one uses."""
    for command in PLAIN:
        done = run(command, folder)
        answer_no = command.startswith("companion ruling")  # the README asks for something that is not allowed
        assert done.returncode == int(answer_no), f"{command}\n{done.stdout}\n{done.stderr}"
    assert (folder / "seen.png").exists()
    assert (folder / "markers.pdf").exists()


def answers(url, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return answer.status == 200
        except OSError:
            time.sleep(0.3)
    return False


@pytest.mark.quick(1)
@pytest.mark.xdist_group("readme")
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(SERVERS)])
def test_what_serves_pages_serves_them(command, folder, tmp_path):
    port = free_port()
    where = ROOT
    if command == "make demo":
        command, page = f"make demo PORT={port}", "demo"
        if not (ROOT / ".venv" / "ready").exists():
            command, page = f"companion demo --port {port}", "demo"
    else:
        where = folder
        photos = tmp_path / "photos"
        photos.mkdir()
        shutil.copy(ROOT / "calibration/examples/fiji/table.jpg", photos)
        command = command.replace("usb:0", f"folder:{photos}") + f" --port {port} --data {tmp_path / 'data'}"
        page = "table"
        if not (folder / "my-fiji").exists():
            run("companion teach fiji --sheets calibration/examples/fiji/teach.json --deck my-fiji", folder, check=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        shlex.split(command),
        cwd=where,
        env={**os.environ, "PATH": path},
        start_new_session=True,
        # heard even when the tests themselves run in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert answers(f"http://127.0.0.1:{port}/{page}")
        assert process.poll() is None
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def what_it_needs(folder):
    """A folder with the packages that the project says it needs, and those that these need, and no others."""
    folder.mkdir()
    open_, needed = ["companion-referee"], set()
    while open_:
        for line in metadata.requires(open_.pop()) or ():
            wanted = Requirement(line)
            if wanted.name not in needed and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
                needed.add(wanted.name)
                open_.append(wanted.name)
    for name in needed:
        files = metadata.files(name)
        for top in {file.parts[0] for file in files if file.parts[0] not in ("..", "__pycache__")}:
            if not (folder / top).exists():
                (folder / top).symlink_to(metadata.distribution(name).locate_file(top))
    return folder


@pytest.mark.thorough
@pytest.mark.xdist_group("readme")
def test_an_install_into_a_venv_has_everything_it_needs(tmp_path):
    """What `pip install .` puts there works away from the project's folder: texts, templates, fonts, pictures."""
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "out", "__pycache__")
    shutil.copytree(ROOT, source, ignore=ignored)
    make, install, doctor = INSTALLS
    assert run(make, source).returncode == 0
    environ = {"PYTHONPATH": str(what_it_needs(tmp_path / "needed"))}
    done = run(install, source, environ)
    if done.returncode and ("ConnectionError" in done.stderr or "No matching distribution" in done.stderr):
        pytest.skip("no package index can be reached from here")
    assert done.returncode == 0, done.stderr
    assert "Downloading" not in done.stdout  # all that it says it needs is what it is tested with
    companion = source / doctor.split()[0]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copytree(source / "calibration" / "examples", elsewhere / "examples")
    shutil.move(source / "companion", tmp_path / "hidden")  # only what was installed may be used
    for command in (
        f"{companion} doctor",
        f"{companion} replay examples/fiji/game.jsonl",
        f"{companion} demo --help",
        f"{companion} teach fiji --sheets examples/fiji/teach.json --deck deck",
        f"{companion} score fiji examples/fiji/table.jpg --deck deck",
    ):
        done = run(command, elsewhere, environ)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
