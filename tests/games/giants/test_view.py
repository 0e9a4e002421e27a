"""Who may know what: bids, what is behind a screen, whose Moai stands where."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games.game import Viewer
from companion.games.giants import game
from companion.games.giants.actions import Bid, Carve, GiantsAction, Hands, Mark, Pass, Unmark
from companion.games.giants.state import Site, State
from tests.games.giants.hooks import twin
from tests.games.giants.tables import happened, headdress, in_phase, moai, move, place, play
from tests.games.playing import NAMES
from tests.games.playing import play as play_out

FIELDS = {
    "round", "phase", "quarry", "bids", "supply", "figures", "pieces", "ahus", "behind_screen", "half_tablets",
    "prestige", "start",
}  # fmt: skip
BESIDE = {"turn", "passed", "spent", "felled", "bases", "known", "over", "board"}
VIEWERS: tuple[Viewer, ...] = (None, 0, 1, 2)


def test_a_dump_has_the_records_fields_and_a_view_these_more() -> None:
    for state in play_out(game, 3, 4, {}).states[::20]:
        assert set(game.dump(state)) == FIELDS
        for viewer in VIEWERS:
            assert set(game.view(state, viewer)) == FIELDS | BESIDE


def test_what_is_behind_a_screen_is_its_owners() -> None:
    state = in_phase("place")
    assert game.view(state, 1)["behind_screen"] == [None, game.dump(state)["behind_screen"][1], None]
    assert game.view(state, None)["behind_screen"] == [None] * 3


def test_bids_open_when_all_are_in() -> None:
    state = play(in_phase("bid", turn=None), Bid(1, Hands(1, 1, 0, 0)), Bid(2, Hands(0, 0, 0, 0)))
    for viewer in VIEWERS:
        assert game.view(state, viewer)["bids"] == [None] * 3
    opened = play(state, Bid(0, Hands(0, 0, 0, 0)))
    assert game.view(opened, None)["bids"] == game.dump(opened)["bids"]


def test_a_bid_is_not_told_before_the_last_one() -> None:
    state = in_phase("bid", turn=None)
    assert happened(state, Bid(1, Hands(1, 1, 0, 0))) == ()
    bid = Bid(1, Hands(1, 1, 0, 0))
    assert game.view_action(state, bid, 1) == bid.data()
    for viewer in (None, 0, 2):
        assert game.view_action(state, bid, viewer) == {"by": 1, "do": "bid"}


def built(owner: int, turn: int = 0, **fields: Any) -> State:
    """A Moai stands on B, seat 0's or seat 1's; one of the other's on B2."""
    pieces = [moai(1, 2, ahu="B"), moai(2, 1, ahu="B2"), moai(3, 1, "a", marker=0)]
    sites = {"B": Site(base=owner, moai="moai-1"), "B2": Site(base=1 - owner, moai="moai-2")}
    return in_phase("transport", turn=turn, pieces=pieces, sites=sites, figures={"a": "0w"}, **fields)


def test_whose_moai_stands_where_is_in_no_view_and_no_choice() -> None:
    one, other = built(0, tablets=(1, 1, 1)), built(1, tablets=(1, 1, 1))
    assert game.scores(one) != game.scores(other)
    for viewer in VIEWERS:
        assert json.dumps(game.view(one, viewer)) == json.dumps(game.view(other, viewer))
        if viewer is not None:
            assert list(game.legal(one, viewer)) == list(game.legal(other, viewer))


def test_no_ruling_tells_which_moai_stands_where() -> None:
    """Whoever could ask for each piece by its name where it stands would know who carved what stands there."""
    here = built(0)
    one, other, rest = here.pieces
    there = replace(
        here,
        pieces=(replace(one, ahu="B2"), replace(other, ahu="B"), rest),
        sites=tuple(
            replace(site, moai={"moai-1": "moai-2", "moai-2": "moai-1"}.get(str(site.moai))) for site in here.sites
        ),
    )
    for piece in ("moai-1", "moai-2"):
        for action in (Mark(0, piece), move(0, piece, "a: 0w"), move(0, piece, "", "erect", "A")):
            rulings = [game.rulebook.ruling(game.verify(state, action), NAMES) for state in (here, there)]
            assert rulings[0] == rulings[1]
            assert rulings[0]["rule"] == "GI-4.7"


