"""A recorded evening comes to the same log again, and says where if it does not."""

import hashlib
import json
import threading
from contextlib import suppress
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration import layout, lens, light
from companion import table as live
from companion.cli import main
from companion.comparison import Comparison
from companion.evidence import Evidence
from companion.games.fiji import game
from companion.log import Log, NotWritable
from companion.recording import RecordedTable, RecordedWatcher
from companion.rerun import rerun
from companion.serving import Setup, _table
from companion.snapshots import Snapshots
from companion.tape import CALLS, EVENTS, FILM, About, NoTape, Tape, read
from companion.witness import Witness
from tests.companion.eyes import Eyes, deck
from tests.companion.games import Evening
from tests.companion.tables import full_disk
from vision.camera import Frame, Settings
from vision.deck import Deck
from vision.motion import Motion
from web.port import LiveTable, Refused

BEGUN = 30  #: so many events of a recorded evening are its beginning: people sit down, frames follow, cards are read
ABOUT = About("oak", "fiji", {}, (), camera=True, deck=True, witness=True)


def record(folder, about=ABOUT, **more):
    """A table that is recorded in `folder`/tape, its log beside it."""
    folder.mkdir(exist_ok=True)
    tape = Tape(folder / "tape", about, say=more.pop("say", print))
    witness = Witness(Evidence(folder / "evidence"))
    return RecordedTable(Log(folder / "companion.db", "oak"), "fiji", tape=tape, camera=True, witness=witness, **more)


def recorded_evening(folder, steps=5, players=3):
    """An evening that was recorded with everything a camera and phones do."""
    table = record(folder)
    evening = Evening.begin(table, players)
    evening.watcher = RecordedWatcher(table, evening.eyes, deck(), Motion())
    evening.play(steps)
    return evening


def replayed(folder, evening):
    return rerun(folder / "tape", lambda _: evening.eyes)


@pytest.fixture(scope="module")
def taped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("taped")
    evening = recorded_evening(folder)
    frames = evening.watcher.report.frames
    evening.table.close()
    return folder, evening, frames


def test_it_comes_to_the_same_log_and_state(taped):
    folder, evening, frames = taped
    outcome = replayed(folder, evening)
    assert outcome.ok, outcome.data()
    assert (outcome.frames, outcome.refused) == (frames, [])
    assert outcome.looks == evening.watcher.report.looks
    kinds = [event["entry"]["kind"] for event in read(folder / "tape") if "entry" in event]
    assert {"open", "sit", "begin", "act", "seen", "seal", "closed", "opening"} <= set(kinds)
    assert outcome.entries == len(kinds)


def test_a_table_at_rest_leaves_most_of_its_frames_out(tmp_path):
    evening = recorded_evening(tmp_path, steps=2)
    before = sum("frame" in event for event in read(tmp_path / "tape"))
    image = evening.eyes.draw(game.tabletop.lay(evening.table.evening.state))
    for n in range(50):
        evening.watcher.feed(Frame(image, evening.clock + 0.2 * (n + 1)))
    kept = sum("frame" in event for event in read(tmp_path / "tape")) - before
    assert 8 <= kept <= 15  # one a second, and a few more looks
    evening.table.close()
    assert replayed(tmp_path, evening).ok


