"""A game of Giants between two actions: the state, how it starts, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from companion.games.game import TABLE, Actor, Data, Effect, Note, Ruling
from companion.games.giants.actions import Carrier, Hands
from companion.games.giants.board import Board
from companion.games.giants.box import box

PHASES: Final = ("roll", "bid", "carve", "place", "transport", "end")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stock:
    """What a player has behind the screen (GI-S2)."""

    workers: int
    sorcerer: int
    chief: int
    markers: int
    logs: int
    bases: int

    @property
    def can_place(self) -> bool:
        """Whether anything is left to act with while placing: logs alone are not (GI-3F)."""
        return bool(self.workers or self.sorcerer or self.chief or self.markers)

    def figures(self, figure: str) -> int:
        return self.workers if figure == "worker" else self.sorcerer if figure == "sorcerer" else self.chief

    def data(self) -> dict[str, int]:
        return {
            "workers": self.workers,
            "sorcerer": self.sorcerer,
            "chief": self.chief,
            "markers": self.markers,
            "logs": self.logs,
            "bases": self.bases,
        }


@dataclass(frozen=True, slots=True)
class Piece:
    """A Moai or a headdress in play. It stands before a screen, or on a hex, or on an ahu."""

    id: str
    kind: str  #: "moai" or "headdress"
    size: int | None
    hex: str | None
    ahu: str | None
    before: int | None  #: the seat before whose screen it stands
    marker: int | None
    keeper: int | None = None  #: whose it stays without a marker until the phase ends (GI-A7)

    @property
    def weight(self) -> int:
        """How many workers carry it (GI-4.2)."""
        return self.size or 1

    @property
    def owner(self) -> int | None:
        """The only seat that may touch it now, or None: anybody may (GI-4.10, GI-4.11)."""
        return self.before if self.before is not None else self.marker if self.marker is not None else self.keeper

    def data(self) -> Data:
        return {
            "kind": self.kind,
            "size": self.size,
            "hex": self.hex,
            "ahu": self.ahu,
            "before": self.before,
            "marker": self.marker,
        }


@dataclass(frozen=True, slots=True)
class Site:
    """What stands on an ahu: seats of the base under the Moai or of the reservation, ids of the pieces."""

    base: int | None = None
    reserved: int | None = None
    moai: str | None = None
    headdress: str | None = None


FREE: Final = Site()


@dataclass(frozen=True, slots=True)
class State:
    """A game of Giants between two actions. What is listed by seat, hex or ahu follows the board's order."""

    board: Board
    players: int
    bases: int  #: of each player (GI-S2)
    immediate: bool  #: Moais score when they are erected (GI-V1)
    round: int
    phase: str
    start: int
    turn: int | None  #: whose choice or turn it is in carve, place and transport
    out: frozenset[int]  #: seats that passed this phase, or declined in the auction
    quarry: tuple[int, ...]
    bids: tuple[Hands | None, ...]
    order: tuple[int, ...]  #: of choice in the auction, fixed at the reveal (GI-2.2)
    carved: tuple[tuple[int, ...], ...]  #: sizes taken in this auction, by seat
    moais: tuple[int, int, int]  #: in the box, by size
    headdresses: int
    logs: int
    half_tablets: int  #: in the box
    container: tuple[tuple[int, int], ...]  #: workers and markers of each seat that are in it
    stocks: tuple[Stock, ...]
    spent: tuple[int, ...]  #: markers before the screens, spent on tablets
    tablets: tuple[int, ...]  #: half tablets before the screens
    prestige: tuple[int, ...]
    figures: tuple[tuple[Carrier, ...], ...]  #: on each hex, as they were placed
    pieces: tuple[Piece, ...]
    sites: tuple[Site, ...]  #: by ahu
    felled: frozenset[str]  #: forests that were turned over (GI-3B3)
    spare: tuple[int, ...]  #: at the round's end: markers that were behind the screens when the transport ended
    over: bool = False

    def piece(self, id_: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.id == id_), None)

    def site(self, ahu: str) -> Site | None:
        at = self.board.ahu_at.get(ahu)
        return None if at is None else self.sites[at]


def start(players: int, board: Board, fast: bool, immediate: bool) -> State:
    """Everything as laid out for the first round (GI-S1, GI-S2, GI-S3, GI-S5); seat 0 starts (GI-S6)."""
    there_is = box()
    workers = there_is.fast_workers if fast else there_is.start_workers
    markers = there_is.start_markers
    bases = there_is.bases[players]
    nothing = (0,) * players
    return State(
        board=board,
        players=players,
        bases=bases,
        immediate=immediate,
        round=1,
        phase="roll",
        start=0,
        turn=None,
        out=frozenset(),
        quarry=(),
        bids=(None,) * players,
        order=(),
        carved=((),) * players,
        moais=there_is.moais,
        headdresses=there_is.headdresses,
        logs=there_is.logs,
        half_tablets=there_is.half_tablets,
        container=((there_is.workers - workers, there_is.markers - markers),) * players,
        stocks=(Stock(workers, 1, 1, markers, 0, bases),) * players,
        spent=nothing,
        tablets=nothing,
        prestige=nothing,
        figures=((),) * len(board.hexes),
        pieces=(),
        sites=(FREE,) * len(board.ahus),
        felled=frozenset(),
        spare=nothing,
    )


def to_act(state: State) -> tuple[Actor, ...]:
    """Who may act now: all whose bid is out, the seat whose turn it is, or the table (GI-0)."""
    if state.over:
        return ()
    if state.phase == "bid":
        return tuple(seat for seat, bid in enumerate(state.bids) if bid is None)
    return (TABLE,) if state.turn is None else (state.turn,)


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The tuple with another item at this place."""
    return (*items[:at], item, *items[at + 1 :])


def plus(counts: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + more, *counts[at + 1 :])


def with_piece(state: State, piece: Piece) -> tuple[Piece, ...]:
    """The pieces with this one in place of the one of its name."""
    return tuple(piece if other.id == piece.id else other for other in state.pieces)


def new_piece(state: State, kind: str, size: int | None, seat: int) -> Piece:
    """The next piece of its kind, before its owner's screen."""
    number = 1 + sum(1 for piece in state.pieces if piece.kind == kind)
    return Piece(f"{kind}-{number}", kind, size, hex=None, ahu=None, before=seat, marker=None)


def with_markers(state: State, seat: int, more: int) -> tuple[Stock, ...]:
    """The stocks with more (or fewer) markers behind one screen."""
    stock = state.stocks[seat]
    return put(state.stocks, seat, replace(stock, markers=stock.markers + more))


def clockwise(state: State, first: int) -> Iterable[int]:
    """All seats in order of play, beginning with `first`."""
    return ((first + step) % state.players for step in range(state.players))


def yes(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(True, rule, Note(code, facts))


def no(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(False, rule, Note(code, facts))


def told(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody may know, now and later."""
    return Effect(Note(code, facts), rule)


def seen(rule: str, code: str, **facts: object) -> Effect:
    """Something everybody saw, but that would tell whose Moais stand where if it could be looked up."""
    return Effect(Note(code, facts), rule, memory=True)


def private(seat: int, rule: str, code: str, **facts: object) -> Effect:
    """Something that happened behind one screen."""
    return Effect(Note(code, facts), rule, seats=(seat,))
