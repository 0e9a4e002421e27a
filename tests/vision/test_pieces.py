"""Pieces are told where they stand, by shape and paint, or asked about; prints and shadows are none."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.demo import pieces as demo
from companion.demo.stage import House
from tests.vision.test_agreement import EYE, looked, seen_as, told
from vision import observe, solids
from vision import scene as scenes
from vision.deck import Deck
from vision.edges import Edges
from vision.explain import Model
from vision.figures import Figures, Paint, split
from vision.hues import colour_name
from vision.observation import Observation
from vision.observe import Observer
from vision.pieces import (
    LIKE_GROUND,
    UNTAUGHT,
    crowned,
    no_die,
    top_light,
    unprinted,
    washed,
)
from vision.plane import Lens, Plane
from vision.seen import DIE, Seen
from vision.simulated import Look, PieceAt, Placed, Scene, SimulatedTable
from vision.simulated.throws import NAMES as DRAWN
from vision.simulated.throws import throw
from vision.solids import SHAPES, shape_of
from vision.things import NAMES, Eyes
from vision.upper import covering

SURE = 0.9


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes()


def test_the_networks_and_their_teacher_use_the_same_names() -> None:
    assert NAMES == DRAWN


LARGEST = 1.6 * 1.25 * 17.5  #: pixels: dice of up to 17.5 mm at 1.25 pixels a millimetre, enlarged 1.6 times


def test_a_drawn_table_is_the_same_for_the_same_seed() -> None:
    one, other = (throw(np.random.default_rng(5)) for _ in range(2))
    assert (one[0] == other[0]).all()
    assert one[1] == other[1]


@pytest.mark.parametrize("enlarged", [1.0, 1.6])
def test_drawn_things_lie_inside_their_picture(enlarged: float) -> None:
    picture, things = throw(np.random.default_rng(3), 96, enlarged)
    assert picture.shape == (round(96 * enlarged), round(96 * enlarged), 3)
    assert things
    for thing in things:
        assert min(thing.place) > 0
        assert max(thing.place) < picture.shape[0]


def test_dice_and_pawns_read_surely_on_drawn_tables_are_right(eyes: Eyes) -> None:
    random = np.random.default_rng(2024)
    right = wrong = 0
    for _ in range(60):
        fine, things = throw(random, 128, 1.6)
        if max((t.size for t in things), default=0.0) > LARGEST:  # of larger dice a part looks like a smaller one
            continue
        coarse = np.asarray(cv2.resize(fine, (128, 128), interpolation=cv2.INTER_AREA), np.uint8)
        for seen in eyes.look(coarse, fine, 1.6):
            name = int(seen.shares.argmax())
            if seen.shares[name] < SURE or NAMES[name] in ("nothing", "rod", "block", "cylinder"):
                continue
            near = [t for t in things if math.dist((t.place[0] / 1.6, t.place[1] / 1.6), seen.place) < 6]
            right += any(t.name == name for t in near)
            wrong += not any(t.name == name for t in near)
    assert right >= 50
    assert wrong <= 0.1 * right


def test_nothing_is_seen_on_an_empty_table(eyes: Eyes) -> None:
    random = np.random.default_rng(1)
    plain = np.clip(random.normal(120, 3, (256, 256, 3)), 0, 255).astype(np.uint8)
    small = np.asarray(cv2.resize(plain, (160, 160), interpolation=cv2.INTER_AREA), np.uint8)
    assert [t for t in eyes.look(small, plain, 1.6) if t.there > SURE] == []


STANDING = [("moai-size-2", 340.0, 240.0), ("moai-size-3", 359.0, 240.0), ("moai-size-3", 620.0, 300.0)]


def photographed(*standing: tuple[str, float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    table = SimulatedTable({}, seed=5, look=replace(demo.LOOK, surface="oak"))
    pieces = [(*split(name), (x, y)) for name, x, y in standing]
    return table.render(Scene(pieces=tuple(PieceAt(piece, at, 0.0, colour) for piece, colour, at in pieces)))


def assert_told(observation: Observation, *standing: tuple[str, float, float]) -> None:
    """Whether these are seen where they stand, and nothing else."""
    found = sorted((piece.piece, piece.centre) for piece in observation.pieces if piece.centre is not None)
    assert [name for name, _ in found] == sorted(name for name, _, _ in standing)
    for (_, at), (_, x, y) in zip(found, sorted(standing), strict=True):
        assert math.dist(at, (x, y)) < 4


@pytest.mark.thorough
def test_blocks_that_touch_are_told_and_what_was_moved_is_found_by_looking_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"moais": demo.SHEETS["giants"][-1:]})
    eyes = Observer(Deck("moais", (), demo.taught("moais")))
    before, moved = photographed(*STANDING), [*STANDING[:2], ("moai-size-3", 640.0, 330.0)]
    after = photographed(*moved)
    assert_told(eyes.observe(before), *STANDING)
    changed = np.abs(before.astype(np.int16) - after).max(axis=2) > 20
    rows, columns = np.nonzero(changed[300:800, 900:1600])
    part = (900 + int(columns.min()), 300 + int(rows.min()), 900 + int(columns.max()), 300 + int(rows.max()))
    assert_told(eyes.observe(after, [part]), *moved)


@pytest.mark.thorough
def test_a_pawn_whose_paint_is_not_seen_is_asked_about_by_its_foot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"pawns": demo.SHEETS["giants"][:2]})
    eyes = Observer(Deck("pawns", (), demo.taught("pawns")))
    monkeypatch.setattr(Figures, "find", lambda *_: [])
    monkeypatch.setattr("vision.overlooked.pawns", lambda things, *_: things)
    seen = eyes.observe(photographed(("worker-red", 340.0, 240.0), ("sorcerer-yellow", 500.0, 300.0)))
    assert seen.pieces == ()
    asked = {doubt.candidates[0][0]: doubt for doubt in seen.unsure if doubt.why == UNTAUGHT}
    assert asked.keys() == {"worker-red", "sorcerer-yellow"}


@pytest.mark.thorough
def test_brown_logs_on_walnut_are_told_or_asked_about_by_their_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"logs": demo.SHEETS["giants"][-2:-1]})
    eyes = Observer(Deck("logs", (), demo.taught("logs")))
    logs = tuple(PieceAt("log", (160.0 + 145 * i, 150.0 + 90 * (i % 3)), 37.0 * i) for i in range(5))
    table = SimulatedTable({}, seed=4, look=replace(Look(), surface="walnut", exposure=1.9, noise=1.7, lamp=0.22))

    def met() -> int:
        seen = eyes.observe(table.render(Scene(pieces=logs)))
        assert all(piece.piece == "log" for piece in seen.pieces)
        at = [thing.centre for thing in (*seen.pieces, *seen.unsure)]
        return sum(any(place and math.dist(place, log.centre_mm) < 8 for place in at) for log in logs)

    assert met() > 2
    monkeypatch.setattr("vision.overlooked.rods", lambda *_: [])
    assert met() < 2


@pytest.mark.thorough
def test_what_stands_at_a_boards_edge_or_hides_the_table_beside_it_is_told() -> None:
    house = House.of("giants")
    table = SimulatedTable(house.faces, seed=7, look=replace(Look(), surface="oak"))
    left = 450.0 - house.faces["map"].size_mm[0] / 2
    pawn = PieceAt("worker", (left - 5, 280.0), 0.0, "purple")
    tall = PieceAt("moai-size-3", (780.0, 120.0), 20.0)
    lying = Scene(cards=(Placed("map", (450.0, 280.0)),), pieces=(pawn, tall))
    seen = Observer(house.deck).observe(table.render(lying))
    told = {piece.piece: piece.centre for piece in seen.pieces}
    assert told.keys() == {"worker", "moai-size-3"}
    assert all(math.dist(told[piece.piece] or (0, 0), piece.centre_mm) < 4 for piece in (pawn, tall))


@pytest.mark.thorough
def test_a_block_half_on_a_board_that_no_solid_explains_is_asked_about() -> None:
    """Its colour goes over into the table's or the sea's; only the networks see it."""
    house = House.of("giants")
    table = SimulatedTable(house.faces, seed=5, look=replace(Look(), surface="linen", warmth=0.05, noise=1.5))
    edge = [("moai-size-1", 280.0, 146.0), ("moai-size-1", 450.0, 146.0)]
    board = (Placed("map", (450.0, 290.0)),)
    laid = Scene(cards=board, pieces=tuple(PieceAt(name, (x, y), 20.0) for name, x, y in edge))
    observer = Observer(house.deck, ())
    seen = observer.observe(table.render(laid))
    for name, x, y in edge:
        told = [p for p in seen.pieces if p.centre is not None and np.hypot(p.centre[0] - x, p.centre[1] - y) < 8]
        asked = [d for d in seen.unsure if d.centre is not None and np.hypot(d.centre[0] - x, d.centre[1] - y) < 8]
        assert [p.piece for p in told] == [name] or [d.why for d in asked] == [LIKE_GROUND]
        assert all(candidate.startswith("moai-size") for d in asked for candidate, _ in d.candidates)
    without = observer.observe(table.render(Scene(cards=board)))
    assert LIKE_GROUND not in {doubt.why for doubt in without.unsure}, "the plates printed on it are no blocks"


@pytest.mark.thorough
def test_nothing_is_asked_about_the_edges_of_markers() -> None:
    house = House.of("giants")
    table = SimulatedTable(house.faces, seed=6, look=replace(Look(), surface="walnut"))
    seen = Observer(house.deck).observe(table.render(Scene(cards=(Placed("map", (450.0, 280.0)),))))
    assert [component.component for component in seen.components] == ["giants/map"]
    assert not seen.pieces
    assert not seen.unsure


@pytest.mark.thorough
def test_no_block_on_a_blurred_photo_is_told_with_another_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SHEETS", {"moais": demo.SHEETS["giants"][-1:]})
    eyes = Observer(Deck("moais", (), demo.taught("moais")))
    standing = [(f"moai-size-{1 + i % 3}", (200.0 + 90 * i, 140.0 + 90 * (2 * i % 5)), 20.0 * i) for i in range(7)]
    table = SimulatedTable({}, seed=5, look=replace(demo.LOOK, surface="oak", blur_px=1.4, noise=5.0))
    seen = eyes.observe(table.render(Scene(pieces=tuple(PieceAt(*piece) for piece in standing))))
    told = [(piece.piece, piece.centre) for piece in seen.pieces if piece.centre is not None]
    right = {name for name, at in told for true, place, _ in standing if name == true and math.dist(at, place) < 4}
    assert len(told) >= 3
    assert all(any(name == true and math.dist(at, place) < 4 for true, place, _ in standing) for name, at in told)
    assert right >= {"moai-size-1"}


def test_a_faint_colour_is_told_from_its_ground_through_noise() -> None:
    """Grey stone on pale wood in the evening: single pixels of it may as well be wood."""
    figures = Figures(())
    figures.paints = (Paint(84, 0.05, 0.06, 0.06), Paint(32, 1.1, 1.2, 1.2))
    ground = np.full((90, 120, 3), (126, 174, 204), np.uint8)
    bare = ground.astype(np.float32)
    bare[30:60, 40:70] = (128, 140, 150)
    noise = cv2.GaussianBlur(np.random.default_rng(4).normal(0, 22, bare.shape).astype(np.float32), (3, 3), 0)
    seen = np.clip(bare + noise, 0, 255).astype(np.uint8)
    labels, _ = figures.labelled(SimpleNamespace(seen=seen, ground=ground, hidden=np.zeros((90, 120), bool)))
    assert (labels[33:57, 43:67] == 1).mean() > 0.82
    labels[26:64, 36:74] = 0
    assert (labels > 0).mean() < 0.003


def test_a_print_is_bare_through_noise_and_not_below_a_die() -> None:
    ground = np.full((80, 80, 3), (60, 150, 90), np.uint8)
    cv2.circle(ground, (30, 30), 5, (30, 60, 40), -1)  # printed
    noise = cv2.GaussianBlur(np.random.default_rng(6).normal(0, 40, ground.shape).astype(np.float32), (3, 3), 0)
    seen = ground.astype(np.float32)
    seen[45:65, 45:65] = (190, 200, 205)  # a die
    seen = np.clip(seen + noise, 0, 255).astype(np.uint8)
    everywhere, nowhere = np.ones((80, 80), np.bool_), np.zeros((80, 80), np.bool_)
    edges = Edges.of(seen)
    table: Any = None
    scene = scenes.Scene(
        seen, ground, nowhere, edges, everywhere, nowhere, table, np.zeros(2), np.array([0.0, 0.0, 900.0])
    )
    assert scene.bare(np.array([30, 30]) / scenes.SCALE, 8.0)
    assert not scene.bare(np.array([55, 55]) / scenes.SCALE, 8.0)
    assert not replace(scene, print=nowhere).bare(np.array([30, 30]) / scenes.SCALE, 8.0)
    for x, why in ((30, "it may be the board's print"), (55, "")):
        assert covering(told(DIE, x / scenes.SCALE, x / scenes.SCALE), scene).why == why


def test_a_figure_that_hardly_differs_from_the_print_is_doubted() -> None:
    scene = SimpleNamespace(
        strange=lambda place, reach: 0.19 if place[0] < 50 else 0.6, shaded=lambda *_: False, eye=EYE
    )
    assert unprinted(told("log", 40, 40), scene).why == "it may be the board's print"  # type: ignore[arg-type]
    assert not unprinted(told("log", 60, 40), scene).why  # type: ignore[arg-type]


def test_a_block_whose_foot_is_as_dark_as_the_print_is_told_where_its_top_hides_that() -> None:
    def doubt(share: float, hides: float) -> str:
        """Of a tall block at (400, 0), whose foot hides as good as nothing, and its top that share of the print."""
        scene: Any = SimpleNamespace(
            strange=lambda place, reach: hides if place[0] > 410 else 0.2, shaded=lambda *_: False, eye=EYE
        )
        return unprinted(replace(told("moai-size-3", 400, 0), candidates=(("moai-size-3", share),)), scene).why

    assert doubt(0.98, 0.7) == ""
    assert doubt(0.98, 0.2) == "it may be the board's print"
    assert doubt(0.88, 0.7) == "it may be the board's print", "solids are not sure that it stands there"


def test_a_block_or_log_that_is_only_darker_than_the_table_may_be_a_shadow() -> None:
    ground = np.full((140, 140, 3), (160, 172, 184), np.uint8)
    seen, nowhere = ground.copy(), np.zeros((140, 140), np.bool_)
    table: Any = None
    seen[20:50, 20:50] = (100, 108, 116)  # a shadow
    seen[20:50, 90:120] = (150, 150, 150)  # grey stone on beige cloth
    seen[90:120, 20:50] = (190, 205, 220)  # … and something lighter
    edges, eye = Edges.of(seen), np.array([50.0, 50.0, 900.0])
    scene = scenes.Scene(seen, ground, nowhere, edges, nowhere, nowhere, table, np.zeros(2), eye)
    doubts = [unprinted(told("moai-size-1", x, y), scene).why for x, y in ((25, 25), (75, 25), (25, 75))]
    assert doubts == ["it may be a shadow", "", ""]
    assert unprinted(told("log", 25, 25), scene).why == "it may be a shadow"
    assert not unprinted(told("worker", 25, 25), scene).why
    on_print = replace(scene, print=~nowhere)
    assert on_print.shaded(np.array([25.0, 25.0]), 4.0)
    faint = np.clip(ground * 0.85, 0, 255).astype(np.uint8)
    assert not replace(on_print, seen=faint).shaded(np.array([25.0, 25.0]), 4.0), "its light is not known so well"


def test_a_block_that_looks_like_an_empty_die_is_doubted_unless_solids_are_sure() -> None:
    (blank,), (plain_block,) = seen_as(**{"0": 0.6, "block": 0.35}), seen_as(block=0.9)
    block = replace(told("moai-size-2", 10.0, 10.0), candidates=(("moai-size-2", 0.8), ("moai-size-1", 0.2)))
    sure, likely, hardly = replace(block, candidates=(("moai-size-2", 0.95),)), looked(block=0.8), looked(block=0.6)
    doubted = no_die(block, [blank], None, EYE)
    assert doubted.why == "it may be an empty die"
    assert [name for name, _ in doubted.candidates] == ["die 0", "moai-size-2", "moai-size-1"]
    assert no_die(block, [plain_block], hardly, EYE).why
    assert not no_die(block, [plain_block], likely, EYE).why
    assert not no_die(sure, [blank], hardly, EYE).why
    nearly, (plainly_blank,) = replace(block, candidates=(("moai-size-2", 0.91),)), seen_as(**{"0": 0.76, "block": 0.2})
    assert no_die(nearly, [plainly_blank], likely, EYE).why
    assert not no_die(nearly, [blank], likely, EYE).why
    assert not no_die(sure, [plainly_blank], likely, EYE).why
    (either,) = seen_as(**{"0": 0.43, "block": 0.57})
    assert no_die(block, [either], likely, EYE).why
    leaning = np.array([-500.0, 10.0, 900.0])
    top = (blank[0], solids.lifted(np.array([[10.0, 10.0]]), SHAPES["moai-size-2"].height, leaning)[0])
    assert no_die(block, [top], likely, leaning).why
    assert not no_die(block, [top], likely, EYE).why


def test_a_block_as_bright_as_paper_may_be_an_empty_die() -> None:
    """Networks may see no die in one, and solids a small statue."""
    (plain_block,) = seen_as(**{"0": 0.0, "block": 0.96})
    sure, likely = replace(told("moai-size-2", 10.0, 10.0), candidates=(("moai-size-2", 0.99),)), looked(block=0.98)
    assert no_die(sure, [plain_block], likely, EYE, 222.0).why == "it may be an empty die"
    assert not no_die(sure, [plain_block], likely, EYE, 205.0).why
    unsure = replace(sure, candidates=(("moai-size-2", 0.7), ("moai-size-1", 0.3)))
    assert not no_die(unsure, [plain_block], likely, EYE, 205.0).why


def test_how_bright_a_blocks_top_is_beside_paper_is_told_where_that_is_seen() -> None:
    table = Plane(Lens(np.diag([900.0, 900.0, 1.0]), np.zeros(5)), np.eye(3), np.array([0.0, 0.0, 900.0]))
    moai, eye = told("moai-size-3", 50.0, 50.0), np.array([0.0, 0.0, 900.0])
    (x, y) = solids.lifted(np.array([[50.0, 50.0]]), SHAPES["moai-size-3"].height, eye)[0]
    image = np.full((120, 120, 3), 40, np.uint8)
    image[int(y) - 8 : int(y) + 9, int(x) - 8 : int(x) + 9] = 180
    photo: Any = SimpleNamespace(image=image, plane=table, gain=np.array([1.5, 1.5, 1.5]))
    assert top_light(moai, photo, eye) == pytest.approx(270), "brighter than paper is not cut off"
    assert top_light(told("moai-size-3", 500.0, 50.0), photo, eye) == 0
    assert top_light(told("moai-size-3", 50.0, -50.0), photo, eye) == 0


def test_a_pawn_whose_colour_may_be_burnt_out_to_another_is_doubted() -> None:
    figures = Figures(())
    figures.paints = figures.colours = (Paint(285, 0.3, 0.6, 0.9), Paint(142, 0.3, 0.6, 0.9))  # blue and green
    figures.models = [[Model(f"worker-{name}", i, SHAPES["worker"])] for i, name in enumerate(("blue", "green"))]
    no_table: Any = None
    plane = Plane(Lens(np.diag([900.0, 900.0, 1.0]), np.zeros(5)), np.eye(3), np.array([0.0, 0.0, 900.0]))

    def doubt(raw: tuple[int, int, int], gain: tuple[float, float, float]) -> Seen:
        image = np.full((100, 100, 3), raw, np.uint8)
        photo: Any = SimpleNamespace(image=image, plane=plane)
        seen = np.full((140, 140, 3), np.array(raw) * gain, np.uint8)
        edges, nowhere, table = Edges.of(seen), np.zeros((140, 140), np.bool_), no_table
        scene = scenes.Scene(seen, seen, nowhere, edges, nowhere, nowhere, table, np.zeros(2), EYE)
        return washed(told("worker", 50, 50), photo, scene, figures)

    light = (0.52, 0.75, 0.6)  # that of the board around, taken away
    burnt = doubt((255, 196, 85), light)
    assert (burnt.why, burnt.candidates[0][0]) == ("its colour is burnt out", "worker-blue")
    assert not doubt((240, 196, 85), light).why
    assert not doubt((120, 254, 85), light).why, "were it brighter, it would be green, too"


def test_a_pawn_whose_hue_lies_between_two_is_doubted() -> None:
    """A board's print, burnt out, tells the light wrongly: what is purple may then seem nearer to blue."""
    figures = Figures(())
    figures.colours = (*(Paint(hue, 0.4, 0.6, 0.8) for hue in (291, 334, 328)), Paint(99, 0.05, 0.07, 0.07))
    blue, purple, pink, white = (Model(f"worker-{name}", i, SHAPES["worker"]) for i, name in enumerate(
        ("blue", "purple", "red", "white")
    ))  # fmt: skip
    figures.models = [[blue], [purple, pink], [white]]
    between, plainly_blue = np.array([164.0, 58.0, 117.0]), np.array([200.0, 90.0, 20.0])
    plainly_purple = np.array([150.0, 60.0, 170.0])
    assert figures.torn(between, "worker-blue") == "worker-red"
    assert figures.torn(between, "worker-purple") == "worker-blue"
    assert figures.torn(plainly_blue, "worker-blue") is None
    assert figures.torn(plainly_purple, "worker-purple") is None, "light may make purple and red alike"
    assert figures.torn(plainly_blue, "sorcerer-blue") is None, "there is no other sorcerer"


