"""The demo's page takes over seats and gives them back."""

import secrets
import time

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Device, Serve
from tests.web.double import Double
from tests.web.phone import KEY, Phones
from web.app import create_app
from web.demo import GONE_S
from web.port import Data, Refused


class Bots:
    """A `web.port.Demo` whose bots do nothing."""

    def __init__(self, table: Double) -> None:
        self.table = table
        self.people: set[int] = set()
        self.paused, self.factor = False, 1.0

    def status(self) -> Data:
        bots = [seat for seat in range(self.table.count) if seat not in self.people]
        return {"bots": bots, "paused": self.paused, "speed": self.factor}

    def take_over(self, seat: int) -> str:
        if seat >= self.table.count:
            raise Refused("no_such_seat")
        for token in [t for t, at in self.table.tokens.items() if at == seat]:
            del self.table.tokens[token]
        token = secrets.token_urlsafe(8)
        self.table.tokens[token] = seat
        self.people.add(seat)
        return token

    def give_back(self, token: str) -> None:
        self.people.discard(self.table.tokens.pop(token))

    def pace(self, paused: bool, speed: float) -> None:
        self.paused, self.factor = paused, speed


@pytest.fixture
def bots(table: Double) -> Bots:
    table.seat_all()
    return Bots(table)


@pytest.fixture
def laptop(table: Double, bots: Bots) -> Device:
    return Device(create_app(table, secret_key="x", hosts=None, demo=bots))


def test_without_a_demo_there_is_no_such_page(device: Device):
    assert device.get("/demo").status_code == 404


def test_a_bots_seat_is_taken_over_and_given_back(laptop: Device, bots: Bots):
    assert laptop.post("/demo/take/2", json={}).json == {"place": "a"}
    assert laptop.get("/seat/a/view.json").json["you"] == 2
    status = laptop.get("/demo/status.json").json
    assert (status["bots"], status["mine"]) == ([0, 1, 3], {"a": 2})
    laptop.post("/demo/give/a", json={})
    assert laptop.get("/seat/a/view.json").status_code == 409
    assert bots.people == set()


def test_a_phone_takes_over_by_a_code(laptop: Device, bots: Bots):
    answer = laptop.post("/demo/card/1", json={})
    assert answer.mimetype == "image/svg+xml"
    assert bots.people == {1}


def taken(device: Device, seat: int) -> tuple[object, ...]:
    """What another browser is told that wants this seat, by itself and for a phone."""
    return tuple((device.post(f"/demo/{how}/{seat}", json={}).json or {})["error"] for how in ("take", "card"))


def test_a_seat_that_a_person_plays_is_nobody_elses(laptop: Device, bots: Bots):
    """Whoever takes a seat sees its hand and what it has sealed."""
    other = Device(laptop.client.application)
    laptop.post("/demo/take/2", json={})
    assert taken(other, 2) == ("seat_taken", "seat_taken")
    assert laptop.get("/seat/a/view.json").json["you"] == 2
    assert taken(other, 2) == ("seat_taken", "seat_taken")
    assert other.get("/demo/status.json").json["held"] == [2]
    laptop.post("/demo/give/a", json={})
    assert other.get("/demo/status.json").json["held"] == []
    assert other.post("/demo/take/2", json={}).json == {"place": "a"}


def test_whoever_plays_a_seat_may_take_it_to_a_phone(laptop: Device, bots: Bots):
    laptop.post("/demo/take/2", json={})
    assert laptop.post("/demo/card/2", json={}).mimetype == "image/svg+xml"
    assert laptop.get("/seat/a/view.json").status_code == 409


def test_a_seat_whose_person_has_gone_is_free(laptop: Device, bots: Bots, monkeypatch: pytest.MonkeyPatch):
    other = Device(laptop.client.application)
    laptop.post("/demo/take/2", json={})
    laptop.get("/seat/a/version.json")
    gone = time.monotonic() + GONE_S
    monkeypatch.setattr("web.demo.monotonic", lambda: gone)
    assert other.get("/demo/status.json").json["held"] == []
    assert other.post("/demo/take/2", json={}).json == {"place": "a"}
    assert laptop.get("/seat/a/view.json").status_code == 409


def test_a_code_that_nobody_has_scanned_yet_holds_no_seat(laptop: Device, bots: Bots):
    phone, other = Device(laptop.client.application), Device(laptop.client.application)
    laptop.post("/demo/card/1", json={})
    laptop.post("/demo/card/1", json={})  # shown once more
    (token,) = [token for token, seat in bots.table.tokens.items() if seat == 1]
    phone.post("/back", data={"token": token})
    assert phone.get("/seat/a/view.json").json["you"] == 1
    assert taken(other, 1) == taken(laptop, 1) == ("seat_taken", "seat_taken")


def test_a_seat_that_is_not_there(laptop: Device):
    assert laptop.post("/demo/take/7", json={}).json["error"] == "no_such_seat"


def test_the_pace_is_set(laptop: Device, bots: Bots):
    assert laptop.post("/demo/pace", json={"paused": True, "speed": 4}).json["paused"] is True
    assert (bots.paused, bots.factor) == (True, 4.0)


@pytest.mark.parametrize("speed", ["4", None, 0, 1000, True])
def test_a_pace_that_makes_no_sense_is_refused(laptop: Device, speed: object):
    assert laptop.post("/demo/pace", json={"paused": False, "speed": speed}).status_code == 400


def test_the_page_shows_camera_board_and_phones(laptop: Device):
    page = laptop.get("/demo").text
    for part in ('id="picture"', 'id="board"', 'id="phones"'):
        assert part in page


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_seats_are_offered_while_no_other_person_plays_them(bots: Bots, serve: Serve, phones: Phones):
    address = serve(create_app(bots.table, secret_key=KEY, hosts=None, demo=bots))
    phones(address).take("tafel", bots.take_over(1))
    page = phones(address).open("/demo").page
    seat = page.locator("#phone-1")
    expect(seat).to_contain_text("played on another device")
    expect(seat.get_by_role("button")).to_have_count(0)
    expect(page.locator("#phone-2").get_by_role("button")).to_have_text(["Play here", "On a phone"])


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_the_speed_is_shown_whatever_it_is(bots: Bots, serve: Serve, phones: Phones):
    bots.factor = 3.0
    app = create_app(bots.table, secret_key="x", hosts=None, demo=bots)
    page = phones(serve(app)).open("/demo").page
    speed = page.locator("#speed")
    expect(speed).to_have_value("3")
    expect(speed.locator("option")).to_have_text(["½ ×", "1 ×", "2 ×", "3 ×", "4 ×", "8 ×"])
    with page.expect_response("**/demo/pace"):
        speed.select_option("8")
    expect(speed).to_have_value("8")
    assert bots.factor == 8.0
