"""The account of one game: what the log of its table says, entry by entry, and who may be told.

A game that is over is told whole. Of a running game an account holds what a spectator may know at this moment:
sealed decisions and other secrets are withheld, so is what was open for a moment and is a matter of memory now, and
the account ends with the newest entry that is not a sealed decision (how often somebody seals is secret, too).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion import dispute
from companion.evening import Evening, Pictures, Played
from companion.games.game import Effect, Game, Malformed
from companion.log import Entry

CORRECTING: Final = frozenset({"propose", "vote", "keep", "rewind"})  #: what people do about an action of the past


@dataclass(frozen=True, slots=True)
class Told:
    """One action as it was played, and the entry that holds it; how much of it may be told is settled already."""

    entry: Entry
    played: Played
    open: bool  #: whether it may be told what was chosen
    effects: tuple[Effect, ...]
    pictures: Mapping[str, Pictures]  #: the settled tables "before" and "after", hashes as they went into the log
    rewound_by: int | None = None  #: the entry that took it back


@dataclass(slots=True)
class Account:
    """One game of one table. `entries` are the table's from its first to the last one that may be told."""

    evening: Evening
    entries: list[Entry]
    begun_at: int = 0  #: `seq` of the entry that began the game
    acts: list[Entry] = field(default_factory=list)  #: by the number of the action
    rewound: dict[int, int] = field(default_factory=dict)  #: the entry that took it back, by the action's number
    secrets: set[int] = field(default_factory=set)  #: `seq` of sealed entries that came to be known
    seals: dict[int, int] = field(default_factory=dict)  #: by seat: the `seq` of what it has sealed at this moment
    told: list[Told] = field(default_factory=list)
    withheld: frozenset[int] = frozenset()  #: `seq` of entries of which only the hash may be shown

    @property
    def table(self) -> str:
        return self.entries[0].table

    @property
    def number(self) -> int:
        """The table's games are counted from 1."""
        return self.evening.games

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

    def disputes(self, shown: Sequence[Told]) -> list[Entry]:
        """What was proposed, voted and taken back about these actions, or while they were played."""
        if not shown:
            return []
        first, last = shown[0].entry.seq, shown[-1].entry.seq
        after = next((entry.seq for entry in self.acts if entry.seq > last), self.entries[-1].seq + 1)
        numbers = {one.played.number for one in shown}
        found: list[Entry] = []
        about_these = False
        for entry in self.entries:
            if entry.kind in CORRECTING and entry.seq > self.begun_at:
                if entry.kind == "propose":
                    about_these = entry.body["number"] in numbers
                if about_these or first < entry.seq < after:
                    found.append(entry)
                about_these &= entry.kind not in ("keep", "rewind")
        return found

    def actions(self) -> list[dict[str, Any]]:
        """The standing actions as lines of a record, up to the first that may not be told."""
        found = []
        for one in self.told:
            if one.rewound_by is None:
                if not one.open:
                    break
                found.append(one.played.action.data())
        return found

    def around(self, seq: int, near: int) -> list[Told]:
        """The action of this entry with so many before and after it; raises Malformed when there is none."""
        numbers = [one.entry.seq for one in self.told]
        if seq not in numbers:
            known = f"{numbers[0]} to {numbers[-1]}" if numbers else "none yet"
            raise Malformed(f"entry {seq} is no action of this game; its actions are among entries {known}")
        at = numbers.index(seq)
        return self.told[max(0, at - near) : at + near + 1]


def account(entries: Iterable[Entry], number: int | None = None) -> Account:
    """The account of a table's game (the newest, or the `number`-th); raises Malformed when there is no such game."""
    found = Account(Evening(), _until_end(list(entries), number))
    for entry in found.entries:
        _take(found, entry)
    acts = [played for played in found.evening.trail if isinstance(played, Played)]
    found.told = [_told(found, entry, played) for entry, played in zip(found.acts, acts, strict=True)]
    if not found.finished:
        found.entries = _until_public(found.entries)
        hidden = {one.entry.seq for one in found.told if not one.open}
        found.withheld = frozenset(hidden | {entry.seq for entry in found.entries if entry.sealed})
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


def _take(found: Account, entry: Entry) -> None:
    """Fold one entry in, and keep what the fold does not: which entry did what."""
    before = [one.number for one in found.evening.played]
    secret = entry.secret
    found.evening.take(entry.kind, entry.body, secret, entry.hash, entry.at)
    match entry.kind:
        case "begin":
            found.begun_at, found.acts, found.rewound, found.seals, found.secrets = entry.seq, [], {}, {}, set()
        case "seal":
            found.seals[secret["seat"]] = entry.seq
        case "closed":
            found.secrets |= set(found.seals.values())
        case "opening":
            found.seals = {}
        case "act":
            found.acts.append(entry)
        case "rewind":
            left = {one.number for one in found.evening.played}
            found.rewound |= {number: entry.seq for number in before if number not in left}
            found.seals = {}
    if entry.sealed and entry.kind != "seal":
        found.secrets.add(entry.seq)


def _told(found: Account, entry: Entry, played: Played) -> Told:
    """An action with all that a spectator may know of it."""
    evening = found.evening
    if found.finished:
        pictures = dispute.pictures(evening, played) or _own_pictures(played)
        return Told(entry, played, True, played.effects, pictures, found.rewound.get(played.number))
    at = evening.index(played.number)
    fresh = at is not None and evening.fresh(at)
    effects = tuple(e for e in found.game.view_effects(played.effects, None) if fresh or not e.memory)
    chosen = dispute.is_open(evening, played, None)
    return Told(entry, played, chosen, effects, dispute.pictures(evening, played), found.rewound.get(played.number))


def _own_pictures(played: Played) -> dict[str, Pictures]:
    """The pictures of an action that was taken back."""
    kept = {"after": played.settled}
    if played.pictures is not None:
        side = "after" if played.cause in dispute.LOOKED_AT else "before"
        kept[side] = kept.get(side) or played.pictures
    return {side: pictures for side, pictures in kept.items() if pictures is not None}


def _until_public(entries: list[Entry]) -> list[Entry]:
    last = max(i for i, entry in enumerate(entries) if entry.kind != "seal")
    return entries[: last + 1]
