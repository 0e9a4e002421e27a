"""Is this allowed? Any deed of anybody is put together on a page, done or only imagined, and answered with its rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games.giants.carrying import helper_sets
from companion.table import Table
from tests.companion.tables import NAMES, open_table, seated
from tests.web.conftest import Serve
from tests.web.games import play_until
from tests.web.phone import KEY, SMALL, Phone, Phones
from web.places import mark

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SUPPOSED = "Provided that this seat has what it takes"


class Asker:
    """Asks about deeds on one phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def open(self) -> Asker:
        if self.phone.page.locator("#menu-open").count():
            self.phone.tap("Menu")
        self.phone.tap("Is this allowed?")
        return self

    def about(self, who: str, deed: str) -> Asker:
        """Choose whose deed it would be, and what kind of deed."""
        self.phone.page.get_by_label("Who would do it?").select_option(label=who)
        self.phone.page.locator(".asking .choice").get_by_text(deed, exact=True).tap()
        return self

    def tap(self, *buttons: str) -> Asker:
        for button in buttons:
            self.phone.page.locator("dialog[open]").last.get_by_role("button", name=button, exact=True).tap()
        return self

    def choose(self, label: str, option: str) -> Asker:
        self.phone.page.locator(".asking").get_by_label(label).select_option(label=option)
        return self

    def on(self, *hexes: str) -> Asker:
        for hex_ in hexes:
            self.phone.page.locator(f'.asking .hex[aria-label^="{hex_}"]').tap()
        return self

    def told(self, legal: bool, rule: str, supposed: bool = False) -> Asker:
        """Read the answer, close it, and go back to the kinds of deeds."""
        page = self.phone.page
        answer = page.locator("dialog.sheet[open]").last
        expect(answer.locator("h2")).to_have_text("Yes, this is allowed" if legal else "No, this is not allowed")
        expect(answer.locator("blockquote footer")).to_contain_text(f"{rule} ·")
        expect(answer.get_by_text(SUPPOSED)).to_have_count(int(supposed))
        answer.get_by_role("button", name="Close").tap()
        if page.locator(".asking .deed").count():
            self.tap("Back")
        return self


@pytest.fixture
def asked(tmp_path: Path, serve: Serve, phones: Phones) -> Callable[..., tuple[Table, Asker, Asker]]:
    """A table of three played on to where something is asked; the first seat and somebody who looks on, both asking."""

    def ask(game: str, seed: int, reached: Callable[[Any], bool]) -> tuple[Table, Asker, Asker]:
        table = open_table(tmp_path / "log", game)
        address, tokens = serve(table), seated(table, 3)
        play_until(table, tokens, seed, reached)
        phone = phones(address, viewport=SMALL).take("oak", tokens[0])
        return table, Asker(phone).open(), Asker(phones(address, viewport=SMALL).open("/look")).open()

    return ask


Asked = Callable[..., tuple[Table, Asker, Asker]]


def test_bids_goals_and_cards_of_fiji(asked: Asked):
    table, own, looker = asked("fiji", 3, lambda s: s.step == "bid")
    version = table.version(None)
    five = ["Add green"] * 5
    own.about("Christian", "Bid beads")
    expect(own.phone.page.locator(".picker .hint")).to_have_text("Christian: Bid beads")
    own.tap(*five, "Ask").told(False, "FJ-4a1", supposed=True)
    own.about("Hedwig (you)", "Bid beads").tap(*five, "Ask").told(False, "FJ-4a1")
    looker.about("Angelika", "Bid beads").tap("Add red", "Ask").told(True, "FJ-4a1", supposed=True)
    looker.about("Angelika", "Set beads aside").tap("Add red", "Ask").told(False, "FJ-2p2", supposed=True)
    own.about("Christian", "Turn a goal")
    own.phone.page.locator(".asking .goal").first.tap()
    own.tap("Ask").told(False, "FJ-0a")
    looker.about("Hedwig", "Keep the bid").told(False, "FJ-A1")
    looker.about("The table", "Lay four goals")
    for row, colour in enumerate(("green", "red", "yellow", "blue"), 1):
        looker.tap(f"Row {row}: {colour}")
    looker.tap("That is how they lie").told(False, "FJ-0a")
    assert table.version(None) == version


def test_only_a_tap_on_the_page_behind_or_leaving_it_closes_a_sheet(asked: Asked):
    """What has been put together is not lost by a finger that misses a button."""
    _table, own, _looker = asked("fiji", 3, lambda s: s.step == "bid")
    own.about("Christian", "Turn a goal")
    page, sheet = own.phone.page, own.phone.page.locator("dialog.sheet[open]")
    box = sheet.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 5, box["y"] + 5)
    expect(sheet).to_be_visible()
    page.touchscreen.tap(box["x"] + 5, box["y"] - 20)
    expect(sheet).to_have_count(0)
    own.open().about("Christian", "Turn a goal")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(sheet).to_have_count(0)


