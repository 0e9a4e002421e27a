"""Who may know what of a game of Rapa Nui (rules.md 1.6). Views are built from nothing, never by leaving out.

Open to all: the display, what players have laid, wood and fame (AMB-7), the stone's top card where it lies face up,
and whether a stack of offering cards is empty. Its owner's alone: the hand, and the own offering cards (RN-S5).
Nobody's until the game is over: the stone below its top (RN-2.7), and from what the others' cards could be worked out,
though everybody saw it at its moment: how many cards the stacks hold, which cards went from the display into hands,
and which sorts were bought, offered and handed out.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.game import Data, Viewer
from companion.games.rapa_nui.actions import (
    Buy,
    Deal,
    LayDisplay,
    Offer,
    OfferFromSupply,
    RapaNuiAction,
    Refill,
    Substitute,
    Take,
)
from companion.games.rapa_nui.cards import CARDS, OFFERINGS, Bag, bag_data
from companion.games.rapa_nui.scoring import open_parts, scores, values
from companion.games.rapa_nui.state import INCOME, OVER, SUBSTITUTE, State


def dump(state: State) -> Data:
    """Everything, with the field names of the record format."""
    return {
        **_public(state),
        "hands": [bag_data(bag, CARDS) for bag in state.hands],
        "offerings": [bag_data(bag, OFFERINGS) for bag in state.offerings],
        "supply": bag_data(state.supply, OFFERINGS),
        "stone": [OFFERINGS[card] for card in state.stone],
    }


def view(state: State, viewer: Viewer) -> Data:
    """What this seat, or a spectator (None), may know now.

    The record format's fields, with null for others' hands and offerings, beside them how many cards each holds;
    `supply` says which stacks are not empty; `stone` is {empty, top: null where it lies face down}; `scored` is the
    kind being scored, or null; `scores` are the points that everybody can count. When the game is over nothing is
    hidden, and `stone` has its `cards` and their `values`.
    """
    over = state.step == OVER
    return {
        **_public(state),
        "hands": _by_seat(state.hands, CARDS, viewer, over),
        "hand_sizes": [sum(bag) for bag in state.hands],
        "offerings": _by_seat(state.offerings, OFFERINGS, viewer, over),
        "offering_counts": [sum(bag) for bag in state.offerings],
        "supply": {name: count > 0 for name, count in zip(OFFERINGS, state.supply, strict=True)},
        "stone": _stone(state),
        "scored": CARDS[state.exposed] if state.step in (INCOME, SUBSTITUTE) else None,
        "scores": _scores(state),
    }


def view_action(action: RapaNuiAction, viewer: Viewer) -> Data:
    """What this viewer may look up of an action later; arguments that may not be shown again are left out.

    A seat may look up what it still holds. What everybody saw for a moment was told by the effects then.
    """
    told: Data = {"by": action.by, "do": action.do}
    match action:
        case Deal():
            hands = action.data()["hands"]
            return {**told, "hands": [hand if seat == viewer else None for seat, hand in enumerate(hands)]}
        case LayDisplay() | Refill() | Offer():
            return told
        case OfferFromSupply():
            return {**told, "offering": None} if action.offering is None else told
        case Buy() | Take():
            return action.data() if viewer == action.by else told
        case Substitute():
            return action.data() if viewer == action.by or action.offering is None else told
        case _:
            return action.data()


def _public(state: State) -> Data:
    return {
        "seat": state.seat,
        "step": state.step,
        "columns": [[CARDS[card] for card in column] for column in state.columns],
        "pile": state.pile,
        "tableaus": [bag_data(bag, CARDS) for bag in state.tableaus],
        "wood": list(state.wood),
        "fame": list(state.fame),
    }


def _by_seat(bags: Sequence[Bag], names: Sequence[str], viewer: Viewer, over: bool) -> list[Data | None]:
    return [bag_data(bag, names) if over or seat == viewer else None for seat, bag in enumerate(bags)]


def _stone(state: State) -> Data:
    top = OFFERINGS[state.stone[-1]] if state.stone and not state.face_down else None
    shown: Data = {"empty": not state.stone, "top": top}
    if state.step == OVER:
        shown["cards"] = [OFFERINGS[card] for card in state.stone]
        shown["values"] = bag_data(values(state.stone), OFFERINGS)
    return shown


def _scores(state: State) -> list[Data]:
    if state.step == OVER:
        return [score.data() for score in scores(state)]
    parts = [open_parts(state, seat) for seat in range(state.players)]
    return [{"seat": seat, "total": sum(own.values()), "parts": own} for seat, own in enumerate(parts)]
