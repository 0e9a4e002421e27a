"""A face is told from its rivals by print of its own, and not by theirs that may only have faded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.islands import PX, SIDE
from vision import rivals
from vision.agreement import Look
from vision.deck import Deck, Face
from vision.gallery import Gallery
from vision.observe import Observer
from vision.simulated import FaceImage, Image, Placed, Scene, SimulatedTable
from vision.simulated import Look as Room
from vision.verdict import Rival

BARS = {"few": ((6, 6),), "many": ((20, 8), (26, 14), (20, 20)), "few and one": ((6, 6), (24, 20))}


def face(bars: tuple[tuple[int, int], ...]) -> Image:
    """Thin black bars on white paper, beside a picture that all have."""
    side = round(SIDE * PX)
    image = np.full((side, side, 3), 235, np.uint8)
    cv2.circle(image, (side // 2, side * 3 // 4), side // 6, (160, 80, 40), -1, cv2.LINE_AA)
    for x, y in bars:
        cv2.rectangle(image, (x * PX, y * PX), ((x + 7) * PX, y * PX + PX), (20, 20, 20), -1)
    return image


FACES = tuple(Face(name, "tile", (SIDE, SIDE), face(bars), float(PX)) for name, bars in BARS.items())
GALLERY = Gallery(Deck("bars", FACES), FACES)


def unseen(told: str, rival: str, seen: str, strong: float) -> str:
    """What is said of a tile told as one, with a rival, where another one's bars are seen so strong (1: as taught)."""
    like, other, shown = (GALLERY.names.index(name) for name in (told, rival, seen))
    paper = (GALLERY.fine(0) + GALLERY.fine(1) + GALLERY.fine(2)) / 3
    values = np.asarray(paper + strong * (GALLERY.fine(shown) - paper), np.float32)
    ones = np.ones_like(values)
    view = SimpleNamespace(entry=like, seen=Look(values, ones, True, True), weight=ones)
    refuted = ((Rival(rival, 0.4, 0.05, 1.0, 0.3), other),)
    verdict: Any = SimpleNamespace(view=view, gallery=GALLERY, refuted=refuted)
    return rivals.unseen(verdict)


@pytest.mark.parametrize("strong", [0.7, 1.0])
def test_a_face_of_which_its_own_print_is_seen_is_no_faded_rival(strong: float) -> None:
    assert unseen("few", "many", "few", strong) == ""


@pytest.mark.parametrize("strong", [0.7, 1.0])
def test_where_none_of_its_own_print_is_seen_it_may_be_the_rival(strong: float) -> None:
    assert unseen("few", "many", "many", strong) == "many"


def test_a_face_without_any_print_of_its_own_cannot_show_it() -> None:
    assert unseen("few", "few and one", "few", 1.0) == ""


def test_what_may_be_a_faded_one_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = {f.name: FaceImage(f.image, f.size) for f in FACES}
    table = SimulatedTable(drawn, seed=3, look=Room(exposure=0.6))
    photo = table.render(Scene((Placed("few", (300.0, 200.0)), Placed("many", (400.0, 200.0)))))
    observer = Observer(Deck("bars", FACES[:2]))
    assert sorted(c.component for c in observer.observe(photo).components) == ["bars/few", "bars/many"]
    monkeypatch.setattr(rivals, "unseen", lambda verdict: "many" if verdict.name == "few" else "")
    seen = observer.observe(photo)
    assert [c.component for c in seen.components] == ["bars/many"]
    assert [doubt.why for doubt in seen.unsure] == ["may be a faded many"]
