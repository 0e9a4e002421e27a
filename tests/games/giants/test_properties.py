"""What holds for every game of Giants, tried on many."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import islice, permutations, product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.giants import game
from companion.games.giants.actions import LOG, Carrier, Helpers, Mark, Move
from companion.games.giants.board import house_board
from companion.games.giants.box import box
from companion.games.giants.carrying import cheapest_ways, points_for
from companion.games.giants.choices import moves_to
from companion.games.giants.state import Piece, State
from tests.games.giants.tables import in_phase, moai, move
from tests.games.playing import play

OPTIONS = [{}, {"fast": True, "immediate_scoring": True}]


def counted(state: State) -> Counter[str]:
    """Everything there is, wherever it is now; what left the game is not counted."""
    all_: Counter[str] = Counter()
    for seat, stock in enumerate(state.stocks):
        workers, markers = state.container[seat]
        bid = state.bids[seat]
        on_board = [figure for group in state.figures for owner, figure in group if owner == seat]
        for figure in ("worker", "sorcerer", "chief"):
            all_[f"{figure} {seat}"] = stock.figures(figure) + on_board.count(figure)
            all_[f"{figure} {seat}"] += bid.figures()[figure] if bid else 0
        all_[f"worker {seat}"] += workers
        all_[f"marker {seat}"] = stock.markers + markers + state.spent[seat] + (bid.markers if bid else 0)
        all_[f"marker {seat}"] += sum(piece.marker == seat for piece in state.pieces)
        all_[f"base {seat}"] = stock.bases + sum(seat in (site.base, site.reserved) for site in state.sites)
    for size in (1, 2, 3):
        all_[f"moai {size}"] = state.moais[size - 1] + state.quarry.count(size)
        all_[f"moai {size}"] += sum(piece.size == size for piece in state.pieces)
    all_["headdress"] = state.headdresses + sum(piece.kind == "headdress" for piece in state.pieces)
    all_["half tablet"] = state.half_tablets + sum(state.tablets)
    return all_


def logs(state: State) -> int:
    on_board = sum(group.count(LOG) for group in state.figures)
    return state.logs + on_board + sum(stock.logs for stock in state.stocks)


def check_places(state: State) -> None:
    """Every piece is in one place, and ahus and pieces agree."""
    for piece in state.pieces:
        assert [piece.hex, piece.ahu, piece.before].count(None) == 2
        assert piece.marker is None or piece.hex is not None
    standing = {name for site in state.sites for name in (site.moai, site.headdress) if name}
    assert standing == {piece.id for piece in state.pieces if piece.ahu is not None}
    for ahu, site in zip(state.board.ahus, state.sites, strict=True):
        assert (site.base is None) == (site.moai is None)
        assert site.reserved is None or site.base is None
        assert site.headdress is None or site.moai is not None
        for name in (site.moai, site.headdress):
            piece = state.piece(name) if name else None
            assert piece is None or piece.ahu == ahu.id


def counts(state: State) -> list[int]:
    """All numbers of a state that no rule lets fall below zero."""
    behind = [n for stock in state.stocks for n in stock.data().values()]
    return [*behind, *state.moais, state.headdresses, state.logs, state.half_tablets, *state.tablets, *state.spent]


def _something(state: State, rng: random.Random, dealer: Any) -> Any:
    """What somebody may do now, out of turn, too: peeking, and at a round's end marking and unmarking."""
    if not rng.randrange(3 if state.phase == "end" else 20):
        seat = rng.randrange(state.players)
        done = [action for action in islice(game.legal(state, seat), 50) if action.do in ("peek", "mark", "unmark")]
        if done:
            return rng.choice(done)
    by = rng.choice(game.to_act(state))
    return dealer.act(state) if isinstance(by, str) else game.sample(state, by, rng)


@settings(max_examples=8, deadline=None)
@given(players=st.integers(3, 5), seed=st.integers(0, 10**6), options=st.sampled_from(OPTIONS))
def test_nothing_gets_lost_and_nothing_is_in_two_places(players: int, seed: int, options: dict[str, Any]) -> None:
    rng = random.Random(seed)
    state, dealer = game.start(players, options), game.dealer(rng)
    all_, felled, prestige = counted(state), logs(state), sum(state.prestige)
    there_is = box()
    assert all_["worker 0"] == there_is.workers
    assert all_["marker 0"] == there_is.markers
    for _ in range(600):
        if game.over(state):
            break
        state, _ = game.apply(state, _something(state, rng, dealer))
        assert counted(state) == all_
        assert logs(state) <= felled
        assert sum(state.prestige) >= prestige
        assert min(counts(state)) >= 0
        assert all(stock.sorcerer <= 1 and stock.chief <= 1 for stock in state.stocks)
        check_places(state)
        felled, prestige = logs(state), sum(state.prestige)


