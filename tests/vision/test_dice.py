import math

import cv2
import numpy as np
import pytest

from vision import contour, dice, pips
from vision.deck import Deck, Piece
from vision.dice import Face
from vision.observe import Observer
from vision.patterns import PATTERNS
from vision.pieces import PieceFinder
from vision.seen import DIE
from vision.things import DICE, NAMES, Thing
from vision.thrown import judged

SIDE = 40.0
TABLE = (150, 160, 165)
INKS = [((245, 245, 245), (20, 20, 20)), ((40, 40, 190), (240, 240, 240)), ((40, 35, 35), (60, 60, 220))]
ON_TABLE = (120.0, 100.0)


def table() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A table top with some grain."""
    grain = np.random.default_rng(4).normal(0, 2, (200, 240, 3))
    return np.clip(np.array(TABLE) + grain, 0, 255).astype(np.uint8)


def place_of(site: tuple[float, float], turn: float) -> tuple[float, float]:
    """Where a site of a die's face is on the picture."""
    c, s = math.cos(turn), math.sin(turn)
    x, y = (0.26 * SIDE * v for v in site)
    return ON_TABLE[0] + c * x - s * y, ON_TABLE[1] + s * x + c * y


def spot(picture: np.ndarray, place: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> None:
    centre = (round(place[0] * 16), round(place[1] * 16))
    cv2.circle(picture, centre, round(radius * 16), colour, -1, cv2.LINE_AA, 4)


def drawn(
    value: int, turn: float = 0.4, body: tuple[int, int, int] = INKS[0][0], ink: tuple[int, int, int] = INKS[0][1]
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A table with one die on it, as from straight above."""
    picture = table()
    box = cv2.boxPoints((ON_TABLE, (SIDE, SIDE), math.degrees(turn)))
    cv2.fillConvexPoly(picture, np.rint(box * 16).astype(np.int32), body, cv2.LINE_AA, 4)
    for site in PATTERNS[value]:
        spot(picture, place_of(site, turn), 0.1 * SIDE, ink)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def sure(faces: list[Face]) -> list[int]:
    return [face.values[0] for face in faces if not face.why]


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(("body", "ink"), INKS)
@pytest.mark.parametrize("turn", [0.0, 0.4, 1.2])
def test_a_die_of_any_colour_in_any_turn_is_read(
    value: int, body: tuple[int, int, int], ink: tuple[int, int, int], turn: float
) -> None:
    faces = dice.find(drawn(value, turn, body, ink))
    assert sure(faces) == [value]
    assert math.dist(faces[0].middle, ON_TABLE) < 2
    assert faces[0].half == pytest.approx(SIDE / 2, rel=0.15)


@pytest.mark.parametrize("factor", [0.6, 1.7, 3.0])
def test_a_die_is_read_at_any_scale(factor: float) -> None:
    picture = cv2.resize(drawn(5), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    assert sure(dice.find(np.asarray(picture, np.uint8))) == [5]


@pytest.mark.parametrize(
    ("value", "site"),
    [(2, (0, 0)), (3, (0, 0)), (4, (0, 0)), (5, (0, 0))],
)
def test_a_glint_where_a_pip_would_change_the_value_is_doubt(value: int, site: tuple[int, int]) -> None:
    picture = drawn(value, body=(40, 40, 190), ink=(20, 20, 20))
    at = place_of(site, 0.4)
    cv2.ellipse(picture, (round(at[0]), round(at[1])), (9, 5), 20, 0, 360, (225, 215, 235), -1, cv2.LINE_AA)
    assert sure(dice.find(picture)) == []


def test_a_pip_that_a_glint_hides_is_told_by_the_others() -> None:
    picture = drawn(6, body=(40, 40, 190), ink=(20, 20, 20))
    at = place_of((1, 1), 0.4)
    cv2.ellipse(picture, (round(at[0]), round(at[1])), (6, 4), 20, 0, 360, (225, 215, 235), -1, cv2.LINE_AA)
    assert sure(dice.find(picture)) in ([], [6])


def test_spots_on_a_table_are_no_die() -> None:
    for value in (1, 2, 3):
        picture = table()
        for site in PATTERNS[value]:
            spot(picture, place_of(site, 0.4), 4, (20, 20, 20))
        assert sure(dice.find(picture)) == []


def test_an_empty_table_has_no_dice() -> None:
    assert dice.find(table()) == []
    assert len(pips.find(np.full((8, 8, 3), 90, np.uint8))) == 0


def test_a_contour_is_drawn_where_a_disc_ends() -> None:
    picture = table()
    spot(picture, (100.0, 90.0), 30, (30, 30, 200))
    lab = pips.lab(picture)
    line = contour.around(lab, np.array([103.0, 88.0]), 10, 60, np.zeros((0, 2)), np.zeros(0))
    away = np.hypot(*(line.line - (100, 90)).T)
    assert np.abs(away - 30).max() < 2.5
    assert line.half == pytest.approx(30 * math.sqrt(math.pi) / 2, rel=0.05)
    assert line.holds(np.array([[100.0, 90.0], [100.0, 125.0]])).tolist() == [True, False]


def shares(**named: float) -> Thing:
    """A thing of which the networks say this."""
    values = np.array([named.get(f"v{name}", named.get(name, 0.0)) for name in NAMES], np.float32)
    assert values[DICE].sum() <= 1
    return Thing((0.0, 0.0), values, 18.0)


def face(values: tuple[int, ...], count: int, why: str = "") -> Face:
    return Face(values, (50.0, 50.0), 20.0, count, 0.95, (40.0, 40.0, 190.0), why)


@pytest.mark.parametrize(
    ("seen", "said", "acted_on"),
    [
        (face((5,), 5), shares(v5=0.3, v6=0.3), True),
        (face((5,), 5), shares(block=0.99), False),
        (face((5,), 5), shares(v6=0.95), False),
        (face((1,), 1), shares(v1=0.9), True),
        (face((1,), 1), shares(v3=0.5, v1=0.3), False),
        (face((3, 5), 3, "may show 5"), shares(v3=0.99), False),
        (face((2,), 2, "its pips are not clear"), shares(v2=0.99), False),
    ],
)
def test_pips_and_networks_must_agree_where_pips_are_few_or_doubtful(seen: Face, said: Thing, acted_on: bool) -> None:
    die = judged(seen, said)
    assert (die is not None and not die.why) == acted_on


def test_dice_are_found_on_a_photo_without_markers() -> None:
    picture = np.tile(drawn(4, body=(40, 40, 190), ink=(240, 240, 240)), (2, 2, 1))
    found = PieceFinder(()).dice(picture)
    assert [(d.piece, d.colour, d.value, d.why, d.place) for d in found] == [(DIE, "red", 4, "", None)] * 4


def test_a_deck_that_holds_but_a_die_reads_dice_of_any_colour_without_markers() -> None:
    cut = drawn(3, body=(200, 60, 30), ink=(240, 240, 240))[60:140, 80:160]
    mask = np.where(np.hypot(*(np.indices((80, 80)) - 40)) < 20, 255, 0).astype(np.uint8)
    deck = Deck("anything", (), (Piece("die", np.ascontiguousarray(cut), mask, 2.0, (0.0, 0.0, 900.0)),))
    photo = np.tile(drawn(6, body=(40, 40, 190), ink=(240, 240, 240)), (3, 3, 1))
    seen = Observer(deck, without_markers=True).observe(photo)
    assert seen.ok
    assert [(p.piece, p.colour, p.value, p.centre) for p in seen.pieces] == [(DIE, "red", 6, None)] * 9
    assert Observer(deck).observe(photo).pieces == ()
