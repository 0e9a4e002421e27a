"""What is in the box (`components.toml`), and the dealer who shuffles and lays it."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.games.fiji.actions import FijiAction, LayConditions, LayGoals
from companion.games.fiji.cards import WINS, Condition, Goal, Row, RowEffect, read_colour, read_condition, read_effect
from companion.games.fiji.state import State
from companion.games.game import TABLE

ROWS = 4  #: conditions laid in a round (FJ-2)


@dataclass(frozen=True, slots=True)
class Box:
    """The cards of the house set: 16 conditions, 16 effects, and the colours of the 4 goals."""

    conditions: tuple[Condition, ...]
    effects: tuple[RowEffect, ...]
    goals: tuple[int, ...]


def components() -> dict[str, Any]:
    """`components.toml` as it stands."""
    return tomllib.loads(files("companion.games.fiji").joinpath("components.toml").read_text("utf-8"))


@cache
def house_box() -> Box:
    listed = components()
    return Box(
        tuple(read_condition(card, name) for name, card in listed["conditions"].items()),
        tuple(read_effect(card, name) for name, card in listed["effects"].items()),
        tuple(read_colour(card["colour"], name) for name, card in listed["goals"].items()),
    )


class Dealer:
    """Plays the table: conditions and effects come from piles shuffled once, goals are shuffled and turned (FJ-S1)."""

    def __init__(self, rng: random.Random, box: Box | None = None) -> None:
        box = box or house_box()
        self._rng = rng
        self._goals = list(box.goals)
        conditions, effects = list(box.conditions), list(box.effects)
        rng.shuffle(conditions)
        rng.shuffle(effects)
        self._rows = [Row(condition, effect) for condition, effect in zip(conditions, effects, strict=True)]

    def act(self, state: State) -> FijiAction:
        """Lay what is due: this round's four rows of the piles, or the goals shuffled and turned (FJ-2, FJ-3)."""
        if state.step == "lay_conditions":
            top = (state.round - 1) * ROWS
            return LayConditions(TABLE, tuple(self._rows[top : top + ROWS]))
        colours = self._rng.sample(self._goals, len(self._goals))
        return LayGoals(TABLE, tuple(Goal(colour, self._rng.choice(WINS)) for colour in colours))
