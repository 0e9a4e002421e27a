"""Looking under a Moai for half a tablet, at any time (GI-4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.game import Effect, Note, Ruling
from companion.games.giants.actions import Peek
from companion.games.giants.state import State, no, plus, told, yes


def verify_peek(state: State, action: Peek) -> Ruling:
    assert isinstance(action.by, int)
    site = state.site(action.ahu)
    if site is None or site.moai is None:
        return no("GI-4.9", "no_moai_there", ahu=action.ahu)
    if not state.tablets[action.by]:
        return no("GI-4.9", "no_half_to_pay", seat=action.by)
    return yes("GI-4.9", "may_peek")


def peek(state: State, action: Peek, effects: list[Effect]) -> State:
    """Everybody sees the payment; whose base it is, only this seat, and only now."""
    assert isinstance(action.by, int)
    site = state.site(action.ahu)
    assert site is not None
    effects.append(told("GI-4.9", "pays_to_look", seat=action.by, ahu=action.ahu))
    answer = Note("base_is_of", {"ahu": action.ahu, "owner_seat": site.base})
    effects.append(Effect(answer, "GI-4.9", seats=(action.by,), memory=True))
    return replace(state, tablets=plus(state.tablets, action.by, -1), half_tablets=state.half_tablets + 1)


def legal_peeks(state: State, seat: int) -> Iterator[Peek]:
    if state.tablets[seat]:
        for ahu, site in zip(state.board.ahus, state.sites, strict=True):
            if site.moai is not None:
                yield Peek(seat, ahu.id)
