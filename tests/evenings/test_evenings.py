"""Recorded evenings come to the same log and pictures again: cameras, eyes, referee and rules as a whole.

What is changed on purpose (eyes that see more, another look of the kept pictures) is recorded anew with `make.py`.
"""

from pathlib import Path

import pytest

from companion.rerun import rerun
from companion.tape import read

EVENINGS = sorted(path.parent for path in Path(__file__).parent.glob("*/evening.json"))


def test_there_is_one_of_each_game_that_can_be_read():
    assert [folder.name for folder in EVENINGS] == ["fiji", "giants", "maori", "rapa-nui"]


LONG = ("fiji", "giants", "maori")  # more of what the fourth shows


@pytest.mark.parametrize(
    "folder", [pytest.param(e, id=e.name, marks=[pytest.mark.thorough] * (e.name in LONG)) for e in EVENINGS]
)
def test_it_comes_to_the_same_log(folder):
    outcome = rerun(folder)
    assert outcome.ok, outcome.data()
    assert outcome.refused == []
    assert outcome.looks >= 10
    causes = {event["entry"]["body"].get("cause") for event in read(folder) if "entry" in event}
    assert "camera" in causes


def test_in_one_of_them_people_take_back_what_happened_and_say_what_did():
    told = [[(e["entry"]["kind"], e["entry"]["body"]) for e in read(folder) if "entry" in e] for folder in EVENINGS]
    (entries,) = [entries for entries in told if any(kind == "rewind" for kind, _ in entries)]
    kinds = [kind for kind, _ in entries]
    at = kinds.index("rewind")
    assert entries[at][1]["by"] is not None
    assert {"propose", "vote"} <= set(kinds[:at])
    assert (kinds[at + 1], entries[at + 1][1]["cause"]) == ("act", "answer")
    assert kinds[at + 2 :].count("act") >= 2  # and the game goes on
