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
    number: int = 0  # among all actions of this game, those taken back counted; never given twice
    at: str = ""  # when it was written, ISO 8601 in UTC
    first: int | None = None  # of a secret decision: the index at which its opening began
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Rewound:
    """The mark that a rewind leaves in the trail."""

    number: int  # of the first action that was taken back
    by: int | None  # who proposed it; None: the answer to a question of the camera
    seen: bool  # whether something had come to light since, which people now know
    at: str = ""
    shown: tuple[int, ...] = ()  # numbers of the actions that had brought it to light
    laid: bool = False  # whether the table had laid anything of it


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody says that an action did not happen like that; the others decide."""

    id: str  # never given twice
    by: int
    number: int  # of the action in question
    action: Action | None  # what happened instead; None: nothing did
    votes: Mapping[int, bool] = field(default_factory=dict)  # True: rewind


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
    due_at: int = 0  # … and when the present secret decision became due
    head: str = ""  # of the chain, at the newest entry that everybody may know of
    trail: list[Played | Rewound] = field(default_factory=list)  # all of this game, what was taken back included
    acts: int = 0  # played in this game, those taken back counted
    proposal: Proposal | None = None
    proposals: int = 0
    undone: tuple[Action, ...] = ()  # what a vote took back last, until something new is played
    at: str = ""  # when the newest entry was written

    def take(
        self, kind: str, body: Mapping[str, Any], secret: Mapping[str, Any] | None, head: str, at: str = ""
    ) -> None:
        """Fold one entry of the log in."""
        self.at = at
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
        before, due = self.state, self.secret_deed()
        self.state, effects = self.game.apply(before, action)
        cause = body["cause"]
        first = self.opened_at if cause == "opening" else None
        one = Played(action, before, effects, cause, body.get("pictures"), None, self.acts, self.at, first)
        self.played.append(one)
        self.trail.append(one)
        self.acts += 1
        if cause == "opening" or self.secret_deed() != due:  # else something that may be done at any time
            self.due_at = len(self.played)
        if cause != "answer":  # what is played instead of what was taken back is nothing new
            self.undone = ()

    def _take_seen(self, body: Mapping[str, Any], _: object) -> None:
        """The table lies as the rules have it after the newest action."""
        self.played[-1] = replace(self.played[-1], settled=body["pictures"])
        self._amend(self.played[-1])

    def _take_rewind(self, body: Mapping[str, Any], _: object) -> None:
        """Back to before the `to`-th action; what was played since stays in the log and in the trail."""
        back = self.played[body["to"] :]
        self.state = back[0].before
        self.undone = () if body.get("by") is None else tuple(one.action for one in back)
        del self.played[body["to"] :]
        for one in back:
            self._amend(replace(one, taken_back=True))
        seen = body.get("seen", False)
        shown = [one for one in back if seen and self.showed(one)]
        numbers, laid = tuple(one.number for one in shown), any(one.action.by == TABLE for one in shown)
        self.trail.append(Rewound(back[0].number, body.get("by"), seen, self.at, numbers, laid))
        self.seals, self.openings, self.closed = {}, (), False
        self.opened_at, self.due_at = min(self.opened_at, len(self.played)), len(self.played)
        self.rewinds += 1
        if self.proposal is not None and self.index(self.proposal.number) is None:
            self.proposal = None

    def _amend(self, one: Played) -> None:
        """Put a newer account of an action into the trail."""
        at = next(i for i, past in enumerate(self.trail) if isinstance(past, Played) and past.number == one.number)
        self.trail[at] = one

    def _take_propose(self, body: Mapping[str, Any], secret: Mapping[str, Any] | None) -> None:
        assert self.game is not None
        at = self.index(body["number"])
        assert at is not None
        data = secret["action"] if secret else body["action"]
        action = None if data is None else self.game.read(self.played[at].before, data)
        self.proposals += 1
        name = f"{self.games}.{self.proposals}"
        self.proposal = Proposal(name, body["by"], body["number"], action, {body["by"]: True})

    def _take_vote(self, body: Mapping[str, Any], _: object) -> None:
        assert self.proposal is not None
        self.proposal = replace(self.proposal, votes={**self.proposal.votes, body["by"]: body["rewind"]})

    def _take_keep(self, _: object, __: object) -> None:
        """The proposal was voted down or withdrawn: everything stays."""
        self.proposal = None

    def _take_again(self, _: object, __: object) -> None:
        """Another game at the same table; moments stay unique because it counts like a rewind."""
        self.begun, self.state, self.proposal, self.undone = False, None, None, ()
        self.played.clear()
        self.trail.clear()
        self.acts = 0
        self.seals, self.openings, self.closed, self.opened_at, self.due_at = {}, (), False, 0, 0
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
        return f"{self.rewinds}.{self.due_at}.{deed}" if deed else None

    def to_seal(self) -> tuple[int, ...]:
        """Seats that have to seal at this moment, sealed or not."""
        if self.game is None or self.secret_deed() is None:
            return ()
        return tuple(seat for seat in self.game.to_act(self.state) if isinstance(seat, int))

    def table_due(self) -> bool:
        return self.begun and self.game is not None and self.game.to_act(self.state) == (TABLE,)

    def index(self, number: int) -> int | None:
        """Where the action of this number stands among those that count; None when it was taken back."""
        return next((i for i, one in enumerate(self.played) if one.number == number), None)

    def showed(self, one: Played) -> bool:
        """Whether this action laid new things, opened sealed ones, or told what was hidden."""
        assert self.game is not None
        if one.action.by == TABLE or one.first is not None:
            return True
        codes = self.game.shows
        return any((e.memory or e.seats) if codes is None else e.note.code in codes for e in one.effects)

    def fresh(self, at: int) -> bool:
        """Whether what the action at this index showed for a moment may still be told."""
        assert self.game is not None
        if self.over:
            return True
        if self.game.retold:
            return at >= self.opened_at and not self.seals
        return at == len(self.played) - 1

    def chapter(self) -> list[Played]:
        """What is told again on the pages: all since the last opening, or the newest few actions.

        No more than that: what lay open in earlier exchanges is for memory.
        """
        assert self.game is not None
        return self.played[self.opened_at :] if self.game.secret else self.played[-RECENT:]
