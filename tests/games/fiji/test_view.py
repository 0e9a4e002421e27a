"""Who may know what: hands, bids and beads set aside."""

from __future__ import annotations

import random

from companion.games.fiji import game
from companion.games.fiji.actions import Bid, LayGoals, RotateGoal, SetAside
from companion.games.game import TABLE
from tests.games.fiji.tables import GOALS, after_round, beads, bid, laid, row, set_aside
from tests.games.playing import play

FIELDS = {"round", "exchange", "supply", "goals", "rows", "heads", "step", "hands", "bids"}


def test_a_view_has_these_fields_and_no_others() -> None:
    for playthrough in (play(game, players, 3, {}) for players in (2, 3)):
        extra = {"set_aside"} if len(playthrough.players) == 2 else set()
        for state in playthrough.states:
            for viewer in (None, 0, 1):
                assert set(game.view(state, viewer)) == FIELDS | extra


def test_a_bid_is_seen_by_its_owner_only_until_all_are_in() -> None:
    state, _ = game.apply(laid(3), Bid(1, beads("gg")))
    assert game.view(state, 1)["bids"][1] == {"green": 2, "red": 0, "yellow": 0, "blue": 0}
    assert game.view(state, 0)["bids"] == game.view(state, None)["bids"] == [None, None, None]


def test_others_bids_stay_hidden_in_the_list_of_actions() -> None:
    action = Bid(1, beads("gg"))
    assert game.view_action(laid(3), action, 1) == action.data()
    assert game.view_action(laid(3), action, 0) == {"by": 1, "do": "bid", "beads": None}
    assert game.view_action(laid(3), action, None) == {"by": 1, "do": "bid", "beads": None}


def test_public_actions_are_seen_by_all() -> None:
    for action in (RotateGoal(1, 2), LayGoals(TABLE, GOALS)):
        assert game.view_action(laid(3), action, None) == action.data()


def test_what_is_set_aside_is_its_owners_alone() -> None:
    state = set_aside(laid(2), "gggg", "rrrr")
    assert game.view(state, 0)["set_aside"] == [{"green": 4, "red": 0, "yellow": 0, "blue": 0}, None]
    assert game.view(state, None)["set_aside"] == [None, None]
    action = SetAside(1, beads("rrrr"))
    assert game.view_action(laid(2), action, 0) == {"by": 1, "do": "set_aside", "beads": None}


def test_what_was_set_aside_is_gone_with_its_round() -> None:
    state, _ = after_round(set_aside(laid(2), "gggg", "rrrr"), ["y", "y"])
    assert game.view(state, 0)["set_aside"] == [None, None]


def test_hands_stay_hidden_while_bids_lie_open() -> None:
    state, _ = bid(laid(3, [row("most green", "rotate_goal")]), "g", "r", "y")
    view = game.view(state, 0)
    assert None not in view["bids"]
    assert view["hands"][1:] == [None, None]


def test_at_the_end_everything_is_open() -> None:
    end = play(game, 2, 5, {}).end
    assert game.view(end, None)["hands"] == game.dump(end)["hands"]


def test_what_would_tell_hands_later_is_for_memory() -> None:
    """Values, gains and shown hands may not be looked up later: a hand could be counted from them."""
    rng = random.Random(1)
    counted = {"bid_open", "row_values", "takes", "others_take", "hand_shown", "row_best", "row_next_counts"}
    for players in game.seats:
        for turn in play(game, players, rng.randrange(99), {}).turns:
            for effect in turn.effects:
                assert effect.memory or effect.note.code not in counted
                assert effect.memory or not {"beads", "values_by_seats"} & set(effect.note.facts)
