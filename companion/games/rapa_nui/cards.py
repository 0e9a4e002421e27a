"""Rapa Nui's cards: what the rules know of them, and how records spell them.

Inside, a card is an index into `CARDS` and an offering card an index into `OFFERINGS`; a bag is a tuple of counts
in the order of these names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any, Final

from companion.games.reading import word

Bag = tuple[int, ...]

CARDS: Final = (
    "woodcutter",
    "priest",
    "moai",
    "hunter-fish",
    "hunter-mulberry",
    "hunter-sweet-potato",
    "hunter-grain",
)
OFFERINGS: Final = ("fish", "mulberry", "sweet-potato", "grain")
WOODCUTTER: Final = 0
PRIEST: Final = 1
MOAI: Final = 2
HUNTER: Final = 3  #: the first hunter; the hunter of an offering sort s is HUNTER + s

COMPONENTS: Final[dict[str, Any]] = tomllib.loads(files(__package__).joinpath("components.toml").read_text("utf-8"))
BOX: Final[Bag] = tuple(COMPONENTS["cards"][name] for name in CARDS)  #: the 50 Rapa Nui cards
STACKS: Final[Bag] = tuple(COMPONENTS["offerings"][name] for name in OFFERINGS)  #: the 100 offering cards
NONE: Final[Bag] = (0,) * len(CARDS)


def plus(bag: Bag, index: int, count: int = 1) -> Bag:
    """The bag with `count` more at `index` (or fewer, when negative)."""
    return (*bag[:index], bag[index] + count, *bag[index + 1 :])


def bag_of(cards: Iterable[int]) -> Bag:
    """How often each card is among these."""
    counts = [0] * len(CARDS)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def bag_data(bag: Bag, names: Sequence[str]) -> dict[str, int]:
    """Every name and its count, as in records."""
    return dict(zip(names, bag, strict=True))


def some(bag: Bag, names: Sequence[str]) -> dict[str, int]:
    """Only what is in the bag: for telling people."""
    return {name: count for name, count in zip(names, bag, strict=True) if count}


def read_card(value: object, where: str) -> int:
    return CARDS.index(word(value, where, CARDS))


def read_offering(value: object, where: str) -> int:
    return OFFERINGS.index(word(value, where, OFFERINGS))
