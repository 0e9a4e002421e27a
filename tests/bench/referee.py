"""Whole games at tables seen with faulty eyes and played by clumsy people: what the referee asked, and missed silently.

In each look 2 % of the components and pieces are missing, 1 % may as well be another one, 0.3 % are misread without a
doubt, all independently; in 20 % of the looks hands cover a third of the table. Of the actions 5 % are two at once by
the same person, 1 % are taken back, at 5 % a card or a piece is knocked askew (a board with all that stands on it), and
one visible choice in five is told on a phone first. Choices that lie on no table are told on phones; of those that the
table shows, but not wholly (who carried a piece, what a medicine man does, what lies face down), one in twenty is left
for the table to ask. Rows: games, actions, two at once, taken back, questions, answers that did not settle the
question, visible actions that a person had to enter, actions of which nothing is to be seen (a piece is set down and
its like is hidden; the table goes on waiting for that seat, who enters it), actions at whose end the state was wrong
and the table said that something differs, actions at whose end it was wrong and the table said nothing, looks, actions
told on phones, actions for a question, and the median of the milliseconds in which an action was understood. A game
ends at a wrong state.
There are `REFEREE_GAMES` (environment) games of each, 20 without it; `REFEREE_ONLY` names one game.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.companion.clumsy import GAMES, evenings


def run() -> list[dict[str, Any]]:
    """A row for each game that lies on a table."""
    only = os.environ.get("REFEREE_ONLY")
    return [_row(name, int(os.environ.get("REFEREE_GAMES", "20"))) for name in GAMES if only in (None, name)]


def _row(name: str, games: int) -> dict[str, Any]:
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        count = asdict(evenings(name, games, Path(folder)))
    took = count.pop("milliseconds")
    per = round(count["actions"] / count["questions"], 1) if count["questions"] else None
    seconds = round(time.perf_counter() - started, 1)
    median = round(statistics.median(took), 1)
    return {"game": name, **count, "actions_a_question": per, "median_ms_an_action": median, "seconds": seconds}