def test_the_size_of_a_moai_under_a_headdress_is_doubted() -> None:
    scene: Any = SimpleNamespace(eye=np.array([450.0, 300.0, 900.0]))
    moai, height = told("moai-size-3", 550.0, 300.0), SHAPES["moai-size-3"].height
    above = 550.0 + 100.0 * height / (900.0 - height)  # where the middle of its top is seen
    on, beside = told("headdress", above + 2, 301.0), told("headdress", 550.0 - 20.0, 300.0)
    assert crowned(moai, [moai, on], scene).why == "headdress lies on it"
    assert not crowned(moai, [moai, beside], scene).why
    assert not crowned(moai, [moai, told("worker", above, 300.0)], scene).why
    assert not crowned(on, [moai, on], scene).why


def test_every_known_piece_has_a_shape_the_networks_know() -> None:
    assert {shape_of(piece) for piece in SHAPES} == set(NAMES[8:])


@pytest.mark.parametrize(
    ("bgr", "name"),
    [
        ((240, 240, 240), "white"),
        ((20, 20, 20), "black"),
        ((40, 60, 100), "brown"),
        ((30, 30, 200), "red"),
        ((200, 80, 30), "blue"),
        ((60, 150, 40), "green"),
        ((40, 210, 230), "yellow"),
    ],
)
def test_everyday_names_of_colours(bgr: tuple[int, int, int], name: str) -> None:
    assert colour_name(np.array(bgr, np.float64)) == name


