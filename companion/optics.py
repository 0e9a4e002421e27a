"""What is known of a table's camera: the files of its calibration, and the lens that they tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration import layout, lens, light
from vision.plane import MARKER_MM, Lens

if TYPE_CHECKING:
    from vision.observe import LensFor

FILES: Final = (lens.FILE, light.FILE, layout.FILE)


def kept(calibration: Path | None) -> Mapping[str, str]:
    """The texts of a calibration folder's files by their names, those that are there. Raises OSError, ValueError."""
    if calibration is None:
        return {}
    return {name: (calibration / name).read_text("utf-8") for name in FILES if (calibration / name).exists()}


def marker_mm(calibration: Path | None) -> float:
    """The side of the table's markers that its calibration keeps. Raises calibration.toml.Unreadable."""
    return MARKER_MM if calibration is None else layout.marker_mm(calibration)


def lens_for(calibration: Path | None, say: Callable[[str], None]) -> LensFor | None:
    """The lens kept in a table's calibration folder, for photos of any size; None when none is kept there.

    Photos of another shape than it was calibrated for come from another camera, or from a part of its picture: their
    lens is estimated from the markers, which is said once. Raises calibration.toml.Unreadable.
    """
    if calibration is None or not (calibration / lens.FILE).exists():
        return None
    calibrated = lens.load(calibration)
    said: set[tuple[int, int]] = set()

    def known(size: tuple[int, int]) -> Lens | None:
        try:
            return calibrated.lens(size)
        except lens.NoLens as error:
            if size not in said:
                said.add(size)
                say(f"{error}. It is estimated from the markers; calibrate it with photos of this camera.")
            return None

    return known