def test_only_the_owner_may_read_it_and_no_token_is_in_it(taped):
    folder, evening, _ = taped
    assert (folder / "tape").stat().st_mode & 0o777 == 0o700
    files = [path for path in (folder / "tape").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    for path in files:
        for token in evening.tokens:
            assert token.encode() not in path.read_bytes()
    assert "bid" in json.loads((folder / "tape" / "evening.json").read_text())["private"]


def changed(folder, to, change):
    """A copy of a tape in which `change` was made to its events."""
    to.mkdir()
    for path in (folder / "tape").iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    events = change(list(read(to)))
    (to / EVENTS).write_text("".join(f"{json.dumps(event)}\n" for event in events))
    return to


@pytest.mark.thorough
def test_a_difference_is_told_with_its_entry(taped, tmp_path):
    folder, evening, _ = taped

    def bid_something_else(events):
        entry = next(e["entry"] for e in events if e.get("entry", {}).get("body", {}).get("cause") == "opening")
        colour = max(entry["body"]["action"]["beads"], key=entry["body"]["action"]["beads"].get)
        entry["body"]["action"]["beads"][colour] -= 1
        entry["body"]["action"]["beads"][next(c for c in ("red", "green") if c != colour)] = 2
        return events

    path = changed(folder, tmp_path / "tape", bid_something_else)
    outcome = rerun(path, lambda _: evening.eyes)
    assert not outcome.ok
    wrong = outcome.differences[0]
    assert [kind for kind, _ in wrong.recorded] == [kind for kind, _ in wrong.replayed] == ["act"]
    assert outcome.data()["differences"][0]["entry"] == wrong.entry > 5


def with_pictures(events, change):
    """Events in which the hashes of pictures were changed, wherever a log's entry names some."""
    for event in events:
        kept = event.get("entry", {}).get("body", {}).get("pictures")
        if kept:
            change(kept)
    return events


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "change",
    [
        lambda kept: kept.update(whole="0" * 64),
        lambda kept: kept.update(marks="0" * 64),
        lambda kept: [crop.update(jpeg="0" * 64) for crop in kept["crops"]],
        lambda kept: kept.update(crops=[]),
    ],
    ids=["whole", "marks", "details", "no details"],
)
def test_other_pictures_are_noticed(taped, tmp_path, change):
    folder, evening, _ = taped
    path = changed(folder, tmp_path / "tape", lambda events: with_pictures(events, change))
    outcome = rerun(path, lambda _: evening.eyes)
    assert outcome.pictures_compared
    assert not outcome.ok
    assert outcome.same_state
    assert any("pictures" in says for wrong in outcome.differences for _, says in wrong.recorded)


def with_marks(events, change):
    """Events in which what was recognised in pictures was changed, and the log with it."""
    new = {}
    for event in events:
        if "marks" in event:
            says = json.loads(event["says"])
            change(says)
            event["says"] = json.dumps(says)
            new[event["marks"]] = event["marks"] = hashlib.sha256(event["says"].encode()).hexdigest()
    return with_pictures(events, lambda kept: kept.update(marks=new[kept["marks"]]))


def shift(by):
    def change(says):
        for card in says["components"]:
            card["corners"] = [[x + by, y] for x, y in card["corners"]]

    return change


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("change", "same"),
    [
        (shift(1.0), True),
        (shift(9.0), False),
        (lambda says: says["components"].pop(), False),
        (lambda says: says["components"].append(says["components"][0]), False),
        (lambda says: says["components"].reverse(), True),
        (lambda says: says["components"][0].update(name="another"), False),
        (lambda says: says["things"].append({"name": "red", "at": [5.0, 5.0], "radius": 9.0}), False),
        (lambda says: says["unsure"].append({"names": ["goal-red"], "at": [5.0, 5.0], "radius": 9.0}), True),
    ],
)
def test_what_was_recognised_is_the_same_within_a_few_pixels(taped, tmp_path, change, same):
    folder, evening, _ = taped
    path = changed(folder, tmp_path / "tape", lambda events: with_marks(events, change))
    assert rerun(path, lambda _: evening.eyes).ok is same


@pytest.mark.parametrize(
    ("then", "now", "parted"),
    [((0, 3), (1, 2), []), ((0, 3), (3, 0), []), ((0, 3), (4, 8), [2]), ((0, 9), (9, 0), [1, 2])],
)
def test_each_picture_is_held_against_its_own_though_others_are_alike_too(then, now, parted):
    kept = {
        x: json.dumps({"size": [64, 48], "components": [], "things": [{"name": "red", "at": [x, 0]}]})
        for x in range(10)
    }
    hashes = {x: hashlib.sha256(says.encode()).hexdigest() for x, says in kept.items()}

    def log(places):
        pictures = ({"whole": "0" * 64, "marks": hashes[x], "crops": []} for x in places)
        return [{"kind": "seen", "body": {"pictures": each}, "secret": None} for each in pictures]

    recorded = {hashes[x]: kept[x] for x in then}
    replayed = {hashes[x]: kept[x].encode() for x in now}
    differences = Comparison(recorded, replayed.get).differences(log(then), log(now))
    assert [each.entry for each in differences] == parted


