"""Every page as a picture (in out/pages), in both sizes, lights and languages, and whether it fits there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.dispute import rule_text
from companion.seal import commitment
from tests.web.double import NAMES, STORY, Double
from tests.web.phone import PHONE, SMALL, Phones, seal_others

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
OUT = Path(__file__).resolve().parents[2] / "out" / "pages"
LOOKS = {
    "320x568-light-de": (SMALL, "light", "de-DE"),
    "320x568-dark-nl": (SMALL, "dark", "nl-NL"),
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


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", [*list(LOOKS)[:2], pytest.param(list(LOOKS)[2], marks=pytest.mark.thorough)])
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
    disputing(phone.page, album, double)
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
    page.locator(".asking .choice").last.tap()
    expect(page.locator(".sheet[open] blockquote")).to_be_visible()
    album.take("11-ruling")
    close_sheets(page)


AT = "2026-11-21T19:04:05.000000Z"
PAST = [
    {
        "kind": "rewind", "number": 3, "text": "Taken back. Lay the table as before.", "at": AT, "who": "Christian",
        "seen": ["Lay goals: most red, fewest blue, most green, most yellow"],
    },
    *(
        {
            "kind": "act", "number": number, "seat": seat, "who": NAMES[seat] if seat is not None else "", "text": text,
            "at": AT, "cause": cause, "phase": "Exchange 1 of 3, row 4: swap two goals", "standing": number != 3,
            "effects": [{"text": f"{text}.", "rule": "FJ-X6"}],
        }
        for number, seat, text, cause in (
            (4, 3, "Swap goals 2 and 3", "answer"), (3, 3, "Swap goals 1 and 3", "camera"),
            (2, 1, "bid", "opening"), (1, None, "Lay the goals", "camera"),
            (0, None, "Lay four conditions and effects", "phone"),
        )
    ),
]  # fmt: skip
CORNERS = [[300, 200], [460, 210], [455, 320], [296, 312]]


def disputing(page: Page, album: Album, double: Double) -> None:
    """A rule in the story, what happened, an objection with its rulings, the vote on it, and the rewind."""
    page.locator(".story .rule").first.tap()
    expect(page.locator(".sheet[open] blockquote")).to_be_visible()
    page.locator(".sheet[open] .neighbours summary").tap()
    album.take("30-rule")
    close_sheets(page)
    double.past = PAST
    drawn = [
        {"name": "condition-most-red", "sure": True, "corners": CORNERS},
        {"name": "? effect-gain-red / effect-gain-blue", "sure": False, "corners": [[x + 200, y] for x, y in CORNERS]},
        {"name": "red", "sure": True, "at": [600, 500], "radius": 16},
    ]
    marks = {"size": [1280, 720], "marks": drawn}
    swaps = [((1, 2), "Swap goals 1 and 2"), ((1, 4), "Swap goals 1 and 4"), ((3, 4), "Swap goals 3 and 4")]
    double.more = {
        "pictures": {"before": {"name": "table", **marks}, "after": {"name": "table", **marks}},
        "ruling": {**double.ruling, "legal": True, "because": ""},
        "neighbours": rule_text("fiji", "FJ-X6", "en")["neighbours"][:2],  # type: ignore[index]  # there is this rule
        "instead": [{"action": {"by": 3, "do": "swap_goals", "positions": p}, "text": text} for p, text in swaps],
    }
    page.locator("#menu-open").tap()
    page.locator("#past").tap()
    expect(page.locator(".past > li")).to_have_count(6)
    album.take("31-history")
    page.locator(".past button").first.tap()
    expect(page.locator(".evidence img").first).to_be_visible()
    page.locator(".evidence summary").first.tap()
    album.take("32-dispute")
    page.locator(".object").tap()
    album.take("33-objection")
    double.ruling = {**double.ruling, "legal": True}
    page.locator(".sheet[open] .choice:not(.likely)").first.tap()
    expect(page.locator(".sheet[open] .yes")).to_be_visible()
    album.take("34-instead")
    page.locator(".object").tap()
    expect(page.locator(".sheet[open]")).to_have_count(0)
    assert double.proposed == [(0, 4, {"by": 3, "do": "swap_goals", "positions": [1, 2]})]
    proposal = {
        "id": "1.1", "by": 1, "number": 4, "who": "Marcel", "was": "Swap goals 2 and 3",
        "instead": "Swap goals 1 and 2", "later": 2, "rule": "It counts when 3 of you agree.",
        "unanimous": False, "needed": 3,
        "votes": [None, True, None, False],
    }  # fmt: skip
    double.change(proposal=proposal)
    expect(page.locator("#vote .votes li")).to_have_count(4)
    page.evaluate("scrollTo(0, 0)")
    album.take("35-vote")
    page.locator("#vote .main").tap()
    expect(page.locator("#vote")).to_be_hidden()
    assert double.votes == [(0, "1.1", True)]
    double.change(back="Taken back. Lay the table as it was before; the game goes on from there.")
    expect(page.locator("#back")).to_be_visible()
    album.take("36-rewind", whole=True)
    double.change(back=None)


def close_sheets(page: Page) -> None:
    while page.locator(".sheet[open]").count():
        page.locator(".sheet[open] .actions .main").last.tap()


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
    with page.expect_response("**/act"):
        page.locator(".chooser .main").tap()
    close_sheets(page)
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
    pages = {"look": "#final", "back": "#way", "table": "#final", "rules?q=gewin": "main h1"}
    for number, (path, landmark) in enumerate(pages.items(), 17):
        page.goto(f"/{path}")
        expect(page.locator(landmark)).to_be_visible()
        album.take(f"{number}-{path.partition('?')[0]}", whole=True)


SHOWN = """() => ["#picture", "#seen", "#rows", "#phase", "#players", "#goals", "#supply"]
  .map((id) => [id, document.querySelector(id)?.getBoundingClientRect()])
  .filter(([, box]) => !box || box.height === 0 || box.bottom > innerHeight || box.right > innerWidth)
  .map(([id]) => id)"""
SCREENS = {"1400x800-light": (1400, 800), "1600x900-dark": (1600, 900), "1920x1080-light": (1920, 1080)}


@pytest.mark.parametrize("name", SCREENS)
def test_nobody_scrolls_a_television(double: Double, address: str, phones: Phones, name: str):
    """With all there is to show, everything that counts stands on one screen."""
    size = dict(zip(("width", "height"), SCREENS[name], strict=True))
    scheme = name.rpartition("-")[2]
    page = phones(address, viewport=size, is_mobile=False, has_touch=False, color_scheme=scheme).open("/table").page
    album = Album(page, f"{name}-en")
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
    args = {"beads": {"red": 1, "green": 1, "yellow": 1, "blue": 1}}
    opened = [{"seat": s, "moment": "1", "attempt": 1, "do": "bid", "args": args, "salt": "00" * 32} for s in range(4)]
    openings = [{**o, "commitment": commitment("tafel", "fiji", "1", o["seat"], 1, args, bytes(32))} for o in opened]
    double.change(openings=openings, commitments=[o["commitment"] for o in openings], story=STORY, moment=None)
    expect(page.locator("#reveal .story li")).to_have_count(5)
    album.take("03-story")
    assert page.evaluate(SHOWN) == []
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
