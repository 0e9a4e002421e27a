"""Whole games at a live table for tests: a truth that is played, and a table that follows by phone and camera."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.evidence import Evidence
from companion.games.game import TABLE, game
from companion.log import Log
from companion.seal import commitment
from companion.table import Table
from companion.watcher import Watcher
from companion.witness import Witness
from tests.companion.eyes import Eyes, deck
from tests.companion.tables import NAMES
from vision.camera import Frame
from vision.motion import Motion


def table_with_witness(folder: Path, name: str = "fiji", **more: Any) -> Table:
    """A table whose pictures are kept beside its log."""
    folder.mkdir(exist_ok=True)
    witness = Witness(Evidence(folder / "evidence"))
    return Table(Log(folder / "companion.db", "oak"), name, camera=True, witness=witness, **more)


PATIENCE = 30  # frames


@dataclass
class Evening:
    """People at a table. `watcher` None: everything is entered on phones."""

    table: Table
    tokens: list[str]
    rng: random.Random
    eyes: Eyes = field(default_factory=Eyes)
    watcher: Watcher | None = None
    clock: float = 0.0
    salts: list[str] = field(default_factory=list)
    dealer: Any = None

    @classmethod
    def begin(cls, table: Table, players: int, seed: int = 1, camera: bool = False) -> Evening:
        tokens = [table.sit(None, name) for name in NAMES[:players]]
        table.begin(tokens[0])
        evening = cls(table, tokens, random.Random(seed))
        if camera:
            evening.watcher = Watcher(table, evening.eyes, deck(), Motion())
        return evening

    def play(self, most: int = 10_000) -> None:
        """So many steps, or until the game is over. What the table does lies there for the camera, if there is one."""
        rules = game(self.table.evening.game.name)
        self.dealer = self.dealer or rules.dealer(random.Random(self.rng.random()))
        for _ in range(most):
            state = self.table.evening.state
            due = rules.to_act(state)
            if not due:
                self.dealer = None
                return
            if due == (TABLE,):
                self.lay(self.dealer.act(state))
            elif self.table.evening.secret_deed():
                for seat in self.table.evening.to_seal():
                    self.seal(seat)
                self.look()
            else:
                self.act(rules.sample(state, due[0], self.rng))

    def lay(self, action: Any) -> None:
        if self.watcher is None:
            data = action.data()
            del data["by"]
            assert self.table.act(self.tokens[0], data, "en")["legal"]
            return
        rules = game(self.table.evening.game.name)
        before = self.table.evening.state
        after, _ = rules.apply(before, action)
        for laid in rules.tabletop.steps(before, [action], after):
            self.show(rules.tabletop.lay(before) if laid is None else laid)
        self.look()

    def act(self, action: Any) -> None:
        data = action.data()
        del data["by"]
        assert self.table.act(self.tokens[action.by], data, "en")["legal"]
        self.look()

    def seal(self, seat: int, **args: Any) -> None:
        """Seal as a phone does: what is said, or anything the rules allow."""
        view = self.table.view(seat, "en")
        rules = game(view["game"])
        if not args:
            drawn = iter(lambda: rules.sample(self.table.evening.state, seat, self.rng), None)
            args = next(action for action in drawn if action.do == view["secret"]).arguments()
        salt, attempt = secrets.token_bytes(32), view["attempt"] + 1
        self.salts.append(salt.hex())
        bound = commitment(view["table"], view["game"], view["moment"], seat, attempt, args, salt)
        answer = self.table.seal(self.tokens[seat], view["moment"], attempt, args, salt.hex(), bound)
        assert "commitment" in answer, answer

    def look(self) -> None:
        """Hands lay everything as the rules have it; the camera sees it."""
        if self.watcher is not None:
            rules = game(self.table.evening.game.name)
            self.show(rules.tabletop.lay(self.table.evening.state))

    def show(self, laid: Any) -> None:
        """An arm comes and goes, then the table lies still until the camera has made up its mind."""
        looks = self.watcher.report.looks
        for frame in range(PATIENCE):
            self.clock += 0.2
            verdict = self.watcher.feed(Frame(self.eyes.draw(laid, hand=frame < 2), self.clock))
            if verdict is not None and self.watcher.report.looks > looks and not verdict.more:
                return
