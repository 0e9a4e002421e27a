"""White cards with a few symbols, as cards of suits are: little print, near twins, the same when turned around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from vision.deck import Deck, Face
from vision.observation import Observation
from vision.observe import Clock, Observer
from vision.photo import Photo
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

PX = 6  #: pixels per millimetre of the drawings
CARD = (63.0, 88.0)
INKS = {"disc": (40, 40, 45), "square": (50, 45, 190), "diamond": (60, 50, 185)}
EIGHT = tuple((x, y) for x in (0.28, 0.72) for y in (0.14, 0.38, 0.62, 0.86))
FIGURES: Mapping[str, Sequence[tuple[float, float]]] = {
    "ace": ((0.5, 0.5),),
    "eight": EIGHT,
    "nine": (*EIGHT, (0.5, 0.5)),
    "ten": (*EIGHT, (0.5, 0.26), (0.5, 0.74)),
}
SUITS = tuple(INKS)


def symbol(image: Image, suit: str, at: tuple[int, int], reach: int) -> None:
    x, y = at
    corners = {
        "square": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
        "diamond": [(0, -1.2), (0.85, 0), (0, 1.2), (-0.85, 0)],
    }
    if suit == "disc":
        cv2.circle(image, at, reach, INKS[suit], -1, cv2.LINE_AA)
    else:
        outline = np.rint(np.array(corners[suit]) * reach + (x, y)).astype(np.int32)
        cv2.fillPoly(image, [outline], INKS[suit], cv2.LINE_AA)


def card(suit: str, figure: str) -> Image:
    width, height = (int(side * PX) for side in CARD)
    image = np.full((height, width, 3), (240, 243, 244), np.uint8)
    for x, y in FIGURES[figure]:
        symbol(image, suit, (round(x * width), round(y * height)), 5 * PX)
    for turned in (False, True):
        upright = np.ascontiguousarray(np.rot90(image, 2 if turned else 0))
        symbol(upright, suit, (6 * PX, 14 * PX), 2 * PX)
        cv2.putText(upright, figure[0].upper(), (3 * PX, 10 * PX), cv2.FONT_HERSHEY_COMPLEX, 1.2, INKS[suit], 3)
        image = np.asarray(np.rot90(upright, 2 if turned else 0), np.uint8)
    return np.ascontiguousarray(image)


@cache
def cards() -> dict[str, FaceImage]:
    return {f"{suit}-{figure}": FaceImage(card(suit, figure), CARD) for suit in SUITS for figure in FIGURES}


def deck(left_out: Sequence[str] = (), pictures: Mapping[str, Image] | None = None) -> Deck:
    shown = {name: face.image for name, face in cards().items()} | dict(pictures or {})
    return Deck(
        "suits", tuple(Face(n, "card", CARD, image, float(PX)) for n, image in shown.items() if n not in left_out)
    )


def laid(*names: str) -> tuple[Placed, ...]:
    return tuple(Placed(n, (130.0 + 110 * (i % 6), 180.0 + 130 * (i // 6)), 3.0 * i - 8) for i, n in enumerate(names))


def names(seen: Observation) -> list[str]:
    """A name for each that is read, be it twice the same."""
    return sorted(component.component.removeprefix("suits/") for component in seen.components)


def all_of(there: Sequence[Placed]) -> list[str]:
    return sorted(placed.component for placed in there)


@pytest.mark.quick(1)
@pytest.mark.parametrize("look", [Look(), Look(exposure=1.5)])
def test_one_never_taught_is_no_other_that_has_a_symbol_more_or_less(look: Look) -> None:
    """The suits are told apart wherever a nine may lie; that it is none of the figures taught must be seen as well."""
    there = laid(*(f"{suit}-{figure}" for figure in ("nine", "ten") for suit in SUITS))
    photo = SimulatedTable(cards(), 2, look=look).render(Scene(there))
    assert names(Observer(deck(), ()).observe(photo)) == all_of(there)
    nines = [f"{suit}-nine" for suit in SUITS]
    seen = Observer(deck(nines), ()).observe(photo)
    assert set(names(seen)) <= {f"{suit}-ten" for suit in SUITS}
    assert len(names(seen)) == len(set(names(seen))), "a nine is a ten as well"


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("taught_in", "exposure", "ink"), [((0.58, 0.75, 0.82), 1.0, (50, 150, 40)), ((1.0, 1.0, 1.0), 1.55, (60, 50, 200))]
)
def test_ink_is_looked_at_wherever_paper_is_white(
    taught_in: tuple[float, float, float], exposure: float, ink: tuple[int, int, int]
) -> None:
    """A card of another colour has the same symbols; it may be taught in warm light, or seen in too much of it."""
    warm = {n: (face.image * taught_in).astype(np.uint8) for n, face in cards().items()}
    other = card("disc", "eight")
    other[other.max(axis=2) < 200] = ink
    there = laid("disc-ten", "other", "square-eight")
    faces = {**cards(), "other": FaceImage(other, CARD)}
    photo = SimulatedTable(faces, 3, look=Look(exposure=exposure)).render(Scene(there))
    assert names(Observer(deck(pictures=warm), ()).observe(photo)) == ["disc-ten", "square-eight"]


def test_the_turn_of_one_that_looks_the_same_when_turned_around_is_no_doubt() -> None:
    """Its photo was cut out a little askew: only by that its two turns differ."""
    width, height = CARD[0] * PX, CARD[1] * PX
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    askew = cv2.getPerspectiveTransform(corners, corners + np.array([(7, 6), (0, 0), (0, 0), (0, 0)], np.float32))
    taught = {
        name: cv2.warpPerspective(face.image, askew, None, borderMode=cv2.BORDER_REPLICATE)
        for name, face in cards().items()
    }
    there = laid("disc-eight", "square-ten", "diamond-eight", "square-eight", "diamond-ten", "disc-ten")
    seen = Observer(deck(pictures=taught), ()).observe(
        SimulatedTable(cards(), 5, look=Look(exposure=0.75)).render(Scene(there))
    )
    assert names(seen) == all_of(there)
    assert not seen.unsure
    assert all(component.confidence > 0.9 for component in seen.components)


@pytest.mark.thorough
def test_paper_may_be_burnt_out_where_all_of_the_print_is_plain() -> None:
    there = laid("disc-eight", "square-ten", "diamond-nine", "square-eight", "diamond-ten", "disc-nine")
    photo = SimulatedTable(cards(), 6, look=Look(exposure=1.8)).render(Scene(there))
    assert (photo.max(axis=2) == 255).mean() > 0.1
    assert names(Observer(deck(), ()).observe(photo)) == all_of(there)


def test_a_card_with_hardly_any_print_is_found_however_it_is_turned() -> None:
    """Its features are too few and no other lies turned like it: the patch of what is no table tells how it lies."""
    there = (Placed("square-eight", (300.0, 250.0), 0.0), Placed("disc-ace", (480.0, 250.0), 23.0))
    photo = SimulatedTable(cards(), 7).render(Scene(there))
    assert names(Observer(deck(), ()).observe(photo)) == all_of(there)


@pytest.mark.thorough
def test_symbols_apart_from_each_other_are_all_held_against_a_face() -> None:
    """White paper parts them, so no patch of print reaches from one to the next."""
    there = laid("diamond-eight", "diamond-nine", "diamond-ten")
    photo = SimulatedTable(cards(), 5).render(Scene(there))
    observer = Observer(deck(), ())
    seen = observer.observe(photo)
    assert seen.plane is not None
    for found in observer.cards(Photo.of(photo, seen.plane, seen.markers), seen.plane, seen.markers, Clock()):
        assert found.verdict.agreement.area > 0.04 * len(FIGURES[found.verdict.name.split("-")[1]])


@pytest.mark.thorough
def test_table_around_one_that_seems_larger_than_it_is_says_nothing_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without markers nothing tells exactly how large things seem, and on an ace there is little else than its edge."""
    there = laid("disc-ace", "square-eight", "diamond-ace", "square-ace", "diamond-eight", "disc-nine")
    photo = SimulatedTable(cards(), 7, look=Look(surface="oak", exposure=0.9)).render(Scene(there))
    plane = Observer(deck(), ()).observe(photo).plane
    assert plane is not None
    larger = replace(plane, translation=plane.translation * 0.96, marked=False)
    glass = Observer(deck(), (), without_markers=True)
    monkeypatch.setattr(glass._cards, "plane", lambda image: larger)
    monkeypatch.setattr("vision.observe.plane.solve", lambda *_: (None, ()))
    assert names(glass.observe(photo)) == all_of(there)


