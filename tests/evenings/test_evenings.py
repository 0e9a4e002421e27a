"""Recorded evenings come to the same log again: cameras, eyes, referee and rules as a whole (made by `make.py`)."""

from pathlib import Path

import pytest

from companion.rerun import rerun
from companion.tape import read

EVENINGS = sorted(path.parent for path in Path(__file__).parent.glob("*/evening.json"))


def test_there_is_one_of_each_game_that_can_be_read():
    assert [folder.name for folder in EVENINGS] == ["fiji", "giants", "maori", "rapa-nui"]


@pytest.mark.parametrize("folder", EVENINGS, ids=lambda folder: folder.name)
def test_it_comes_to_the_same_log(folder):
    outcome = rerun(folder)
    assert outcome.ok, outcome.data()
    assert outcome.refused == []
    assert outcome.looks >= 10
    causes = {event["entry"]["body"].get("cause") for event in read(folder) if "entry" in event}
    assert "camera" in causes
