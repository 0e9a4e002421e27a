"""A Rapa Nui table without a camera: everything is entered and chosen on phones, and no phone tells another's cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games.rapa_nui.state import OFFER
from companion.table import Table
from tests.companion.tables import open_table, seated
from tests.web.conftest import Serve
from tests.web.games import held, learnt, play_until
from tests.web.phone import Phone, Phones

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

COLUMNS = [["Moai", "Priest", "Woodcutter", front] for front in ("Priest", "Woodcutter", "Woodcutter", "Hunter: Grain")]


def sit(folder: Path, serve: Serve, phones: Phones) -> tuple[Table, list[str], Phone, Phone, Phone]:
    """A table of two with their phones, and somebody who looks on."""
    table = open_table(folder, "rapa-nui")
    address, tokens = serve(table), seated(table, 2)
    own, other = (phones(address).take("oak", token) for token in tokens)
    return table, tokens, own, other, phones(address).open("/look")


def lay_out(phone: Phone, lacks: str) -> None:
    """Enter the hands (which sort the first player lacks) and the display."""
    phone.tap(f"Hedwig: {lacks}").tap("Christian: Mulberry").tap("That is what was dealt")
    expect(phone.page.locator(".rn-place")).to_have_count(16)
    for column in COLUMNS:
        for card in column:
            phone.tap(card)
    phone.tap("That is how they lie")


def first_turns(folder: Path, serve: Serve, phones: Phones, lacks: str) -> tuple[Table, Phone, list[Any]]:
    """Hedwig buys, lays and draws, Christian lays and draws; what the others were told until then."""
    table, _tokens, own, other, looker = sit(folder, serve, phones)
    lay_out(own, lacks)
    own.tap("Choose cards").tap("Buy: Fish")
    own.page.locator("dialog.private .main").tap()
    expect(own.page.locator("dialog.sheet[open] blockquote")).to_contain_text("RN-1.2")  # 2 wood do not buy
    own.page.locator("dialog.sheet[open]").last.get_by_role("button", name="Close").tap()
    own.tap("Hunter: Sweet potato").tap("Lay hunter (sweet potato)")
    expect(own.page.locator("dialog.private")).to_have_count(0)
    own.tap("Column 1: Priest").tap("Take from column 1")
    expect(other.page.get_by_role("button", name="Choose cards")).to_be_visible()
    other.tap("Choose cards").tap("Hunter: Fish").tap("Lay hunter (fish)")
    other.tap("Column 4: Hunter: Grain").tap("Take from column 4")
    for page in (other.page, looker.page):  # each hears of it by itself
        expect(page.locator("#waiting")).to_contain_text("Hedwig")
    expect(looker.page.locator(".rn-villages li").first).to_contain_text("Hedwig")
    told = [learnt(other)[-1], learnt(looker)[-1], other.page.inner_text("main"), looker.page.inner_text("main")]
    assert {len(r.post_data or "") for r in own.asked if r.url.endswith("/act")} == {1024}
    return table, own, told


def test_two_phones_play_and_nobody_learns_a_hand(tmp_path: Path, serve: Serve, phones: Phones):
    """Two tables that differ in the cards of one hand alone are the same to everybody else, to the last letter."""
    table, own, told = first_turns(tmp_path / "a", serve, phones, "Fish")
    state = table.view(0, "en")["state"]
    assert (state["step"], state["seat"], state["wood"]) == ("buy", 0, [4, 5])  # two scorings of woodcutters
    assert state["tableaus"][1]["hunter-fish"] == 1
    assert {name: count for name, count in state["hands"][0].items() if count} == {
        "priest": 1, "hunter-mulberry": 1, "hunter-grain": 1,
    }  # fmt: skip
    assert "Mulberry" in held(own)
    assert told == first_turns(tmp_path / "b", serve, phones, "Grain")[2]


def test_a_hidden_offering_shows_on_no_other_page(tmp_path: Path, serve: Serve, phones: Phones):
    table, tokens, own, other, looker = sit(tmp_path / "c", serve, phones)
    play_until(table, tokens, 5, lambda state: state.step == OFFER and state.asked[0] == state.seat)
    second_seat = 1 - table.evening.state.seat
    builder, second = (own, other) if second_seat else (other, own)
    builder.tap("Choose an offering card")
    builder.page.locator("dialog.private .tap").first.tap()
    builder.page.locator("dialog.private .main").tap()
    expect(builder.page.locator("#turn")).to_contain_text("from a stack")
    sort = table.evening.played[-1].action.data()["offering"]
    assert sort in held(builder)
    for phone, seat in ((second, second_seat), (looker, None)):
        expect(phone.page.locator(".rn-stone")).to_contain_text("face")
        view = phone.view(table.version(seat))
        assert view["state"]["stone"] == {"empty": False, "top": None}
        assert sort not in json.dumps([item["text"] for chapter in view["story"] for item in chapter["items"]][-1:])
    builder.page.locator("#turn .tap").first.tap()
    builder.page.locator("#turn .main").tap()
    expect(looker.page.locator(".rn-stone")).not_to_contain_text("face")


@pytest.mark.thorough
def test_a_refill_is_corrected_with_as_many_cards_as_were_laid(tmp_path: Path, serve: Serve, phones: Phones):
    """The last cards of the pile: fewer than a column has."""
    table, tokens, own, _other, _looker = sit(tmp_path / "d", serve, phones)
    play_until(table, tokens, 5, lambda state: state.step == "refill" and state.pile < 4)
    left = table.evening.state.pile
    play_until(table, tokens, 6, lambda state: state.step != "refill")
    laid = next(one for one in reversed(table.evening.played) if one.action.do == "refill")
    assert table.explain(0, laid.number, "en")["laid"] == laid.action.data()
    own.tap("Menu").tap("What happened")
    own.page.locator(".past button", has_text="The table").first.tap()
    own.tap("That is not what happened")
    own.page.get_by_text("Enter what really lies there").tap()
    expect(own.page.locator("dialog[open] .rn-place")).to_have_count(left)


@pytest.mark.thorough
def test_a_refill_of_an_earlier_turn_is_entered_into_a_column_that_is_chosen(
    tmp_path: Path, serve: Serve, phones: Phones
):
    """Which column it was is a matter of memory by then."""
    table, tokens, own, _other, _looker = sit(tmp_path / "e", serve, phones)
    play_until(table, tokens, 5, lambda state: state.step == "refill")
    column = table.evening.state.drawn + 1
    play_until(table, tokens, 6, lambda state: state.step == "take" and all(state.columns))
    own.tap("Menu").tap("What happened")
    own.page.locator(".past button", has_text="The table").first.tap()
    own.tap("That is not what happened")
    own.page.get_by_text("Enter what really lies there").tap()
    own.tap(f"Column {column}")
    for _card in range(4):
        own.page.locator("dialog[open]").get_by_role("button", name="Priest", exact=True).tap()
    own.tap("That is how they lie")
    expect(own.page.locator("#vote")).to_be_visible()
    proposal = table.evening.proposal
    assert proposal is not None
    assert proposal.action is not None
    assert proposal.action.data() == {"by": "table", "do": "refill", "column": column, "cards": ["priest"] * 4}
