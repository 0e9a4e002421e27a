"""The worked examples of the book: RN-T1 to RN-T9 (RN-T10 to RN-T12 are about the end).

Seats are in turn order of the German book: Arne, Stefan, Patrick, Sandra.
"""

from __future__ import annotations

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Buy, Refill
from companion.games.rapa_nui.verdict import price
from tests.games.rapa_nui.tables import (
    FISH,
    GRAIN,
    GRAIN_HUNTER,
    MULBERRY,
    POTATO,
    add,
    at_turn,
    cards,
    do,
    incomes,
    offer,
    play,
    scored,
    stone,
    take,
    told,
)

ARNE, STEFAN, PATRICK, SANDRA = range(4)


def test_rn_t1_sandras_prices() -> None:
    state = at_turn(seat=SANDRA, wood=[0, 0, 0, 7], tableaus=["w", "w", "w", "wugg"])
    assert {sort: price(state, SANDRA, sort) for sort in (MULBERRY, GRAIN, FISH, POTATO)} == {
        MULBERRY: 4, GRAIN: 3, FISH: 5, POTATO: 5,
    }  # fmt: skip
    assert [do(state, Buy(SANDRA, sort))[0].wood[SANDRA] for sort in range(4)] == [2, 3, 2, 4]
    assert game.can(state, play(SANDRA, "f")), "buying is optional"


def test_rn_t2_arnes_offering_round() -> None:
    state = at_turn(hands=["mff"], wood=[7])
    state, _ = do(state, play(ARNE, "m"))
    state, _ = do(state, offer(STEFAN, "s"), offer(PATRICK, "g"), offer(SANDRA, "g"), offer(ARNE, "f"), add(ARNE, "u"))
    assert state.stone == stone("sggfu")
    assert [game.view(state, viewer)["stone"]["top"] for viewer in (None, ARNE, SANDRA)] == ["mulberry"] * 3


def test_rn_t3_stefan_lays_two_more_fish() -> None:
    state = at_turn(seat=STEFAN, hands=["ppp", "ffu"], tableaus=["w", "wf"], wood=[0, 1])
    assert do(state, play(STEFAN, "ff"))[0].wood[STEFAN] == 0


def test_rn_t4_the_moai_below_the_grain_is_scored() -> None:
    state = at_turn(seat=STEFAN, hands=["ppp", "fup"], columns=["wwww", "wwmg", "wwww", "wwww"])
    state, effects = do(state, play(STEFAN, "f"), *take(STEFAN, 2))
    assert told(effects, "scored") == [{"card": "moai"}]


def test_rn_t5_the_refill_lays_a_woodcutter_bare() -> None:
    state = at_turn(seat=PATRICK, hands=["ppp", "ppp", "ffg"], wood=[2, 3, 4], columns=["wwwm", "p", "wwww", "wwww"])
    state, _ = do(state, play(PATRICK, "ff"), *take(PATRICK, 1, 2))
    state, effects = do(state, Refill(TABLE, 2, cards("pmpw")))
    assert told(effects, "scored") == [{"card": "woodcutter"}]


def test_rn_t6_woodcutters() -> None:
    before = at_turn(wood=[1, 1, 1, 1], hands=["fff"], tableaus=["w", "ww", "w", "w"], columns=["wwww"] * 4)
    state, _ = do(before, play(ARNE, "f"), *take(ARNE, 1))
    assert state.wood == (2, 4, 2, 2)


def test_rn_t7_one_priest_brings_no_bonus() -> None:
    assert scored("p", tableaus=["w", "w", "wp", "w"]).fame == (0, 0, 1, 0)


def test_rn_t8_moais_for_fame_or_wood() -> None:
    state = scored("m", tableaus=["wmm", "w", "w", "wm"])
    fame, _ = do(state, *incomes((ARNE, "fame"), (SANDRA, "fame")))
    wood, _ = do(state, *incomes((ARNE, "wood"), (SANDRA, "wood")))
    assert (fame.fame, fame.wood) == ((3, 0, 0, 1), state.wood)
    assert wood.fame == state.fame
    assert [now - had for now, had in zip(wood.wood, state.wood, strict=True)] == [3, 0, 0, 1]


def test_rn_t9_two_with_two_hunters_get_no_bonus() -> None:
    state = scored("g", tableaus=["w", "w", "wgg", "wgg"])
    assert [own[GRAIN] for own in state.offerings] == [1, 1, 2, 2]
    assert state.tableaus[PATRICK][GRAIN_HUNTER] == 2
