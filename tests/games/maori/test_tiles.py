"""What is done with tiles: MA-2.0 to MA-3, MA-A2, MA-A5 to MA-A8."""

from __future__ import annotations

import pytest

from companion.games.game import TABLE
from companion.games.maori import game
from companion.games.maori.actions import Nothing, PlaceStored, Refill, Remove, Sail, Take
from companion.games.maori.state import NONE
from tests.games.maori.tables import LAND, PLAIN, WATER, at_sea, at_take, do, full, lying, refused, shown, store, told


def display(**changes: str | None) -> list[str | None]:
    """The plain display with other tiles in some cells: `c4="volcano"` for the cell 4."""
    cells: list[str | None] = list(PLAIN)
    for cell, name in changes.items():
        cells[int(cell[1:])] = name
    return cells


def test_ma_2_0_exactly_one_of_five() -> None:
    state = at_take(stores=["sea"], boards=[{(0, 1): "boat"}])
    kinds = {action.do for action in game.legal(state, 0)}
    assert kinds == {"take", "place_stored", "remove", "nothing"}
    for action in (PlaceStored(0, (1, 1)), Remove(0, (0, 1)), Nothing(0)):
        assert do(state, action)[0].seat == 1, "one of them, and the turn is over"
    after, _ = do(state, Take(0, 0, (1, 1)))
    assert game.to_act(after) == (TABLE,)
    assert do(after, Refill(TABLE, "sea"))[0].seat == 1


def test_ma_2a_the_tile_at_the_edge_is_free() -> None:
    state, effects = do(at_take(), Take(0, 0, (2, 3)))
    assert lying(state, 0) == {(2, 3): "plain-0"}
    assert (state.display[0], state.shells[0], state.step) == (NONE, 5, "refill")
    assert told(effects, "placed") == [{"seat": 0, "tile": shown("plain-0"), "field_row": 3, "field_column": 4}]


@pytest.mark.parametrize("skip", [1, 2, 3])
def test_ma_2a_each_tile_passed_over_costs_a_shell(skip: int) -> None:
    state = at_take(shells=(3, 5), supply=22)
    after, effects = do(state, Take(0, skip, (0, 1)))
    assert lying(after, 0) == {(0, 1): f"plain-{4 * skip}"}
    assert (after.shells[0], after.supply) == (3 - skip, 22 + skip)
    assert told(effects, "paid_skip") == [{"seat": 0, "shells": skip}]
    assert refused(at_take(shells=(skip - 1, 5)), Take(0, skip, (0, 1))).rule == "MA-2a"


def test_ma_2a_only_from_the_ships_line() -> None:
    assert refused(at_take(shells=(9, 5)), Take(0, 4, (0, 1))).rule == "MA-2a"
    for ship, name in ((0, "plain-0"), (5, "plain-7"), (10, "plain-13"), (14, "plain-4")):
        after, _ = do(at_take(ship=ship), Take(0, 0, (0, 1)))
        assert lying(after, 0)[(0, 1)] == name


def test_ma_2a1_onto_any_free_water_field() -> None:
    targets = {a.to for a in game.legal(at_take(shells=(0, 5)), 0) if isinstance(a, Take)}
    assert targets == {*WATER, None}


@pytest.mark.parametrize("field", [(0, 0), (1, 1)])
def test_ma_2a1_not_onto_print_or_a_tile(field: tuple[int, int]) -> None:
    state = at_take(boards=[{(1, 1): "lone"}], stores=["sea"])
    assert refused(state, Take(0, 0, field)).rule == "MA-2a1"
    assert refused(state, PlaceStored(0, field)).rule == "MA-2a1"


def test_ma_2a1_others_boards_do_not_matter() -> None:
    assert game.can(at_take(boards=[{}, full()]), Take(0, 0, (0, 1)))


def test_ma_2a2_tiles_lie_as_they_are_with_the_far_edge_as_row_0() -> None:
    """Palms stand upright, so a tile open to the north joins the field farther away from the player."""
    tiles = {(2, 1): "n*", (1, 1): "s"}
    assert game.scores(at_sea(boards=[tiles]))[0].parts["palms"] == 6
    assert game.scores(at_sea(boards=[{(1, 1): "n*", (2, 1): "s"}]))[0].parts["palms"] == 0