@settings(max_examples=8, deadline=None)
@given(players=st.integers(3, 5), seed=st.integers(0, 10**6))
def test_what_is_drawn_at_random_is_legal_and_listed(players: int, seed: int) -> None:
    """`sample`, `verify` and the list of legal actions agree, and listing repeats nothing."""
    rng = random.Random(seed)
    state, dealer = game.start(players, {}), game.dealer(rng)
    for _ in range(250):
        actors = game.to_act(state)
        if not actors:
            break
        by = rng.choice(actors)
        if isinstance(by, str):
            action = dealer.act(state)
        else:
            action = game.sample(state, by, rng)
            assert game.can(state, action)
            listed = list(islice(game.legal(state, by), 800))
            assert len(set(listed)) == len(listed)
            assert all(game.can(state, other) for other in rng.sample(listed, min(5, len(listed))))
            assert action in listed or len(listed) == 800
        state, _ = game.apply(state, action)


FIGURE = st.sampled_from(["0w", "0w", "0s", "0c", "1w", "1w", "2c", "log", "log", ""])
GROUP = st.lists(FIGURE, max_size=3).map(lambda words: " ".join(sorted(word for word in words if word)))
NEAR = "abcdeq"


def every_move(state: State, piece: Piece, target: str) -> set[Move]:
    """All movements to a hex, by trying all paths over a few hexes and all subsets of those who stand there."""
    found = set()
    names = [name for name in NEAR if name != target]
    ends: list[tuple[str | None, str | None]] = [(None, None), ("mark", None)]
    ends += [("erect", ahu.id) for ahu in state.board.ahus if ahu.hex == target]
    for length in range(len(names) + 1):
        for middle in permutations(names, length):
            path = (*middle, target)
            for helpers in _every_choice(state, path):
                for then, ahu in ends:
                    action = Move(0, piece.id, path, helpers, then, ahu)
                    if game.can(state, action):
                        found.add(action)
    return found


def _every_choice(state: State, path: tuple[str, ...]) -> list[tuple[Helpers, ...]]:
    choices: list[tuple[Helpers, ...]] = [()]
    here = None
    for name in path:
        at = state.board.hex_at[name]
        if here is not None and at not in state.board.links[here]:
            return []
        here = at
        group = state.figures[at]
        subsets = {_chosen(group, mask) for mask in range(1, 1 << len(group))}
        choices = [(*before, subset) for before in choices for subset in subsets]
    return choices


def _chosen(group: tuple[Carrier, ...], mask: int) -> Helpers:
    return tuple(sorted(carrier for i, carrier in enumerate(group) if mask >> i & 1))


@pytest.mark.thorough
@settings(max_examples=12, deadline=None)
@given(
    figures=st.fixed_dictionaries(dict.fromkeys(NEAR, GROUP)),
    size=st.integers(1, 3),
    owner=st.sampled_from([None, 0]),
    markers=st.integers(0, 1),
    target=st.sampled_from("abce"),
)
@example(dict.fromkeys(NEAR, "0w 1w log"), 2, None, 1, "c")
@example(dict.fromkeys(NEAR, "0w 1s 2c"), 1, 0, 0, "e")
@example(dict.fromkeys(NEAR, "0c 1w 1w log"), 3, 0, 1, "b")
def test_moves_to_a_place_are_all_there_are(
    figures: dict[str, str], size: int, owner: int | None, markers: int, target: str
) -> None:
    """Exact for a given piece and target: against trying everything."""
    piece = replace(moai(1, size, "q"), keeper=owner)
    state = in_phase("transport", figures=figures, pieces=[piece], stocks={0: {"markers": markers}})
    listed = list(moves_to(state, 0, piece, target))
    assert len(set(listed)) == len(listed)
    assert set(listed) == every_move(state, piece, target)
    legal = list(game.legal(state, 0))
    assert len(set(legal)) == len(legal)
    assert {action for action in legal if isinstance(action, Move) and action.path[-1:] == (target,)} == set(listed)


@settings(max_examples=60, deadline=None)
@given(figures=st.fixed_dictionaries(dict.fromkeys(NEAR, GROUP)), size=st.integers(1, 3))
def test_the_cheapest_ways_give_others_least(figures: dict[str, str], size: int) -> None:
    """And there is one to every place that can be reached at all."""
    piece = moai(1, size, before=0)
    state = in_phase("transport", figures=figures, pieces=[piece])
    given_: dict[str, int] = {}
    for action in game.legal(state, 0):
        if isinstance(action, Move) and action.path:
            points = sum(sum(points_for(helpers, 0, size).values()) for helpers in action.helpers)
            given_[action.path[-1]] = min(points, given_.get(action.path[-1], 99))
    ways = cheapest_ways(state.board, state.figures, 0, state.board.hex_at["q"], size)
    found = {
        state.board.hexes[path[-1]].id: sum(sum(points_for(h, 0, size).values()) for h in helpers)
        for path, helpers in ways
    }
    assert found == given_


