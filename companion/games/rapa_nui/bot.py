"""A sensible player of Rapa Nui: greedy, and looking ahead to what its own draws will score. Sees its view only."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.games.game import Data
from companion.games.rapa_nui.actions import (
    Buy,
    Income,
    Offer,
    OfferFromSupply,
    Play,
    RapaNuiAction,
    ReturnMoai,
    Substitute,
    Take,
)
from companion.games.rapa_nui.cards import BOX, CARDS, HUNTER, MOAI, OFFERINGS, WOODCUTTER, Bag
from companion.games.rapa_nui.scoring import yields
from companion.games.rapa_nui.state import HAND
from companion.games.rapa_nui.verdict import MOAI_COST, PRICE, cost

OFFERING: Final = 1.7  #: fame an offering card is worth on the whole
WOOD: Final = 0.25, 0.4  #: fame a wood is worth: at the end, and on top of it at the start
MAJORITY: Final = 0.3  #: how often a further hunter of a sort brings the bonus
DISCOUNT: Final = 0.2  #: how often a turn its lower price is used
IN_HAND: Final = 0.6  #: what a card in hand is worth of what it would be worth laid


@dataclass(frozen=True, slots=True)
class _Position:
    """What the bot knows, as numbers."""

    me: int
    columns: tuple[tuple[int, ...], ...]
    tableaus: tuple[Bag, ...]
    hand: Bag
    wood: int
    own: Bag  #: its offering cards
    turns: float  #: turns that it will still have, about

    @classmethod
    def of(cls, view: Data, me: int) -> _Position:
        players = len(view["tableaus"])
        return cls(
            me,
            tuple(tuple(CARDS.index(card) for card in column) for column in view["columns"]),
            tuple(tuple(bag[name] for name in CARDS) for bag in view["tableaus"]),
            tuple(view["hands"][me][name] for name in CARDS),
            view["wood"][me],
            tuple(view["offerings"][me][name] for name in OFFERINGS),
            (view["pile"] + 8) / 1.4 / players,
        )

    @property
    def wood_worth(self) -> float:
        """Fame a wood is worth; it can buy more when much of the game is left."""
        least, more = WOOD
        return least + more * min(1.0, self.turns / 8)

    def with_laid(self, card: int, count: int) -> tuple[Bag, ...]:
        """All tableaus once the bot has laid this."""
        mine = self.tableaus[self.me]
        mine = (*mine[:card], mine[card] + count, *mine[card + 1 :])
        return (*self.tableaus[: self.me], mine, *self.tableaus[self.me + 1 :])

    def worth(self, card: int) -> float:
        """Fame that one of a kind earns when it is scored."""
        if card >= HUNTER:
            return OFFERING
        return self.wood_worth if card == WOODCUTTER else 1.0

    def laid_worth(self, card: int) -> float:
        """Fame that one more card of a kind will earn in the turns to come, if it lies."""
        scorings = self.turns * len(self.tableaus) * BOX[card] / sum(BOX)
        lies = self.tableaus[self.me][card]
        if card == MOAI:
            return 4 + scorings - MOAI_COST * self.wood_worth
        if card < HUNTER:
            return scorings * self.worth(card)
        first = scorings * OFFERING if not lies else 0.0
        return first + MAJORITY * scorings * OFFERING + DISCOUNT * self.turns * self.wood_worth

    def margin(self, card: int, tableaus: Sequence[Bag]) -> float:
        """Fame the bot earns when a kind is scored now, less what the others earn on average."""
        earned = yields(card, [tableau[card] for tableau in tableaus])
        others = (sum(earned) - earned[self.me]) / (len(earned) - 1)
        return (earned[self.me] - others) * self.worth(card)

    def best_draws(self, columns: tuple[tuple[int, ...], ...], need: int, tableaus: Sequence[Bag]) -> float:
        """The best that `need` draws can bring: the cards, and the scoring of what the last one lays bare."""
        return max(self.draw(columns, at, need, tableaus) for at in range(len(columns)) if columns[at])

    def draw(self, columns: tuple[tuple[int, ...], ...], at: int, need: int, tableaus: Sequence[Bag]) -> float:
        """What drawing from a column brings, with the best draws after it. What a refill will show nobody knows."""
        *rest, card = columns[at]
        value = IN_HAND * self.laid_worth(card)
        if need > 1:
            left = (*columns[:at], tuple(rest), *columns[at + 1 :])
            return value + (self.best_draws(left, need - 1, tableaus) if any(left) else 0.0)
        return value + (self.margin(rest[-1], tableaus) if rest else 0.0)


class Bot:
    """Plays a seat from its view."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self._seat = seat
        self._rng = rng

    def choose(self, view: Data, legal: Sequence[RapaNuiAction]) -> RapaNuiAction:
        """The action that promises most; equal ones by lot."""
        position = _Position.of(view, self._seat)
        promises = [self._promise(position, action) for action in legal]
        best = max(promises)
        return self._rng.choice([action for action, promise in zip(legal, promises, strict=True) if promise == best])

    def _promise(self, position: _Position, action: RapaNuiAction) -> float:
        match action:
            case Buy():
                return self._buying(position, action.offering)
            case Play():
                return self._laying(position, action.cards[0], len(action.cards))
            case ReturnMoai():
                return -1.0
            case Take():
                need = HAND - sum(position.hand)
                return position.draw(position.columns, action.column - 1, need, position.tableaus)
            case Offer() | OfferFromSupply() | Substitute():
                return float(position.own[action.offering]) if action.offering is not None else -1.0
            case Income():
                short = position.hand[MOAI] > 0 and position.wood < MOAI_COST and position.turns > 2
                return 1.0 if (action.take == "wood") == short else 0.0
            case _:
                return 0.0

    def _laying(self, position: _Position, card: int, count: int) -> float:
        """What laying brings: now by the draws that follow, later by what lies."""
        later = position.laid_worth(card)
        if card >= HUNTER:
            later += (count - 1) * (position.laid_worth(card) * 0.5 - cost(card, count) * position.wood_worth)
        later -= count * IN_HAND * position.laid_worth(card)
        need = HAND - sum(position.hand) + count
        return later + position.best_draws(position.columns, need, position.with_laid(card, count))

    def _buying(self, position: _Position, sort: int) -> float:
        """Above every way of laying if the card is worth its price, below all of them if not.

        Wood that a Moai in hand needs is not spent on offerings.
        """
        price = max(0, PRICE - position.tableaus[position.me][HUNTER + sort])
        spoils = position.hand[MOAI] > 0 and position.wood >= MOAI_COST > position.wood - price and position.turns > 1
        gain = OFFERING - price * position.wood_worth - (3.0 if spoils else 0.0)
        return 1000.0 + gain if gain > 0.25 else -1000.0
