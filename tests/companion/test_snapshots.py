"""A photo taken with a phone stands in for the camera."""

import random

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from companion.demo.world import World
from companion.games.fiji import game
from companion.pictures import DARK
from companion.snapshots import Snapshots
from tests.companion.tables import open_table, seated
from vision.deck import Deck
from vision.observe import Observer, annotate
from vision.simulated import Scene, SimulatedTable
from web.port import Refused


@pytest.fixture(scope="module")
def house():
    return House.of("fiji")


def jpeg(image):
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def test_a_round_is_laid_by_photos_alone(tmp_path, house):
    table = open_table(tmp_path)
    tokens = seated(table, 3)
    with pytest.raises(Refused, match="no_deck"):
        table.photo(tokens[0], b"", "en")
    table.on_photo = Snapshots(table, Observer(house.deck), house.deck, annotate)
    state, dealer = table.evening.state, game.dealer(random.Random(5))
    for _ in range(2):
        state, _ = game.apply(state, dealer.act(state))
    world = World(table.tabletop.zones(3), random.Random(1))
    camera = SimulatedTable(house.faces, seed=3)
    with pytest.raises(Refused, match="photo_unread"):
        table.photo(tokens[0], jpeg(np.full((480, 640, 3), 90, np.uint8)), "en")
    world.lay(table.tabletop.lay(state))
    answer = table.photo(tokens[0], jpeg(camera.render(world.scene())), "de")
    assert game.dump(table.evening.state) == game.dump(state)
    assert len(answer["played"]) == 2
    assert table.picture("table")[1] == "image/jpeg"
    with pytest.raises(Refused, match="not_seated"):
        table.photo("nobody", b"", "en")
    table.close()


def test_a_photo_on_which_the_lowest_marker_is_covered_shows_no_more_than_another(tmp_path):
    table = open_table(tmp_path)
    deck = Deck("fiji", ())
    snapshots = Snapshots(table, Observer(deck, ()), deck, lambda image, _: image)
    photo = SimulatedTable({}, seed=3, size_px=(960, 540)).render(Scene())
    (left, top), _, (right, bottom), _ = np.array(Observer(deck, ()).observe(photo).markers[0].corners, int)
    covered = photo.copy()
    covered[top - 3 : bottom + 4, left - 3 : right + 4] = 70
    shown = []
    for image in (photo, covered):
        assert snapshots(jpeg(image)) is not None
        picture = cv2.imdecode(np.frombuffer(table.picture("table")[0], np.uint8), cv2.IMREAD_COLOR)
        shown.append(np.abs(picture.astype(int) - DARK).max(axis=2) > 24)
    assert (shown[0] != shown[1]).mean() < 0.01
    table.close()
