"""The dealer: draws tiles from the pile of a copy of Maori (`components.toml`, or the copy's own catalogue)."""

from __future__ import annotations

import random

from companion.games.game import TABLE
from companion.games.maori.actions import POSITIONS, SIZE, LayDisplay, MaoriAction, Refill
from companion.games.maori.state import LAY, State


class Dealer:
    """Plays the table. It keeps no pile: what a state has not shown yet is drawn at random, so it may be wound back."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def act(self, state: State) -> MaoriAction:
        """The first display with the ship, or the refill that is due.

        Volcanoes are put back when the first display is laid, as is the custom; the rules do not ask for it.
        """
        names = state.setup.names
        left = sorted(state.unseen)
        if state.step == LAY:
            calm = [tile for tile in left if not state.setup.tiles[tile].volcano]
            tiles = self._draw(calm, SIZE * SIZE)
            return LayDisplay(TABLE, tuple(names[tile] for tile in tiles), self._rng.randrange(POSITIONS))
        if not state.pile:
            return Refill(TABLE, None)
        return Refill(TABLE, names[self._draw(left or list(range(len(names))), 1)[0]])

    def _draw(self, tiles: list[int], count: int) -> list[int]:
        """This many tiles; of a catalogue that is too small some come twice."""
        return self._rng.sample(tiles, count) if len(tiles) >= count else self._rng.choices(tiles, k=count)
