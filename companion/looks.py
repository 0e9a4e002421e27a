"""Several looks at a table agree on what lies there: one may miss, doubt or misread, most of them tell.

Each place keeps what the newest looks saw there. What most of them say lies there; what none of them sees is gone;
in between nothing is known yet, and another look will tell.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeVar

from companion.games.tabletop import Meaning, Seen, SeenBead, SeenCard, SeenPiece

WINDOW: Final = 6  #: looks that are remembered
ENOUGH: Final = 3  #: of them that must say the same before it is believed
FRESH: Final = 3  #: the newest looks, one of which must have seen it
DIE: Final = "die"  #: a piece that is known though nobody knows its value
HOPELESS: Final = 14  #: looks, one after the other, after which a place that they leave open is in doubt
CARD_MM: Final = 8.0  #: two sightings of one card at rest are no farther apart
SMALL_MM: Final = 6.0  #: the same for beads and pieces
SAME_TURN: Final = 30.0  #: degrees between two sightings of a card that was not turned

Thing = TypeVar("Thing", SeenCard, SeenBead, SeenPiece)
Small = TypeVar("Small", SeenBead, SeenPiece)


@dataclass(slots=True)
class _Place(Generic[Thing]):
    """What lay here by the newest looks: pairs of a look's number and what it saw, the newest last."""

    x: float
    y: float
    sightings: deque[tuple[int, Thing]]
    unclear: int = 0  # looks, one after the other, that left open what lies here


