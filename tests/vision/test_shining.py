"""Pawns of which only the head shows its paint, and what a photo's own light makes of paints."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.demo import pieces as demo
from companion.demo.stage import House
from vision import shining
from vision.explain import Model
from vision.figures import Figures, Paint, hue_of, strongest
from vision.observe import Observer
from vision.pieces import torn, washed
from vision.seen import Seen
from vision.simulated import PieceAt, Placed, Scene, SimulatedTable
from vision.solids import SHAPES

PAWNS = [("worker", "green"), ("chief", "blue"), ("sorcerer", "red"), ("worker", "blue"), ("chief", "purple")]


def photographed(sheen: float) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], list[PieceAt]]:
    look = replace(demo.LOOK, surface="oak", sheen=sheen)
    standing = [
        PieceAt(piece, (330.0 + 50 * i, 250.0 + 30 * (i % 2)), 20.0 * i, c) for i, (piece, c) in enumerate(PAWNS)
    ]
    laid = Scene((Placed("map", (450.0, 280.0)),), pieces=tuple(standing))
    return SimulatedTable(House.of("giants").faces, 5, look=look).render(laid), standing


@pytest.mark.thorough
def test_pawns_whose_feet_shine_are_told_by_a_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    eyes = Observer(House.of("giants").deck)
    photo, standing = photographed(0.6)

    def told(*parts: tuple[int, int, int, int]) -> int:
        seen = eyes.observe(photo, parts or None).pieces
        near = [[p for p in standing if p.centre_mm and math.dist(p.centre_mm, s.centre or (0, 0)) < 4] for s in seen]
        assert all(s.piece == p[0].piece and s.colour == p[0].colour for s, p in zip(seen, near, strict=True))
        return len(seen)

    assert told() == len(PAWNS)
    at = np.array([seen.centre_px for seen in eyes.observe(photo, []).pieces])
    (left, top), (right, bottom) = (at.min(axis=0) - 60).astype(int), (at.max(axis=0) + 60).astype(int)
    where = int(left), int(top), int(right), int(bottom)
    assert told(where) == len(PAWNS)
    monkeypatch.setattr(shining, "pawns", lambda *_: [])
    assert told(where) < len(PAWNS)
    monkeypatch.undo()
    monkeypatch.setattr("vision.pieces.torn", lambda figure, *_: replace(figure, why="its colour is between two"))
    assert told(where) == 0, "whichever look tells them"


def test_a_photo_shows_its_own_hue_of_a_paint_where_several_pawns_have_it() -> None:
    violet, figure = np.array((200, 40, 120), np.uint8), Seen("worker", "purple", None, (10, 10), (0, 0), 0.9, ())
    scene: Any = SimpleNamespace(seen=np.tile(violet, (40, 40, 1)), box=lambda *_: (slice(10, 20), slice(10, 20)))
    assert shining.hues([figure] * 2, scene) == {}
    assert shining.hues([replace(figure, why="doubt")] * 3, scene) == {}
    assert shining.hues([figure] * 3, scene) == pytest.approx({"purple": hue_of(violet)})


def test_a_paint_between_two_is_told_by_how_the_photo_shows_them() -> None:
    figures = Figures(())
    figures.colours = (Paint(289, 0.3, 0.7, 1.0), Paint(324, 0.4, 0.7, 0.9))
    figures.models = [[Model(f"worker-{c}", n, SHAPES["worker"])] for n, c in enumerate(("blue", "purple"))]
    between = np.array((210, 60, 130), np.uint8)
    hue = hue_of(between)
    assert 289 < hue < 324
    figures.colours = (replace(figures.colours[0], hue=hue - 17), replace(figures.colours[1], hue=hue + 17))
    assert figures.torn(between, "worker-purple") == "worker-blue"
    assert figures.shown({"purple": hue + 3}).torn(between, "worker-purple") is None
    assert figures.torn(between, "worker-purple") == "worker-blue"
    # purple ones that are as blue as taught blue ones are told from those by what else is on the photo
    figures.colours = (replace(figures.colours[0], hue=hue - 15), replace(figures.colours[1], hue=hue + 19))
    pawn = Seen("worker", "blue", None, (10, 10), (0, 0), 0.9, (("worker-blue", 0.9),))
    scene: Any = SimpleNamespace(seen=np.tile(between, (40, 40, 1)), box=lambda *_: (slice(10, 20), slice(10, 20)))
    assert not torn(pawn, scene, figures).why
    asked = torn(pawn, scene, figures.shown({"purple": hue + 1, "blue": hue - 21}))
    assert (asked.why, asked.candidates[0][0]) == ("its colour is between two", "worker-purple")


def test_a_pawn_of_whose_paint_a_reflection_leaves_hardly_any_is_asked_about() -> None:
    """A blue chief in a lamp's reflection was told as a green one: its pale foot had the hue that light has there."""
    figures = Figures(())
    figures.colours = (Paint(289, 0.6, 0.8, 1.0),)
    figures.models = [[Model("worker-blue", 0, SHAPES["worker"])]]
    pawn = Seen("worker", "blue", None, (10, 10), (0, 0), 0.9, (("worker-blue", 0.9),))
    for colour, asked in (((200, 60, 40), False), ((190, 150, 150), True)):
        seen = np.tile(np.array(colour, np.uint8), (40, 40, 1))
        scene: Any = SimpleNamespace(seen=seen, box=lambda *_: (slice(10, 20), slice(10, 20)))
        assert (torn(pawn, scene, figures).why == "its colour is hardly that of a piece") == asked


def test_the_strongest_of_a_pawns_colours_tells_its_paint_where_gloss_makes_it_pale() -> None:
    deep, pale = np.array((200, 40, 120), np.uint8), np.array((190, 180, 214), np.uint8)
    assert (strongest(np.array([pale, pale, pale, deep])) == deep).all()
    torn = [hue_of(pale)]
    figures: Any = SimpleNamespace(
        torn=lambda bgr, _: "worker-red" if abs(hue_of(bgr) - torn[0]) < 1 else None, nearest=lambda *_: "worker-purple"
    )
    seen = np.tile(pale, (40, 40, 1))
    seen[12:17, 10:20] = deep
    scene: Any = SimpleNamespace(seen=seen, box=lambda *_: (slice(0, 40), slice(0, 40)))
    scene.seen[:12, :] = deep
    plane = SimpleNamespace(to_px=lambda _: np.array([[20.0, 20.0]]), scale=lambda _: 1.4)
    photo: Any = SimpleNamespace(image=np.full((40, 40, 3), 100, np.uint8), plane=plane)
    pawn = Seen("worker", "purple", None, (10, 10), (0, 0), 0.9, (("worker-purple", 0.9),))
    assert not washed(pawn, photo, scene, figures).why
    scene.seen[:] = pale
    assert washed(pawn, photo, scene, figures).why
