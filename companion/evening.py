"""An evening at one table: the fold of its log. Nothing here decides or writes; it only takes entries in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.game import TABLE, Action, Effect, Game, game
from companion.seal import Seal

Pictures = Mapping[str, Any]  # hashes of evidence, see companion.shots
RECENT = 6  # actions told again in a game without secret decisions


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where: the name, and the SHA-256 of the token that proves it."""

    name: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Played:
    """One action as it was played, with the state before it and what it did."""

    action: Action
    before: Any
    effects: tuple[Effect, ...]
    cause: str  # "camera", "phone", "opening", "answer"
    pictures: Pictures | None = None  # the newest settled table when it was played, if not kept before
    settled: Pictures | None = None  # the table when it agreed with the rules again


@dataclass(slots=True)
class Evening:
    """The fold: who sits, what is sealed, what was played, what the state is."""

    game: Game[Any, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    games: int = 0  # begun so far, this one counted
    begun: bool = False
    state: Any = None
    played: list[Played] = field(default_factory=list)
    seals: dict[int, Seal] = field(default_factory=dict)
    closed: bool = False  # all have sealed: the commitments stand open, and nobody can change anything
    openings: tuple[Seal, ...] = ()
    rewinds: int = 0
    opened_at: int = 0  # how many actions had been played when the newest secret decisions opened
    head: str = ""  # of the chain, at the newest entry that everybody may know of

    def take(self, kind: str, body: Mapping[str, Any], secret: Mapping[str, Any] | None, head: str) -> None:
        """Fold one entry of the log in."""
        getattr(self, f"_take_{kind}")(body, secret)
        if kind != "seal":
            self.head = head

    def _take_open(self, body: Mapping[str, Any], _: object) -> None:
        self.game = game(body["game"])
        self.options = body["options"]

    def _take_sit(self, body: Mapping[str, Any], _: object) -> None:
        self.seats[body["seat"]] = Seat(body["name"], body["token_hash"])

    def _take_stand(self, body: Mapping[str, Any], _: object) -> None:
        del self.seats[body["seat"]]

    def _take_token(self, body: Mapping[str, Any], _: object) -> None:
        self.seats[body["seat"]] = Seat(self.seats[body["seat"]].name, body["token_hash"])

    def _take_begin(self, body: Mapping[str, Any], _: object) -> None:
        """Those who sit are counted anew from 0, so that no seat of the game is empty."""
        assert self.game is not None
        self.seats = {new: self.seats[old] for new, old in enumerate(sorted(self.seats))}
        self.begun = True
        self.games += 1
        self.state = self.game.start(len(self.seats), self.options)

    def _take_seal(self, body: Mapping[str, Any], secret: Mapping[str, Any] | None) -> None:
        assert secret is not None
        seal = Seal.read(secret)
        if not self.seals:
            self.openings = ()
        self.seals[seal.seat] = seal

    def _take_closed(self, _: object, __: object) -> None:
        self.closed = True

    def _take_opening(self, body: Mapping[str, Any], _: object) -> None:
        assert self.game is not None
        sealed = (self.seals[seat] for seat in sorted(self.seals))
        self.openings = tuple(seal for seal in sealed if seal.do in self.game.revealed)
        self.seals, self.closed = {}, False
        self.opened_at = len(self.played)

    def _take_act(self, body: Mapping[str, Any], secret: Mapping[str, Any] | None) -> None:
        assert self.game is not None
        action = self.game.read(self.state, secret["action"] if secret else body["action"])
        before = self.state
        self.state, effects = self.game.apply(before, action)
        self.played.append(Played(action, before, effects, body["cause"], body.get("pictures")))

    def _take_seen(self, body: Mapping[str, Any], _: object) -> None:
        """The table lies as the rules have it after the newest action."""
        self.played[-1] = replace(self.played[-1], settled=body["pictures"])

    def _take_rewind(self, body: Mapping[str, Any], _: object) -> None:
        """Back to before the `to`-th action; what was played since stays in the log."""
        self.state = self.played[body["to"]].before
        del self.played[body["to"] :]
        self.seals, self.openings, self.closed = {}, (), False
        self.opened_at = min(self.opened_at, len(self.played))
        self.rewinds += 1

    def _take_again(self, _: object, __: object) -> None:
        """Another game at the same table; moments stay unique because it counts like a rewind."""
        self.begun, self.state = False, None
        self.played.clear()
        self.seals, self.openings, self.closed, self.opened_at = {}, (), False, 0
        self.rewinds += 1

    @property
    def players(self) -> list[str]:
        return [self.seats[seat].name for seat in sorted(self.seats)]

    @property
    def over(self) -> bool:
        return self.begun and self.game is not None and self.game.over(self.state)

    def secret_deed(self) -> str | None:
        """The deed all seats in turn must seal now, or None."""
        if not self.begun or self.over:
            return None
        assert self.game is not None
        due = self.game.due(self.state)
        return due if due in self.game.secret else None

    def moment(self) -> str | None:
        """The name of the present secret decision; it never comes again, not even after a rewind."""
        deed = self.secret_deed()
        return f"{self.rewinds}.{len(self.played)}.{deed}" if deed else None

    def to_seal(self) -> tuple[int, ...]:
        """Seats that have to seal at this moment, sealed or not."""
        if self.game is None or self.secret_deed() is None:
            return ()
        return tuple(seat for seat in self.game.to_act(self.state) if isinstance(seat, int))

    def table_due(self) -> bool:
        return self.begun and self.game is not None and self.game.to_act(self.state) == (TABLE,)

    def chapter(self) -> list[Played]:
        """What is told again on the pages: all since the last opening, or the newest few actions.

        No more than that: what lay open in earlier exchanges is for memory.
        """
        assert self.game is not None
        return self.played[self.opened_at :] if self.game.secret else self.played[-RECENT:]
