"""Cards that are drawn alike in other colours; and one colour in the light of several lamps."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import tints
from vision.deck import Deck, Face
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Placed, Scene, SimulatedTable

SIZE = (68, 44)  # pixels across and down, three of them 4 mm
PLACE = (40, 22)
ALL = np.ones((SIZE[1], SIZE[0]), np.bool_)
GREEN, BLUE = (70, 120, 40), (150, 70, 40)  # about as light as each other


def card(bead: tuple[int, int, int]) -> Image:
    """Print of many pale colours with one bead on it."""
    rng = np.random.default_rng(3)
    image = np.full((SIZE[1], SIZE[0], 3), (150, 190, 205), np.uint8)
    for _ in range(30):
        at = int(rng.integers(0, SIZE[0])), int(rng.integers(0, SIZE[1]))
        cv2.circle(image, at, int(rng.integers(2, 7)), [int(v) for v in rng.integers(80, 220, 3)], -1, cv2.LINE_AA)
    cv2.circle(image, PLACE, 4, bead, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)


def in_light(image: Image, gain: tuple[float, float, float], veil: float = 0.0, seed: int = 0) -> Image:
    """The print by a lamp of some colour, under a gloss that grows towards the right, and a little noisy."""
    gloss = veil * np.linspace(0, 1, SIZE[0])[None, :, None]
    lit = image * np.array(gain) * (1 - gloss) + 240 * gloss
    return np.clip(lit + np.random.default_rng(seed).normal(0, 2, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("veil", [0.0, 0.4])
@pytest.mark.parametrize("gain", [(1.0, 1.0, 1.0), (0.4, 0.4, 0.4), (0.7, 0.95, 1.1), (1.25, 1.25, 1.25)])
def test_a_bead_of_another_colour_is_told_in_any_light(gain: tuple[float, float, float], veil: float) -> None:
    face = card(GREEN)
    assert not tints.other(in_light(face, gain, veil), face, ALL).any()
    found = tints.other(in_light(card(BLUE), gain, veil), face, ALL)
    assert found[PLACE[1], PLACE[0]]
    assert np.count_nonzero(found) < 120  # the bead, and a little around


def test_a_bead_that_is_hidden_is_not_told() -> None:
    free = np.ones((SIZE[1], SIZE[0]), np.bool_)
    free[PLACE[1] - 8 : PLACE[1] + 9, PLACE[0] - 8 : PLACE[0] + 9] = False
    assert not tints.other(in_light(card(BLUE), (1, 1, 1)), card(GREEN), ALL, free).any()


def test_what_is_cut_off_at_white_has_no_colour() -> None:
    face = card(GREEN)
    burnt = in_light(face, (1.5, 1.0, 1.0))
    burnt[10:34, 28:52] = 255
    assert not tints.other(burnt, face, ALL).any()
    assert not tints.other(np.full_like(face, 255), face, ALL).any()


def test_a_specks_colour_says_nothing() -> None:
    face = card(GREEN)
    for high, found in ((2, False), (5, True)):  # pixels
        speck = face.copy()
        speck[20 : 20 + high, 8] = (200, 40, 20)
        assert tints.other(speck, face, ALL).any() == found


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_whatever_is_seen_there_is_an_answer(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    seen, face = rng.integers(0, 256, (2, 12, 9, 3), dtype=np.uint8)
    free = rng.random((12, 9)) < share
    near = cv2.dilate(free.astype(np.uint8), np.ones((3, 3))) > 0
    assert not (tints.other(seen, face, free, free) & ~near).any()


BEADS = {"green": GREEN, "red": (50, 50, 190), "yellow": (60, 190, 225), "blue": BLUE}
MM, PX = (59, 59), 3  # a card's size, and its pixels a mm


def coloured(name: str) -> Image:
    """A large picture that all cards share, and one bead on it."""
    bead = BEADS[name]
    rng = np.random.default_rng(7)
    image = np.full((MM[1] * PX, MM[0] * PX, 3), (150, 190, 205), np.uint8)
    for _ in range(40):
        x, y = (int(v) for v in rng.integers(0, MM[0] * PX, 2))
        dark = [int(v) for v in rng.integers(40, 160, 3)]
        cv2.rectangle(image, (x, y), (x + int(rng.integers(8, 40)), y + int(rng.integers(8, 40))), dark, -1)
    cv2.circle(image, (MM[0] * PX // 2, MM[1] * PX // 2), 5 * PX, bead, -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("seed", [1, 2])
def test_a_card_that_differs_only_in_its_colour_from_those_that_were_taught_is_asked_about(seed: int) -> None:
    faces = {name: FaceImage(coloured(name), MM) for name in BEADS}
    laid = Scene(tuple(Placed("blue", (200.0 + 120 * i, 200.0 + 40 * i), 20.0 * i) for i in range(4)))
    photo = SimulatedTable(faces, seed).render(laid)
    for taught, read in ((list(BEADS), ["beads/blue"] * 4), (["green", "red", "yellow"], [])):
        deck = Deck("beads", tuple(Face(name, "card", MM, faces[name].image, PX) for name in taught))
        seen = Observer(deck, ()).observe(photo)
        assert [c.component for c in seen.components] == read
        assert len(seen.unsure) == 4 - len(read)


def test_a_sleeve_that_reaches_over_a_card_is_none_of_its_print_but_a_chip_on_it_may_be() -> None:
    faces = {name: FaceImage(coloured(name), MM) for name in BEADS}
    photo = SimulatedTable(faces, 1).render(Scene((Placed("green", (400.0, 300.0)),)))
    observer = Observer(Deck("beads", tuple(Face(n, "card", MM, faces[n].image, PX) for n in BEADS)), ())
    (card,) = observer.observe(photo).components
    low, _, high, _ = (np.array(corner) for corner in card.corners)
    sleeve, chip = photo.copy(), photo.copy()
    reach = low + np.array([(-60, -60), (35, -60), (25, 160), (-60, 160)])
    cv2.fillConvexPoly(sleeve, reach.round().astype(np.int32), (120, 60, 50), cv2.LINE_AA)
    x, y = (low * 0.7 + high * 0.3).round().astype(int).tolist()
    cv2.circle(chip, (x, y), 12, (40, 40, 200), -1, cv2.LINE_AA)
    assert [c.component for c in observer.observe(sleeve).components] == ["beads/green"]
    assert observer.observe(chip).components == ()
    assert len(observer.observe(chip).unsure) == 1
