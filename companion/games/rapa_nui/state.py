"""Rapa Nui's state: everything that the rules need to know, secrets included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.game import TABLE, Actor, Effect, Malformed, Note
from companion.games.rapa_nui.cards import BOX, NONE, OFFERINGS, STACKS, WOODCUTTER, Bag, plus
from companion.games.reading import Fields

SEATS: Final = range(2, 5)
HAND: Final = 3  #: cards in hand between turns
COLUMNS: Final = 4
COLUMN: Final = 4  #: cards in a full column

DEAL: Final = "deal"
LAY: Final = "lay_display"
BUY: Final = "buy"
PLAY: Final = "play"
OFFER: Final = "offer"
ADD: Final = "offer_from_supply"
TAKE: Final = "take"
REFILL: Final = "refill"
INCOME: Final = "income"
SUBSTITUTE: Final = "substitute"
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Per-seat things are tuples by seat, bags count CARDS or OFFERINGS by index."""

    step: str
    seat: int  #: whose turn it is; when over, who drew last
    columns: tuple[tuple[int, ...], ...]  #: the front card of each is its last
    pile: int
    tableaus: tuple[Bag, ...]
    hands: tuple[Bag, ...]
    wood: tuple[int, ...]
    fame: tuple[int, ...]
    offerings: tuple[Bag, ...]
    supply: Bag
    stone: tuple[int, ...] = ()  #: bottom first
    face_down: bool = False  #: whether the stone's top card lies face down
    asked: tuple[int, ...] = ()  #: seats to offer, or to choose an income or substitutes, in order
    drawn: int = 0  #: index of the column the last card was drawn from
    unseen: Bag = BOX  #: what the pile must hold, if the box is complete
    extra_optional: bool = False  #: the option `extra_offering_optional` (AMB-1)

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def exposed(self) -> int:
        """The card that the last draw laid bare: its kind is scored (RN-3.3)."""
        return self.columns[self.drawn][-1]


def start(players: int, options: Mapping[str, Any]) -> State:
    """The state before the hands are dealt.

    RN-S1 every player has laid a woodcutter. RN-S2 with fewer players the other start cards stay in the box, and
    nothing else changes. RN-S4 each has one offering card of each sort, so the stacks hold 25 less one per player.
    RN-S6, AMB-5 wood and fame are not limited by their tokens. RN-S7 seats 0, 1, 2, 3 have 2, 3, 4, 5 wood.
    """
    if players not in SEATS:
        raise Malformed(f"Rapa Nui is for {SEATS.start} to {SEATS.stop - 1} players, not {players}")
    fields = Fields(options, "options")
    extra_optional = fields.flag("extra_offering_optional", default=False)
    fields.done()
    return State(
        step=DEAL,
        seat=0,
        columns=((),) * COLUMNS,
        pile=sum(BOX),
        tableaus=(plus(NONE, WOODCUTTER),) * players,
        hands=(NONE,) * players,
        wood=tuple(2 + seat for seat in range(players)),
        fame=(0,) * players,
        offerings=((1,) * len(OFFERINGS),) * players,
        supply=tuple(stack - players for stack in STACKS),
        extra_optional=extra_optional,
    )


def actor(state: State) -> Actor | None:
    """Who has to act: the table, one seat, or nobody when the game is over."""
    if state.step in (DEAL, LAY, REFILL):
        return TABLE
    if state.step == OVER:
        return None
    return state.asked[0] if state.asked else state.seat


def told(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody may know, now and later."""
    return Effect(Note(code, facts), rule)


def seen(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody saw, but that would tell hands, offering cards or the stone if it could be looked up."""
    return Effect(Note(code, facts), rule, memory=True)


def hushed(seat: int, rule: str, code: str, /, **facts: object) -> Effect:
    """Something that only this seat knows, told at the moment and not again."""
    return Effect(Note(code, facts), rule, (seat,), memory=True)
