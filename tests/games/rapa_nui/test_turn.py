"""Buying and laying: RN-1.1 to RN-2.8, AMB-1, AMB-2, AMB-8."""

from __future__ import annotations

import pytest

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy, OfferFromSupply, Play, ReturnMoai
from tests.games.rapa_nui.tables import (
    FISH,
    GRAIN,
    MULBERRY,
    POTATO,
    add,
    at_turn,
    bag,
    do,
    offer,
    offerings,
    play,
    refused,
    scored,
    take,
    told,
)


def test_rn_1_1_one_offering_a_turn() -> None:
    state, effects = do(at_turn(wood=[12]), Buy(0, FISH))
    assert state.offerings[0] == offerings("ffusg")
    assert state.supply[FISH] == 20
    assert told(effects, "offering_bought") == [{"seat": 0, "offering": "fish", "price": 5}]
    assert refused(state, Buy(0, GRAIN)).rule == "RN-1.1"


def test_rn_1_1_not_from_an_empty_stack() -> None:
    state = at_turn(wood=[12], supply="usg")
    assert refused(state, Buy(0, FISH)).rule == "RN-1.1"
    assert Buy(0, MULBERRY) in game.legal(state, 0)


def test_rn_1_1_buying_is_optional() -> None:
    assert game.can(at_turn(wood=[12]), play(0, "f"))


@pytest.mark.parametrize("hunters", range(8))
def test_rn_1_2_each_own_hunter_of_the_sort_makes_it_cheaper(hunters: int) -> None:
    price = max(0, 5 - hunters)
    state = at_turn(wood=[7], tableaus=["w" + "f" * hunters + "gg"])
    assert do(state, Buy(0, FISH))[0].wood[0] == 7 - price
    assert do(state, Buy(0, GRAIN))[0].wood[0] == 4
    assert game.can(at_turn(wood=[price], tableaus=["w" + "f" * hunters]), Buy(0, FISH))
    if price:
        ruling = refused(at_turn(wood=[price - 1], tableaus=["w" + "f" * hunters]), Buy(0, FISH))
        assert ruling.rule == "RN-1.2"
        assert ruling.because.facts == {"seat": 0, "offering": "fish", "price": price, "wood": price - 1}


def test_rn_1_2_others_hunters_do_not_matter() -> None:
    assert refused(at_turn(wood=[4], tableaus=["w", "wfffff"]), Buy(0, FISH)).rule == "RN-1.2"


def test_rn_1_3_buying_comes_before_laying() -> None:
    state, _ = do(at_turn(wood=[12]), play(0, "f"))
    assert refused(state, Buy(0, FISH)).rule == "RN-1.3"
    state = scored("m", tableaus=["m"], wood=[12])
    assert (state.step, refused(state, Buy(0, FISH)).rule) == ("income", "RN-1.3")


@pytest.mark.parametrize("letter", "wp")
def test_rn_2_1_one_woodcutter_or_priest_for_nothing(letter: str) -> None:
    state, _ = do(at_turn(hands=["wwp" if letter == "w" else "wpp"], wood=[0]), play(0, letter))
    assert (state.step, state.wood[0]) == ("take", 0)
    assert state.tableaus[0] == bag("w" + letter)


@pytest.mark.parametrize("text", ["ww", "pp", "mm", "wp", "fu", "wf", "ffu"])
def test_rn_2_1_only_one_kind_and_several_only_of_hunters(text: str) -> None:
    assert refused(at_turn(hands=[text], wood=[20]), play(0, text)).rule == "RN-2.1"


@pytest.mark.parametrize("text", ["", "ffff"])
def test_rn_2_1_one_to_three_cards(text: str) -> None:
    assert refused(at_turn(hands=["fff"], wood=[20]), play(0, text)).rule == "RN-2.1"


def test_rn_2_1_only_what_one_holds() -> None:
    assert refused(at_turn(hands=["ffu"]), play(0, "g")).rule == "RN-2.1"
    assert refused(at_turn(hands=["ffu"]), play(0, "fff")).rule == "RN-2.1"


def test_rn_2_1_a_moai_costs_7_wood() -> None:
    ruling = refused(at_turn(hands=["mff"], wood=[6]), play(0, "m"))
    assert ruling.rule == "RN-2.1"
    assert ruling.because.facts["price"] == 7
    assert do(at_turn(hands=["mff"], wood=[7]), play(0, "m"))[0].wood[0] == 0


@pytest.mark.parametrize(("text", "price"), [("f", 0), ("ff", 1), ("fff", 2)])
def test_rn_2_2_more_hunters_at_once_cost_wood(text: str, price: int) -> None:
    state, _ = do(at_turn(hands=["fff"], wood=[price]), play(0, text))
    assert state.wood[0] == 0
    if price:
        assert refused(at_turn(hands=["fff"], wood=[price - 1]), play(0, text)).rule == "RN-2.2"


