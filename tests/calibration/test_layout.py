"""Zones: by numbers, by cards on a simulated table, in a file."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import layout, toml
from calibration.layout import Zone
from tests.vision.painting import FlatPlane
from vision.plane import Marker, MarkerFinder, solve
from vision.simulated import Look, Placed, Scene, SimulatedTable
from vision.simulated.surface import marker

SUPPLY, BIDS, PILE = (
    Zone("supply", 330, 275, 300, 145),
    Zone("seat1.bid", 60, 440, 240, 70),
    Zone("pile", 10, 10, 80, 60),
)


def test_a_zone_card_lies_at_the_upper_left_corner_of_its_zone_and_turns_it() -> None:
    table = SimulatedTable({"card-20": marker(20, 40.0), "card-22": marker(22, 40.0)}, 3, look=Look())
    scene = Scene(cards=(Placed("card-20", (200.0, 150.0), 0.6), Placed("card-22", (600.0, 300.0), 90.0)))
    grey = np.asarray(cv2.cvtColor(table.render(scene), cv2.COLOR_BGR2GRAY), np.uint8)
    found = MarkerFinder().find(grey)
    plane, _ = solve(found, table.size_px)
    assert plane is not None
    zones, named = layout.with_cards((SUPPLY, BIDS, PILE), found, plane)
    assert named == ("supply", "pile")
    assert zones[1] == BIDS
    assert (zones[0].x, zones[0].y) == pytest.approx((230.0, 120.0), abs=1.5)
    assert zones[0].angle_deg == 0.0  # meant to lie straight
    assert (zones[0].width, zones[0].height) == (300, 145)
    assert (zones[2].x, zones[2].y) == pytest.approx((630.0, 330.0), abs=1.5)  # its upper edge is the right one now
    assert zones[2].angle_deg == pytest.approx(90.0, abs=0.7)
    assert zones[2].holds(600.0, 350.0)
    assert not zones[2].holds(650.0, 350.0)


def test_cards_are_numbered_in_the_order_that_is_given() -> None:
    card = Marker(22, ((0, 0), (40, 0), (40, 40), (0, 40)))
    order = ["supply", "seat1.bid", "pile"]
    moved, named = layout.with_cards((SUPPLY, PILE), [card], FlatPlane(1.0), order=order)  # type: ignore[arg-type]
    assert named == ("pile",)
    assert (moved[0], moved[1].x) == (SUPPLY, pytest.approx(50.5))
    assert layout.with_cards((SUPPLY, PILE), [card], FlatPlane(1.0))[1] == ()  # type: ignore[arg-type]


@given(x=st.floats(-500, 500), y=st.floats(-500, 500), angle=st.floats(-180, 180))
def test_a_turned_zone_holds_what_the_straight_one_holds_turned(x: float, y: float, angle: float) -> None:
    turn = math.radians(angle)
    straight = Zone("a", 10, 20, 300, 200)
    turned = Zone("a", 10, 20, 300, 200, angle)
    there = 10 + x * math.cos(turn) - y * math.sin(turn), 20 + x * math.sin(turn) + y * math.cos(turn)
    inner = 1e-6 < x < 300 - 1e-6 and 1e-6 < y < 200 - 1e-6
    outer = x < -1e-6 or y < -1e-6 or x > 300 + 1e-6 or y > 200 + 1e-6
    if inner or outer:
        assert straight.holds(10 + x, 20 + y) == turned.holds(*there) == inner


def test_zones_by_numbers() -> None:
    assert layout.parse("supply=330,275,300,145") == SUPPLY
    assert layout.parse(" far corner = -10.5, 20,30,40,-12") == Zone("far corner", -10.5, 20, 30, 40, -12)


@pytest.mark.parametrize(
    "text", ["", "supply", "=1,2,3,4", "a=1,2,3", "a=1,2,3,x", "a=1,2,0,4", "a=1,2,nan,4", "a=1e9,2,3,4"]
)
def test_what_is_no_zone_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="zone"):
        layout.parse(text)


def test_given_zones_replace_those_of_their_name_and_add_others() -> None:
    moved = Zone("supply", 1, 2, 3, 4)
    assert layout.with_given((SUPPLY, BIDS), [PILE, moved]) == (moved, BIDS, PILE)


def test_a_layout_is_kept_and_read_again(tmp_path: Path) -> None:
    zones = (SUPPLY, Zone('the "old"\nharbour', 1.5, -2, 3, 4, 12.5))
    layout.save(zones, tmp_path)
    assert layout.load(tmp_path) == zones


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zones = 3", "no layout"),
        ("zones = [1]", "no layout"),
        ("[[zones]]\nname = 'a'", "needs name, x, y, width and height"),
        ("[[zones]]\nname='a'\nx=1\ny=1\nwidth=1\nheight=1\n" * 2, "same name"),
        ("[[zones]]\nname='a'\nx=nan\ny=1\nwidth=1\nheight=1\n", "nan is no number"),
        ("[[zones]]\nname='a'\nx=1\ny=1\nwidth=-5\nheight=1\n", "zone a has no area"),
        ("zones", "cannot be read"),
    ],
)
def test_a_layout_file_that_is_none_says_so(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / layout.FILE).write_text(text)
    with pytest.raises(toml.Unreadable, match=words):
        layout.load(tmp_path)


@given(st.text(), st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4))
def test_whatever_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, words: str, numbers: list[float]
) -> None:
    path = tmp_path_factory.mktemp("toml") / "file.toml"
    toml.write(path, "said", {"words": words, "numbers": numbers, "deep": [numbers, numbers], "flag": True, "count": 7})
    again = toml.read(path)
    assert again["words"] == words
    assert again["numbers"] == pytest.approx(numbers, abs=1e-8)
    assert again["deep"][1] == again["numbers"]
    assert (again["flag"], again["count"]) == (True, 7)
