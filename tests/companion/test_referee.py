"""From what is seen to what happened: read, explained, asked, or told to differ; never guessed."""

import random
from dataclasses import replace

import pytest

from companion.games.fiji import game
from companion.games.fiji.table import SUPPLY
from companion.games.tabletop import Seen, SeenBead, SeenCard
from companion.looks import ENOUGH, WINDOW
from tests.companion.sights import doubtful, meanings, moved, sight, turned_round, without
from tests.companion.tables import NAMES, open_table, seal, seated
from web.port import Refused


class Played:
    """A table with a true state beside it, dealt by the house dealer."""

    def __init__(self, folder, players=3, seed=5):
        self.table = open_table(folder, camera=True)
        self.tokens = seated(self.table, players)
        self.truth = game.start(players, {})
        self.dealer = game.dealer(random.Random(seed))

    @property
    def state(self):
        return self.table.evening.state

    def deal(self):
        """The next true table action; what then lies there."""
        self.truth, _ = game.apply(self.truth, self.dealer.act(self.truth))
        return sight(game.tabletop.lay(self.truth))

    def look(self, seen, times=WINDOW):
        for _ in range(times):
            verdict = self.table.observed(seen)
        return verdict

    def lay_out(self):
        """The first round's cards, as the camera sees them laid."""
        self.look(self.deal())
        self.look(self.deal())

    def bid(self, *bids):
        for token, beads in zip(self.tokens, bids, strict=True):
            assert "commitment" in seal(self.table, token, **beads)


@pytest.fixture
def played(tmp_path):
    played = Played(tmp_path)
    yield played
    played.table.close()


def rows_with(effect):
    """A true first round whose top row lets the one with most red do this."""
    condition = {"colours": ["red"], "wins": "most"}
    known = meanings()
    rest = [
        ("condition-fewest-yellow", "effect-gain-red"),
        ("condition-most-blue", "effect-half-green"),
        ("condition-fewest-all", "effect-gain-blue"),
    ]
    rows = [{"condition": condition, "effect": known[effect]}]
    return rows + [{"condition": known[c], "effect": known[e]} for c, e in rest]


def choosing(played, effect):
    """The table as it is when seat 0 has won the right to turn or swap goals."""
    goals = [{"colour": c, "wins": "most"} for c in ("red", "green", "yellow", "blue")]
    for data in ({"do": "lay_conditions", "rows": rows_with(effect)}, {"do": "lay_goals", "goals": goals}):
        action = game.read(played.truth, {"by": "table", **data})
        played.truth, _ = game.apply(played.truth, action)
        played.look(sight(game.tabletop.lay(played.truth)))
    played.bid({"red": 2}, {"yellow": 1}, {"green": 1})
    assert game.to_act(played.state) == (0,)
    return sight(game.tabletop.lay(played.state))


def test_cards_are_read_once_enough_looks_agree(played):
    seen = played.deal()
    assert played.look(seen, times=ENOUGH - 1).more
    assert played.state.rows == ()
    played.look(seen, times=1)
    assert played.state.rows == played.truth.rows
    played.look(played.deal())
    assert played.state.goals == played.truth.goals
    assert played.table.view(None, "en")["sync"]["status"] in ("ok", "looking")


def test_the_side_of_the_table_does_not_matter(played):
    played.look(turned_round(played.deal()))
    assert played.state.rows == played.truth.rows


def test_a_half_laid_table_is_waited_for(played):
    seen = played.deal()
    half = replace(seen, cards=seen.cards[:5])
    assert played.look(half).status == "looking"
    assert played.state.rows == ()
    assert "3 conditions" in played.table.view(None, "en")["sync"]["text"]


def test_cards_of_an_earlier_round_are_no_new_round(played):
    played.lay_out()
    old = sight(game.tabletop.lay(played.truth))
    for _ in range(3):
        played.bid({"red": 1}, {"red": 1}, {"red": 1})
        while isinstance(game.to_act(played.state)[0], int) and not played.table.evening.secret_deed():
            choice = played.table.view(game.to_act(played.state)[0], "en")["choices"][0]["action"]
            played.table.act(played.tokens[choice["by"]], choice, "en")
    assert played.state.round == 2
    assert played.look(old).status == "looking"
    assert played.state.rows == ()


