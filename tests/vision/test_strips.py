"""Strips of cards that hardly differ, of cards whose print repeats itself, under a hand: told rightly, or asked about.

Columns drawn by lot. The near-twins share a picture and differ in what is drawn on its middle; a strip may show
nothing of that, but an edge or a shadow that looks like it.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from tests.bench.tables import photo as photo_by_lot
from tests.bench.truth import Claim, claims
from tests.vision.test_cards import PX, drawn
from vision.deck import Deck, Face
from vision.gallery import galleries
from vision.observe import Observer
from vision.simulated import FaceImage, HandAt, Image, Look, Placed, Scene, SimulatedTable

FINE = 3  #: pixels per millimetre of the near-twins
SIZE = (91.0, 59.0)
GLASS = {"green": (60, 130, 50), "red": (60, 60, 200), "yellow": (60, 200, 240), "blue": (190, 90, 90)}
SURFACES = ("oak", "walnut", "cloth", "linen", "slate")


def _background(rng: np.random.Generator, width: int, height: int) -> Image:
    image = np.full((height, width, 3), rng.integers(130, 220, 3), np.uint8)
    image[int(0.62 * height) :] = rng.integers(110, 200, 3)
    for _ in range(12):
        colour = [int(v) for v in rng.integers(90, 230, 3)]
        x, y, reach = int(rng.integers(0, width)), int(rng.integers(0, height)), int(rng.integers(10, 30))
        if rng.uniform() < 0.5:
            cv2.circle(image, (x, y), reach, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(image, (x, y), (x + reach, y + 2 * reach), colour, -1)
    return image


def _disc(image: Image, x: float, y: float, radius: int, colour: tuple[int, int, int]) -> None:
    middle = int(x), int(y)
    cv2.circle(image, middle, radius, colour, -1, cv2.LINE_AA)
    cv2.circle(image, middle, radius, (40, 60, 50), 2, cv2.LINE_AA)
    cv2.circle(image, (middle[0] - radius // 3, middle[1] - radius // 3), radius // 5, (235, 240, 240), -1, cv2.LINE_AA)


@cache
def twins(seed: int) -> dict[str, FaceImage]:
    width, height = (int(side * FINE) for side in SIZE)
    base = _background(np.random.default_rng(seed), width, height)
    faces = {name: base.copy() for name in ("swap", "turn", *(f"{v}-{c}" for c in GLASS for v in ("gain", "half")))}
    for number, (name, colour) in enumerate(GLASS.items()):
        for i in range(4 - number):
            x = width * (0.5 + 0.19 * (i - (3 - number) / 2))
            _disc(faces[f"gain-{name}"], x, height // 2, int(0.12 * height), colour)
        at = int(0.12 * width), int(0.6 * height)
        cv2.putText(faces[f"half-{name}"], "1/2", at, cv2.FONT_HERSHEY_TRIPLEX, 1.4, (50, 60, 60), 3, cv2.LINE_AA)
        _disc(faces[f"half-{name}"], 0.64 * width, height // 2, int(0.16 * height), colour)
    for y in (0.36, 0.64):
        low, high = int((y - 0.035) * height), int((y + 0.035) * height)
        cv2.rectangle(faces["swap"], (int(0.25 * width), low), (int(0.75 * width), high), (70, 100, 80), -1)
    ring = int(0.2 * height), int(0.26 * height)
    cv2.ellipse(faces["turn"], (width // 2, height // 2), ring, 0, 40, 330, (90, 70, 80), 8, cv2.LINE_AA)
    for image in faces.values():
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), (60, 80, 70), 2 * FINE)
    return {name: FaceImage(image, SIZE) for name, image in faces.items()}


def _looked(deck: Deck, faces: dict[str, FaceImage], laid: list[Placed], look: Look, seed: int) -> list[Claim]:
    table, scene = SimulatedTable(faces, seed, look=look), Scene(tuple(laid))
    seen = Observer(deck, ()).observe(table.render(scene))
    return [claim for claim in claims(seen, table.truth(scene), deck) if claim.sort == "component"]


@pytest.mark.thorough
def test_strips_of_near_twins_are_told_rightly_or_asked_about() -> None:
    faces = twins(1)
    deck = Deck("twins", tuple(Face(n, "card", f.size_mm, f.image, FINE) for n, f in faces.items()))
    rng = np.random.default_rng((10, 5))
    laid = []
    for column in range(6):
        y, turn = 75.0, float(rng.choice((0, 180)) + rng.normal(0, 2))
        step = float(rng.uniform(0.3, 0.45) * SIZE[1])
        for _ in range(int(rng.integers(5, 9))):
            name, x = str(rng.choice(list(faces))), 120 + 132 * column + float(rng.normal(0, 1.5))
            laid.append(Placed(name, (x, y), turn + float(rng.normal(0, 1))))
            y += step
    surface = str(rng.choice(SURFACES))
    look = Look(surface=surface, blur_px=float(rng.uniform(0.4, 1.8)), noise=float(rng.uniform(1, 5)))
    said = _looked(deck, faces, laid, look, int(rng.integers(1 << 30)))
    assert [claim.name for claim in said if not claim.right] == []
    assert len(said) >= 9


@pytest.mark.thorough
def test_strips_of_backs_that_repeat_themselves_are_told_where_they_lie_or_asked_about() -> None:
    deck = Deck("parlour", tuple(Face(n, f.kind, f.size_mm, f.image, float(PX)) for n, f in drawn().items()))
    rng = np.random.default_rng((7, 9))
    laid = []
    for column in range(7):
        y, turn = 80.0, float(rng.choice((0, 180)) + rng.normal(0, 3))
        covered = rng.uniform() < 0.6
        step = float(rng.uniform(0.15, 0.5) * 67 if covered else 67 + rng.uniform(1, 6))
        while y < 480:
            name = str(rng.choice(["back", "back", "back", "chip-0", "chip-1", "chip-2"]))
            x = 110 + 112 * column + float(rng.normal(0, 1.5))
            laid.append(Placed(name, (x, y), turn + float(rng.normal(0, 1))))
            y += step
    random_table = int(rng.integers(1 << 30))
    surface = str(rng.choice(("walnut", "oak", "slate")))
    look = Look(surface=surface, blur_px=float(rng.uniform(0.4, 1.6)), noise=float(rng.uniform(1, 5)))
    said = _looked(deck, drawn(), laid, look, random_table)
    assert [claim.name for claim in said if not claim.right] == []
    assert len(said) >= 25


def test_a_striped_back_repeats_itself_and_pictures_do_not() -> None:
    deck = Deck("parlour", tuple(Face(n, f.kind, f.size_mm, f.image, float(PX)) for n, f in drawn().items()))
    repeating = [g.names[i] for g in galleries(deck, 0.0) for i in range(len(g.names)) if g.repeats(i)]
    assert repeating == ["back"]


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("tip", "arm"),
    [((336.0, 238.0), 0.0), ((348.0, 226.0), 330.0), pytest.param((324.0, 226.0), 30.0, marks=pytest.mark.thorough)],
)
def test_strips_beneath_a_card_on_which_a_hand_lies_are_found(tip: tuple[float, float], arm: float) -> None:
    """Where the hand hides the card, nothing of what lies beneath it can be seen either."""
    house = House.of("rapa-nui")
    pile = [Placed("priest", (330.0, 266.0)), Placed("moai", (331.0, 248.0), 1.0)]
    pile.append(Placed("hunter-mulberry", (332.0, 230.0), 1.5))
    apart = [Placed(name, (560.0 + 70 * i, 180.0)) for i, name in enumerate(("hunter-fish", "hunter-grain"))]
    table = SimulatedTable(house.faces, 1, look=Look(noise=3.0))
    seen = Observer(house.deck, ()).observe(table.render(Scene((*apart, *pile), hands=(HandAt(tip, arm),))))
    assert {c.component for c in seen.components} == {f"rapa-nui/{laid.component}" for laid in (*apart, *pile)}
    assert not seen.unsure


@pytest.mark.thorough
def test_backs_that_lie_a_little_askew_in_a_pile_are_found_by_the_edges_that_show() -> None:
    """Of their fine print nothing is where it should be when it is looked for a degree or a millimetre off."""
    house = House.of("rapa-nui")
    photo, truth = photo_by_lot(house, 424, 7)
    seen = Observer(house.deck, ()).observe(photo)
    told = [c.right for c in claims(seen, truth, house.deck) if c.sort == "component" and c.name.endswith("-back")]
    lying = [t for t in truth["components"] if t["component"] == "offering-back"]
    assert told == [True] * len(lying) == [True] * 5


@pytest.mark.thorough
def test_strips_of_untidy_columns_are_found() -> None:
    """Bands that look much alike, strips a few degrees askew, and a column across which another card lies."""
    house = House.of("rapa-nui")
    photo, truth = photo_by_lot(house, 427, 8)
    told = [
        c.right for c in claims(Observer(house.deck, ()).observe(photo), truth, house.deck) if c.sort == "component"
    ]
    assert told.count(False) == 0
    assert told.count(True) >= 27


@pytest.mark.thorough
def test_a_column_on_which_a_card_lies_askew_is_found() -> None:
    """What lies askew shines and throws its shadow into much of the strip beneath it."""
    house = House.of("fiji")
    photo, truth = photo_by_lot(house, 7, 3102)
    told = [c for c in claims(Observer(house.deck, ()).observe(photo), truth, house.deck) if c.sort == "component"]
    assert all(c.right for c in told)
    assert len(told) >= sum(t["visible"] > 0.25 for t in truth["components"])


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "number", "seed"), [("rapa-nui", 7, 2402), ("fiji", 4, 2402)])
def test_what_lies_under_a_card_laid_askew_is_found_by_a_corner(game: str, number: int, seed: int) -> None:
    house = House.of(game)
    photo, truth = photo_by_lot(house, number, seed)
    told = [c for c in claims(Observer(house.deck, ()).observe(photo), truth, house.deck) if c.sort == "component"]
    assert all(c.right for c in told)
    assert len(told) >= sum(t["visible"] > 0.25 for t in truth["components"])


@pytest.mark.thorough
def test_a_strip_is_read_upon_which_lies_another_that_shows_but_two_patches() -> None:
    house = House.of("rapa-nui")
    photo, truth = photo_by_lot(house, 5, 2401)
    seen = Observer(house.deck, ()).observe(photo)
    assert all(c.right for c in claims(seen, truth, house.deck))
    assert not seen.unsure
    assert [c.component for c in seen.components].count("rapa-nui/priest") == 2


@pytest.mark.thorough
def test_what_a_hand_lies_on_need_fit_no_better_than_its_like_on_a_photo_of_much_grain() -> None:
    house = House.of("rapa-nui")
    backs = [Placed("offering-back", (x, 150.0)) for x in (150.0, 250.0, 600.0)]
    hidden, hand = Placed("offering-back", (400.0, 330.0)), HandAt((425.0, 320.0), 0.0)
    table = SimulatedTable(house.faces, 1, look=Look(noise=20.0, blur_px=2.0))
    observer = Observer(house.deck, ())
    seen = observer.observe(table.render(Scene((*backs, hidden), hands=(hand,))))
    assert [c.component for c in seen.components] == ["rapa-nui/offering-back"] * 4
    alone = observer.observe(table.render(Scene((hidden,), hands=(hand,))))
    assert not alone.components, "nothing tells how much is lost in the grain"
