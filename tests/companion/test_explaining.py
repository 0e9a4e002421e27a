"""Rapa Nui, Maori and Giants through the referee: several actions at once, moves taken back, what only phones know."""

import random
from dataclasses import replace

import pytest

from companion.games.game import TABLE, Note, game
from companion.games.rapa_nui.table import STONE
from companion.games.tabletop import Option
from companion.looks import WINDOW
from companion.referee import Verdict
from tests.companion.sights import sight
from tests.companion.tables import open_table, seal_args, seated


class At:
    """A live table after a number of true actions that phones have entered and the table shows."""

    def __init__(self, folder, name, actions, seed=4, players=3, **options):
        self.game = game(name)
        self.table = open_table(folder, name, camera=True, options=options)
        self.tokens = seated(self.table, players)
        self.rng = random.Random(seed)
        self.dealer = self.game.dealer(self.rng)
        self.bots = [self.game.bot(seat, self.rng) for seat in range(players)]
        for _ in range(actions):
            self.enter(self.next(self.state))
        self.look(self.state)

    @property
    def state(self):
        return self.table.evening.state

    def next(self, state):
        actor = self.game.to_act(state)[0]
        if actor == TABLE:
            return self.dealer.act(state)
        return self.bots[actor].choose(self.game.view(state, actor), list(self.game.legal(state, actor)))

    def enter(self, action):
        token = self.tokens[0 if action.by == TABLE else action.by]
        assert self.table.act(token, action.arguments() | {"do": action.do}, "en")["legal"]

    def until(self, *due):
        """Go on until one of these is due, and show the table."""
        while self.game.due(self.state) not in due:
            self.enter(self.next(self.state))
        return self.look(self.state)

    def look(self, state, times=WINDOW + 1):
        return self.see(sight(self.game.tabletop.lay(state), self.game.name), times)

    def see(self, seen, times=WINDOW + 1):
        for _ in range(times):
            verdict = self.table.observed(seen)
        return verdict

    def after(self, *actions):
        state = self.state
        for action in actions:
            state, _ = self.game.apply(state, action)
        return state


@pytest.fixture
def at(tmp_path):
    opened = []

    def make(*args, **more):
        opened.append(At(tmp_path, *args, **more))
        return opened[-1]

    yield make
    for one in opened:
        one.table.close()


def test_the_deal_and_the_display_are_read(at):
    rn = at("rapa-nui", 0)
    truth = rn.state
    for _ in range(2):
        action = rn.dealer.act(truth)
        before, (truth, _) = truth, rn.game.apply(truth, action)
        for laid in rn.game.tabletop.steps(before, [action], truth):
            rn.see(sight(laid, "rapa-nui"))
    assert rn.state == truth


def test_a_card_laid_and_one_taken_at_once_are_two_actions(at):
    rn = at("rapa-nui", 2)
    lay = next(a for a in rn.game.legal(rn.state, 0) if a.do == "play")
    rn.look(rn.after(lay, next(a for a in rn.game.legal(rn.after(lay), 0) if a.do == "take")))
    assert [p.action.do for p in rn.table.evening.played[-2:]] == ["play", "take"]
    assert rn.table.evening.played[-1].cause == "camera"


def test_a_column_emptied_and_refilled_at_once_is_read(at):
    rn = at("rapa-nui", 2)
    while min(map(len, rn.state.columns)) > 1 or rn.state.step != "take":
        rn.enter(rn.next(rn.state))
    rn.look(rn.state)
    column = [len(c) for c in rn.state.columns].index(1) + 1
    take = next(a for a in rn.game.legal(rn.state, rn.state.seat) if a.column == column)
    truth = rn.after(take, rn.dealer.act(rn.after(take)))
    rn.look(truth)
    assert rn.state == truth


def test_a_card_that_is_covered_for_long_differs_and_is_not_taken(at):
    rn = at("rapa-nui", 2)
    seen = sight(rn.game.tabletop.lay(rn.state), "rapa-nui")
    before = rn.state
    assert rn.see(replace(seen, cards=seen.cards[1:]), 3 * WINDOW).status == "differs"
    assert rn.state == before
    assert rn.see(seen).status == "ok"


def test_what_a_phone_told_and_nobody_has_done_yet_explains_nothing(at):
    maori = at("maori", 1)
    maori.until("take")
    shown = maori.state
    take = next(a for a in maori.game.legal(shown, shown.seat) if a.do == "take")
    maori.enter(take)
    maori.look(shown)
    assert maori.game.due(maori.state) == "refill"
    assert maori.table.verdict.status == "looking"


