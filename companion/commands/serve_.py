"""`companion serve`: the real thing."""

from __future__ import annotations

import os
from pathlib import Path

import click


def data_folder() -> Path:
    """Where a person's tables are kept (XDG base directories)."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"


@click.command()
@click.argument("game", default="fiji")
@click.option(
    "--deck", type=click.Path(path_type=Path), help="The taught deck (companion teach); alone it reads phones' photos."
)
@click.option("--camera", help="usb:0, pi, video:FILE or folder:PATH; without one everything is entered on phones.")
@click.option(
    "--calibration", type=click.Path(path_type=Path), help="Folder of this table's lens, light, layout and marker size."
)
@click.option(
    "--evidence-gb", type=click.FloatRange(0), default=2.0, show_default=True, help="Room for pictures; 0: keep none."
)
@click.option("--record", type=click.Path(path_type=Path), help="New folder that takes in all that comes in: private.")
@click.option("--data", type=click.Path(path_type=Path), default=data_folder, help="Folder of the log and its key.")
@click.option("--table", default="table", show_default=True, help="The table's name: one game goes on under one name.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")  # noqa: S104  # phones join
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--lang", type=click.Choice(["en", "de", "nl"]), default="en", show_default=True, help="Of the board.")
@click.option("--panel", "panels", multiple=True, help="A scoreboard, e.g. png-file:board.png; may be repeated.")
@click.option("--lights", is_flag=True, help="LEDs on GPIO pins, one for each seat.")
def command(
    game: str,
    deck: Path | None,
    camera: str | None,
    calibration: Path | None,
    evidence_gb: float,
    record: Path | None,
    data: Path,
    table: str,
    host: str,
    port: int,
    lang: str,
    panels: tuple[str, ...],
    lights: bool,
) -> None:
    """Run a table: pages for phones, a camera if there is one, scoreboards and lights.

    What was played is kept: start it again under the same --table name and everybody is back in their seat.
    With --record a whole evening (frames, and what phones do, every bid with it) is kept to be replayed later.

    \b
    Examples: companion serve fiji
              companion serve fiji --deck my-fiji
              companion serve fiji --camera usb:0 --deck my-fiji --panel png-file:board.png
    """
    from companion.database import LogError
    from companion.serving import Setup, serve

    if camera is not None and deck is None:
        raise click.UsageError("--camera needs --deck: a camera must know what the cards look like.")
    try:
        setup = Setup(
            game, data, table, host, port, lang, deck, camera, panels, lights, calibration, evidence_gb, record
        )
        serve(setup, click.echo)
    except (LogError, OSError, ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
