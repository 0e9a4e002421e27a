"""The demonstration: people play a true game at a simulated table, and the real pipeline has to follow them.

The show knows the truth, because it moves the cards and beads itself; the table must find it out from frames and
phones alone. After every action the two are held against each other.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any

from companion.demo.people import ENOUGH, Person, seat_people
from companion.demo.world import World
from companion.games.game import TABLE, Action, Game
from companion.games.tabletop import Laid
from companion.table import Table
from companion.watcher import Watcher
from vision.camera import Frame
from vision.simulated import HandAt, SimulatedTable
from web.port import Data, Refused

SECONDS_A_FRAME = 0.2
LOOK_FRAMES = 10  # people leave a table alone for so long between two things they do
PATIENCE = 40  # frames a settled table may take to be understood before a person enters what it shows
MISTAKE_EVERY = 6  # about every so many exchanges somebody takes a wrong bead
BY_PHONE = 0.5  # how often a choice is made on the phone before it is made on the table


@dataclass(slots=True)
class Tally:
    """What happened in the show, true and read."""

    actions: int = 0
    states_true: int = 0
    states_read: int = 0  # of these: known to the table when the people had done
    silent_differences: int = 0  # the table said all is well, and it was not
    questions: int = 0
    entered_by_hand: int = 0  # what the camera never understood
    mistakes_made: int = 0
    mistakes_told: int = 0
    results: list[list[int]] = field(default_factory=list)  # final points by seat, game by game

    def add(self, other: Tally) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


class Show:
    """One demonstration table. `play` runs one game to its end; a web server may look on from other threads."""

    def __init__(
        self,
        table: Table,
        game: Game[Any, Any],
        watcher: Watcher,
        camera: SimulatedTable,
        players: int,
        rng: random.Random,
        *,
        live: bool = False,
        speed: float = 1.0,
    ) -> None:
        self.table = table
        self.game = game
        self.tally = Tally()
        self.report = watcher.report
        self._watcher = watcher
        self._camera = camera
        self._rng = rng
        self._players = players
        self._live = live
        self._speed = speed
        self._going = threading.Event()
        self._going.set()
        self._clock = 0.0
        self._world = World(game.tabletop.zones(players), random.Random(rng.random()))
        self._people: list[Person] = []
        self._truth: Any = None

    # --- a game ----------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """One game from the first card to the last head."""
        if self._people:
            self.table.again(self._people[0].token)
            self.table.begin(self._people[0].token)
        else:
            self._people = seat_people(self.table, self.game, self._players, self._rng)
        self._truth = self.game.start(self._players, {})
        dealer = self.game.dealer(random.Random(self._rng.random()))
        while not self.game.over(self._truth):
            actors = self.game.to_act(self._truth)
            if actors == (TABLE,):
                self._lay(dealer.act(self._truth))
            elif self.game.due(self._truth) in self.game.secret:
                self._decide_in_secret([self._people[seat] for seat in actors if seat != TABLE])
            else:
                self._choose(self._people[int(actors[0])])
        self.tally.results.append([score.total for score in self.game.scores(self._truth)])

    def _lay(self, action: Action) -> None:
        """People lay cards; the camera has to read them."""
        self._carry_out([action])

    def _decide_in_secret(self, people: Sequence[Person]) -> None:
        """Everybody seals, then does openly what has come out."""
        moment, before = self.table.evening.moment(), len(self.table.evening.played)
        actions = {}
        for person in people:
            self._pause(1.5)
            if person.played_by_bot:
                actions[person.seat] = person.seal(self.game, self.table)
        self._wait_for_humans(moment)
        for played in self.table.evening.played[before : before + len(people)]:  # people's own decisions as well
            actions.setdefault(int(played.action.by), played.action)
        self._carry_out([actions[person.seat] for person in people], known=True)
        self._maybe_err()

    def _wait_for_humans(self, moment: str | None) -> None:
        while self.table.evening.moment() == moment and self._live:
            self._frames(1)

    def _choose(self, person: Person) -> None:
        """The winner of a row chooses, on the phone first or straight on the table."""
        if not person.played_by_bot:
            self._follow_human()
            return
        self._pause(2.0)
        action = person.choose(self.game, self.table)
        by_phone = self._rng.random() < BY_PHONE or not self._shows(action)
        if by_phone:
            self.table.act(person.token, action.arguments() | {"do": action.do}, "en")
        self._carry_out([action], known=by_phone)

    def _shows(self, action: Action) -> bool:
        """Whether the table tells this action from doing nothing and from every other one; if not, a phone does."""
        tabletop, legal = self.game.tabletop, self.game.legal(self._truth, action.by)
        laid = tabletop.lay(tabletop.just_after(self._truth, action))
        others = (tabletop.just_after(self._truth, o) for o in islice(legal, ENOUGH) if o != action)
        return all(tabletop.lay(other) != laid for other in (self._truth, *others))

    def _follow_human(self) -> None:
        """A person chooses on a phone; the others then do it on the table."""
        before = len(self.table.evening.played)
        while len(self.table.evening.played) == before:
            self._frames(1)
        self._carry_out([self.table.evening.played[before].action], known=True)

    # --- hands -------------------------------------------------------------------------------------------------------

    def _carry_out(self, actions: Sequence[Action], known: bool = False) -> None:
        """Do the actions on the table, step by step, and see whether it follows (`known`: it knows from the phones)."""
        before = self._truth
        for action in actions:
            self._truth, _ = self.game.apply(self._truth, action)
        for laid in self.game.tabletop.steps(before, actions, self._truth):
            self._move(laid)
            self._frames(LOOK_FRAMES)
        self.tally.actions += len(actions)
        self._await(None if known else actions[0])
        self.tally.states_true += 1
        self.tally.states_read += self._read_right()

    def _move(self, laid: Laid) -> None:
        """Hands come, things are moved below them, hands go."""
        hands = self._world.hands(self._world.lay(laid))
        if hands:
            self._frames(2, hands)

    def _await(self, action: Action | None) -> None:
        """Let the camera look until the table knows what was done and finds all as it should be."""
        for _ in range(PATIENCE):
            verdict = self._frames(1)
            awaits_seat = any(seat != TABLE for seat in self.game.to_act(self._truth))
            if self._read_right() and verdict == ("ok" if awaits_seat else "looking") and not self._more():
                return
            if self.table.verdict is not None and self.table.verdict.status == "asks":
                self._answer(action)
            if self.game.tabletop.lay(self._truth).cards == () and self._read_right():
                return  # nothing lies there that could be held against the rules
        if action is not None and not self._read_right():
            self.tally.entered_by_hand += 1
            self.table.act(self._people[0].token, action.arguments() | {"do": action.do}, "en")
        elif self.table.verdict is not None and self.table.verdict.status == "ok":
            self.tally.silent_differences += 1

    def _more(self) -> bool:
        """Whether the camera is still making up its mind."""
        return self.table.verdict is None or self.table.verdict.more

    def _answer(self, action: Action | None) -> None:
        """A person settles the camera's question with the truth."""
        verdict = self.table.verdict
        assert verdict is not None
        self.tally.questions += 1
        right = [str(i) for i, option in enumerate(verdict.options) if option.action == action]
        asked = self._people[verdict.seats[0] if verdict.seats else 0]
        question = self.table.view(asked.seat, "en")["questions"][0]
        last = str(len(verdict.options) - 1)
        self.table.answer(asked.token, question["id"], right[0] if right else last)

    def _read_right(self) -> bool:
        return bool(self.game.dump(self.table.evening.state) == self.game.dump(self._truth))

    def _maybe_err(self) -> None:
        """Now and then somebody leaves a bead of the supply in hand; the table must say so, then it is put back."""
        supply = [bead.colour for zone, bead in self._world.beads if zone == "supply"]
        cleared = self.game.over(self._truth) or not self.game.tabletop.lay(self._truth).cards
        if not supply or cleared or self._live or self._rng.randrange(MISTAKE_EVERY):
            return
        colour = self._rng.choice(supply)
        self._frames(2, self._world.hands((self._world.take_bead("supply", colour).centre_mm,)))
        self.tally.mistakes_made += 1
        told = any(self._frames(1) == "differs" for _ in range(PATIENCE))
        self.tally.mistakes_told += told
        self.tally.silent_differences += not told
        self._frames(2, self._world.hands((self._world.put_bead("supply", colour).centre_mm,)))
        self._await(None)

    # --- frames ------------------------------------------------------------------------------------------------------

    def _frames(self, count: int, hands: tuple[HandAt, ...] = ()) -> str | None:
        """Let the camera see the table for so many frames; the status of the newest verdict."""
        for _ in range(count):
            self._going.wait()
            started = time.monotonic()
            self._clock += SECONDS_A_FRAME
            image = self._camera.render(self._world.scene(hands))
            self._watcher.feed(Frame(image, self._clock))
            if self._live:
                time.sleep(max(0.0, SECONDS_A_FRAME / self._speed - (time.monotonic() - started)))
        return self.table.verdict.status if self.table.verdict else None

    def _pause(self, seconds: float) -> None:
        """Let time go by as people do who think; not without an audience."""
        if self._live:
            self._frames(max(1, round(seconds / SECONDS_A_FRAME)))

    def rest(self, seconds: float) -> None:
        """Leave the table as it is for a while, then clear it."""
        self._pause(seconds)
        self._move(Laid())

    # --- web.port.Demo -----------------------------------------------------------------------------------------------

    def status(self) -> Data:
        bots = [person.seat for person in self._people if person.played_by_bot]
        return {"bots": bots, "paused": not self._going.is_set(), "speed": self._speed}

    def take_over(self, seat: int) -> str:
        person = self._person(seat)
        person.played_by_bot = False
        person.token = self.table.new_token(seat)
        return person.token

    def give_back(self, token: str) -> None:
        seat = self.table.seat_of(token)
        if seat is None:
            raise Refused("not_seated")
        person = self._person(seat)
        person.token = self.table.new_token(seat)
        person.played_by_bot = True

    def pace(self, paused: bool, speed: float) -> None:
        self._speed = speed
        (self._going.clear if paused else self._going.set)()

    def _person(self, seat: int) -> Person:
        if not 0 <= seat < len(self._people):
            raise Refused("no_such_seat")
        return self._people[seat]
