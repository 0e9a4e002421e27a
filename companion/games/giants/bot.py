"""A sensible Giants player: brings Moais to the ahus worth most for the figures and points it costs, from its own view.

Whose Moai stands where it knows like a person: it remembers which ones it has erected itself.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from math import inf
from typing import Any, Final

from companion.games.game import Data
from companion.games.giants.actions import LOG, SIZES, Bid, Carve, GiantsAction, Hands, Mark, Move, Pass, Place, Rongo
from companion.games.giants.board import Board, read_board
from companion.games.giants.carrying import STRENGTH, Group, cheapest_helpers, points_for
from companion.games.giants.placing import PLACES

NEARER: Final = 0.8  #: what a value is worth one hex farther away
ENOUGH_WORKERS: Final = 4  #: then the medicine man has better to do than to fetch another
WAITING: Final = 2  #: unfinished Moais after which no more are wanted
STANDING: Final = 4  #: what it is worth, besides its points, that a Moai stands and the end is nearer
FAR: Final = 99


@dataclass(frozen=True, slots=True)
class Item:
    """A piece the seat may move: its id, what it weighs, where it starts, and what it may become worth on each ahu."""

    id: str
    weight: int
    start: int
    values: tuple[tuple[int, int], ...]  #: places of hexes and values of ahus beside them
    safe: bool  #: marked already
    abandoned: bool

    def promise(self, board: Board, at: int) -> float:
        """What it is worth on this hex: the best ahu's value, less for every hex it is away."""
        steps = distances(board, at)
        return max((value * NEARER ** (steps[hex_] + 1) for hex_, value in self.values), default=0.0)


@lru_cache(maxsize=1024)
def distances(board: Board, start: int) -> tuple[int, ...]:
    """Steps from a hex to every other."""
    steps = [FAR] * len(board.hexes)
    steps[start] = 0
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in board.links[here]:
            if steps[there] == FAR:
                steps[there] = steps[here] + 1
                queue.append(there)
    return tuple(steps)


class Sight:
    """What the bot makes of its view."""

    def __init__(self, view: Data, seat: int, board: Board, mine: set[str]) -> None:
        self.seat, self.board, self.view = seat, board, view
        self.stock: dict[str, int] = view["behind_screen"][seat]
        self.figures: list[Group] = [self._group(view["figures"].get(hex_.id, ())) for hex_ in board.hexes]
        self.mine = mine

    @staticmethod
    def _group(data: Iterable[Any]) -> Group:
        return tuple(LOG if carrier == "log" else (carrier[0], carrier[1]) for carrier in data)

    def items(self) -> list[Item]:
        """The pieces this seat may move and that are worth something, best first."""
        found = [self._item(id_, piece) for id_, piece in self.view["pieces"].items()]
        worth = [item for item in found if item is not None and item.values]
        return sorted(worth, key=lambda item: -item.promise(self.board, item.start))

    def _item(self, id_: str, piece: Data) -> Item | None:
        owner = next((piece[by] for by in ("before", "marker", "keeper") if piece[by] is not None), None)
        if owner not in (None, self.seat):
            return None
        start = self.board.quarry[piece["kind"]] if piece["hex"] is None else self.board.hex_at[piece["hex"]]
        weight = piece["size"] or 1
        values = self.building_sites(weight) if piece["kind"] == "moai" else self.uncrowned()
        return Item(id_, weight, start, tuple(values), piece["marker"] is not None, owner is None)

    def building_sites(self, weight: int) -> Iterator[tuple[int, int]]:
        for ahu in self.board.ahus:
            site = self.view["ahus"][ahu.id]
            open_to_us = self.stock["bases"] if site["reserved"] is None else site["reserved"] == self.seat
            if site["moai"] is None and open_to_us:
                yield self.board.hex_at[ahu.hex], ahu.moai * weight

    def uncrowned(self) -> Iterator[tuple[int, int]]:
        for ahu in self.board.ahus:
            if ahu.id in self.mine and not self.view["ahus"][ahu.id]["headdress"]:
                yield self.board.hex_at[ahu.hex], ahu.headdress

    def lacking(self, at: int, weight: int) -> int:
        """How much strength has to be added on a hex before a piece of this weight can enter it."""
        if cheapest_helpers(self.figures[at], weight, self.seat) is not None:
            return 0
        return max(1, weight - sum(STRENGTH[figure] for _, figure in self.figures[at]))

    def stands_on(self, at: int) -> bool:
        return any(owner == self.seat for owner, _ in self.figures[at])


