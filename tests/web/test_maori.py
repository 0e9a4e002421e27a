"""A Maori table without a camera: tiles are entered and chosen on phones; all of it is open but the pile."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.companion.tables import open_table, seated
from tests.web.conftest import Serve
from tests.web.phone import SMALL, Phone, Phones

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LAID = [
    ("single island", "single island, 3 palms"),
    ("land to the east", "land to the east, one palm"),
    ("land to the west", "land to the west, one palm"),
    ("volcano", "volcano"),
    *[("land to the north and south", f"land to the north and south, {palms}") for palms in ("one palm", "2 palms")],
    *[("water", f"water, {boats}") for boats in ("one boat", "one boat", "2 boats", "2 boats", "2 boats, one shell")],
    *[("land to the south", f"land to the south, {palms}") for palms in ("one palm", "2 palms", "3 palms")],
    ("water", "water"),
    ("volcano", "volcano"),
]


def lay_out(phone: Phone) -> None:
    """Enter sixteen tiles and the ship above the second column."""
    for shape, tile in LAID:
        phone.page.locator(".ma-shapes").get_by_label(shape, exact=True).tap()
        phone.page.locator(".ma-found").get_by_label(tile, exact=True).tap()
    phone.tap("Ship at 2").tap("That is how they lie")


@pytest.mark.thorough
def test_two_phones_sail_take_and_refill(tmp_path: Path, serve: Serve, phones: Phones):
    table = open_table(tmp_path / "log", "maori")
    address, tokens = serve(table), seated(table, 2)
    own = phones(address, viewport=SMALL).take("oak", tokens[0])
    other, looker = phones(address).take("oak", tokens[1]), phones(address).open("/look")
    lay_out(own)
    own.tap("One step more")
    expect(own.page.locator(".chooser .hint")).to_contain_text("1 steps with 2 boats")
    own.tap("Sail one step")
    own.tap("Tile 1 of the line: land to the west, one palm").tap("Row 2, column 3: free water")
    own.tap("Take tile 1 of the line to row 2, column 3")
    own.page.locator(".ma-shapes").get_by_label("single island", exact=True).tap()
    own.page.locator(".ma-found").get_by_label("single island, 2 palms", exact=True).tap()
    own.tap("That is how it lies")
    other.tap("15 steps")
    expect(other.page.locator(".chooser .hint")).to_contain_text("15 steps with 2 boats")
    expect(other.page.get_by_role("button", name="Sail 15 steps")).to_be_disabled()  # 13 shells are not there
    other.tap("15 steps").tap("4 steps")
    other.tap("Sail 4 steps")
    expect(other.page.locator("#turn .tap").first).to_be_visible()
    other.page.locator("#turn .tap").first.tap()
    other.tap("Into the store").tap("Take tile 1 of the line into the store")
    other.page.locator(".ma-shapes").get_by_label("water", exact=True).tap()
    other.page.locator(".ma-found .tap").first.tap()
    other.tap("That is how it lies")
    expect(looker.page.locator("#waiting")).to_contain_text("Hedwig")
    state = table.view(None, "en")["state"]
    assert (state["step"], state["seat"], state["ship"], state["pile"]) == ("sail", 0, 6, 79)
    assert state["tiles"][state["boards"][0][1][2]]["open"] == "W"
    assert state["tiles"][state["display"][0][2]] == {**state["tiles"][state["display"][0][0]], "palms": 2}
    assert state["stores"][1] == "end-s-03"  # with one palm, first in the line from the east
    assert state["shells"] == [5, 3]  # two steps beyond the boats
    for phone, seat in ((own, 0), (other, 1), (looker, None)):  # nobody knows more than the others do
        assert phone.view(table.version(seat))["state"] == state
    known = table.components()
    assert known["unseen"] == sorted(known["unseen"], key=list(known["tiles"]).index)  # not the order of the pile
