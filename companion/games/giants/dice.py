"""What was rolled: read from the dice and the Moais they bring, or asked when not every die can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from companion.games.game import TABLE, Note
from companion.games.giants import auction, rules
from companion.games.giants.actions import Roll
from companion.games.giants.state import State
from companion.games.tabletop import Option, Reading

FACES: Final = range(4)
MOST: Final = 6  #: rolls among which people are asked to choose; more are entered


def rolled(state: State, dice: Sequence[int | None], tile: Counter[str]) -> Reading:
    """The roll that the dice from the left (None: its value cannot be told) and the quarry tile show.

    Dice of the round before may still lie there; the Moais tell that these are new ones. Where they bring none, people
    are asked. So they are where a die is not read or not seen but its Moai is.
    """
    values = tuple(value for value in dice if value is not None)
    if len(values) == len(dice) == state.players:
        return _read(state, values, tile)
    waiting = Reading(waiting=Note("see_dice", {"dice": len(values), "expected": state.players}))
    if not values or not tile or len(dice) > state.players:
        return waiting
    possible = [roll for roll in _possible(state, dice) if _brings(state, roll) == tile]
    if not 0 < len(possible) <= MOST:
        return waiting
    options = [Option(Note("act_roll", {"dice": list(roll.dice)}), roll) for roll in possible]
    return Reading(question=Note("ask_dice"), options=(*options, Option(Note("answer_again"), None)))


def _read(state: State, values: tuple[int, ...], tile: Counter[str]) -> Reading:
    action = Roll(TABLE, values)
    if not rules.verify(state, action).legal:
        return Reading(waiting=Note("see_dice", {"dice": 0, "expected": state.players}))
    offered = auction.roll(state, action, []).quarry
    if tile != _brings(state, action):
        return Reading(waiting=Note("see_quarry" if offered else "see_quarry_empty", {"sizes": list(offered)}))
    if offered:
        return Reading(action=action)
    options = (Option(Note("act_roll", {"dice": list(values)}), action), Option(Note("answer_again"), None))
    return Reading(question=Note("ask_rolled"), options=options)


def _brings(state: State, action: Roll) -> Counter[str]:
    """The Moais of a legal roll, as things on the quarry tile."""
    return Counter(f"moai-size-{size}" for size in auction.roll(state, action, []).quarry)


def _possible(state: State, dice: Sequence[int | None]) -> Iterator[Roll]:
    """Every roll that shows what is read; dice not seen at all may lie anywhere among the others."""
    for values in product(FACES, repeat=state.players):
        action = Roll(TABLE, values)
        if _shows(values, dice) and rules.verify(state, action).legal:
            yield action


def _shows(values: Sequence[int], dice: Sequence[int | None]) -> bool:
    """Whether the dice seen, in their order, are among these values; all of them where none is missing."""
    left = list(values)
    if len(dice) == len(left):
        return all(seen in (None, value) for seen, value in zip(dice, left, strict=True))
    rest = iter(left)
    return all(any(seen in (None, value) for value in rest) for seen in dice)
