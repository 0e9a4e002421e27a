"""How a game of Fiji lies on a table: four rows of cards, a row of goals, the supply, bids before the screens.

Cards are read by the order in which they lie, along their own upright: it does not matter from which side of the
table they are read, nor where exactly they lie. Beads are counted by zone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import Any, Final

from companion.games.fiji.actions import Bid, FijiAction, LayConditions, LayGoals, RotateGoal, SwapGoals
from companion.games.fiji.cards import COLOURS, Goal, Row, read_condition, read_effect
from companion.games.fiji.state import State
from companion.games.game import TABLE, Action, Malformed, Note
from companion.games.tabletop import (
    BeadPlacing,
    Difference,
    Laid,
    Meaning,
    Option,
    Placing,
    Reading,
    Seen,
    SeenBead,
    SeenCard,
    Tabletop,
    Zone,
)

ROWS: Final = 4
GOALS: Final = 4
MOST_OPTIONS: Final = 6
ROW_X: Final = (112.0, 208.0)  #: centres of a condition and of the effect beside it
ROW_Y: Final = (150.0, 214.0, 278.0, 342.0)
GOAL_X: Final = (372.0, 438.0, 504.0, 570.0)
GOAL_Y: Final = 200.0
SUPPLY: Final = Zone("supply", 330, 275, 300, 145)
BIDS: Final = (
    Zone("seat1.bid", 60, 440, 240, 70),
    Zone("seat2.bid", 320, 440, 240, 70),
    Zone("seat3.bid", 580, 440, 240, 70),
    Zone("seat4.bid", 460, 25, 360, 70),
    Zone("seat5.bid", 60, 25, 360, 70),
)
AREA: Final = Zone("area", -35, -35, 970, 630)  #: the screens stand outside it
SIGNS: Final = {"green": "triangle", "red": "diamond", "yellow": "square", "blue": "circle"}
BEAD_STEP: Final = 22.0  #: between the beads of a heap that a person has laid out, mm


@dataclass(frozen=True, slots=True)
class FijiTable(Tabletop[State]):
    """Fiji's `Tabletop`."""

    supply: Zone = SUPPLY
    bids: tuple[Zone, ...] = BIDS  #: by seat
    area: Zone = AREA
    signs: Mapping[str, str] = field(default_factory=lambda: SIGNS)

    def zones(self, players: int) -> tuple[Zone, ...]:
        return (self.supply, *self.bids[:players])

    def relaid(self, zones: Iterable[Zone]) -> FijiTable:
        by_name = {zone.name: zone for zone in zones}
        bids = tuple(by_name.get(bid.name, bid) for bid in self.bids)
        return replace(self, supply=by_name.get(self.supply.name, self.supply), bids=bids)

    def lay(self, state: State) -> Laid:
        """Where everything open lies in this state."""
        cards = [
            placing
            for i, row in enumerate(state.rows)
            for placing in (
                Placing(_condition_name(row), ROW_X[0], ROW_Y[i], 0.0, f"row{i + 1}.condition"),
                Placing(_effect_name(row), ROW_X[1], ROW_Y[i], 0.0, f"row{i + 1}.effect"),
            )
        ]
        for i, goal in enumerate(state.goals):
            turn = 0.0 if goal.wins == "most" else 180.0
            cards.append(Placing(f"goal-{COLOURS[goal.colour]}", GOAL_X[i], GOAL_Y, turn, f"goal{i + 1}"))
        beads = _heap(self.supply, state.supply)
        for zone, bid in zip(self.bids, state.bids, strict=False):
            beads += _heap(zone, bid) if bid is not None else []
        return Laid(tuple(cards), tuple(beads))

    def steps(self, before: State, actions: Sequence[FijiAction], after: State) -> tuple[Laid, ...]:
        """Bids are laid before the screens, then the rows are carried out; a goal is moved, then the rest follows."""
        start, end = self.lay(before), self.lay(after)
        first = actions[0]
        if isinstance(first, Bid):
            bids = [b for a in actions if isinstance(a, Bid) for b in _heap(self.bids[int(a.by)], a.beads)]
            return (Laid(start.cards, (*start.beads, *bids)), end)
        if isinstance(first, RotateGoal | SwapGoals):
            return (Laid(self.lay(self.just_after(before, first)).cards, start.beads), end)
        if isinstance(first, LayConditions):
            return (Laid(end.cards[: len(end.cards) // 2], end.beads), end)
        return (end,)

    def just_after(self, state: State, action: FijiAction) -> State:
        """The goals as the winner has laid them; after the last exchange the rules would have them cleared at once."""
        if isinstance(action, RotateGoal | SwapGoals):
            return replace(state, goals=_chosen(state.goals, action))
        return state

    def read(self, state: State, seen: Seen, past: Iterable[Action]) -> Reading:
        """`lay_conditions` or `lay_goals` as it lies there; cards of earlier rounds never come again (FJ-0)."""
        if state.step == "lay_conditions":
            old = {row for action in past if isinstance(action, LayConditions) for row in action.rows}
            return _read_rows(seen, {r.condition for r in old}, {r.effect for r in old})
        return _read_goals(seen)

    def differences(self, state: State, seen: Seen) -> tuple[Difference, ...]:
        if not state.rows:
            return ()  # people are clearing the table for the next round
        cards = (*_row_differences(state, seen), *_goal_differences(state, seen))
        return (*cards, *_bead_differences(self, state, seen))

    def name(self, meaning: Meaning) -> Note:
        """What a card says: "most green", "take 3 red", "goal red"."""
        if "wins" in meaning:
            return Note("name_condition", {"wins": meaning["wins"], "colours": list(meaning["colours"])})
        if "kind" in meaning:
            kind = meaning["kind"]
            return Note(f"name_{kind}", {"colour": meaning["colour"]} if "colour" in meaning else {})
        if "upright" in meaning:
            return Note("name_goal", {"colour": meaning["colour"]})
        return Note("name_other")


tabletop: Final = FijiTable()


# --- reading cards -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """One card of a column or a row with what it may be: exactly one possibility when it is sure."""

    card: SeenCard
    may_be: tuple[Meaning, ...]

    @property
    def sure(self) -> bool:
        return len(self.may_be) == 1


def _slots(seen: Seen, key: str) -> list[Slot]:
    """All cards whose meaning has this key ("wins", "kind", "upright"), also those that cannot quite be told."""
    found = []
    for card in seen.cards:
        meanings = [card.meaning] if card.sure else [meaning for _, meaning in card.candidates]
        if meanings and all(key in m for m in meanings):
            found.append(Slot(card, tuple(meanings)))
    return found


def _axes(slots: Sequence[Slot], half_turns: bool) -> tuple[tuple[float, float], tuple[float, float]]:
    """Unit vectors right and down as the readers of these cards see them.

    With `half_turns` a card's turn by 180° says something else (goals), so right is the half nearer the table's x.
    """
    turns = [math.radians(s.card.angle) for s in slots if s.card.sure]
    if not turns:
        return (1.0, 0.0), (0.0, 1.0)
    if half_turns:
        angle = math.atan2(sum(math.sin(2 * t) for t in turns), sum(math.cos(2 * t) for t in turns)) / 2
    else:
        angle = math.atan2(sum(map(math.sin, turns)), sum(map(math.cos, turns)))
    c, s = math.cos(angle), math.sin(angle)
    return (c, s), (-s, c)


def _along(slot: Slot, axis: tuple[float, float]) -> float:
    return slot.card.x * axis[0] + slot.card.y * axis[1]


def _rows(seen: Seen) -> tuple[list[Slot], list[Slot]]:
    """Conditions and effects, both top to bottom."""
    conditions, effects = _slots(seen, "wins"), _slots(seen, "kind")
    _, down = _axes([*conditions, *effects], half_turns=False)
    return sorted(conditions, key=lambda s: _along(s, down)), sorted(effects, key=lambda s: _along(s, down))


def _goals(seen: Seen) -> list[Slot]:
    """Goal cards, the most important first: the left one, as the conditions' readers see it."""
    goals = _slots(seen, "upright")
    guide = [*_slots(seen, "wins"), *_slots(seen, "kind")]
    right, _ = _axes(guide or goals, half_turns=not guide)
    return sorted(goals, key=lambda s: _along(s, right))


def _pairs_up(conditions: Sequence[Slot], effects: Sequence[Slot]) -> bool:
    """Whether each condition has its effect beside it, not lower or higher than half the way to the next."""
    _, down = _axes([*conditions, *effects], half_turns=False)
    levels = [_along(c, down) for c in conditions]
    step = min(b - a for a, b in pairwise(levels))
    return all(abs(_along(e, down) - level) < step / 2 for e, level in zip(effects, levels, strict=True))


def _read_rows(seen: Seen, old_conditions: set[Any], old_effects: set[Any]) -> Reading:
    conditions, effects = _rows(seen)
    if len(conditions) != ROWS or len(effects) != ROWS:
        return Reading(waiting=Note("see_rows", {"conditions": len(conditions), "effects": len(effects)}))
    if not _pairs_up(conditions, effects):
        return Reading(waiting=Note("see_pairs"))
    actions = []
    for chosen in _choices([*conditions, *effects]):
        try:
            said = [read_condition(m, "card") for m in chosen[:ROWS]], [read_effect(m, "card") for m in chosen[ROWS:]]
        except Malformed:
            continue
        if set(said[0]) & old_conditions or set(said[1]) & old_effects:
            continue
        if len(set(said[0])) == ROWS and len(set(said[1])) == ROWS:
            rows = tuple(Row(c, e) for c, e in zip(*said, strict=True))
            actions.append(LayConditions(TABLE, rows))
    return _reading(actions, [*conditions, *effects], "see_old_rows")


def _read_goals(seen: Seen) -> Reading:
    goals = _goals(seen)
    if len(goals) != GOALS:
        return Reading(waiting=Note("see_goals", {"goals": len(goals)}))
    actions = []
    for chosen in _choices(goals):
        said = tuple(_goal(meaning, slot.card) for meaning, slot in zip(chosen, goals, strict=True))
        if None not in said and len({g.colour for g in said if g}) == GOALS:
            actions.append(LayGoals(TABLE, tuple(g for g in said if g)))
    return _reading(actions, goals, "see_goals_twice")


def _choices(slots: Sequence[Slot]) -> list[tuple[Meaning, ...]]:
    """Every way to read the slots, the likeliest first, as long as they are few."""
    if math.prod(len(s.may_be) for s in slots) > 64:
        return []
    return list(product(*(s.may_be for s in slots)))


def _reading(actions: Sequence[Action], slots: Sequence[Slot], impossible: str) -> Reading:
    """One way to read the cards is an action; several are a question; none is none."""
    if not actions:
        return Reading(waiting=Note(impossible))
    if len(actions) == 1 and all(s.sure for s in slots):
        return Reading(action=actions[0])
    options = tuple(Option(_told(action), action) for action in actions[:MOST_OPTIONS])
    return Reading(question=Note("ask_laid"), options=(*options, Option(Note("answer_again"), None)))


def _told(action: Action) -> Note:
    if isinstance(action, LayConditions):
        return Note("laid_rows", {f"row{i + 1}": _row_words(row) for i, row in enumerate(action.rows)})
    assert isinstance(action, LayGoals)
    return Note("laid_goals", {f"goal{i + 1}": [g.wins, COLOURS[g.colour]] for i, g in enumerate(action.goals)})


def _row_words(row: Row) -> list[str]:
    effect = row.effect
    words = [row.condition.wins, *(COLOURS[c] for c in row.condition.colours), effect.kind]
    return words if effect.colour is None else [*words, COLOURS[effect.colour]]


def _goal(meaning: Meaning, card: SeenCard) -> Goal | None:
    """The goal a card shows by its turn; None when it lies across or cannot be told."""
    turn = card.angle % 360
    if not card.sure:
        return None
    if min(turn, 360 - turn) <= 40:
        return Goal(COLOURS.index(meaning["colour"]), meaning["upright"])
    if abs(turn - 180) <= 40:
        return Goal(COLOURS.index(meaning["colour"]), meaning["turned"])
    return None


# --- holding a table against a state -------------------------------------------------------------------------------


def _row_differences(state: State, seen: Seen) -> list[Difference]:
    conditions, effects = _rows(seen)
    expected_conditions = [row.condition.data() for row in state.rows]
    expected_effects = [row.effect.data() for row in state.rows]
    return [
        *_column_differences(conditions, expected_conditions, "condition"),
        *_column_differences(effects, expected_effects, "effect"),
    ]


def _column_differences(slots: Sequence[Slot], expected: Sequence[Meaning], what: str) -> list[Difference]:
    """With all four in view, each against its row; with fewer, only what belongs to no row at all."""
    wanted = [_frozen(meaning) for meaning in expected]
    sure = [_frozen(slot.may_be[0]) if slot.sure else None for slot in slots]
    if len(slots) == ROWS:
        wrong = [i for i, said in enumerate(sure) if said is not None and said != wanted[i]]
    else:
        wrong = [i for i, said in enumerate(sure) if said is not None and said not in wanted]
    found = []
    for i in wrong:
        facts = {"row": i + 1, **_named(slots[i].may_be[0])}
        if len(slots) == ROWS:
            facts["expected"] = _named(expected[i])["card"]
        note = Note("differs_row" if "expected" in facts else "differs_stray", facts)
        found.append(Difference("card", f"row{i + 1}.{what}", note, at=(slots[i].card.x, slots[i].card.y)))
    return found


def _named(meaning: Meaning) -> dict[str, Any]:
    """The name of a card as a fact: its words in a row."""
    note = tabletop.name(meaning)
    words: list[str] = [note.code.removeprefix("name_")] if note.code != "name_condition" else []
    for value in note.facts.values():
        words += value if isinstance(value, list) else [value]
    return {"card": words}


def _goal_differences(state: State, seen: Seen) -> list[Difference]:
    if not state.goals:
        return []
    slots = _goals(seen)
    goals = [_goal(slot.may_be[0], slot.card) if slot.sure else None for slot in slots]
    all_there = len(goals) == GOALS
    return [
        Difference(
            "card", f"goal{i + 1}", _goal_note(i, g, state.goals, all_there), at=(slots[i].card.x, slots[i].card.y)
        )
        for i, g in enumerate(goals)
        if g is not None and (g != state.goals[i] if all_there else g not in state.goals)
    ]


def _goal_note(place: int, goal: Goal, goals: Sequence[Goal], all_there: bool) -> Note:
    facts = {"goal": place + 1, "card": [goal.wins, COLOURS[goal.colour]]}
    if not all_there:
        return Note("differs_stray_goal", facts)
    return Note("differs_goal", facts | {"expected": [goals[place].wins, COLOURS[goals[place].colour]]})


def _bead_differences(lie: FijiTable, state: State, seen: Seen) -> list[Difference]:
    if not state.goals:
        return []
    found = _counted(seen.beads, lie.supply, state.supply, Note("differs_supply"))
    for seat, bid in enumerate(state.bids):
        zone = lie.bids[seat]
        if bid is None and any(zone.holds(b.x, b.y) for b in seen.beads):
            found.append(Difference("count", zone.name, Note("differs_left", {"seat": seat}), at=zone.middle))
        elif bid is not None:
            found += _counted(seen.beads, zone, bid, Note("differs_bid", {"seat": seat}))
    return found


def _counted(beads: Iterable[SeenBead], zone: Zone, expected: Sequence[int], note: Note) -> list[Difference]:
    """A difference for each colour of which more or fewer lie in the zone than the rules say.

    A bead that cannot be told may be one that is missing, if it may have that colour, but only one of them.
    """
    inside = [b for b in beads if zone.holds(b.x, b.y)]
    colours = [b.colour for b in inside]
    numbers = [(colour, colours.count(colour), want) for colour, want in zip(COLOURS, expected, strict=True)]
    missing = [colour for colour, n, want in numbers for _ in range(want - n)]
    excused = _told_apart(missing, [b.may_be or COLOURS for b in inside if not b.colour])
    return [
        Difference(
            "count",
            zone.name,
            Note(note.code, {**note.facts, "colour": colour, "seen": n, "expected": want}),
            at=zone.middle,
        )
        for colour, n, want in numbers
        if n > want or (n < want and not excused)
    ]


def _told_apart(missing: Sequence[str], doubts: Sequence[Sequence[str]]) -> bool:
    """Whether each missing bead can be another one of the doubtful ones (a matching by augmenting paths)."""
    stands_for: dict[int, int] = {}

    def find(bead: int, tried: set[int]) -> bool:
        for doubt, colours in enumerate(doubts):
            if doubt not in tried and missing[bead] in colours:
                tried.add(doubt)
                if doubt not in stands_for or find(stands_for[doubt], tried):
                    stands_for[doubt] = bead
                    return True
        return False

    return len(missing) <= len(doubts) and all(find(bead, set()) for bead in range(len(missing)))


# --- laying ----------------------------------------------------------------------------------------------------------


def _heap(zone: Zone, bag: Sequence[int]) -> list[BeadPlacing]:
    """Beads laid out in rows in the middle of a zone, colour by colour."""
    colours = [colour for colour, n in zip(COLOURS, bag, strict=True) for _ in range(n)]
    across = max(1, int(zone.width // BEAD_STEP))
    rows = [colours[i : i + across] for i in range(0, len(colours), across)]
    middle, top = zone.width / 2, zone.height / 2 - (len(rows) - 1) * BEAD_STEP / 2
    places = [
        (colour, zone.at(middle + (i - (len(row) - 1) / 2) * BEAD_STEP, top + j * BEAD_STEP))
        for j, row in enumerate(rows)
        for i, colour in enumerate(row)
    ]
    return [BeadPlacing(colour, x, y, zone.name) for colour, (x, y) in places]


def _chosen(goals: tuple[Goal, ...], action: RotateGoal | SwapGoals) -> tuple[Goal, ...]:
    """The goals when the winner has turned one or swapped two (FJ-X5, FJ-X6)."""
    lie = list(goals)
    if isinstance(action, RotateGoal):
        lie[action.position - 1] = lie[action.position - 1].rotated()
    else:
        one, other = (position - 1 for position in action.positions)
        lie[one], lie[other] = lie[other], lie[one]
    return tuple(lie)


def _condition_name(row: Row) -> str:
    condition = row.condition
    which = "all" if len(condition.colours) == len(COLOURS) else "-".join(COLOURS[c] for c in condition.colours)
    return f"condition-{condition.wins}-{which}"


def _effect_name(row: Row) -> str:
    kind = f"effect-{row.effect.kind.replace('_', '-')}"
    return kind if row.effect.colour is None else f"{kind}-{COLOURS[row.effect.colour]}"


def _frozen(meaning: Mapping[str, Any]) -> tuple[Any, ...]:
    """A meaning that can be compared: the order of colours says nothing."""
    return tuple(sorted((k, tuple(sorted(v)) if isinstance(v, list | tuple) else v) for k, v in meaning.items()))