def test_a_move_taken_back_is_asked_about_and_the_answer_settles_it(at):
    maori = at("maori", 1)
    before = maori.state
    sail = maori.game.legal(before, 0)[0]
    maori.look(maori.after(sail))
    assert maori.game.due(maori.state) == "take"
    assert maori.look(before).status == "asks"
    question = maori.table.view(0, "en")["questions"][0]
    assert maori.table.view(1, "en")["questions"] == []
    maori.table.answer(maori.tokens[0], question["id"], "0")
    assert maori.state == before
    assert maori.look(before).status == "ok"


def test_a_tile_put_back_before_the_refill_is_no_refill(at):
    maori = at("maori", 1)
    maori.until("take")
    before = maori.state
    take = next(a for a in maori.game.legal(before, before.seat) if a.do == "take")
    maori.look(maori.after(take))
    assert maori.game.due(maori.state) == "refill"
    assert maori.look(before).question.code == "ask_back"


def test_the_ship_and_a_tile_moved_at_once_are_two_actions(at):
    maori = at("maori", 1)
    sail = maori.game.legal(maori.state, 0)[0]
    take = next(a for a in maori.game.legal(maori.after(sail), 0) if a.do == "take")
    truth = maori.after(sail, take)
    maori.look(truth)
    assert maori.state == truth


def test_eyes_that_see_no_shells_count_none(at):
    maori = at("maori", 1)
    seen = sight(maori.game.tabletop.lay(maori.state), "maori")
    assert maori.see(replace(seen, beads=())).status == "ok"
    assert maori.see(replace(seen, beads=seen.beads[1:])).status == "differs"


def test_the_builders_offering_is_asked_of_the_builder_alone(at):
    rn = at("rapa-nui", 2, seed=9)
    while rn.state.step != "offer" or rn.state.asked[0] != rn.state.seat:
        rn.enter(rn.next(rn.state))
    rn.look(rn.state)
    builder = rn.state.seat
    verdict = rn.look(rn.after(rn.game.legal(rn.state, builder)[0]))
    several = len(rn.game.legal(rn.state, builder)) > 1
    assert (verdict.status == "asks" and verdict.seats == (builder,)) if several else verdict.status == "ok"
    assert several
    assert rn.table.view((builder + 1) % 3, "en")["questions"] == []


def test_an_offering_laid_straight_over_another_is_told(at):
    rn = at("rapa-nui", 2, seed=9)
    while not rn.state.stone or rn.state.face_down or rn.state.step != "buy":
        rn.enter(rn.next(rn.state))
    rn.look(rn.state)
    seen = sight(rn.game.tabletop.lay(rn.state), "rapa-nui")
    turned = [replace(c, angle=c.angle + 90) if STONE.holds(c.x, c.y) else c for c in seen.cards]
    verdict = rn.see(replace(seen, cards=tuple(turned)), 3 * WINDOW)
    assert [d.note.code for d in verdict.differences] == ["differs_crosswise"]


# --- Giants --------------------------------------------------------------------------------------------------------


def placing(at, fast=False, workers=1, chief=0):
    """Giants in the placing of the first round, the table as it should be; each has bid these figures."""
    giants = at("giants", 0, seed=8, fast=fast)
    while giants.state.phase != "place":
        if giants.table.evening.secret_deed():
            for seat in giants.table.evening.to_seal():
                seal_args(giants.table, giants.tokens[seat], markers=1, workers=workers, sorcerer=0, chief=chief)
        else:
            giants.enter(giants.next(giants.state))
    assert giants.look(giants.state).status == "ok"
    return giants


def placed(giants, figure, hex_, **more):
    return giants.game.read(
        giants.state, {"by": giants.state.turn, "do": "place", "figure": figure, "hex": hex_, "logs": 0, **more}
    )


def test_a_figure_put_on_a_hex_is_read(at):
    giants = placing(at)
    action = placed(giants, "chief", "c4")
    truth = giants.after(action)
    giants.look(truth)
    assert giants.state == truth
    assert giants.table.evening.played[-1].cause == "camera"


def test_what_a_medicine_man_does_is_asked_of_his_owner_alone(at):
    giants = placing(at)
    seat = giants.state.turn
    truth = giants.after(placed(giants, "sorcerer", "b4", action="village"))
    verdict = giants.look(truth)
    assert (verdict.status, verdict.question.code, verdict.seats) == ("asks", "ask_placed", (seat,))
    assert [giants.table.view(viewer, "en")["questions"] for viewer in (None, (seat + 1) % 3)] == [[], []]
    question = giants.table.view(seat, "en")["questions"][0]
    assert [choice["text"] for choice in question["choices"]][:2] == ["Acts: village", "Only stands there"]
    giants.table.answer(giants.tokens[seat], question["id"], "0")
    assert giants.state == truth


