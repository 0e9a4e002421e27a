"""Dice on a table are told one by one, by their pips, hues and outlines, or asked about; nothing else is one."""

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.demo import pieces as demo
from companion.demo.stage import House
from vision import plane
from vision.deck import Deck
from vision.observe import Observer
from vision.photo import Photo
from vision.pieces import MAYBE_EMPTY, PieceFinder
from vision.plane import Lens, Plane
from vision.seen import DIE
from vision.simulated import Look, PieceAt, Placed, Scene, SimulatedTable
from vision.thrown import Thrown
from vision.upper import CUT

SHARED = Path(__file__).resolve().parents[3] / "shared"
DICE = SHARED / "real" / "dice"
FACES = dict.fromkeys(("white", "brown"), frozenset(range(5)))


@pytest.mark.thorough
def test_an_empty_die_is_not_told_as_a_moai_about_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"moais": demo.SHEETS["giants"][-1:]})
    eyes = Observer(Deck("moais", (), demo.taught("moais")), die_faces=FACES)
    table = SimulatedTable({}, seed=1, look=replace(demo.LOOK, surface="oak"))
    thrown = [PieceAt("die", (300.0 + 26 * i, 250.0), 20.0 * i, "white", (2, 0, 3, 0)[i]) for i in range(4)]
    photo = table.render(Scene(pieces=tuple(thrown)))
    seen = eyes.observe(photo)
    assert sorted((p.piece, p.value) for p in seen.pieces if p.value != 0) == [("die", 2), ("die", 3)]
    assert sum(p.value == 0 for p in seen.pieces) + sum(d.why == "may be a block" for d in seen.unsure) == 2
    again = [(680, 450, 880, 530)]  # where they lie
    monkeypatch.setattr("vision.thrown.with_empty", lambda photo, dice, seen, places: list(dice))
    assert not any(p.piece.startswith("moai") for p in eyes.observe(photo, again).pieces), "it is as bright as paper"
    monkeypatch.setattr("vision.pieces.top_light", lambda *_: 0.0)
    assert any(p.piece.startswith("moai") for p in eyes.observe(photo, again).pieces), "it looks like one"


def test_no_die_is_told_where_the_boards_print_is_seen_beside_a_piece() -> None:
    """Trees beside which a headdress lies were told as a green die."""
    look = Look(
        surface="cloth", lamp_mm=(557.807, 310.413, 1035.685), lamp=0.35726, warmth=0.05274, exposure=1.11384,
        gloss=0.38213, noise=3.0786, blur_px=0.86198, tilt_deg=(-3.54187, -3.54345), roll_deg=-28.08015,
    )  # fmt: skip
    house = House.of("giants")
    table = SimulatedTable(house.faces, 43, size_px=(2560, 1440), look=look)
    places = ((818.4325, 93.5059, 274.0316), (332.6546, 281.8207, 109.4274), (644.8028, 424.7736, 115.9024))
    lying = tuple(PieceAt("headdress", (x, y), turn) for x, y, turn in places)
    seen = Observer(house.deck).observe(table.render(Scene((Placed("map", (450.0, 280.0)),), (), lying)))
    assert {piece.piece for piece in seen.pieces} == {"headdress"}


@pytest.mark.thorough
def test_a_brown_die_brighter_than_the_markers_paper_is_not_white() -> None:
    """Where a lamp shines on the dice and not on the markers, light is thought to be dim; their hue tells brown."""
    finder, table = PieceFinder((), FACES), SimulatedTable({}, 3, look=Look(noise=1.0))
    dice = tuple(
        PieceAt("die", (360.0 + 50 * i, 280.0 + 30 * (i % 2)), 20.0 * i, "brown", value, 0.0)
        for i, value in enumerate((3, 1, 3, 2))
    )
    photo = on_photo(table.render(Scene((), pieces=dice)))
    for brighter in (1.0, 3.0):
        seen = finder.find(replace(photo, gain=np.asarray(photo.gain * brighter, np.float32)), [])
        assert sorted(f"{s.value} {s.colour}" for s in seen if not s.why) == [f"{value} brown" for value in "1233"]


