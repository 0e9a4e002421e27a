"""Dice without their gloss: what a lamp adds is taken away, and what they then show is told."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.vision.looks import face, said
from tests.vision.test_dice import ON_TABLE, SIDE, drawn
from vision import opinions, strewn
from vision.matt import REACH, matt
from vision.opinions import Said, enough
from vision.pieces import PieceFinder
from vision.seen import Seen
from vision.stencils import explained
from vision.upper import judged
from vision.values import Value, Values

DARK, RED = (52, 48, 46), (45, 40, 165)
GLINT = (205, 205, 205)


def glossy(value: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A dark die with red pips, in which a round lamp is mirrored."""
    picture = drawn(value, body=DARK, ink=RED)
    place = (round(ON_TABLE[0]), round(ON_TABLE[1]))
    return np.asarray(cv2.ellipse(picture, place, (9, 9), 0, 30, 330, GLINT, 2, cv2.LINE_AA), np.uint8)


def test_what_a_lamp_adds_is_taken_away_and_hues_stay() -> None:
    photo = glossy(4)
    before = photo.copy()
    plain = matt(photo, ON_TABLE, SIDE, 0.5)
    assert (photo == before).all()
    y, x = np.mgrid[: len(photo), : photo.shape[1]]
    away = np.hypot(x - ON_TABLE[0], y - ON_TABLE[1])
    assert (plain[away > REACH * SIDE] == photo[away > REACH * SIDE]).all()
    near = away < 0.4 * SIDE
    assert plain[near].min(axis=1).max() <= np.median(photo[near].min(axis=1)) + 1, "no lamp is left"
    spread, was = (np.ptp(each[near].astype(int), axis=1) for each in (plain, photo))
    assert np.abs(spread - was).max() <= 1, "what sets hues apart is as it was"
    assert explained(plain, ON_TABLE, SIDE)[4] > explained(photo, ON_TABLE, SIDE)[4]


@pytest.mark.parametrize("place", [(0.0, 0.0), (239.0, 199.0), (-0.4, 100.0)])
def test_a_die_at_the_photos_edge_is_no_stumbling_block(place: tuple[float, float]) -> None:
    photo = glossy(2)
    assert matt(photo, place, SIDE, 0.7).shape == photo.shape


@pytest.mark.parametrize(
    ("shares", "fits", "told"),
    [
        ({4: 0.6}, {4: 0.8}, True),
        ({4: 0.25, 5: 0.72}, {4: 0.95, 5: 0.5}, False),  # the first network is sure of another value
        ({4: 0.6}, {6: 0.8}, False),  # another one's stencil fits better
        ({4: 0.3, 5: 0.28}, {4: 0.66, 5: 0.64}, False),
        ({2: 0.8}, {1: 0.73, 2: 0.71}, True),  # a one's fits wherever there is a spot
        ({1: 0.9}, {1: 0.8}, False),  # many things have a single spot
        ({0: 0.9}, {4: 0.5}, False),
    ],
)
def test_without_gloss_networks_and_stencils_must_say_the_same(
    monkeypatch: pytest.MonkeyPatch, shares: dict[int, float], fits: dict[int, float], told: bool
) -> None:
    rest = (1 - sum(shares.values())) / (7 - len(shares))
    says = Value(np.array([shares.get(v, rest) for v in range(7)], np.float32), (50.0, 50.0), 20.0, 1.0)
    network = SimpleNamespace(tell=lambda *_: says, again=lambda *_: says)
    monkeypatch.setattr(
        opinions, "explained", lambda *_: np.array([0.0, *(fits.get(v, 0.3) for v in range(1, 7))], np.float32)
    )
    asked = opinions.Opinions(Values())
    for name in ("_values", "_tones", "_shades"):
        setattr(asked, name, network)
    answers = asked.said(np.zeros((100, 100, 3), np.uint8), says)
    assert any(enough(last, []) for last in answers if not last.gloss) is told


def test_what_glints_add_is_held_against_nothing_that_is_told_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    readers, photo = PieceFinder(())._strewn, np.full((100, 100, 3), 160, np.uint8)
    monkeypatch.setattr(strewn, "explained", lambda *_: np.array([0, 0.2, 0.3, 0.3, 0.6, 0.62, 0.4], np.float32))
    pips, first = face((4, 5), 4, "may show 5"), said(0.9, v5=0.9, v4=0.09)

    def again(gloss: bool) -> Seen:
        monkeypatch.setattr(readers._opinions, "said", lambda *_: iter([Said(said(v4=0.95), gloss=gloss)]))
        die = judged(pips, first)
        assert die is not None
        return readers._again(photo, die, [(pips, first)], [40.0], [])

    four = again(gloss=False)
    assert (four.value, four.why) == (4, "")
    assert again(gloss=True).why == "may show 5"


@pytest.mark.parametrize(
    ("without", "agreed", "fitting", "why"),
    [
        ({3: 0.84}, 1.0, 3, "two looks differ"),
        ({2: 0.84}, 1.0, 3, ""),
        ({3: 0.7}, 1.0, 3, ""),  # not surely enough
        ({3: 0.84}, 0.0, 3, ""),  # stencils say something else
        ({3: 0.84}, 1.0, 2, ""),  # … the same as was told
    ],
)
def test_what_one_network_told_is_doubted_where_all_say_else_without_gloss(
    monkeypatch: pytest.MonkeyPatch, without: dict[int, float], agreed: float, fitting: int, why: str
) -> None:
    readers, photo, first = PieceFinder(())._strewn, np.full((100, 100, 3), 160, np.uint8), said(v2=0.98)
    monkeypatch.setattr(strewn, "contested", lambda die, *_: die)
    monkeypatch.setattr(readers._opinions, "said", lambda *_: iter([Said(said(v2=0.7))]))
    monkeypatch.setattr(opinions, "explained", lambda *_: np.eye(7, dtype=np.float32)[fitting])
    shares = np.array([without.get(value, 0.02) for value in range(7)], np.float32)
    monkeypatch.setattr(readers._opinions, "without_gloss", lambda *_: replace(first, shares=shares, agreed=agreed))
    afar = face((), 0, "no pips are seen on it")
    die = judged(afar, first)
    assert die is not None
    assert not die.why
    assert readers._again(photo, die, [(afar, first)], [40.0], []).why == why
