"""The pages' strings as they stand in the sources, for the catalogues: `python -m tests.web.catalogue` brings them up
to date (new strings come in untranslated, strings no longer used go) and compiles them."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

WEB = Path(__file__).resolve().parents[2] / "web"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2"), ("static/js/**.js", "javascript")]
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
OPTIONS = {"static/js/**.js": {"parse_template_string": "true"}}
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def extracted() -> Catalog:
    """Every string of the pages, with the files that hold it."""
    catalogue = Catalog(project="Companion")
    for file, _line, message, _comments, _context in extract_from_dir(WEB, METHODS, OPTIONS, KEYWORDS):
        catalogue.add(message, None, [(file, None)])
    return catalogue


def po(language: str) -> Path:
    return WEB / "translations" / language / "LC_MESSAGES" / "messages.po"


def translated(language: str) -> Catalog:
    with po(language).open("rb") as file:
        return read_po(file, locale=language)


def update(language: str) -> None:
    path = po(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = translated(language) if path.exists() else Catalog(locale=language)
    catalogue.update(extracted(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    save(language, catalogue)


def save(language: str, catalogue: Catalog) -> None:
    """Write the catalogue and its compiled form; no dates, so that the same strings give the same files."""
    body = io.BytesIO()
    write_po(body, catalogue, width=120, sort_by_file=True, include_lineno=False, omit_header=True)
    po(language).write_bytes(HEADER.format(language=language).encode() + body.getvalue())
    compiled = translated(language)
    compiled.creation_date = datetime(2000, 1, 1, tzinfo=UTC)
    with po(language).with_suffix(".mo").open("wb") as file:
        write_mo(file, compiled)


if __name__ == "__main__":
    for each in ("de", "nl"):
        update(each)
