"""What recognition says of its own chances holds against the truth, on tables drawn by lot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.demo.stage import House
from companion.eyes import palette
from tests.bench import tables
from tests.bench.truth import Claim, claims
from vision.observation import BeadSeen, Component, Doubt, Observation
from vision.observe import Observer
from vision.simulated import BeadAt, Placed, Scene, SimulatedTable

pytestmark = pytest.mark.xdist_group("confidence")  # what they share is seen once

TABLES = 3


@pytest.fixture(scope="module")
def house() -> House:
    return House.of("rapa-nui")


@pytest.fixture(scope="module")
def tiles() -> tuple[House, Observer]:
    house = House.of("maori")
    return house, Observer(house.deck, palette("maori"))


@pytest.fixture(scope="module")
def seen(house: House) -> list[tuple[Observation, list[Claim]]]:
    observer = Observer(house.deck, palette("rapa-nui"))
    looks = ((observer.observe(image), truth) for image, truth in tables.photos(house, TABLES, 5))
    return [(observation, list(claims(observation, truth, house.deck))) for observation, truth in looks]


@pytest.mark.thorough
def test_what_is_said_to_be_sure_is_right(seen: list[tuple[Observation, list[Claim]]]) -> None:
    sure = [c for _, made in seen for c in made if c.sort == "component" and c.confidence >= 0.99]
    assert len(sure) > 40
    assert sum(c.right for c in sure) >= 0.99 * len(sure)


@pytest.mark.thorough
def test_a_sleeve_is_no_tile(tiles: tuple[House, Observer]) -> None:
    """Cloth that looks like some print, in light that burns out the table."""
    house, observer = tiles
    image, truth = tables.photo(house, 23, 1)
    made = list(claims(observer.observe(image), truth, house.deck))
    assert sum(claim.right for claim in made) > 5
    assert [claim for claim in made if claim.sort == "component" and not claim.right] == []


@pytest.mark.thorough
def test_a_strip_is_less_sure_than_the_same_card_seen_whole(seen: list[tuple[Observation, list[Claim]]]) -> None:
    components = [c for observation, _ in seen for c in observation.components]
    strips = [c.confidence for c in components if c.visible < 0.3]
    whole = [c.confidence for c in components if c.visible > 0.9]
    assert max(strips) < 0.996
    assert max(whole) > 0.999


@pytest.mark.thorough
def test_candidates_leave_room_for_none_of_them(tiles: tuple[House, Observer]) -> None:
    house, observer = tiles
    image, _ = tables.photo(house, 1, 1)
    doubts = observer.observe(image).unsure
    assert doubts
    for doubt in doubts:
        names = [name for name, _ in doubt.candidates]
        shares = [share for _, share in doubt.candidates]
        assert len(set(names)) == len(names)
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) < 1


def test_claims_are_held_against_what_lies_there(house: House) -> None:
    """A name, a turn, a colour and a candidate count as right only where the truth says so; no true thing twice."""
    table = SimulatedTable(house.faces)
    truth = table.truth(Scene((Placed("moai", (300.0, 200.0)),), (BeadAt("red", (500.0, 200.0)),)))
    x, y = (float(v) for v in table.view.project(np.array([[300.0, 200.0]]))[0])
    bx, by = (float(v) for v in table.view.project(np.array([[500.0, 200.0]]))[0])

    def card(name: str, dx: float = 0.0, upside_down: bool = False) -> Component:
        corners = [(x + dx - 40, y - 60), (x + dx + 40, y - 60), (x + dx + 40, y + 60), (x + dx - 40, y + 60)]
        a, b, c, d = corners[2:] + corners[:2] if upside_down else corners
        return Component(name, "card", None, 0.0, (a, b, c, d), 1.0, 0.9)

    def told(**said: Any) -> list[tuple[str, bool]]:
        return [(c.name, c.right) for c in claims(Observation(table.size_px, **said), truth, house.deck)]

    def held(*components: Component) -> list[bool]:
        return [right for _, right in told(components=components)]

    assert held(card("rapa-nui/moai")) == [True]
    assert held(card("rapa-nui/priest")) == [False]
    assert held(card("rapa-nui/moai", upside_down=True)) == [False]
    assert held(card("rapa-nui/moai", dx=300)) == [False]
    assert sorted(held(card("rapa-nui/moai"), card("rapa-nui/moai", dx=2))) == [False, True]
    beads = tuple(BeadSeen(colour, None, (bx, by), 0.9) for colour in ("green", "red"))
    for bead, right in zip(beads, (False, True), strict=True):
        assert told(beads=(bead,)) == [(bead.colour, right)]
    doubt = Doubt((("rapa-nui/priest", 0.5), ("rapa-nui/moai", 0.4)), "alike", card("").corners)
    assert told(unsure=(doubt,)) == [
        ("rapa-nui/priest", False),
        ("rapa-nui/moai", True),
    ]
