"""What a seat does from its phone: seal a bid, act, answer the camera."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request

from web import places
from web.places import the_table
from web.port import Data
from web.speech import lang

bids = Blueprint("bids", __name__, url_prefix="/seat/<place>")
HEX: Final = re.compile(r"[0-9a-f]{64}")
LONGEST: Final = 200  # characters of a moment, a question's or a choice's id


def body() -> Data:
    """The request's JSON object; anything else is answered with 400, and never repeated in a message."""
    if not request.is_json:
        abort(400)
    try:
        data = json.loads(request.get_data())
    except (ValueError, RecursionError):
        abort(400)
    if not isinstance(data, dict):
        abort(400)
    return data


def field(data: Data, name: str, fits: Callable[[Any], bool]) -> Any:
    value = data.get(name)
    if not fits(value):
        abort(400)
    return value


def is_short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def is_hex(value: object) -> bool:
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def is_count(value: object) -> bool:
    return type(value) is int and 0 < value < 10_000


@bids.post("/seal")
def seal(place: str) -> Response:
    """Seal a secret decision: {"moment", "attempt", "args", "salt", "commitment"} and padding."""
    data = body()
    return jsonify(
        the_table().seal(
            places.token(place),
            field(data, "moment", is_short),
            field(data, "attempt", is_count),
            field(data, "args", is_object),
            field(data, "salt", is_hex),
            field(data, "commitment", is_hex),
        )
    )


@bids.post("/act")
def act(place: str) -> Response:
    """Do a public action; the answer is its ruling."""
    return jsonify(the_table().act(places.token(place), field(body(), "action", is_object), lang()))


@bids.post("/ways")
def ways(place: str) -> Response:
    """How an action of many steps can go on."""
    return jsonify(the_table().ways(places.seat(place), field(body(), "action", is_object)))


@bids.post("/answer")
def answer(place: str) -> Response:
    """Settle a question the camera asks."""
    data = body()
    question, choice = field(data, "question", is_short), field(data, "choice", is_short)
    the_table().answer(places.token(place), question, choice)
    return jsonify(ok=True)
