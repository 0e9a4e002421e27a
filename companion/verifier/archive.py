"""The zip of an export, read by somebody who trusts nobody: no surprise names, no endless file, one spelling."""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from companion.verifier.report import Report

PAGE: Final = re.compile(r"index(\.[a-z]{2})?\.html")
PICTURE: Final = re.compile(r"pictures/([0-9a-f]{64})\.(jpg|json)")
KNOWN: Final = frozenset({"export.json", "chain.jsonl", "record.jsonl", "secrets.jsonl"})
LARGEST: Final = 256_000_000  #: bytes of one file, unpacked
PACKED: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
UNREADABLE: Final = (  #: what reading a zip may raise; a RuntimeError says that it is encrypted or of another version
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, OverflowError, ValueError,
)  # fmt: skip


class Damaged(ValueError):
    """Something that cannot be read at all."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An opened export."""

    zip: zipfile.ZipFile

    def check_names(self, report: Report) -> None:
        """Nothing is in it twice, and nothing that is no part of an export."""
        for name, count in Counter(self.zip.namelist()).items():
            if count > 1:
                report.wrong("file", f"{name} is in the zip {count} times; programs would differ about it.", file=name)
            if name not in KNOWN and not PAGE.fullmatch(name) and not PICTURE.fullmatch(name):
                report.wrong("file", f"{name} is no part of an export: somebody added it.", file=name)

    def names(self) -> frozenset[str]:
        """All files in the zip."""
        return frozenset(self.zip.namelist())

    def pictures(self) -> dict[str, str]:
        """The names of pictures and marks by their hashes."""
        return {match[1]: match[0] for match in map(PICTURE.fullmatch, self.zip.namelist()) if match}

    def read(self, name: str) -> bytes:
        """A file of the zip; raises Damaged when it is missing, too large or does not unpack."""
        try:
            info = self.zip.getinfo(name)
        except KeyError as error:
            raise Damaged(f"{name} is missing from the zip.") from error
        if info.compress_type not in PACKED:
            raise Damaged(f"{name} is packed as no export packs it.")
        try:
            with self.zip.open(info) as file:
                data = file.read(LARGEST + 1)
        except UNREADABLE as error:
            raise Damaged(f"{name} does not unpack: {error}.") from error
        if len(data) > LARGEST:
            raise Damaged(f"{name} is larger than that of any export.")
        return data

    def rows(self, name: str) -> Iterator[dict[str, Any] | None]:
        """Each line as its JSON object; None where it is not one, spelled the one way an export spells it."""
        *lines, rest = self.read(name).split(b"\n")
        yield from map(_row, lines)
        if rest:
            yield None

    def secrets(self) -> dict[int, dict[str, Any]]:
        """What was sealed, by the number of its entry, told once each and in their order; raises Damaged."""
        found: dict[int, dict[str, Any]] = {}
        last = 0
        for number, row in enumerate(self.rows("secrets.jsonl"), start=1):
            if row is None or set(row) != {"seq", "secret"} or not isinstance(row["secret"], dict):
                raise Damaged(f"Line {number} of secrets.jsonl is not as an export writes it.")
            if type(row["seq"]) is not int or row["seq"] <= last:
                raise Damaged(f"Line {number} of secrets.jsonl is not of a later entry than the line before it.")
            last = row["seq"]
            found[last] = row["secret"]
        return found


def canonical(data: object) -> str:
    """The one spelling of this data, by which it is compared: for Python 1, 1.0 and true are equal."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _row(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw)
        text = canonical(found)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and text.encode() == raw else None
