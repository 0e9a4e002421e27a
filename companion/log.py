"""The log of a table: what was accepted, in order, for ever. State is its fold; undoing appends.

An acknowledged entry survives kill -9 and a power cut: `append` returns after the transaction that holds the
entry is on the disk. One thread writes; callers that come while it waits for the disk share the next transaction.

Every entry is chained to the one before it. An independent verifier needs only this:

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
off, so `verify` takes a head that somebody noted (it stands on the board).

A dump shows `at`, `kind` and `body` of every entry: what may not be known (a bid, and who sealed when) goes into
`secret`.
"""

from __future__ import annotations

import hashlib
import json
import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Integer, MetaData, Row, Table, Text, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from companion.database import Broken, Database, Locked, LogError, NotDurable, NotWritable
from companion.keyfile import KeyFile, NoKey

__all__ = [
    "Broken", "Closed", "Entry", "Head", "Locked", "Log", "LogError", "NoKey", "NotDurable", "NotWritable",
    "Torn", "digest",
]  # fmt: skip

DOMAIN: Final = "companion-log-1"
START: Final = "0" * 64
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST_BYTES: Final = 1_000_000  #: of one body
MOST_AT_ONCE: Final = 256  #: appends that share a transaction
PAGE: Final = 500  #: entries read at a time, so that no reader keeps a transaction open for long

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


class Closed(LogError, RuntimeError):
    """This log takes no more entries; open it again."""


class Head(NamedTuple):
    """The newest entry's hash and number (64 zeros and 0 for an empty log)."""

    hash: str
    seq: int


EMPTY: Final = Head(START, 0)

Draft = tuple[str, Any] | tuple[str, Any, Any]  #: kind, body and, where there is one, secret


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


def digest(table: str, seq: int, at: str, kind: str, body: str, sealed: str, previous: str) -> str:
    """The hash of an entry, as the module's text defines it."""
    sha = hashlib.sha256()
    for text in (DOMAIN, table, str(seq), at, kind, body, sealed, previous, ""):
        data = text.encode()
        sha.update(len(data).to_bytes(8, "big"))
        sha.update(data)
    return sha.hexdigest()


@dataclass(frozen=True, slots=True)
class _Line:
    """A draft made ready: checked, serialised, encrypted."""

    kind: str
    text: str
    sealed: str


@dataclass(frozen=True, slots=True)
class _Job:
    """Lines that are appended together or not at all, and who waits for them."""

    lines: tuple[_Line, ...]
    done: Future[list[Entry]]


def _now() -> datetime:
    return datetime.now(UTC)


