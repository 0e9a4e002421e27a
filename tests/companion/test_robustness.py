"""Whole games with faulty eyes and clumsy people: the state is never wrong without the table saying so."""

import random

import pytest

from companion.games.giants import guesses
from companion.games.giants.payments import ways_by_payment
from companion.games.tabletop import Seen, SeenBead, SeenCard, SeenPiece
from companion.looks import ENOUGH, HOPELESS, WINDOW, Looks
from tests.companion.clumsy import GAMES, Party, evenings

RED = SeenCard("red", {"card": "red"}, 100, 100, 0.0)
BLUE = SeenCard("blue", {"card": "blue"}, 100, 100, 0.0)
EITHER = SeenCard("", {}, 100, 100, 0.0, (("red", {"card": "red"}), ("blue", {"card": "blue"})))


def looked(*looks):
    """What looks of one place each agree on: the component, "?" for a doubt, None for nothing; and whether settled."""
    eyes = Looks()
    for card in looks:
        seen = eyes.add(Seen(() if card is None else (card,)))
    said = [card.component if card.sure else "?" for card in seen.cards]
    return said[0] if said else None, eyes.settled


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_end_without_a_silent_wrong_state(tmp_path, name):
    count = evenings(name, 2 if name == "rapa-nui" else 1, tmp_path, seed=11)
    assert count.silent == count.wrong == count.unsettled == 0
    assert count.questions * 25 <= count.actions


def test_the_count_can_fail(tmp_path, monkeypatch):
    """A referee that believes every single look is caught."""
    monkeypatch.setattr("companion.looks.WINDOW", 1)
    monkeypatch.setattr("companion.looks.ENOUGH", 1)
    monkeypatch.setattr("tests.companion.clumsy.MISREAD", 0.05)
    bad = 0
    for seed in range(4):
        (tmp_path / str(seed)).mkdir()
        count = Party("rapa-nui", tmp_path / str(seed), 3, seed).play(most=30)
        bad += count.silent + count.wrong + count.questions
        if bad:
            break
    assert bad > 0


def test_a_referee_that_asks_nobody_who_carried_is_caught(tmp_path, monkeypatch):
    """It takes the way that pays others most for the only one."""
    monkeypatch.setattr(guesses, "ways_by_payment", lambda *given: ways_by_payment(*given)[-1:])
    count = Party("giants", tmp_path, 4, 13).play()
    assert count.silent + count.wrong > 0


def test_one_misread_look_is_outvoted():
    assert looked(RED, RED, BLUE, RED) == ("red", True)


def test_one_doubtful_look_is_outvoted():
    assert looked(RED, EITHER, RED, RED) == ("red", True)


def test_a_doubt_that_stays_is_a_doubt():
    assert looked(*[EITHER] * WINDOW) == ("?", True)


def test_what_is_covered_for_a_moment_still_lies_there():
    assert looked(*[RED] * WINDOW, None, None) == ("red", True)


def test_what_looks_never_agree_on_is_in_doubt_and_is_not_waited_for():
    log = SeenPiece("log", 100, 100)
    eyes, found = Looks(), []
    for number in range(3 * HOPELESS):
        seen = eyes.add(Seen(pieces=(log,) if number % 3 == 0 else ()))
        found.append((eyes.settled, [piece.piece for piece in seen.pieces]))
    assert not any(settled for settled, _ in found[: HOPELESS - 1])
    assert found[-1] == (True, [""])
    assert eyes.open == ()
    new = SeenPiece("headdress", 300, 100)
    eyes.add(Seen(pieces=(new,)))
    assert not eyes.settled
    assert (300, 100) in eyes.open


def test_a_die_that_is_seen_now_and_then_is_a_die():
    die = SeenPiece("die", 100, 100, "white")
    eyes = Looks()
    for number in range(2 * HOPELESS):
        seen = eyes.add(Seen(pieces=(die,) if number % 3 == 0 else ()))
    assert [(piece.piece, piece.value) for piece in seen.pieces] == [("die", None)]


def test_what_no_look_sees_any_more_is_gone():
    assert looked(*[RED] * WINDOW, *[None] * WINDOW) == (None, True)


def test_between_there_and_gone_nothing_is_known():
    assert looked(*[RED] * WINDOW, *[None] * (WINDOW - 1)) == ("?", False)


def test_what_was_replaced_is_the_new_one_once_it_has_the_votes():
    assert not looked(*[RED] * WINDOW, BLUE, BLUE, BLUE)[1]
    assert looked(*[RED] * WINDOW, *[BLUE] * (WINDOW - 1)) == ("blue", True)


def test_a_card_turned_where_it_lies_is_seen_as_turned():
    turned = SeenCard("red", {"card": "red"}, 100, 100, 180.0)
    eyes = Looks()
    for card in [*[RED] * WINDOW, *[turned] * WINDOW]:
        seen = eyes.add(Seen((card,)))
    assert seen.cards[0].angle == 180.0


def test_small_moves_of_the_same_bead_are_one_bead():
    rng, eyes = random.Random(3), Looks()
    for _ in range(20):
        seen = eyes.add(Seen(beads=(SeenBead("red", rng.uniform(9, 11), rng.uniform(9, 11)),)))
    assert [bead.colour for bead in seen.beads] == ["red"]
    assert ENOUGH <= WINDOW
