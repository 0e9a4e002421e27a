"""What the rules say about a Fiji table on a photo: rows, goals, supply, bids, and who would win each row.

Nothing is known of the game so far, only what lies there. Cards are told by what they mean and by their own turn, so
it does not matter from which side the photo was taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from companion.games.fiji.cards import COLOURS, FEWEST, MOST, Bag, as_bag, bag_data, read_condition
from companion.games.game import Data, Malformed
from companion.games.tabletop import Meaning, Seen, SeenBead, SeenCard

ROWS: Final = 4
GOALS: Final = 4
MOST_BID: Final = 4  #: FJ-4a1: a bid has one to four beads, so a larger heap is the supply
HEAP_MM: Final = 68.0  #: beads nearer to each other than this belong to one heap

Axis = tuple[float, float]


def count(seen: Seen) -> Data:
    """Rows top to bottom, goals in their order, supply, bids with each row's values, and what is left open."""
    warnings: list[str] = []
    conditions = [c for c in seen.cards if "wins" in _meaning(c) and "colours" in _meaning(c)]
    effects = [c for c in seen.cards if "kind" in _meaning(c)]
    goals = [c for c in seen.cards if "upright" in _meaning(c)]
    right, down = _axes([*conditions, *effects])
    rows = _rows(conditions, effects, right, down)
    if rows and len(rows) != ROWS:
        warnings.append(f"{len(rows)} rows of conditions and effects are seen, not {ROWS}")
    shown_goals = [_goal(c, right) for c in sorted(goals, key=lambda c: _along(c, right))]
    if goals and len(goals) != GOALS:
        warnings.append(f"{len(goals)} goal cards are seen, not {GOALS}")
    supply, bids = _heaps(seen, warnings)
    bags = [_bag(heap) for heap in bids]
    return {
        "rows": [_row(pair, bags) for pair in rows],
        "goals": shown_goals,
        "supply": bag_data(_bag(supply)),
        "bids": [
            {"beads": bag_data(bag), "centre_mm": [round(v, 1) for v in _middle(heap)]}
            for bag, heap in zip(bags, bids, strict=True)
        ],
        "unsure": [_unsure(c) for c in seen.cards if not c.sure]
        + [_unsure_bead(b) for b in seen.beads if not b.colour],
        "warnings": warnings,
    }


def _meaning(card: SeenCard) -> Meaning:
    """What a card says; a doubtful one counts as its likeliest reading while its place is looked for."""
    return card.meaning if card.sure else card.candidates[0][1]


def _axes(cards: Iterable[SeenCard]) -> tuple[Axis, Axis]:
    """Unit vectors right and down as the readers of these cards see them."""
    turns = [math.radians(c.angle) for c in cards if c.sure]
    angle = math.atan2(sum(map(math.sin, turns)), sum(map(math.cos, turns))) if turns else 0.0
    c, s = math.cos(angle), math.sin(angle)
    return (c, s), (-s, c)


def _along(card: SeenCard, axis: Axis) -> float:
    return card.x * axis[0] + card.y * axis[1]


def _rows(
    conditions: Sequence[SeenCard], effects: Sequence[SeenCard], right: Axis, down: Axis
) -> list[tuple[SeenCard | None, SeenCard | None]]:
    """Conditions with the effects beside them, top to bottom; None where one of the two is not seen."""
    cards = sorted([*conditions, *effects], key=lambda c: _along(c, down))
    levels: list[list[SeenCard]] = []
    for card in cards:
        if levels and _along(card, down) - _along(levels[-1][0], down) < _step(cards, right, down) / 2:
            levels[-1].append(card)
        else:
            levels.append([card])
    chosen = {id(c) for c in conditions}
    return [
        (
            next((c for c in level if id(c) in chosen), None),
            next((c for c in level if id(c) not in chosen), None),
        )
        for level in levels
    ]


def _step(cards: Sequence[SeenCard], right: Axis, down: Axis) -> float:
    """How far apart two rows lie: the smallest step between cards that lie over each other, mm."""
    steps = [
        abs(_along(a, down) - _along(b, down))
        for i, a in enumerate(cards)
        for b in cards[:i]
        if abs(_along(a, right) - _along(b, right)) < 30
    ]
    return min((s for s in steps if s > 20), default=50.0)


