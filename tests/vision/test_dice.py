import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.eyes import die_faces
from tests.vision.looks import face, said
from vision import contour, dice, pips
from vision.deck import Deck, Piece
from vision.dice import Face
from vision.hues import told
from vision.observe import Observer
from vision.patterns import PATTERNS
from vision.photo import Photo
from vision.pieces import PieceFinder
from vision.plane import Lens, Plane
from vision.seen import DIE, Seen
from vision.simulated.decoys import bead
from vision.sizes import alike, angular, as_large, no_ball, of_a_size, plain, tell_sides
from vision.things import BLOCK, DICE, NAMES
from vision.thrown import _Look, _uncrowded, from_above, in_place, maybe_empty, of_a_throw, once
from vision.upper import framed, judged, unrivalled
from vision.values import Value, apart

SIDE = 40.0
TABLE = (150, 160, 165)
INKS = [((245, 245, 245), (20, 20, 20)), ((40, 40, 190), (240, 240, 240)), ((40, 35, 35), (60, 60, 220))]
ON_TABLE = (120.0, 100.0)
ANY = frozenset(range(1, 7))


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


@pytest.mark.quick(18)
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


@pytest.mark.parametrize(
    ("seen", "value", "acted_on"),
    [
        (face((5,), 5), said(v5=0.5, v6=0.5), 5),
        (face((5,), 5), said(), None),
        (face((5,), 5), said(v6=0.95), 5),
        (face((3,), 3), said(v2=0.97), None),
        (face((3,), 3), said(v2=0.97, agreed=0.9), 3),
        (face((4,), 4), said(v5=0.93), 4),
        (face((4,), 4), said(v5=0.98), None),
        (face((1,), 1), said(v1=0.9), 1),
        (face((1,), 1), said(v3=0.5, v1=0.3), None),
        (face((3, 5), 3, "may show 5"), said(v3=0.99), 3),
        (face((3, 5), 3, "may show 5"), said(v5=0.97), None),
        (face((3, 5), 3, "may show 5"), said(v3=0.97, agreed=0.9), None),
        (face((3, 5), 3, "may show 5"), said(v3=0.6, v5=0.4), None),
        (face((2,), 2, "its pips are not clear"), said(v6=0.93), None),
        (face((2,), 2, "it does not end as a die does", True), said(v2=0.89), None),
        (face((2,), 2), said(v2=0.7, v3=0.1), 2),
        (face((2,), 2), said(v2=0.35, v3=0.3), None),
        (face((2,), 2), said(v2=0.7, v3=0.3), 2),
        (face((5,), 5, "its pips are not in the middle"), said(v5=0.65), 5),
        (face((5,), 5, "there may be more pips"), said(v5=0.9), None),
        (face((), 0, "no pips are seen on it"), said(v0=0.9), None),
        (face((), 0, "no pips are seen on it"), said(v2=0.9), 2),
        (face((), 0, "no pips are seen on it"), said(v2=0.8), None),
        (face((0,), 0, "no pips are seen on it"), said(v0=0.85), 0),
        (face((0,), 0, "no pips are seen on it"), said(v2=0.8), None),
        (face((4,), 4, "it does not end as a die does", True), said(v4=0.97), 4),
        (face((4,), 4, "it does not end as a die does", True), said(v5=0.97), None),
    ],
)
def test_pips_and_the_network_must_agree_where_pips_are_few_or_doubtful(
    seen: Face, value: Value, acted_on: int | None
) -> None:
    die = judged(seen, value)
    assert (die.value if die is not None and not die.why else None) == acted_on


NO_END = "it does not end as a die does"


