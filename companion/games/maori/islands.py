"""What lies on a Maori board at the end, and what it is worth (MA-W0 to MA-W6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.games.game import Score
from companion.games.maori.state import NONE, State
from companion.games.maori.tiles import FACING, Setup, Tile

HUT_PALM: Final = 2  #: points of a palm on an island with a hut
WREATH: Final = 10


@dataclass(frozen=True, slots=True)
class Island:
    """Pieces whose land goes on into each other. Finished: every open side meets land."""

    cells: tuple[int, ...]
    finished: bool


def pieces(setup: Setup, board: Sequence[int]) -> dict[int, Tile]:
    """What lies or is printed in each cell that is not free."""
    found = dict(setup.printed)
    found.update((cell, setup.tiles[tile]) for cell, tile in enumerate(board) if tile >= 0)
    return found


def islands(setup: Setup, laid: Mapping[int, Tile]) -> list[Island]:
    """Every island of a board. A single island and a water tile are finished by themselves.

    MA-A10 what is printed takes part: its open sides too want land beyond them.
    """
    found, seen = [], set()
    for first in laid:
        if first in seen:
            continue
        cells, finished, waiting = [], True, [first]
        seen.add(first)
        while waiting:
            cell = waiting.pop()
            cells.append(cell)
            for side in laid[cell].open:
                beyond = setup.neighbour(cell, side)
                if beyond is None or beyond not in laid or FACING[side] not in laid[beyond].open:
                    finished = False
                elif beyond not in seen:
                    seen.add(beyond)
                    waiting.append(beyond)
        found.append(Island(tuple(cells), finished))
    return found


@dataclass(frozen=True, slots=True)
class Count:
    """What a board shows once unfinished islands are taken off it."""

    palms: int  #: points for palms
    wreaths: int  #: complete ones
    boats: int
    empty: int  #: water fields without a tile
    removed: int  #: tiles of unfinished islands


def count(setup: Setup, board: Sequence[int]) -> Count:
    """MA-W0: tiles of unfinished islands go first, and all else is counted after that (MA-A3).

    What is printed stays, but unfinished printed land gives its palms no points.
    """
    laid = pieces(setup, board)
    palms, kept = 0, {cell: laid[cell] for cell, _ in setup.printed}
    for island in islands(setup, laid):
        if island.finished:
            kept.update((cell, laid[cell]) for cell in island.cells)
            palms += palm_points([laid[cell] for cell in island.cells])
    tiles = len(kept) - len(setup.printed)
    return Count(
        palms=palms,
        wreaths=wreaths(setup, kept),
        boats=sum(tile.boats for tile in kept.values()),
        empty=setup.cells - len(kept),
        removed=len(laid) - len(setup.printed) - tiles,
    )


def palm_points(island: Sequence[Tile]) -> int:
    """MA-W1: a palm is worth 1, and 2 on an island with a hut.

    >>> palm_points([Tile(palms=2), Tile(palms=1, huts=1)])
    6
    """
    each = HUT_PALM if any(tile.huts for tile in island) else 1
    return each * sum(tile.palms for tile in island)


def wreaths(setup: Setup, laid: Mapping[int, Tile]) -> int:
    """MA-W2: complete wreaths; MA-A1: two halves on neighbouring fields that face each other."""
    complete = 0
    for cell, tile in laid.items():
        if tile.wreath in ("E", "S"):  # the eastern or southern half of the pair is found from the other one
            beyond = setup.neighbour(cell, tile.wreath)
            complete += beyond is not None and beyond in laid and laid[beyond].wreath == FACING[tile.wreath]
    return complete


def most(counts: Sequence[int]) -> list[int]:
    """Whoever has the most gets that number of points, tied players all of it (MA-W3, MA-W4).

    >>> most([4, 4, 2])
    [4, 4, 0]
    """
    best = max(counts)
    return [n if n == best else 0 for n in counts]


def scores(state: State) -> tuple[Score, ...]:
    """Points by seat: palms, 10 a wreath, most boats, most wooden shells, and 1 less for each empty field (MA-W5)."""
    counts = [count(state.setup, board) for board in state.boards]
    boats = most([c.boats for c in counts])
    shells = most(state.shells)
    found = []
    for seat, own in enumerate(counts):
        parts = {
            "palms": own.palms,
            "wreaths": WREATH * own.wreaths,
            "boats": boats[seat],
            "shells": shells[seat],
            "empty": -own.empty,
        }
        found.append(Score(seat, sum(parts.values()), parts))
    return tuple(found)


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """MA-W6: most points, then more shells; after that a place is shared."""
    merits = {score.seat: (score.total, state.shells[score.seat]) for score in scores(state)}
    places = sorted(set(merits.values()), reverse=True)
    return tuple(tuple(seat for seat, merit in merits.items() if merit == place) for place in places)


def is_full(board: Sequence[int]) -> bool:
    """Whether no water field is free (MA-E1)."""
    return NONE not in board
