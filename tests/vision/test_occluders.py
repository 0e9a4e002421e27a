"""A hand above a board: pieces of which its fingers may hide a part are asked about, and no finger is a piece."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.demo import pieces as demo
from companion.demo.stage import House
from vision import occluders
from vision.observe import Observer
from vision.seen import Seen
from vision.simulated import PieceAt, Placed, Scene, SimulatedTable

Image = NDArray[np.uint8]

SKIN = (60, 90, 130)  #: B, G, R
WIDE = 30  #: pixels of a finger


@pytest.fixture(scope="module")
def observer() -> Observer:
    return Observer(House.of("giants").deck)


def photographed(free: PieceAt) -> tuple[Image, list[dict[str, Any]]]:
    """A board with pieces in a row, one of them `free`, and a hand's fingers over a part of each of the others."""
    row = [("worker", "green"), ("worker", "yellow"), ("worker", "red"), ("moai-size-2", None), ("moai-size-3", None)]
    pieces = [PieceAt(piece, (250.0 + 55 * i, 250.0), 20.0 * i, colour) for i, (piece, colour) in enumerate(row)]
    table = SimulatedTable(House.of("giants").faces, 5, look=replace(demo.LOOK, surface="cloth"))
    scene = Scene((Placed("map", (450.0, 280.0)),), pieces=(*pieces, free))
    photo, truth = table.render(scene), table.truth(scene)["pieces"]
    below = max(int(piece["centre_px"][1]) for piece in truth[:-1])
    for piece in truth[:-1]:
        x, y = (round(v) for v in piece["centre_px"])
        cv2.line(photo, (x, y + 6 + WIDE // 2), (x, below + 90), SKIN, WIDE, cv2.LINE_AA)
    left, right = (round(truth[i]["centre_px"][0]) for i in (0, len(row) - 1))
    cv2.rectangle(photo, (left - 60, below + 70), (right + 60, below + 200), SKIN, cv2.FILLED)
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.8), np.uint8), truth


@pytest.mark.thorough
def test_pieces_that_a_hand_touches_are_asked_about(observer: Observer, monkeypatch: pytest.MonkeyPatch) -> None:
    photo, truth = photographed(PieceAt("worker", (620.0, 180.0), 0.0, "blue"))
    sure: list[Seen] = []
    judge = occluders.doubted_beneath

    def noted(told: Sequence[Seen], scene: Any) -> list[Seen]:
        sure.extend(figure for figure in told if not figure.why)
        return judge(told, scene)

    monkeypatch.setattr(occluders, "doubted_beneath", noted)
    (told,) = observer.observe(photo).pieces
    assert (told.piece, told.colour) == ("worker", "blue")
    assert math.dist(told.centre_px, truth[-1]["centre_px"]) < 8
    assert len(sure) > 3, "some of what is half hidden seems sure, and may be something else"
