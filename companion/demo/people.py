"""Bots at the table: each has a phone (a seat's token and view) and decides from what that phone shows."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from companion.evening import Proposal
from companion.games.game import Action, Bot, Game
from companion.games.giants.actions import Mark, Move
from companion.seal import SALT_BYTES, commitment
from companion.table import Table

ENOUGH = 2000  #: actions a bot weighs, where there are more than anybody can list
NAMES = ("Hedwig", "Christian", "Angelika", "Marcel", "Noor")


@dataclass(slots=True)
class Person:
    """One bot at one seat, with the phone's token."""

    seat: int
    name: str
    token: str
    bot: Bot[Any]
    played_by_bot: bool = True

    def choose(self, game: Game[Any, Any], table: Table) -> Action:
        """What this seat does now, from its own view and its legal actions."""
        view = table.view(self.seat, "en")["state"]
        chosen = self.bot.choose(view, list(islice(game.legal(table.evening.state, self.seat), ENOUGH)))
        return first_alike(table.evening.state, chosen)

    def vote(self, table: Table, proposal: Proposal, was_so: bool) -> None:
        """Agree or not to what somebody says happened instead: who did it knows, else what this bot has seen counts."""
        at = table.evening.index(proposal.number)
        own = at is not None and table.evening.played[at].action.by == proposal.by
        table.vote(self.token, proposal.id, rewind=own or not was_so)

    def seal(self, game: Game[Any, Any], table: Table) -> Action:
        """Decide in secret and seal it, as a phone does."""
        view = table.view(self.seat, "en")
        action = self.choose(game, table)
        arguments = {k: v for k, v in action.data().items() if k not in ("by", "do")}
        salt = secrets.token_bytes(SALT_BYTES)
        attempt = view["attempt"] + 1
        bound = commitment(view["table"], view["game"], view["moment"], self.seat, attempt, arguments, salt)
        answer = table.seal(self.token, view["moment"], attempt, arguments, salt.hex(), bound)
        if "commitment" not in answer:
            raise RuntimeError(f"a bot chose what the rules forbid: {answer}")
        return action


def first_alike(state: Any, action: Action) -> Action:
    """The action; of pieces between which the rules see no difference people mean the first."""
    if not isinstance(action, Move | Mark):
        return action
    like = replace(state.piece(action.piece), id="")
    first = next(piece for piece in state.pieces if replace(piece, id="") == like)
    return replace(action, piece=first.id)


def seat_people(table: Table, game: Game[Any, Any], count: int, rng: random.Random) -> list[Person]:
    """Bots sit down, and the first one begins the game."""
    tokens = [table.sit(seat, NAMES[seat]) for seat in range(count)]
    table.begin(tokens[0])
    return [
        Person(seat, NAMES[seat], token, game.bot(seat, random.Random(rng.random())))
        for seat, token in enumerate(tokens)
    ]
