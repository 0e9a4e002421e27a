"""Giants' actions, and how record lines spell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.games.game import Action, Actor, Data, Malformed
from companion.games.reading import Fields, integer, items, word

if TYPE_CHECKING:
    from companion.games.giants.state import State

FIGURES: Final = ("worker", "sorcerer", "chief")
SPECIALS: Final = ("village", "hut", "forest", "reserve", "headdress")  #: what a sorcerer or chief may do where placed
SIZES: Final = (1, 2, 3)
ENDS: Final = ("erect", "crown", "mark")  #: what may follow a movement

Carrier = tuple[int, str]  #: who may help to carry: a seat's figure, or a log
LOG: Final[Carrier] = (99, "log")  #: nobody's; sorts behind all figures
Helpers = tuple[Carrier, ...]  #: who carries onto one hex, in canonical order: by seat, logs last


def carrier_data(carrier: Carrier) -> list[int | str] | str:
    return "log" if carrier == LOG else list(carrier)


@dataclass(frozen=True, slots=True)
class Hands:
    """What a bid holds: markers in one hand, sculptors in the other (GI-2.1)."""

    markers: int
    workers: int
    sorcerer: int
    chief: int

    @property
    def sculptors(self) -> int:
        return self.workers + self.sorcerer + self.chief

    def figures(self) -> dict[str, int]:
        return {"worker": self.workers, "sorcerer": self.sorcerer, "chief": self.chief}

    def data(self) -> dict[str, int]:
        return {"markers": self.markers, "workers": self.workers, "sorcerer": self.sorcerer, "chief": self.chief}


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """The table rolls one die per player: sizes, or 0 for a broken block (GI-1.1)."""

    do: ClassVar[str] = "roll"
    dice: tuple[int, ...]

    def arguments(self) -> Data:
        return {"dice": list(self.dice)}


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Markers and figures for the auction, hidden until all are in (GI-2.1)."""

    do: ClassVar[str] = "bid"
    hands: Hands

    def arguments(self) -> Data:
        return dict(self.hands.data())


