"""Actions as choices and answers for people (messages `act_…` of `table.<lang>.toml`)."""

from __future__ import annotations

from companion.games.game import Note
from companion.games.giants.actions import LOG, Bid, Carve, GiantsAction, Move, Place


def tell(action: GiantsAction) -> Note:
    """What doing this would mean, in words; of a movement also whose figures help, for they are paid."""
    facts = action.arguments()
    if isinstance(action, Bid):
        return Note("act_bid", {"markers": action.hands.markers, "figures": action.hands.figures()})
    if isinstance(action, Carve) and action.size is None:
        return Note("act_decline")
    if isinstance(action, Place) and action.action is not None:
        return Note("act_reserve" if action.action == "reserve" else "act_place_there", facts)
    if isinstance(action, Move):
        return _tell_move(action)
    return Note(f"act_{action.do}", facts)


def _tell_move(action: Move) -> Note:
    facts = {"piece": action.piece, "path": list(action.path), "ahu": action.ahu}
    if not action.path:
        return Note(f"act_{action.then}", facts)
    code = "act_move" if action.then is None else f"act_move_{action.then}"
    carriers = {carrier for helpers in action.helpers for carrier in helpers if carrier != LOG}
    others = sorted({seat for seat, _ in carriers if seat != action.by})
    return Note(f"{code}_helped", {**facts, "helper_seats": others}) if others else Note(code, facts)