def close(share: float, value: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """What the network that knows pieces, too, says: so likely a die of this value, else a block."""
    shares = np.zeros(len(NAMES), np.float32)
    shares[DICE.start + value], shares[BLOCK] = share, 1 - share
    return shares


@pytest.mark.parametrize(
    ("seen", "value", "other", "acted_on"),
    [
        (face((2,), 2, NO_END, True), said(v2=0.3), close(0.98, 2), 2),
        (face((1,), 1, NO_END, True), said(v1=0.6), close(0.98, 1), 1),
        (face((2,), 2, NO_END, True), said(v2=0.3), close(0.95, 2), None),
        (face((2,), 2, NO_END, True), said(v2=0.2), close(0.98, 2), None),
        (face((2,), 2, NO_END, True), said(v3=0.6, v2=0.3), close(0.98, 2), None),
        (face((2,), 2, NO_END, True), said(v2=0.6), close(0.98, 3), None),
        (face((2, 3), 2, NO_END, True), said(v2=0.6), close(0.98, 2), None),
        (face((2,), 2, "there may be more pips"), said(v2=0.6), close(0.98, 2), None),
        (face((), 0, "no pips are seen on it"), said(v2=0.6), close(0.98, 2), None),
        (face((2,), 2), said(v2=0.5), close(0.95, 2), 2),
        (face((2,), 2), said(v2=0.5), close(0.5, 2), None),
        (face((2,), 2), said(v2=0.95), close(0.5, 2), 2),
        (face((1,), 1), said(v1=0.92), close(0.95, 1), 1),
        (face((1,), 1), said(v1=0.92), close(0.95, 2), None),
    ],
)
def test_on_a_table_two_networks_must_take_it_for_a_die_or_agree_where_it_hardly_differs_from_what_it_lies_on(
    seen: Face, value: Value, other: np.ndarray, acted_on: int | None
) -> None:
    die = judged(seen, value, close=other)
    assert (die.value if die is not None and not die.why else None) == acted_on


def test_a_die_of_the_tables_colour_is_found_as_a_hint_only() -> None:
    body = (130, 141, 147)
    (hint,) = dice.look(drawn(1, body=body, ink=(240, 240, 240)))
    assert (hint.hint, hint.why, hint.values) == (True, NO_END, (1,))
    assert not dice.find(drawn(1, body=body, ink=(240, 240, 240)))


def test_an_empty_face_is_a_dies_only_beside_another_die_of_its_colour() -> None:
    def die(value: int, colour: str, x: float, why: str = "") -> Seen:
        return Seen(DIE, colour, value, (x, 0.0), (x, 0.0), 0.98, ((f"die {value}", 0.98),), why)

    def light(die: Seen) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.array([90, 0, 3], np.float32)

    empty = die(0, "white", 0.0)
    for x in (20.0, 90.0):  # dice that several people throw lie far apart
        assert not of_a_throw(empty, [empty, die(2, "white", x)], light).why
    for other in (die(2, "white", 110.0), die(2, "brown", 20.0), die(0, "white", 20.0), die(2, "white", 20.0, "glare")):
        assert of_a_throw(empty, [empty, other], light).why
    alone = die(3, "white", 0.0)
    assert of_a_throw(alone, [alone], light) is alone
    for near, even, doubted in ((20.0, True, False), (20.0, False, True), (110.0, True, True)):
        dice = [empty, die(2, "brown", near)]
        assert bool(of_a_throw(empty, dice, light, lambda *_, even=even: even).why) == doubted


def test_what_is_duller_than_the_white_die_beside_it_is_no_empty_one() -> None:
    def colour(die: Seen) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.array([100 if die.value else 86, 0, 3], np.float32)

    stone = Seen(DIE, "white", 0, (0.0, 0.0), (0.0, 0.0), 0.98, (("die 0", 0.98),), "")
    one = replace(stone, value=1, place=(30.0, 0.0))
    assert of_a_throw(stone, [stone, one], colour).why == "no die is beside it"


def test_pips_of_the_die_beside_it_are_not_its_own() -> None:
    """Of two dice that touch, pips of both may lie as one face's do; and the one pip of the other is near."""
    one, three = (judged(face((v,), v), said(**{f"v{v}": 0.97})) for v in (1, 3))
    assert one is not None
    assert three is not None
    assert in_place(one, face((1,), 1), 0.1) is one
    assert in_place(one, face((1,), 1), 1.1) is None
    assert in_place(three, face((3,), 3), 0.43) is three
    assert in_place(three, face((3,), 3), 1.1) is three, "it ends as a die does"
    assert in_place(three, replace(face((3,), 3), hint=True), 1.1) is None, "two dice beside it may show such pips"
    assert in_place(three, face((3, 4), 4), 0.1) is three
    doubted = in_place(three, face((3, 4), 4), 0.47)
    assert doubted is not None
    assert doubted.why == "its pips are not in the middle"


def test_what_looks_like_a_die_is_doubted_where_no_plain_die_is_as_large() -> None:
    three = face((3,), 3)
    assert plain(three, said(v3=0.87))
    assert not plain(three, said(v3=0.6, v5=0.4))
    assert not plain(face((1,), 1), said(v1=0.99))
    assert not plain(face((3, 5), 3, "may show 5"), said(v3=0.99))
    assert plain(face((4,), 3, "a glint or something else is on it"), said(v4=0.98))
    assert not plain(face((4,), 3, "a glint or something else is on it"), said(v4=0.96))
    one = judged(face((1,), 1), said(v1=0.9))
    assert one is not None
    assert not as_large(one, 40.0, [50.0], 1.6).why
    assert as_large(one, 40.0, [100.0, 20.0], 1.6).why == "no plain die is as large"
    assert as_large(one, 40.0, [50.0], 1.2).why
    assert as_large(one, 40.0, [], 1.6).why
    assert [bool(of_a_size(one, side).why) for side in (8.0, 10.0, 25.0, 31.0)] == [True, False, False, True]


def test_dice_of_few_pips_are_told_and_tell_how_large_dice_are_where_their_outline_is_no_balls() -> None:
    square, ball = (np.full((100, 100, 3), TABLE, np.uint8) for _ in range(2))
    cv2.rectangle(square, (32, 32), (68, 68), INKS[1][0], -1)
    cv2.circle(ball, (50, 50), 21, INKS[1][0], -1, cv2.LINE_AA)
    assert angular(square, said(v2=0.99))
    assert not angular(ball, said(v2=0.99))
    assert not angular(square, said(v2=0.9))
    one, three = (Seen(DIE, "red", value, None, (50.0, 50.0), 0.99, ()) for value in (1, 3))
    assert not no_ball(one, square, said(v1=0.99)).why
    assert no_ball(one, ball, said(v1=0.99)).why == "it may be a ball with a glint: take beads away"
    assert not no_ball(three, ball, said(v3=0.99)).why
    assert alike([40.0, 52.0, 100.0]) == [40.0, 52.0]
    assert not alike([40.0]), "one may be anything"


def test_two_that_are_surely_dice_tell_how_large_dice_are_whatever_they_show() -> None:
    picture, afar = np.full((100, 300, 3), TABLE, np.uint8), face((), 0, "no pips are seen on it")
    cv2.rectangle(picture, (32, 32), (68, 68), INKS[1][0], -1)
    cv2.rectangle(picture, (182, 32), (218, 68), INKS[1][0], -1)

    def look(x: float, agreed: float, **named: float) -> tuple[Face, Value, Seen]:
        value = replace(said(agreed, **named), middle=(x, 50.0))
        die = judged(afar, value)
        assert die is not None
        return afar, value, die

    one, other = look(50.0, 0.5, v2=0.6, v3=0.38), look(200.0, 0.7, v4=0.8, v5=0.18)
    assert tell_sides(picture, [one, other]) == [40.0, 40.0]
    assert not tell_sides(picture, [one, one, look(200.0, 1.0, v2=0.9)]), "one of them may be anything"
    assert tell_sides(picture, [(face((4,), 4), *look(50.0, 1.0, v4=0.99)[1:]), other]) == [40.0]


def test_colours_are_drawn_apart_by_which_dull_pips_are_hardly_told() -> None:
    crop = np.full((64, 64, 3), (62, 58, 60), np.uint8)
    crop += np.random.default_rng(1).integers(0, 3, crop.shape, np.uint8)
    cv2.circle(crop, (32, 32), 9, (52, 50, 80), -1)
    seen = apart(crop).astype(np.float64)
    assert np.linalg.norm(seen[32, 32] - seen[50, 50]) > 3 * np.linalg.norm(crop[32, 32] - crop[50, 50].astype(float))
    even = apart(np.full((64, 64, 3), 60, np.uint8))
    assert np.ptp(even) <= 1, "and none are made where there are none"


def test_a_die_that_is_not_told_where_it_seems_to_be_is_looked_at_where_its_pips_are() -> None:
    readers = PieceFinder(())._thrown
    picture = drawn(2)
    (pipped,) = (f for f in dice.look(picture) if f.values == (2,) and not f.hint)
    here = (pipped.middle[0] - 0.9 * SIDE, pipped.middle[1])
    assert float(readers._best_told(picture, here, SIDE, list).shares.sum()) < 0.5
    told = readers._best_told(picture, here, SIDE, lambda: [pipped])
    assert told.best == 2
    assert told.sure > 0.9


def test_a_die_that_touches_others_is_seen_from_beside_where_it_seems_to_be() -> None:
    readers = PieceFinder(())._thrown
    around: list[float] = []

    def tell(_image: object, middle: tuple[float, float], _side: float, _least: float = 0.0) -> Value:
        around.append(math.dist(middle, start) / SIDE)
        sure = middle[0] > 50 + 0.1 * SIDE and middle[1] < 50
        return replace(said(v2=0.9) if sure else said(v1=0.5, v3=0.4), agreed=1.0 if sure else 0.5, middle=middle)

    readers._values = SimpleNamespace(tell=tell)  # type: ignore[assignment]
    start = (50.0, 50.0)
    assert readers._best_told(drawn(2), start, SIDE, list).best == 2
    assert max(around) < 0.25, "no other die is so near"
    start = (10.0, 60.0)
    assert readers._best_told(drawn(2), start, SIDE, list).sure == 0, "what is sure nowhere stays in doubt"


def test_the_network_alone_does_not_say_which_of_two_values_pips_show() -> None:
    afar, glint = face((), 0, "no pips are seen on it"), face((4, 5), 4, "may show 5")
    die = judged(afar, said(v5=0.98))
    assert die is not None
    assert not unrivalled(die, afar, [face((5,), 5)]).why
    assert unrivalled(die, afar, [glint]).why == "may show 4"
    assert unrivalled(die, afar, [face((4,), 4)]).why == "may show 4"
    assert not unrivalled(die, face((4, 5), 4, "may show 5"), [glint]).why


def test_a_face_may_be_empty_where_pips_are_hardly_seen_or_no_telling_which() -> None:
    assert maybe_empty(said(v0=0.4, v1=0.3, v2=0.3))
    assert maybe_empty(said(v0=0.31, v1=0.1, v2=0.12, v3=0.11, v4=0.11, v5=0.12, v6=0.1))
    assert not maybe_empty(said(v0=0.31, v1=0.16, v2=0.36, v3=0.16))
    assert not maybe_empty(said(v3=0.9, v0=0.1))


def test_pips_just_as_many_as_the_network_says_speak_louder_than_those_that_tell_several_values() -> None:
    afar, some = face((), 0), face((4, 5, 6), 3, "there may be more pips")
    all_five = face((5,), 5, "it does not end as a die does", True)
    five, two = judged(afar, said(v5=0.98)), judged(afar, said(v2=0.98))
    assert five is not None
    assert two is not None
    assert unrivalled(five, afar, [some]).why == "may show 4"
    assert not unrivalled(five, afar, [some, all_five]).why
    assert unrivalled(five, afar, [face((4,), 4), all_five]).why == "may show 4", "but not than clear ones of another"
    assert unrivalled(two, afar, [face((2, 4), 2), face((2,), 2)]).why == "may show 4", "and two may be glints"


@pytest.mark.quick(2)
@pytest.mark.parametrize(("seed", "looks_like"), [(53, 1), (101, 1), (189, 1), (32, 2), (74, 2)])
def test_glints_on_a_ball_are_not_acted_on_as_a_die(
    seed: int, looks_like: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = np.full((200, 240, 3), 0.35, np.float32)
    bead(np.random.default_rng(seed), canvas, np.array(ON_TABLE), 44.0)
    picture = np.asarray(cv2.GaussianBlur(np.clip(canvas * 255, 0, 255).astype(np.uint8), (0, 0), 0.8), np.uint8)
    finder = PieceFinder(())
    assert all(die.why for die in finder.dice(picture))
    monkeypatch.setattr("vision.strewn.as_large", lambda die, *_: die)
    assert [die.value for die in finder.dice(picture) if not die.why] == [looks_like]


def test_a_die_seen_twice_is_told_once_and_doubted_where_the_two_differ() -> None:
    def die(value: int, x: float, confidence: float, why: str = "") -> Seen:
        return Seen(DIE, "white", value, (x, 0.0), (x, 0.0), confidence, ((f"die {value}", confidence),), why)

    assert once([die(3, 0.0, 0.95), die(3, 2.0, 0.98)]) == [die(3, 2.0, 0.98)]
    assert once([die(2, 0.0, 0.4, "glare"), die(3, 2.0, 0.98)]) == [die(3, 2.0, 0.98)]
    assert len(once([die(3, 0.0, 0.98), die(3, 12.0, 0.98)])) == 2
    (doubted,) = once([die(2, 0.0, 0.95), die(3, 2.0, 0.98)])
    assert (doubted.value, doubted.why) == (3, "may show 2")


def test_pips_of_two_dice_that_touch_are_not_a_third_between_them() -> None:
    nothing: Any = None

    def look(x: float, away: float, why: str = "") -> _Look:
        die = Seen(DIE, "brown", 2, (x, 0.0), (x, 0.0), 0.98, (("die 2", 0.98),), why)
        return _Look(die, nothing, nothing, 15.0, away)

    told = {look.die.place: look.die.why for look in _uncrowded([look(9.4, 0.5), look(0.0, 0.05), look(18.5, 0.1)])}
    assert told == {(0.0, 0.0): "", (18.5, 0.0): "", (9.4, 0.0): "its pips may be those of others"}
    assert all(not look.die.why for look in _uncrowded([look(0.0, 0.05), look(15.0, 0.5)])), "they touch"
    assert all(not look.die.why for look in _uncrowded([look(0.0, 0.05), look(2.0, 0.5)])), "it is the same die"
    assert [bool(look.die.why) for look in _uncrowded([look(0.0, 0.05, "glare"), look(9.4, 0.5)])] == [True, False]


def test_beside_a_die_only_what_nobody_told_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = PieceFinder(())._thrown
    places = [(50.0, 30.0), (30.0, 50.0), (51.0, 31.0), (10.0, 30.0)]
    around = [Value(said(v3=0.9).shares, place, 20.0, 0.0) for place in places]
    monkeypatch.setattr(readers._values, "beside", lambda image, value: around)
    photo: Any = SimpleNamespace(image=None, plane=SimpleNamespace(to_mm=lambda px: px[None]))

    def look(x: float, y: float, why: str = "") -> _Look:
        die = Seen(DIE, "white", 3, (x, y), (x, y), 0.98, (("die 3", 0.98),), why)
        return _Look(die, face((3,), 3), Value(said(v3=0.9).shares, (x, y), 20.0, 1.0), 14.0, 0.0)

    other: Any = None, np.array([10.0, 34.0])
    seen = readers._passed_over(photo, [look(30, 30), look(30, 50), look(52, 30, "doubt")], [other])
    assert [tuple(place) for place in seen] == [(50.0, 30.0)]
    assert not readers._passed_over(photo, [look(30, 30, "doubt")], [])


GREYISH_BROWN = np.array([92.0, 97.0, 115.0])  #: grey to some, brown in another light
WHITE = np.ones(3)


def test_a_faint_colour_is_told_where_only_one_of_the_boxs_dice_can_have_it() -> None:
    assert told(GREYISH_BROWN, WHITE) is None
    assert told(GREYISH_BROWN, WHITE, ("white", "brown")) == "brown"
    assert told(GREYISH_BROWN, WHITE, ("grey", "brown")) is None
    assert told(np.array([40.0, 40.0, 200.0]), WHITE, ("white", "brown")) is None
    assert told(np.array([20.0, 150.0, 254.0]), WHITE) is None, "burnt out, it may be red"


def test_a_burnt_colour_is_white_only_if_it_is_faint() -> None:
    brown, warm = np.array([157.0, 213.0, 229.0]), np.array([190.0, 227.0, 228.0])
    gain = np.array([0.9, 0.9, 0.9])
    assert told(brown, gain, ("white", "brown")) is None, "a brown die under a bright lamp"
    assert told(brown, WHITE, ("white", "brown")) == "white", "not burnt, it is what it looks like"
    assert told(warm, gain, ("white", "brown")) == "white"


def test_brown_that_much_light_made_orange_is_brown_where_the_box_has_nothing_else_of_that_hue() -> None:
    lit, lamp, box = np.array([94.0, 148.0, 227.0]), np.array([1.4, 1.2, 1.1]), ("white", "brown")
    assert told(lit, lamp, box) == "brown"
    assert told(lit, lamp) == "orange", "any die may lie there"
    assert told(lit, lamp, ("orange", "brown")) == "orange"
    assert told(lit, WHITE, box) is None, "a white die in the light of a candle, for all that is known"
    assert told(np.array([10.0, 140.0, 240.0]), lamp, box) is None, "too strong for brown: a stranger's die"
    assert told(lit, lit / np.array([140.0, 200.0, 250.0]), box) is None, "burnt out"


def test_what_has_paler_pips_is_not_white() -> None:
    burnt, gain, box = np.array([157.0, 213.0, 229.0]), np.array([0.9, 0.9, 0.9]), ("white", "brown")
    assert told(burnt, gain, box, paler_print=True) == "brown"
    assert told(burnt, gain, ("white", "yellow", "brown"), paler_print=True) is None
    assert told(np.array([60.0, 200.0, 90.0]), gain, box, paler_print=True) is None, "a stranger's green die"
    washed = np.array([213.0, 224.0, 229.0])
    assert told(washed, gain, box) == "white"
    assert told(washed, gain, box, paler_print=True) is None, "so burnt out that no hue is left"
    (pale,) = dice.find(drawn(3, body=(60, 80, 120), ink=(230, 230, 230)))
    (dark,) = dice.find(drawn(3))
    assert (pale.paler, dark.paler) == (True, False)


def test_what_is_burnt_out_in_all_channels_is_white_whatever_the_gain() -> None:
    gain = np.array([1.4, 1.2, 1.1])
    assert told(np.full(3, 255.0) * gain, gain, ("white", "brown")) == "white"
    assert told(np.array([120.0, 255.0, 255.0]) * gain, gain, ("white", "brown")) is None


def test_a_colour_brighter_than_white_keeps_its_hue() -> None:
    dim = np.array([2.0, 1.7, 1.6])
    assert told(np.array([224.0, 274.0, 369.0]), dim, ("white", "brown")) == "brown", "a die where a lamp shines"
    assert told(np.array([224.0, 274.0, 369.0]), dim) == "orange"
    assert told(np.array([380.0, 396.0, 390.0]), dim, ("white", "brown")) == "white"


def test_the_dice_of_a_games_box_are_known() -> None:
    assert die_faces("giants") == {"white": {0, 1, 2, 3}, "brown": {0, 1, 2, 3}}
    assert die_faces("fiji") is None
    assert die_faces("anything") is None


def test_a_die_whose_colour_is_not_in_the_box_keeps_its_value_on_a_photo_without_markers() -> None:
    (die,) = PieceFinder((), {"white": ANY}).dice(drawn(4, body=(40, 40, 190), ink=(240, 240, 240)))
    assert (die.value, die.colour) == (4, None)


def test_a_die_that_shows_what_none_of_its_colour_can_is_asked_about() -> None:
    faces = {"white": {0, 1, 2, 3}, "brown": ANY}
    (die,) = PieceFinder((), faces).dice(drawn(4))
    assert (die.value, die.colour, die.why) == (4, "white", "no white die of this game shows 4: look at it again")
    (die,) = PieceFinder((), faces).dice(drawn(3))
    assert (die.value, die.why) == (3, "")
    (die,) = PieceFinder((), faces).dice(drawn(4, body=(40, 80, 120), ink=(250, 250, 250)))
    assert (die.value, die.colour, die.why) == (4, "brown", "")


def test_a_die_that_only_the_light_may_have_given_another_colour_is_asked_about() -> None:
    (die,) = PieceFinder((), dict.fromkeys(("white", "brown"), ANY)).dice(
        drawn(4, body=(91, 135, 189), ink=(30, 30, 30))
    )
    assert (die.value, die.colour, die.why) == (4, None, "its colour cannot be told")
    (die,) = PieceFinder((), {"white": ANY}).dice(drawn(4, body=(91, 135, 189), ink=(250, 250, 250)))
    assert not die.why


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


def test_nine_dots_are_no_die() -> None:
    picture = drawn(4)
    for site in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
        spot(picture, place_of(site, 0.4), 0.1 * SIDE, (20, 20, 20))
    assert sure(dice.find(picture)) == []


def test_what_a_doubtful_die_may_show_begins_with_the_likeliest_and_the_reason_names_another_than_it_is_said_to() -> (
    None
):
    three = judged(face((3,), 3), said(v5=0.96, v3=0.02))
    assert three is not None
    assert (three.value, three.why) == (3, "may show 5")
    assert [name for name, _ in three.candidates] == ["die 5", "die 3"]
    assert sum(share for _, share in three.candidates) <= 1
    five = judged(face((4, 5), 4, "may show 5"), said(v5=0.6, v4=0.25))
    assert five is not None
    assert (five.value, five.why) == (5, "may show 4")
    four = judged(face((), 0, "no pips are seen on it"), said(v4=0.98))
    assert four is not None
    assert unrivalled(four, face((), 0), [face((4, 5), 4, "may show 5")]).why == "may show 5"


@pytest.mark.parametrize(("x", "around", "cut"), [(30.0, 1.2, False), (23.0, 1.2, True), (30.0, 2.2, True)])
def test_a_die_is_doubted_where_the_photos_edge_is_so_near(x: float, around: float, cut: bool) -> None:
    picture = np.zeros((100, 240, 3), np.uint8)
    three = judged(face((3,), 3), said(v3=0.97))
    assert three is not None
    for place in ((x, 50.0), (239 - x, 50.0), (120.0, 50.0)):
        seen = replace(face((3,), 3), middle=place, half=20.0)
        die = framed(three, picture, seen, replace(said(v3=0.97), middle=place, side=40.0), around)
        assert bool(die.why) == (cut and place[0] != 120.0)


@pytest.mark.parametrize(("degrees", "told"), [(0, True), (35, True), (41, False), (60, False)])
def test_a_die_seen_from_low_is_doubted_as_its_sides_look_like_its_top(degrees: float, told: bool) -> None:
    camera = Plane(Lens.guess(800, 600), np.eye(3), np.array([0.0, 0.0, 700.0]))
    photo = Photo(np.zeros((600, 800, 3), np.uint8), camera, 1.0, np.ones(3, np.float32))
    three = judged(face((3,), 3), said(v3=0.97))
    assert three is not None
    die = from_above(three, photo, np.array([0.0, 700 * math.tan(math.radians(degrees))]))
    assert bool(die.why) != told


@pytest.mark.parametrize("size", [(160, 24000), (24000, 160), (9, 1300)])
def test_no_shape_of_photo_is_stumbled_over(size: tuple[int, int]) -> None:
    assert PieceFinder(()).dice(np.full((*size, 3), 120, np.uint8)) == []
