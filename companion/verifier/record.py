"""The record in an export: a header and the actions, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from companion.verifier.archive import Archive, Damaged, canonical
from companion.verifier.report import Report

FILE = "record.jsonl"


def read_record(archive: Archive) -> list[dict[str, Any]]:
    """The lines of the record, the header first; raises Damaged."""
    lines = archive.read(FILE).splitlines()
    if not lines:
        raise Damaged(f"{FILE} is empty.")
    return [_line(number, raw) for number, raw in enumerate(lines, start=1)]


def compare(record: Sequence[Mapping[str, Any]], logged: Sequence[Mapping[str, Any]], report: Report) -> None:
    """Hold the record against the one that the log makes."""
    for number, (said, true) in enumerate(zip(record, logged, strict=False), start=1):
        if canonical(said) != canonical(true):
            report.wrong("record", f"Line {number} of {FILE} is not what the log says.", file=FILE)
            return
    if len(record) != len(logged):
        lines = f"{FILE} has {len(record)} lines, and the log makes {len(logged)}."
        report.wrong("record", lines, file=FILE)


def _line(number: int, raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw.decode(), object_pairs_hook=_once, parse_float=_none, parse_constant=_none)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"Line {number} of {FILE} cannot be read.") from error
    if not isinstance(found, dict):
        raise Damaged(f"Line {number} of {FILE} is no JSON object.")
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _none(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")
