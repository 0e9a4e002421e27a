"""What keeps strangers out, and what an error tells."""

import logging
from html.parser import HTMLParser

import pytest
from flask import Flask

from companion.log import NotWritable
from tests.web.conftest import HOME, Device
from tests.web.double import Double
from web.app import create_app
from web.guard import LARGEST_BODY


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "companion.local:80"])
def test_addresses_and_local_names_are_trusted(app: Flask, host: str):
    assert app.test_client().get("/j", base_url=f"http://{host}").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "local"])
def test_a_rebound_name_gets_nothing(app: Flask, host: str):
    answer = app.test_client().get("/view.json", base_url=f"http://{host}")
    assert answer.status_code == 400
    assert "tafel" not in answer.text


def test_named_hosts_are_the_only_ones(table: Double):
    client = create_app(table, secret_key="x", hosts=["table.example"]).test_client()
    assert client.get("/j", base_url="http://table.example").status_code == 200
    assert client.get("/j", base_url="http://192.168.1.7").status_code == 400
    assert client.get("/view.json", base_url="http://other.example").status_code == 400


DEEDS = [
    "seal",
    "act",
    "answer",
    "rule",
    "ways",
    "begin",
    "leave",
    "vote",
    "withdraw",
    "photo",
    "propose/1",
    "instead/1",
]
POSTS = ["/j", "/back", "/ask", *(f"/seat/a/{deed}" for deed in DEEDS)]


@pytest.mark.quick(40)
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://localhost:9999", "http://localhost.evil", "http://[", "//localhost"],
)
def test_nothing_changes_for_a_page_of_another_origin(device: Device, table: Double, path: str, origin: str | None):
    device.sit(0, "Ada")
    before = table.version(0)
    headers = {"X-CSRF-Token": device.csrf} | ({"Origin": origin} if origin else {})
    assert device.client.post(path, json={}, headers=headers).status_code == 403
    assert table.version(0) == before


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("token", ["", "x", "ü"])
def test_nothing_changes_without_the_pages_token(device: Device, path: str, token: str):
    device.sit(0, "Ada")
    answer = device.client.post(
        path, json={}, headers={"Origin": HOME, "X-CSRF-Token": token.encode().decode("latin-1")}
    )
    assert (answer.status_code, answer.json["error"]) == (403, "csrf")


def test_every_route_that_changes_something_is_guarded(app: Flask):
    routes = {rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    guarded = {path.replace("/a/", "/<place>/").replace("/1", "/<int:number>") for path in POSTS}
    assert routes == guarded | {"/seat/<place>/again"}


PAGES = ["/j", "/look", "/table", "/board", "/back", "/view.json", "/nowhere", "/picture/table", "/board/800x480.png"]


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_strict_headers(device: Device, path: str):
    headers = device.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'self'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_pages_hold_no_inline_scripts_or_styles_and_nothing_from_elsewhere(device: Device):
    device.sit(0, "Ada")
    for path in ["/j", "/look", "/table", "/board", "/back", "/seat/a/"]:
        page = Parts(device.get(path).text)
        for tag, attributes in page.tags:
            assert not [name for name in attributes if name == "style" or name.startswith("on")], (path, tag)
            assert tag != "style"
            if tag == "script":  # ours, or the words, which are data
                ours = (attributes.get("src") or "").startswith("/static/js/")
                assert ours or attributes["type"] == "application/json", path
            for address in (attributes.get("src"), attributes.get("href"), attributes.get("action")):
                assert (address or "/").startswith(("/", "?")), (path, address)


class Parts(HTMLParser):
    """A page's tags with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_scripts_are_cached_only_after_asking(device: Device):
    answer = device.get("/static/js/seat.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.mimetype == "text/javascript"
    answer.close()


def test_a_body_that_is_too_long_is_not_read(device: Device):
    device.sit(0, "Ada")
    answer = device.post("/seat/a/act", json={"action": {"x": "y" * LARGEST_BODY}})
    assert answer.status_code == 413


def test_a_defect_shows_and_logs_no_secret(
    device: Device, table: Double, monkeypatch, caplog: pytest.LogCaptureFixture
):
    device.sit(0, "Ada")

    def breaks(*_: object) -> None:
        secret = "blue: 2"
        raise ValueError(f"cannot seal {secret}")

    monkeypatch.setattr(table, "seal", breaks)
    bid = {"moment": "m", "attempt": 1, "args": {"beads": {"blue": 2}}, "salt": "0" * 64, "commitment": "0" * 64}
    with caplog.at_level(logging.DEBUG):
        answer = device.post("/seat/a/seal", json=bid)
    assert answer.status_code == 500
    assert answer.json["error"] == "500"
    for told in (answer.text, caplog.text):
        assert "blue" not in told
        assert "Traceback" not in told
    assert "ValueError" in caplog.text
    assert "test_guard.py" in caplog.text


def test_what_cannot_be_written_down_says_what_to_do(
    device: Device, table: Double, monkeypatch, caplog: pytest.LogCaptureFixture
):
    def full(*_: object) -> None:
        raise NotWritable("The disk of companion.db is full. Make room and try again.")

    device.sit(0, "Ada")
    monkeypatch.setattr(table, "act", full)
    answer = device.post("/seat/a/act", json={"action": {"do": "pass"}}, **{"Accept-Language": "de"})
    assert (answer.status_code, answer.json["error"]) == (503, "not_kept")
    assert "Speicher" in answer.json["text"]
    assert "The disk of companion.db is full" in caplog.text
    monkeypatch.setattr(table, "view", full)
    assert device.get("/seat/a/view.json").status_code == 500  # that changes nothing


def test_errors_say_what_to_do_in_the_readers_language(device: Device):
    page = device.get("/nowhere", headers={"Accept-Language": "de"})
    assert page.status_code == 404
    assert "Scanne den Code" in page.text
    assert device.get("/nowhere.json").json["error"] == "404"


def test_after_many_tries_to_sit_one_has_to_wait(device: Device):
    codes = [device.post("/back", data={"token": "guess"}).status_code for _ in range(25)]
    assert codes[:20] == [200] * 20
    assert set(codes[20:]) == {429}
