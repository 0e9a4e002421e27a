"""Fiji's actions, and how record lines spell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.games.fiji.cards import COLOURS, Bag, Goal, Row, as_bag, bag_data, read_goal, read_row
from companion.games.game import Action, Actor, Data
from companion.games.reading import Fields, integer


@dataclass(frozen=True, slots=True)
class LayConditions(Action):
    """The table lays four conditions with an effect beside each, top to bottom (FJ-2)."""

    do: ClassVar[str] = "lay_conditions"
    rows: tuple[Row, ...]

    def arguments(self) -> Data:
        return {"rows": [row.data() for row in self.rows]}


@dataclass(frozen=True, slots=True)
class LayGoals(Action):
    """The table lays the four goal cards, the most important first (FJ-3)."""

    do: ClassVar[str] = "lay_goals"
    goals: tuple[Goal, ...]

    def arguments(self) -> Data:
        return {"goals": [goal.data() for goal in self.goals]}


@dataclass(frozen=True, slots=True)
class SetAside(Action):
    """With two players, four beads go out of play for this round (FJ-2p2)."""

    do: ClassVar[str] = "set_aside"
    beads: Bag

    def arguments(self) -> Data:
        return {"beads": bag_data(self.beads)}


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """One to four own beads, for all four conditions (FJ-4a1)."""

    do: ClassVar[str] = "bid"
    beads: Bag

    def arguments(self) -> Data:
        return {"beads": bag_data(self.beads)}


@dataclass(frozen=True, slots=True)
class RotateGoal(Action):
    """The winner turns the goal card at this position, 1 to 4 (FJ-X5)."""

    do: ClassVar[str] = "rotate_goal"
    position: int

    def arguments(self) -> Data:
        return {"position": self.position}


@dataclass(frozen=True, slots=True)
class SwapGoals(Action):
    """The winner swaps the goal cards at two positions, 1 to 4 (FJ-X6)."""

    do: ClassVar[str] = "swap_goals"
    positions: tuple[int, int]

    def arguments(self) -> Data:
        return {"positions": list(self.positions)}


@dataclass(frozen=True, slots=True)
class KeepBid(Action):
    """With the option `keep_bid_optional`, the winner says whether the bid is kept (FJ-A1)."""

    do: ClassVar[str] = "keep_bid"
    keep: bool

    def arguments(self) -> Data:
        return {"keep": self.keep}


FijiAction = LayConditions | LayGoals | SetAside | Bid | RotateGoal | SwapGoals | KeepBid


def _position(value: object, where: str) -> int:
    return integer(value, where, 1, 4)


def _positions(fields: Fields) -> tuple[int, int]:
    one, other = sorted(fields.items("positions", _position, 2))  # either order means the same swap
    return one, other


_READERS: Final[Mapping[str, Callable[[Actor, Fields], FijiAction]]] = {
    "lay_conditions": lambda by, f: LayConditions(by, f.items("rows", read_row, 4)),
    "lay_goals": lambda by, f: LayGoals(by, f.items("goals", read_goal, 4)),
    "set_aside": lambda by, f: SetAside(by, as_bag(f.bag("beads", COLOURS))),
    "bid": lambda by, f: Bid(by, as_bag(f.bag("beads", COLOURS))),
    "rotate_goal": lambda by, f: RotateGoal(by, f.integer("position", 1, 4)),
    "swap_goals": lambda by, f: SwapGoals(by, _positions(f)),
    "keep_bid": lambda by, f: KeepBid(by, f.flag("keep")),
}


def read_action(data: Mapping[str, Any], players: int) -> FijiAction:
    """The action a record line means; raises Malformed."""
    fields = Fields(data, "action")
    by = fields.actor(players)
    action = _READERS[fields.word("do", tuple(_READERS))](by, fields)
    fields.done()
    return action
