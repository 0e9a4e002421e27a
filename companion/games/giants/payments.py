"""Whom a movement can pay: every payment that some way to a hex makes, with the shortest way that makes it (GI-4.5).

On a crowded island the ways are more than anybody can list; what they pay is not. A way is followed no further when
another one has come to the same hex for the same payment and has left free all hexes that this one can still go over:
whatever follows this one can follow that one, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from typing import Final

from companion.games.giants.actions import Helpers
from companion.games.giants.board import Board
from companion.games.giants.carrying import Group, Way, helper_sets, points_for

Payment = tuple[int, ...]  #: prestige by seat
MOST_STEPS: Final = 2000  #: beginnings of ways that are looked at
KEPT: Final = 3  #: of the beginnings that reach a hex for the same payment, where there are too many to follow all


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
    so, there may be others; but then a single one is left out, so that nothing is taken for the only payment that may
    not be.
    """
    entering = tuple(payments_for(group, weight, seat, players) for group in figures)
    search = _Search(board, entering, start, target, (0,) * players)
    if search.run(most, keep=None):
        return tuple(search.found.items())
    search.run(most, keep=KEPT)
    return tuple(search.found.items()) if len(search.found) > 1 else ()


@dataclass(slots=True)
class _Search:
    """Ways from a hex to another one, those that give others least first (A*)."""

    board: Board
    entering: tuple[tuple[tuple[Payment, Helpers], ...], ...]
    start: int
    target: int
    nothing: Payment
    found: dict[Payment, Way] = field(default_factory=dict)
    cost: dict[int, tuple[int, int]] = field(default_factory=dict)  #: what the rest gives at least, and its hexes
    paid: set[int] = field(default_factory=set)  #: hexes where others may be paid

    def __post_init__(self) -> None:
        self.paid = {at for at, sets in enumerate(self.entering) if any(any(points) for points, _ in sets)}
        least = [min((sum(points) for points, _ in sets), default=None) for sets in self.entering]
        heap = [(0, 0, self.target)] if self.entering[self.target] else []
        while heap:
            given, steps, here = heappop(heap)
            if here in self.cost:
                continue
            self.cost[here] = given, steps
            entered = least[here]
            if entered is not None:
                for there in self.board.links[here]:
                    heappush(heap, (given + entered, steps + 1, there))

    def run(self, most: int, keep: int | None) -> bool:
        """Search until so many payments are found; whether all there are to find (or so many) have been.

        `keep`: of the beginnings that reach a hex for the same payment only so many are followed.
        """
        self.found = {}
        reached: dict[tuple[int, Payment], list[frozenset[int]]] = {}
        heap: list[tuple[int, int, Payment, tuple[int, ...], tuple[Helpers, ...]]] = []
        if self.start in self.cost:
            heappush(heap, (*self.cost[self.start], self.nothing, (), ()))
        for _ in range(MOST_STEPS):
            if not heap or len(self.found) == most:
                return True
            _, _, payment, path, helpers = heappop(heap)
            here, passed = (path[-1] if path else self.start), frozenset(path)
            if here == self.target:
                self.found.setdefault(payment, (path, helpers))
                continue
            others = reached.setdefault((here, payment), [])
            if keep is not None and len(others) >= keep:
                continue
            ahead = self._ahead(here, passed)
            if any(other.isdisjoint(ahead) for other in others):
                continue
            others.append(passed)
            if payment in self.found and self.paid.isdisjoint(ahead):
                continue
            for there in self.board.links[here]:
                if there in ahead:
                    given, steps = self.cost[there]
                    for points, chosen in self.entering[there]:
                        total = tuple(a + b for a, b in zip(payment, points, strict=True))
                        most_likely = (sum(total) + given, len(path) + 1 + steps)
                        heappush(heap, (*most_likely, total, (*path, there), (*helpers, chosen)))
        return False

    def _ahead(self, here: int, passed: frozenset[int]) -> set[int]:
        """The hexes over which a way from here to the target can lead that enters none again.

        They are those in one block (a part that no single hex cuts in two) with an edge between here and the target.
        """
        order = {here: 0, self.target: 1}
        block = [self.target]

        def visit(at: int) -> int:
            low = order[at]
            for there in self.board.links[at]:
                if there in order:
                    low = min(low, order[there])
                elif self.entering[there] and there not in passed and there != self.start:
                    order[there] = len(order)
                    block.append(there)
                    beyond = visit(there)
                    if beyond >= order[at]:
                        del block[block.index(there) :]
                    low = min(low, beyond)
            return low

        visit(self.target)
        return set(block)
