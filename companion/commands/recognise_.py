"""`companion recognise`: what lies where on a photo."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.observation import Observation
    from vision.picture import Image


size_option = click.option(
    "--marker-size",
    "side",
    type=click.FloatRange(15, 120),
    default=40.0,
    show_default=True,
    help="Side of a table marker's black square on the photos, mm.",
)


@click.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PHOTO…")
@click.option(
    "--deck", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the taught deck."
)
@click.option("--game", help="The game on the table, if it is not the deck's own.")
@click.option("--annotate", type=click.Path(dir_okay=False, path_type=Path), help="Draw what was recognised, as PNG.")
@size_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a photo, in order.")
def command(
    photos: tuple[Path, ...], deck: Path, game: str | None, annotate: Path | None, side: float, as_json: bool
) -> None:
    """Say which components, beads and pieces lie where on each PHOTO.

    What cannot be told is listed as unsure, with what it may be. The exit status is 1 when nothing can be said about
    a photo. With --annotate and several photos, the pictures' names get the photos' names added, and numbers where
    these are the same.
    """
    from companion.eyes import observer
    from vision import picture
    from vision.deck import NoDeck
    from vision.observation import Observation

    try:
        look = observer(deck, game, without_markers=True, marker_mm=side)
    except NoDeck as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
    good = True
    for photo, out in zip(photos, _drawn(photos, annotate), strict=True):
        image = None
        try:
            image = picture.read(photo)
            seen = look.observe(image)
        except picture.Unreadable as error:
            seen = Observation((0, 0), ok=False, warnings=(str(error),))
        good = good and seen.ok
        say(json.dumps(seen.data(str(photo)), ensure_ascii=False) if as_json else told(str(photo), seen))
        if out is not None and image is not None:
            good = draw(image, seen, out) and good
    sys.exit(0 if good else 1)


def _drawn(photos: Sequence[Path], annotate: Path | None) -> list[Path | None]:
    """The file that each photo is drawn into, no two the same."""
    if annotate is None or len(photos) == 1:
        return [annotate] * len(photos)
    outs: list[Path | None] = []
    for photo in photos:
        numbers = ("", *(f"-{n}" for n in range(2, len(photos) + 1)))
        names = (annotate.with_name(f"{annotate.stem}-{photo.stem}{number}.png") for number in numbers)
        outs.append(next(name for name in names if name not in outs))
    return outs


def draw(image: Image, seen: Observation, out: Path) -> bool:
    """Write the photo with the observation drawn in as PNG; whether it could be written, which is said if not."""
    import cv2

    from vision.annotate import annotate

    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(cv2.imencode(".png", annotate(image, seen))[1].tobytes())
    except OSError as error:
        click.echo(f"Error: {error.filename or out} cannot be written: {error.strerror or error}", err=True)
        return False
    return True


def say(text: str) -> None:
    """Print a result; a file's name that is no Unicode is made some."""
    click.echo(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def told(photo: str, seen: Observation) -> str:
    """The observation in words."""
    lines = [photo]
    for c in sorted(seen.components, key=lambda c: c.component):
        lines.append(f"  {c.component}{_at(c.centre)}, turned {round(c.angle) % 360}°")
    colours = [b.colour for b in seen.beads]
    lines += [f"  {colours.count(name)} {name} beads" for name in sorted(set(colours))]
    for p in seen.pieces:
        what = " ".join(str(part) for part in (p.colour, p.piece, p.value) if part is not None)
        lines.append(f"  {what}{_at(p.centre)}")
    for d in seen.unsure:
        names = " or ".join(name for name, _ in d.candidates[:3]) or "something"
        lines.append(f"  unsure: {names}{_at(d.centre)} ({d.why})")
    lines += [f"  warning: {text}" for text in seen.warnings]
    return "\n".join(lines)


def _at(centre: tuple[float, float] | None) -> str:
    return "" if centre is None else f" at {centre[0]:.0f}, {centre[1]:.0f} mm"
