"""Whom a movement can pay: every payment that some way to a hex makes, with the shortest way that makes it (GI-4.5).

On a crowded island the ways are more than anybody can list; what they pay is not. A way is followed no further when
another one has come to the same hex for the same payment over some of the same hexes: whatever follows can follow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Final

from companion.games.giants.actions import Helpers
from companion.games.giants.board import Board
from companion.games.giants.carrying import Group, Way, helper_sets, points_for

Payment = tuple[int, ...]  #: prestige by seat
MOST_STEPS: Final = 20_000  #: beginnings of ways that are looked at; no island we have seen needs a tenth of it


@lru_cache(maxsize=65536)
def payments_for(group: Group, weight: int, seat: int, players: int) -> tuple[tuple[Payment, Helpers], ...]:
    """What entering a hex can pay, and for each payment the first helpers who are paid so.

    >>> payments_for(((0, "worker"), (1, "worker"), (2, "chief")), 1, 0, 3)
    (((0, 0, 0), ((0, 'worker'),)), ((0, 0, 1), ((2, 'chief'),)), ((0, 1, 0), ((1, 'worker'),)))
    """
    found: dict[Payment, Helpers] = {}
    for helpers in helper_sets(group, weight):
        points = points_for(helpers, seat, weight)
        found.setdefault(tuple(points.get(owner, 0) for owner in range(players)), helpers)
    return tuple(sorted(found.items()))


@lru_cache(maxsize=256)
def ways_by_payment(
    board: Board, figures: tuple[Group, ...], seat: int, players: int, weight: int, start: int, target: int, most: int
) -> tuple[tuple[Payment, Way], ...]:
    """Each payment once with a shortest way to the target that makes it; what gives others least first.

    At most `most` (2 or more) of them, fewer only when there are no others. Should `MOST_STEPS` not be enough to say
    so, a single one is left out: nothing is taken for the only payment that may not be.
    """
    entering = [payments_for(group, weight, seat, players) for group in figures]
    useful = _leading_to(board, entering, target)
    heap: list[tuple[int, int, Payment, tuple[int, ...], tuple[Helpers, ...]]] = [(0, 0, (0,) * players, (), ())]
    reached: dict[tuple[int, Payment], list[frozenset[int]]] = {}
    found: dict[Payment, Way] = {}
    for _ in range(MOST_STEPS):
        if not heap or len(found) == most:
            return tuple(found.items())
        _, length, payment, path, helpers = heappop(heap)
        here, passed = (path[-1] if path else start), frozenset(path)
        if here == target:
            found.setdefault(payment, (path, helpers))
            continue
        others = reached.setdefault((here, payment), [])
        if any(other <= passed for other in others):
            continue
        others.append(passed)
        for there in board.links[here]:
            if there in useful and there != start and there not in passed:
                for points, chosen in entering[there]:
                    paid = tuple(a + b for a, b in zip(payment, points, strict=True))
                    heappush(heap, (sum(paid), length + 1, paid, (*path, there), (*helpers, chosen)))
    return tuple(found.items()) if len(found) > 1 else ()


def _leading_to(board: Board, entering: Sequence[Sequence[object]], target: int) -> set[int]:
    """The hexes from which the target can be reached over hexes that can be entered, itself among them."""
    found, queue = {target}, [target] if entering[target] else []
    for here in queue:
        for there in board.links[here]:
            if there not in found and entering[there]:
                found.add(there)
                queue.append(there)
    return found if entering[target] else set()