def on_photo(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Photo:
    markers = plane.MarkerFinder().find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    top, _ = plane.solve(markers, (image.shape[1], image.shape[0]), None)
    assert top is not None
    return Photo.of(image, top, markers)


@pytest.mark.thorough
def test_dice_that_touch_are_told_one_by_one() -> None:
    """Pips of two lie as one die's do; and one of them is only seen by looking beside those that were."""
    thrown = {
        (300, 250): (("brown", 3, 0, 0), ("brown", 1, 2, -14.4), ("white", 3, -14.4, 3), ("brown", 3, -12, 17.6)),
        (600, 300): (("white", 2, 0, 0), ("white", 0, 14.3, 4), ("white", 1, 0, -14.4), ("white", 3, -14.3, 2)),
    }
    turn, sin, cos = 25.0, math.sin(math.radians(25)), math.cos(math.radians(25))
    dice = tuple(
        PieceAt("die", (left + cos * x - sin * y, top + sin * x + cos * y), turn, colour, value)
        for (left, top), beside in thrown.items()
        for colour, value, x, y in beside
    )
    image = SimulatedTable({}, 3, look=Look(surface="slate")).render(Scene((), pieces=dice))
    seen = PieceFinder((), FACES).find(on_photo(image), [])
    assert sorted((die.colour, die.value) for die in seen if not die.why) == sorted((d.colour, d.value) for d in dice)


@pytest.mark.thorough
def test_dice_are_asked_about_where_stencils_or_the_games_faces_say_otherwise_or_they_are_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dice = tuple(PieceAt("die", (300.0 + 60 * i, 250.0), 12.0 * i, "white", value) for i, value in enumerate((2, 3, 4)))
    photo = on_photo(SimulatedTable({}, 3, look=Look(surface="slate")).render(Scene((), pieces=dice)))
    monkeypatch.setattr("vision.thrown._faces", lambda *_: [])  # no pips are seen
    finder = PieceFinder((), FACES)
    assert sorted(die.value or 0 for die in finder.find(photo, []) if not die.why) == [2, 3, 4]
    monkeypatch.setattr("vision.thrown.explained", lambda *_: np.array([0, 0, 0.2, 0.3, 0.2, 0.3, 0.9], np.float32))
    assert {die.why for die in finder.find(photo, [])} == {"may show 6"}
    monkeypatch.undo()
    seen = PieceFinder((), {"white": {1, 2, 3}}).find(photo, [])
    assert {die.value: die.why for die in seen} == {
        2: "",
        3: "",
        4: "no white die of this game shows 4: look at it again",
    }
    monkeypatch.setattr("vision.sizes.ROUND", 1.0)  # they look like balls
    seen = finder.find(photo, [])
    assert {die.value: die.why for die in seen} == {2: "it may be a ball with a glint: take beads away", 3: "", 4: ""}


@pytest.mark.thorough
def test_a_die_among_others_that_is_not_told_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = tuple(PieceAt("die", (300.0 + 40 * i, 250.0), 12.0 * i, "white", value) for i, value in enumerate((2, 0, 3)))
    photo = on_photo(SimulatedTable({}, 3, look=Look(surface="slate")).render(Scene((), pieces=dice)))
    finder, find = PieceFinder((), FACES), Thrown.find
    assert [die.why for die in finder.find(photo, [])] == ["", "", ""]
    monkeypatch.setattr(Thrown, "find", lambda *args: [die for die in find(*args) if die.value])
    *told, asked = finder.find(photo, [])
    assert sorted(die.value or 0 for die in told) == [2, 3]
    assert (asked.why, asked.candidates[0][0]) == (MAYBE_EMPTY, "die 0")
    assert asked.place is not None
    assert math.dist(asked.place, dice[1].centre_mm) < 6


def real_photos() -> list[Path]:
    return sorted(DICE.glob("*.jpg"))[::32]


@pytest.mark.thorough
@pytest.mark.shared
@pytest.mark.skipif(not DICE.is_dir(), reason="the photographs of dice are not part of the project")
def test_dice_of_real_photographs_are_found_and_none_is_misread() -> None:
    finder = PieceFinder(())
    dice = found = 0
    for path in real_photos():
        image = cv2.imread(str(path))
        assert image is not None
        height, width = image.shape[:2]
        rows = [line.split() for line in path.with_suffix(".txt").read_text().splitlines() if line.strip()]
        boxes = [(int(r[0]) + 1, *(float(v) for v in r[1:])) for r in rows]
        dice += len(boxes)
        for seen in finder.dice(np.asarray(image, np.uint8)):
            x, y = seen.centre_px[0] / width, seen.centre_px[1] / height
            inside = [value for value, bx, by, bw, bh in boxes if abs(x - bx) < bw / 2 and abs(y - by) < bh / 2]
            assert seen.piece == DIE
            assert seen.why or seen.value in inside, (path.name, seen)
            found += bool(inside)
    assert found >= 0.9 * dice


@pytest.mark.thorough
def test_a_die_cut_by_the_photos_edge_is_not_told_by_what_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"moais": demo.SHEETS["giants"][-1:]})
    eyes = Observer(Deck("moais", (), demo.taught("moais")))
    table = SimulatedTable({}, seed=2, look=replace(Look(), surface="slate", table_mm=(700.0, 420.0)))
    view = Plane(Lens(table.view.matrix, table.view.distortion), table.view.rotation, table.view.translation)
    x, y = view.to_mm([(1908.0, 340.0)], 16.0)[0]
    photo = table.render(Scene(pieces=(PieceAt("die", (float(x), float(y)), 4.0, "white", 6),)))
    seen = eyes.observe(photo)
    assert not seen.pieces, "half a six looks like a three"
    assert CUT in [doubt.why for doubt in seen.unsure]
