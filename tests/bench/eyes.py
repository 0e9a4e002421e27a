"""What looking at a table costs, each as a ratio to one cv2.warpPerspective of the same frame.

Simulated tables of 1920 × 1080; one thread, medians. Whole tables with ever more components and beads of a house deck,
one card or bead that is new there, and twenty cards of ever larger decks of drawn faces. What a process holds in
memory is measured by `resident`.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.demo.stage import House
from vision.camera import Frame
from vision.deck import Deck, Face
from vision.follower import Follower
from vision.motion import Motion
from vision.observe import Observer
from vision.regions import Rect
from vision.simulated import BeadAt, FaceImage, Image, Placed, Scene, SimulatedTable

TIMES = 9
COLOURS = ("green", "red", "yellow", "blue")
CHANGES = (("a card", (39, 30)), ("a bead", (40, 29)))  #: what was laid, and how many cards and beads lay before
DECKS = (7, 37, 97, 400)  #: faces
SHOWN = 20  #: cards of such a deck on the table
CARD = (59.0, 91.0)
PX = 2  #: pixels per millimetre of drawn faces


def run() -> list[dict[str, Any]]:
    """Rows for an idle frame and for whole tables with ever more on them."""
    cv2.setNumThreads(1)
    house = House.of("fiji")
    rows = [_idle(house)]
    rows += [_changed(house, *ends) for ends in CHANGES]
    rows += [_whole(house, cards, beads) for cards, beads in ((0, 0), (10, 10), (20, 20), (40, 30))]
    rows += [_decked(count) for count in DECKS]
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


def _changed(house: House, what: str, before: tuple[int, int]) -> dict[str, Any]:
    """One thing more on a table of 40 cards and 30 beads."""
    photos = [_photo(house, _scene(house, *count)) for count in (before, (40, 30))]
    where = _differing(photos[0], photos[1])
    follower = Follower(Observer(house.deck))
    follower.observe(photos[0])
    found = follower.observe(photos[1], where)
    told = f"{len(found.components)} + {len(found.beads)}, {len(found.unsure)} unsure"
    return _row(f"{what} was laid", photos[1], lambda: follower.observe(photos[1], where), told)


def _differing(one: Image, other: Image) -> list[Rect]:
    """Where two photos differ, as the gate tells it."""
    motion, clock = Motion(), iter(range(10_000))
    moments = [motion.feed(Frame(photo, next(clock) / 5)) for photo in (one,) * 6 + (other,) * 6]
    return [rect for moment in moments[6:] for rect in moment.changed]


def _decked(count: int) -> dict[str, Any]:
    """Twenty cards of a deck of so many drawn faces."""
    rng = np.random.default_rng(count)
    drawn = {f"card-{i}": _art(rng) for i in range(count)}
    faces = tuple(Face(name, "card", CARD, image, PX) for name, image in drawn.items())
    names = [f"card-{i % count}" for i in range(SHOWN)]
    laid = tuple(Placed(name, (80.0 + 80 * (i % 10), 90.0 + 110 * (i // 10))) for i, name in enumerate(names))
    table = SimulatedTable({name: FaceImage(image, CARD) for name, image in drawn.items()}, seed=2)
    photo = table.render(Scene(laid))
    observer = Observer(Deck("drawn", faces), ())
    found = observer.observe(photo)
    told = f"{len(found.components)}, {len(found.unsure)} unsure"
    return _row(f"{SHOWN} cards of a deck of {count} faces", photo, lambda: observer.observe(photo), told)


def _art(rng: np.random.Generator) -> Image:
    """Coloured discs on a coloured ground, framed."""
    width, height = (int(side * PX) for side in CARD)
    image = np.full((height, width, 3), rng.integers(60, 200, 3), np.uint8)
    for _ in range(14):
        place = (int(rng.integers(8, width - 8)), int(rng.integers(8, height - 8)))
        colour = [int(v) for v in rng.integers(20, 235, 3)]
        cv2.circle(image, place, int(rng.integers(5, 20)), colour, -1, cv2.LINE_AA)
    return np.asarray(cv2.rectangle(image, (0, 0), (width - 1, height - 1), (60, 50, 70), 2 * PX), np.uint8)
