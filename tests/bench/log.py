"""How many entries a second the log keeps, beside what the disk and SQLite alone can do.

Every append is one acknowledged, durable entry. Needs a folder on a real disk (a memory file system has no fsync).
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.log import Log

BODY = {"by": 2, "do": "bid", "beads": {"green": 1, "red": 2, "yellow": 0, "blue": 1}}
SECONDS = 1.5


def run(folder: Path | None = None) -> list[dict[str, Any]]:
    """Rows of `what`, `value`, `unit`; the log's own also with `ratio` to one bare SQLite transaction an entry."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        here = Path(place)
        bare = _rate(_sqlite(here / "bare.db"), 1)
        rows = [
            {"what": "fsync of 4 KiB", "value": round(_rate(_fsync(here / "file"), 1)), "unit": "1/s"},
            {"what": "sqlite3 alone, WAL and FULL, one entry a transaction", "value": round(bare), "unit": "1/s"},
        ]
        with Log(here / "log.db", "bench") as log:
            for callers in (1, 4, 16, 64):
                rows.append(_row(f"append, {callers} callers", _rate(lambda: log.append("act", BODY), callers), bare))
            secret = {"args": BODY, "salt": "5a" * 32}
            rows.append(_row("append with a secret, 16 callers", _rate(lambda: log.append("s", {}, secret), 16), bare))
            hundred = _rate(lambda: log.append_many([("act", BODY)] * 100), 1) * 100
            rows.append(_row("append_many of 100", hundred, bare))
            start = time.perf_counter()
            log.verify()
            rows.append(_row("verify", log.head().seq / (time.perf_counter() - start), bare))
    return rows


def _row(what: str, rate: float, bare: float) -> dict[str, Any]:
    return {"what": what, "value": round(rate), "unit": "entries/s", "ratio": round(rate / bare, 2)}


def _rate(work: Callable[[], object], callers: int) -> float:
    """Calls a second, all callers together."""
    counts = [0] * callers
    end = time.perf_counter() + SECONDS

    def call(mine: int) -> None:
        while time.perf_counter() < end:
            work()
            counts[mine] += 1

    threads = [threading.Thread(target=call, args=(n,)) for n in range(callers)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - start)


def _fsync(path: Path) -> Callable[[], None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT)

    def write() -> None:
        os.pwrite(handle, b"x" * 4096, 0)
        os.fsync(handle)

    return write


def _sqlite(path: Path) -> Callable[[], None]:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT, hash TEXT)")

    def insert() -> None:
        connection.execute("INSERT INTO entries (body, hash) VALUES (?, ?)", (str(BODY), "0" * 64))

    return insert


if __name__ == "__main__":
    for row in run():
        print(row)
