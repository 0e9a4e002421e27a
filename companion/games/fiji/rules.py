"""Fiji's rules: what is allowed, why not, and what an action does. Sources are rule ids (FJ-…)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Final

from companion.games.fiji.actions import (
    Bid,
    FijiAction,
    KeepBid,
    LayConditions,
    LayGoals,
    RotateGoal,
    SetAside,
    SwapGoals,
)
from companion.games.fiji.cards import COLOURS, Bag, bag_data, capped, handfuls, holds, minus
from companion.games.fiji.exchange import evaluate, open_bids
from companion.games.fiji.state import CHOICES, State, seen, to_act, told
from companion.games.game import TABLE, Actor, Effect, Note, Ruling

ASIDE: Final = 4  #: beads each of two players puts out of play (FJ-2p2)
LEAST_BID: Final = 1  #: beads of a bid (FJ-4a1)
MOST_BID: Final = 4


def verify(state: State, action: FijiAction) -> Ruling:
    """Whether the action is allowed now, and the rule that says so."""
    if action.do != state.step:
        return _not_due(state, action)
    if action.by not in to_act(state):
        return _not_by_them(state, action)
    if isinstance(action, Bid):
        return _verify_bid(state, action)
    if isinstance(action, SetAside):
        return _verify_set_aside(state, action)
    if isinstance(action, SwapGoals) and action.positions[0] == action.positions[1]:
        return _no("FJ-X6", "swap_needs_two", position=action.positions[0])
    return _LAWFUL[action.do]


def _yes(rule: str, code: str) -> Ruling:
    return Ruling(True, rule, Note(code))


def _no(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(False, rule, Note(code, facts))


_LAWFUL: Final = {
    "lay_conditions": _yes("FJ-2", "may_lay_conditions"),
    "lay_goals": _yes("FJ-3", "may_lay_goals"),
    "set_aside": _yes("FJ-2p2", "may_set_aside"),
    "bid": _yes("FJ-4a1", "may_bid"),
    "rotate_goal": _yes("FJ-X5", "may_rotate_goal"),
    "swap_goals": _yes("FJ-X6", "may_swap_goals"),
    "keep_bid": _yes("FJ-A1", "may_keep_bid"),
}


def _not_due(state: State, action: FijiAction) -> Ruling:
    """Why an action cannot be played at this step."""
    step = state.step
    if step == "over":
        return _no("FJ-E", "game_is_over")
    if isinstance(action, SetAside) and state.players != 2:
        return _no("FJ-2p2", "only_two_set_aside", players=state.players)
    if isinstance(action, KeepBid) and not state.keep_bid_optional:
        return _no("FJ-A1", "keep_is_automatic")
    if state.chooser is not None:
        return _no(CHOICES[step], "must_choose_first", seat=state.chooser, row=state.row + 1, due=step)
    return _no("FJ-0a", "another_step_is_due", round=state.round, due=step, asked=action.do)


def _not_by_them(state: State, action: FijiAction) -> Ruling:
    """Why this actor cannot play what is due."""
    if state.chooser is not None:
        return _no("FJ-4b3", "another_seat_won", row=state.row + 1, winner_seat=state.chooser)
    if action.by in range(state.players):
        if isinstance(action, Bid):
            return _no("FJ-4a1", "has_bid", seat=action.by)
        if isinstance(action, SetAside):
            return _no("FJ-2p2", "has_set_aside", seat=action.by)
    return _no("FJ-0a", "not_theirs_to_do", due=state.step, who="table" if to_act(state) == (TABLE,) else "players")


def _verify_bid(state: State, action: Bid) -> Ruling:
    assert action.by != TABLE
    count = sum(action.beads)
    if not LEAST_BID <= count <= MOST_BID or min(action.beads) < 0:
        return _no("FJ-4a1", "bid_count", seat=action.by, count=count)
    if not holds(state.hands[action.by], action.beads):
        return _lacks(state, "FJ-4a1", "bid_lacks", action.by, action.beads)
    return _LAWFUL["bid"]


def _verify_set_aside(state: State, action: SetAside) -> Ruling:
    assert action.by != TABLE
    count = sum(action.beads)
    if count != ASIDE or min(action.beads) < 0:
        return _no("FJ-2p2", "set_aside_count", seat=action.by, count=count)
    if not holds(state.hands[action.by], action.beads):
        return _lacks(state, "FJ-2p2", "set_aside_lacks", action.by, action.beads)
    return _LAWFUL["set_aside"]


def _lacks(state: State, rule: str, code: str, seat: int, beads: Bag) -> Ruling:
    hand = state.hands[seat]
    colour = next(c for c in range(4) if beads[c] > hand[c])
    return _no(rule, code, seat=seat, beads={COLOURS[colour]: beads[colour]}, has=hand[colour])


def act(state: State, action: FijiAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after a lawful action, and what happened."""
    effects: list[Effect] = []
    if isinstance(action, LayConditions):
        effects.append(told("FJ-2", "conditions_laid", round=state.round))
        state = replace(state, rows=action.rows)
    elif isinstance(action, LayGoals):
        effects.append(told("FJ-3", "goals_laid", round=state.round))
        state = replace(state, goals=action.goals)
    elif isinstance(action, SetAside):
        state = _set_aside(state, action, effects)
    elif isinstance(action, Bid):
        state = _bid(state, action, effects)
    else:
        state = _choose(state, action, effects)
    return state, tuple(effects)


