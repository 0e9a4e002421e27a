"""A device's places at the table: for each a cookie that proves a seat. One device may hold several ("a", "b", …).

Seats are numbered anew when the game begins, so addresses name places (/seat/a/), never seats.
"""

from __future__ import annotations

import hmac
from time import monotonic
from typing import Final, cast

from flask import Flask, Response, current_app, request

from web.port import LiveTable, Refused

NAMES: Final = "abcdef"
DAYS: Final = 30
MARK_DIGITS: Final = 12  #: of what tells tables apart


def install(app: Flask, table: LiveTable) -> None:
    app.extensions["companion-table"] = table
    app.extensions["companion-heard"] = {}
    assert app.secret_key
    app.extensions["companion-mark"] = mark(app.secret_key, str(table.view(None, "en")["table"]))


def mark(key: str | bytes, table: str) -> str:
    """What the names of this table's cookies carry: browsers send a computer's cookies to all its ports, so that of
    two tables there neither would keep its seats if they were called the same."""
    raw = key.encode() if isinstance(key, str) else key
    return hmac.new(raw, table.encode(), "sha256").hexdigest()[:MARK_DIGITS]


def the_table() -> LiveTable:
    return cast(LiveTable, current_app.extensions["companion-table"])


def cookie(place: str) -> str:
    return f"seat-{current_app.extensions['companion-mark']}-{place}"


def token(place: str) -> str:
    """The token this device holds at a place; raises Refused without one that still counts."""
    held = request.cookies.get(cookie(place), "") if place in NAMES else ""
    number = the_table().seat_of(held) if held else None
    if number is None:
        raise Refused("not_seated")
    heard()[number] = monotonic()
    return held


def heard() -> dict[int, float]:
    """When a page of each seat was last heard of, by the monotonic clock; those that are open ask all the time."""
    return cast(dict[int, float], current_app.extensions["companion-heard"])


def seat(place: str) -> int:
    """The seat held at a place; raises Refused."""
    found = the_table().seat_of(token(place))
    if found is None:
        raise Refused("not_seated")
    return found


def held() -> dict[str, int]:
    """All places of this device at which it holds a seat, with the seats."""
    seats = {place: the_table().seat_of(request.cookies.get(cookie(place), "")) for place in NAMES}
    return {place: number for place, number in seats.items() if number is not None}


def free() -> str:
    """The first place of this device that holds no seat; raises Refused when it holds them all."""
    taken = held()
    for place in NAMES:
        if place not in taken:
            return place
    raise Refused("no_such_seat")


def place_of(number: int) -> str:
    """The place at which this device holds that seat already, else a free one."""
    return next((place for place, at in held().items() if at == number), None) or free()


def give(response: Response, place: str, secret: str) -> Response:
    """Put the seat's token into a cookie no script can read."""
    response.set_cookie(cookie(place), secret, max_age=DAYS * 86400, httponly=True, samesite="Lax")
    return response


def take(response: Response, place: str) -> Response:
    response.delete_cookie(cookie(place), httponly=True, samesite="Lax")
    return response