class Bot:
    """Greedy: plans the way of its best piece, places what that way lacks, and then carries whatever gains most."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self._seat = seat
        self._rng = rng
        self._board: Board | None = None
        self._mine: set[str] = set()  #: ahus with a Moai of ours, as we remember

    def choose(self, view: Data, legal: Sequence[Any]) -> GiantsAction:
        """One of the legal actions, given this seat's view."""
        self._board = self._board or read_board(view["board"], "view.board")
        sight = Sight(view, self._seat, self._board, self._mine)
        if view["phase"] == "bid":
            return self._allowed(legal, [_bid(sight)])
        if view["phase"] == "carve":
            return self._allowed(legal, [Carve(self._seat, size) for size in reversed(SIZES)])
        if view["phase"] == "place":
            return self._allowed(legal, _placings(sight))
        chosen = _transport(sight, legal)
        if isinstance(chosen, Move) and chosen.then == "erect":
            self._mine.add(str(chosen.ahu))
        return chosen

    def _allowed(self, legal: Sequence[GiantsAction], wanted: Iterable[GiantsAction]) -> GiantsAction:
        allowed = set(legal)
        return next((action for action in wanted if action in allowed), None) or self._rng.choice(legal)


def _bid(sight: Sight) -> Bid:
    """Workers enough for the largest Moai that leaves some to carry it; none while enough Moais wait to be erected."""
    stock, offered = sight.stock, sight.view["quarry"]
    moais = [item for item in sight.items() if item.id.startswith("moai")]
    bases = sum(1 for site in sight.view["ahus"].values() if site["reserved"] == sight.seat) + stock["bases"]
    sizes = [size for size in offered if size <= stock["workers"]]
    if len(moais) >= min(WAITING, bases) or not sizes:
        return Bid(sight.seat, Hands(0, 0, 0, 0))
    return Bid(sight.seat, Hands(max(0, stock["markers"] - 1), max(sizes), 0, 0))


# Placing


def _placings(sight: Sight) -> Iterator[GiantsAction]:
    """What to place, best first: fetch, complete the ways of one's pieces, buy tablets, stand where others pass."""
    stock, seat = sight.stock, sight.seat
    if stock["sorcerer"]:
        yield from _errands(sight)
    for item in sight.items():
        yield from _on_the_way(sight, item)
    if stock["markers"] > 1 and sight.view["supply"]["half_tablets"]:
        yield Rongo(seat)
    beside_quarry = sight.board.links[sight.board.quarry["moai"]]
    for figure in ("worker", "chief", "sorcerer"):
        for at in sorted(beside_quarry, key=lambda at: len(sight.figures[at])):
            yield Place(seat, figure, sight.board.hexes[at].id)
    yield Pass(seat)


def _errands(sight: Sight) -> Iterator[Place]:
    """Where the medicine man is sent: for workers, a headdress, logs for what is heavy, markers."""
    own = sight.stock["workers"] + sum(group.count((sight.seat, "worker")) for group in sight.figures)
    items, hexes = sight.items(), sight.board.hexes
    headdresses = sum(1 for item in items if item.id.startswith("headdress") and not item.abandoned)
    forests = [hex_ for hex_ in hexes if hex_.kind == "forest" and hex_.id not in sight.view["felled"]]
    errands = []
    if own < ENOUGH_WORKERS:
        errands.append("village")
    if len(list(sight.uncrowned())) > headdresses and sight.view["supply"]["headdresses"]:
        errands.append("headdress")
    if forests and sight.stock["logs"] < 2 and any(item.weight > 1 for item in items):
        errands.append("forest")
    for action in (*errands, "hut", "village"):
        there = forests if action == "forest" else [hex_ for hex_ in hexes if hex_.kind == PLACES[action]]
        if there:
            yield Place(sight.seat, "sorcerer", max(there, key=lambda hex_: hex_.logs).id, 0, action)


