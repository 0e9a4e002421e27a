"""What everybody may know: all that lies open."""

from __future__ import annotations

from companion.games.maori import game
from tests.games.maori.tables import at_sea, at_take
from tests.games.playing import play

RECORD = {"seat", "step", "ship", "display", "boards", "stores", "shells", "supply", "last_round"}
FIELDS = RECORD | {"pile", "tiles", "board", "scores", "finished"}


def test_a_view_has_these_fields_and_no_others() -> None:
    for state in play(game, 3, 4, {}).states:
        assert set(game.dump(state)) == RECORD
        for viewer in (None, 0, 2):
            assert set(game.view(state, viewer)) == FIELDS


def test_everybody_sees_the_same() -> None:
    for turn in play(game, 3, 4, {}).turns[:60]:
        views = [game.view(turn.state, viewer) for viewer in (None, 0, 1, 2)]
        assert views == [views[0]] * 4
        assert game.view_action(turn.state, turn.action, None) == turn.action.data()
        assert game.view_effects(turn.effects, None) == list(turn.effects)


def test_of_the_pile_only_its_height_is_told() -> None:
    state = at_sea(boards=[{(0, 1): "lone"}], stores=["sea"])
    view = game.view(state, None)
    assert view["pile"] == state.pile
    assert set(view["tiles"]) == {*(f"plain-{n}" for n in range(16)), "lone", "sea"}
    assert view["tiles"]["lone"] == {
        "open": "", "palms": 3, "huts": 0, "boats": 0, "shells": 0, "wreath": None, "volcano": False,
    }  # fmt: skip


def test_the_display_is_rows_with_null_for_gaps() -> None:
    display = game.dump(at_take(display=[None, *["sea"] * 15]))["display"]
    assert display == [[None, "sea", "sea", "sea"], *[["sea"] * 4] * 3]


def test_boards_are_rows_from_the_far_edge() -> None:
    board = game.dump(at_sea(boards=[{}, {(0, 1): "lone", (3, 4): "sea"}]))["boards"][1]
    assert board[0] == ["printed", "lone", None, None, None]
    assert board[3] == ["printed", None, None, None, "sea"]


def test_finished_land_is_told_and_water_is_not() -> None:
    state = at_sea(boards=[{(0, 1): "lone", (3, 4): "sea"}])
    finished = game.view(state, None)["finished"]
    assert [0, 1] in finished[0]
    assert [3, 4] not in finished[0]
    assert [0, 1] not in finished[1]


def test_components_tell_all_tiles_and_not_their_order() -> None:
    state = at_sea(boards=[{(0, 1): "lone"}])
    known = game.components(state)
    assert known["tiles"]["lone"] == game.view(state, None)["tiles"]["lone"]
    assert known["unseen"] == [name for name in known["tiles"] if name in known["unseen"]]
