"""Where reading stops as photos get worse, for every component of the house decks in every quarter turn.

`python -m tests.bench sweep [--out DIR]`. Each face is known from one straight picture. All components of a deck lie on
one table; its photo is blurred, grained, darkened, tinted, tilted or taken from afar, ever more. The shares that were
read, in doubt and misread are drawn into `OUT/sweep.png`; a misread or a phantom must never be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.demo.stage import House
from tests.bench import chart
from tests.bench.truth import Truth, claims
from vision.observe import Observer
from vision.simulated import Image, Look, Placed, Scene, SimulatedTable

GAMES: Final = ("fiji", "rapa-nui", "maori")
TURNS: Final = (0.0, 90.0, 180.0, 270.0)
STRAIGHT: Final = Look(tilt_deg=(0.0, 0.0), roll_deg=0.0)
GAP: Final = 5.0  #: mm between the places at which components lie
ROOM: Final = (45.0, 855.0, 45.0, 515.0)  #: mm: left, right, top and bottom of where they may lie
READ: Final = 0.99  #: so much of a deck read counts as working


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which photos get worse: its name, its strengths, what it does to a room and to a photo."""

    name: str
    strengths: tuple[float, ...]
    room: Callable[[float], Look] = lambda _: STRAIGHT
    photo: Callable[[Image, float], Image] = lambda image, _: image


def _blurred(image: Image, deviation: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), deviation), np.uint8) if deviation else image


def _grained(image: Image, deviation: float) -> Image:
    noise = np.random.default_rng(4).normal(0, 1, image.shape).astype(np.float32) * deviation
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def _brightened(image: Image, gamma: float) -> Image:
    levels = 255 * (np.arange(256) / 255) ** gamma
    return np.asarray(levels.round().astype(np.uint8)[image], np.uint8)


def _tinted(image: Image, times: float) -> Image:
    """Red this many times as strong, blue as many times weaker."""
    return np.asarray(np.clip(image * np.array([times**-0.5, 1.0, times**0.5]), 0, 255), np.uint8)


def _smaller(image: Image, factor: float) -> Image:
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


WAYS: Final = (
    Way("blur, px", (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0), photo=_blurred),
    Way("noise, grey levels", (0.0, 5.0, 10.0, 20.0, 30.0, 45.0), photo=_grained),
    Way("gamma", (0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0), photo=_brightened),
    Way("red over blue", (0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0), photo=_tinted),
    Way("tilt, degrees", (0.0, 10.0, 20.0, 30.0, 40.0, 50.0), room=lambda t: replace(STRAIGHT, tilt_deg=(t, 0.0))),
    Way("size, of 1920 px", (1.0, 0.8, 0.65, 0.5, 0.4, 0.3), photo=_smaller),
)


@dataclass(slots=True)
class Step:
    """What was made of all components at one strength; `wrong` are misreads and phantoms."""

    strength: float
    lying: int = 0
    read: int = 0
    doubted: int = 0
    wrong: int = 0

    def add(self, observer: Observer, photo: Image, truth: Truth) -> None:
        """Look at one more photo."""
        seen = observer.observe(photo)
        held = Counter(claim.right for claim in claims(seen, truth, observer.deck) if claim.sort == "component")
        self.lying += len(truth["components"])
        self.read += held[True]
        self.wrong += held[False]
        self.doubted += sum(doubt.corners is not None for doubt in seen.unsure)


def run(out: Path = Path("out")) -> list[dict[str, Any]]:
    """A row for each deck and way: the strengths at which it is read, and what was read wrongly."""
    cv2.setNumThreads(1)
    done = {(game, way.name): steps for game in GAMES for way, steps in swept(House.of(game), WAYS)}
    plots = [
        (f"{game}: {way}", [_named(s.strength) for s in steps], [_shares(s) for s in steps])
        for (game, way), steps in done.items()
    ]
    chart.shares(plots, len(WAYS), ("read", "unsure", "wrong"), out / "sweep.png")
    return [_row(game, way, steps) for (game, way), steps in done.items()]


def swept(
    house: House, ways: Sequence[Way], turns: Sequence[float] = TURNS, only: Sequence[str] = ()
) -> Iterator[tuple[Way, list[Step]]]:
    """Each way with what was made of the house deck (or `only` these components) at its strengths."""
    observer = Observer(house.deck, ())
    names = [n for n, face in house.faces.items() if face.kind != "board" and (not only or n in only)]
    for way in ways:
        steps = []
        for strength in way.strengths:
            step = Step(strength)
            table = SimulatedTable(house.faces, seed=6, look=way.room(strength))
            for turn in turns:
                for scene in scenes(house, names, turn):
                    photo = way.photo(table.render(scene), strength)
                    step.add(observer, photo, _scaled(table.truth(scene), photo.shape[1] / table.size_px[0]))
            steps.append(step)
        yield way, steps


def scenes(house: House, names: Sequence[str], turn: float) -> Iterator[Scene]:
    """Tables on which all the components lie apart, turned alike; as many tables as it takes."""
    left, right, top, bottom = ROOM
    side = max(max(house.faces[name].size_mm) for name in names) + GAP
    columns, rows = int((right - left) // side), int((bottom - top) // side)
    for first in range(0, len(names), columns * rows):
        yield Scene(
            tuple(
                Placed(name, (left + side * (i % columns + 0.5), top + side * (i // columns + 0.5)), turn)
                for i, name in enumerate(names[first : first + columns * rows])
            )
        )


def _scaled(truth: Mapping[str, Any], factor: float) -> Truth:
    corners = [
        {**c, "corners_px": ((np.array(c["corners_px"]) + 0.5) * factor - 0.5).tolist()} for c in truth["components"]
    ]
    return {**truth, "components": corners}


def _shares(step: Step) -> tuple[float, ...]:
    return tuple(count / step.lying for count in (step.read, step.doubted, step.wrong))


def _named(strength: float) -> str:
    return f"{strength:g}"


def _row(game: str, way: str, steps: Sequence[Step]) -> dict[str, Any]:
    good = [_named(step.strength) for step in steps if step.read >= READ * step.lying]
    return {
        "deck": game,
        "way": way,
        f"{READ:.0%} read at": ", ".join(good) or "none",
        "of": ", ".join(_named(step.strength) for step in steps),
        "wrong": sum(step.wrong for step in steps),
        "looked at": sum(step.lying for step in steps),
    }
