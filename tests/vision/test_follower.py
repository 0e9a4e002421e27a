"""What is seen where only changes are looked at equals what a look at the whole table sees."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import replace

import numpy as np
import pytest

from companion.demo.stage import House
from vision.camera import Frame
from vision.follower import Follower
from vision.gallery import Gallery
from vision.motion import Motion
from vision.observation import Observation
from vision.observe import Observer
from vision.photo import Pose
from vision.simulated import BeadAt, HandAt, Image, Look, Placed, Scene, SimulatedTable
from vision.verdict import Verdict
from vision.verify import Examiner

SECOND = 10  #: frames
ROW = tuple(Placed(name, (130.0 + 105 * i, 110.0)) for i, name in enumerate(("effect-keep-bid", "effect-gain-red")))
COLUMN = tuple(
    Placed(name, (420.0, 100.0 + 24 * i))
    for i, name in enumerate(("condition-most-green", "condition-most-all", "condition-fewest-red"))
)
BEADS = tuple(
    BeadAt(colour, (150.0 + 15 * i, 420.0)) for i, colour in enumerate(("red", "green", "blue", "yellow") * 3)
)
TABLE = Scene((*ROW, *COLUMN), BEADS)

#: each step's name, and the table after it; a hand passes before every one
STORY = (
    ("a card is laid apart", Scene((*TABLE.cards, Placed("goal-blue", (600.0, 300.0))), BEADS)),
    ("a card is laid on a column", Scene((*TABLE.cards, Placed("condition-fewest-blue", (420.0, 172.0))), BEADS)),
    ("the top card of a column is taken", Scene((*ROW, *COLUMN[:2]), BEADS)),
    ("a column is taken", Scene(ROW, BEADS)),
    ("a card is turned", Scene((replace(ROW[0], angle_deg=180.0), *TABLE.cards[1:]), BEADS)),
    ("a card is exchanged", Scene((*ROW[:1], replace(ROW[1], component="effect-gain-blue"), *COLUMN), BEADS)),
    ("a card is shifted", Scene((replace(ROW[0], centre_mm=(126.0, 240.0)), *TABLE.cards[1:]), BEADS)),
    ("beads are taken", Scene(TABLE.cards, BEADS[4:])),
    ("a bead is laid", Scene(TABLE.cards, (*BEADS, BeadAt("green", (500.0, 420.0))))),
    ("a stranger's thing is laid", Scene(TABLE.cards, BEADS, clutter=(Placed("phone", (650.0, 330.0)),))),
    ("only a hand passed", TABLE),
    ("it became darker", replace(TABLE, light=0.8)),
)
#: … of which nothing on the table
NOTHING = ("only a hand passed", "it became darker")


#: two boards with tiles of which two touch
ISLANDS = Scene(
    (
        Placed("board", (230.0, 200.0)),
        Placed("board", (560.0, 300.0), 90.0),
        *(
            Placed(name, place)
            for name, place in (
                ("single-01", (172.0, 180.0)),
                ("single-02", (211.0, 180.0)),
                ("end-e-01", (289.0, 219.0)),
                ("end-n-02", (560.0, 320.0)),
            )
        ),
    )
)
#: what happens on them
LAID = (
    ("a tile is laid beside others", Scene((*ISLANDS.cards, Placed("end-s-01", (250.0, 180.0))))),
    ("a tile is laid on an empty place", Scene((*ISLANDS.cards, Placed("single-03", (540.0, 240.0), 90.0)))),
    ("a tile is taken", Scene((*ISLANDS.cards[:3], *ISLANDS.cards[4:]))),
    ("a tile is turned", Scene((*ISLANDS.cards[:4], replace(ISLANDS.cards[4], angle_deg=90.0), *ISLANDS.cards[5:]))),
    ("a tile is exchanged", Scene((*ISLANDS.cards[:5], replace(ISLANDS.cards[5], component="end-w-02")))),
    ("a tile is laid across an edge", Scene((*ISLANDS.cards, Placed("single-03", (230.0, 290.0), 20.0)))),
)


class Watch:
    """A table, its camera's gate, and both ways of looking."""

    def __init__(self, game: str = "fiji") -> None:
        self.house = House.of(game)
        self.observer = Observer(self.house.deck)
        self.table = SimulatedTable(self.house.faces, 3, look=Look(noise=1.5))
        self.frames = 0
        self.looked: dict[Scene, tuple[Motion, Follower]] = {}
        self.begin()

    def begin(self) -> None:
        self.motion = Motion()
        self.follower = Follower(self.observer)

    def settled(self, scene: Scene) -> Iterator[tuple[Image, tuple[tuple[int, int, int, int], ...]]]:
        """Photos let through within a second, and where they changed."""
        for _ in range(SECOND):
            self.frames += 1
            image = self.table.render(scene)
            moment = self.motion.feed(Frame(image, self.frames / SECOND))
            if moment.settled and moment.changed:
                yield image, moment.changed

    def look(self, scene: Scene) -> None:
        """All of a table was looked at, and then a hand passed."""
        if scene not in self.looked:
            self.begin()
            ((photo, _),) = self.settled(scene)
            self.follower.observe(photo)
            self.hand(scene)
            self.looked[scene] = self.motion, self.follower
        motion, follower = self.looked[scene]
        self.motion, self.follower = deepcopy(motion), copy(follower)

    def hand(self, scene: Scene) -> None:
        for step in range(6):
            self.frames += 1
            over = replace(scene, hands=(HandAt((300.0 + 60 * step, 200.0 + 30 * step)),))
            self.motion.feed(Frame(self.table.render(over), self.frames / SECOND))


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def islands() -> Watch:
    return Watch("maori")


