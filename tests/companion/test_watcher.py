"""Observations in the terms of a game: what is sure, and what is in doubt."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from companion.games.game import game
from companion.games.tabletop import Seen, SeenBead, SeenPiece
from companion.looks import ENOUGH, Looks
from companion.referee import Verdict
from companion.watcher import SHOW_EVERY, Watcher, seen
from tests.companion.eyes import plane
from tests.companion.tables import open_table
from vision.camera import Frame
from vision.deck import Deck, Piece
from vision.motion import Moment
from vision.observation import Doubt, Observation, PieceSeen
from vision.observe import Observer
from vision.simulated import Scene, SimulatedTable

DECK = Deck("giants", ())


def test_pieces_keep_their_colour_and_value():
    pieces = (
        PieceSeen("worker", "red", None, (10, 20), (0, 0), 0.99),
        PieceSeen("die", "white", 3, (30, 20), (0, 0), 0.99),
        PieceSeen("log", None, None, None, (0, 0), 0.99),  # nobody knows where on the table
    )
    found = seen(Observation((1, 1), pieces=pieces), DECK)
    assert found.pieces == (SeenPiece("worker", 10, 20, "red"), SeenPiece("die", 30, 20, "white", 3))


@pytest.mark.parametrize("name", ["worker-red", "sorcerer", "moai-size-2", "giants/log"])
def test_a_piece_in_doubt_is_a_piece(name):
    doubt = Doubt(((name, 0.5), ("headdress", 0.4)), "alike", centre_px=(5, 5), centre=(10, 20))
    assert seen(Observation((1, 1), unsure=(doubt,)), DECK).pieces == (SeenPiece("", 10, 20),)


@pytest.mark.parametrize("candidates", [(("red", 0.5), ("yellow", 0.4)), ()])
def test_a_bead_in_doubt_is_a_bead(candidates):
    doubt = Doubt(candidates, "glare", centre_px=(5, 5), centre=(10, 20))
    found = seen(Observation((1, 1), unsure=(doubt,)), DECK)
    assert (found.beads, found.pieces) == ((SeenBead("", 10, 20, tuple(name for name, _ in candidates)),), ())


def test_a_die_whose_value_is_in_doubt_is_a_die():
    doubt = Doubt((("die 3", 0.5), ("die 1", 0.4)), "may show 1", centre_px=(5, 5), centre=(10, 20))
    assert seen(Observation((1, 1), unsure=(doubt,)), DECK).pieces == (SeenPiece("die", 10, 20),)


# --- what is looked at, and when -------------------------------------------------------------------------------------

PLACE, OTHER = (10, 10, 20, 20), (50, 50, 60, 60)


class Gate:
    """A gate through which every frame comes settled, with changes as a test has them."""

    def __init__(self):
        self.changes, self.settled = (), True

    def feed(self, frame):
        changed, self.changes = self.changes, ()
        return Moment(frame.at, settled=self.settled, changed=changed)


class Glances:
    """Eyes that note which part of each frame they were asked to look at (None: all)."""

    def __init__(self):
        self.parts, self.ok, self.whole = [], True, True

    def observe(self, image, changed, places):
        self.parts.append(None if changed is None else tuple(changed))
        return Observation((1, 1), ok=self.ok, plane=plane())


@dataclass
class QuietTable:
    """A table that finds all as it should be."""

    tabletop = game("giants").tabletop
    witness = None
    verdict: Verdict | None = None
    more: bool = False
    where: tuple = ()

    def observed(self, seen, shot):
        self.verdict = Verdict("ok", more=self.more, where=self.where)
        return self.verdict

    def blinded(self, why):
        self.blind = why


@pytest.fixture
def watched():
    gate, eyes, table = Gate(), Glances(), QuietTable()
    taught = Piece("log", np.zeros((4, 4, 3), np.uint8), np.zeros((4, 4), np.uint8), 1.0, (0.0, 0.0, 900.0))
    watcher = Watcher(table, eyes, replace(DECK, pieces=(taught,)), gate)

    def watch(at, *changes):
        gate.changes = changes
        watcher.feed(Frame(np.zeros((8, 8, 3), np.uint8), at))
        return eyes.parts

    watch.eyes, watch.table = eyes, table
    return watch


def test_when_a_phone_has_told_something_the_table_is_looked_at(watched):
    for i in range(5):
        watched(0.2 * i)
    looks = len(watched.eyes.parts)
    watched(1.2)
    assert len(watched.eyes.parts) == looks
    watched.table.verdict = None
    watched(1.4)
    assert len(watched.eyes.parts) == looks + 1


def test_what_changed_while_nothing_was_seen_is_not_forgotten(watched):
    for i in range(4):
        watched(0.2 * i)
    watched.eyes.ok = False
    watched(1.0, PLACE)
    watched.eyes.ok = True
    assert watched(1.2)[-1] == (PLACE,)


def test_what_has_changed_is_looked_at_until_it_is_believed_and_then_where_looks_disagree(watched):
    for i in range(4):
        watched(0.2 * i)
    watched.eyes.parts.clear()
    watched.table.more = True
    for i in range(ENOUGH):
        watched(1.0 + 0.2 * i, *(() if i else (PLACE,)))
    assert watched.eyes.parts == [(PLACE,)] * ENOUGH
    watched.table.where = ((100, 50),)
    watched(1.8)
    assert watched.eyes.parts[-1] == ()
    watched(2.0)
    ((left, top, right, bottom),) = watched.eyes.parts[-1]
    x, y = plane().to_px([(100, 50)])[0]
    assert left < x - 2 < x + 2 < right < x + 40
    assert top < y - 2 < y + 2 < bottom < y + 40
    watched.table.more, watched.table.where = False, ()
    watched(2.2)
    looks = len(watched.eyes.parts)
    watched(2.4)
    assert len(watched.eyes.parts) == looks


def test_looks_tell_where_they_have_not_seen_the_same():
    looks = Looks()
    still, gone = SeenPiece("log", 100, 50), SeenPiece("log", 300, 50)
    for _ in range(ENOUGH):
        looks.add(Seen(pieces=(still, gone)))
    assert looks.open == ()
    for _ in range(ENOUGH - 1):
        looks.add(Seen(pieces=(still,)))
        assert looks.open == ((300, 50),)
    looks.add(Seen(pieces=(still,)))
    assert (looks.open, looks.settled) == ((), False)  # it is gone, but what was there is forgotten later
    looks.add(Seen(pieces=(SeenPiece("", 100, 50),)))
    assert looks.open == ((100, 50),)


# --- what people are shown -------------------------------------------------------------------------------------------


@pytest.fixture
def shown(tmp_path):
    """Shows a table frames, settled or not: what people are told of it, and whether they see the frame."""
    table, gate, shown = open_table(tmp_path, camera=True), Gate(), []
    table.show = lambda _, picture, told: shown.append(picture)
    deck = Deck("fiji", ())
    watcher = Watcher(table, Observer(deck, ()), deck, gate, lambda image, _: image)

    def show(image, settled=True):
        gate.settled, gate.changes = settled, ((0, 0, image.shape[1], image.shape[0]),)
        before = len(shown)
        for _ in range(1 if settled else SHOW_EVERY):
            watcher.feed(Frame(image, watcher.report.frames / 5))
        return table.view(None, "en")["sync"]["text"], len(shown) > before

    yield show
    table.close()


def test_of_a_table_that_cannot_be_placed_nothing_is_shown_and_people_are_told_why(shown):
    free = SimulatedTable({}, seed=3, size_px=(960, 540)).render(Scene())
    markers = Observer(Deck("fiji", ()), ()).observe(free).markers
    covered = [free]
    for marker in markers[:3]:
        (left, top), (right, bottom) = (np.array(f(marker.corners, axis=0), int) for f in (np.min, np.max))
        covered.append(covered[-1].copy())
        covered[-1][top - 2 : bottom + 3, left - 2 : right + 3] = 70
    assert shown(free)[1]
    assert shown(covered[1]) == ("Looking at the table.", True)
    assert shown(covered[3]) == ("Markers not seen: 0, 1, 2. Take away what covers them.", False)
    assert not shown(free, settled=False)[1]  # nobody has read it yet
    assert shown(free) == ("Looking at the table.", True)
    assert shown(covered[3], settled=False)[1]  # an arm, and a marker beside it
    assert not shown(np.roll(free, 20, axis=1), settled=False)[1]  # the camera is being moved
    moved = free.copy()
    for marker in markers[::2]:
        (left, top), (right, bottom) = (np.array(f(marker.corners, axis=0), int) for f in (np.min, np.max))
        there = slice(top - 6, bottom + 7)
        moved[there, left + 34 : right + 47] = free[there, left - 6 : right + 7]
        moved[there, left - 6 : left + 34] = 120
    assert shown(moved) == ("The markers do not lie as they lay. Lay them back, or start the companion again.", False)
