"""The log keeps what it acknowledged, shows every change, and gives no secret away."""

from __future__ import annotations

import hashlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event, text

from companion.chain import EMPTY, digest
from companion.database import Database, require_durable_postgres, require_durable_sqlite
from companion.log import Broken, Closed, Head, Locked, Log, NotDurable, NotWritable, Torn
from tests.companion.logs import change, fill

# --- appending and reading


def test_an_entry_comes_back_as_it_was_written(log: Log) -> None:
    entry = log.append("act", {"by": 0, "do": "bid", "name": "Jürgen – „Größe“"})
    assert (entry.table, entry.seq, entry.kind, entry.previous) == ("t1", 1, "act", "0" * 64)
    assert entry.at == "2026-11-21T19:04:05.123456Z"
    assert entry.body == {"by": 0, "do": "bid", "name": "Jürgen – „Größe“"}
    assert entry.secret is None
    assert list(log.entries()) == [entry]
    assert log.head() == (entry.hash, 1) == entry.head


def test_an_empty_log_has_the_head_zero(log: Log) -> None:
    assert log.head() == EMPTY
    assert list(log.entries()) == []
    log.verify()


def test_entries_after_a_number(path: Path) -> None:
    with Log(path, "t1") as log:
        log.append_many([("act", n) for n in range(1203)])  # more than two pages
        assert [e.body for e in log.entries(after=7)] == list(range(7, 1203))
        assert list(log.entries(after=1203)) == []


def test_an_acknowledged_entry_is_in_the_file_for_everybody(log: Log, path: Path) -> None:
    log.append("act", [1, 2])
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT seq, body FROM log_entries").fetchall() == [(1, "[1,2]")]
    connection.close()


def test_append_async_gives_the_same_entry_later(log: Log) -> None:
    futures = [log.append_async("act", n) for n in range(50)]
    entries = [future.result() for future in futures]
    assert [e.seq for e in entries] == list(range(1, 51))
    assert list(log.entries()) == entries