def test_nothing_is_asked_before_the_page_knows_the_table(tmp_path: Path, serve: Serve, phones: Phones):
    table = open_table(tmp_path / "log", "fiji")
    address, tokens = serve(table), seated(table, 3)
    looker, seat = phones(address), phones(address)
    for phone in (looker, seat):
        phone.context.route("**/view.json*", lambda _route: None)  # never answered
    looker.open("/look")
    expect(looker.page.get_by_role("link", name="The rules")).to_be_visible()
    expect(looker.page.get_by_role("button", name="Is this allowed?")).to_be_hidden()
    seat.context.add_cookies([{"name": f"seat-{mark(KEY, 'oak')}-a", "value": tokens[0], "url": address}])
    seat.open("/seat/a/").tap("Menu")
    expect(seat.page.get_by_role("link", name="The rules")).to_be_visible()
    expect(seat.page.get_by_role("button", name="Is this allowed?")).to_be_hidden()


def test_every_question_is_as_long_as_the_others(asked: Asked):
    """Whoever listens does not learn how many beads somebody thinks of."""
    _table, own, _looker = asked("fiji", 3, lambda s: s.step == "bid")
    for beads in (["Add green"], ["Add blue"] * 3 + ["Add red"]):
        own.about("Hedwig (you)", "Bid beads").tap(*beads, "Ask").told("Add blue" not in beads, "FJ-4a1")
    bodies = [request.post_data or "" for request in own.phone.asked if request.url.endswith("/rule")]
    assert [len(body) for body in bodies] == [1024, 1024]


@pytest.mark.thorough
def test_cards_offerings_and_columns_of_rapa_nui(asked: Asked):
    table, own, looker = asked("rapa-nui", 0, lambda s: s.step == "buy" and s.seat == 0 and s.wood[0] == 0)
    looker.about("Hedwig", "Lay cards").tap("Priest", "Moai", "Ask").told(False, "RN-2.1", supposed=True)
    looker.about("Hedwig", "Lay cards").tap("Hunter: Fish", "Hunter: Fish", "Ask").told(False, "RN-2.2", supposed=True)
    looker.about("Hedwig", "Lay cards").tap("Priest", "Moai", "Take away: Moai", "Ask").told(True, "RN-2.1", True)
    own.about("Hedwig (you)", "Return a Moai").told(False, "RN-2.8")
    looker.about("Hedwig", "Return a Moai").told(True, "RN-2.8", supposed=True)
    own.about("Christian", "Offer an own card").tap("Fish").told(False, "RN-0", supposed=True)
    own.about("Hedwig (you)", "Choose wood or fame").tap("Wood").told(False, "RN-0")
    looker.about("Christian", "Offer a card of a stack").tap("none").told(False, "RN-0", supposed=True)
    own.about("The table", "Fill a column").tap("Column 2", *["Priest"] * 4, "That is how they lie").told(False, "RN-0")
    assert table.evening.state.step == "buy"


@pytest.mark.thorough
def test_a_refill_that_is_due_is_asked_about(asked: Asked):
    table, own, _looker = asked("rapa-nui", 3, lambda s: s.step == "refill" and s.drawn == 2)
    for column, legal in ((3, True), (2, False)):
        own.about("The table", "Fill a column").tap(f"Column {column}", *["Priest"] * 4, "That is how they lie")
        own.told(legal, "RN-3.2")
    assert table.evening.state.step == "refill"


@pytest.mark.thorough
def test_ships_tiles_and_fields_of_maori(asked: Asked):
    _table, own, looker = asked("maori", 3, lambda s: s.step == "sail" and s.seat == 0 and s.pile < 60)
    looker.about("Hedwig", "Sail").tap("15 steps", "One step more", "Ask").told(False, "MA-1.2")
    looker.about("Christian", "Sail").tap("One step more", "Ask").told(False, "MA-0")
    own.about("Christian", "Do nothing").told(False, "MA-0")


@pytest.mark.thorough
def test_fields_of_maori_that_are_not_free(asked: Asked):
    table, own, looker = asked("maori", 3, lambda s: s.step == "take" and s.seat == 0 and s.pile < 60)
    for asker, who in ((own, "Hedwig (you)"), (looker, "Hedwig")):
        page = asker.about(who, "Take a tile").phone.page
        page.locator('.asking .tap[aria-label^="Tile 1 of the line"]').tap()
        page.locator('.asking .ma-field[aria-label^="Row 1, column 1"]').tap()
        asker.tap("Ask").told(False, "MA-2a1")
        asker.about(who, "Remove a tile").phone.page.locator(".asking .ma-field").first.tap()
        asker.tap("Ask").told(False, "MA-2d")
    stored = table.evening.state.stores[0] >= 0
    looker.about("Hedwig", "Lay the stored tile").phone.page.locator(".asking .ma-field").first.tap()
    looker.tap("Ask").told(False, "MA-2a1" if stored else "MA-2c")
    own.about("Hedwig (you)", "Do nothing").told(True, "MA-2e")