def with_about(folder, to, **told):
    """A copy of a tape that tells something else of the table."""
    path = changed(folder, to, lambda events: events)
    about = json.loads((path / "evening.json").read_text())
    (path / "evening.json").write_text(json.dumps({**about, **told}))
    return path


def test_where_another_encoder_made_the_pictures_only_their_bytes_are_not_compared(taped, tmp_path):
    folder, evening, _ = taped
    path = with_about(folder, tmp_path / "tape", encoder="OpenCV 3.0, abacus")
    events = with_pictures(list(read(path)), lambda kept: kept.update(whole="0" * 64))
    (path / EVENTS).write_text("".join(f"{json.dumps(event)}\n" for event in events))
    outcome = rerun(path, lambda _: evening.eyes)
    assert outcome.ok, outcome.data()
    assert outcome.data()["pictures_compared"] is False
    events = with_pictures(events, lambda kept: kept.update(crops=[{"box": [0, 0, 9, 9], "jpeg": "0" * 64}] * 7))
    (path / EVENTS).write_text("".join(f"{json.dumps(event)}\n" for event in events))
    assert not rerun(path, lambda _: evening.eyes).ok


def test_frames_in_which_something_else_lies_are_noticed(taped, tmp_path):
    folder, evening, _ = taped
    path = changed(folder, tmp_path / "tape", lambda events: events)
    eyes = evening.eyes
    moved = [*eyes.known[:1], *eyes.known[2:], eyes.known[1]]
    with mock.patch.object(eyes, "known", moved), mock.patch.object(eyes, "seen", {}):
        assert not rerun(path, lambda _: eyes).ok


def test_the_program_may_be_started_anew_in_between(tmp_path):
    evening = recorded_evening(tmp_path, steps=2)
    evening.table.evening.to_seal()
    evening.seal(0)
    evening.table.close()
    again = record(tmp_path)
    evening.table = again
    evening.watcher = RecordedWatcher(again, evening.eyes, deck(), Motion())
    evening.seal(1)
    evening.seal(2)
    evening.look()
    evening.play(2)
    again.close()
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()
    assert sum("start" in event for event in read(tmp_path / "tape")) == 2


def test_what_was_half_written_in_a_crash_is_left_out_and_gone_on_from(tmp_path):
    evening = recorded_evening(tmp_path, steps=2)
    evening.table.close()
    events, film = tmp_path / "tape" / EVENTS, tmp_path / "tape" / FILM
    whole = film.stat().st_size
    events.write_bytes(events.read_bytes() + b'{"frame":99.0,"by')
    film.write_bytes(film.read_bytes() + b"half a frame")
    assert replayed(tmp_path, evening).ok
    evening.table = record(tmp_path)
    assert film.stat().st_size == whole
    evening.watcher = RecordedWatcher(evening.table, evening.eyes, deck(), Motion())
    evening.play(1)
    evening.table.close()
    assert replayed(tmp_path, evening).ok


def test_sealed_decisions_open_when_they_opened(tmp_path):
    table = record(tmp_path, closed_s=60.0)
    evening = Evening.begin(table, 3)
    evening.play(2)
    for seat in range(3):
        evening.seal(seat)
    assert table.evening.closed
    table.new_token(1)  # something happens while the commitments stand alone
    table._open()
    table.close()
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()
    kinds = [event["entry"]["kind"] for event in read(tmp_path / "tape") if "entry" in event]
    assert kinds.index("closed") < kinds.index("token") < kinds.index("opening")


