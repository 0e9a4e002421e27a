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

    def collect(self, account: Account, shown: Sequence[Told]) -> None:
        """Fetch what belongs to the actions shown, and say of all others in the account why they are not here."""
        for one in shown:
            for pictures in one.pictures.values():
                for mark in marks_of(pictures):
                    self._fetch(mark)
        for mark in _named(account):
            if mark not in self.files:
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


def _named(account: Account) -> Iterator[str]:
    """Every hash that the entries of this game name where everybody may read it."""
    for entry in account.entries:
        if entry.seq > account.begun_at and entry.seq not in account.withheld and entry.kind in ("act", "seen"):
            yield from marks_of(entry.body.get("pictures"))
