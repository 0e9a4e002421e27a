"""How a game begins, and whose turn it is (GI-S1 to GI-S6, GI-0, GI-R0)."""

from __future__ import annotations

import random

import pytest

from companion.games.game import Malformed
from companion.games.giants import game
from companion.games.giants.actions import Bid, Carve, Pass, Rongo
from companion.games.giants.box import Dealer, box
from tests.games.giants.tables import NOTHING, begun, in_phase, moai, move, place, play, roll, rule_against


@pytest.mark.parametrize(("fast", "workers"), [(False, 1), (True, 2)])
def test_gi_s1_everybody_begins_with_the_same_few_things(fast: bool, workers: int) -> None:
    for stock in game.dump(begun(4, fast=fast))["behind_screen"]:
        assert stock == {"workers": workers, "sorcerer": 1, "chief": 1, "markers": 2, "logs": 0, "bases": 6}


@pytest.mark.parametrize(("players", "bases"), [(3, 7), (4, 6), (5, 5)])
def test_gi_s2_bases_by_number_of_players(players: int, bases: int) -> None:
    state = game.dump(begun(players))
    assert [stock["bases"] for stock in state["behind_screen"]] == [bases] * players
    assert state["prestige"] == [0] * players


@pytest.mark.parametrize(("fast", "workers"), [(False, 5), (True, 4)])
def test_gi_s3_all_other_figures_and_markers_are_in_the_container(fast: bool, workers: int) -> None:
    assert begun(3, fast=fast).container == ((workers, 4),) * 3


@pytest.mark.parametrize("players", [3, 4, 5])
def test_gi_s4_as_many_dice_as_players(players: int) -> None:
    state = begun(players)
    rolled = Dealer(random.Random(1)).act(state)
    assert len(rolled.arguments()["dice"]) == players
    assert game.can(state, rolled)
    assert rule_against(state, roll(*[1] * (players + 1))) == ("GI-1.1", "one_die_each")
    with pytest.raises(Malformed):
        game.read(state, {"by": "table", "do": "roll", "dice": [1] * (players - 1)})


def test_gi_s5_supplies_and_forests_lie_ready() -> None:
    state = game.dump(game.start(3, {}))
    assert state["supply"] == {
        "moais": {"1": 17, "2": 12, "3": 6},
        "headdresses": 14,
        "logs": 27,
        "half_tablets": 30,
    }
    assert state["pieces"] == {}
    assert state["quarry"] == []
    forests = [hex_ for hex_ in game.start(3, {}).board.hexes if hex_.kind == "forest"]
    assert len(forests) == 7
    assert all(forest.logs for forest in forests)
    assert not game.start(3, {}).felled


def test_gi_s6_the_start_player_is_seat_0() -> None:
    assert game.dump(begun(5))["start"] == 0


def test_gi_0_each_deed_belongs_to_its_phase_and_turn() -> None:
    first = begun()
    assert rule_against(first, Bid(0, NOTHING)) == ("GI-0", "another_phase")
    assert game.to_act(first) == ("table",)
    placing = in_phase("place", turn=1)
    assert rule_against(placing, Carve(1, 1)) == ("GI-0", "another_phase")
    assert rule_against(placing, place(0, "worker", "a")) == ("GI-0", "not_their_turn")
    assert rule_against(placing, roll(1, 1, 1)) == ("GI-0", "another_phase")
    assert rule_against(in_phase("transport"), move(1, "moai-1", "")) == ("GI-0", "not_their_turn")


def test_gi_0_only_the_table_rolls_and_it_does_nothing_else() -> None:
    assert rule_against(begun(), type(roll())(1, (1, 1, 1))) == ("GI-0", "not_theirs_to_do")
    assert rule_against(in_phase("place"), Pass("table")) == ("GI-0", "not_theirs_to_do")


def test_gi_r0_placing_and_transport_go_clockwise_from_the_start_player() -> None:
    state = in_phase("place", turn=1, start=1)
    order = []
    while state.phase == "place":
        order.append(state.turn)
        state = play(state, place(state.turn, "worker", "a") if len(order) <= 3 else Pass(state.turn))
    assert order == [1, 2, 0, 1, 2, 0]
    assert (state.phase, state.turn) == ("transport", 1)


def test_gi_r0_the_last_one_left_may_go_on_alone() -> None:
    state = play(in_phase("place"), place(0, "worker", "a"), Pass(1), Pass(2))
    state = play(state, place(0, "sorcerer", "b"), place(0, "chief", "c"), Rongo(0))
    assert state.phase == "place"
    assert game.to_act(play(state)) == (0,)
    moving = in_phase("transport", pieces=[moai(1, 1, "q", marker=0)], figures={"a": "0w", "b": "0w"})
    moving = play(moving, move(0, "moai-1", "a: 0w"), Pass(1), Pass(2))
    assert game.to_act(play(moving, move(0, "moai-1", "b: 0w"))) == (0,)


def test_gi_r0_a_turn_with_a_piece_does_something() -> None:
    state = in_phase("transport", pieces=[moai(1, 1, "a", marker=0)])
    assert rule_against(state, move(0, "moai-1", "")) == ("GI-R0", "nothing_moved")


def test_the_box_is_counted_once() -> None:
    assert sum(box().moais) == 35
    assert box().bases == {3: 7, 4: 6, 5: 5}
