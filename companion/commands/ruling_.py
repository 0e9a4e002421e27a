"""`companion ruling`: is an action legal after a record, and which rule says so?"""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from companion.games.game import Data, Malformed
from companion.games.record import BadLine, dump_line, last, lines_of, parse
from companion.games.rulebook import LANGUAGES


@click.command()
@click.argument("record", type=click.File("rb"))
@click.argument("action")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the answer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on a terminal, too.")
def command(record: BinaryIO, action: str, lang: str, as_json: bool) -> None:
    """Ask whether ACTION (JSON, as a line of a record) is legal after RECORD (a file, or - for standard input).

    Nothing is changed. On a terminal the answer comes in words; into a pipe or file, or with --json, as JSON.
    The exit status is 1 when the answer is no: the action is illegal, or something cannot be read.

    \b
    Example:
      companion ruling evening.jsonl '{"by": 0, "do": "bid", "beads": {"green": 5}}' --lang de
    """
    answer = ask(record, action, lang)
    if as_json or not sys.stdout.isatty():
        click.echo(dump_line(answer))
    else:
        click.echo(words(answer, lang))
    sys.exit(0 if answer.get("legal") else 1)


def ask(record: BinaryIO, action: str, lang: str) -> Data:
    """The ruling as data, or the error of the record or the action."""
    try:
        step = last(lines_of(record))
        ruling = step.game.verify(step.state, step.game.read(step.state, parse(action)))
    except BadLine as error:
        return error.data()
    except Malformed as error:
        return BadLine(None, str(error)).data()
    return step.game.rulebook.ruling(ruling, step.header.players, lang)


def words(answer: Data, lang: str) -> str:
    """The answer for people."""
    if "error" in answer:
        where = "The action" if answer["line"] is None else f"Line {answer['line']} of the record"
        return f"{where} is {answer['error']}: {answer['message']}\nWhat to do: correct it and ask again."
    yes, no, note = {"en": ("Yes", "No", "Note"), "de": ("Ja", "Nein", "Anmerkung"), "nl": ("Ja", "Nee", "Opmerking")}[
        lang
    ]
    source = answer["source"]
    lines = [
        f"{yes if answer['legal'] else no}. {answer['because']}",
        f"{answer['rule']} ({source['book']}, {source['heading']}): {answer['says']}",
    ]
    return "\n".join(lines + ([f"{note}: {answer['note']}"] if "note" in answer else []))
