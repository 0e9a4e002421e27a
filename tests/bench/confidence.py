"""How often what recognition is so sure of is right; draws a reliability diagram.

`python -m tests.bench confidence [--photos DIR…] [--out DIR]`. Without photos the house decks are looked at on
simulated tables drawn by lot, most of them harder than any at which people play. A DIR holds games, or is one:
`teach/teach.json` and photos under `scenes/`, the truth beside each as JSON. The diagram becomes `OUT/confidence.png`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2

from calibration.teach import Plan, teach
from companion.demo.stage import House
from companion.eyes import palette
from tests.bench import chart, tables
from tests.bench.truth import Claim, claims
from vision import picture
from vision.observe import Observer

GAMES: Final = ("fiji", "rapa-nui", "maori")
TABLES: Final = 16  #: of each game
SEED: Final = 11
SORTS: Final = ("component", "bead", "piece", "unsure")
SURE: Final = (0.0, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)  #: where bins begin, of what is reported
DOUBTED: Final = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9)  #: … and of the candidates of what is not
LEAST: Final = 0.99  #: what was said to be this sure must be right as often


def run(photos: Sequence[Path] = (), out: Path = Path("out")) -> list[dict[str, Any]]:
    """A row for each sort of claim and bin."""
    cv2.setNumThreads(1)
    made = list(_photographed(photos) if photos else _simulated())
    plots, rows = [], []
    for sort in SORTS:
        edges = DOUBTED if sort == "unsure" else SURE
        mine = [claim for claim in made if claim.sort == sort]
        bars = [_bar(inside) for inside in _bins(mine, edges)]
        if mine:
            plots.append((_title(sort, mine), [f"{edge:g}" for edge in edges], bars))
        rows += [_row(sort, edge, bar) for edge, bar in zip(edges, bars, strict=True) if bar.count]
    chart.reliability(plots, out / "confidence.png")
    return rows


def _simulated() -> Iterator[Claim]:
    for name in GAMES:
        house = House.of(name)
        observer = Observer(house.deck, palette(name))
        for image, truth in tables.photos(house, TABLES, SEED):
            yield from claims(observer.observe(image), truth, house.deck)


def _photographed(folders: Sequence[Path]) -> Iterator[Claim]:
    games = [g for folder in folders for g in (folder, *sorted(folder.iterdir())) if (g / "teach/teach.json").exists()]
    for game in games:
        deck = teach(Plan.read(game / "teach" / "teach.json"), game / "teach")
        observer = Observer(deck, palette(deck.game), without_markers=True)
        for photo in sorted((game / "scenes").glob("*.jpg")):
            truth = json.loads(photo.with_suffix(".json").read_text("utf-8"))
            yield from claims(observer.observe(picture.read(photo)), truth, deck)


def _bins(made: Sequence[Claim], edges: Sequence[float]) -> Iterator[list[Claim]]:
    for low, high in zip(edges, (*edges[1:], math.inf), strict=True):
        yield [claim for claim in made if low <= claim.confidence < high]


def _bar(inside: Sequence[Claim]) -> chart.Bar:
    count = len(inside)
    if not count:
        return chart.Bar()
    right = sum(claim.right for claim in inside) / count
    return chart.Bar(sum(claim.confidence for claim in inside) / count, right, *interval(right, count), count)


def interval(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval for a share seen in so many cases."""
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)


def _title(sort: str, made: Sequence[Claim]) -> str:
    sure = [claim for claim in made if claim.confidence >= LEAST]
    if sort == "unsure" or not sure:
        return f"{sort}: {len(made)} candidates"
    return f"{sort}: of {len(sure)} said to be {LEAST:g} or surer {sum(c.right for c in sure)} are right"


def _row(sort: str, edge: float, bar: chart.Bar) -> dict[str, Any]:
    return {
        "claim": sort,
        "said from": edge,
        "said": round(bar.said, 4),
        "right": round(bar.right, 4),
        "interval": f"{bar.least:.4f} – {bar.most:.4f}",
        "count": bar.count,
    }