def test_a_doubtful_card_is_asked_about_and_the_answer_settles_it(played):
    seen = played.deal()
    card = seen.cards[0].component
    other = "condition-most-all" if card != "condition-most-all" else "condition-fewest-all"
    assert played.look(doubtful(seen, card, other)).status == "asks"
    assert played.state.rows == ()
    question = played.table.view(1, "en")["questions"][0]
    assert len(question["choices"]) == 3  # two readings, and "look again"
    played.table.answer(played.tokens[1], question["id"], "0")
    assert played.state.rows == played.truth.rows


def test_nobody_but_a_seat_is_asked(played):
    seen = played.deal()
    played.look(doubtful(seen, seen.cards[0].component, "condition-most-all"))
    assert played.table.view(None, "en")["questions"] == []


def test_a_goal_turned_on_the_table_is_the_winners_choice(played):
    seen = choosing(played, "effect-rotate-goal")
    cards = tuple(replace(c, angle=180.0) if c.component == "goal-yellow" else c for c in seen.cards)
    played.look(replace(seen, cards=cards))
    assert played.state.goals[2].wins == "fewest"


def test_a_goal_turned_in_the_last_exchange_is_read_before_the_table_is_cleared(played):
    seen = choosing(played, "effect-rotate-goal")
    for _ in range(2):
        played.table.act(played.tokens[0], {"do": "rotate_goal", "position": 1}, "en")
        played.bid({"red": 1}, {"yellow": 1}, {"green": 1})
    assert (played.state.exchange, game.due(played.state)) == (3, "rotate_goal")
    seen = sight(game.tabletop.lay(played.state))
    cards = tuple(replace(c, angle=c.angle + 180) if c.component == "goal-blue" else c for c in seen.cards)
    played.look(replace(seen, cards=cards))
    assert played.state.round == 2
    assert played.table.evening.played[-1].action.position == 4


def test_two_goals_swapped_on_the_table_are_the_winners_choice(played):
    seen = choosing(played, "effect-swap-goals")
    places = {c.component: (c.x, c.y) for c in seen.cards}

    def swapped(card):
        if card.component not in ("goal-red", "goal-blue"):
            return card
        x, y = places["goal-blue" if card.component == "goal-red" else "goal-red"]
        return replace(card, x=x, y=y)

    played.look(replace(seen, cards=tuple(map(swapped, seen.cards))))
    assert [g.colour for g in played.state.goals] == [3, 0, 2, 1]


def test_a_goal_turned_by_nobodys_right_differs(played):
    seen = choosing(played, "effect-rotate-goal")
    played.table.act(played.tokens[0], {"do": "rotate_goal", "position": 1}, "en")
    before = played.state  # the second exchange: everybody bids, nobody may touch a goal
    seen = sight(game.tabletop.lay(before))
    cards = tuple(replace(c, angle=180.0) if c.component == "goal-yellow" else c for c in seen.cards)
    assert played.look(replace(seen, cards=cards)).status == "differs"
    assert played.state == before
    told = played.table.view(None, "en")["sync"]["differences"][0]
    assert told == {"text": "Goal 3 shows fewest, yellow; most, yellow should lie there.", "where": "goal3"}


def test_the_supply_is_counted_after_an_exchange(played):
    played.lay_out()
    right = sight(game.tabletop.lay(played.state))
    assert played.look(right).status == "ok"
    verdict = played.look(moved(right, take=("red",)))
    assert verdict.status == "differs"
    assert played.table.view(None, "en")["sync"]["differences"][0]["text"] == "Supply, red: 3 lie there, 4 should."
    assert played.look(right).status == "ok"


