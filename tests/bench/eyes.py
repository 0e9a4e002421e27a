"""What looking at a table costs, each as a ratio to one cv2.warpPerspective of the same frame.

Simulated tables of 1920 × 1080 with house decks and beads; one thread, medians. `resident` is what the process holds
once a deck has been looked for, in MiB.
"""

from __future__ import annotations

import resource
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.demo.stage import House
from vision.camera import Frame
from vision.motion import Motion
from vision.observe import Observer
from vision.simulated import BeadAt, Image, Placed, Scene, SimulatedTable

TIMES = 9
COLOURS = ("green", "red", "yellow", "blue")


def run() -> list[dict[str, Any]]:
    """Rows for an idle frame and for whole tables with ever more on them."""
    cv2.setNumThreads(1)
    house = House.of("fiji")
    rows = [_idle(house)]
    rows += [_whole(house, cards, beads) for cards, beads in ((0, 0), (10, 10), (20, 20), (40, 30))]
    return rows


def _scene(house: House, cards: int, beads: int) -> Scene:
    """So many cards in rows, and so many beads beneath."""
    names = [name for name, face in house.faces.items() if face.kind == "card"]
    lying = tuple(Placed(names[i % len(names)], (60.0 + 98 * (i % 8), 70.0 + 98 * (i // 8))) for i in range(cards))
    glass = tuple(BeadAt(COLOURS[i % 4], (100.0 + 22 * i, 535.0)) for i in range(beads))
    return Scene(lying, glass)


def _photo(house: House, scene: Scene) -> Image:
    return SimulatedTable(house.faces, seed=2).render(scene)


def _ms(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return 1000 * (perf_counter() - start)


def _row(what: str, photo: Image, work: Callable[[], object], found: object) -> dict[str, Any]:
    """The work and the baseline by turns, so that a busy machine slows both."""
    height, width = photo.shape[:2]
    tilted = np.array([[1, 0.02, 3], [0.01, 1, 5], [1e-5, 2e-5, 1]])
    work()
    pairs = [(_ms(work), _ms(lambda: cv2.warpPerspective(photo, tilted, (width, height)))) for _ in range(TIMES)]
    return {
        "what": what,
        "ms": round(statistics.median(own for own, _ in pairs), 1),
        "ratio": round(statistics.median(own / warp for own, warp in pairs), 2),
        "found": found,
        "resident": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def _idle(house: House) -> dict[str, Any]:
    photo = _photo(house, _scene(house, 10, 10))
    motion, clock = Motion(), iter(range(10_000))
    return _row("idle frame", photo, lambda: motion.feed(Frame(photo, float(next(clock)))), "")


def _whole(house: House, cards: int, beads: int) -> dict[str, Any]:
    photo = _photo(house, _scene(house, cards, beads))
    observer = Observer(house.deck)
    seen = observer.observe(photo)
    found = f"{len(seen.components)} + {len(seen.beads)}, {len(seen.unsure)} unsure"
    what = f"whole table, {cards} cards + {beads} beads"
    return _row(what, photo, lambda: observer.observe(photo), found)
