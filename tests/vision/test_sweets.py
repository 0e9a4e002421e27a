"""Sweets and other small round things by the light of a window, on a photo that nothing tells the scale of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.painting import GLASS, FlatPlane, Image, Painting
from vision import beads, namesakes, unscaled
from vision.beads import Bead, doubted
from vision.roundness import OVAL
from vision.scattered import Scatter

REAL = Path(__file__).resolve().parents[3] / "shared/real/opencv"
RADIUS = 24.0
PAINT = GLASS | {
    "white": (235, 240, 240), "pink": (150, 140, 215), "plum": (62, 42, 92), "orange": (40, 105, 225),
    "vermilion": (40, 84, 205), "brown": (35, 48, 84), "olive": (12, 98, 86),
}  # B, G, R  # fmt: skip
Disc = tuple[str, float, float]


def apart(*names: str) -> list[Disc]:
    """Discs in rows, none near another."""
    return [(name, 120.0 + 150 * (i % 4), 100.0 + 130 * (i // 4)) for i, name in enumerate(names)]


WHITE, PINE = (190, 195, 198), (120, 170, 205)


def strewn(
    discs: list[Disc], shade: float = 0.0, radius: float = RADIUS, table: tuple[int, int, int] = WHITE
) -> Painting:
    """Discs on an even, pale table; a window throws a long, soft shadow of each."""
    painting = Painting(table, (720, 480), 5)
    height, width = painting.light.shape[:2]
    y, x = np.mgrid[:height, :width]
    for _, u, v in discs:
        for step in range(3):
            there = np.exp(-0.5 * (np.hypot(x - u + (0.5 + 0.6 * step) * radius, y - v - 0.2 * radius) / radius) ** 2)
            painting.light *= (1 - shade / (1 + step) * there)[..., None]
    for name, u, v in discs:
        painting.disc(u, v, radius, PAINT[name], glass=True)
    return painting


def told(found: list[Bead], discs: list[Disc]) -> list[str]:
    """What is said of each disc: its colour, "?" or "" for nothing."""
    said = []
    for _, u, v in discs:
        near = [b for b in found if np.hypot(b.centre_px[0] - u, b.centre_px[1] - v) < RADIUS / 2]
        said.append("?" if any(b.why for b in near) else near[0].colour if near else "")
    return said


NAMES = ("red", "green", "blue", "yellow", "red", "green", "blue", "yellow", "red", "yellow")


@pytest.mark.quick(1)
@pytest.mark.parametrize("shade", [0.3, 0.5, 0.65])
def test_a_soft_shadow_is_table(shade: float) -> None:
    discs = apart(*NAMES)
    found = unscaled.find(strewn(discs, shade).photo(), beads.PALETTE)
    assert told(found, discs) == list(NAMES)
    assert len(found) == len(discs)


def test_a_soft_shadow_is_table_beside_markers_too() -> None:
    discs = apart(*NAMES)
    found = beads.find(strewn(discs, 0.5).photo(), FlatPlane(RADIUS / 7))
    assert told(found, discs) == list(NAMES)


def test_an_upright_board_throws_a_shadow_and_is_no_bead() -> None:
    """A player's screen: each end of its upper edge is as large as a bead, and shade lies beside it."""
    discs = apart(*NAMES[:4])
    painting = strewn(discs, 0.5)
    painting.light[330:372, 60:600] *= np.linspace(1, 0.35, 42)[:, None, None]
    painting.rectangle(60, 372, 540, 26, PAINT["red"])
    seen = beads.find(painting.photo(), FlatPlane(RADIUS / 7))
    assert told(seen, discs) == list(NAMES[:4])
    assert len(seen) == len(discs)


