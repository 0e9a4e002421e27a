"""Blocks of which networks see the foot and the top apart: no die is so high."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from vision import solids, tall
from vision.pieces import plainly
from vision.seen import Seen
from vision.solids import SHAPES
from vision.things import NAMES, Thing

EYE = np.array([0.0, 0.0, 900.0])  #: where the camera is, mm
MOAI = Seen("moai-size-2", None, None, (400.0, 0.0), (0.0, 0.0), 0.97, (("moai-size-2", 0.88), ("moai-size-1", 0.12)))


def scene(printed: bool = True) -> Any:
    """A scene that is all a known print, or none of it."""
    return SimpleNamespace(print=np.full((1, 1), printed), box=lambda *_: (slice(None), slice(None)), eye=EYE)


def seen(x: float, **named: float) -> tuple[Thing, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """What the networks see at (x, 0)."""
    return Thing((0.0, 0.0), np.array([named.get(name, 0.0) for name in NAMES], np.float32), 20.0), np.array([x, 0.0])


def test_a_block_whose_foot_and_top_are_seen_is_no_die() -> None:
    at = float(solids.lifted(np.array([MOAI.place]), SHAPES["moai-size-2"].height, EYE)[0, 0])
    assert at > 409
    foot, top = seen(398.5, block=0.99), seen(at, **{"0": 0.4, "block": 0.45})
    both = [foot, top]
    assert tall.stands(MOAI, both, scene())
    assert not tall.stands(MOAI, both, scene(printed=False)), "dice lie on the table, beside each other"
    assert not tall.stands(MOAI, [foot], scene())
    assert not tall.stands(MOAI, [top], scene())
    assert not tall.stands(MOAI, [seen(398.5, **{"0": 0.6, "block": 0.4}), top], scene()), "that is another die"
    assert not tall.stands(replace(MOAI, place=(200.0, 0.0)), both, scene()), "nor is it seen there"
    assert not tall.stands(replace(MOAI, candidates=(("moai-size-2", 0.7),)), both, scene())
    assert not tall.stands(replace(MOAI, why="partly hidden"), both, scene())
    low = replace(MOAI, place=(100.0, 0.0))
    beneath = [seen(100.0, block=0.99), seen(104.0, block=0.9)]
    assert not tall.stands(low, beneath, scene()), "a die would lean as far"
    assert not plainly(top, [MOAI], EYE)
    assert plainly(top, [MOAI], EYE, {MOAI.place})