def test_phones_that_act_while_the_camera_looks_are_replayed_in_the_order_that_counted(tmp_path):
    table = record(tmp_path)
    evening = Evening.begin(table, 5)
    evening.watcher = RecordedWatcher(table, evening.eyes, deck(), Motion())
    evening.play(2)
    laid = game.tabletop.lay(table.evening.state)
    going = threading.Event()

    def bid(seat):
        going.wait()
        evening.seal(seat)

    phones = [threading.Thread(target=bid, args=(seat,)) for seat in range(5)]
    for phone in phones:
        phone.start()
    going.set()
    for n in range(20):
        evening.watcher.feed(Frame(evening.eyes.draw(laid, hand=n % 10 < 2), evening.clock + 0.2 * (n + 1)))
    for phone in phones:
        phone.join()
    table.close()
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()


def test_a_call_that_could_not_be_written_changes_nothing_when_it_is_replayed(tmp_path, monkeypatch):
    table = record(tmp_path)
    evening = Evening.begin(table, 3)
    full_disk(table, monkeypatch, "token")
    with pytest.raises(NotWritable):
        table.new_token(1)
    table.close()
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()


@pytest.mark.quick(2)
@pytest.mark.parametrize("kind", ["act", "seal", "closed", "opening", "seen"])
def test_what_could_not_be_written_is_not_written_when_it_is_replayed(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(live, "AGAIN_S", 0.01)
    table = record(tmp_path)
    evening = Evening.begin(table, 3)
    evening.watcher = RecordedWatcher(table, evening.eyes, deck(), Motion())
    full_disk(table, monkeypatch, kind)
    for _ in range(4):
        with suppress(NotWritable):
            evening.play(1)
        at = table.version(None)
        while table.evening.to_seal() and len(table.evening.seals) == 3:
            at = table.wait(None, at, 5)
    table.close()
    events = list(read(tmp_path / "tape"))
    assert sum("failed" in event for event in events) == 1
    assert kind in {event["entry"]["kind"] for event in events if "entry" in event}
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()


def test_phones_act_while_the_photo_of_one_is_read(tmp_path):
    table = record(tmp_path)
    evening = Evening.begin(table, 3)
    state = table.evening.state
    dealt, _ = game.apply(state, game.dealer(evening.rng).act(state))
    photo = cv2.imencode(".png", evening.eyes.draw(game.tabletop.lay(dealt)))[1].tobytes()
    read_at_once = evening.eyes.observe

    def read_slowly(*looked):
        phone = threading.Thread(target=table.new_token, args=(2,), daemon=True)
        phone.start()
        phone.join(10)
        assert not phone.is_alive()
        return read_at_once(*looked)

    with mock.patch.object(evening.eyes, "observe", read_slowly):
        table.on_photo = Snapshots(table, evening.eyes, deck(), lambda image, _: image)
        assert len(table.photo(evening.tokens[0], photo, "en")["played"]) == 1
    table.on_photo = lambda _: None
    with pytest.raises(Refused, match="photo_unread"):
        table.photo(evening.tokens[1], b"nothing", "en")
    table.close()
    assert game.dump(table.evening.state) == game.dump(dealt)
    events = list(read(tmp_path / "tape"))
    noted = [event["call"] for event in events if "call" in event][-3:]
    assert noted == ["new_token", "photo", "photo"]
    outcome = replayed(tmp_path, evening)
    assert outcome.ok, outcome.data()


def test_calls_that_change_nothing_do_no_harm(tmp_path):
    table = record(tmp_path)
    evening = Evening.begin(table, 3)
    for wrong in (lambda: table.begin(evening.tokens[0]), lambda: table.begin("nobody"), lambda: table.sit(9, "Late")):
        with pytest.raises(Refused):
            wrong()
    evening.play(2)
    table.close()
    outcome = replayed(tmp_path, evening)
    assert outcome.ok
    assert outcome.refused == ["begin: already_begun", "sit: already_begun"]  # who proves no seat is not recorded


def test_what_people_settle_among_themselves_is_replayed(tmp_path):
    table = record(tmp_path)
    evening = Evening.begin(table, 3)
    evening.play(2)
    table.propose(evening.tokens[0], 1, None, "en")
    proposal = table.evening.proposal.id
    for token in evening.tokens[1:]:
        table.vote(token, proposal, True)
    assert table.evening.rewinds == 1
    evening.dealer = None
    table.close()
    assert replayed(tmp_path, evening).ok


def test_everything_a_phone_may_ask_of_a_table_is_recorded_or_changes_nothing():
    asking = {
        "version", "wait", "view", "seat_of", "ask", "rules", "rule", "history", "explain", "try_instead", "picture",
        "board", "components", "ways",
    }  # fmt: skip
    offered = {name for name in vars(LiveTable) if not name.startswith("_")}
    assert offered - asking == set(CALLS) - {"new_token"}
    for name in CALLS:
        assert name in vars(RecordedTable)


def test_a_recording_needs_the_whole_evening(tmp_path):
    with Log(tmp_path / "companion.db", "oak") as log:
        log.append("open", {"game": "fiji", "options": {}})
        with pytest.raises(NoTape, match="from its beginning"):
            RecordedTable(log, "fiji", tape=Tape(tmp_path / "tape", ABOUT))


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("notes.txt", b"mine", "not empty"),
        ("evening.json", b"{}", "damaged"),
        ("evening.json", json.dumps({**ABOUT.data(), "table": "elm"}).encode(), "another table"),
    ],
)
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path, name, content, match):
    (tmp_path / "tape").mkdir()
    (tmp_path / "tape" / name).write_bytes(content)
    with pytest.raises(NoTape, match=match):
        Tape(tmp_path / "tape", ABOUT)
    assert (tmp_path / "tape" / name).read_bytes() == content


