"""The dice and the auction (GI-1.1 to GI-2.7, GI-A1, GI-A2)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.giants import game
from companion.games.giants.actions import Bid, Carve, Hands, Rongo
from companion.games.giants.auction import can_be_shared_out, choice_order
from companion.games.giants.state import State
from tests.games.giants.tables import (
    NOTHING,
    begun,
    codes,
    happened,
    in_phase,
    place,
    play,
    roll,
    rule_against,
    told,
)

RICH = {"workers": 4, "markers": 4}


def later(players: int = 3, **fields: Any) -> State:
    """Before the roll of round 2; everybody has 4 workers and 4 markers."""
    state = in_phase("end", players, turn=None, stocks=dict.fromkeys(range(players), RICH), **fields)
    return replace(state, round=1)


def auction(dice: tuple[int, ...], *bids: Hands, **fields: Any) -> State:
    state = play(later(len(bids), **fields), roll(*dice))
    return play(state, *(Bid(seat, hands) for seat, hands in enumerate(bids)))


def test_gi_1_1_the_dice_show_what_stands_in_the_quarry() -> None:
    state = play(later(4), roll(3, 0, 1, 3))
    assert (state.phase, state.round) == ("bid", 2)
    assert game.dump(state)["quarry"] == [3, 1, 3]
    assert game.dump(state)["supply"]["moais"] == {"1": 16, "2": 12, "3": 4}
    assert codes(happened(later(4), roll(3, 0, 1, 3))).count("block_broke") == 1
    assert codes(happened(later(), roll(0, 0, 0)))[-1] == "nothing_on_offer"


def test_gi_1_2_in_the_first_round_0_counts_1_and_3_counts_2() -> None:
    state = play(begun(4), roll(0, 1, 2, 3))
    assert game.dump(state)["quarry"] == [1, 1, 2, 2]
    assert state.round == 1
    assert play(later(4), roll(0, 1, 2, 3)).quarry == (1, 2, 3)


def test_gi_1_3_a_size_that_is_used_up_counts_as_broken() -> None:
    state = later(moais=(17, 0, 1))
    assert play(state, roll(2, 3, 3)).quarry == (3,)
    assert [facts["size"] for facts in told(happened(state, roll(2, 3, 3)), "size_used_up")] == [2, 3]


def test_gi_2_1_a_bid_is_any_markers_and_any_figures_behind_the_screen() -> None:
    state = play(later(), roll(1, 2, 3))
    for hands in (NOTHING, Hands(4, 4, 1, 1), Hands(0, 2, 1, 0), Hands(3, 0, 0, 0)):
        assert game.can(state, Bid(1, hands))
    assert rule_against(state, Bid(1, Hands(5, 0, 0, 0))) == ("GI-2.1", "bid_lacks_markers")
    assert rule_against(state, Bid(1, Hands(0, 5, 0, 0))) == ("GI-2.1", "bid_lacks_figures")
    assert rule_against(play(state, Bid(1, NOTHING)), Bid(1, NOTHING)) == ("GI-2.1", "has_bid")


def test_gi_2_1_bids_come_in_any_order_and_open_together() -> None:
    state = play(later(), roll(1, 2, 3))
    assert game.to_act(state) == (0, 1, 2)
    state = play(state, Bid(2, Hands(1, 1, 0, 0)))
    assert game.to_act(state) == (0, 1)
    assert game.dump(state)["bids"] == [None] * 3
    assert game.dump(state)["behind_screen"][2]["markers"] == 3, "what is bid has left the screen"
    effects = happened(state, Bid(0, NOTHING), Bid(1, NOTHING))
    assert told(effects, "bid_open")[2] == {
        "seat": 2,
        "markers": 1,
        "figures": {"worker": 1, "sorcerer": 0, "chief": 0},
    }
    after = play(state, Bid(0, NOTHING), Bid(1, NOTHING))
    assert game.dump(after)["bids"][2] == {"markers": 1, "workers": 1, "sorcerer": 0, "chief": 0}


@pytest.mark.parametrize(
    ("markers", "tablets", "first", "order"),
    [
        ((1, 3, 2), (0, 0, 0), 0, (1, 2, 0)),
        ((1, 1, 2), (0, 1, 0), 0, (2, 1, 0)),
        ((1, 1, 1), (0, 0, 0), 1, (1, 2, 0)),
        ((0, 0, 0), (2, 0, 2), 2, (2, 0, 1)),
    ],
)
def test_gi_2_2_markers_then_half_tablets_then_order_of_play(
    markers: tuple[int, ...], tablets: tuple[int, ...], first: int, order: tuple[int, ...]
) -> None:
    assert choice_order(markers, tablets, first) == order


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=5), st.integers(0, 2))
def test_gi_2_2_nobody_chooses_before_a_better_bid(bids: list[tuple[int, int]], first: int) -> None:
    order = choice_order([m for m, _ in bids], [t for _, t in bids], first)
    assert sorted(order) == list(range(len(bids)))
    ranked = [bids[seat] for seat in order]
    assert ranked == sorted(bids, reverse=True)


def test_gi_2_2_only_the_next_in_order_chooses() -> None:
    state = auction((1, 1, 2), Hands(0, 1, 0, 0), Hands(2, 2, 0, 0), Hands(1, 1, 0, 0))
    assert game.to_act(state) == (1,)
    assert rule_against(state, Carve(0, 1)) == ("GI-2.2", "another_chooses")
    assert game.to_act(play(state, Carve(1, 2))) == (2,)


def test_gi_2_3_a_moai_takes_as_many_unused_sculptors_as_its_size() -> None:
    state = auction((1, 2, 3), Hands(1, 1, 1, 0), NOTHING, NOTHING)
    assert [action.size for action in game.legal(state, 0)] == [1, 2, None]
    assert rule_against(state, Carve(0, 3)) == ("GI-2.3", "too_few_sculptors")
    assert rule_against(auction((1, 1, 1), Hands(1, 1, 1, 1), NOTHING, NOTHING), Carve(0, 3))[0] == "GI-2.3"
    taken = play(state, Carve(0, 2))
    assert game.dump(taken)["pieces"] == {
        "moai-1": {"kind": "moai", "size": 2, "hex": None, "ahu": None, "before": 0, "marker": None}
    }


def test_gi_2_3_a_chief_counts_3() -> None:
    state = auction((1, 2, 3), Hands(0, 0, 0, 1), NOTHING, NOTHING)
    assert [action.size for action in game.legal(state, 0)] == [1, 2, 3, None]


def test_gi_2_4_markers_alone_win_nothing() -> None:
    state = auction((1, 1, 1), Hands(4, 0, 0, 0), Hands(0, 1, 0, 0), NOTHING)
    assert game.to_act(state) == (1,)
    before = play(later(), roll(1, 1, 1), Bid(0, Hands(4, 0, 0, 0)), Bid(1, NOTHING))
    assert told(happened(before, Bid(2, NOTHING)), "markers_alone") == [{"seat": 0}]


def test_gi_2_5_who_has_sculptors_left_may_take_more() -> None:
    state = auction((1, 1, 2), Hands(2, 3, 0, 0), Hands(1, 1, 0, 0), NOTHING)
    state = play(state, Carve(0, 2))
    assert game.to_act(state) == (1,), "first everybody has had a choice"
    state = play(state, Carve(1, 1))
    assert game.to_act(state) == (0,)
    assert game.verify(state, Carve(0, 1)).rule == "GI-2.5"
    state = play(state, Carve(0, 1))
    assert [(p.id, p.before, p.size) for p in state.pieces] == [("moai-1", 0, 2), ("moai-2", 1, 1), ("moai-3", 0, 1)]
    assert state.phase == "place"


def test_gi_2_6_what_was_bid_is_gone_for_the_round() -> None:
    state = auction((0, 0, 0), Hands(4, 1, 0, 1), NOTHING, NOTHING)
    assert game.dump(state)["behind_screen"][0] == {
        "workers": 3,
        "sorcerer": 1,
        "chief": 0,
        "markers": 0,
        "logs": 0,
        "bases": 7,
    }
    assert rule_against(state, place(0, "chief", "a")) == ("GI-2.6", "figure_was_bid")
    assert rule_against(state, Rongo(0)) == ("GI-2.6", "markers_were_bid")
    assert game.can(state, place(0, "worker", "a"))


def test_gi_2_7_what_nobody_takes_goes_back_to_the_box() -> None:
    state = auction((2, 2, 3), Hands(0, 1, 0, 0), NOTHING, NOTHING)
    assert state.phase == "place"
    assert state.moais == (17, 12, 6)
    assert state.quarry == ()
    before = play(later(), roll(2, 2, 3), Bid(0, NOTHING), Bid(1, NOTHING))
    assert told(happened(before, Bid(2, NOTHING)), "unclaimed") == [{"sizes": [2, 2, 3]}]


@pytest.mark.parametrize(
    ("sizes", "hands", "possible"),
    [
        ((1, 2), Hands(0, 0, 0, 1), False),
        ((1, 2), Hands(0, 1, 0, 1), True),
        ((2, 2), Hands(0, 1, 0, 1), False),
        ((3, 3), Hands(0, 2, 1, 1), True),
        ((1, 1, 1), Hands(0, 1, 1, 1), True),
        ((3,), Hands(0, 2, 0, 0), False),
        ((), NOTHING, True),
    ],
)
def test_gi_a1_a_chief_helps_one_moai_only(sizes: tuple[int, ...], hands: Hands, possible: bool) -> None:
    assert can_be_shared_out(sizes, hands) is possible


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), max_size=3), st.integers(0, 3), st.integers(0, 1), st.integers(0, 1))
def test_gi_a1_sharing_out_is_what_trying_every_way_finds(
    sizes: list[int], workers: int, sorcerer: int, chief: int
) -> None:
    """Each figure goes to one of the Moais, or to none."""
    strengths = [1] * (workers + sorcerer) + [3] * chief
    ways = product(range(len(sizes) + 1), repeat=len(strengths))
    possible = any(
        all(sum(s for s, to in zip(strengths, way, strict=True) if to == at) >= size for at, size in enumerate(sizes))
        for way in ways
    )
    assert can_be_shared_out(sizes, Hands(0, workers, sorcerer, chief)) is possible


def test_gi_a1_the_order_of_taking_does_not_bind_the_chief() -> None:
    state = auction((1, 3, 0), Hands(0, 1, 0, 1), NOTHING, NOTHING)
    state = play(state, Carve(0, 1))
    assert [action.size for action in game.legal(state, 0)] == [3, None], "the worker did the small one"


def test_gi_a2_passes_repeat_until_nobody_can_and_declining_is_for_good() -> None:
    state = auction((1, 1, 1, 1, 1), Hands(2, 3, 0, 0), Hands(1, 2, 0, 0), NOTHING, NOTHING, NOTHING)
    chosen = []
    while state.phase == "carve":
        chosen.append(state.turn)
        state = play(state, Carve(state.turn, None if chosen == [0, 1, 0, 1] else 1))
    assert chosen == [0, 1, 0, 1, 0]
    declined = auction((1, 1, 1), Hands(1, 2, 0, 0), Hands(0, 1, 0, 0), NOTHING)
    declined = play(declined, Carve(0, None))
    assert game.to_act(declined) == (1,)
    after = play(declined, Carve(1, 1))
    assert after.phase == "place", "who declined is not asked again"
    assert after.moais[0] == 16
