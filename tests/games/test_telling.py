"""How notes become sentences, and how JSON fields are read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import companion
from companion.games.game import Action, Malformed, Note, games
from companion.games.reading import Fields, bag, flag, integer, items, word
from companion.games.rulebook import Listed, Texts
from companion.sentences import texts

PLAYERS = ("Ada", "Ben {x}", "Cas")
TEXTS = Texts(
    {},
    {"say": "{fact}", "joined": "{fact:and}", "who": "{seat}", "all": "{seats:and}"},
    {"red": "rot", "palms": "Palmen", "palms_one": "Palme", "moai": "Moái"},
)


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (3, "3"),
        ("red", "rot"),
        ("unknown", "unknown"),
        ({"red": 2, "blue": 0}, "2 rot"),
        ({"red": 0}, "0"),
        (["red", "blue"], "rot, blue"),
        ((2, 1), "2, 1"),
        ({"red": 1, "palms": 1}, "1 rot, 1 Palme"),
        ({"palms": 2}, "2 Palmen"),
        ("moai-3", "Moái 3"),
        ("end-n-05", "end-n-05"),
        (Note("who", {"seat": 0}), "Ada"),
    ],
)
def test_facts_are_told_in_the_games_words(fact: Any, told: str) -> None:
    assert TEXTS.tell(Note("say", {"fact": fact}), PLAYERS) == told


@pytest.mark.parametrize(("fact", "told"), [([2], "2"), ([2, 2], "2 and 2"), ([2, 2, 1], "2, 2 and 1"), ([], "")])
def test_a_sentence_may_join_the_last_of_a_list(fact: list[int], told: str) -> None:
    assert TEXTS.tell(Note("joined", {"fact": fact}), PLAYERS) == told


def test_seats_are_told_by_their_players_names() -> None:
    assert TEXTS.tell(Note("who", {"seat": 1}), PLAYERS) == "Ben {x}"
    assert TEXTS.tell(Note("all", {"seats": (0, 2)}), PLAYERS) == "Ada and Cas"
    assert TEXTS.tell(Note("all", {"seats": {0: 2, 2: 0}}), PLAYERS) == "Ada 2 and Cas 0"


def test_a_list_needs_no_joint() -> None:
    assert f"{Listed(('a', 'b', 'c'))}" == "a, b, c"


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [], -1, 1_000_001])
def test_an_integer_is_an_integer(value: object) -> None:
    with pytest.raises(Malformed, match="where"):
        integer(value, "where")


def test_other_things_are_what_they_are() -> None:
    assert integer(0, "x") == 0
    assert flag(False, "x") is False
    assert word("a", "x", ["a"]) == "a"
    assert bag({"b": 2}, "x", ["a", "b"]) == (0, 2)
    assert items([1, 2], "x", integer, 2) == (1, 2)
    for wrong in (
        lambda: flag(1, "x"),
        lambda: word(["a"], "x", ["a"]),
        lambda: word("b", "x", ["a"]),
        lambda: bag({"c": 1}, "x", ["a"]),
        lambda: bag([1], "x", ["a"]),
        lambda: items("ab", "x", integer, 2),
        lambda: items([1], "x", integer, 2),
        lambda: items([1, 2, 3], "x", integer, range(1, 3)),
    ):
        with pytest.raises(Malformed):
            wrong()


def test_fields_are_taken_one_by_one_and_none_is_left() -> None:
    fields = Fields({"by": "table", "n": 3, "extra": 1}, "line")
    assert fields.actor(2) == "table"
    assert fields.integer("n") == 3
    assert fields.integer("m", default=7) == 7
    with pytest.raises(Malformed, match="lacks 'do'"):
        fields.word("do", ["pass"])
    with pytest.raises(Malformed, match="unknown keys: extra"):
        fields.done()
    with pytest.raises(Malformed, match="object"):
        Fields([], "line")


ENGLISH = sorted(p for name in ("rulebook", "table") for p in Path(companion.__file__).parent.rglob(f"{name}.en.toml"))


@pytest.mark.parametrize("path", ENGLISH, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize("lang", ["de", "nl"])
def test_every_sentence_is_there_in_every_language(path: Path, lang: str) -> None:
    english = tomllib.loads(path.read_text("utf-8"))
    other = tomllib.loads(path.with_name(path.name.replace(".en.", f".{lang}.")).read_text("utf-8"))
    assert list(other) == list(english)
    for part in ("words", "messages"):
        assert list(other[part]) == list(english[part])
    for code, sentence in english["messages"].items():
        assert blanks(other["messages"][code]) == blanks(sentence), code


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_there_are_sentences() -> None:
    assert {path.parent.name for path in ENGLISH} >= {"fiji", "sentences"}


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
@pytest.mark.parametrize("name", games())
def test_deeds_and_what_points_come_from_have_words_in_every_language(name: str, lang: str) -> None:
    game = games()[name]
    deeds = {kind.do for kind in all_kinds(Action) if kind.__module__.startswith(f"{game.folder}.")}
    parts = {part for score in game.scores(game.start(game.seats[0], {})) for part in score.parts}
    assert len(deeds) > 4
    assert parts
    words = texts(lang, name).words
    assert deeds | {f"part_{part}" for part in parts} <= set(words)


def all_kinds(kind: type[Action]) -> Iterator[type[Action]]:
    """The subclasses that name a deed."""
    for below in kind.__subclasses__():
        if "do" in vars(below):
            yield below
        yield from all_kinds(below)