def test_a_bead_that_cannot_be_told_is_no_difference_but_a_second_missing_one_is(played):
    played.lay_out()
    right = sight(game.tabletop.lay(played.state))
    unknown = SeenBead("", SUPPLY.x + 5, SUPPLY.y + 5)
    assert played.look(moved(right, take=("red",), put=(unknown,))).status == "ok"
    assert played.look(moved(right, take=("red", "red"), put=(unknown,))).status == "differs"
    assert played.look(moved(right, take=("red", "green"), put=(unknown,))).status == "differs"


@pytest.mark.parametrize(
    ("taken", "doubts", "status"),
    [
        (("red",), [("red", "yellow")], "ok"),
        (("red",), [("green", "yellow")], "differs"),
        (("red", "green"), [("red", "green"), ("red", "blue")], "ok"),
        (("red", "green"), [("red", "blue"), ("red", "yellow")], "differs"),
        (("red",), [()], "ok"),
    ],
)
def test_a_doubtful_bead_stands_only_for_a_colour_that_it_may_have(played, taken, doubts, status):
    played.lay_out()
    right = sight(game.tabletop.lay(played.state))
    unclear = tuple(SeenBead("", SUPPLY.x + 5 + 20 * i, SUPPLY.y + 5, may_be) for i, may_be in enumerate(doubts))
    assert played.look(moved(right, take=taken, put=unclear)).status == status


def test_beads_left_before_a_seat_are_told(played):
    played.lay_out()
    seen = sight(game.tabletop.lay(played.state))
    zone = game.tabletop.zones(3)[1]
    left = moved(seen, put=(SeenBead("red", zone.x + 20, zone.y + 20),))
    assert played.look(left).status == "differs"
    assert NAMES[0] in played.table.view(None, "en")["sync"]["differences"][0]["text"]


def test_a_covered_card_is_no_difference(played):
    played.lay_out()
    seen = sight(game.tabletop.lay(played.state))
    assert played.look(without(seen, seen.cards[0].component, "goal-red")).status == "ok"


def test_goals_laid_anew_before_any_bid_are_asked_about(played):
    played.look(played.deal())
    first = played.deal()
    played.look(first)
    cards = [c for c in first.cards if "goal" not in c.component]
    goals = [c for c in first.cards if "goal" in c.component]
    xs = [g.x for g in goals]
    again = [replace(g, x=x) for g, x in zip(goals, xs[::-1], strict=True)]
    assert played.look(replace(first, cards=(*cards, *again))).status == "asks"
    question = played.table.view(0, "en")["questions"][0]
    old = played.state.goals
    played.table.answer(played.tokens[0], question["id"], "0")
    assert played.state.goals == old[::-1]


def test_goals_put_back_after_a_no_are_as_they_were(played):
    played.look(played.deal())
    first = played.deal()
    played.look(first)
    goals = [c for c in first.cards if "goal" in c.component]
    other = tuple(replace(c, angle=c.angle + 180) if c is goals[0] else c for c in first.cards)
    played.look(replace(first, cards=other))
    question = played.table.view(0, "en")["questions"][0]
    before = played.state
    played.table.answer(played.tokens[0], question["id"], "1")
    assert played.state == before
    assert played.look(replace(first, cards=other)).status == "differs"
    assert played.look(first).status == "ok"


def test_a_question_answered_late_settles_nothing_else(played):
    seen = played.deal()
    played.look(doubtful(seen, seen.cards[0].component, "condition-most-all"))
    question = played.table.view(0, "en")["questions"][0]
    played.look(seen)
    with pytest.raises(Refused, match="unknown_question"):
        played.table.answer(played.tokens[0], question["id"], "0")


def test_an_empty_sight_changes_nothing(played):
    played.lay_out()
    before = played.state
    played.look(Seen())
    assert played.state == before


def test_strange_cards_on_the_table_do_not_matter(played):
    seen = played.deal()
    stranger = SeenCard("other/king", {}, 700, 300)
    played.look(replace(seen, cards=(*seen.cards, stranger)))
    assert played.state.rows == played.truth.rows