def test_a_figure_that_moves_on_before_the_next_one_is_asked_about_again(at):
    giants = placing(at)
    seat, before = giants.state.turn, giants.state
    first, second = placed(giants, "chief", "c4"), placed(giants, "chief", "d5")
    giants.look(giants.after(first))
    assert giants.state.turn != seat
    truth, _ = giants.game.apply(before, second)
    verdict = giants.look(truth)
    assert (verdict.question.code, verdict.seats) == ("ask_instead", (seat,))
    assert [option.action for option in verdict.options] == [second, None]
    question = giants.table.view(seat, "en")["questions"][0]
    giants.table.answer(giants.tokens[seat], question["id"], "0")
    assert giants.state == truth
    assert [p.action for p in giants.table.evening.played].count(first) == 0


def test_a_no_leaves_the_figure_where_it_was_read(at):
    giants = placing(at)
    seat, before = giants.state.turn, giants.state
    giants.look(giants.after(placed(giants, "chief", "c4")))
    read = giants.state
    giants.look(giants.game.apply(before, giants.game.read(before, {**placed_data(seat), "hex": "d5"}))[0])
    question = giants.table.view(seat, "en")["questions"][0]
    giants.table.answer(giants.tokens[seat], question["id"], str(len(question["choices"]) - 1))
    assert giants.state == read
    assert giants.look(read).status == "ok"
    assert giants.state == read


def placed_data(seat):
    return {"by": seat, "do": "place", "figure": "chief", "logs": 0}


def test_when_the_next_one_goes_on_the_one_before_is_asked_what_nobody_saw(at):
    giants = placing(at)
    seat = giants.state.turn
    passing = giants.game.read(giants.state, {"by": seat, "do": "pass"})
    after = giants.after(passing)
    action = giants.game.read(after, {**placed_data(after.turn), "hex": "d5"})
    truth = giants.after(passing, action)
    before = giants.state
    verdict = giants.look(truth)
    assert (verdict.question.code, verdict.seats) == ("ask_unseen", (seat,))
    assert giants.state == before
    question = giants.table.view(seat, "en")["questions"][0]
    assert question["choices"][0]["text"] == "Pass"
    giants.table.answer(giants.tokens[seat], question["id"], "0")
    giants.look(truth)
    assert giants.state == truth


def test_answers_that_do_not_fit_on_a_page_come_when_none_of_the_first_was_it():
    options = tuple(Option(Note(str(number)), None) for number in range(20))
    verdict = Verdict(
        "asks", question=Note("ask"), options=(*options[:8], Option(Note("none"), None)), rest=options[8:]
    )
    pages = [verdict, verdict.next(), verdict.next().next()]
    assert [[option.note.code for option in page.options[:-1]] for page in pages] == [
        [str(number) for number in range(start, min(start + 8, 20))] for start in (0, 8, 16)
    ]
    assert all(page.options[-1].note.code == "none" for page in pages)
    assert not pages[-1].rest


def test_a_hidden_offering_is_asked_for_by_name_the_sort_held_most_first(at):
    rn = at("rapa-nui", 2, seed=9)
    while rn.state.step != "offer" or rn.state.asked[0] != rn.state.seat:
        rn.enter(rn.next(rn.state))
    rn.look(rn.state)
    verdict = rn.look(rn.after(rn.game.legal(rn.state, rn.state.seat)[0]))
    assert verdict.question.code == "ask_offered"
    held = [rn.state.offerings[rn.state.seat][option.action.offering] for option in verdict.options[:-1]]
    assert held == sorted(held, reverse=True)
    assert rn.table.view(rn.state.seat, "de")["questions"][0]["text"].startswith("Welche Opferkarte")


def test_an_income_that_nobody_has_named_is_asked_when_the_next_one_goes_on(at):
    rn = at("rapa-nui", 2, seed=9)
    while rn.state.step != "income":
        rn.enter(rn.next(rn.state))
    before, seat = rn.state, rn.state.asked[0]
    rn.look(before)
    truth = before
    while truth.step == "income":
        truth, _ = rn.game.apply(truth, rn.game.legal(truth, truth.asked[0])[0])
    later = next(a for a in rn.game.legal(truth, truth.seat) if a.do in ("play", "take"))
    verdict = rn.look(rn.game.apply(truth, later)[0])
    assert (verdict.question.code, verdict.seats) == ("ask_unseen", (seat,))
    assert rn.state == before
