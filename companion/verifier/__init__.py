"""Checks an exported game without any of the code that wrote it: only the standard library and the rules of the game.

What is checked: that each entry of `chain.jsonl` carries its own hash and that of the one before; that what was sealed
opens to what was committed to; that the rules allow every action and the record is what the log says; that it comes
to the result told; that every picture is the one the log names. The pages (`index*.html`) are for reading only.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from companion.games.game import Malformed, game
from companion.games.record import BadLine, last, parse
from companion.verifier.archive import Archive, Damaged
from companion.verifier.chain import Line, check_head, read_chain
from companion.verifier.fold import Fold
from companion.verifier.pictures import check_pictures
from companion.verifier.report import ASK, Problem, Report

__all__ = ["Problem", "Report", "verify"]

ABOUT = {
    "export": int, "table": str, "number": int, "game": str, "finished": bool, "begun_at": int, "head": str,
    "absent": dict,
}  # fmt: skip


def verify(path: Path | IO[bytes], head: str | None = None) -> Report:
    """Check the export in this file; `head`: the first digits of a hash that somebody noted from the board."""
    report = Report()
    try:
        with zipfile.ZipFile(path) as opened:
            archive = Archive(opened)
            archive.check_names(report)
            about = _about(archive)
            lines = read_chain(archive, report)
            check_head(about, lines, head, report)
            check_pictures(archive, about, lines, report)
            _check_game(archive, about, lines, report)
    except Damaged as error:
        report.wrong("file", str(error))
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        report.wrong("file", f"This is no whole zip file ({error}).")
    return report


def _about(archive: Archive) -> dict[str, Any]:
    rows = list(archive.rows("export.json"))
    about = rows[0] if len(rows) == 1 else None
    if about is None or any(type(about.get(name)) is not kind for name, kind in ABOUT.items()):
        raise Damaged("export.json does not say which game this is.")
    if about["export"] != 1:
        raise Damaged("This export has a form that this program does not know. Update Companion and verify again.")
    return about


def _check_game(archive: Archive, about: Mapping[str, Any], lines: Sequence[Line], report: Report) -> None:
    """What was sealed, what was played, and what came of it."""
    raw = archive.read("record.jsonl")
    try:
        answer = last(raw.splitlines(keepends=True)).answer()
    except BadLine as error:
        report.wrong("record", f"Line {error.line} of record.jsonl: {error.message}", file="record.jsonl")
        return
    record = [parse(line) for line in raw.splitlines()]
    try:
        logged = _followed(archive, about, lines, report) if about["finished"] else _open(about, lines, record, report)
    except (Malformed, KeyError, TypeError, IndexError, AttributeError) as error:
        report.wrong("rules", f"The log cannot be followed: {error!r}.")
        return
    if logged is not None:
        _compare(record, logged, report)
    if about["finished"]:
        _check_result(answer, about, report)


def _followed(
    archive: Archive, about: Mapping[str, Any], lines: Sequence[Line], report: Report
) -> list[Mapping[str, Any]] | None:
    """The record as the log of a finished game makes it; None when entries are missing."""
    hidden = [line.seq for line in lines if line.fields is None]
    if hidden:
        report.wrong("chain", f"The game is over, and still entry {hidden[0]} is withheld.", hidden[0])
        return None
    fold = Fold(game(about["game"]), archive.secrets(), about, report)
    fold.run(lines)
    return [fold.header(), *fold.actions()]


def _open(
    about: Mapping[str, Any], lines: Sequence[Line], record: Sequence[Mapping[str, Any]], report: Report
) -> list[Mapping[str, Any]]:
    """A running game's record goes as far as all may know: its actions are open ones, in the order of the log."""
    report.notes.append("The game was still going on: its record goes only as far as all may know.")
    acts = iter([line.body["action"] for line in lines if line.seq > about["begun_at"] and line.kind == "act"])
    return [record[0], *(action for action in record[1:] if any(action == logged for logged in acts))]


def _compare(record: Sequence[Mapping[str, Any]], logged: Sequence[Mapping[str, Any]], report: Report) -> None:
    for number, (said, true) in enumerate(zip(record, logged, strict=False), start=1):
        if said != true:
            report.wrong("record", f"Line {number} of record.jsonl is not what the log says.", file="record.jsonl")
            return
    if len(record) != len(logged):
        lines = f"record.jsonl has {len(record)} lines, and the log makes {len(logged)}."
        report.wrong("record", lines, file="record.jsonl")


def _check_result(answer: Mapping[str, Any], about: Mapping[str, Any], report: Report) -> None:
    report.facts |= {"scores": answer["scores"], "ranking": answer["ranking"]}
    if not answer["over"]:
        report.wrong("result", "The record does not reach the game's end, though the file says that it is over.")
    elif (answer["scores"], answer["ranking"]) != (about.get("scores"), about.get("ranking")):
        do = f"The right one is: {answer['scores']}. {ASK}"
        report.wrong("result", "The record comes to another result than the file says.", file="export.json", do=do)
