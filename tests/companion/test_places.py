"""Where something lies otherwise than it should: told with its place, and ringed on the picture people are shown."""

from dataclasses import replace

import numpy as np
import pytest

from companion import pictures
from companion.games.game import game
from tests.companion.sights import sight
from tests.companion.test_explaining import at  # noqa: F401  # a fixture

FAR = 200.0  # mm: a tableau or a supply is told as a whole


@pytest.mark.parametrize("name", ["fiji", "rapa-nui", "maori", "giants"])
def test_what_differs_is_told_with_its_place(at, name):  # noqa: F811
    table = at(name, 0)
    tabletop = game(name).tabletop
    while table.game.due(table.state) in ("deal", "lay_display", "lay_conditions", "lay_goals", "roll"):
        table.enter(table.next(table.state))
    seen = sight(tabletop.lay(table.state), name)
    assert tabletop.differences(table.state, seen) == ()
    checked = 0
    for kind in ("cards", "beads", "pieces"):
        for thing in getattr(seen, kind):
            without = replace(seen, **{kind: tuple(other for other in getattr(seen, kind) if other is not thing)})
            for difference in tabletop.differences(table.state, without):
                assert difference.at is not None
                assert np.hypot(difference.at[0] - thing.x, difference.at[1] - thing.y) < FAR
                checked += 1
    assert checked


class Straight:
    """A camera straight above: two pixels for a millimetre."""

    def to_px(self, points):
        return np.asarray(points, float) * 2


def test_a_ring_is_drawn_around_it():
    blank = np.zeros((400, 600, 3), np.uint8)
    drawn = pictures.ringed(blank, Straight(), [(100.0, 80.0)], radius_mm=20.0)
    assert not blank.any()
    ys, xs = np.nonzero((drawn == pictures.WRONG).all(axis=2))
    away = np.hypot(xs - 200, ys - 160)
    assert 34 < away.min() < 40 < away.max() < 46
