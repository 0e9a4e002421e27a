"""Of components that overlap the upper one is told first: on a whole look, and when only changes are looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.demo.stage import House
from vision.observation import Component
from vision.observe import Observer
from vision.simulated import Placed, Scene, SimulatedTable
from vision.stacked import upper_first


def lying(name: str, x: float, y: float = 0.0) -> Component:
    return Component(name, "card", None, 0.0, ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90)), 1.0, 0.99)


A, B, C = lying("a", 0), lying("b", 20), lying("c", 40)


def names(things: list[Component]) -> str:
    return "".join(thing.component for thing in things)


def test_what_has_come_lies_on_nothing_that_still_looks_as_it_did() -> None:
    assert names(upper_first([A], [B], [A])) == "ab"


@pytest.mark.parametrize(("before", "order"), [([A, B], "ab"), ([B, A], "ba")])
def test_what_is_found_again_lies_as_it_lay(before: list[Component], order: str) -> None:
    again = replace(B, corners=tuple((x + 1, y) for x, y in B.corners))
    assert names(upper_first([A], [again], before)) == order


def test_what_is_found_among_what_was_kept_takes_its_place() -> None:
    assert names(upper_first([C, A], [B], [C, B, A])) == "cba"
    assert names(upper_first([B], [C, A], [B, A])) == "bca"  # the lower one was slid under another that has come


def test_what_lies_apart_has_no_order_and_nothing_is_lost() -> None:
    far = lying("d", 500)
    assert sorted(names(upper_first([A, far], [C, B], [far, A]))) == ["a", "b", "c", "d"]
    assert upper_first([], [], []) == []


def test_cards_woven_into_each_other_are_all_told() -> None:
    assert sorted(names(upper_first([A], [B, C], [C, A]))) == ["a", "b", "c"]


def test_a_column_is_told_from_its_top() -> None:
    house = House.of("fiji")
    column = ("goal-green", "goal-blue", "goal-red")
    laid = tuple(Placed(name, (300.0, 120.0 + 42 * i)) for i, name in enumerate(column))
    seen = Observer(house.deck).observe(SimulatedTable(house.faces, seed=3).render(Scene(laid)))
    assert [card.component for card in seen.components] == ["fiji/goal-red", "fiji/goal-blue", "fiji/goal-green"]