@dataclass(frozen=True, slots=True)
class Carve(Action):
    """Take a Moai of this size from the quarry tile, or decline for the rest of the auction (GI-2.3, GI-A2)."""

    do: ClassVar[str] = "carve"
    size: int | None

    def arguments(self) -> Data:
        return {"size": self.size}


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Put a figure on a hex, with logs and with the action of the place where wanted (GI-3A, GI-3B, GI-3C)."""

    do: ClassVar[str] = "place"
    figure: str
    hex: str
    logs: int = 0
    action: str | None = None
    ahu: str | None = None

    def arguments(self) -> Data:
        data: Data = {"figure": self.figure, "hex": self.hex, "logs": self.logs, "action": self.action}
        return data if self.ahu is None else {**data, "ahu": self.ahu}


@dataclass(frozen=True, slots=True)
class Rongo(Action):
    """Spend a marker for one half of a Rongo tablet (GI-3D)."""

    do: ClassVar[str] = "rongo"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing more in this phase (GI-3E)."""

    do: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Carry a piece along a path, each hex with its helpers, and then perhaps erect, crown or mark it (GI-4.2)."""

    do: ClassVar[str] = "move"
    piece: str
    path: tuple[str, ...]
    helpers: tuple[Helpers, ...]
    then: str | None = None
    ahu: str | None = None

    def arguments(self) -> Data:
        helpers = [[carrier_data(carrier) for carrier in hex_] for hex_ in self.helpers]
        data: Data = {"piece": self.piece, "path": list(self.path), "helpers": helpers, "then": self.then}
        return data if self.ahu is None else {**data, "ahu": self.ahu}


@dataclass(frozen=True, slots=True)
class Mark(Action):
    """Put a marker on a piece without moving it (GI-4.10, GI-4.12)."""

    do: ClassVar[str] = "mark"
    piece: str

    def arguments(self) -> Data:
        return {"piece": self.piece}


@dataclass(frozen=True, slots=True)
class Unmark(Action):
    """Take one's marker back from a piece at the round's end (GI-5.2)."""

    do: ClassVar[str] = "unmark"
    piece: str

    def arguments(self) -> Data:
        return {"piece": self.piece}


@dataclass(frozen=True, slots=True)
class Peek(Action):
    """Discard one half tablet to look under the Moai on an ahu (GI-4.9)."""

    do: ClassVar[str] = "peek"
    ahu: str

    def arguments(self) -> Data:
        return {"ahu": self.ahu}


GiantsAction = Roll | Bid | Carve | Place | Rongo | Pass | Move | Mark | Unmark | Peek


def read_action(data: Mapping[str, Any], state: State) -> GiantsAction:
    """The action a record line means; the state tells players, board and pieces; raises Malformed."""
    fields = Fields(data, "action")
    by = fields.actor(state.players)
    action = _READERS[fields.word("do", tuple(_READERS))](by, fields, state)
    fields.done()
    return action


def _read_die(value: object, where: str) -> int:
    return integer(value, where, 0, 3)


def _read_roll(by: Actor, fields: Fields, state: State) -> Roll:
    return Roll(by, fields.items("dice", _read_die, state.players))


def _read_bid(by: Actor, fields: Fields, state: State) -> Bid:
    return Bid(
        by,
        Hands(
            fields.integer("markers"),
            fields.integer("workers"),
            fields.integer("sorcerer", most=1),
            fields.integer("chief", most=1),
        ),
    )


def _read_carve(by: Actor, fields: Fields, state: State) -> Carve:
    size = fields.take("size")
    return Carve(by, None if size is None else integer(size, "action.size", 1, 3))


def _read_place(by: Actor, fields: Fields, state: State) -> Place:
    figure = fields.word("figure", FIGURES)
    hex_ = _known(fields.take("hex"), "action.hex", state.board.hex_at, "a hex")
    logs = fields.integer("logs", most=2, default=0)
    action = _optional(fields, "action", SPECIALS) if fields.has("action") else None
    return Place(by, figure, hex_, logs, action, _read_beside(fields, state, action == "reserve"))


def _read_move(by: Actor, fields: Fields, state: State) -> Move:
    piece = _read_piece(fields, state)
    path = fields.items("path", lambda value, where: _known(value, where, state.board.hex_at, "a hex"))
    helpers = fields.items("helpers", lambda value, where: _read_helpers(value, where, state.players), len(path))
    then = _optional(fields, "then", ENDS)
    return Move(by, piece, path, helpers, then, _read_beside(fields, state, then in ("erect", "crown")))


def _read_helpers(value: object, where: str, players: int) -> Helpers:
    def read(entry: object, place: str) -> Carrier:
        if entry == "log" and isinstance(entry, str):
            return LOG
        if not isinstance(entry, list | tuple) or len(entry) != 2:
            raise Malformed(f'{place} must be [seat, figure] or "log"')
        return integer(entry[0], f"{place}[0]", 0, players - 1), word(entry[1], f"{place}[1]", FIGURES)

    return tuple(sorted(items(value, where, read)))


def _read_piece(fields: Fields, state: State) -> str:
    return _known(fields.take("piece"), "action.piece", [piece.id for piece in state.pieces], "a piece in play")


def _read_beside(fields: Fields, state: State, wanted: bool) -> str | None:
    """The ahu of a deed at an ahu; a line of any other deed has none."""
    if wanted:
        return _read_ahu(fields, state)
    if fields.has("ahu") and fields.take("ahu") is not None:
        raise Malformed("action.ahu goes only with reserve, erect and crown")
    return None


def _read_ahu(fields: Fields, state: State) -> str:
    return _known(fields.take("ahu"), "action.ahu", state.board.ahu_at, "an ahu")


def _optional(fields: Fields, name: str, choices: tuple[str, ...]) -> str | None:
    value = fields.take(name)
    return None if value is None else word(value, f"action.{name}", choices)


def _known(value: object, where: str, names: Mapping[str, int] | list[str], what: str) -> str:
    if not isinstance(value, str) or value not in names:
        raise Malformed(f"{where} must be {what}")
    return value


_READERS: Final[Mapping[str, Callable[[Actor, Fields, State], GiantsAction]]] = {
    "roll": _read_roll,
    "bid": _read_bid,
    "carve": _read_carve,
    "place": _read_place,
    "rongo": lambda by, fields, state: Rongo(by),
    "pass": lambda by, fields, state: Pass(by),
    "move": _read_move,
    "mark": lambda by, fields, state: Mark(by, _read_piece(fields, state)),
    "unmark": lambda by, fields, state: Unmark(by, _read_piece(fields, state)),
    "peek": lambda by, fields, state: Peek(by, _read_ahu(fields, state)),
}