def _changed(items: tuple[Bag | None, ...], seat: int, beads: Bag) -> tuple[Bag | None, ...]:
    return (*items[:seat], beads, *items[seat + 1 :])


def _spent(hands: tuple[Bag, ...], seat: int, beads: Bag) -> tuple[Bag, ...]:
    return (*hands[:seat], minus(hands[seat], beads), *hands[seat + 1 :])


def _set_aside(state: State, action: SetAside, effects: list[Effect]) -> State:
    assert action.by != TABLE
    effects.append(told("FJ-2p2", "set_aside", seat=action.by))
    return replace(
        state,
        hands=_spent(state.hands, action.by, action.beads),
        aside=_changed(state.aside, action.by, action.beads),
    )


def _bid(state: State, action: Bid, effects: list[Effect]) -> State:
    """The bid leaves the hand; the last one opens all of them and the rows are evaluated (FJ-4a2, FJ-4b1)."""
    assert action.by != TABLE
    bids = _changed(state.bids, action.by, action.beads)
    state = replace(state, hands=_spent(state.hands, action.by, action.beads), bids=bids)
    if None in bids:
        return state
    effects.extend(seen("FJ-4a2", "bid_open", seat=s, beads=bag_data(b)) for s, b in enumerate(open_bids(state)))
    return evaluate(state, effects)


def _choose(state: State, action: RotateGoal | SwapGoals | KeepBid, effects: list[Effect]) -> State:
    """The winner turns or swaps goals, or says whether the bid is kept; then the next row follows."""
    assert action.by != TABLE
    goals, kept, row = list(state.goals), state.kept, state.row + 1
    if isinstance(action, RotateGoal):
        at = action.position - 1
        goals[at] = goal = goals[at].rotated()
        facts = {"row": row, "seat": action.by, "position": action.position, **goal.data()}
        effects.append(told("FJ-X5", "goal_rotated", **facts))
    elif isinstance(action, SwapGoals):
        one, other = action.positions
        goals[one - 1], goals[other - 1] = goals[other - 1], goals[one - 1]
        effects.append(told("FJ-X6", "goals_swapped", row=row, seat=action.by, positions=[one, other]))
    elif action.keep:
        kept = kept | {action.by}
        effects.append(told("FJ-A1", "keeps_bid", row=row, seat=action.by))
    else:
        effects.append(told("FJ-A1", "gives_bid", row=row, seat=action.by))
    return evaluate(replace(state, goals=tuple(goals), kept=kept, row=row, chooser=None), effects)


# What there is to choose from


def legal(state: State, by: Actor) -> tuple[FijiAction, ...]:
    """Every action this seat may do now (FJ-A6: a bid always); for the table none, since any four cards may be laid."""
    if by == TABLE or by not in to_act(state):
        return ()
    step = state.step
    if step == "bid":
        return _bids(by, capped(state.hands[by], MOST_BID))
    if step == "set_aside":
        return tuple(SetAside(by, beads) for beads in handfuls(capped(state.hands[by], ASIDE), ASIDE, ASIDE))
    return _choices(by, step)


@cache
def _bids(by: int, hand: Bag) -> tuple[Bid, ...]:
    return tuple([Bid(by, beads) for beads in handfuls(hand, LEAST_BID, MOST_BID)])


@cache
def _choices(by: int, step: str) -> tuple[FijiAction, ...]:
    if step == "rotate_goal":
        return tuple(RotateGoal(by, position) for position in range(1, 5))
    if step == "swap_goals":
        return tuple(SwapGoals(by, positions) for positions in combinations(range(1, 5), 2))
    return (KeepBid(by, True), KeepBid(by, False))
