"""What everybody may look at: the spectators' page, the table's page for a television, the board, pictures."""

from __future__ import annotations

import hashlib
from typing import Final

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request
from werkzeug.wrappers import Response as Answer

from web import live
from web.places import the_table
from web.port import Refused
from web.seats import address
from web.speech import lang

looks = Blueprint("looks", __name__)
BOARDS: Final = ((800, 480), (250, 122))  # pixels


@looks.get("/look")
def look() -> str:
    return render_template("look.html")


@looks.get("/table")
def table() -> str:
    return render_template("table.html", address=f"{address()}/j")


@looks.get("/board")
def board() -> str:
    return render_template("board.html", sizes=BOARDS)


@looks.get("/view.json")
def view() -> Response:
    return jsonify(the_table().view(None, lang()))


@looks.get("/version.json")
def version() -> Response:
    return jsonify(the_table().version(None))


@looks.get("/components.json")
def components() -> Response:
    return jsonify(the_table().components())


@looks.get("/live")
def stream() -> Response:
    return live.respond(the_table(), current_app.extensions["companion-streams"], "", lambda: None)


@looks.get("/board/<int:width>x<int:height>.png")
def board_picture(width: int, height: int) -> Answer:
    """The scoreboard as the e-paper shows it, in the sizes of the panels there are."""
    if (width, height) not in BOARDS:
        abort(404)
    return picture_of(the_table().board(width, height), "image/png")


@looks.get("/picture/<name>")
def picture(name: str) -> Answer:
    """A picture from the camera, by the name a view gave."""
    try:
        data, kind = the_table().picture(name)
    except Refused:
        abort(404)
    return picture_of(data, kind)


def picture_of(data: bytes, kind: str) -> Answer:
    """The picture, or 304 for a page that shows this very one already."""
    response = Response(data, mimetype=kind)
    response.set_etag(hashlib.sha256(data).hexdigest()[:32])
    return response.make_conditional(request)
