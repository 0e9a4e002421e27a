"""Every component, taught once from a straight picture, is found on worse photos, in each quarter turn on some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.demo.stage import House
from tests.bench.sweep import TURNS, WAYS, Way, swept

pytestmark = pytest.mark.xdist_group("sweep")  # the decks are drawn once

#: a strength of each way at which all must be read; the bench draws where it stops
WORKS = {
    "blur, px": 1.5,
    "noise, grey levels": 10.0,
    "gamma": 0.7,
    "red over blue": 1.5,
    "tilt, degrees": 20.0,
    "size, of 1920 px": 0.8,
}
#: … and one at which less may be left, but nothing wrong
HARD = {
    "blur, px": 4.0,
    "noise, grey levels": 45.0,
    "gamma": 0.35,
    "red over blue": 3.0,
    "tilt, degrees": 50.0,
    "size, of 1920 px": 0.4,
}


@pytest.fixture(scope="module")
def house() -> House:
    return House.of("rapa-nui")


def test_every_way_is_tested() -> None:
    assert set(WORKS) == set(HARD) == {way.name for way in WAYS}


@pytest.mark.parametrize(
    "way", [pytest.param(way, id=way.name, marks=[pytest.mark.thorough] * (i > 0)) for i, way in enumerate(WAYS)]
)
def test_all_are_read_however_turned_and_nothing_wrongly_on_bad_photos(house: House, way: Way) -> None:
    turns = TURNS[WAYS.index(way) % 2 :: 2]  # the bench draws them all
    ((_, (works,)),) = swept(house, [replace(way, strengths=(WORKS[way.name],))], turns)
    ((_, (hard,)),) = swept(house, [replace(way, strengths=(HARD[way.name],))], (90.0,))
    assert works.lying == len(turns) * 12
    assert works.read == works.lying
    assert works.doubted == 0  # nothing else lies there: a doubt would be a needless question
    assert works.wrong == hard.wrong == 0


@pytest.mark.thorough
def test_near_twins_are_not_mistaken_in_noise() -> None:
    """Tiles that differ by a shell or a boat: where the fit moves, the likeliest faces are sought once more."""
    noise = next(way for way in WAYS if way.name.startswith("noise"))
    ((_, (step,)),) = swept(House.of("maori"), [replace(noise, strengths=(30.0,))], (90.0,))
    assert step.wrong == 0
    assert step.read > 82