def test_pale_things_hide_no_table_from_what_they_touch() -> None:
    """A heap on a dark tray, most of it of no colour of the game."""
    random = np.random.default_rng(2)
    places = [(150 + (2.06 * i + 1.03 * (j % 2)) * RADIUS, 100 + 1.79 * RADIUS * j) for j in range(6) for i in range(7)]
    names = random.choice(["white", "pink", "blue", "yellow", "green"], len(places), p=[0.25, 0.25, 0.2, 0.2, 0.1])
    discs = [(str(name), x, y) for name, (x, y) in zip(names, places, strict=True)]
    tray = Painting((70, 66, 62), (720, 480), 5)
    for name, x, y in discs:
        tray.disc(x, y, RADIUS, PAINT[name])
    said = told(unscaled.find(tray.photo(), beads.PALETTE), discs)
    for name, one in zip(names, said, strict=True):
        assert one in ({"", "?"} if name in ("white", "pink") else {str(name)})


def test_pink_is_not_red() -> None:
    discs = apart("pink", "pink", "pink", "red", "blue", "green", "blue", "green")
    found = unscaled.find(strewn(discs).photo(), beads.PALETTE)
    assert told(found, discs) == ["?", "?", "?", "red", "blue", "green", "blue", "green"]


def test_plum_is_purple_on_a_white_table_and_asked_about_elsewhere() -> None:
    names = ["plum", "plum", "plum", "blue", "green", "yellow", "green", "yellow"]
    discs = apart(*names)
    found = unscaled.find(strewn(discs).photo(), beads.SIX)
    assert told(found, discs) == ["purple"] * 3 + names[3:]
    found = unscaled.find(strewn(discs, table=PINE).photo(), beads.SIX)
    assert told(found, discs) == ["?"] * 3 + names[3:]


def test_brown_is_told_beside_red_and_orange_only() -> None:
    discs = apart("brown", "brown", "red", "red", "orange", "orange", "green", "blue")
    names = [name for name, _, _ in discs]
    image = strewn(discs, 0.5).photo()
    assert told(unscaled.find(image, beads.SIX), discs) == names
    assert told(unscaled.find(image, beads.PALETTE), discs)[:2] == ["?", "?"], "a game without orange has no brown ones"
    plums = strewn([("plum" if name == "brown" else name, x, y) for name, x, y in discs], 0.5)
    plums.light *= (0.7, 0.9, 1.1)  # B, G, R: a lamp
    assert "brown" not in told(unscaled.find(plums.photo(), beads.SIX), discs), "purple in warm light"
    alone = apart("brown", "brown", "brown", "green", "green", "blue", "blue", "yellow")
    assert "brown" not in told(unscaled.find(strewn(alone).photo(), beads.SIX), alone)


def test_red_in_a_shadow_is_not_brown() -> None:
    discs = apart("red", "red", "red", "orange", "orange", "green", "blue", "red")
    painting = strewn(discs)
    painting.light[220:400, 500:] *= 0.3
    said = told(unscaled.find(painting.photo(), beads.SIX), discs)
    assert said[:7] == [name for name, _, _ in discs[:7]]
    assert said[7] in ("red", "?")


