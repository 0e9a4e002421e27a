"""Sitting down, a seat's page, the way back to a seat, and getting up again."""

from __future__ import annotations

import io
import socket
from typing import Any, Final
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as Answer

from web import live, places
from web.guard import Throttle
from web.places import the_table
from web.port import Refused
from web.speech import REFUSALS, lang, refusal

seats = Blueprint("seats", __name__)
LONGEST_NAME: Final = 20  # characters


@seats.get("/")
def home() -> Answer:
    mine = places.held()
    return redirect(url_for("seats.page", place=min(mine)) if mine else url_for("seats.join"))


@seats.get("/j")
def join() -> str:
    """Where the QR code leads: the seats, and a name."""
    said = request.args.get("say", "")
    return render_template(
        "join.html",
        view=the_table().view(None, lang()),
        mine=places.held(),
        say=refusal(said) if said in REFUSALS else "",
        longest=LONGEST_NAME,
    )


@seats.post("/j")
def sit() -> Answer:
    """Take the chosen seat under the given name and go to its page."""
    slow_down()
    chosen = request.form.get("seat", "")
    name = " ".join(request.form.get("name", "").split())[:LONGEST_NAME]
    try:
        if not chosen.isascii() or not chosen.isdecimal():
            raise Refused("no_such_seat")
        place = places.free()
        seat = int(chosen[:3])
        secret = the_table().sit(seat, name or _("Player %(number)s", number=seat + 1))
    except Refused as refused:
        return redirect(url_for("seats.join", say=refused.code), 303)
    return places.give(see(place), place, secret)


def see(place: str) -> Response:
    return current_app.make_response(redirect(url_for("seats.page", place=place), 303))


def slow_down() -> None:
    """At most so many tries a minute from one address; nobody needs more to sit down."""
    throttle: Throttle = current_app.extensions["companion-throttle"]
    if not throttle.allows(request.remote_addr or ""):
        abort(429)


@seats.get("/seat/<place>/")
def page(place: str) -> str | Answer:
    try:
        places.token(place)
    except Refused as refused:
        return redirect(url_for("seats.join", say=refused.code))
    return render_template("seat.html", place=place)


@seats.get("/seat/<place>/view.json")
def view(place: str) -> Response:
    """The seat's own view. Looked at twice, for seats are renumbered when the game begins."""
    while True:
        seat = places.seat(place)
        seen = the_table().view(seat, lang())
        if places.seat(place) == seat:
            return jsonify(seen)


@seats.get("/seat/<place>/version.json")
def version(place: str) -> Response:
    return jsonify(the_table().version(places.seat(place)))


@seats.get("/seat/<place>/live")
def stream(place: str) -> Response:
    secret = places.token(place)
    table = the_table()

    def viewer() -> int | None:
        return table.seat_of(secret)

    return live.respond(table, current_app.extensions["companion-streams"], secret, viewer)


@seats.post("/seat/<place>/begin")
def begin(place: str) -> Response:
    the_table().begin(places.token(place))
    return jsonify(ok=True)


@seats.post("/seat/<place>/again")
def again(place: str) -> Response:
    the_table().again(places.token(place))
    return jsonify(ok=True)


@seats.post("/seat/<place>/leave")
def leave(place: str) -> Response:
    """Give the seat back before the game has begun."""
    the_table().stand_up(places.token(place))
    return places.take(jsonify(ok=True), place)


@seats.get("/seat/<place>/way-back.svg")
def way_back(place: str) -> Response:
    """A code that brings another phone to this seat. The token stands behind the #, so no server sees it in a URL."""
    return qr(f"{address()}{url_for('seats.back')}#{places.token(place)}")


@seats.get("/back")
def back() -> str:
    return render_template("back.html", say="")


@seats.post("/back")
def return_to_seat() -> str | Answer:
    """Sit on one's seat again with another device, by the token of its recovery card."""
    slow_down()
    secret = request.form.get("token", "").strip().rpartition("#")[2]
    number = the_table().seat_of(secret) if secret else None
    if number is None:
        text = _("This way back leads to no seat at this table. Scan the card again.")
        return render_template("back.html", say=text)
    place = places.place_of(number)
    return places.give(see(place), place, secret)


@seats.get("/join.svg")
def join_code() -> Response:
    return qr(f"{address()}{url_for('seats.join')}")


def qr(text: str) -> Response:
    """A QR code as SVG, dark on white with the quiet zone that cameras want."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=4, light="#fff", dark="#000")
    return Response(out.getvalue(), mimetype="image/svg+xml")


def address() -> str:
    """Where phones find this server: as the table says, else as asked for, but with "localhost" put right."""
    said = urlsplit(the_table().view(None, "en").get("join_url", ""))
    if said.netloc:
        return f"{said.scheme}://{said.netloc}"
    here = urlsplit(request.host_url)
    if here.hostname in ("localhost", "127.0.0.1", "::1"):
        port = f":{here.port}" if here.port else ""
        return f"{here.scheme}://{network_address() or here.hostname}{port}"
    return f"{here.scheme}://{here.netloc}"


def network_address() -> str | None:
    """This machine's address in its network, or None without one; connecting UDP sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found: Any = probe.getsockname()[0]
        except OSError:
            return None
    return None if str(found).startswith("127.") else str(found)
