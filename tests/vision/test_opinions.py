"""Second looks at dice in doubt: whose say is enough, and what becomes of the die."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from types import SimpleNamespace

import numpy as np
import pytest

from tests.vision.looks import face, said
from tests.vision.test_dice import ON_TABLE, SIDE, drawn
from vision import dice, opinions, strewn
from vision.dice import Face
from vision.opinions import Said, enough, stencilled
from vision.pieces import PieceFinder
from vision.seen import Seen
from vision.upper import CUT, judged
from vision.values import Value, Values

GRAIN = 20.0  #: by how much (standard deviation) a photo's colours differ without a reason


def test_what_two_networks_say_alike_is_told_unless_clear_pips_gainsay_it() -> None:
    def first(agreed: float = 1.0, **shares: float) -> Said:
        return Said(said(agreed, **shares))

    afar = face((), 0, "no pips are seen on it")
    assert enough(first(v3=0.75), [afar])
    assert not enough(first(v3=0.6), [afar])
    assert not enough(first(0.7, v3=0.95), [afar]), "not all looks are alike"
    assert not enough(first(v1=0.94), [afar]), "much has a single spot"
    assert enough(first(v1=0.96), [afar])
    assert not enough(first(v0=0.95), [afar]), "an empty face is told by those beside it"
    assert not enough(first(v3=0.95), [afar, face((2,), 2)])
    assert enough(first(v3=0.75), [afar, face((3, 5), 3, "may show 5")]), "as many pips are seen"
    assert not enough(first(v5=0.95), [afar, face((4, 5), 4, "may show 5")]), "the fifth may be a glint"
    assert enough(first(v5=0.85), [afar, face((4, 5, 6), 3, "its pips lie as on no die")]), "two are not seen"
    unclear = face((2,), 2, dice.UNCLEAR)
    assert enough(first(v5=0.75), [afar, unclear]), "three are not seen"
    assert not enough(first(v3=0.95), [afar, unclear]), "one may be a glint"
    assert not enough(first(v1=0.96), [afar, unclear]), "one more than it shows is seen"
    several = replace(face((4, 5, 6), 3, "its pips lie as on no die"), worth=0.6)
    assert not enough(first(v3=0.85), [afar, several])
    assert enough(first(v3=0.95), [afar, several])


def test_less_of_what_stencils_say_as_well_is_told_where_pips_show_the_same() -> None:
    def last(**shares: float) -> Said:
        return Said(said(**shares), needed=0.85, backed=0.65)

    afar, pips = face((), 0, "no pips are seen on it"), face((4,), 3, "a glint or something else is on it")
    assert enough(last(v4=0.9), [afar])
    assert not enough(last(v4=0.8), [afar])
    assert enough(last(v4=0.7), [afar, pips])
    assert not enough(last(v4=0.6), [afar, pips])
    assert not enough(last(v4=0.7), [afar, face((4, 5), 3, "may show 5")])


def test_what_a_stencil_leaves_unexplained_speaks_against_its_value() -> None:
    shares = np.array([0, 0.01, 0.02, 0.03, 0.4, 0.5, 0.02], np.float32)
    fits = np.array([0, 0.2, 0.3, 0.3, 0.8, 0.6, 0.5], np.float32)
    both = stencilled(shares, fits)
    assert both.sum() == pytest.approx(shares.sum(), rel=1e-4), "as surely a die as before"
    assert both.argmax() == 4
    assert both[4] / both[5] == pytest.approx((0.4 / 0.5) * (0.4 / 0.2) ** 3, rel=0.05)
    assert np.allclose(stencilled(shares, np.zeros(7, np.float32)), shares, atol=0.02)


def test_a_second_look_tells_a_die_in_doubt_and_doubts_one_that_only_the_network_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readers, picture = PieceFinder(())._strewn, np.full((100, 100, 3), 160, np.uint8)
    blurred = replace(face((2,), 2, "its pips are not clear"), worth=0.6)
    afar = face((), 0, "no pips are seen on it")

    def again(look: Face, first: Value, second: Value, beside: tuple[Value, ...] = (), why: str | None = None) -> Seen:
        monkeypatch.setattr(readers._opinions, "said", lambda *_: iter([Said(second)]))
        die = judged(look, first)
        assert die is not None
        return readers._again(picture, die if why is None else replace(die, why=why), [(look, first)], [40.0], beside)

    monkeypatch.setattr(strewn, "contested", lambda die, *_: die)
    unsure, five = said(0.8, v5=0.6, v2=0.38), said(v5=0.9)
    told = again(blurred, unsure, five)
    assert (told.value, told.why, told.candidates) == (5, "", (("die 5", told.confidence),))
    assert told.confidence > 0.9
    assert again(blurred, unsure, said(v5=0.6)).why, "not surely enough"
    assert again(blurred, said(0.8, v5=0.5, v2=0.2), five).why, "it may be no die"
    assert again(blurred, unsure, five, (said(v4=0.99),)).why, "no two dice lie at one place"
    assert again(blurred, unsure, five, why=CUT).why == CUT
    assert not again(afar, said(v5=0.98), said(v5=0.6)).why
    assert again(afar, said(v5=0.98), said(v5=0.4)).why == "two looks differ"
    assert not again(face((5,), 5), said(v5=0.98), said(v5=0.4)).why, "pips tell it as well"


FIRST, HUED = (3, 0.3), (5, 0.7)


@pytest.mark.parametrize(
    ("first", "toned", "shaded", "fits", "told"),
    [
        (FIRST, (5, 0.88), (5, 0.9), {}, True),  # whatever stencils say
        ((3, 0.9), (5, 0.97), (5, 0.97), {5: 0.8}, False),  # the first one is sure of another value
        (FIRST, (5, 0.88), (4, 0.9), {}, False),
        (FIRST, (5, 0.88), (5, 0.5), {}, False),
        (FIRST, HUED, HUED, {}, False),
        (FIRST, HUED, HUED, {5: 0.8}, True),  # neither is sure, but a five's stencil fits
        (FIRST, HUED, (3, 0.5), {5: 0.8}, True),
        (FIRST, HUED, HUED, {4: 0.8}, False),
        (FIRST, HUED, HUED, {4: 0.8, 5: 0.79}, False),  # a four's fits as well, and a little better
        (FIRST, (1, 0.9), (1, 0.9), {1: 0.8}, False),  # so does a one's, wherever there is a spot
    ],
)
def test_what_the_first_one_hardly_sees_two_that_see_hues_must_agree_on_or_stencils_tell_as_well(
    monkeypatch: pytest.MonkeyPatch,
    first: tuple[int, float],
    toned: tuple[int, float],
    shaded: tuple[int, float],
    fits: dict[int, float],
    told: bool,
) -> None:
    def saying(best: int, share: float, moved: bool = True) -> SimpleNamespace:
        """A network that is as sure as this only where it sees the die itself, if it has `moved` there."""

        def told(value: int, share: float) -> Value:
            shares = np.full(7, (1 - share) / 6, np.float32)
            shares[value] = share
            return Value(shares, (50.0, 50.0), 20.0, 1.0)

        own, vague = told(best, share), told(best, 0.4)
        return SimpleNamespace(tell=lambda *_: own, again=lambda _, at: own if at is own or not moved else vague)

    explained = np.array([fits.get(value, 0.3) for value in range(7)], np.float32)
    monkeypatch.setattr(opinions, "explained", lambda *_: explained)
    asked = opinions.Opinions(Values())
    for name, network in {
        "_values": saying(*first, False),
        "_tones": saying(*toned),
        "_shades": saying(*shaded),
    }.items():
        setattr(asked, name, network)
    at = Value(np.ones(7, np.float32) / 7, (50.0, 50.0), 20.0, 1.0)
    answers = list(asked.said(np.zeros((100, 100, 3), np.uint8), at))
    assert not enough(answers[0], [])
    assert any(enough(more, []) for more in answers[1:] if more.gloss) is told


@pytest.mark.parametrize(
    ("pips", "values", "told"),
    [
        (3, (4, 5, 6), True),  # some of its pips are not seen
        (2, (2, 3), False),  # none of these is a five
        (4, (4, 5), False),  # a glint may be the fifth
        (5, (5,), True),
    ],
)
def test_pips_that_may_be_some_of_those_told_take_nothing_from_it(
    pips: int, values: tuple[int, ...], told: bool
) -> None:
    five = Said(Value(np.array([0, 0, 0, 0, 0.05, 0.8, 0.1], np.float32), (0.0, 0.0), 20.0, 1.0))
    face = Face(values, (0.0, 0.0), 10.0, pips, 0.8, (0.0, 0.0, 0.0), "its pips are not clear")
    assert enough(five, [face]) is told
    assert enough(five, [])


def knowing_little(
    monkeypatch: pytest.MonkeyPatch, shares: dict[int, float], fits: Sequence[dict[int, float]]
) -> list[Said]:
    """What is said of a die where each network sees these shares of its values, and stencils fit like this by turns."""
    rest = (1 - sum(shares.values())) / (7 - len(shares))
    says = Value(np.array([shares.get(v, rest) for v in range(7)], np.float32), (50.0, 50.0), 20.0, 0.5)
    turns = cycle([np.array([0.0, *(each.get(v, 0.35) for v in range(1, 7))], np.float32) for each in fits])
    monkeypatch.setattr(opinions, "explained", lambda *_: next(turns))
    asked = opinions.Opinions(Values())
    for name in ("_values", "_tones", "_shades"):
        setattr(asked, name, SimpleNamespace(tell=lambda *_: says, again=lambda *_: says))
    return [last for last in asked.said(np.zeros((100, 100, 3), np.uint8), says) if enough(last, [])]


@pytest.mark.parametrize(
    ("shares", "fits", "told"),
    [
        ({3: 0.3, 5: 0.3}, [{5: 0.65, 6: 0.55}], 5),
        ({5: 0.3, 6: 0.3}, [{5: 0.65, 6: 0.6}], None),  # another one's stencil fits nearly as well
        ({3: 0.3, 5: 0.3}, [{5: 0.65, 6: 0.5}, {5: 0.6, 6: 0.62}], None),  # … or better, seen in another way
        ({3: 0.72}, [{5: 0.68, 3: 0.4}], None),  # the first network is sure of another value
        ({3: 0.3, 6: 0.3}, [{3: 0.65, 6: 0.58}], None),  # a few glints may lie as three pips
        ({5: 0.3, 6: 0.3}, [{5: 0.65, 6: 0.58}], 5),
        ({3: 0.3, 6: 0.3}, [{3: 0.65, 6: 0.5}], 3),
        ({6: 0.3, 4: 0.3}, [{6: 0.65, 4: 0.55}], None),  # what is smeared looks like six
        ({2: 0.3, 3: 0.3}, [{2: 0.65, 3: 0.55}], None),  # two spots are on many things
    ],
)
def test_where_networks_know_little_stencils_that_fit_best_each_time_tell_three_to_five(
    monkeypatch: pytest.MonkeyPatch, shares: dict[int, float], fits: list[dict[int, float]], told: int | None
) -> None:
    said = knowing_little(monkeypatch, shares, fits)
    assert [last.value.best for last in said] == ([told] if told else [])


@pytest.mark.parametrize("value", [4, 5])
def test_pips_that_hardly_differ_from_a_dark_die_are_told_by_stencils(
    monkeypatch: pytest.MonkeyPatch, value: int
) -> None:
    grain = np.random.default_rng(value).normal(0, GRAIN, (200, 240, 3))
    photo = np.clip(drawn(value, body=(52, 48, 46), ink=(48, 44, 66)) + grain, 0, 255).astype(np.uint8)
    unsure = Value(np.full(7, 1 / 7, np.float32), ON_TABLE, SIDE, 1.0)
    asked = opinions.Opinions(Values())
    for name in ("_values", "_tones", "_shades"):
        setattr(asked, name, SimpleNamespace(tell=lambda *_: unsure, again=lambda *_: unsure))
    *before, last = asked.said(photo, unsure)
    assert not any(enough(each, []) for each in before)
    assert enough(last, [])
    assert last.value.best == value
