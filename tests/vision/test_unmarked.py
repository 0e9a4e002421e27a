"""A photo without markers: sizes of components tell how far away and how tilted the table is."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.demo.stage import House
from tests.vision.painting import GLASS, Painting
from tests.vision.test_cards import NAMES, PX, drawn
from vision import beads
from vision.deck import Deck, Face
from vision.observe import Observer
from vision.plane import Lens, Plane
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

REAL = Path(__file__).resolve().parents[3] / "shared/real/opencv"
CARDS = (
    *(Placed(name, (200.0 + 130 * i, 200.0 + 20 * (i % 2)), 8.0 * i) for i, name in enumerate(NAMES)),
    *(Placed(f"chip-{i}", (260.0 + 120 * i, 380.0), -20.0 * i) for i in range(3)),
)


@pytest.fixture(scope="module")
def observer() -> Observer:
    faces = tuple(Face(name, face.kind, face.size_mm, face.image, float(PX)) for name, face in drawn().items())
    return Observer(Deck("parlour", faces), without_markers=True)


def photo(
    look: Look, cards: tuple[Placed, ...] = CARDS, faces: Mapping[str, FaceImage] | None = None
) -> tuple[Image, SimulatedTable]:
    """A photo on which the markers are painted over."""
    table = SimulatedTable(faces or drawn(), 4, look=look)
    scene = Scene(cards)
    image = table.render(scene)
    for marker in table.truth(scene)["markers"]:
        x, y = table.view.project(np.array([marker["centre_mm"]]))[0]
        cv2.circle(image, (round(float(x)), round(float(y))), 60, (90, 110, 130), -1)
    return image, table


@pytest.mark.quick(1)
@pytest.mark.parametrize("look", [Look(), Look(tilt_deg=(14.0, -9.0)), Look(field_deg=50.0), Look(roll_deg=182.0)])
def test_components_are_read_in_pixels(observer: Observer, look: Look) -> None:
    image, table = photo(look)
    observation = observer.observe(image)
    assert observation.ok
    assert not observation.markers
    assert any("no places in millimetres" in warning for warning in observation.warnings)
    middles = {p.component: table.view.project(np.array([p.centre_mm]))[0] for p in CARDS}
    for component in observation.components:
        assert component.centre is None
        name = component.component.removeprefix("parlour/")
        assert np.hypot(*(np.mean(component.corners, axis=0) - middles[name])) < 20, name
    assert len(observation.components) >= len(CARDS) - 1


def test_too_little_is_seen_to_tell(observer: Observer) -> None:
    image, _ = photo(Look(), ())
    observation = observer.observe(image)
    assert not observation.ok or not observation.components
    assert observation.warnings[-1].endswith("take the photo from nearer")


def test_a_camera_over_a_table_needs_its_markers(observer: Observer) -> None:
    """An arm over the markers is no reason to take the table for empty."""
    image, _ = photo(Look())
    observation = Observer(observer.deck).observe(image)
    assert not observation.ok
    assert not observation.components


def strewn(discs: list[tuple[float, float, tuple[int, int, int]]], radius: float = 24.0, glass: bool = True) -> Image:
    """Discs on a pale table, and nothing that tells a size."""
    painting = Painting((200, 205, 210), (640, 480), 3).grain(0.02)
    for x, y, colour in discs:
        painting.disc(x, y, radius, colour, glass)
    return painting.photo()


def scattered(*colours: str) -> list[tuple[float, float, tuple[int, int, int]]]:
    return [(90.0 + 130 * (i % 4), 90.0 + 110 * (i // 4), GLASS[name]) for i, name in enumerate(colours)]


def beads_only() -> Observer:
    return Observer(Deck("beads", ()), beads.PALETTE, without_markers=True)


@pytest.mark.parametrize("radius", [14.0, 24.0, 38.0])
def test_beads_of_any_size_are_told_by_colour_in_pixels(radius: float) -> None:
    names = ("red", "green", "blue", "red", "yellow", "red", "green", "blue")
    seen = beads_only().observe(strewn(scattered(*names), radius))
    assert seen.ok
    assert not seen.unsure
    assert all(bead.centre is None for bead in seen.beads)
    told = {(round((b.centre_px[0] - 90) / 130), round((b.centre_px[1] - 90) / 110)): b.colour for b in seen.beads}
    assert told == {(i % 4, i // 4): name for i, name in enumerate(names)}


def test_tokens_of_six_colours_are_told_where_the_deck_names_them() -> None:
    """The wooden discs of other games: orange beside red and yellow, purple beside blue."""
    paint = {"orange": (30, 105, 225), "purple": (120, 30, 95)}
    names = ("red", "orange", "purple", "blue", "yellow", "orange", "green", "purple")
    discs = [(90.0 + 130 * (i % 4), 90.0 + 110 * (i // 4), (GLASS | paint)[name]) for i, name in enumerate(names)]
    deck = Deck("pagoda", (), beads=("red", "orange", "yellow", "green", "blue", "purple"))
    for glass in (True, False):
        seen = Observer(deck, without_markers=True).observe(strewn(discs, glass=glass))
        assert Counter(bead.colour for bead in seen.beads) == Counter(names)
    four = beads_only().observe(strewn(discs))
    assert {bead.colour for bead in four.beads} <= set(GLASS)
    assert len(four.beads) + len(four.unsure) == len(names)


def test_a_colour_has_less_room_beside_its_neighbours_only() -> None:
    assert beads.named({"red", "blue", "wood"}) == (beads.PALETTE[0], beads.PALETTE[3])
    assert [hue.name for hue in beads.named({"orange", "red"})] == ["red", "orange"]
    six = sorted((hue.low, hue.high) for hue in beads.SIX if hue.name != "red")
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(six))
    assert not beads.named(())


def test_a_bead_unlike_its_namesakes_is_in_doubt() -> None:
    orange = (25, 72, 215)
    seen = beads_only().observe(strewn([*scattered("red", "red", "red", "red", "green"), (220.0, 310.0, orange)]))
    assert sorted(b.colour for b in seen.beads) == ["green", "red", "red", "red", "red"]
    (doubt,) = seen.unsure
    assert doubt.why == "colour between two"
    assert doubt.centre_px == pytest.approx((220.0, 310.0), abs=4)


def test_sizes_told_by_nothing_of_the_deck_are_not_believed(
    observer: Observer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Glints and grain may look like some print; what is then not found did not tell how large things are."""
    straight = Plane(
        Lens(np.array([[2800.0, 0, 320], [0, 2800.0, 240], [0, 0, 1]]), np.zeros(5)), np.eye(3), np.array([0, 0, 1e3])
    )
    names = ("red", "green", "blue", "red", "yellow", "red", "green", "blue")
    glass = Observer(observer.deck, beads.PALETTE, without_markers=True)
    monkeypatch.setattr(glass._cards, "plane", lambda image: straight)
    seen = glass.observe(strewn(scattered(*names), 14.0))
    assert Counter(bead.colour for bead in seen.beads) == Counter(names)
    assert seen.plane is None


