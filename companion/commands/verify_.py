"""`companion verify`: is this exported game what was written down while it was played?"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

LEAST_DIGITS = 8  #: of a noted head: fewer could be met by chance


def _head(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(rf"[0-9a-fA-F]{{{LEAST_DIGITS},64}}", value):
        raise click.BadParameter(f"a head is hexadecimal; give at least its first {LEAST_DIGITS} digits.")
    return value


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--head", callback=_head, help="A hash noted from the board during the game (its first digits will do).")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(file: Path, head: str | None, as_json: bool) -> None:
    """Check FILE, made by `companion export`.

    Every entry against its hash, what was sealed against its commitment, the pictures against the log, the actions
    against the rules, what was taken back against the votes, and the result. The exit status is 1 when something is
    wrong; it says which entry and what to do. "Right as far as it goes" are files that lack something, as that of a
    dispute or of a running game does; notes say what is missing and what cannot be proved.

    \b
    Example: companion verify evening.zip --head 5f2a90c1
    """
    from companion.verifier import verify

    report = verify(file, head)
    if as_json:
        click.echo(json.dumps(report.data()))
    else:
        _tell(report.data())
    sys.exit(0 if report.ok else 1)


def _tell(found: dict[str, Any]) -> None:
    for problem in found["problems"]:
        click.echo(f"WRONG ({problem['check']}): {problem['message']}")
    for note in found["notes"]:
        click.echo(f"Note: {note}")
    if found["ok"]:
        pictures = f"{found['pictures']} pictures"
        if found["pictures"] != found["pictures_named"]:
            pictures = f"{found['pictures']} of the {found['pictures_named']} pictures that its log names"
        click.echo(
            f"{'Right' if found['complete'] else 'Right as far as it goes'}: {found['entries']} entries of table "
            f"{found['table']}, {found['game']}, game {found['number']}, with {pictures}. Head: {found['head']}"
        )
        if "scores" in found:
            points = ", ".join(f"seat {score['seat'] + 1}: {score['total']}" for score in found["scores"])
            click.echo(f"The game is over. {points}.")
