"""`companion score`: recognise a photo, then count what the rules say lies there."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from companion.commands.recognise_ import draw, say, size_option


@click.command()
@click.argument("game")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option(
    "--deck", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the taught deck."
)
@click.option("--annotate", type=click.Path(dir_okay=False, path_type=Path), help="Draw what was recognised, as PNG.")
@size_option
@click.option("--json", "as_json", is_flag=True, help="Print the count as one JSON object.")
def command(game: str, photo: Path, deck: Path, annotate: Path | None, side: float, as_json: bool) -> None:
    """Read PHOTO of a table of GAME and count what the rules say about it.

    The count is an object with "game", "photo", "ok", "unsure" (what could not be told) and "warnings"; and, for

    \b
    fiji   "rows"   top to bottom: {"condition", "effect"} (null where not seen), and where bids lie
                    "values" (what each bid is worth) and "winner" (index of the bid, null when all cancel)
           "goals"  the most important first: {"colour", "wins": "most" or "fewest"}
           "supply" {"green": 5, ...};  "bids" [{"beads": {...}, "centre_mm": [x, y]}] around the table

    \b
    rapa-nui "columns"  of the display, left to right, the front card last; "front" the front cards
             "tableaus" around the table: {"cards" by kind, "earns": {"wood", "fame", "wood_or_fame", "offerings"}
                        if that kind were scored now, "moai_points", "centre_mm"}

    \b
    maori    "display" 4 rows of 4 names;  "boards" [{"tiles", "fields" (names by row), "palms", "wreaths", "boats",
             "empty", "removed", "total" (palms + 10 a wreath - empty), "total_between", "most_boats", "centre_mm"}]

    What cannot be told from the photo is null. The exit status is 1 when nothing can be counted.
    """
    from companion.eyes import observer
    from companion.watcher import seen as as_seen
    from vision import picture
    from vision.deck import NoDeck

    counting = _counting(game)
    answer: dict[str, Any] = {"game": game, "photo": str(photo), "ok": False}
    try:
        look = observer(deck, game, marker_mm=side)
        image = picture.read(photo)
    except (NoDeck, picture.Unreadable) as error:
        _refuse({**answer, "unsure": [], "warnings": [str(error)]}, as_json)
    if look.deck.game != game:
        _refuse({**answer, "unsure": [], "warnings": [f"{deck} is a deck of {look.deck.game}, not {game}"]}, as_json)
    observation = look.observe(image)
    if observation.ok:
        counted = counting.count(as_seen(observation, look.deck))
        counted["warnings"] = [*observation.warnings, *counted["warnings"]]
        answer = {**answer, "ok": True, **counted}
        say(json.dumps(answer, ensure_ascii=False) if as_json else "\n".join(counting.told(answer)))
        for text in () if as_json else answer["warnings"]:
            click.echo(f"Warning: {text}", err=True)
    else:
        _complain({**answer, "unsure": [], "warnings": list(observation.warnings)}, as_json)
    drawn = annotate is None or draw(image, observation, annotate)
    sys.exit(0 if observation.ok and drawn else 1)


def _counting(game: str) -> Any:
    """The module that counts this game's table."""
    try:
        return importlib.import_module(f"companion.games.{game.replace('-', '_')}.counting")
    except ModuleNotFoundError:
        raise click.BadParameter(
            f"nothing can be counted for {game!r}; only for fiji, rapa-nui, maori", param_hint="GAME"
        ) from None


def _refuse(answer: dict[str, Any], as_json: bool) -> NoReturn:
    """Say why nothing can be counted, and end with 1."""
    _complain(answer, as_json)
    sys.exit(1)


def _complain(answer: dict[str, Any], as_json: bool) -> None:
    """Say why nothing can be counted."""
    from companion.commands.recognise_ import say

    if as_json:
        say(json.dumps(answer, ensure_ascii=False))
    for text in answer["warnings"]:
        click.echo(f"Error: {text}", err=True)
