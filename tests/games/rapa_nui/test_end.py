"""The end of the game: RN-E1 to RN-E5, AMB-6, AMB-9, RN-T10 to RN-T12."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import TABLE
from companion.games.rapa_nui import game
from companion.games.rapa_nui.actions import Refill
from companion.games.rapa_nui.scoring import values
from companion.games.rapa_nui.state import State
from tests.games.rapa_nui.tables import at_turn, bag, cards, do, offerings, play, refused, stone, take, told


def nearly_over(players: int = 2, **told: object) -> State:
    """Column 2 has its last card, the pile two."""
    told.setdefault("hands", ["fff", "fff"])
    return at_turn(players, columns=["wwww", "p", "wwww", "wwww"], pile=2, wood=[9, 9], **told)


def test_rn_e1_the_game_ends_at_once_when_the_pile_runs_out() -> None:
    state, _ = do(nearly_over(tableaus=["wp", "w"]), play(0, "fff"), *take(0, 2))
    assert refused(state, Refill(TABLE, 2, cards("pppp"))).rule == "RN-3.2"
    state, effects = do(state, Refill(TABLE, 2, cards("wp")))
    assert (state.step, game.to_act(state), state.seat) == ("over", (), 0)
    assert told(effects, "pile_empty") == [{}]
    assert sum(state.hands[0]) == 1, "draws still owed are not made"
    assert state.fame == (0, 0), "the priest laid bare is not scored"
    assert not any(game.legal(state, seat) for seat in range(2))


def test_rn_e1_a_pile_that_just_suffices_ends_it_too() -> None:
    state, _ = do(replace(nearly_over(), pile=4), play(0, "f"), *take(0, 2), Refill(TABLE, 2, cards("wpwp")))
    assert state.step == "over"
    state, _ = do(replace(nearly_over(), pile=5), play(0, "f"), *take(0, 2), Refill(TABLE, 2, cards("wpww")))
    assert (state.step, state.pile) == ("buy", 1)


def test_rn_e1_nothing_is_allowed_afterwards() -> None:
    state, _ = do(nearly_over(), play(0, "f"), *take(0, 2), Refill(TABLE, 2, cards("wp")))
    for action in (play(1, "f"), *take(0, 1), Refill(TABLE, 2, ())):
        assert refused(state, action).rule == "RN-E1"


def test_rn_e2_what_counts() -> None:
    state = at_turn(2, tableaus=["wmm"], fame=[7, 0], wood=[14, 4], offerings=["ffug", ""], stone="fffuu")
    one, other = game.scores(state)
    assert dict(one.parts) == {"fame": 7, "moai": 8, "wood": 2, "offerings": 3 + 3 + 2 + 1}
    assert one.total == 26
    assert (other.total, dict(other.parts)) == (0, {"fame": 0, "moai": 0, "wood": 0, "offerings": 0})


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((4, 3, 2, 1), (3, 2, 1, 0)),
        ((5, 3, 2, 1), (3, 2, 1, 0)),
        ((5, 3, 3, 1), (3, 2, 2, 1)),
        ((5, 3, 1, 1), (3, 2, 1, 1)),
        ((4, 4, 4, 1), (3, 3, 3, 2)),
        ((4, 1, 1, 1), (3, 2, 2, 2)),
        ((3, 3, 1, 1), (3, 3, 2, 2)),
        ((2, 2, 2, 2), (3, 3, 3, 3)),
        ((1, 5, 2, 3), (0, 3, 1, 2)),
    ],
)
def test_rn_e3_values_by_how_often_a_sort_was_offered(counts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    laid = [sort for sort, count in enumerate(counts) for _ in range(count)]
    assert values(laid) == expected
    assert values(laid[::-1]) == expected


def test_rn_e4_an_empty_stone_makes_offerings_worth_nothing() -> None:
    assert values([]) == (0, 0, 0, 0)
    state, _ = do(nearly_over(), play(0, "f"), *take(0, 2))
    state, effects = do(state, Refill(TABLE, 2, cards("wp")))
    assert told(effects, "nothing_offered") == [{}]
    assert all(score.parts["offerings"] == 0 for score in game.scores(state))


def test_rn_e5_most_fame_wins() -> None:
    assert game.ranking(at_turn(3, fame=[3, 9, 5], wood=[0, 0, 0])) == ((1,), (2,), (0,))


def test_rn_e5_then_moais_then_wood_then_the_place_is_shared() -> None:
    tied = at_turn(3, fame=[4, 0, 4], tableaus=["w", "wm", "w"], wood=[0, 0, 4])
    assert [score.total for score in game.scores(tied)] == [4, 4, 4]
    assert game.ranking(tied) == ((1,), (2,), (0,))
    shared = at_turn(3, fame=[4, 4, 1], wood=[2, 2, 2])
    assert game.ranking(shared) == ((0, 1), (2,))


def test_rn_e5_a_shared_victory_is_told() -> None:
    state = nearly_over(fame=[4, 4], tableaus=["w", "w"])
    state, effects = do(replace(state, wood=(9, 9)), play(0, "f"), *take(0, 2), Refill(TABLE, 2, cards("wp")))
    assert told(effects, "shared_victory") == [{"seats": (0, 1), "points": 5}]


@pytest.mark.parametrize(("counts", "expected"), [((4, 2, 0, 0), (3, 2, 1, 1)), ((3, 0, 0, 0), (3, 2, 2, 2))])
def test_amb_6_a_sort_never_offered_is_ranked_too(counts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert values([sort for sort, count in enumerate(counts) for _ in range(count)]) == expected


def test_amb_9_all_wood_breaks_a_tie() -> None:
    """9 wood and 5 fame are 6 points, like 10 wood and 4 fame: the remainder of 4 must not win over 10."""
    tied = at_turn(2, fame=[5, 4], wood=[9, 10])
    assert [score.total for score in game.scores(tied)] == [6, 6]
    assert game.ranking(tied) == ((1,), (0,))


def test_rn_t10_the_example_of_values() -> None:
    laid = stone("g" * 4 + "u" * 4 + "f" * 2 + "s")
    assert dict(zip("fusg", values(laid), strict=True)) == {"g": 3, "u": 3, "f": 2, "s": 1}


def test_rn_t11_sandras_offerings_are_worth_16() -> None:
    state = at_turn(2, offerings=["ggufffs"], stone="g" * 4 + "u" * 4 + "f" * 2 + "s")
    assert game.scores(state)[0].parts["offerings"] == 16


def test_rn_t12_stefans_offerings_are_worth_15() -> None:
    state = at_turn(2, offerings=["ufffffss"], stone="g" * 4 + "u" * 4 + "f" * 2 + "s")
    assert game.scores(state)[0].parts["offerings"] == 15


@given(st.lists(st.integers(0, 3), min_size=1, max_size=45))
def test_values_rank_densely(laid: list[int]) -> None:
    worth = values(laid)
    counts = [laid.count(sort) for sort in range(4)]
    assert worth[counts.index(max(counts))] == 3
    assert sorted(set(worth), reverse=True) == list(range(3, 3 - len(set(counts)), -1)), "no value is left out"
    for one in range(4):
        for other in range(4):
            assert (counts[one] > counts[other]) == (worth[one] > worth[other])


def test_when_it_is_over_everything_is_shown() -> None:
    state = nearly_over(hands=["fff", "uuu"], offerings=["ff", "us"], stone="fug")
    state, _ = do(state, play(0, "f"), *take(0, 2), Refill(TABLE, 2, cards("wp")))
    view = game.view(state, None)
    assert view["offerings"] == game.dump(state)["offerings"]
    assert view["hands"] == game.dump(state)["hands"]
    assert view["stone"]["cards"] == ["fish", "mulberry", "grain"]
    assert view["stone"]["values"] == {"fish": 3, "mulberry": 3, "sweet-potato": 2, "grain": 3}
    assert view["scores"] == [score.data() for score in game.scores(state)]
    assert (offerings("ff"), bag("uuu")) == (state.offerings[0], state.hands[1])
