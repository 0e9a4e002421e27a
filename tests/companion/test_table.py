"""The live table without a camera: seats, sealed bids, views, what survives, what nobody may see."""

import json
import threading
from dataclasses import replace

import pytest

from companion import table as live
from companion.log import Log
from companion.table import Table
from tests.companion.tables import GOALS, ROWS, full_disk, laid_out, open_table, seal, seal_args, seated
from web.port import Refused

ONLY_CHOICE = [
    {"condition": {"colours": ["red"], "wins": "most"}, "effect": {"kind": "rotate_goal"}},
    *ROWS[1:],
]


@pytest.fixture
def table(tmp_path):
    table = open_table(tmp_path)
    yield table
    table.close()


def told(view):
    """All that a page gets, as one text."""
    return json.dumps(view, sort_keys=True)


def test_three_people_sit_begin_and_play_an_exchange(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    for token, beads in zip(tokens, ({"red": 2}, {"green": 1}, {"red": 1, "yellow": 1}), strict=True):
        assert "commitment" in seal(table, token, **beads)
    view = table.view(None, "en")
    assert view["state"]["exchange"] == 2
    assert [item["row"] for item in view["story"][0]["items"] if item["row"]]
    assert len(view["openings"]) == 3


def test_nothing_of_a_bid_is_seen_before_all_have_sealed(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    before = [told(table.view(viewer, "en")) for viewer in (1, 2, None)]
    seal(table, tokens[0], red=2, blue=1)
    after = [table.view(viewer, "en") for viewer in (1, 2, None)]
    for view in after:
        assert view["sealed"] == [True, False, False]
        assert view["commitments"] == view["openings"] == []
        assert view["own_seal"] is None
        # put back what everybody may know, and nothing else has changed
        view["sealed"] = [False, False, False]
        view["version"] -= 1
        view["waiting"] = json.loads(before[0])["waiting"]
    assert [told(view) for view in after] == before
    assert table.view(0, "en")["own_seal"]["args"] == {"beads": {"red": 2, "blue": 1}}


def test_what_somebody_seals_changes_no_other_view_by_a_byte(tmp_path):
    views = []
    for n, beads in enumerate(({"red": 4}, {"green": 1})):
        table = open_table(tmp_path / str(n))
        tokens = seated(table, 3)
        laid_out(table, tokens[0])
        seal(table, tokens[0], **beads)
        seen = [table.view(viewer, "en") for viewer in (1, 2, None)]
        views.append([told({**view, "log_head": ""}) for view in seen])
        table.close()
    assert views[0] == views[1]


def test_changing_a_sealed_bid_is_seen_by_nobody_else(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[0], red=2)
    before = [told(table.view(viewer, "en")) for viewer in (1, 2, None)]
    versions = [table.version(viewer) for viewer in (0, 1, 2, None)]
    seal(table, tokens[0], green=3)
    assert [told(table.view(viewer, "en")) for viewer in (1, 2, None)] == before
    assert [table.version(viewer) for viewer in (0, 1, 2, None)] == [versions[0] + 1, *versions[1:]]
    assert table.view(0, "en")["own_seal"]["args"] == {"beads": {"green": 3}}


def test_the_last_bid_sealed_is_the_one_that_counts(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[0], red=2)
    seal(table, tokens[0], green=3)
    seal(table, tokens[1], green=1)
    seal(table, tokens[2], blue=1)
    opened = table.view(None, "en")["openings"][0]
    assert (opened["args"], opened["attempt"]) == ({"beads": {"green": 3}}, 2)


def test_when_all_are_sealed_all_open_in_one_step(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seen = []

    def look_on():
        at = table.version(None)
        while not seen or not seen[-1]:
            at = table.wait(None, at, 5)
            seen.append(len(table.view(None, "en")["openings"]))

    watcher = threading.Thread(target=look_on)
    watcher.start()
    for token in tokens:
        seal(table, token, red=1)
    watcher.join(10)
    assert set(seen) <= {0, 3}
    assert seen[-1] == 3


@pytest.mark.parametrize("kind", ["closed", "opening"])
@pytest.mark.parametrize("closed_s", [0.0, 0.01])
def test_what_could_not_be_opened_is_opened_later(tmp_path, monkeypatch, closed_s, kind):
    monkeypatch.setattr(live, "AGAIN_S", 0.01)
    table = open_table(tmp_path, closed_s=closed_s)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    full_disk(table, monkeypatch, kind)
    for token in tokens:
        assert "commitment" in seal(table, token, red=1)
    at = 0
    while not table.view(None, "en")["openings"]:
        assert table.wait(None, at, 5) > at
        at = table.version(None)
    assert [entry.kind for entry in table._log.entries()].count("closed") == 1
    assert not table.evening.closed
    table.close()


def test_an_illegal_bid_is_answered_with_its_ruling_and_not_sealed(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    ruling = seal(table, tokens[0], blue=4)  # the rulebook's own example: nobody has four blue beads
    assert (ruling["legal"], ruling["rule"]) == (False, "FJ-4a1")
    assert table.view(0, "en")["attempt"] == 0


def test_a_commitment_to_another_bid_is_refused(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    view = table.view(0, "en")
    with pytest.raises(Refused, match="commitment"):
        table.seal(tokens[0], view["moment"], 1, {"beads": {"red": 1}}, "00" * 32, "11" * 32)
    with pytest.raises(Refused, match="commitment"):
        table.seal(tokens[0], view["moment"], 1, {"beads": {"red": 1}}, "no salt", "11" * 32)


def test_a_late_or_repeated_bid_is_stale(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    moment = table.view(0, "en")["moment"]
    for attempt, when in ((2, moment), (1, "0.0.bid")):
        with pytest.raises(Refused, match="stale"):
            table.seal(tokens[0], when, attempt, {"beads": {"red": 1}}, "00" * 32, "11" * 32)


def test_a_bid_cannot_go_round_its_seal(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    with pytest.raises(Refused, match="not_now"):
        table.act(tokens[0], {"do": "bid", "beads": {"red": 1}}, "en")


def test_what_is_done_out_of_turn_leaves_the_moment_as_it_is(tmp_path):
    """Giants: a base is peeked at while bids are being sealed, and when nobody has sealed yet (GI-4.9)."""
    table, nothing = open_table(tmp_path, "giants"), {"markers": 0, "workers": 0, "sorcerer": 0, "chief": 0}
    tokens = seated(table, 3)
    table.act(tokens[0], {"do": "roll", "dice": [1, 1, 1]}, "en")
    state = table.evening.state
    erected = replace(state.sites[0], base=1, moai="moai-1")
    table.evening.state = replace(state, sites=(erected, *state.sites[1:]), tablets=(2, 0, 0))
    moment, peek = table.view(1, "en")["moment"], {"do": "peek", "ahu": state.board.ahus[0].id}
    assert table.act(tokens[0], peek, "en")["legal"]
    assert table.view(1, "en")["moment"] == moment
    seal_args(table, tokens[1], **nothing)
    assert table.act(tokens[0], peek, "en")["legal"]
    seal_args(table, tokens[0], **nothing)
    seal_args(table, tokens[2], **nothing)
    kept = [entry.secret["moment"] for entry in table._log.entries() if entry.kind == "seal"]
    assert kept == [moment] * 3
    assert table.evening.moment() != moment
    table.close()


def test_the_winner_of_a_row_chooses_on_the_phone(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0], ONLY_CHOICE)
    for token, beads in zip(tokens, ({"red": 2}, {"green": 1}, {"blue": 1}), strict=True):
        seal(table, token, **beads)
    assert table.view(1, "en")["choices"] == []
    choices = table.view(0, "en")["choices"]
    assert [c["text"] for c in choices] == [f"Turn goal {n}" for n in (1, 2, 3, 4)]
    assert table.act(tokens[0], choices[1]["action"], "en")["legal"]
    assert table.view(None, "en")["state"]["goals"][1] == {"colour": "blue", "wins": "most"}


def test_somebody_elses_turn_is_a_ruling_not_a_deed(table):
    tokens = seated(table, 3)
    laid_out(table, tokens[0], ONLY_CHOICE)
    for token, beads in zip(tokens, ({"red": 2}, {"green": 1}, {"blue": 1}), strict=True):
        seal(table, token, **beads)
    assert not table.act(tokens[1], {"do": "rotate_goal", "position": 1}, "de")["legal"]
    assert table.view(None, "en")["state"]["goals"] == GOALS


def test_seats(table):
    one = table.sit(2, "Hedwig")
    with pytest.raises(Refused, match="seat_taken"):
        table.sit(2, "Noor")
    with pytest.raises(Refused, match="name"):
        table.sit(None, " hedwig ")
    with pytest.raises(Refused, match="name"):
        table.sit(None, "  ")
    with pytest.raises(Refused, match="no_such_seat"):
        table.sit(5, "Noor")
    with pytest.raises(Refused, match="too_few_players"):
        table.begin(one)
    with pytest.raises(Refused, match="not_seated"):
        table.begin("somebody")
    other = table.sit(None, "Noor")
    table.stand_up(other)
    assert table.seat_of(other) is None
    third = table.sit(4, "Marcel")
    table.begin(third)
    assert (table.seat_of(one), table.seat_of(third)) == (0, 1)  # counted anew
    with pytest.raises(Refused, match="already_begun"):
        table.sit(None, "Late")
    with pytest.raises(Refused, match="already_begun"):
        table.stand_up(one)


def test_a_new_token_ends_the_old_one(table):
    old = seated(table, 2)[1]
    new = table.new_token(1)
    assert table.seat_of(old) is None
    assert table.seat_of(new) == 1


def test_two_players_set_beads_aside_in_secret(table):
    tokens = seated(table, 2)
    laid_out(table, tokens[0])
    assert table.view(0, "en")["secret"] == "set_aside"
    seal(table, tokens[0], red=4)
    seal(table, tokens[1], green=4)
    other = table.view(1, "en")
    assert other["secret"] == "bid"
    assert other["state"]["set_aside"][0] is None
    assert '"red": 4' not in told(other["openings"])


def test_everything_is_there_again_after_a_restart(tmp_path):
    table = open_table(tmp_path)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[1], red=2)
    before = [told({**table.view(viewer, "en"), "version": 0}) for viewer in (0, 1, 2, None)]
    table.close()
    again = open_table(tmp_path)
    assert [told({**again.view(viewer, "en"), "version": 0}) for viewer in (0, 1, 2, None)] == before
    assert [again.seat_of(token) for token in tokens] == [0, 1, 2]
    seal(again, tokens[0], red=1)
    seal(again, tokens[2], red=1)
    assert again.view(None, "en")["state"]["exchange"] == 2
    again.close()


def test_the_database_alone_tells_no_sealed_bid_and_not_who_sealed(tmp_path):
    table = open_table(tmp_path)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[1], red=2)
    table.close()
    with Log(tmp_path / "companion.db", "oak", read_only=True) as log:
        sealed = [entry for entry in log.entries() if entry.kind == "seal"]
    assert [entry.text for entry in sealed] == ["{}"]
    assert b"salt" not in b"".join(p.read_bytes() for p in tmp_path.glob("companion.db*") if p.suffix != ".key")


def test_a_log_of_another_game_is_refused(tmp_path):
    open_table(tmp_path).close()
    log = Log(tmp_path / "companion.db", "oak")
    with pytest.raises(ValueError, match="fiji"):
        Table(log, "maori")
    log.close()


def test_many_bids_at_once_all_count(table):
    tokens = seated(table, 5)
    laid_out(table, tokens[0])
    start = threading.Barrier(5)

    def bid(token):
        start.wait()
        seal(table, token, red=1)

    threads = [threading.Thread(target=bid, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(table.view(None, "en")["openings"]) == 5
