"""What is secret in a log is nowhere to be read without its key, and no key is replaced silently."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion import keyfile
from companion.log import Broken, Entry, Log, NoKey, NotWritable
from tests.companion.logs import change


def test_a_secret_comes_back_and_is_nowhere_in_the_files(log: Log, path: Path) -> None:
    entry = log.append("seal", {"moment": "1.2.bid"}, {"args": {"turquoise": 4321432143214321}, "salt": "deadbeef"})
    assert entry.secret == {"args": {"turquoise": 4321432143214321}, "salt": "deadbeef"}
    assert next(log.entries()).secret == entry.secret
    assert "4321432143214321" not in repr(entry)
    files = [p for p in path.parent.iterdir() if p.name != "tables.db.key"]
    assert {p.name for p in files} >= {"tables.db", "tables.db-wal"}
    for file in files:
        for word in (b"turquoise", b"4321432143214321", b"deadbeef"):
            assert word not in file.read_bytes()
    key = path.with_name("tables.db.key")
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_bytes() not in path.with_name("tables.db-wal").read_bytes()


def test_secrets_all_look_alike(log: Log) -> None:
    small = log.append("seal", {}, {})
    again = log.append("seal", {}, {})
    large = log.append("seal", {}, "x" * 1022)
    assert len(small.sealed) == len(large.sealed)
    assert small.sealed != again.sealed
    assert small.sealed[:10] == large.sealed[:10] == "gAAAAAAAAA"  # Fernet's version, and no time
    with pytest.raises(ValueError, match="1024"):
        log.append("seal", {}, "x" * 1023)


def test_the_chain_can_be_checked_without_the_key(log: Log, path: Path) -> None:
    log.append("seal", {}, {"green": 1})
    path.with_name("tables.db.key").unlink()
    with Log(path, "t1", read_only=True) as reader:
        reader.verify()
        with pytest.raises(NoKey, match=r"missing.*Put it back"):
            _ = next(reader.entries()).secret


def test_an_exchanged_secret_breaks_the_chain(log: Log, path: Path) -> None:
    other = log.append_many([("seal", {}, 1), ("seal", {}, 2)])[1]
    change(path, "UPDATE log_entries SET sealed = ? WHERE seq = 1", other.sealed)
    with pytest.raises(Broken, match="Entry 1 "):
        log.verify()


def test_a_lost_key_is_not_silently_replaced(path: Path) -> None:
    with Log(path, "t1") as log:
        log.append("seal", {}, 1)
    path.with_name("tables.db.key").unlink()
    with Log(path, "t2") as log:
        with pytest.raises(NoKey, match="missing"):
            log.append("seal", {}, 2)
        assert log.append("act", {}).seq == 1
    assert not path.with_name("tables.db.key").exists()


def test_a_key_that_others_may_read_is_refused(path: Path) -> None:
    with Log(path, "t1") as log:
        log.append("seal", {}, 1)
    key = path.with_name("tables.db.key")
    key.chmod(0o644)
    with Log(path, "t1") as log, pytest.raises(NoKey, match="chmod 600"):
        _ = next(log.entries()).secret


@pytest.mark.parametrize(("content", "error"), [(b"rubbish", Broken), (b"A" * 43 + b"=", NoKey)])
def test_a_wrong_key_is_named(path: Path, content: bytes, error: type[Exception]) -> None:
    with Log(path, "t1") as log:
        log.append("seal", {}, 1)
    path.with_name("tables.db.key").write_bytes(content)
    with Log(path, "t1") as log, pytest.raises(error, match=r"tables\.db\.key .*Put the right key"):
        _ = next(log.entries()).secret


def test_the_key_may_lie_elsewhere(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "my.key"
    with Log(path, "t1", key=elsewhere) as log:
        assert log.append("seal", {}, 1).secret == 1
    assert elsewhere.exists()
    assert not path.with_name("tables.db.key").exists()


def test_two_who_make_the_key_at_once_use_the_same(tmp_path: Path) -> None:
    keys = [keyfile.KeyFile(tmp_path / "x.key") for _ in range(8)]
    sealed: list[str] = []
    threads = [threading.Thread(target=lambda k=k: sealed.append(k.seal(5, make=True))) for k in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [keys[0].open(s) for s in sealed] == [5] * 8
    assert [p.name for p in tmp_path.iterdir()] == ["x.key"]


def test_no_key_can_be_written_where_no_file_can() -> None:
    with pytest.raises(NotWritable, match="writable"):
        keyfile.KeyFile(Path("/sys/x.key")).seal(1, make=True)


def test_an_entry_without_a_log_keeps_its_secret(log: Log) -> None:
    entry = log.append("seal", {}, 1)
    with pytest.raises(NoKey, match="Say where"):
        _ = Entry("t1", 1, entry.at, "seal", "{}", entry.sealed, entry.previous, entry.hash).secret
