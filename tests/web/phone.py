"""A device with a real browser, as the tests hold it: sits down, chooses beads, seals, and remembers what it heard."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, Request, expect

from companion.seal import commitment
from tests.web.double import Double
from web.places import mark

Phones = Callable[..., "Phone"]  # (address, **options of the browser context) -> a new phone
KEY = "of the tests"  #: signs the cookies of all pages here
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
OPTIONS = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "locale": "en-GB", "reduced_motion": "reduce"}

#: Keeps the text of every answer that the page's scripts get.
LISTEN = """
window.heard = [];
const bare = window.fetch;
window.fetch = async (...request) => {
  const answer = await bare(...request);
  answer.clone().text().then((text) => window.heard.push([String(request[0]), answer.status, text]), () => {});
  return answer;
};
"""
#: Whether an answer with this version has been heard.
HEARD = '(version) => window.heard.some(([,, text]) => text.includes(`"version":${version}`))'
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Phone:
    """One device: its own cookies and storage; `complaints` is what its console complains about."""

    def __init__(self, browser: Browser, home: str, **options: Any) -> None:
        self.home = home
        self.context = browser.new_context(base_url=home, **{**OPTIONS, **options})
        self.context.add_init_script(LISTEN)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(8000)
        self.complaints: list[str] = []
        self.asked: list[Request] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("request", lambda request: self.asked.append(request))

    def open(self, path: str) -> Phone:
        self.page.goto(path)
        return self

    def sit(self, seat: int, name: str) -> Phone:
        """Three taps: the seat, the name, sit down."""
        self.open("/j")
        self.page.locator(f"label:has(input[value='{seat}'])").tap()
        self.page.locator("input[name=name]").fill(name)
        self.page.locator("#sit button").tap()
        expect(self.page.locator("#turn")).to_be_visible()
        return self

    def take(self, table: str, token: str) -> Phone:
        """Hold a seat that the test has taken, and open its page."""
        self.context.add_cookies([{"name": f"seat-{mark(KEY, table)}-a", "value": token, "url": self.home}])
        self.open("/seat/a/")
        expect(self.page.locator("#phase")).to_be_visible()
        return self

    def tap(self, button: str) -> Phone:
        self.page.get_by_role("button", name=button, exact=True).tap()
        return self

    def choose(self, *colours: str, button: str = "Choose beads") -> Phone:
        """Tap beads, up to the review."""
        self.tap(button)
        for colour in colours:
            self.page.get_by_role("button", name=f"Add {colour}").tap()
        return self.tap("Review")

    def seal(self) -> Phone:
        self.tap("Seal")
        expect(self.page.locator("dialog.picker")).to_have_count(0)
        return self

    def hide(self, hidden: bool) -> None:
        """Put the page into the background, or back in front."""
        self.page.evaluate(HIDE, hidden)

    def views(self) -> list[dict[str, Any]]:
        """Every view this page has got since it was opened."""
        heard = self.page.evaluate("window.heard")
        return [json.loads(text) for url, status, text in heard if url.endswith("view.json") and status == 200]

    def view(self, version: int) -> dict[str, Any]:
        """The newest view this page has got, once it has heard of this version: pages hear each by itself."""
        self.page.wait_for_function(HEARD, arg=version)
        return self.views()[-1]

    def sealed_bodies(self) -> list[str]:
        return [request.post_data or "" for request in self.asked if request.url.endswith("/seal")]

    def storage(self) -> str:
        return str(self.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"))


def seated(double: Double, phone: Phone) -> Phone:
    """The phone on seat 0 of a double, the test on the others, and the game begun."""
    phone.take("tafel", double.seat_all()[0])
    expect(phone.page.locator("#rows li")).to_have_count(4)
    return phone


def seal_others(double: Double, *bids: dict[str, int]) -> None:
    """Seats 1, 2, 3 of a double seal these bids."""
    tokens = {seat: token for token, seat in double.tokens.items()}
    for seat, beads in enumerate(bids, 1):
        args, salt = {"beads": beads}, bytes([seat]) * 32
        bound = commitment("tafel", "fiji", double.moment, seat, 1, args, salt)
        double.seal(tokens[seat], double.moment, 1, args, salt.hex(), bound)
