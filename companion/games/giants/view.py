"""Who may know what of a game of Giants. Views are built from nothing, never by leaving out.

Open to all: the island with its figures, logs, reservations and pieces, what stands before the screens, the score
track. Behind a screen: figures, markers, logs, bases, its owner's alone. A bid is nobody's business until all are in.

For memory only: whose base lies under a Moai. It was seen when the Moai was erected; from then on a view shows the
Moai's size and headdress, but neither its base nor its name, for the name would lead back to who carved it. What is
left in the container is shown to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Data, Viewer
from companion.games.giants.actions import Bid, Carve, GiantsAction, Mark, Move, Place, Unmark, carrier_data
from companion.games.giants.scoring import tablets
from companion.games.giants.state import Site, State


def dump(state: State) -> Data:
    """Everything, with the field names of the record format."""
    return {
        **_public(state),
        "pieces": {piece.id: piece.data() for piece in state.pieces},
        "ahus": {ahu.id: _site(site) for ahu, site in zip(state.board.ahus, state.sites, strict=True)},
        "behind_screen": [stock.data() for stock in state.stocks],
    }


def view(state: State, viewer: Viewer) -> Data:
    """What this seat, or a spectator (None), may know now.

    The record format's fields with null for what is hidden, but for `pieces` (those not on an ahu; with `keeper`, whose
    it stays until the phase ends) and `ahus` ({id: {reserved, moai: its size, headdress: whether crowned}}; when the
    game is over as in records); and beside them

        turn     whose turn it is in carve, place and transport, else null
        passed   seats that passed this phase
        spent    markers spent on tablets, per seat
        felled   forests that were turned over
        bases    how many each player has in this game
        known    points everybody can count, per seat: {prestige, tablets}
        over     whether the game is over
        board    the island, as in a record's options
    """
    return {
        **_public(state),
        "pieces": {p.id: {**p.data(), "keeper": p.keeper} for p in state.pieces if p.ahu is None or state.over},
        "ahus": {ahu.id: _seen_site(state, site) for ahu, site in zip(state.board.ahus, state.sites, strict=True)},
        "behind_screen": [
            stock.data() if seat == viewer or state.over else None for seat, stock in enumerate(state.stocks)
        ],
        "turn": state.turn,
        "passed": sorted(state.out),
        "spent": list(state.spent),
        "felled": sorted(state.felled),
        "bases": state.bases,
        "known": [{"prestige": p, "tablets": tablets(state, seat)} for seat, p in enumerate(state.prestige)],
        "over": state.over,
        "board": state.board.data(),
    }


def view_action(state: State, action: GiantsAction, viewer: Viewer) -> Data:
    """An action as this viewer may know it, now and later.

    A bid is its owner's until the last one opens all (then the effects tell them). Whatever ties a seat to a Moai or
    to an ahu would tell, once a Moai stands there, whose it is; that is for memory, even for the seat itself.
    """
    if (isinstance(action, Bid) and action.by != viewer) or _ties_to_a_moai(state, action):
        return {"by": action.by, "do": action.do}
    return action.data()


def _ties_to_a_moai(state: State, action: GiantsAction) -> bool:
    if isinstance(action, Carve):
        return action.size is not None
    if isinstance(action, Place):
        return action.action == "reserve"
    if isinstance(action, Move | Mark | Unmark):
        piece = state.piece(action.piece)
        return piece is None or piece.kind == "moai"
    return False


def _public(state: State) -> Data:
    return {
        "round": state.round,
        "phase": state.phase,
        "quarry": list(state.quarry),
        "bids": _bids(state),
        "supply": {
            "moais": {str(size): count for size, count in enumerate(state.moais, start=1)},
            "headdresses": state.headdresses,
            "logs": state.logs,
            "half_tablets": state.half_tablets,
        },
        "figures": {
            hex_.id: [carrier_data(carrier) for carrier in group]
            for hex_, group in zip(state.board.hexes, state.figures, strict=True)
            if group
        },
        "half_tablets": list(state.tablets),
        "prestige": list(state.prestige),
        "start": state.start,
    }


def _bids(state: State) -> Sequence[Any]:
    """All bids once all are in; before that not even one's own."""
    if None in state.bids:
        return [None] * state.players
    return [bid.data() for bid in state.bids if bid is not None]


def _site(site: Site) -> Data:
    return {"base": site.base, "reserved": site.reserved, "moai": site.moai, "headdress": site.headdress}


def _seen_site(state: State, site: Site) -> Data:
    if state.over:
        return _site(site)
    moai = None if site.moai is None else state.piece(site.moai)
    return {
        "reserved": site.reserved,
        "moai": None if moai is None else moai.size,
        "headdress": site.headdress is not None,
    }
