"""Patches drawn as pieces would be seen, and explained again: where each stands, and of which kind it is."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.blocks import BlockFinder
from vision.explain import GROWTH, MAYBE, STOOD, Explained, Explainer, Model, Patch
from vision.figures import ALIKE, HIDDEN, UNPLACED, Figures, Paint, standing
from vision.photo import Photo
from vision.plane import Lens, Plane
from vision.scene import SCALE
from vision.solids import SHAPES, silhouette

EYE = np.array([60.0, 45.0, 900.0])
SIZE = (round(120 * SCALE), round(160 * SCALE))
NEAR_MM = 2.0

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Stood = tuple[str, tuple[float, float], float]  # piece, place (mm), turn (degrees)


def explained(mine: Mask, *kinds: str, behind: Mask | None = None, stood: Mask | None = None) -> list[Explained]:
    """What the pixels of one paint on bare ground are explained as, if they may be any of these kinds."""
    scene: Any = SimpleNamespace(origin=np.zeros(2), eye=EYE)
    models = [Model(kind, 0, SHAPES[kind]) for kind in kinds]
    none = np.zeros_like(mine)
    behind, stood = (none if mask is None else mask for mask in (behind, stood))
    return Explainer(scene, models, mine & ~behind, ~mine & ~behind, none, stood).explained()


def seen(stood: list[Stood]) -> NDArray[np.bool_]:
    """Where pieces are seen."""
    parts = [part for kind, place, turn in stood for part in SHAPES[kind].parts(np.array(place), turn, EYE)]
    return silhouette(parts, SIZE, SCALE, np.zeros(2)) > 0


def told(stood: list[Stood], *kinds: str) -> None:
    """Every piece is told where it stands, and nothing else is."""
    found = explained(seen(stood), *kinds)
    for kind, place, _ in stood:
        near = [e for e in found if math.dist(e.place, place) < NEAR_MM]
        assert [e.model.name for e in near] == [kind], [(e.model.name, e.place) for e in found]
    assert len(found) == len(stood)
    assert min(e.seen for e in found) > 0.85


@pytest.mark.parametrize("turn", range(0, 180, 20))
@pytest.mark.parametrize("bent", [0, 30, 60, 90])
def test_two_logs_that_touch_end_to_end_are_two_where_they_lie(turn: int, bent: int) -> None:
    along, on = (12.0 * np.array([math.cos(math.radians(t)), math.sin(math.radians(t))]) for t in (turn, turn + bent))
    joint = np.array([80.0, 60.0])
    places = joint - along * 1.15, joint + on * 1.15
    told([("log", (p[0], p[1]), float(t)) for p, t in zip(places, (-turn, -turn - bent), strict=True)], "log")


PAWNS = ("worker", "chief", "sorcerer")
REACH = {"worker": 8.0, "chief": 9.5, "sorcerer": 8.0}  # mm: about so far apart are the middles of two that touch


@pytest.mark.parametrize("seed", range(40))
def test_pawns_of_one_colour_in_a_row_that_touch_are_told_where_they_stand(seed: int) -> None:
    random = np.random.default_rng(seed)
    row: list[Stood] = []
    place = np.array([45.0, 45.0])
    for _ in range(4):
        kind = str(random.choice(PAWNS))
        if row:
            turn = random.uniform(-0.9, 0.9)
            apart = REACH[row[-1][0]] + REACH[kind] + random.uniform(0, 1.5)
            place = place + apart * np.array([math.cos(turn), math.sin(turn)])
        row.append((kind, (float(place[0]), float(place[1])), float(random.uniform(0, 360))))
    told(row, *PAWNS)


def behind_a_block(kind: str, hides: str, apart: float) -> tuple[Mask, Floats, Mask, Mask]:
    """A pawn so much (mm) farther from the camera than half its foot is from a block's.

    Its pixels and place; where the block's body is seen, and its foot.
    """
    block, place, turn = SHAPES[hides], np.array([118.0, 96.0]), 70.0
    away = (place - EYE[:2]) / np.hypot(*(place - EYE[:2]))
    pawn = place + (block.length + REACH[kind] / 2 + apart) * away
    foot = silhouette([block.outline(turn) + place], SIZE, SCALE, np.zeros(2)) > 0
    return seen([(kind, (pawn[0], pawn[1]), 0.0)]), pawn, seen([(hides, (place[0], place[1]), turn)]), foot


@pytest.mark.parametrize("kind", PAWNS)
@pytest.mark.parametrize("hides", ["moai-size-2", "moai-size-3"])
def test_a_pawn_half_hidden_by_a_block_is_told_where_it_stands(kind: str, hides: str) -> None:
    pixels, place, body, foot = behind_a_block(kind, hides, 1.0)
    assert (pixels & body).sum() > 0.29 * pixels.sum()
    (found,) = explained(pixels, *PAWNS, behind=body, stood=foot)
    assert found.model.name == kind
    assert math.dist(found.place, place) < NEAR_MM
    assert max(found.left, found.against) < 0.1


@pytest.mark.parametrize("apart", [-3.0, -4.0])
def test_no_pawn_is_told_to_stand_where_a_block_does(apart: float) -> None:
    pixels, _, body, foot = behind_a_block("chief", "moai-size-3", apart)
    assert explained(pixels, *PAWNS, behind=body, stood=foot) == []


def test_where_no_print_is_known_a_vein_as_broad_as_a_log_is_not_told_as_several() -> None:
    vein = np.zeros(SIZE, np.bool_)
    vein[80:90, 20:130] = True
    vein[70:80, 70:90] = True
    level = Plane(Lens.guess(9, 9), np.eye(3), np.array([0.0, 0.0, 900.0]))
    photo = Photo(np.zeros((9, 9, 3), np.uint8), level, 1.0, np.ones(3, np.float32))
    found = explained(vein, "log")
    assert any(not standing(e, photo, printed=True).why for e in found)
    assert all(standing(e, photo, printed=False).why for e in found)


@pytest.mark.parametrize(("columns", "doubted"), [(slice(40, 80), True), (slice(40, 44), False)])
def test_a_block_is_doubted_where_much_beside_it_stays_unexplained(
    columns: slice, doubted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tall one's side was taken for the top of a second, which stood in its shadow."""
    scene: Any = SimpleNamespace(origin=np.zeros(2), eye=EYE)
    block = Model("moai-size-3", 0, SHAPES["moai-size-3"])
    worth, drawn = np.full((60, 90), -1, np.float32), np.zeros((60, 90), np.uint8)
    worth[10:50, 10:40] = worth[10:50, columns] = 1
    drawn[10:50, 10:40] = 255
    told = [(Explained(block, np.array([20.0, 20.0]), 1.0, 0.0, 0.8, "moai-size-2", 0.0), drawn)]
    monkeypatch.setattr(BlockFinder, "_look", lambda *_: None)
    monkeypatch.setattr(BlockFinder, "_best", lambda *_: told.pop() if told else None)
    finder = BlockFinder.__new__(BlockFinder)
    finder.scene, finder.models = scene, [block]
    (found,) = finder.explained([Patch(worth, (0, 0), scene)])
    level = Plane(Lens.guess(9, 9), np.eye(3), np.array([0.0, 0.0, 900.0]))
    photo = Photo(np.zeros((9, 9, 3), np.uint8), level, 1.0, np.ones(3, np.float32))
    assert bool(standing(found, photo, printed=False).why) == doubted
    assert not standing(found, photo, printed=True).why


