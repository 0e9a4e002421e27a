"""What a check found: what is wrong, where, what to do, and what could not be checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

MOST: Final = 20  #: problems told; one change can spoil all that follows
ASK: Final = "Ask for the file once more, made anew from the table's own database."


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in which entry of the log or file of the zip, and what to do about it."""

    check: str  #: "file", "chain", "head", "sealed", "rules", "votes", "record", "result" or "pictures"
    message: str
    entry: int | None = None
    file: str | None = None

    def data(self) -> dict[str, Any]:
        return {"check": self.check, "entry": self.entry, "file": self.file, "message": self.message}


@dataclass(slots=True)
class Report:
    """What was found; `ok` when nothing is wrong."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  #: what could not be checked though nothing is wrong with it
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def complete(self) -> bool:
        """Whether nothing is wrong and nothing is missing either: a whole game, every picture that its log names."""
        whole = self.facts.get("finished") and self.facts.get("entry") is None
        return self.ok and bool(whole) and not self.facts.get("absent")

    def wrong(self, check: str, what: str, entry: int | None = None, file: str | None = None, do: str = ASK) -> None:
        """Note a problem, and what to do about it."""
        if len(self.problems) < MOST:
            self.problems.append(Problem(check, f"{what} {do}", entry, file))

    def data(self) -> dict[str, Any]:
        problems = [problem.data() for problem in self.problems]
        return {"ok": self.ok, "complete": self.complete, **self.facts, "problems": problems, "notes": self.notes}
