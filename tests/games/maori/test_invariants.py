"""What holds in every game of Maori, however it is played (rules.md 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.maori import game
from companion.games.maori.actions import MaoriAction, Nothing, PlaceStored, Refill, Remove, Sail, Take
from companion.games.maori.islands import count, islands, pieces
from companion.games.maori.state import NONE, State
from companion.games.maori.tiles import FACING, Setup, Tile
from companion.games.maori.verdict import DUE
from tests.games.maori.hooks import SMALL
from tests.games.playing import Playthrough, play


def in_any_game(test: Callable[[Playthrough], None]) -> Callable[..., None]:
    """The test over random games; a failure names the game by its seed, not by all its states."""

    @settings(max_examples=15, deadline=None)
    @given(players=st.sampled_from(game.seats), seed=st.integers(0, 2**32), small=st.booleans())
    def run(players: int, seed: int, small: bool) -> None:
        test(play(game, players, seed, SMALL if small else {}))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def lying(state: State) -> list[int]:
    """All tiles that lie open."""
    boards = [tile for board in state.boards for tile in board]
    return [tile for tile in (*state.display, *state.stores, *boards) if tile >= 0]


@in_any_game
def test_30_shells(playthrough: Playthrough) -> None:
    for state in playthrough.states:
        assert sum(state.shells) + state.supply == 30
        assert min(*state.shells, state.supply) >= 0


@in_any_game
def test_every_tile_is_in_one_place(playthrough: Playthrough) -> None:
    removed: set[int] = set()
    tiles = len(playthrough.end.setup.tiles)
    for turn in playthrough.turns:
        if isinstance(turn.action, Remove):
            row, column = turn.action.field
            removed.add(turn.state.boards[turn.state.seat][row * turn.state.setup.columns + column])
        state = game.apply(turn.state, turn.action)[0]
        open_ = lying(state)
        assert len(open_) == len(set(open_)), "no tile is there twice"
        assert {*open_, *removed, *state.unseen} == set(range(tiles))
        assert len(open_) + len(removed) + len(state.unseen) == tiles
        assert state.pile == len(state.unseen)


@in_any_game
def test_volcanoes_never_leave_the_display(playthrough: Playthrough) -> None:
    for state in playthrough.states:
        volcanoes = {n for n, tile in enumerate(state.setup.tiles) if tile.volcano}
        assert volcanoes <= state.unseen | set(state.display)


@in_any_game
def test_a_turn_is_a_sail_and_one_thing_and_a_refill_after_a_take(playthrough: Playthrough) -> None:
    deeds = [action.do for action in playthrough.actions][1:]
    while deeds:
        assert deeds.pop(0) == Sail.do
        if deeds.pop(0) == Take.do:
            assert deeds.pop(0) == Refill.do


@in_any_game
def test_it_ends_a_turn_after_everybody_elses_or_when_tiles_run_out(playthrough: Playthrough) -> None:
    states = playthrough.states
    full = next((at for at, state in enumerate(states) if state.turns_left is not None), None)
    end = playthrough.end
    if full is None:
        assert end.pile == 0
        assert all(tile == NONE or end.setup.tiles[tile].volcano for tile in end.display)
    else:
        filler = states[full - 1].seat
        assert all(state.turns_left is not None for state in states[full:])
        sailed = [action.by for action in playthrough.actions[full:] if isinstance(action, Sail)]
        assert sailed == [(filler + n) % len(playthrough.players) for n in range(1, len(playthrough.players))]


@in_any_game
def test_the_list_of_actions_is_complete_and_exact(playthrough: Playthrough) -> None:
    """Every action there could be is allowed if and only if it is listed."""
    for state in playthrough.states[:: max(1, len(playthrough.turns) // 12)]:
        for seat in range(len(playthrough.players)):
            allowed = {action for action in _all(state, seat) if game.can(state, action)}
            listed = game.legal(state, seat)
            assert set(listed) == allowed
            assert len(listed) == len(allowed)


def _all(state: State, seat: int) -> list[MaoriAction]:
    """Every action of a seat, with a skip and some steps more than can be."""
    fields = [state.setup.field(cell) for cell in range(state.setup.cells)]
    return [
        *(Sail(seat, steps) for steps in range(70)),
        *(Take(seat, skip, to) for skip in range(6) for to in [*fields, None]),
        *(PlaceStored(seat, field) for field in fields),
        *(Remove(seat, field) for field in fields),
        Nothing(seat),
    ]


@in_any_game
def test_islands_part_the_board_and_finished_ones_meet_land_everywhere(playthrough: Playthrough) -> None:
    setup = playthrough.end.setup
    for board in playthrough.end.boards:
        laid = pieces(setup, board)
        found = islands(setup, laid)
        assert sorted(cell for island in found for cell in island.cells) == sorted(laid)
        for island in found:
            wanting = [
                (cell, side) for cell in island.cells for side in laid[cell].open if not _meets(setup, laid, cell, side)
            ]
            assert island.finished == (not wanting)
        counted = count(setup, board)
        water = setup.cells - len(setup.printed)
        assert 0 <= counted.removed <= counted.empty <= water


def _meets(setup: Setup, laid: Mapping[int, Tile], cell: int, side: str) -> bool:
    beyond = setup.neighbour(cell, side)
    return beyond is not None and beyond in laid and FACING[side] in laid[beyond].open


def test_random_games_meet_every_step_and_every_deed() -> None:
    """The properties above would say little if some never came up."""
    steps, deeds, gaps = set(), set(), 0
    for seed in range(6):
        playthrough = play(game, 2 + seed % 4, seed, SMALL if seed % 2 else {})
        steps |= {state.step for state in playthrough.states}
        deeds |= {action.do for action in playthrough.actions}
        gaps += sum(action == Refill("table", None) for action in playthrough.actions)
    assert steps == set(DUE)
    assert deeds == {deed for due in DUE.values() for deed in due}
    assert gaps


def test_a_state_is_all_there_is_to_know() -> None:
    one, other = (play(game, 3, 6, SMALL).end for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
