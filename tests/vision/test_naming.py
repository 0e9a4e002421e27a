"""Names of scattered things: what a hue alone tells, and what only the others on the photo do."""

from __future__ import annotations

import numpy as np
import pytest

from vision import beads, naming
from vision.scattered import Scatter
from vision.smooth import Thing

Looks = tuple[float, float, float]  #: hue (degrees), strength (chroma over lightness), lightness (L*)

RED, ORANGE, YELLOW, GREEN = (28, 1.0, 38), (60, 0.95, 58), (94, 0.7, 95), (126, 0.85, 60)
OLIVE, PLUM, BROWN = (113, 0.75, 65), (3, 0.5, 15), (52, 0.66, 30)
VIOLET, PINK = (345, 0.55, 38), (10, 0.62, 66)


def thing(look: Looks, place: int = 0, **changed: float) -> Thing:
    """A round, smooth thing of this look, the so many'th in a row."""
    hue, strength, light = look
    chroma = strength * (light + 16)
    lab = np.array([light, chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))])
    looks = {"radius": 20.0, "long": 1.0, "misfit": 0.02, "triangular": 0.01, "square": 0.01, "seen": 1.0, "even": 1.0}
    return Thing(centre=(100.0 * place, 50.0), lab=lab, **(looks | changed))


def named(palette: tuple[str, ...], *things: Thing | Looks) -> list[str]:
    """What they are called; "?" and the reason where that is in doubt."""
    all_ = tuple(t if isinstance(t, Thing) else thing(t, i) for i, t in enumerate(things))
    found = naming.named(Scatter(all_, np.zeros((9, 9), np.uint8), 1.0), beads.named(palette))
    return [f"? {b.why}" if b.why else b.colour for b in found]


FOUR = ("red", "yellow", "green", "purple")
SIX = ("red", "orange", "yellow", "green", "blue", "purple")
BETWEEN = "? colour between two"


def test_plain_hues_tell_their_names_alone() -> None:
    assert named(SIX, RED) == ["red"]
    assert named(SIX, ORANGE, YELLOW, GREEN) == ["orange", "yellow", "green"]


def test_a_dark_olive_one_is_green_beside_yellow_ones_only() -> None:
    assert named(FOUR, YELLOW, YELLOW, OLIVE) == ["yellow", "yellow", "green"]
    assert named(FOUR, YELLOW, OLIVE, RED) == ["yellow", BETWEEN, "red"]
    assert named(FOUR, YELLOW, YELLOW, (113, 0.75, 97))[2] == BETWEEN, "one as bright as they are may be yellow"
    assert named(FOUR, (101, 0.7, 95), (101, 0.7, 95), (107, 0.75, 65))[2] == BETWEEN, "one hardly greener, too"
    assert named(("red", "yellow"), YELLOW, YELLOW, OLIVE)[2] == BETWEEN, "a game without green has no green ones"


def test_yellow_that_leans_to_green_is_not_yellow_for_its_neighbours() -> None:
    assert named(FOUR, (101, 0.7, 95), (101, 0.7, 95), (105, 0.7, 93)) == ["yellow", "yellow", BETWEEN]


def test_a_dull_one_is_purple_beside_red_ones_only() -> None:
    assert named(FOUR, RED, RED, PLUM) == ["red", "red", "purple"]
    assert named(FOUR, GREEN, YELLOW, PLUM)[2] == BETWEEN
    assert named(FOUR, RED, RED, (3, 0.95, 15))[2] == BETWEEN, "one as strong as red may be crimson"
    assert named(FOUR, RED, RED, (22, 0.6, 15))[2] == BETWEEN, "one of red's hue may be red in a shadow"
    assert named(("red", "yellow"), RED, RED, PLUM)[2] == BETWEEN
    assert named(FOUR, (24, 0.85, 30), (24, 0.85, 30), (19, 0.68, 26))[2] == BETWEEN, "nor is it red for being like it"


def test_violet_is_purple_and_pink_is_neither() -> None:
    assert named(FOUR, GREEN, YELLOW, VIOLET)[2] == "purple"
    assert named(FOUR, RED, RED, RED, PINK)[3] == BETWEEN
    assert named(FOUR, RED, RED, RED, (350, 0.6, 70))[3] == BETWEEN
    assert named(("red", "green"), GREEN, GREEN, VIOLET)[2].startswith("?")


def test_brown_is_told_beside_brighter_red_and_orange_ones() -> None:
    assert named(SIX, RED, ORANGE, ORANGE, BROWN) == ["red", "orange", "orange", "brown"]
    assert named(SIX, GREEN, YELLOW, BROWN)[2] == BETWEEN
    assert named(SIX, ORANGE, ORANGE, (58, 0.95, 30))[2] == BETWEEN, "as strong as orange: it lies in a shadow"
    assert named(FOUR, RED, RED, BROWN)[2] == BETWEEN, "a game without orange has no brown ones"


def test_a_red_one_much_darker_or_nearer_to_orange_than_the_others_is_odd() -> None:
    odd = f"? {naming.ODD}"
    assert named(FOUR, RED, RED, RED, (24, 0.85, 12)) == ["red", "red", "red", odd]
    assert named(FOUR, RED, RED, RED, (38, 1.0, 40)) == ["red", "red", "red", odd]
    assert named(SIX, *[(34, 1.05, 52)] * 3, (39, 0.72, 25))[3] == odd, "a brown one in a cold light"
    assert named(FOUR, RED, (24, 0.85, 12)) == ["red", "red"], "of two nobody knows which is odd"


def test_what_is_nearly_black_is_asked_about() -> None:
    assert named(FOUR, RED, RED, (3, 0.1, 8))[2] == "? pale"


def test_a_hue_near_its_neighbour_goes_by_what_it_is_like() -> None:
    near = (123, 0.85, 60)  # not surely green where yellow and purple ones are named
    assert named(SIX, near, RED)[0] == BETWEEN
    assert named(SIX, near, GREEN)[0] == "green"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"misfit": 0.08}, "outline"),
        ({"triangular": 0.08}, "outline"),
        ({"square": 0.05}, "outline"),
        ({"seen": 0.5}, "outline"),
        ({"long": 2.0}, "outline"),
        ({"even": 0.4}, "uneven colour"),
    ],
)
def test_what_has_not_a_beads_shape_is_asked_about(changed: dict[str, float], why: str) -> None:
    green = (126, 0.85, 70)
    assert named(FOUR, green, thing(green, 1, **changed)) == ["green", f"? {why}"]


def test_two_that_seem_to_lie_half_in_each_other_are_asked_about() -> None:
    assert named(FOUR, thing(GREEN), thing(GREEN, 0, radius=22.0), thing(GREEN, 3)) == ["? outline"] * 2 + ["green"]


def test_whoever_is_in_doubt_is_not_said_to_be_sure() -> None:
    things = tuple(thing(look, i) for i, look in enumerate((RED, RED, PLUM, OLIVE, PINK, (3, 0.1, 8))))
    for bead in naming.named(Scatter(things, np.zeros((9, 9), np.uint8), 1.0), beads.named(FOUR)):
        assert (bead.confidence < 0.5) == bool(bead.why)
        assert bead.candidates[0][0] == bead.colour
