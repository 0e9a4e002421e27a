"""House decks: complete, of the right size, told apart by a camera, and never taken for a marker."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import house
from calibration.house import Face
from vision.plane import SEAT_IDS, TABLE_IDS, ZONE_IDS

PX_PER_MM = 6.0
TEACH = Path(__file__).resolve().parents[3] / "shared/tables/deck-a/fiji/teach/teach.json"


@pytest.fixture(scope="module", params=house.GAMES)
def deck(request: pytest.FixtureRequest) -> dict[str, Face]:
    return house.faces(request.param, PX_PER_MM)


def small(face: Face, px_per_mm: float) -> np.ndarray:
    size = tuple(round(side * px_per_mm) for side in face.size_mm)
    image = np.asarray(face.image.convert("RGB"), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def test_faces_have_the_size_they_say(deck: dict[str, Face]) -> None:
    for name, face in deck.items():
        assert face.image.mode == "RGB", name
        assert face.image.size == tuple(round(side * PX_PER_MM) for side in face.size_mm), name


def test_drawing_is_the_same_every_time(deck: dict[str, Face], request: pytest.FixtureRequest) -> None:
    game = request.node.callspec.params["deck"]
    again = house.faces.__wrapped__(game, PX_PER_MM)
    for name in (next(iter(deck)), list(deck)[-1]):
        assert np.array_equal(np.asarray(deck[name].image), np.asarray(again[name].image))


def test_no_face_is_taken_for_a_marker_that_means_something(deck: dict[str, Face]) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    meant = {*TABLE_IDS, *SEAT_IDS, *ZONE_IDS}
    for name, face in deck.items():
        for scale in (1.2, 1.6, 2.4, 4.0):
            grey = cv2.cvtColor(small(face, scale), cv2.COLOR_RGB2GRAY)
            _, ids, _ = detector.detectMarkers(cv2.copyMakeBorder(grey, *(24,) * 4, cv2.BORDER_CONSTANT, value=110))
            seen = set() if ids is None else {int(i) for i in ids.ravel()}
            assert not seen & meant, f"{name} at {scale} px/mm reads as marker {seen & meant}"


def test_fiji_has_the_components_a_copy_is_taught_with() -> None:
    if not TEACH.exists():
        pytest.skip("the photographs that are not part of the project are missing")
    teach = json.loads(TEACH.read_text())
    fiji = house.faces("fiji", PX_PER_MM)
    sizes = {name: tuple(sheet["size_mm"]) for sheet in teach["sheets"] for name in sheet["components"]}
    assert {name: face.size_mm for name, face in fiji.items()} == sizes
    assert {name: dict(face.attributes) for name, face in fiji.items()} == teach["attributes"]


def test_fiji_has_sixteen_conditions_sixteen_effects_and_four_goals() -> None:
    names = [name.split("-")[0] for name in house.faces("fiji", PX_PER_MM)]
    assert {kind: names.count(kind) for kind in set(names)} == {"condition": 16, "effect": 16, "goal": 4}


@pytest.mark.parametrize("turned", [False, True])
def test_fijis_faces_differ_as_seen_from_above(turned: bool) -> None:
    """At a quarter of a camera's sharpness no two faces of a size are near-twins.

    Turned: nor is one like another upside down, nor like itself.
    """
    faces = house.faces("fiji", PX_PER_MM)
    thumbs = {name: small(face, 0.4).astype(np.float32) for name, face in faces.items()}

    def likeness(a: np.ndarray, b: np.ndarray) -> float:
        a, b = a - a.mean(axis=(0, 1)), b - b.mean(axis=(0, 1))
        return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))

    pairs = [(a, b) for a, b in combinations(faces, 2) if faces[a].size_mm == faces[b].size_mm]
    if turned:
        pairs += [(name, name) for name in faces]
    for a, b in pairs:
        other = thumbs[b][::-1, ::-1] if turned else thumbs[b]
        assert likeness(thumbs[a], other) < 0.88, f"{a} and {b}"
        assert np.abs(thumbs[a] - other).mean() > 18, f"{a} and {b}"


def test_an_unknown_game_says_which_decks_there_are() -> None:
    with pytest.raises(KeyError, match="fiji"):
        house.faces("chess")