@dataclass(slots=True)
class _Kind(Generic[Thing]):
    """All places of one kind of thing."""

    apart: float
    places: list[_Place[Thing]] = field(default_factory=list)

    def add(self, look: int, things: Iterable[Thing]) -> None:
        """Each thing goes to the nearest place that has none yet in this look, or to a new one."""
        grid: dict[tuple[int, int], list[_Place[Thing]]] = {}
        for place in self.places:
            grid.setdefault((int(place.x // self.apart), int(place.y // self.apart)), []).append(place)
        for thing in things:
            near = self._near(grid, thing, look)
            if near is None:
                self.places.append(_Place(thing.x, thing.y, deque([(look, thing)])))
            else:
                near.x, near.y = thing.x, thing.y
                near.sightings.append((look, thing))
        for place in self.places:
            while place.sightings and place.sightings[0][0] <= look - WINDOW:
                place.sightings.popleft()
        self.places = [place for place in self.places if place.sightings]

    def _near(self, grid: dict[tuple[int, int], list[_Place[Thing]]], thing: Thing, look: int) -> _Place[Thing] | None:
        column, row = int(thing.x // self.apart), int(thing.y // self.apart)
        best, least = None, self.apart
        for i in (column - 1, column, column + 1):
            for j in (row - 1, row, row + 1):
                for place in grid.get((i, j), ()):
                    away = math.hypot(place.x - thing.x, place.y - thing.y)
                    if away < least and place.sightings[-1][0] < look:
                        best, least = place, away
        return best


class Looks:
    """The newest looks at one table. `add` takes one and returns what they agree on.

    >>> looks = Looks()
    >>> red = Seen(beads=(SeenBead("red", 10, 10),))
    >>> [looks.add(red).beads[0].colour for _ in range(3)], looks.settled
    (['', '', 'red'], True)
    """

    def __init__(self) -> None:
        self._look = 0
        self._cards: _Kind[SeenCard] = _Kind(CARD_MM)
        self._beads: _Kind[SeenBead] = _Kind(SMALL_MM)
        self._pieces: _Kind[SeenPiece] = _Kind(SMALL_MM)
        self.settled = False  #: whether another look at the same table would tell nothing new
        self.open: tuple[tuple[float, float], ...] = ()  #: where the newest looks have not seen the same, mm

    def add(self, seen: Seen) -> Seen:
        """What lies on the table by this look and those before; what is not known yet is in doubt."""
        self._look += 1
        self._cards.add(self._look, seen.cards)
        self._beads.add(self._look, seen.beads)
        self._pieces.add(self._look, seen.pieces)
        self.settled = self._look >= ENOUGH
        kinds: tuple[_Kind[Any], ...] = (self._cards, self._beads, self._pieces)
        self.open = tuple((p.x, p.y) for kind in kinds for p in kind.places if self._differs(p))
        return Seen(
            tuple(self._card(place) for place in self._cards.places),
            tuple(self._small(place) for place in self._beads.places),
            tuple(self._small(place) for place in self._pieces.places),
        )

    def _differs(self, place: _Place[Any]) -> bool:
        """Whether the newest looks, as many as it takes to believe them, disagree on what lies here, if anything."""
        newest = [thing for look, thing in place.sightings if look > self._look - ENOUGH]
        open_ = bool(newest) and place.unclear < HOPELESS
        return open_ and (len(newest) < ENOUGH or len({_told(thing) for thing in newest}) > 1)

    def _stays(self, place: _Place[Thing]) -> bool:
        """Whether something certainly lies here."""
        return len(place.sightings) >= ENOUGH and place.sightings[-1][0] > self._look - FRESH

    def _unsettled(self, place: _Place[Any]) -> None:
        """Another look will tell what lies here; but not when so many have not."""
        place.unclear += 1
        if place.unclear <= HOPELESS:
            self.settled = False

    def _card(self, place: _Place[SeenCard]) -> SeenCard:
        newest: dict[Hashable, SeenCard] = {}
        votes: dict[Hashable, float] = {}
        for _, card in place.sightings:
            for said in _readings(card):
                key = _key(said, newest)
                newest[key] = said if card.sure or key not in newest else newest[key]
                votes[key] = votes.get(key, 0.0) + (1.0 if card.sure else 1.0 / len(card.candidates))
        ranked = sorted(votes, key=lambda key: -votes[key])
        stays = self._stays(place)
        sure = sum(card.sure for _, card in place.sightings)
        second = votes[ranked[1]] if len(ranked) > 1 else 0.0
        if stays and sure >= ENOUGH - 1 and votes[ranked[0]] >= ENOUGH - 0.5 and votes[ranked[0]] >= 2 * second + 0.5:
            place.unclear = 0
            return newest[ranked[0]]
        if not stays or sure > 1:  # it comes, goes, or is another one now: the next looks will tell
            self._unsettled(place)
        x, y = place.x, place.y
        candidates = [(newest[key].component, newest[key].meaning) for key in ranked]
        return SeenCard("", {}, x, y, newest[ranked[0]].angle, _unlike(candidates))

    def _small(self, place: _Place[Small]) -> Small:
        """A bead or a piece: what it says most often, or one of which nothing is known when that is not clear."""
        votes: dict[Hashable, int] = {}
        newest: dict[Hashable, Small] = {}
        for _, thing in place.sightings:
            said = _says(thing)
            if said[0]:
                votes[said] = votes.get(said, 0) + 1
                newest[said] = thing
        ranked = sorted(votes, key=lambda said: -votes[said])
        stays = self._stays(place)
        second = votes[ranked[1]] if len(ranked) > 1 else 0
        if stays and ranked and votes[ranked[0]] >= ENOUGH - 1 and votes[ranked[0]] > 2 * second:
            place.unclear = 0
            return newest[ranked[0]]
        if not stays or (ranked and votes[ranked[0]] > 1):
            self._unsettled(place)
        return _unknown([thing for _, thing in place.sightings] if stays else place.sightings[-1][1:])


def _says(thing: SeenBead | SeenPiece) -> tuple[str | int | None, ...]:
    """What a bead or a piece is, its name first; empty when it cannot be told."""
    return (thing.colour,) if isinstance(thing, SeenBead) else (thing.piece, thing.colour, thing.value)


def _told(thing: SeenCard | SeenBead | SeenPiece) -> Hashable:
    """What a sighting says of what it saw, whatever its place; the likeliest of a doubtful card."""
    if isinstance(thing, SeenCard):
        return thing.sure, thing.component or thing.candidates[0][0]
    return _says(thing)


def _unknown(things: Sequence[Small]) -> Small:
    """What lies where these were seen when they do not agree; of beads all that any of them may be, a die stays one."""
    newest = things[-1]
    if isinstance(newest, SeenBead):
        each = [(t.colour,) if t.colour else t.may_be for t in things if isinstance(t, SeenBead)]
        known = tuple(dict.fromkeys(c for colours in each for c in colours)) if all(each) else ()
        return replace(newest, colour="", may_be=known if len(things) > 1 else ())
    same = {thing.piece for thing in things if isinstance(thing, SeenPiece)}
    return replace(newest, piece=newest.piece if len(same) == 1 and newest.piece == DIE else "", value=None)


def _readings(card: SeenCard) -> Iterable[SeenCard]:
    """What this sighting may be, each as if it were sure."""
    if card.sure:
        return (card,)
    return [replace(card, component=name, meaning=meaning, candidates=()) for name, meaning in card.candidates]


def _key(card: SeenCard, known: dict[Hashable, SeenCard]) -> Hashable:
    """The reading this one agrees with, or a new one: the same component, lying the same way."""
    turns = [key for key, other in known.items() if other.component == card.component]
    for key in turns:
        if abs((known[key].angle - card.angle + 180) % 360 - 180) <= SAME_TURN:
            return key
    return card.component, len(turns)


def _unlike(candidates: Iterable[tuple[str, Meaning]]) -> tuple[tuple[str, Meaning], ...]:
    """Each component once."""
    return tuple({name: (name, meaning) for name, meaning in candidates}.values())
