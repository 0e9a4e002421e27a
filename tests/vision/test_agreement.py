"""What the networks say of figures that solids tell: which doubts they take away, and which they add."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from vision import overlooked, solids
from vision.explain import Model
from vision.figures import HIDDEN, PRINT, UNPLACED, Figures, Paint, Standing
from vision.pieces import (
    UNTAUGHT,
    agreed,
    crowded,
    owned,
    plain_at_once,
    plainly,
    together,
    undisputed,
    unpainted,
)
from vision.scene import Scene
from vision.seen import DIE, Seen
from vision.solids import SHAPES
from vision.things import NAMES, Thing

EYE = np.array([10.0, 10.0, 900.0])  #: a camera above what stands at (10, 10), mm


def standing(share: float, rival: str, why: str = "") -> Standing:
    """A worker among its rivals."""
    candidates = (("worker-red", share), (rival, round(1 - share, 3)))
    return Standing("worker", "red", (10.0, 10.0), (10.0, 10.0), 0.95, candidates, why)


def seen_as(**named: float) -> list[tuple[Thing, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]]:
    """What the networks say of the same place."""
    shares = np.array([named.get(name, 0.0) for name in NAMES], np.float32)
    return [(Thing((0.0, 0.0), shares, 20.0), np.array([10.0, 11.0]))]


def test_a_figure_is_acted_on_only_if_both_ways_of_looking_agree() -> None:
    plain = standing(0.8, "chief-red")
    assert agreed(plain, seen_as(round=0.9)).why == ""
    assert agreed(plain, seen_as(oval=0.9, round=0.05)).why
    assert agreed(plain, []).why


def test_a_doubt_about_the_shape_is_settled_by_who_knows_shapes() -> None:
    doubtful = standing(0.51, "sorcerer-red", "may be sorcerer-red")
    assert agreed(doubtful, seen_as(round=0.9)).why == ""
    assert agreed(doubtful, seen_as(round=0.5, star=0.5)).why


def test_where_a_log_lies_is_not_settled_by_who_knows_shapes() -> None:
    log = replace(standing(0.99, "", UNPLACED), piece="log", colour=None, candidates=(("log", 0.99),))
    assert agreed(log, seen_as(rod=0.999)).why == UNPLACED
    assert agreed(replace(log, why=HIDDEN), seen_as(rod=0.999)).why == ""


def test_a_doubt_about_the_colour_is_not() -> None:
    assert agreed(standing(0.51, "worker-blue", "may be worker-blue"), seen_as(round=0.99)).why


def test_what_the_networks_see_speaks_for_the_nearest_figure_only() -> None:
    near, far = standing(0.99, "", "partly hidden"), replace(standing(0.99, "", "partly hidden"), place=(15.0, 10.0))
    seen = seen_as(round=0.95)
    assert owned([near, far], seen, EYE)[0] == seen
    assert owned([near, far], seen, EYE)[1] == []


def test_nothing_settles_which_of_two_doubtful_figures_stands_at_one_place() -> None:
    blue = standing(0.6, "sorcerer-blue", "partly hidden")
    purple = replace(blue, colour="purple", place=(10.0, 11.0))
    seen = seen_as(round=0.95)
    assert agreed(blue, owned([blue], seen, EYE)[0]).why == ""
    assert agreed(blue, owned([blue, purple], seen, EYE)[0]).why
    assert agreed(purple, owned([blue, purple], seen, EYE)[1]).why


def looked(**named: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The shares that a close look gives to names."""
    return np.array([named.get(name, 0.0) for name in NAMES], np.float32)


def test_where_nothing_was_found_near_a_close_look_at_the_figures_own_place_speaks_for_it() -> None:
    plain = standing(0.8, "chief-red")
    assert agreed(plain, [], looked(round=0.9)).why == ""
    assert agreed(plain, [], looked(round=0.5, nothing=0.5)).why
    assert agreed(replace(plain, why="partly hidden"), [], looked(round=0.9)).why


