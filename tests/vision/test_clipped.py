"""Sweets that the photo's edge cuts: told beside whole ones of their size and colour, and nothing else there is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.painting import GLASS, Image, Painting
from vision import beads, clipped, unscaled
from vision.beads import Bead

REAL = Path(__file__).resolve().parents[3] / "shared/real/opencv"
SIZE = (640, 420)
RADIUS = 24.0
WHITE, PINE = (190, 195, 198), (120, 170, 205)
PAINT = GLASS | {"orange": (40, 105, 225), "plum": (62, 42, 92), "vermilion": (40, 84, 205), "brown": (35, 48, 84)}
WHOLE = ("red", "green", "blue", "yellow", "red", "green", "blue", "yellow")
SIDES = ("left", "right", "top", "bottom")


def painted(table: tuple[int, int, int] = WHITE, names: tuple[str, ...] = WHOLE) -> Painting:
    """Whole sweets in two rows."""
    painting = Painting(table, SIZE, 5)
    for i, name in enumerate(names):
        painting.disc(120.0 + 130 * (i % 4), 140.0 + 130 * (i // 4), RADIUS, PAINT[name])
    return painting


def cut_at(side: str, share: float, along: float = 0.5) -> tuple[float, float]:
    """The middle of a sweet of whose width this share is seen at one side of the photo."""
    width, height = SIZE
    near, far = 2 * RADIUS * share - RADIUS - 0.5, RADIUS - 2 * RADIUS * share - 0.5
    return {
        "left": (near, along * height),
        "right": (width + far, along * height),
        "top": (along * width, near),
        "bottom": (along * width, height + far),
    }[side]


def there(found: list[Bead], x: float, y: float) -> list[Bead]:
    return [bead for bead in found if np.hypot(bead.centre_px[0] - x, bead.centre_px[1] - y) < RADIUS / 2]


@pytest.mark.quick(2)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("share", "name"), [(0.42, "green"), (0.5, "red"), (0.6, "yellow"), (0.75, "blue")])
def test_what_the_edge_leaves_of_a_sweet_is_told(side: str, share: float, name: str) -> None:
    for table in (WHITE, PINE):
        x, y = cut_at(side, share)
        found = unscaled.find(painted(table).disc(x, y, RADIUS, PAINT[name]).photo(), beads.PALETTE)
        (bead,) = there(found, x, y)
        assert (bead.colour, bead.why) == (name, "")
        assert Counter(b.colour for b in found if not b.why) == Counter([*WHOLE, name])


def test_a_third_in_the_photo_s_corner_is_told() -> None:
    x, y = 0.3 * RADIUS, SIZE[1] - 1.0
    found = unscaled.find(painted().disc(x, y, RADIUS, PAINT["green"]).photo(), beads.PALETTE)
    assert [(bead.colour, bead.why) for bead in there(found, x, y)] == [("green", "")]


@pytest.mark.quick(2)
@pytest.mark.parametrize("side", SIDES)
def test_of_less_than_a_third_nothing_is_told(side: str) -> None:
    found = unscaled.find(painted().disc(*cut_at(side, 0.3), RADIUS, PAINT["red"]).photo(), beads.PALETTE)
    assert Counter(bead.colour for bead in found if not bead.why) == Counter(WHOLE)


@pytest.mark.thorough
def test_of_another_colour_than_whole_ones_it_is_none_of_them() -> None:
    """A red that is nearly orange, a plum, a brown one: none of them is a red one that is cut."""
    for name in ("vermilion", "plum", "brown"):
        for palette in (beads.PALETTE, beads.SIX):
            x, y = cut_at("top", 0.6)
            found = unscaled.find(painted().disc(x, y, RADIUS, PAINT[name]).photo(), palette)
            assert all(bead.why or bead.colour in (name, "purple") for bead in there(found, x, y)), name


@pytest.mark.thorough
def test_green_and_blue_need_no_whole_one_of_their_name() -> None:
    """Less light makes red brown and yellow olive; what is green or blue stays so."""
    x, y = cut_at("left", 0.5)
    for name, others in (("green", "blue"), ("blue", "green"), ("red", "blue"), ("yellow", "green")):
        names = tuple({"red": others, "green": "red", "blue": "yellow"}.get(each, others) for each in WHOLE)
        names = tuple("green" if each == name else each for each in names)
        image = painted(names=names).disc(x, y, RADIUS, PAINT[name]).photo()
        whole = [bead for bead in unscaled.find(image, beads.PALETTE) if bead.centre_px[0] > 2 * RADIUS]
        (bead,) = there(clipped.added(image, whole, beads.PALETTE), x, y)
        assert (bead.colour, bool(bead.why)) == (name, name in ("red", "yellow"))


def raised(image: Image) -> Image:
    """The photo with its contrast raised until red is nothing but red."""
    return np.asarray(np.clip((image.astype(float) - 60) * 1.5, 0, 255).astype(np.uint8))


def test_where_contrast_was_raised_an_orange_one_among_red_ones_is_asked_about() -> None:
    names = ("red", "red", "red", "green", "blue", "green")
    x, y = cut_at("top", 0.6)
    cut = raised(painted(names=names).disc(x, y, RADIUS, PAINT["orange"]).photo())
    whole = raised(painted(names=(*names, "orange")).photo())
    for photo in (cut, whole):
        for palette in (beads.PALETTE, beads.SIX):
            told = Counter(bead.colour for bead in unscaled.find(photo, palette) if not bead.why)
            assert told["red"] == 3
            assert told["orange"] <= 1


@pytest.mark.parametrize(
    ("paint", "doubtful"),
    [((40, 30, 190), False), ((0, 0, 235), False), ((0, 53, 250), True), ((1, 40, 207), True), ((12, 6, 44), True)],
)
def test_orange_without_blue_and_what_is_nearly_black_may_be_no_red(
    paint: tuple[int, int, int], doubtful: bool
) -> None:
    """Beside one orange sweet nothing tells where red ends on a photo whose contrast was raised."""
    image = np.full((60, 60, 3), paint, np.uint8)
    red = Bead("red", (30.0, 30.0), (0.0, 0.0), 20.0, 0.98, (("red", 0.98),))
    assert unscaled._may_be_no_red(image, red, raised=True) == doubtful
    assert unscaled._may_be_no_red(image, red, raised=False) == (doubtful and paint[2] > 200)


@pytest.mark.quick(3)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", ["bar", "disc", "corner", "screen"])
def test_what_else_is_cut_is_no_sweet(side: str, shape: str) -> None:
    """The end of a bar as wide, a larger disc, a card's corner, a board of a sweet's colour."""
    image = painted(PINE).photo()
    x, y = np.rint(cut_at(side, 0.5))
    out = np.array({"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}[side])
    aside = out[::-1]
    square = [(-1, 0.8), (1, 0.8), (1, -4), (-1, -4)]
    corner = [(0, 1.2), (3, -1.8), (-3, -1.8)]
    if shape == "disc":
        cv2.circle(image, (int(x), int(y)), round(1.3 * RADIUS), PAINT["red"], cv2.FILLED, cv2.LINE_AA)
    else:
        lines = {"bar": square, "corner": corner, "screen": [(-5, 0.3), (5, 0.3), (5, -2), (-5, -2)]}[shape]
        outline = [np.array([x, y]) - RADIUS * (a * aside + b * out) for a, b in lines]
        cv2.fillPoly(image, [np.rint(outline).astype(np.int32)], PAINT["red"], cv2.LINE_AA)
    found = unscaled.find(image, beads.PALETTE)
    assert Counter(bead.colour for bead in found if not bead.why) == Counter(WHOLE)


def test_a_spot_printed_on_a_card_that_the_edge_cuts_is_no_sweet() -> None:
    x, y = cut_at("top", 0.6)
    painting = painted(PINE).rectangle(200, 0, 240, 70, (200, 120, 90))
    found = unscaled.find(painting.disc(x, y, RADIUS, PAINT["red"], glass=False).photo(), beads.PALETTE)
    assert Counter(bead.colour for bead in found if not bead.why) == Counter(WHOLE)


def test_two_whole_ones_do_not_tell_how_large_the_others_are() -> None:
    x, y = cut_at("left", 0.6)
    image = painted().disc(x, y, RADIUS, PAINT["red"]).photo()
    whole = [bead for bead in unscaled.find(image, beads.PALETTE) if bead.centre_px[0] > 2 * RADIUS]
    assert clipped.added(image, whole[:2], beads.PALETTE) == whole[:2]
    assert len(clipped.added(image, whole, beads.PALETTE)) == len(whole) + 1


def smarties() -> Image:
    """The photo of real sweets; the test is skipped where it is missing."""
    image = cv2.imread(str(REAL / "smarties.png"))
    if image is None:
        pytest.skip("the real photographs are not here")
    return np.asarray(image, np.uint8)


@pytest.mark.shared
def test_a_real_sweet_in_the_photo_s_corner_is_told() -> None:
    found = unscaled.find(smarties(), beads.SIX)
    assert [(b.colour, b.why) for b in found if np.hypot(b.centre_px[0] - 8, b.centre_px[1] - 355) < 8] == [
        ("green", "")
    ]


@pytest.mark.shared
@pytest.mark.parametrize("turn", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 2, 3))])
def test_a_real_photo_cut_through_sweets(turn: int) -> None:
    """Each sweet that some edge cuts is told by its colour, asked about, or left out."""
    picture = np.ascontiguousarray(np.rot90(smarties(), turn))
    whole = [b for b in unscaled.find(picture, beads.SIX) if not b.why]
    told = 0
    for cut in (60, 75, 90, 105):
        for bead in unscaled.find(np.ascontiguousarray(picture[cut:]), beads.SIX):
            (x, y), at_edge = bead.centre_px, bead.centre_px[1] < bead.radius_px
            near = [b.colour for b in whole if np.hypot(b.centre_px[0] - x, b.centre_px[1] - cut - y) < 14]
            assert bead.why or [bead.colour] == near, (cut, bead)
            told += at_edge and not bead.why
    assert told >= 2


@pytest.mark.shared
def test_what_is_left_on_a_part_of_a_real_photo_is_no_other_colour() -> None:
    """Of two orange sweets one is cut away, and of two dark ones what told that they are not red."""
    for cut in (222, 226, 237):
        found = unscaled.find(np.ascontiguousarray(smarties()[cut:]), beads.SIX)
        for x, y in ((134, 327 - cut), (152, 271 - cut)):
            assert "red" not in {b.colour for b in there(found, x, y) if not b.why}
