"""The pictures that belong to a game's account, by their hashes, and why others are not among them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.evening import Pictures
from companion.evidence import Evidence, NoEvidence
from companion.export.account import Account, Told

LEFT_OUT: Final = "left out"  #: a picture that is there, and no part of this account


@dataclass(slots=True)
class Album:
    """Pictures and lists of marks by hash, or the reason why one is not there."""

    evidence: Evidence
    files: dict[str, bytes] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def collect(self, account: Account, shown: Sequence[Told], entry: int | None = None) -> None:
        """Fetch what belongs to the actions shown, and say of all others in the account why they are not here.

        Of a finished game all that its log names belongs to it, shown or not; of a dispute about the action of this
        `entry` what was kept with that.
        """
        for one in shown:
            for pictures in one.pictures.values():
                for mark in marks_of(pictures):
                    self._fetch(mark)
        own = _entries(account, entry)
        for seq, mark in _named(account):
            if seq in own and mark not in self.absent:
                self._fetch(mark)
            elif mark not in self.files:
                self.absent.setdefault(mark, LEFT_OUT)

    def drawn(self, mark: str) -> Mapping[str, Any] | None:
        """What was recognised in a picture, by the hash of its marks."""
        return json.loads(self.files[mark]) if mark in self.files else None

    def _fetch(self, mark: str) -> None:
        try:
            self.files[mark] = self.files.get(mark) or self.evidence.get(mark)
        except NoEvidence as error:
            self.absent[mark] = error.reason


def marks_of(pictures: Pictures | None) -> Iterator[str]:
    """All hashes of one settled table."""
    if pictures is not None:
        yield pictures["whole"]
        yield pictures["marks"]
        yield from (crop["jpeg"] for crop in pictures["crops"])


def _entries(account: Account, entry: int | None) -> range:
    """The entries all of whose pictures belong to the file; none while the game is played."""
    end = account.entries[-1].seq + 1
    if not account.finished:
        return range(0)
    if entry is None:
        return range(account.begun_at, end)
    return range(entry, next((act.seq for act in account.acts if act.seq > entry), end))


def _named(account: Account) -> Iterator[tuple[int, str]]:
    """Every hash that the entries of this game name where everybody may read it, with its entry."""
    for entry in account.entries:
        if entry.seq > account.begun_at and entry.seq not in account.withheld and entry.kind in ("act", "seen"):
            yield from ((entry.seq, mark) for mark in marks_of(entry.body.get("pictures")))
