"""What the pages say, and in which language: English, German or Dutch, by choice or by the browser's wish."""

from __future__ import annotations

import json
from typing import Any, Final

from babel.support import NullTranslations, Translations
from flask import Flask, Response, request
from flask_babel import Babel, get_locale, get_translations
from flask_babel import gettext as _

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "nl": "Nederlands"}


def N_(text: str) -> str:  # noqa: N802  # the name by which catalogues know strings that are translated later
    return text


REFUSALS: Final = {
    "seat_taken": N_("That seat is taken. Choose another one."),
    "no_such_seat": N_("There is no such seat. Choose one of those shown."),
    "not_seated": N_("This device holds no seat at the table. Sit down, or use your way back."),
    "already_begun": N_("The game has begun. You can look on, or use your way back to a seat."),
    "too_few_players": N_("Too few players sit at the table. Wait until more have sat down."),
    "not_now": N_("Not now. Look at what the table waits for."),
    "sealed_all": N_("All have sealed: the bids are open and cannot be changed."),
    "commitment": N_("The seal does not fit the bid. Nothing was taken; please seal again."),
    "stale": N_("The table has moved on. Look again, then choose anew."),
    "unknown_question": N_("This question has been settled already."),
    "no_picture": N_("There is no picture yet."),
    "malformed": N_("The table could not read this request. Reload the page and try again."),
    "name": N_("This name cannot be used. Choose a short one that nobody else has."),
    "hidden": N_("This would tell what only that player may know, so there is no answer."),
    "no_rule": N_("There is no such rule. Search for what it is about."),
    "proposal_open": N_("Another correction is waiting for votes. Settle that one first."),
    "sealed_deed": N_("What was sealed can be taken back together, not replaced."),
    "no_deck": N_("This table has no deck to read photos with. Start it with --deck, or enter what lies there."),
    "photo_unread": N_("Nothing can be said of this photo. Take it from above, with at least two markers in it."),
    "photo_size": N_("This photo is too large: at most 25 megapixels and 12 MB."),
    "photo_kind": N_("This is no photo that can be read. Send a JPEG or a PNG."),
}


def install(app: Flask) -> None:
    """Choose the language of every request and remember a choice made by `?lang=`."""
    Babel(app, locale_selector=choose, default_locale="en", default_translation_directories="translations")
    app.jinja_env.globals.update(languages=LANGUAGES, lang=lang, words=words)
    app.after_request(remember)


def choose() -> str:
    """The language asked for in the address, else the remembered one, else the browser's, else English."""
    for wish in (request.args.get("lang"), request.cookies.get("lang")):
        if wish in LANGUAGES:
            return wish
    return request.accept_languages.best_match(LANGUAGES) or "en"


def lang() -> str:
    locale = get_locale()
    return str(locale.language) if locale else "en"


def remember(response: Response) -> Response:
    wish = request.args.get("lang")
    if wish in LANGUAGES and request.endpoint in CHOOSERS:
        response.set_cookie("lang", wish, max_age=365 * 86400, samesite="Lax", httponly=True)
    return response


CHOOSERS: Final = {
    "seats.join", "seats.page", "looks.look", "looks.table", "looks.board", "demo.page", "disputes.rules",
}  # fmt: skip


def refusal(code: str) -> str:
    """The sentence for a code of `web.port.Refused`; an unknown code is told in general words."""
    text = REFUSALS.get(code)
    return str(_(text) if text else _("The table did not take this. Look again, then try once more."))


def words() -> str:
    """The language's catalogue as JSON for the scripts: {"text": "translation" or [one, many]}."""
    found: dict[str, Any] = {}
    catalogue: NullTranslations | Translations = get_translations()
    for key, text in getattr(catalogue, "_catalog", {}).items():
        if isinstance(key, tuple):
            found.setdefault(key[0], ["", ""])[key[1]] = text
        elif key:
            found[key] = text
    return json.dumps(found, ensure_ascii=True, sort_keys=True).replace("<", "\\u003c")
