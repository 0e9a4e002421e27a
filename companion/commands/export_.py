"""`companion export`: a game, or what surrounds a dispute, as one file."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.serve_ import data_folder


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), default=data_folder, help="Folder of the log and its key.")
@click.option("--table", default="table", show_default=True, help="The table's name.")
@click.option("--game", "number", type=click.IntRange(1), help="Which of the table's games; the newest if not said.")
@click.option("--entry", type=click.IntRange(1), help="Tell only what surrounds this entry of the log (a dispute).")
@click.option("--lang", type=click.Choice(["en", "de", "nl"]), default="en", show_default=True, help="Of index.html.")
def command(out: Path, data: Path, table: str, number: int | None, entry: int | None, lang: str) -> None:
    """Write a game to OUT, a zip: its story with pictures and rules for any browser, and all that checks it.

    A game that is over is told whole. Of a running game the file holds what a spectator may know at this moment.
    Check the file with: companion verify OUT

    \b
    Examples: companion export evening.zip
              companion export dispute.zip --entry 57 --lang de
    """
    from companion.evidence import Evidence
    from companion.export import Album, account, write
    from companion.log import Log, LogError

    try:
        with Log(data / "companion.db", table, read_only=True) as log:
            game = account(log.entries(), number)
            album = Album(Evidence(data / "evidence"))
            contents = write(out, game, album, lang=lang, entry=entry)
    except (OSError, ValueError, LogError) as error:
        raise click.ClickException(str(error)) from error
    told = "the whole game" if game.finished else "what a spectator may know now"
    click.echo(f"{out}: {game.game.name} at table {table}, game {game.number}, {told}. Its head is {game.head}.")
    click.echo(f"Its list of files, pages included, has the hash {contents}.")
