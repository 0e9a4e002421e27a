"""A small island and states on it, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.game import TABLE, Effect, Illegal, Ruling
from companion.games.giants import game
from companion.games.giants.actions import LOG, Carrier, Hands, Move, Place, Roll
from companion.games.giants.state import Piece, Site, State

NOTHING = Hands(0, 0, 0, 0)


def island(links: str, kinds: Mapping[str, str], ahus: Mapping[str, tuple[str, int, int]]) -> dict[str, Any]:
    """A board as a record's option: links like "q-a a-b", kinds like "forest 4", ahus as (hex, moai, headdress)."""
    neighbours: dict[str, list[str]] = {}
    for pair in links.split():
        one, other = pair.split("-")
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    hexes: dict[str, Any] = {}
    for id_, near in neighbours.items():
        kind, _, logs = kinds.get(id_, "").partition(" ")
        hexes[id_] = {"neighbours": near, "kind": kind or None} | ({"logs": int(logs)} if logs else {})
    return {
        "hexes": hexes,
        "ahus": {id_: {"hex": hex_, "moai": m, "headdress": h} for id_, (hex_, m, h) in ahus.items()},
    }


# q is the Moai quarry, h the headdress quarry; from q to h leads a-b-c-d, and from a to c another way over e
ISLAND = island(
    "q-a a-b b-c c-d d-h a-e e-c q-v b-u c-f d-g x1-x2 x2-x3 x3-h",
    {
        "q": "moai_quarry",
        "h": "headdress_quarry",
        "v": "village",
        "u": "hut",
        "f": "forest 4",
        "g": "forest 3",
    },
    {"A": ("a", 2, 9), "B": ("b", 9, 5), "B2": ("b", 8, 6), "C": ("c", 5, 6), "D": ("d", 3, 8), "X": ("x1", 1, 1)},
)


def begun(players: int = 3, **options: Any) -> State:
    """The small island before the first roll."""
    return game.start(players, {"board": ISLAND, **options})


def in_phase(
    phase: str,
    players: int = 3,
    turn: int | None = 0,
    stocks: Mapping[int, Mapping[str, int]] | None = None,
    figures: Mapping[str, str] | None = None,
    pieces: Sequence[Piece] = (),
    sites: Mapping[str, Site] | None = None,
    board: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """A state of round 2 in which nobody bid anything, with what is told put on the island and behind the screens.

    Figures are spelt as in "0w 1s 2c log": seat and worker, sorcerer or chief.
    """
    state = game.start(players, {"board": dict(board or ISLAND), **(options or {})})
    groups: list[tuple[Carrier, ...]] = [()] * len(state.board.hexes)
    for hex_, group in (figures or {}).items():
        groups[state.board.hex_at[hex_]] = carriers(group)
    placed = list(state.sites)
    for ahu, site in (sites or {}).items():
        placed[state.board.ahu_at[ahu]] = site
    return replace(
        state,
        round=2,
        phase=phase,
        turn=turn,
        bids=((NOTHING if phase in ("carve", "place", "transport") else None),) * players,
        stocks=tuple(replace(s, **(stocks or {}).get(seat, {})) for seat, s in enumerate(state.stocks)),
        figures=tuple(groups),
        pieces=tuple(pieces),
        sites=tuple(placed),
        **fields,
    )


def carriers(text: str) -> tuple[Carrier, ...]:
    names = {"w": "worker", "s": "sorcerer", "c": "chief"}
    return tuple(LOG if word == "log" else (int(word[0]), names[word[1]]) for word in text.split())


def moai(number: int, size: int, hex_: str | None = None, **fields: Any) -> Piece:
    piece = Piece(f"moai-{number}", "moai", size, hex_, ahu=None, before=None, marker=None)
    return replace(piece, **fields)


def headdress(number: int, hex_: str | None = None, **fields: Any) -> Piece:
    piece = Piece(f"headdress-{number}", "headdress", None, hex_, ahu=None, before=None, marker=None)
    return replace(piece, **fields)


def move(by: int, piece: str, way: str, then: str | None = None, ahu: str | None = None) -> Move:
    """A movement spelt as "a: 0w log, b: 1c"."""
    steps = [step.split(":") for step in way.split(",")] if way else []
    path = tuple(hex_.strip() for hex_, _ in steps)
    return Move(by, piece, path, tuple(tuple(sorted(carriers(helpers))) for _, helpers in steps), then, ahu)


def place(by: int, figure: str, hex_: str, action: str | None = None, logs: int = 0, ahu: str | None = None) -> Place:
    return Place(by, figure, hex_, logs, action, ahu)


def roll(*dice: int) -> Roll:
    return Roll(TABLE, dice)


def play(state: State, *actions: Any) -> State:
    """The state after all these actions."""
    for action in actions:
        state, _ = game.apply(state, action)
    return state


def happened(state: State, *actions: Any) -> tuple[Effect, ...]:
    """What the last of these actions did."""
    return game.apply(play(state, *actions[:-1]), actions[-1])[1]


def refused(state: State, action: Any) -> Ruling:
    """The ruling that refuses the action; fails when it is allowed."""
    try:
        game.apply(state, action)
    except Illegal as error:
        return error.ruling
    raise AssertionError(f"{action} is allowed")


def rule_against(state: State, action: Any) -> tuple[str, str]:
    """The id of the rule that refuses the action, and the message."""
    ruling = refused(state, action)
    return ruling.rule, ruling.because.code


def codes(effects: Sequence[Effect]) -> list[str]:
    return [effect.note.code for effect in effects]


def told(effects: Sequence[Effect], code: str) -> list[dict[str, Any]]:
    """The facts of all effects with this message."""
    return [dict(effect.note.facts) for effect in effects if effect.note.code == code]
