"""Cards on simulated tables: columns of which strips show, backs in piles, near-twins, strangers, arms.

The decks are drawn here; what is taught is the drawing itself. Nothing may be reported under a wrong name anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import consistency, exposure
from vision.covering import Covering
from vision.deck import Deck, Face
from vision.doubts import COVERED, UNFIT, Found, doubt, grainy, hidden
from vision.features import FaceIndex, Features, Votes
from vision.gallery import galleries
from vision.judge import Judge
from vision.observation import Component, Observation
from vision.observe import Clock, Observer
from vision.photo import Photo, Pose
from vision.rivals import rivals_of
from vision.search import Search
from vision.simulated import FaceImage, HandAt, Image, Look, Placed, Scene, SimulatedTable
from vision.topview import TopView
from vision.verdict import Rival, Verdict
from vision.verify import Examiner

PX = 6  #: pixels per millimetre of the drawings
CARD = (59.0, 91.0)
CHIP = (44.0, 67.0)
NAMES = ("Fisher", "Fiddler", "Farmer", "Woodman")
LOOK = Look(noise=1.5)


def _art(rng: np.random.Generator, size_mm: tuple[float, float]) -> Image:
    """Coloured discs on a coloured ground, framed."""
    width, height = (int(side * PX) for side in size_mm)
    image = np.full((height, width, 3), rng.integers(60, 200, 3), np.uint8)
    for _ in range(14):
        place = (int(rng.integers(20, width - 20)), int(rng.integers(20, height - 20)))
        colour = [int(v) for v in rng.integers(20, 235, 3)]
        cv2.circle(image, place, int(rng.integers(14, 60)), colour, -1, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (60, 50, 70), 3 * PX)
    return image


def _named(name: str, seed: int) -> Image:
    """A card with its name in black on a white bar along the bottom."""
    image = _art(np.random.default_rng(seed), CARD)
    height, width = image.shape[:2]
    cv2.rectangle(image, (3 * PX, height - 15 * PX), (width - 3 * PX, height - 3 * PX), (235, 240, 238), -1)
    size = cv2.getTextSize(name, cv2.FONT_HERSHEY_COMPLEX, 1.5, 3)[0]
    at = ((width - size[0]) // 2, height - 6 * PX)
    cv2.putText(image, name, at, cv2.FONT_HERSHEY_COMPLEX, 1.5, (40, 40, 40), 3, cv2.LINE_AA)
    return image


def _striped() -> Image:
    """A back of fine slanting lines in the colours of a dark table, the same when it is turned around."""
    width, height = (int(side * PX) for side in CHIP)
    y, x = np.mgrid[:height, :width] + 0.5
    lines = np.cos(np.pi * (x - width / 2 + y - height / 2) / (3 * PX)) > 0
    image = np.where(lines[..., None], (96, 82, 88), (74, 62, 66)).astype(np.uint8)
    cv2.circle(image, (width // 2, height // 2), 9 * PX, (110, 90, 96), 2 * PX, cv2.LINE_AA)
    return image


@cache
def drawn() -> dict[str, FaceImage]:
    faces = {name: FaceImage(_named(name, 3 + i), CARD) for i, name in enumerate(NAMES)}
    chips = {f"chip-{i}": FaceImage(_art(np.random.default_rng(50 + i), CHIP), CHIP) for i in range(3)}
    return {**faces, **chips, "back": FaceImage(_striped(), CHIP)}


@pytest.fixture(scope="module")
def observer() -> Observer:
    faces = tuple(Face(name, face.kind, face.size_mm, face.image, float(PX)) for name, face in drawn().items())
    return Observer(Deck("parlour", faces))


def seen(observer: Observer, scene: Scene, look: Look = LOOK, seed: int = 3) -> Observation:
    table = SimulatedTable(
        drawn() | {"stranger": FaceImage(_art(np.random.default_rng(99), CARD), CARD)}, seed, look=look
    )
    observation = observer.observe(table.render(scene))
    for component in observation.components:
        assert any(_same(component, placed) for placed in scene.cards), f"{component.component} does not lie there"
    return observation


def _same(component: Component, placed: Placed) -> bool:
    assert component.centre is not None
    near = np.hypot(component.centre[0] - placed.centre_mm[0], component.centre[1] - placed.centre_mm[1]) < 8
    same = 180 if placed.component == "back" else 360
    turned = abs((component.angle - placed.angle_deg + same / 2) % same - same / 2) < 10
    return bool(component.component == f"parlour/{placed.component}" and near and turned)


def read(observation: Observation, cards: Sequence[Placed]) -> int:
    return sum(any(_same(c, placed) for c in observation.components) for placed in cards)


def test_a_column_is_read_by_the_names_on_its_strips(observer: Observer) -> None:
    """Only the bar with the name shows of all but the last card of a column (anchors: overlapped columns)."""
    order = ("Fisher", "Fiddler", "Farmer", "Fisher", "Woodman")
    column = tuple(Placed(name, (300.0 + i % 2, 330.0 - 16.0 * i), 1.5 * (i % 3) - 1) for i, name in enumerate(order))
    other = tuple(Placed(name, (430.0, 330.0 - 18.0 * i)) for i, name in enumerate(("Woodman", "Fiddler")))
    observation = seen(observer, Scene((*column, *other)))
    assert read(observation, (*column, *other)) == 7


@pytest.mark.thorough
def test_what_lies_apart_is_read_without_features(observer: Observer, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[NDArray[np.float32]] = []

    def votes(index: FaceIndex, features: Features) -> Votes:
        places.append(features.places)
        return usual(index, features)

    usual = FaceIndex.votes
    monkeypatch.setattr(FaceIndex, "votes", votes)
    apart = tuple(Placed(NAMES[i % 2], (150.0 + 110 * (i % 6), 200.0 + 150 * (i // 6)), 5.0 * i) for i in range(12))
    assert read(seen(observer, Scene(apart)), apart) == 12
    described = [np.hypot(*(np.vstack(places) - card.centre_mm).T).min() < 25 for card in apart]
    assert sum(described) <= 3


@pytest.mark.thorough
def test_of_what_is_burnt_out_in_part_few_lights_are_told(observer: Observer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not burnt out tells where it lies, and which faces it may be."""
    asked: list[int] = []

    def fitted(*seen: Any) -> Any:
        asked.append(len(seen[-1]))
        return usual(*seen)

    usual = exposure.fitted
    monkeypatch.setattr(exposure, "fitted", fitted)
    cards = tuple(Placed(NAMES[i % 4], (250.0 + 130 * i, 250.0)) for i in range(3))
    bright = Look(exposure=1.6, lamp=1.0, lamp_mm=(400.0, 320.0, 500.0))
    assert read(seen(observer, Scene(cards), bright), cards) == 3
    assert min(asked) < 4  # of four faces in two turns


