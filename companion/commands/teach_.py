"""`companion teach`: learn a copy's components from photos."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.commands.recognise_ import size_option


@click.command()
@click.argument("game")
@click.option(
    "--sheets",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="teach.json: which photo beside it shows which components.",
)
@click.option(
    "--deck",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write the deck to (made if need be).",
)
@click.option(
    "--extend",
    is_flag=True,
    help="Add to the deck in the folder, or tell its attributes; components of the same name are replaced.",
)
@size_option
@click.option("--json", "as_json", is_flag=True, help="Print what was learned as JSON.")
def command(game: str, sheets: Path, deck: Path, extend: bool, side: float, as_json: bool) -> None:
    """Learn what the components of a copy of GAME look like.

    \b
    SHEETS is a JSON file beside its photos:
      {"game": "fiji",
       "sheets": [{"photo": "sheet-00.jpg", "columns": 4, "size_mm": [91, 59],
                   "components": ["condition-most-green", ...]}],
       "faces": [{"photo": "moai.png", "component": "moai", "size_mm": [59, 91]}],
       "attributes": {"goal-red": {"colour": "red", "upright": "most", "turned": "fewest"}}}
    A sheet shows components laid apart and upright in rows on a table with at least two markers; they are named in
    reading order. A face is a straight picture, edge to edge. The deck's folder gets a contact-sheet.png of all that
    was learned; if a sheet is refused, refused.png there shows what was seen on it.
    """
    import cv2

    from calibration.teach import Plan, Refused, contact_sheet, teach, twins
    from companion.eyes import check
    from companion.games.game import Malformed
    from vision.deck import Deck, NoDeck
    from vision.picture import Unreadable

    try:
        plan = Plan.read(sheets)
        if plan.game != game:
            raise Refused(f"{sheets}: is for {plan.game}, not for {game}")
        if not (extend or plan.sheets or plan.pictures or plan.beads):
            raise Refused(
                f'{sheets}: names neither "sheets", "faces" nor "beads": nothing to learn from; --extend adds to a deck'
            )
        for name, says in plan.attributes.items():
            try:
                check(game, {name: says})
            except Malformed as error:
                raise Refused(f"{sheets}, line {_line(sheets, name)}: {error}") from error
        learned = teach(plan, sheets.parent, Deck.load(deck) if extend else None, side)
    except (Refused, Unreadable, NoDeck) as error:
        click.echo(f"Error: {error}", err=True)
        shown = error.picture if isinstance(error, Refused) else None
        if shown is not None:
            deck.mkdir(parents=True, exist_ok=True)
            _write(deck / "refused.png", cv2.imencode(".png", shown)[1].tobytes())
            click.echo(f"What was seen: {deck / 'refused.png'}", err=True)
        sys.exit(1)
    learned.save(deck)
    (deck / "refused.png").unlink(missing_ok=True)
    if learned.faces or learned.pieces:
        _write(deck / "contact-sheet.png", cv2.imencode(".png", contact_sheet(learned))[1].tobytes())
    alike = twins(learned)
    for one, other in alike:
        click.echo(f"Note: {one} and {other} look almost alike; a bad photo may not tell them apart.", err=True)
    if as_json:
        names = {
            "faces": [f.name for f in learned.faces],
            "pieces": [p.name for p in learned.pieces],
            "twins": [list(pair) for pair in alike],
        }
        click.echo(json.dumps({"game": learned.game, "deck": str(deck), **names}, ensure_ascii=False))
    else:
        counts = ((len(learned.pieces), "pieces"), (len(learned.beads), "colours of beads"))
        more = "".join(f" and {count} {what}" for count, what in counts if count)
        click.echo(f"Learned {len(learned.faces)} faces{more} of {learned.game}: {deck}")


def _line(sheets: Path, component: str) -> int:
    """The line on which the attributes of this component begin."""
    text = sheets.read_text("utf-8")
    at = max(0, text.find(json.dumps(component, ensure_ascii=component.isascii()), text.find('"attributes"')))
    return text.count("\n", 0, at) + 1


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
