"""A lamp from the side shines through beads into their shadows: such a spot is no bead, and moves none aside."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.demo.stage import House
from vision import caustics
from vision.observe import Observer
from vision.simulated import BeadAt, Look, Scene, SimulatedTable

GREEN = 150.0


def row(n: int, aside: float = 0.0, apart: float = 60.0) -> np.ndarray:
    """n places (px) in a row, each as far to the right and down a little."""
    return np.stack([np.arange(1, n + 1) * apart + aside, np.full(n, 100.0) + aside / 4], axis=1)


def flags(n: int, *true: int) -> list[bool]:
    return [i in true for i in range(n)]


def spots(places: np.ndarray, sizes: list[float], hue: float | list[float] = GREEN) -> list[bool]:
    size = np.array(sizes)
    return list(caustics.spots(places, 2 * size, np.broadcast_to(hue, size.shape), size))


def test_what_is_smaller_and_touches_a_bead_of_its_hue_is_a_spot() -> None:
    places = np.vstack([row(2), row(2, 20.0)])
    assert spots(places, [7, 7, 4, 4]) == flags(4, 2, 3)
    assert spots(places, [7, 7, 6.5, 6.5]) == flags(4), "a bead may be as much smaller"
    assert spots(places, [7, 7, 4, 4], [GREEN, GREEN, GREEN, 30.0]) == flags(4, 2), "of another colour it is a bead"
    assert spots(np.vstack([row(2), row(2, 30.0)]), [7, 7, 4, 4]) == flags(4), "too far away"


def test_where_most_large_ones_have_spots_all_small_ones_are_spots() -> None:
    """Of the other beads only their spots were seen whole."""
    places = np.vstack([row(9), row(3, 20.0)])
    sizes = [7.0] * 3 + [4.0] * 6 + [4.0] * 3
    assert spots(places, sizes) == flags(12, *range(3, 12))
    assert spots(places, [7.0] * 8 + [4.0] * 4) == flags(12, 9, 10, 11), "the eighth has none, as five others"
    assert spots(np.zeros((0, 2)), []) == []


def doubtful(places: np.ndarray, light: list[float], sure: list[bool] | None = None, hue: float = GREEN) -> list[bool]:
    n = len(places)
    sure = [True] * n if sure is None else sure
    return list(caustics.doubtful(places, np.full(n, 10.0), np.full(n, hue), np.array(light), np.array(sure, np.bool_)))


def test_two_that_overlap_are_no_two_beads() -> None:
    places = np.array([[100.0, 100], [117, 100], [300, 100], [320, 100]])
    assert doubtful(places, [4.0] * 4) == flags(4, 0, 1), "two that touch are"
    assert doubtful(places, [4.0] * 4, flags(4, 0, 2, 3)) == flags(4), "the other one is asked about"
    assert doubtful(np.zeros((0, 2)), []) == []


def test_the_darker_one_of_each_pair_is_in_doubt_where_all_lie_the_same_way() -> None:
    places = np.vstack([row(4), row(4, 20.0)])
    light = [4.0] * 4 + [3.8] * 4
    assert doubtful(places, light) == flags(8, 4, 5, 6, 7)
    assert doubtful(places, light, flags(8, 0, 1, 2, 3, 4)) == flags(8, 4)
    assert doubtful(places, light[::-1]) == flags(8, 0, 1, 2, 3)


def test_pairs_that_lie_anyhow_are_beads() -> None:
    places = np.vstack([row(4), row(4) + np.array([[20, 0], [0, 20], [-20, 0], [0, -20]])])
    assert doubtful(places, [4.0] * 4 + [3.8] * 4) == flags(8)


def test_few_pairs_and_heaps_are_beads() -> None:
    two = np.vstack([row(2), row(2, 20.0)])
    assert doubtful(two, [4.0, 4.0, 3.8, 3.8]) == flags(4)
    among = np.vstack([row(14), row(3, 20.0)])
    assert doubtful(among, [4.0] * 14 + [3.8] * 3) == flags(17)
    rows = np.vstack([row(3, 100.0 * i, 20.0) for i in range(4)])
    assert doubtful(rows, [4.0 - 0.01 * i for i in range(12)]) == flags(12)


def lit_from_the_side(seed: int) -> tuple[SimulatedTable, Scene]:
    """A table in some light, as beads, tilt, noise and focus may be; the lamp is mostly low."""
    rng = np.random.default_rng(seed)
    low, turn, far = rng.random() < 0.7, rng.uniform(0, 2 * math.pi), rng.uniform(200, 700)
    lamp = (450 + far * math.cos(turn), 280 + far * math.sin(turn), rng.uniform(*((350, 700) if low else (700, 1100))))
    look = Look(
        surface=str(rng.choice(["oak", "walnut", "cloth", "linen", "slate"])),
        lamp_mm=lamp,
        lamp=float(rng.uniform(0.3, 0.9)),
        exposure=float(rng.uniform(0.55, 1.2)),
        warmth=float(rng.uniform(0, 0.15)),
        blur_px=float(rng.uniform(0.4, 1.4)),
        noise=float(rng.uniform(1.5, 4)),
        bead_radius_mm=float(rng.uniform(5.5, 8)),
        tilt_deg=(float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8))),
        roll_deg=float(rng.uniform(-180, 180)),
    )
    size = (1280, 720) if rng.random() < 0.6 else (1920, 1080)
    count = int(rng.integers(6, 30))
    places = rng.permutation([(150.0 + 65 * i, 120.0 + 65 * j) for i in range(11) for j in range(6)])[:count]
    names = rng.integers(0, 4, count) if rng.random() < 0.7 else np.full(count, rng.integers(0, 4))
    lying = [
        BeadAt(
            ("red", "yellow", "green", "blue")[name], (x + float(rng.uniform(-20, 20)), y + float(rng.uniform(-20, 20)))
        )
        for name, (x, y) in zip(names, places, strict=True)
    ]
    return SimulatedTable(House.of("fiji").faces, seed, size_px=size, look=look), Scene((), tuple(lying))


@pytest.mark.quick(3)
@pytest.mark.parametrize("seed", [1121, 1145, 2072, 1122, 1139, 1027, 1036, 1038, 1065, 1076, 1117, *range(2020, 2045)])
def test_no_spot_is_told_as_a_bead(seed: int) -> None:
    table, scene = lit_from_the_side(seed)
    truth = table.truth(scene)["beads"]
    lying = np.array([there["centre_px"] for there in truth])
    radius = table.look.bead_radius_mm * table.size_px[0] / 1060
    told = []
    for bead in Observer(House.of("fiji").deck).observe(table.render(scene)).beads:
        gaps = np.linalg.norm(lying - bead.centre_px, axis=1)
        told.append(int(gaps.argmin()))
        assert gaps.min() < 0.6 * radius
        assert truth[told[-1]]["colour"] == bead.colour
    assert len(told) == len(set(told)), "one bead counts once"
