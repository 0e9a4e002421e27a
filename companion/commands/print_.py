"""`companion print`: sheets as PDF, true to scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from calibration.printables import Page


paper_option = click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper in the printer."
)
side_option = click.option(
    "--size",
    "side",
    type=click.FloatRange(15, 120),
    default=40.0,
    show_default=True,
    help="Side of a marker's black square in mm; all table markers alike.",
)


def out_option(name: str) -> Callable[[Any], Any]:
    return click.option(
        "--out", type=click.Path(dir_okay=False, path_type=Path), default=name, show_default=True, help="The PDF."
    )


@click.group()
def command() -> None:
    """PDF of markers, seat and zone cards, lens chart and house decks.

    Print at 100 % ("actual size"), then measure the ruler at the foot of a page: it must be 100 mm long.

    \b
    Example:
      companion print markers --paper letter
      companion print deck fiji
    """


@command.command()
@click.option("--count", type=click.IntRange(2, 10), default=4, show_default=True, help="How many, from number 0.")
@side_option
@paper_option
@out_option("markers.pdf")
def markers(count: int, side: float, paper: str, out: Path) -> None:
    """Table markers: lay two or more anywhere flat on the table, four about the corners are best."""
    from calibration import printables

    _write(lambda: printables.markers(printables.PAPERS[paper], range(count), side), out)


@command.command()
@click.argument("names", nargs=-1)
@side_option
@paper_option
@out_option("seats.pdf")
def seats(names: tuple[str, ...], side: float, paper: str, out: Path) -> None:
    """Seat cards, numbered or with NAMES: they show the camera who sits where."""
    from calibration import printables

    _write(lambda: printables.seat_cards(printables.PAPERS[paper], names, side), out)


@command.command()
@click.argument("game")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="How many play.")
@side_option
@paper_option
@out_option("zones.pdf")
def zones(game: str, players: int, side: float, paper: str, out: Path) -> None:
    """Zone cards for GAME: each shows the camera where a zone of its layout is (companion calibrate layout)."""
    from calibration import printables
    from companion.commands.calibrate_ import card_order, default_zones

    names = [zone.name for zone in default_zones(game, players)]
    if not names:
        raise click.UsageError(f"{game} has no zones of its own")
    _write(lambda: printables.zone_cards(printables.PAPERS[paper], names, side, card_order(game)), out)


@command.command()
@paper_option
@out_option("chart.pdf")
def chart(paper: str, out: Path) -> None:
    """The lens chart (companion calibrate lens)."""
    from calibration import printables

    _write(lambda: printables.lens_chart(printables.PAPERS[paper]), out)


@command.command()
@click.argument("game")
@paper_option
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The PDF.  [default: GAME-deck.pdf]")
def deck(game: str, paper: str, out: Path | None) -> None:
    """The house deck of GAME, with marks to cut along."""
    from calibration import printables
    from companion import house

    try:
        faces = house.faces(game, printables.PX_PER_MM)
    except KeyError as e:
        raise click.UsageError(str(e.args[0])) from e
    title = f"Companion house deck: {game}"
    _write(lambda: printables.deck(printables.PAPERS[paper], faces, title), out or Path(f"{game}-deck.pdf"))


def _write(pages: Callable[[], Iterable[Page]], out: Path) -> None:
    from calibration import printables

    try:
        count = printables.write(pages(), out)
    except ValueError as e:
        raise click.UsageError(str(e)) from e
    except OSError as e:
        raise click.ClickException(f"{out} cannot be written: {e.strerror or e}") from e
    click.echo(f"{out}: {count} page{'s' if count > 1 else ''}. Print at 100 %; the ruler at the foot must be 100 mm.")