def same(one: Observation, other: Observation) -> None:
    """Both say the same, within two millimetres and three degrees."""
    left = list(other.components)
    for card in one.components:
        assert card.centre is not None
        twins = [
            c
            for c in left
            if c.component == card.component
            and c.centre is not None
            and np.hypot(c.centre[0] - card.centre[0], c.centre[1] - card.centre[1]) < 2
            and abs((c.angle - card.angle + 180) % 360 - 180) < 3
        ]
        assert twins, f"{card.component} at {card.centre} only once"
        left.remove(twins[0])
    assert not left
    beads = list(other.beads)
    for bead in one.beads:
        twin = next(
            b for b in beads if b.colour == bead.colour and np.hypot(*np.subtract(b.centre_px, bead.centre_px)) < 5
        )
        beads.remove(twin)
    assert not beads
    assert len(one.unsure) == len(other.unsure)


@pytest.mark.quick(2)
@pytest.mark.parametrize(("what", "scene"), STORY, ids=[what for what, _ in STORY])
def test_a_look_at_the_changes_equals_a_look_at_all(watch: Watch, what: str, scene: Scene) -> None:
    watch.look(TABLE)
    looks = list(watch.settled(scene))
    assert len(looks) == (what not in NOTHING)
    for image, changed in looks:
        again = watch.follower.observe(image, changed)
        whole = watch.observer.observe(image)
        same(again, whole)
        assert len(whole.components) == len(scene.cards)
        assert len(whole.beads) == len(scene.beads)
        assert "markers" not in again.stages  # only what changed was looked at


@pytest.mark.thorough
@pytest.mark.parametrize(("what", "scene"), LAID, ids=[what for what, _ in LAID])
def test_what_changes_on_a_board_is_looked_at_without_the_rest(islands: Watch, what: str, scene: Scene) -> None:
    islands.look(ISLANDS)
    ((image, changed),) = islands.settled(scene)
    again = islands.follower.observe(image, changed)
    whole = islands.observer.observe(image)
    same(again, whole)
    assert len(whole.components) == len(scene.cards)
    assert "markers" not in again.stages


@pytest.mark.thorough
@pytest.mark.parametrize(
    "moved",
    [Placed("board", (234.0, 202.0), 1.0), Placed("board", (300.0, 200.0)), None],
    ids=["a little", "far", "away"],
)
def test_where_a_board_is_moved_all_is_looked_at(islands: Watch, moved: Placed | None) -> None:
    islands.look(ISLANDS)
    scene = Scene(((moved,) if moved else ()) + ISLANDS.cards[1:])
    ((image, changed),) = islands.settled(scene)
    again = islands.follower.observe(image, changed)
    same(again, islands.observer.observe(image))
    assert "markers" in again.stages


def test_a_card_of_which_only_the_ends_differ_from_the_table_is_one(watch: Watch) -> None:
    watch.begin()
    scene = Scene((*TABLE.cards, Placed("goal-blue", (600.0, 300.0))), BEADS)
    photos = (watch.table.render(TABLE), watch.table.render(scene))
    watch.follower.observe(photos[0])
    whole = watch.observer.observe(photos[1])
    (card,) = (c for c in whole.components if c.component.endswith("goal-blue"))
    left, top = np.min(card.corners, axis=0).astype(int)
    right, bottom = np.max(card.corners, axis=0).astype(int)
    upper, lower = (left, top, right, top + (bottom - top) // 3), (left, bottom - (bottom - top) // 3, right, bottom)
    same(watch.follower.observe(photos[1], [upper, lower]), whole)


def test_only_places_that_the_change_may_reach_are_examined(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Placed("goal-blue", (600.0, 300.0))
    before = Scene(tuple(Placed("effect-gain-red", (390.0 + 105 * i, 100.0 + 100 * j)) for i, j in np.ndindex(4, 4)))
    before = replace(before, cards=tuple(c for c in before.cards if c.centre_mm != laid.centre_mm))
    watch.look(before)
    ((image, changed),) = watch.settled(Scene((*before.cards, laid)))
    examined: list[Pose] = []
    examine = Examiner.examine

    def noted(self: Examiner, pose: Pose, gallery: Gallery, least: float = 0.0) -> Verdict | None:
        examined.append(pose)
        return examine(self, pose, gallery, least)

    monkeypatch.setattr(Examiner, "examine", noted)
    seen = watch.follower.observe(image, changed)
    (place,) = (c.centre for c in seen.components if c.component.endswith(laid.component))
    assert place is not None
    assert examined
    assert all(np.hypot(pose.x - place[0], pose.y - place[1]) < 115 for pose in examined)  # a card's diagonal is 108
