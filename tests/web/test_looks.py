"""What everybody may look at."""

import pytest

from tests.web.conftest import Device
from tests.web.double import Double


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
@pytest.mark.parametrize("path", ["/j", "/look", "/table", "/board", "/back"])
def test_pages_come_in_every_language(device: Device, path: str, lang: str):
    answer = device.get(f"{path}?lang={lang}")
    assert answer.status_code == 200
    assert f'<html lang="{lang}">' in answer.text


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "without JavaScript"), ("de", "Ohne JavaScript"), ("nl", "zonder JavaScript")]
)
@pytest.mark.parametrize("path", ["/look", "/table", "/seat/a/"])
def test_pages_that_need_scripts_say_so_to_whoever_has_none(device: Device, path: str, lang: str, said: str):
    device.sit(0, "Ada")
    page = device.get(f"{path}?lang={lang}").text
    shown = page[page.index("<noscript>") : page.index("</noscript>")]
    assert said in shown
    assert 'href="/rules"' in shown


def test_a_spectator_sees_no_hand_and_no_bid(device: Device, table: Double):
    table.seat_all()
    view = device.get("/view.json").json
    assert view["you"] is None
    assert view["state"]["hands"] == [None] * 4
    assert view["own_seal"] is None


def test_the_board_comes_in_the_panels_sizes_only(device: Device):
    assert device.get("/board/800x480.png").mimetype == "image/png"
    assert device.get("/board/250x122.png").status_code == 200
    assert device.get("/board/20000x20000.png").status_code == 404


def test_an_unchanged_picture_is_not_sent_again(device: Device):
    first = device.get("/picture/table")
    again = device.get("/picture/table", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    assert again.data == b""
    assert again.headers["Cache-Control"] == "no-store"


def test_there_is_no_picture_but_those_the_table_has(device: Device):
    assert device.get("/picture/other").status_code == 404
    assert device.get("/picture/..%2F..%2Fsecret").status_code == 404


def test_the_version_is_a_bare_number(device: Device, table: Double):
    before = device.get("/version.json").json
    table.change()
    assert device.get("/version.json").json == before + 1