def test_on_the_bare_table_a_close_look_alone_does_not_make_a_rod_of_a_vein() -> None:
    log = Standing("log", None, (10.0, 10.0), (10.0, 10.0), 0.98, (("log", 0.99),))
    bare = replace(log, printed=False)
    assert agreed(bare, [], looked(rod=1.0)).why
    assert agreed(log, [], looked(rod=0.9)).why == ""
    assert agreed(bare, seen_as(rod=0.9), looked(rod=0.9)).why == ""


def test_two_looks_that_both_speak_against_the_rival_take_a_doubt_away() -> None:
    leaning, level = standing(0.57, "sorcerer-red"), standing(0.52, "sorcerer-red", "may be sorcerer-red")
    assert agreed(leaning, seen_as(round=0.5, star=0.01)).why
    assert agreed(leaning, seen_as(round=0.2, star=0.01), looked(round=0.76, star=0.02)).why == ""
    assert agreed(leaning, seen_as(round=0.1, star=0.01), looked(round=0.76, star=0.02)).why
    assert agreed(leaning, seen_as(round=0.2, oval=0.8), looked(round=0.76, oval=0.2)).why
    assert agreed(level, seen_as(round=0.3, star=0.01), looked(round=0.76, star=0.02)).why
    assert agreed(level, seen_as(round=0.4, star=0.01), looked(round=0.76, star=0.02)).why == ""


def test_a_pawn_seen_so_softly_that_it_may_be_of_another_shape_is_doubted() -> None:
    """Sorcerers before a camera of few pixels were told as workers, and workers with their shadows as chiefs."""
    plain, chief = standing(0.8, "chief-red"), replace(standing(0.8, "worker-red"), piece="chief")
    assert agreed(plain, seen_as(round=0.94, star=0.02)).why == ""
    assert agreed(plain, seen_as(round=0.94, star=0.03)).why == "it may have points"
    assert agreed(plain, seen_as(round=0.94), looked(round=0.9, star=0.03)).why == "it may have points"
    assert agreed(chief, seen_as(oval=0.7, round=0.2), looked(oval=0.6, round=0.3)).why == "its shape is not clear"
    assert agreed(chief, seen_as(oval=0.7, round=0.2), looked(oval=0.8, round=0.2)).why == ""


def test_where_solids_hardly_tell_two_shapes_apart_and_both_looks_see_the_second_it_is_the_second() -> None:
    hardly, plain = standing(0.54, "headdress"), standing(0.7, "headdress")
    told = agreed(hardly, seen_as(cylinder=0.9), looked(cylinder=0.92))
    assert (told.piece, told.colour, told.why) == ("headdress", None, "")
    assert agreed(hardly, seen_as(cylinder=0.9), looked(cylinder=0.3, round=0.3)).why
    assert agreed(hardly, seen_as(cylinder=0.9)).why
    assert agreed(plain, seen_as(cylinder=0.9), looked(cylinder=0.92)).why


def test_or_another_taught_figure_in_its_colour() -> None:
    hardly, near, look = standing(0.5, "sorcerer-red", "may be sorcerer-red"), seen_as(oval=0.96), looked(oval=0.97)
    assert agreed(hardly, near, look).why
    assert agreed(hardly, near, look, ["chief-blue"]).why
    assert agreed(hardly, seen_as(oval=0.9), look, ["chief-red"]).why, (
        "neither of its rivals, the solids do not think of it"
    )
    assert agreed(hardly, near, looked(oval=0.6, round=0.3), ["chief-red"]).why
    told = agreed(hardly, near, look, ["chief-blue", "chief-red"])
    assert (told.piece, told.colour, told.why) == ("chief", "red", "")


def test_looks_never_tell_which_of_two_sizes_a_block_is() -> None:
    sizes = (("moai-size-1", 0.6), ("moai-size-2", 0.4))
    block = Standing("moai-size-1", None, (10.0, 10.0), (10.0, 10.0), 0.95, sizes)
    assert agreed(block, seen_as(block=0.99), looked(block=0.99)).why
    assert agreed(block, [], looked(block=0.99)).why