class Log:
    """The log of one table in a database that may hold many. Every method may be called from any thread.

    `where` is a path (SQLite) or a SQLAlchemy URL, `table` the table's id, `key` the file for the key of secrets
    (default: beside the SQLite file, with `.key` at its end). With `read_only` others may be writing.
    Opening checks the whole chain. Raises NotDurable, NotWritable, Locked, Torn, Broken.
    """

    def __init__(
        self,
        where: str | Path,
        table: str,
        *,
        key: Path | None = None,
        read_only: bool = False,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        if not NAME.fullmatch(table):
            raise ValueError(f"a table's id is letters, digits, '.', '_' and '-', at most 64: not {table!r}")
        self.table = table
        self._clock = clock
        self._database = Database(where)
        path = self._database.path
        self._keyfile = KeyFile(key or (path.with_name(f"{path.name}.key") if path else None))
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()  # guards _closed against a put after the last job
        self._closed = read_only
        self._head = EMPTY
        self._writer: _Writer | None = None
        self._thread: threading.Thread | None = None
        try:
            self._start(read_only, path)
        except BaseException:
            self._stop()
            raise

    def append(self, kind: str, body: Any, secret: Any = None) -> Entry:
        """The new entry, once it is on the disk: `secret` encrypted, `body` for all who can read the database.

        Raises NotWritable, Locked, Closed or NoKey; ValueError or TypeError for what no entry can hold.
        """
        return self.append_many([(kind, body, secret)])[0]

    def append_async(self, kind: str, body: Any, secret: Any = None) -> Future[Entry]:
        """Like `append`, for those who wait elsewhere. Callbacks run in the writer's thread: keep them short."""
        entry: Future[Entry] = Future()

        def pass_on(done: Future[list[Entry]]) -> None:
            error = done.exception()
            if error is None:
                entry.set_result(done.result()[0])
            else:
                entry.set_exception(error)

        entry.set_running_or_notify_cancel()  # what is on its way cannot be called back
        self._submit([(kind, body, secret)]).add_done_callback(pass_on)
        return entry

    def append_many(self, drafts: Iterable[Draft]) -> list[Entry]:
        """All of them, one after the other with nothing between, or none. Each is (kind, body[, secret])."""
        return self._submit(drafts).result()

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """The entries with a `seq` greater than `after`, oldest first, as they stand (`verify` checks them)."""
        wanted = log_entries.c.table_id == self.table
        while True:
            page = select(log_entries).where(wanted, log_entries.c.seq > after).order_by(log_entries.c.seq).limit(PAGE)
            with self._database.connect() as connection:
                try:
                    rows = connection.execute(page).all()
                except SQLAlchemyError as error:
                    raise self._database.explain(error) from error
            for row in rows:
                yield self._entry(row)
            if len(rows) < PAGE:
                return
            after = rows[-1].seq

    def head(self) -> Head:
        """The newest acknowledged entry's hash and number."""
        if self._writer is None:
            return self._check()
        return self._head

    def verify(self, known: Head | None = None) -> None:
        """Raises Torn when an entry is missing, Broken when one was changed.

        `known`: a head somebody noted, which must be among them.
        """
        self._check(known)

    def close(self) -> None:
        """Finish what was handed in, then let go of the table."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._stop()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, read_only: bool, path: Path | None) -> None:
        if read_only:
            if path is not None and not path.exists():
                raise NotWritable(f"There is no database {path}. Say which file holds the log.")
            self._check()
            return
        self._writer = _Writer(self._database, self.table)
        self._writer.connect()
        self._head = self._check()
        self._thread = threading.Thread(target=self._write_all, name=f"log-{self.table}", daemon=True)
        self._thread.start()

    def _stop(self) -> None:
        if self._thread is not None:
            self._thread.join()
        if self._writer is not None:
            self._writer.close()
        self._database.close()

    def _submit(self, drafts: Iterable[Draft]) -> Future[list[Entry]]:
        job = _Job(tuple(self._ready(*draft) for draft in drafts), Future())
        if not job.lines:
            job.done.set_result([])
            return job.done
        with self._gate:
            if self._closed:
                raise Closed(f"The log of table {self.table} is closed for writing. Open it again.")
            self._jobs.put(job)
        return job.done

    def _ready(self, kind: str, body: Any, secret: Any = None) -> _Line:
        if not NAME.fullmatch(kind):
            raise ValueError(f"a kind is letters, digits, '.', '_' and '-', at most 64: not {kind!r}")
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        if len(text.encode()) > MOST_BYTES:  # a lone surrogate raises UnicodeEncodeError, a ValueError, here
            raise ValueError(
                f"a body may have {MOST_BYTES} bytes; keep pictures beside the log and put their hash here"
            )
        return _Line(kind, text, "" if secret is None else self._seal(secret))

    def _seal(self, secret: Any) -> str:
        path = self._keyfile.path
        lost = path is not None and not path.exists() and self._has_secrets()
        return self._keyfile.seal(secret, make=not lost)

    def _has_secrets(self) -> bool:
        """Whether there are secrets this key should open: then a missing key is lost, not yet to be made.

        A key file lies beside a SQLite file and serves all its tables; on a server other hosts have other keys.
        """
        secrets = select(log_entries.c.seq).where(log_entries.c.sealed != "").limit(1)
        if not self._database.sqlite:
            secrets = secrets.where(log_entries.c.table_id == self.table)
        with self._database.connect() as connection:
            return connection.scalar(secrets) is not None

    def _write_all(self) -> None:
        """The writer thread: take all that waits, commit it, tell those who wait."""
        assert self._writer is not None
        for jobs in self._groups():
            try:
                entries = list(self._chain(jobs))
                self._writer.commit(self._head, entries)
            except Exception as error:  # whoever waits must hear it, and the thread must live
                for job in jobs:
                    job.done.set_exception(error)
                continue
            self._head = entries[-1].head
            rest = iter(entries)
            for job in jobs:
                job.done.set_result([next(rest) for _ in job.lines])

    def _groups(self) -> Iterator[list[_Job]]:
        """What waits in the queue, group by group, until None comes."""
        while (first := self._jobs.get()) is not None:
            jobs, last = [first], False
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    last = True
                    break
                jobs.append(job)
            yield jobs
            if last:
                return

    def _chain(self, jobs: Iterable[_Job]) -> Iterator[Entry]:
        at = self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        previous, seq = self._head
        for line in (line for job in jobs for line in job.lines):
            seq += 1
            mark = digest(self.table, seq, at, line.kind, line.text, line.sealed, previous)
            yield Entry(self.table, seq, at, line.kind, line.text, line.sealed, previous, mark, self._keyfile)
            previous = mark

    def _check(self, known: Head | None = None) -> Head:
        """Follow the chain to its end and give its head."""
        head = EMPTY
        known = known or EMPTY
        for entry in self.entries():
            _check_link(head, entry)
            head = entry.head
            if head.seq == known.seq and head != known:
                raise Broken(_say(entry, f"is not the one that was noted as {known.hash[:8]}"))
        if head.seq < known.seq:
            raise Torn(
                f"The log of table {self.table} ends at entry {head.seq}, but entry {known.seq} was noted as "
                f"{known.hash[:8]}. {RESTORE}"
            )
        return head

    def _entry(self, row: Row[Any]) -> Entry:
        return Entry(
            self.table, row.seq, row.at, row.kind, row.body, row.sealed, row.prev_hash, row.hash, self._keyfile
        )


RESTORE: Final = "Keep a copy of the database as it is, then restore the newest backup and play on from there."


def _say(entry: Entry, what: str) -> str:
    return f"Entry {entry.seq} ({entry.kind}) of table {entry.table} {what}. {RESTORE}"


def _check_link(before: Head, entry: Entry) -> None:
    if entry.seq != before.seq + 1:
        raise Torn(f"Entry {before.seq + 1} of table {entry.table} is missing; the next is {entry.seq}. {RESTORE}")
    if entry.previous != before.hash:
        raise Broken(_say(entry, "does not continue the entry before it"))
    fields = (entry.table, entry.seq, entry.at, entry.kind, entry.text, entry.sealed, entry.previous)
    if digest(*fields) != entry.hash:
        raise Broken(_say(entry, "was changed after it was written"))


class _Writer:
    """The one connection that writes a table. Used by one thread at a time.

    When a commit fails, what the database holds decides: nothing new, and the next commit may try again; all of it
    after all, and it counts; anything else, and this writer stops for good, because its owner's state is not the
    log's any more.
    """

    def __init__(self, database: Database, table: str) -> None:
        self._database = database
        self._table = table
        self._connection: Connection | None = None
        self._release: Callable[[], None] | None = None
        self._stopped: LogError | None = None

    def connect(self) -> None:
        connection = self._database.connect().execution_options(writes=True)
        self._connection = connection
        try:
            if self._release is None:
                self._release = self._database.claim(connection, self._table)
            with connection.begin():
                connection.execute(CreateTable(log_entries, if_not_exists=True))
        except SQLAlchemyError as error:
            self._disconnect()
            raise self._database.explain(error) from error
        except BaseException:
            self._disconnect()
            raise

    def commit(self, head: Head, entries: Sequence[Entry]) -> None:
        """Entries on the disk, after `head`; raises LogError when they are not."""
        if self._stopped is not None:
            raise self._stopped
        if self._connection is None:
            self._reconnect(head)
        try:
            self._insert(entries)
        except (SQLAlchemyError, OSError) as error:
            if self._settle(head, entries[-1].head, error):
                return
            if not getattr(error, "connection_invalidated", False):
                raise self._database.explain(error) from error
            self._insert(entries)  # the server had gone away and is back: once more

    def _insert(self, entries: Sequence[Entry]) -> None:
        assert self._connection is not None
        with self._connection.begin():
            self._connection.execute(insert(log_entries), [_row(e) for e in entries])

    def close(self) -> None:
        self._disconnect()
        if self._release is not None:
            self._release()
            self._release = None

    def _disconnect(self) -> None:
        """Close for good: in a pool it would keep PostgreSQL's lock."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _settle(self, head: Head, hoped: Head, error: Exception) -> bool:
        """Reconnect after a failed commit and say whether it is there after all; raises when that cannot be said."""
        self._disconnect()
        try:
            return self._reconnect(head, hoped) == hoped
        except LogError as worse:
            raise (worse if self._stopped else self._database.explain(error)) from error

    def _reconnect(self, *expected: Head) -> Head:
        self.connect()
        found = self._newest()
        if found not in expected:
            self._disconnect()
            self._stopped = Locked(
                f"The log of table {self._table} is at entry {found.seq}, which this process did not write. "
                "Stop whatever else writes it and start again."
            )
            raise self._stopped
        return found

    def _newest(self) -> Head:
        last = (
            select(log_entries.c.hash, log_entries.c.seq)
            .where(log_entries.c.table_id == self._table)
            .order_by(log_entries.c.seq.desc())
            .limit(1)
        )
        assert self._connection is not None
        try:
            with self._connection.begin():
                row = self._connection.execute(last).one_or_none()
        except SQLAlchemyError as error:
            raise self._database.explain(error) from error
        return EMPTY if row is None else Head(row.hash, row.seq)


def _row(entry: Entry) -> Mapping[str, Any]:
    return {
        "table_id": entry.table,
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "body": entry.text,
        "sealed": entry.sealed,
        "prev_hash": entry.previous,
        "hash": entry.hash,
    }
