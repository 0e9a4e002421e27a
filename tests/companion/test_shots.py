"""What is kept as evidence of a table shows its open part and nothing else."""

import json
from dataclasses import replace

import cv2
import numpy as np

from companion import shots
from companion.evidence import Evidence
from companion.games.fiji import game
from companion.games.tabletop import Zone
from tests.companion.eyes import SIZE, plane
from vision.observation import BeadSeen, Component, Doubt, Observation, PieceSeen

AREA = Zone("area", 100, 60, 600, 400)
SECRET = (10, 10, 250)  # what lies behind the screens is red, and nothing else is


def px(x, y):
    found = plane().to_px([(x, y)])[0]
    return float(found[0]), float(found[1])


def quad(x, y):
    return tuple(px(x + dx, y + dy) for dx, dy in ((-20, -15), (20, -15), (20, 15), (-20, 15)))


def table():
    """A photo: the open part is grey, everything around it red."""
    image = np.full((SIZE[1], SIZE[0], 3), SECRET, np.uint8)
    outline = np.round(plane().to_px(AREA.outline())).astype(np.int32)
    cv2.fillPoly(image, [outline], (120, 120, 120))
    return image


def seen(*places):
    return Observation(
        SIZE,
        components=tuple(Component("fiji/goal-red", "card", (x, y), 0.0, quad(x, y), 1.0, 1.0) for x, y in places),
        beads=tuple(BeadSeen("blue", (x, y), px(x, y), 1.0) for x, y in places),
        pieces=tuple(PieceSeen("die", "red", 3, (x, y), px(x, y), 1.0) for x, y in places),
        unsure=tuple(
            doubt
            for x, y in places
            for doubt in (
                Doubt((("fiji/goal-red", 0.6), ("fiji/goal-blue", 0.4)), "glare", corners=quad(x, y)),
                Doubt((("red", 0.5),), "dark", centre_px=px(x, y), centre=(x, y)),
            )
        ),
        plane=plane(),
    )


def reddest(jpeg):
    """The greatest share of red over green in any pixel."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int)
    return int((image[..., 2] - image[..., 1]).max())


def test_no_picture_shows_what_lies_outside_the_open_part():
    rects = [(0, 0, 200, 120), (250, 150, 300, 200), (0, 300, *SIZE)]
    shot = shots.take(table(), seen((300, 200)), AREA, rects)
    assert shot.crops
    for jpeg in (shot.whole, *(crop.jpeg for crop in shot.crops)):
        assert reddest(jpeg) < 60  # the edge itself is soft in a JPEG


def test_a_turned_area_is_cut_out_as_it_lies():
    area = replace(AREA, angle=20.0)
    image = np.full((SIZE[1], SIZE[0], 3), SECRET, np.uint8)
    cv2.fillPoly(image, [np.round(plane().to_px(area.outline())).astype(np.int32)], (120, 120, 120))
    assert reddest(shots.take(image, seen((300, 250)), area, [(0, 0, *SIZE)]).whole) < 60


def test_marks_name_only_what_lies_in_the_open_part():
    inside, outside = (300, 200), (40, 20)
    marks = json.loads(shots.take(table(), seen(inside, outside), AREA, []).marks)
    only = json.loads(shots.take(table(), seen(inside), AREA, []).marks)
    assert marks == only
    assert [len(marks[kind]) for kind in ("components", "things", "unsure")] == [1, 2, 2]


def test_marks_are_in_pixels_of_the_picture_that_is_kept():
    shot = shots.take(table(), seen((300, 200)), AREA, [])
    image = cv2.imdecode(np.frombuffer(shot.whole, np.uint8), cv2.IMREAD_COLOR)
    marks = json.loads(shot.marks)
    assert marks["size"] == [image.shape[1], image.shape[0]]
    corner = px(AREA.x, AREA.y)
    at = marks["things"][0]["at"]
    assert np.allclose(at, np.subtract(px(300, 200), np.floor(corner)), atol=1)


def test_a_large_picture_is_made_smaller_and_its_marks_with_it():
    big = plane().resized(9.0)
    image = cv2.resize(table(), None, fx=9.0, fy=9.0)
    observation = replace(seen((300, 200)), plane=big, size=(image.shape[1], image.shape[0]))
    observation = replace(observation, beads=(BeadSeen("blue", (300, 200), tuple(big.to_px([(300, 200)])[0]), 1.0),))
    shot = shots.take(image, observation, AREA, [])
    whole = cv2.imdecode(np.frombuffer(shot.whole, np.uint8), cv2.IMREAD_COLOR)
    assert whole.shape[1] == shots.WHOLE_PX
    marks = json.loads(shot.marks)
    assert marks["size"] == [whole.shape[1], whole.shape[0]]
    share = (300 - AREA.x) / AREA.width
    assert abs(marks["things"][0]["at"][0] / whole.shape[1] - share) < 0.01


def test_details_are_kept_where_something_changed_but_not_of_everything():
    shot = shots.take(table(), seen(), AREA, [(250, 150, 290, 190), (270, 170, 300, 200), (0, 0, *SIZE)])
    assert shot.crops == ()  # all in one: the whole picture changed
    shot = shots.take(table(), seen(), AREA, [(250, 150, 290, 190), (270, 170, 300, 200), (0, 0, 1, 1)])
    side = 50 + 2 * round(shots.CROP_AROUND * SIZE[0])  # with something around it
    assert [crop.box[2:] for crop in shot.crops] == [(side, side)]
    many = [(100 + 30 * n, 150, 110 + 30 * n, 160) for n in range(12)]
    assert len(shots.take(table(), seen(), AREA, many).crops) == shots.CROPS


def test_without_a_plane_nothing_is_kept():
    assert shots.take(table(), replace(seen(), plane=None), AREA, []) is None


def test_a_shot_is_kept_under_its_hashes(tmp_path):
    shot = shots.take(table(), seen((300, 200)), AREA, [(250, 150, 290, 190)])
    evidence = Evidence(tmp_path)
    kept = shot.keep(evidence, "oak-1")
    assert evidence.get(kept["whole"]) == shot.whole
    assert evidence.get(kept["marks"]) == shot.marks
    assert [evidence.get(crop["jpeg"]) for crop in kept["crops"]] == [crop.jpeg for crop in shot.crops]


def test_fiji_leaves_the_screens_outside():
    area = game.tabletop.area
    assert all(area.holds(zone.x, zone.y) for zone in game.tabletop.zones(5))
