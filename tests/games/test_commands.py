"""`companion replay` and `companion ruling` as people and programs call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands import ruling_
from companion.games.fiji import game as fiji
from tests.games.playing import NAMES, Playthrough, play

PLAYED: Playthrough = play(fiji, 4, 6, {}, bots=True)
BID = '{"by": 0, "do": "bid", "beads": {"green": 5}}'


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "evening.jsonl"
    path.write_text(PLAYED.record(), "utf-8")
    return path


def begun(tmp_path: Path, lines: int) -> Path:
    """A record cut after so many lines."""
    path = tmp_path / "begun.jsonl"
    path.write_text("".join(PLAYED.record().splitlines(keepends=True)[:lines]), "utf-8")
    return path


def run(*args: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_replay_prints_one_object(record: Path) -> None:
    result = run("replay", record, "--json")
    (answer,) = answers(result)
    assert result.exit_code == 0
    assert list(answer) == ["game", "over", "to_act", "state", "scores", "ranking"]
    assert answer["game"] == "fiji"
    assert (answer["over"], answer["to_act"]) == (True, [])
    assert answer["state"] == fiji.dump(PLAYED.end)
    assert answer["scores"] == [score.data() for score in fiji.scores(PLAYED.end)]
    assert answer["ranking"] == [list(place) for place in fiji.ranking(PLAYED.end)]


def test_replay_prints_the_state_with_these_fields(tmp_path: Path) -> None:
    (answer,) = answers(run("replay", begun(tmp_path, 4), "--json"))
    assert set(answer["state"]) == {"round", "exchange", "supply", "hands", "bids", "goals", "rows", "heads"}
    assert answer["to_act"] == [seat for seat in range(4) if answer["state"]["bids"][seat] is None]


def test_replay_every_prints_one_object_a_line(record: Path) -> None:
    printed = answers(run("replay", record, "--json", "--every"))
    assert [answer["state"] for answer in printed] == [fiji.dump(state) for state in PLAYED.states]
    assert printed[0]["to_act"] == ["table"]


def test_replay_reads_standard_input() -> None:
    assert answers(run("replay", "-", "--json", stdin=PLAYED.record())) == answers(
        run("replay", "-", "--json", stdin=PLAYED.record())
    )
    assert answers(run("replay", "-", "--json", stdin=PLAYED.record()))[0]["over"]


def test_an_illegal_line_stops_the_replay(tmp_path: Path) -> None:
    path = begun(tmp_path, 3)
    path.write_text(path.read_text("utf-8") + BID + "\n", "utf-8")
    result = run("replay", path, "--json")
    assert result.exit_code == 1
    assert answers(result) == [
        {
            "line": 4,
            "error": "illegal",
            "rule": "FJ-4a1",
            "message": "This bid of Hedwig has 5 beads; it must have 1 to 4.",
        }
    ]
    every = run("replay", path, "--json", "--every")
    assert every.exit_code == 1
    assert [("error" in answer) for answer in answers(every)] == [False, False, False, True]


def test_an_illegal_line_is_explained_to_people(tmp_path: Path) -> None:
    path = begun(tmp_path, 3)
    path.write_text(path.read_text("utf-8") + BID + "\n", "utf-8")
    said = run("replay", path).stdout
    assert "Line 4 is illegal: This bid of Hedwig has 5 beads" in said
    assert "FJ-4a1" in said
    assert "What to do:" in said


@pytest.mark.parametrize("text", ["", "\n", "{}", "[]", "\x00", "{" * 10_000, '{"record": 1}\n{}'])
def test_what_cannot_be_read_is_malformed(text: str) -> None:
    result = run("replay", "-", "--json", stdin=text)
    assert result.exit_code == 1
    assert [(a["line"], a["error"]) for a in answers(result)] == [(1, "malformed")]
    assert run("replay", "-", stdin=text).exit_code == 1


def test_a_replay_reads_like_a_story(record: Path) -> None:
    said = run("replay", record, "--every").stdout
    assert "1: fiji with Hedwig, Christian, Angelika, Marcel" in said
    assert "cancel" in said
    assert "The game is over." in said
    assert "Places: 1. " in said


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    result = run("replay", tmp_path / "no.jsonl")
    assert result.exit_code == 2
    assert "no.jsonl" in result.output


def test_a_ruling_has_these_fields(tmp_path: Path) -> None:
    result = run("ruling", begun(tmp_path, 3), BID)
    (answer,) = answers(result)
    assert result.exit_code == 1
    assert answer == {
        "legal": False,
        "rule": "FJ-4a1",
        "says": fiji.rulebook.texts("en").rules["FJ-4a1"].text,
        "source": {"book": "Fiji, 2F-Spiele 2005", "heading": "4. Das Tauschen, Schritt a) Bieten"},
        "because": "This bid of Hedwig has 5 beads; it must have 1 to 4.",
    }


def test_a_legal_action_is_no_less_explained(tmp_path: Path) -> None:
    result = run("ruling", begun(tmp_path, 3), BID.replace("5", "3"), "--json")
    (answer,) = answers(result)
    assert result.exit_code == 0
    assert (answer["legal"], answer["rule"]) == (True, "FJ-4a1")


@pytest.mark.parametrize(("lang", "word"), [("en", "must have"), ("de", "müssen"), ("nl", "moeten")])
def test_a_ruling_speaks_three_languages(tmp_path: Path, lang: str, word: str) -> None:
    (answer,) = answers(run("ruling", begun(tmp_path, 3), BID, "--lang", lang))
    assert word in answer["because"]
    assert answer["says"] == fiji.rulebook.texts(lang).rules["FJ-4a1"].text


def test_another_language_is_wrong_usage(tmp_path: Path) -> None:
    assert run("ruling", begun(tmp_path, 3), BID, "--lang", "fr").exit_code == 2


@pytest.mark.parametrize("action", ["", "bid", "[]", "{}", '{"by": 9, "do": "bid", "beads": {}}', '{"a": NaN}'])
def test_an_action_that_cannot_be_read_is_malformed(tmp_path: Path, action: str) -> None:
    result = run("ruling", begun(tmp_path, 3), action)
    (answer,) = answers(result)
    assert result.exit_code == 1
    assert (answer["line"], answer["error"]) == (None, "malformed")


def test_a_ruling_on_a_bad_record_says_what_is_wrong_with_it() -> None:
    (answer,) = answers(run("ruling", "-", BID, stdin="{}"))
    assert (answer["line"], answer["error"]) == (1, "malformed")


def test_rulings_change_nothing(record: Path) -> None:
    before = record.read_bytes()
    run("ruling", record, BID)
    assert record.read_bytes() == before


def test_a_ruling_in_words() -> None:
    answer = fiji.rulebook.ruling(fiji.verify(PLAYED.end, PLAYED.actions[0]), NAMES, "de")
    assert ruling_.words(answer, "de").startswith("Nein. Die vierte Runde ist vorbei")
    error = {"line": 3, "error": "malformed", "message": "it is empty"}
    assert ruling_.words(error, "en").startswith("Line 3 of the record is malformed: it is empty")


def test_help_shows_an_example() -> None:
    for command in ("replay", "ruling"):
        assert f"companion {command} evening.jsonl" in run(command, "--help").stdout


def test_rules_need_nothing_but_the_standard_library(record: Path) -> None:
    code = (
        "import sys; from companion.games.record import last, lines_of\n"
        "step = last(lines_of(open(sys.argv[1], 'rb')))\n"
        "assert step.game.over(step.state)\n"
        "heavy = {'cv2', 'numpy', 'flask', 'sqlalchemy', 'PIL'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(record)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
