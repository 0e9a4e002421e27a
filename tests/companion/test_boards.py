"""The scoreboard of every game: what everybody may count, and nothing that a seat alone may know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from companion.boards import board
from companion.games.game import Note
from companion.games.rulebook import LANGUAGES
from companion.sentences import texts
from companion.table import Table
from hardware.scoreboard import LARGE, SMALL, Board, Mark, draw, lay_out
from tests.companion.games import Evening
from tests.companion.tables import NAMES, open_table, seated
from tests.web.games import play_until

MOMENTS: dict[str, Callable[[Any], bool]] = {
    "rapa-nui": lambda state: state.step == "take" and state.pile < 30,
    "maori": lambda state: state.step == "take" and state.pile < 60,
    "giants": lambda state: state.phase == "transport" and state.round == 2,
}
FULL = {"fiji": 5, "rapa-nui": 4, "maori": 5, "giants": 5}  # players
WIDE = ("Gwendolyn", "Magdalena", "Annemarie", "Hannelore", "Katharina")  # nine letters
LEAST = {LARGE: 29, SMALL: 12}  # pixels: the module's rule for capitals of primary facts
STEPS = 80  # of a game; what comes later repeats them


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


# --- nothing that is needed is cut


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", FULL)
def test_every_phase_can_be_read_on_every_panel(game: str, lang: str) -> None:
    said = texts(lang, game)
    facts = {"round": 8, "exchange": 3, "row": 4, "seat": 1}
    for code in (code for code in said.messages if code.startswith("phase_")):
        text, short = said.headline(Note(code, facts), WIDE)
        for size in (LARGE, SMALL, (212, 104), (296, 128), (400, 300)):
            header = lay_out(Board("Fiji", text, short=short), size).placed[0]
            assert header.text in (text, short), (code, size)
            assert header.cap >= LEAST.get(size, 10), (code, size)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [1, 2])
def test_what_a_table_waits_for_before_a_game_can_be_read(tmp_path: Path, players: int, lang: str) -> None:
    table = open_table(tmp_path / "log")
    for name in NAMES[:players]:
        table.sit(None, name)
    for size, least in ((LARGE, 29), (SMALL, 10)):
        header = lay_out(board(table, lang), size).placed[0]
        assert header.text == table.view(None, lang)["waiting"]
        assert header.cap >= least


def moments(table: Table, players: int) -> Iterator[Board]:
    """The boards of an evening in every language: one for each deed, and now and then one for the points."""
    tokens = seated(table, players)
    evening, seen, game = Evening(table, tokens, random.Random(1)), set(), table.evening.game
    assert game is not None
    for step in range(STEPS):
        due = game.due(table.evening.state)
        if due not in seen or step % 20 == 0:
            seen.add(due)
            yield from (board(table, lang) for lang in LANGUAGES)
        evening.play(1)


@pytest.mark.parametrize("game", FULL)
def test_nothing_is_cut_in_a_real_game(tmp_path: Path, game: str) -> None:
    for shown in moments(open_table(tmp_path / "log", game), FULL[game]):
        wide = replace(shown, seats=tuple(replace(s, name=n) for s, n in zip(shown.seats, WIDE, strict=False)))
        for size, least in LEAST.items():
            placed = lay_out(shown, size).placed
            assert not [p for p in (*placed, *lay_out(wide, size).placed) if p.shortened], size
            assert not [p for p in placed if p.primary and p.cap < least], size
