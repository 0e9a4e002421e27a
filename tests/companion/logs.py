"""A log with something in it, and what somebody with a database browser might do to it."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.log import Head, Log

EVENING = datetime(2026, 11, 21, 19, 4, 5, 123456, tzinfo=UTC)


def change(path: Path, sql: str, *values: Any) -> None:
    """What somebody with a database browser might do."""
    connection = sqlite3.connect(path)
    with connection:
        assert connection.execute(sql, values).rowcount > 0
    connection.close()


def fill(path: Path, count: int = 5) -> Head:
    with Log(path, "t1") as log:
        log.append_many([("act", {"n": n}) for n in range(count)])
        return log.head()
