"""Every rule id has a text and a test, no text is there without an id, and every message can be told."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from companion.games.giants import game
from companion.games.giants.actions import Bid, Carve, Hands, Mark, Pass, Peek, Rongo, Unmark
from companion.games.giants.state import Site
from companion.sentences import texts
from tests.games.giants.tables import headdress, in_phase, moai, move, place, play, roll
from tests.games.playing import NAMES

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "companion" / "games" / "giants"
NOTES = HERE.parents[3] / "shared" / "rules.md"

RULES = (
    "GI-0", "GI-S1", "GI-S2", "GI-S3", "GI-S4", "GI-S5", "GI-S6", "GI-R0",
    "GI-1.1", "GI-1.2", "GI-1.3",
    "GI-2.1", "GI-2.2", "GI-2.3", "GI-2.4", "GI-2.5", "GI-2.6", "GI-2.7",
    "GI-3A", "GI-3B", "GI-3B1", "GI-3B2", "GI-3B3", "GI-3B4", "GI-3B5", "GI-3C", "GI-3D", "GI-3E", "GI-3F",
    "GI-3G", "GI-3H", "GI-3I",
    "GI-4.1", "GI-4.2", "GI-4.3", "GI-4.4", "GI-4.5", "GI-4.6", "GI-4.7", "GI-4.8", "GI-4.9", "GI-4.10",
    "GI-4.11", "GI-4.12", "GI-4.13",
    "GI-5.1", "GI-5.2", "GI-5.3", "GI-5.4",
    "GI-E1", "GI-E2", "GI-E3", "GI-E4", "GI-E5", "GI-V1",
    "GI-A1", "GI-A2", "GI-A3", "GI-A4", "GI-A5", "GI-A6", "GI-A7", "GI-A8", "GI-A9", "GI-A10", "GI-A11", "GI-A12",
)  # fmt: skip
EXAMPLES = tuple(f"GI-T{number}" for number in range(1, 9))


def names_of_tests() -> set[str]:
    """The names of all tests beside this one."""
    trees = [ast.parse(path.read_text("utf-8")) for path in HERE.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


def code() -> str:
    return "\n".join(path.read_text("utf-8") for path in PACKAGE.glob("*.py"))


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_every_id_has_a_text_and_every_text_an_id(lang: str) -> None:
    assert list(game.rulebook.texts(lang).rules) == list(RULES)


def test_every_id_has_a_test() -> None:
    tested = names_of_tests()
    for id_ in (*RULES, *EXAMPLES):
        start = f"test_{re.sub('[-.]', '_', id_.lower())}_"
        assert any(name.startswith(start) for name in tested), f"no test is called {start}…"


@pytest.mark.skipif(not NOTES.exists(), reason="the rules notes are not part of the project")
def test_these_are_the_ids_of_the_rules_notes() -> None:
    notes = NOTES.read_text("utf-8")
    section = notes[notes.index("# 3. GIANTS") : notes.index("# 4. MAORI")]
    defined = set(re.findall(r"GI-\d\.\d+|GI-\w+", section)) - {"GI"}
    assert defined | {"GI-0"} == set(RULES) | set(EXAMPLES)
    assert "**GI-0**" in notes


def test_every_ruling_and_effect_names_one_of_them() -> None:
    named = set(re.findall(r'"(GI-[\w.]+)"', code()))
    assert named
    assert named <= set(RULES)


def test_every_id_has_its_place_in_the_code() -> None:
    assert set(RULES) <= set(re.findall(r"GI-\d\.\d+|GI-\w+", code()))


def test_no_message_is_there_for_nothing() -> None:
    assert [m for m in game.rulebook.texts("en").messages if f'"{m}"' not in code()] == []


@pytest.mark.parametrize("lang", ["de", "nl"])
def test_all_languages_say_the_same_at_the_table(lang: str) -> None:
    def messages(language: str) -> dict[str, str]:
        told = tomllib.loads(files(game.folder).joinpath(f"table.{language}.toml").read_text("utf-8"))["messages"]
        return dict(told)

    def blanks(message: str) -> list[str]:
        return sorted(name for _, name, _, _ in Formatter().parse(message) if name)

    english, other = messages("en"), messages(lang)
    assert {name: blanks(m) for name, m in other.items()} == {name: blanks(m) for name, m in english.items()}


CHOICES = [
    roll(1, 2, 3),
    Bid(0, Hands(2, 1, 1, 0)),
    Carve(0, 2),
    Carve(0, None),
    place(0, "worker", "a", logs=1),
    place(0, "sorcerer", "v", "village"),
    place(0, "chief", "b", "reserve", ahu="B"),
    Rongo(0),
    Pass(0),
    move(0, "moai-1", "a: 0w"),
    move(0, "moai-1", "a: 0w", "mark"),
    move(0, "moai-1", "a: 0w", "erect", "A"),
    move(0, "headdress-1", "a: 0w", "crown", "A"),
    move(0, "moai-1", "a: 1w 2w"),
    move(0, "moai-1", "a: 1w", "mark"),
    move(0, "moai-1", "a: 1w", "erect", "A"),
    move(0, "headdress-1", "a: 1w", "crown", "A"),
    move(0, "moai-1", "", "mark"),
    move(0, "moai-1", "", "erect", "A"),
    move(0, "headdress-1", "", "crown", "A"),
    Mark(0, "moai-1"),
    Unmark(0, "moai-1"),
    Peek(0, "A"),
]


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_every_action_can_be_told_as_a_choice(lang: str) -> None:
    said = texts(lang, "giants")
    told = [said.tell(game.tell(in_phase("transport"), action), NAMES) for action in CHOICES]
    assert len(set(told)) == len(CHOICES) - 1, "marking without moving may be said in two ways"
    assert all("{" not in sentence for sentence in told)


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_every_phase_has_a_headline(lang: str) -> None:
    said = texts(lang, "giants")
    for phase in ("roll", "bid", "carve", "place", "transport", "end"):
        state = in_phase(phase, turn=0 if phase in ("carve", "place", "transport") else None)
        assert "2" in said.tell(game.phase(state), NAMES)
    assert [game.due(in_phase(phase)) for phase in ("bid", "transport", "end")] == ["bid", "move", "roll"]


def test_whose_figures_help_is_told() -> None:
    said = texts("en", "giants")
    assert "Christian and Angelika" in said.tell(game.tell(in_phase("transport"), move(0, "moai-1", "a: 1w 2w")), NAMES)


def test_a_peek_is_answered_by_name() -> None:
    state = in_phase("place", pieces=[moai(1, 1, ahu="B")], sites={"B": Site(base=2, moai="moai-1")}, tablets=(1, 0, 0))
    effects = game.view_effects(game.apply(state, Peek(0, "B"))[1], 0)
    assert (
        game.rulebook.texts("en").tell(effects[-1].note, NAMES) == "Under the Moai on ahu B lies the base of Angelika."
    )


def test_a_round_told_in_words() -> None:
    state = in_phase("transport", figures={"a": "1c"}, pieces=[moai(1, 3, before=0), headdress(1, before=1)])
    effects = game.apply(state, move(0, "moai-1", "a: 1c"))[1]
    told = [game.rulebook.texts("en").tell(effect.note, NAMES) for effect in effects]
    assert told == ["Hedwig moves Moai 1 over a.", "Christian gets prestige for helping: 3."]
    last = play(state, move(0, "moai-1", "a: 1c"), Pass(1), Pass(2))
    told = [game.rulebook.texts("de").tell(effect.note, NAMES) for effect in game.apply(last, Pass(0))[1]]
    assert "Nicht bewegt, also auf das Steinbruchfeld gestellt: Kopfschmuck 1." in told
