"""Who may know what: hands, offering cards, the stone, stacks, and what records would tell."""

from __future__ import annotations

import json

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy, Deal, LayDisplay, Refill, Substitute
from tests.games.playing import play as play_through
from tests.games.rapa_nui.tables import DISPLAY, FISH, GRAIN, add, at_turn, cards, do, offer, play, take

FIELDS = {
    "seat", "step", "columns", "pile", "tableaus", "wood", "fame", "hands", "hand_sizes", "offerings",
    "offering_counts", "supply", "stone", "scored", "scores",
}  # fmt: skip


def test_a_view_has_these_fields_and_no_others() -> None:
    for players in game.seats:
        for state in play_through(game, players, 4, {}).states:
            for viewer in (None, 0, 1):
                assert set(game.view(state, viewer)) == FIELDS


def test_hands_are_their_owners_alone() -> None:
    state = at_turn(3, hands=["ffu", "sgg", "wpm"])
    assert game.view(state, None)["hands"] == [None] * 3
    assert [hand is None for hand in game.view(state, 1)["hands"]] == [True, False, True]
    assert game.view(state, None)["hand_sizes"] == [3, 3, 3]


def test_of_a_stack_everybody_sees_whether_it_is_empty_and_no_more() -> None:
    state = at_turn(2, supply="fffg")
    expected = {"fish": True, "mulberry": False, "sweet-potato": False, "grain": True}
    assert [game.view(state, viewer)["supply"] for viewer in (None, 0, 1)] == [expected] * 3


def test_scores_shown_leave_offerings_out_until_the_end() -> None:
    for state in play_through(game, 3, 9, {}).states:
        for viewer in (None, 0):
            parts = game.view(state, viewer)["scores"][0]["parts"]
            assert ("offerings" in parts) == game.over(state)


def test_what_a_record_would_tell_is_left_out_of_the_list_of_actions() -> None:
    state = at_turn(3)
    told = {"by": 1, "do": "offer"}
    assert [game.view_action(state, offer(1, "f"), viewer) for viewer in (None, 0, 1)] == [told] * 3
    told = {"by": 0, "do": "offer_from_supply"}
    assert [game.view_action(state, add(0, "g"), viewer) for viewer in (None, 0, 1)] == [told] * 3
    assert game.view_action(state, add(0, None), None) == {**told, "offering": None}
    laid = LayDisplay(TABLE, tuple(cards(column) for column in DISPLAY))
    assert game.view_action(state, laid, 0) == {"by": "table", "do": "lay_display"}
    assert game.view_action(state, Refill(TABLE, 2, cards("wp")), 0) == {"by": "table", "do": "refill", "column": 2}


def test_a_seat_may_look_up_what_it_still_holds() -> None:
    state = at_turn(3)
    for action in (Buy(1, FISH), Substitute(1, GRAIN)):
        assert game.view_action(state, action, 1) == action.data()
        assert game.view_action(state, action, 0) == {"by": 1, "do": action.do}
    deal = Deal(TABLE, (cards("fus"), cards("fug"), cards("fsg")))
    shown = game.view_action(state, deal, 1)["hands"]
    assert shown == [None, ["hunter-fish", "hunter-mulberry", "hunter-grain"], None]


def test_public_actions_are_seen_by_all() -> None:
    state = at_turn(3)
    for action in (play(0, "f"), *take(0, 1)):
        assert game.view_action(state, action, None) == action.data()


def test_kept_history_names_no_card_that_is_hidden_now() -> None:
    """Everything that may be looked up later names cards only where they lie open to all, in tableaus."""
    names = ("fish", "mulberry", "sweet-potato", "grain", "priest", "woodcutter", "moai")
    open_for_good = {"laid", "laid_for", "scored"}
    for players in game.seats:
        for turn in play_through(game, players, 8, {"extra_offering_optional": True}).turns:
            for effect in turn.effects:
                said = json.dumps(dict(effect.note.facts))
                if not effect.memory and any(name in said for name in names):
                    assert effect.note.code in open_for_good
                    assert effect.note.code != "scored" or "hunter" not in said


def test_the_hidden_offering_is_told_to_its_owner_only() -> None:
    state, _ = do(at_turn(3, hands=["mff"], wood=[7]), play(0, "m"), offer(1, "u"), offer(2, "s"))
    _, effects = do(state, offer(0, "g"))
    for viewer in (None, 1, 2):
        assert "grain" not in json.dumps([dict(e.note.facts) for e in game.view_effects(effects, viewer)])
    assert "grain" in json.dumps([dict(e.note.facts) for e in game.view_effects(effects, 0)])
