"""Every rule id with its text in each language, the tests named after it and its places in the code.

`python -m tests.games.coverage [GAME…]` prints the table; its exit status is 1 when an id lacks any of them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.game import Game, games
from companion.games.rulebook import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
ID = re.compile(r"\b(?:RN|AMB|FJ|MA|GI)-\d\.\d+|\b(?:RN|AMB|FJ|MA|GI)-\w+")


@dataclass(frozen=True, slots=True)
class Row:
    """One rule id: the languages that have a text for it, and where tests and code have it (file:line)."""

    id: str
    languages: tuple[str, ...]
    tests: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return self.languages == LANGUAGES and bool(self.tests) and bool(self.code)


def rows(game: Game[Any, Any]) -> list[Row]:
    """A row for each rule id of a game, in its book's order, and for each id that only tests or code name."""
    texts = {lang: game.rulebook.texts(lang).rules for lang in LANGUAGES}
    package = ROOT.joinpath(*game.folder.split("."))
    tests = _tests(sorted((ROOT / "tests" / "games" / package.name).glob("test_*.py")))
    code = _code(sorted(package.glob("*.py")))
    ids = dict.fromkeys([*(id_ for rules in texts.values() for id_ in rules), *code])
    return [
        Row(
            id_,
            tuple(lang for lang in LANGUAGES if id_ in texts[lang]),
            tuple(place for name, place in tests if name.startswith(named_after(id_))),
            tuple(code.get(id_, ())),
        )
        for id_ in ids
    ]


def named_after(id_: str) -> str:
    """How the name of a rule's test begins.

    >>> named_after("RN-2.6")
    'test_rn_2_6_'
    """
    return f"test_{re.sub('[-.]', '_', id_.lower())}_"


def _tests(paths: Iterable[Path]) -> list[tuple[str, str]]:
    trees = [(path, ast.parse(path.read_text("utf-8"))) for path in paths]
    return [
        (node.name, f"{path.name}:{node.lineno}")
        for path, tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    ]


def _code(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Where the code names each id; what stands before an ellipsis (RN-…) is none."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            for id_ in ID.findall(line):
                found.setdefault(id_, []).append(f"{path.name}:{number}")
    return found


def line(row: Row) -> str:
    """A row as a line of the table: the first test and place, and how many more there are."""
    return f"  {row.id:<8}{' '.join(row.languages):<10}{_first(row.tests):<34}{_first(row.code)}"


def _first(places: tuple[str, ...]) -> str:
    if not places:
        return "MISSING"
    return places[0] if len(places) == 1 else f"{places[0]} +{len(places) - 1}"


def main(wanted: list[str]) -> int:
    found = games()
    gaps = 0
    for name in wanted or [name for name in found if found[name].folder.startswith("companion.")]:
        table = rows(found[name])
        gaps += sum(not row.complete for row in table)
        print(f"\n{name}: {len(table)} rule ids, {sum(row.complete for row in table)} with text, test and code")
        print("\n".join(line(row) for row in table))
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
