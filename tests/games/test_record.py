"""Records are read strictly: whatever is wrong with one is said with the number of its line, never with a traceback."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fiji import game as fiji
from companion.games.game import Malformed
from companion.games.record import LONGEST_LINE, BadLine, Header, fold, last, lines_of, parse, read_header, replay
from tests.games.playing import play

HEADER = b'{"record": 1, "game": "fiji", "players": ["Ada", "Ben", "Cas"], "options": {}}\n'
PLAYED = play(fiji, 3, 8, {})
LINES = PLAYED.record().encode().splitlines(keepends=True)


def bad(*lines: bytes) -> BadLine:
    """What is wrong with a record of these lines."""
    with pytest.raises(BadLine) as found:
        list(replay(lines))
    return found.value


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"not json",
        b'{"a": 1',
        b'{"a": 1} {"b": 2}',
        b"[1, 2]",
        b'"text"',
        b"null",
        b'\xff\xfe{"a": 1}',
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1.0}',
        b'{"a": 1e3}',
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "c": 2, "b": 3}}',
        b'{"a": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"a": 12345678901234567890}',
        b'{"a": ' + b"9" * 100_000 + b"}",
        b'{"a": ' * 100_000,
        b"[" * 200_000,
        b'{"a": "' + b"x" * LONGEST_LINE + b'"}',
    ],
    ids=lambda line: repr(line[:20]),
)
def test_what_is_no_plain_json_object_is_malformed(line: bytes) -> None:
    for number, lines in ((1, [line]), (2, [HEADER, line])):
        error = bad(*lines)
        assert error.data() == {"line": number, "error": "malformed", "message": error.message}
        assert len(error.message) < 500


def test_json_that_is_plain_is_read() -> None:
    assert parse('{"a": [1, -2, null, true, "ü", "\\u00fc", {}]}') == {"a": [1, -2, None, True, "ü", "ü", {}]}
    assert parse(b'  {"pair": "\\ud83d\\ude00"}\r\n') == {"pair": "😀"}


@pytest.mark.parametrize(
    "change",
    [
        {"record": 2},
        {"record": True},
        {"record": "1"},
        {"record": None},
        {"game": "chess"},
        {"game": 3},
        {"players": []},
        {"players": ["Ada"]},
        {"players": ["A", "B", "C", "D", "E", "F"]},
        {"players": "Ada"},
        {"players": ["Ada", 3, "Cas"]},
        {"players": ["Ada", "  ", "Cas"]},
        {"players": ["Ada", "\n", "Cas"]},
        {"players": ["Ada", "\x1b[31mBen", "Cas"]},
        {"players": ["Ada", "B" * 81, "Cas"]},
        {"options": None},
        {"options": []},
        {"options": {"fast": True}},
        {"options": {"keep_bid_optional": 1}},
        {"surplus": 1},
    ],
    ids=str,
)
def test_a_header_must_be_as_described(change: dict[str, Any]) -> None:
    line = json.dumps({**json.loads(HEADER), **change}).encode()
    assert bad(line).data()["error"] == "malformed"
    assert bad(line).line == 1


@pytest.mark.parametrize("key", ["record", "game", "players", "options"])
def test_a_header_must_be_whole(key: str) -> None:
    line = {name: value for name, value in json.loads(HEADER).items() if name != key}
    assert repr(key) in bad(json.dumps(line).encode()).message


def test_an_empty_record_lacks_its_header() -> None:
    assert bad().data() == {"line": 1, "error": "malformed", "message": "the record is empty; line 1 is its header"}


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"by": 0},
        {"do": "bid", "beads": {}},
        {"by": 0, "do": "bid"},
        {"by": 3, "do": "bid", "beads": {}},
        {"by": -1, "do": "bid", "beads": {}},
        {"by": True, "do": "bid", "beads": {}},
        {"by": "0", "do": "bid", "beads": {}},
        {"by": ["table"], "do": "bid", "beads": {}},
        {"by": 0, "do": "pass"},
        {"by": 0, "do": "bid", "beads": {"purple": 1}},
        {"by": 0, "do": "bid", "beads": {"green": -1}},
        {"by": 0, "do": "bid", "beads": {"green": "1"}},
        {"by": 0, "do": "bid", "beads": ["green"]},
        {"by": 0, "do": "bid", "beads": {"green": 1}, "surplus": 0},
        {"by": 0, "do": "rotate_goal", "position": 0},
        {"by": 0, "do": "rotate_goal", "position": 5},
        {"by": 0, "do": "swap_goals", "positions": [1]},
        {"by": 0, "do": "swap_goals", "positions": [1, 2, 3]},
        {"by": 0, "do": "keep_bid", "keep": 1},
        {"by": "table", "do": "lay_goals", "goals": []},
        {"by": "table", "do": "lay_goals", "goals": [{"colour": "green", "wins": "least"}] * 4},
        {"by": "table", "do": "lay_conditions", "rows": [{}] * 4},
    ],
    ids=str,
)
def test_an_action_must_be_as_described(action: dict[str, Any]) -> None:
    error = bad(HEADER, json.dumps(action).encode())
    assert error.data() == {"line": 2, "error": "malformed", "message": error.message}


ROW: dict[str, Any] = {
    "condition": {"colours": ["green"], "wins": "most"},
    "effect": {"kind": "gain", "colour": "red"},
}


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("condition", {"colours": []}),
        ("condition", {"colours": ["green", "green"]}),
        ("condition", {"colours": ["purple"]}),
        ("condition", {"wins": None}),
        ("effect", {"colour": None}),
        ("effect", {"kind": "one_of_each"}),
        ("effect", {"kind": "steal"}),
    ],
    ids=str,
)
def test_a_row_must_be_as_described(part: str, change: dict[str, Any]) -> None:
    good = {"by": "table", "do": "lay_conditions", "rows": [ROW] * 4}
    assert len(list(replay([HEADER, json.dumps(good).encode()]))) == 2
    wrong = {**ROW, part: {**ROW[part], **change}}
    assert bad(HEADER, json.dumps({**good, "rows": [ROW, ROW, wrong, ROW]}).encode()).data()["error"] == "malformed"


def test_an_illegal_line_names_its_rule() -> None:
    bid = b'{"by": 1, "do": "bid", "beads": {"green": 5}}'
    error = bad(*LINES[:3], bid)
    assert error.data() == {
        "line": 4,
        "error": "illegal",
        "rule": "FJ-4a1",
        "message": "This bid of Christian has 5 beads; it must have 1 to 4.",
    }


def test_lines_before_the_bad_one_are_played() -> None:
    steps = replay([*LINES[:5], b"{}"])
    assert [next(steps).state for _ in range(5)] == PLAYED.states[:5]
    with pytest.raises(BadLine):
        next(steps)


def test_a_game_that_is_over_takes_no_more_lines() -> None:
    assert last(LINES).game.over(last(LINES).state)
    error = bad(*LINES, LINES[-1])
    assert (error.line, error.data()["rule"]) == (len(LINES) + 1, "FJ-E")


def test_line_ends_do_not_matter() -> None:
    text = PLAYED.record()
    for changed in (text.replace("\n", "\r\n"), text.rstrip("\n")):
        assert last(lines_of(io.BytesIO(changed.encode()))).state == PLAYED.end


def test_an_endless_line_is_not_read_to_its_end() -> None:
    endless = io.BytesIO(HEADER + b"x" * (10 * LONGEST_LINE))
    lines = lines_of(endless)
    assert bad(*[next(lines), next(lines)]).line == 2
    assert endless.tell() < 2 * LONGEST_LINE


def test_a_record_written_is_the_record_read() -> None:
    header = read_header(parse(LINES[0]))
    assert header == PLAYED.header
    assert fold(header, map(parse, LINES[1:])) == PLAYED.end


def test_a_header_is_data() -> None:
    header = Header("fiji", ("Ada", "Ben"))
    assert header.data() == {"record": 1, "game": "fiji", "players": ["Ada", "Ben"], "options": {}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()), max_size=4))
def test_noise_is_refused_in_words(lines: list[bytes]) -> None:
    assert bad(*lines).data()["error"] == "malformed"
    assert bad(HEADER, *lines, b"{").message


@settings(max_examples=150, deadline=None)
@given(
    fields=st.fixed_dictionaries(
        {"by": st.sampled_from([0, 1, 2, "table"]) | JSON},
        optional={
            "do": st.sampled_from(["bid", "set_aside", "lay_goals", "lay_conditions", "rotate_goal", "keep_bid"])
            | JSON,
            "beads": st.dictionaries(st.sampled_from(["green", "red", "yellow", "blue"]), st.integers(-1, 5)) | JSON,
            "rows": JSON,
            "goals": JSON,
            "position": JSON,
            "positions": JSON,
            "keep": JSON,
        },
    )
)
def test_an_action_is_read_or_malformed(fields: dict[str, Any]) -> None:
    state = PLAYED.states[2]
    try:
        action = fiji.read(state, fields)
    except Malformed:
        return
    assert fiji.read(state, action.data()) == action
