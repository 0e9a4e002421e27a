"""Sitting down, pages of seats, the way back, getting up."""

import re

import pytest
import segno
from flask import Flask
from werkzeug.test import Client

from tests.web.conftest import Device
from tests.web.double import Double
from tests.web.phone import KEY
from web.app import create_app
from web.places import mark


def cookies(answer) -> list[str]:
    return [c for c in answer.headers.getlist("Set-Cookie") if c.startswith("seat-")]


def test_the_short_address_shows_every_seat(device: Device) -> None:
    page = device.get("/j").text
    assert re.findall(r'name="seat" value="(\d)"', page) == ["0", "1", "2", "3"]


def test_sitting_down_leads_to_the_seat_and_proves_it_by_a_cookie_no_script_can_read(device: Device, table: Double):
    answer = device.post("/j", data={"seat": "2", "name": "  Ada \n Lovelace "})
    assert answer.headers["Location"] == "/seat/a/"
    (cookie,) = cookies(answer)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert table.names == {2: "Ada Lovelace"}
    assert device.get("/seat/a/view.json").json["you"] == 2


def test_the_token_is_nowhere_but_in_the_cookie(device: Device, table: Double):
    device.sit(0, "Ada")
    (token,) = table.tokens
    for path in ("/j", "/seat/a/", "/seat/a/view.json", "/look", "/table", "/view.json"):
        assert token not in device.get(path).text


def test_without_a_name_one_is_given(device: Device, table: Double):
    device.sit(1, "")
    assert table.names == {1: "Player 2"}


@pytest.mark.parametrize("seat", ["", "9", "-1", "x", "²", "1e3", "99999999999"])
def test_a_seat_that_does_not_exist_is_refused_in_words(device: Device, table: Double, seat: str):
    answer = device.post("/j", data={"seat": seat, "name": "Ada"})
    assert answer.headers["Location"] == "/j?say=no_such_seat"
    assert "There is no such seat" in device.get("/j?say=no_such_seat").text
    assert not table.tokens


def test_two_cannot_share_a_seat(app: Flask, device: Device):
    device.sit(0, "Ada")
    answer = Device(app).post("/j", data={"seat": "0", "name": "Ben"})
    assert answer.headers["Location"] == "/j?say=seat_taken"


def test_what_the_address_says_is_not_shown_unless_it_is_ours(device: Device):
    assert "evil" not in device.get("/j?say=evil").text


def test_one_device_may_hold_several_seats(device: Device):
    assert device.sit(0, "Ada") == "/seat/a/"
    assert device.sit(3, "Ben") == "/seat/b/"
    assert [device.get(f"/seat/{place}/view.json").json["you"] for place in "ab"] == [0, 3]


@pytest.mark.parametrize(
    ("names", "keys"),
    [(("tafel", "tafel"), ("x", "y")), (("oak-1", "oak1"), ("x", "x")), (("oak", "ash"), ("x", b"y"))],
)
def test_one_device_may_sit_at_two_tables_of_one_computer(
    names: tuple[str, str], keys: tuple[str | bytes, str | bytes]
):
    """Browsers send cookies to all ports of a computer."""
    apps = {}
    for port, name, key in zip(("8000", "8001"), names, keys, strict=True):
        table = Double()
        table.extra["table"] = name
        apps[port] = create_app(table, secret_key=key, hosts=None)
    browser = Client(lambda environ, start: apps[environ["SERVER_PORT"]](environ, start))
    tokens = {}
    for seat, port in enumerate(apps):
        home = f"http://localhost:{port}"
        tokens[port] = re.findall(r'name="csrf" value="(.+?)"', browser.get("/j", home).text)[0]
        form = {"csrf": tokens[port], "seat": str(seat), "name": "Ada"}
        assert browser.post("/j", home, data=form, headers={"Origin": home}).headers["Location"] == "/seat/a/"
    for seat, port in enumerate(apps):
        home = f"http://localhost:{port}"
        assert (browser.get("/seat/a/view.json", home).json or {})["you"] == seat
        headers = {"Origin": home, "X-CSRF-Token": tokens[port]}
        assert browser.post("/seat/a/begin", home, json={}, headers=headers).status_code == 200


def test_a_page_without_a_seat_leads_to_the_join_page(device: Device):
    assert device.get("/seat/a/").headers["Location"] == "/j?say=not_seated"
    assert device.get("/seat/zz/").headers["Location"] == "/j?say=not_seated"


