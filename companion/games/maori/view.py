"""Who may know what of a game of Maori (rules.md 4.3): everything lies open to everybody, but the order of the pile.

Views are built from nothing all the same: what a new field of the state tells, somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.game import Data
from companion.games.maori.actions import SIZE
from companion.games.maori.islands import islands, pieces, scores
from companion.games.maori.state import NONE, PRINTED, State
from companion.games.maori.tiles import PRINTED_NAME, Setup


def dump(state: State) -> Data:
    """Everything, with the field names of the record format."""
    setup = state.setup
    columns = setup.columns
    display = [_name(setup, tile) for tile in state.display]
    boards = [[_name(setup, tile) for tile in board] for board in state.boards]
    return {
        "seat": state.seat,
        "step": state.step,
        "ship": state.ship,
        "display": [display[i : i + SIZE] for i in range(0, len(display), SIZE)] or None,
        "boards": [[board[i : i + columns] for i in range(0, len(board), columns)] for board in boards],
        "stores": [_name(setup, tile) for tile in state.stores],
        "shells": list(state.shells),
        "supply": state.supply,
        "last_round": state.turns_left is not None,
    }


def view(state: State) -> Data:
    """What everybody may know now: the record format's fields, and besides

    `pile`, how many tiles it has; `tiles`, what those that lie open show; `board`, what is printed on each;
    `finished`, per seat the fields [row, column] of land that is finished; `scores`, as if the game ended now.
    """
    setup = state.setup
    lying = {*state.display, *state.stores, *(tile for board in state.boards for tile in board)} - {NONE, PRINTED}
    return {
        **dump(state),
        "pile": state.pile,
        "tiles": {setup.names[tile]: setup.tiles[tile].data() for tile in sorted(lying)},
        "board": setup.board_data(),
        "finished": [_finished(setup, board) for board in state.boards],
        "scores": [score.data() for score in scores(state)],
    }


def components(state: State) -> Data:
    """All tiles of this copy and what they show; `unseen` are those that the pile must hold, if it is complete."""
    setup = state.setup
    tiles = {name: tile.data() for name, tile in zip(setup.names, setup.tiles, strict=True)}
    return {"tiles": tiles, "unseen": [setup.names[tile] for tile in sorted(state.unseen)]}


def _finished(setup: Setup, board: Sequence[int]) -> list[list[int]]:
    """The fields of finished islands with land: water needs no finishing."""
    laid = pieces(setup, board)
    cells = [cell for island in islands(setup, laid) if island.finished for cell in island.cells]
    return [list(setup.field(cell)) for cell in sorted(cells) if laid[cell].open or laid[cell].palms or laid[cell].huts]


def _name(setup: Setup, tile: int) -> str | None:
    if tile == NONE:
        return None
    return PRINTED_NAME if tile == PRINTED else setup.names[tile]
