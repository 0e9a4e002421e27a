"""Whole games with their final state, kept as they were: a change of the rules shows here.

`records/<game>-….jsonl` is the record, the `.json` beside it what `companion replay --json` says of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.record import dumps, replay

RECORDS = sorted((Path(__file__).resolve().parent / "records").glob("*.jsonl"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_it_did(record: Path) -> None:
    steps = list(replay(record.read_bytes().splitlines(keepends=True)))
    assert steps[-1].answer() == json.loads(record.with_suffix(".json").read_text("utf-8"))
    assert steps[-1].answer()["over"]
    assert dumps(steps[0].header, (step.action for step in steps[1:] if step.action)) == record.read_text("utf-8")


def test_there_are_records() -> None:
    assert {record.stem.rsplit("-", 1)[0] for record in RECORDS} >= {"fiji", "maori", "rapa-nui"}
