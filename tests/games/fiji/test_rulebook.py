"""Every rule id has a text and a test, and no text is there without an id."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.games.fiji import game

HERE = Path(__file__).resolve().parent
NOTES = HERE.parents[3] / "shared" / "rules.md"

RULES = (
    "FJ-S1", "FJ-0", "FJ-0a", "FJ-1", "FJ-2", "FJ-3",
    "FJ-4", "FJ-4a1", "FJ-4a2", "FJ-4b1", "FJ-4b2", "FJ-4b3", "FJ-4b4", "FJ-4b5",
    "FJ-X1", "FJ-X2", "FJ-X3", "FJ-X4", "FJ-X5", "FJ-X6",
    "FJ-5", "FJ-5h", "FJ-5r", "FJ-E",
    "FJ-2p1", "FJ-2p2", "FJ-2p3", "FJ-2p4",
    "FJ-A1", "FJ-A2", "FJ-A3", "FJ-A4", "FJ-A5", "FJ-A6",
)  # fmt: skip
EXAMPLES = ("FJ-T1", "FJ-T2")


def names_of_tests() -> set[str]:
    """The names of all tests beside this one."""
    trees = [ast.parse(path.read_text("utf-8")) for path in HERE.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
def test_every_id_has_a_text_and_every_text_an_id(lang: str) -> None:
    assert list(game.rulebook.texts(lang).rules) == list(RULES)


def test_every_id_has_a_test() -> None:
    tested = names_of_tests()
    for id_ in (*RULES, *EXAMPLES):
        start = f"test_{id_.lower().replace('-', '_')}_"
        assert any(name.startswith(start) for name in tested), f"no test is called {start}…"


@pytest.mark.skipif(not NOTES.exists(), reason="the rules notes are not part of the project")
def test_these_are_the_ids_of_the_rules_notes() -> None:
    notes = NOTES.read_text("utf-8")
    section = notes[notes.index("# 2. FIJI") : notes.index("# 3. GIANTS")]
    defined = set(re.findall(r"(?:^\| |^\* \*\*|^\*\*)(FJ-\w+)", section, re.MULTILINE))
    assert defined | {"FJ-0a"} == set(RULES) | set(EXAMPLES)
    assert "**FJ-0a**" in notes


def test_every_ruling_of_the_rules_names_one_of_them() -> None:
    package = Path(__file__).resolve().parents[3] / "companion" / "games" / "fiji"
    named = {id_ for path in package.glob("*.py") for id_ in re.findall(r'"(FJ-\w+)"', path.read_text("utf-8"))}
    assert named
    assert named <= set(RULES)


def test_no_message_is_there_for_nothing() -> None:
    package = Path(__file__).resolve().parents[3] / "companion" / "games" / "fiji"
    code = "\n".join(path.read_text("utf-8") for path in package.glob("*.py"))
    assert [m for m in game.rulebook.texts("en").messages if f'"{m}"' not in code] == []