def test_a_block_whose_size_is_plain_is_there_if_both_looks_are_sure_though_its_edges_are_faint() -> None:
    sizes = (("moai-size-1", 0.75), ("moai-size-2", 0.25))
    block = Standing("moai-size-1", None, (10.0, 10.0), (10.0, 10.0), 0.4, sizes, HIDDEN)
    unsized = replace(block, candidates=(("moai-size-1", 0.74), ("moai-size-2", 0.26)))
    assert agreed(block, seen_as(block=0.95), looked(block=0.95)).why == ""
    assert agreed(block, seen_as(block=0.95), looked(block=0.8)).why == HIDDEN
    assert agreed(block, seen_as(block=0.8), looked(block=0.95)).why == HIDDEN
    assert agreed(block, seen_as(block=0.95)).why == HIDDEN
    assert agreed(replace(block, printed=False), seen_as(block=0.95), looked(block=0.95)).why == HIDDEN
    assert agreed(unsized, seen_as(block=0.95), looked(block=0.95)).why == HIDDEN


def test_a_close_look_is_nobodys_where_another_figure_as_plain_stands_as_near() -> None:
    plain, doubtful = standing(0.8, "chief-red"), replace(standing(0.6, "", "partly hidden"), place=(13.0, 10.0))
    assert undisputed(plain, [plain, doubtful])
    assert not undisputed(doubtful, [plain, doubtful])
    assert not undisputed(plain, [plain, replace(plain, place=(13.0, 10.0))])


def test_no_closer_look_changes_what_is_said_of_a_figure_that_is_plain_at_once() -> None:
    plain, seen = standing(0.8, "chief-red"), seen_as(round=0.995)
    assert plain_at_once(plain, seen)
    assert agreed(plain, seen) == agreed(plain, seen, looked(round=0.9)) == agreed(plain, seen, looked(oval=0.9))
    assert not plain_at_once(plain, seen_as(round=0.95))
    assert not plain_at_once(plain, [])
    assert not plain_at_once(standing(0.51, "worker-blue", "may be worker-blue"), seen), "of colours they know nothing"
    block = Standing("moai-size-1", None, (10.0, 10.0), (10.0, 10.0), 0.95, (("moai-size-1", 0.99),))
    assert plain_at_once(block, seen_as(block=0.995))
    assert not plain_at_once(replace(block, candidates=(("moai-size-1", 0.9),)), seen_as(block=0.995)), "maybe a die"


def test_a_blank_face_on_a_block_that_was_told_is_its_top_and_pips_are_a_die() -> None:
    (blank,), (pips,) = seen_as(**{"0": 0.6, "block": 0.35}), seen_as(**{"2": 0.6, "block": 0.35})
    block = replace(seen("moai-size-3", 10.0), place=(10.0, 10.0))
    assert plainly(blank, [block], EYE)
    assert not plainly(pips, [block], EYE)
    assert not plainly(blank, [replace(block, why="may be moai-size-2")], EYE)
    assert not plainly(blank, [replace(block, piece="worker")], EYE)
    leaning = np.array([-500.0, 10.0, 900.0])  # its upper face is seen 24 mm beside its foot
    top = (blank[0], solids.lifted(np.array([[10.0, 10.0]]), solids.SHAPES["moai-size-3"].height, leaning)[0])
    surely = replace(block, candidates=(("moai-size-3", 0.95),))
    assert plainly(top, [surely], leaning)
    assert not plainly(top, [surely], EYE)
    assert not plainly(top, [block], leaning)


def seen(piece: str, x: float, why: str = "") -> Seen:
    """Something seen at (x, 0)."""
    value = 0 if piece == DIE else None
    return Seen(piece, None, value, (x, 0.0), (x, 0.0), 0.5, ((piece, 0.5),), why)


def test_where_a_die_stands_no_figure_does_and_where_one_may_stand_it_is_either() -> None:
    moai, near, far = seen("moai-size-1", 0.0), 5.0, 60.0
    assert together([moai], [seen(DIE, far)]) == [moai, seen(DIE, far)]
    assert together([moai], [seen(DIE, near)]) == [seen(DIE, near)]
    (either,) = together([moai], [seen(DIE, near, "may show 2")])
    assert (either.why, [name for name, _ in either.candidates]) == ("may show 2", [DIE, "moai-size-1"])


