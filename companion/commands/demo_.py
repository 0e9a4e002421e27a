"""`companion demo`: a whole table on one laptop."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click

GAMES = ("fiji", "rapa-nui", "maori", "giants")


@click.command()
@click.argument("game", type=click.Choice(GAMES), default="fiji")
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="How many sit at the table.")
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed plays the same game.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Where the pages are.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")  # noqa: S104  # phones join
@click.option("--speed", type=click.FloatRange(0.25, 16), default=1.0, show_default=True, help="Faster than real.")
@click.option("--headless", is_flag=True, help="No pages, no waiting: play, then report.")
@click.option("--games", type=click.IntRange(1, 1000), default=1, show_default=True, help="With --headless: how many.")
@click.option("--json", "as_json", is_flag=True, help="With --headless: the report as JSON.")
def command(
    game: str, players: int, seed: int, port: int, host: str, speed: float, headless: bool, games: int, as_json: bool
) -> None:
    """A whole table on one laptop: bots play, a simulated camera looks on, the real pipeline follows.

    Open http://localhost:8000/demo to see camera, board and phones side by side, and to take over a seat.

    \b
    Example: companion demo fiji --headless --games 3 --seed 7 --json
    """
    from companion.games.game import game as named

    seats = named(game).seats
    if players not in seats:
        raise click.BadParameter(f"{game} is for {seats.start} to {seats.stop - 1}", param_hint="--players")
    if headless:
        from companion.demo.stage import headless as play

        with tempfile.TemporaryDirectory() as folder:
            report = play(game, games, seed, players, Path(folder))
        click.echo(json.dumps(report) if as_json else _told(report))
        sys.exit(0 if report["silent_differences"] == 0 and report["states_read"] == report["states_true"] else 1)
    from companion.demo.live import run

    run(game, players, seed, host, port, speed)


def _told(report: dict[str, object]) -> str:
    return "\n".join(f"{name.replace('_', ' '):20} {value}" for name, value in report.items())
