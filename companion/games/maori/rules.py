"""Maori's rules: what an action does, and which actions there are. Sources are rule ids (MA-…)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from companion.games.game import TABLE, Actor, Effect
from companion.games.maori.actions import (
    POSITIONS,
    SIZE,
    LayDisplay,
    MaoriAction,
    Nothing,
    PlaceStored,
    Refill,
    Remove,
    Sail,
    Take,
)
from companion.games.maori.islands import count, is_full, ranking, scores
from companion.games.maori.state import (
    NONE,
    OVER,
    REFILL,
    SAIL,
    TAKE,
    State,
    actor,
    boats,
    reach,
    takeable,
    told,
)
from companion.games.maori.verdict import cell_of, counted, steps_cost

Effects = list[Effect]


def _set(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


def act(state: State, action: MaoriAction) -> tuple[State, tuple[Effect, ...]]:
    """The state after a lawful action, and what happened."""
    effects: Effects = []
    match action:
        case Sail():
            state = _sail(state, action, effects)
        case Take():
            state = _take(state, action, effects)
        case Refill():
            state = _refill(state, action, effects)
        case PlaceStored():
            state = _place_stored(state, action, effects)
        case Remove():
            state = _remove(state, action, effects)
        case Nothing():
            effects.append(told("MA-2e", "did_nothing", seat=state.seat))
            state = _next_turn(state, effects)
        case LayDisplay():
            state = _lay(state, action, effects)
    return state, tuple(effects)


def _lay(state: State, action: LayDisplay, effects: Effects) -> State:
    """MA-S1: the seat left of whoever placed the ship begins; that is seat 0."""
    display = tuple(state.setup.numbers[name] for name in action.tiles)
    state = replace(state, step=SAIL, display=display, ship=action.ship, pile=max(0, state.pile - len(display)))
    effects.append(told("MA-S1", "display_laid", seat=state.seat, count=state.pile))
    return _drawn(state, display, effects)


def _drawn(state: State, tiles: Sequence[int], effects: Effects) -> State:
    """What the pile must still hold.

    A tile seen before stands for an equal one (to tell those apart is nobody's business); where there is none, that
    is told and not forbidden, since copies differ (MA-S2).
    """
    unseen = set(state.unseen)
    known = state.setup.tiles
    for tile in tiles:
        equal = tile if tile in unseen else next((other for other in unseen if known[other] == known[tile]), NONE)
        if equal == NONE:
            effects.append(told("MA-S2", "seen_before", tile=state.setup.told(tile)))
        unseen.discard(equal)
    return replace(state, unseen=frozenset(unseen))


# 1) The ship


def _sail(state: State, action: Sail, effects: Effects) -> State:
    """MA-1.1: clockwise, and round a corner is a step like any other. MA-1.2: shells paid go to the supply."""
    assert state.ship is not None
    seat, paid = state.seat, steps_cost(state, state.seat, action.steps)
    effects.append(told("MA-1.1", "sailed", seat=seat, count=action.steps))
    if paid:
        effects.append(told("MA-1.2", "paid_steps", seat=seat, shells=paid))
    return replace(
        state,
        step=TAKE,
        ship=(state.ship + action.steps) % POSITIONS,
        shells=_set(state.shells, seat, state.shells[seat] - paid),
        supply=state.supply + paid,
    )


# 2) One of five


def _take(state: State, action: Take, effects: Effects) -> State:
    """MA-2a, MA-2b: the tile leaves the display, a shell for each one passed over goes to the supply."""
    seat, gap = state.seat, reach(state)[action.skip]
    tile, paid = state.display[gap], action.skip
    if paid:
        effects.append(told("MA-2a", "paid_skip", seat=seat, shells=paid))
    shells = _set(state.shells, seat, state.shells[seat] - paid) if paid else state.shells
    stores = state.stores
    if action.to is None:
        effects.append(told("MA-2b", "stored", seat=seat, tile=state.setup.told(tile)))
        stores = _set(stores, seat, tile)
    state = replace(
        state,
        step=REFILL,
        display=_set(state.display, gap, NONE),
        gap=gap,
        shells=shells,
        supply=state.supply + paid,
        stores=stores,
    )
    return state if action.to is None else _place(state, tile, action.to, "MA-2a", effects)


def _place_stored(state: State, action: PlaceStored, effects: Effects) -> State:
    tile = state.stores[state.seat]
    state = replace(state, stores=_set(state.stores, state.seat, NONE))
    return _next_turn(_place(state, tile, action.field, "MA-2c", effects), effects)


def _place(state: State, tile: int, field: tuple[int, int], rule: str, effects: Effects) -> State:
    """A tile goes on the board as it is (MA-2a2, MA-A6: not turned), wherever it is free (MA-2a4).

    MA-2a3, MA-A2: it brings the shells it shows when it is laid on the board, as many as are left.
    """
    seat, setup = state.seat, state.setup
    effects.append(told(rule, "placed", seat=seat, tile=setup.told(tile), **counted(field)))
    shown = setup.tiles[tile].shells
    gained = min(shown, state.supply)
    if shown:
        effects.append(told("MA-2a3", "gained_shells", seat=seat, shells=gained))
    board = _set(state.boards[seat], cell_of(state, field), tile)
    return replace(
        state,
        boards=(*state.boards[:seat], board, *state.boards[seat + 1 :]),
        shells=_set(state.shells, seat, state.shells[seat] + gained) if gained else state.shells,
        supply=state.supply - gained,
        turns_left=_turns_left(state, board, effects),
    )


def _turns_left(state: State, board: tuple[int, ...], effects: Effects) -> int | None:
    """MA-E1: when the first board is full, all others have one more turn. (This turn counts down too.)"""
    if state.turns_left is not None or not is_full(board):
        return state.turns_left
    effects.append(told("MA-E1", "board_full", seat=state.seat))
    return state.players


def _remove(state: State, action: Remove, effects: Effects) -> State:
    """MA-2d: the tile leaves the game; its shells, if it brought any, stay."""
    seat, cell = state.seat, cell_of(state, action.field)
    board = state.boards[seat]
    facts = {
        "tile": state.setup.told(board[cell]),
        "field_row": action.field[0] + 1,
        "field_column": action.field[1] + 1,
    }
    effects.append(told("MA-2d", "removed", seat=seat, **facts))
    board = _set(board, cell, NONE)
    return _next_turn(replace(state, boards=(*state.boards[:seat], board, *state.boards[seat + 1 :])), effects)


# 3) The display, and the end


def _refill(state: State, action: Refill, effects: Effects) -> State:
    """MA-3: the gap is filled where it is, or stays."""
    if action.tile is None:
        effects.append(told("MA-3", "gap_stays"))
    else:
        tile = state.setup.numbers[action.tile]
        effects.append(told("MA-3", "refilled", tile=state.setup.told(tile), count=state.pile - 1))
        state = replace(state, display=_set(state.display, state.gap, tile), pile=state.pile - 1)
        state = _drawn(state, (tile,), effects)
    return _next_turn(state, effects)


def _next_turn(state: State, effects: Effects) -> State:
    """The next seat clockwise, or the end.

    MA-E1 the game ends when the others have had their last turn; MA-A11 or when no board is full and no tile is left
    but volcanoes, which nobody can take.
    """
    turns = None if state.turns_left is None else state.turns_left - 1
    if turns == 0:
        effects.append(told("MA-E1", "last_turn_over"))
        return _end(replace(state, turns_left=turns), effects)
    if turns is None and not state.pile and not takeable(state):
        effects.append(told("MA-A11", "no_tile_left"))
        return _end(state, effects)
    return replace(state, step=SAIL, seat=(state.seat + 1) % state.players, turns_left=turns)


def _end(state: State, effects: Effects) -> State:
    for seat, board in enumerate(state.boards):
        taken_off = count(state.setup, board).removed
        if taken_off:
            effects.append(told("MA-W0", "unfinished", seat=seat, count=taken_off))
    winners = ranking(state)[0]
    points = max(score.total for score in scores(state))
    effects.append(told("MA-W6", "shared_victory" if len(winners) > 1 else "victory", seats=winners, points=points))
    return replace(state, step=OVER)


# What there is to choose from


def legal(state: State, by: Actor) -> tuple[MaoriAction, ...]:
    """Every action this seat may do now; for the table none, since any tile may be laid."""
    if by == TABLE or by != actor(state):
        return ()
    if state.step == SAIL:
        return _sails(by, max(1, boats(state, by) + state.shells[by]))
    return tuple(_options(state, by))


def _options(state: State, seat: int) -> list[MaoriAction]:
    """The five things that may be done once the ship has moved."""
    deeds = _deeds(seat, state.setup.rows, state.setup.columns)
    board, stored = state.boards[seat], state.stores[seat] != NONE
    free = [cell for cell, tile in enumerate(board) if tile == NONE]
    found: list[MaoriAction] = [deeds.nothing]
    for skip in range(min(len(reach(state)), state.shells[seat] + 1)):
        on_field = deeds.take[skip]
        found += [on_field[cell] for cell in free]
        if not stored:
            found.append(deeds.store[skip])
    if stored:
        found += [deeds.place[cell] for cell in free]
    found += [deeds.remove[cell] for cell, tile in enumerate(board) if tile >= 0]
    return found


@dataclass(frozen=True, slots=True)
class _Deeds:
    """A seat's possible actions, made once for all games: by tiles passed over, and by cell."""

    nothing: Nothing
    take: tuple[tuple[Take, ...], ...]
    store: tuple[Take, ...]
    place: tuple[PlaceStored, ...]
    remove: tuple[Remove, ...]


@cache
def _deeds(seat: int, rows: int, columns: int) -> _Deeds:
    fields = [(row, column) for row in range(rows) for column in range(columns)]
    return _Deeds(
        Nothing(seat),
        tuple(tuple(Take(seat, skip, field) for field in fields) for skip in range(SIZE)),
        tuple(Take(seat, skip, None) for skip in range(SIZE)),
        tuple(PlaceStored(seat, field) for field in fields),
        tuple(Remove(seat, field) for field in fields),
    )


@lru_cache(maxsize=1024)
def _sails(seat: int, far: int) -> tuple[Sail, ...]:
    return tuple(Sail(seat, steps) for steps in range(1, far + 1))
