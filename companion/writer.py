"""The one connection that writes a table, and what it does when a commit fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from companion.chain import EMPTY, Entry, Head, log_entries
from companion.database import Database, Locked, LogError


class Writer:
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
            self._insert_again(entries)  # the server had gone away and is back

    def _insert(self, entries: Sequence[Entry]) -> None:
        assert self._connection is not None
        with self._connection.begin():
            self._connection.execute(insert(log_entries), [entry.row() for entry in entries])

    def _insert_again(self, entries: Sequence[Entry]) -> None:
        try:
            self._insert(entries)
        except (SQLAlchemyError, OSError) as error:
            self._disconnect()
            raise self._database.explain(error) from error

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