def test_ma_2a3_shells_on_the_tile_come_from_the_supply() -> None:
    state = at_take(display=display(c0="shells"), shells=(1, 5), supply=9)
    after, effects = do(state, Take(0, 0, (0, 1)))
    assert (after.shells, after.supply) == ((4, 5), 6)
    assert told(effects, "gained_shells") == [{"seat": 0, "shells": 3}]


@pytest.mark.parametrize(("supply", "gained"), [(3, 3), (2, 2), (0, 0)])
def test_ma_2a3_as_many_as_are_left(supply: int, gained: int) -> None:
    state = at_take(display=display(c0="shells"), shells=(1, 5), supply=supply)
    after, _ = do(state, Take(0, 0, (0, 1)))
    assert (after.shells[0], after.supply) == (1 + gained, supply - gained)


def test_ma_2a3_shells_just_paid_are_in_the_supply() -> None:
    state = at_take(display=display(c8="shells"), shells=(2, 5), supply=0)
    after, _ = do(state, Take(0, 2, (0, 1)))
    assert (after.shells[0], after.supply) == (2, 0)


def test_ma_2a4_tiles_need_not_fit() -> None:
    state = at_take(display=display(c0="w"), boards=[{(0, 1): "sea", (1, 2): "lone"}])
    assert game.can(state, Take(0, 0, (0, 2)))
    assert game.can(at_take(display=display(c0="n")), Take(0, 0, (0, 1)))


def test_ma_2b_one_tile_into_the_store() -> None:
    state, effects = do(at_take(shells=(1, 5)), store(1))
    assert state.setup.names[state.stores[0]] == "plain-4"
    assert (state.shells[0], state.display[4], lying(state, 0)) == (0, NONE, {})
    assert told(effects, "stored") == [{"seat": 0, "tile": shown("plain-4")}]
    ruling = refused(at_take(stores=["sea"]), store())
    assert ruling.rule == "MA-2b"
    assert game.can(at_take(stores=[None, "sea"]), store())


def test_ma_2c_the_stored_tile_goes_to_the_board() -> None:
    state = at_take(stores=["lone"])
    after, effects = do(state, PlaceStored(0, (3, 4)))
    assert (lying(after, 0), after.stores[0]) == ({(3, 4): "lone"}, NONE)
    assert told(effects, "placed")[0]["tile"] == shown("lone")
    assert effects[0].rule == "MA-2c"
    assert (after.seat, after.step) == (1, "sail")
    assert refused(at_take(), PlaceStored(0, (3, 4))).rule == "MA-2c"


def test_ma_2d_any_tile_of_the_own_board_is_removed() -> None:
    state = at_take(boards=[{(1, 1): "shells", (1, 2): "sea"}, {(2, 2): "sea"}])
    assert {a.field for a in game.legal(state, 0) if isinstance(a, Remove)} == {(1, 1), (1, 2)}
    after, effects = do(state, Remove(0, (1, 1)))
    assert lying(after, 0) == {(1, 2): "sea"}
    assert (after.shells, after.supply) == (state.shells, state.supply), "its shells stay"
    assert told(effects, "removed") == [{"seat": 0, "tile": shown("shells"), "field_row": 2, "field_column": 2}]
    for field in ((0, 0), (0, 1), (2, 2)):
        assert refused(state, Remove(0, field)).rule == "MA-2d"


def test_ma_2e_nothing_is_always_possible() -> None:
    state = at_take(display=[None] * 16)
    assert game.legal(state, 0) == (Nothing(0),)
    after, effects = do(at_take(), Nothing(0))
    assert told(effects, "did_nothing") == [{"seat": 0}]
    assert (after.display, after.seat) == (at_take().display, 1)


@pytest.mark.parametrize(("cell", "reached"), [("c0", set()), ("c4", {0}), ("c8", {0, 1}), ("c12", {0, 1, 2})])
def test_ma_2v_a_volcano_blocks_what_is_behind_it(cell: str, reached: set[int]) -> None:
    state = at_take(display=display(**{cell: "volcano"}))
    assert {a.skip for a in game.legal(state, 0) if isinstance(a, Take)} == reached
    for skip in {0, 1, 2, 3} - reached:
        assert refused(state, Take(0, skip, (0, 1))).rule == "MA-2v"


def test_ma_2v_from_another_side_they_may_be_had() -> None:
    state = at_take(display=display(c4="volcano"), ship=11)
    assert {a.skip for a in game.legal(state, 0) if isinstance(a, Take)} == {0, 1}, "from the south: 12, 8"


