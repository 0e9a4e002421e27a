"""What eyes do not see, or cannot tell, is asked about once; it keeps nobody from going on, and hides nothing."""

from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from companion.evening import Played
from companion.games.game import game
from companion.games.giants.actions import Move
from companion.games.giants.board import house_board
from companion.games.giants.table import tabletop
from companion.games.tabletop import SeenPiece
from companion.referee import Case, consider
from tests.companion.sights import sight
from tests.companion.test_explaining import at, placed, placing  # noqa: F401  # a fixture
from tests.games.giants.tables import in_phase, moai


def unseen(seen, *names):
    """The same without the first piece of each of these names."""
    pieces = list(seen.pieces)
    for name in names:
        pieces.remove(next(piece for piece in pieces if piece.piece == name))
    return replace(seen, pieces=tuple(pieces))


def answer(giants, said):
    question = giants.table.view(0, "en")["questions"][0]
    choice = next(one for one in question["choices"] if one["text"].startswith(said))
    giants.table.answer(giants.tokens[0], question["id"], choice["id"])


@pytest.fixture
def island(at):  # noqa: F811
    """Giants in the placing of the first round, and how it lies; Moais stand before the screens."""
    giants = placing(at)
    giants.lies = lambda: sight(tabletop.lay(giants.state), "giants")
    giants.moai = next(piece.piece for piece in giants.lies().pieces if piece.piece.startswith("moai"))
    return giants


def test_a_piece_that_is_not_seen_is_asked_about_and_told(island):
    verdict = island.see(unseen(island.lies(), island.moai))
    assert (verdict.status, verdict.question.code, verdict.seats) == ("asks", "ask_there", ())
    told = island.table.view(None, "en")["sync"]
    assert [one["where"] for one in told["differences"]] == [verdict.differences[0].zone]
    answer(island, "No")
    verdict = island.see(unseen(island.lies(), island.moai))
    assert (verdict.status, len(verdict.differences)) == ("differs", 1)


def test_what_people_vouch_for_keeps_nobody_from_going_on(island):
    island.see(unseen(island.lies(), island.moai))
    answer(island, "Yes")
    assert island.see(unseen(island.lies(), island.moai)).status == "ok"
    truth = island.after(placed(island, "chief", "c4"))
    verdict = island.see(unseen(sight(tabletop.lay(truth), "giants"), island.moai))
    assert (island.state == truth, verdict.status) == (True, "ok")
    assert island.table.evening.played[-1].cause == "camera"


def test_people_vouch_for_what_they_were_asked_and_for_nothing_else(island):
    island.see(unseen(island.lies(), island.moai))
    answer(island, "Yes")
    others = [piece.piece for piece in island.lies().pieces if piece.piece.startswith("moai")]
    verdict = island.see(unseen(island.lies(), island.moai, others[1]))
    assert (verdict.status, len(verdict.differences)) == ("asks", 1)


def test_an_answer_is_to_what_was_asked(island):
    island.see(unseen(island.lies(), island.moai))
    asked = island.table.view(0, "en")["questions"][0]
    others = [piece.piece for piece in island.lies().pieces if piece.piece.startswith("moai")]
    island.see(unseen(island.lies(), *others[:2]))
    assert island.table.view(0, "en")["questions"][0]["id"] != asked["id"]


def test_what_was_seen_again_and_is_gone_is_asked_about_again(island):
    island.see(unseen(island.lies(), island.moai))
    answer(island, "Yes")
    assert island.see(island.lies()).status == "ok"
    assert island.see(unseen(island.lies(), island.moai)).status == "asks"


def test_a_figure_that_hides_something_is_read_and_what_it_hides_is_asked_about(island):
    truth = island.after(placed(island, "chief", "c4"))
    verdict = island.see(unseen(sight(tabletop.lay(truth), "giants"), island.moai))
    assert island.state == truth
    assert (verdict.status, verdict.question.code) == ("asks", "ask_there")


def test_a_piece_that_stands_where_none_should_is_no_doubt(island):
    lies = island.lies()
    more = replace(lies, pieces=(*lies.pieces, SeenPiece("log", *tabletop.map.at(260, 150))))
    assert island.see(more).status == "differs"


def test_something_unclear_that_no_rule_can_have_put_there_is_asked_about(island):
    lies = island.lies()
    ahu = next(p for p in tabletop._ground(island.state, lies).island.ahus)
    verdict = island.see(replace(lies, pieces=(*lies.pieces, SeenPiece("", *tabletop.map.at(*ahu)))))
    assert (verdict.status, [one.doubt for one in verdict.differences]) == ("asks", ["unclear"])


def test_what_is_taken_back_is_asked_about_though_something_else_is_not_seen(island):
    before = island.lies()
    truth = island.after(placed(island, "chief", "c4"))
    island.see(sight(tabletop.lay(truth), "giants"))
    assert island.state == truth
    verdict = island.see(unseen(before, island.moai))
    assert (verdict.status, verdict.question.code) == ("asks", "ask_back")
    assert [option.note.code for option in verdict.options] == ["answer_back", "answer_there", "answer_keep"]


# --- seen again, or its like set down beside it -----------------------------------------------------------------------


