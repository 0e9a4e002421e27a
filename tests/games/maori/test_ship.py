"""The order of a turn, and the ship: MA-0, MA-S1, MA-1.1, MA-1.2, MA-A4, MA-A9, MA-A12."""

from __future__ import annotations

import pytest

from companion.games.game import TABLE, Malformed
from companion.games.maori import game
from companion.games.maori.actions import LayDisplay, Nothing, PlaceStored, Refill, Remove, Sail, Take
from companion.games.maori.state import LINES
from tests.games.maori.tables import BOARD, CATALOGUE, LAND, PLAIN, at_sea, at_take, do, refused, store, told

LAY = LayDisplay(TABLE, PLAIN, 5)


def test_ma_0_the_display_then_the_ship_then_a_tile_then_a_refill() -> None:
    state = game.start(2, {"catalogue": CATALOGUE, "board": BOARD})
    assert [refused(state, action).rule for action in (Sail(0, 1), Nothing(0), Refill(TABLE, "sea"))] == ["MA-0"] * 3
    state, _ = do(state, LAY)
    assert game.to_act(state) == (0,)
    early = [LAY, store(), Take(0, 0, (0, 1)), PlaceStored(0, (0, 1)), Remove(0, (0, 1)), Nothing(0)]
    assert [refused(state, action).rule for action in early] == ["MA-0"] * len(early)
    state, _ = do(state, Sail(0, 1))
    assert [refused(state, action).rule for action in (Sail(0, 1), Refill(TABLE, "sea"))] == ["MA-0"] * 2
    state, _ = do(state, store())
    assert game.to_act(state) == (TABLE,)
    assert [refused(state, action).rule for action in (Sail(0, 1), Sail(1, 1), Nothing(0))] == ["MA-0"] * 3


def test_ma_0_only_who_is_due_may_act() -> None:
    assert refused(at_sea(), Sail(1, 1)).rule == "MA-0"
    assert refused(at_sea(), Sail(TABLE, 1)).rule == "MA-0"
    assert refused(game.start(2, {}), LayDisplay(0, ("water-01",) * 16, 0)).rule == "MA-0"


