"""The rulebook's worked examples, on islands built to fit them."""

from __future__ import annotations

from dataclasses import replace

from companion.games.giants import game
from companion.games.giants.actions import Bid, Carve, Hands, Mark, Move, Pass, Rongo
from companion.games.giants.state import Site, State
from tests.games.giants.tables import (
    NOTHING,
    happened,
    headdress,
    in_phase,
    island,
    moai,
    move,
    place,
    play,
    roll,
    rule_against,
    told,
)

QUARRIES = {"q": "moai_quarry", "h": "headdress_quarry"}


def test_gi_t1_auction() -> None:
    """Seats: Blue, Green, Red, Yellow, Purple."""
    blue, green, red, yellow = 0, 1, 2, 3
    stocks = {seat: {"workers": 3, "markers": 2} for seat in range(5)}
    state = replace(in_phase("end", 5, turn=None, stocks=stocks, tablets=(3, 0, 1, 1, 0)), round=1)
    state = play(state, roll(1, 2, 2, 3, 0))
    assert state.quarry == (1, 2, 2, 3)
    bids = (Hands(2, 3, 0, 0), Hands(2, 3, 0, 0), Hands(1, 2, 0, 0), Hands(1, 1, 0, 0), NOTHING)
    state = play(state, *(Bid(seat, hands) for seat, hands in enumerate(bids)))
    assert state.order == (0, 1, 2, 3, 4)
    state = play(state, Carve(blue, 3), Carve(green, 1), Carve(red, 2))
    assert state.turn == green, "Yellow's one sculptor is too few for size 2"
    assert rule_against(state, Carve(yellow, 2)) == ("GI-2.2", "another_chooses")
    state = play(state, Carve(green, 2))
    assert [(p.before, p.size) for p in state.pieces] == [(blue, 3), (green, 1), (red, 2), (green, 2)]
    assert state.phase == "place"


def have(state: State) -> list[dict[str, int]]:
    """What lies behind each screen, but for bases and for what there is none of."""
    return [{k: n for k, n in stock.data().items() if n and k != "bases"} for stock in state.stocks]


def test_gi_t2_placing() -> None:
    """Seats: Blue, Yellow, Red, Green."""
    blue, yellow, red, green = range(4)
    stocks = {
        blue: {"markers": 0},
        yellow: {"chief": 0, "markers": 0},
        red: {"chief": 0, "markers": 0},
        green: {"workers": 0, "markers": 1},
    }
    state = in_phase("place", 4, stocks=stocks)
    state = play(
        state,
        place(blue, "worker", "a"),
        place(yellow, "sorcerer", "u", "hut"),
        place(red, "sorcerer", "f", "forest"),
        place(green, "sorcerer", "v", "village"),
    )
    assert have(state) == [
        {"chief": 1, "sorcerer": 1},
        {"workers": 1, "markers": 1},
        {"workers": 1, "logs": 4},
        {"chief": 1, "workers": 1, "markers": 1},
    ]
    state = play(
        state,
        place(blue, "sorcerer", "u", "hut"),
        place(yellow, "worker", "b"),
        place(red, "worker", "b", logs=1),
        Rongo(green),
    )
    assert have(state) == [{"chief": 1, "markers": 1}, {"markers": 1}, {"logs": 3}, {"chief": 1, "workers": 1}]
    state = play(state, place(blue, "chief", "c"))
    assert told(happened(state, Rongo(yellow)), "cannot_act") == [{"seat": red}], "logs alone can do nothing"
    state = play(state, Rongo(yellow), place(green, "worker", "c"))
    assert have(state) == [{"markers": 1}, {}, {"logs": 3}, {"chief": 1}]
    state = play(state, Pass(blue))
    assert state.turn == green, "Yellow has nothing and passes by itself"
    state = play(state, place(green, "chief", "d"))
    assert state.phase == "transport"
    assert state.tablets == (0, 1, 0, 1)


TRAIL = island("q-a a-b b-c q-d c-h", QUARRIES, {"A": ("c", 1, 1)})


def test_gi_t3_a_size_2_over_three_hexes() -> None:
    """Seats: Blue, Yellow, Red. D holds one worker only, so the way leads over A."""
    figures = {"a": "1c", "b": "0w log", "c": "0w 2w", "d": "0w"}
    state = in_phase("transport", board=TRAIL, figures=figures, pieces=[moai(1, 2, before=0)])
    assert rule_against(state, move(0, "moai-1", "d: 0w")) == ("GI-4.2", "too_weak")
    state = play(state, move(0, "moai-1", "a: 1c, b: 0w log, c: 0w 2w"))
    assert state.prestige == (0, 2, 1)


