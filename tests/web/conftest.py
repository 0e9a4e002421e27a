"""A double's pages for the test client, and a real browser for those that need one."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, sync_playwright

from tests.web.double import Double
from tests.web.phone import KEY, Phone, Phones
from web.app import create_app
from web.server import create

HOME = "http://localhost"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Device:
    """A browser without scripts: keeps cookies, sends its origin and its token like one."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(path, **options)

    @property
    def csrf(self) -> str:
        self.client.get("/j")
        with self.client.session_transaction() as session:
            return str(session["csrf"])

    def post(self, path: str, json: Any = None, data: Any = None, **headers: str) -> Any:
        sent = {"Origin": HOME, "X-CSRF-Token": self.csrf, **headers}
        return self.client.post(path, json=json, data=data, headers=sent)

    def sit(self, seat: int, name: str) -> str:
        """Sit down by the form; the address of the seat's page."""
        answer = self.post("/j", data={"seat": str(seat), "name": name})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["Location"])


@pytest.fixture
def table() -> Double:
    return Double()


@pytest.fixture
def app(table: Double) -> Flask:
    return create_app(table, secret_key=KEY, hosts=None)


@pytest.fixture
def device(app: Flask) -> Device:
    return Device(app)


Serve = Callable[..., str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve pages by a real server on a free port: table or app -> address.

    `phones` stands on this, so servers and tables are closed only when no phone asks them any more.
    """
    with contextlib.ExitStack() as closing:

        def start(served: Any) -> str:
            app = served
            if not isinstance(served, Flask):
                closing.callback(getattr(served, "close", lambda: None))
                app = create_app(served, secret_key=KEY, hosts=None)
            server = create(app, "127.0.0.1", 0)

            def run() -> None:
                with contextlib.suppress(OSError):  # closed under its feet at the end of a test
                    server.run()

            threading.Thread(target=run, daemon=True).start()
            closing.callback(server.close)
            return f"http://127.0.0.1:{server.effective_port}"

        yield start


@pytest.fixture
def address(app: Flask, serve: Serve) -> str:
    return serve(app)


@pytest.fixture
def phones(browser: Browser, serve: Serve) -> Iterator[Phones]:
    """New phones by address; all are closed at the end, and none may have complained."""
    made: list[Phone] = []

    def new(address: str, **options: Any) -> Phone:
        made.append(Phone(browser, address, **options))
        return made[-1]

    yield new
    for phone in made:
        phone.context.close()
    assert [complaint for phone in made for complaint in phone.complaints] == []


def chromium() -> str | None:
    """A Chromium; the build without windows needs a quarter less of the processor."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        if os.environ.get("COMPANION_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium on PATH, and COMPANION_REQUIRE_BROWSER asks for one")
        pytest.skip("no Chromium on PATH (apt install chromium)")
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()
