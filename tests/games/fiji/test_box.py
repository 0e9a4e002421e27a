"""The box: counts of the book, cards of the house set, and the dealer."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from companion.games.fiji import game
from companion.games.fiji.box import components, house_box
from companion.games.fiji.cards import COLOURS, EXTENDED_SET, FULL_SET
from companion.games.fiji.heads import GOAL_HEADS

TEACH = Path(__file__).resolve().parents[4] / "shared" / "tables" / "deck-a" / "fiji" / "teach" / "teach.json"


def test_the_box_holds_what_the_book_lists() -> None:
    listed = components()
    counts = listed["counts"]
    assert (sum(counts["beads"].values()), counts["heads"], counts["screens"]) == (84, 40, 5)
    assert counts["cards"] == 37
    assert [len(listed[kind]) for kind in ("conditions", "effects", "goals")] == [16, 16, 4]
    assert sum(len(listed[kind]) for kind in ("conditions", "effects", "goals")) + 1 == counts["cards"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_beads_suffice_for_all_sets(players: int) -> None:
    dealt = EXTENDED_SET if players == 2 else FULL_SET
    box = components()["counts"]["beads"]
    for colour, each, supply in zip(COLOURS, dealt, FULL_SET, strict=True):
        assert each * players + supply <= box[colour]
    if players == 5:
        assert [each * 5 + supply for each, supply in zip(dealt, FULL_SET, strict=True)] == [box[c] for c in COLOURS]


def test_heads_suffice_for_four_rounds() -> None:
    most = max(sum(range(players)) for players in (3, 4, 5))
    assert most * 4 == sum(GOAL_HEADS) * 4 == components()["counts"]["heads"]


def test_all_cards_are_different() -> None:
    box = house_box()
    assert len(set(box.conditions)) == len(set(box.effects)) == 16
    assert sorted(box.goals) == [0, 1, 2, 3]


@pytest.mark.skipif(not TEACH.exists(), reason="the photographed decks are not part of the project")
def test_the_house_set_is_named_as_the_decks_are() -> None:
    taught = json.loads(TEACH.read_text("utf-8"))["attributes"]
    listed = components()
    assert {
        name: dict(card) for kind in ("conditions", "effects", "goals") for name, card in listed[kind].items()
    } == taught


def test_two_dealers_of_one_seed_lay_the_same() -> None:
    state = game.start(3, {})
    one, two, other = (game.dealer(random.Random(seed)).act(state) for seed in (1, 1, 2))
    assert one == two != other
