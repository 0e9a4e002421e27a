"""The demo's page: camera, board and phones side by side, and a seat for whoever wants to play along."""

from __future__ import annotations

import math
from typing import cast

from flask import Blueprint, Response, current_app, jsonify, render_template

from web import places
from web.bids import body, field
from web.port import Demo
from web.seats import address, qr, slow_down

demo = Blueprint("demo", __name__, url_prefix="/demo")


def the_demo() -> Demo:
    return cast(Demo, current_app.extensions["companion-demo"])


@demo.get("")
def page() -> str:
    return render_template("demo.html")


@demo.get("/status.json")
def status() -> Response:
    """Which seats bots play, whether they pause, how fast they are, and this browser's own seats by place."""
    return jsonify({**the_demo().status(), "mine": places.held()})


@demo.post("/take/<int:seat>")
def take(seat: int) -> Response:
    """Take a bot's seat with this browser."""
    place = places.place_of(seat)
    return places.give(jsonify(place=place), place, the_demo().take_over(seat))


@demo.post("/card/<int:seat>")
def card(seat: int) -> Response:
    """Take a bot's seat with a phone: a code that leads to it."""
    slow_down()
    return qr(f"{address()}/back#{the_demo().take_over(seat)}")


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
