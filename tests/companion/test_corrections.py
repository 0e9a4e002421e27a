"""Corrections and pictures of all games, on tables on which much has happened: what they offer, ask, and never tell."""

import json
import random
from dataclasses import replace

import pytest

from companion.corrections import alternatives
from companion.evidence import Evidence
from companion.games.game import TABLE, games
from companion.log import Log
from companion.sentences import texts
from companion.shots import Shot
from companion.table import Table
from companion.witness import Witness
from tests.companion.sights import sight
from tests.companion.tables import NAMES

WINDOW = 8  # looks after which a table is understood
MARKS = {
    "size": [10, 10],
    "components": [{"name": "map", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}],
    "things": [{"name": "worker red", "at": [3, 3], "radius": 2}],
    "unsure": [{"names": ["die", "log"], "at": [5, 5], "radius": 2}],
}


class Played:
    """A live table on which bots have played at random; every action has its picture."""

    def __init__(self, folder, name, seed=5, players=3):
        folder.mkdir()
        witness = Witness(Evidence(folder / "evidence"))
        self.table = Table(Log(folder / "companion.db", "oak"), name, camera=True, witness=witness)
        self.tokens = [self.table.sit(None, name) for name in NAMES[:players]]
        self.table.begin(self.tokens[0])
        self.game, self.rng, self.shots = self.table.evening.game, random.Random(seed), 0
        self.dealer = self.game.dealer(self.rng)

    @property
    def actions(self):
        return self.table.evening.played

    def step(self):
        state, evening = self.table.evening.state, self.table.evening
        self.shots += 1
        self.table.witness.look(Shot(b"\xff\xd8 %d" % self.shots, (), json.dumps(MARKS).encode()))
        if evening.secret_deed():
            drafts = [("opening", {})]
            for seat in evening.to_seal():
                action = self.game.sample(state, seat, self.rng)
                drafts.append(self.table._entry(state, action, "opening"))
                state, _ = self.game.apply(state, action)
            self.table._write(*drafts)
            return
        by = self.game.to_act(state)[0]
        action = self.dealer.act(state) if by == TABLE else self.game.sample(state, by, self.rng)
        self.table._write(self.table._entry(state, action, "camera"))

    def until(self, reached, most=400):
        """Play until `reached(actions)`; whether it came to that."""
        for _ in range(most):
            if self.table.evening.over:
                return False
            self.step()
            if reached(self.actions):
                return True
        return False

    def see(self, state):
        for _ in range(WINDOW):
            verdict = self.table.observed(sight(self.table.tabletop.lay(state), self.game.name))
        return verdict

    def agree(self):
        """All vote for the proposal."""
        for seat, token in enumerate(self.tokens):
            proposal = self.table.evening.proposal
            if proposal is not None and seat != proposal.by:
                self.table.vote(token, proposal.id, True)


@pytest.fixture
def at(tmp_path):
    opened = []

    def make(name, **more):
        opened.append(Played(tmp_path / f"{name}{len(opened)}", name, **more))
        return opened[-1]

    yield make
    for one in opened:
        one.table.close()


@pytest.mark.parametrize("name", games())
def test_no_list_of_alternatives_leaves_out_what_was_hidden(at, name):
    """What is missing from a list of all that was allowed tells what was done."""
    played = at(name)
    played.until(lambda actions: len(actions) > 70)
    looked_at = 0
    for viewer in range(3):
        for entry in (entry for entry in played.table.history(viewer, "en") if entry["kind"] == "act"):
            told = played.table.explain(viewer, entry["number"], "en")
            if told["ruling"] is None and told["instead"]:
                one = played.actions[played.table.evening.index(entry["number"])]
                listed = [each["action"] for each in told["instead"]]
                alike = [each for each in listed if each["do"] == one.action.do]
                assert not alike or one.action.data() in alike
                looked_at += bool(alike)
    assert looked_at or name in ("fiji", "maori")  # where nothing public is hidden afterwards


def test_of_many_alternatives_the_likest_come_first_and_all_can_be_chosen(at):
    giants = at("giants")
    assert giants.until(lambda actions: actions[-1].action.do == "place")
    one = giants.actions[-1]
    listed = [each["action"] for each in giants.table.explain(one.action.by, one.number, "en")["instead"]]
    others = [a.data() for a in giants.game.legal(one.before, one.action.by) if a != one.action]
    assert len(listed) == min(120, len(others))
    assert [a for a in others if a not in listed] == others[120:] or len(others) > 120
    assert listed[0]["do"] == "place"
    assert sum(listed[0][name] != value for name, value in one.action.data().items()) == 1


