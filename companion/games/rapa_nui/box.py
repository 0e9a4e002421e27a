"""The dealer: shuffles and deals what is in Rapa Nui's box (`components.toml`)."""

from __future__ import annotations

import random

from companion.games.game import TABLE
from companion.games.rapa_nui.actions import Deal, LayDisplay, RapaNuiAction, Refill
from companion.games.rapa_nui.cards import COMPONENTS, HUNTER, OFFERINGS
from companion.games.rapa_nui.state import COLUMN, COLUMNS, DEAL, LAY, State

START_HANDS = tuple(
    tuple(HUNTER + sort for sort, name in enumerate(OFFERINGS) if name != lacks)
    for lacks in COMPONENTS["start"]["lacks"]
)


class Dealer:
    """Plays the table. It keeps no pile: what a state has not shown yet is drawn at random, so it may be wound back."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def act(self, state: State) -> RapaNuiAction:
        """The deal, the display or the refill that is due (RN-S1, RN-S3, RN-3.2)."""
        if state.step == DEAL:
            return Deal(TABLE, tuple(self._rng.sample(START_HANDS, state.players)))
        if state.step == LAY:
            cards = self._draw(state, COLUMNS * COLUMN)
            return LayDisplay(TABLE, tuple(cards[i : i + COLUMN] for i in range(0, len(cards), COLUMN)))
        return Refill(TABLE, state.drawn + 1, self._draw(state, min(COLUMN, state.pile)))

    def _draw(self, state: State, count: int) -> tuple[int, ...]:
        """Cards of the pile; where others than the box has were laid, what is left of each kind may not suffice."""
        left = [card for card, n in enumerate(state.unseen) for _ in range(n)]
        self._rng.shuffle(left)
        return tuple(left[:count]) if len(left) >= count else (*left, *self._any(count - len(left)))

    def _any(self, count: int) -> list[int]:
        return self._rng.choices(range(HUNTER), k=count)
