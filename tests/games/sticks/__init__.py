"""A whole game in one folder, as small as one can be: take 1 to 3 sticks in turn, whoever takes the last one wins.

It shows what a new game needs and lets the conformance suite run on something that is not ours to sell.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.games.game import (
    TABLE,
    Action,
    Actor,
    Data,
    Effect,
    Game,
    Illegal,
    Malformed,
    Note,
    Ruling,
    Score,
    Viewer,
)
from companion.games.reading import Fields


@dataclass(frozen=True, slots=True)
class State:
    players: int
    sticks: int | None = None
    seat: int = 0
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Lay(Action):
    do: ClassVar[str] = "lay"
    sticks: int

    def arguments(self) -> Data:
        return {"sticks": self.sticks}


@dataclass(frozen=True, slots=True)
class Take(Action):
    do: ClassVar[str] = "take"
    sticks: int

    def arguments(self) -> Data:
        return {"sticks": self.sticks}


@dataclass(frozen=True, slots=True)
class Dealer:
    rng: random.Random

    def act(self, state: State) -> Lay | Take:
        return Lay(TABLE, self.rng.randint(10, 20))


class Bot:
    """Leaves a multiple of four where it can."""

    def choose(self, view: Data, legal: Sequence[Take]) -> Take:
        return next((a for a in legal if (view["sticks"] - a.sticks) % 4 == 0), legal[0])


class Sticks(Game[State, Lay | Take]):
    name = "sticks"
    folder = "tests.games.sticks"
    seats = range(2, 4)

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        if players not in self.seats:
            raise Malformed("sticks are for 2 or 3 players")
        Fields(options, "options").done()
        return State(players)

    def read(self, state: State, data: Mapping[str, Any]) -> Lay | Take:
        fields = Fields(data, "action")
        by = fields.actor(state.players)
        kind = {"lay": Lay, "take": Take}[fields.word("do", ("lay", "take"))]
        action: Lay | Take = kind(by, fields.integer("sticks", most=20))
        fields.done()
        return action

    def to_act(self, state: State) -> tuple[Actor, ...]:
        if state.sticks is None:
            return (TABLE,)
        return (state.seat,) if state.sticks else ()

    def verify(self, state: State, action: Lay | Take) -> Ruling:
        if self.over(state) or action.by not in self.to_act(state) or action.do != self.due(state):
            return Ruling(False, "ST-2", Note("not_now"))
        if isinstance(action, Lay):
            return Ruling(action.sticks >= 1, "ST-1", Note("laid", {"count": action.sticks}))
        legal = action in self.legal(state, action.by)
        return Ruling(legal, "ST-2", Note("takes", {"seat": action.by, "count": action.sticks}))

    def apply(self, state: State, action: Lay | Take) -> tuple[State, tuple[Effect, ...]]:
        ruling = self.verify(state, action)
        if not ruling.legal:
            raise Illegal(ruling)
        told = Effect(ruling.because, ruling.rule)
        if isinstance(action, Lay):
            return replace(state, sticks=action.sticks), (told,)
        left = (state.sticks or 0) - action.sticks
        winner = None if left else state.seat
        return replace(state, sticks=left, seat=(state.seat + 1) % state.players, winner=winner), (told,)

    def legal(self, state: State, by: Actor) -> tuple[Take, ...]:
        if by == TABLE or by not in self.to_act(state):
            return ()
        return tuple(Take(by, n) for n in range(1, min(3, state.sticks or 0) + 1))

    def dealer(self, rng: random.Random) -> Dealer:
        return Dealer(rng)

    def bot(self, seat: int, rng: random.Random) -> Bot:
        return Bot()

    def scores(self, state: State) -> tuple[Score, ...]:
        return tuple(Score(s, int(s == state.winner), {"last": int(s == state.winner)}) for s in range(state.players))

    def ranking(self, state: State) -> tuple[tuple[int, ...], ...]:
        others = tuple(s for s in range(state.players) if s != state.winner)
        return (others,) if state.winner is None else ((state.winner,), others)

    def dump(self, state: State) -> Data:
        return {"sticks": state.sticks, "seat": state.seat, "step": self.due(state)}

    def view(self, state: State, viewer: Viewer) -> Data:
        return self.dump(state)

    def view_action(self, state: State, action: Lay | Take, viewer: Viewer) -> Data:
        return action.data()

    def due(self, state: State) -> str:
        return "lay" if state.sticks is None else "take" if state.sticks else "over"


game = Sticks()
