"""The web server: waitress in this process, with threads for all streams and some to spare."""

from __future__ import annotations

import os
from typing import Any, Final

from flask import Flask
from waitress import trigger
from waitress.server import create_server

from web.live import ALL
from web.photos import LARGEST

SPARE: Final = 24  # threads that no stream can take
_NOWHERE: Final = os.open(os.devnull, os.O_WRONLY)


def create(app: Flask, host: str, port: int) -> Any:
    """A waitress server that has bound its port (0: any free one, see `effective_port`); `run()` serves."""
    server = create_server(
        app,
        host=host,
        port=port,
        threads=ALL + SPARE,
        connection_limit=400,
        channel_request_lookahead=1,  # lets a stream notice that its listener has gone
        clear_untrusted_proxy_headers=True,
        max_request_body_size=2 * LARGEST,  # so that a photo too large gets an answer, not a closed door
        ident=None,
    )
    closing = server.close

    def close() -> None:
        # a thread that still answers wakes the server by writing to a pipe, whose number may be a log's by then
        for part in (getattr(server, "map", None) or server._map).values():
            if isinstance(part, trigger.trigger):
                part.trigger = _NOWHERE
        closing()

    server.close = close
    return server


def serve(app: Flask, host: str, port: int) -> None:
    """Serve the pages until the process is told to stop."""
    create(app, host, port).run()