def shaded(stripes: bool) -> Image:
    """Three outlines, empty or filled with fine stripes."""
    width, height = (int(side * PX) for side in CARD)
    image = np.full((height, width, 3), (240, 243, 244), np.uint8)
    for y in (0.25, 0.5, 0.75):
        box = (round(0.25 * width), round(y * height) - 8 * PX), (round(0.75 * width), round(y * height) + 8 * PX)
        (left, top), (right, bottom) = box
        if stripes:
            image[top : bottom : PX * 3 // 2, left:right] = (110, 60, 140)
            image[top + 1 : bottom : PX * 3 // 2, left:right] = (110, 60, 140)
        cv2.rectangle(image, *box, (110, 60, 140), PX, cv2.LINE_AA)
    return image


@pytest.mark.quick(1)
@pytest.mark.parametrize("exposure", [0.7, 1.7])
def test_pale_print_that_burns_out_with_its_paper_is_not_taken_for_none(exposure: float) -> None:
    drawn = {"empty": FaceImage(shaded(False), CARD), "striped": FaceImage(shaded(True), CARD)}
    both = Deck("shades", tuple(Face(n, "card", CARD, face.image, float(PX)) for n, face in drawn.items()))
    there = laid("striped", "empty", "striped", "empty", "striped", "empty")
    photo = SimulatedTable(drawn, 9, look=Look(exposure=exposure)).render(Scene(there))
    seen = Observer(both, ()).observe(photo)
    for component in seen.components:
        assert component.centre is not None
        lies = min(there, key=lambda p: float(np.hypot(*np.subtract(p.centre_mm, component.centre or (0, 0)))))
        assert component.component == f"shades/{lies.component}"
    assert len(seen.components) + len(seen.unsure) == 6
    assert len(seen.components) == 6 or exposure > 1