@pytest.mark.thorough
def test_figures_and_dice_of_giants(asked: Asked):
    table, own, looker = asked("giants", 0, lambda s: s.phase == "place" and s.turn == 0 and s.stocks[0].workers)
    village = next(hex_.id for hex_ in table.evening.state.board.hexes if hex_.kind == "village")
    for asker, who in ((own, "Hedwig (you)"), (looker, "Hedwig")):
        asker.about(who, "Place a figure").tap("worker").on(village)
        asker.choose("What it does there", "Fetch a worker from the container").tap("Ask")
        asker.told(False, "GI-3B", supposed=asker is looker)
    looker.about("Hedwig", "Place a figure").tap("worker").on(village).tap("Logs: 2", "Ask").told(True, "GI-3A", True)
    looker.about("Hedwig", "Take half a tablet").told(True, "GI-3D", supposed=True)
    looker.about("Christian", "Pass").told(False, "GI-0")
    looker.about("Christian", "Take a Moai").tap("Moai of size 2").told(False, "GI-0")
    own.about("Christian", "Bid").tap("Chief: one more", "Ask").told(False, "GI-0", supposed=True)
    own.about("The table", "Roll the dice").tap(*(f"Die {n}: size {n}" for n in (1, 2, 3)))
    own.tap("That is what they show").told(False, "GI-0")


@pytest.mark.thorough
def test_a_piece_is_carried_where_it_cannot_go(asked: Asked):
    def reached(state: Any) -> bool:
        return state.phase == "transport" and state.turn == 0 and bool(own_sizes(state) and around(state))

    def own_sizes(state: Any) -> list[int]:
        return [one.size for one in state.pieces if one.before == 0 and one.kind == "moai"]

    def around(state: Any) -> list[int]:
        """Hexes beside the quarry on which nobody stands."""
        return [at for at in state.board.links[state.board.quarry["moai"]] if not state.figures[at]]

    table, own, looker = asked("giants", 1, reached)
    state = table.evening.state
    words = f"Moai of size {own_sizes(state)[0]}, before Hedwig"
    start = state.board.quarry["moai"]
    far = next(i for i in range(len(state.board.hexes)) if i not in (start, *state.board.links[start]))
    far, near = (state.board.hexes[i].id for i in (far, around(state)[0]))
    looker.about("Hedwig", "Carry a piece").tap(words).on(far).tap("Ask").told(False, "GI-4.4", supposed=True)
    own.about("Hedwig (you)", "Carry a piece").tap(words).on(near)
    expect(own.phone.page.locator(".gi-carriers")).to_contain_text("Nobody stands there.")
    own.tap("Ask").told(False, "GI-4.2")
    own.about("Hedwig (you)", "Carry a piece").tap(words).on(near, near)
    own.choose("What happens there", "Erect it on ahu A").tap("Ask").told(False, "GI-3G")
    looker.about("Hedwig", "Mark a piece").tap(words).told(True, "GI-4.10", supposed=True)
    looker.about("Hedwig", "Take a marker back").tap(words).told(False, "GI-0")
    looker.about("Hedwig", "Look under a Moai").tap("Ahu A").told(False, "GI-4.9")


@pytest.mark.thorough
def test_who_carries_is_tapped(asked: Asked):
    """With all of a group that is just strong enough the piece may go there, with none of it not."""
    table, _own, looker = asked("giants", 0, lambda state: carried(state) is not None)
    who, size, hex_ = carried(table.evening.state) or ("", 0, "")
    for legal in (True, False):
        looker.about(who, "Carry a piece").tap(f"Moai of size {size}, before {who}").on(hex_)
        for carrier in looker.phone.page.locator(".gi-carriers .tap").all():
            carrier.tap()
            if not legal:
                carrier.tap()
        looker.tap("Ask").told(legal, "GI-4.2", supposed=True)


def carried(state: Any) -> tuple[str, int, str] | None:
    """Whose Moai of which size everybody on which hex, together, can carry there from its quarry."""
    if state.phase != "transport":
        return None
    for piece in state.pieces:
        for at in state.board.links[state.board.quarry["moai"]] if piece.before == state.turn else ():
            if piece.kind == "moai" and tuple(sorted(state.figures[at])) in helper_sets(
                state.figures[at], piece.weight
            ):
                return NAMES[state.turn], piece.size, state.board.hexes[at].id
    return None
