"""Drawing and scoring: RN-3.1 to RN-3.11, AMB-3, AMB-4, AMB-10."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Refill, Substitute
from companion.games.rapa_nui.scoring import majority, yields
from tests.games.rapa_nui.tables import (
    FISH,
    GRAIN,
    GRAIN_HUNTER,
    MOAI,
    POTATO,
    PRIEST,
    WOODCUTTER,
    at_turn,
    bag,
    cards,
    do,
    incomes,
    offerings,
    play,
    refused,
    scored,
    take,
    told,
)


def test_rn_3_1_one_card_at_a_time_from_any_column_until_there_are_three() -> None:
    state = at_turn(hands=["fff"], wood=[2], columns=["wwww", "wwpp", "wwwf", "wwww"])
    state, _ = do(state, play(0, "fff"))
    for column, hand in ((2, "p"), (2, "pp"), (3, "ppf")):
        assert state.step == "take"
        assert game.legal(state, 0) == tuple(take(0, 1, 2, 3, 4)), "each time any column"
        state, _ = do(state, *take(0, column))
        assert state.hands[0] == bag(hand)
    assert (state.seat, state.step) == (1, "buy")


def test_rn_3_2_an_emptied_column_is_refilled_at_once() -> None:
    state = at_turn(hands=["fff"], wood=[2], columns=["wwww", "p", "wwww", "wwww"])
    state, _ = do(state, play(0, "fff"), *take(0, 2))
    assert (state.step, game.to_act(state)) == ("refill", (TABLE,))
    assert refused(state, take(0, 1)[0]).rule == "RN-0"
    state, _ = do(state, Refill(TABLE, 2, cards("wpmf")))
    assert (state.step, state.pile) == ("take", 30)
    state, _ = do(state, *take(0, 2))
    assert state.hands[0] == bag("pf"), "the fourth card laid is the front one"


@pytest.mark.parametrize(("column", "text"), [(1, "wpmf"), (2, "wpm"), (2, "wpmfu"), (2, "")])
def test_rn_3_2_other_refills_are_refused(column: int, text: str) -> None:
    state, _ = do(at_turn(columns=["wwww", "p", "wwww", "wwww"]), play(0, "f"), *take(0, 2))
    assert refused(state, Refill(TABLE, column, cards(text))).rule == "RN-3.2"


def test_rn_3_3_the_last_draw_decides_what_is_scored() -> None:
    state = at_turn(2, hands=["fff"], wood=[1], tableaus=["wpp"], columns=["wwpm", "wwww", "wwww", "wwpp"])
    state, effects = do(state, play(0, "ff"), *take(0, 4, 2))
    assert told(effects, "scored") == [{"card": "woodcutter"}]
    assert state.wood == (1 - 1 + 1, 3 + 1)
    assert state.fame == (0, 0), "the priest laid bare by the first draw is not scored"


def test_rn_3_3_fourth_card_of_a_refill_scores() -> None:
    state = at_turn(2, tableaus=["wpp"], columns=["wwww", "m", "wwww", "wwww"])
    state, _ = do(state, play(0, "f"), *take(0, 2))
    state, effects = do(state, Refill(TABLE, 2, cards("wwwp")))
    assert told(effects, "scored") == [{"card": "priest"}]
    assert state.fame == (3, 0)


def test_rn_3_3_a_refill_before_the_last_draw_scores_nothing() -> None:
    state = at_turn(2, hands=["fff"], wood=[1], columns=["wwww", "m", "wwpp", "wwww"])
    state, _ = do(state, play(0, "ff"), *take(0, 2), Refill(TABLE, 2, cards("pppp")))
    assert (state.step, state.fame, state.wood) == ("take", (0, 0), (0, 3))


def test_rn_3_4_all_players_are_scored() -> None:
    state = scored("p", tableaus=["wp", "wpp", "w", "wp"])
    assert state.fame == (1, 3, 0, 1)


@pytest.mark.parametrize(
    ("counts", "earned"),
    [((2, 1, 1, 1), [3, 1, 1, 1]), ((2, 2, 1, 1), [2, 2, 1, 1]), ((3, 2), [4, 2]), ((1, 1), [1, 1]), ((4, 4), [4, 4])],
)
def test_rn_3_5_woodcutters_bring_wood(counts: tuple[int, ...], earned: list[int]) -> None:
    laid = ["w" * (count - 1) if seat == 0 else "w" * count for seat, count in enumerate(counts)]
    before = at_turn(len(counts)).wood
    state = scored("w", len(counts), tableaus=laid)  # seat 0 lays one more
    assert [after - had for after, had in zip(state.wood, before, strict=True)] == earned


@pytest.mark.parametrize(("counts", "earned"), [((1, 0, 0), [1, 0, 0]), ((2, 1, 1), [3, 1, 1]), ((3, 3, 0), [3, 3, 0])])
def test_rn_3_6_priests_bring_fame(counts: tuple[int, ...], earned: list[int]) -> None:
    assert list(scored("p", 3, tableaus=["p" * count for count in counts]).fame) == earned


def test_rn_3_7_moais_bring_wood_or_fame_but_not_both() -> None:
    state = scored("m", tableaus=["wm", "wmm", "w", "w"])
    assert (state.step, game.to_act(state)) == ("income", (0,))
    assert game.legal(state, 0) == tuple(incomes((0, "wood"), (0, "fame")))
    state, _ = do(state, *incomes((0, "wood"), (1, "fame")))
    assert (state.wood, state.fame) == ((3, 3, 4, 5), (0, 3, 0, 0))
    assert (state.seat, state.step) == (1, "buy")


def test_rn_3_7_nobody_is_asked_who_has_none() -> None:
    state = scored("m", tableaus=["w", "w", "wm", "w"])
    assert game.to_act(state) == (2,)
    state, effects = do(state, *incomes((2, "fame")))
    assert told(effects, "gains_fame") == [{"seat": 2, "count": 1}]
    assert scored("m").step == "buy", "and if nobody has one, the turn is over"


def test_rn_3_8_hunters_bring_one_card_however_many() -> None:
    state = scored("g", tableaus=["wg", "wggg", "wggg", "w"])
    assert [own[GRAIN] for own in state.offerings] == [2, 2, 2, 1]
    assert state.supply[GRAIN] == 21 - 3


def test_rn_3_8_the_majority_is_of_this_sort_only() -> None:
    """The Dutch text leaves "of this sort" out; other hunters must not count."""
    state = scored("g", 2, tableaus=["wgg", "wgfffff"])
    assert [own[GRAIN] for own in state.offerings] == [3, 2]


def test_rn_3_9_the_player_who_drew_takes_first() -> None:
    """Two cards are left for three players: seat 1 is last, since seat 2 drew."""
    state = at_turn(
        3, seat=2, hands=["ppp", "ppp", "wpp"], tableaus=["wg", "wg", "wg"], supply="gg",
        columns=["wwgp", "wwww", "wwww", "wwww"],
    )  # fmt: skip
    state, _ = do(state, play(2, "w"), *take(2, 1))
    assert [own[GRAIN] for own in state.offerings] == [2, 1, 2]
    assert (state.step, state.seat) == ("buy", 0), "no stack is left to take another sort from"


def test_rn_3_9_nobody_takes_another_sort_before_their_turn() -> None:
    state = scored("g", 3, tableaus=["wgg", "wg", "wg"], supply="gfs")
    assert refused(state, Substitute(1, FISH)).rule == "RN-3.9"
    assert refused(state, take(0, 1)[0]).rule == "RN-0"


def test_rn_3_10_another_sort_for_each_missing_card() -> None:
    state = scored("g", 3, tableaus=["wgg", "wg", "wg"], supply="gfs")
    assert (state.step, game.to_act(state)) == ("substitute", (0,))
    assert game.legal(state, 0) == (Substitute(0, FISH), Substitute(0, POTATO), Substitute(0, None))
    assert refused(state, Substitute(0, GRAIN)).rule == "RN-3.10"
    state, _ = do(state, Substitute(0, FISH))
    assert state.offerings[0] == offerings("ffusgg")
    assert game.to_act(state) == (1,)
    assert refused(state, Substitute(1, FISH)).rule == "RN-3.10"
    state, _ = do(state, Substitute(1, POTATO))
    assert (state.step, state.seat) == ("buy", 1), "nothing is left for seat 2"


def test_rn_3_10_each_substitute_may_be_of_another_sort() -> None:
    state = scored("g", 2, tableaus=["wgg", "w"], supply="fs")
    assert game.to_act(state) == (0,)
    state, _ = do(state, Substitute(0, FISH))
    assert game.to_act(state) == (0,)
    state, _ = do(state, Substitute(0, POTATO))
    assert state.offerings[0] == offerings("ffussg")


def test_rn_3_11_then_the_next_player_clockwise() -> None:
    for seat in range(3):
        state = at_turn(3, seat=seat, columns=["wwww"] * 4)
        state, _ = do(state, play(seat, "f"), *take(seat, 1))
        assert (state.seat, state.step) == ((seat + 1) % 3, "buy")


def test_amb_3_who_drew_chooses_first_then_clockwise() -> None:
    state = at_turn(4, seat=2, hands=["fff"] * 4, tableaus=["m", "m", "m", "m"], columns=["wwmp"] * 4)
    state, _ = do(state, play(2, "f"), *take(2, 1))
    asked = []
    while state.step == "income":
        asked.append(state.asked[0])
        state, _ = do(state, *incomes((asked[-1], "fame")))
    assert asked == [2, 3, 0, 1]


def test_amb_4_a_substitute_may_be_declined() -> None:
    state = scored("g", 2, tableaus=["wgg", "w"], supply="gf")
    assert [own[GRAIN] for own in state.offerings] == [2, 1], "the last grain first, then a substitute"
    assert game.to_act(state) == (0,)
    after, effects = do(state, Substitute(0, None))
    assert told(effects, "substitute_declined") == [{"seat": 0}]
    assert (after.offerings, after.supply, after.step) == (state.offerings, state.supply, "buy")


def test_amb_4_each_takes_all_at_once() -> None:
    """Two grain are left: seat 0 takes both with its bonus, before seat 1 has any."""
    state = scored("g", 2, tableaus=["wgg", "wg"], supply="ggf")
    assert [own[GRAIN] for own in state.offerings] == [3, 1]
    assert game.to_act(state) == (1,)


def test_amb_10_no_bonus_below_two() -> None:
    assert majority((0, 0, 0)) is None
    assert majority((1, 0, 0)) is None
    assert yields(MOAI, (1, 0)) == [1, 0]


@given(st.integers(0, 6), st.lists(st.integers(0, 9), min_size=2, max_size=4))
def test_yields_by_any_counts(card: int, counts: list[int]) -> None:
    earned = yields(card, counts)
    flat = [min(count, 1) for count in counts] if card >= 3 else counts
    extra = [got - due for got, due in zip(earned, flat, strict=True)]
    assert sum(extra) in (0, 1)
    if sum(extra):
        best = extra.index(1)
        assert counts[best] >= 2
        assert all(count < counts[best] for seat, count in enumerate(counts) if seat != best)
    else:
        assert max(counts) < 2 or counts.count(max(counts)) > 1


def test_hunters_scored_are_for_memory() -> None:
    """The sort that was handed out would tell what lies face down before the others."""
    state = at_turn(2, hands=["wpp"], tableaus=["wg", "w"], columns=["wwgp", "wwww", "wwww", "wwww"])
    _, effects = do(state, play(0, "w"), *take(0, 1))
    assert [effect.memory for effect in effects if effect.note.code == "scored"] == [True]
    assert all(effect.memory for effect in effects if "grain" in str(effect.note.facts))
    assert (WOODCUTTER, PRIEST, GRAIN_HUNTER) == (0, 1, 6)
