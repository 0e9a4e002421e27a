"""Every rule has its text in all languages, a test named after it and a place in the code."""

from __future__ import annotations

import pytest

from companion.games.game import games
from tests.games.coverage import line, main, named_after, rows

NAMES = [name for name, game in games().items() if game.folder.startswith("companion.")]


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_lacks_text_test_or_code(name: str) -> None:
    table = rows(games()[name])
    assert len(table) > 30
    assert [line(row) for row in table if not row.complete] == []


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rapa-nui"]) == 0
    printed = capsys.readouterr().out
    assert "rapa-nui: 45 rule ids, 45 with text, test and code" in printed
    assert "  RN-2.6  en de nl  test_turn.py:" in printed


def test_names_of_tests_tell_2_1_from_2_10() -> None:
    assert named_after("GI-4.1") == "test_gi_4_1_"
    assert not "test_gi_4_10_marks".startswith(named_after("GI-4.1"))
