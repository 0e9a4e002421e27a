"""The pieces of the demonstration, taught as people teach theirs: in rows under the camera, on a photograph."""

from __future__ import annotations

import random
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from calibration.teach import Plan, Sheet, teach
from companion.games.giants.table import COLOURS
from vision.figures import split
from vision.simulated import Look, PieceAt, Scene, SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.deck import Piece

FIGURES: Final = ("worker", "worker", "chief", "sorcerer")
#: What lies on each sheet, row by row.
SHEETS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "giants": (
        *([f"{figure}-{colour}" for figure in FIGURES * 2] for colour in COLOURS),
        ["log"] * 4 + ["headdress"] * 4,
        [f"moai-size-{size}" for size in (1, 2, 3) for _ in range(4)],
    ),
}
COLUMNS: Final = 4
APART_MM: Final = 100.0
ASKEW_MM: Final = 3.0
#: Sheets are photographed straight from above, on a plain table from which every piece stands out.
LOOK: Final = Look(surface="slate", tilt_deg=(0.0, 0.0))


@lru_cache(maxsize=4)
def taught(game: str, seed: int = 3) -> tuple[Piece, ...]:
    """The pieces of a game's house deck; none where what stands on its table is not told by eyes."""
    sheets = SHEETS.get(game, ())
    if not sheets:
        return ()
    rng = random.Random(seed)
    camera = SimulatedTable({}, seed=seed, look=LOOK)
    with tempfile.TemporaryDirectory() as folder:
        plan = []
        for number, names in enumerate(sheets):
            photo = f"sheet-{number}.bmp"  # lossless, and soon written
            cv2.imwrite(str(Path(folder) / photo), camera.render(Scene(pieces=_in_rows(names, rng))))
            plan.append(Sheet(photo, "piece", tuple(names), None, COLUMNS))
        return teach(Plan(game, tuple(plan), ()), Path(folder)).pieces


def _in_rows(names: Sequence[str], rng: random.Random) -> tuple[PieceAt, ...]:
    """The pieces around the middle of the table, each turned somehow."""
    left, top = (side / 2 for side in LOOK.table_mm)
    laid = []
    for number, name in enumerate(names):
        piece, colour = split(name)
        row, column = divmod(number, COLUMNS)
        x, y = left + APART_MM * (column - (COLUMNS - 1) / 2), top + APART_MM * (row - 1)
        askew = rng.uniform(-ASKEW_MM, ASKEW_MM), rng.uniform(-ASKEW_MM, ASKEW_MM)
        laid.append(PieceAt(piece, (x + askew[0], y + askew[1]), rng.uniform(0, 360), colour))
    return tuple(laid)
