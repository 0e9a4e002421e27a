"""The live stream: numbers only. A page that hears a new number asks for its own view, so the stream cannot leak."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Final

from flask import Response, request

from web.port import LiveTable

LONGEST = 300.0  # seconds; then the browser connects again
LOOK = 2.0  # seconds between looks whether anybody still listens
QUIET = 14.0  # seconds of silence after which a comment keeps the connection warm
ALL: Final = 72  # streams at once; the server's other threads stay free for pages
OF_SEAT: Final = 6  # streams of one seat
OF_SPECTATORS: Final = 32


@dataclass(slots=True, eq=False)
class Stream:
    """One open stream; `open` turns false when the same tab has opened a newer one."""

    who: str
    tab: str
    open: bool = True


class Streams:
    """All open streams: one a tab, few a seat, and never so many that pages would have to wait."""

    def __init__(self) -> None:
        self._open: list[Stream] = []
        self._lock = Lock()

    def enter(self, who: str, tab: str) -> Stream | None:
        """A stream for this tab in place of its older one, or None when there are too many (the page then polls)."""
        with self._lock:
            for old in [s for s in self._open if s.who == who and s.tab == tab]:
                old.open = False
                self._open.remove(old)
            limit = OF_SEAT if who else OF_SPECTATORS
            if len(self._open) >= ALL or sum(s.who == who for s in self._open) >= limit:
                return None
            stream = Stream(who, tab)
            self._open.append(stream)
            return stream

    def leave(self, stream: Stream) -> None:
        with self._lock:
            if stream in self._open:
                self._open.remove(stream)

    def __len__(self) -> int:
        return len(self._open)


def numbers(
    table: LiveTable, viewer: Callable[[], int | None], stream: Stream, gone: Callable[[], bool]
) -> Iterator[bytes]:
    """The viewer's version as server-sent events, at once and after every change, until the tab has gone."""
    end = time.monotonic() + LONGEST
    last = table.version(viewer())
    spoke = time.monotonic()
    yield b"retry: 1000\ndata: %d\n\n" % last
    while stream.open and time.monotonic() < end and not gone():
        new = table.wait(viewer(), last, LOOK)
        if new != last:
            last, spoke = new, time.monotonic()
            yield b"data: %d\n\n" % new
        elif time.monotonic() - spoke > QUIET:
            spoke = time.monotonic()
            yield b":\n\n"


def respond(table: LiveTable, streams: Streams, who: str, viewer: Callable[[], int | None]) -> Response:
    """The stream of one tab (`?tab=`); 204 tells the browser not to try again, and the page polls."""
    stream = streams.enter(who, request.args.get("tab", "")[:32])
    if stream is None:
        return Response(status=204)
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)

    def events() -> Iterator[bytes]:
        try:
            yield from numbers(table, viewer, stream, gone)
        finally:
            streams.leave(stream)

    response = Response(events(), mimetype="text/event-stream")
    response.call_on_close(lambda: streams.leave(stream))
    response.headers["X-Accel-Buffering"] = "no"
    return response
