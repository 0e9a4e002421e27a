"""Disputes: the rules and a search in them, whether something is allowed, what happened, and corrections by vote."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template, request

from web import photos, places
from web.bids import body, field, is_object, is_short
from web.places import the_table
from web.seats import slow_down
from web.speech import lang

disputes = Blueprint("disputes", __name__)
LONGEST_QUERY = 100  # characters
MOST_ACTIONS = 100_000  # numbers of actions that are looked at


@disputes.get("/rules")
def rules() -> str:
    """The game's rules, or those that fit a search; a page without scripts."""
    query = request.args.get("q", "")[:LONGEST_QUERY]
    return render_template("rules.html", query=query, rules=the_table().rules(query, lang()))


@disputes.get("/rules/<id_>.json")
def rule(id_: str) -> Response:
    return jsonify(the_table().rule(id_, lang()))


@disputes.post("/ask")
def ask() -> Response:
    """Is this allowed? For whoever looks on: about any seat, supposing what only that seat knows."""
    return jsonify(the_table().ask(None, field(body(), "action", is_object), lang()))


@disputes.get("/history.json")
def history() -> Response:
    return jsonify(the_table().history(None, lang()))


@disputes.get("/history/<int:number>.json")
def explain(number: int) -> Response:
    return jsonify(the_table().explain(None, checked(number), lang()))


@disputes.post("/seat/<place>/rule")
def ask_from(place: str) -> Response:
    """Is this allowed? Of another seat what only that one knows is supposed."""
    action = field(body(), "action", is_object)
    return jsonify(the_table().ask(places.seat(place), action, lang()))


@disputes.get("/seat/<place>/history.json")
def history_of(place: str) -> Response:
    return jsonify(the_table().history(places.seat(place), lang()))


@disputes.get("/seat/<place>/history/<int:number>.json")
def explain_to(place: str, number: int) -> Response:
    return jsonify(the_table().explain(places.seat(place), checked(number), lang()))


@disputes.post("/seat/<place>/instead/<int:number>")
def instead(place: str, number: int) -> Response:
    """Would {"action"} have been allowed in place of that action? Its ruling; nothing is proposed yet."""
    action = field(body(), "action", is_object)
    return jsonify(the_table().try_instead(places.seat(place), checked(number), action, lang()))


@disputes.post("/seat/<place>/propose/<int:number>")
def propose(place: str, number: int) -> Response:
    """That is not what happened: {"action": what did, or null for nothing}."""
    action = field(body(), "action", lambda value: value is None or is_object(value))
    return jsonify(the_table().propose(places.token(place), checked(number), action, lang()))


@disputes.post("/seat/<place>/vote")
def vote(place: str) -> Response:
    """{"proposal": id, "rewind": true | false}."""
    data = body()
    id_, rewind = field(data, "proposal", is_short), field(data, "rewind", lambda value: isinstance(value, bool))
    the_table().vote(places.token(place), id_, rewind)
    return jsonify(ok=True)


@disputes.post("/seat/<place>/withdraw")
def withdraw(place: str) -> Response:
    the_table().withdraw(places.token(place), field(body(), "proposal", is_short))
    return jsonify(ok=True)


@disputes.post("/seat/<place>/photo")
def photo(place: str) -> Response:
    """A photo of the table, JPEG or PNG as the request's body."""
    token = places.token(place)
    slow_down()
    return jsonify(the_table().photo(token, photos.clean(photos.received()), lang()))


def checked(number: int) -> int:
    if number > MOST_ACTIONS:
        abort(404)
    return number
