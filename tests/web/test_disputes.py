"""Disputes over HTTP: rules, questions, history, corrections, and photos from phones."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from tests.companion.tables import laid_out, open_table, seated
from tests.web.conftest import HOME, Device
from tests.web.double import Double
from tests.web.phone import KEY
from web.app import create_app
from web.photos import LARGEST, MOST_PIXELS, clean
from web.places import mark
from web.port import Refused


@pytest.fixture
def real(tmp_path: Path):
    """A real table of three in its first exchange, its pages, and the tokens."""
    table = open_table(tmp_path / "log")
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    app = create_app(table, secret_key=KEY, hosts=None)
    yield table, app, tokens
    table.close()


def sat(app: Flask, token: str) -> Device:
    device = Device(app)
    device.client.set_cookie(f"seat-{mark(KEY, 'oak')}-a", token)
    return device


def test_the_rules_are_a_page_and_can_be_searched(real):
    device = Device(real[1])
    assert "FJ-4a1" in device.get("/rules").text
    found = device.get("/rules?q=gleiche+gebote+heben&lang=de").text
    assert "FJ-4b4" in found
    assert "FJ-S1" not in found
    assert "Geen regel" in device.get("/rules?q=qqqqq&lang=nl").text
    assert "<script>" not in device.get("/rules?q=<script>").text


def test_a_rule_is_told_with_its_neighbours(real):
    device = Device(real[1])
    rule = device.get("/rules/FJ-4a1.json").json
    assert rule["heading"] == "4. Das Tauschen, Schritt a) Bieten"
    assert rule["neighbours"]
    assert device.get("/rules/FJ-99.json").status_code == 409


def test_nobody_is_told_whether_another_seat_could_bid_this(real):
    _, app, tokens = real
    said = []
    for count in (2, 3):  # a seat has two blue beads
        bid = {"action": {"by": 0, "do": "bid", "beads": {"blue": count}}}
        assert sat(app, tokens[0]).post("/seat/a/rule", json=bid).json["legal"] is (count == 2)
        said += [sat(app, tokens[1]).post("/seat/a/rule", json=bid).text, Device(app).post("/ask", json=bid).text]
    assert set(said) == {said[0]}
    assert json.loads(said[0])["supposed"]


def test_whoever_looks_on_may_ask_about_what_lies_open(real):
    answer = Device(real[1]).post("/ask", json={"action": {"by": 2, "do": "rotate_goal", "position": 1}})
    assert answer.json["legal"] is False
    assert answer.json["neighbours"]


def test_cards_are_corrected_by_a_vote(real):
    table, app, tokens = real
    first, second = sat(app, tokens[0]), sat(app, tokens[1])
    assert [entry["kind"] for entry in Device(app).get("/history.json").json] == ["act", "act"]
    assert first.get("/seat/a/history/1.json").json["enter"] == "lay_goals"
    goals = [{"colour": c, "wins": "fewest"} for c in ("red", "blue", "green", "yellow")]
    action = {"action": {"do": "lay_goals", "goals": goals}}
    assert first.post("/seat/a/instead/1", json=action).json["legal"]
    assert first.post("/seat/a/propose/1", json=action).json == {"proposed": True}
    open_one = table.view(1, "en")["proposal"]
    assert second.post("/seat/a/withdraw", json={"proposal": open_one["id"]}).status_code == 409
    assert second.post("/seat/a/vote", json={"proposal": open_one["id"], "rewind": 1}).status_code == 400
    assert second.post("/seat/a/vote", json={"proposal": open_one["id"], "rewind": True}).json == {"ok": True}
    assert table.view(None, "en")["state"]["goals"] == goals
    assert [entry["kind"] for entry in Device(app).get("/history.json").json] == ["act", "rewind", "act", "act"]


@pytest.mark.parametrize("do", [[], {}, ["bid"], None, 1])
def test_a_correction_that_cannot_be_read_is_refused(real, do):
    _, app, tokens = real
    for deed in ("instead", "propose"):
        answer = sat(app, tokens[0]).post(f"/seat/a/{deed}/1", json={"action": {"do": do}})
        assert (answer.status_code, answer.json["error"]) == (409, "malformed")


def test_strangers_correct_nothing(real):
    _, app, _ = real
    for path, data in {"propose/1": {"action": None}, "vote": {"proposal": "1.1", "rewind": True}}.items():
        assert Device(app).post(f"/seat/a/{path}", json=data).status_code == 409


def test_an_action_that_is_not_there_is_said_to_be_gone(real):
    device = Device(real[1])
    assert device.get("/history/77.json").json["error"] == "stale"
    assert device.get("/history/99999999999.json").status_code == 404


# --- photos


def photo(size=(640, 480), kind="JPEG", **more) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (90, 120, 60)).save(out, kind, **more)
    return out.getvalue()


def send(device: Device, data: bytes):
    headers = {"Origin": HOME, "X-CSRF-Token": device.csrf, "Content-Type": "image/jpeg"}
    return device.client.post("/seat/a/photo", data=data, headers=headers)


@pytest.fixture
def seat(device: Device) -> Device:
    device.sit(0, "Ada")
    return device


def test_a_photo_reaches_the_table_without_what_the_phone_wrote_into_it(seat: Device, table: Double):
    exif = Image.Exif()
    exif[0x0112] = 6  # lay on its side
    exif[0x010F] = "Pocket camera of Ada"
    sent = photo((640, 480), exif=exif, comment=b"kitchen")
    assert b"Pocket camera" in sent
    assert send(seat, sent).json["status"] == "looking"
    (got,) = table.photos
    with Image.open(io.BytesIO(got)) as made:
        assert (made.size, made.format, dict(made.getexif())) == ((480, 640), "JPEG", {})
    assert b"Pocket camera" not in got
    assert b"kitchen" not in got


def test_a_png_is_as_good(seat: Device, table: Double):
    assert send(seat, photo(kind="PNG")).status_code == 200
    assert table.photos[0][:3] == b"\xff\xd8\xff"


@pytest.mark.parametrize("data", [b"", b"hello", photo(kind="GIF"), photo()[:300], b"\x89PNG\r\n\x1a\n" + b"0" * 50])
def test_what_is_no_photo_is_refused(seat: Device, table: Double, data: bytes):
    answer = send(seat, data)
    assert answer.status_code == 409
    assert table.photos == []


def odd(tag: int) -> bytes:
    """What a camera wrote of its photo: that it lay on its side, and words where numbers belong."""
    notes = struct.pack("<H HHII HHII I", 2, 0x0112, 3, 1, 6, tag, 2, 8, 38, 0)
    return b"Exif\0\0II*\0\x08\0\0\0" + notes + b"Pocket!\0"


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("tag", [0x0124, 0x013E])  # a number, and two fractions
def test_a_photo_with_notes_that_make_no_sense_is_refused(seat: Device, table: Double, kind: str, tag: int):
    answer = send(seat, photo(kind=kind, exif=odd(tag)))
    assert (answer.status_code, answer.json["error"]) == (409, "photo_kind")
    assert table.photos == []


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is so large, in a few bytes."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in (head, b"IDAT", b"IEND")
    )


@pytest.mark.parametrize("size", [(5001, 5000), (12_000, 10_000), (60_000, 60_000)])
def test_a_photo_with_too_many_pixels_is_refused_before_it_is_decoded(size, monkeypatch: pytest.MonkeyPatch):
    assert size[0] * size[1] > MOST_PIXELS
    monkeypatch.setattr(Image.Image, "convert", lambda *_: pytest.fail("decoded"))
    with pytest.raises(Refused, match="photo_size"):
        clean(bomb(*size))


def test_a_photo_with_too_many_bytes_is_refused(seat: Device, table: Double):
    answer = send(seat, bytes(LARGEST + 1))
    assert (answer.status_code, table.photos) == (409, [])
    assert seat.post("/seat/a/act", data=bytes(9000)).status_code in (400, 413)  # everything else stays small


def test_a_table_without_a_deck_says_so(real):
    _, app, tokens = real
    device = sat(app, tokens[0])
    device.client.set_cookie("lang", "de")
    answer = send(device, photo())
    assert answer.status_code == 409
    assert "kein Deck" in answer.json["text"]