@pytest.mark.thorough
def test_what_lies_turned_a_little_beneath_a_card_is_found(observer: Observer) -> None:
    """The strip that shows is no strip of equal height: it is looked for turned against the card that covers it."""
    pairs = [(NAMES[i % 4], NAMES[(i + 1) % 4], 110.0 + 120 * i) for i in range(6)]
    cards = tuple(
        card for low, high, x in pairs for card in (Placed(low, (x, 250.0), 4.0), Placed(high, (x, 236.0), -4.0))
    )
    assert read(seen(observer, Scene(cards)), cards) == 12


@pytest.mark.thorough
def test_strips_are_found_in_light_that_burns_them_out(observer: Observer) -> None:
    """They are looked for as they look in the light of the cards beside them."""
    columns = tuple(Placed(NAMES[(i + k) % 4], (150.0 + 110 * k, 400.0 - 24 * i)) for k in range(5) for i in range(5))
    bright = Look(exposure=1.6, lamp=1.0, lamp_mm=(400.0, 320.0, 500.0))
    assert read(seen(observer, Scene(columns), bright), columns) >= 23


@pytest.mark.thorough
def test_a_card_that_is_plain_in_burning_light_tells_what_light_that_is_when_asked(observer: Observer) -> None:
    """It is not looked at again in that light, but what lies beneath it is: so its light can be told."""
    cards = tuple(Placed(name, (220.0 + 110 * i, 300.0)) for i, name in enumerate(NAMES))
    bright = Look(exposure=1.3, lamp=1.0, lamp_mm=(400.0, 320.0, 500.0))
    photo_bgr = SimulatedTable(drawn(), 3, look=bright).render(Scene(cards))
    observation = observer.observe(photo_bgr)
    assert observation.plane is not None
    photo = Photo.of(photo_bgr, observation.plane, observation.markers)
    found = [f.verdict for f in observer.cards(photo, observation.plane, observation.markers, Clock())]
    view = TopView.of(photo.image, photo.plane, 1.5)
    examiner = Examiner(view, photo, Covering(view.resized(1.0)))
    plain = [examiner.light_of(v) for v in found if v.glares and v.gallery.light is None]
    assert plain
    for light in plain:
        assert light.burnt > 0.04
        assert all(0.5 < gain < 2.5 for gain in light.gain)