@pytest.fixture
def hidden(at):  # noqa: F811
    """A worker of the seat whose turn it is stands on c4 where nobody sees it; people have vouched for it."""
    giants = placing(at, fast=True, workers=0, chief=1)
    giants.seat = giants.state.turn
    for hex_ in ("c4", "c4", "d3"):
        giants.look(giants.after(placed(giants, "worker", hex_)))
    assert giants.state.turn == giants.seat
    giants.shown = lambda: sight(tabletop.lay(giants.state), "giants")
    colour = tabletop.colours[giants.seat]
    giants.blind = without_worker(giants.shown(), colour, giants)
    assert giants.see(giants.blind).question.code == "ask_there"
    answer(giants, "Yes")
    assert giants.see(giants.blind).status == "ok"
    return giants


def without_worker(seen, colour, giants):
    at_c4 = {(p.x, p.y) for p in tabletop.lay(giants.state).pieces if p.spot == "c4" and p.colour == colour}
    return replace(seen, pieces=tuple(piece for piece in seen.pieces if (piece.x, piece.y) not in at_c4))


def test_what_was_vouched_for_may_have_come_to_light_or_its_like_was_set_down_beside_it(hidden):
    before = hidden.state
    verdict = hidden.see(hidden.shown())
    assert (verdict.status, verdict.question.code, verdict.seats) == ("asks", "ask_seen_again", (hidden.seat,))
    question = hidden.table.view(hidden.seat, "en")["questions"][0]
    assert "c4" in question["choices"][0]["text"]
    hidden.table.answer(hidden.tokens[hidden.seat], question["id"], question["choices"][0]["id"])
    assert [p.action.hex for p in hidden.table.evening.played[-1:]] == ["c4"]
    assert hidden.state != before


def test_what_has_come_to_light_is_asked_about_once(hidden):
    before = hidden.state
    hidden.see(hidden.shown())
    question = hidden.table.view(hidden.seat, "en")["questions"][0]
    hidden.table.answer(hidden.tokens[hidden.seat], question["id"], question["choices"][-1]["id"])
    assert hidden.see(hidden.shown()).status == "ok"
    assert hidden.state == before


def test_nothing_is_asked_when_no_rule_allows_its_like_there(island):
    island.see(unseen(island.lies(), island.moai))
    answer(island, "Yes")
    island.see(unseen(island.lies(), island.moai))
    assert island.see(island.lies()).status == "ok"


# --- which of two that look alike -------------------------------------------------------------------------------------


@dataclass
class Evening:
    """As much of an evening as a referee needs."""

    state: object
    game: object = field(default_factory=lambda: game("giants"))
    played: tuple = ()
    rewinds: int = 0

    def table_due(self):
        return False


ONE, OTHER, LARGE = moai(1, 1, "c3"), moai(2, 1, "d3"), moai(3, 2, "b3")


def transport(*pieces):
    everywhere = {hex_.id: "0c" for hex_ in house_board().hexes}
    return in_phase("transport", board=house_board().data(), pieces=pieces, figures=everywhere)


def considered(state, seen, *vouched, played=()):
    return consider(Case(Evening(state, played=played), tabletop, seen, len(played), Counter(vouched)))


def moved(state, piece, hex_):
    """How it lies when the piece has been brought to a neighbouring hex."""
    pieces = tuple(replace(one, hex=hex_) if one.id == piece else one for one in state.pieces)
    return sight(tabletop.lay(replace(state, pieces=pieces)), "giants")


def bare(state, seen, hex_):
    """The same without the Moais that stand on a hex in this state."""
    gone = {(p.x, p.y) for p in tabletop.lay(state).pieces if p.spot == hex_ and p.piece.startswith("moai")}
    return replace(seen, pieces=tuple(piece for piece in seen.pieces if (piece.x, piece.y) not in gone))


def explained(state, seen):
    return list(tabletop.explaining(state, state.turn, seen, ()))[:1]


def carried(verdict):
    """The pieces of which the verdict says that they were, or may have been, carried."""
    actions = (verdict.action, *(option.action for option in verdict.options))
    return {action.piece for action in actions if isinstance(action, Move)}


def test_a_moai_that_nobody_sees_is_carried_as_any_other():
    state = transport(ONE)
    verdict = considered(state, moved(state, "moai-1", "c4"), ("c3", "no moai-size-1"))
    assert carried(verdict) == {"moai-1"}


def test_it_is_asked_which_moai_was_carried_when_it_may_be_the_one_that_nobody_sees():
    """The one on c3 was vouched for; that on d3 is gone from sight: carried to c4, or hidden by what came to c4."""
    state = transport(ONE, OTHER)
    seen = bare(state, moved(state, "moai-2", "c4"), "c3")
    verdict = considered(state, seen, ("c3", "no moai-size-1"))
    assert (verdict.status, carried(verdict)) == ("asks", {"moai-1", "moai-2"})


def test_it_is_not_asked_when_sizes_tell_them_apart():
    state = transport(ONE, LARGE)
    seen = bare(state, moved(state, "moai-3", "b4"), "c3")
    assert carried(considered(state, seen, ("c3", "no moai-size-1"))) == {"moai-3"}


def test_a_piece_may_be_hidden_where_it_was_brought_or_where_it_was_taken_back_to():
    before = transport(ONE)
    (move,) = explained(before, moved(before, "moai-1", "c4"))
    after, _ = game("giants").apply(before, move)
    seen = bare(before, sight(tabletop.lay(before), "giants"), "c3")
    verdict = considered(after, seen, played=(Played(move, before, (), "camera"),))
    assert [option.note.code for option in verdict.options] == ["answer_there", "answer_back", "answer_not_there"]
    assert verdict.options[1].instead_of == 0
