"""Pawns looked at from where taught solids put them, and from a little to every side."""

import math
from dataclasses import replace

import numpy as np
import pytest

from companion.demo import pieces as demo
from tests.vision.test_agreement import standing
from tests.vision.test_pieces import photographed
from vision import steady
from vision.deck import Deck
from vision.figures import HIDDEN
from vision.observe import Observer
from vision.seen import Seen
from vision.things import NAMES

WHY = "it may have points"


def looks(*shares: float) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Looks that give a round pawn these shares."""
    return [np.array([share if name == "round" else 0.0 for name in NAMES], np.float32) for share in shares]


def test_looks_from_its_own_place_take_a_doubt_about_a_pawns_shape_away_if_all_are_sure() -> None:
    pawn = Seen("worker", "red", None, (10.0, 10.0), (10.0, 10.0), 0.28, (("worker-red", 0.56),), WHY)
    sure = steady.steadied(pawn, looks(0.95, 0.9, 0.85))
    assert sure == replace(pawn, why="", confidence=sure.confidence)
    assert sure.confidence > 0.9
    assert steady.steadied(pawn, looks(0.95, 0.9, 0.7)) == pawn
    assert steady.steadied(replace(pawn, piece="chief"), looks(0.95, 0.9, 0.85)).why == WHY


def test_two_looks_are_sure_of_a_shape_together() -> None:
    shape = NAMES.index("round")
    assert steady.on_mean(shape, looks(0.92, 0.89), 0.9)
    assert not steady.on_mean(shape, looks(0.92, 0.87), 0.9)


def test_only_a_pawn_in_doubt_by_its_shape_is_looked_at_so() -> None:
    assert steady.open_shape(standing(0.6, "sorcerer-red"))
    assert steady.open_shape(standing(0.52, "sorcerer-red", "may be sorcerer-red"))
    assert not steady.open_shape(standing(0.52, "worker-blue", "may be worker-blue")), "that is its colour"
    assert not steady.open_shape(standing(0.6, "sorcerer-red", HIDDEN))
    assert not steady.open_shape(replace(standing(0.99, ""), piece="log", candidates=(("log", 0.99),)))
    places = [figure.place for figure in steady.around(standing(0.6, "sorcerer-red"))]
    assert places[0] == (10.0, 10.0)
    assert sorted(math.dist(place, places[0]) for place in places[1:]) == [1.0] * 4


@pytest.mark.thorough
def test_pawns_that_a_first_look_leaves_in_doubt_are_told_by_looks_at_their_own_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"pawns": demo.SHEETS["giants"][:2]})
    monkeypatch.setattr("vision.pieces._softened", lambda *_: WHY)
    monkeypatch.setattr("vision.pieces.plain_at_once", lambda *_: False)
    eyes = Observer(Deck("pawns", (), demo.taught("pawns")))
    photo = photographed(("worker-red", 340.0, 240.0), ("sorcerer-yellow", 500.0, 300.0))
    assert {(piece.piece, piece.colour) for piece in eyes.observe(photo).pieces} == {
        ("worker", "red"),
        ("sorcerer", "yellow"),
    }
    monkeypatch.setattr(steady, "sure", lambda *_: False)
    assert [doubt.why for doubt in eyes.observe(photo).unsure] == [WHY, WHY]