def test_backs_of_fine_lines_are_found_alone_and_in_piles(observer: Observer) -> None:
    pile = tuple(Placed("back", (520.0 + 18 * i, 400.0), 0.5 * i) for i in range(3))
    alone = Placed("back", (250.0, 150.0), 4.0)
    observation = seen(
        observer, Scene((*pile, alone, Placed("Farmer", (400.0, 160.0)))), Look(surface="slate", noise=1.5)
    )
    names = [c.component for c in observation.components]
    assert names.count("parlour/back") == 4


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_piles_of_backs_that_lie_askew_are_counted(observer: Observer, seed: int) -> None:
    """A fit reaches half as far as the lines are apart; another line farther on would do as well for what shows."""
    rng = np.random.default_rng(seed)
    places = [(x, y) for x in (180.0, 340.0, 500.0) for y in (150.0, 380.0)]
    backs = tuple(
        Placed("back", (x + 18 * i + float(rng.uniform(-3, 3)), y), float(rng.uniform(-9, 9)))
        for x, y in places
        for i in range(2)
    )
    observation = seen(observer, Scene((*backs, Placed("Farmer", (640.0, 260.0)))), Look(surface="slate", noise=1.5))
    assert read(observation, backs) >= 10


def test_strangers_are_not_reported(observer: Observer) -> None:
    cards = (
        Placed("stranger", (300.0, 200.0), 10.0),
        Placed("stranger", (300.0, 330.0)),
        Placed("chip-1", (500.0, 200.0)),
    )
    scene = Scene(cards, clutter=(Placed("phone", (650.0, 300.0)), Placed("paper", (150.0, 400.0), 20.0)))
    observation = seen(observer, scene)
    assert [c.component for c in observation.components] == ["parlour/chip-1"]


@pytest.mark.thorough
def test_a_name_drowned_in_light_is_not_guessed(observer: Observer) -> None:
    """A strip whose letters are burnt out may be missed or in doubt, but gets no wrong name."""
    order = ("Fisher", "Fiddler", "Farmer", "Woodman")
    column = tuple(Placed(name, (400.0, 330.0 - 16.0 * i)) for i, name in enumerate(order))
    for brighter in (1.6, 2.4, 3.5):
        seen(observer, Scene(column), Look(exposure=brighter, lamp=1.2, lamp_mm=(400.0, 320.0, 500.0)))


@pytest.mark.thorough
def test_a_card_under_an_arm_is_itself_or_in_doubt(observer: Observer, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = tuple(Placed(name, (250.0 + 110 * i, 250.0)) for i, name in enumerate(NAMES))
    for hand in (HandAt((250.0, 230.0)), HandAt((420.0, 230.0)), HandAt((300.0, 270.0), 0.0)):
        scene = Scene(cards, hands=(hand,))
        assert read(seen(observer, scene), cards) >= 2
    assert "parlour/Fisher" in [component.component for component in seen(observer, scene).components]
    monkeypatch.setattr("vision.doubts.LITTLE_OPEN", 0.7)  # a little more than is seen of it
    wary = seen(observer, scene)
    assert "parlour/Fisher" not in [component.component for component in wary.components]
    assert ("parlour/Fisher", COVERED) in [(doubt.candidates[0][0], doubt.why) for doubt in wary.unsure]


@pytest.mark.quick(2)
@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0, 33.0])
def test_every_turn_is_reported(observer: Observer, turn: float) -> None:
    cards = tuple(
        Placed(name, (200.0 + 140 * i, 250.0), turn) for i, name in enumerate(("Fisher", "chip-0", "Farmer", "chip-2"))
    )
    assert read(seen(observer, Scene(cards)), cards) == 4


