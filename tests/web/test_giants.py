"""A Giants table without a camera: dice, sealed bids, figures, carrying, and a base that one seat alone learns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.table import Table
from tests.companion.tables import open_table, seated
from tests.web.conftest import Serve
from tests.web.games import held, learnt, play_until, seal
from tests.web.phone import SMALL, Phone, Phones

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
NOTHING = {"markers": 0, "workers": 0, "sorcerer": 0, "chief": 0}


def bid(phone: Phone, *more: str, button: str = "Choose markers and figures") -> Phone:
    """Put these into a bid, one by one, and seal it."""
    phone.tap(button)
    for what in more:
        phone.tap(f"{what}: one more")
    return phone.tap("Review").seal()


def on(phone: Phone, hex_: str) -> Phone:
    phone.page.locator(f'#turn .hex[aria-label^="{hex_}"]').tap()
    return phone


def confirm(phone: Phone, text: str) -> Phone:
    button = phone.page.locator("#turn .main")
    expect(button).to_have_text(text)
    button.tap()
    return phone


def auction(table: Table, third: str, own: Phone, other: Phone, looker: Phone) -> None:
    """Dice, then bids: one is changed before the last is sealed, and nobody else notices anything of either."""
    own.tap("Die 1: size 1").tap("Die 2: size 1").tap("Die 3: broken")
    confirm(own, "That is what they show")
    bid(own, "Chief")
    expect(looker.page.locator("#players li.sealed")).to_have_count(1)
    before = learnt(looker)[-1], learnt(other)[-1]
    bid(own, "Markers", "Workers", button="Change it")
    looker.page.wait_for_timeout(300)
    assert (learnt(looker)[-1], learnt(other)[-1]) == before
    for view in looker.views() + other.views():
        assert view["state"] is None or view["state"]["bids"] == [None, None, None]
        assert view["state"] is None or view["state"]["behind_screen"][0] is None
    bid(other, "Medicine man")
    assert {len(body) for body in own.sealed_bodies() + other.sealed_bodies()} == {1024}
    seal(table, third, NOTHING)
    expect(looker.page.locator("#reveal .bids")).to_contain_text("Markers 1, Workers 1")
    for phone in (own, other):
        phone.tap("Moai of size 1")
        confirm(phone, "Take the Moai of size 1")


def placing(table: Table, third: str, own: Phone, other: Phone) -> None:
    """The chief onto b1 and a marker for half a tablet; what is behind no screen is refused with its rule."""
    own.page.locator("#turn").get_by_role("button", name="worker", exact=True).tap()
    confirm(on(own, "b1"), "worker on b1")
    expect(own.page.locator("dialog.sheet[open]")).to_contain_text("bid this figure in the auction")
    own.page.locator("dialog.sheet[open]").get_by_role("button", name="Close").tap()
    own.page.locator("#turn").get_by_role("button", name="chief", exact=True).tap()
    confirm(on(own, "b1"), "chief on b1")
    other.page.locator("#turn").get_by_role("button", name="pass").tap()
    confirm(other, "Pass for this phase")
    expect(other.page.locator("#turn")).to_be_hidden()
    assert table.act(third, {"do": "pass"}, "en")["legal"]
    own.tap("half a tablet for a marker")
    confirm(own, "Spend a marker for half a tablet")
    expect(own.page.locator(".gi-clans .you")).to_contain_text("one half tablet")
    own.page.locator("#turn").get_by_role("button", name="pass").tap()
    confirm(own, "Pass for this phase")


def test_phones_roll_bid_place_and_carry(tmp_path: Path, serve: Serve, phones: Phones):
    table = open_table(tmp_path / "log", "giants")
    address, tokens = serve(table), seated(table, 3)
    own = phones(address, viewport=SMALL).take("oak", tokens[0])
    other, looker = phones(address).take("oak", tokens[1]), phones(address).open("/look")
    auction(table, tokens[2], own, other, looker)
    placing(table, tokens[2], own, other)
    own.tap("Moai of size 1, before Hedwig")
    on(own, "b1").tap("Erect it on ahu A")
    confirm(own, "Erect it on ahu A")
    expect(looker.page.locator(".ahu[aria-label*='Moai of size 1 stands']")).to_have_count(1)
    own.page.locator("#besides summary").tap()
    own.tap("Pay half a tablet to look under the Moai on A").tap("Do it")
    expect(looker.page.locator("#reveal")).to_contain_text("pays half a tablet")
    assert "Under the Moai on ahu A lies the base of Hedwig" in held(own)
    state = table.view(None, "en")["state"]
    assert (state["phase"], state["turn"], state["half_tablets"]) == ("transport", 1, [0, 0, 0])
    assert state["ahus"]["A"] == {"reserved": None, "moai": 1, "headdress": False}
    assert table.evening.state.sites[0].base == 0
    for phone, seat in ((other, 1), (looker, None)):
        view = phone.view(table.version(seat))
        assert "lies the base" not in json.dumps(view["story"]) + phone.page.content()
        assert view["state"]["behind_screen"][0] is None
        assert "moai-1" not in view["state"]["pieces"]


def carved(state: Any) -> bool:
    """Whether the transport begins, and somebody with a marker to spare has a Moai before the screen."""
    before = [piece.before for piece in state.pieces if piece.before is not None]
    return state.phase == "transport" and any(state.stocks[seat].markers for seat in before)


def test_markers_are_put_on_and_taken_back_before_the_dice(tmp_path: Path, serve: Serve, phones: Phones):
    table = open_table(tmp_path / "log", "giants")
    address, tokens = serve(table), seated(table, 3)
    play_until(table, tokens, 0, carved)
    state = table.evening.state
    piece = next(one for one in state.pieces if one.before is not None and state.stocks[one.before].markers)
    while table.evening.state.phase == "transport":
        assert table.act(tokens[table.evening.state.turn], {"do": "pass"}, "en")["legal"]
    phone = phones(address).take("oak", tokens[piece.before])
    for do, marker in (("Mark:", piece.before), ("Take your marker back", None)):
        phone.page.locator("#besides summary").tap()
        phone.page.locator("#besides .choice").filter(has_text=do).first.tap()
        phone.tap("Do it")
        expect(phone.page.locator("#besides .choice").filter(has_text=do)).to_have_count(0)
        assert table.evening.state.piece(piece.id).marker == marker
    phone.tap("Die 1: size 1").tap("Die 2: size 2").tap("Die 3: broken")
    confirm(phone, "That is what they show")
    expect(phone.page.locator("#phase")).to_contain_text("bid")
