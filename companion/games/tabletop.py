"""How a game lies on a table: the bridge between a state and what a camera sees, in plain data.

A game's `table.py` says where things lie in a state (for the simulated table and for what a person is told), which
facts a table action takes from what is seen, and in what a table differs from a state. It knows nothing of images.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.games.game import Action, Note

OUTLINE = 8  # points along one edge of a zone
Meaning = Mapping[str, Any]  # what a component says, in the deck's attributes: {"colour": "red", "wins": "most"}


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle of the table, millimetres in the table frame (x right, y down).

    (x, y) is its upper left corner; it is turned about that corner by `angle` degrees clockwise.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

    def at(self, along: float, down: float) -> tuple[float, float]:
        """The place on the table that is so far along its upper edge and so far down from it."""
        turn = math.radians(self.angle)
        c, s = math.cos(turn), math.sin(turn)
        return self.x + along * c - down * s, self.y + along * s + down * c

    @property
    def middle(self) -> tuple[float, float]:
        return self.at(self.width / 2, self.height / 2)

    def holds(self, x: float, y: float) -> bool:
        if not self.angle:
            return 0 <= x - self.x <= self.width and 0 <= y - self.y <= self.height
        turn = math.radians(self.angle)
        c, s, dx, dy = math.cos(turn), math.sin(turn), x - self.x, y - self.y
        return 0 <= dx * c + dy * s <= self.width and 0 <= dy * c - dx * s <= self.height

    def outline(self) -> list[tuple[float, float]]:
        """Points along the edge, clockwise from the corner, close enough together to bend with a lens."""
        steps = [i / OUTLINE for i in range(OUTLINE)]
        edges = [
            *((self.width * t, 0.0) for t in steps),
            *((self.width, self.height * t) for t in steps),
            *((self.width * (1 - t), self.height) for t in steps),
            *((0.0, self.height * (1 - t)) for t in steps),
        ]
        return [self.at(along, down) for along, down in edges]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A planar component seen: what it means, where its centre lies, its turn in degrees clockwise.

    With a doubt `candidates` holds the likeliest readings, best first, and `meaning` is empty.
    """

    component: str
    meaning: Meaning
    x: float
    y: float
    angle: float = 0.0
    candidates: tuple[tuple[str, Meaning], ...] = ()

    @property
    def sure(self) -> bool:
        return not self.candidates


@dataclass(frozen=True, slots=True)
class SeenBead:
    """A bead seen; `colour` is empty when it cannot be told, and then `may_be` holds what it may be (empty: any)."""

    colour: str
    x: float
    y: float
    may_be: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A thing with a height seen: its name ("worker", "ship", "die"), a seat's colour, a die's value.

    `piece` is empty when it cannot be told.
    """

    piece: str
    x: float
    y: float
    colour: str = ""
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What lies on the table, as far as one settled frame shows it, or as several of them agree."""

    cards: tuple[SeenCard, ...] = ()
    beads: tuple[SeenBead, ...] = ()
    pieces: tuple[SeenPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class Placing:
    """A component at its place in a state: `component` is the name in the house deck."""

    component: str
    x: float
    y: float
    angle: float
    zone: str


@dataclass(frozen=True, slots=True)
class BeadPlacing:
    colour: str
    x: float
    y: float
    zone: str


@dataclass(frozen=True, slots=True)
class PiecePlacing:
    """A thing with a height at its place.

    `on` is the piece on top of which it stands, empty for a table or board; `spot` names its place within the zone as
    differences do, where zones have such places.
    """

    piece: str
    x: float
    y: float
    zone: str
    colour: str = ""
    value: int | None = None
    on: str = ""
    spot: str = ""


@dataclass(frozen=True, slots=True)
class Laid:
    """A whole table as a state has it; of cards that overlap the later one lies on top."""

    cards: tuple[Placing, ...] = ()
    beads: tuple[BeadPlacing, ...] = ()
    pieces: tuple[PiecePlacing, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which the table differs from the state: what is expected and seen, and where.

    `kind` is "card" for what lies where and how it is turned, "count" for how many. `doubt` names what is not seen
    there, or not told, where eyes alone may be to blame; it is empty where something certainly lies otherwise. `at` is
    the place (mm), if it is known.
    """

    kind: str
    zone: str
    note: Note
    doubt: str = ""
    at: tuple[float, float] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer to a doubt: the action it would mean (None: none).

    `instead_of` is the index of the action played that it takes the place of, with all that came after; with both
    None nothing happened. `vouched`: all this lies as it should, whatever eyes make of it.
    """

    note: Note
    action: Action | None
    instead_of: int | None = None
    vouched: tuple[Difference, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the table seems to say when it is the table's turn.

    `action` when all is read; else `options` when people have to say which; else `waiting` for what is missing.
    """

    action: Action | None = None
    question: Note | None = None
    options: tuple[Option, ...] = ()
    waiting: Note | None = None


S = TypeVar("S")


class Tabletop(Protocol, Generic[S]):
    """What a game's `table.py` offers, as `tabletop`."""

    signs: Mapping[str, str]  #: the shape that stands for each thing that is counted openly ("green": "triangle")

    area: Zone  #: the part of the table that everybody may see: what lies before the screens

    def zones(self, players: int) -> tuple[Zone, ...]:
        """The zones of this layout; a game's own `tabletop` has its default one."""

    def relaid(self, zones: Iterable[Zone]) -> Tabletop[S]:
        """The same game on a table where the zones of these names lie elsewhere."""

    def lay(self, state: S) -> Laid:
        """Where everything public lies in this state, on the default layout with the house deck's names."""

    def steps(self, before: S, actions: Sequence[Any], after: S) -> tuple[Laid, ...]:
        """The tables people go through when they carry out these actions, the last one being that of `after`."""

    def just_after(self, state: S, action: Any) -> S:
        """A state as the cards lie when this action has been done, before what follows from it is carried out."""

    def read(self, state: S, seen: Seen, past: Iterable[Action]) -> Reading:
        """The table action that is due, read from what is seen; `past` are the game's actions so far."""

    def differences(self, state: S, seen: Seen) -> tuple[Difference, ...]:
        """In what the table contradicts this state. What a hand covers is no contradiction, nor is a doubt."""

    def explaining(self, state: S, seat: int, seen: Seen, legal: Iterable[Action]) -> Iterable[Action]:
        """Of a seat's legal actions those that can have made the table what it is; all others certainly have not.

        Of actions that leave the same state one is enough. A game with few actions leaves them as they are.
        """
        return legal

    def unseen(self, state: S, seat: int) -> Iterable[Action]:
        """What the seat may be doing now that shows on no table, and that nobody waits for to go on."""
        return ()

    def asked(self, state: S, actions: Sequence[Any]) -> tuple[Note, tuple[Option, ...]]:
        """The question which of these actions it was, and the answers, the likeliest first; none when there is no
        better way to ask than to tell each of them."""
        return Note("ask_which"), ()

    def name(self, meaning: Meaning) -> Note:
        """What a component says, for people: "most green"."""
