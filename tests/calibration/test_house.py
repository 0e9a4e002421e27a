"""House decks: complete, of the right size, told apart by a camera, and never taken for a marker."""

from __future__ import annotations

import json
import tracemalloc
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration import house
from calibration.house import Face, giants, maori, paint
from companion.house import faces as drawn
from companion.house import parts
from vision.plane import SEAT_IDS, TABLE_IDS, ZONE_IDS

PX_PER_MM = 6.0
TEACH = Path(__file__).resolve().parents[3] / "shared/tables/deck-a/fiji/teach/teach.json"


@pytest.fixture(scope="module", params=house.GAMES)
def deck(request: pytest.FixtureRequest) -> dict[str, Face]:
    return drawn(request.param, PX_PER_MM)


def small(face: Face, px_per_mm: float) -> np.ndarray:
    size = tuple(round(side * px_per_mm) for side in face.size_mm)
    image = np.asarray(face.image.convert("RGB"), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


@pytest.mark.quick(2)
def test_faces_have_the_size_they_say(deck: dict[str, Face]) -> None:
    for name, face in deck.items():
        assert face.image.mode == "RGB", name
        assert face.image.size == tuple(round(side * PX_PER_MM) for side in face.size_mm), name


@pytest.mark.quick(1)
@pytest.mark.parametrize(("game", "name"), [("fiji", "goal-red"), ("rapa-nui", "moai"), ("maori", "end-n-05")])
def test_drawing_is_the_same_every_time(game: str, name: str) -> None:
    given = parts(game)
    if given and "tiles" in given:
        given = {**given, "tiles": {name: given["tiles"][name]}}
    house._drawn.cache_clear()
    first = house.faces(game, 3.0, given)[name]
    house._drawn.cache_clear()
    assert np.array_equal(np.asarray(first.image), np.asarray(house.faces(game, 3.0, given)[name].image))


@pytest.mark.quick(2)
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
    fiji = drawn("fiji", PX_PER_MM)
    sizes = {name: tuple(sheet["size_mm"]) for sheet in teach["sheets"] for name in sheet["components"]}
    assert {name: face.size_mm for name, face in fiji.items()} == sizes
    assert {name: dict(face.attributes) for name, face in fiji.items()} == teach["attributes"]


def test_fiji_has_sixteen_conditions_sixteen_effects_and_four_goals() -> None:
    names = [name.split("-")[0] for name in drawn("fiji", PX_PER_MM)]
    assert {kind: names.count(kind) for kind in set(names)} == {"condition": 16, "effect": 16, "goal": 4}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("game", ["fiji", "rapa-nui"])
def test_cards_differ_as_seen_from_above(game: str, turned: bool) -> None:
    """At a quarter of a camera's sharpness no two faces of a size are near-twins.

    Turned: nor is one like another upside down, nor like itself.
    """
    faces = {name: face for name, face in drawn(game, PX_PER_MM).items() if not name.endswith("-back")}
    thumbs = {name: small(face, 0.4).astype(np.float32) for name, face in faces.items()}
    pairs = [(a, b) for a, b in combinations(faces, 2) if faces[a].size_mm == faces[b].size_mm]
    if turned:
        pairs += [(name, name) for name in faces]
    for a, b in pairs:
        other = thumbs[b][::-1, ::-1] if turned else thumbs[b]
        assert likeness(thumbs[a], other) < 0.9, f"{a} and {b}"
        assert np.abs(thumbs[a] - other).mean() > 18, f"{a} and {b}"


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(axis=(0, 1)), b - b.mean(axis=(0, 1))
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def test_a_strip_of_a_rapa_nui_card_tells_it_and_its_turn() -> None:
    """A card is covered but for 12 mm at one end: no other end of any card, turned so, looks the same."""
    faces = {name: face for name, face in drawn("rapa-nui", PX_PER_MM).items() if face.size_mm == (59.0, 91.0)}
    ends = {}
    for name, face in faces.items():
        image = small(face, 1.0).astype(np.float32)
        ends[name, "upper"] = image[:12]
        ends[name, "turned"] = image[::-1, ::-1][:12]
    for a, b in combinations(ends, 2):
        assert np.abs(ends[a] - ends[b]).mean() > 18, f"{a} and {b}"


def test_rapa_nui_has_the_cards_of_its_box() -> None:
    deck = drawn("rapa-nui", PX_PER_MM)
    cards = sum(face.copies for face in deck.values() if face.size_mm == (59.0, 91.0))
    offerings = sum(face.copies for name, face in deck.items() if face.back)
    assert (cards, offerings) == (50 + 16, 100)
    assert all(face.back in deck for face in deck.values() if face.back)


def test_maori_has_every_tile_of_its_box_and_says_what_each_shows() -> None:
    given = parts("maori")
    assert given is not None
    deck = drawn("maori", PX_PER_MM)
    assert set(deck) == {*given["tiles"], "board"}
    for name, tile in given["tiles"].items():
        assert dict(deck[name].attributes) == maori.attributes(tile)
        assert deck[name].kind == "tile"


def test_what_a_maori_tile_shows_is_to_be_seen() -> None:
    """Each symbol more changes the tile where it stands; two tiles that show the same are near-twins."""
    base = {"open": "N", "palms": 1}
    more = (
        {"palms": 2},
        {"huts": 1},
        {"boats": 1},
        {"boats": 2},
        {"shells": 1},
        {"shells": 2},
        {"wreath": "N"},
        {"open": "NS"},
    )
    tiles = {"a": base, "b": base} | {f"more-{i}": base | one for i, one in enumerate(more)}
    board = {"rows": 1, "columns": 1, "printed": []}
    deck = house.faces("maori", PX_PER_MM, {"tiles": tiles, "board": board})
    seen = {name: small(face, 1.6).astype(np.float32) for name, face in deck.items() if name != "board"}
    blurred = {name: cv2.GaussianBlur(image, (0, 0), 1.0) for name, image in seen.items()}
    twins = np.abs(blurred["a"] - blurred["b"]).max(axis=2)
    for i, one in enumerate(more):
        changed = np.abs(blurred["a"] - blurred[f"more-{i}"]).max(axis=2)
        assert (changed > 60).sum() > (twins > 60).sum() + 15, one


def test_giants_map_says_where_everything_lies() -> None:
    given = parts("giants")
    assert given is not None
    face = drawn("giants", PX_PER_MM)["map"]
    assert set(face.attributes["hexes"]) == set(given["hexes"])
    assert set(face.attributes["ahus"]) == set(given["ahus"])
    size, places = giants.layout(given["hexes"])
    for ahu, spot in face.attributes["ahus"].items():
        assert all(10 < value < side - 10 for value, side in zip(spot, face.size_mm, strict=True))
        nearest = min(places, key=lambda name: np.hypot(places[name][0] - spot[0], places[name][1] - spot[1]))
        assert nearest == given["ahus"][ahu]["hex"], ahu
    spots = list(face.attributes["ahus"].values())
    assert min(np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(spots, 2)) > 18  # each has room
    steps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(places.values(), 2)]
    assert min(steps) == pytest.approx(size * np.sqrt(3))


@pytest.mark.parametrize("game", ["maori", "giants"])
def test_decks_painted_from_parts_need_them(game: str) -> None:
    with pytest.raises(KeyError, match="painted from its parts"):
        house.faces(game)


def test_an_unknown_game_says_which_decks_there_are() -> None:
    with pytest.raises(KeyError, match="fiji"):
        house.faces("chess")


def test_a_large_picture_is_shaded_a_strip_at_a_time() -> None:
    gain = np.random.default_rng(5).normal(1.0, 0.045, (9, 12)).astype(np.float32)
    picture, other = (Image.new("RGB", (90 * 16, 60 * 16), (200, 150, 90)) for _ in range(2))
    tracemalloc.start()
    shaded = paint.shaded(picture, gain)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < (90 * 16) * (60 * 16) * 3 * 4, "the whole in floating point"
    assert len(np.unique(np.asarray(shaded)[..., 0])) > 10
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(paint, "STRIP", 10_000)
        assert shaded.tobytes() == paint.shaded(other, gain).tobytes()