def test_a_pawn_stands_beside_what_may_only_be_a_die() -> None:
    pawn, beside = seen("sorcerer", 0.0), seen(DIE, 12.0, "no pips are seen on it")
    assert together([pawn], [beside]) == [pawn, beside]
    assert pawn not in together([pawn], [replace(beside, place=(8.0, 0.0))])
    assert pawn not in together([pawn], [replace(beside, why="")])
    assert together([seen("log", 0.0)], [beside]) != [seen("log", 0.0), beside]


def test_networks_tell_whether_a_block_or_only_its_print_is_seen_if_solids_know_which_it_would_be() -> None:
    sizes = (("moai-size-1", 0.98), ("moai-size-2", 0.02))
    block = Standing("moai-size-1", None, (10.0, 10.0), (10.0, 10.0), 0.49, sizes, PRINT)
    assert not agreed(block, seen_as(block=0.99), looked(block=0.99)).why
    assert agreed(block, seen_as(block=0.7), looked(block=0.7)).why == PRINT
    assert agreed(replace(block, candidates=(("moai-size-1", 0.8), ("moai-size-2", 0.2))), seen_as(block=0.99)).why


ROUND, STAR = NAMES.index("round"), NAMES.index("star")


def test_a_pawn_that_only_networks_see_is_asked_about_and_so_is_what_it_may_be_a_part_of() -> None:
    printed: Any = SimpleNamespace(print=np.ones((1, 1), np.bool_), box=lambda *_: (slice(None), slice(None)))
    pawn = seen_as(round=0.97)
    assert overlooked.pawns(pawn, [], printed, [ROUND, STAR]) == pawn
    assert overlooked.pawns(pawn, [told("worker", 14.0, 10.0)], printed, [ROUND]) == []
    assert overlooked.pawns(pawn, [], printed, [STAR]) == [], "the copy has none such"
    bare: Any = SimpleNamespace(print=np.zeros((1, 1), np.bool_), box=printed.box)
    assert overlooked.pawns(pawn, [], bare, [ROUND]) == [], "it may be any toy on the table"
    chief = replace(told("chief", 22.0, 10.0), candidates=(("chief-red", 0.59), ("sorcerer-red", 0.41)))
    assert crowded(chief, [place for _, place in pawn]).why == "something is beside it"
    plain = replace(chief, candidates=(("chief-red", 0.8),))
    assert not crowded(plain, [place for _, place in pawn]).why
    assert not crowded(replace(chief, place=(40.0, 10.0)), [place for _, place in pawn]).why
    own = [(thing, place + np.array([12.0, 0.0])) for thing, place in seen_as(oval=0.995)]
    assert not crowded(chief, [place for _, place in pawn], own).why, "it is seen by itself"
    assert crowded(chief, [place for _, place in pawn], seen_as(oval=0.995)).why, "that is seen elsewhere"


def test_a_block_that_only_networks_see_is_asked_about_where_it_hides_a_print() -> None:
    def scene(printed: float = 1.0, covered: bool = True) -> Any:
        prints = np.arange(10).reshape(10, 1) < 10 * printed
        return SimpleNamespace(
            print=prints, box=lambda *_: (slice(None), slice(None)), covered=lambda *_: covered, eye=EYE
        )

    block = seen_as(block=0.9)
    top = [(thing, place + np.array([19.0, 0.0])) for thing, place in seen_as(block=0.85)]
    assert overlooked.blocks([*top, *block], [], scene(0.4)) == block, "its foot and its top are one"
    assert overlooked.blocks(block, [told("worker", 29.0, 11.0)], scene()) == block
    assert overlooked.blocks(block, [told("worker", 24.0, 11.0)], scene()) == [], "it may be a part of that"
    assert overlooked.blocks(block, [told("moai-size-3", 31.0, 11.0)], scene()) == []
    assert overlooked.blocks(block, [], scene(0.2)) == [], "it may be anything that lies on the table"
    assert overlooked.blocks(block, [], scene(covered=False)) == [], "the print looks like that"
    assert overlooked.blocks(seen_as(block=0.7, star=0.3), [], scene()) == []


