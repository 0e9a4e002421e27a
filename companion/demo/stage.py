"""Everything a demonstration needs, put together: house deck, simulated camera, table with its log, watcher, people."""

from __future__ import annotations

import random
import statistics
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion import house
from companion.demo import pieces
from companion.demo.show import Show, Tally
from companion.evidence import Evidence
from companion.eyes import die_faces
from companion.games.game import Game, game
from companion.log import Log
from companion.table import Table
from companion.watcher import Watcher
from companion.witness import Witness
from vision.deck import Deck, Face
from vision.motion import Motion
from vision.observe import Observer, annotate
from vision.simulated import FaceImage, Image, SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Mapping

FACE_PX_PER_MM = 8.0


@dataclass(frozen=True, slots=True)
class House:
    """A game's house deck, as the printer, the simulated table and the recogniser take it."""

    faces: Mapping[str, FaceImage]
    deck: Deck

    @classmethod
    def of(cls, name: str) -> House:
        """The house of a game; it is drawn once."""
        return _drawn(name)


@cache
def _drawn(name: str) -> House:
    drawn = house.faces(name, FACE_PX_PER_MM)
    images = {
        n: cv2.cvtColor(np.asarray(f.image, np.uint8), cv2.COLOR_RGB2BGR).astype(np.uint8) for n, f in drawn.items()
    }
    faces = {n: FaceImage(images[n], f.size_mm, kind=f.kind) for n, f in drawn.items()}
    taught = tuple(Face(n, f.kind, f.size_mm, images[n], FACE_PX_PER_MM) for n, f in drawn.items())
    means = {n: f.attributes for n, f in drawn.items()}
    return House(faces, Deck(name, taught, pieces.taught(name), means))


def _bgr(rgb: Image) -> Image:
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)


def build(
    playing: Game[Any, Any],
    players: int,
    seed: int,
    folder: Path,
    *,
    live: bool = False,
    closed_s: float = 0.0,
    speed: float = 1.0,
    join_url: str = "",
    drawn: bool = False,
) -> Show:
    """A show ready to play, with its log in the folder (made if need be)."""
    folder.mkdir(parents=True, exist_ok=True)
    set_ = House.of(playing.name)
    witness = Witness(Evidence(folder / "evidence")) if live else None
    log = Log(folder / "companion.db", "demo")
    table = Table(log, playing.name, camera=True, join_url=join_url, closed_s=closed_s, witness=witness)
    camera = SimulatedTable(set_.faces, seed=seed)
    watcher = Watcher(
        table,
        Observer(set_.deck, die_faces=die_faces(playing.name)),
        set_.deck,
        Motion(),
        annotate if drawn else None,
    )
    return Show(table, playing, watcher, camera, set_.deck, players, random.Random(seed), live=live, speed=speed)


def headless(name: str, games: int, seed: int, players: int, folder: Path) -> dict[str, Any]:
    """Play whole games without an audience: what was true, what was read, and how long a look took (ms)."""
    playing = game(name)
    tally, frames, looks = Tally(), 0, list[float]()
    for number in range(games):
        show = build(playing, players, seed + number, folder / str(number))
        show.play()
        show.table.close()
        tally.add(show.tally)
        frames += show.report.frames
        looks += show.report.milliseconds
    return {
        "game": name,
        "seed": seed,
        "games": games,
        "players": players,
        **asdict(tally),
        "frames": frames,
        "looks": len(looks),
        "median_ms_a_look": round(statistics.median(looks), 1),
    }
