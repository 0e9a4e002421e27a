"""The account of one game: what the log of its table says, entry by entry, and who may be told.

A game that is over is told whole. Of a running game an account holds what a spectator may know at this moment:
sealed decisions and other secrets are withheld, so is what was open for a moment and is a matter of memory now, and
the account ends with the newest entry that is not a sealed decision (how often somebody seals is secret, too).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from companion.evening import Evening, Played
from companion.games.game import Effect, Game, Malformed
from companion.log import Entry

AFTER = frozenset({"camera", "answer"})  #: an action's own picture shows the table after it when it was read from it


@dataclass(frozen=True, slots=True)
class Told:
    """One action as it was played, and the entry that holds it."""

    entry: Entry
    played: Played
    effects: tuple[Effect, ...]  #: what it did, as far as it may be told
    rewound_by: int | None = None  #: the entry that took it back
    open: bool = True  #: whether the action itself may be told
    fresh: bool = True  #: whether what was open only for a moment may be told, and pictures shown


@dataclass(slots=True)
class Account:
    """One game of one table. `entries` are the table's from its first to the last one that may be told."""

    table: str
    number: int  #: the table's games are counted from 1
    evening: Evening
    entries: list[Entry] = field(default_factory=list)
    begun_at: int = 0  #: `seq` of the entry that began the game
    told: list[Told] = field(default_factory=list)
    secrets: set[int] = field(default_factory=set)  #: `seq` of sealed entries that were opened or played
    withheld: frozenset[int] = frozenset()  #: `seq` of entries of which only the hash may be shown
    seals: dict[int, int] = field(default_factory=dict)  #: by seat: the `seq` of what it has sealed at this moment

    @property
    def game(self) -> Game[Any, Any]:
        assert self.evening.game is not None
        return self.evening.game

    @property
    def finished(self) -> bool:
        return self.evening.over

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    def standing(self) -> list[Told]:
        """The actions that count: those that were not taken back."""
        return [one for one in self.told if one.rewound_by is None]

    def actions(self) -> list[dict[str, Any]]:
        """The standing actions as lines of a record, up to the first that may not be told."""
        found = []
        for one in self.standing():
            if not one.open:
                break
            found.append(one.played.action.data())
        return found

    def around(self, seq: int, near: int) -> list[Told]:
        """The action of this entry with so many before and after it; raises Malformed when there is none."""
        numbers = [one.entry.seq for one in self.told]
        if seq not in numbers:
            raise Malformed(f"entry {seq} is no action of this game; its actions are {_ranges(numbers)}")
        at = numbers.index(seq)
        return self.told[max(0, at - near) : at + near + 1]


def account(entries: Iterable[Entry], number: int | None = None) -> Account:
    """The account of a table's game (the newest, or the `number`-th); raises Malformed when there is no such game."""
    kept = _until_end(list(entries), number)
    evening = Evening()
    found: Account | None = None
    for entry in kept:
        found = _take(found, evening, entry) or found
    assert found is not None
    found.entries = kept if found.finished else _until_public(kept)
    if not found.finished:
        _withhold(found)
    return found


def _until_end(entries: list[Entry], number: int | None) -> list[Entry]:
    """All entries up to the end of this game."""
    begun = [i for i, entry in enumerate(entries) if entry.kind == "begin"]
    if not begun or not 1 <= (number or 1) <= len(begun):
        games = f"games 1 to {len(begun)}" if begun else "no game yet"
        raise Malformed(f"this table has {games}, so there is nothing to tell of game {number or 1}")
    first = begun[(number or len(begun)) - 1]
    ends = (i for i in range(first, len(entries)) if entries[i].kind == "again")
    return entries[: next(ends, len(entries))]


def _take(found: Account | None, evening: Evening, entry: Entry) -> Account | None:
    """Fold one entry in; a new account when it begins a game."""
    count = len(evening.played)
    evening.take(entry.kind, entry.body, entry.secret, entry.hash)
    if entry.kind == "begin":
        return Account(entry.table, evening.games, evening, begun_at=entry.seq)
    if found is None:
        return None
    if entry.kind == "seal":
        found.seals[entry.secret["seat"]] = entry.seq
    elif entry.kind == "closed":
        found.secrets |= set(found.seals.values())
    elif entry.kind == "opening":
        found.seals = {}
    elif entry.kind == "act":
        found.secrets |= {entry.seq} if entry.sealed else set()
        found.told.append(Told(entry, evening.played[-1], evening.played[-1].effects))
    elif entry.kind == "seen":
        last = next(i for i in range(len(found.told) - 1, -1, -1) if found.told[i].rewound_by is None)
        found.told[last] = replace(found.told[last], played=evening.played[-1])
    elif entry.kind == "rewind":
        found.seals = {}
        _rewind(found, count - len(evening.played), entry.seq)
    return None


def _rewind(found: Account, count: int, seq: int) -> None:
    """Mark the newest `count` standing actions as taken back."""
    for i in range(len(found.told) - 1, -1, -1):
        if count and found.told[i].rewound_by is None:
            found.told[i] = replace(found.told[i], rewound_by=seq)
            count -= 1


def _until_public(entries: list[Entry]) -> list[Entry]:
    last = max(i for i, entry in enumerate(entries) if entry.kind != "seal")
    return entries[: last + 1]


def _withhold(found: Account) -> None:
    """Note of every action of a running game what may still be told of it, and which entries may not be shown."""
    evening = found.evening
    assert evening.game is not None
    index = -1
    for i, one in enumerate(found.told):
        index += one.rewound_by is None
        fresh = one.rewound_by is None and _fresh(evening, index)
        secret = bool(one.entry.sealed)
        past = one.played.action.do in evening.game.revealed and not fresh
        effects = tuple(e for e in evening.game.view_effects(one.effects, None) if fresh or not e.memory)
        found.told[i] = replace(one, effects=effects, open=not secret and not past, fresh=fresh)
    hidden = {one.entry.seq for one in found.told if not one.open}
    found.withheld = frozenset(hidden | {entry.seq for entry in found.entries if entry.sealed})


def _fresh(evening: Evening, index: int) -> bool:
    """Whether what the action showed for a moment may be told again, as on the pages."""
    assert evening.game is not None
    if evening.game.retold:
        return index >= evening.opened_at and not evening.seals
    return index == len(evening.played) - 1


def _ranges(numbers: list[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if numbers else "none yet"
