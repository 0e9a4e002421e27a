"""What is known of the lens of a table's camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calibration import lens
from vision.observe import LensFor
from vision.plane import Lens


def lens_for(calibration: Path | None, say: Callable[[str], None]) -> LensFor | None:
    """The lens kept in a table's calibration folder, for photos of any size; None when none is kept there.

    Photos of another shape than it was calibrated for come from another camera, or from a part of its picture: their
    lens is estimated from the markers, which is said once. Raises calibration.toml.Unreadable.
    """
    if calibration is None or not (calibration / lens.FILE).exists():
        return None
    kept = lens.load(calibration)
    said: set[tuple[int, int]] = set()

    def known(size: tuple[int, int]) -> Lens | None:
        try:
            return kept.lens(size)
        except lens.NoLens as error:
            if size not in said:
                said.add(size)
                say(f"{error}. It is estimated from the markers; calibrate it with photos of this camera.")
            return None

    return known