def test_gi_t4_logs_need_a_figure() -> None:
    """Seats: Yellow, Red."""
    state = in_phase(
        "transport", board=TRAIL, figures={"a": "1w log log", "b": "0w log"}, pieces=[moai(1, 2, before=0)]
    )
    assert rule_against(state, move(0, "moai-1", "a: log log")) == ("GI-4.3", "logs_alone")
    state = play(state, move(0, "moai-1", "a: 1w log, b: 0w log"))
    assert state.prestige == (0, 1, 0)


def test_gi_t5_erecting_needs_an_own_figure() -> None:
    """Seats: Red, Yellow, Blue. Red's size 3 lies on A, Yellow's headdress on D."""
    board = island(
        "q-a a-b a-c b-d d-h", QUARRIES, {"B1": ("b", 9, 5), "B2": ("b", 8, 6), "B3": ("b", 7, 6), "C": ("c", 5, 6)}
    )
    red, yellow = 0, 1
    state = in_phase(
        "transport",
        board=board,
        figures={"b": "0w 1w 1s", "c": "2w log log", "d": "1w"},
        pieces=[moai(1, 3, "a", marker=red), headdress(1, "d", marker=yellow), moai(2, 1, ahu="B3")],
        sites={"B3": Site(base=2, moai="moai-2")},
    )
    assert game.can(state, move(red, "moai-1", "c: 2w log log"))
    assert rule_against(state, move(red, "moai-1", "c: 2w log log", "erect", "C")) == ("GI-4.7", "no_own_figure")
    for ahu in ("B1", "B2"):
        after = play(state, move(red, "moai-1", "b: 0w 1w 1s", "erect", ahu))
        assert after.prestige == (0, 2, 0)
    assert game.can(after, move(yellow, "headdress-1", "b: 1w"))
    assert game.can(after, move(yellow, "headdress-1", "b: 1w", "crown", "B3"))


def test_gi_t6_an_abandoned_headdress() -> None:
    """Seats: Blue, Red, Yellow."""
    board = island("h-a a-b b-c c-d d-q", QUARRIES, {"A": ("d", 1, 1)})
    state = in_phase("transport", board=board, figures={"a": "1w", "b": "0w", "c": "2w"}, pieces=[headdress(1, "h")])
    way = "a: 1w, b: 0w, c: 2w"
    assert rule_against(state, move(0, "headdress-1", way)) == ("GI-4.11", "must_claim")
    assert rule_against(state, move(0, "headdress-1", f"{way}, d: 0w"))[0] == "GI-4.2"
    state = play(state, move(0, "headdress-1", way, "mark"))
    assert state.prestige == (0, 1, 1)
    assert rule_against(state, move(1, "headdress-1", "b: 0w", "mark")) == ("GI-4.10", "marked_by_another")


def test_gi_t7_scoring() -> None:
    """Seats: Blue, Red, Yellow."""
    board = island("q-a a-h", QUARRIES, {"A": ("a", 9, 5), "B": ("a", 8, 6), "C": ("a", 8, 6)})
    sites = {
        "A": Site(base=0, moai="moai-1"),
        "B": Site(base=1, moai="moai-2"),
        "C": Site(base=2, moai="moai-3", headdress="headdress-1"),
    }
    pieces = [moai(1, 3, ahu="A"), moai(2, 1, ahu="B"), moai(3, 2, ahu="C"), headdress(1, ahu="C")]
    state = in_phase("transport", board=board, sites=sites, pieces=pieces)
    assert [score.total for score in game.scores(state)] == [27, 8, 22]


# The sample round: Green, Red, Blue. Red reserves the ahu beside B; Blue builds beside C, Green beside A.
GREEN, RED, BLUE = range(3)
SAMPLE = island(
    "h-x1 x1-x2 x2-b x1-c s-c q-r1 r1-r2 r2-b q-p p-a q-v v-y",
    {**QUARRIES, "v": "village"},
    {"A": ("a", 4, 7), "B": ("b", 3, 8), "C": ("c", 5, 6)},
)