def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path):
    said = []
    table = record(tmp_path, say=said.append)
    evening = Evening.begin(table, 3)
    with mock.patch.object(table._tape, "_film") as film:
        film.write.side_effect = OSError(28, "No space left on device")
        evening.watcher = RecordedWatcher(table, evening.eyes, deck(), Motion())
        evening.play(3)
    assert len(table.evening.played) >= 5
    assert said == ["The recording ends here (No space left on device); the game goes on."]
    table.close()


@pytest.mark.parametrize(
    "event",
    [
        {"call": "close", "by": None, "with": {}},
        {"frame": 1.0, "bytes": 5},
        {"frame": 1.0, "bytes": -5},
        {"frame": "x", "bytes": "y"},
        {"call": "act"},
        {"what": 1},
        {"entry": {"kind": "open"}},
        {"entry": []},
        {"entry": {"kind": "nosuch", "body": {}, "secret": None}},
        {"entry": {"kind": "act", "body": {"cause": "phone"}, "secret": None}},
        {"call": "new_token", "by": None, "with": {"seat": "a"}},
        {"call": "sit", "by": None, "with": {"seat": None, "name": 5}},
        {"call": "sit", "by": None, "with": {"seat": True, "name": "Noor"}},
        {"call": "sit", "by": None, "with": {"x": 1}},
        {"call": "sit", "by": None, "with": {}},
        {"call": "begin", "by": 7, "with": {}},
        {"call": "begin", "by": None, "with": {}},
        {"call": "vote", "by": 0, "with": {"proposal": "1.1", "rewind": 1}},
        {"call": "photo", "by": 0, "with": {"jpeg": {"file": "../../none.jpg"}, "lang": "en"}},
        {"call": "photo", "by": 0, "with": {"lang": "en"}},
    ],
    ids=json.dumps,
)
def test_a_damaged_tape_is_said_to_be_damaged(taped, tmp_path, event):
    folder, evening, _ = taped
    path = changed(folder, tmp_path / "tape", lambda events: [*events[:BEGUN], event])
    with pytest.raises(NoTape):
        rerun(path, lambda _: evening.eyes)


def test_a_tape_that_was_cut_off_is_not_damaged(taped, tmp_path):
    folder, evening, _ = taped
    assert rerun(changed(folder, tmp_path / "tape", lambda events: events[:BEGUN]), lambda _: evening.eyes).frames > 9


