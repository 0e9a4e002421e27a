"""The scoreboard of every game: what everybody may count, and nothing that a seat alone may know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from companion.boards import board
from companion.fixtures import Fixtures
from companion.games.game import Note
from companion.games.rulebook import LANGUAGES
from companion.games.tabletop import Seen
from companion.sentences import texts
from companion.table import Table
from hardware.lights import GpioLights, Signals
from hardware.scoreboard import LARGE, SMALL, Board, Mark, draw, lay_out
from tests.companion.games import Evening
from tests.companion.sights import sight
from tests.companion.tables import NAMES, ROWS, laid_out, open_table, seated
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


TO_BE_SEEN = [{**ROWS[0], "condition": {"colours": ["green", "red"], "wins": "most"}}, *ROWS[1:]]  # as decks name it


def beads_are_gone(table: Table) -> None:
    """Eyes agree that two beads lie no more."""
    lying = sight(table.tabletop.lay(table.evening.state))
    while table.observed(Seen(lying.cards, lying.beads[:-2])).more:
        pass


@pytest.mark.parametrize("camera", [True, False])
def test_what_lies_wrong_is_told_where_a_camera_sees_it_put_right(tmp_path: Path, camera: bool) -> None:
    """Without one only a photo has shown it, and who took that is told."""
    table = open_table(tmp_path / "log", camera=camera)
    laid_out(table, seated(table, 3)[0], TO_BE_SEEN)
    beads_are_gone(table)
    assert table.verdict is not None
    assert table.verdict.status == "differs"
    notice = board(table, "en").notice
    told = table.view(None, "en")["sync"]["differences"]
    assert (notice and notice.text) == (told[0]["text"] if camera else None)


def test_a_verdict_that_comes_while_the_board_is_built_does_no_harm(tmp_path: Path) -> None:
    table = open_table(tmp_path / "log", camera=True)
    laid_out(table, seated(table, 3)[0], TO_BE_SEEN)
    view = table.view

    def slow(viewer: int | None, lang: str) -> Any:
        seen = view(viewer, lang)
        beads_are_gone(table)
        return seen

    table.view = slow  # type: ignore[method-assign]
    assert board(table, "en").notice is None


class Lights(GpioLights):
    """Lights that fail at first."""

    failing = 2

    def show(self, signals: Signals) -> None:
        if self.failing:
            self.failing -= 1
            raise KeyError("what was bid")
        super().show(signals)


def test_lights_that_fail_are_told_of_once_and_shine_later(tmp_path: Path) -> None:
    table, said = open_table(tmp_path / "log"), list[str]()
    lights = Lights.mock(5)
    fixtures = Fixtures(table, [], lights, said.append)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    while lights.failing:
        table.nudge()
    fixtures.close()
    table.close()
    assert len(said) == 1
    assert said[0].startswith("Boards and lights do not show what is newest. KeyError in ")
    assert "what was bid" not in said[0]


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


@pytest.mark.quick(1)
@pytest.mark.parametrize("game", FULL)
def test_nothing_is_cut_in_a_real_game(tmp_path: Path, game: str) -> None:
    for shown in moments(open_table(tmp_path / "log", game), FULL[game]):
        wide = replace(shown, seats=tuple(replace(s, name=n) for s, n in zip(shown.seats, WIDE, strict=False)))
        for size, least in LEAST.items():
            placed = lay_out(shown, size).placed
            assert not [p for p in (*placed, *lay_out(wide, size).placed) if p.shortened], size
            assert not [p for p in placed if p.primary and p.cap < least], size
