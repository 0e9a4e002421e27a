"""`companion print` and `companion calibrate` as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.calibrate_ import card_order, default_zones
from companion.games.game import game as find
from tests.calibration.test_lens import photo
from vision.plane import ZONE_IDS
from vision.simulated import Look, Placed, Scene, SimulatedTable
from vision.simulated.surface import marker


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words], catch_exceptions=False)


@pytest.mark.parametrize("words", [("markers",), ("seats", "Ada", "Grace"), ("zones", "fiji"), ("chart",)])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_print_writes_a_pdf_and_says_how_to_check_it(words: tuple[str, ...], paper: str, tmp_path: Path) -> None:
    out = tmp_path / "new" / "sheet.pdf"
    result = run("print", *words, "--paper", paper, "--out", out)
    assert result.exit_code == 0, result.output
    assert "1 page" in result.output
    assert "100 mm" in result.output
    assert out.read_bytes().startswith(b"%PDF")


def test_print_deck_refuses_an_unknown_game_by_naming_those_there_are(tmp_path: Path) -> None:
    result = run("print", "deck", "chess", "--out", tmp_path / "x.pdf")
    assert result.exit_code == 2
    assert "fiji" in result.output
    assert not (tmp_path / "x.pdf").exists()


def test_print_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("print", "chart", "--out", tmp_path / "file" / "x.pdf")
    assert result.exit_code == 1
    assert "cannot be written" in result.output


def test_calibrate_lens_from_photos(tmp_path: Path) -> None:
    from calibration.lens import Chart

    names = []
    for n in range(5):
        names.append(tmp_path / f"chart-{n}.png")
        assert cv2.imwrite(str(names[-1]), photo(Chart(), n))
    result = run("calibrate", "lens", *names, "--folder", tmp_path / "table", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["error_px"] < 0.3
    assert answer["camera_matrix"][0][0] == pytest.approx(820, rel=0.01)
    assert (tmp_path / "table" / "lens.toml").exists()


def test_calibrate_lens_without_a_chart_says_how_to_get_one(tmp_path: Path) -> None:
    path = tmp_path / "wall.png"
    assert cv2.imwrite(str(path), np.full((90, 160, 3), 99, np.uint8))
    result = run("calibrate", "lens", path, "--folder", tmp_path)
    assert result.exit_code == 1
    assert "companion print chart" in result.output
    assert run("calibrate", "lens", path, "--chart", "dartboard").exit_code == 2


def test_calibrate_light_needs_a_real_camera(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "a.png"), np.full((9, 16, 3), 99, np.uint8))
    result = run("calibrate", "light", "--camera", f"folder:{tmp_path}", "--folder", tmp_path)
    assert result.exit_code == 2
    assert "usb:N or pi" in result.output
    lost = run("calibrate", "light", "--camera", "pi:0", "--folder", tmp_path)
    assert lost.exit_code == 1
    assert "picamera2" in lost.output


def test_calibrate_layout_keeps_a_games_zones_as_given(tmp_path: Path) -> None:
    result = run("calibrate", "layout", "fiji", "--zone", "supply=1,2,30,40", "--folder", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    zones = {zone["name"]: zone for zone in json.loads(result.stdout)["zones"]}
    assert zones["supply"] == {"name": "supply", "x": 1.0, "y": 2.0, "width": 30.0, "height": 40.0}
    assert "seat4.bid" in zones
    assert "seat5.bid" not in zones


def test_calibrate_layout_keeps_the_size_of_the_markers(tmp_path: Path) -> None:
    assert run("calibrate", "layout", "fiji", "--size", "30", "--folder", tmp_path).exit_code == 0
    assert run("calibrate", "layout", "fiji", "--folder", tmp_path).exit_code == 0
    assert "marker_mm = 30.0" in (tmp_path / "layout.toml").read_text()


def test_calibrate_layout_by_a_photo_of_zone_cards(tmp_path: Path) -> None:
    table = SimulatedTable({"card": marker(20, 40.0)}, 3, look=Look())
    assert cv2.imwrite(str(tmp_path / "t.png"), table.render(Scene(cards=(Placed("card", (200.0, 150.0)),))))
    result = run("calibrate", "layout", "fiji", tmp_path / "t.png", "--folder", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["by_card"] == ["supply"]
    supply = answer["zones"][0]
    assert (supply["x"], supply["y"]) == pytest.approx((230, 120), abs=1.5)
    assert cv2.imwrite(str(tmp_path / "bare.png"), table.render(Scene()))
    bare = run("calibrate", "layout", "fiji", tmp_path / "bare.png", "--folder", tmp_path)
    assert bare.exit_code == 1
    assert "no zone card" in bare.output


@pytest.mark.parametrize("game", ["fiji", "rapa-nui", "maori", "giants"])
def test_every_zone_of_a_game_has_its_own_card_however_many_play(game: str) -> None:
    order = card_order(game)
    for players in find(game).seats:
        assert {zone.name for zone in default_zones(game, players)} <= set(order)
    assert len(order) <= len(ZONE_IDS)


def test_calibrate_layout_refuses_what_is_wrong(tmp_path: Path) -> None:
    assert run("calibrate", "layout", "chess", "--folder", tmp_path).exit_code == 2
    assert run("calibrate", "layout", "fiji", "--zone", "supply", "--folder", tmp_path).exit_code == 2
    assert run("calibrate", "layout", "fiji", "--players", "6", "--folder", tmp_path).exit_code == 2
    assert not list(tmp_path.iterdir())
