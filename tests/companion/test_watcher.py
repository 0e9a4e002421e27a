"""Observations in the terms of a game: what is sure, and what is in doubt."""

import pytest

from companion.games.tabletop import SeenBead, SeenPiece
from companion.watcher import seen
from vision.deck import Deck
from vision.observation import Doubt, Observation, PieceSeen

DECK = Deck("giants", ())


def test_pieces_keep_their_colour_and_value():
    pieces = (
        PieceSeen("worker", "red", None, (10, 20), (0, 0), 0.99),
        PieceSeen("die", "white", 3, (30, 20), (0, 0), 0.99),
        PieceSeen("log", None, None, None, (0, 0), 0.99),  # nobody knows where on the table
    )
    found = seen(Observation((1, 1), pieces=pieces), DECK)
    assert found.pieces == (SeenPiece("worker", 10, 20, "red"), SeenPiece("die", 30, 20, "white", 3))


@pytest.mark.parametrize("name", ["worker-red", "sorcerer", "moai-size-2", "giants/log", "die"])
def test_a_piece_in_doubt_is_a_piece(name):
    doubt = Doubt(((name, 0.5), ("headdress", 0.4)), "alike", centre_px=(5, 5), centre=(10, 20))
    assert seen(Observation((1, 1), unsure=(doubt,)), DECK).pieces == (SeenPiece("", 10, 20),)


@pytest.mark.parametrize("candidates", [(("red", 0.5), ("yellow", 0.4)), ()])
def test_a_bead_in_doubt_is_a_bead(candidates):
    doubt = Doubt(candidates, "glare", centre_px=(5, 5), centre=(10, 20))
    found = seen(Observation((1, 1), unsure=(doubt,)), DECK)
    assert (found.beads, found.pieces) == ((SeenBead("", 10, 20, tuple(name for name, _ in candidates)),), ())
