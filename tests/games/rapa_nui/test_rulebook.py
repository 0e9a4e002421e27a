"""Every rule id has a text and a test, and no text is there without an id."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy
from tests.games.rapa_nui.tables import FISH, at_turn, refused

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "companion" / "games" / "rapa_nui"
NOTES = HERE.parents[3] / "shared" / "rules.md"

RULES = (
    "RN-0",
    *(f"RN-S{n}" for n in range(1, 8)),
    *(f"RN-1.{n}" for n in range(1, 4)),
    *(f"RN-2.{n}" for n in range(1, 9)),
    *(f"RN-3.{n}" for n in range(1, 12)),
    *(f"RN-E{n}" for n in range(1, 6)),
    *(f"AMB-{n}" for n in range(1, 11)),
)
EXAMPLES = tuple(f"RN-T{n}" for n in range(1, 13))
DIFFER = ("RN-S2", "RN-S3", "RN-S5", "RN-2.6", "RN-3.8", "RN-E3", "RN-E5")  #: where the German and Dutch books do


def code() -> str:
    """All of the game's code."""
    return "\n".join(path.read_text("utf-8") for path in PACKAGE.glob("*.py"))


def names_of_tests() -> set[str]:
    """The names of all tests beside this one."""
    trees = [ast.parse(path.read_text("utf-8")) for path in HERE.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_every_id_has_a_text_and_every_text_an_id(lang: str) -> None:
    assert tuple(game.rulebook.texts(lang).rules) == RULES


def test_every_id_has_a_test() -> None:
    tested = names_of_tests()
    for id_ in (*RULES, *EXAMPLES):
        start = f"test_{re.sub('[-.]', '_', id_.lower())}_"
        assert any(name.startswith(start) for name in tested), f"no test is called {start}…"


def test_every_id_has_its_place_in_the_code() -> None:
    assert [id_ for id_ in RULES if not re.search(rf"{re.escape(id_)}(?!\d)", code())] == []


@pytest.mark.skipif(not NOTES.exists(), reason="the rules notes are not part of the project")
def test_these_are_the_ids_of_the_rules_notes() -> None:
    notes = NOTES.read_text("utf-8")
    section = notes[notes.index("# 1. RAPA NUI") : notes.index("# 2. FIJI")]
    defined = set(re.findall(r"^(?:\| |\* \*\*)((?:RN|AMB)-[\w.]+)", section, re.MULTILINE))
    assert defined | {"RN-0"} == set(RULES) | set(EXAMPLES)
    assert "**RN-0**" in notes


def test_every_ruling_of_the_rules_names_one_of_them() -> None:
    named = {
        id_ for path in PACKAGE.glob("*.py") for id_ in re.findall(r'"((?:RN|AMB)-[\w.]+)"', path.read_text("utf-8"))
    }
    assert named
    assert named <= set(RULES)


def test_no_message_is_there_for_nothing() -> None:
    assert [m for m in game.rulebook.texts("en").messages if f'"{m}"' not in code()] == []


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_where_the_books_differ_the_rule_says_so(lang: str) -> None:
    rules = game.rulebook.texts(lang).rules
    assert tuple(id_ for id_ in RULES if rules[id_].note) == DIFFER


def test_a_ruling_in_three_languages() -> None:
    ruling = refused(at_turn(wood=[4]), Buy(0, FISH))
    names = ["Sandra", "Arne", "Stefan", "Patrick"]
    told = {lang: game.rulebook.ruling(ruling, names, lang) for lang in ("en", "de", "nl")}
    assert told["en"]["because"] == "The card fish costs Sandra 5 wood; 4 wood is there."
    assert told["de"]["because"] == "Die Karte Fisch kostet Sandra 5 Holz; vorhanden: 4."
    assert told["nl"]["because"] == "De kaart vis kost Sandra 5 hout; aanwezig: 4."
    assert told["en"]["source"] == {
        "book": "Rapa Nui, Kosmos 2011",
        "heading": "1. Eine Opferkarte erwerben (optional)",
    }
    assert told["nl"]["source"]["heading"] == "1. Een offerkaart kopen (optioneel)"
