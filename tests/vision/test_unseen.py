"""What solids explain and no network sees is no question where it could not stand, or is a part of something else."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.vision.test_agreement import EYE, looked, seen_as, told
from vision import occluders, unseen
from vision.dice import NO_PIPS
from vision.figures import HIDDEN
from vision.pieces import seen_at_all
from vision.scene import SCALE, Scene
from vision.seen import DIE, Seen

SHAPE = (200, 400)


def scene(*, printed: bool = True, marker: float = np.inf) -> Scene:
    """An island all over the view or nowhere, and a marker from so many mm to the right on."""
    hidden = np.zeros(SHAPE, np.bool_)
    hidden[:, int(min(marker * SCALE, SHAPE[1])) :] = True
    known: Any = SimpleNamespace(hidden=hidden, print=np.full(SHAPE, printed), origin=np.zeros(2), eye=EYE)
    known.box = lambda place, reach: Scene.box(known, place, reach)
    known.seen = known.ground = np.zeros((*SHAPE, 3), np.uint8)
    known.tinted = np.zeros(SHAPE, np.bool_)
    known.table = SimpleNamespace(like=~known.print, shade=np.zeros(SHAPE, np.bool_))
    return known  # type: ignore[no-any-return]


def asked(x: float, y: float = 50.0) -> Seen:
    return replace(told("moai-size-1", x, y), why=HIDDEN, candidates=(("moai-size-1", 0.5), ("moai-size-2", 0.5)))


def test_no_statue_is_asked_about_where_a_pawn_stands() -> None:
    pawn, between, beside = told("worker", 50.0, 50.0), asked(59.0), asked(64.0)
    blind = {between.place, beside.place}
    assert unseen.explained([pawn, between, beside], blind, scene()) == [pawn, beside]
    assert unseen.explained([pawn, between], set(), scene()) == [pawn, between], "a network sees it"
    doubtful = replace(pawn, why=HIDDEN)
    assert unseen.explained([doubtful, between], blind, scene()) == [doubtful, between], "nothing is known to be there"


def test_the_paper_of_a_marker_is_not_asked_about() -> None:
    paper = asked(80.0)
    assert unseen.explained([paper], {paper.place}, scene(printed=False, marker=90.0)) == []
    assert unseen.explained([paper], {paper.place}, scene(printed=False, marker=110.0)) == [paper]
    assert unseen.explained([paper], {paper.place}, scene(marker=90.0)) == [paper], "a print is hidden there"


def test_a_hand_is_not_asked_about() -> None:
    finger, beyond = asked(50.0), asked(150.0)
    over = scene()
    over.tinted[:, : round(90 * SCALE)] = True
    assert unseen.explained([finger, beyond], {finger.place, beyond.place}, over) == [beyond]
    assert occluders.share(occluders.occluding(over, []), over, np.array([50.0, 50.0]), 4.0) == pytest.approx(1)


def test_either_look_sees_a_figure_whichever_of_its_candidates_it_is() -> None:
    statue = asked(10.0, 10.0)
    assert not seen_at_all(statue, [], None, EYE)
    assert not seen_at_all(statue, seen_as(round=0.9), looked(rod=0.9), EYE)
    assert seen_at_all(statue, seen_as(block=0.3), None, EYE)
    assert seen_at_all(statue, [], looked(block=0.3), EYE)
    either = replace(statue, candidates=(("worker-red", 0.5), ("sorcerer-red", 0.5)))
    assert seen_at_all(either, seen_as(star=0.3), None, EYE)


def test_what_is_even_on_something_wide_is_a_die_only_beside_others() -> None:
    even = Seen(DIE, "white", 0, (50.0, 50.0), (0.0, 0.0), 0.5, (("die 0", 0.5),), NO_PIPS)
    read = Seen(DIE, "white", 3, (120.0, 50.0), (0.0, 0.0), 0.99, (("die 3", 0.99),))
    over = scene()
    over.tinted[:, : round(90 * SCALE)] = True
    assert unseen.explained([even], (), over) == []
    assert unseen.explained([even], (), scene()) == [even]
    assert unseen.explained([even, read], (), over) == [even, read]
    assert unseen.explained([replace(even, why="its pips are not clear")], (), over), "it has some"
