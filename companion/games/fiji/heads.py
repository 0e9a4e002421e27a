"""A round's end: who gets how many heads (FJ-5, FJ-5h, FJ-2p3), and the game's end (FJ-E)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.games.fiji.cards import Bag, Goal, bag_data
from companion.games.fiji.state import ROUNDS, State, next_round, seen, told
from companion.games.game import Effect

GOAL_HEADS: Final = (4, 3, 2, 1)  #: two players: heads for each goal (FJ-2p3)

Places = tuple[tuple[int, ...], ...]


def places(goals: Sequence[Goal], hands: Sequence[Bag]) -> Places:
    """Seats by place, best first, tied seats together: the first goal decides, then the second, … (FJ-5)."""
    merits = [tuple(goal.merit(hand) for goal in goals) for hand in hands]
    return tuple(
        tuple(seat for seat, merit in enumerate(merits) if merit == place)
        for place in sorted(set(merits), reverse=True)
    )


def heads_for_places(ranked: Places) -> tuple[int, ...]:
    """Heads by seat: n-1 for the winner, one less for each place; a shared place counts as its lowest (FJ-5h).

    >>> heads_for_places(((2,), (0, 1), (3,)))
    (1, 1, 3, 0)
    """
    players = sum(map(len, ranked))
    heads = [0] * players
    taken = 0
    for group in ranked:
        taken += len(group)
        for seat in group:
            heads[seat] = players - taken
    return tuple(heads)


def goal_winners(goals: Sequence[Goal], hands: Sequence[Bag]) -> tuple[int | None, ...]:
    """Two players: who meets each goal better, None where neither does (FJ-2p3)."""
    merits = [[goal.merit(hand) for hand in hands] for goal in goals]
    return tuple(None if one == other else int(other > one) for one, other in merits)


def ranking(heads: Sequence[int]) -> Places:
    """Places of the game, with two players, too (FJ-2p4): most heads first, equal heads share a place (FJ-E, FJ-A2)."""
    return tuple(
        tuple(seat for seat, n in enumerate(heads) if n == count) for count in sorted(set(heads), reverse=True)
    )


def end_round(state: State, effects: list[Effect]) -> State:
    """Hands are shown, heads handed out, and the next round's beads too, unless it was the last (FJ-5, FJ-5r)."""
    effects.extend(seen("FJ-5", "hand_shown", seat=s, beads=bag_data(hand)) for s, hand in enumerate(state.hands))
    won = _two_players_win(state, effects) if state.players == 2 else _places_win(state, effects)
    heads = tuple(had + n for had, n in zip(state.heads, won, strict=True))
    state = replace(state, heads=heads)
    if state.round < ROUNDS:
        effects.append(told("FJ-5r", "round_begins", round=state.round + 1))
        return next_round(state)
    winners = ranking(heads)[0]
    if len(winners) > 1:
        effects.append(told("FJ-A2", "victory_shared", seats=winners, heads=max(heads)))
    else:
        effects.append(told("FJ-E", "victory", seat=winners[0], heads=max(heads)))
    return replace(state, over=True)


def _places_win(state: State, effects: list[Effect]) -> tuple[int, ...]:
    ranked = places(state.goals, state.hands)
    heads = heads_for_places(ranked)
    for group in ranked:
        facts = {"seats": group, "place": sum(heads[group[0]] < n for n in heads) + 1, "heads": heads[group[0]]}
        effects.append(told("FJ-5h", "place_shared" if len(group) > 1 else "place", **facts))
    return heads


def _two_players_win(state: State, effects: list[Effect]) -> tuple[int, ...]:
    heads = [0, 0]
    for at, winner in enumerate(goal_winners(state.goals, state.hands)):
        facts = {"position": at + 1, "heads": GOAL_HEADS[at], **state.goals[at].data()}
        if winner is None:
            effects.append(told("FJ-2p3", "goal_tied", **facts))
        else:
            heads[winner] += GOAL_HEADS[at]
            effects.append(told("FJ-2p3", "goal_won", seat=winner, **facts))
    return tuple(heads)