@pytest.mark.parametrize("players", [3, 4, 5])
def test_listing_a_crowded_island_stays_lazy(players: int) -> None:
    """With everybody everywhere nobody could list all ways; the first ones come at once, the useful ones first."""
    everybody = " ".join(f"{seat}w" for seat in range(players)) + " 0c log"
    figures = {hex_.id: everybody for hex_ in house_board().hexes}
    board = house_board().data()
    state = in_phase("transport", players, board=board, figures=figures, pieces=[moai(1, 2, before=0)])
    first = list(islice(game.legal(state, 0), 500))
    assert len(set(first)) == 500
    reached = {action.path[-1] for action in first if isinstance(action, Move) and action.path}
    assert reached == {hex_.id for hex_ in house_board().hexes if hex_.kind != "moai_quarry"}
    erected = {action.ahu for action in first if isinstance(action, Move) and action.then == "erect"}
    assert erected == {ahu.id for ahu in house_board().ahus}
    assert any(isinstance(action, Mark) for action in first)
    assert game.can(state, move(0, "moai-1", "b1: 1w 2w, a1: 0c", "erect", "B"))


def test_a_way_out_of_the_crowd_is_found_at_once() -> None:
    """An abandoned piece that ends its turn on one hex only: no path is followed that cannot lead there."""
    crowd = {hex_.id: "1w 1w 2w" for hex_ in house_board().hexes} | {"b1": "0w"}
    fields = {"board": house_board().data(), "figures": crowd, "stocks": {0: {"markers": 0}}}
    state = in_phase("transport", pieces=[moai(1, 1, "c1")], **fields)
    found = list(islice(game.legal(state, 0), 300))
    assert len(found) == 300
    assert {action.ahu for action in found if isinstance(action, Move)} == {"A"}
    alone = in_phase("transport", pieces=[moai(1, 1, "a1")], **{**fields, "figures": crowd | {"a2": "", "b2": ""}})
    assert len([a for a in game.legal(alone, 0) if isinstance(a, Move)]) == 1


@pytest.mark.thorough
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(3, 5))
def test_scores_are_what_lies_on_the_ahus(seed: int, players: int) -> None:
    """Counted a second time from the dump alone."""
    end = play(game, players, seed, {}).end
    dumped, board = game.dump(end), end.board.data()
    totals = [p + h // 2 * 3 for p, h in zip(dumped["prestige"], dumped["half_tablets"], strict=True)]
    for name, site in dumped["ahus"].items():
        if site["moai"]:
            values = board["ahus"][name]
            totals[site["base"]] += values["moai"] * dumped["pieces"][site["moai"]]["size"]
            totals[site["base"]] += values["headdress"] if site["headdress"] else 0
    assert [score.total for score in game.scores(end)] == totals
    bases = [sum(site["base"] == seat for site in dumped["ahus"].values()) for seat in range(players)]
    assert max(bases) == end.bases


def _entered(state: State, begun: Move) -> set[Move]:
    """Every movement that can be entered from here by tapping hexes, choosing who carries, and how it ends."""
    known = game.ways(state, begun)
    found = set()
    for helpers in product(*known["sets"]):
        args = {**begun.arguments(), "by": begun.by, "do": "move", "helpers": list(helpers)}
        for then, ahu in known["ends"]:
            found.add(game.read(state, {**args, "then": then, **({"ahu": ahu} if ahu else {})}))
    for hex_ in known["next"]:
        found |= _entered(state, replace(begun, path=(*begun.path, hex_), helpers=(*begun.helpers, ())))
    return found


@settings(max_examples=20, deadline=None)
@given(figures=st.fixed_dictionaries(dict.fromkeys(NEAR, GROUP)), size=st.integers(1, 3), keeper=st.integers(0, 1))
@example(dict.fromkeys(NEAR, "0w 1w log"), 2, 0)
@example(dict.fromkeys(NEAR, "0c 1w"), 1, 0)
def test_hex_by_hex_every_movement_can_be_entered(figures: dict[str, str], size: int, keeper: int) -> None:
    """And no other; of what another seat keeps nothing is told, nor out of the transport."""
    piece = replace(moai(1, size, "q"), keeper=keeper)
    state = in_phase("transport", figures=figures, pieces=[piece])
    begun = Move(0, piece.id, (), ())
    if keeper:
        assert game.ways(state, begun) == {}
        return
    moves = {action for action in game.legal(state, 0) if isinstance(action, Move)}
    assert _entered(state, begun) == moves
    assert game.ways(replace(state, phase="place"), begun) == {}
    reach = game.ways(state, begun)["reach"]
    assert all(path[-1] == hex_ for hex_, path in reach.items())
    assert set(reach) == {action.path[-1] for action in moves if action.path}
