"""Rapa Nui (Kosmos 2011): two to four players build a village, and what is drawn last is scored for all."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.game import Actor, Data, Effect, Game, Illegal, Note, Ruling, Score, Viewer
from companion.games.rapa_nui import rules, scoring, view
from companion.games.rapa_nui.actions import Offer, Play, RapaNuiAction, ReturnMoai, read_action
from companion.games.rapa_nui.bot import Bot
from companion.games.rapa_nui.box import Dealer
from companion.games.rapa_nui.cards import MOAI, bag_of
from companion.games.rapa_nui.state import HAND, SEATS, State, actor, start
from companion.games.rapa_nui.verdict import refusal, verify


class RapaNui(Game[State, RapaNuiAction]):
    """The game of Rapa Nui.

    >>> state = game.start(3, {})
    >>> game.to_act(state), game.dump(state)["wood"], game.dump(state)["supply"]["fish"]
    (('table',), [2, 3, 4], 22)
    """

    name = "rapa-nui"
    folder = "companion.games.rapa_nui"
    seats = SEATS
    open_scores = False  # own offering cards count, and lie face down
    shows = frozenset({"on_stone"})  # what is bought, taken or handed out has lain openly
    asked = frozenset({"deal", "lay_display", "take", "refill", "income"})  # all else rests on hands or cards

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        return start(players, options)

    def read(self, state: State, data: Mapping[str, Any]) -> RapaNuiAction:
        return read_action(data, state.players)

    def to_act(self, state: State) -> tuple[Actor, ...]:
        who = actor(state)
        return () if who is None else (who,)

    def verify(self, state: State, action: RapaNuiAction) -> Ruling:
        return verify(state, action)

    def supposed(self, state: State, action: RapaNuiAction) -> State:
        """The actor holds these cards, or owns this offering card."""
        if not isinstance(action.by, int):
            return state
        hands, offerings = list(state.hands), list(state.offerings)
        if isinstance(action, Play):
            hands[action.by] = bag_of(action.cards)
        elif isinstance(action, ReturnMoai):
            hands[action.by] = bag_of((MOAI,) * HAND)
        elif isinstance(action, Offer):
            offerings[action.by] = bag_of((action.offering,))
        return replace(state, hands=tuple(hands), offerings=tuple(offerings))

    def covers(self, before: State, after: State) -> bool:
        """What lay on the stone is seen for as long as it lies on top (RN-2.7)."""
        return before.stone != after.stone

    def apply(self, state: State, action: RapaNuiAction) -> tuple[State, tuple[Effect, ...]]:
        refused = refusal(state, action)
        if refused is not None:
            raise Illegal(refused)
        return rules.act(state, action)

    def legal(self, state: State, by: Actor) -> tuple[RapaNuiAction, ...]:
        return rules.legal(state, by)

    def dealer(self, rng: random.Random) -> Dealer:
        return Dealer(rng)

    def bot(self, seat: int, rng: random.Random) -> Bot:
        return Bot(seat, rng)

    def scores(self, state: State) -> tuple[Score, ...]:
        return scoring.scores(state)

    def ranking(self, state: State) -> tuple[tuple[int, ...], ...]:
        return scoring.ranking(state)

    def dump(self, state: State) -> Data:
        return view.dump(state)

    def view(self, state: State, viewer: Viewer) -> Data:
        return view.view(state, viewer)

    def view_action(self, state: State, action: RapaNuiAction, viewer: Viewer) -> Data:
        return view.view_action(action, viewer)

    def due(self, state: State) -> str:
        return state.step

    def tell(self, state: State, action: RapaNuiAction) -> Note:
        """As every game does; declining has a sentence of its own."""
        facts = action.arguments()
        declines = "offering" in facts and facts["offering"] is None
        return Note(f"act_{action.do}_none" if declines else f"act_{action.do}", facts)


game = RapaNui()
