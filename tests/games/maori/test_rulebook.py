"""Every rule id has a text and a test, and no text is there without an id."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import pytest

from companion.games.maori import game
from companion.games.maori.actions import Sail
from companion.games.maori.tiles import Tile, told
from tests.games.maori.tables import at_sea, refused

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2] / "companion" / "games" / "maori"
NOTES = HERE.parents[3] / "shared" / "rules.md"

RULES = (
    "MA-0", "MA-S1", "MA-S2", "MA-1.1", "MA-1.2",
    "MA-2.0", "MA-2a", "MA-2a1", "MA-2a2", "MA-2a3", "MA-2a4", "MA-2b", "MA-2c", "MA-2d", "MA-2e", "MA-2v",
    "MA-3", "MA-E1",
    *(f"MA-W{n}" for n in range(7)),
    *(f"MA-A{n}" for n in range(1, 13)),
)  # fmt: skip


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
    for id_ in RULES:
        start = f"test_{re.sub('[-.]', '_', id_.lower())}_"
        assert any(name.startswith(start) for name in tested), f"no test is called {start}…"


def test_every_id_has_its_place_in_the_code() -> None:
    assert [id_ for id_ in RULES if not re.search(rf"{re.escape(id_)}(?![\da-z])", code())] == []


@pytest.mark.skipif(not NOTES.exists(), reason="the rules notes are not part of the project")
def test_these_are_the_ids_of_the_rules_notes() -> None:
    notes = NOTES.read_text("utf-8")
    section = notes[notes.index("# 4. MAORI") : notes.index("# 5. Cross-game")]
    defined = set(re.findall(r"^(?:\| |\* \*\*)((?:MA)-[\w.]+)", section, re.MULTILINE))
    assert defined | {"MA-0"} == set(RULES)
    assert "**MA-0**" in notes


def test_every_ruling_of_the_rules_names_one_of_them() -> None:
    named = {id_ for path in PACKAGE.glob("*.py") for id_ in re.findall(r'"((?:MA)-[\w.]+)"', path.read_text("utf-8"))}
    assert named
    assert named <= set(RULES)


def test_no_message_is_there_for_nothing() -> None:
    assert [m for m in game.rulebook.texts("en").messages if f'"{m}"' not in code()] == []


def test_a_ruling_in_three_languages() -> None:
    ruling = refused(at_sea(shells=(1, 5)), Sail(0, 4))
    told = {lang: game.rulebook.ruling(ruling, ["Mia", "Tom"], lang) for lang in ("en", "de", "nl")}
    assert told["en"]["because"] == "4 steps with 2 boats cost 2 shells; Mia has 1."
    assert told["de"]["because"] == "4 Schritte bei 2 Booten kosten 2 Muscheln; Mia hat 1."
    assert told["nl"]["because"] == "4 stappen bij 2 boten kosten 2 schelpen; Mia heeft er 1."
    assert told["en"]["source"]["heading"] == "1) Entdeckerschiff bewegen (MUSS)"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["a volcano", "plain water", "water (1 boat)", "a single island (2 palms, 1 half wreath)"]),
        ("de", ["Vulkan", "leeres Wasser", "Wasser (1 Boot)", "Einzelinsel (2 Palmen, 1 halber Kranz)"]),
        ("nl", ["een vulkaan", "leeg water", "water (1 boot)", "een los eiland (2 palmen, 1 halve krans)"]),
    ],
)
def test_tiles_are_told_by_what_they_show(lang: str, said: list[str]) -> None:
    texts = game.rulebook.texts(lang)
    tiles = [Tile(volcano=True), Tile(), Tile(boats=1), Tile(palms=2, wreath="N")]
    assert [texts.tell(told(tile), ()) for tile in tiles] == said
    ends = "".join(texts.tell(told(Tile(frozenset("NE"))), ()))
    assert ends in ("land to the north and east", "Land nach Norden und Osten", "land naar het noorden en oosten")


def test_no_sentence_of_a_game_names_a_tile_as_records_do() -> None:
    rng = random.Random(4)
    state, dealer = game.start(3, {}), game.dealer(rng)
    names = set(state.setup.names)
    texts = game.rulebook.texts("en")
    while actors := game.to_act(state):
        action = dealer.act(state) if actors == ("table",) else game.sample(state, actors[0], rng)
        state, effects = game.apply(state, action)
        for effect in effects:
            sentence = texts.tell(effect.note, ("Ada", "Ben", "Cas"))
            assert names.isdisjoint(sentence.replace(",", " ").replace(".", " ").split()), sentence
