"""The chain of entries: what is stored of each, and the hash that ties it to all before it.

An independent verifier needs only this:

- The database table `log_entries` has the text columns `table_id`, `at`, `kind`, `body`, `sealed`, `prev_hash`,
  `hash` and the integer `seq`. A table's entries have `seq` 1, 2, 3, … without a gap.
- `hash` is the SHA-256, in lower-case hex, of these nine fields, each as UTF-8 with its length in bytes before it
  as 8 bytes, most significant first: the text `companion-log-1`, `table_id`, `seq` in decimal digits, `at`, `kind`,
  `body`, `sealed`, `prev_hash`, and the empty text (room for what a later version may add).
- `prev_hash` is the `hash` of the entry before; of entry 1 it is 64 zeros.
- `body` is JSON as text and is hashed as it stands, so no one has to agree on how to write JSON.
- `sealed` is the empty text, or the ciphertext of a secret (see `companion.keyfile`). The hash covers the
  ciphertext: a chain can be checked by those who may not read the secrets.

The chain shows any later change to those who wrote down a head; it cannot show that the newest entries were cut
off, so `follow` takes a head that somebody noted (it stands on the board).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Integer, MetaData, Row, Table, Text

from companion.database import Broken, LogError
from companion.keyfile import KeyFile

DOMAIN: Final = "companion-log-1"
START: Final = "0" * 64
RESTORE: Final = "Keep a copy of the database as it is, then restore the newest backup and play on from there."

log_entries: Final = Table(
    "log_entries",
    MetaData(),
    Column("table_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
)


class Torn(LogError, ValueError):
    """An entry is missing."""


class Head(NamedTuple):
    """The newest entry's hash and number (64 zeros and 0 for an empty log)."""

    hash: str
    seq: int


EMPTY: Final = Head(START, 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted thing. `at` is UTC, as 2026-11-21T19:04:05.123456Z; `text` is the body as it is stored."""

    table: str
    seq: int
    at: str
    kind: str
    text: str
    sealed: str
    previous: str
    hash: str
    _key: KeyFile | None = field(default=None, repr=False, compare=False)

    @property
    def body(self) -> Any:
        """The body, parsed anew each time: nobody can change it for others."""
        return json.loads(self.text)

    @property
    def secret(self) -> Any:
        """The secret in the clear, or None if there is none; raises NoKey."""
        return (self._key or KeyFile(None)).open(self.sealed) if self.sealed else None

    @property
    def head(self) -> Head:
        return Head(self.hash, self.seq)

    @classmethod
    def read(cls, row: Row[Any], key: KeyFile) -> Entry:
        """The entry a row of the database holds."""
        return cls(row.table_id, row.seq, row.at, row.kind, row.body, row.sealed, row.prev_hash, row.hash, key)

    def row(self) -> dict[str, Any]:
        """The entry as the database stores it."""
        return {
            "table_id": self.table,
            "seq": self.seq,
            "at": self.at,
            "kind": self.kind,
            "body": self.text,
            "sealed": self.sealed,
            "prev_hash": self.previous,
            "hash": self.hash,
        }


def digest(table: str, seq: int, at: str, kind: str, body: str, sealed: str, previous: str) -> str:
    """The hash of an entry, as the module's text defines it."""
    sha = hashlib.sha256()
    for text in (DOMAIN, table, str(seq), at, kind, body, sealed, previous, ""):
        data = text.encode()
        sha.update(len(data).to_bytes(8, "big"))
        sha.update(data)
    return sha.hexdigest()


def follow(table: str, entries: Iterable[Entry], known: Head | None = None) -> Head:
    """The head at the end of a whole chain. Raises Torn when an entry is missing, Broken when one was changed.

    `known`: a head somebody noted, which must be among them.
    """
    head, known = EMPTY, known or EMPTY
    for entry in entries:
        _check(head, entry)
        head = entry.head
        if head.seq == known.seq and head != known:
            raise Broken(_say(entry, f"is not the one that was noted as {known.hash[:8]}"))
    if head.seq < known.seq:
        raise Torn(
            f"The log of table {table} ends at entry {head.seq}, but entry {known.seq} was noted as "
            f"{known.hash[:8]}. {RESTORE}"
        )
    return head


def _check(before: Head, entry: Entry) -> None:
    if entry.seq != before.seq + 1:
        raise Torn(f"Entry {before.seq + 1} of table {entry.table} is missing; the next is {entry.seq}. {RESTORE}")
    if entry.previous != before.hash:
        raise Broken(_say(entry, "does not continue the entry before it"))
    fields = (entry.at, entry.kind, entry.text, entry.sealed, entry.previous)
    clean = all(isinstance(text, str) for text in fields)  # SQLite stores anything in any column
    if not clean or digest(entry.table, entry.seq, *fields) != entry.hash:
        raise Broken(_say(entry, "was changed after it was written"))


def _say(entry: Entry, what: str) -> str:
    return f"Entry {entry.seq} ({entry.kind}) of table {entry.table} {what}. {RESTORE}"