@pytest.mark.parametrize(("kind", "margin", "doubted"), [("moai-size-1", 0.23, True), ("moai-size-1", 0.27, False),
                                                         ("worker", 0.13, False)])  # fmt: skip
def test_a_blocks_edges_must_tell_its_size_by_more_than_a_far_cameras_blur_makes(
    kind: str, margin: float, doubted: bool
) -> None:
    level = Plane(Lens.guess(9, 9), np.eye(3), np.array([0.0, 0.0, 900.0]))
    photo = Photo(np.zeros((9, 9, 3), np.uint8), level, 1.0, np.ones(3, np.float32))
    told = Explained(Model(kind, 0, SHAPES[kind]), np.array([20.0, 20.0]), 0.9, 0.0, margin, "moai-size-2", 0.0)
    assert [standing(told, photo, printed).printed for printed in (True, False)] == [True, False]
    assert bool(standing(told, photo, printed=True).why) == doubted


@pytest.mark.parametrize(
    ("kind", "seen", "rest", "why"),
    [("log", 0.51, 0.42, UNPLACED), ("log", 0.51, 0.2, HIDDEN), ("log", 0.7, 0.42, ""), ("worker", 0.51, 0.42, HIDDEN)],
)
def test_a_log_of_which_as_much_is_hidden_as_is_left_beside_it_may_lie_elsewhere(
    kind: str, seen: float, rest: float, why: str
) -> None:
    """One log between two figures was explained as two that lay half in each other."""
    level = Plane(Lens.guess(9, 9), np.eye(3), np.array([0.0, 0.0, 900.0]))
    photo = Photo(np.zeros((9, 9, 3), np.uint8), level, 1.0, np.ones(3, np.float32))
    told = Explained(Model(kind, 0, SHAPES[kind]), np.array([20.0, 20.0]), seen, 0.0, 1.0, "", 0.03, rest)
    assert standing(told, photo, printed=True).why == why


