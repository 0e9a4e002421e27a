"""Evidence: whole pictures under their hashes, within a budget, whatever happens in between."""

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.evidence import Changed, Deleted, Evidence, Missing

ROOT = Path(__file__).resolve().parents[2]


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_put_comes_back_under_its_hash(tmp_path):
    evidence = Evidence(tmp_path / "evidence")
    mark = evidence.put("oak-1", b"a picture")
    assert mark == hashlib.sha256(b"a picture").hexdigest()
    assert evidence.get(mark) == b"a picture"
    assert Evidence(tmp_path / "evidence").get(mark) == b"a picture"  # another process


def test_the_same_picture_is_kept_once(tmp_path):
    evidence = Evidence(tmp_path)
    assert evidence.put("oak-1", b"same") == evidence.put("oak-1", b"same")
    assert len(files(tmp_path)) == 1


def test_only_the_owner_may_look(tmp_path):
    evidence = Evidence(tmp_path / "evidence")
    evidence.put("oak-1", b"a picture")
    assert [oct(path.stat().st_mode & 0o777) for path in files(tmp_path)] == ["0o600"]
    folders = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert {oct(path.stat().st_mode & 0o777) for path in folders} == {"0o700"}


@pytest.mark.parametrize("damage", [b"another picture", b"a pict", b""])
def test_a_changed_or_torn_picture_is_noticed(tmp_path, damage):
    evidence = Evidence(tmp_path)
    mark = evidence.put("oak-1", b"a picture")
    files(tmp_path)[0].write_bytes(damage)
    with pytest.raises(Changed, match=mark[:8]):
        evidence.get(mark)
    assert evidence.put("oak-1", b"a picture") == mark  # put again, it is whole again
    assert evidence.get(mark) == b"a picture"


def test_a_picture_nobody_deleted_is_missing(tmp_path):
    evidence = Evidence(tmp_path)
    mark = evidence.put("oak-1", b"a picture")
    files(tmp_path)[0].unlink()
    with pytest.raises(Missing):
        evidence.get(mark)
    with pytest.raises(Missing):
        Evidence(tmp_path / "nowhere").get(mark)
    with pytest.raises(Missing):
        evidence.get("../000001.oak-1/deleted")


def test_the_oldest_games_go_first_and_are_said_to_be_deleted(tmp_path):
    evidence = Evidence(tmp_path, budget=25)
    marks = [evidence.put(f"oak-{n}", bytes([n]) * 10) for n in range(4)]
    for mark in marks[:2]:
        with pytest.raises(Deleted, match="budget"):
            evidence.get(mark)
    assert [evidence.get(mark) for mark in marks[2:]] == [b"\2" * 10, b"\3" * 10]
    assert evidence.size() == 20


def test_the_newest_game_stays_even_when_it_is_too_large(tmp_path):
    evidence = Evidence(tmp_path, budget=25)
    old = evidence.put("oak-1", b"old")
    marks = [evidence.put("oak-2", bytes([n]) * 10) for n in range(9)]
    assert [len(evidence.get(mark)) for mark in marks] == [10] * 9
    with pytest.raises(Deleted):
        evidence.get(old)


def put_at(evidence, game, data, at):
    """Put as if it was `at` seconds of some day."""
    mark = evidence.put(game, data)
    home = next(path for path in evidence.folder.iterdir() if path.name.endswith(f".{game}"))
    os.utime(home, (at, at))
    return mark


def test_no_running_game_goes_before_all_that_are_over(tmp_path):
    """Two tables play at once, and the newer one needs room."""
    evidence = Evidence(tmp_path)
    evidence.put("oak-1", b"1" * 10)  # over: its table has played on
    running = evidence.put("oak-2", b"2" * 10)
    evidence.put("elm-1", b"3" * 10)
    evidence.over("elm-1")
    evidence.put("ash-1", b"4" * 10)
    assert evidence.prune(30) == ["oak-1"]
    assert evidence.prune(20) == ["elm-1"]
    assert evidence.get(running)
    assert evidence.prune(10) == ["oak-2"]


