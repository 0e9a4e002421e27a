"""The pictures that belong to a game's account: which may be shown, and which of them are there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.evidence import Evidence, NoEvidence
from companion.export.account import AFTER, Account, Told

LEFT_OUT: Final = "left out"  #: a picture that is there, and no part of this account


@dataclass(frozen=True, slots=True)
class Views:
    """The table before and after an action, as hashes of what was kept; None where nothing was, or may not be shown."""

    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(slots=True)
class Album:
    """Pictures by hash, or the reason why one is not there."""

    evidence: Evidence
    files: dict[str, bytes] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def collect(self, account: Account, shown: Sequence[Told]) -> None:
        """Fetch what belongs to the actions shown, and say of all others in the account why they are not here."""
        for views in (views_of(account, one) for one in shown):
            for mark in (*marks_of(views.before), *marks_of(views.after)):
                self._fetch(mark)
        for mark in _all_marks(account):
            if mark not in self.files:
                self.absent.setdefault(mark, LEFT_OUT)

    def drawn(self, mark: str) -> Mapping[str, Any] | None:
        """What was recognised in a picture, by the hash of its marks."""
        return json.loads(self.files[mark]) if mark in self.files else None

    def _fetch(self, mark: str) -> None:
        if mark in self.files:
            return
        try:
            self.files[mark] = self.evidence.get(mark)
        except NoEvidence as error:
            self.absent[mark] = error.reason


def views_of(account: Account, one: Told) -> Views:
    """The pictures before and after an action.

    Of a running game only those of what has just been played: earlier ones show what is a matter of memory now.
    """
    own, after = one.played.pictures, one.played.settled
    if one.played.cause in AFTER:
        return Views(_settled_before(account, one), _shown(one, after or own))
    may_look_back = account.finished or account.game.retold
    before = _shown(one, own) if own is not None and may_look_back else _settled_before(account, one)
    return Views(before, _shown(one, after))


def marks_of(pictures: Mapping[str, Any] | None) -> Iterator[str]:
    """All hashes of one settled table."""
    if pictures is not None:
        yield pictures["whole"]
        yield pictures["marks"]
        yield from (crop["jpeg"] for crop in pictures["crops"])


def _settled_before(account: Account, one: Told) -> Mapping[str, Any] | None:
    """The table as it lay after the action before, where that may still be shown."""
    at = account.told.index(one)
    past = next((told for told in reversed(account.told[:at]) if _counted(told, one)), None)
    if past is None:
        return None
    own = past.played.pictures if past.played.cause in AFTER else None
    return _shown(past, past.played.settled or own)


def _counted(past: Told, one: Told) -> bool:
    """Whether `past` still stood when `one` was played."""
    return past.rewound_by is None or past.rewound_by > one.entry.seq


def _shown(one: Told, pictures: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return pictures if one.fresh else None


def _all_marks(account: Account) -> Iterator[str]:
    """Every hash that the entries of this game name where everybody may read it."""
    for entry in account.entries:
        if entry.seq > account.begun_at and entry.seq not in account.withheld and entry.kind in ("act", "seen"):
            yield from marks_of(entry.body.get("pictures"))
