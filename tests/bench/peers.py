"""How fast our rules are beside OpenSpiel, PokerKit and catanatron: random play, every choice listed, same run.

Needs the peers: `pip install '.[bench]'`. Those that are not installed are left out and named.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from companion.games.game import games
from tests.bench.rules import _random_play, _rate


def run() -> list[dict[str, Any]]:
    """Rows of `what`, `actions_per_s`, and for our games the ratio to each peer."""
    peers: dict[str, float] = {}
    missing = []
    for name, load in PEERS.items():
        try:
            play = load()
        except ImportError:
            missing.append(name)
            continue
        peers[name] = _rate(play)
    ours = {
        f"{game.name}, {game.seats.stop - 1} players": _rate(_random_play(game, game.seats.stop - 1))
        for game in games().values()
    }
    rows: list[dict[str, Any]] = [{"what": name, "actions_per_s": round(rate)} for name, rate in peers.items()]
    for name, rate in ours.items():
        ratios = {f"× {peer}": round(rate / other, 2) for peer, other in peers.items()}
        rows.append({"what": name, "actions_per_s": round(rate), **ratios})
    return rows + [{"what": f"{name}: not installed"} for name in missing]


Play = Callable[[random.Random], int]


def _open_spiel(name: str) -> Callable[[], Play]:
    def load() -> Play:
        import open_spiel.python.games  # noqa: F401  # registers the games written in Python
        import pyspiel

        game = pyspiel.load_game(name)

        def play(rng: random.Random) -> int:
            state, count = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                count += 1
            return count

        return play

    return load


def _pokerkit() -> Play:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(a for a in Automation)

    def play(rng: random.Random) -> int:
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 6)
        count = 0
        while state.status:
            choices: list[Callable[[], object]] = []
            if state.can_fold():
                choices.append(state.fold)
            if state.can_check_or_call():
                choices.append(state.check_or_call)
            if state.can_complete_bet_or_raise_to():
                choices.append(state.complete_bet_or_raise_to)
            rng.choice(choices)()
            count += 1
        return count

    return play


def _catanatron() -> Play:
    from catanatron import Color, Game, RandomPlayer

    def play(rng: random.Random) -> int:
        game = Game([RandomPlayer(c) for c in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=rng.random())
        game.play()
        records = game.state.action_records if hasattr(game.state, "action_records") else game.state.actions
        return len(records)

    return play


PEERS: dict[str, Callable[[], Play]] = {
    "OpenSpiel kuhn_poker (Python)": _open_spiel("python_kuhn_poker"),
    "OpenSpiel liars_dice (C++)": _open_spiel("liars_dice"),
    "OpenSpiel backgammon (C++)": _open_spiel("backgammon"),
    "PokerKit hold'em": _pokerkit,
    "catanatron": _catanatron,
}