@pytest.mark.parametrize("text", ["w", "p", "f", "ff", "fff"])
def test_rn_2_3_nothing_else_happens_when_they_are_laid(text: str) -> None:
    state = at_turn(hands=["fff" if "f" in text else "wwp"], wood=[9])
    after, effects = do(state, play(0, text))
    assert after.step == "take"
    assert (after.fame, after.offerings, after.supply, after.stone) == (
        state.fame, state.offerings, state.supply, state.stone,
    )  # fmt: skip
    assert [effect.note.code for effect in effects] == ["laid_for" if len(text) > 1 else "laid"]


def test_rn_2_4_a_moai_is_followed_by_an_offering_round_before_drawing() -> None:
    state, effects = do(at_turn(hands=["mff"], wood=[7]), play(0, "m"))
    assert state.step == "offer"
    assert refused(state, take(0, 1)[0]).rule == "RN-0"
    assert told(effects, "built") == [{"seat": 0, "price": 7}]


def test_rn_2_5_the_others_offer_clockwise_from_the_left() -> None:
    state = at_turn(seat=2, hands=["fff", "fff", "mff"], wood=[0, 0, 7])
    asked = []
    state, _ = do(state, play(2, "m"))
    while state.step == "offer":
        asked.append(game.to_act(state))
        state, _ = do(state, game.legal(state, asked[-1][0])[0])  # type: ignore[arg-type]  # a seat
    assert asked == [(3,), (0,), (1,), (2,)]


def test_rn_2_5_nobody_offers_before_their_turn_or_twice() -> None:
    state, _ = do(at_turn(3, hands=["mff"], wood=[7]), play(0, "m"))
    assert [refused(state, offer(seat, "f")).rule for seat in (2, 0)] == ["RN-2.5", "RN-2.6"]
    state, _ = do(state, offer(1, "u"))
    assert refused(state, offer(1, "f")).rule == "RN-2.5"
    assert refused(state, take(0, 1)[0]).rule == "RN-0", "it is not yet time for that"
    assert refused(state, offer(TABLE, "f")).rule == "RN-0"  # type: ignore[arg-type]  # a record may say so


def test_rn_2_5_who_owns_no_card_is_passed_over() -> None:
    state, _ = do(at_turn(hands=["mff"], wood=[7], offerings=["f", "", "u", ""]), play(0, "m"))
    assert game.to_act(state) == (2,)
    state, _ = do(state, offer(2, "u"))
    assert game.to_act(state) == (0,)


def test_rn_2_5_everybody_offers_an_own_card() -> None:
    state, _ = do(at_turn(hands=["mff"], wood=[7], offerings=["f", "uu"]), play(0, "m"))
    assert refused(state, offer(1, "f")).rule == "RN-2.5"
    assert game.legal(state, 1) == (offer(1, "u"),)
    state, _ = do(state, offer(1, "u"))
    assert state.offerings[1] == offerings("u")
    assert state.stone == (MULBERRY,)


def test_rn_2_6_the_builder_hides_one_and_adds_one() -> None:
    state, _ = do(at_turn(2, hands=["mff"], wood=[7]), play(0, "m"), offer(1, "u"))
    assert game.verify(state, offer(0, "f")).rule == "RN-2.6"
    state, effects = do(state, offer(0, "f"))
    assert (state.step, state.face_down, game.to_act(state)) == ("offer_from_supply", True, (0,))
    assert told(game.view_effects(effects, 1), "on_stone") == []
    assert told(game.view_effects(effects, 0), "on_stone") == [{"offering": "fish"}]
    state, effects = do(state, add(0, "g"))
    assert (state.step, state.face_down, state.stone) == ("take", False, (MULBERRY, FISH, GRAIN))
    assert (state.supply[GRAIN], state.offerings[0]) == (22, offerings("usg"))
    assert told(game.view_effects(effects, 1), "on_stone") == [{"offering": "grain"}]


def test_rn_2_6_not_from_an_empty_stack_and_nothing_hidden_that_one_has_not() -> None:
    state = at_turn(2, hands=["mff"], wood=[7], offerings=["f", ""], supply="g")
    state, _ = do(state, play(0, "m"))
    assert refused(state, offer(0, "g")).rule == "RN-2.6"
    state, _ = do(state, offer(0, "f"))
    assert refused(state, add(0, "f")).rule == "RN-2.6"
    assert game.legal(state, 0) == (add(0, "g"),)


def test_rn_2_6_nothing_is_added_when_all_stacks_are_empty() -> None:
    state = at_turn(2, hands=["mff"], wood=[7], offerings=["f", "u"], supply="")
    state, _ = do(state, play(0, "m"), offer(1, "u"), offer(0, "f"))
    assert (state.step, state.face_down) == ("take", True)
    assert game.view(state, 0)["stone"] == game.view(state, 1)["stone"] == {"empty": False, "top": None}


