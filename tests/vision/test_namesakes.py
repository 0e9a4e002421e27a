"""Beads are compared with those of their own name: what lies among them and is none is asked about."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.demo.stage import House
from tests.vision.painting import GLASS, FlatPlane, Painting
from tests.vision.test_beads import PLACES, RADIUS, TABLES, strewn
from vision import beads, namesakes
from vision.beads import Bead
from vision.follower import Follower
from vision.observe import Observer
from vision.simulated import BeadAt, Look, Scene, SimulatedTable
from vision.simulated.scene import GLASS as SIMULATED

#: what is no bead of the game, and of hues that go by the name of one
STRANGE = {
    "brown": (35, 55, 100),
    "tan": (110, 160, 205),
    "maroon": (40, 25, 90),
    "olive": (40, 100, 110),
    "turquoise": (170, 170, 50),
}


@pytest.mark.quick(10)
@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("table", ["walnut", "white cloth"])
@pytest.mark.parametrize("some", [1, 2, 8])
def test_a_stranger_among_beads_is_none_of_them(table: str, strange: str, some: int) -> None:
    painting = Painting(TABLES[table]).grain(0.05)
    names = [name for name in GLASS for _ in range(5)] + [strange] * some
    order = np.random.default_rng(some).permutation(len(names))
    lying = [(names[k], *PLACES[i]) for i, k in enumerate(order)]
    for name, x, y in lying:
        painting.disc(x, y, RADIUS, {**GLASS, **STRANGE}[name])
    found = namesakes.compared(beads.find(painting.photo(), FlatPlane()))
    told = {bead.centre_px: bead.colour for bead in found if not bead.why}
    at = {place: min(lying, key=lambda thing: math.dist(thing[1:], place))[0] for place in told}
    assert told == at
    if some == 1:
        assert len(told) == 20


@pytest.mark.parametrize("table", TABLES)
def test_a_lamp_at_one_end_of_the_table_makes_none_strange(table: str) -> None:
    painting = Painting(TABLES[table]).grain(0.05)
    strewn(painting)
    found = beads.find(painting.lamp(150, 120, 500, 0.3).photo(), FlatPlane())
    assert namesakes.compared(found) == found


def named(strange: str, names: tuple[str, ...], table: str = "oak") -> set[str]:
    """What 7 strange ones among 21 others are called that markers tell the light of."""
    paint = {**GLASS, "orange": (30, 110, 230), **STRANGE}
    order = [strange, *(name for name in paint if name not in STRANGE)]
    painting = Painting(TABLES[table]).grain(0.05)
    painting.rectangle(20, 20, 80, 80, (205, 205, 205)).rectangle(30, 30, 60, 60, (20, 20, 20))
    marker = np.array([(30, 30), (90, 30), (90, 90), (30, 90)]) - 0.5
    lying = [(strange if i % 4 == 0 else order[1 + i % 5], x, y) for i, (x, y) in enumerate(PLACES[:28])]
    for name, x, y in lying:
        painting.disc(x, y, RADIUS, paint[name])
    palette = beads.named(names)
    photo = painting.photo(cast=(0.7, 0.9, 1.0))
    found = namesakes.compared(beads.find(photo, FlatPlane(), markers=[marker], palette=palette), palette)
    told = {b.centre_px: "?" if b.why else b.colour for b in found}
    at = {place: min(lying, key=lambda thing: math.dist(thing[1:], place))[0] for place in told}
    assert all(said in (at[place], "?") for place, said in told.items() if at[place] != strange)
    return {said for place, said in told.items() if at[place] == strange}


@pytest.mark.parametrize("table", TABLES)
def test_brown_tokens_are_told_beside_red_and_orange_ones(table: str) -> None:
    colours = ("red", "orange", "yellow", "green", "blue", "brown")
    assert named("brown", colours, table) == {"brown"}
    assert named("maroon", colours, table) == {"?"}


def test_no_brown_ones_are_told_where_there_are_none() -> None:
    assert named("brown", ("red", "orange", "yellow", "green", "blue")) == {"?"}


def test_brown_has_a_hue_of_its_own_where_red_and_orange_are_not_used() -> None:
    assert beads.by_hue(beads.named(("brown", "blue"))) == beads.named(("brown", "blue"))
    assert beads.BROWN not in beads.by_hue(beads.named(("red", "brown", "blue")))
    painting = Painting(TABLES["grey cloth"])
    lying = [("brown" if i % 2 else "blue", x, y) for i, (x, y) in enumerate(PLACES[:10])]
    for name, x, y in lying:
        painting.disc(x, y, RADIUS, {**GLASS, **STRANGE}[name])
    palette = beads.named(("brown", "blue"))
    told = namesakes.compared(beads.find(painting.photo(), FlatPlane(), palette=palette), palette)
    assert sorted(bead.colour for bead in told if not bead.why) == sorted(name for name, _, _ in lying)


def bead(
    look: tuple[float, float, float], colour: str = "red", why: str = "", at: tuple[float, float] = (0.0, 0.0)
) -> Bead:
    return Bead(colour, at, (0.0, 0.0), 20.0, 0.98, ((colour, 0.98),), why, look)


def in_a_row(*found: Bead) -> list[Bead]:
    return [replace(bead, centre_px=(100.0 * i, 0.0)) for i, bead in enumerate(found)]


RED, SHADED, BROWN = (30.8, 0.19, 4.04), (31.5, 0.17, 3.6), (48.7, -0.52, 3.79)


def test_most_of_a_name_must_be_alike() -> None:
    few = namesakes.compared(in_a_row(bead(RED), bead(SHADED), bead(RED), bead(BROWN)))
    assert [b.why for b in few] == ["", "", "", "not like the other red ones"]
    assert few[3].confidence < 0.5
    more = namesakes.compared(in_a_row(bead(RED), bead(SHADED), bead(BROWN)))
    assert all(b.why for b in more)
    assert not namesakes.compared([bead(BROWN)])[0].why, "there is nothing to compare it with"
    others = in_a_row(bead(RED), bead(BROWN, "orange"), bead(BROWN, why="outline"))
    assert namesakes.compared(others) == others, "those of another name and those in doubt count for nothing"


def test_hues_go_round_in_a_circle() -> None:
    found = in_a_row(*(bead((hue, 0.2, 4.0)) for hue in (355.0, 2.0, 358.0)))
    assert namesakes.compared(found) == found


looks = st.tuples(st.floats(0, 60), st.floats(-1, 0.3), st.floats(3, 4.5))


places = st.tuples(st.integers(0, 9).map(lambda x: 30.0 * x), st.integers(0, 3).map(lambda y: 50.0 * y))


@given(st.lists(st.builds(bead, looks, st.sampled_from(["red", "blue"]), at=places), max_size=12), st.randoms())
def test_who_is_asked_about_does_not_depend_on_the_order(found: list[Bead], random: Random) -> None:
    told = namesakes.compared(found)
    order = list(range(len(found)))
    random.shuffle(order)
    assert namesakes.compared([found[i] for i in order]) == [told[i] for i in order]
    assert namesakes.compared(told) == told


@pytest.mark.thorough
def test_a_stranger_laid_and_taken_is_asked_about_while_it_lies_there() -> None:
    """Where only what changed is looked at, too: it makes doubtful, and no more, what lies elsewhere."""
    house = House.of("fiji")
    table = SimulatedTable(house.faces, 3, look=Look(glass={**SIMULATED, "brown": (35, 55, 100)}))
    reds = tuple(BeadAt("red", (150.0 + 40 * i, 420.0)) for i in range(2))
    laid = BeadAt("brown", (400.0, 300.0))
    scenes = [Scene((), reds), Scene((), (*reds, laid)), Scene((), reds)]
    follower, observer, changed = Follower(Observer(house.deck)), Observer(house.deck), None
    told = []
    for scene in scenes:
        photo = table.render(scene)
        seen = follower.observe(photo, changed)
        whole = observer.observe(photo)
        assert [len(seen.beads), len(seen.unsure)] == [len(whole.beads), len(whole.unsure)]
        told.append([len(seen.beads), *(d.why for d in seen.unsure)])
        x, y = table.truth(scenes[1])["beads"][2]["centre_px"]
        changed = [(int(x) - 60, int(y) - 60, int(x) + 60, int(y) + 60)]
    assert told == [[2], [0, *["not like the other red ones"] * 3], [2]]
    assert "markers" not in seen.stages
