"""The end and the scoring: MA-E1, MA-W0 to MA-W6, MA-A1, MA-A3, MA-A10, MA-A11."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.game import TABLE
from companion.games.maori import game
from companion.games.maori.actions import Nothing, PlaceStored, Refill, Remove, Sail, Take
from tests.games.maori.tables import BOARD, at_sea, at_take, do, full, parts, refused, store, told


def turns(state: Any) -> list[int]:
    """Seats in the order of their turns, when everybody does nothing, until the game is over."""
    seats = []
    while not game.over(state):
        seats.append(state.seat)
        state, _ = do(state, Sail(state.seat, 1), Nothing(state.seat))
    return seats


def test_ma_e1_all_others_have_one_more_turn() -> None:
    state = at_take(4, seat=1, boards=[{}, full(but=[(3, 4)])])
    state, effects = do(state, Take(1, 0, (3, 4)))
    assert told(effects, "board_full") == [{"seat": 1}]
    assert game.dump(state)["last_round"] is True
    state, _ = do(state, Refill(TABLE, "sea"))
    assert turns(state) == [2, 3, 0]


def test_ma_e1_also_when_a_stored_tile_fills_it() -> None:
    state = at_take(2, stores=["sea"], boards=[full(but=[(0, 1)])])
    assert game.dump(state)["last_round"] is False
    state, _ = do(state, PlaceStored(0, (0, 1)))
    assert game.dump(state)["last_round"] is True
    assert turns(state) == [1]


def test_ma_e1_the_refill_of_the_last_turn_comes_before_the_end() -> None:
    state = at_take(2, stores=["sea"], boards=[full(but=[(0, 1)])])
    state, _ = do(state, PlaceStored(0, (0, 1)), Sail(1, 1), store(seat=1))
    assert (state.step, game.to_act(state)) == ("refill", (TABLE,))
    state, effects = do(state, Refill(TABLE, "lone"))
    assert (state.step, game.to_act(state), state.seat) == ("over", (), 1)
    assert told(effects, "last_turn_over") == [{}]
    assert refused(state, Sail(0, 1)).rule == "MA-E1"


def test_ma_e1_a_second_full_board_or_an_emptied_one_changes_nothing() -> None:
    state = at_take(3, stores=["sea"], boards=[full(but=[(0, 1)]), full(but=[(0, 1)]), full()])
    state, _ = do(state, PlaceStored(0, (0, 1)), Sail(1, 1))
    state, effects = do(state, Take(1, 0, (0, 1)))
    assert told(effects, "board_full") == []
    state, _ = do(state, Refill(TABLE, "lone"), Sail(2, 1), Remove(2, (1, 1)))
    assert game.over(state)


def test_ma_w0_unfinished_islands_are_taken_off() -> None:
    state = at_sea(boards=[{(0, 1): "lone", (1, 1): "e*", (3, 3): "boats"}])
    assert parts(state) == {"palms": 3, "wreaths": 0, "boats": 4, "shells": 5, "empty": -14}


def test_ma_w0_the_whole_island_goes() -> None:
    joined = {(0, 1): "e", (0, 2): "ew", (0, 3): "ew"}
    assert parts(at_sea(boards=[joined]))["palms"] == 0
    assert parts(at_sea(boards=[joined]))["empty"] == -16
    assert parts(at_sea(boards=[{**joined, (0, 4): "w"}]))["palms"] == 1 + 2 + 2 + 1


def test_ma_w0_land_against_a_coast_or_the_edge_is_unfinished() -> None:
    assert parts(at_sea(boards=[{(0, 1): "e", (0, 2): "lone"}]))["palms"] == 3
    assert parts(at_sea(boards=[{(0, 1): "e", (0, 2): "sea"}]))["empty"] == -15
    assert parts(at_sea(boards=[{(0, 1): "n"}]))["palms"] == 0
    assert parts(at_sea(boards=[{(0, 4): "e", (1, 1): "w"}]))["palms"] == 0, "no way around the edge of the board"


def test_ma_w0_what_was_taken_off_is_told() -> None:
    state = at_take(2, stores=["sea"], boards=[full(but=[(0, 1)]), {(0, 1): "e", (0, 2): "ew", (2, 2): "lone"}])
    state, _ = do(state, PlaceStored(0, (0, 1)), Sail(1, 1))
    _, effects = do(state, Nothing(1))
    assert told(effects, "unfinished") == [{"seat": 1, "count": 2}]


def test_ma_w0_stored_tiles_do_not_count() -> None:
    assert parts(at_sea(stores=["lone*"]))["palms"] == 0
    assert parts(at_sea(stores=["boats"]))["boats"] == 2


def test_ma_w1_palms_count_double_with_a_hut() -> None:
    assert parts(at_sea(boards=[{(0, 1): "lone*"}]))["palms"] == 6
    assert parts(at_sea(boards=[{(0, 1): "lone"}]))["palms"] == 3
    assert parts(at_sea(boards=[{(0, 1): "e", (0, 2): "ew", (0, 3): "w*"}]))["palms"] == 2 * (1 + 2 + 2)
    apart = {(0, 1): "lone", (1, 1): "lone*"}
    assert parts(at_sea(boards=[apart]))["palms"] == 9, "a hut counts for its own island only"


def test_ma_w2_a_wreath_is_worth_10() -> None:
    assert parts(at_sea(boards=[{(0, 1): "e~", (0, 2): "w~"}]))["wreaths"] == 10
    assert parts(at_sea(boards=[{(1, 3): "s~", (2, 3): "n~"}]))["wreaths"] == 10
    both = {(0, 1): "e~", (0, 2): "w~", (1, 3): "s~", (2, 3): "n~"}
    assert parts(at_sea(boards=[both]))["wreaths"] == 20


def test_ma_w3_the_most_boats_score_and_tied_players_all_do() -> None:
    boards = [{(0, 1): "boats"}, {(0, 1): "boats"}, {}]
    state = at_sea(3, boards=boards)
    assert [parts(state, seat)["boats"] for seat in range(3)] == [4, 4, 0], "with the two that are printed"


def test_ma_w4_the_most_wooden_shells_score_and_tied_players_all_do() -> None:
    state = at_sea(3, shells=(5, 3, 5), boards=[{}, {(0, 1): "shells"}])
    assert [parts(state, seat)["shells"] for seat in range(3)] == [5, 0, 5], "pictured ones do not count"


@pytest.mark.parametrize(("tiles", "empty"), [(0, -16), (1, -15), (16, 0)])
def test_ma_w5_each_empty_field_costs_a_point(tiles: int, empty: int) -> None:
    laid = dict(list(full().items())[:tiles])
    assert parts(at_sea(boards=[laid]))["empty"] == empty


def test_ma_w6_most_points_then_more_shells() -> None:
    state = at_sea(3, boards=[{(0, 1): "lone"}, {}, {}], shells=(1, 2, 3), supply=24)
    assert [score.total for score in game.scores(state)] == [3 - 15 + 2, -16 + 2, -16 + 2 + 3]
    assert game.ranking(state) == ((0,), (2,), (1,))
    boards = [{(0, 1): "lone"}, {(0, 1): "lone"}, full(name="boats")]
    tied = at_sea(3, boards=boards, shells=(2, 1, 9))
    assert [score.total for score in game.scores(tied)][:2] == [-12, -12]
    assert game.ranking(tied) == ((2,), (0,), (1,))
    assert game.ranking(at_sea(2)) == ((0, 1),), "after that the place is shared"


def test_ma_a1_two_halves_that_face_each_other_make_a_wreath() -> None:
    for laid in (
        {(0, 1): "w~", (0, 2): "e~"},  # turned away from each other
        {(0, 1): "e~", (0, 3): "w~"},  # not neighbours
        {(0, 1): "e~", (1, 1): "w~"},
        {(0, 1): "s~", (1, 1): "s~"},
        {(0, 1): "e~", (0, 2): "w"},
        {(0, 4): "e~", (1, 1): "w~"},  # round the edge
    ):
        assert parts(at_sea(boards=[laid]))["wreaths"] == 0
    floating = {"one": {"wreath": "E"}, "two": {"wreath": "W"}, **{f"t{n}": {} for n in range(16)}}
    state = at_sea(catalogue=floating, display=[f"t{n}" for n in range(16)], boards=[{(0, 1): "one", (0, 2): "two"}])
    assert parts(state)["wreaths"] == 10


def test_ma_a3_boats_and_wreaths_count_after_unfinished_islands_have_gone() -> None:
    catalogue = {
        "half": {"open": "NE", "wreath": "E", "boats": 1},
        "other": {"open": "W", "wreath": "W", "boats": 1},
        **{f"t{n}": {} for n in range(16)},
    }
    told = {"catalogue": catalogue, "display": [f"t{n}" for n in range(16)]}
    laid = {(1, 1): "half", (1, 2): "other"}
    assert parts(at_sea(boards=[laid], **told)) == {"palms": 0, "wreaths": 0, "boats": 2, "shells": 5, "empty": -16}


def printed(**land: Any) -> dict[str, Any]:
    """A board of two rows by three columns, land printed on the field (0, 0)."""
    return {"rows": 2, "columns": 3, "printed": [{"field": [0, 0], **land}]}


def test_ma_a10_print_takes_part_in_islands() -> None:
    stub = printed(open="E", palms=1, huts=1, boats=2)
    joined = {(0, 1): "w"}
    assert parts(at_sea(board=stub, boards=[joined])) == {
        "palms": 4, "wreaths": 0, "boats": 2, "shells": 5, "empty": -4,
    }  # fmt: skip
    assert parts(at_sea(board=stub, boards=[{}]))["palms"] == 0, "the stub itself wants land"
    assert parts(at_sea(board=stub, boards=[{(0, 1): "sea"}]))["palms"] == 0
    closed = printed(palms=1, boats=2)
    assert parts(at_sea(board=closed, boards=[joined]))["palms"] == 1, "no land goes on there"
    assert parts(at_sea(board=closed, boards=[joined]))["empty"] == -5


def test_ma_a10_print_is_never_taken_off() -> None:
    stub = printed(open="ES", boats=2, wreath="E")
    state = at_sea(board=stub, boards=[{(0, 1): "w~", (1, 1): "boats"}])
    assert parts(state)["boats"] == 4
    assert parts(state)["empty"] == -4
    assert parts(state)["wreaths"] == 0, "its other half went with the unfinished island"


def test_ma_a10_the_house_board_has_no_open_side_for_islands() -> None:
    state = game.start(2, {})
    assert parts(state) == {"palms": 0, "wreaths": 0, "boats": 2, "shells": 5, "empty": -16}
    assert sum(row.count("printed") for row in game.dump(state)["boards"][0]) == 4


def test_ma_a11_the_game_ends_when_no_tile_is_left() -> None:
    left = ["lone", "volcano", *[None] * 14]
    state, _ = do(at_take(3, display=left, pile=0), store())
    state, effects = do(state, Refill(TABLE, None))
    assert game.over(state)
    assert told(effects, "no_tile_left") == [{}]
    assert effects[-1].rule == "MA-W6"


def test_ma_a11_not_while_the_pile_or_the_display_has_one_or_a_last_round_goes_on() -> None:
    state, _ = do(at_take(display=["lone", "sea", *[None] * 14], pile=0), store(), Refill(TABLE, None))
    assert state.step == "sail"
    state, _ = do(at_take(display=["lone", *[None] * 15], pile=1), store(), Refill(TABLE, "volcano"))
    assert game.over(state), "a volcano is nothing that could be taken"
    last = at_take(3, display=["lone", *[None] * 15], pile=0, boards=[full(but=[(0, 1)])])
    last, _ = do(last, Take(0, 0, (0, 1)), Refill(TABLE, None))
    assert turns(last) == [1, 2]


def test_scores_stand_before_the_display_is_laid() -> None:
    state = game.start(3, {"board": BOARD})
    assert [score.total for score in game.scores(replace(state, shells=(5, 4, 0)))] == [-9, -14, -14]
