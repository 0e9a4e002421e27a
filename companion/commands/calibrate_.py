"""`companion calibrate`: lens, light and layout of a camera, kept in a folder of this table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from calibration.layout import Zone

folder_option = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default="table",
    show_default=True,
    help="Where this table's calibration is kept.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
photo_type = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def command() -> None:
    """Lens, light and layout of a camera. A table works without any of them, and better with each.

    \b
    Example:
      companion calibrate lens chart-*.jpg
      companion calibrate light --camera usb:0
      companion calibrate layout fiji table.jpg
    """


@command.command()
@click.argument("photos", nargs=-1, required=True, type=photo_type)
@click.option("--chart", help="Another chart than the house's, e.g. chessboard:10x7:25 (squares, mm).")
@folder_option
@json_option
def lens(photos: tuple[Path, ...], chart: str | None, folder: Path, as_json: bool) -> None:
    """Focal length and distortion from PHOTOS of the printed chart (companion print chart).

    Take about ten photos, with the chart in all parts of the picture and tilted to all sides.
    """
    from calibration import lens as lenses

    try:
        printed = lenses.Chart.parse(chart) if chart else lenses.Chart()
    except ValueError as e:
        raise click.BadParameter(str(e), param_hint="--chart") from e
    try:
        found = lenses.calibrate(((str(path), _photo(path)) for path in photos), printed)
    except lenses.NoLens as e:
        raise click.ClickException(str(e)) from e
    where = lenses.save(found, folder)
    if as_json:
        click.echo(json.dumps({"file": str(where), **found.data()}))
        return
    focal, (width, height) = found.matrix[0, 0], found.size_px
    click.echo(f"{len(found.photos)} photos of {width} × {height}: focal length {focal:.1f} px")
    click.echo(f"corners lie within {found.error_px:.2f} px of where this lens puts them; kept in {where}")
    for name, why in found.left_out.items():
        click.echo(f"left out: {name} {why}", err=True)
    _advise(found.advice)


@command.command()
@click.option("--camera", default="usb:0", show_default=True, help="usb:N or pi.")
@folder_option
@json_option
def light(camera: str, folder: Path, as_json: bool) -> None:
    """Let the camera find exposure, white balance and focus, then lock and keep them.

    Light the table as for playing, lay the game out, and keep hands away.
    """
    from calibration import light as lights
    from vision.camera import CameraError, PiCamera, UsbCamera, open_camera

    try:
        source = open_camera(camera)
    except CameraError as e:
        raise click.ClickException(str(e)) from e
    try:
        if not isinstance(source, UsbCamera | PiCamera):
            raise click.UsageError("only a real camera has light to lock: usb:N or pi")
        found = lights.lock(source)
    except (CameraError, lights.Unsteady) as e:
        raise click.ClickException(str(e)) from e
    finally:
        source.close()
    where = lights.save(found, folder)
    if as_json:
        click.echo(json.dumps({"file": str(where), **found.data()}))
        return
    for name, value in found.data()["settings"].items():
        click.echo(f"{name.replace('_', ' ')}: {value}")
    if found.refused:
        click.echo(f"this camera does not let itself be told: {', '.join(found.refused)}", err=True)
    _advise(found.advice)
    click.echo(f"kept in {where}")


@command.command()
@click.argument("game")
@click.argument("photo", required=False, type=photo_type)
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="How many play.")
@click.option("--zone", "given", multiple=True, metavar="NAME=X,Y,W,H", help="Put a zone there (mm); may be repeated.")
@click.option(
    "--size", "side", type=click.FloatRange(15, 120), help="Side of a marker's square, mm.  [default: as kept, or 40]"
)
@folder_option
@json_option
def layout(
    game: str, photo: Path | None, players: int, given: Sequence[str], side: float | None, folder: Path, as_json: bool
) -> None:
    """Where the zones of GAME lie: its default, moved to the zone cards on PHOTO, or as --zone says.

    The size of the markers is kept with them.
    """
    from calibration import layout as layouts

    zones = default_zones(game, players)
    named: tuple[str, ...] = ()
    try:
        size = layouts.marker_mm(folder) if side is None else side
        if photo is not None:
            zones, named = _by_cards(zones, card_order(game), photo, folder, size)
        zones = layouts.with_given(zones, [layouts.parse(text) for text in given])
    except ValueError as e:
        raise click.UsageError(str(e)) from e
    where = layouts.save(zones, folder, size)
    if as_json:
        click.echo(json.dumps({"file": str(where), "zones": [z.data() for z in zones], "by_card": list(named)}))
        return
    for zone in zones:
        turn = f", turned {zone.angle_deg:.0f}°" if zone.angle_deg else ""
        how = " (by its card)" if zone.name in named else ""
        click.echo(f"{zone.name:16} {zone.width:.0f} × {zone.height:.0f} mm at {zone.x:.0f}, {zone.y:.0f}{turn}{how}")
    click.echo(f"kept in {where}")


def default_zones(game: str, players: int) -> tuple[Zone, ...]:
    """A game's own layout; empty when it has none. Raises click's usage error for an unknown game."""
    from calibration.layout import Zone
    from companion.games.game import Malformed
    from companion.games.game import game as find

    try:
        playing = find(game)
    except Malformed as e:
        raise click.UsageError(str(e)) from e
    if players not in playing.seats:
        least, most = playing.seats[0], playing.seats[-1]
        raise click.UsageError(f"{game} is for {least} to {most} players, not {players}")
    try:
        tabletop = playing.tabletop
    except ModuleNotFoundError as e:
        if e.name != f"{playing.folder}.table":
            raise
        return ()  # a game for the eyes of people only
    return tuple(Zone(z.name, z.x, z.y, z.width, z.height) for z in tabletop.zones(players))


def card_order(game: str) -> list[str]:
    """The names of a game's zones by the numbers of their cards: as in its layout for the most players."""
    from companion.games.game import game as find

    return [zone.name for zone in default_zones(game, find(game).seats[-1])]


def _by_cards(
    zones: tuple[Zone, ...], order: Sequence[str], photo: Path, folder: Path, side: float
) -> tuple[tuple[Zone, ...], Any]:
    """The zones where their cards lie on a photo, and the names of those that have one."""
    import cv2
    import numpy as np

    from calibration import layout as layouts
    from calibration import lens as lenses
    from vision.plane import MarkerFinder, solve

    image = _photo(photo)
    size = (image.shape[1], image.shape[0])
    known = lenses.load(folder).lens(size) if (folder / lenses.FILE).exists() else None
    found = MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    plane, _ = solve(found, size, known, side)
    if plane is None:
        raise click.ClickException(f"{photo} shows fewer than two table markers (numbers 0 to 9)")
    moved, named = layouts.with_cards(zones, found, plane, side, order)
    if not named:
        raise click.ClickException(f"{photo} shows no zone card; print them with: companion print zones GAME")
    return moved, named


def _photo(path: Path) -> Any:
    import cv2

    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise click.ClickException(f"{path} is no photo that can be read")
    return image


def _advise(advice: Sequence[str]) -> None:
    for words in advice:
        click.echo(f"better still: {words}", err=True)
