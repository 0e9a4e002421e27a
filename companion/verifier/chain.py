"""The chain of an export: every entry against its own hash, the one before it, and the head that somebody noted."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.verifier.archive import Archive, Damaged
from companion.verifier.report import ASK, Report

HASHED: Final = ("table", "seq", "at", "kind", "body", "sealed", "previous")
FIRST: Final = "0" * 64  #: what entry 1 continues
HASH: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry; `fields` is None where the export withholds all but its hash."""

    seq: int
    hash: str
    fields: Mapping[str, Any] | None

    @property
    def kind(self) -> str:
        return str(self.fields["kind"]) if self.fields else ""

    @property
    def body(self) -> Any:
        return json.loads(self.fields["body"]) if self.fields else {}


def digest(fields: Mapping[str, Any]) -> str:
    """The hash of an entry: SHA-256 of nine texts, each after its length in bytes (8 bytes, big-endian)."""
    texts = ("companion-log-1", *(str(fields[name]) for name in HASHED), "")
    return hashlib.sha256(b"".join(len(t.encode()).to_bytes(8, "big") + t.encode() for t in texts)).hexdigest()


def read_chain(archive: Archive, report: Report) -> list[Line]:
    """All entries that can be read; what is wrong with any is reported. Raises Damaged when there is none."""
    lines: list[Line] = []
    previous = FIRST
    for number, row in enumerate(archive.rows("chain.jsonl"), start=1):
        line = _line(row, number)
        if line is None:
            report.wrong("chain", f"Entry {number} is not as an export writes it: its line was changed.", number)
            previous = str(row.get("hash")) if row else ""
            continue
        _check(line, previous, report)
        previous = line.hash
        lines.append(line)
    if not lines:
        raise Damaged("chain.jsonl holds no entry.")
    withheld = sum(line.fields is None for line in lines)
    report.facts |= {"entries": len(lines), "withheld": withheld}
    if withheld:
        report.notes.append(f"{withheld} of {len(lines)} entries are withheld; of them only the hashes were checked.")
    return lines


def check_head(about: Mapping[str, Any], lines: Sequence[Line], noted: str | None, report: Report) -> None:
    """The chain ends where the file says, is of one table, and holds what somebody noted."""
    report.facts |= {name: about[name] for name in ("table", "game", "number", "finished", "head")}
    if about["head"] != lines[-1].hash:
        report.wrong("head", "The chain does not end with the head that the file names: entries were cut off or added.")
    for line in lines:
        if line.fields and line.fields["table"] != about["table"]:
            report.wrong("chain", f"Entry {line.seq} is of another table.", line.seq)
    begun = [line.seq for line in lines if line.kind == "begin"]
    if about["begun_at"] not in begun or begun.index(about["begun_at"]) + 1 != about["number"]:
        report.wrong("chain", f"Entry {about['begun_at']} does not begin game {about['number']} of this table.")
    if noted is None:
        report.notes.append("No noted head was given (--head), so a log made up as a whole would not be noticed.")
    elif not any(line.hash.startswith(noted.lower()) for line in lines):
        what = f"No entry has the noted hash {noted}: this is not the log that stood on the board, or it ends before."
        report.wrong("head", what, do=f"{ASK} If that says the same, believe what was noted.")


def _line(row: Mapping[str, Any] | None, number: int) -> Line | None:
    if (
        row is None
        or type(row.get("seq")) is not int
        or row["seq"] != number
        or not HASH.fullmatch(str(row.get("hash")))
    ):
        return None
    if set(row) == {"seq", "hash"}:
        return Line(number, row["hash"], None)
    if set(row) != {*HASHED, "hash"} or any(not isinstance(row[name], str) for name in row if name != "seq"):
        return None
    try:
        digest(row)  # half characters have no bytes
        body = json.loads(row["body"])
    except (ValueError, RecursionError):
        return None
    return Line(number, row["hash"], row) if isinstance(body, dict) else None


def _check(line: Line, previous: str, report: Report) -> None:
    if line.fields is None:
        return
    if digest(line.fields) != line.hash:
        report.wrong("chain", f"Entry {line.seq} ({line.kind}) was changed: its hash says otherwise.", line.seq)
    elif line.fields["previous"] != previous:
        what = (
            f"Entry {line.seq} ({line.kind}) does not continue the one before it: one was changed, cut out or put in."
        )
        report.wrong("chain", what, line.seq)
