"""The pages of an export: those that its list names, and nothing in them but text and the pictures of this file.

What they tell is not checked: the pages are written from the log by the program that exports, and nobody can say
whether they are without that program's own code. But how they are written is known to the letter. No page is read as a
browser would read it, for browsers and their parsers differ: it begins as all pages do, goes on with what they are made
of, spelled as they spell it, and where anything else stands it is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Set
from typing import Any, Final

from companion.verifier.archive import KNOWN, PAGE, PICTURE, Archive
from companion.verifier.report import Report

FIRST: Final = "index.html"
LIST: Final = "export.json"
STYLE: Final = "18652a3058808160381679ecc0ca39bade3329691c0600955629b4f30ff65ff9"  #: SHA-256 of the style of all pages
HEAD: Final = re.compile(  #: how a page begins
    r'<!doctype html>\n<html lang="[a-z]{2}">\n<head>\n<meta charset="utf-8">\n'
    r'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    r"<title>[^<]*</title>\n<style>(?P<style>[^<]*)</style>\n</head>\n"
)
WORDS: Final = r'[^"<>]*'
NUMBERS: Final = r"[-0-9., e]+"
MARK: Final = r'(?: class="unsure")?><title>[^<]*</title>'
PIECE: Final = re.compile(  #: what goes on after that
    "|".join((
        r"[^<]+",
        r"</?(?:body|code|dd|details|dl|em|figure|h1|h2|h3|html|li|nav|p|pre|strong|summary|table|td|th|tr|ul)>",
        r"</(?:a|article|circle|div|dt|figcaption|g|ol|polygon|span|svg|text)>",
        r'<(?:details|div|figcaption|ol|p|span) class="[a-z]+">',
        r'<article id="e[0-9]+"(?: class="rewound")?>',
        rf'<a(?: class="rule")? href="(?P<link>{WORDS})"(?: lang="[a-z]{{2}}")?>',
        rf'<dt id="{WORDS}">',
        rf'<img src="(?P<picture>{WORDS})" alt="{WORDS}" loading="lazy">',
        rf'<svg viewBox="{NUMBERS}" role="img" aria-label="{WORDS}">',
        rf'<polygon points="{NUMBERS}"{MARK}',
        rf'<circle cx="{NUMBERS}" cy="{NUMBERS}" r="{NUMBERS}"{MARK}',
        rf'<g font-size="{NUMBERS}">',
        rf'<text x="{NUMBERS}" y="{NUMBERS}">',
    ))
)  # fmt: skip
QUOTED: Final = 40  #: characters of what is strange


def check_pages(archive: Archive, about: Mapping[str, Any], report: Report) -> None:
    """Hold all files but the pictures against the list, and look for what a page must not hold."""
    listed = about["files"]
    here = {name for name in archive.names() if name in KNOWN - {LIST} or PAGE.fullmatch(name)}
    for name in sorted(here - set(listed)):
        report.wrong("file", f"{name} is not on the list of files in {LIST}: somebody added it.", file=name)
    for name in sorted({*listed, FIRST} - here):
        report.wrong("file", f"{name} is missing from the zip: somebody took it out.", file=name)
    for name in sorted(here & set(listed)):
        data = archive.read(name)
        if hashlib.sha256(data).hexdigest() != listed[name]:
            report.wrong("file", f"{name} is not the one on the list of files in {LIST}: it was changed.", file=name)
        what = _strange(data, archive.names()) if PAGE.fullmatch(name) else None
        if what is not None:
            report.wrong("file", f"{name} holds what no page of an export does: {what}.", file=name)
    contents = hashlib.sha256(archive.read(LIST)).hexdigest()
    report.facts["contents"] = contents
    report.notes.append(
        "What the pages tell is not proved; the entries, the record and the pictures are. The pages are those on this "
        f"file's own list of files, whose hash is {contents}: compare it with what companion export told."
    )


def _strange(data: bytes, files: Set[str]) -> str | None:
    """The first thing in a page that no export writes, for it could run, load or lead elsewhere; None without any."""
    try:
        page = data.decode()
    except UnicodeDecodeError:
        return "bytes that are no UTF-8"
    head = HEAD.match(page)
    if head is None or hashlib.sha256(head["style"].encode()).hexdigest() != STYLE:
        return "another beginning or another style"
    at = head.end()
    while at < len(page):
        piece = PIECE.match(page, at)
        if piece is None:
            return f"{page[at : at + QUOTED]!r}"
        if not _within(piece["link"], files, PAGE) or not _within(piece["picture"], files, PICTURE):
            return f"a link to {piece['link'] or piece['picture']}, which is not in this file"
        at = piece.end()
    return None


def _within(where: str | None, files: Set[str], kind: re.Pattern[str]) -> bool:
    """Whether a link stays in the file: on the page itself, or at something of this kind that is there."""
    if where is None or (kind is PAGE and where.startswith("#")):
        return True
    return where in files and kind.fullmatch(where) is not None
