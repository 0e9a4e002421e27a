"""What people took back: each rewind is one that enough of them were for, as the log itself has their votes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.verifier.chain import Line
from companion.verifier.report import Report


@dataclass(slots=True)
class Proposal:
    """Somebody says that the action of this number did not happen like that; who is for going back, by seat."""

    by: int
    number: int
    votes: dict[int, bool]
    instead: bool = False  #: whether something else is said to have happened; that may turn out not to be allowed


@dataclass(slots=True)
class Votes:
    """Takes the entries in order. More than half of the seats must be for a rewind; all of them, where the log says
    that something has come to light since. Rewinds that answer a question of the camera are nobody's to vote on.
    """

    begun_at: int
    report: Report
    seats: set[int] = field(default_factory=set)
    played: list[tuple[int, int | None]] = field(default_factory=list)  #: number, and where its opening began, if any
    acts: int = 0
    opened_at: int = 0
    proposal: Proposal | None = None
    hidden: bool = False  #: whether entries of this game are withheld: then numbers and proposals may be unknown
    answers: int = 0  #: rewinds that answered a question

    def run(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.hidden |= line.fields is None and line.seq > self.begun_at
            take = getattr(self, f"_take_{line.kind}", None)
            if take is not None and (line.seq >= self.begun_at or line.kind in ("sit", "stand", "begin")):
                take(line)
        if self.answers:
            times = f"{self.answers} times" if self.answers > 1 else "Once"
            self.report.notes.append(
                f"{times} an action was taken back by an answer to the camera's question; there is no vote on that."
            )

    def _take_sit(self, line: Line) -> None:
        self.seats.add(line.body["seat"])

    def _take_stand(self, line: Line) -> None:
        self.seats.discard(line.body["seat"])

    def _take_begin(self, line: Line) -> None:
        self.seats = set(range(len(self.seats)))

    def _take_opening(self, line: Line) -> None:
        self.opened_at = len(self.played)

    def _take_act(self, line: Line) -> None:
        self.played.append((self.acts, self.opened_at if line.body["cause"] == "opening" else None))
        self.acts += 1

    def _take_propose(self, line: Line) -> None:
        by, number = line.body["by"], line.body["number"]
        if self.proposal is not None and not self.hidden:
            self._wrong(line, "something is proposed while another proposal is open.")
        if self._back_to(number) is None and not self.hidden:
            self._wrong(line, "what is proposed is about no action that stands.")
        self.proposal = Proposal(by, number, {by: True}, line.body.get("action", True) is not None)

    def _take_vote(self, line: Line) -> None:
        if self.proposal is None and self.hidden:
            self.proposal = Proposal(-1, -1, {}, True)  # its own entry is withheld
        if self.proposal is None or line.body["by"] not in self.seats:
            self._wrong(line, "a vote on nothing, or by nobody at the table.")
        else:
            self.proposal.votes[line.body["by"]] = line.body["rewind"] is True

    def _take_keep(self, line: Line) -> None:
        if self.proposal is None:
            if not self.hidden:
                self._wrong(line, "a proposal is closed, and none was open.")
        elif not (line.body["withdrawn"] or self.proposal.instead) and all(self.proposal.votes.values()):
            self._wrong(line, "a proposal is voted down that nobody was against.")
        self.proposal = None

    def _take_rewind(self, line: Line) -> None:
        to, by = line.body["to"], line.body.get("by")
        if by is None:
            self.answers += 1
        else:
            self._check(line, to, by)
        del self.played[to:]
        self.opened_at = min(self.opened_at, len(self.played))
        if by is not None or (self.proposal is not None and self._back_to(self.proposal.number) is None):
            self.proposal = None

    def _check(self, line: Line, to: int, by: int) -> None:
        found = self.proposal or (Proposal(by, -1, {}) if self.hidden else None)
        if found is None:
            self._wrong(line, f"seat {by} takes back what nobody had proposed to take back.")
            return
        agreed = {seat for seat, yes in found.votes.items() if yes} & self.seats
        if found.number < 0:  # its entry is withheld; who proposes is for it
            agreed.add(by)
        elif found.by != by or (not self.hidden and self._back_to(found.number) != to):
            self._wrong(line, "it takes back something else than was proposed.")
        needed = len(self.seats) if line.body["seen"] else len(self.seats) // 2 + 1
        if len(agreed) < needed:
            votes = f"{len(agreed)} of {len(self.seats)} seats were for it, and {needed} had to be"
            self._wrong(line, f"actions were taken back without enough votes: {votes}.")

    def _back_to(self, number: int) -> int | None:
        """Where a rewind goes that takes back the action of this number; None when it does not stand."""
        for at, (own, first) in enumerate(self.played):
            if own == number:
                return at if first is None else first
        return None

    def _wrong(self, line: Line, what: str) -> None:
        self.report.wrong("votes", f"Entry {line.seq}: {what}", line.seq)
