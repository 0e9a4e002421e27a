"""The pictures of an export: each is the one that the log names, and where one is not here there is a reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.verifier.archive import Archive, Damaged
from companion.verifier.chain import Line
from companion.verifier.report import ASK, Report

BACKUP = "Look for it in a backup of that folder."
LEFT_OUT = "left out"
REASONS = {
    "deleted": "they were deleted to stay within the budget for pictures",
    LEFT_OUT: "they are no part of this file's account",
}


def check_pictures(archive: Archive, about: Mapping[str, Any], lines: Sequence[Line], report: Report) -> None:
    """Hold the pictures that are here against their names, and those that are not against the reasons given."""
    named: dict[str, int] = {}
    photos: set[str] = set()
    for line in lines:
        if line.seq > about["begun_at"]:
            found = list(_named(line))
            named |= dict.fromkeys((mark for mark, _ in found), line.seq)
            photos |= {mark for mark, photo in found if photo}
    here = archive.pictures()
    report.facts |= {"pictures": len(photos & set(here)), "pictures_named": len(photos)}
    for mark, name in here.items():
        if mark not in named:
            report.wrong("pictures", f"{name} is named by no entry: somebody added it.", file=name)
        elif hashlib.sha256(archive.read(name)).hexdigest() != mark:
            what = f"The picture {mark[:8]} of entry {named[mark]} was changed: its hash says otherwise."
            report.wrong("pictures", what, named[mark], name)
    absent = {mark: str(about["absent"].get(mark)) for mark in named if mark not in here}
    report.facts["absent"] = len(absent)
    due = _due(about, lines)
    for mark, reason in absent.items():
        if reason not in REASONS or (reason == LEFT_OUT and named[mark] in due):
            _absent(mark, named[mark], reason, report)
    for reason in REASONS:
        gone = [mark for mark, said in absent.items() if said == reason]
        if gone:
            count = sum(mark in photos for mark in gone)
            lists = f" and {len(gone) - count} lists of what was recognised" if count < len(gone) else ""
            missing = f"{count} pictures{lists} that the log names are not in this file"
            report.notes.append(f"{missing}. The reason it gives: {REASONS[reason]}.")


def _due(about: Mapping[str, Any], lines: Sequence[Line]) -> range:
    """The entries none of whose pictures may be left out: of a finished game all, of a dispute those of its action."""
    end = lines[-1].seq + 1
    if not about["finished"]:
        return range(0)
    if about["entry"] is None:
        return range(end)
    acts = [line.seq for line in lines if line.kind == "act"]
    return range(about["entry"], next((seq for seq in acts if seq > about["entry"]), end))


def _named(line: Line) -> Iterator[tuple[str, bool]]:
    """The hashes that an entry names, and whether each is of a picture (or of a list of marks); raises Damaged."""
    pictures = line.body.get("pictures") if line.kind in ("act", "seen") else None
    if not pictures:
        return
    try:
        photos, marks = [pictures["whole"], *(crop["jpeg"] for crop in pictures["crops"])], pictures["marks"]
    except (KeyError, TypeError) as error:
        raise Damaged(f"Entry {line.seq} does not say which pictures belong to it.") from error
    if not all(isinstance(name, str) for name in (*photos, marks)):
        raise Damaged(f"Entry {line.seq} does not say which pictures belong to it.")
    yield marks, False
    yield from ((photo, True) for photo in photos)


def _absent(mark: str, seq: int, reason: str, report: Report) -> None:
    picture = f"The picture {mark[:8]} of entry {seq}"
    if reason == "missing":
        report.wrong("pictures", f"{picture} was gone from the table's folder of evidence.", seq, do=BACKUP)
    elif reason == "changed":
        report.wrong("pictures", f"{picture} had been changed in the table's folder of evidence.", seq, do=BACKUP)
    else:
        report.wrong("pictures", f"{picture} is not in the file.", seq, do=ASK)
