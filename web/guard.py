"""What keeps strangers out: trusted hosts, origin and token of every request that changes something, strict headers.

Plain HTTP on a home network has no secure context, so nothing here relies on one.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
import traceback
from collections import OrderedDict
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, jsonify, render_template, request, session
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException, SecurityError

from web.port import Refused
from web.speech import refusal

LARGEST_BODY: Final = 8 * 1024  # bytes; a bid is padded to 1 KiB; only photos are longer, see web.photos
UNCHANGING: Final = ("GET", "HEAD", "OPTIONS")  #: what asks, and changes nothing
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; form-action 'self'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with "no-referrer" browsers send "Origin: null" with forms
}


def install(app: Flask, hosts: list[str] | None) -> None:
    """Put all guards before the pages. `hosts` None: any address, `localhost` and `*.local`, but no other names."""
    app.config.update(
        TRUSTED_HOSTS=hosts,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        SESSION_COOKIE_NAME=f"companion-{app.extensions['companion-mark']}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    if hosts is None:
        app.before_request(check_host)
    app.before_request(check_origin)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, show_error)
    app.register_error_handler(Refused, show_refusal)
    app.register_error_handler(OSError, show_not_kept)
    app.register_error_handler(Exception, show_fault)
    app.jinja_env.globals["csrf"] = csrf


def check_host() -> None:
    """A rebound name is some public name; addresses and names of the local network cannot be rebound."""
    name = (urlsplit(f"//{request.host}").hostname or "").rstrip(".")
    if name == "localhost" or name.endswith(".local"):
        return
    try:
        ipaddress.ip_address(name)
    except ValueError:
        raise SecurityError(f"Host {name!r} is not trusted.") from None


def csrf() -> str:
    """This browser's token, to be sent with everything that changes something."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session["csrf"])


def check_origin() -> None:
    """A change must come from our own page: the same origin, and the token that only our pages know."""
    if request.method in UNCHANGING:
        return
    if request.headers.get("Origin") not in (f"http://{request.host}", f"https://{request.host}"):
        abort(403, "origin")
    sent = request.headers.get("X-CSRF-Token") or (request.form.get("csrf", "") if request.form else "")
    known = session.get("csrf", "")
    if not known or not hmac.compare_digest(sent.encode(), known.encode()):
        abort(403, "csrf")


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers[name] = value
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def show_error(error: HTTPException) -> Response | tuple[Response | str, int] | HTTPException:
    """An error page says what to do, never what went wrong inside."""
    code = error.code or 500
    if code < 400:
        return error
    if isinstance(error, SecurityError):  # without a trusted name there are no addresses to put into a page
        text = _("This table does not answer to this name. Scan the code on the board to come to the table.")
        return Response(text, 400, mimetype="text/plain")
    texts = {
        400: _("The table could not read this request. Reload the page and try again."),
        403: _("This page is too old to be trusted. Reload it and try again."),
        404: _("There is nothing here. Scan the code on the board to come to the table."),
        405: _("There is nothing here. Scan the code on the board to come to the table."),
        413: _("This is more than the table takes at once."),
        429: _("Too many tries. Wait a minute, then try again."),
    }
    text = texts.get(code, _("Something went wrong at the table's end. Reload the page; the game itself is safe."))
    return answer(code, str(code) if error.description not in ("csrf", "origin") else str(error.description), text)


def show_refusal(error: Refused) -> tuple[Response | str, int]:
    return answer(409, error.code, refusal(error.code))


def show_not_kept(error: OSError) -> tuple[Response | str, int]:
    """A change that the table could not write down; why goes to the log, for whoever sees to its computer."""
    if request.method in UNCHANGING:
        return show_fault(error)
    current_app.logger.error("%s was not kept: %s", request.endpoint, error)
    text = _("The table cannot write this down; its disk may be full. See to its computer, then try again.")
    return answer(503, "not_kept", text)


def show_fault(error: Exception) -> tuple[Response | str, int]:
    """A defect of ours: where it happened goes to the log, but no values, for they may be secret."""
    where = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{f.filename}:{f.lineno}" for f in reversed(where[-6:]))
    current_app.logger.error("%s in %s: %s", type(error).__name__, request.endpoint, places)
    text = _("Something went wrong at the table's end. Reload the page; the game itself is safe.")
    return answer(500, "500", text)


def answer(status: int, code: str, text: str) -> tuple[Response | str, int]:
    """The error as JSON for scripts, as a page for people."""
    if request.is_json or request.mimetype.startswith("image/") or request.path.endswith(".json"):
        return jsonify(error=code, text=text), status
    return render_template("error.html", text=text, status=status), status


class Throttle:
    """At most `most` tries per `seconds` from one address.

    >>> slow = Throttle(most=2, seconds=60.0)
    >>> [slow.allows("phone", now) for now in (0.0, 1.0, 2.0, 61.0)]
    [True, True, False, True]
    """

    KEPT = 1024  # addresses remembered

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._tries: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, address: str, now: float | None = None) -> bool:
        now = time.monotonic() if now is None else now
        with self._lock:
            recent = [t for t in self._tries.pop(address, []) if now - t < self._seconds]
            allowed = len(recent) < self._most
            self._tries[address] = [*recent, now] if allowed else recent
            while len(self._tries) > self.KEPT:
                self._tries.popitem(last=False)
        return allowed