def test_a_game_that_goes_on_after_all_is_not_over(tmp_path):
    evidence = Evidence(tmp_path)
    for name in ("oak-1", "elm-1", "ash-1"):
        evidence.put(name, name.encode() * 10)
        evidence.over(name)
    evidence.over("oak-1", False)
    assert evidence.prune(110) == ["elm-1"]
    evidence.over("yew-7")  # of which nothing is kept
    assert evidence.size() == 100


def test_of_games_that_may_still_be_played_the_one_left_alone_longest_goes_first(tmp_path):
    evidence = Evidence(tmp_path)
    for name, at in (("oak-1", 300), ("elm-1", 100), ("ash-1", 200), ("yew-1", 50)):
        put_at(evidence, name, name.encode() * 10, at)
    assert evidence.prune(100) == ["elm-1", "ash-1"]


def test_a_game_never_makes_room_for_its_own_pictures_out_of_its_own(tmp_path):
    evidence = Evidence(tmp_path, budget=25)
    first = put_at(evidence, "oak-1", b"1" * 10, 1)
    other = put_at(evidence, "elm-1", b"2" * 10, 2)
    newest = put_at(evidence, "ash-1", b"3" * 5, 3)
    again = evidence.put("oak-1", b"4" * 10)
    assert [evidence.get(mark) for mark in (first, newest, again)] == [b"1" * 10, b"3" * 5, b"4" * 10]
    with pytest.raises(Deleted):
        evidence.get(other)


def test_pruning_says_whose_pictures_went(tmp_path):
    evidence = Evidence(tmp_path)
    for n in range(3):
        evidence.put(f"oak-{n}", bytes([n]) * 10)
    assert evidence.prune(20) == ["oak-0"]
    assert evidence.prune(20) == []
    assert evidence.prune(0) == ["oak-1"]


def test_a_game_called_out_of_its_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="named"):
        Evidence(tmp_path).put("../elsewhere", b"a picture")


@settings(max_examples=20, deadline=None)
@given(
    puts=st.lists(st.tuples(st.integers(0, 5), st.binary(min_size=1, max_size=40)), max_size=12),
    budget=st.integers(0, 120),
)
def test_whatever_is_put_the_rest_is_within_the_budget_or_the_newest_games(tmp_path_factory, puts, budget):
    evidence = Evidence(tmp_path_factory.mktemp("evidence"), budget)
    with mock.patch("os.fsync"):  # no disk is to be waited for here
        put = [(f"oak-{n}", data, evidence.put(f"oak-{n}", data)) for n, data in sorted(puts)]
    homes = [path.name.partition(".")[2] for path in sorted(evidence.folder.iterdir())]
    newest = {data for game, data, _ in put if game == homes[-1]} if homes else set()
    assert evidence.size() <= max(budget, sum(map(len, newest)))
    for game, data, mark in put:
        try:
            assert evidence.get(mark) == data
        except Deleted:
            assert game != homes[-1]


PROGRAM = """
import sys
from pathlib import Path
from companion.evidence import Evidence
evidence = Evidence(Path(sys.argv[1]), budget=3_000_000)
print("ready", flush=True)
for n in range(10_000):
    data = n.to_bytes(4, "big") * 20_000
    print(evidence.put(f"oak-{n // 10}", data), flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
def test_killed_during_a_put_what_was_acknowledged_is_whole(tmp_path, acknowledged):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert process.stdout.readline() == "ready\n"
    marks = [process.stdout.readline().strip() for _ in range(acknowledged)]
    process.send_signal(signal.SIGKILL)
    marks += process.communicate()[0].split()[:-1]  # the last line may be cut
    evidence = Evidence(tmp_path)
    for mark in marks:
        with contextlib.suppress(Deleted):
            assert hashlib.sha256(evidence.get(mark)).hexdigest() == mark
    for path in files(tmp_path):
        if path.suffix != ".part" and path.name != "deleted":
            assert hashlib.sha256(path.read_bytes()).hexdigest() == path.name