def _on_the_way(sight: Sight, item: Item) -> Iterator[Place]:
    """Figures for what the best way of this piece lacks: on the last hex first if all can be had, else on the first."""
    way, lacking = _plan(sight, item)
    strength = sight.stock["workers"] + sight.stock["sorcerer"] + sight.stock["logs"] + 3 * sight.stock["chief"]
    wanted = [(at, gap) for at, gap in zip(way, lacking, strict=True) if gap]
    for at, gap in reversed(wanted) if sum(lacking) <= strength else wanted:
        yield from _figures_for(sight, at, gap)


def _figures_for(sight: Sight, at: int, gap: int) -> Iterator[Place]:
    """Who to put on a hex that lacks so much: workers with logs, the chief for much, the medicine man at last."""
    seat, hex_id = sight.seat, sight.board.hexes[at].id
    logs = min(2, gap - 1, sight.stock["logs"])
    if gap - logs > 1:
        yield Place(seat, "chief", hex_id)
    yield Place(seat, "worker", hex_id, logs)
    yield Place(seat, "chief", hex_id)
    yield Place(seat, "sorcerer", hex_id, logs)


def _plan(sight: Sight, item: Item) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The way of a piece to the ahu that is best for what has to be added, hex by hex; and what each hex lacks."""
    heap: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = [(0.0, (), ())]
    values: dict[int, int] = {}
    for hex_, value in item.values:
        values[hex_] = max(value, values.get(hex_, 0))
    done: set[int] = set()
    best: tuple[float, tuple[int, ...], tuple[int, ...]] = (-inf, (), ())
    while heap:
        cost, way, lacking = heappop(heap)
        here = way[-1] if way else item.start
        if here in done:
            continue
        done.add(here)
        if here in values:
            alone = not sight.stands_on(here) and not (lacking and lacking[-1])
            full = (*lacking[:-1], lacking[-1] + alone) if lacking else ()
            if lacking or not alone:
                best = max(best, (values[here] - 2 * (cost + alone), way, full))
        for there in sight.board.links[here]:
            if there not in done:
                gap = sight.lacking(there, item.weight)
                paid = cheapest_helpers(sight.figures[there], item.weight, sight.seat)
                step = gap + 0.1 + (paid[0] / 2 if paid else 0)
                heappush(heap, (cost + step, (*way, there), (*lacking, gap)))
    return best[1], best[2]


# Transport


def _transport(sight: Sight, legal: Sequence[GiantsAction]) -> GiantsAction:
    """The action that gains most; passing gains nothing."""
    items = {item.id: item for item in sight.items()}
    return max(legal, key=lambda action: _gain(sight, items, action))


def _gain(sight: Sight, items: dict[str, Item], action: GiantsAction) -> float:
    if isinstance(action, Pass):
        return 0.0
    if not isinstance(action, Move | Mark) or action.piece not in items:
        return -1.0
    item, board = items[action.piece], sight.board
    before = 0.0 if item.abandoned else item.promise(board, item.start)
    if isinstance(action, Mark):
        return 0.1 * item.promise(board, item.start) if item.abandoned or not item.safe else -1.0
    given = sum(sum(points_for(helpers, sight.seat, item.weight).values()) for helpers in action.helpers)
    at = board.hex_at[action.path[-1]] if action.path else item.start
    if action.then in ("erect", "crown"):
        ahu = board.ahu(str(action.ahu))
        assert ahu is not None
        if action.then == "crown":
            return ahu.headdress - before - given if ahu.id in sight.mine else -1.0
        return ahu.moai * item.weight + STANDING - before - given
    after = item.promise(board, at) * (1.0 if action.then == "mark" or item.safe else 0.9)
    return after - before - given - 0.01
