"""The log of a table: what was accepted, in order, for ever. State is its fold; undoing appends.

An acknowledged entry survives kill -9 and a power cut: `append` returns after the transaction that holds the
entry is on the disk. One thread writes; callers that come while it waits for the disk share the next transaction.

Every entry is chained to the one before it; `companion.chain` says how, for whoever wants to check it.

A dump shows `at`, `kind` and `body` of every entry: what may not be known (a bid, and who sealed when) goes into
`secret`.
"""

from __future__ import annotations

import json
import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from companion.chain import EMPTY, Entry, Head, Torn, digest, follow, log_entries
from companion.database import Broken, Database, Locked, LogError, NotDurable, NotWritable
from companion.keyfile import KeyFile, NoKey
from companion.writer import Writer

__all__ = [
    "Broken", "Closed", "Entry", "Head", "Locked", "Log", "LogError", "NoKey", "NotDurable", "NotWritable",
    "Torn", "digest",
]  # fmt: skip

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST_BYTES: Final = 1_000_000  #: of one body
MOST_AT_ONCE: Final = 256  #: appends that share a transaction
PAGE: Final = 500  #: entries read at a time, so that no reader keeps a transaction open for long


class Closed(LogError, RuntimeError):
    """This log takes no more entries; open it again."""


Draft = tuple[str, Any] | tuple[str, Any, Any]  #: kind, body and, where there is one, secret


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
    Opening checks the whole file and chain. Raises NotDurable, NotWritable, Locked, Torn, Broken.
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
        self._writer: Writer | None = None
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
                yield Entry.read(row, self._keyfile)
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
            self._database.check()
            self._check()
            return
        self._database.check()
        self._writer = Writer(self._database, self.table)
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
        return follow(self.table, self.entries(), known)
