"""A photo full of cards: their print goes on and on as a table does, and is none."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from companion.demo.stage import House
from vision.covering import Covering
from vision.doubts import Found
from vision.observe import Observer
from vision.photo import Pose
from vision.search import Search
from vision.simulated import Placed, Scene, SimulatedTable

CARD = (91.0, 59.0)
GAP_MM = 4.0
TOP, BOTTOM, LEFT, RIGHT = 250, 750, 500, 1250  #: the pixels that somebody kept of the photo: cards from edge to edge


def names(house: House) -> list[str]:
    lying = {face.name for face in house.deck.faces if face.kind == "card" and face.size == CARD}
    return [name for name in house.faces if name in lying]


@pytest.mark.thorough
def test_cards_that_fill_a_photo_are_read_each_once() -> None:
    house = House.of("fiji")
    kinds = names(house)
    across, down = (side + GAP_MM for side in CARD)
    lying = [
        Placed(kinds[(7 * i + 3 * j) % len(kinds)], (across * i - 60, down * j - 60), ((3 * i + j) % 5 - 2) / 2)
        for i in range(2, 9)
        for j in range(2, 9)
    ]
    scene, table = Scene(tuple(lying)), SimulatedTable(house.faces, seed=4)
    photo, truth = table.render(scene)[TOP:BOTTOM, LEFT:RIGHT], table.truth(scene)["components"]
    there = np.array([np.mean(each["corners_px"], axis=0) for each in truth]) - (LEFT, TOP)
    seen = Observer(house.deck, (), without_markers=True).observe(photo)
    told: dict[int, str] = {}
    for component in seen.components:
        away = np.linalg.norm(there - np.mean(component.corners, axis=0), axis=1)
        nearest = int(away.argmin())
        assert away[nearest] < 10
        assert nearest not in told
        told[nearest] = component.component.split("/")[1]
        assert told[nearest] == truth[nearest]["component"].split("/")[-1]
    assert len(told) >= 18


@pytest.mark.parametrize("doubt", ["", "it may be one that was never taught"])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_what_lies_exactly_where_one_was_found_is_more_of_it(share: float, doubt: str) -> None:
    """Of one in doubt, too: its rest alone may seem to be without. What may lie on it is left to be looked at."""

    def found(pose: Pose, doubt: str = "") -> Found:
        agreement = SimpleNamespace(share=share, seen="what agrees")
        verdict = SimpleNamespace(pose=pose, window=pose, agreement=agreement)
        return cast(Found, SimpleNamespace(verdict=verdict, doubt=doubt))

    taken: list[tuple[object, ...]] = []
    search = Search.__new__(Search)
    search.found = [found(Pose(CARD, 100.0, 100.0, 1.0), doubt)]
    search.covering = cast(Covering, SimpleNamespace(take=lambda *what: taken.append(what)))
    rest = Pose(CARD, 100.3, 100.2, 180.0)
    assert not search._add(found(rest), None)
    assert taken == [(rest,) if share == 1.0 else (rest, "what agrees")]
    assert len(search.found) == 1
