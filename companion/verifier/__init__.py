"""Checks an exported game without any of the code that wrote it: the standard library and the rules of the game.

What is proved: that each entry of `chain.jsonl` carries its own hash and that of the one before; that what was sealed
opens to what was committed to; that the rules allow every action, that people voted for what they took back, and that
the record is what the log says; that it comes to the result told; that every picture is the one the log names.

What is not: the pages (`index*.html`) are held against the list of files in `export.json`, and that list is the word
of whoever made the file; its hash is reported, to be compared with what `companion export` printed. Why a picture is
not there is such a word, too, and so is the whole log without a head that somebody noted.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from companion.verifier.archive import UNREADABLE, Archive, Damaged, canonical
from companion.verifier.chain import Line, check_head, read_chain
from companion.verifier.fold import Fold
from companion.verifier.pages import check_pages
from companion.verifier.pictures import check_pictures
from companion.verifier.record import FILE, compare, read_record
from companion.verifier.report import ASK, Problem, Report
from companion.verifier.rules import Rules, rules_of
from companion.verifier.votes import Votes

__all__ = ["Problem", "Report", "verify"]

FORMAT = 2
ABOUT = {
    "export": int, "table": str, "number": int, "game": str, "finished": bool, "begun_at": int, "head": str,
    "absent": dict, "files": dict,
}  # fmt: skip
RESULT = frozenset({"scores", "ranking"})  #: what is said of a finished game besides


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
            check_pages(archive, about, report)
    except Damaged as error:
        report.wrong("file", str(error))
    except UNREADABLE as error:
        report.wrong("file", f"This is no whole zip file ({error}).")
    return report


def _about(archive: Archive) -> dict[str, Any]:
    rows = list(archive.rows("export.json"))
    about = rows[0] if len(rows) == 1 else None
    if about is not None and about.get("export") not in (None, FORMAT):
        raise Damaged("This export has another form than this program checks. Export it anew with this version.")
    if about is None or any(type(about.get(name)) is not kind for name, kind in ABOUT.items()):
        raise Damaged("export.json does not say which game this is.")
    if type(about.get("entry", "")) not in (int, type(None)):
        raise Damaged("export.json does not say what is told of the game.")
    strange = about.keys() - ABOUT.keys() - {"entry"} - (RESULT if about["finished"] else set())
    if strange:
        raise Damaged(f"export.json says what no export does: {', '.join(sorted(strange))}.")
    return about


def _check_game(archive: Archive, about: Mapping[str, Any], lines: Sequence[Line], report: Report) -> None:
    """What was sealed, what was played, what was taken back, and what came of it."""
    rules = rules_of(about["game"])
    record = read_record(archive)
    report.facts["entry"] = about["entry"]
    try:
        Votes(about["begun_at"], report).run(lines)
        if about["finished"]:
            _check_whole(archive, about, lines, record, rules, report)
        else:
            _check_open(about, lines, record, rules, report)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        if isinstance(error, Damaged):
            raise
        report.wrong("rules", f"The log cannot be followed: {error!r}.")
    if about["entry"] is not None:
        report.notes.append(f"Only what surrounds entry {about['entry']} is told on the pages.")


def _check_whole(
    archive: Archive,
    about: Mapping[str, Any],
    lines: Sequence[Line],
    record: Sequence[Mapping[str, Any]],
    rules: Rules,
    report: Report,
) -> None:
    """A finished game: the record is what the log makes, and so is the result."""
    hidden = [line.seq for line in lines if line.fields is None]
    if hidden:
        report.wrong("chain", f"The game is over, and still entry {hidden[0]} is withheld.", hidden[0])
        return
    fold = Fold(rules, archive.secrets(), about, report)
    fold.run(lines)
    compare(record, [fold.header(), *fold.actions()], report)
    scores = [score.data() for score in rules.scores(fold.state)]
    ranking = [list(place) for place in rules.ranking(fold.state)]
    report.facts |= {"scores": scores, "ranking": ranking}
    if rules.to_act(fold.state):
        report.wrong("result", "The log does not reach the game's end, though the file says that it is over.")
    elif canonical([scores, ranking]) != canonical([about.get("scores"), about.get("ranking")]):
        do = f"The right one is: {scores}. {ASK}"
        report.wrong("result", "The log comes to another result than the file says.", file="export.json", do=do)


def _check_open(
    about: Mapping[str, Any],
    lines: Sequence[Line],
    record: Sequence[Mapping[str, Any]],
    rules: Rules,
    report: Report,
) -> None:
    """A running game's record goes as far as all may know: its actions are open ones, in the order of the log."""
    report.notes.append("The game was still going on: its record goes only as far as all may know.")
    fold = Fold(rules, {}, about, report)
    fold.run([line for line in lines if line.kind in ("open", "sit", "stand", "begin")])
    later = [line for line in lines if line.seq > about["begun_at"] and line.kind == "act"]
    acts = iter([canonical(line.body.get("action")) for line in later])
    played = [action for action in record[1:] if any(canonical(action) == logged for logged in acts)]
    compare(record, [fold.header(), *played], report)
    state = fold.state
    for number, action in enumerate(played, start=2):
        try:
            state, _ = rules.apply(state, rules.read(state, action))
        except ValueError as error:
            report.wrong("rules", f"The rules do not allow line {number} of {FILE} ({error}).", file=FILE)
            return
