"""A new game is one folder and one entry point: installed like that, every command knows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games.game import Malformed, game, games
from tests.games.playing import play
from tests.games.sticks import game as sticks


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `pip install` leaves behind of a package that offers a game."""
    info = tmp_path / "sticks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sticks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion.games]\nsticks = tests.games.sticks:game\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("_installed")
def test_an_installed_game_is_found_by_its_entry_point() -> None:
    assert games()["sticks"] is sticks
    assert game("sticks") is sticks


def test_a_game_nobody_installed_is_not_there() -> None:
    with pytest.raises(Malformed, match="fiji"):
        game("sticks")


@pytest.mark.usefixtures("_installed")
def test_its_records_replay(tmp_path: Path) -> None:
    playthrough = play(sticks, 2, 4, {}, bots=True)
    record = tmp_path / "evening.jsonl"
    record.write_text(playthrough.record())
    answer = CliRunner().invoke(main, ["replay", str(record), "--json"])
    assert answer.exit_code == 0
    assert json.loads(answer.stdout)["ranking"] == [list(place) for place in sticks.ranking(playthrough.end)]


@pytest.mark.usefixtures("_installed")
def test_its_rulings_are_told(tmp_path: Path) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text('{"record": 1, "game": "sticks", "players": ["Ada", "Bob"], "options": {}}\n')
    asked = ["ruling", str(record), '{"by": 1, "do": "take", "sticks": 2}', "--lang", "nl"]
    answer = json.loads(CliRunner().invoke(main, asked).stdout)
    assert (answer["legal"], answer["rule"], answer["because"]) == (False, "ST-2", "Dat is nu niet aan de beurt.")
