"""The games' pages and sheets as pictures (in out/pages), and whether they fit on the smallest phone."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, expect

from companion.games.tabletop import SeenPiece
from companion.looks import WINDOW
from tests.companion.sights import sight
from tests.companion.tables import open_table, seated
from tests.web.games import HELD, play_until
from tests.web.phone import SMALL, Phones
from tests.web.test_album import Album, close_sheets

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
Reached = Callable[[Any], bool]

LOOKS = {"rapa-nui": ("dark", "nl-NL"), "maori": ("light", "de-DE"), "giants": ("dark", "de-DE")}
MOMENTS: dict[str, dict[str, Reached]] = {
    "rapa-nui": {
        "1-deal": lambda s: s.step == "deal",
        "2-display": lambda s: s.step == "lay_display",
        "3-buy": lambda s: s.step == "buy" and s.seat == 0,
        "4-take": lambda s: s.step == "take" and s.seat == 0,
        "5-refill": lambda s: s.step == "refill",
        "6-income": lambda s: s.step == "income" and s.asked[0] == 0,
        "7-over": lambda s: s.step == "over",
    },
    "maori": {
        "1-display": lambda s: s.step == "lay_display",
        "2-sail": lambda s: s.step == "sail" and s.seat == 0,
        "3-do": lambda s: s.step == "take" and s.seat == 0,
        "4-refill": lambda s: s.step == "refill" and s.pile < 60,
        "5-do-late": lambda s: s.step == "take" and s.seat == 0,
    },
    "giants": {
        "1-roll": lambda s: s.phase == "roll",
        "2-bid": lambda s: s.phase == "bid",
        "3-place": lambda s: s.phase == "place" and s.turn == 0,
        "4-carry": lambda s: s.phase == "transport" and s.turn == 0 and s.round > 2,
        "5-end": lambda s: s.phase == "end",
    },
}


@pytest.mark.thorough
@pytest.mark.parametrize("game", LOOKS)
def test_the_pages_of_a_game_fit_on_the_smallest_phone(
    tmp_path: Path, serve: Callable[[object], str], phones: Phones, game: str
):
    table = open_table(tmp_path / "log", game)
    address, tokens = serve(table), seated(table, 3)
    scheme, locale = LOOKS[game]
    phone = phones(address, viewport=SMALL, color_scheme=scheme, locale=locale).take("oak", tokens[0])
    album = Album(phone.page, f"{game}-320x568-{scheme}-{locale[:2]}")
    for name, reached in MOMENTS[game].items():
        play_until(table, tokens, 3, reached)
        phone.view(table.version(0))
        expect(phone.page.locator("#turn")).to_be_visible()
        album.take(name, whole=True)
        open_turn(phone.page, album, name)
    television = phones(address, viewport={"width": 1600, "height": 900}, is_mobile=False, color_scheme=scheme)
    television.open("/table")
    expect(television.page.locator("#lying h2").first).to_be_visible()
    Album(television.page, f"{game}-1600x900-{scheme}-en").take("table")
    assert television.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


ASIDE = [("dark", "de-DE"), ("light", "nl-NL")]
BOTH = pytest.mark.parametrize(("scheme", "locale"), ASIDE)
FULL: dict[str, Reached] = {
    "fiji": lambda s: s.step in ("rotate_goal", "swap_goals"),
    "rapa-nui": lambda s: s.step == "take" and s.pile < 30,
    "maori": lambda s: s.step == "take" and s.pile < 40 and None not in s.stores,
    "giants": lambda s: s.phase == "transport" and s.round > 2,
}  # where much lies there, and much can be asked about


def by_turns(first: int) -> list[tuple[str, str, str]]:
    """Each game in one look and language: a seat sees its questions in the one, whoever looks on in the other."""
    return [(game, *ASIDE[(first + number) % 2]) for number, game in enumerate(FULL)]


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "scheme", "locale"), by_turns(0))
def test_history_disputes_and_questions_fit_on_the_smallest_phone(
    tmp_path: Path, serve: Callable[[object], str], phones: Phones, game: str, scheme: str, locale: str
):
    table = open_table(tmp_path / "log", game)
    address, tokens = serve(table), seated(table, 3)
    play_until(table, tokens, 3, FULL[game])
    phone = phones(address, viewport=SMALL, color_scheme=scheme, locale=locale).take("oak", tokens[0])
    album = Album(phone.page, f"{game}-320x568-{scheme}-{locale[:2]}")
    past = table.history(0, "en")
    for name in ("seat", "table"):
        deed = next(i for i, entry in enumerate(past) if (entry["seat"] is None) is (name == "table"))
        open_past(phone.page, album, name, deed)
    phone.page.locator("#menu-open").tap()
    phone.page.locator("#ask").tap()
    open_questions(phone.page, album)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("game", "scheme", "locale", "moment"),
    [(*look, moment) for look, moment in zip(by_turns(1), ("end", "end", "begin", "begin"), strict=True)],
)
def test_whoever_looks_on_asks_before_the_first_deed_or_after_the_last(
    tmp_path: Path,
    serve: Callable[[object], str],
    phones: Phones,
    game: str,
    scheme: str,
    locale: str,
    moment: str,
):
    """Nothing lies there yet, or everything does; nobody's turn it is."""
    table = open_table(tmp_path / "log", game)
    address, tokens = serve(table), seated(table, 3)
    if moment == "end":
        play_until(table, tokens, 3, lambda state: table.evening.over)
    phone = phones(address, viewport=SMALL, color_scheme=scheme, locale=locale)
    phone.open("/look")
    expect(phone.page.locator("#ask")).to_be_visible()
    phone.page.locator("#ask").tap()
    open_questions(phone.page, Album(phone.page, f"{game}-look-{moment}-320x568-{scheme}-{locale[:2]}"))