def ledger(state: State) -> tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]:
    """Workers of all, logs of Red, markers and half tablets of all."""
    return (
        tuple(stock.workers for stock in state.stocks),
        state.stocks[RED].logs,
        tuple(stock.markers for stock in state.stocks),
        state.tablets,
    )


def test_gi_t8_sample_round() -> None:
    stocks = {
        GREEN: {"workers": 3, "markers": 2},
        RED: {"workers": 3, "logs": 5, "markers": 3},
        BLUE: {"workers": 4, "markers": 3},
    }
    pieces = [moai(1, 1, "p", marker=GREEN), moai(2, 2, "s", marker=BLUE), headdress(1, "h")]
    state = in_phase("end", turn=None, board=SAMPLE, stocks=stocks, pieces=pieces, tablets=(2, 1, 1))
    state = replace(state, moais=(16, 11, 6), headdresses=13)

    state = play(state, roll(1, 2, 3))
    bids = (Hands(2, 1, 0, 0), Hands(2, 0, 0, 1), Hands(2, 1, 0, 0))
    state = play(state, *(Bid(seat, hands) for seat, hands in enumerate(bids)))
    state = play(state, Carve(GREEN, 1), Carve(RED, 3))
    assert state.phase == "place", "Blue cannot take the size 2, which goes back to the box"
    assert state.moais == (15, 11, 5)
    assert ledger(state) == ((2, 3, 3), 5, (0, 1, 1), (2, 1, 1))
    assert [stock.chief for stock in state.stocks] == [1, 0, 1]

    state = play(
        state, place(GREEN, "sorcerer", "v", "village"), place(RED, "worker", "r1", logs=2), place(BLUE, "chief", "x2")
    )
    assert ledger(state) == ((3, 2, 3), 3, (0, 1, 1), (2, 1, 1))
    state = play(
        state, place(GREEN, "chief", "v", "village"), place(RED, "worker", "r2", logs=2), place(BLUE, "worker", "x1")
    )
    assert ledger(state) == ((4, 1, 2), 1, (0, 1, 1), (0, 1, 1))
    state = play(
        state, place(GREEN, "worker", "a"), place(RED, "worker", "c"), place(BLUE, "sorcerer", "h", "headdress")
    )
    assert ledger(state) == ((3, 0, 2), 1, (0, 1, 1), (0, 1, 1))
    state = play(state, place(GREEN, "worker", "b"), place(RED, "sorcerer", "b", "reserve", 1, "B"), Rongo(BLUE))
    assert ledger(state) == ((2, 0, 2), 0, (0, 1, 0), (0, 1, 2))
    state = play(state, place(GREEN, "worker", "y"), Pass(RED), place(BLUE, "worker", "b"))
    assert ledger(state) == ((1, 0, 1), 0, (0, 1, 0), (0, 1, 2))
    state = play(state, place(GREEN, "worker", "y"), place(BLUE, "worker", "c"))
    assert ledger(state) == ((0, 0, 0), 0, (0, 1, 0), (0, 1, 2))
    assert (state.phase, state.turn) == ("transport", GREEN)

    state = play(state, move(GREEN, "moai-1", "a: 0w", "erect", "A"))
    assert state.stocks[GREEN].markers == 1
    state = play(state, move(RED, "headdress-1", "x1: 2w, x2: 2c, b: 2w", "mark"))
    assert state.prestige == (0, 0, 3)
    state = play(state, move(BLUE, "moai-2", "c: 1w 2w", "erect", "C"))
    assert state.prestige == (0, 1, 3)
    state = play(state, Mark(GREEN, "moai-3"))
    assert state.stocks[GREEN].markers == 0
    state = play(state, move(RED, "moai-4", "r1: 1w log log, r2: 1w log log, b: 0w 1s log", "erect", "B"))
    assert state.prestige == (1, 1, 3)
    assert state.sites[1] == Site(base=RED, moai="moai-4")
    state = play(state, move(BLUE, "headdress-2", "x1: 2w, c: 2w", "crown", "C"))
    state = play(state, Pass(GREEN), Move(RED, "headdress-1", (), (), "crown", "B"), Pass(BLUE), Pass(RED))
    assert state.phase == "end"
    assert game.dump(state)["pieces"]["moai-3"]["hex"] == "q"
    parts = [score.parts for score in game.scores(state)]
    assert (parts[BLUE]["moai"], parts[BLUE]["headdress"]) == (10, 6)
    assert (parts[RED]["moai"], parts[RED]["headdress"]) == (9, 8)
