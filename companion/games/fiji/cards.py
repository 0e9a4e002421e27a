"""Fiji's cards and beads: what the rules know of them, and how records spell them.

A bag of beads is a tuple of four counts in the order of `COLOURS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Final

from companion.games.game import Data, Malformed
from companion.games.reading import Fields, items, word

Bag = tuple[int, int, int, int]

COLOURS: Final = ("green", "red", "yellow", "blue")
EMPTY: Final[Bag] = (0, 0, 0, 0)
ONE_OF_EACH: Final[Bag] = (1, 1, 1, 1)
FULL_SET: Final[Bag] = (5, 4, 3, 2)  #: FJ-1
EXTENDED_SET: Final[Bag] = (6, 5, 4, 3)  #: FJ-2p1
GAIN: Final = (4, 3, 2, 1)  #: what "gain" of a colour takes, in the order of COLOURS (FJ-X1)
MOST: Final = "most"
FEWEST: Final = "fewest"
WINS: Final = (MOST, FEWEST)
COLOURED: Final = ("gain", "half", "others_gain")  #: effects that name a colour
PLAIN: Final = ("one_of_each", "keep_bid", "rotate_goal", "swap_goals")


def plus(a: Bag, b: Bag) -> Bag:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def minus(a: Bag, b: Bag) -> Bag:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def times(bag: Bag, n: int) -> Bag:
    return (bag[0] * n, bag[1] * n, bag[2] * n, bag[3] * n)


def holds(bag: Bag, beads: Bag) -> bool:
    """Whether all of `beads` are in the bag."""
    return bag[0] >= beads[0] and bag[1] >= beads[1] and bag[2] >= beads[2] and bag[3] >= beads[3]


def only(colour: int, count: int) -> Bag:
    """A bag of one colour (an index into COLOURS)."""
    return (
        count if colour == 0 else 0,
        count if colour == 1 else 0,
        count if colour == 2 else 0,
        count if colour == 3 else 0,
    )


def as_bag(counts: Iterable[int]) -> Bag:
    green, red, yellow, blue = counts
    return (green, red, yellow, blue)


def bag_data(bag: Bag) -> dict[str, int]:
    """Every colour and its count, as in records."""
    return dict(zip(COLOURS, bag, strict=True))


def capped(hand: Bag, most: int) -> Bag:
    """The hand with no more than `most` of a colour: enough to take `most` beads from, and one of few."""
    return (min(hand[0], most), min(hand[1], most), min(hand[2], most), min(hand[3], most))


@cache
def handfuls(hand: Bag, least: int, most: int) -> tuple[Bag, ...]:
    """Every bag of `least` to `most` beads that can be taken from a hand, which is best `capped` before."""
    counts = product(*[range(have + 1) for have in hand])
    return tuple([(g, r, y, b) for g, r, y, b in counts if least <= g + r + y + b <= most])


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition card: the bid with the most or fewest beads of these colours (indices into COLOURS) wins."""

    colours: tuple[int, ...]
    wins: str

    def value(self, bid: Bag) -> int:
        """What counts of a bid: the beads of the card's colours together (FJ-4b1); none is a value, too (FJ-4b2)."""
        return sum([bid[c] for c in self.colours])

    def data(self) -> Data:
        return {"colours": [COLOURS[c] for c in self.colours], "wins": self.wins}


@dataclass(frozen=True, slots=True)
class RowEffect:
    """An effect card: what the winner of its row must do; `colour` is an index into COLOURS where it has one."""

    kind: str
    colour: int | None = None

    def data(self) -> Data:
        return {"kind": self.kind} if self.colour is None else {"kind": self.kind, "colour": COLOURS[self.colour]}


@dataclass(frozen=True, slots=True)
class Row:
    """A condition card with the effect card beside it."""

    condition: Condition
    effect: RowEffect

    def data(self) -> Data:
        return {"condition": self.condition.data(), "effect": self.effect.data()}


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal card as it lies: most or fewest of a colour (an index into COLOURS)."""

    colour: int
    wins: str

    def rotated(self) -> Goal:
        return Goal(self.colour, FEWEST if self.wins == MOST else MOST)

    def merit(self, hand: Bag) -> int:
        """How well a hand meets the goal; more is better, 0 beads are the fewest (FJ-5)."""
        return hand[self.colour] if self.wins == MOST else -hand[self.colour]

    def data(self) -> Data:
        return {"colour": COLOURS[self.colour], "wins": self.wins}


def read_colour(value: object, where: str) -> int:
    return COLOURS.index(word(value, where, COLOURS))


def read_condition(value: object, where: str) -> Condition:
    fields = Fields(value, where)
    colours = items(fields.take("colours"), f"{where}.colours", read_colour, range(1, 5))
    if len(set(colours)) < len(colours):
        raise Malformed(f"{where}.colours names a colour twice")
    condition = Condition(colours, fields.word("wins", WINS))
    fields.done()
    return condition


def read_effect(value: object, where: str) -> RowEffect:
    fields = Fields(value, where)
    kind = fields.word("kind", COLOURED + PLAIN)
    colour = read_colour(fields.take("colour"), f"{where}.colour") if kind in COLOURED else None
    fields.done()
    return RowEffect(kind, colour)


def check(says: Mapping[str, Any], where: str) -> None:
    """Raises Malformed if the attributes of a copy's card are those of no condition, effect or goal card."""
    if "colours" in says or "wins" in says:
        read_condition({name: says[name] for name in ("colours", "wins") if name in says}, where)
    elif "kind" in says:
        read_effect({name: says[name] for name in ("kind", "colour") if name in says}, where)
    elif "upright" in says or "turned" in says:
        fields = Fields(says, where)
        read_colour(fields.take("colour"), f"{where}.colour")
        for side in ("upright", "turned"):
            fields.word(side, WINS)


def read_row(value: object, where: str) -> Row:
    fields = Fields(value, where)
    row = Row(
        read_condition(fields.take("condition"), f"{where}.condition"),
        read_effect(fields.take("effect"), f"{where}.effect"),
    )
    fields.done()
    return row


def read_goal(value: object, where: str) -> Goal:
    fields = Fields(value, where)
    goal = Goal(read_colour(fields.take("colour"), f"{where}.colour"), fields.word("wins", WINS))
    fields.done()
    return goal