def test_a_rod_that_only_networks_see_is_asked_about_but_not_at_a_boards_edge() -> None:
    def scene(printed: float = 0.0) -> Any:
        prints = np.arange(10).reshape(10, 1) < 10 * printed
        return SimpleNamespace(print=prints, box=lambda *_: (slice(None), slice(None)), eye=EYE)

    rod = seen_as(rod=0.995)
    beside = [(thing, place + np.array([9.0, 0.0])) for thing, place in seen_as(rod=0.992)]
    assert overlooked.rods([*beside, *rod], [], scene()) == rod, "one may be seen twice"
    assert overlooked.rods(rod, [], scene(1.0)) == rod
    assert overlooked.rods(rod, [], scene(0.5)) == [], "it may be the board's edge"
    assert overlooked.rods(seen_as(rod=0.98), [], scene()) == []
    assert overlooked.rods(rod, [told("log", 20.0, 11.0)], scene()) == [], "it may be a part of that"
    assert overlooked.rods(rod, [told("moai-size-3", 31.0, 11.0)], scene()) == []


def test_what_lies_among_thrown_dice_and_was_not_told_is_asked_about() -> None:
    def scene(printed: bool = False) -> Any:
        return SimpleNamespace(print=np.full((1, 1), printed), box=lambda *_: (slice(None), slice(None)), eye=EYE)

    read = Seen(DIE, "white", 2, (40.0, 11.0), (0.0, 0.0), 0.99, (("die 2", 0.99),))
    block = seen_as(block=0.8, **{"0": 0.1})
    beside = [(thing, place + np.array([5.0, 0.0])) for thing, place in seen_as(block=0.85)]
    assert overlooked.dice([*beside, *block], [read], scene()) == block, "one may be seen twice"
    assert overlooked.dice(block, [], scene()) == [], "it may be anything that lies on the table"
    assert overlooked.dice(block, [replace(read, place=(120.0, 11.0))], scene()) == []
    assert overlooked.dice(block, [replace(read, why="its pips are not clear")], scene()) == []
    assert overlooked.dice(block, [replace(read, place=(24.0, 11.0))], scene()) == [], "it may be a part of that"
    assert overlooked.dice(block, [read, told("moai-size-1", 12.0, 11.0)], scene()) == []
    assert overlooked.dice(block, [read], scene(printed=True)) == []
    assert overlooked.dice(seen_as(block=0.7, star=0.3), [read], scene()) == []


def test_what_hides_a_print_has_another_colour_or_print_and_is_no_shadow_of_it() -> None:
    ground = np.full((60, 60, 3), (90, 160, 110), np.uint8)
    ground[20:40, 18:42], ground[26:34, 26:34] = (215, 220, 225), (30, 30, 30)

    def covered(seen: np.ndarray[Any, np.dtype[np.uint8]]) -> bool:
        fields = SimpleNamespace(seen=seen, ground=ground, print=np.ones((60, 60), np.bool_), origin=np.zeros(2))
        fields.box = lambda place, reach: Scene.box(fields, place, reach)  # type: ignore[arg-type]
        fields.shaded = lambda place, reach: Scene.shaded(fields, place, reach)  # type: ignore[arg-type]
        fields._like_ground = lambda place, reach: Scene._like_ground(fields, place, reach)  # type: ignore[arg-type]
        return Scene.covered(fields, np.array([21.5, 21.5]), 8.0)  # type: ignore[arg-type]

    assert not covered(ground)
    assert not covered(np.roll(ground, 2, axis=1)), "it lies a little aside"
    assert not covered((ground * 0.6).astype(np.uint8)), "in a shadow"
    other = ground.copy()
    other[18:44, 18:44] = (60, 90, 200)
    assert covered(other)
    lighter = ground.copy()
    lighter[26:34, 26:34], lighter[18:22] = (215, 220, 225), (30, 30, 30)
    assert covered(lighter), "another print"


