"""Empty dice told by all of their edges, where their upper faces hardly differ from a side, or from the table."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import pytest

from companion.demo import pieces as demo
from vision import thrown
from vision.blanks import Pipped
from vision.cubed import Cube
from vision.deck import Deck
from vision.observe import Observer
from vision.plane import Lens, Plane
from vision.simulated import PieceAt, Scene, SimulatedTable

Image = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Colour = tuple[int, int, int]

SIDE: Final = 14.0  #: mm
HEIGHT: Final = 900.0  #: of the camera above (0, 0), mm
LENS: Final = Lens(np.array([[1500.0, 0.0, -500.0], [0.0, 1500.0, 100.0], [0.0, 0.0, 1.0]]), np.zeros(5))
PLANE: Final = Plane(LENS, np.eye(3), np.array([0.0, 0.0, HEIGHT]))
PLACE: Final = np.array([400.0, -10.0])
ASIDE: Final = np.array([3.0, 2.0])
NOWHERE: Final = np.zeros((0, 2))
WHITE, SHADE, WOOD, STONE = (205, 222, 228), (96, 108, 112), (84, 110, 140), (160, 172, 178)
FACES = dict.fromkeys(("white", "brown"), frozenset(range(4)))


def block(turn: float, height: float, top: Colour, sides: tuple[Colour, Colour], side: float = SIDE) -> Image:
    """A photo of a block that leans to the right; `sides` are the colours of the lower and of the upper one seen."""
    picture = np.full((200, 330, 3), WOOD, np.uint8)
    box = cv2.boxPoints(((float(PLACE[0]), float(PLACE[1])), (side, side), turn))
    foot, upper = PLANE.to_px(box), PLANE.to_px(box, height)

    def fill(outline: np.ndarray[tuple[int, ...], np.dtype[np.float64]], colour: Colour) -> None:
        cv2.fillConvexPoly(picture, np.rint(outline * 16).astype(np.int32), colour, cv2.LINE_AA, 4)

    walls = [np.array([foot[i], foot[(i + 1) % 4], upper[(i + 1) % 4], upper[i]]) for i in range(4)]
    walls.sort(key=lambda wall: -float(wall[:, 0].mean()))
    hidden, seen = walls[:2], sorted(walls[2:], key=lambda wall: -float(wall[:, 1].mean()))
    for wall, colour in zip([*hidden, *seen], [sides[0], sides[0], *sides], strict=True):
        fill(wall, colour)
    fill(upper, top)
    grain = np.random.default_rng(3).normal(0, 2.0, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


def cube(photo: Image, side: float = SIDE) -> Cube:
    found = Cube.of(photo, PLANE, PLACE + ASIDE, side, NOWHERE)
    assert found is not None
    return found


def pipped(colour: Colour) -> Pipped:
    lab = cv2.cvtColor(np.array([[colour]], np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0]
    return Pipped(np.asarray(lab, np.float32), 50.0, None)


def test_a_die_with_a_side_as_bright_as_its_upper_face_is_told_by_its_outline() -> None:
    die = cube(block(30.0, SIDE, WHITE, (WHITE, SHADE)))
    assert die.place == pytest.approx(tuple(PLACE), abs=0.8)
    assert die.side == pytest.approx(SIDE, rel=0.07)
    assert die.middle == pytest.approx(tuple(PLANE.to_px(PLACE, SIDE)[0]), abs=1.5)
    assert (die.outlined, die.edged) == (True, False)
    assert die.empty(SIDE, [pipped(WHITE)])
    assert not die.empty(SIDE, [pipped((40, 70, 120))]), "it is of another make"
    burnt = replace(die, colour=np.array([99.5, 0.0, 0.0], np.float32))
    assert not burnt.empty(SIDE, [replace(pipped(WHITE), colour=burnt.colour)]), "stone would be as white"


def test_a_die_as_brown_as_the_table_is_told_by_all_of_its_edges_beside_others_as_large() -> None:
    die = cube(block(30.0, SIDE, (86, 104, 134), ((44, 70, 112), (60, 72, 90))))
    nothing = np.zeros(7, np.float32)
    assert die.edged
    assert die.empty_too(SIDE, [pipped(WHITE)], nothing)
    assert not die.empty_too(1.15 * SIDE, [pipped(WHITE)], nothing), "it is smaller than they are"
    assert not die.empty_too(SIDE, [pipped(WHITE)], np.array([0.5, 0, 0.3, 0, 0, 0, 0], np.float32)), "it may be a two"
    assert not die.empty_too(SIDE, [replace(pipped(WHITE), contrast=8.0)], nothing), "nor are their pips seen"


@pytest.mark.parametrize("turn", [0.0, 15.0, 30.0, 45.0, 70.0])
@pytest.mark.parametrize(
    ("height", "side", "colour"), [(0.0, SIDE, WHITE), (9.0, SIDE, WHITE), (21.0, SIDE, WHITE), (21.0, 12.0, STONE)]
)
def test_a_square_or_a_block_is_no_cube(height: float, side: float, colour: Colour, turn: float) -> None:
    block_seen = cube(block(turn, height, colour, (colour, SHADE), side))
    assert not block_seen.empty(SIDE, [pipped(WHITE)])
    assert not block_seen.empty_too(SIDE, [pipped((40, 70, 120))], np.zeros(7, np.float32))


def test_what_other_dice_hide_is_not_asked_for() -> None:
    photo = block(30.0, SIDE, WHITE, (WHITE, SHADE))
    left = PLANE.to_px(PLACE - (18.5, 0.0), SIDE)
    x, y = np.rint(left[0]).astype(int).tolist()
    cv2.circle(photo, (x, y), round(0.6 * SIDE * PLANE.scale((400.0, -10.0))), (60, 60, 60), -1)
    assert not cube(photo).empty(SIDE, [pipped(WHITE)])
    die = Cube.of(photo, PLANE, PLACE, SIDE, left)
    assert die is not None
    assert die.empty(SIDE, [replace(pipped(WHITE), contrast=60.0)])
    around = PLANE.to_px(PLACE + 9.0 * np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)]), SIDE)
    assert Cube.of(photo, PLANE, PLACE, SIDE, around) is None, "hardly any of it is seen"


@pytest.mark.thorough
def test_empty_dice_are_told_beside_others_by_their_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"moais": demo.SHEETS["giants"][-1:]})
    monkeypatch.setattr(thrown, "with_empty", lambda photo, dice, seen, places: list(dice))
    monkeypatch.setattr(thrown, "of_a_throw", lambda die, *_: die if die.value else replace(die, why="empty"))
    eyes = Observer(Deck("moais", (), demo.taught("moais")), die_faces=FACES)
    table = SimulatedTable({}, seed=1, look=replace(demo.LOOK, surface="oak", exposure=0.75))
    dice = [("white", 2), ("white", 0), ("brown", 0)]
    at = [PieceAt("die", (300.0 + 26 * i, 250.0), 20.0 * i, colour, value) for i, (colour, value) in enumerate(dice)]
    photo = table.render(Scene(pieces=tuple(at)))
    assert {(piece.colour, piece.value) for piece in eyes.observe(photo).pieces} == set(dice)
    monkeypatch.setattr(Cube, "of", lambda *_: None)
    assert {(piece.colour, piece.value) for piece in eyes.observe(photo, [(0, 0, 1900, 1000)]).pieces} == {dice[0]}
