"""Giants (Matagot 2008): three to five clans carve Moais, carry them over each other's backs, and crown them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.games.game import Actor, Data, Effect, Game, Illegal, Malformed, Note, Ruling, Score, Viewer
from companion.games.giants import choices, places, rules, sampling, scoring, view, wording
from companion.games.giants.actions import GiantsAction, Move, read_action
from companion.games.giants.board import house_board, read_board
from companion.games.giants.bot import Bot
from companion.games.giants.box import Dealer
from companion.games.giants.state import State, Stock, put, start, to_act
from companion.games.reading import Fields

PLENTY: Final = 1_000_000  #: of what may lie behind a screen, when nobody else may know


class Giants(Game[State, GiantsAction]):
    """The game of Giants.

    >>> state = game.start(3, {})
    >>> game.to_act(state), game.dump(state)["behind_screen"][0]["bases"]
    (('table',), 7)
    """

    name = "giants"
    folder = "companion.games.giants"
    seats = range(3, 6)
    secret = frozenset({"bid"})
    revealed = frozenset({"bid"})
    open_scores = False  # they would tell whose Moais stand where
    asked = frozenset({"roll", "carve", "pass", "unmark", "peek"})  # all else rests on what is behind a screen
    shows = frozenset({"bid_open", "container_has_none", "base_is_of", "base_turned"})

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        if players not in self.seats:
            raise Malformed("Giants is for 3 to 5 players")
        fields = Fields(options, "options")
        board = read_board(fields.take("board"), "options.board") if fields.has("board") else house_board()
        fast = fields.flag("fast", default=False)
        immediate = fields.flag("immediate_scoring", default=False)
        fields.done()
        return start(players, board, fast, immediate)

    def read(self, state: State, data: Mapping[str, Any]) -> GiantsAction:
        return read_action(data, state)

    def to_act(self, state: State) -> tuple[Actor, ...]:
        return to_act(state)

    def verify(self, state: State, action: GiantsAction) -> Ruling:
        return rules.verify(state, action)

    def supposed(self, state: State, action: GiantsAction) -> State:
        """The actor has plenty behind the screen; the one sorcerer and the one chief are there if nowhere else."""
        if not isinstance(action.by, int):
            return state
        elsewhere = {figure for group in state.figures for seat, figure in group if seat == action.by}
        bid = None if None in state.bids else state.bids[action.by]
        if bid is not None:
            elsewhere |= {figure for figure, count in bid.figures().items() if count}
        stock = Stock(
            workers=PLENTY,
            sorcerer=int("sorcerer" not in elsewhere),
            chief=int("chief" not in elsewhere),
            markers=PLENTY,
            logs=PLENTY,
            bases=PLENTY,
        )
        spare = put(state.spare, action.by, PLENTY)
        return replace(state, stocks=put(state.stocks, action.by, stock), spare=spare)

    def covers(self, before: State, after: State) -> bool:
        """Bases are turned face down by what their newest action told anyway."""
        return False

    def apply(self, state: State, action: GiantsAction) -> tuple[State, tuple[Effect, ...]]:
        ruling = rules.verify(state, action)
        if not ruling.legal:
            raise Illegal(ruling)
        return rules.act(state, action)

    def legal(self, state: State, by: Actor) -> Iterator[GiantsAction]:
        """Every action this seat may do now, lazily: take as many as are needed.

        On a crowded island a piece has more ways than anybody can list. The first ones are the most useful: passing,
        marking, and for each piece the cheapest way to every place it can reach.
        """
        return rules.legal(state, by)

    def sample(self, state: State, by: int, rng: random.Random) -> GiantsAction:
        """One legal action at random, drawn without listing them all; any may come."""
        return sampling.sample(state, by, rng)

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

    def view_action(self, state: State, action: GiantsAction, viewer: Viewer) -> Data:
        return view.view_action(state, action, viewer)

    def due(self, state: State) -> str:
        """The deed that is due: "move" in the transport, "roll" at a round's end."""
        if state.over:
            return "over"
        return {"transport": "move", "end": "roll"}.get(state.phase, state.phase)

    def phase(self, state: State) -> Note:
        return Note("phase_over" if state.over else f"phase_{state.phase}", {"round": state.round})

    def ways(self, state: State, begun: GiantsAction) -> Data:
        return choices.carry_on(state, begun) if isinstance(begun, Move) else {}

    def check(self, says: Mapping[str, Any], where: str) -> None:
        places.check(says, where)

    def tell(self, state: State, action: GiantsAction) -> Note:
        return wording.tell(action)


game = Giants()