def test_what_a_solid_explains_is_told_as_if_all_of_the_patch_were_drawn() -> None:
    random = np.random.default_rng(4)
    scene: Any = SimpleNamespace(origin=np.zeros(2), eye=EYE)
    worth = random.choice(np.array([1, -1, 0, MAYBE, STOOD], np.float32), (60, 80))
    patch = Patch(worth, (20, 30), scene)
    for solid in (SHAPES["chief"], SHAPES["log"], SHAPES["moai-size-3"]):
        for x, y in [(40.5, 30.5), (31.0, 22.5), (2.5, 30.0), (78.0, 58.5), (-3.5, 12.5), (-60.0, 30.5)]:
            for turn in (0.0, 38.0):
                place = np.array([x, y])
                told = patch._worth(solid, place, turn, worth.astype(np.float64))
                assert math.isclose(told, Patch.gain(patch.drawn(solid, place, turn), worth), abs_tol=1e-6)


@pytest.mark.parametrize("by", GROWTH)
def test_blur_is_told_as_if_all_candidates_were_known(by: float) -> None:
    scene: Any = SimpleNamespace(origin=np.zeros(2), eye=EYE)
    kinds = "worker", "chief", "log"
    stood = [("worker", (30.0, 40.0), 0.0), ("chief", (80.0, 30.0), 50.0), ("log", (120.0, 60.0), 30.0)]
    parts = [p for kind, at, turn in stood for p in SHAPES[kind].grown(by).parts(np.array(at), turn, EYE)]
    mine = silhouette(parts, SIZE, SCALE, np.zeros(2)) > 0
    models = [Model(kind, 0, SHAPES[kind]) for kind in kinds]
    none = np.zeros_like(mine)
    explainer = Explainer(scene, models, mine, ~mine, none, none)
    unexplained = {}
    for growth in GROWTH:
        grown = [Model(m.name, m.colour, m.solid.grown(growth)) for m in models]
        every = [(p.worth > 0).sum() - p.candidates(grown, p.worth)[0].gain for p in explainer.patches()]
        unexplained[growth] = float(sum(every)), abs(growth)
    patches = list(explainer.patches())
    known = explainer._grown(patches)
    assert list(known) == patches
    assert explainer.models[0].solid == SHAPES[kinds[0]].grown(min(unexplained, key=lambda g: unexplained[g]))


def test_where_nothing_has_a_paint_there_are_no_patches() -> None:
    assert explained(np.zeros(SIZE, np.bool_), "worker") == []


def test_ground_looks_like_a_paint_without_hue_if_no_other_is_nearer() -> None:
    paints = [Paint(30, 0.2, 0.3, 0.5), Paint(0, 0.02, 0.04, 0.1), Paint(200, 0.12, 0.2, 0.3), Paint(0, 0.0, 0.1, 0.1)]
    random = np.random.default_rng(6)
    hue, strength = (random.uniform(0, high, 4000).astype(np.float32) for high in (360, 0.25))
    away = np.stack([paint.distance(hue, strength) for paint in paints])
    pale = np.array([not paint.coloured for paint in paints])[away.argmin(axis=0)]
    plain = np.where((away.min(axis=0) < ALIKE) & pale, away.argmin(axis=0) + 1, 0)
    figures: Any = SimpleNamespace(paints=paints)
    assert np.unique(plain).tolist() == [0, 2]
    assert (Figures._pale(figures, hue, strength) == plain).all()