def test_a_bare_table_as_even_as_can_be_has_nothing_on_it() -> None:
    figures = Figures(())
    figures.paints = (Paint(32, 1.1, 1.2, 1.2),)
    cloth = np.full((40, 50, 3), 8, np.uint8)
    labels, alike = figures.labelled(SimpleNamespace(seen=cloth, ground=cloth, hidden=np.zeros((40, 50), bool)))
    assert labels.shape == alike.shape == (40, 50)
    assert not labels.any()
    assert not alike.any()


@pytest.mark.parametrize(("hue", "name"), [(55.0, "worker-brown"), (59.0, "worker-orange")])
def test_the_nearest_of_two_paints_that_light_could_make_alike_is_told(hue: float, name: str) -> None:
    figures = Figures(())
    figures.colours = (Paint(55, 0.5, 0.6, 0.7), Paint(59, 0.5, 0.6, 0.7))
    figures.models = [[Model("worker-orange", 1, SHAPES["worker"]), Model("worker-brown", 0, SHAPES["worker"])]]
    figures.paints = figures.colours[1:]
    seen = np.array([[[60, 41 * math.cos(math.radians(hue)), 41 * math.sin(math.radians(hue))]]], np.float32)
    assert figures.nearest(cv2.cvtColor(seen, cv2.COLOR_Lab2BGR)[0, 0] * 255, "worker") == name


