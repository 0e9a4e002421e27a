"""The web server: waitress in this process, with threads for all streams and some to spare."""

from __future__ import annotations

from typing import Any, Final

from flask import Flask
from waitress.server import create_server

from web.live import ALL
from web.photos import LARGEST

SPARE: Final = 24  # threads that no stream can take


def create(app: Flask, host: str, port: int) -> Any:
    """A waitress server that has bound its port (0: any free one, see `effective_port`); `run()` serves."""
    return create_server(
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


def serve(app: Flask, host: str, port: int) -> None:
    """Serve the pages until the process is told to stop."""
    create(app, host, port).run()