def _row(pair: tuple[SeenCard | None, SeenCard | None], bids: Sequence[Bag]) -> Data:
    """A row, and where bids lie what each is worth and which one wins (FJ-4b4: equal values cancel each other)."""
    condition, effect = (c.meaning if c is not None and c.sure else None for c in pair)
    data: dict[str, Any] = {
        "condition": None if condition is None else dict(condition),
        "effect": None if effect is None else dict(effect),
    }
    if condition is None or not bids:
        return data
    try:
        worth = read_condition(dict(condition), "condition")
    except Malformed:
        return data
    values = [worth.value(bag) for bag in bids]
    single = [v for v in values if values.count(v) == 1]
    best = (max if worth.wins == MOST else min)(single, default=None)
    return {**data, "values": values, "winner": None if best is None else values.index(best)}


def _goal(card: SeenCard, right: Axis) -> Data:
    """A goal as it lies for the readers of the conditions: turned it asks for the other end."""
    if not card.sure:
        return {"colour": None, "wins": None}
    turn = math.radians(card.angle)
    upright = math.cos(turn) * right[0] + math.sin(turn) * right[1] >= 0
    wins = card.meaning.get("upright", MOST) if upright else card.meaning.get("turned", FEWEST)
    return {"colour": card.meaning.get("colour"), "wins": wins}


def _heaps(seen: Seen, warnings: list[str]) -> tuple[list[SeenBead], list[list[SeenBead]]]:
    """The supply, and the bids before the screens around the table, clockwise from the upper left."""
    heaps: list[list[SeenBead]] = []
    for bead in (b for b in seen.beads if b.colour):
        near = [h for h in heaps if any(math.dist((bead.x, bead.y), (b.x, b.y)) < HEAP_MM for b in h)]
        heaps = [h for h in heaps if all(h is not n for n in near)]
        heaps.append([bead, *(b for heap in near for b in heap)])
    if not heaps:
        return [], []
    large = [h for h in heaps if len(h) > MOST_BID]
    if len(large) > 1:
        warnings.append(f"{len(large)} heaps are larger than a bid can be; the largest is taken for the supply")
    middle = _middle([*seen.cards, *seen.beads])
    supply = max(large, key=len) if large else min(heaps, key=lambda h: math.dist(_middle(h), middle))
    if not large:
        warnings.append("no heap is larger than a bid can be; the one nearest to the middle is taken for the supply")
    bids = [h for h in heaps if h is not supply]
    return supply, sorted(bids, key=lambda h: _clockwise(_middle(h), middle))


def _middle(things: Sequence[SeenCard | SeenBead]) -> tuple[float, float]:
    return sum(t.x for t in things) / len(things), sum(t.y for t in things) / len(things)


def _clockwise(place: tuple[float, float], middle: tuple[float, float]) -> float:
    """How far around the middle, from the left, by way of the top."""
    return (math.atan2(place[1] - middle[1], place[0] - middle[0]) + math.pi) % (2 * math.pi)


def _bag(heap: Iterable[SeenBead]) -> Bag:
    colours = [b.colour for b in heap]
    return as_bag(colours.count(c) for c in COLOURS)


def _unsure(card: SeenCard) -> Data:
    return {"centre_mm": [round(card.x, 1), round(card.y, 1)], "candidates": [dict(m) for _, m in card.candidates]}


def _unsure_bead(bead: SeenBead) -> Data:
    return {"centre_mm": [round(bead.x, 1), round(bead.y, 1)], "bead": True}


def told(counted: Data) -> list[str]:
    """What was counted, line by line, for people."""
    lines = [
        f"Row {i}: {_condition(row)}, then {_effect(row)}{_winner(row)}" for i, row in enumerate(counted["rows"], 1)
    ]
    if counted["goals"]:
        goals = [f"{g['wins']} {g['colour']}" if g["colour"] else "?" for g in counted["goals"]]
        lines.append("Goals: " + ", ".join(goals))
    lines.append("Supply: " + _beads(counted["supply"]))
    lines += [f"Bid {i}: {_beads(bid['beads'])}" for i, bid in enumerate(counted["bids"], 1)]
    if counted["unsure"]:
        lines.append(f"Unsure: {len(counted['unsure'])}")
    return lines


def _condition(row: Data) -> str:
    condition = row["condition"]
    return "?" if condition is None else f"{condition['wins']} {' + '.join(condition['colours'])}"


def _effect(row: Data) -> str:
    effect = row["effect"]
    return "?" if effect is None else " ".join(str(part).replace("_", " ") for part in effect.values())


def _winner(row: Data) -> str:
    if "winner" not in row:
        return ""
    return " (nobody: all cancel)" if row["winner"] is None else f" (bid {row['winner'] + 1} wins)"


def _beads(bag: Data) -> str:
    return ", ".join(f"{n} {colour}" for colour, n in bag.items() if n) or "none"
