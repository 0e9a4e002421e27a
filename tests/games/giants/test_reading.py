"""How record lines are read: strictly, and written as they were read."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Malformed
from companion.games.giants import game
from tests.games.giants.tables import in_phase, moai

STATE = in_phase("transport", pieces=[moai(1, 2, before=0)])
MOVE = {"by": 0, "do": "move", "piece": "moai-1", "path": ["a"], "helpers": [[[0, "worker"], "log"]], "then": None}
PLACE = {"by": 0, "do": "place", "figure": "sorcerer", "hex": "b"}
BID = {"by": 0, "do": "bid", "markers": 0, "workers": 0, "sorcerer": 0, "chief": 0}


@pytest.mark.parametrize(
    "line",
    [
        {"by": "table", "do": "roll", "dice": [0, 3, 1]},
        BID,
        {"by": 2, "do": "carve", "size": 3},
        {"by": 2, "do": "carve", "size": None},
        {**PLACE, "logs": 2, "action": None},
        {**PLACE, "logs": 0, "action": "reserve", "ahu": "B2"},
        {"by": 1, "do": "rongo"},
        {"by": 1, "do": "pass"},
        MOVE,
        {**MOVE, "then": "erect", "ahu": "A"},
        {**MOVE, "path": [], "helpers": [], "then": "mark"},
        {"by": 0, "do": "mark", "piece": "moai-1"},
        {"by": 0, "do": "unmark", "piece": "moai-1"},
        {"by": 0, "do": "peek", "ahu": "A"},
    ],
)
def test_lines_are_written_as_they_were_read(line: dict[str, Any]) -> None:
    assert game.read(STATE, line).data() == line


def test_logs_and_action_may_be_left_out() -> None:
    assert game.read(STATE, PLACE).data() == {**PLACE, "logs": 0, "action": None}


def test_the_order_of_helpers_means_nothing() -> None:
    other = {**MOVE, "helpers": [["log", [0, "worker"]]]}
    assert game.read(STATE, other) == game.read(STATE, MOVE)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"by": "table", "do": "roll", "dice": [1, 2]}, "dice must have 3 entries"),
        ({"by": "table", "do": "roll", "dice": [1, 2, 4]}, r"dice\[2\] must be from 0 to 3"),
        ({"by": "table", "do": "roll", "dice": [1, 2, True]}, r"dice\[2\] must be a whole number"),
        ({"by": 3, "do": "pass"}, "seat from 0 to 2"),
        ({"by": 0, "do": "dance"}, "action.do must be one of"),
        ({**BID, "chief": 2}, "action.chief must be from 0 to 1"),
        ({**BID, "workers": -1}, "action.workers must be from 0"),
        ({**BID, "logs": 1}, "unknown keys: logs"),
        ({"by": 0, "do": "bid", "markers": 0}, "lacks 'workers'"),
        ({"by": 0, "do": "carve"}, "lacks 'size'"),
        ({"by": 0, "do": "carve", "size": 0}, "action.size must be from 1 to 3"),
        ({**PLACE, "figure": "medicine man"}, "action.figure must be one of"),
        ({**PLACE, "hex": "z"}, "action.hex must be a hex"),
        ({**PLACE, "hex": ["b"]}, "action.hex must be a hex"),
        ({**PLACE, "logs": 3}, "action.logs must be from 0 to 2"),
        ({**PLACE, "logs": None}, "action.logs must be a whole number"),
        ({**PLACE, "action": "swim"}, "action.action must be one of"),
        ({**PLACE, "action": "reserve"}, "lacks 'ahu'"),
        ({**PLACE, "action": "reserve", "ahu": "Z"}, "action.ahu must be an ahu"),
        ({**PLACE, "ahu": "A"}, "ahu goes only with"),
        ({**MOVE, "piece": "moai-2"}, "action.piece must be a piece in play"),
        ({**MOVE, "path": ["z"]}, r"action.path\[0\] must be a hex"),
        ({**MOVE, "path": ["a", "b"]}, "helpers must have 2 entries"),
        ({**MOVE, "helpers": [[[3, "worker"]]]}, r"helpers\[0\]\[0\]\[0\] must be from 0 to 2"),
        ({**MOVE, "helpers": [[[0, "log"]]]}, r"helpers\[0\]\[0\]\[1\] must be one of"),
        ({**MOVE, "helpers": [["worker"]]}, r'must be \[seat, figure\] or "log"'),
        ({**MOVE, "helpers": ["log"]}, r"helpers\[0\] must be a list"),
        ({**MOVE, "then": "sell"}, "action.then must be one of"),
        ({**MOVE, "then": "crown"}, "lacks 'ahu'"),
        ({**MOVE, "then": "mark", "ahu": "A"}, "ahu goes only with"),
        ({k: v for k, v in MOVE.items() if k != "then"}, "lacks 'then'"),
        ({"by": 0, "do": "mark", "piece": None}, "action.piece must be"),
        ({"by": 0, "do": "peek", "ahu": {}}, "action.ahu must be"),
        ({"by": 0, "do": "pass", "why": "tired"}, "unknown keys: why"),
    ],
)
def test_what_cannot_be_read_says_where(line: dict[str, Any], says: str) -> None:
    with pytest.raises(Malformed, match=says):
        game.read(STATE, line)