def test_nothing_lies_on_a_bare_table(observer: Observer) -> None:
    for surface in ("oak", "walnut", "cloth"):
        observation = seen(observer, Scene(), Look(surface=surface))
        assert observation.ok
        assert not observation.components
        assert not observation.unsure


def verdict(**known: object) -> Verdict:
    """What `doubt` asks of a verdict, with nothing that speaks against it but what is `known`."""
    usual: dict[str, object] = {
        "name": "card",
        "gallery": SimpleNamespace(light=None, kind="card", square=False),
        "free": 1.0,
        "likeness": 0.97,
        "agreement": SimpleNamespace(share=0.95),
        "rivals": (),
        "telling": (Rival("twin", 0.3, 0.05, 0.9, 0.2),),
        "contested": False,
    }
    return SimpleNamespace(**usual | known)  # type: ignore[return-value]


def test_what_was_fitted_to_whichever_face_fits_best_is_told_only_if_that_refutes_the_others_plainly() -> None:
    assert doubt(verdict(contested=True)) == "looks much like twin"
    assert doubt(verdict(contested=True, telling=(Rival("twin", 0.4, 0.05, 0.9, 0.3),))) == ""
    assert doubt(verdict(contested=True, telling=(Rival("twin", 0.25, 0.02, 0.9, 0.21),))) == "", "it scatters little"


def test_a_rival_that_is_the_same_face_turned_is_not_named() -> None:
    for telling in (Rival("card", 0.1, 0.05, 0.9, 0.1), Rival("card", 0.4, 0.01, 0.9, 0.3, wherever=-0.5)):
        assert doubt(verdict(telling=(telling,))) == "which way round it lies is not seen"


def test_evidence_that_no_small_shift_takes_away_is_none_of_the_fits() -> None:
    """Lines a little aside speak for another face, colours for the same."""
    scattered = Rival("twin", 0.22, 0.025, 0.9, 0.17)
    assert doubt(verdict(contested=True, telling=(scattered,))) == "looks much like twin"
    assert doubt(verdict(contested=True, telling=(replace(scattered, aside=0.05),))) == "looks much like twin"
    assert doubt(verdict(contested=True, telling=(replace(scattered, aside=0.16),))) == ""
    assert doubt(verdict(contested=True, telling=(replace(scattered, error=0.04, aside=0.16),))) != ""


def test_where_each_face_was_given_a_light_of_its_own_the_best_must_refute_the_others_more_plainly() -> None:
    lit = SimpleNamespace(light=SimpleNamespace(burnt=0.3), kind="tile", square=True)
    rival = Rival("twin", 0.3, 0.04, 0.9, 0.24, aside=0.05)
    assert doubt(verdict(contested=True, telling=(rival,))) == ""
    assert doubt(verdict(gallery=lit, telling=(rival,))) == ""
    assert doubt(verdict(gallery=lit, contested=True, telling=(rival,))) == "looks much like twin"
    assert doubt(verdict(gallery=lit, contested=True, telling=(replace(rival, error=0.03),))) == ""


def test_a_strip_of_a_tile_in_a_turn_of_its_own_must_be_much_like_it() -> None:
    """What shows of one between an arm and the next tile was told as another one that lies beneath that tile.

    So was, between two tiles in burnt light, the table.
    """
    lit = SimpleNamespace(light=SimpleNamespace(burnt=0.3), kind="tile", square=True)
    usual = SimpleNamespace(light=None, kind="tile", square=True)
    plainly = (Rival("twin", 0.45, 0.02, 0.9, 0.4),)
    ways = ((0.25, lit, False), (0.9, lit, True), (0.25, usual, False), (0.9, usual, True))
    for free, gallery, told in (*ways, (0.25, verdict().gallery, True)):
        seen = verdict(gallery=gallery, free=free, likeness=0.87, telling=plainly)
        assert (doubt(seen) == "") == told
    liker = {gallery.light is None: verdict(gallery=gallery, free=0.25, likeness=0.91) for gallery in (lit, usual)}
    assert doubt(liker[False])
    assert not doubt(liker[True])


