"""The contract between a game and everything else.

A game is pure: a frozen state and an action go in, a new state and effects come out, or a ruling that
says no. It knows no clock, no files and no randomness of its own; chance and the camera are an actor
called the table. One decision serves all askers: `verify` rules, `can` asks, `apply` does, `legal` lists.

A new game is one folder that offers a `Game` by the entry point group `companion.games`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from companion.games.rulebook import Rulebook
    from companion.games.tabletop import Tabletop

TABLE: Final = "table"
Actor = int | Literal["table"]
Viewer = int | None  # a seat, or None for a spectator
Data = dict[str, Any]  # JSON-able


class Malformed(ValueError):
    """Something that cannot be read as a record line, an option or an action; the message says what and where."""


class Illegal(ValueError):
    """An action the rules refuse; `ruling` says which rule and why."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(f"{ruling.rule}: {ruling.because.code}")
        self.ruling = ruling


@dataclass(frozen=True, slots=True)
class Note:
    """A fact to be told: `code` names a sentence in the rulebook's `[messages]`, `facts` fill its blanks.

    Facts are ints, words of the game (translated by the rulebook's `[words]`), or bags and lists of these;
    a fact whose name is `seat` or `seats`, or ends so, holds seat numbers (or counts by seat number) and is told by
    the players' names. A fact `row` says to which row of the table the note belongs.
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to "is this allowed?": yes or no, the rule id that says so, and the facts it rests on."""

    legal: bool
    rule: str
    because: Note


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that happened: what to tell, the rule id behind it, and who may know.

    `seats` None: everybody may know, now and later. A tuple: only these seats. `memory` true: it was public
    for a moment and must not be shown again later (contracts: "memory only").
    """

    note: Note
    rule: str
    seats: tuple[int, ...] | None = None
    memory: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's points as if the game ended now, and the parts they come from."""

    seat: int
    total: int
    parts: Mapping[str, int]

    def data(self) -> Data:
        return {"seat": self.seat, "total": self.total, "parts": dict(self.parts)}


@dataclass(frozen=True, slots=True)
class Action:
    """Base of every action: who does it. Subclasses name the deed in `do` and add its arguments as fields."""

    do: ClassVar[str]
    by: Actor

    def data(self) -> Data:
        """The action as a line of a record, `by` and `do` first."""
        return {"by": self.by, "do": self.do, **self.arguments()}

    def arguments(self) -> Data:
        """The arguments as JSON; subclasses that have any override this."""
        return {}


S = TypeVar("S")
A = TypeVar("A", bound=Action)
S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class Dealer(Protocol[S_contra, A_co]):
    """Plays the table: draws from a shuffled box what the state waits for."""

    def act(self, state: S_contra) -> A_co: ...


class Bot(Protocol[A_co]):
    """Plays a seat from what that seat may know: its view, and the actions it may choose from."""

    def choose(self, view: Data, legal: Sequence[Any]) -> A_co: ...


