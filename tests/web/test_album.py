"""Every page as a picture (in out/pages), in both sizes, lights and languages, and whether it fits there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.double import NAMES, Double
from tests.web.phone import PHONE, SMALL, Phones, seal_others

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
OUT = Path(__file__).resolve().parents[2] / "out" / "pages"
LOOKS = {
    "320x568-light-de": (SMALL, "light", "de-DE"),
    "320x568-dark-nl": (SMALL, "dark", "nl-NL"),
    "390x844-light-en": (PHONE, "light", "en-GB"),
    "390x844-dark-de": (PHONE, "dark", "de-DE"),
}

TOO_WIDE = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["page"] : [];
  for (const node of document.querySelectorAll("dialog[open], button, .card, .notice, summary, select")) {
    if (!node.checkVisibility()) continue;
    const box = node.getBoundingClientRect();
    const cut = node.scrollWidth > node.clientWidth + 1;
    if (cut || box.right > innerWidth + 1 || box.left < -1) wide.push(node.outerHTML.slice(0, 120));
  }
  return wide;
}"""
TOO_SMALL = """() => [...document.querySelectorAll("button, a, select, summary, input:not([type=hidden])")]
  .filter((node) => node.checkVisibility())
  .filter((node) => { const box = node.getBoundingClientRect(); return box.height < 47.5 || box.width < 47.5; })
  .map((node) => node.outerHTML.slice(0, 120))"""
NAMELESS = """() => [...document.querySelectorAll("button, a, img, select, iframe")]
  .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.alt || node.title))
  .map((node) => node.outerHTML.slice(0, 120))"""


class Album:
    """Takes pictures of a page, and looks for what a person at the table would dislike."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.folder = OUT / name
        self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, name: str, whole: bool = False) -> None:
        self.page.screenshot(path=self.folder / f"{name}.png", full_page=whole)
        for fault in (TOO_WIDE, TOO_SMALL, NAMELESS):
            assert self.page.evaluate(fault) == [], name


@pytest.fixture
def double() -> Double:
    return Double()


@pytest.fixture
def address(double: Double, serve: Callable[[object], str]) -> str:
    return serve(double)


@pytest.mark.parametrize("name", LOOKS)
def test_every_page_of_an_evening_fits(double: Double, address: str, phones: Phones, name: str):
    size, scheme, locale = LOOKS[name]
    phone = phones(address, viewport=size, color_scheme=scheme, locale=locale)
    album = Album(phone.page, name)
    phone.open("/j")
    album.take("01-join")
    phone.sit(0, "Hedwig")
    album.take("02-lobby")
    for seat in (1, 2, 3):
        double.sit(seat, NAMES[seat])
    phone.page.locator("#turn button:enabled").tap()
    bidding(phone.page, album)
    asking(phone.page, album)
    seal_others(double, {"red": 1}, {"green": 4}, {"yellow": 3})
    expect(phone.page.locator("#reveal .story")).to_be_visible()
    album.take("12-reveal", whole=True)
    choosing(phone.page, album, double)
    ending(phone.page, album, double)


def bidding(page: Page, album: Album) -> None:
    expect(page.locator("#rows li")).to_have_count(4)
    album.take("03-bid", whole=True)
    page.locator("#turn button").tap()
    for tile in (0, 0, 2):
        page.locator(".tile").nth(tile).tap()
    album.take("04-choose")
    page.locator(".picker .main").tap()
    album.take("05-review")
    page.locator(".picker .main").tap()
    expect(page.locator(".stamp")).to_be_visible()
    album.take("06-stamp")
    expect(page.locator(".picker")).to_have_count(0)
    album.take("07-sealed")
    page.locator("#hold").dispatch_event("pointerdown", {"button": 0, "pointerId": 1})
    expect(page.locator("#secret .own")).to_be_visible()
    album.take("08-hold")
    page.locator("#hold").dispatch_event("pointerup")


def asking(page: Page, album: Album) -> None:
    page.locator("#menu-open").tap()
    album.take("09-menu")
    page.locator("#ask").tap()
    album.take("10-ask")
    page.locator(".sheet[open] .choice").nth(1).tap()
    expect(page.locator(".sheet[open] blockquote")).to_be_visible()
    album.take("11-ruling")
    page.locator(".sheet[open] .main").tap()


def choosing(page: Page, album: Album, double: Double) -> None:
    answers = [{"id": str(i), "text": text} for i, text in enumerate(["Fewest yellow", "Fewest blue"])]
    question = {"id": "q", "text": "What lies in row 2?", "picture": "table", "choices": answers}
    differences = [{"text": "2 red lie there, 4 should.", "where": "supply"}]
    differs = {"status": "differs", "text": "The table differs from what the rules expect:", "differences": differences}
    double.change(0, questions=[question], sync=differs)
    expect(page.locator("#questions img")).to_be_visible()
    album.take("13-question", whole=True)
    swaps = [(a, b) for a in range(1, 5) for b in range(a + 1, 5)]
    choices = [
        {"action": {"do": "swap_goals", "positions": [a, b]}, "text": f"Swap goals {a} and {b}"} for a, b in swaps
    ]
    double.change(0, questions=[], sync={"status": "ok"}, moment=None, secret=None, choices=choices)
    for goal in (0, 2):
        page.locator(".chooser .goal").nth(goal).tap()
    album.take("14-swap")
    page.locator(".chooser .main").tap()
    page.locator(".sheet[open] .main").tap()
    assert double.acts[-1] == {"by": 0, "do": "swap_goals", "positions": [1, 3]}
    due: dict[str, Any] = {"phase": {"code": "lay_conditions", "text": "Round 3"}, "to_act": ["table"]}
    double.change(0, **due, choices=[], camera=False)
    expect(page.locator(".entry")).to_be_visible()
    album.take("15-entry", whole=True)


def ending(page: Page, album: Album, double: Double) -> None:
    double.own.clear()
    end = {"code": "over", "text": "The game is over"}
    double.change(over=True, ranking=[[0], [1, 2], [3]], moment=None, to_act=[], phase=end)
    expect(page.locator("#final")).to_be_visible()
    album.take("16-final", whole=True)
    for number, (path, landmark) in enumerate({"look": "#final", "back": "#way", "table": "#final"}.items(), 17):
        page.goto(f"/{path}")
        expect(page.locator(landmark)).to_be_visible()
        album.take(f"{number}-{path}", whole=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_scrolls_a_television(double: Double, address: str, phones: Phones, scheme: str):
    """With all there is to show, everything stands on one screen."""
    size = {"width": 1600, "height": 900}
    page = phones(address, viewport=size, is_mobile=False, has_touch=False, color_scheme=scheme).open("/table").page
    album = Album(page, f"1600x900-{scheme}-en")
    expect(page.locator("#join img")).to_be_visible()
    album.take("01-join")
    tokens = double.seat_all()
    expect(page.locator("#join")).to_be_hidden()
    double.tokens = {token: seat for seat, token in enumerate(tokens)}
    double.count = 3
    seal_others(double, {"red": 1}, {"green": 4})
    double.count = 4
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator("#players .sealed")).to_have_count(2)
    album.take("02-sealing")
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