def test_what_softness_may_have_hidden_is_doubted() -> None:
    assert doubt(verdict(), blur=0.8) == ""
    assert doubt(verdict(), blur=1.2) == "looks much like twin"
    plainly = (Rival("twin", 0.45, 0.02, 0.9, 0.4),)
    assert doubt(verdict(telling=plainly), blur=1.2) == ""


def test_where_burnt_light_leaves_parts_unlike_the_face_the_evidence_must_be_plain() -> None:
    """What lies there may be a face that looked unlikely from afar and was not held against it."""
    lit = SimpleNamespace(light=SimpleNamespace(burnt=0.3), kind="card", square=False)
    partly, plainly = SimpleNamespace(share=0.83), (Rival("twin", 0.45, 0.02, 0.9, 0.4),)
    assert doubt(verdict(gallery=lit)) == ""
    assert doubt(verdict(agreement=partly)) == ""
    assert doubt(verdict(gallery=lit, agreement=partly)) == "looks much like twin"
    assert doubt(verdict(gallery=lit, agreement=partly, telling=plainly)) == ""
    assert doubt(verdict(gallery=lit, agreement=partly, free=0.3)) == "", "a strip has been looked at more closely"
    board = SimpleNamespace(light=lit.light, kind="board", square=False)
    assert doubt(verdict(gallery=board, agreement=partly)) == "", "much may stand on it"


def test_evidence_that_is_more_than_there_can_be_is_no_surer_for_that() -> None:
    """In light that burns nearly all print out what is left may seem many times too strong, and so does its noise."""
    lit = SimpleNamespace(light=SimpleNamespace(burnt=0.3), kind="card", square=False)
    noise, clear = (Rival("twin", 1.4, error, 1.0, 0.3, 4.0) for error in (0.55, 0.1))
    assert noise.surely > 0.25
    assert doubt(verdict(gallery=lit, free=0.17, telling=(noise,))) == "looks much like twin"
    assert doubt(verdict(gallery=lit, free=0.17, telling=(replace(clear, own=1.1),))) == ""


def test_what_is_hardly_like_the_face_is_doubted_however_plain_its_rivals_are_refuted() -> None:
    assert doubt(verdict(likeness=0.47)) == "what is seen of it fits nothing well"
    covered = SimpleNamespace(share=0.5, area=0.5)
    assert doubt(verdict(likeness=0.85, agreement=covered)) == "what is seen of it fits nothing well"
    assert doubt(verdict(likeness=0.93, agreement=covered)) == ""
    board = SimpleNamespace(light=None, kind="board", square=False)
    assert doubt(verdict(likeness=0.65, agreement=covered, gallery=board)) == ""


def test_masks_of_what_is_seen_lie_as_the_component_was_looked_at() -> None:
    """A card that lies upside down was looked at the other way up: its masks are not turned."""
    looked_at = Pose(CARD, 100.0, 100.0, 3.0)
    gallery = galleries(Deck("parlour", (Face("Fisher", "card", CARD, _named("Fisher", 3), float(PX)),)), 0.0)[0]
    view: Any = SimpleNamespace(pose=looked_at)
    turned = Verdict(replace(looked_at, turn=183.0), gallery, view, np.array([0]), (), 1.0)
    assert turned.window == looked_at.resized(gallery.window)


