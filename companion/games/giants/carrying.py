"""Who can carry a piece onto a hex, what that gives the others, and all the ways there are (GI-4.2 to GI-4.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from typing import Final

from companion.games.giants.actions import LOG, Carrier, Helpers
from companion.games.giants.board import Board

CHIEF: Final = "chief"
STRENGTH: Final = {"worker": 1, "sorcerer": 1, CHIEF: 3, "log": 1}  #: GI-4.2

Group = tuple[Carrier, ...]  #: who stands and lies on one hex
Way = tuple[tuple[int, ...], tuple[Helpers, ...]]  #: hexes entered, by place on the board, and who helps on each


@lru_cache(maxsize=65536)
def helper_sets(group: Group, weight: int) -> tuple[Helpers, ...]:
    """Every set of helpers of which none is too many, for a piece of this weight (GI-4.2, GI-4.3, GI-A4).

    That is one chief alone, or as many others as the piece weighs with a figure among them. Whose they are is the
    mover's choice (GI-4.6).

    >>> helper_sets(((0, "worker"), LOG, LOG, (1, "chief")), 2)
    (((1, 'chief'),), ((0, 'worker'), (99, 'log')))
    """
    chiefs = sorted({(carrier,) for carrier in group if carrier[1] == CHIEF})
    others = sorted(carrier for carrier in group if carrier[1] != CHIEF)
    sets = {chosen for chosen in combinations(others, weight) if chosen[0] != LOG}  # logs sort last
    return (*chiefs, *sorted(sets))


def points_for(helpers: Helpers, seat: int, weight: int) -> dict[int, int]:
    """Prestige the owners of others' figures get: 1 each, for a chief the piece's weight (GI-4.5)."""
    points: dict[int, int] = {}
    for owner, figure in helpers:
        if owner != seat and figure != "log":
            points[owner] = points.get(owner, 0) + (weight if figure == CHIEF else 1)
    return points


@lru_cache(maxsize=65536)
def cheapest_helpers(group: Group, weight: int, seat: int) -> tuple[int, Helpers] | None:
    """The helpers that give others least, and how much; None where the piece cannot go."""
    sets = helper_sets(group, weight)
    return min(((sum(points_for(s, seat, weight).values()), s) for s in sets), default=None)


@lru_cache(maxsize=1024)
def cheapest_ways(board: Board, figures: tuple[Group, ...], seat: int, start: int, weight: int) -> tuple[Way, ...]:
    """To every hex that can be reached the way that gives others least, the shortest of these; nearest first."""
    heap: list[tuple[int, int, tuple[int, ...], tuple[Helpers, ...]]] = [(0, 0, (), ())]
    done = set()
    ways: list[Way] = []
    while heap:
        given, length, path, helpers = heappop(heap)
        here = path[-1] if path else start
        if here in done:
            continue
        done.add(here)
        if path:
            ways.append((path, helpers))
        for there in board.links[here]:
            best = cheapest_helpers(figures[there], weight, seat) if there not in done else None
            if best is not None:
                heappush(heap, (given + best[0], length + 1, (*path, there), (*helpers, best[1])))
    return tuple(sorted(ways, key=lambda way: len(way[0])))


@lru_cache(maxsize=16384)
def names_of(board: Board, path: tuple[int, ...]) -> tuple[str, ...]:
    """A path by the names of its hexes."""
    return tuple(board.hexes[at].id for at in path)


def paths(
    board: Board, sets: Sequence[tuple[Helpers, ...]], start: int, targets: Collection[int] | None
) -> Iterator[tuple[int, ...]]:
    """Every path over hexes with `sets` of helpers to one of the targets (None: to any), short ones first (GI-4.4).

    There may be very many on a crowded island, so take what is needed: the next one is never far, for no beginning is
    followed that cannot lead to a target.
    """
    queue: deque[tuple[int, ...]] = deque([(start,)])
    while queue:
        trail = queue.popleft()
        for there in board.links[trail[-1]]:
            if sets[there] and there not in trail:
                longer = (*trail, there)
                if targets is None or there in targets:
                    yield longer[1:]
                if targets is None or _leads_on(board, sets, longer, targets):
                    queue.append(longer)


def _leads_on(
    board: Board, sets: Sequence[tuple[Helpers, ...]], trail: tuple[int, ...], targets: Collection[int]
) -> bool:
    """Whether a target can still be reached from the end of a trail."""
    seen, reached = set(trail), [trail[-1]]
    for here in reached:
        for there in board.links[here]:
            if sets[there] and there not in seen:
                if there in targets:
                    return True
                seen.add(there)
                reached.append(there)
    return False