@pytest.mark.parametrize("path", ["view.json", "version.json", "live", "way-back.svg"])
def test_without_a_seat_nothing_of_it_is_shown(app: Flask, device: Device, path: str):
    device.sit(0, "Ada")
    assert Device(app).get(f"/seat/a/{path}").status_code == 409


def test_a_forged_token_is_no_seat(device: Device):
    device.client.set_cookie(f"seat-{mark(KEY, 'tafel')}-a", "x" * 43)
    assert device.get("/seat/a/view.json").status_code == 409


def test_home_leads_to_the_seat_or_to_the_join_page(device: Device):
    assert device.get("/").headers["Location"] == "/j"
    device.sit(0, "Ada")
    assert device.get("/").headers["Location"] == "/seat/a/"


def test_the_way_back_seats_another_device(app: Flask, device: Device, table: Double):
    device.sit(1, "Ada")
    (token,) = table.tokens
    other = Device(app)
    answer = other.post("/back", data={"token": f"http://localhost/back#{token}"})
    assert answer.headers["Location"] == "/seat/a/"
    assert other.get("/seat/a/view.json").json["you"] == 1


def test_the_way_back_to_a_seat_one_holds_already_takes_no_second_place(device: Device, table: Double):
    device.sit(1, "Ada")
    (token,) = table.tokens
    assert device.post("/back", data={"token": token}).headers["Location"] == "/seat/a/"


def test_a_wrong_way_back_says_so(device: Device):
    answer = device.post("/back", data={"token": "nonsense"})
    assert answer.status_code == 200
    assert "leads to no seat" in answer.text
    assert not cookies(answer)


def test_the_card_leads_back_with_the_token_behind_the_hash(device: Device, table: Double):
    """A browser sends nothing behind the # to any server, so the token is in no log."""
    device.sit(0, "Ada")
    (token,) = table.tokens
    table.extra["join_url"] = "http://companion.local:8000/j"
    wanted = segno.make(f"http://companion.local:8000/back#{token}", error="m", micro=False)
    card = device.get("/seat/a/way-back.svg")
    assert card.mimetype == "image/svg+xml"
    assert card.data.count(b"<path") == 2
    assert path_of(card.data) == path_of(wanted.svg_inline(scale=8, border=4, light="#fff", dark="#000").encode())


def path_of(svg: bytes) -> list[bytes]:
    return re.findall(rb' d="([^"]+)"', svg)


def test_the_join_code_shows_where_phones_find_the_table(app: Flask, table: Double):
    table.extra["join_url"] = "http://companion.local:8000/j"
    wanted = segno.make("http://companion.local:8000/j", error="m", micro=False)
    shown = Device(app).get("/join.svg").data
    assert path_of(shown) == path_of(wanted.svg_inline(scale=8, border=4, light="#fff", dark="#000").encode())


def test_a_laptops_own_name_is_no_use_to_a_phone(table: Double, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.seats.network_address", lambda: "192.168.1.7")
    page = create_app(table, secret_key="x", hosts=None).test_client().get("/table", base_url="http://localhost:8000")
    assert "http://192.168.1.7:8000/j" in page.text


def test_getting_up_before_the_game(device: Device, table: Double):
    device.sit(0, "Ada")
    assert device.post("/seat/a/leave", json={}).json == {"ok": True}
    assert not table.names
    assert device.get("/seat/a/").status_code == 302


def test_beginning_and_what_is_refused_after(app: Flask, device: Device, table: Double):
    device.sit(0, "Ada")
    assert device.post("/seat/a/begin", json={}).json == {"ok": True}
    refused = device.post("/seat/a/leave", json={})
    assert (refused.status_code, refused.json["error"]) == (409, "already_begun")
    page = Device(app).get("/j").text
    assert "The game has begun" in page
    assert 'id="sit"' not in page


def test_a_view_asked_for_while_the_game_begins_is_not_another_seats(device: Device, table: Double, monkeypatch):
    """Seats are numbered anew when a game begins; a view made for the old number must not go out."""
    device.sit(2, "Ada")
    (token,) = table.tokens
    view = table.view

    def begins_meanwhile(viewer, lang):
        seen = view(viewer, lang)
        if viewer == 2:
            table.tokens[token] = 0
        return seen

    monkeypatch.setattr(table, "view", begins_meanwhile)
    assert device.get("/seat/a/view.json").json["you"] == 0
