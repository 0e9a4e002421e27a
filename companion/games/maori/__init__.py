"""Maori (Hans im Glück 2009): two to five players sail around a display of islands and lay them on their boards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.games.game import Actor, Data, Effect, Game, Illegal, Note, Ruling, Score, Viewer
from companion.games.maori import islands, rules, view
from companion.games.maori.actions import MaoriAction, PlaceStored, Refill, Remove, Take, read_action
from companion.games.maori.bot import Bot
from companion.games.maori.box import Dealer
from companion.games.maori.state import SEATS, State, actor, start
from companion.games.maori.tiles import SHOWN, read_tile
from companion.games.maori.verdict import counted, refusal, verify


class Maori(Game[State, MaoriAction]):
    """The game of Maori.

    >>> state = game.start(4, {})
    >>> game.to_act(state), game.dump(state)["boards"][0][0], game.dump(state)["supply"]
    (('table',), ['printed', None, None, None, None], 10)
    """

    name = "maori"
    folder = "companion.games.maori"
    seats = SEATS
    most_choices = 128  # a tile of the line to any field of a board
    pictured = True
    asked = frozenset({"lay_display", "sail", "take", "place_stored", "remove", "nothing", "refill"})

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        return start(players, options)

    def read(self, state: State, data: Mapping[str, Any]) -> MaoriAction:
        return read_action(data, state.players, state.setup)

    def to_act(self, state: State) -> tuple[Actor, ...]:
        who = actor(state)
        return () if who is None else (who,)

    def verify(self, state: State, action: MaoriAction) -> Ruling:
        return verify(state, action)

    def apply(self, state: State, action: MaoriAction) -> tuple[State, tuple[Effect, ...]]:
        refused = refusal(state, action)
        if refused is not None:
            raise Illegal(refused)
        return rules.act(state, action)

    def legal(self, state: State, by: Actor) -> tuple[MaoriAction, ...]:
        return rules.legal(state, by)

    def dealer(self, rng: random.Random) -> Dealer:
        return Dealer(rng)

    def bot(self, seat: int, rng: random.Random) -> Bot:
        return Bot(seat, rng)

    def scores(self, state: State) -> tuple[Score, ...]:
        return islands.scores(state)

    def ranking(self, state: State) -> tuple[tuple[int, ...], ...]:
        return islands.ranking(state)

    def dump(self, state: State) -> Data:
        return view.dump(state)

    def view(self, state: State, viewer: Viewer) -> Data:
        return view.view(state)

    def view_action(self, state: State, action: MaoriAction, viewer: Viewer) -> Data:
        return action.data()

    def due(self, state: State) -> str:
        return state.step

    def components(self, state: State) -> Data:
        return view.components(state)

    def check(self, says: Mapping[str, Any], where: str) -> None:
        shown = {name: value for name, value in says.items() if name in SHOWN}
        if shown:
            read_tile(shown, where)

    def tell(self, state: State, action: MaoriAction) -> Note:
        """As every game does, with rows and columns counted from 1, and tiles of the line from the ship."""
        code, facts = f"act_{action.do}", action.arguments()
        match action:
            case Take():
                number = {"number": action.skip + 1}
                return Note(f"{code}_store", number) if action.to is None else Note(code, number | counted(action.to))
            case PlaceStored() | Remove():
                return Note(code, counted(action.field))
            case Refill():
                if action.tile is None:
                    return Note(f"{code}_none")
                return Note(code, {"tile": state.setup.told(state.setup.numbers[action.tile])})
            case _:
                return Note(code, facts)


game = Maori()
