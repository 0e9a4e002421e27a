"""Points of print tracked on photos: where exactly a face lies, how many are its own, and what frames share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trading import CARD, Lying, camera, card, deck, photo
from vision.borne_out import ALL, AMID, OWN
from vision.deck import Deck
from vision.features import Describer, FaceIndex
from vision.hypotheses import Hypotheses
from vision.photo import Pose
from vision.tracked import CORNERS, Tracker
from vision.tried import one_place

SIZE = (960, 540)
PLANE = camera(SIZE, 240, (-10, 6))


def pose(lying: Lying, right: float = 0.0, down: float = 0.0, turn: float = 0.0) -> Pose:
    return Pose(lying.size, *lying.middle, lying.turn).moved(right, down, turn)


@pytest.mark.parametrize("aside", [(0.0, 0.0, 0.0), (2.5, -2.0, 1.5), (-2.0, 3.0, -2.0)])
def test_points_tell_exactly_where_a_card_lies_that_is_about_there(aside: tuple[float, float, float]) -> None:
    lying = Lying(card(3), (10.0, -6.0), 25)
    seen = Tracker(deck(12)).seen(photo(PLANE, SIZE, [lying]), PLANE, pose(lying, *aside))
    assert seen is not None
    assert seen.face.name == "card-3"
    assert len(seen.corners) > CORNERS / 2
    assert seen.share > 0.7
    assert (seen.pose.x, seen.pose.y) == pytest.approx(lying.middle, abs=0.4)
    assert (seen.pose.turn - lying.turn + 180) % 360 - 180 == pytest.approx(0, abs=0.5)
    assert np.abs(np.abs(seen.print) - np.hypot(*(seen.table - lying.middle).T)).max() < 1.5


def test_what_hides_a_part_hides_the_points_there() -> None:
    lying = Lying(card(3), (0.0, 0.0))
    seen = Tracker(deck(12)).seen(photo(PLANE, SIZE, [lying, Lying(card(500), (31.5, 0))]), PLANE, pose(lying))
    assert seen is not None
    assert seen.face.name == "card-3"
    assert seen.print.real.max() < 3
    assert 0.2 < seen.share < 0.6


def test_nothing_is_tracked_where_no_card_lies() -> None:
    seen = Tracker(deck(12)).seen(photo(PLANE, SIZE, []), PLANE, Pose(CARD, 0, 0, 0))
    assert seen is None or len(seen.corners) < 12
    blank = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    assert Tracker(deck(12)).seen(blank, PLANE, Pose(CARD, 0, 0, 0)) is None


def test_a_face_without_any_print_is_no_error() -> None:
    plain = replace(deck(12).faces[0], name="plain", image=np.full((528, 378, 3), 200, np.uint8))
    lying = Lying(card(3), (0.0, 0.0))
    for faces in ((plain,), (plain, deck(12).faces[3])):
        seen = Tracker(Deck("plain", faces)).seen(photo(PLANE, SIZE, [lying]), PLANE, pose(lying))
        assert (seen is None) == (len(faces) == 1)


def test_a_faces_own_points_are_those_of_its_picture_and_words() -> None:
    lying = Lying(card(3), (0.0, 0.0))
    tracker = Tracker(deck(12))
    seen = tracker.seen(photo(PLANE, SIZE, [lying]), PLANE, pose(lying))
    assert seen is not None
    own, amid = tracker.own(seen)
    assert own > 25
    assert amid > 0.85


@pytest.mark.thorough
def test_a_frame_alone_does_not_bear_a_card_out() -> None:
    """Cards that nobody taught, in the frames of some that were: what they share is on other faces, too."""
    tracker, enough = Tracker(deck(12)), 0
    for number in range(100, 120):
        lying = Lying(card(number), (0.0, 0.0), 5)
        seen = tracker.seen(photo(PLANE, SIZE, [lying], number % 7), PLANE, pose(lying))
        if seen is not None:
            own, amid = tracker.own(seen)
            enough += own >= OWN and amid > AMID and len(seen.corners) >= ALL
    assert enough <= 1


def test_what_looks_the_same_turned_has_no_points_of_its_own_unless_it_is_a_back() -> None:
    half = card(3)[: 44 * 6]
    both = np.vstack([half, half[::-1, ::-1]])
    same = replace(deck(12).faces[3], name="same", image=both)
    lying = Lying(both, (0.0, 0.0))
    for name, most in (("same", 3), ("same-back", CORNERS)):
        tracker = Tracker(Deck("two", (replace(same, name=name), deck(12).faces[1])))
        seen = tracker.seen(photo(PLANE, SIZE, [lying]), PLANE, pose(lying))
        assert seen is not None
        assert (tracker.own(seen)[0] <= 3) == (most == 3)


def test_faces_that_mean_the_same_are_no_others() -> None:
    lying = Lying(card(3), (0.0, 0.0))
    twins = tuple(replace(deck(12).faces[3], name=name) for name in ("one", "other"))
    taken = photo(PLANE, SIZE, [lying])
    for attributes, some in (({}, False), ({"one": {"suit": 1}, "other": {"suit": 1}}, True)):
        tracker = Tracker(Deck("twins", twins, (), attributes))
        seen = tracker.seen(taken, PLANE, pose(lying))
        assert seen is not None
        assert (tracker.own(seen)[0] > 25) is some


def test_finer_features_find_a_strip() -> None:
    """Three tenths of a card show; what tells features apart is otherwise seen as far around as that is wide."""
    lying = [Lying(card(3), (0.0, 0.0)), Lying(card(4), (19.0, 0.0))]
    taken = photo(PLANE, SIZE, lying)
    describer, faces = Describer(), deck(12).faces
    coarse = Hypotheses(FaceIndex(faces, describer), describer)
    fine = Hypotheses.finer(faces, describer, 2.0)

    def votes(hypotheses: Hypotheses) -> int:
        there = [p for p in hypotheses.poses(taken, PLANE, 5) if one_place(p, pose(lying[0]), 3.0)]
        return max((p.votes for p in there), default=0)

    found = votes(coarse), votes(fine)
    assert found[1] >= 20
    assert found[0] < found[1] / 2
    assert {p.size for p in fine.poses(taken, PLANE, 5)} == {CARD}