def test_a_standing_moai_is_its_size_only() -> None:
    """Its name would lead back to who carved it."""
    view = game.view(built(0), 0)
    assert view["ahus"]["B"] == {"reserved": None, "moai": 2, "headdress": False}
    assert set(view["pieces"]) == {"moai-3"}
    assert view["known"][0] == {"prestige": 0, "tablets": 0}
    assert game.open_scores is False


MOAIS = [moai(1, 1, "b", marker=0), moai(2, 1, before=0), headdress(1, "b", marker=0)]


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        ("transport", move(0, "moai-1", "", "erect", "B")),
        ("transport", move(0, "moai-1", "c: 0w")),
        ("transport", Mark(0, "moai-2")),
        ("end", Unmark(0, "moai-1")),
        ("place", place(0, "sorcerer", "b", "reserve", ahu="B")),
    ],
)
def test_what_ties_a_seat_to_a_moai_is_told_at_the_moment_only(phase: str, action: GiantsAction) -> None:
    turn = None if phase == "end" else 0
    state = in_phase(phase, turn=turn, pieces=MOAIS, figures={"b": "0w", "c": "0w"})
    for viewer in VIEWERS:
        assert game.view_action(state, action, viewer) == {"by": 0, "do": action.do}
    tied = [effect for effect in happened(state, action) if "seat" in effect.note.facts]
    assert tied
    assert all(effect.memory and effect.seats is None for effect in tied)


def test_who_carved_what_is_told_at_the_moment_only() -> None:
    offered = in_phase("bid", turn=None, quarry=(1, 2))
    offered = play(offered, Bid(0, Hands(0, 1, 0, 1)), Bid(1, Hands(0, 0, 0, 0)), Bid(2, Hands(0, 0, 0, 0)))
    assert game.view_action(offered, Carve(0, 2), None) == {"by": 0, "do": "carve"}
    assert [effect.memory for effect in happened(offered, Carve(0, 2))] == [True]
    assert game.view_action(offered, Carve(0, None), None) == Carve(0, None).data()


def test_other_actions_are_seen_by_all() -> None:
    state = in_phase("transport", pieces=MOAIS)
    for action in (Pass(0), place(0, "worker", "a"), move(0, "headdress-1", "c: 0w"), Mark(0, "headdress-1")):
        assert game.view_action(state, action, None) == action.data()


def test_no_public_effect_ties_a_seat_to_a_moai_or_an_ahu() -> None:
    """In whole games: what may be told again names no Moai and no ahu beside a seat, but at the very end."""
    for players in game.seats:
        playthrough = play_out(game, players, 2, {})
        for turn in playthrough.turns[:-1]:
            for effect in turn.effects:
                facts = effect.note.facts
                if effect.memory or "seat" not in facts:
                    continue
                assert not str(facts.get("piece", "")).startswith("moai"), effect
                assert "ahu" not in facts or effect.note.code in ("crowns", "pays_to_look"), effect


def test_at_the_end_everything_is_open() -> None:
    end = play_out(game, 3, 4, {}).end
    view, dumped = game.view(end, None), game.dump(end)
    for name in ("ahus", "behind_screen", "figures"):
        assert view[name] == dumped[name]


def test_a_bot_needs_no_more_than_its_view() -> None:
    """Two games that differ only in what a bot may not know: it does the same."""
    for seat in range(3):
        chosen = [
            game.bot(seat, random.Random(1)).choose(game.view(state, seat), list(game.legal(state, seat)))
            for state in (built(0, turn=seat), built(1, turn=seat))
        ]
        assert chosen[0] == chosen[1]


def test_what_anybody_may_ask_about_rests_on_nothing_hidden() -> None:
    """The rulings are the same where only what somebody may not know is different."""
    rng, asked = random.Random(5), 0
    playthrough = play_out(game, 3, 4, {})
    deeds = [turn.action for turn in playthrough.turns if turn.action.do in game.asked]
    deeds += [Unmark(seat, f"moai-{number}") for seat in range(3) for number in range(1, 9)]
    assert {deed.do for deed in deeds} == game.asked
    for turn in rng.sample(playthrough.turns, 60):
        found = twin(turn.state, turn.action, None, rng)
        for deed in rng.sample(deeds, 20) if found else []:
            asked += 1
            assert game.verify(found[0], deed) == game.verify(turn.state, deed)
    assert asked