def test_ma_3_the_gap_is_filled_where_it_is() -> None:
    state, _ = do(at_take(), store(2))
    assert state.gap == 8
    after, effects = do(state, Refill(TABLE, "lone"))
    assert after.setup.names[after.display[8]] == "lone"
    assert after.pile == state.pile - 1
    assert told(effects, "refilled") == [{"tile": shown("lone"), "count": after.pile}]


def test_ma_3_a_tile_as_long_as_there_is_one() -> None:
    state, _ = do(at_take(pile=1), store())
    assert refused(state, Refill(TABLE, None)).rule == "MA-3"
    state, _ = do(at_take(pile=0), store())
    assert refused(state, Refill(TABLE, "lone")).rule == "MA-3"
    after, effects = do(state, Refill(TABLE, None))
    assert (after.display[0], after.seat) == (NONE, 1)
    assert told(effects, "gap_stays") == [{}]


def test_ma_3_a_tile_that_cannot_come_again_is_told() -> None:
    state, _ = do(at_take(unseen=frozenset()), store())
    assert told(do(state, Refill(TABLE, "lone"))[1], "seen_before") == [{"tile": shown("lone")}]


def test_ma_3_a_twin_of_a_tile_may_be_named_instead_of_it() -> None:
    """Tiles that show the same are interchangeable: whichever name is given, one of them has come."""
    fresh = at_take()
    twin, other = fresh.setup.numbers["plain-3"], fresh.setup.numbers["plain-4"]
    state, _ = do(at_take(unseen=frozenset({other})), store())
    after, effects = do(state, Refill(TABLE, "plain-3"))
    assert told(effects, "seen_before") == []
    assert after.unseen == frozenset()
    assert after.display[0] == twin


def test_ma_a2_shells_come_when_the_tile_is_laid_not_when_it_is_stored() -> None:
    state = at_take(display=display(c0="shells"), supply=20)
    state, effects = do(state, store())
    assert (state.shells[0], told(effects, "gained_shells")) == (5, [])
    state, _ = do(state, Refill(TABLE, "sea"), Sail(1, 1), Nothing(1), Sail(0, 1))
    after, effects = do(state, PlaceStored(0, (0, 1)))
    assert (after.shells[0], after.supply) == (8, 17)
    assert told(effects, "gained_shells") == [{"seat": 0, "shells": 3}]


def test_ma_a5_gaps_cost_nothing() -> None:
    state = at_take(display=display(c0=None, c8=None), shells=(1, 5))
    after, _ = do(state, Take(0, 0, (0, 1)))
    assert (lying(after, 0), after.shells[0]) == ({(0, 1): "plain-4"}, 5 - 4)
    after, _ = do(state, Take(0, 1, (0, 1)))
    assert (lying(after, 0), after.shells[0]) == ({(0, 1): "plain-12"}, 0)
    assert refused(state, Take(0, 2, (0, 1))).rule == "MA-2a"


def test_ma_a5_a_volcano_behind_gaps_still_blocks() -> None:
    state = at_take(display=display(c0=None, c4="volcano"))
    assert refused(state, Take(0, 0, (0, 1))).rule == "MA-2v"


def test_ma_a6_no_action_turns_a_tile() -> None:
    assert set(Take(0, 0, (0, 1)).data()) == {"by", "do", "skip", "to"}
    assert set(PlaceStored(0, (0, 1)).data()) == {"by", "do", "field"}
    after, _ = do(at_take(display=display(c0="ew")), Take(0, 0, (0, 1)))
    assert game.view(after, None)["tiles"]["ew"]["open"] == "EW"


def test_ma_a7_a_water_tile_fills_its_field() -> None:
    state = at_take(boards=[{(1, 1): "sea"}])
    assert refused(state, Take(0, 0, (1, 1))).rule == "MA-2a1"
    assert game.scores(state)[0].parts["empty"] == -15


def test_ma_a8_what_lies_beside_a_field_never_matters() -> None:
    for name in ("n", "e*", "ns", "lone", "sea"):
        state = at_take(display=display(c0=name), boards=[{(1, 2): "ew", (2, 1): "n"}])
        free = {a.to for a in game.legal(state, 0) if isinstance(a, Take)}
        assert free == {*WATER, None} - {(1, 2), (2, 1)}
    assert LAND[0]["field"] == [0, 0]
