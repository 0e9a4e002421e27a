"""The pages of an export: those that its list names, and nothing in them but text and the pictures of this file.

What they tell is not checked: the pages are written from the log by the program that exports, and nobody can say
whether they are without that program's own code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, Final

from companion.verifier.archive import KNOWN, PAGE, Archive
from companion.verifier.report import Report

FIRST: Final = "index.html"
LIST: Final = "export.json"
TAGS: Final = frozenset({  #: what pages are made of
    "a", "article", "body", "br", "circle", "code", "dd", "details", "div", "dl", "dt", "em", "figcaption", "figure",
    "g", "h1", "h2", "h3", "head", "html", "img", "li", "meta", "nav", "ol", "p", "polygon", "pre", "span", "strong",
    "style", "summary", "svg", "table", "td", "text", "th", "title", "tr", "ul",
})  # fmt: skip
ATTRIBUTES: Final = frozenset({  #: … and say of it
    "alt", "aria-label", "charset", "class", "content", "cx", "cy", "font-size", "href", "id", "lang", "loading",
    "name", "points", "r", "role", "src", "viewbox", "x", "y",
})  # fmt: skip


def check_pages(archive: Archive, about: Mapping[str, Any], report: Report) -> None:
    """Hold all files but the pictures against the list, and look for what a page must not hold."""
    listed = about["files"]
    here = {name for name in archive.names() if name in KNOWN - {LIST} or PAGE.fullmatch(name)}
    for name in sorted(here - set(listed)):
        report.wrong("file", f"{name} is not on the list of files in {LIST}: somebody added it.", file=name)
    for name in sorted({*listed, FIRST} - here):
        report.wrong("file", f"{name} is missing from the zip: somebody took it out.", file=name)
    for name in sorted(here):
        data = archive.read(name)
        if name in listed and hashlib.sha256(data).hexdigest() != listed[name]:
            report.wrong("file", f"{name} is not the one on the list of files in {LIST}: it was changed.", file=name)
        if PAGE.fullmatch(name):
            for what in _Reader(data.decode("utf-8", "replace"), archive.names()).strange:
                report.wrong("file", f"{name} holds what no page of an export does: {what}.", file=name)
    contents = hashlib.sha256(archive.read(LIST)).hexdigest()
    report.facts["contents"] = contents
    report.notes.append(
        "What the pages tell is not proved; the entries, the record and the pictures are. The pages are those on this "
        f"file's own list of files, whose hash is {contents}: compare it with what companion export told."
    )


class _Reader(HTMLParser):
    """Reads a page; `strange` is what could run, load or lead elsewhere."""

    def __init__(self, text: str, files: frozenset[str]) -> None:
        super().__init__()
        self.strange: list[str] = []
        self._files = files
        self._style = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"
        if tag not in TAGS:
            self.strange.append(f"<{tag}>")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.strange.append(f"<{tag} {name}>")
            elif name in ("href", "src") and not (value or "").startswith("#") and value not in self._files:
                self.strange.append(f"a link to {value}, which is not in this file")

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        if self._style and any(what in data.lower() for what in ("url", "import", "\\")):
            self.strange.append("a style that loads something")
