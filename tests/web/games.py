"""Help for tests of the games' pages: a live table without a camera, played on by bots to where a test begins."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from companion.games.game import TABLE
from companion.seal import commitment
from companion.table import Table
from tests.web.phone import Phone

MOST_LOOKED_AT = 400  # legal actions a bot chooses from
SOFT_HYPHEN = "\u00ad"
HELD = {"button": 0, "pointerId": 1}


def seal(table: Table, token: str, args: Mapping[str, Any]) -> None:
    """Seal a secret decision as a phone does."""
    seat = table.seat_of(token)
    assert seat is not None
    view, salt = table.view(seat, "en"), secrets.token_bytes(32)
    attempt = view["attempt"] + 1
    bound = commitment(view["table"], view["game"], view["moment"], seat, attempt, args, salt)
    assert "commitment" in table.seal(token, view["moment"], attempt, args, salt.hex(), bound)


def play_until(table: Table, tokens: Sequence[str], seed: int, reached: Callable[[Any], bool]) -> None:
    """Bots and the dealer play until the state is one that is `reached`."""
    game, rng = table.evening.game, random.Random(seed)
    assert game is not None
    dealer, bots = game.dealer(rng), [game.bot(seat, rng) for seat in range(len(tokens))]
    while not reached(table.evening.state):
        state = table.evening.state
        who = next(who for who in game.to_act(state) if who not in table.evening.seals)
        if who == TABLE:
            action, seat = dealer.act(state), 0
        else:
            seat = who
            action = bots[seat].choose(game.view(state, seat), list(islice(game.legal(state, seat), MOST_LOOKED_AT)))
        if action.do in game.secret:
            seal(table, tokens[seat], action.arguments())
        else:
            ruling = table.act(tokens[seat], {**action.arguments(), "do": action.do}, "en")
            assert ruling["legal"], ruling


def learnt(phone: Phone) -> list[dict[str, Any]]:
    """All that a page was told, but for what differs by chance alone."""
    return [{**view, "log_head": "", "version": 0, "commitments": []} for view in phone.views()]


def held(phone: Phone) -> str:
    """What shows while a finger holds the button; the page has nothing of it before and after."""
    secret, button = phone.page.locator("#secret"), phone.page.locator("#hold")
    assert secret.inner_html() == ""
    button.dispatch_event("pointerdown", HELD)
    text = secret.inner_text().replace(SOFT_HYPHEN, "")
    button.dispatch_event("pointerup", HELD)
    assert secret.inner_html() == ""
    return text
