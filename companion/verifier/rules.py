"""The rules of a game: the one thing that the check has in common with what it checks.

Nobody can say whether an action was allowed without a game's rules. They are asked for by the game's name, as any
other program would, and know nothing of logs, tables or exports; all else here is the verifier's own.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from companion.verifier.archive import Damaged

Rules = Any  #: `start`, `read`, `apply`, `to_act`, `scores` and `ranking`; ValueError says what is not allowed


def rules_of(name: str) -> Rules:
    """The rules of the game of this name; raises Damaged when they are not installed."""
    for entry in entry_points(group="companion.games"):
        if entry.name == name:
            return entry.load()
    raise Damaged(f"There are no rules here of the game {name!r}, so what was played cannot be checked.")