def blob(image: Image, x: float, y: float, colour: str, long: float = 0.0, corners: float = 0.0) -> None:
    """Paint a disc that is not quite one: longer than wide, or a little three-cornered."""
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = RADIUS * (1 + long * np.cos(2 * turn) + corners * np.cos(3 * turn))
    outline = np.array([x, y]) + reach[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    cv2.fillPoly(image, [np.rint(16 * outline).astype(np.int32)], PAINT[colour], cv2.LINE_AA, 4)


@pytest.mark.parametrize(("long", "corners"), [(0.25, 0.0), (0.0, 0.09)])
def test_what_is_not_round_is_asked_about_beside_round_ones(long: float, corners: float) -> None:
    discs = apart("red", "red", "green", "blue")
    image = strewn(discs).photo()
    blob(image, 300, 330, "red", long, corners)
    found = unscaled.find(image, beads.PALETTE)
    assert told(found, [*discs, ("red", 300.0, 330.0)]) == ["red", "red", "green", "blue", "?"]


def test_who_is_in_doubt_already_stays_so_for_the_same_reason() -> None:
    bead = Bead("red", (0.0, 0.0), (0.0, 0.0), 9.0, 0.31, (("red", 0.98), ("blue", 0.02)), "pale")
    assert doubted(bead, OVAL) == bead
    sure = doubted(Bead("red", (0.0, 0.0), (0.0, 0.0), 9.0, 0.99, bead.candidates), OVAL)
    assert (sure.why, sure.confidence) == (OVAL, 0.49)


def test_nearly_round_will_do_beside_a_round_one_of_its_colour() -> None:
    discs = apart("green", "green", "blue", "blue")
    image = strewn(discs, table=PINE).photo()  # on a white one outlines are told otherwise
    for x, y, name in ((120, 250, "red"), (270, 250, "red")):
        blob(image, x, y, name)
    for x, y, name in ((420, 250, "red"), (570, 250, "yellow")):
        blob(image, x, y, name, corners=0.055)
    said = told(unscaled.find(image, beads.PALETTE), [("", x, 250.0) for x in (120.0, 270.0, 420.0, 570.0)])
    assert said == ["red", "red", "red", "?"]


def test_a_thing_of_two_colours_is_asked_about() -> None:
    discs = apart("red", "red", "green", "blue")
    image = strewn(discs).photo()
    blob(image, 300, 330, "blue")
    half = image[:, 300:]
    half[np.abs(half.astype(int) - PAINT["blue"]).sum(axis=2) < 20] = (140, 120, 60)
    (found,) = [b for b in unscaled.find(image, beads.PALETTE) if abs(b.centre_px[1] - 330) < RADIUS]
    assert found.why == "uneven colour"


@pytest.mark.parametrize(("ground", "length", "softness"), [(190, 30, 0.6), (228, 42, 0.6), (228, 42, 1.2)])
def test_long_print_with_round_ends_is_no_bead(ground: int, length: int, softness: float) -> None:
    image = Painting((ground, ground + 5, ground + 8), (600, 480), 5).photo()
    for x in (80, 290, 470):
        for y in (133, 233, 288):
            cv2.line(image, (x, y), (x + length, y - 4), (145, 50, 110), 41, cv2.LINE_AA)
    found = unscaled.find(np.asarray(cv2.GaussianBlur(image, (0, 0), softness), np.uint8), beads.SIX)
    assert not [b for b in found if not b.why]


def test_a_few_round_things_are_asked_about() -> None:
    discs = apart("green", "yellow")
    found = unscaled.find(strewn(discs, 0.4).photo(), beads.PALETTE)
    assert told(found, discs) == ["?", "?"]
    assert {b.why for b in found} == {unscaled.FEW}


def raised(image: Image) -> Image:
    """The photo with its contrast raised until red is nothing but red."""
    return np.asarray(np.clip((image.astype(float) - 60) * 1.5, 0, 255).astype(np.uint8))


def test_orange_is_told_from_red_where_contrast_was_raised_until_red_has_no_green() -> None:
    discs = apart("red", "red", "red", "orange", "orange", "green", "green", "green")
    image = raised(strewn(discs).photo())
    assert told(unscaled.find(image, beads.SIX), discs) == [name for name, _, _ in discs]
    asked = unscaled.find(image, beads.PALETTE)
    assert told(asked, discs)[3:5] != ["red", "red"], "without orange among the names they are no red ones either"


def test_what_lies_between_red_and_orange_on_such_a_photo_is_asked_about() -> None:
    discs = apart("red", "red", "red", "orange", "orange", "green", "green", "green")
    painting = strewn(discs)
    painting.disc(420.0, 360.0, RADIUS, PAINT["vermilion"], glass=True)
    found = unscaled.find(raised(painting.photo()), beads.SIX)
    assert told(found, [*discs, ("vermilion", 420.0, 360.0)]) == [*(name for name, _, _ in discs), "?"]


@pytest.mark.shared
def test_real_sweets_on_a_table() -> None:
    image = cv2.imread(str(REAL / "smarties.png"))
    if image is None:
        pytest.skip("the real photographs are not here")
    six = unscaled.find(np.asarray(image, np.uint8), beads.SIX)
    assert Counter(b.colour for b in six if not b.why) == {"red": 4, "blue": 3, "green": 3, "orange": 2}
    browns = unscaled.find(np.asarray(image, np.uint8), beads.named(("red", "orange", "green", "blue", "brown")))
    assert Counter(b.colour for b in browns if not b.why) == {"red": 4, "blue": 3, "green": 3, "orange": 2, "brown": 1}
    found = unscaled.find(np.asarray(image, np.uint8), beads.PALETTE)
    assert Counter(b.colour for b in found if not b.why) == {"red": 4, "blue": 3, "green": 3}
    orange = {(205, 210), (134, 327)}
    for x, y in orange:
        assert [b.why for b in found if np.hypot(b.centre_px[0] - x, b.centre_px[1] - y) < 10] != [""]
    assert sum(bool(b.why) for b in found) <= 4  # the orange ones, a black one that the edge cuts


def test_olive_is_not_yellow_where_nothing_tells_the_light() -> None:
    discs = apart("olive", "olive", "red", "green", "blue", "red", "green", "blue")
    found = unscaled.find(strewn(discs, table=PINE).photo(), beads.SIX)
    assert told(found, discs)[2:] == [name for name, _, _ in discs[2:]]
    assert "yellow" not in told(found, discs)


def ball(colour: str, why: str = "") -> Bead:
    return Bead(colour, (0.0, 0.0), (0.0, 0.0), 20.0, 0.4 if why else 0.98, ((colour, 0.98),), why)


def test_a_dark_dull_orange_one_is_no_orange_one_though_the_others_may_be_no_beads() -> None:
    """Chocolates of many colours in a heap: most were not surely beads, and brown ones were told as orange."""
    looks = np.array([(52.0, np.log(0.73), np.log(43)), *[(59.0, np.log(0.95), np.log(74))] * 3])
    heaped = [ball("orange"), *[ball("orange", "not on the table top")] * 3]
    assert [b.colour for b in namesakes.browns(heaped, looks, beads.SIX) if not b.why] == []
    assert [b.colour for b in namesakes.browns([ball("orange")] * 4, looks, beads.SIX)] == ["brown"] + ["orange"] * 3
    shaded = looks.copy()
    shaded[0, 1] = looks[1, 1]
    assert namesakes.browns(heaped, shaded, beads.SIX) == heaped, "one as strong as they are lies in a shadow"


def test_discs_and_outlines_that_gainsay_each_other_are_asked_about() -> None:
    scatter = Scatter((), np.zeros((50, 50), np.uint8), 0.1)
    thing, disc = ball("red"), ball("orange")
    (doubt,) = unscaled._joined([disc], [thing], scatter)
    assert (doubt.why, doubt.colour) == ("colour between two", "red")
    assert unscaled._joined([disc], [ball("red", "colour between two")], scatter)[0].why, "a colour is told by all"
    assert unscaled._joined([ball("red")], [ball("red", "outline")], scatter) == [ball("red")]
    assert unscaled._joined([ball("red", "pale")], [thing], scatter) == [thing]


def test_what_is_asked_about_on_the_bare_table_or_in_a_shadow_is_nothing() -> None:
    bare = Scatter((), np.zeros((50, 50), np.uint8), 0.1)
    strange = Scatter((), np.full((50, 50), 255, np.uint8), 0.1)
    thing = ball("red")

    def away(px: float, why: str) -> Bead:
        return replace(ball("yellow", why), centre_px=(px, 0.0))

    assert unscaled._joined([away(300, "size")], [thing], bare) == [thing]
    assert len(unscaled._joined([away(300, "size")], [thing], strange)) == 2
    assert len(unscaled._joined([away(300, "")], [thing], bare)) == 2
    assert unscaled._joined([away(40, "pale")], [thing], strange) == [thing]
    assert len(unscaled._joined([away(40, "size")], [thing], strange)) == 2
