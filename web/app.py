"""The pages of one table as a Flask application."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask

from web import guard, places, speech
from web.bids import bids
from web.demo import demo as demo_pages
from web.disputes import disputes
from web.live import Streams
from web.looks import looks
from web.port import Demo, LiveTable
from web.seats import seats


def create_app(
    table: LiveTable,
    *,
    secret_key: str | bytes,
    hosts: list[str] | None,
    demo: Demo | None = None,
) -> Flask:
    """The pages of `table`.

    hosts: the names this server answers to; None: any IP address, `localhost` and names that end in `.local`.
    demo: who plays the other seats, for the page /demo.
    """
    app = Flask("web")
    app.secret_key = secret_key
    app.permanent_session_lifetime = timedelta(days=places.DAYS)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it, its base class has not
    app.extensions["companion-streams"] = Streams()
    app.extensions["companion-throttle"] = guard.Throttle(most=20, seconds=60.0)
    places.install(app, table)
    speech.install(app)
    guard.install(app, hosts)
    for pages in (seats, bids, looks, disputes):
        app.register_blueprint(pages)
    if demo is not None:
        app.extensions["companion-demo"] = demo
        app.register_blueprint(demo_pages)
    return app