def test_what_another_seat_did_openly_can_be_corrected_when_all_agree(at):
    giants = at("giants")
    assert giants.until(lambda actions: actions[-1].action.do == "place" and actions[-1].action.action is None)
    one = giants.actions[-1]
    other = (one.action.by + 1) % 3
    listed = [each["action"] for each in giants.table.explain(other, one.number, "en")["instead"]]
    elsewhere = next(each for each in listed if each["do"] == "place" and each["hex"] != one.action.hex)
    assert giants.table.try_instead(other, one.number, elsewhere, "en")["supposed"]
    assert giants.table.propose(giants.tokens[other], one.number, elsewhere, "en") == {"proposed": True}
    proposal = giants.table.view(other, "en")["proposal"]
    assert (proposal["needed"], proposal["unanimous"]) == (3, True)
    assert "only one of you can see" in proposal["rule"]
    giants.agree()
    assert giants.actions[-1].action.data() == elsewhere


def test_a_list_for_another_seat_rests_on_nothing_that_only_that_seat_knows(at):
    """Another stock behind the screen, the same list."""
    giants = at("giants")
    assert giants.until(lambda actions: actions[-1].action.do == "place")
    one = giants.actions[-1]
    seat = one.action.by
    other = (seat + 1) % 3
    richer = replace(one.before.stocks[seat], workers=one.before.stocks[seat].workers + 3, logs=4, markers=5)
    stocks = tuple(richer if s == seat else stock for s, stock in enumerate(one.before.stocks))
    twin = replace(one, before=replace(one.before, stocks=stocks))
    evening = giants.table.evening
    assert alternatives(evening, one, other) == alternatives(evening, twin, other)
    assert alternatives(evening, one, seat) != alternatives(evening, twin, seat)


def test_instead_of_passing_another_seat_may_have_placed_a_figure(at):
    giants = at("giants")
    assert giants.until(lambda past: past[-1].action.do == "pass" and giants.table.evening.state.phase == "place")
    one = giants.actions[-1]
    listed = giants.table.explain((one.action.by + 1) % 3, one.number, "en")["instead"]
    assert "place" in {each["action"]["do"] for each in listed}


def test_no_answer_takes_back_what_has_been_peeked_at(at):
    """A figure is placed, its owner peeks, and lifts the figure again: that is for all to decide."""
    for seed in range(1, 30):
        giants = at("giants", seed=seed)
        if giants.until(
            lambda actions: (
                len(actions) > 2
                and actions[-1].action.do == "peek"
                and actions[-2].action.do == "place"
                and actions[-2].action.action is None
            )
        ):
            break
    placed = giants.actions[-2]
    assert giants.see(giants.table.evening.state).status == "ok"
    assert giants.see(placed.before).status == "asks"
    seat = giants.table.verdict.seats[0]
    question = giants.table.view(seat, "en")["questions"][0]
    count = len(giants.actions)
    giants.table.answer(giants.tokens[seat], question["id"], question["choices"][0]["id"])
    assert len(giants.actions) == count
    assert giants.table.view(None, "en")["proposal"]["unanimous"]
    assert giants.see(placed.before).status == "differs"  # nobody is asked again while the others vote
    giants.agree()
    assert len(giants.actions) == count - 2
    (mark,) = (entry for entry in giants.table.history(None, "en") if entry["kind"] == "rewind")
    assert len(mark["seen"]) == 1  # that somebody peeked, not at what


def test_what_the_camera_alone_has_misread_is_put_right_by_one_tap(at):
    """Rapa Nui: another offering card lies on the stone than was read."""
    rapa_nui = at("rapa-nui")

    def open_choice(past):
        one = past[-1]
        others = [a for a in rapa_nui.game.legal(one.before, one.action.by) if a != one.action]
        return one.action.do == "offer" and others and not rapa_nui.table.evening.state.face_down

    assert rapa_nui.until(open_choice, most=2000)
    newest = rapa_nui.actions[-1]
    assert rapa_nui.see(rapa_nui.table.evening.state).status == "ok"
    other = next(a for a in rapa_nui.game.legal(newest.before, newest.action.by) if a != newest.action)
    truth, _ = rapa_nui.game.apply(newest.before, other)
    assert rapa_nui.see(truth).question.code == "ask_instead"
    seat = newest.action.by
    question = rapa_nui.table.view(seat, "en")["questions"][0]
    rapa_nui.table.answer(rapa_nui.tokens[seat], question["id"], question["choices"][0]["id"])
    assert rapa_nui.table.evening.proposal is None
    assert rapa_nui.table.evening.state == truth