def test_append_many_lets_nothing_in_between(log: Log) -> None:
    def rounds() -> None:
        for _ in range(20):
            entries = log.append_many([("a", 0), ("b", 0), ("c", 0)])
            assert [e.seq - entries[0].seq for e in entries] == [0, 1, 2]

    threads = [threading.Thread(target=rounds) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [e.kind for e in log.entries()] == ["a", "b", "c"] * 80
    log.verify()
    assert log.append_many([]) == []


def test_callers_who_wait_together_share_a_transaction(log: Log, path: Path) -> None:
    commits = []
    event.listen(log._database.engine, "commit", commits.append)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # the writer has to wait, as it would for a slow disk
    futures = [log.append_async("act", n) for n in range(40)]
    other.execute("COMMIT")
    other.close()
    assert [f.result().body for f in futures] == list(range(40))
    assert 1 <= len([c for c in commits if c.get_execution_options().get("writes")]) <= 3


def test_tables_in_one_database_know_nothing_of_each_other(path: Path) -> None:
    with Log(path, "t1") as one, Log(path, "t2") as two:
        one.append("act", "of one")
        two.append("act", "of two")
        one.append("act", "of one again")
        assert [e.body for e in one.entries()] == ["of one", "of one again"]
        assert [e.body for e in two.entries()] == ["of two"]
        assert two.head().seq == 1
        one.verify()
        two.verify()


def test_it_goes_on_where_it_ended(path: Path) -> None:
    head = fill(path, 3)
    with Log(path, "t1") as log:
        assert log.head() == head
        entry = log.append("act", {})
        assert (entry.seq, entry.previous) == (4, head.hash)


@pytest.mark.parametrize("kind", ["", "two words", "a" * 65, "ä"])
def test_a_kind_is_a_plain_name(log: Log, kind: str) -> None:
    with pytest.raises(ValueError, match="kind"):
        log.append(kind, {})


@pytest.mark.parametrize("body", [float("nan"), "\ud800", "x" * 1_000_001])
def test_a_body_is_clean_json_of_bounded_size(log: Log, body: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever of json, the encoder and the log says so
        log.append_many([("act", 1), ("act", body)])
    assert log.head() == EMPTY


def test_a_table_is_a_plain_name(path: Path) -> None:
    with pytest.raises(ValueError, match="id"):
        Log(path, "../t1")


def test_closing_finishes_what_was_handed_in(path: Path) -> None:
    log = Log(path, "t1")
    futures = [log.append_async("act", n) for n in range(100)]
    log.close()
    assert [f.result().seq for f in futures] == list(range(1, 101))
    with pytest.raises(Closed, match="Open it again"):
        log.append("act", {})
    log.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=25, deadline=None)
@given(bodies=st.lists(JSON, min_size=1, max_size=4), secret=JSON)
def test_every_json_survives(tmp_path_factory: pytest.TempPathFactory, bodies: list[Any], secret: Any) -> None:
    with Log(tmp_path_factory.mktemp("log") / "x.db", "t1") as log:
        log.append_many([("act", body) for body in bodies])
        log.append("seal", {}, {"args": secret} if len(repr(secret)) < 150 else None)
    with Log(log._database.name, "t1") as log:
        entries = list(log.entries())
        assert [e.body for e in entries[:-1]] == bodies
        assert entries[-1].secret in ({"args": secret}, None)


# --- the chain


def test_the_hash_never_changes() -> None:
    """Computed once with sha256sum from the documented bytes; logs written by older versions must stay valid."""
    mark = digest("t1", 7, "2026-11-21T19:04:05.123456Z", "act", '{"a":"ö"}', "", "f" * 64)
    assert mark == "f1c0d3ab4e686c22a864fdac6cf7c078da1c2e94a0b94d45af0f9e69a16cd31e"


def test_fields_cannot_flow_into_each_other() -> None:
    assert digest("t1", 1, "at", "kin", "dbody", "", "0") != digest("t1", 1, "at", "kind", "body", "", "0")
    assert digest("t1", 1, "at", "kind", "body", "", "0") != digest("t", 11, "at", "kind", "body", "", "0")


def test_an_independent_verifier_agrees(log: Log, path: Path) -> None:
    """Shares no code with the log: sqlite3, hashlib and the documentation."""
    log.append_many([("act", {"ü": n}) for n in range(9)])
    log.append("seal", {"seat": 1}, {"green": 3})
    connection = sqlite3.connect(path)
    sql = "SELECT seq, at, kind, body, sealed, prev_hash, hash FROM log_entries WHERE table_id = 't1' ORDER BY seq"
    before = "0" * 64
    for number, (seq, at, kind, body, sealed, previous, mark) in enumerate(connection.execute(sql), 1):
        assert (seq, previous) == (number, before)
        texts = ["companion-log-1", "t1", str(seq), at, kind, body, sealed, previous, ""]
        raw = b"".join(len(t.encode()).to_bytes(8, "big") + t.encode() for t in texts)
        assert hashlib.sha256(raw).hexdigest() == mark
        before = mark
    connection.close()
    assert log.head() == (before, 10)


@pytest.mark.parametrize("column", ["at", "kind", "body", "sealed", "prev_hash", "hash"])
def test_a_changed_entry_is_named(path: Path, column: str) -> None:
    fill(path)
    change(path, f"UPDATE log_entries SET {column} = {column} || ' ' WHERE seq = 3")
    with pytest.raises(Broken, match=r"Entry 3 \(act ?\) of table t1 .*restore"):
        Log(path, "t1")
    with pytest.raises(Broken):
        Log(path, "t1", read_only=True)


@pytest.mark.parametrize("damage", ["CAST(x'7bff7d' AS TEXT)", "x'7b7d'", "7"])
def test_what_is_no_text_any_more_is_named(path: Path, damage: str) -> None:
    fill(path)
    change(path, f"UPDATE log_entries SET body = {damage} WHERE seq = 4")
    with pytest.raises(Broken, match="Entry 4 "):
        Log(path, "t1")


def test_a_missing_entry_is_named(path: Path) -> None:
    fill(path)
    change(path, "DELETE FROM log_entries WHERE seq = 3")
    with pytest.raises(Torn, match=r"Entry 3 of table t1 is missing.*restore"):
        Log(path, "t1")


def test_an_entry_of_another_table_does_not_fit(path: Path) -> None:
    fill(path)
    change(path, "UPDATE log_entries SET table_id = 't2' WHERE seq = 1")
    with pytest.raises(Broken, match="Entry 1"):
        Log(path, "t2")


def test_change_under_a_running_log_is_found_by_verify(log: Log, path: Path) -> None:
    log.append_many([("act", n) for n in range(3)])
    change(path, "UPDATE log_entries SET body = '9' WHERE seq = 2")
    with pytest.raises(Broken, match="Entry 2"):
        log.verify()


def test_a_noted_head_shows_that_the_newest_entries_are_gone(path: Path) -> None:
    head = fill(path)
    change(path, "DELETE FROM log_entries WHERE seq >= 4")
    with Log(path, "t1", read_only=True) as log:
        log.verify()
        with pytest.raises(Torn, match=f"ends at entry 3, but entry 5 was noted as {head.hash[:8]}"):
            log.verify(known=head)


def test_a_noted_head_shows_another_history(path: Path) -> None:
    fill(path)
    with Log(path, "t1") as log:
        log.verify(known=list(log.entries())[2].head)
        with pytest.raises(Broken, match=r"Entry 3 .* was noted as abababab"):
            log.verify(known=Head("ab" * 32, 3))


# --- one writer


def test_only_one_may_write_a_table(log: Log, path: Path) -> None:
    with pytest.raises(Locked, match=f"Process {os.getpid()} is already writing table t1"):
        Log(path, "t1")
    code = (
        "import sys; from companion.log import Log, Locked\ntry: Log(sys.argv[1], 't1')\nexcept Locked as e: print(e)"
    )
    other = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert f"Process {os.getpid()} is already writing table t1" in other.stdout
    log.append("act", {})


def test_others_may_read_meanwhile(log: Log, path: Path) -> None:
    entry = log.append("act", {})
    with Log(path, "t1", read_only=True) as reader:
        assert reader.head() == entry.head
        newer = log.append("act", {})
        assert list(reader.entries()) == [entry, newer]
        assert reader.head() == newer.head
        with pytest.raises(Closed):
            reader.append("act", {})


def test_the_lock_leaves_nothing_behind(path: Path) -> None:
    fill(path)
    assert sorted(p.name for p in path.parent.iterdir()) == ["tables.db"]


def test_the_lock_file_of_a_dead_process_stops_nobody(path: Path) -> None:
    path.with_name("tables.db.t1.lock").write_text("99999")
    fill(path)


def test_whoever_finds_strange_entries_stops(log: Log, path: Path) -> None:
    log.append("act", 1)
    change(path, "INSERT INTO log_entries SELECT 't1', 2, at, kind, body, sealed, prev_hash, hash FROM log_entries")
    for _ in range(2):
        with pytest.raises(Locked, match=r"at entry 2, which this process did not write.*start again"):
            log.append("act", 2)


# --- what can go wrong with a disk


def test_wal_and_full_are_on(log: Log) -> None:
    with log._database.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    assert log._writer is not None
    writer = log._writer._connection
    assert writer is not None
    assert writer.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    writer.rollback()


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(NotDurable, match=r"not in WAL mode.*local disk"):
        Log("sqlite://", "t1")


@pytest.mark.parametrize("where", ["mysql://localhost/x", "nonsense://x", "://"])
def test_other_databases_are_refused(where: str) -> None:
    with pytest.raises(NotDurable):
        Database(where)


def test_sqlite_must_answer_what_was_asked_of_it() -> None:
    good: dict[str, Any] = {"PRAGMA journal_mode = WAL": "wal", "PRAGMA synchronous": 2}
    require_durable_sqlite(good.get, "x.db")
    with pytest.raises(NotDurable, match="journal mode 'delete'"):
        require_durable_sqlite({**good, "PRAGMA journal_mode = WAL": "delete"}.get, "x.db")
    with pytest.raises(NotDurable, match="synchronous=1"):
        require_durable_sqlite({**good, "PRAGMA synchronous": 1}.get, "x.db")


def test_postgres_must_answer_what_was_asked_of_it() -> None:
    good = {"SHOW fsync": "on", "SHOW synchronous_commit": "on"}
    require_durable_postgres(good.get, "pg")
    for setting in good:
        with pytest.raises(NotDurable, match=f"{setting[5:]}=off.*postgresql.conf"):
            require_durable_postgres({**good, setting: "off"}.get, "pg")


def test_a_full_disk_refuses_and_loses_nothing(log: Log) -> None:
    before = log.append("act", {})
    assert log._writer is not None
    writer = log._writer._connection
    assert writer is not None
    pages = writer.exec_driver_sql("PRAGMA page_count").scalar()
    writer.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    writer.rollback()
    with pytest.raises(NotWritable, match=r"tables.db is full\. Make room and try again"):
        log.append_many([("act", "small"), ("act", "x" * 20_000)])
    assert log.head() == before.head
    assert list(log.entries()) == [before]
    after = log.append("act", "x" * 20_000)  # the new connection has no such limit: there is room again
    assert after.previous == before.hash
    log.verify()


LIMITED = """
import resource, sys
from companion.log import Log, LogError
with Log(sys.argv[1], "t1") as log:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    for n in range(1000):
        try:
            log.append("act", [n, "x" * 3000])
        except LogError as error:
            print(type(error).__name__, error, flush=True)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.getrlimit(resource.RLIMIT_FSIZE)[1],) * 2)
            assert log.append("act", "again").seq == n + 1
            break
        print(n, flush=True)
"""


def test_a_disk_that_takes_no_more_loses_nothing(path: Path) -> None:
    """A real refusal by the kernel in the middle of writing, then room again."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    run = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=True)
    *acknowledged, refusal = run.stdout.splitlines()
    assert refusal.startswith("NotWritable The disk of ")
    assert len(acknowledged) > 10
    with Log(path, "t1") as log:
        bodies = [e.body for e in log.entries()]
        assert [b[0] for b in bodies[:-1]] == list(map(int, acknowledged))
        assert bodies[-1] == "again"


def test_a_folder_that_takes_no_files_is_named() -> None:
    with pytest.raises(NotWritable, match="writable"):
        Log("/sys/tables.db", "t1")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match="folder must exist"):
        Log(tmp_path / "no" / "tables.db", "t1")


def test_a_database_to_read_must_be_there(path: Path) -> None:
    with pytest.raises(NotWritable, match="no database"):
        Log(path, "t1", read_only=True)
    assert not path.exists()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"holiday photograph" * 1000)
    with pytest.raises(Broken, match="no SQLite database"):
        Log(path, "t1")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("lost", [64, 2048, 4095])
def test_a_file_that_lost_its_end_is_no_new_log(path: Path, lost: int, read_only: bool) -> None:
    fill(path, 6)
    whole = path.read_bytes()
    path.write_bytes(whole[:-lost])
    with pytest.raises(Broken, match=r"damaged.*restore the newest backup"):
        Log(path, "t1", read_only=read_only)
    assert path.read_bytes() == whole[:-lost]


def test_a_commit_that_was_kept_although_the_answer_was_lost_counts(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = log._database.engine.dialect
    commit = dialect.do_commit

    def commit_and_break(connection: Any) -> None:
        commit(connection)
        monkeypatch.undo()
        raise sqlite3.OperationalError("connection lost")

    monkeypatch.setattr(dialect, "do_commit", commit_and_break)
    assert log.append("act", 1).seq == 1
    assert log.append("act", 2).seq == 2
    log.verify()


def test_a_failed_append_can_be_tried_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_connection: Any) -> None:
        raise sqlite3.OperationalError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr(log._database.engine.dialect, "do_commit", refuse)
        with pytest.raises(NotWritable, match=r"out of order.*try again"):
            log.append("act", {"bid": "hidden"})
    assert log.append("act", 2).seq == 1


def test_errors_do_not_show_what_was_to_be_stored(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_cursor: Any, _sql: str, _values: Any, _context: Any = None) -> None:
        raise sqlite3.OperationalError("out of order")

    monkeypatch.setattr(log._database.engine.dialect, "do_execute", refuse)
    with pytest.raises(NotWritable) as caught:
        log.append("act", {"bid": "hidden"})
    assert "hidden" not in str(caught.value)
    assert "hidden" not in str(caught.value.__cause__)
    monkeypatch.undo()


# --- killed at any moment

CHILD = """
import sys, threading
from companion.log import Log
log = Log(sys.argv[1], "t1")
lock = threading.Lock()
def work(name):
    n = 0
    while True:
        n += 1
        if n % 3:
            entries = [log.append("act", [name, n], {"bid": n})]
        else:
            entries = log.append_many([("act", [name, n]), ("act", [name, n])])
        with lock:
            for e in entries:
                print(e.seq, e.hash, flush=True)
for name in range(4):
    threading.Thread(target=work, args=(name,)).start()
"""


def test_every_acknowledged_entry_survives_kill_9(path: Path) -> None:
    rng = random.Random(7)
    acknowledged: dict[int, str] = {}
    for _ in range(6):
        child = subprocess.Popen([sys.executable, "-c", CHILD, path], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(rng.randrange(1, 80))]
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        for seq, mark in (line.split() for line in lines if line.endswith("\n")):
            assert int(seq) not in acknowledged
            acknowledged[int(seq)] = mark
        with Log(path, "t1") as log:  # checks the chain
            stored = {e.seq: e.hash for e in log.entries()}
            assert acknowledged.items() <= stored.items()
            entry = log.append("act", "after the crash")
            acknowledged[entry.seq] = entry.hash
            pairs = [e.body for e in log.entries() if isinstance(e.body, list) and e.body[1] % 3 == 0]
            assert len(pairs) % 2 == 0  # append_many: both or none
    assert len(acknowledged) > 50


# --- PostgreSQL, where there is one


@pytest.mark.skipif("COMPANION_TEST_POSTGRES" not in os.environ, reason="COMPANION_TEST_POSTGRES names no database")
def test_the_same_on_postgres(tmp_path: Path) -> None:
    where, table = os.environ["COMPANION_TEST_POSTGRES"], f"test-{os.urandom(8).hex()}"
    with Log(where, table, key=tmp_path / "pg.key") as log:
        with pytest.raises(Locked, match=f"already writing table {table}"):
            Log(where, table)
        entries = [log.append("act", {"ö": 1}), log.append("seal", {}, 5)]
        assert log._writer is not None
        assert log._writer._connection is not None
        mine = log._writer._connection.scalar(text("SELECT pg_backend_pid()"))
        log._writer._connection.rollback()
        with log._database.connect() as other:
            other.execute(text("SELECT pg_terminate_backend(:mine, 5000)"), {"mine": mine})  # as a restart would
        entries.append(log.append("act", 2))
        log.verify(known=entries[0].head)
        assert list(log.entries()) == entries
        assert entries[1].secret == 5
    with Log(where, table) as log:
        assert log.append("act", 3).previous == entries[-1].hash
