"""Near twins that were cut out askew: what sets them apart is what is printed, not how they were cut out."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.aligned import aligned
from vision.deck import Deck, Face
from vision.gallery import galleries
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Look, Placed, Scene, SimulatedTable

SIZE = (44.0, 68.0)
PX = 4  #: pixels per millimetre of drawn faces


def _drawn(number: str, disc: tuple[int, int] = (88, 160)) -> Image:
    """White paper with a small number in a frame, and a disc."""
    image = np.full((272, 176, 3), 222, np.uint8)
    cv2.polylines(image, [np.array([(20, 40), (70, 15), (82, 70), (35, 85)])], True, (80, 10, 110), 6, cv2.LINE_AA)
    cv2.putText(image, number, (40, 62), cv2.FONT_HERSHEY_DUPLEX, 0.9, (20, 20, 20), 2, cv2.LINE_AA)
    cv2.circle(image, disc, 38, (190, 30, 60), cv2.FILLED, cv2.LINE_AA)
    cv2.rectangle(image, (14, 210), (160, 250), (90, 140, 60), 5, cv2.LINE_AA)
    return image


def _askew(image: Image, by: float) -> Image:
    """As somebody cropped it by hand: its corners so many mm off, each to another side."""
    height, width = image.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    off = PX * by * np.array([(1, 0), (0.6, 1), (-0.8, -0.5), (0.7, -1)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, corners + off)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _deck(**faces: Image) -> Deck:
    return Deck("drawn", tuple(Face(name, "card", SIZE, image, PX) for name, image in faces.items()))


def _apart(deck: Deck) -> float:
    """How far its two faces are apart, where they are compared."""
    (gallery,) = galleries(deck)
    return float(np.linalg.norm(gallery.fine(0) - gallery.fine(1)))


def _image(deck: Deck, name: str) -> Image:
    return next(face.image for face in deck.faces if face.name == name)


@pytest.mark.parametrize("by", [0.3, 0.6])
def test_only_print_sets_them_apart(by: float) -> None:
    taught = _deck(five=_drawn("5"), nine=_askew(_drawn("9"), by))
    exact = _apart(_deck(five=_drawn("5"), nine=_drawn("9")))
    assert _apart(taught) > 1.7 * exact
    assert _apart(aligned(taught)) < 1.2 * exact


@pytest.mark.parametrize("size", [(960, 540), (1280, 720)])
def test_a_card_is_told_by_its_number_and_not_by_how_it_was_cut_out(size: tuple[int, int]) -> None:
    """The nine was cut out exactly, the five was not: a five was told as a nine, as that fitted better all over."""
    taught = _deck(five=_askew(_drawn("5"), 0.6), nine=_drawn("9"))
    faces = {"shown": FaceImage(_drawn("5"), SIZE)}
    table = SimulatedTable(faces, seed=3, size_px=size, look=Look(table_mm=(400.0, 240.0)))
    photo = table.render(Scene(tuple(Placed("shown", (x, 120.0)) for x in (110.0, 200.0, 290.0))))
    told = [component.component for component in Observer(aligned(taught)).observe(photo).components]
    assert told == ["drawn/five"] * 3


def test_what_was_taught_before_stays_as_it_is() -> None:
    taught = _deck(five=_drawn("5"), nine=_askew(_drawn("9"), 0.6))
    deck = aligned(taught, fixed={"nine"})
    assert _image(deck, "nine") is _image(taught, "nine")
    assert _apart(deck) < 0.7 * _apart(taught)


def test_prints_that_only_look_alike_stay_where_they_are() -> None:
    """Their discs lie three millimetres apart: that is how they are printed."""
    taught = _deck(low=_drawn("5"), high=_drawn("5", (88, 148)))
    deck = aligned(taught)
    assert _apart(deck) > 0.9 * _apart(taught)


def test_turned_tiles_are_laid_upon_each_other_as_they_are_alike() -> None:
    """A tile's print is that of another, but a quarter turn on."""
    size = (44.0, 44.0)
    one, other = _drawn("5")[:176], _askew(_drawn("9")[:176], 0.6)

    def tiles(other: Image) -> Deck:
        faces = {"one": one, "other": np.ascontiguousarray(np.rot90(other))}
        return Deck("drawn", tuple(Face(name, "tile", size, image, PX) for name, image in faces.items()))

    def apart(deck: Deck) -> float:
        (gallery,) = galleries(deck)
        return min(float(np.linalg.norm(gallery.fine(0) - gallery.fine(entry))) for entry in range(1, 8, 2))

    exact = apart(tiles(_drawn("9")[:176]))
    assert apart(tiles(other)) > 1.5 * exact
    assert apart(aligned(tiles(other))) < 1.25 * exact


def test_a_deck_without_twins_is_left_alone() -> None:
    plain = np.full((272, 176, 3), 120, np.uint8)
    taught = _deck(five=_drawn("5"), plain=plain)
    assert all(ours is theirs for ours, theirs in zip(aligned(taught).faces, taught.faces, strict=True))
    assert aligned(replace(taught, faces=())).faces == ()
