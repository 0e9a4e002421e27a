"""Records the evenings that the tests replay: `python -m tests.evenings.make fiji` plays at the simulated table.

The beginning of a game is enough: cards are laid and read, what follows is told on phones or seen. In one of them the
table takes an action back and plays another one in its place, which people then do.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.demo.show import Show
from companion.demo.stage import House
from companion.evidence import Evidence
from companion.games.game import game
from companion.log import Log
from companion.recording import RecordedTable, RecordedWatcher
from companion.rerun import rerun
from companion.tape import About, Tape
from companion.witness import Witness
from vision.motion import Motion
from vision.observe import Observer
from vision.simulated import SimulatedTable

FOLDER = Path(__file__).parent
PLAYERS = {"fiji": 3, "rapa-nui": 2, "maori": 2, "giants": 3}
SEED = 11
SIZE = (1600, 900)  # small enough to be kept, large enough to be read
# the round's cards, and one exchange; what is laid or rolled, and what comes of it
ACTIONS = {"fiji": 5, "rapa-nui": 4, "maori": 4, "giants": 5}
CORRECTED = {"maori": 2}  # so many actions have been played when the newest is said to have been another


class Enough(Exception):
    """As much has been played as is to be recorded, and the table lies as it should."""


class ShortWatcher(RecordedWatcher):
    """Ends the evening after so many actions, and has somebody correct what was played before."""

    actions = 0
    corrected = 0
    show: Show

    def feed(self, frame: Any) -> Any:
        verdict = super().feed(frame)
        played = self._table.evening.played
        if verdict is not None and verdict.status == "ok" and not verdict.more:
            if len(played) == self.corrected:
                self._correct()
            elif len(played) >= self.actions:
                raise Enough
        return verdict

    def _correct(self) -> None:
        """Whoever did the newest action says that it was another; the others vote in the frames that follow."""
        table, self.corrected = self._table, 0
        one = table.evening.played[-1]
        playing = table.evening.game
        assert playing is not None
        assert isinstance(one.action.by, int)
        instead = next(a for a in playing.legal(one.before, one.action.by) if a != one.action)
        token = self.show._people[one.action.by].token
        assert table.propose(token, one.number, instead.data(), "en") == {"proposed": True}


def make(name: str, folder: Path) -> None:
    """Record the evening of this game, instead of the one that was there."""
    playing, house = game(name), House.of(name)
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        tape = Tape(folder, About("oak", name, {}, (), camera=True, deck=True, witness=True))
        table = RecordedTable(
            Log(Path(scratch) / "companion.db", "oak"), name, tape=tape, camera=True,
            witness=Witness(Evidence(Path(scratch) / "evidence")),
        )  # fmt: skip
        watcher = ShortWatcher(table, Observer(house.deck), house.deck, Motion())
        watcher.actions, watcher.corrected = ACTIONS[name], CORRECTED.get(name, 0)
        camera = SimulatedTable(house.faces, seed=SEED, size_px=SIZE)
        try:
            watcher.show = Show(table, playing, watcher, camera, house.deck, PLAYERS[name], random.Random(SEED))
            watcher.show.play()
        except Enough:
            causes = [played.cause for played in table.evening.played]
            print(causes, table.evening.rewinds, watcher.report.frames, watcher.report.looks)
        table.close()


if __name__ == "__main__":
    for name in sys.argv[1:] or ACTIONS:
        make(name, FOLDER / name)
        print(name, rerun(FOLDER / name).data())
        print(sum(path.stat().st_size for path in (FOLDER / name).iterdir()), "bytes")
