"""`companion recognise` and `companion score` as a person types them: what is printed, and where pictures are drawn."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.recognise_ import told
from vision.deck import Deck
from vision.observation import Component, Observation
from vision.simulated import BeadAt, Look, Scene, SimulatedTable


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def table() -> bytes:
    """A photo of a table on which nothing but its markers lies."""
    return cv2.imencode(".png", SimulatedTable({}, seed=3, size_px=(960, 540)).render(Scene()))[1].tobytes()


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    Deck("fiji", ()).save(tmp_path / "deck")
    return tmp_path / "deck"


def laid(path: Path, photo: bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(photo)
    return path


def test_photos_of_one_name_are_drawn_into_different_files(tmp_path: Path, deck: Path, table: bytes) -> None:
    photos = [laid(tmp_path / folder / "t.png", table) for folder in "abc"]
    photos.append(laid(tmp_path / "a" / "t-2.png", table))
    out = tmp_path / "drawn" / "x.png"
    assert run("recognise", *photos, "--deck", deck, "--annotate", out).exit_code == 0
    assert sorted(p.name for p in out.parent.iterdir()) == ["x-t-2-2.png", "x-t-2.png", "x-t-3.png", "x-t.png"]


@pytest.mark.parametrize("photo", ["table", "nothing"])
@pytest.mark.parametrize("words", [("recognise",), ("score", "fiji")], ids=["recognise", "score"])
def test_the_answer_is_printed_though_its_picture_cannot_be_written(
    tmp_path: Path, deck: Path, table: bytes, words: tuple[str, ...], photo: str
) -> None:
    plain = cv2.imencode(".png", np.full((200, 200, 3), 90, np.uint8))[1].tobytes()
    seen = laid(tmp_path / "t.png", table if photo == "table" else plain)
    out = laid(tmp_path / "file", b"") / "x.png"
    result = run(*words, seen, "--deck", deck, "--annotate", out, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["ok"] is (photo == "table")
    assert f"Error: {out.parent} cannot be written: File exists" in result.stderr
    assert run(*words, seen, "--deck", deck).exit_code == (photo != "table")


@pytest.mark.parametrize("side", [30.0, 60.0])
def test_markers_of_another_size_are_measured_by_it(tmp_path: Path, deck: Path, side: float) -> None:
    camera = SimulatedTable({}, seed=3, look=Look(marker_mm=side))
    supply = [BeadAt("green", (300.0 + 18 * i, 400.0)) for i in range(5)]
    image = camera.render(Scene((), (*supply, BeadAt("red", (600.0, 300.0)))))
    photo = laid(tmp_path / "t.png", cv2.imencode(".png", image)[1].tobytes())
    given = (photo, "--deck", deck, "--marker-size", side, "--json")
    (bead,) = (b for b in json.loads(run("recognise", *given).stdout)["beads"] if b["colour"] == "red")
    assert bead["centre_mm"] == pytest.approx([600, 300], abs=4)
    (bid,) = json.loads(run("score", "fiji", *given).stdout)["bids"]
    assert bid["centre_mm"] == pytest.approx([600, 300], abs=4)


def test_a_name_that_is_no_unicode_is_printed_as_some(tmp_path: Path, deck: Path) -> None:
    photo = os.fsencode(tmp_path / "gr") + b"\xfc\xdfe.png"
    result = CliRunner().invoke(main, ["recognise", os.fsdecode(photo), "--deck", str(deck), "--json"])
    assert json.loads(result.stdout_bytes.decode())["photo"].endswith("gr\ufffd\ufffde.png")


@pytest.mark.parametrize(
    "words",
    [
        ("teach", "parlour", "--sheets", "teach.json", "--deck", "file/deck"),
        ("calibrate", "layout", "fiji", "--folder", "file/table"),
    ],
    ids=["teach", "calibrate"],
)
def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    laid(tmp_path / "file", b"")
    noise = np.random.default_rng(3).integers(0, 255, (200, 160, 3), np.uint8)
    laid(tmp_path / "moai.png", cv2.imencode(".png", noise)[1].tobytes())
    face = {"photo": "moai.png", "component": "moai", "size_mm": [59, 74]}
    (tmp_path / "teach.json").write_text(json.dumps({"game": "parlour", "faces": [face]}))
    result = run(*words)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {words[-1]} cannot be read or written: Not a directory\n"


def test_what_is_hardly_turned_is_not_said_to_be_turned_all_round() -> None:
    seen = [Component("fiji/goal", "card", None, angle, ((0.0, 0.0),) * 4, 1.0, 0.99) for angle in (0.2, 359.7, 90.4)]
    lines = told("table.jpg", Observation((100, 100), components=tuple(seen))).splitlines()
    assert [line.split("turned ")[1] for line in lines[1:]] == ["0°", "0°", "90°"]
