"""The worked examples of the rule book: FJ-T1 and FJ-T2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.fiji import game
from companion.games.fiji.actions import Bid
from companion.games.fiji.cards import FULL_SET
from companion.games.fiji.heads import heads_for_places, places
from companion.games.fiji.state import State
from companion.games.game import Effect
from tests.games.fiji.tables import beads, goals, laid, refused, row, told

PLAYERS = ("Hedwig", "Christian", "Angelika", "Marcel")
HEDWIG, CHRISTIAN, ANGELIKA, MARCEL = range(4)


def test_fj_t1_a_round_is_ranked() -> None:
    hands = [beads("rrbbbgggyyyy"), beads("rrrgyy"), beads("rrrgg"), beads("rrbbbgggyyy")]
    ranked = places(goals("most red", "fewest blue", "most green", "most yellow"), hands)
    assert ranked == ((ANGELIKA,), (CHRISTIAN,), (HEDWIG,), (MARCEL,))
    assert heads_for_places(ranked) == (1, 2, 3, 0)


def example(last_effect: str) -> State:
    """The long example, with a hand for Marcel that he cannot have by then; all but his bid lie there."""
    rows = [
        row("most red+green", "gain red"),
        row("fewest yellow", "keep_bid"),
        row("most all", "others_gain yellow"),
        row("fewest all", last_effect),
    ]
    state = laid(4, rows)
    state = replace(state, hands=(*state.hands[:3], beads("gggggrrrryyybbbb")))
    for seat, bag in ((HEDWIG, "gry"), (CHRISTIAN, "rr"), (ANGELIKA, "gy")):
        state, _ = game.apply(state, Bid(seat, beads(bag)))
    return state


def resolve(last_effect: str) -> tuple[State, tuple[Effect, ...]]:
    return game.apply(example(last_effect), Bid(MARCEL, beads("bbbb")))


@pytest.mark.parametrize("last_effect", ["gain yellow", "half yellow"])
def test_fj_t2_an_exchange_is_resolved(last_effect: str) -> None:
    state, effects = resolve(last_effect)
    values = [tuple(facts["values_by_seats"].values()) for facts in told(effects, "row_values")]
    assert values == [(2, 2, 1, 0), (1, 0, 1, 0), (3, 2, 2, 4), (3, 2, 2, 4)]
    assert told(effects, "row_next_counts") == [
        {"row": 1, "cancelled": (2, 2), "value": 1, "seat": ANGELIKA},
        {"row": 4, "cancelled": (2, 2), "value": 3, "seat": HEDWIG},
    ]
    assert told(effects, "row_all_cancel") == [{"row": 2, "cancelled": (0, 0, 1, 1)}]
    assert told(effects, "row_best") == [{"row": 3, "value": 4, "seat": MARCEL}]
    assert told(effects, "takes") == [
        {"row": 1, "seat": ANGELIKA, "beads": {"green": 0, "red": 3, "yellow": 0, "blue": 0}},
    ]
    assert told(effects, "others_take")[0]["seats"] == [HEDWIG, CHRISTIAN, ANGELIKA]
    assert not told(effects, "keeps_bid")
    nothing = told(effects, "takes_nothing") + told(effects, "takes_half_of_none")
    assert [(facts["row"], facts["seat"]) for facts in nothing] == [(4, HEDWIG)]
    assert game.dump(state)["supply"] == {"green": 7, "red": 4, "yellow": 2, "blue": 6}
    assert state.exchange == 2


def test_fj_t2_as_a_bid_it_is_illegal() -> None:
    """At that point of the game everybody owns two blue beads; the printed example forgets it."""
    state = replace(example("gain yellow"), hands=(*example("gain yellow").hands[:3], FULL_SET))
    ruling = refused(state, Bid(MARCEL, beads("bbbb")))
    answer = game.rulebook.ruling(ruling, PLAYERS)
    assert (answer["legal"], answer["rule"]) == (False, "FJ-4a1")
    assert answer["because"] == "Marcel bids 4 blue but has 2."
