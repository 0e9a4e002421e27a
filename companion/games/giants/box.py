"""What is in the box (`components.toml`), and the dealer who rolls its dice."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from companion.games.game import TABLE
from companion.games.giants.actions import GiantsAction, Roll

if TYPE_CHECKING:
    from companion.games.giants.state import State


@dataclass(frozen=True, slots=True)
class Box:
    """Counts of everything there is: of the common supply, and of each colour."""

    moais: tuple[int, int, int]  #: by size
    headdresses: int
    logs: int
    half_tablets: int
    workers: int
    markers: int
    start_workers: int
    fast_workers: int
    start_markers: int
    bases: dict[int, int]  #: of each player, by the number of players
    dice: tuple[tuple[int, ...], ...]  #: faces; the three white ones first


def components() -> dict[str, Any]:
    """`components.toml` as it stands."""
    return tomllib.loads(files("companion.games.giants").joinpath("components.toml").read_text("utf-8"))


@cache
def box() -> Box:
    listed = components()
    one, two, three = (listed["moais"][size] for size in "123")
    supply, colour, begin = listed["supply"], listed["colour"], listed["start"]
    return Box(
        moais=(one, two, three),
        headdresses=supply["headdresses"],
        logs=supply["logs"],
        half_tablets=supply["half_tablets"],
        workers=colour["workers"],
        markers=colour["markers"],
        start_workers=begin["workers"],
        fast_workers=begin["fast_workers"],
        start_markers=begin["markers"],
        bases={int(players): count for players, count in listed["bases"].items()},
        dice=tuple(tuple(faces) for faces in listed["dice"]["white"] + listed["dice"]["brown"]),
    )


class Dealer:
    """Plays the table: rolls as many dice as there are players, the white ones always (GI-1.1, GI-S4).

    Nothing else is left to chance: of the container everybody takes what is one's own.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def act(self, state: State) -> GiantsAction:
        return Roll(TABLE, tuple(self._rng.choice(faces) for faces in box().dice[: state.players]))
