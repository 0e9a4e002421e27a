"""Which places are nothing but bare table, also between things that lie close together."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision import table
from vision.covering import Covering, hidden
from vision.photo import Pose
from vision.simulated import Image
from vision.table import Known
from vision.topview import TopView

SIZE = (400, 600)  #: rows, columns: millimetres, and pixels
GAP = 14  #: mm between two cards
CARDS = (Pose((60.0, 90.0), 300.0, 120.0, 0.0), Pose((60.0, 90.0), 300.0, 120.0 + 90 + GAP, 0.0))
BETWEEN = Pose((60.0, 90.0), 300.0, 120.0 + GAP, 0.0)  #: a card of which all but the gap would be covered


def _table(strip: Image | None = None, part: tuple[int, int, int, int] | None = None) -> Covering:
    """Grained wood with two known cards; a strip (GAP × 60 pixels) may stick out between them.

    Of a `part` (left, top, right, bottom) a closer look is taken than at the whole table.
    """
    rng = np.random.default_rng(5)
    grain = cv2.blur(rng.normal(0, 30, SIZE).astype(np.float32), (41, 1))
    picture = np.clip(np.array([80.0, 130, 170]) + grain[..., None] + rng.normal(0, 2, (*SIZE, 3)), 0, 255)
    picture[120 - 45 : 120 + 45 + GAP + 90, 270:330] *= 0.8  # shaded by the cards
    for card in CARDS:
        top = round(card.y) - 45
        picture[top : top + 90, 270:330] = rng.uniform(0, 255, (9, 6, 3)).repeat(10, axis=0).repeat(10, axis=1)
    if strip is not None:
        picture[120 + 45 : 120 + 45 + GAP, 270:330] = strip
    whole = TopView(picture.astype(np.uint8), (0.0, 0.0), 1.0)
    covering = Covering(whole, blur=0.3)
    if part:
        left, top, right, bottom = part
        cells = whole.resized(table.SCALE)
        known = Known(cells, hidden(cells.grey(), ()), covering.varies)
        seen = TopView(whole.picture[top:bottom, left:right], (float(left), float(top)), 1.0)
        covering = Covering(seen, known=known, blur=0.3)
    for card in CARDS:
        covering.take(card)
    return covering


def test_the_table_between_two_cards_is_bare_though_the_map_of_bare_table_ends_before_them() -> None:
    covering = _table()
    assert covering.share(BETWEEN) == pytest.approx(GAP / 90, abs=0.03)
    assert covering.bare(BETWEEN) < 0.5
    assert covering.shows(BETWEEN) < 0.02


def test_with_rims_what_lies_beside_what_is_taken_is_not_free_as_far_as_that_shines_into_it() -> None:
    covering = _table()
    shape = (90, 60)
    rim = round(covering.rim_mm)
    assert rim > 0
    gap = covering.free(BETWEEN, shape)
    with covering.with_rims():
        less = covering.free(BETWEEN, shape)
        covering.take(replace(BETWEEN, x=270.0))
        left = covering.free(BETWEEN, shape)
    assert gap is not None
    assert less is not None
    assert left is not None
    assert np.count_nonzero(gap[:, 30]) - np.count_nonzero(less[:, 30]) == pytest.approx(2 * rim, abs=2)
    assert not (less & ~gap).any()
    assert not left[:, : 30 + rim - 1].any(), "what is taken meanwhile has rims as well"
    after = covering.free(BETWEEN, shape)
    assert after is not None
    assert np.array_equal(after[:, 32:], gap[:, 32:])


AROUND = (255, 80, 345, 260)  #: a part that is mostly cards


def test_on_a_part_full_of_cards_the_whole_table_tells_what_is_bare() -> None:
    whole, part = _table(), _table(part=AROUND)
    assert part.shows(BETWEEN) < 0.02
    beside = Pose((10.0, 150.0), 262.0, 170.0, 0.0)
    assert part.bare(beside) == pytest.approx(whole.bare(beside), abs=0.1)
    assert part.bare(CARDS[0]) == 0


def test_on_a_part_a_card_that_sticks_out_is_not_table() -> None:
    assert _table(np.full((GAP, 60, 3), (60, 60, 190), np.uint8), AROUND).shows(BETWEEN) > 0.6 * GAP / 90


@pytest.mark.parametrize("colour", [(220, 220, 220), (60, 60, 190), (40, 65, 85)])
def test_a_card_that_sticks_out_between_them_is_not_table(colour: tuple[int, int, int]) -> None:
    assert _table(np.full((GAP, 60, 3), colour, np.uint8)).shows(BETWEEN) > 0.6 * GAP / 90


def test_print_in_the_tables_own_colours_is_not_table() -> None:
    strip = np.full((GAP, 60, 3), (64, 104, 136), np.uint8)
    strip[:, ::4] = strip[:, 1::4] = (90, 146, 190)
    assert _table(strip).shows(BETWEEN) > 0.6 * GAP / 90


def test_a_narrow_gap_between_two_cards_leaves_nothing_unexplained() -> None:
    assert _table().unexplained(BETWEEN) < 0.02 * 60 * 90


@pytest.mark.parametrize("colour", [(220, 220, 220), (60, 60, 190), (40, 65, 85)])
def test_what_sticks_out_is_unexplained_however_much_bare_table_is_around(colour: tuple[int, int, int]) -> None:
    wide = Pose((200.0, 90.0), 300.0, 120.0 + GAP, 0.0)
    assert _table(np.full((GAP, 60, 3), colour, np.uint8)).unexplained(wide) > 0.6 * GAP * 60 + _table().unexplained(
        wide
    )


def test_print_in_the_tables_own_colours_is_unexplained_however_much_bare_table_is_around() -> None:
    strip = np.full((GAP, 60, 3), (64, 104, 136), np.uint8)
    strip[:, ::4] = strip[:, 1::4] = (90, 146, 190)
    wide = Pose((200.0, 90.0), 300.0, 120.0 + GAP, 0.0)
    assert _table(strip).unexplained(wide) > 0.6 * GAP * 60 + _table().unexplained(wide)


def test_beyond_the_part_that_is_looked_at_nothing_is_free_or_unexplained() -> None:
    covering = _table(part=(200, 30, 420, 330))
    half_seen, unseen = (Pose((60.0, 90.0), x, 165.0, 0.0) for x in (200.0, 100.0))
    assert 0.45 < covering.share(half_seen) < 0.55
    assert covering.share(unseen) == 0
    assert covering.unexplained(half_seen) == 0
    assert covering.unexplained(unseen) == 0


def test_while_one_looks_beneath_a_component_all_of_its_place_is_taken() -> None:
    covering = _table()
    free, taken = Pose((60.0, 90.0), 450.0, 300.0, 0.0), Pose((60.0, 90.0), 300.0, 120.0, 0.0)
    with covering.beneath(free):
        assert covering.share(free) == 0
        covering.take(Pose((60.0, 20.0), 450.0, 365.0, 0.0))  # beside it
    assert covering.share(free) == 1
    assert covering.share(Pose((60.0, 20.0), 450.0, 365.0, 0.0)) < 0.05
    with covering.beneath(taken):
        pass
    assert covering.share(taken) == 0


@pytest.mark.parametrize("place", [CARDS[0], Pose((60.0, 90.0), 590.0, 10.0, 30.0)])
def test_what_a_component_covers_is_taken_only_while_one_looks_beneath_it(place: Pose) -> None:
    covering = Covering(TopView(np.full((*SIZE, 3), 90, np.uint8), (0.0, 0.0), 1.0))
    other = place.moved(30.0, 0.0)
    before, seen = covering.picture.copy(), covering.share(other)
    with covering.beneath(place):
        covering.take(other.moved(200.0, 0.0))
        assert covering.share(place) < 0.05
        assert covering.share(other) < seen - 0.1
    assert covering.share(other) == seen
    covering.take(other)
    assert covering.share(other) < 0.05
    assert (covering.picture != before).any()


def test_what_is_left_of_a_place_is_told_roughly_before_it_is_looked_at() -> None:
    covering = _table(np.full((GAP, 60, 3), (60, 60, 190), np.uint8))
    assert covering.left_of(CARDS[0]) == 1  # nobody looked yet
    covering.left(8.0)
    assert covering.left_of(CARDS[0]) < 0.02
    assert covering.left_of(BETWEEN) == pytest.approx(covering.shows(BETWEEN), rel=0.5)
    bare = _table()
    bare.left(8.0)
    assert bare.left_of(BETWEEN) < 0.02


def test_what_is_left_about_a_place_is_no_less_than_is_left_of_it() -> None:
    strip = np.full((GAP, 60, 3), (60, 60, 190), np.uint8)
    covering = _table(strip)
    assert covering.left_about(CARDS[0]) == np.inf  # nobody looked yet
    covering.left(8.0)
    assert covering.left_about(BETWEEN) > 0.95 * covering.left_of(BETWEEN) * 60 * 90 > 200
    assert covering.left_about(BETWEEN.moved(0, 0, 30)) > 200
    for nowhere in (CARDS[0].moved(-200, 0), CARDS[0].moved(5000, 0), CARDS[0].moved(-5000, 0)):
        assert covering.left_about(nowhere) < 20


@pytest.mark.parametrize("turn", [0.0, 30.0, 45.0, 90.0])
def test_there_is_room_for_a_component_that_lies_open_in_any_turn(turn: float) -> None:
    there = Pose((60.0, 90.0), 300.0, 200.0, turn)
    picture = np.full((*SIZE, 3), (80, 130, 170), np.uint8)
    covering = Covering(TopView(picture.copy(), (0.0, 0.0), 1.0))
    assert not covering.with_room([there.size], turn, 0.4)
    cv2.fillConvexPoly(picture, there.corners().round().astype(np.int32), (60, 40, 190))
    covering = Covering(TopView(picture, (0.0, 0.0), 1.0))
    for quarter in (0.0, 90.0):
        assert covering.with_room([there.size, (200.0, 150.0)], turn + quarter, 0.4) == [there.size]
    covering.take(there)  # a rim around it stays unexplained
    assert not covering.with_room([there.size], turn, 0.4)


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0])
def test_the_rim_around_a_marker_is_no_room_and_a_strip_of_a_component_is(turn: float) -> None:
    picture = np.full((*SIZE, 3), (80, 130, 170), np.uint8)
    paper = Pose((56.0, 56.0), 300.0, 200.0, turn)
    cv2.fillConvexPoly(picture, paper.corners().round().astype(np.int32), (250, 250, 250))
    markers = [Pose((38.0, 38.0), 300.0, 200.0, turn).corners()]
    covering = Covering(TopView(picture.copy(), (0.0, 0.0), 1.0), markers)
    for quarter in (0.0, 90.0):
        assert not covering.with_room([(59.0, 91.0)], turn + quarter, 0.4)
    upper = Pose((25.0, 25.0), 100.0, 200.0, turn)
    lower = upper.moved(0.0, 10.5)  # more than 0.4 of a small tile
    for tile, colour in ((lower, (60, 40, 190)), (upper, (190, 40, 60))):
        cv2.fillConvexPoly(picture, tile.corners().round().astype(np.int32), colour)
    covering = Covering(TopView(picture, (0.0, 0.0), 1.0), markers)
    covering.take(upper)
    assert covering.with_room([(25.0, 25.0)], turn, 0.4) == [(25.0, 25.0)]


def test_beads_that_lie_apart_leave_no_room_but_what_is_larger_or_long_does() -> None:
    picture = np.full((*SIZE, 3), (80, 130, 170), np.uint8)
    beads = [(60 + 24 * i, 60) for i in range(20)]
    for bead in beads:
        cv2.circle(picture, bead, 8, (60, 40, 190), -1)
    disc, strip = Pose((30.0, 30.0), 150.0, 200.0, 0.0), Pose((60.0, 8.0), 300.0, 200.0, 0.0)
    cv2.circle(picture, (150, 200), 15, (60, 40, 190), -1)
    cv2.fillConvexPoly(picture, strip.corners().round().astype(np.int32), (60, 40, 190))
    covering = Covering(TopView(picture, (0.0, 0.0), 1.0))
    row = Pose((90.0, 16.0), 300.0, 60.0, 0.0)
    before = covering.unexplained(row)
    covering.take_discs(22.0)
    assert before > 0.5 * 90 * 16
    assert covering.unexplained(row) == 0
    assert covering.share(disc) == 1
    assert covering.share(strip) == 1
