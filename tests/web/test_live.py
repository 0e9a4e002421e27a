"""The live stream: numbers only, one a tab, never so many that pages would wait."""

import http.client
import re
import threading
from itertools import pairwise

from tests.web.conftest import Device
from tests.web.double import Double
from web import live
from web.live import Stream, Streams, numbers
from web.server import SPARE


def test_a_tab_has_one_stream_the_newest():
    streams = Streams()
    old = streams.enter("ada", "tab")
    new = streams.enter("ada", "tab")
    assert old is not None
    assert new is not None
    assert (old.open, new.open, len(streams)) == (False, True, 1)
    streams.leave(old)  # its thread ends late
    assert len(streams) == 1


def test_a_seat_has_few_streams_and_cannot_crowd_out_others():
    streams = Streams()
    assert all(streams.enter("ada", str(tab)) for tab in range(live.OF_SEAT))
    assert streams.enter("ada", "one more") is None
    assert streams.enter("ben", "first") is not None
    for tab in range(live.OF_SPECTATORS):
        streams.enter("", str(tab))
    assert streams.enter("", "one more") is None


def test_threads_are_left_for_pages():
    streams = Streams()
    for seat in range(100):
        streams.enter(f"seat {seat}", "tab")
    assert len(streams) == live.ALL
    assert SPARE >= 16


def test_the_stream_says_the_version_at_once_and_after_each_change(table: Double):
    stream = Stream("", "tab")
    events = numbers(table, lambda: None, stream, lambda: False)
    first = next(events)
    assert first == b"retry: 1000\ndata: %d\n\n" % table.version(None)
    table.change()
    assert next(events) == b"data: %d\n\n" % table.version(None)
    stream.open = False
    assert list(events) == []


def test_the_stream_ends_when_nobody_listens_and_after_five_minutes(table: Double, monkeypatch):
    monkeypatch.setattr(live, "LOOK", 0.01)
    events = numbers(table, lambda: None, Stream("", "tab"), lambda: True)
    assert len(list(events)) == 1
    monkeypatch.setattr(live, "LONGEST", 0.0)
    assert len(list(numbers(table, lambda: None, Stream("", "tab"), lambda: False))) == 1


def test_a_quiet_stream_is_kept_warm_by_comments(table: Double, monkeypatch):
    monkeypatch.setattr(live, "LOOK", 0.001)
    monkeypatch.setattr(live, "QUIET", 0.0)
    events = numbers(table, lambda: None, Stream("", "tab"), lambda: False)
    next(events)
    assert next(events) == b":\n\n"


def test_too_many_streams_are_told_to_poll(device: Device, monkeypatch):
    monkeypatch.setattr(live, "OF_SPECTATORS", 0)
    assert device.get("/live?tab=x").status_code == 204


def test_over_the_wire_go_numbers_and_nothing_else(address: str, table: Double):
    """What is heard while four people sit down, bid, and a spectator listens."""
    link = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    link.request("GET", "/live?tab=ear")
    answer = link.getresponse()
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    heard = [answer.readline()]
    threading.Thread(target=table.seat_all).start()
    while f"data: {6}\n".encode() not in heard:  # four sit, one begins
        heard.append(answer.readline())
    link.close()
    text = b"".join(heard).decode()
    assert re.fullmatch(r"(retry: 1000\n|data: \d+\n|\n|:\n)+", text)
    said = [int(n) for n in re.findall(r"data: (\d+)", text)]
    assert all(a < b for a, b in pairwise(said))
