"""Tiles that nobody taught, whose near twins somebody did; and near twins that show one motif at different places."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.demo.stage import House
from tests.vision.test_cards import NAMES, drawn
from tests.vision.test_cards import PX as CARD_PX
from tests.vision.test_unmarked import photo
from vision import agreement, strangers
from vision.covering import Covering
from vision.deck import Deck, Face
from vision.gallery import evened
from vision.judge import Judge
from vision.observation import Observation
from vision.observe import Observer
from vision.photo import Pose
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable
from vision.topview import TopView
from vision.verify import Examiner

Floats = NDArray[np.float32]

LAID = {"water-09": (450.0, 250.0), "water-16": (600.0, 250.0)}
UNTAUGHT = "it may be one that was never taught"
SIDE, PX = 36, 4  # a tile's side in mm, and its pixels a mm
ROWS = {"low": 250.0, "high": 420.0}  # which tiles lie how far down


def dots(seed: int, paper: Image, count: int, radii: tuple[int, int]) -> Image:
    """The paper with dots of all colours on it."""
    rng = np.random.default_rng(seed)
    drawn = paper.copy()
    for _ in range(count):
        x, y = (int(v) for v in rng.integers(0, len(paper), 2))
        cv2.circle(drawn, (x, y), int(rng.integers(*radii)), [int(v) for v in rng.integers(40, 220, 3)], -1)
    return drawn


def tile(seed: int, up: float) -> Image:
    """A tile with the same motif as all, so far up (mm) from the middle, among small dots of its own."""
    motif = dots(99, np.full((24 * PX, 24 * PX, 3), (60, 90, 200), np.uint8), 60, (4, 14))
    drawn = dots(seed, np.full((SIDE * PX, SIDE * PX, 3), (70, 120, 60), np.uint8), 24, (3, 7))
    top, left = round((6 - up) * PX), 6 * PX
    drawn[top : top + len(motif), left : left + len(motif)] = motif
    return drawn


def seen(faces: Mapping[str, Image], taught: Iterable[str], cards: Iterable[Placed], seed: int) -> Observation:
    deck = Deck("twins", tuple(Face(name, "tile", (SIDE, SIDE), faces[name], PX) for name in taught))
    drawn = {name: FaceImage(face, (SIDE, SIDE), kind="tile") for name, face in faces.items()}
    return Observer(deck, ()).observe(SimulatedTable(drawn, seed).render(Scene(tuple(cards))))


def four_of_each() -> list[Placed]:
    return [Placed(name, (250.0 + 130 * i, y), 20.0 * i) for name, y in ROWS.items() for i in range(4)]


def in_row(observation: Observation, name: str) -> list[str]:
    """What was read where the tiles of this name lie."""
    rows = [(c.component, c.centre[1]) for c in observation.components if c.centre is not None]
    return [component for component, y in rows if abs(y - ROWS[name]) < SIDE]


@pytest.mark.thorough
def test_what_looks_like_a_near_twin_only_where_that_is_like_others_is_asked_about() -> None:
    house = House.of("maori")
    scene = Scene(tuple(Placed(name, at, 0.0) for name, at in LAID.items()))
    photo = SimulatedTable(house.faces, 1).render(scene)
    seen = Observer(house.deck, ()).observe(photo)
    assert {c.component for c in seen.components} == {f"maori/{name}" for name in LAID}
    few = replace(house.deck, faces=tuple(face for face in house.deck.faces if face.name not in LAID))
    seen = Observer(few, ()).observe(photo)
    assert seen.components == ()
    assert seen.unsure


def test_a_tile_that_lacks_one_shell_of_the_likest_that_was_taught_is_asked_about() -> None:
    house = House.of("maori")
    untaught = ("middle-ns-3", "middle-ns-6", "middle-ew-2", "middle-ew-4")
    others = ("middle-ew-5", "single-08", "end-e-10", "water-10")
    row = [Placed(name, (250.0 + 90 * i, 200.0 + 90 * j), 90.0 * j) for j in (0, 1) for i, name in enumerate(others)]
    scene = Scene((*row, Placed("middle-ns-3", (700.0, 200.0)), Placed("middle-ns-3", (700.0, 300.0), 90.0)))
    deck = replace(house.deck, faces=tuple(face for face in house.deck.faces if face.name not in untaught))
    seen = Observer(deck, ()).observe(SimulatedTable(house.faces, 1).render(scene))
    assert {c.component for c in seen.components} == {f"maori/{name}" for name in others}
    assert [doubt.why for doubt in seen.unsure] == [UNTAUGHT] * 2


@pytest.mark.quick(1)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_motif_that_is_printed_elsewhere_on_a_tile_is_another_tile(seed: int) -> None:
    observation = seen({"low": tile(2, -1.5), "high": tile(1, 1.5)}, ROWS, four_of_each(), seed)
    for name in ROWS:
        assert in_row(observation, name) == [f"twins/{name}"] * 4


def test_a_motif_among_other_small_print_is_not_the_tile_that_was_taught() -> None:
    faces = {"low": tile(2, -1.0), "high": tile(1, 1.0), "other": tile(3, 1.0)}
    observation = seen(faces, ("low", "other"), four_of_each(), 0)
    assert in_row(observation, "low") == ["twins/low"] * 4
    assert in_row(observation, "high") == []
    assert {doubt.why for doubt in observation.unsure} == {UNTAUGHT}


@pytest.mark.parametrize("seed", [0, 1])
def test_neighbours_that_touch_it_do_not_excuse_what_differs(seed: int) -> None:
    faces = {"low": tile(2, -1.0), "high": tile(1, 1.0), "other": tile(3, 1.0)}
    paper = np.full((SIDE * PX, SIDE * PX, 3), (90, 150, 170), np.uint8)
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    beside = {f"beside-{i}": dots(50 + i, paper, 50, (4, 12)) for i in range(len(around))}
    places = zip(beside, around, strict=True)
    laid = [Placed(name, (400.0 + SIDE * x, 300.0 + SIDE * y), 0.0) for name, (x, y) in places]
    laid.append(Placed("high", (400.0, 300.0), 0.0))
    observation = seen({**faces, **beside}, ("low", "other", *beside), laid, seed)
    assert {c.component for c in observation.components} == {f"twins/{name}" for name in beside}
    (doubt,) = observation.unsure
    assert doubt.why in {UNTAUGHT, "looks as much like other"}


@pytest.mark.thorough
def test_without_markers_what_fits_worse_than_the_others_is_asked_about() -> None:
    faces = drawn()
    face = faces[NAMES[1]].image
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, face.shape).astype(np.float32), (0, 0), 2)
    laid = replace(faces[NAMES[1]], image=np.clip(face + 25 * grain / grain.std(), 0, 255).astype(np.uint8))
    image, _ = photo(Look(), faces={**faces, NAMES[1]: laid})
    taught = tuple(Face(name, f.kind, f.size_mm, f.image, float(CARD_PX)) for name, f in faces.items())
    observation = Observer(Deck("parlour", taught), without_markers=True).observe(image)
    assert f"parlour/{NAMES[1]}" not in {c.component for c in observation.components}
    assert len(observation.components) == 6
    assert [doubt.why for doubt in observation.unsure] == [UNTAUGHT]


@pytest.mark.parametrize(("aside_mm", "another"), [(0.9, False), (2.0, True)])
def test_what_a_bowed_card_shows_a_little_aside_is_no_other_print(aside_mm: float, another: bool) -> None:
    """A back of fine stripes, of which a part lies beside where all of it fits."""
    scale = 1.5
    y, x = np.mgrid[:98, :63] / scale  # mm
    aside = aside_mm * ((y > 20) & (y < 40))

    def striped(along: Floats) -> Floats:
        stripes = np.asarray(np.where((along + y) % 4 < 1.5, 200, 70), np.float32)
        return evened(cv2.merge([cv2.GaussianBlur(stripes, (0, 0), 0.6)] * 3), scale)

    weight = np.ones((98, 63, 3), np.float32)
    seen = agreement.Look(striped(x + aside), weight, whole=True, alike=True)
    gallery = SimpleNamespace(scale=scale, fine=lambda _: striped(x))
    for held in (None, agreement.Agreeing(seen, scale).held_against(striped(x))):
        view = SimpleNamespace(seen=seen, weight=weight, entry=0, held=held)
        verdict: Any = SimpleNamespace(gallery=gallery, view=view)
        assert bool(strangers.contradicted(verdict).any()) == another
        assert not strangers.contradicted(verdict, but=np.ones((98, 63), np.bool_)).any()


def compared(seen: Floats, face: Floats) -> Any:
    """A verdict as far as print is compared: all of a component is seen, at 1.5 pixels a mm."""
    look = agreement.Look(seen, np.ones_like(seen), whole=True, alike=True)
    view = SimpleNamespace(seen=look, weight=look.weight, entry=0, held=None)
    return SimpleNamespace(gallery=SimpleNamespace(scale=1.5, fine=lambda _: face), view=view)


def test_what_a_small_bowed_component_shows_a_little_aside_is_no_other_print() -> None:
    """Of 20 mm: less than a motif is more than a fiftieth of it."""
    y, x = np.mgrid[:30, :30] / 1.5  # mm
    part = (abs(x - 8.75) < 2.75) & (abs(y - 10.75) < 2.75)

    def striped(along: Floats) -> Floats:
        stripes = np.asarray(np.where((along + y) % 4 < 1.5, 200, 70), np.float32)
        return evened(cv2.merge([cv2.GaussianBlur(stripes, (0, 0), 0.6)] * 3), 1.5)

    assert not strangers.contradicted(compared(striped(x + 0.9 * part), striped(x))).any()


def test_a_motif_less_tells_where_it_is_known_exactly_how_a_card_lies() -> None:
    plain = cv2.GaussianBlur(np.random.default_rng(0).normal(120, 60, (98, 63, 3)), (0, 0), 4).astype(np.float32)
    bare, shell = evened(plain, 1.5), evened(cv2.circle(plain.copy(), (12, 42), 2, (150, 150, 240), -1), 1.5)
    assert strangers.contradicted(compared(bare, shell)).any()
    assert not strangers.contradicted(compared(bare, shell), exactly=False).any()
    assert not strangers.contradicted(compared(shell, shell)).any()


def hands(middles: Iterable[int]) -> Image:
    """A pale card with shells, and pale patches like hands above them, so far (mm) from its left edge."""
    card = np.full((59 * PX, 91 * PX, 3), (125, 185, 205), np.uint8)
    for i, colour in enumerate(((60, 120, 40), (40, 40, 190), (30, 170, 230), (190, 80, 50))):
        cv2.circle(card, ((20 + 17 * i) * PX, 44 * PX), 6 * PX, colour, cv2.FILLED, cv2.LINE_AA)
    for x in middles:
        for colour, width in (((95, 150, 175), cv2.FILLED), ((60, 110, 140), 2)):
            cv2.ellipse(card, (x * PX, 18 * PX), (13 * PX, 14 * PX), 0, 0, 360, colour, width, cv2.LINE_AA)
    return card


@pytest.mark.quick(1)
@pytest.mark.parametrize("apart_mm", [1.5, 4.0])
def test_the_rims_of_its_neighbours_do_not_excuse_what_differs(apart_mm: float) -> None:
    """No table is known to be bare there: that is nothing that might lie on a card with a hand less."""
    paper = np.full((59 * PX, 91 * PX, 3), (110, 150, 160), np.uint8)
    beside = {name: dots_on(paper, i) for i, name in enumerate(("above", "right"))}
    faces = {"two": hands((31, 59)), "one": hands((45,)), **beside}
    down = 200.0 + 59 + apart_mm
    laid = (Placed("above", (400.0, 200.0)), Placed("one", (402.0, down)), Placed("right", (493.0, down)))
    deck = Deck("hands", tuple(Face(name, "card", (91, 59), faces[name], PX) for name in ("two", *beside)))
    table = SimulatedTable({name: FaceImage(face, (91, 59)) for name, face in faces.items()}, 1)
    observation = Observer(deck, ()).observe(table.render(Scene(laid)))
    assert {c.component for c in observation.components} == {"hands/above", "hands/right"}
    assert UNTAUGHT in [doubt.why for doubt in observation.unsure]


@pytest.mark.quick(1)
@pytest.mark.parametrize("place", [(38.0, -46.0, 35.0), (-30.0, -40.0, 30.0), (34.0, -50.0, -30.0)])
def test_a_card_found_later_excuses_what_it_covers_of_another(place: tuple[float, float, float]) -> None:
    """Nothing strange is seen beyond the corner on which it lies; but there it shows its own print."""
    house = House.of("rapa-nui")
    right, down, turn = place
    above = Placed("offering-sweet-potato", (300.0 + right, 250.0 + down), turn)
    scene = Scene((Placed("hunter-fish", (300.0, 250.0)), above))
    observation = Observer(house.deck, ()).observe(SimulatedTable(house.faces, 1).render(scene))
    assert {c.component for c in observation.components} == {f"rapa-nui/{placed.component}" for placed in scene.cards}


def test_two_cards_found_later_one_upon_the_other_excuse_what_they_cover_of_a_third() -> None:
    house = House.of("rapa-nui")
    upon = (Placed("hunter-fish", (427.0, 129.0), 150.0), Placed("offering-grain", (455.0, 155.0), 241.0))
    scene = Scene((Placed("moai", (409.0, 199.0), -2.0), *upon))
    observation = Observer(house.deck, ()).observe(SimulatedTable(house.faces, 1).render(scene))
    assert {c.component for c in observation.components} == {f"rapa-nui/{placed.component}" for placed in scene.cards}


def dots_on(paper: Image, seed: int) -> Image:
    """The paper with large dots of all colours on all of it."""
    rng = np.random.default_rng(seed)
    drawn = paper.copy()
    for _ in range(50):
        x, y = int(rng.integers(paper.shape[1])), int(rng.integers(paper.shape[0]))
        cv2.circle(drawn, (x, y), int(rng.integers(5, 24)), [int(v) for v in rng.integers(40, 230, 3)], -1, cv2.LINE_AA)
    return drawn


def test_where_the_table_shows_along_the_rim_of_a_card_nothing_is_held_against_it() -> None:
    """It was cut out a little too low when it was taught: its picture ends with the cloth it lay on."""
    table = np.full((300, 400, 3), (90, 140, 180), np.uint8)
    table += np.random.default_rng(0).integers(0, 4, table.shape, np.uint8)
    table[100:189, 150:210] = (60, 50, 45)  # ends a millimetre above the lower rim of where it is taken to lie
    covering = Covering(TopView(table, np.zeros(2), 1.0))
    judge = Judge(cast(Examiner, SimpleNamespace(taken=covering)), {})
    shape = (182, 120)
    gallery = SimpleNamespace(scale=2.0, shape=shape)
    verdict: Any = SimpleNamespace(gallery=gallery, window=Pose((60.0, 91.0), 179.5, 145.0, 0.0))
    rim = judge._table_at_rim(verdict)
    assert rim.shape == shape
    assert rim[-1].all()
    assert not rim[10:-10, 10:-10].any()
    assert not rim[:2, 10:-10].any()


@pytest.mark.thorough
def test_what_fits_badly_only_for_grain_is_told() -> None:
    """Of water with nothing on it a noisy photo shows little more than noise, unless one looks from afar."""
    house = House.of("maori")
    laid = tuple(Placed(f"water-{n}", (250.0 + 120 * i, 250.0)) for i, n in enumerate(("10", "15", "02", "05")))
    photo = SimulatedTable(house.faces, 1, look=Look(noise=26)).render(Scene(laid))
    read = {c.component for c in Observer(house.deck, ()).observe(photo).components}
    assert {"maori/water-15", "maori/water-05"} <= read
