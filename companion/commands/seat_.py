"""`companion seat`: a new way back to a seat whose phone is lost."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import click

from companion.commands.serve_ import data_folder

NOT_NOW_S: Final = 3600.0  #: what all have sealed opens while the table is served, not while a link is made


@click.command()
@click.argument("name")
@click.option("--data", type=click.Path(path_type=Path), default=data_folder, help="Folder of the log and its key.")
@click.option("--table", default="table", show_default=True, help="The table's name.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where the table listens.")  # noqa: S104  # as serve
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
def command(name: str, data: Path, table: str, host: str, port: int) -> None:
    """Make a new way back to the seat of the player called NAME; what opened it until now does so no more.

    Stop the table, run this with its --data, --table, --host and --port, and start it again: the game stands where it
    stood. Whoever has the link has the seat, so nobody else should see it.

    \b
    Example: companion seat Marcel
    """
    from companion.log import LogError

    path = data / "companion.db"
    if not path.exists():
        raise click.ClickException(f"{path} is not there. Say by --data where companion serve keeps its tables.")
    try:
        token = _new_token(path, table, name)
    except (OSError, ValueError, LogError) as error:
        raise click.ClickException(str(error)) from error
    _tell(name, host, port, token)


def _new_token(path: Path, name: str, player: str) -> str:
    """The new token of this player's seat at the table of this name; raises ValueError, LogError."""
    from companion.log import Log
    from companion.table import Table

    with Log(path, name) as log:
        game = next((entry.body["game"] for entry in log.entries() if entry.kind == "open"), None)
        if game is None:
            raise ValueError(f"{path} has no table called {name}. Say by --table what it was called.")
        table = Table(log, game, closed_s=NOT_NOW_S)
        try:
            sitting = {who.name: seat for seat, who in sorted(table.evening.seats.items())}
            if player not in sitting:
                raise ValueError(f"Nobody called {player} sits there, but: {', '.join(sitting) or 'nobody'}.")
            return table.new_token(sitting[player])
        finally:
            table.close()


def _tell(name: str, host: str, port: int, token: str) -> None:
    """The link, and a code for phones that is dark where the terminal is."""
    import segno

    from companion.network import address

    link = f"http://{address(host)}:{port}/back#{token}"
    code = io.StringIO()
    segno.make(link, error="m", micro=False).terminal(code, compact=True)
    click.echo(
        f"Start the table again. Then this opens the seat of {name}, and nothing else does:\n\n{code.getvalue()}"
    )
    click.echo(link)