class Game(ABC, Generic[S, A]):
    """One game's rules. All methods are pure; all states and actions are frozen and hashable."""

    name: ClassVar[str]  #: as in records: "fiji"
    folder: ClassVar[str]  #: the package that holds its TOML files: "companion.games.fiji"
    seats: ClassVar[range]  #: numbers of players it can be played with
    secret: ClassVar[frozenset[str]] = frozenset()
    """Deeds that seats do hidden and at the same time (a bid): a live table seals them and plays them all at once."""

    revealed: ClassVar[frozenset[str]] = frozenset()  #: those of `secret` that lie open once all seats have decided
    retold: ClassVar[bool] = False
    """Whether effects for memory may be told until the next secret decision is under way, not only at the moment."""
    pictured: ClassVar[bool] = False
    """Whether pictures of any past moment may be shown: nothing that has lain openly is ever a matter of memory."""
    open_scores: ClassVar[bool] = True  #: whether scores may be shown before the end
    asked: ClassVar[frozenset[str]] = frozenset()
    """Deeds whose rulings rest on nothing that only some may know. Others ask about all else as `supposed`."""

    most_choices: ClassVar[int] = 12  #: a seat with more actions than this is not given them as a list

    shows: ClassVar[frozenset[str] | None] = None
    """Codes of notes that bring hidden things to light; None: any note for memory or for some seats may do so."""

    @abstractmethod
    def start(self, players: int, options: Mapping[str, Any]) -> S:
        """The state before the first action; raises Malformed for unknown options or a wrong number of players."""

    @abstractmethod
    def read(self, state: S, data: Mapping[str, Any]) -> A:
        """The action a record line means; strict, raises Malformed. (The state tells players and catalogue.)"""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Actor, ...]:
        """Seats that may act now in ascending order, or `("table",)`, or `()` when the game is over."""

    @abstractmethod
    def verify(self, state: S, action: A) -> Ruling:
        """Whether the action is allowed here and which rule says so. Never raises for an action of this game."""

    def can(self, state: S, action: A) -> bool:
        return self.verify(state, action).legal

    def supposed(self, state: S, action: A) -> S:
        """This state, but that the actor holds what the action takes from where nobody else may look.

        Built from what everybody knows, so that a ruling on it tells nobody what only that seat may know. What is
        allowed is allowed here, too.
        """
        return state

    def covers(self, before: S, after: S) -> bool:
        """Whether something that everybody could see in the one state is covered, or taken away for good, in the other.

        The newest action's picture of the state before it is then a matter of memory, too.
        """
        return True

    @abstractmethod
    def apply(self, state: S, action: A) -> tuple[S, tuple[Effect, ...]]:
        """The state after a legal action and what happened; raises Illegal and changes nothing otherwise."""

    @abstractmethod
    def legal(self, state: S, by: Actor) -> Iterable[A]:
        """Every action this seat may do now, complete and without repeats; also what may be done out of turn.

        Where there can be more than anybody can list it is lazy, the most useful first: take as many as are needed.
        For the table this may be left out where it has no useful list (laying any four cards): then it is empty.
        """

    def sample(self, state: S, by: int, rng: random.Random) -> A:
        """A legal action of a seat that may act, at random; any may come. Games with very many draw without listing."""
        return rng.choice(list(self.legal(state, by)))

    @abstractmethod
    def dealer(self, rng: random.Random) -> Dealer[S, A]:
        """A player for the table's actions who draws from this game's box."""

    @abstractmethod
    def bot(self, seat: int, rng: random.Random) -> Bot[A]:
        """A sensible player: greedy with a short look-ahead, seeing only its own view."""

    @abstractmethod
    def scores(self, state: S) -> tuple[Score, ...]:
        """Points per seat as if the game ended now."""

    @abstractmethod
    def ranking(self, state: S) -> tuple[tuple[int, ...], ...]:
        """Places, best first; tied seats together."""

    @abstractmethod
    def dump(self, state: S) -> Data:
        """The whole state, secrets included, with the field names of the record format."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> Data:
        """What this viewer may know now, built up from nothing (never by removing from the whole)."""

    @abstractmethod
    def view_action(self, state: S, action: A, viewer: Viewer) -> Data:
        """What this viewer may know of an action played from `state` (the state before it)."""

    def due(self, state: S) -> str:
        """The deed that is due, as in records, or "over"."""
        view = self.view(state, None)
        return str(view["step"] if "step" in view else view["phase"])

    def phase(self, state: S) -> Note:
        """What is going on, as a headline: the message `phase_<deed>`, with the public view's numbers as facts."""
        facts = {name: value for name, value in self.view(state, None).items() if isinstance(value, int)}
        return Note(f"phase_{self.due(state)}", facts)

    def check(self, says: Mapping[str, Any], where: str) -> None:
        """Raises Malformed if a copy's component says what this game cannot read; what else it says is passed over."""

    def components(self, state: S) -> Data:
        """What a copy's components show that anybody may know, for people who enter by hand what lies there."""
        return {}

    def ways(self, state: S, begun: A) -> Data:
        """How an action of many steps can go on, for people who enter it step by step; {} where there are none."""
        return {}

    def tell(self, state: S, action: A) -> Note:
        """An action in this state as a choice or an answer, for people: the message `act_<deed>`."""
        return Note(f"act_{action.do}", action.arguments())

    @cached_property
    def tabletop(self) -> Tabletop[S]:
        """How the game lies on a table: `tabletop` of its `table.py`."""
        found: Tabletop[S] = import_module(f"{self.folder}.table").tabletop
        return found

    def view_effects(self, effects: Iterable[Effect], viewer: Viewer) -> list[Effect]:
        """The effects this viewer may be told at the moment they happen."""
        return [e for e in effects if e.seats is None or viewer in e.seats]

    @cached_property
    def rulebook(self) -> Rulebook:
        """Rule texts and sentences in all languages."""
        from companion.games.rulebook import Rulebook

        return Rulebook.load(self.folder)

    def over(self, state: S) -> bool:
        return not self.to_act(state)


def games() -> dict[str, Game[Any, Any]]:
    """Every installed game by name."""
    return {e.name: e.load() for e in sorted(entry_points(group="companion.games"), key=lambda e: e.name)}


def game(name: str) -> Game[Any, Any]:
    """The installed game of this name; raises Malformed with the names there are."""
    found = [e for e in entry_points(group="companion.games") if e.name == name]
    if not found:
        names = ", ".join(sorted(e.name for e in entry_points(group="companion.games")))
        raise Malformed(f"no game is called {name!r}; there are: {names}")
    loaded: Game[Any, Any] = found[0].load()
    return loaded
