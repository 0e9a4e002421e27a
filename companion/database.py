"""A database that keeps what it acknowledged, and one process's right to write a table in it.

SQLite runs in WAL mode with synchronous=FULL: a commit returns only after the write-ahead log reached the disk.
PostgreSQL needs fsync and synchronous_commit on, for the same reason. Both are read back from every connection,
because either database ignores such settings silently where it cannot follow them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

PATIENCE: Final = 30  #: seconds to wait for another table's transaction in the same SQLite file
SYNCHRONOUS_FULL: Final = 2  #: how SQLite answers PRAGMA synchronous


class LogError(Exception):
    """Base of everything that can go wrong with a log; each message ends with what to do."""


class NotDurable(LogError, RuntimeError):
    """The database does not promise to keep what it acknowledges."""


class NotWritable(LogError, OSError):
    """The entry was not kept: no room, no permission, no connection. Nothing that was acknowledged is lost."""


class Locked(LogError, BlockingIOError):
    """Another process writes this table."""


class Broken(LogError, ValueError):
    """What is stored is not what was written."""


class Database:
    """An engine to a durable database: a path means SQLite, anything with `://` is a SQLAlchemy URL."""

    def __init__(self, where: str | Path) -> None:
        self.url = _url(where)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        if not self.sqlite and self.url.get_backend_name() != "postgresql":
            raise NotDurable(f"{self.name} is neither SQLite nor PostgreSQL. Use one of the two.")
        self.engine = self._make_engine()

    @property
    def name(self) -> str:
        """How messages call it: the path, or the URL without its password."""
        return self.url.database or ":memory:" if self.sqlite else self.url.render_as_string(hide_password=True)

    @property
    def path(self) -> Path | None:
        """The SQLite file, or None where there is no file."""
        return Path(self.url.database) if self.sqlite and self.url.database else None

    def connect(self) -> Connection:
        """A connection that is proven durable; raises LogError in plain words."""
        try:
            return self.engine.connect()
        except (DBAPIError, OSError) as error:
            raise self.explain(error) from error

    def claim(self, connection: Connection, table: str) -> Callable[[], None] | None:
        """The exclusive right to write `table`; raises Locked.

        It ends when the returned function is called; None: when the connection ends.
        """
        if self.path is not None:
            return _claim_file(self.path, table)
        _claim_advisory(connection, table)
        return None

    def check(self) -> None:
        """Raises Broken when the SQLite file is damaged: an index that was torn may say that there are no entries."""
        if not self.sqlite:
            return
        with self.connect() as connection:
            try:
                found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            except DBAPIError as error:
                raise self.explain(error) from error
        if found != "ok":
            raise Broken(_DAMAGED.format(name=self.name))

    def explain(self, error: Exception) -> LogError:
        """The failure in words for the person at the table."""
        code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF
        if code in _SQLITE_TROUBLE:
            kind, words = _SQLITE_TROUBLE[code]
            return kind(words.format(name=self.name))
        if isinstance(error, IntegrityError):
            return Locked(f"Someone else has written to this table in {self.name}. Stop the other one and start again.")
        cause = getattr(error, "orig", None) or error
        return NotWritable(f"{self.name} cannot be used: {cause}. Mend that and try again; nothing kept is lost.")

    def close(self) -> None:
        self.engine.dispose()

    def _make_engine(self) -> Engine:
        options: dict[str, Any] = {"hide_parameters": True}  # an error's text must not show what was to be stored
        if self.sqlite:
            options["connect_args"] = {"timeout": PATIENCE}
        else:
            options["pool_pre_ping"] = True
        try:
            engine = create_engine(self.url, **options)
        except ModuleNotFoundError as error:
            raise NotWritable(f"{self.name} needs a driver: pip install 'companion-referee[postgres]'") from error
        except NoSuchModuleError as error:
            raise NotDurable(f"{self.name} is neither SQLite nor PostgreSQL. Use one of the two.") from error
        event.listen(engine, "connect", self._on_connect)
        if self.sqlite:
            event.listen(engine, "begin", _on_begin_sqlite)
        return engine

    def _on_connect(self, raw: Any, _record: Any) -> None:
        if self.sqlite:
            raw.isolation_level = None  # transactions begin where we say so, see _on_begin_sqlite
            raw.text_factory = _read_text

        def ask(sql: str) -> Any:
            cursor = raw.cursor()
            cursor.execute(sql)
            row = cursor.fetchone() if cursor.description else None
            cursor.close()
            return row and row[0]

        (require_durable_sqlite if self.sqlite else require_durable_postgres)(ask, self.name)
        raw.commit()


def require_durable_sqlite(ask: Callable[[str], Any], name: str) -> None:
    """Set WAL and synchronous=FULL and read both back; raises NotDurable.

    `ask` runs one statement and gives the first value of its answer, or None. A pragma that SQLite does not
    follow raises nothing: only reading it back tells.
    """
    mode = ask("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise NotDurable(
            f"{name} runs in journal mode {mode!r}, not in WAL mode, and could lose entries. "
            "Put the database on a local disk (no network folder, not in memory) and start again."
        )
    ask("PRAGMA synchronous = FULL")
    level = ask("PRAGMA synchronous")
    if level != SYNCHRONOUS_FULL:
        raise NotDurable(
            f"{name} runs with synchronous={level}, not FULL ({SYNCHRONOUS_FULL}), so a power cut could lose entries. "
            "Use a Python whose SQLite allows it (Debian's does) and start again."
        )


def require_durable_postgres(ask: Callable[[str], Any], name: str) -> None:
    """Set synchronous_commit, read it and fsync back; raises NotDurable. `ask` as for SQLite."""
    ask("SET synchronous_commit = on")
    for setting in ("synchronous_commit", "fsync"):
        value = ask(f"SHOW {setting}")
        if value != "on":
            raise NotDurable(
                f"{name} runs with {setting}={value} and could lose entries. "
                f"Set {setting} = on in postgresql.conf, restart PostgreSQL and start again."
            )


def _read_text(data: bytes) -> str:
    """Damaged text can still be read: it is the hash that tells which entry it belongs to."""
    return data.decode(errors="replace")


def _on_begin_sqlite(connection: Connection) -> None:
    # A writer takes the write lock at once: upgrading a read transaction later can fail without waiting.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _url(where: str | Path) -> URL:
    if isinstance(where, str) and "://" in where:
        try:
            url = make_url(where)
        except ArgumentError as error:
            raise NotDurable("The database's URL cannot be read. It looks like postgresql://user@host/name") from error
        return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url
    return URL.create("sqlite", database=str(Path(where).absolute()))


_DAMAGED = "{name} is damaged. Keep a copy of it, then restore the newest backup."
_NO_LOSS = "Everything acknowledged so far is safe."
_SQLITE_TROUBLE: Final[dict[int, tuple[type[LogError], str]]] = {
    sqlite3.SQLITE_FULL: (NotWritable, f"The disk of {{name}} is full. Make room and try again. {_NO_LOSS}"),
    sqlite3.SQLITE_READONLY: (NotWritable, "{name} is read-only. Make it and its folder writable and start again."),
    sqlite3.SQLITE_CANTOPEN: (
        NotWritable,
        "{name} cannot be opened. Its folder must exist and be writable (SQLite keeps two files beside it).",
    ),
    sqlite3.SQLITE_IOERR: (
        NotWritable,
        f"The disk of {{name}} does not take what is written. Check it and its free room, then try again. {_NO_LOSS}",
    ),
    sqlite3.SQLITE_BUSY: (
        NotWritable,
        f"Another program has kept {{name}} locked for {PATIENCE} s. Close it (a database browser?) and try again.",
    ),
    sqlite3.SQLITE_CORRUPT: (Broken, _DAMAGED),
    sqlite3.SQLITE_NOTADB: (Broken, "{name} is no SQLite database. Choose another file, or restore a backup."),
}


def _claim_file(database: Path, table: str) -> Callable[[], None]:
    """Lock `<database>.<table>.lock`; the kernel lets go by itself when the process ends, however it ends."""
    path = database.with_name(f"{database.name}.{table}.lock")
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotWritable(
                f"The folder {database.parent} does not take {path.name}: {error.strerror}. Make it writable."
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(handle, 64).decode(errors="replace").strip() or "unknown"
            os.close(handle)
            raise Locked(f"Process {owner} is already writing table {table} in {database}. Stop it first.") from error
        if _same_file(handle, path):
            break
        os.close(handle)  # its last owner removed it while we waited for nobody: take the new one
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)

    def release() -> None:
        path.unlink(missing_ok=True)
        os.close(handle)

    return release


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _claim_advisory(connection: Connection, table: str) -> None:
    number = int.from_bytes(hashlib.sha256(f"companion table {table}".encode()).digest()[:8], "big", signed=True)
    if not connection.scalar(select(func.pg_try_advisory_lock(number))):
        raise Locked(f"Another process is already writing table {table} in this database. Stop it first.")
    connection.commit()  # the lock belongs to the session, not to the transaction
