"""A finished game followed entry by entry, by its rules: what was sealed, what was played, what was taken back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.verifier.archive import canonical
from companion.verifier.chain import Line
from companion.verifier.report import Report
from companion.verifier.rules import Rules

SALT: Final = re.compile(r"[0-9a-f]{64}")
SEATING: Final = frozenset({"open", "sit", "stand", "begin"})  #: what matters of the games before


@dataclass(slots=True)
class Fold:
    """Takes the entries in order; what is wrong goes into the report. Entries of kinds it does not know change nothing.

    `secrets`: what sealed entries hold, by number. Decisions that were sealed and then sealed anew are not told: no
    commitment to them was ever made public.
    """

    rules: Rules
    secrets: Mapping[int, Mapping[str, Any]]
    about: Mapping[str, Any]
    report: Report
    seats: dict[int, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    state: Any = None
    played: list[tuple[Any, dict[str, Any], bool]] = field(default_factory=list)
    """Of each action that stands: the state before, the action, and whether it was sealed and opened with others."""

    seals: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    opened: dict[int, Mapping[str, Any]] = field(default_factory=dict)  #: what must be played at once
    closed: bool = False
    moments: set[str] = field(default_factory=set)
    proposed: Mapping[str, Any] | None = None  #: what somebody says to have happened instead
    due: Mapping[str, Any] | None = None  #: what was decided to have happened, and must be played at once

    def run(self, lines: Iterable[Line]) -> None:
        sealed, last = set(), 0
        for line in lines:
            if line.seq < self.about["begun_at"] and line.kind not in SEATING:
                continue
            if line.fields and line.fields["sealed"]:
                sealed.add(line.seq)
            if line.kind != "act":
                self._check_played(line.seq)
            take = getattr(self, f"_take_{line.kind}", None)
            if take is not None:
                take(line)
            last = line.seq
        self._check_played(last)
        for seq in self.secrets.keys() - sealed:
            self._wrong("sealed", "a secret is told of an entry that has none.", seq)
        if self.opened:
            self.report.wrong("sealed", f"What seats {sorted(self.opened)} had sealed was opened and never played.")

    def header(self) -> dict[str, Any]:
        players = [self.seats[seat] for seat in sorted(self.seats)]
        return {"record": 1, "game": self.rules.name, "players": players, "options": dict(self.options)}

    def actions(self) -> list[dict[str, Any]]:
        return [action for _, action, _ in self.played]

    # --- who sits where --------------------------------------------------------------------------------------------

    def _take_open(self, line: Line) -> None:
        self.options = line.body["options"]
        if line.body["game"] != self.rules.name:
            self._wrong("rules", f"the table plays {line.body['game']}, not {self.rules.name}.", line.seq)

    def _take_sit(self, line: Line) -> None:
        self.seats[line.body["seat"]] = line.body["name"]

    def _take_stand(self, line: Line) -> None:
        del self.seats[line.body["seat"]]

    def _take_begin(self, line: Line) -> None:
        """Those who sit are counted anew from 0."""
        self.seats = {new: self.seats[old] for new, old in enumerate(sorted(self.seats))}
        if line.seq == self.about["begun_at"]:
            self.state = self.rules.start(len(self.seats), self.options)

    # --- what was sealed -------------------------------------------------------------------------------------------

    def _take_seal(self, line: Line) -> None:
        if line.seq in self.secrets:
            seal = self.secrets[line.seq]
            self.seals[seal["seat"]] = seal

    def _take_closed(self, line: Line) -> None:
        """All commitments are public now: each must be that of what was sealed."""
        self.closed = True
        seats = sorted(self.seals)
        moments = {seal["moment"] for seal in self.seals.values()}
        if len(moments) != 1 or moments & self.moments:
            self._wrong("sealed", "what was sealed is not of one moment that comes only once.", line.seq)
        self.moments |= moments
        public = line.body["commitments"]
        if len(public) != len(seats):
            self._wrong("sealed", f"{len(public)} seats had committed themselves; {len(seats)} are told.", line.seq)
        for seat, shown in zip(seats, public, strict=False):
            seal = self.seals[seat]
            if not shown == seal["commitment"] == self._commitment(seal):
                self._wrong("sealed", f"what seat {seat} sealed is not what it had committed to.", line.seq)

    def _take_opening(self, line: Line) -> None:
        if not self.closed:
            self._wrong("sealed", "decisions were opened before all commitments were public.", line.seq)
        self.opened, self.seals, self.closed = self.seals, {}, False

    def _commitment(self, seal: Mapping[str, Any]) -> str:
        who = (str(seal["seat"]), str(seal["attempt"]))
        said = (self.about["table"], self.rules.name, seal["moment"], *who, canonical(seal["args"]))
        return _hash("companion-bid-v1", *said, _salt(seal))

    # --- what was played -------------------------------------------------------------------------------------------

    def _take_act(self, line: Line) -> None:
        action = line.body.get("action") or self._secret_action(line)
        if action is None:
            return
        try:
            meant = self.rules.read(self.state, action)
            if line.body["cause"] == "opening":
                self._check_opened(line, meant)
            self._check_decided(line, meant)
            after, _ = self.rules.apply(self.state, meant)
        except ValueError as error:
            self._wrong("rules", f"the rules do not allow this action ({error}).", line.seq)
            return
        self.played.append((self.state, meant.data(), line.body["cause"] == "opening"))
        self.state = after

    def _secret_action(self, line: Line) -> Mapping[str, Any] | None:
        secret = self.secrets.get(line.seq)
        if secret is None:
            self._wrong("sealed", "its action is not told, though the game is over.", line.seq)
            return None
        action: Mapping[str, Any] = secret["action"]
        bound = _hash("companion-act-v1", self.about["table"], canonical(action), _salt(secret))
        if bound != line.body["binding"]:
            self._wrong("sealed", "the action told is not the one that the entry is bound to.", line.seq)
        return action

    def _check_opened(self, line: Line, meant: Any) -> None:
        seal = self.opened.pop(meant.by, None)
        if seal is None or meant != self.rules.read(self.state, {**seal["args"], "by": meant.by, "do": seal["do"]}):
            self._wrong("sealed", "what was played is not what this seat had sealed.", line.seq)

    def _check_decided(self, line: Line, meant: Any) -> None:
        """After a vote that something else happened just that is played."""
        due, self.due = self.due, None
        if due is not None and meant != self.rules.read(self.state, due):
            self._wrong("votes", "what is played is not what was voted for.", line.seq)

    def _check_played(self, seq: int) -> None:
        if self.due is not None:
            self._wrong("votes", "what was voted for is not played.", seq)
            self.due = None

    def _take_propose(self, line: Line) -> None:
        """What somebody said to have happened; a secret one is held to what the log bound."""
        hidden = line.fields is not None and line.fields["sealed"]
        self.proposed = self._secret_action(line) if hidden else line.body["action"]

    def _take_rewind(self, line: Line) -> None:
        to = line.body["to"]
        if line.body.get("by") is not None:
            if not line.body["seen"] and self._came_to_light(to):
                self._wrong("votes", "it says that nothing had come to light since, and cards or bids had.", line.seq)
            self.due, self.proposed = self.proposed, None
        self.state = self.played[to][0]
        del self.played[to:]
        self.seals, self.opened, self.closed = {}, {}, False

    def _came_to_light(self, to: int) -> bool:
        """Whether the table laid something or bids were opened since, but for what was misread and is put right."""
        taken = self.played[to:]
        misread = self.proposed is not None and self.proposed["by"] == taken[0][1]["by"] == "table"
        return any(action["by"] == "table" or opened for _, action, opened in taken[misread:])

    def _wrong(self, check: str, what: str, seq: int) -> None:
        self.report.wrong(check, f"Entry {seq}: {what}", seq)


def _salt(secret: Mapping[str, Any]) -> bytes:
    """The salt; an empty one, with which nothing agrees, where it is not spelled as an export spells it."""
    text = str(secret["salt"])
    return bytes.fromhex(text) if SALT.fullmatch(text) else b""


def _hash(*parts: str | bytes) -> str:
    """SHA-256 of the parts, each after its length in bytes (4 bytes, big-endian)."""
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in raw)).hexdigest()
