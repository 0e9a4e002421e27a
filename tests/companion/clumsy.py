"""Whole games at a table without pictures: eyes that err, people who are clumsy, and a count of what came of it.

The people know the truth, because they move the things. The live table has to find it out from what faulty eyes report
and from phones: choices that lie on no table are made there, and so are some of the others.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from companion.demo.people import ENOUGH, Person, seat_people
from companion.games.game import TABLE, Action, Game, game
from companion.games.giants.table import COLOURS
from companion.games.tabletop import BeadPlacing, Laid, PiecePlacing, Placing, Seen, SeenBead, SeenCard, SeenPiece
from companion.log import Log
from companion.table import Table
from tests.companion.sights import box, sight

MISSING, UNSURE, MISREAD = 0.02, 0.01, 0.003  #: of each component, in each look
HANDS = 0.2  #: of the looks
BY_PHONE = 0.2  #: choices that are made on the phone before they are made on the table
LOST, FOUND = 0.01, 0.1  #: of the actions: a piece is hidden by what is moved, a hidden one comes to light
AT_ONCE, TAKEN_BACK, KNOCKED = 0.05, 0.01, 0.05  #: of the actions
NOT_TOLD = 0.05  #: of the choices that the table shows, but not wholly: the table has to ask
NOISE_MM, ASKEW_MM, KNOCK_MM, KNOCK_DEG = 0.4, 2.5, 9.0, 12.0
PUSH_MM = 5.0  #: a figure that was pushed farther would stand on another hex
GAMES = ("fiji", "rapa-nui", "maori", "giants")
OTHER_PIECES = {  #: what a piece may be taken for
    "worker": ("sorcerer", "chief"),
    "sorcerer": ("worker", "chief"),
    "chief": ("sorcerer", "worker"),
    "moai-size-1": ("moai-size-2", "headdress"),
    "moai-size-2": ("moai-size-1", "moai-size-3"),
    "moai-size-3": ("moai-size-2", "headdress"),
    "headdress": ("moai-size-1", "log"),
    "log": ("headdress", "worker"),
    "ship": ("log", "die"),
    "die": ("headdress", "log"),
}
LOOKS = 60  #: that a table may need before a person enters what it shows


@dataclass(slots=True)
class Count:
    """What happened, over all games."""

    games: int = 0
    actions: int = 0
    at_once: int = 0
    taken_back: int = 0
    questions: int = 0
    unsettled: int = 0  # questions that had to be asked again though they were answered
    entered_by_hand: int = 0  # actions that the camera never understood, though it said that something differs
    unnoticed: int = 0  # … of which nothing at all is to be seen, as like is hidden by like: the table waits for them
    wrong: int = 0  # actions at whose end the state is wrong, and the table says that something differs
    silent: int = 0  # actions at whose end the state is wrong and the table says nothing of it
    looks: int = 0
    by_phone: int = 0  # actions of seats that were told on a phone, most of them because no table tells them
    milliseconds: list[float] = field(default_factory=list)  # of each action's looks, until the table is understood

    def add(self, other: Count) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(slots=True)
class Eyes:
    """What a camera reports of a table, with its faults."""

    rng: random.Random
    meanings: Mapping[str, Mapping[str, Any]]
    width: float
    left: float
    families: dict[Any, list[str]] = field(default_factory=lambda: defaultdict(list))
    colours: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in self.meanings:
            self.families[self._family(name)].append(name)

    def _family(self, name: str) -> Any:
        meaning = self.meanings[name]
        return frozenset(meaning), name.split("-", 1)[0] in ("offering", "board")

    def see(self, cards: Sequence[Placing], beads: Sequence[BeadPlacing], pieces: Sequence[PiecePlacing]) -> Seen:
        """One look."""
        covered = (0.0, 0.0)
        if self.rng.random() < HANDS:
            start = self.left + self.rng.random() * self.width * 2 / 3
            covered = (start, start + self.width / 3)
        self.colours = sorted({bead.colour for bead in beads})
        return Seen(
            tuple(self._card(p) for p in cards if self._shows(p.x, covered)),
            tuple(self._bead(p) for p in beads if self._shows(p.x, covered)),
            tuple(self._piece(p) for p in pieces if self._shows(p.x, covered)),
        )

    def _shows(self, x: float, covered: tuple[float, float]) -> bool:
        return not covered[0] < x < covered[1] and self.rng.random() >= MISSING

    def _near(self, x: float) -> float:
        return x + self.rng.uniform(-NOISE_MM, NOISE_MM)

    def _card(self, lies: Placing) -> SeenCard:
        x, y, chance = self._near(lies.x), self._near(lies.y), self.rng.random()
        if chance >= UNSURE + MISREAD:
            return SeenCard(lies.component, self.meanings[lies.component], x, y, lies.angle)
        other = self.rng.choice(self.families[self._family(lies.component)])
        if chance < MISREAD:
            return SeenCard(other, self.meanings[other], x, y, lies.angle)
        both = [(name, self.meanings[name]) for name in (lies.component, other)]
        self.rng.shuffle(both)
        return SeenCard("", {}, x, y, 0.0, tuple(both))

    def _piece(self, lies: PiecePlacing) -> SeenPiece:
        x, y, chance = self._near(lies.x), self._near(lies.y), self.rng.random()
        if chance >= UNSURE + MISREAD:
            return SeenPiece(lies.piece, x, y, lies.colour, lies.value)
        if chance >= MISREAD:
            return SeenPiece("", x, y)
        if lies.value is not None:
            return SeenPiece(lies.piece, x, y, lies.colour, (lies.value + self.rng.randrange(1, 4)) % 4)
        if lies.colour and self.rng.random() < 0.5:
            return SeenPiece(lies.piece, x, y, self.rng.choice([c for c in COLOURS if c != lies.colour]))
        return SeenPiece(self.rng.choice(OTHER_PIECES[lies.piece]), x, y, lies.colour)

    def _bead(self, lies: BeadPlacing) -> SeenBead:
        x, y, chance = self._near(lies.x), self._near(lies.y), self.rng.random()
        if chance < MISREAD:
            return SeenBead(self.rng.choice(self.colours), x, y)
        return SeenBead("" if chance < UNSURE + MISREAD else lies.colour, x, y)


class Party:
    """People who play one game from its first card to its end at a live table; `count` says how it went."""

    def __init__(self, name: str, folder: Path, players: int, seed: int, loses: float = LOST) -> None:
        self.loses = loses if name == "giants" else 0.0  # a ship has no other
        self.rng = random.Random(f"{name} {seed}")
        self.game: Game[Any, Any] = game(name)
        self.table = Table(Log(folder / "companion.db", f"t{seed}"), name, camera=True)
        self.people = seat_people(self.table, self.game, players, self.rng)
        self.dealer = self.game.dealer(random.Random(self.rng.random()))
        self.truth: Any = self.game.start(players, {})
        area = self.game.tabletop.area
        self.eyes = Eyes(random.Random(self.rng.random()), box(name), area.width, area.x)
        self.count = Count(games=1)
        self._askew: dict[Any, tuple[float, float, float]] = {}
        self._lost: set[PiecePlacing] = set()
        self._lying = Laid()
        self._known: Any = self.truth  # the state when people began to move things

    def play(self, most: int = 10_000) -> Count:
        """The whole game, or its first `most` actions."""
        while (
            not self.game.over(self.truth) and self.count.actions < most and not (self.count.silent or self.count.wrong)
        ):
            actors = self.game.to_act(self.truth)
            if actors == (TABLE,):
                self._carry_out([self.dealer.act(self.truth)])
            elif self.game.due(self.truth) in self.game.secret:
                sealed = [self.people[int(seat)].seal(self.game, self.table) for seat in actors]
                self._carry_out(sealed, known=True)
            else:
                self._choose(self.people[int(actors[0])])
        self.table.close()
        return self.count

    def _choose(self, person: Person) -> None:
        """One action of a seat, now and then two at once; now and then it is taken back."""
        before = self.truth
        action = self._decided(before, person.seat)
        second = self._second(before, action, person.seat) if self.rng.random() < AT_ONCE else None
        told = not self._shows(before, action)
        if told and self.rng.random() < NOT_TOLD:
            told = self._lies_as(before, self._sight_after(before, action))  # nothing at all would be seen
        if told or self.rng.random() < BY_PHONE:
            self.count.by_phone += 1
            self._enter(person, action)
            self._carry_out([action], known=True)
        elif second is not None:
            self.count.at_once += 1
            self._carry_out([action, second])
        else:
            self._carry_out([action])
            if self.rng.random() < TAKEN_BACK and not self.game.over(self.truth):
                self.count.taken_back += 1
                self.truth, self._known = before, self.table.evening.state
                self._move(self.game.tabletop.lay(before))
                self._settle([])

    def _second(self, state: Any, action: Action, seat: int) -> Action | None:
        """What the same person may go on with at once, if that shows; on an island, where turns are short, the next."""
        state, _ = self.game.apply(state, action)
        actors = self.game.to_act(state)
        if actors in ((), (TABLE,)) or self.game.due(state) in self.game.secret:
            return None
        if actors != (seat,) and self.game.name != "giants":
            return None
        second = self._decided(state, int(actors[0]))
        return second if self._shows(state, second) else None

    def _decided(self, state: Any, seat: int) -> Action:
        """What the bot decides. Of pieces between which the rules see no difference it moves the first."""
        bot = self.people[seat].bot
        decided: Any = bot.choose(self.game.view(state, seat), list(islice(self.game.legal(state, seat), ENOUGH)))
        if self.game.name == "giants" and hasattr(decided, "piece"):
            alike = replace(state.piece(decided.piece), id="")
            first = next(piece for piece in state.pieces if replace(piece, id="") == alike)
            decided = replace(decided, piece=first.id)
        return decided  # type: ignore[no-any-return]  # a bot is typed by its game

    def _shows(self, state: Any, action: Action) -> bool:
        """Whether the table tells this action from doing nothing and from every other one that leads elsewhere."""
        shown, after = self._sight_after(state, action), self.game.apply(state, action)[0]
        legal = self.game.legal(state, action.by)
        if self.game.name == "giants":  # there are very many: those that look alike, as people would think of them
            legal = self.game.tabletop.explaining(state, int(action.by), shown, ())
        others = (self.game.tabletop.just_after(state, o) for o in legal if self.game.apply(state, o)[0] != after)
        return not any(self._lies_as(other, shown) for other in chain((state,), others))

    def _sight_after(self, state: Any, action: Action) -> Seen:
        tabletop = self.game.tabletop
        return sight(tabletop.lay(tabletop.just_after(state, action)), self.game.name)

    def _lies_as(self, state: Any, shown: Seen) -> bool:
        return all(d.kind != "card" for d in self.game.tabletop.differences(state, shown))

    def _enter(self, person: Person, action: Action) -> None:
        ruling = self.table.act(person.token, action.arguments() | {"do": action.do}, "en")
        assert ruling["legal"], ruling

    def _carry_out(self, actions: Sequence[Action], known: bool = False) -> None:
        self._known = self.table.evening.state
        before, started = self.truth, time.perf_counter()
        for action in actions:
            self.truth, _ = self.game.apply(self.truth, action)
        self.count.actions += len(actions)
        steps = (
            self.game.tabletop.steps(before, actions, self.truth)
            if known or len(actions) == 1
            else (self.game.tabletop.lay(self.truth),)
        )
        for laid in steps:
            self._move(laid)
            if self.rng.random() < KNOCKED:
                self._knock()
            if laid is not steps[-1]:
                self._look(8)
        self._settle([] if known else actions)
        self.count.milliseconds.append(1000 * (time.perf_counter() - started))

    # --- the things on the table -----------------------------------------------------------------------------------

    def _move(self, laid: Laid) -> None:
        """What stays where it is stays askew as it was."""
        things = (*laid.cards, *laid.beads, *laid.pieces)
        lying = {*self._lying.cards, *self._lying.beads, *self._lying.pieces}
        new = {thing: self._tossed(ASKEW_MM, 3.0) for thing in things if thing not in lying}
        kept = {thing: self._askew[thing] for thing in things if thing in lying}
        self._askew = kept | new
        standing = [piece for piece in laid.pieces if piece in kept and self.loses]
        self._lost = {piece for piece in standing if piece in self._lost and self.rng.random() > FOUND}
        if standing and new and self.rng.random() < self.loses:
            self._lost.add(self.rng.choice(standing))
        self._lying = laid

    def _tossed(self, mm: float, degrees: float) -> tuple[float, float, float]:
        return self.rng.uniform(-mm, mm), self.rng.uniform(-mm, mm), self.rng.uniform(-degrees, degrees)

    def _knock(self) -> None:
        """A card or a piece is knocked; on a map everything goes with it."""
        things = [*self._lying.cards, *self._lying.pieces]
        if things:
            thing = self.rng.choice(things)
            self._askew[thing] = self._tossed(KNOCK_MM if isinstance(thing, Placing) else PUSH_MM, KNOCK_DEG)

    def _look(self, count: int) -> str:
        """So many looks; the status of the last one, "" while another one would tell more."""
        status = ""
        for _ in range(count):
            cards = [replace(p, x=p.x + d[0], y=p.y + d[1], angle=p.angle + d[2]) for p, d in self._of("cards")]
            beads = [replace(p, x=p.x + d[0], y=p.y + d[1]) for p, d in self._of("beads")]
            pieces = [
                self._carried(replace(p, x=p.x + d[0], y=p.y + d[1]))
                for p, d in self._of("pieces")
                if p not in self._lost
            ]
            verdict = self.table.observed(self.eyes.see(cards, beads, pieces))
            self.count.looks += 1
            status = "" if verdict.more else verdict.status
        return status

    def _carried(self, piece: PiecePlacing) -> PiecePlacing:
        """Where a piece is when the map it stands on lies askew."""
        map_ = next((card for card in self._lying.cards if card.zone == piece.zone == "island"), None)
        if map_ is None:
            return piece
        dx, dy, degrees = self._askew[map_]
        turn = math.radians(degrees)
        x, y = piece.x - map_.x, piece.y - map_.y
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        return replace(piece, x=map_.x + dx + x, y=map_.y + dy + y)

    def _of(self, kind: str) -> list[tuple[Any, tuple[float, float, float]]]:
        return [(thing, self._askew[thing]) for thing in getattr(self._lying, kind)]

    # --- until the table has understood ------------------------------------------------------------------------------

    def _right(self) -> bool:
        return bool(self.table.evening.state == self.truth)

    def _settle(self, actions: Sequence[Action]) -> None:
        """Let the eyes look until the table knows what was done; answer what it asks."""
        asked: list[str] = []
        self._look(3)
        status = ""
        for _ in range(LOOKS):
            status = self._look(1)
            if status == "asks":
                question = self._answer(actions)
                self.count.unsettled += question in asked
                asked.append(question)
            elif self._right() and status in ("ok", "looking"):
                return
        for _ in range(LOOKS):
            status = status or self._look(1)
        if self._right():
            return
        if actions and self._nothing_shows():
            self.count.unnoticed += 1
            self._enter_all(actions)
            return
        if status not in ("differs", "looking", "asks") or (status == "looking" and not self.table.evening.table_due()):
            self.count.silent += 1
            return
        if not actions or self.game.dump(self.table.evening.state) != self.game.dump(self._known):
            self.count.wrong += 1
            return
        self.count.entered_by_hand += 1
        self._enter_all(actions)

    def _enter_all(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if not self._right():
                self._enter(self.people[action.by if action.by != TABLE else 0], action)

    def _nothing_shows(self) -> bool:
        """Whether what is not hidden lies as the table knows it, and that has believed nothing since."""
        shown = replace(self._lying, pieces=tuple(p for p in self._lying.pieces if p not in self._lost))
        same = self.game.dump(self.table.evening.state) == self.game.dump(self._known)
        return bool(self._lost) and same and self._lies_as(self._known, sight(shown, self.game.name))

    def _answer(self, actions: Sequence[Action]) -> str:
        """A person settles a question with the truth: what was done, or that it was taken back."""
        verdict = self.table.verdict
        assert verdict is not None
        self.count.questions += 1
        right = str(len(verdict.options) - 1)
        offered = [option.action if option.instead_of is None else None for option in verdict.options]
        done = [str(i) for action in actions for i, other in enumerate(offered) if other and self._same(action, other)]
        right = done[0] if done else right
        for number, option in enumerate(verdict.options):
            if option.vouched and not done and self._right():
                right = str(number)
            if option.action is None and option.instead_of is not None:
                before = self.table.evening.played[option.instead_of].before
                right = str(number) if before == self.truth else right
        person = self.people[verdict.seats[0] if verdict.seats else 0]
        question = self.table.view(person.seat, "en")["questions"][0]
        self.table.answer(person.token, question["id"], right)
        self._agree()
        return str(question["id"])

    def _agree(self) -> None:
        """All vote for what an answer has proposed, because something has come to light since."""
        for person in self.people:
            proposal = self.table.evening.proposal
            if proposal is not None and person.seat != proposal.by:
                self.table.vote(person.token, proposal.id, True)

    def _same(self, action: Action, other: Action) -> bool:
        """Whether it is the same action, or one that comes to the same (a piece carried another way for no more)."""
        state = self.table.evening.state
        if action == other or not (self.game.can(state, action) and self.game.can(state, other)):
            return action == other
        return bool(self.game.apply(state, action)[0] == self.game.apply(state, other)[0])


def evenings(name: str, games: int, folder: Path, seed: int = 1) -> Count:
    """So many whole games with all numbers of players in turn."""
    count = Count()
    seats = game(name).seats
    for number in range(games):
        own = folder / f"{name}-{number}"
        own.mkdir(parents=True)
        count.add(Party(name, own, seats.start + number % len(seats), seed + number).play())
    return count