def test_a_tile_that_shows_the_table_is_doubted_unless_it_is_plain_in_all_else() -> None:
    """A face may look right in a turn in which the table would be seen at two of its corners."""
    tile = Pose((38.0, 38.0), 0.0, 0.0, 20.0)

    def shown(table: float, likeness: float, surely: float, pose: Pose = tile, free: float = 1.0) -> bool:
        judge: Any = SimpleNamespace(covering=SimpleNamespace(like_table=lambda _: table))
        gallery = SimpleNamespace(square=pose.size[0] == pose.size[1])
        lying = verdict(pose=pose, gallery=gallery, likeness=likeness, surely=surely, free=free)
        return Judge._on_bare_table(judge, lying)

    assert shown(0.08, 0.93, 0.2)
    assert not shown(0.02, 0.93, 0.2)
    assert not shown(0.08, 0.93, 0.4)
    assert shown(0.3, 0.83, 0.5)
    assert not shown(0.3, 0.97, 0.4), "the table may have the tile's colour"
    card = Pose(CARD, 0.0, 0.0, 0.0)
    assert not shown(0.3, 0.83, 0.1, card)
    assert shown(0.3, 0.89, 0.5, card, 0.3), "the frame of one that was never taught, and the table beside it"
    assert not shown(0.15, 0.89, 0.5, card, 0.3)
    assert not shown(0.3, 0.93, 0.5, card, 0.3), "its print may have the table's colour"
    assert shown(0.6, 0.93, 0.5, card, 0.3), "but hardly most of it"
    assert shown(0.6, 0.93, 0.5, tile, 0.3), "a strip of a tile was placed half a tile beside where that lies"
    assert not shown(0.6, 0.97, 0.5, card, 0.3)


@pytest.mark.parametrize(("like", "doubted"), [(0.87, True), (0.15, False)])
def test_a_strip_where_a_card_found_later_shows_its_own_print_is_doubted(
    monkeypatch: pytest.MonkeyPatch, like: float, doubted: bool
) -> None:
    view = TopView(np.full((300, 300, 3), 128, np.uint8), (0.0, 0.0), 1.0)
    gallery = SimpleNamespace(light=None, kind="card", shape=(90, 58))
    later, strip = (
        verdict(pose=(pose := Pose(CARD, 100.0, y, 0.0)), window=pose, gallery=gallery, free=free, name=name)
        for y, free, name in ((100.0, 0.9, "other"), (160.0, 0.2, "phantom"))
    )
    strip.agreement.seen = np.ones((90, 58), np.bool_)  # type: ignore[attr-defined]
    monkeypatch.setattr("vision.consistency.within", lambda examiner, other, shared: like)
    examiner: Any = SimpleNamespace(taken=Covering(view), photo=SimpleNamespace(plane=SimpleNamespace(marked=True)))
    told = consistency.told([Found(strip, ""), Found(later, "")], {}, Judge(examiner, {}))
    assert [found.doubt for found in told] == ["it may be a part of other" if doubted else "", ""]


def test_of_what_a_hand_lies_on_little_need_be_seen_where_its_evidence_is_plain() -> None:
    """It may still be asked about: a hand hides that there is anything at all to ask about."""

    def stands_out(likeness: float, area: float, surely: float) -> bool:
        return Search._stands_out(verdict(likeness=likeness, agreement=SimpleNamespace(area=area), surely=surely))

    assert stands_out(0.95, 0.3, 0.0)
    assert stands_out(0.85, 0.5, 0.0)
    assert stands_out(0.85, 0.3, 0.4)
    assert not stands_out(0.85, 0.3, 0.2)
    assert not stands_out(0.7, 0.5, 0.5)
    assert not stands_out(0.95, 0.1, 0.5)


def test_what_fits_badly_is_kept_last_and_only_where_nothing_else_was_found() -> None:
    """Two cards aside of where it lies a card beneath others fits a little, too; there another may lie."""
    good, badly = (
        verdict(pose=Pose(CARD, x, 100.0, 0.0), free=0.3, quality=fit, view=SimpleNamespace(fit=fit))
        for x, fit in ((100.0, 0.9), (130.0, 0.6))
    )
    search: Any = Search.__new__(Search)
    search.put_off, search.badly, kept = [], False, []
    search.judge = SimpleNamespace(told=lambda verdict: (Found(verdict, ""), None))
    search._add = lambda found, other: kept.append(found.verdict) or True
    assert [search._keep(v) for v in (badly, good)] == [False, True]
    assert (kept, search.put_off) == ([good], [badly])
    search.badly, search._tried = True, lambda pose: None
    for share, last in ((0.1, [good]), (0.3, [good, badly])):
        search.covering = SimpleNamespace(share=lambda pose, share=share: share)
        search._keep_fitting(search.put_off)
        assert kept == last


