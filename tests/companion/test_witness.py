"""With every action the settled table is kept that shows it, and the log names it."""

import json

import pytest

from companion.evidence import BUDGET, OVER, Evidence
from companion.log import Log
from companion.serving import Setup, _table
from companion.witness import Witness
from tests.companion.games import Evening, table_with_witness
from tests.companion.tables import open_table
from web.port import Refused


@pytest.fixture
def evening(tmp_path):
    table = table_with_witness(tmp_path)
    yield Evening.begin(table, 3, camera=True)
    table.close()


def entries(table, *kinds):
    return [entry for entry in table._log.entries() if entry.kind in kinds]


def test_what_the_camera_reads_is_kept_with_the_frame_that_shows_it(evening):
    evening.play(1)
    (act,) = entries(evening.table, "act")
    assert act.body["cause"] == "camera"
    marks = json.loads(evening.table.witness.evidence.get(act.body["pictures"]["marks"]))
    assert sorted(one["name"] for one in marks["components"]) == sorted(
        card.component for card in evening.eyes.known[-1].cards
    )
    assert evening.table.evening.played[0].pictures == act.body["pictures"]


def test_every_settled_table_after_an_action_is_kept_once(evening):
    evening.play(3)
    played = evening.table.evening.played
    assert played[1].settled is not None
    assert played[-1].settled is not None
    count = len(entries(evening.table, "seen"))
    for _ in range(3):
        evening.look()
    assert len(entries(evening.table, "seen")) == count


def test_what_phones_do_is_kept_with_the_table_as_it_lay_then(evening):
    evening.play(2)
    before = evening.table.evening.played[-1].settled
    evening.show(evening.eyes.known[0])  # somebody takes cards away: not as the rules have it
    for seat in range(3):
        evening.seal(seat)
    first = next(entry for entry in entries(evening.table, "act") if entry.body["cause"] == "opening")
    assert first.body["pictures"]["whole"] != before["whole"]
    assert [("pictures" in e.body) for e in entries(evening.table, "act")][2:5] == [True, False, False]


@pytest.mark.parametrize("number", ["", "9", "9" * 5000, "-1", "٠", "0x0", "0 "])
def test_a_picture_of_no_action_is_not_there(evening, number):
    evening.play(1)
    assert evening.table.picture("after-0")[1] == "image/jpeg"
    with pytest.raises(Refused, match=r"no_picture|stale"):
        evening.table.picture(f"after-{number}")


def test_pictures_are_named_in_the_chain(evening):
    evening.play(3)
    named = [e.body["pictures"] for e in entries(evening.table, "act", "seen") if "pictures" in e.body]
    assert len(named) >= 4
    for kept in named:
        assert evening.table.witness.evidence.get(kept["whole"])[:2] == b"\xff\xd8"
    evening.table._log.verify()


def test_a_table_without_a_witness_keeps_nothing(tmp_path):
    table = open_table(tmp_path, camera=True)
    Evening.begin(table, 3, camera=True).play(2)
    assert len(table.evening.played) == 2
    assert all("pictures" not in entry.body for entry in entries(table, "act", "seen"))
    table.close()
    assert not (tmp_path / "evidence").exists()


def test_a_folder_that_takes_no_pictures_stops_no_game(tmp_path):
    (tmp_path / "evidence").write_text("a file where the folder should be")
    said = []
    table = open_table(tmp_path, camera=True, witness=Witness(Evidence(tmp_path / "evidence"), said.append))
    Evening.begin(table, 3, camera=True).play(4)
    assert len(table.evening.played) >= 5
    assert len(said) == 1
    assert "the game goes on" in said[0]
    table.close()


def test_after_a_restart_pictures_are_told_of_as_before(tmp_path):
    table = table_with_witness(tmp_path)
    Evening.begin(table, 3, camera=True).play(3)
    before = [(one.pictures, one.settled) for one in table.evening.played]
    table.close()
    again = table_with_witness(tmp_path)
    assert [(one.pictures, one.settled) for one in again.evening.played] == before
    again.close()


def test_each_game_has_its_own_pictures_and_the_oldest_go_first(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 2, camera=True)
    evening.play(2)
    evening.watcher, watcher = None, evening.watcher
    evening.play()
    table.again(evening.tokens[0])
    table.begin(evening.tokens[0])
    evening.watcher = watcher
    evening.play(2)
    evidence = table.witness.evidence
    assert [path.name.partition(".")[2] for path in sorted(evidence.folder.iterdir())] == ["oak-1", "oak-2"]
    assert evidence.prune(0) == ["oak-1"]
    assert evidence.get(table.evening.played[0].pictures["whole"])
    table.close()


def test_a_game_that_is_over_is_marked_and_one_taken_up_again_is_not(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 2, camera=True)
    evening.play(2)
    evening.watcher = None
    (home,) = table.witness.evidence.folder.iterdir()
    assert not (home / OVER).exists()
    evening.play()
    assert (home / OVER).exists()
    table._write(("rewind", {"to": len(table.evening.played) - 1}))
    assert not (home / OVER).exists()
    table.close()


def test_no_pictures_are_kept_where_there_is_no_room_for_any(tmp_path):
    setup = Setup("fiji", tmp_path, "oak", "localhost", 8000, "en", evidence_gb=0)
    table = _table(Log(tmp_path / "companion.db", "oak"), setup, "http://localhost/j", print)
    assert table.witness is None
    table.close()


def test_two_gigabytes_are_kept_by_default():
    assert BUDGET == 2_000_000_000


def test_a_secret_action_is_bound_in_the_log_by_what_tells_nothing_of_it(tmp_path):
    table = table_with_witness(tmp_path)
    Evening.begin(table, 2).play(3)
    table.close()
    with Log(tmp_path / "companion.db", "oak", read_only=True) as log:
        aside = [e for e in log.entries() if e.kind == "act" and e.sealed]
    assert [set(entry.body) for entry in aside] == [{"cause", "binding"}] * 2
    assert [entry.secret["action"]["do"] for entry in aside] == ["set_aside"] * 2
    assert len({entry.body["binding"] for entry in aside}) == 2