@pytest.mark.parametrize("shape", ["diamond", "square", "heart"])
def test_what_is_not_quite_round_is_no_bead(shape: str) -> None:
    image = strewn([])
    at = np.linspace(0, 2 * np.pi, 80)
    heart = np.column_stack([16 * np.sin(at) ** 3, -13 * np.cos(at) + 5 * np.cos(2 * at) + 2 * np.cos(3 * at)]) / 15
    square = np.array([(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)])
    outline = {"diamond": np.array([(-1, 0), (0, -1.2), (1, 0), (0, 1.2)]), "square": square, "heart": heart}[shape]
    for x, y, _ in scattered(*["red"] * 8):
        cv2.fillPoly(image, [np.rint(np.array([x, y]) + 20 * outline).astype(np.int32)], (30, 30, 190), cv2.LINE_AA)
    seen = beads_only().observe(image)
    assert not seen.ok
    assert not seen.beads
    assert not seen.unsure


@pytest.mark.thorough
@pytest.mark.shared
def test_real_cards_of_others_show_no_beads() -> None:
    paths = sorted((REAL.parent / "playing-cards/train").glob("*.jpg"))[:6]
    if not paths:
        pytest.skip("the real photographs are not here")
    for path in paths:
        seen = beads_only().observe(np.asarray(cv2.imread(str(path)), np.uint8))
        assert not seen.beads, path.name


@pytest.mark.shared
def test_a_deck_that_is_not_on_the_photo_is_sought_without_a_stumble() -> None:
    image = cv2.imread(str(REAL / "smarties.png"))
    if image is None:
        pytest.skip("the real photographs are not here")
    seen = Observer(House.of("fiji").deck, beads.PALETTE, without_markers=True).observe(np.asarray(image, np.uint8))
    assert not seen.components
    assert Counter(bead.colour for bead in seen.beads) == {"red": 4, "blue": 3, "green": 3}
