"""Where a lamp is mirrored tells whether a disc is a bead, or half of it and half of its coloured shadow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.demo.stage import House
from tests.vision.painting import GLASS, Painting
from vision import glints
from vision.observe import Observer
from vision.simulated import BeadAt, Look, Scene, SimulatedTable

NONE = (np.nan, np.nan)


def places(n: int) -> np.ndarray:
    """n places (mm) all over a table."""
    return np.random.default_rng(1).uniform((0, 0), (900, 600), (n, 2))


def lit(where: np.ndarray) -> np.ndarray:
    """Glints (radii) of beads at places (mm) under a lamp so near that it is mirrored elsewhere here than there."""
    noise = np.random.default_rng(2).normal(0, 0.03, where.shape)
    return np.array([0.2, -0.3]) + (where - (450, 300)) * (-0.0006, 0.0004) + noise


def farther(seen: np.ndarray, radii: float) -> np.ndarray:
    """The same glints so much farther out."""
    return seen * (1 + radii / np.linalg.norm(seen, axis=-1, keepdims=True))


@pytest.mark.parametrize("n", [6, 12, 30])
def test_one_whose_glint_is_farther_out_is_odd(n: int) -> None:
    where = places(n)
    seen = lit(where)
    assert not glints.odd(where, seen).any()
    seen[1], seen[3] = farther(seen[1], 0.5), NONE
    assert np.flatnonzero(glints.odd(where, seen)).tolist() == [1], "one that is not seen may be faint"


def test_half_of_them_may_be_drawn_aside() -> None:
    where = places(16)
    seen = lit(where)
    seen[::2] = farther(seen[::2], 0.7)
    assert np.flatnonzero(glints.odd(where, seen)).tolist() == list(range(0, 16, 2))


def test_a_second_lamp_makes_none_odd() -> None:
    where = places(16)
    seen = lit(where)
    seen[::3] = -seen[::3] + (0.1, 0.3)
    assert not glints.odd(where, seen).any()


@pytest.mark.parametrize("n", [0, 1, 3, 12])
def test_where_few_or_none_have_glints_nothing_is_odd(n: int) -> None:
    """Wooden tokens, or too few beads to tell."""
    where = places(n)
    assert not glints.odd(where, np.full((n, 2), np.nan)).any()
    assert not glints.odd(where[:3], lit(where[:3])).any()


@pytest.mark.parametrize("name", GLASS)
@pytest.mark.parametrize("table", [(90, 130, 170), (225, 225, 225), (50, 60, 80)])
def test_a_glint_is_found_where_it_is_drawn(name: str, table: tuple[int, int, int]) -> None:
    photo = Painting(table).disc(200.0, 150.0, 12.0, GLASS[name]).photo()
    centres, radii = np.array([[200.0, 150.0]]), np.array([12.0])
    (there,) = glints.found(photo, centres, radii)
    lamp = np.array([-0.35, -0.45])  # as much as the surface leans towards it there
    assert math.dist(there, lamp) < 0.15
    ((x, y),) = glints.found(photo, centres + np.array([4.8, 0.0]), radii)
    assert np.isnan(x) or math.dist((x, y), lamp) > 0.3
    flat = Painting(table).disc(200.0, 150.0, 12.0, GLASS[name], glass=False)
    flat.light[130:170, 180:220] = np.minimum(flat.light[130:170, 180:220], (np.array(GLASS[name]) / 255) ** 2.2)
    assert np.isnan(glints.found(flat.photo(), centres, radii)).all()


@pytest.mark.quick(1)
@pytest.mark.parametrize(("surface", "exposure"), [("slate", 1.0), ("oak", 0.6)])
def test_beads_in_light_from_the_side_are_told_where_they_lie_or_asked_about(surface: str, exposure: float) -> None:
    """Their coloured shadows drew circles aside by the better half of a bead, which were told as sure ones."""
    look = Look(
        surface=surface, lamp_mm=(-100.0, 280.0, 600.0), lamp=0.85, exposure=exposure, warmth=0.0, blur_px=1.2,
        noise=3.0, bead_radius_mm=6.0,
    )  # fmt: skip
    house = House.of("fiji")
    table = SimulatedTable(house.faces, 5, size_px=(1280, 720), look=look)
    lying = tuple(
        BeadAt(("red", "yellow", "green", "blue")[(i + i // 6) % 4], (200.0 + 90 * (i % 6), 150.0 + 90 * (i // 6)))
        for i in range(24)
    )
    scene = Scene((), lying)
    seen = Observer(house.deck).observe(table.render(scene))
    truth = table.truth(scene)["beads"]
    for bead in seen.beads:
        nearest = min(truth, key=lambda there: math.dist(there["centre_px"], bead.centre_px))
        assert math.dist(nearest["centre_px"], bead.centre_px) < 3.5
        assert nearest["colour"] == bead.colour
    assert len(seen.beads) >= 4


def test_beads_whose_shadow_draws_their_circle_aside_are_looked_for_again() -> None:
    """Yellow glass on oak was passed over without a word where its shadow made it seem a third larger."""
    look = Look(
        surface="oak", lamp_mm=(170.0, 125.0, 925.0), lamp=0.5, warmth=0.13, exposure=0.785, gloss=0.01, noise=2.0,
        blur_px=0.42, bead_radius_mm=7.6, tilt_deg=(-7.0, -4.3),
    )  # fmt: skip
    house = House.of("fiji")
    table = SimulatedTable(house.faces, 518, size_px=(1280, 720), look=look)
    far = ((710.0, 79.0), (726.0, 82.0), (634.0, 383.0), (478.0, 309.0), (715.0, 335.0), (792.0, 314.0))
    near = ((123.0, 383.0), (386.0, 231.0), (76.0, 326.0), (196.0, 304.0), (230.0, 408.0), (339.0, 243.0))
    scene = Scene((), (*(BeadAt("yellow", at) for at in far), *(BeadAt("blue", at) for at in near)))
    seen = Observer(house.deck).observe(table.render(scene))
    told = [(b.colour, b.centre_px) for b in seen.beads]
    for there in table.truth(scene)["beads"]:
        assert any(c == there["colour"] and math.dist(p, there["centre_px"]) < 4 for c, p in told), there
    assert len(told) == len(far) + len(near)
