"""Who may know what: hands, offering cards, the stone, stacks, and what records would tell."""

from __future__ import annotations

import json

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy, Deal, Income, LayDisplay, Refill, ReturnMoai, Substitute
from tests.games.playing import play as play_through
from tests.games.rapa_nui.tables import DISPLAY, FISH, GRAIN, add, at_turn, cards, do, offer, play, take

FIELDS = {
    "seat", "step", "columns", "pile", "tableaus", "wood", "fame", "hands", "hand_sizes", "offerings",
    "offering_counts", "supply", "stone", "scored", "scores",
}  # fmt: skip
KINDS = ("woodcutter", "priest", "moai")


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
    for action in (LayDisplay(TABLE, tuple(cards(column) for column in DISPLAY)), Refill(TABLE, 2, cards("wp"))):
        assert game.view_action(state, action, 0) == {"by": "table", "do": action.do}
    assert game.view_action(state, take(1, 3)[0], 0) == {"by": 1, "do": "take"}


def test_a_seat_may_look_up_what_it_still_holds() -> None:
    state = at_turn(3)
    for action in (Buy(1, FISH), Substitute(1, GRAIN), *take(1, 3)):
        assert game.view_action(state, action, 1) == action.data()
        assert game.view_action(state, action, 0) == {"by": 1, "do": action.do}
    deal = Deal(TABLE, (cards("fus"), cards("fug"), cards("fsg")))
    shown = game.view_action(state, deal, 1)["hands"]
    assert shown == [None, ["hunter-fish", "hunter-mulberry", "hunter-grain"], None]


def test_public_actions_are_seen_by_all() -> None:
    state = at_turn(3)
    for action in (play(0, "f"), ReturnMoai(0), Income(0, "wood")):
        assert game.view_action(state, action, None) == action.data()


def test_kept_history_tells_nothing_that_is_hidden_now() -> None:
    """What may be looked up later names cards only where they lie in tableaus, and tells no price, column or count
    from which an offering card or a hand could be worked out."""
    kept: dict[str, set[str]] = {}
    for players in game.seats:
        for seed in range(8):
            for turn in play_through(game, players, seed, {"extra_offering_optional": True}).turns:
                for effect in turn.effects:
                    if not effect.memory:
                        kept.setdefault(effect.note.code, set()).update(effect.note.facts)
                        assert effect.note.code != "scored" or effect.note.facts["card"] in KINDS
    assert {code for code, facts in kept.items() if facts & {"card", "cards"}} == {"laid", "laid_for", "scored"}
    assert {code for code, facts in kept.items() if facts & {"offering", "column"}} == set()
    assert {code for code, facts in kept.items() if "price" in facts} == {"built", "laid_for"}
    assert {code for code, facts in kept.items() if "count" in facts} == {
        "display_laid", "refilled", "gains_wood", "gains_fame",
    }  # fmt: skip


def test_the_hidden_offering_is_told_to_its_owner_only() -> None:
    state, _ = do(at_turn(3, hands=["mff"], wood=[7]), play(0, "m"), offer(1, "u"), offer(2, "s"))
    _, effects = do(state, offer(0, "g"))
    for viewer in (None, 1, 2):
        assert "grain" not in json.dumps([dict(e.note.facts) for e in game.view_effects(effects, viewer)])
    assert "grain" in json.dumps([dict(e.note.facts) for e in game.view_effects(effects, 0)])
