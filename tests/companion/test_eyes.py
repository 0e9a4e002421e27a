"""What is looked for on the table of a game, and of one without rules here."""

from __future__ import annotations

import pytest

from companion.eyes import die_faces, palette


@pytest.mark.parametrize("name", ["game", "record", "rulebook", "tabletop", "whist"])
def test_a_game_without_rules_may_have_any_name(name: str):
    assert palette(name) is None
    assert die_faces(name) is None
    assert palette("rapa-nui") is not None