def test_what_seems_a_strip_and_is_like_no_face_from_near_is_no_question() -> None:
    """A board's field beside a tile was asked about as a tile beneath it, once in a dozen looks."""
    whole, hidden_ = SimpleNamespace(share=0.8, area=0.3), SimpleNamespace(share=0.7, area=0.3)

    def asked(why: str = UNFIT, **said: object) -> bool:
        usual: dict[str, object] = {"free": 0.3, "likeness": 0.45, "agreement": whole}
        strip = verdict(**usual | said, view=SimpleNamespace(fit=0.4))
        search: Any = Search.__new__(Search)
        search.put_off, search.badly = [], True
        search.judge = SimpleNamespace(told=lambda verdict: (Found(verdict, why), None))
        search._add = lambda found, other: True
        return bool(search._keep(strip))

    assert not asked()
    assert asked(likeness=0.55), "strips of a tile that nobody taught are this much like others"
    assert asked(free=0.6), "what lies open has edges of its own"
    assert asked(agreement=hidden_), "what a hand hides may be unlike its face for that"
    assert asked(gallery=SimpleNamespace(light=object(), kind="card", square=False))
    assert asked("looks much like another")


def test_every_face_looked_at_closely_is_held_against_the_likeliest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one hardest to tell apart where most is covered need not be among those that look likeliest."""
    evidence = {number: 0.1 if number == 9 else 0.4 for number in range(1, 10)}
    monkeypatch.setattr(
        "vision.rivals.rival_of", lambda view, one, other, gallery: Rival(str(other), evidence[other], 0.0, 0.3, 0.3)
    )
    gallery: Any = SimpleNamespace(differ=lambda one, other: one != other)
    view: Any = SimpleNamespace(entry=0, likenesses=np.linspace(1.0, 0.5, 10))
    rivals = rivals_of(gallery, np.arange(10), view)
    assert rivals[0][1] == 9
    assert len(rivals) == 9


def test_a_close_look_may_lack_contrast_only_in_burnt_light_and_where_its_evidence_is_plain() -> None:
    lit = SimpleNamespace(light=object(), kind="card")

    def believed(name: str = "Fisher", like: float = 0.7, surely: float = 0.9, **afar: object) -> bool:
        usual: dict[str, object] = {"gallery": lit, "name": "Fisher", "likeness": 0.9}
        return grainy(verdict(**usual | afar), verdict(name=name, likeness=like, surely=surely))

    assert believed()
    assert not believed(gallery=verdict().gallery), "in usual light contrast is never lacking"
    assert not believed("Farmer")
    assert not believed(like=0.6)
    assert not believed(surely=0.4)
    assert not believed(likeness=0.8)
    assert believed(agreement=SimpleNamespace(share=0.9))
    assert not believed(agreement=SimpleNamespace(share=0.8)), "a twin that was never taught agrees as far"


def test_beside_something_strange_enough_must_be_seen_of_a_face_and_of_what_tells_it_from_others() -> None:
    """The edge of a hand over what differs was taken for print, and an arm over water for a tile with a mountain."""
    slightly = (Rival("twin", 0.48, 0.05, 0.02, 0.38),)
    assert doubt(verdict(telling=slightly)) == ""
    half, less = (SimpleNamespace(share=0.54, area=area) for area in (0.53, 0.28))
    assert doubt(verdict(agreement=half, telling=slightly)) == "what tells it from twin is covered"
    assert doubt(verdict(agreement=half)) == hidden(verdict(agreement=half)) == ""
    assert hidden(verdict(agreement=less)) == COVERED
    board = SimpleNamespace(light=None, kind="board", square=False)
    assert hidden(verdict(agreement=less, gallery=board)) == "", "much may stand on it"