def test_rn_2_7_only_the_top_of_the_stone_is_seen() -> None:
    state = at_turn(3, hands=["mff"], wood=[7])
    assert game.view(state, 0)["stone"] == {"empty": True, "top": None}
    tops = []
    for action in (play(0, "m"), offer(1, "u"), offer(2, "s"), offer(0, "f"), add(0, "g")):
        state, _ = do(state, action)
        tops.append([game.view(state, viewer)["stone"] for viewer in (None, 0, 1, 2)])
    assert all(views == [views[0]] * 4 for views in tops), "the builder does not see the hidden card again either"
    assert [views[0] for views in tops] == [
        {"empty": True, "top": None},
        {"empty": False, "top": "mulberry"},
        {"empty": False, "top": "sweet-potato"},
        {"empty": False, "top": None},
        {"empty": False, "top": "grain"},
    ]


def test_rn_2_7_what_was_seen_on_the_stone_is_for_memory() -> None:
    state = at_turn(2, hands=["mff"], wood=[7])
    for action in (play(0, "m"), offer(1, "u"), offer(0, "f"), add(0, "g")):
        state, effects = do(state, action)
        assert all(effect.memory for effect in effects if "offering" in effect.note.facts)


def test_rn_2_8_three_moais_and_no_wood() -> None:
    state = at_turn(hands=["mmm"], wood=[6])
    assert ReturnMoai(0) in game.legal(state, 0)
    after, effects = do(state, ReturnMoai(0))
    assert (after.step, after.hands[0], after.tableaus[0], after.wood[0]) == ("take", bag("mm"), bag("w"), 6)
    assert told(effects, "moai_returned") == [{"seat": 0}]
    after, _ = do(after, *take(0, 4))
    assert sum(after.hands[0]) == 3, "one card is drawn, and its scoring is as always"
    assert after.seat == 1


def test_rn_2_8_is_the_only_way_out_and_only_then() -> None:
    assert refused(at_turn(hands=["mmf"], wood=[0]), ReturnMoai(0)).rule == "RN-2.8"
    assert refused(at_turn(hands=["mmm"], wood=[7]), ReturnMoai(0)).rule == "RN-2.8"
    assert not any(isinstance(action, Play) for action in game.legal(at_turn(hands=["mmm"], wood=[6]), 0))
    assert game.legal(at_turn(hands=["mmm"], wood=[0], supply=""), 0) == (ReturnMoai(0),)


def test_amb_1_the_card_from_the_supply_is_a_must() -> None:
    state, _ = do(at_turn(2, hands=["mff"], wood=[7]), play(0, "m"), offer(1, "u"), offer(0, "f"))
    assert refused(state, add(0, None)).rule == "RN-2.6"
    assert add(0, None) not in game.legal(state, 0)


def test_amb_1_by_option_it_may_be_declined() -> None:
    state = at_turn(2, hands=["mff"], wood=[7], options={"extra_offering_optional": True})
    state, _ = do(state, play(0, "m"), offer(1, "u"), offer(0, "f"))
    assert add(0, None) in game.legal(state, 0)
    assert game.verify(state, add(0, None)).rule == "AMB-1"
    after, effects = do(state, add(0, None))
    assert (after.step, after.stone, after.face_down) == ("take", (MULBERRY, FISH), True)
    assert told(effects, "adds_nothing") == [{"seat": 0}]
    assert game.view(after, 1)["stone"] == {"empty": False, "top": None}
    assert do(state, add(0, "s"))[0].stone == (MULBERRY, FISH, POTATO)


def test_amb_2_a_builder_without_cards_still_adds_one() -> None:
    state = at_turn(2, hands=["mff"], wood=[7], offerings=["", "u"])
    state, _ = do(state, play(0, "m"), offer(1, "u"))
    assert (state.step, game.to_act(state), state.face_down) == ("offer_from_supply", (0,), False)
    assert game.view(state, None)["stone"]["top"] == "mulberry"


def test_amb_2_nobody_owns_a_card() -> None:
    state, effects = do(at_turn(2, hands=["mff"], wood=[7], offerings=["", ""]), play(0, "m"))
    assert (state.step, game.to_act(state)) == ("offer_from_supply", (0,))
    assert told(effects, "builder_owns_none") == [{"seat": 0}]
    state, _ = do(at_turn(2, hands=["mff"], wood=[7], offerings=["", ""], supply=""), play(0, "m"))
    assert state.step == "take"


def test_amb_8_buying_may_leave_too_little_for_a_moai() -> None:
    state, _ = do(at_turn(hands=["mmm"], wood=[11]), Buy(0, FISH))
    assert game.legal(state, 0) == (ReturnMoai(0),)
    state, _ = do(at_turn(hands=["mmm"], wood=[12]), Buy(0, FISH))
    assert game.legal(state, 0) == (play(0, "m"),), "with 7 wood it must be built"


def test_offering_none_is_no_offering_of_index_0() -> None:
    assert OfferFromSupply(0, None).data()["offering"] is None
    assert OfferFromSupply(0, FISH).data()["offering"] == "fish"
