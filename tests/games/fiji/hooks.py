"""What the conformance suite must know of Fiji: its options, and what a viewer may not know."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from companion.games.fiji.actions import Bid, FijiAction, SetAside
from companion.games.fiji.cards import Bag, handfuls, plus
from companion.games.fiji.state import State

OPTIONS: list[dict[str, Any]] = [{"keep_bid_optional": True}]


def twin(state: State, action: FijiAction, viewer: int | None, rng: random.Random) -> tuple[State, FijiAction] | None:
    """Others hold other beads, have bid otherwise and set other beads aside, as far as this action does not open them.

    The last bid of a round shows all hands, and at the game's end all is open. What is not the viewer's to see is made
    up freely: whether it could have come about does not matter to the view.
    """
    opens = isinstance(action, Bid) and state.bids.count(None) == 1
    shown = state.exchange == 3 and state.step != "set_aside" and (opens or state.chooser is not None)
    all_in = None not in state.bids
    hands, bids, aside = list(state.hands), list(state.bids), list(state.aside)
    for seat in range(state.players):
        if seat == viewer or state.over:
            continue
        if not shown:
            hands[seat] = _some_beads(rng)
            if isinstance(action, Bid | SetAside) and action.by == seat:
                hands[seat] = plus(hands[seat], action.beads)
        if bids[seat] is not None and not opens and not all_in:
            bids[seat] = rng.choice(handfuls((4, 4, 4, 4), 1, 4))
        if aside and aside[seat] is not None and not (shown and state.round == 4):
            aside[seat] = rng.choice(handfuls((4, 4, 4, 4), 4, 4))
    other = replace(state, hands=tuple(hands), bids=tuple(bids), aside=tuple(aside))
    return other, _other_action(other, action, viewer, opens, rng)


def _other_action(state: State, action: FijiAction, viewer: int | None, opens: bool, rng: random.Random) -> FijiAction:
    if isinstance(action, Bid) and action.by != viewer and not opens:
        return Bid(action.by, rng.choice(handfuls(state.hands[int(action.by)], 1, 4)))
    if isinstance(action, SetAside) and action.by != viewer:
        return SetAside(action.by, rng.choice(handfuls(state.hands[int(action.by)], 4, 4)))
    return action


def _some_beads(rng: random.Random) -> Bag:
    return (rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6))
