"""What is allowed in Maori and why not: one decision for rulings, actions and lists of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.games.game import TABLE, Note, Ruling
from companion.games.maori.actions import LayDisplay, MaoriAction, Nothing, PlaceStored, Refill, Remove, Sail, Take
from companion.games.maori.state import LAY, NONE, OVER, REFILL, SAIL, TAKE, State, actor, boats, line, reach

#: MA-2.0 once the ship has moved, exactly one of five things is done.
DUE: Final[Mapping[str, tuple[str, ...]]] = {
    LAY: (LayDisplay.do,),
    SAIL: (Sail.do,),
    TAKE: (Take.do, PlaceStored.do, Remove.do, Nothing.do),
    REFILL: (Refill.do,),
    OVER: (),
}


def _yes(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(True, rule, Note(code, facts))


def _no(rule: str, code: str, **facts: object) -> Ruling:
    return Ruling(False, rule, Note(code, facts))


_LAWFUL: Final[Mapping[str, Ruling]] = {
    LayDisplay.do: _yes("MA-S1", "may_lay_display"),
    PlaceStored.do: _yes("MA-2c", "may_place_stored"),
    Remove.do: _yes("MA-2d", "may_remove"),
    Nothing.do: _yes("MA-2e", "may_do_nothing"),
    Refill.do: _yes("MA-3", "may_refill"),
}


def steps_cost(state: State, seat: int, steps: int) -> int:
    """Shells that this many steps cost: none as far as boats are seen, one for each step more (MA-1.1, MA-1.2).

    MA-A12 without a boat and without a shell, one step is free: it is a must.
    """
    extra = max(0, steps - boats(state, seat))
    return 0 if steps == 1 and not state.shells[seat] else extra


def verify(state: State, action: MaoriAction) -> Ruling:
    """Whether the action is allowed now, and the rule that says so."""
    return refusal(state, action) or _lawful(state, action)


def refusal(state: State, action: MaoriAction) -> Ruling | None:
    """Why the action is not allowed now; None if it is."""
    if action.do not in DUE[state.step] or action.by != actor(state):
        who = actor(state)
        if who is None:
            return _no("MA-E1", "game_is_over")
        return _no("MA-0", "not_due", due_seat=who, due=state.step)
    check = _CHECKS.get(action.do)
    return None if check is None else check(state, action)


def _lawful(state: State, action: MaoriAction) -> Ruling:
    """The ruling on an allowed action."""
    if isinstance(action, Sail):
        facts = _sailing(state, action)
        return _yes("MA-1.2" if facts["price"] else "MA-1.1", "may_sail", **facts)
    if isinstance(action, Take):
        rule = "MA-2b" if action.to is None else "MA-2a"
        return _yes(rule, "may_take", seat=action.by, count=action.skip, shells=state.shells[_seat(action)])
    return _LAWFUL[action.do]


def _sailing(state: State, action: Sail) -> dict[str, Any]:
    seat = _seat(action)
    price = steps_cost(state, seat, action.steps)
    facts = {"count": action.steps, "boats": boats(state, seat), "price": price, "shells": state.shells[seat]}
    return {"seat": seat, **facts}


def _check_sail(state: State, action: Sail) -> Ruling | None:
    """MA-1.1 one step at least. MA-A9 shells pay for steps made, and for nothing else."""
    if action.steps < 1:
        return _no("MA-1.1", "no_step", seat=action.by)
    seat = _seat(action)
    if steps_cost(state, seat, action.steps) > state.shells[seat]:
        return _no("MA-1.2", "too_far", **_sailing(state, action))
    return None


def refuse_skip(state: State, seat: int, skip: int) -> Ruling | None:
    """Why not the tile behind `skip` others: there is none, a volcano is before it (MA-2v), or it is too dear."""
    free = reach(state)
    if skip >= len(free):
        if len(free) < len(line(state)):
            return _no("MA-2v", "volcano", count=len(free))
        return _no("MA-2a", "no_tile_there", count=len(free))
    if skip > state.shells[seat]:
        return _no("MA-2a", "skip_too_dear", seat=seat, count=skip, shells=state.shells[seat])
    return None


def refuse_store(state: State, seat: int) -> Ruling | None:
    """MA-2b: the store holds one tile."""
    return None if state.stores[seat] == NONE else _no("MA-2b", "store_full", seat=seat)


def refuse_field(state: State, seat: int, field: tuple[int, int]) -> Ruling | None:
    """MA-2a1: only where water and nothing else is to be seen; MA-A7: a water tile fills its field like any other.

    MA-2a4, MA-A8: what lies beside it does not matter.
    """
    if state.boards[seat][cell_of(state, field)] == NONE:
        return None
    return _no("MA-2a1", "field_not_free", seat=seat, **counted(field))


def _check_take(state: State, action: Take) -> Ruling | None:
    seat = _seat(action)
    where = refuse_store(state, seat) if action.to is None else refuse_field(state, seat, action.to)
    return refuse_skip(state, seat, action.skip) or where


def _check_place(state: State, action: PlaceStored) -> Ruling | None:
    seat = _seat(action)
    if state.stores[seat] == NONE:
        return _no("MA-2c", "store_empty", seat=seat)
    return refuse_field(state, seat, action.field)


def refuse_remove(state: State, seat: int, field: tuple[int, int]) -> Ruling | None:
    """MA-2d: any tile of the own board, but no printed field."""
    if state.boards[seat][cell_of(state, field)] >= 0:
        return None
    return _no("MA-2d", "no_tile_on_field", seat=seat, **counted(field))


def _check_remove(state: State, action: Remove) -> Ruling | None:
    return refuse_remove(state, _seat(action), action.field)


def _check_refill(state: State, action: Refill) -> Ruling | None:
    """MA-3: from the pile, as long as it lasts."""
    if action.tile is None and state.pile:
        return _no("MA-3", "pile_not_empty", count=state.pile)
    if action.tile is not None and not state.pile:
        return _no("MA-3", "pile_empty")
    return None


def counted(field: tuple[int, int]) -> dict[str, int]:
    """A field [row, column] as people count, from 1: facts of a note."""
    return {"field_row": field[0] + 1, "field_column": field[1] + 1}


def cell_of(state: State, field: tuple[int, int]) -> int:
    """The cell of a field [row, column]."""
    return field[0] * state.setup.columns + field[1]


def _seat(action: MaoriAction) -> int:
    assert action.by != TABLE
    return action.by


#: What more than its turn a deed needs; laying the display and doing nothing need no more.
_CHECKS: Final[Mapping[str, Callable[[State, Any], Ruling | None]]] = {
    Sail.do: _check_sail,
    Take.do: _check_take,
    PlaceStored.do: _check_place,
    Remove.do: _check_remove,
    Refill.do: _check_refill,
}
