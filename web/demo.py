"""The demo's page: camera, board and phones side by side, and a seat for whoever wants to play along."""

from __future__ import annotations

import math
from threading import Lock
from time import monotonic
from typing import Final, cast

from flask import Blueprint, Response, current_app, jsonify, render_template

from web import places
from web.bids import body, field
from web.port import Demo, Refused
from web.seats import address, qr, slow_down

demo = Blueprint("demo", __name__, url_prefix="/demo")
GONE_S: Final = 300.0  #: seconds without a word from a seat's pages, after which its person is thought to have gone

one_at_a_time: Final = Lock()


def the_demo() -> Demo:
    return cast(Demo, current_app.extensions["companion-demo"])


@demo.get("")
def page() -> str:
    return render_template("demo.html")


@demo.get("/status.json")
def status() -> Response:
    """Which seats bots play and which are people's, the bots' pace, and this browser's own seats by place."""
    said = the_demo().status()
    return jsonify({**said, "held": people(said["bots"]), "mine": places.held()})


def people(bots: list[int]) -> list[int]:
    """The seats that somebody plays: no bot, and a person who has not gone."""
    now = monotonic()
    return [seat for seat, at in sorted(places.heard().items()) if seat not in bots and now - at < GONE_S]


@demo.post("/take/<int:seat>")
def take(seat: int) -> Response:
    """Take a bot's seat with this browser."""
    place = places.place_of(seat)
    with one_at_a_time:
        secret = taken_over(seat)
        places.heard()[seat] = monotonic()  # its page is about to ask
    return places.give(jsonify(place=place), place, secret)


def taken_over(seat: int) -> str:
    """The token of a seat that this browser takes; raises Refused when it is another person's: whoever plays a seat
    has its secrets."""
    if seat in people(the_demo().status()["bots"]) and seat not in places.held().values():
        raise Refused("seat_taken")
    secret = the_demo().take_over(seat)
    places.heard().pop(seat, None)
    return secret


@demo.post("/card/<int:seat>")
def card(seat: int) -> Response:
    """Take a bot's seat with a phone: a code that leads to it."""
    slow_down()
    with one_at_a_time:
        return qr(f"{address()}/back#{taken_over(seat)}")


@demo.post("/give/<place>")
def give(place: str) -> Response:
    """Let a bot play on for this browser's seat."""
    the_demo().give_back(places.token(place))
    return places.take(jsonify(ok=True), place)


@demo.post("/pace")
def pace() -> Response:
    """{"paused": bool, "speed": factor from 0.25 to 16}."""
    data = body()
    speed = field(data, "speed", lambda s: type(s) in (int, float) and math.isfinite(s) and 0.25 <= s <= 16)
    the_demo().pace(field(data, "paused", lambda p: isinstance(p, bool)), float(speed))
    return jsonify(the_demo().status())
