"""Fiji (2F-Spiele 2005): two to five players bid beads for four conditions at once, and win heads."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.fiji import cards, rules, view
from companion.games.fiji.actions import Bid, FijiAction, KeepBid, SetAside, read_action
from companion.games.fiji.bot import Bot
from companion.games.fiji.box import Dealer
from companion.games.fiji.heads import ranking
from companion.games.fiji.state import State, start, to_act
from companion.games.game import Actor, Data, Effect, Game, Illegal, Malformed, Note, Ruling, Score, Viewer
from companion.games.reading import Fields


class Fiji(Game[State, FijiAction]):
    """The game of Fiji.

    >>> state = game.start(3, {})
    >>> game.to_act(state), game.dump(state)["hands"][0]
    (('table',), {'green': 5, 'red': 4, 'yellow': 3, 'blue': 2})
    """

    name = "fiji"
    folder = "companion.games.fiji"
    seats = range(2, 6)
    secret = frozenset({"bid", "set_aside"})
    revealed = frozenset({"bid"})
    retold = True
    asked = frozenset({"lay_conditions", "lay_goals", "rotate_goal", "swap_goals", "keep_bid"})
    shows = frozenset({"bid_open", "hand_shown"})

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        if players not in self.seats:
            raise Malformed("Fiji is for 2 to 5 players")
        fields = Fields(options, "options")
        keep_bid_optional = fields.flag("keep_bid_optional", default=False)
        fields.done()
        return start(players, keep_bid_optional)

    def read(self, state: State, data: Mapping[str, Any]) -> FijiAction:
        return read_action(data, state.players)

    def to_act(self, state: State) -> tuple[Actor, ...]:
        return to_act(state)

    def verify(self, state: State, action: FijiAction) -> Ruling:
        return rules.verify(state, action)

    def supposed(self, state: State, action: FijiAction) -> State:
        """The actor has these beads behind the screen."""
        if not isinstance(action, Bid | SetAside) or not isinstance(action.by, int):
            return state
        hands = list(state.hands)
        hands[action.by] = action.beads
        return replace(state, hands=tuple(hands))

    def apply(self, state: State, action: FijiAction) -> tuple[State, tuple[Effect, ...]]:
        ruling = rules.verify(state, action)
        if not ruling.legal:
            raise Illegal(ruling)
        return rules.act(state, action)

    def legal(self, state: State, by: Actor) -> tuple[FijiAction, ...]:
        return rules.legal(state, by)

    def dealer(self, rng: random.Random) -> Dealer:
        return Dealer(rng)

    def bot(self, seat: int, rng: random.Random) -> Bot:
        return Bot(seat, rng)

    def scores(self, state: State) -> tuple[Score, ...]:
        return tuple(Score(seat, heads, {"heads": heads}) for seat, heads in enumerate(state.heads))

    def ranking(self, state: State) -> tuple[tuple[int, ...], ...]:
        return ranking(state.heads)

    def dump(self, state: State) -> Data:
        return view.dump(state)

    def due(self, state: State) -> str:
        return state.step

    def view(self, state: State, viewer: Viewer) -> Data:
        return view.view(state, viewer)

    def phase(self, state: State) -> Note:
        return Note(f"phase_{state.step}", {"round": state.round, "exchange": state.exchange, "row": state.row + 1})

    def check(self, says: Mapping[str, Any], where: str) -> None:
        cards.check(says, where)

    def tell(self, state: State, action: FijiAction) -> Note:
        if isinstance(action, KeepBid) and not action.keep:
            return Note("act_give_bid")
        return Note(f"act_{action.do}", action.arguments())

    def view_action(self, state: State, action: FijiAction, viewer: Viewer) -> Data:
        return view.view_action(action, viewer)


game = Fiji()
