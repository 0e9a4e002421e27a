"""What counts at the end, and who has won (GI-E1 to GI-E5)."""

from __future__ import annotations

from typing import Final

from companion.games.game import Effect, Score
from companion.games.giants.state import State, told

TABLET_POINTS: Final = 3  #: for two halves (GI-E4)


def winners_of_the_race(state: State) -> tuple[int, ...]:
    """Seats with Moais on all their bases; a base that only reserves an ahu does not count (GI-E1, GI-3H)."""
    standing = [site.base for site in state.sites if site.base is not None]
    return tuple(seat for seat in range(state.players) if standing.count(seat) == state.bases)


def scores(state: State) -> tuple[Score, ...]:
    """Points as if the game ended now. They tell who owns the Moais, so nobody may be shown them before the end."""
    moais, crowns = [0] * state.players, [0] * state.players
    for ahu, site in zip(state.board.ahus, state.sites, strict=True):
        piece = None if site.moai is None else state.piece(site.moai)
        if site.base is None or piece is None:
            continue
        if not state.immediate:
            moais[site.base] += ahu.moai * piece.weight
        if site.headdress is not None:
            crowns[site.base] += ahu.headdress
    return tuple(_score(state, seat, moais[seat], crowns[seat]) for seat in range(state.players))


def _score(state: State, seat: int, moai: int, headdress: int) -> Score:
    parts = {"prestige": state.prestige[seat], "moai": moai, "headdress": headdress, "tablets": tablets(state, seat)}
    return Score(seat, sum(parts.values()), parts)


def tablets(state: State, seat: int) -> int:
    """Points for whole tablets before the screen; an odd half counts nothing (GI-E4)."""
    return state.tablets[seat] // 2 * TABLET_POINTS


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """Most points first; there is no tie-breaker, so tied seats share the place (GI-E5, GI-A10)."""
    totals = [score.total for score in scores(state)]
    return tuple(
        tuple(seat for seat, points in enumerate(totals) if points == total)
        for total in sorted(set(totals), reverse=True)
    )


def tell_final_scores(state: State, effects: list[Effect]) -> None:
    """The bases are turned over and everything is counted (GI-E2 to GI-E5)."""
    for ahu, site in zip(state.board.ahus, state.sites, strict=True):
        if site.base is not None:
            effects.append(told("GI-E2", "base_turned", ahu=ahu.id, seat=site.base))
    for score in scores(state):
        parts, seat = score.parts, score.seat
        effects.append(told("GI-E3", "moais_count", seat=seat, moai=parts["moai"], headdress=parts["headdress"]))
        if parts["tablets"]:
            effects.append(told("GI-E4", "tablets_count", seat=seat, points=parts["tablets"]))
        effects.append(told("GI-E5", "total", seat=seat, prestige=parts["prestige"], points=score.total))