def refilled(at):
    """Maori: a tile was taken, and the gap was filled; two sit there."""
    maori = at("maori", players=2)
    assert maori.until(
        lambda actions: len(actions) > 8 and actions[-1].action.do == "refill" and actions[-1].action.tile
    )
    return maori, maori.actions[-2], maori.actions[-1].action


def test_a_new_tile_is_shuffled_back_also_when_something_else_takes_the_place_of_the_old(at):
    maori, take, refill = refilled(at)
    instead = maori.table.explain(take.action.by, take.number, "en")["instead"][0]["action"]
    maori.table.propose(maori.tokens[take.action.by], take.number, instead, "en")
    assert maori.table.view(0, "en")["proposal"]["unanimous"]
    maori.agree()
    assert "Shuffle back" in maori.table.view(None, "en")["back"]
    (mark,) = (entry for entry in maori.table.history(None, "en") if entry["kind"] == "rewind")
    assert mark["seen"] == [texts("en", "maori").tell(maori.game.tell(take.before, refill), NAMES[:2])]
    if maori.game.can(maori.table.evening.state, refill):
        state, _ = maori.game.apply(maori.table.evening.state, refill)
        assert maori.see(state).question.code == "ask_taken_back"  # it still lies there: not read again unasked
        assert maori.actions[-1].action.data() == instead


def test_what_has_been_taken_back_for_good_is_no_longer_told_once_the_game_goes_on(at):
    maori, take, _ = refilled(at)
    maori.table.propose(maori.tokens[0], take.number, None, "en")
    maori.agree()
    assert "Shuffle back" in maori.table.view(None, "en")["back"]
    maori.step()
    assert maori.table.view(None, "en")["back"] is None


def test_a_vote_that_cannot_succeed_any_more_is_over(at):
    """Something comes to light while they vote, so that all must agree, and one is against it."""
    fiji = at("fiji")
    assert fiji.until(lambda actions: fiji.game.due(fiji.table.evening.state) == "bid")
    number = fiji.actions[-1].number
    fiji.table.propose(fiji.tokens[0], number, None, "en")
    fiji.table.vote(fiji.tokens[1], fiji.table.evening.proposal.id, False)
    assert fiji.table.evening.proposal is not None or fiji.table.evening.index(number) is not None
    fiji.step()
    assert fiji.table.evening.proposal is None


# --- pictures ---------------------------------------------------------------------------------------------------------


def pictured(played, one, viewer=0):
    return set(played.table.explain(viewer, one.number, "en")["pictures"])


def test_of_maori_every_action_has_its_pictures(at):
    maori, take, _ = refilled(at)
    assert pictured(maori, take) == pictured(maori, maori.actions[3]) == {"before", "after"}


def test_of_giants_only_the_newest_action_has_pictures(at):
    """Pictures of a past island would tell whose Moai is whose (GI-4.7, GI-4.9)."""
    giants = at("giants")
    assert giants.until(lambda actions: len(actions) > 20 and actions[-1].action.do == "place")
    assert pictured(giants, giants.actions[-1]) == {"before", "after"}
    assert all(pictured(giants, one) == set() for one in giants.actions[:-1])


def test_no_picture_shows_what_lay_on_the_stone_before(at):
    """RN-2.7: only the top card may be seen."""
    rapa_nui = at("rapa-nui")
    assert rapa_nui.until(lambda actions: actions[-1].action.do == "offer")
    assert pictured(rapa_nui, rapa_nui.actions[-1]) == {"after"}
    assert rapa_nui.until(lambda actions: actions[-1].action.do == "play" and actions[-1].before.stone)
    newest = rapa_nui.actions[-1]
    covered = newest.before.stone != rapa_nui.table.evening.state.stone
    assert pictured(rapa_nui, newest) == ({"after"} if covered else {"before", "after"})


def test_all_that_was_recognised_is_drawn_in(at):
    giants = at("giants")
    assert giants.until(lambda actions: actions[-1].action.do == "place")
    after = giants.table.explain(0, giants.actions[-1].number, "en")["pictures"]["after"]
    assert [(mark["name"], mark["sure"], "at" in mark) for mark in after["marks"]] == [
        ("map", True, False),
        ("worker red", True, True),
        ("? die / log", False, True),
    ]