def told(piece: str, x: float, y: float) -> Seen:
    """A figure to act on."""
    return Seen(piece, None, None, (x, y), (x, y), 0.98, ((piece, 0.98),), "")


def test_a_plain_figure_is_doubted_where_both_looks_see_hardly_anything_of_its_shape() -> None:
    plain = replace(standing(0.8, ""), piece="log", colour=None, candidates=(("log", 0.8), ("headdress", 0.2)))
    assert not agreed(plain, seen_as(rod=0.19, star=0.3)).why
    assert agreed(plain, seen_as(rod=0.19, star=0.3), looked(rod=0.05, block=0.3)).why
    assert not agreed(plain, seen_as(rod=0.19, star=0.3), looked(rod=0.4)).why


def test_what_is_not_of_its_paint_is_doubted_a_shadow_as_a_log_and_a_brown_die_as_a_grey_block() -> None:
    figures = Figures(())
    figures.colours = (Paint(64, 0.045, 0.054, 0.054), Paint(65, 0.58, 0.6, 0.62))
    figures.models = [[Model("moai-size-2", 0, SHAPES["moai-size-2"])], [Model("log", 1, SHAPES["log"])]]
    everywhere = (slice(None), slice(None))

    def doubt(piece: str, *bgr: int) -> str:
        seen = np.full((4, 4, 3), bgr, np.uint8)
        scene: Any = SimpleNamespace(seen=seen, eye=EYE, box=lambda *_: everywhere)
        return unpainted(told(piece, 10.0, 10.0), scene, figures).why

    assert doubt("log", 154, 173, 194) == doubt("moai-size-2", 47, 77, 120) == UNTAUGHT
    assert doubt("log", 54, 89, 138) == doubt("moai-size-2", 150, 158, 165) == ""


def test_or_one_in_a_paint_without_a_name_that_light_makes_like_it() -> None:
    hardly = standing(0.58, "sorcerer-red")
    told = agreed(hardly, seen_as(cylinder=0.97), looked(cylinder=0.96), ["worker-red", "headdress"])
    assert (told.piece, told.colour, told.why) == ("headdress", None, "")
    # a worker between a block, a log and a chief on a photo that lost much in packing
    assert agreed(hardly, seen_as(cylinder=0.97), looked(cylinder=0.93), ["worker-red", "headdress"]).why


def test_a_look_that_was_a_little_aside_need_only_lean_to_what_a_sure_one_says() -> None:
    leaning = standing(0.57, "chief-red")
    assert agreed(leaning, seen_as(round=0.44, oval=0.3, block=0.2), looked(round=0.97)).why == ""
    assert agreed(leaning, seen_as(round=0.3, oval=0.44, block=0.2), looked(round=0.97)).why
    assert agreed(leaning, seen_as(round=0.44, oval=0.3, block=0.2), looked(round=0.8)).why
    assert agreed(replace(leaning, why="partly hidden"), seen_as(round=0.44, oval=0.3), looked(round=0.97)).why


def test_what_looks_like_a_block_where_ones_top_is_seen_speaks_for_it_and_nothing_else_does() -> None:
    eye = np.array([400.0, 10.0, 900.0])
    moai = Standing("moai-size-3", None, (10.0, 10.0), (10.0, 10.0), 0.95, (("moai-size-3", 0.99),))
    shift = float(solids.lifted(np.array([moai.place]), SHAPES["moai-size-3"].height, eye)[0, 0]) - 10.0
    at_top = np.array([10.0 + shift, 10.0])
    beside = replace(standing(0.9, "sorcerer-red"), place=(10.0 + shift - 6.0, 10.0))
    block, cylinder = ([(thing, at_top) for thing, _ in seen_as(**{name: 0.9})] for name in ("block", "cylinder"))
    assert abs(shift) > 15
    assert owned([moai, beside], block, eye)[0] == block
    assert owned([moai, beside], cylinder, eye)[1] == cylinder
