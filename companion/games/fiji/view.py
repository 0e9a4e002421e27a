"""Who may know what of a game of Fiji (rules.md 2.4). Views are built from nothing, never by leaving out.

Open to all: supply, rows, goals, heads, and bids once all are in. A hand is its owner's alone until the game is
over; others could count along, but a screen stands there to make that a matter of memory. With two players, what was
set aside is its owner's alone for the rest of the round.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.fiji.actions import Bid, FijiAction, SetAside
from companion.games.fiji.cards import Bag, bag_data
from companion.games.fiji.state import State
from companion.games.game import Data, Viewer


def dump(state: State) -> Data:
    """Everything, with the field names of the record format."""
    return {
        **_public(state),
        "hands": [bag_data(hand) for hand in state.hands],
        "bids": [_bag_or_null(bid) for bid in state.bids],
    }


def view(state: State, viewer: Viewer) -> Data:
    """What this seat, or a spectator (None), may know now.

    The record format's fields with null for what is hidden or not there, the `step` that is due, and with two
    players `set_aside` by seat.
    """
    open_to_all = state.over  # hands are shown for the last heads, and nobody hides anything any more
    bids_open = None not in state.bids
    seen: Data = {
        **_public(state),
        "step": state.step,
        "hands": _by_seat(state.hands, viewer, open_to_all),
        "bids": _by_seat(state.bids, viewer, bids_open),
    }
    if state.players == 2:
        seen["set_aside"] = _by_seat(state.aside, viewer, open_to_all)
    return seen


def view_action(action: FijiAction, viewer: Viewer) -> Data:
    """An action as this viewer may know it: others' bids and what they set aside stay hidden.

    A bid is told to all by the effects of the last bid, when all open at once.
    """
    if isinstance(action, Bid | SetAside) and action.by != viewer:
        return {"by": action.by, "do": action.do, "beads": None}
    return action.data()


def _public(state: State) -> Data:
    return {
        "round": state.round,
        "exchange": state.exchange,
        "supply": bag_data(state.supply),
        "goals": [goal.data() for goal in state.goals],
        "rows": [row.data() for row in state.rows],
        "heads": list(state.heads),
    }


def _by_seat(bags: Sequence[Bag | None], viewer: Viewer, open_to_all: bool) -> list[Data | None]:
    return [_bag_or_null(bag) if open_to_all or seat == viewer else None for seat, bag in enumerate(bags)]


def _bag_or_null(bag: Bag | None) -> Data | None:
    return None if bag is None else bag_data(bag)
