"""Giants' rules as one decision: what is due, what is allowed and why not, what an action does (GI-…)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from companion.games.game import TABLE, Actor, Effect, Ruling
from companion.games.giants import auction, choices, peeking, placing, round_end, transport
from companion.games.giants.actions import Bid, GiantsAction, Pass, Peek, Rongo
from companion.games.giants.state import State, no, to_act, yes

DEEDS: Final[Mapping[str, tuple[str, ...]]] = {  # the phases in which each deed is due (GI-0)
    "roll": ("roll", "end"),
    "bid": ("bid",),
    "carve": ("carve",),
    "place": ("place",),
    "rongo": ("place",),
    "pass": ("place", "transport"),
    "move": ("transport",),
    "mark": ("transport", "end"),
    "unmark": ("end",),
    "peek": ("roll", "bid", "carve", "place", "transport", "end"),
}
_Verify = Callable[[State, Any], Ruling]
_Act = Callable[[State, Any, list[Effect]], State]


def _verify_pass(state: State, action: Pass) -> Ruling:
    return yes("GI-3E" if state.phase == "place" else "GI-4.13", "may_pass")


_RULES: Final[Mapping[tuple[str, str], tuple[_Verify, _Act]]] = {
    ("roll", ""): (auction.verify_roll, auction.roll),
    ("bid", ""): (auction.verify_bid, auction.bid),
    ("carve", ""): (auction.verify_carve, auction.carve),
    ("place", ""): (placing.verify_place, placing.place),
    ("rongo", ""): (placing.verify_rongo, placing.rongo),
    ("pass", "place"): (_verify_pass, placing.pass_placing),
    ("pass", "transport"): (_verify_pass, transport.pass_transport),
    ("move", ""): (transport.verify_move, transport.move),
    ("mark", "transport"): (transport.verify_mark, transport.mark),
    ("mark", "end"): (round_end.verify_quarry_mark, round_end.quarry_mark),
    ("unmark", ""): (round_end.verify_unmark, round_end.unmark),
    ("peek", ""): (peeking.verify_peek, peeking.peek),
}


def _rule(state: State, action: GiantsAction) -> tuple[_Verify, _Act]:
    return _RULES.get((action.do, "")) or _RULES[action.do, state.phase]


def verify(state: State, action: GiantsAction) -> Ruling:
    """Whether the action is allowed now, and the rule that says so."""
    return _refused_now(state, action) or _rule(state, action)[0](state, action)


def act(state: State, action: GiantsAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after a lawful action, and what happened."""
    effects: list[Effect] = []
    state = _rule(state, action)[1](state, action, effects)
    return state, tuple(effects)


def _refused_now(state: State, action: GiantsAction) -> Ruling | None:
    """Why it is not the time for this, or not theirs to do; None where it may be looked at closer (GI-0)."""
    if state.over:
        return no("GI-E1", "game_is_over")
    if state.phase not in DEEDS[action.do]:
        return no("GI-0", "another_phase", due=state.phase, asked=action.do)
    if (action.by == TABLE) is not (action.do == "roll"):
        return no("GI-0", "not_theirs_to_do", asked=action.do, who="table" if action.do == "roll" else "players")
    if isinstance(action, Peek) or (state.phase == "end" and action.do in ("roll", "mark", "unmark")):
        return None
    return None if action.by in to_act(state) else _out_of_turn(state, action)


def _out_of_turn(state: State, action: GiantsAction) -> Ruling:
    """Why this seat has to wait, or is done."""
    assert isinstance(action.by, int)
    if isinstance(action, Bid):
        return no("GI-2.1", "has_bid", seat=action.by)
    if state.phase == "carve":
        return no("GI-2.2", "another_chooses", turn_seat=state.turn)
    if action.by in state.out:
        rule = "GI-3E" if isinstance(action, Rongo) or state.phase == "place" else "GI-4.13"
        return no(rule, "has_passed", seat=action.by)
    return no("GI-0", "not_their_turn", turn_seat=state.turn)


def legal(state: State, by: Actor) -> Iterator[GiantsAction]:
    """Every action this seat may do now, lazily; for the table none, since any dice may fall.

    In the transport there may be very many (see `choices.legal_transports`).
    """
    if by == TABLE or state.over:
        return iter(())
    return chain(_legal_deeds(state, by), peeking.legal_peeks(state, by))


def _legal_deeds(state: State, seat: int) -> Iterator[GiantsAction] | tuple[GiantsAction, ...]:
    if state.phase == "end":
        return round_end.legal_at_end(state, seat)
    if seat not in to_act(state):
        return ()
    if state.phase == "bid":
        return auction.legal_bids(seat, state.stocks[seat])
    if state.phase == "carve":
        return auction.legal_carves(state, seat)
    if state.phase == "place":
        return placing.legal_placings(state, seat)
    return choices.legal_transports(state, seat)
