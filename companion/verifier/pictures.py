"""The pictures of an export: each is the one that the log names, and where one is not here there is a reason."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.verifier.archive import Archive
from companion.verifier.chain import Line
from companion.verifier.report import ASK, Report

BACKUP = "Look for it in a backup of that folder."
REASONS = {
    "deleted": "were deleted to stay within the budget for pictures",
    "left out": "are no part of this file",
}


def check_pictures(archive: Archive, about: Mapping[str, Any], lines: Iterable[Line], report: Report) -> None:
    """Hold the pictures that are here against their names, and those that are not against the reasons given."""
    named = {mark: line.seq for line in lines if line.seq > about["begun_at"] for mark in _named(line)}
    here = archive.pictures()
    report.facts["pictures"] = sum(name.endswith(".jpg") for name in here.values())
    for mark, name in here.items():
        if mark not in named:
            report.wrong("pictures", f"{name} is named by no entry: somebody added it.", file=name)
        elif hashlib.sha256(archive.read(name)).hexdigest() != mark:
            what = f"The picture {mark[:8]} of entry {named[mark]} was changed: its hash says otherwise."
            report.wrong("pictures", what, named[mark], name)
    absent = {mark: str(about["absent"].get(mark)) for mark in named if mark not in here}
    for mark, reason in absent.items():
        if reason not in REASONS:
            _absent(mark, named[mark], reason, report)
    for reason, count in Counter(absent.values()).items():
        if reason in REASONS:
            report.notes.append(f"{count} pictures and lists of marks {REASONS[reason]}.")


def _named(line: Line) -> Iterator[str]:
    """The hashes of pictures that an entry names."""
    pictures = line.body.get("pictures") if line.kind in ("act", "seen") else None
    if pictures:
        yield from (pictures["whole"], pictures["marks"])
        yield from (crop["jpeg"] for crop in pictures["crops"])


def _absent(mark: str, seq: int, reason: str, report: Report) -> None:
    picture = f"The picture {mark[:8]} of entry {seq}"
    if reason == "missing":
        report.wrong("pictures", f"{picture} was gone from the table's folder of evidence.", seq, do=BACKUP)
    elif reason == "changed":
        report.wrong("pictures", f"{picture} had been changed in the table's folder of evidence.", seq, do=BACKUP)
    else:
        report.wrong("pictures", f"{picture} is not in the file.", seq, do=ASK)
