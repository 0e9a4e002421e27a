"""The scoreboard of every game: what everybody may count, and nothing that a seat alone may know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from companion.boards import board
from hardware.scoreboard import Mark, draw
from tests.companion.tables import open_table, seated
from tests.web.games import play_until

MOMENTS: dict[str, Callable[[Any], bool]] = {
    "rapa-nui": lambda state: state.step == "take" and state.pile < 30,
    "maori": lambda state: state.step == "take" and state.pile < 60,
    "giants": lambda state: state.phase == "transport" and state.round == 2,
}


@pytest.mark.parametrize("lang", ["en", "de", "nl"])
@pytest.mark.parametrize("game", MOMENTS)
def test_it_shows_what_everybody_may_count(tmp_path: Path, game: str, lang: str) -> None:
    table = open_table(tmp_path / "log", game)
    tokens = seated(table, 3)
    play_until(table, tokens, 5, MOMENTS[game])
    shown, state = board(table, lang), table.view(None, lang)["state"]
    assert [seat.mark for seat in shown.seats].count(Mark.TO_ACT) == 1
    counts = [count.number for count in shown.counts]
    supply = state["supply"]
    known = {
        "rapa-nui": lambda: ([state["pile"]], [score["total"] for score in state["scores"]]),
        "maori": lambda: ([state["pile"], supply], [score["total"] for score in state["scores"]]),
        "giants": lambda: (
            [supply["headdresses"], supply["logs"], supply["half_tablets"]],
            [known["prestige"] + known["tablets"] for known in state["known"]],
        ),
    }[game]()
    assert (counts, [int(seat.value) for seat in shown.seats]) == known
    assert all(" " in count.label or count.label.isalpha() for count in shown.counts)
    assert [seat.start for seat in shown.seats] == [seat == state.get("start") for seat in range(3)]
    for size in ((800, 480), (250, 122)):
        draw(shown, size)


@pytest.mark.parametrize("game", MOMENTS)
def test_it_is_the_same_whatever_is_hidden(tmp_path: Path, game: str) -> None:
    """Built from the spectator's view, so a seat's own view would have to differ for it to tell more."""
    table = open_table(tmp_path / "log", game)
    play_until(table, seated(table, 3), 5, MOMENTS[game])
    before = asdict(board(table, "en"))
    seen = table.view
    asked: list[int | None] = []

    def watched(viewer: int | None, lang: str) -> Any:
        asked.append(viewer)
        return seen(viewer, lang)

    table.view = watched  # type: ignore[method-assign]  # to see for whom it asks
    assert asdict(board(table, "en")) == before
    assert asked == [None]