def open_past(page: Page, album: Album, name: str, deed: int) -> None:
    """What happened, one deed of it, and what may be said to have happened instead."""
    page.locator("#menu-open").tap()
    page.locator("#past").tap()
    expect(page.locator(".past li").first).to_be_visible()
    album.take("80-history")
    page.locator(".past li").nth(deed).locator("button").tap()
    expect(page.locator(".sheet[open] .object")).to_be_visible()
    album.take(f"81-dispute-{name}")
    page.locator(".sheet[open] .object").tap()
    expect(page.locator(".sheet[open]")).to_have_count(1)
    for more in page.locator(".sheet[open] summary").all():
        more.tap()
    album.take(f"82-objection-{name}")
    close_sheets(page)


def tap(what: Locator) -> None:
    """Tap what is seen to be there, without the wait that it may still move: that is asked where games are played."""
    what.tap(force=True)


def open_questions(page: Page, album: Album) -> None:
    """Is this allowed? Every kind of deed of a seat and of the table, as far as its details."""
    who = page.locator(".asking select")
    for name, index in (("seat", 1), ("table", 3)):
        who.select_option(index=index)
        album.take(f"90-ask-{name}")
        for kind in range(page.locator(".asking .choice").count()):
            tap(page.locator(".asking .choice").nth(kind))
            open_kind(page, album, f"91-ask-{name}-{kind}")
    close_sheets(page)


ANSWER = ".sheet[open] blockquote"
DETAILS = (".taps .tap", ".goal", ".hex[role=button]:not(.on)", ".ma-field", ".gi-carriers .tap")


def open_kind(page: Page, album: Album, name: str) -> None:
    """The details of a deed, or the answer where it has none; then back to the kinds."""
    form, picker = page.locator(".asking .deed"), page.locator(".picker")
    expect(form.or_(picker).or_(page.locator(ANSWER))).to_be_visible()
    if picker.count():
        album.take(name)
        tap(picker.locator(".actions button").first)
    elif form.count():
        album.take(name)
        put_together = not page.locator(".asking > .taps").count()
        for detail in DETAILS if put_together else DETAILS[:1]:
            if page.locator(f".asking {detail}").count():
                tap(page.locator(f".asking {detail}").first)
        if put_together:
            album.take(f"{name}-tapped")
        else:
            answered(page, album, name)
        tap(page.locator(".sheet[open] .actions button").first)
    else:
        answered(page, album, name)
    expect(page.locator(".who-asks")).to_be_visible()


def answered(page: Page, album: Album, name: str) -> None:
    expect(page.locator(ANSWER)).to_be_visible()
    album.take(f"{name}-answer")
    tap(page.locator(".sheet[open]").last.locator(".actions .main"))


@BOTH
def test_what_a_camera_asks_and_misses_fits_on_the_smallest_phone(
    tmp_path: Path, serve: Callable[[object], str], phones: Phones, scheme: str, locale: str
):
    """A Moai that the camera does not see: it asks, is told "No", and says what differs."""
    table = open_table(tmp_path / "log", "giants", camera=True)
    address, tokens = serve(table), seated(table, 3)
    play_until(table, tokens, 3, lambda s: s.phase == "place" and s.turn == 0 and s.round > 1)
    seen = sight(table.tabletop.lay(table.evening.state), "giants")
    lost = next(piece for piece in seen.pieces if piece.piece.startswith("moai"))
    table.show("table", photo(seen.pieces))
    for _ in range(WINDOW + 1):
        table.observed(replace(seen, pieces=tuple(piece for piece in seen.pieces if piece is not lost)))
    phone = phones(address, viewport=SMALL, color_scheme=scheme, locale=locale).take("oak", tokens[0])
    album = Album(phone.page, f"giants-320x568-{scheme}-{locale[:2]}")
    expect(phone.page.locator("#questions img")).to_be_visible()
    expect(phone.page.locator("#questions li")).to_have_count(1)
    album.take("6-question", whole=True)
    phone.page.locator("#questions button").last.tap()
    expect(phone.page.locator("#questions img")).to_be_hidden()
    table.observed(table.seen)
    expect(phone.page.locator("#sync li")).to_be_visible()
    album.take("7-differs", whole=True)


def photo(pieces: Iterable[SeenPiece]) -> bytes:
    """The table with a spot for each piece (JPEG)."""
    picture = Image.new("RGB", (970, 630), "wheat")
    draw = ImageDraw.Draw(picture)
    for piece in pieces:
        draw.circle((piece.x + 35, piece.y + 35), 9, piece.colour or "gray")
    encoded = io.BytesIO()
    picture.save(encoded, "jpeg")
    return encoded.getvalue()


def open_turn(page: Page, album: Album, name: str) -> None:
    """What unfolds at a turn: the first thing to tap, a sheet, a picker; and what is behind the screen."""
    if page.locator("#hold").is_visible():
        page.locator("#hold").dispatch_event("pointerdown", HELD)
        expect(page.locator("#secret")).to_be_visible()
        album.take(f"{name}-held")
        page.locator("#hold").dispatch_event("pointerup", HELD)
    first = page.locator("#turn .tap, #turn .main:enabled").first
    if name.endswith("over") or not first.count():
        return
    first.tap()
    album.take(f"{name}-opened", whole=not page.locator("dialog[open]").count())
    for dialog in page.locator("dialog[open]").all():
        dialog.locator(".actions button").first.tap()