def test_ma_0_turns_go_round_clockwise() -> None:
    state = at_sea(3)
    seats = []
    for _ in range(4):
        seats.append(state.seat)
        state, _ = do(state, Sail(state.seat, 1), Nothing(state.seat))
    assert seats == [0, 1, 2, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ma_s1_five_shells_each_of_thirty(players: int) -> None:
    state = game.dump(game.start(players, {}))
    assert state["shells"] == [5] * players
    assert state["supply"] == 30 - 5 * players


def test_ma_s1_shells_lie_open() -> None:
    state = at_sea(3, shells=(4, 0, 7))
    assert [game.view(state, viewer)["shells"] for viewer in (None, 0, 2)] == [[4, 0, 7]] * 3


def test_ma_s1_the_ship_lies_at_the_display_and_seat_0_begins() -> None:
    start = game.start(2, {"catalogue": CATALOGUE, "board": BOARD})
    assert (game.dump(start)["ship"], game.dump(start)["display"]) == (None, None)
    state, effects = do(start, LAY)
    assert (state.ship, state.seat, state.pile) == (5, 0, len(CATALOGUE) - 16)
    assert told(effects, "display_laid") == [{"seat": 0, "count": len(CATALOGUE) - 16}]


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_two_to_five_may_play(players: int) -> None:
    with pytest.raises(Malformed, match="2 to 5"):
        game.start(players, {})


@pytest.mark.parametrize(
    ("position", "names"),
    [
        (0, (0, 4, 8, 12)), (1, (1, 5, 9, 13)), (3, (3, 7, 11, 15)),
        (4, (3, 2, 1, 0)), (7, (15, 14, 13, 12)),
        (8, (15, 11, 7, 3)), (11, (12, 8, 4, 0)),
        (12, (12, 13, 14, 15)), (15, (0, 1, 2, 3)),
    ],
)  # fmt: skip
def test_ma_1_1_sixteen_positions_go_clockwise_from_the_north_west(position: int, names: tuple[int, ...]) -> None:
    assert LINES[position] == names


def test_ma_1_1_each_tile_at_the_edge_is_nearest_from_its_positions() -> None:
    nearest = [line[0] for line in LINES]
    assert nearest == [0, 1, 2, 3, 3, 7, 11, 15, 15, 14, 13, 12, 12, 8, 4, 0]


@pytest.mark.parametrize(("ship", "steps", "after"), [(0, 1, 1), (3, 1, 4), (14, 2, 0), (15, 1, 0), (12, 7, 3)])
def test_ma_1_1_steps_go_clockwise_and_round_corners(ship: int, steps: int, after: int) -> None:
    state, effects = do(at_sea(ship=ship), Sail(0, steps))
    assert (state.ship, state.step) == (after, "take")
    assert told(effects, "sailed") == [{"seat": 0, "count": steps}]


def test_ma_1_1_one_step_is_a_must() -> None:
    assert refused(at_sea(), Sail(0, 0)).rule == "MA-1.1"


def test_ma_1_1_as_many_steps_for_nothing_as_boats_are_seen() -> None:
    state = at_sea(boards=[{(0, 1): "boats", (3, 4): "boat"}, {(0, 1): "boats"}], shells=(0, 5))
    assert game.legal(state, 0) == tuple(Sail(0, steps) for steps in range(1, 6)), "2 printed and 3 on tiles"
    assert game.verify(state, Sail(0, 5)).rule == "MA-1.1"
    assert do(state, Sail(0, 5))[0].shells == (0, 5)


def test_ma_1_2_each_further_step_costs_a_shell() -> None:
    state = at_sea(shells=(3, 5), supply=22)
    assert game.legal(state, 0) == tuple(Sail(0, steps) for steps in range(1, 6)), "2 boats and 3 shells"
    assert game.verify(state, Sail(0, 3)).rule == "MA-1.2"
    after, effects = do(state, Sail(0, 4))
    assert (after.shells, after.supply) == ((1, 5), 24)
    assert told(effects, "paid_steps") == [{"seat": 0, "shells": 2}]
    ruling = refused(state, Sail(0, 6))
    assert ruling.rule == "MA-1.2"
    assert ruling.because.facts == {"seat": 0, "count": 6, "boats": 2, "price": 4, "shells": 3}


def test_ma_1_2_what_went_into_steps_cannot_pay_for_skipping() -> None:
    state, _ = do(at_sea(shells=(3, 5)), Sail(0, 5))
    assert {action.skip for action in game.legal(state, 0) if isinstance(action, Take)} == {0}


def test_ma_a4_boats_in_the_store_or_removed_do_not_sail() -> None:
    state = at_sea(boards=[{(0, 1): "boats"}], stores=["boats"], shells=(0, 5))
    assert len(game.legal(state, 0)) == 4
    state, _ = do(state, Sail(0, 1), Remove(0, (0, 1)), Sail(1, 1), Nothing(1))
    assert len(game.legal(state, 0)) == 2, "the printed ones"


def test_ma_a9_shells_are_paid_for_steps_made_only() -> None:
    for steps in range(1, 8):
        state = at_sea(shells=(5, 5))
        paid = state.shells[0] - do(state, Sail(0, steps))[0].shells[0]
        assert paid == max(0, steps - 2)


def test_ma_a12_one_step_is_free_without_boat_and_shell() -> None:
    no_boats = {**BOARD, "printed": [{**land, "boats": 0} for land in LAND]}
    state = at_sea(board=no_boats, shells=(0, 5))
    assert game.legal(state, 0) == (Sail(0, 1),)
    assert do(state, Sail(0, 1))[0].shells == (0, 5)
    assert refused(state, Sail(0, 2)).rule == "MA-1.2"
    state = at_sea(board=no_boats, shells=(1, 5))
    assert do(state, Sail(0, 1))[0].shells == (0, 5), "with a shell it is paid for"


def test_ma_a12_is_not_for_further_steps() -> None:
    assert refused(at_sea(shells=(0, 5)), Sail(0, 3)).rule == "MA-1.2"
    assert at_take().step == "take"
