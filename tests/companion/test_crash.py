"""Killed at any moment and started again: what was acknowledged is there, everybody sits where they sat."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.games.fiji import game
from tests.companion.tables import open_table, seal

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = 3
PROGRAM = """
import json, sys
from pathlib import Path
from companion.games.fiji import game
from tests.companion.tables import open_table, seal, seated
import random

table = open_table(Path(sys.argv[1]))
rng = random.Random(int(sys.argv[2]))
def say(**what):
    print(json.dumps(what), flush=True)
if not table.evening.begun:
    tokens = seated(table, 3)
    say(tokens=tokens)
else:
    tokens = json.loads(sys.argv[3])
dealer = game.dealer(random.Random(1))
say(ready=len(table.evening.played))
while not table.evening.over:
    state = table.evening.state
    due = game.to_act(state)
    if due == ("table",):
        action = dealer.act(state).data()
        action.pop("by")
        assert table.act(tokens[0], action, "en")["legal"]
    elif table.evening.secret_deed():
        for seat in table.evening.to_seal():
            if seat in table.evening.seals:
                continue
            chosen = rng.choice(list(game.legal(state, seat)))
            beads = chosen.data()["beads"]
            receipt = seal(table, tokens[seat], **beads)
            say(seat=seat, beads=beads, commitment=receipt["commitment"], moment=table.evening.moment())
    else:
        action = rng.choice(list(game.legal(state, due[0])))
        assert table.act(tokens[due[0]], action.data(), "en")["legal"]
    say(played=len(table.evening.played))
say(over=True)
"""


def run_and_kill(folder, seed, tokens, delay):
    """Play in a process of its own and kill it after `delay` seconds; all that it had acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(seed), json.dumps(tokens)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [json.loads(process.stdout.readline())]
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate()
    complete = rest[: rest.rfind("\n") + 1]
    return lines + [json.loads(line) for line in complete.splitlines()]


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 2))])
def test_a_table_killed_at_any_moment_goes_on_where_it_was(tmp_path, seed):
    rng = random.Random(seed)
    tokens, sealed = None, {}
    for turn in range(4):
        said = run_and_kill(tmp_path, seed * 100 + turn, tokens, rng.uniform(0.0, 0.35))
        tokens = next((line["tokens"] for line in said if "tokens" in line), tokens)
        played = max((line["played"] for line in said if "played" in line), default=0)
        sealed |= {line["commitment"]: line for line in said if "commitment" in line}

        table = open_table(tmp_path)
        assert [table.seat_of(token) for token in tokens] == list(range(PLAYERS))
        assert len(table.evening.played) >= played
        kept = {one.commitment: one for one in table.evening.seals.values()}
        opened = {
            opening["commitment"]: opening
            for entry in table._log.entries()
            if entry.kind == "seal"
            for opening in [entry.secret]
        }
        for commitment, line in sealed.items():
            assert opened[commitment]["args"] == {"beads": line["beads"]}
            assert opened[commitment]["seat"] == line["seat"]
        for commitment, one in kept.items():
            assert opened[commitment]["seat"] == one.seat
        table.close()


def test_killed_between_the_last_seal_and_the_opening_all_open_at_the_next_start(tmp_path):
    table = open_table(tmp_path, closed_s=60.0)
    tokens = [table.sit(None, name) for name in ("Hedwig", "Christian")]
    table.begin(tokens[0])
    dealer = game.dealer(random.Random(1))
    for _ in range(2):
        action = dealer.act(table.evening.state).data()
        del action["by"]
        table.act(tokens[0], action, "en")
    for token in tokens:
        seal(table, token, red=4)
    assert table.view(None, "en")["commitments"] != []
    assert table.evening.closed
    table.close()
    again = open_table(tmp_path)
    assert not again.evening.closed
    assert game.due(again.evening.state) == "bid"
    again.close()