@pytest.mark.parametrize(
    "told",
    [
        {"game": "chess"},
        {"game": 5},
        {"options": {"zz": 1}},
        {"options": None},
        {"zones": 5},
        {"zones": [{"name": "supply", "x": "left", "y": 0, "width": 9, "height": 9}]},
        {"camera": "yes"},
        {"table": "../x"},
        {"table": 5},
        {"calibration": {"../lens.toml": ""}},
        {"calibration": {"lens.toml": 5}},
        {"calibration": {"lens.toml": "camera_matrix = 3"}},
        {"calibration": 5},
        {"evening": 1},
    ],
    ids=json.dumps,
)
def test_what_no_table_was_is_said_to_be_damaged(taped, tmp_path, told):
    folder, evening, _ = taped
    path = with_about(folder, tmp_path / "tape", **told)
    with pytest.raises(NoTape):
        rerun(path, lambda _: evening.eyes)


def test_the_calibration_is_kept_and_its_lens_and_marker_size_are_used(tmp_path, monkeypatch):
    calibration = tmp_path / "calibration"
    lens.save(lens.Calibration(np.diag([700.0, 700.0, 1.0]), np.zeros(5), (640, 400), 0.2, {}, {}), calibration)
    light.save(light.Light(Settings(exposure_us=9000), (), ()), calibration)
    layout.save([layout.Zone("supply", 1, 2, 30, 40)], calibration, 30.0)
    Deck("fiji", ()).save(tmp_path / "deck")
    tape, served = (
        tmp_path / "tape",
        Setup("fiji", tmp_path, "oak", "127.0.0.1", 8000, "en", tmp_path / "deck", "usb:0"),
    )
    with Log(tmp_path / "companion.db", "oak") as log:
        _table(log, replace(served, calibration=calibration, record=tape), "", print).close()
    about = About.load(tape)
    assert about.calibration == {path.name: path.read_text() for path in calibration.iterdir()}
    assert sorted(about.calibration) == ["layout.toml", "lens.toml", "light.toml"]
    assert [zone.name for zone in about.zones] == ["supply"]
    used = []
    monkeypatch.setattr("companion.rerun._observer", lambda _, *optics: used.append(optics) or Eyes())
    assert rerun(tape).ok
    ((marker_mm, known),) = used
    assert (marker_mm, known((640, 400)).matrix[0, 0]) == (30.0, 700.0)
    with pytest.raises(NoTape, match="another table"):  # it is calibrated anew, and goes on into the same folder
        Tape(tape, replace(about, calibration={}))


def test_the_command_replays_a_folder_as_it_replays_a_record(taped):
    folder, evening, frames = taped
    with mock.patch("companion.rerun._observer", return_value=evening.eyes):
        done = CliRunner().invoke(main, ["replay", str(folder / "tape"), "--json"])
        told = CliRunner().invoke(main, ["replay", str(folder / "tape")])
    assert (done.exit_code, told.exit_code) == (0, 0), done.output
    assert json.loads(done.output)["frames"] == frames
    assert "the same log" in told.output
    assert "not known" not in told.output


def test_the_command_says_when_a_folder_is_no_evening(tmp_path):
    done = CliRunner().invoke(main, ["replay", str(tmp_path)])
    assert done.exit_code == 1
    assert "no recorded evening" in done.output


def test_serve_records_with_the_deck_that_is_used(tmp_path):
    taught = tmp_path / "deck"
    Deck("fiji", ()).save(taught)
    setup = Setup("fiji", tmp_path, "oak", "127.0.0.1", 8000, "en", taught, "usb:0", record=tmp_path / "tape")
    said = []
    with Log(tmp_path / "companion.db", "oak") as log:
        table = _table(log, setup, "", said.append)
        assert isinstance(table, RecordedTable)
        table.sit(0, "Hedwig")
        table.close()
    assert any("every bid" in line for line in said)
    assert About.load(tmp_path / "tape") == About("oak", "fiji", {}, (), camera=True, deck=True, witness=True)
    assert rerun(tmp_path / "tape", lambda deck: Eyes()).ok
