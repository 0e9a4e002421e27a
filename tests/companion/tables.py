"""Help for tests of a live table: a table with people who seal as phones do."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.log import Entry, Log, NotWritable
from companion.seal import commitment
from companion.table import Table

NAMES = ("Hedwig", "Christian", "Angelika", "Marcel", "Noor")
ROWS = [
    {
        "condition": {"colours": ["red", "green"], "wins": "most"},
        "effect": {"kind": "gain", "colour": "red"},
    },
    {"condition": {"colours": ["yellow"], "wins": "fewest"}, "effect": {"kind": "keep_bid"}},
    {
        "condition": {"colours": ["green", "red", "yellow", "blue"], "wins": "most"},
        "effect": {"kind": "others_gain", "colour": "yellow"},
    },
    {
        "condition": {"colours": ["green", "red", "yellow", "blue"], "wins": "fewest"},
        "effect": {"kind": "half", "colour": "yellow"},
    },
]
GOALS = [
    {"colour": "red", "wins": "most"},
    {"colour": "blue", "wins": "fewest"},
    {"colour": "green", "wins": "most"},
    {"colour": "yellow", "wins": "most"},
]


def open_table(folder: Path, game: str = "fiji", **more: Any) -> Table:
    folder.mkdir(exist_ok=True)
    return Table(Log(folder / "companion.db", "oak"), game, **more)


def seated(table: Table, count: int) -> list[str]:
    """So many people sit and the game begins; their tokens."""
    tokens = [table.sit(None, name) for name in NAMES[:count]]
    table.begin(tokens[0])
    return tokens


def laid_out(table: Table, token: str, rows: list[dict[str, Any]] | None = None) -> None:
    """The round's cards, entered on a phone."""
    assert table.act(token, {"do": "lay_conditions", "rows": rows or ROWS}, "en")["legal"]
    assert table.act(token, {"do": "lay_goals", "goals": GOALS}, "en")["legal"]


def seal(table: Table, token: str, **beads: int) -> dict[str, Any]:
    """Seal a bid of beads as a phone does."""
    return seal_args(table, token, beads=beads)


def seal_args(table: Table, token: str, **args: Any) -> dict[str, Any]:
    """Seal any secret decision as a phone does."""
    seat = table.seat_of(token)
    assert seat is not None
    view = table.view(seat, "en")
    salt, attempt = secrets.token_bytes(32), view["attempt"] + 1
    bound = commitment(view["table"], view["game"], view["moment"], seat, attempt, args, salt)
    return table.seal(token, view["moment"], attempt, args, salt.hex(), bound)


def full_disk(table: Table, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """The next entry of this kind cannot be written, but all after it."""
    append_many, full = table._log.append_many, [kind]

    def once_full(drafts: Iterable[Any]) -> list[Entry]:
        drafts = list(drafts)
        if full and any(draft[0] == kind for draft in drafts):
            full.clear()
            raise NotWritable("The disk is full.")
        return append_many(drafts)

    monkeypatch.setattr(table._log, "append_many", once_full)
