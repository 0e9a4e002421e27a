"""The demonstration: people play a true game at a simulated table, and the real pipeline has to follow them.

The show knows the truth, because it moves the things itself; the table must find it out from frames and phones alone.
After every action the two are held against each other.
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
from companion.evening import Rewound
from companion.games.game import TABLE, Action, Game
from companion.games.tabletop import Laid, Option, Seen, SeenBead, SeenCard, SeenPiece
from companion.table import Table
from companion.watcher import Watcher
from vision.camera import Frame
from vision.deck import Deck
from vision.simulated import HandAt, SimulatedTable
from web.port import Data, Refused

SECONDS_A_FRAME = 0.2
LOOK_FRAMES = 10  # people leave a table alone for so long between two things they do
PATIENCE = 40  # frames a settled table may take to be understood before a person enters what it shows
STRAIGHTENED = (14, 27)  # after so many of them what the table cannot read is laid anew
MISTAKE_EVERY = 6  # about every so many exchanges somebody takes a wrong bead
BY_PHONE = 0.5  # how often a choice is made on the phone before it is made on the table
NOT_TOLD = 0.1  # how often a choice that the table shows in part only is not told by phone: the table has to ask


class Stopped(Exception):
    """The show was stopped."""


@dataclass(slots=True)
class Tally:
    """What happened in the show, true and read."""

    actions: int = 0
    states_true: int = 0
    states_read: int = 0  # of these: known to the table when the people had done
    silent_differences: int = 0  # the table knew something wrong, or lay wrong, and said that all is well
    told_differences: int = 0  # the table knew something wrong, but said that it lies otherwise
    questions: int = 0
    told_by_phone: int = 0  # choices of which the table shows nothing, or not all
    entered_by_hand: int = 0  # what the camera never understood
    unnoticed: int = 0  # of these: actions of which it saw nothing at all
    false_alarms: int = 0  # states known and laid right, of which the table still said that something lies wrong
    straightened: int = 0  # times that things were laid anew because the camera could not read them
    mistakes_made: int = 0
    mistakes_told: int = 0
    results: list[list[int]] = field(default_factory=list)  # final points by seat, game by game

    def add(self, other: Tally) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def sight(laid: Laid, deck: Deck) -> Seen:
    """What faultless eyes that were taught this deck would see of a table: no pieces where none were taught."""
    said = deck.attributes
    cards = (
        SeenCard(p.component, said.get(p.component) or {"card": p.component}, p.x, p.y, p.angle) for p in laid.cards
    )
    beads = (SeenBead(b.colour, b.x, b.y) for b in laid.beads)
    pieces = (SeenPiece(p.piece, p.x, p.y, p.colour, p.value) for p in laid.pieces if deck.pieces)
    return Seen(tuple(cards), tuple(beads), tuple(pieces))


class Show:
    """One demonstration table. `play` runs one game to its end; a web server may look on from other threads."""

    def __init__(
        self,
        table: Table,
        game: Game[Any, Any],
        watcher: Watcher,
        camera: SimulatedTable,
        deck: Deck,
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
        self._deck = deck
        self._rng = rng
        self._players = players
        self._live = live
        self._speed = speed
        self._going = threading.Event()
        self._going.set()
        self._stopping = False
        self._clock = 0.0
        self._world = World(game.tabletop.zones(players), random.Random(rng.random()))
        self._people: list[Person] = []
        self._truth: Any = None
        self._rewinds = 0  # that people have voted for in this game, as far as the table has been put back

    # --- a game ----------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """One game from its first card to its end."""
        if self._people:
            self.table.again(self._people[0].token)
            self.table.begin(self._people[0].token)
        else:
            self._people = seat_people(self.table, self.game, self._players, self._rng)
        self._truth, self._rewinds = self.game.start(self._players, {}), 0
        self._play_on()
        self.tally.results.append([score.total for score in self.game.scores(self._truth)])

    def _play_on(self) -> None:
        """From the present state to the end of the game."""
        dealer = self.game.dealer(random.Random(self._rng.random()))
        while self._put_back() or not self.game.over(self._truth):
            actors = self.game.to_act(self._truth)
            if actors == (TABLE,):
                self._carry_out([dealer.act(self._truth)])
            elif self.game.due(self._truth) in self.game.secret:
                self._decide_in_secret([self._people[seat] for seat in actors if seat != TABLE])
            else:
                self._choose(self._people[int(actors[0])])

    def _decide_in_secret(self, people: Sequence[Person]) -> None:
        """Everybody seals, then does openly what has come out."""
        moment, before = self.table.evening.moment(), len(self.table.evening.played)
        for person in people:
            self._pause(1.5)
            self._seal([person], moment)
        while self.table.evening.moment() == moment and self._live:
            self._frames(1)
            self._seal(people, moment)  # a seat may have been given back
        if self._voted_back():
            return
        played = self.table.evening.played[before : before + len(people)]
        self._carry_out([one.action for one in played], known=True)
        self._maybe_err()

    def _seal(self, people: Sequence[Person], moment: str | None) -> None:
        """Bots seal what is still due from them at this moment."""
        for person in people:
            sealed = person.seat in self.table.evening.seals
            if person.played_by_bot and not sealed and self.table.evening.moment() == moment:
                person.seal(self.game, self.table)

    def _choose(self, person: Person) -> None:
        """A seat chooses, on the phone first or straight on the table."""
        before = len(self.table.evening.played)
        if person.played_by_bot:
            self._pause(2.0)
        if not person.played_by_bot:
            self._follow_human(person, before)
            return
        if self._voted_back():
            return
        action = person.choose(self.game, self.table)
        hidden = not self._shows(action)
        if hidden and self._rng.random() < NOT_TOLD:
            hidden = self._lies_as(self._truth, self._sight_after(action))  # nothing at all would be seen
        told = hidden or self._rng.random() < BY_PHONE
        self.tally.told_by_phone += hidden
        if told:
            self._enter(action)
        self._carry_out([action], known=told)

    def _shows(self, action: Action) -> bool:
        """Whether the table tells this action from doing nothing and from every other one that leads elsewhere."""
        tabletop, state = self.game.tabletop, self._truth
        shown, after = self._sight_after(action), self.game.apply(state, action)[0]
        legal = islice(self.game.legal(state, action.by), ENOUGH)
        likely = tabletop.explaining(state, int(action.by), shown, legal)
        others = (tabletop.just_after(state, o) for o in likely if self.game.apply(state, o)[0] != after)
        return not self._lies_as(state, shown) and not any(self._lies_as(other, shown) for other in others)

    def _sight_after(self, action: Action) -> Seen:
        tabletop = self.game.tabletop
        return sight(tabletop.lay(tabletop.just_after(self._truth, action)), self._deck)

    def _lies_as(self, state: Any, shown: Seen) -> bool:
        return all(d.kind != "card" for d in self.game.tabletop.differences(state, shown))

    def _follow_human(self, person: Person, before: int) -> None:
        """A person chooses on a phone, the others then do it on the table; if the seat is given back, a bot chooses."""
        while len(self.table.evening.played) <= before and not self._voted_back():
            if person.played_by_bot:
                return
            self._frames(1)
        if not self._voted_back():
            self._carry_out([self.table.evening.played[before].action], known=True)

    # --- hands -------------------------------------------------------------------------------------------------------

    def _carry_out(self, actions: Sequence[Action], known: bool = False) -> None:
        """Do the actions on the table, step by step, and see whether it follows (`known`: it knows from the phones)."""
        base = len(self.table.evening.played) - len(actions) * known
        before, way = self._truth, [self.game.dump(self._truth)]
        for action in actions:
            self._truth, _ = self.game.apply(self._truth, action)
            way.append(self.game.dump(self._truth))
        for laid in self.game.tabletop.steps(before, actions, self._truth):
            self._move(laid)
            self._frames(LOOK_FRAMES)
            if actions[0].by == TABLE and self._says(before, laid) == actions[0]:
                self._await(way)  # it lies there for a moment only
        self.tally.actions += len(actions)
        self._await(way)
        if self._voted_back():
            return
        if self._read_right():
            self.tally.false_alarms += self.table.verdict is not None and self.table.verdict.status == "differs"
        else:
            self._count_wrong(unknown=self.game.dump(self.table.evening.state) == way[0])
            self._put_right(actions, base)
        self.tally.states_true += 1
        self.tally.states_read += self._read_right()

    def _says(self, state: Any, laid: Laid) -> Action | None:
        """What a faultless camera would read of this table when it is the table's turn."""
        past = [one.action for one in self.table.evening.played]
        return self.game.tabletop.read(state, sight(laid, self._deck), past).action

    def _move(self, laid: Laid) -> None:
        """Hands come, things are moved below them, hands go."""
        self._reach(self._world.lay(laid))

    def _reach(self, places: tuple[tuple[float, float], ...]) -> None:
        hands = self._world.hands(places)
        if hands:
            self._frames(2, hands)

    def _await(self, way: Sequence[Data]) -> None:
        """Let the camera look until the table knows the last state of the way and finds all as it should be.

        Questions are answered by what the way says; what cannot be read is straightened.
        """
        for waited in range(PATIENCE):
            status = self._frames(1)
            if self._voted_back() or (self._read_right() and self._is_well(status)):
                return
            if status == "asks":
                self._answer(way)
            elif waited in STRAIGHTENED:
                self._straighten()

    def _is_well(self, status: str | None) -> bool:
        """Whether the table says, once it has made up its mind, that all lies as it should."""
        if not self.game.tabletop.lay(self._truth).cards:
            return True  # nothing lies there that could be held against the rules
        awaits_seat = any(seat != TABLE for seat in self.game.to_act(self._truth))
        verdict = self.table.verdict
        return status == ("ok" if awaits_seat else "looking") and verdict is not None and not verdict.more

    def _straighten(self) -> None:
        """Lay anew what the table says lies wrong, or what was moved last."""
        verdict = self.table.verdict
        zones = {d.zone for d in verdict.differences} if verdict else set()
        places = self._world.straighten(zones) or self._world.straighten(self._world.touched)
        self.tally.straightened += bool(places)
        self._reach(places)

    def _answer(self, way: Sequence[Data]) -> None:
        """Somebody settles the camera's question with the truth: what leads farthest along the way."""
        verdict = self.table.verdict
        if verdict is None:
            return
        self.tally.questions += 1
        ends = [way.index(end) if (end := self._after(option)) in way else -1 for option in verdict.options]
        farthest = max(ends[:-1], default=-1)
        right = ends.index(farthest) if farthest > 0 else len(ends) - 1
        if farthest <= 0 and self._read_right():
            right = next((i for i, option in enumerate(verdict.options) if option.vouched), right)
        asked = [self._people[seat] for seat in verdict.seats] or self._people
        person = next((one for one in asked if one.played_by_bot), asked[0])
        question = self.table.view(person.seat, "en")["questions"][0]
        self.table.answer(person.token, question["id"], str(right))

    def _after(self, option: Option) -> Data:
        """The state to which an answer leads."""
        evening = self.table.evening
        state = evening.state if option.instead_of is None else evening.played[option.instead_of].before
        if option.action is not None and self.game.can(state, option.action):
            state, _ = self.game.apply(state, option.action)
        return self.game.dump(state)

    # --- truth, and what the table knows -----------------------------------------------------------------------------

    def _read_right(self) -> bool:
        return bool(self.game.dump(self.table.evening.state) == self.game.dump(self._truth))

    def _count_wrong(self, unknown: bool) -> None:
        """What the table does not know is entered by hand; if it knows something else, it must say that it is wrong."""
        verdict = self.table.verdict
        status = verdict.status if verdict else "looking"
        if unknown:
            self.tally.entered_by_hand += 1
            self.tally.unnoticed += status == "ok"
        elif status in ("differs", "asks") or self.table.evening.table_due():
            self.tally.told_differences += 1
        else:
            self.tally.silent_differences += 1

    def _put_right(self, actions: Sequence[Action], base: int) -> None:
        """People correct what the table has wrong, all of one mind, and enter what it lacks."""
        played = self.table.evening.played[base:]
        same = next(
            (i for i, (one, a) in enumerate(zip(played, actions, strict=False)) if one.action != a), len(actions)
        )
        if len(played) > same:
            meant = actions[same].data() if same < len(actions) else None
            self.table.propose(self._people[0].token, played[same].number, meant, "en")
            for person in self._people[1:]:
                if self.table.evening.proposal is not None:
                    self.table.vote(person.token, self.table.evening.proposal.id, rewind=True)
            self._rewinds = self._votes_back()
        for action in actions[len(self.table.evening.played) - base :]:
            self._enter(action)

    def _enter(self, action: Action) -> None:
        """Somebody enters an action on a phone."""
        person = self._people[0 if action.by == TABLE else int(action.by)]
        ruling = self.table.act(person.token, action.arguments() | {"do": action.do}, "en")
        if not ruling["legal"]:
            raise RuntimeError(f"people did what the rules forbid: {ruling}")

    def _votes_back(self) -> int:
        """How often people have voted to rewind this game."""
        return sum(isinstance(one, Rewound) and one.by is not None for one in self.table.evening.trail)

    def _voted_back(self) -> bool:
        """Whether a vote has taken something back that still lies on the table."""
        return self._votes_back() != self._rewinds

    def _put_back(self) -> bool:
        """Put the table back to where a vote has brought the game, if there was one."""
        if not self._voted_back():
            return False
        self._rewinds, self._truth = self._votes_back(), self.table.evening.state
        self._move(self.game.tabletop.lay(self._truth))
        self._await([self.game.dump(self._truth)])
        return True

    def _vote(self) -> None:
        """When somebody says that something did not happen as it was read, a bot votes: one in each frame."""
        proposal = self.table.evening.proposal
        if proposal is None:
            return
        voter = next((p for p in self._people if p.played_by_bot and p.seat not in proposal.votes), None)
        if voter is not None:
            voter.vote(self.table, proposal, was_so=self._read_right())

    def _maybe_err(self) -> None:
        """Now and then somebody leaves a bead of the supply in hand; the table must say so, then it is put back."""
        supply = [bead.colour for zone, bead in self._world.beads if zone == "supply"]
        cleared = self.game.over(self._truth) or not self.game.tabletop.lay(self._truth).cards
        if not supply or cleared or self._live or self._rng.randrange(MISTAKE_EVERY):
            return
        colour = self._rng.choice(supply)
        self._reach((self._world.take_bead("supply", colour).centre_mm,))
        self.tally.mistakes_made += 1
        told = any(self._frames(1) == "differs" for _ in range(PATIENCE))
        self.tally.mistakes_told += told
        self.tally.silent_differences += not told
        self._reach((self._world.put_bead("supply", colour).centre_mm,))
        self._await([self.game.dump(self._truth)])

    # --- frames ------------------------------------------------------------------------------------------------------

    def _frames(self, count: int, hands: tuple[HandAt, ...] = ()) -> str | None:
        """Let the camera see the table for so many frames; the status of the newest verdict. Raises Stopped."""
        for _ in range(count):
            self._going.wait()
            if self._stopping:
                raise Stopped
            started = time.monotonic()
            self._clock += SECONDS_A_FRAME
            image = self._camera.render(self._world.scene(hands))
            self._watcher.feed(Frame(image, self._clock))
            self._vote()
            if self._live:
                time.sleep(max(0.0, SECONDS_A_FRAME / self._speed - (time.monotonic() - started)))
        return self.table.verdict.status if self.table.verdict else None

    def _pause(self, seconds: float) -> None:
        """Let time go by as people do who think; not without an audience."""
        if self._live:
            self._frames(max(1, round(seconds / SECONDS_A_FRAME)))

    def rest(self, seconds: float) -> None:
        """Leave the table as it is for a while, then clear it. Whoever objects to the end makes it go on."""
        self._pause(seconds)
        self._play_on()
        self._move(Laid())

    def stop(self) -> None:
        """From another thread: end the show before its next frame."""
        self._stopping = True
        self._going.set()

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
