"""The pages in a real browser: phones that bid, one that looks on, and everything that could give a bid away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from companion.referee import Verdict
from companion.seal import canonical, commitment
from companion.table import Table
from tests.companion.tables import ROWS, laid_out, open_table
from tests.companion.tables import seal as seal_by_hand
from tests.companion.tables import seated as seated_at
from tests.web.conftest import Serve
from tests.web.double import HAND, Double, image
from tests.web.phone import Phone, Phones, seal_others, seated

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def real(tmp_path: Path, serve: Serve) -> tuple[Table, str]:
    """A real table and its address."""
    table = open_table(tmp_path / "log")
    return table, serve(table)


@pytest.fixture
def scripted(serve: Serve) -> tuple[Double, str]:
    double = Double()
    return double, serve(double)


def begin(table: Table, address: str, phones: Phones) -> tuple[Phone, Phone, str]:
    """Three sit, two of them with phones; the cards of the first round are laid. Also the third's token."""
    first, second, third = seated_at(table, 3)
    laid_out(table, third)
    return phones(address).take("oak", first), phones(address).take("oak", second), third


def evening(table: Table, address: str, phones: Phones, bids: list[tuple[str, ...]]) -> tuple[list[str], list[str]]:
    """Two phones bid (the first changes its mind), a spectator looks on.

    Returns what the spectator learnt before the bids opened (its views and its page), and the bodies of all seals.
    """
    ada, ben = phones(address).sit(0, "Hedwig"), phones(address).sit(1, "Christian")
    third = table.sit(2, "Angelika")
    ada.tap("Begin with 3 players")
    expect(ben.page.locator(".entry")).to_be_visible()
    laid_out(table, third)
    looker = phones(address).open("/look")
    expect(looker.page.locator("#players li")).to_have_count(3)
    ada.choose(*bids[0]).seal()
    expect(looker.page.locator("#players li.sealed")).to_have_count(1)
    ada.choose(*bids[1], button="Change it").seal()
    ben.choose(*bids[2]).seal()
    expect(looker.page.locator("#players li.sealed")).to_have_count(2)
    for phone in (ada, ben, looker):
        assert phone.page.locator(".bids").count() == 0
        for view in phone.views():
            assert view["openings"] == []
            assert view["commitments"] == []
    assert len([v for v in ben.views() if v["sealed"][:1] == [True]]) > 0
    learnt = {json.dumps({**view, "log_head": "", "version": 0}) for view in looker.views()}
    page = re.sub(r'content="[^"]*"', "", looker.page.content())  # the page's own token
    assert looker.storage() == '[{},{},""]'
    seal_by_hand(table, third, green=1)
    for phone in (ada, ben, looker):
        expect(phone.page.locator("#reveal .bids li")).to_have_count(3)
        expect(phone.page.locator("#alarm")).to_be_hidden()
    expect(ada.page.locator(".tick")).to_contain_text("yours is the one you were promised")
    expect(looker.page.locator(".tick")).to_contain_text("All 3 seals fit")
    return [*sorted(learnt), page], ada.sealed_bodies() + ben.sealed_bodies()


def test_two_phones_bid_and_whoever_looks_on_learns_nothing(tmp_path: Path, serve: Serve, phones: Phones):
    """Two evenings that differ only in what was bid are the same to a spectator, byte for byte, until all is open."""
    learnt, bodies = [], []
    plans = ([("green",), ("red", "red"), ("blue",)], [("blue",), ("green",) * 4, ("red", "yellow")])
    for number, bids in enumerate(plans):
        table = open_table(tmp_path / str(number))
        seen, sent = evening(table, serve(table), phones, list(bids))
        learnt.append(seen)
        bodies += sent
    assert learnt[0] == learnt[1]
    assert len(bodies) == 6
    assert {len(body) for body in bodies} == {1024}


@pytest.mark.thorough
def test_the_exchange_is_told_row_by_row(real: tuple[Table, str], phones: Phones):
    table, address = real
    ada, ben, third = begin(table, address, phones)
    ada.choose("green", "red").seal()
    ben.choose("green", "green").seal()
    seal_by_hand(table, third, red=1)
    story = ada.page.locator("#reveal .story")
    expect(story).to_contain_text("Angelika takes 3 red")
    expect(story.locator(".rank").first).to_have_text("1")
    expect(story.locator(".rule").first).to_contain_text("FJ-4")
    expect(ada.page.locator("#reveal")).to_have_class(re.compile("fresh"))


