"""The house island, and what a board of one's own must say."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from companion.games.game import Malformed
from companion.games.giants import game
from companion.games.giants.board import AXIAL, house_board, read_board
from tests.games.giants.tables import ISLAND

HOUSE = house_board()


def test_the_house_island_has_all_there_should_be() -> None:
    kinds = [hex_.kind for hex_ in HOUSE.hexes]
    assert len(HOUSE.hexes) == 39
    assert {kind: kinds.count(kind) for kind in kinds if kind} == {
        "forest": 7,
        "village": 1,
        "hut": 1,
        "moai_quarry": 1,
        "headdress_quarry": 1,
    }
    assert len(HOUSE.ahus) == 26, "room for the bases of five players, and one more"
    assert sum(hex_.logs for hex_ in HOUSE.hexes) == 27, "as many logs as there are"


def test_the_quarries_lie_at_opposite_ends() -> None:
    steps = {HOUSE.quarry["moai"]: 0}
    queue = list(steps)
    for here in queue:
        for there in HOUSE.links[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    assert len(steps) == len(HOUSE.hexes), "the island hangs together"
    assert steps[HOUSE.quarry["headdress"]] == max(steps.values()) == 8


def test_the_higher_the_moai_value_the_lower_that_of_the_headdress() -> None:
    pairs = sorted({(ahu.moai, ahu.headdress) for ahu in HOUSE.ahus})
    assert all(one[1] >= other[1] for one, other in pairwise(pairs))
    assert {(8, 6), (5, 6), (3, 8)} <= set(pairs)
    assert max(pairs)[0] == 9


def test_ahus_lie_along_the_coast() -> None:
    for ahu in HOUSE.ahus:
        assert len(HOUSE.links[HOUSE.hex_at[ahu.hex]]) < 6


def test_neighbours_follow_from_the_places() -> None:
    at = {hex_.id: hex_.at for hex_ in HOUSE.hexes}
    assert len(set(at.values())) == len(at)
    for hex_ in HOUSE.hexes:
        assert hex_.at is not None
        q, r = hex_.at
        near = {(q + dq, r + dr) for dq, dr in AXIAL}
        assert {at[other] for other in hex_.neighbours} == near & set(at.values())


def test_a_board_reads_as_it_is_written() -> None:
    for board in (HOUSE, game.start(3, {"board": ISLAND}).board):
        data = json.loads(json.dumps(board.data()))
        assert read_board(data, "board") == board
        assert game.start(3, {"board": data}) == game.start(3, {"board": data})
    assert game.start(3, {"board": HOUSE.data()}) == game.start(3, {})


def test_what_is_not_said_is_not_there() -> None:
    data = {
        "hexes": {
            "q": {"neighbours": ["h"], "kind": "moai_quarry"},
            "h": {"neighbours": ["q", "p"], "kind": "headdress_quarry", "logs": 0},
            "p": {"neighbours": ["h"]},
        },
        "ahus": {"A": {"hex": "p", "moai": 1, "headdress": 0}},
    }
    plain = read_board(data, "board").hexes[2]
    assert (plain.kind, plain.logs, plain.at) == (None, 0, None)


def _set(*path: Any) -> Callable[[Any], None]:
    """Puts the last of these where the others lead to."""

    def change(data: Any) -> None:
        *way, key, value = path
        for step in way:
            data = data[step]
        data[key] = value

    return change


def _drop(*path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_set("hexes", "a", "neighbours", ["q", "b"]), "hexes.e.neighbours names 'a', but 'a' does not name 'e'"),
        (_set("hexes", "v", "neighbours", ["q", "z"]), "hexes.v.neighbours names 'z', which is no hex"),
        (_set("hexes", "v", "neighbours", ["q", "q"]), "hexes.v.neighbours names a hex twice"),
        (_set("hexes", "v", "neighbours", ["q", "v"]), "hexes.v.neighbours names the hex itself"),
        (_set("hexes", "v", "neighbours", "q"), "hexes.v.neighbours must be a list"),
        (_set("hexes", "v", "neighbours", [3]), r"hexes.v.neighbours\[0\] must be the name of a hex"),
        (_set("hexes", "v", "kind", "lake"), "hexes.v.kind must be one of: village, hut, forest"),
        (_set("hexes", "v", "kind", "moai_quarry"), "exactly one moai_quarry, not q, v"),
        (_set("hexes", "h", "kind", None), "exactly one headdress_quarry, not none"),
        (_drop("hexes", "f", "logs"), "hexes.f.logs must be a whole number"),
        (_set("hexes", "f", "logs", 0), "hexes.f.logs must be from 1"),
        (_set("hexes", "v", "logs", 2), "hexes.v.logs: only a forest has logs"),
        (_set("hexes", "v", "at", [1]), "hexes.v.at must have 2 entries"),
        (_set("hexes", "v", "colour", "green"), "hexes.v has unknown keys: colour"),
        (_drop("hexes", "v", "neighbours"), "hexes.v lacks 'neighbours'"),
        (_set("ahus", "A", "hex", "z"), "ahus.A.hex names 'z', which is no hex"),
        (_set("ahus", "A", "hex", 1), "ahus.A.hex must be the name of a hex"),
        (_set("ahus", "A", "moai", -1), "ahus.A.moai must be from 0"),
        (_drop("ahus", "A", "headdress"), "ahus.A lacks 'headdress'"),
        (_set("ahus", {}), "ahus must be an object with at least one entry"),
        (_set("hexes", []), "hexes must be an object"),
        (_set("hexes", "", {"neighbours": []}), "a name must have 1 to 40"),
        (_set("more", 1), "unknown keys: more"),
    ],
)
def test_a_wrong_board_is_refused_by_the_entry(change: Callable[[Any], None], says: str) -> None:
    data = copy.deepcopy(ISLAND)
    change(data)
    with pytest.raises(Malformed, match=says):
        game.start(3, {"board": data})


@pytest.mark.parametrize("options", [{"fast": 1}, {"immediate_scoring": None}, {"board": None}, {"house": True}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        game.start(3, options)
