"""What is in the box."""

from __future__ import annotations

import random

import pytest

from companion.games.giants import game
from companion.games.giants.box import Dealer, box, components


def test_the_box_holds_what_the_rules_name() -> None:
    listed = components()
    assert listed["moais"] == {"1": 17, "2": 12, "3": 6}
    assert listed["supply"] == {"headdresses": 14, "logs": 27, "half_tablets": 30}
    assert listed["colour"] == {"workers": 6, "sorcerer": 1, "chief": 1, "bases": 7, "markers": 6}
    assert len(set(listed["colours"]["names"])) == 5
    assert max(listed["bases"].values()) == listed["colour"]["bases"]
    assert [len(listed["dice"][colour]) for colour in ("white", "brown")] == [3, 2]


def test_dice_have_six_faces_that_the_rules_know() -> None:
    for faces in box().dice:
        assert len(faces) == 6
        assert set(faces) == {0, 1, 2, 3}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_dealer_rolls_the_faces_there_are(players: int) -> None:
    state, dealer = game.start(players, {}), Dealer(random.Random(3))
    rolls = [dealer.act(state).arguments()["dice"] for _ in range(200)]
    for die in range(players):
        assert {dice[die] for dice in rolls} == set(box().dice[die])