def test_before_anything_opens_all_commitments_stand_alone(tmp_path: Path, serve: Serve, phones: Phones):
    table = open_table(tmp_path / "log", closed_s=1.5)
    ada, ben, third = begin(table, serve(table), phones)
    ada.choose("green").seal()
    ben.choose("red").seal()
    seal_by_hand(table, third, blue=1)
    expect(ada.page.locator("#turn h2")).to_have_text("All have sealed")
    codes = ben.page.locator("#players code").all_inner_texts()
    expect(ada.page.locator("#reveal .bids li")).to_have_count(3)
    assert codes == [opening["commitment"][:8] for opening in table.view(None, "en")["openings"]]


def test_what_is_sealed_is_hidden_and_leaves_no_trace(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = begin(*real, phones)
    ada.choose("green", "blue").seal()
    secret = ada.page.locator("#secret")
    assert secret.inner_html() == ""
    stored = ada.storage()
    body = json.loads(ada.sealed_bodies()[0])
    assert body["commitment"] in stored
    for telling in (body["salt"], "green", "blue", "beads"):
        assert telling not in stored
    hold = ada.page.locator("#hold")
    hold.dispatch_event("pointerdown", {"button": 0, "pointerId": 1})
    expect(secret).to_contain_text("Your bid")
    assert secret.locator(".own .bead").count() == 2
    hold.dispatch_event("pointerup")
    assert secret.inner_html() == ""


def test_a_page_in_the_background_is_blank(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = begin(*real, phones)
    ada.page.locator("#hold").focus()
    ada.page.keyboard.down(" ")
    expect(ada.page.locator("#secret")).to_be_visible()
    ada.hide(True)
    assert ada.page.locator("#secret").inner_html() == ""
    assert ada.page.evaluate("getComputedStyle(document.querySelector('main')).visibility") == "hidden"
    ada.hide(False)
    assert ada.page.evaluate("getComputedStyle(document.querySelector('main')).visibility") == "visible"
    assert ada.page.locator("#secret").inner_html() == ""


def test_the_back_button_brings_no_bid_back(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = begin(*real, phones)
    ada.choose("green", "blue").open("/look")
    ada.page.go_back()
    expect(ada.page.get_by_role("button", name="Choose beads")).to_be_visible()
    assert ada.page.locator("dialog.picker").count() == 0
    ada.choose("red").seal().open("/look")
    ada.page.go_back()
    expect(ada.page.locator("#turn h2")).to_have_text("Sealed")
    assert ada.page.locator("#secret").inner_html() == ""


def test_a_phone_that_slept_is_right_again_on_waking(scripted: tuple[Double, str], phones: Phones):
    double, address = scripted
    double.seat_all()
    phone = phones(address).open("/look")
    expect(phone.page.locator("#players li")).to_have_count(4)
    life = phone.context.new_cdp_session(phone.page)
    life.send("Page.setWebLifecycleState", {"state": "frozen"})
    double.change(waiting="While you slept, Marcel has won.")
    life.send("Page.setWebLifecycleState", {"state": "active"})
    expect(phone.page.locator("#waiting")).to_have_text("While you slept, Marcel has won.", timeout=2000)


def test_a_hidden_page_asks_for_nothing_and_catches_up(scripted: tuple[Double, str], phones: Phones):
    double, address = scripted
    double.seat_all()
    phone = phones(address).open("/look")
    expect(phone.page.locator("#players li")).to_have_count(4)
    phone.hide(True)
    phone.asked.clear()
    double.change(waiting="Unseen.")
    phone.page.wait_for_timeout(300)
    assert phone.asked == []
    phone.hide(False)
    expect(phone.page.locator("#waiting")).to_have_text("Unseen.")


@pytest.mark.thorough
def test_without_a_stream_the_page_polls(scripted: tuple[Double, str], phones: Phones):
    double, address = scripted
    double.seat_all()
    phone = phones(address)
    phone.page.route("**/live?tab=*", lambda route: route.fulfill(status=204))
    phone.open("/look")
    expect(phone.page.locator("#players li")).to_have_count(4)
    double.change(waiting="Polled.")
    expect(phone.page.locator("#waiting")).to_have_text("Polled.")


def test_a_lost_connection_is_said_and_repaired(scripted: tuple[Double, str], phones: Phones):
    double, address = scripted
    double.seat_all()
    phone = phones(address).open("/look")
    expect(phone.page.locator("#players li")).to_have_count(4)
    phone.context.set_offline(True)
    expect(phone.page.locator("#connection")).to_contain_text("Play on")
    double.change(waiting="Here again.")
    phone.context.set_offline(False)
    expect(phone.page.locator("#waiting")).to_have_text("Here again.")
    expect(phone.page.locator("#connection")).to_be_hidden()
    phone.complaints.clear()  # the browser's own words about the lost connection


@pytest.mark.quick(1)
@pytest.mark.parametrize("lost", ["request", "answer"])
def test_a_bid_on_a_bad_network_is_sealed_once(real: tuple[Table, str], phones: Phones, lost: str):
    """Whether the request or its answer gets lost: the phone tries again, and the table has it once."""
    ada, _ben, _third = begin(*real, phones)
    losses: list[str] = []

    def bad(route: Route) -> None:
        if losses:
            route.continue_()
            return
        losses.append(lost)
        if lost == "answer":
            route.fetch()
        route.abort("connectionreset")

    ada.page.route("**/seal", bad)
    ada.choose("yellow").seal()
    ada.complaints.clear()  # the browser's own words about the lost connection
    expect(ada.page.locator("#turn h2")).to_have_text("Sealed")
    expect(ada.page.locator(".receipt")).to_be_visible()
    assert real[0].view(0, "en")["own_seal"] == {"do": "bid", "args": {"beads": {"yellow": 1}}}
    assert real[0].view(0, "en")["attempt"] == 1


@pytest.mark.quick(1)
@pytest.mark.parametrize("closed_s", [0.0, 1.5])
def test_the_last_bid_is_sealed_though_its_answer_gets_lost(
    tmp_path: Path, serve: Serve, phones: Phones, closed_s: float
):
    """The phone tries again when all is open already, or nobody can seal any more: it has been promised its bid."""
    table = open_table(tmp_path / "log", closed_s=closed_s)
    tokens = seated_at(table, 3)
    laid_out(table, tokens[0])
    for token in tokens[1:]:
        seal_by_hand(table, token, red=1)
    ada = phones(serve(table)).take("oak", tokens[0])
    answers: list[int] = []

    def bad(route: Route) -> None:
        answer = route.fetch()
        answers.append(answer.status)
        if len(answers) == 1:
            route.abort("connectionreset")
        else:
            route.fulfill(response=answer)

    ada.page.route("**/seal", bad)
    ada.choose("green").tap("Seal")
    expect(ada.page.locator(".tick")).to_contain_text("yours is the one you were promised")
    expect(ada.page.locator("dialog[open]")).to_have_count(0)
    assert answers == [200, 409]
    ada.complaints.clear()  # the browser's own words about the lost connection


def test_a_bid_the_rules_forbid_is_answered_with_the_rule(
    scripted: tuple[Double, str], phones: Phones, monkeypatch: pytest.MonkeyPatch
):
    double, address = scripted
    phone = seated(double, phones(address))
    phone.choose("blue", "blue")
    monkeypatch.setitem(HAND, "blue", 1)  # meanwhile the table knows better
    phone.tap("Seal")
    sheet = phone.page.locator("dialog.sheet[open]")
    expect(sheet).to_contain_text("No, this is not allowed")
    expect(sheet).to_contain_text("FJ-4a1")
    sheet.get_by_role("button", name="Close").tap()
    expect(phone.page.locator("dialog.picker .notice")).to_contain_text("has 2")


def test_one_may_ask_before_one_bids(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = begin(*real, phones)
    before = ada.page.locator("#players").inner_html()
    ada.tap("Menu").tap("Is this allowed?").tap("Bid beads")
    for _ in range(3):
        ada.page.get_by_role("button", name="Add blue").tap()
    ada.tap("Ask")
    expect(ada.page.locator("dialog.sheet[open] .no")).to_be_visible()
    expect(ada.page.locator("dialog.sheet[open] blockquote")).to_contain_text("FJ-4a1")
    assert real[0].view(0, "en")["own_seal"] is None
    assert ada.page.locator("#players").inner_html() == before


def test_an_opening_that_does_not_fit_its_seal_is_said_loudly(scripted: tuple[Double, str], phones: Phones):
    double, address = scripted
    phone = seated(double, phones(address))
    phone.choose("green").seal()
    seal_others(double, {"red": 1}, {"red": 1}, {"blue": 1})
    expect(phone.page.locator(".tick")).to_be_visible()
    true = double.openings[2]
    double.openings[2] = {**true, "args": {"beads": {"red": 2}}}
    double.change()
    expect(phone.page.locator("#alarm")).to_contain_text("Angelika")
    expect(phone.page.locator(".tick")).to_have_count(0)
    double.openings[2] = true
    mine = double.openings[0]
    args = {"beads": {"red": 1}}  # an opening consistent in itself, but not what this phone was promised
    forged = commitment("tafel", "fiji", mine["moment"], 0, 1, args, bytes.fromhex(mine["salt"]))
    double.openings[0] = {**mine, "args": args, "commitment": forged}
    double.change()
    expect(phone.page.locator("#alarm")).to_contain_text("Hedwig")
    forged = commitment("tafel", "fiji", mine["moment"], 0, 2, args, bytes.fromhex(mine["salt"]))
    double.openings[0] = {**mine, "args": args, "attempt": 2, "commitment": forged}
    double.change()  # sealed once more from another device: no alarm, but no full tick either
    expect(phone.page.locator(".tick")).to_contain_text("no receipt for your last one")
    expect(phone.page.locator("#alarm")).to_be_hidden()


VECTOR = json.loads(Path(__file__).with_name("seal_vector.json").read_text("utf-8"))


def test_the_vector_is_pythons():
    for one in VECTOR:
        fields = {key: one[key] for key in ("table", "game", "moment", "seat", "attempt")}
        assert canonical(one["args"]) == one["canonical"]
        assert commitment(**fields, arguments=one["args"], salt=bytes.fromhex(one["salt"])) == one["commitment"]


def test_scripts_and_python_agree_on_every_commitment(scripted: tuple[Double, str], phones: Phones):
    computed = (
        phones(scripted[1])
        .open("/look")
        .page.evaluate(
            """async (vector) => {
                const { canonical, commitment, newSalt } = await import("/static/js/seal.js");
                const all = vector.map((one) => [canonical(one.args), commitment(one)]);
                return { salts: [newSalt(), newSalt()], all };
            }""",
            VECTOR,
        )
    )
    assert computed["all"] == [[one["canonical"], one["commitment"]] for one in VECTOR]
    first, second = computed["salts"]
    assert first != second
    assert re.fullmatch("[0-9a-f]{64}", first)


def test_a_lost_phone_is_replaced_by_its_way_back(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = begin(*real, phones)
    token = next(c["value"] for c in ada.context.cookies() if c["name"].startswith("seat-"))
    new = phones(real[1]).open(f"/back#{token}")
    expect(new.page.locator("#turn")).to_be_visible()
    assert token not in new.page.url
    assert token not in new.page.content()
    sent = [request.url for request in new.asked if not request.url.endswith(f"/back#{token}")]
    assert [url for url in sent if token in url] == []


@pytest.mark.thorough
def test_cards_are_entered_by_hand_when_there_is_no_camera(real: tuple[Table, str], phones: Phones):
    table, address = real
    phone = phones(address).take("oak", seated_at(table, 3)[0])
    for row, colour in enumerate(["green", "red", "yellow", "blue"], 1):
        phone.tap(f"Row {row}: {colour}")
        phone.page.get_by_label(f"Row {row}: effect").select_option(label="take one of each")
    phone.tap("Row 2: most").tap("That is how they lie")
    expect(phone.page.locator("#rows li")).to_have_count(4)
    expect(phone.page.locator("#rows li").nth(1)).to_contain_text("Fewest red")
    for row, colour in enumerate(["blue", "yellow", "red", "green"], 1):
        phone.tap(f"Row {row}: {colour}")
    phone.tap("That is how they lie")
    expect(phone.page.locator("#goals li").first).to_contain_text("Most blue")
    expect(phone.page.get_by_role("button", name="Choose beads")).to_be_visible()


def test_two_players_set_beads_aside_and_nobody_else_learns_which(real: tuple[Table, str], phones: Phones):
    table, address = real
    own, other = seated_at(table, 2)
    laid_out(table, other)
    ada, looker = phones(address).take("oak", own), phones(address).open("/look")
    ada.choose("green", "green", "red", "blue").seal()
    seal_by_hand(table, other, green=4)
    expect(ada.page.locator("#turn h2")).to_have_text("Your bid")
    expect(looker.page.locator("#phase")).to_contain_text("bid")
    assert [view["openings"] for view in looker.views() if view["openings"]] == []
    assert looker.page.locator(".bids").count() == 0


CHOICE = [{"condition": {"colours": ["red"], "wins": "most"}, "effect": {"kind": "rotate_goal"}}, *ROWS[1:]]


def turned(table: Table, address: str, phones: Phones) -> tuple[Phone, Phone, str]:
    """Hedwig has won the first row and turned goal 2; her phone, Christian's, and the third's token."""
    first, second, third = seated_at(table, 3)
    laid_out(table, third, CHOICE)
    for token, beads in ((first, {"red": 2}), (second, {"green": 1}), (third, {"blue": 1})):
        seal_by_hand(table, token, **beads)
    assert table.act(first, {"do": "rotate_goal", "position": 2}, "en")["legal"]
    return phones(address).take("oak", first), phones(address).take("oak", second), third


@pytest.mark.thorough
def test_a_wrong_action_is_replaced_by_what_really_happened(real: tuple[Table, str], phones: Phones):
    """From "that is not what happened" through rulings and a vote to the table as it really lies."""
    ada, ben, _third = turned(*real, phones)
    looker = phones(real[1]).open("/look")
    ben.tap("Menu").tap("What happened")
    ben.page.locator(".past button").first.tap()
    expect(ben.page.locator(".sheet[open] .yes")).to_be_visible()
    ben.tap("That is not what happened").tap("Turn goal 3").tap("Yes, that is what happened")
    expect(ben.page.locator("#vote")).to_contain_text("You said")
    expect(looker.page.locator("#vote")).to_contain_text("Christian says")
    assert looker.page.locator("#vote button").count() == 0
    expect(ada.page.locator("#vote")).to_contain_text("Turn goal 3")
    ada.tap("Rewind")
    for phone in (ada, ben, looker):
        expect(phone.page.locator("#vote")).to_be_hidden()
        expect(phone.page.locator("#goals li").nth(2)).to_contain_text("Fewest green")
    looker.tap("What happened")
    expect(looker.page.locator(".past .gone")).to_have_count(1)


def test_who_proposed_may_think_better_of_it(real: tuple[Table, str], phones: Phones):
    ada, ben, _third = turned(*real, phones)
    ben.tap("Menu").tap("What happened")
    ben.page.locator(".past button").first.tap()
    ben.tap("That is not what happened").tap("Take it back: this did not happen")
    expect(ada.page.locator("#vote")).to_contain_text("This did not happen.")
    ben.tap("Never mind, keep it")
    expect(ada.page.locator("#vote")).to_be_hidden()
    assert real[0].view(None, "en")["state"]["goals"][1]["wins"] == "most"


@pytest.mark.thorough
def test_misread_cards_are_entered_anew_in_an_objection(real: tuple[Table, str], phones: Phones):
    ada, ben, _third = begin(*real, phones)
    ben.tap("Menu").tap("What happened")
    ben.page.locator(".past button").first.tap()
    ben.tap("That is not what happened")
    ben.page.get_by_text("Enter what really lies there").tap()
    for row, colour in enumerate(["blue", "yellow", "red", "green"], 1):
        ben.tap(f"Row {row}: {colour}")
    ben.tap("That is how they lie")
    expect(ben.page.locator("#vote")).to_contain_text("You said")
    ada.tap("Rewind")
    expect(ada.page.locator("#goals li").first).to_contain_text("Most blue")


def test_a_rule_in_the_story_opens_with_its_neighbours(real: tuple[Table, str], phones: Phones):
    ada, _ben, _third = turned(*real, phones)
    ada.page.locator("#reveal").get_by_role("button", name="Rule FJ-X5").first.tap()
    expect(ada.page.locator(".sheet[open] blockquote")).to_contain_text("must turn one of the four goal cards")
    ada.page.get_by_text("The rules beside it").tap()
    expect(ada.page.locator(".sheet[open] .law").first).to_be_visible()


def test_the_rules_can_be_searched_without_scripts(real: tuple[Table, str], phones: Phones):
    page = phones(real[1], java_script_enabled=False).open("/rules").page
    page.get_by_label("What are you looking for?").fill("eqaul bids cancell")
    page.get_by_role("button", name="Search").tap()
    expect(page.locator(".law").first).to_contain_text("Equal bids cancel each other")


def test_a_photo_stands_in_for_the_camera(real: tuple[Table, str], phones: Phones, tmp_path: Path):
    table, address = real
    ada, _ben, _third = begin(table, address, phones)
    shown: list[bytes] = []

    def read(jpeg: bytes) -> Verdict:
        shown.append(jpeg)
        return Verdict("ok")

    photo = tmp_path / "photo.png"
    photo.write_bytes(image((640, 480), (90, 120, 60)))
    ada.tap("Menu")
    ada.page.locator("#photo").set_input_files(photo)
    expect(ada.page.locator(".sheet[open]")).to_contain_text("has no deck")
    ada.complaints.clear()  # the browser's own words about the refusal
    ada.tap("Close")
    table.on_photo = read
    ada.tap("Menu")
    ada.page.locator("#photo").set_input_files(photo)
    expect(ada.page.locator(".sheet[open]")).to_contain_text("The table is as the rules have it.")
    assert shown[0][:3] == b"\xff\xd8\xff"