def test_no_place_is_told_in_millimetres_without_markers() -> None:
    worker = Seen("worker", "red", None, (3.0, 4.0), (50.0, 60.0), 0.99, (("worker-red", 0.9),))
    table = Plane(Lens.guess(800, 600), np.eye(3), np.array([0.0, 0.0, 700.0]))
    for where, centre in ((table, (3.0, 4.0)), (replace(table, marked=False), None), (None, None)):
        assert observe._piece(worker, where).centre == centre
        assert observe._piece_doubt(replace(worker, why="partly hidden"), where).centre == centre


@pytest.mark.thorough
def test_what_went_while_no_marker_was_seen_is_gone() -> None:
    eyes = Observer(Deck("workers", (), demo.taught("giants")[:1]))
    table = SimulatedTable({}, seed=5, look=replace(Look(), surface="slate"))
    there = table.render(Scene(pieces=(PieceAt("worker", (450.0, 280.0), 0.0, "red"),)))
    gone = table.render(Scene())
    covered, rects = gone.copy(), []
    before = eyes.observe(there)
    assert [piece.piece for piece in before.pieces] == ["worker"]
    for marker in before.markers:
        corners = np.array(marker.corners)
        (left, top), (right, bottom) = (
            np.maximum(0, corners.min(axis=0) - 20).astype(int),
            corners.max(axis=0).astype(int),
        )
        rects.append((int(left), int(top), int(right) + 20, int(bottom) + 20))
        covered[top : bottom + 20, left : right + 20] = 90
    assert not eyes.observe(covered, [*rects, (930, 500, 1000, 570)]).ok
    assert not eyes.observe(gone, rects).pieces
