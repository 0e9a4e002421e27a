"""The end of the game and what counts (GI-E1 to GI-E5, GI-V1, GI-A10)."""

from __future__ import annotations

from typing import Any

from companion.games.giants import game
from companion.games.giants.actions import Pass, Peek
from companion.games.giants.state import Site, State
from tests.games.giants.tables import happened, headdress, in_phase, moai, move, play, roll, rule_against, told


def last_round(**fields: Any) -> State:
    """Two bases each: seat 0 has a Moai on one and the other one behind the screen; seat 1 has erected both."""
    sites = {
        "A": Site(base=0, moai="moai-1"),
        "B": Site(base=1, moai="moai-2"),
        "C": Site(base=1, moai="moai-3", headdress="headdress-1"),
    }
    pieces = [moai(1, 1, ahu="A"), moai(2, 3, ahu="B"), moai(3, 2, ahu="C"), headdress(1, ahu="C")]
    stocks = {0: {"bases": 1}, 1: {"bases": 0}, 2: {"bases": 2}}
    return in_phase("transport", sites=sites, pieces=pieces, stocks=stocks, bases=2, **fields)


def test_gi_e1_moais_on_all_own_bases_end_the_game_with_the_transport() -> None:
    state = play(last_round(), Pass(0), Pass(1))
    assert not game.over(state)
    effects = happened(state, Pass(2))
    state = play(state, Pass(2))
    assert game.over(state)
    assert game.to_act(state) == ()
    assert game.due(state) == "over"
    assert told(effects, "all_bases_built") == [{"seats": (1,)}]
    assert rule_against(state, roll(1, 1, 1)) == ("GI-E1", "game_is_over")
    assert rule_against(state, Peek(0, "B")) == ("GI-E1", "game_is_over")


def test_gi_e1_a_reserved_base_is_no_moai() -> None:
    sites = {"A": Site(base=0, moai="moai-1"), "B": Site(reserved=0)}
    state = in_phase("transport", sites=sites, pieces=[moai(1, 1, ahu="A")], stocks={0: {"bases": 0}}, bases=2)
    assert not game.over(play(state, Pass(0), Pass(1), Pass(2)))


def test_gi_e1_at_the_end_figures_markers_and_start_stay() -> None:
    state = last_round(figures={"a": "0w log"}, spent=(1, 0, 0), start=0)
    unmoved = play(state, Pass(0), Pass(1), Pass(2))
    dumped = game.dump(unmoved)
    assert dumped["phase"] == "end"
    assert dumped["figures"] == {"a": [[0, "worker"], "log"]}
    assert dumped["start"] == 0
    assert dumped["behind_screen"][0]["markers"] == 2
    assert dumped["bids"][0] == {"markers": 0, "workers": 0, "sorcerer": 0, "chief": 0}


def test_gi_e2_all_bases_are_turned_over() -> None:
    state = play(last_round(), Pass(0), Pass(1))
    assert told(happened(state, Pass(2)), "base_turned") == [
        {"ahu": "A", "seat": 0},
        {"ahu": "B", "seat": 1},
        {"ahu": "C", "seat": 1},
    ]
    over = play(state, Pass(2))
    assert game.view(over, None)["ahus"] == game.dump(over)["ahus"]
    assert game.view(over, None)["behind_screen"] == game.dump(over)["behind_screen"]
    assert game.view(over, None)["pieces"].keys() == game.dump(over)["pieces"].keys()


def test_gi_e3_value_times_size_and_the_headdress_go_to_the_bases_owner() -> None:
    scores = game.scores(last_round())
    assert [score.parts["moai"] for score in scores] == [1 * 2, 3 * 9 + 2 * 5, 0]
    assert [score.parts["headdress"] for score in scores] == [0, 6, 0]


def test_gi_e4_whole_tablets_count_3() -> None:
    state = last_round(tablets=(5, 1, 2))
    assert [score.parts["tablets"] for score in game.scores(state)] == [6, 0, 3]


def test_gi_e5_prestige_is_added_and_most_points_win() -> None:
    state = last_round(prestige=(50, 0, 4))
    assert [score.total for score in game.scores(state)] == [52, 43, 4]
    assert game.ranking(state) == ((0,), (1,), (2,))


def test_gi_a10_tied_seats_share_the_place() -> None:
    assert game.ranking(last_round(prestige=(41, 0, 43))) == ((0, 1, 2),)
    assert game.ranking(last_round(prestige=(2, 0, 4))) == ((1,), (0, 2))


def test_gi_v1_moais_score_at_once_and_headdresses_at_the_end() -> None:
    board = {"options": {"immediate_scoring": True}}
    state = in_phase("transport", figures={"b": "0w"}, pieces=[moai(1, 2, "b", marker=0), headdress(1, "b")], **board)
    state = play(state, move(0, "moai-1", "", "erect", "B"))
    assert state.prestige == (18, 0, 0)
    state = play(state, Pass(1), Pass(2), move(0, "headdress-1", "", "crown", "B"))
    assert game.scores(state)[0].parts == {"prestige": 18, "moai": 0, "headdress": 5, "tablets": 0}
    usual = in_phase("transport", figures={"b": "0w"}, pieces=[moai(1, 2, "b", marker=0)])
    usual = play(usual, move(0, "moai-1", "", "erect", "B"))
    assert game.scores(usual)[0].parts == {"prestige": 0, "moai": 18, "headdress": 0, "tablets": 0}
