"""Rapa Nui's actions, and how record lines spell them. Cards are indices into CARDS, offerings into OFFERINGS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.games.game import Action, Actor, Data
from companion.games.rapa_nui.cards import CARDS, OFFERINGS, read_card, read_offering
from companion.games.reading import Fields, items

INCOMES: Final = ("wood", "fame")


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Every player takes three hunters into the hand (RN-S1)."""

    do: ClassVar[str] = "deal"
    hands: tuple[tuple[int, ...], ...]

    def arguments(self) -> Data:
        return {"hands": [[CARDS[card] for card in hand] for hand in self.hands]}


@dataclass(frozen=True, slots=True)
class LayDisplay(Action):
    """The table lays four columns of four cards, the front one last (RN-S3)."""

    do: ClassVar[str] = "lay_display"
    columns: tuple[tuple[int, ...], ...]

    def arguments(self) -> Data:
        return {"columns": [[CARDS[card] for card in column] for column in self.columns]}


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """Buy an offering card from a stack (RN-1.1)."""

    do: ClassVar[str] = "buy"
    offering: int

    def arguments(self) -> Data:
        return {"offering": OFFERINGS[self.offering]}


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay one card, or up to three hunters of one sort (RN-2.1)."""

    do: ClassVar[str] = "play"
    cards: tuple[int, ...]

    def arguments(self) -> Data:
        return {"cards": [CARDS[card] for card in self.cards]}


@dataclass(frozen=True, slots=True)
class ReturnMoai(Action):
    """Put one of three Moais that cannot be paid for back into the box (RN-2.8)."""

    do: ClassVar[str] = "return_moai"


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Put an own offering card on the stone (RN-2.5; the builder's lies face down, RN-2.6)."""

    do: ClassVar[str] = "offer"
    offering: int

    def arguments(self) -> Data:
        return {"offering": OFFERINGS[self.offering]}


@dataclass(frozen=True, slots=True)
class OfferFromSupply(Action):
    """The builder puts a card from a stack on the stone (RN-2.6); None declines where the option allows it."""

    do: ClassVar[str] = "offer_from_supply"
    offering: int | None

    def arguments(self) -> Data:
        return {"offering": None if self.offering is None else OFFERINGS[self.offering]}


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Take the front card of a column (RN-3.1); `column` counts from 1, as in records."""

    do: ClassVar[str] = "take"
    column: int

    def arguments(self) -> Data:
        return {"column": self.column}


@dataclass(frozen=True, slots=True)
class Refill(Action):
    """The table fills an emptied column from the pile (RN-3.2); the front card is last."""

    do: ClassVar[str] = "refill"
    column: int
    cards: tuple[int, ...]

    def arguments(self) -> Data:
        return {"column": self.column, "cards": [CARDS[card] for card in self.cards]}


@dataclass(frozen=True, slots=True)
class Income(Action):
    """Take wood or fame for one's Moais (RN-3.7)."""

    do: ClassVar[str] = "income"
    take: str

    def arguments(self) -> Data:
        return {"take": self.take}


@dataclass(frozen=True, slots=True)
class Substitute(Action):
    """Take a card of another sort for one that the stack lacks (RN-3.10); None declines it."""

    do: ClassVar[str] = "substitute"
    offering: int | None

    def arguments(self) -> Data:
        return {"offering": None if self.offering is None else OFFERINGS[self.offering]}


RapaNuiAction = (
    Deal | LayDisplay | Buy | Play | ReturnMoai | Offer | OfferFromSupply | Take | Refill | Income | Substitute
)


def _cards(value: object, where: str) -> tuple[int, ...]:
    return items(value, where, read_card)


def _four(value: object, where: str) -> tuple[int, ...]:
    return items(value, where, read_card, 4)


def _offering(fields: Fields) -> int:
    return read_offering(fields.take("offering"), "action.offering")


def _offering_or_none(fields: Fields) -> int | None:
    value = fields.take("offering")
    return None if value is None else read_offering(value, "action.offering")


def _readers(players: int) -> Mapping[str, Callable[[Actor, Fields], RapaNuiAction]]:
    return {
        "deal": lambda by, f: Deal(by, f.items("hands", _cards, players)),
        "lay_display": lambda by, f: LayDisplay(by, f.items("columns", _four, 4)),
        "buy": lambda by, f: Buy(by, _offering(f)),
        "play": lambda by, f: Play(by, f.items("cards", read_card)),
        "return_moai": lambda by, f: ReturnMoai(by),
        "offer": lambda by, f: Offer(by, _offering(f)),
        "offer_from_supply": lambda by, f: OfferFromSupply(by, _offering_or_none(f)),
        "take": lambda by, f: Take(by, f.integer("column", 1, 4)),
        "refill": lambda by, f: Refill(by, f.integer("column", 1, 4), f.items("cards", read_card)),
        "income": lambda by, f: Income(by, f.word("take", INCOMES)),
        "substitute": lambda by, f: Substitute(by, _offering_or_none(f)),
    }


def read_action(data: Mapping[str, Any], players: int) -> RapaNuiAction:
    """The action a record line means; raises Malformed."""
    readers = _readers(players)
    fields = Fields(data, "action")
    by = fields.actor(players)
    action = readers[fields.word("do", tuple(readers))](by, fields)
    fields.done()
    return action
