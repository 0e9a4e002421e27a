import math

import cv2
import numpy as np
import pytest

from vision.blanks import Pipped, Top, as_even, empty, empty_top

SIDE = 26.0
FACE, SHADE, INK = (206, 222, 228), (150, 168, 176), (52, 48, 46)
BESIDE, THERE = (50.0, 60.0), (110.0, 64.0)
Image = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def cube(
    picture: Image, middle: tuple[float, float], pips: int = 0, face: tuple[int, int, int] = FACE, side: float = SIDE,
    ink: tuple[int, int, int] = INK,
) -> None:  # fmt: skip
    """A cube whose lower side is seen as well."""
    for down, colour in ((0.35 * side, SHADE), (0.0, face)):
        box = cv2.boxPoints(((middle[0], middle[1] + down), (side, side), 12.0))
        cv2.fillConvexPoly(picture, np.rint(box * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    for i in range(pips):  # along a diagonal
        away = 0.34 * side * (2 * i - pips + 1) / max(1, pips - 1)
        x, y = middle[0] + away * math.cos(math.radians(57)), middle[1] + away * math.sin(math.radians(57))
        cv2.circle(picture, (round(16 * x), round(16 * y)), round(16 * 0.09 * side), ink, -1, cv2.LINE_AA, 4)


def photographed(picture: Image, noise: float = 2.0) -> Image:
    grain = np.random.default_rng(3).normal(0, noise, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


def table() -> Image:
    return np.full((130, 170, 3), (84, 110, 140), np.uint8)


def told(picture: Image) -> bool:
    """Whether the second of two dice has an empty face, the first having been read."""
    other = Pipped.of(picture, BESIDE, SIDE)
    top = Top.of(picture, (THERE[0] + 2, THERE[1] - 2), SIDE)
    return top is not None and empty(top, [other], [other])


@pytest.mark.parametrize("pips", [1, 2, 3])
def test_an_empty_face_is_told_by_a_die_of_the_same_make(pips: int) -> None:
    picture = table()
    cube(picture, BESIDE, pips)
    cube(picture, THERE)
    assert told(photographed(picture))
    assert Top.of(photographed(picture), THERE, SIDE).middle == pytest.approx(THERE, abs=1.0)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("pips", "side", "marked", "as_one"),
    [(3, SIDE, 0, True), (0, SIDE, 0, False), (3, 0.8 * SIDE, 0, False), (3, SIDE, 2, False)],
)
def test_a_face_of_another_make_is_as_large_and_even_as_those_with_pips_tell(
    pips: int, side: float, marked: int, as_one: bool
) -> None:
    picture = table()
    cube(picture, BESIDE, pips)
    cube(picture, THERE, marked, (40, 70, 120), side, (200, 200, 200))
    seen = photographed(picture)
    assert as_even(seen, THERE, SIDE, [Pipped.of(seen, BESIDE, SIDE)]) == as_one


@pytest.mark.parametrize(("share", "empty_die"), [(0.8, False), (0.9, True), (1.1, True), (1.25, False)])
def test_an_empty_face_is_about_as_large_as_those_beside_it(share: float, empty_die: bool) -> None:
    picture = table()
    cube(picture, BESIDE, 3)
    cube(picture, THERE, side=share * SIDE)
    assert told(photographed(picture)) == empty_die


def test_a_face_that_another_die_touches_is_told_by_its_edges() -> None:
    """Where a corner of another touches it, what is white goes on beyond it."""
    picture = table()
    cube(picture, BESIDE, 3)
    cube(picture, (THERE[0] + 10, THERE[1] - 38))
    cube(picture, THERE)
    cv2.line(picture, (round(THERE[0]) + 8, round(THERE[1]) - 30), (round(THERE[0]) + 8, round(THERE[1])), FACE, 5)
    seen = photographed(picture)
    assert Top.of(seen, THERE, SIDE) is None
    other = Pipped.of(seen, BESIDE, SIDE)
    top = empty_top(seen, (THERE[0] + 3, THERE[1] - 2), SIDE, [other], [other])
    assert top is not None
    assert top.middle == pytest.approx(THERE, abs=1.2)
    assert top.sides == pytest.approx((SIDE, SIDE), abs=2.0)


@pytest.mark.parametrize("noise", [2.0, 8.0])
def test_four_edges_make_a_face(noise: float) -> None:
    """A stripe has two, a disc has none, and grain makes none."""
    stripe, disc = table(), table()
    cv2.rectangle(stripe, (0, 50), (170, 76), FACE, -1)
    cv2.circle(disc, (110, 64), 13, FACE, -1)
    for picture in (stripe, disc, table()):
        top = Top.edged(photographed(picture, noise), THERE, SIDE)
        assert top is None or not empty(top, [Pipped(top.colour, 50.0, top)], [Pipped(top.colour, 50.0, top)])


@pytest.mark.parametrize("share", [0.4, 1.0])
def test_a_face_with_even_one_faint_pip_is_not_empty(share: float) -> None:
    picture = table()
    cube(picture, BESIDE, 3)
    faint = tuple(round(f + share * (i - f)) for f, i in zip(FACE, INK, strict=True))
    cube(picture, THERE, 1, ink=(faint[0], faint[1], faint[2]))
    assert not told(photographed(picture))


@pytest.mark.parametrize(
    ("face", "side"),
    [((150, 158, 164), SIDE), ((120, 200, 240), SIDE), (FACE, 0.84 * SIDE), (FACE, 1.25 * SIDE)],
    ids=["grey", "yellow", "smaller", "larger"],
)
def test_another_colour_or_another_size_is_no_die_of_that_make(face: tuple[int, int, int], side: float) -> None:
    picture = table()
    cube(picture, BESIDE, 2)
    cube(picture, THERE, face=face, side=side)
    assert not told(photographed(picture))


def test_a_face_on_which_there_is_a_glint_is_not_empty() -> None:
    picture = table()
    cube(picture, BESIDE, 2, face=(160, 60, 40), ink=(230, 230, 230))
    cube(picture, THERE, face=(160, 60, 40))
    assert told(photographed(picture))
    cv2.ellipse(picture, (int(THERE[0]), int(THERE[1])), (6, 4), 30, 0, 360, (255, 250, 250), -1)
    assert not told(photographed(picture))


def test_what_goes_on_or_is_none_is_no_face() -> None:
    picture = photographed(table())
    assert Top.of(picture, THERE, SIDE) is None
    assert Top.of(picture, (400.0, 300.0), SIDE) is None
    cube(picture, THERE)
    cube(picture, (THERE[0] + 0.9 * SIDE, THERE[1] + 5))  # two that touch are no square
    assert Top.of(photographed(picture), THERE, SIDE) is None


def test_pips_that_hardly_differ_do_not_tell_that_another_has_none() -> None:
    picture = table()
    cube(picture, BESIDE, 3, ink=(188, 204, 210))
    cube(picture, THERE)
    assert not told(photographed(picture))


def test_a_face_read_beyond_the_photos_end_is_none_to_hold_others_against() -> None:
    picture = photographed(table())
    for outside in ((-20.0, 60.0), (169.5, 300.0)):
        assert Pipped.of(picture, outside, SIDE).top is None
