"""What `companion recognise` holds in memory, in a process of its own, and how long teaching takes.

Each house deck is taught from photos of simulated sheets. `resident` is the most MiB the process held over frames of
two sizes, sharp and soft; `bare` the same for a deck of one face and one small frame: OpenCV, numpy and the program.
`teach_ms` is for each component, `teach_warps` the same as a ratio to one cv2.warpPerspective of a 1080p frame.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import cv2
import numpy as np

from calibration.teach import Plan, Sheet, teach
from companion.demo.stage import House
from tests.bench.sweep import STRAIGHT, scenes
from vision.simulated import Image, Scene, SimulatedTable

GAMES: Final = ("fiji", "rapa-nui", "maori")
SIZES: Final = ((1920, 1080), (4608, 2592))
BLURS: Final = (0.6, 2.0)  #: px of a frame 1920 wide
DIM: Final = 0.8  #: exposure of sheets: paper that glares is not taught
RUN: Final = """
import sys
from pathlib import Path
from companion.cli import main
try:
    main()
finally:
    # not ru_maxrss: that begins with what the process held that started this one
    most = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(most.split()[1], file=sys.stderr)
"""


def run() -> list[dict[str, Any]]:
    """A row for each house deck."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        return [_row(game, Path(folder) / game) for game in GAMES]


def _row(game: str, folder: Path) -> dict[str, Any]:
    house = House.of(game)
    folder.mkdir()
    plan = _sheets(house, folder)
    start = perf_counter()
    deck = teach(plan, folder)
    took = 1000 * (perf_counter() - start) / len(deck.faces)
    deck.save(folder / "deck")
    replace(deck, faces=deck.faces[:1], attributes={}).save(folder / "one")
    photos = []
    for size in SIZES:
        for blur in BLURS:
            photos.append(folder / f"{size[0]}-{blur}.jpg")
            _write(photos[-1], next(_photos(house, size, blur))[0])
    small = folder / "small.jpg"
    _write(small, next(_photos(house, SIZES[0], BLURS[0]))[0][::4, ::4])
    return {
        "deck": game,
        "faces": len(deck.faces),
        "bare": resident(folder / "one", [small]),
        "resident": resident(folder / "deck", photos),
        "teach_ms": round(took, 1),
        "teach_warps": round(took / warp_ms(), 1),
    }


def _sheets(house: House, folder: Path) -> Plan:
    """Sheets that show all flat components of the house deck, size by size."""
    sheets = []
    for size in dict.fromkeys(face.size_mm for face in house.faces.values() if face.kind != "board"):
        alike = [n for n, face in house.faces.items() if face.size_mm == size]
        for number, (photo, scene) in enumerate(_photos(house, SIZES[0], BLURS[0], alike, DIM)):
            name = f"sheet-{size[0]:.0f}-{size[1]:.0f}-{number}.png"
            _write(folder / name, photo)
            sheets.append(Sheet(name, "card", tuple(card.component for card in scene.cards), size, None))
    return Plan(house.deck.game, tuple(sheets), ())


def warp_ms() -> float:
    """One cv2.warpPerspective of a 1080p frame, the median of a few."""
    frame = np.random.default_rng(1).integers(0, 255, (1080, 1920, 3), np.uint8)
    tilted = np.array([[1, 0.02, 3], [0.01, 1, 5], [1e-5, 2e-5, 1]])
    times = []
    for _ in range(9):
        start = perf_counter()
        cv2.warpPerspective(frame, tilted, (1920, 1080))
        times.append(1000 * (perf_counter() - start))
    return statistics.median(times)


def _photos(
    house: House, size: tuple[int, int], blur: float, names: Sequence[str] | None = None, exposure: float = 1.0
) -> Iterator[tuple[Image, Scene]]:
    """Tables on which these components lie in rows."""
    shown = names or [name for name, face in house.faces.items() if face.kind != "board"]
    table = SimulatedTable(house.faces, 2, size, replace(STRAIGHT, blur_px=blur * size[0] / 1920, exposure=exposure))
    for scene in scenes(house, shown, 0.0):
        yield table.render(scene), scene


def _write(path: Path, image: Image) -> None:
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())


def resident(deck: Path, photos: Sequence[Path]) -> int:
    """The most that `companion recognise` holds for these photos, MiB."""
    command = [sys.executable, "-c", RUN, "recognise", *map(str, photos), "--deck", str(deck), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return round(int(done.stderr.split()[-1]) / 1024)
