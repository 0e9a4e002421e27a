"""What the rules say about a Rapa Nui table on a photo: the display's columns, and what each tableau earns.

Nothing is known of the game so far, only what lies there. Cards that overlap each other lengthwise are a column;
columns side by side are the display, or somebody's tableau, in which every kind has a column of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from companion.games.game import Data
from companion.games.rapa_nui.cards import CARDS, HUNTER, MOAI, OFFERINGS, PRIEST, WOODCUTTER, bag_of
from companion.games.rapa_nui.scoring import MOAI_FAME, yields
from companion.games.rapa_nui.state import COLUMNS
from companion.games.rapa_nui.table import CARD_HEIGHT, may_be
from companion.games.tabletop import Seen, SeenCard

ASKEW: Final = 25.0  #: degrees that cards of one column may lie askew to each other
BESIDE: Final = 30.0  #: mm that cards of one column may lie to the side of each other
NEXT: Final = 130.0  #: mm from one column of an area to the next, at most: a kind that is missing may leave its place
EARNED: Final = {WOODCUTTER: "wood", PRIEST: "fame", MOAI: "wood_or_fame"}  #: RN-3.5 to RN-3.7


@dataclass(frozen=True, slots=True)
class Column:
    """Cards that overlap each other, the front one last."""

    cards: tuple[SeenCard, ...]

    @property
    def kinds(self) -> list[int | None]:
        """What each card is; None where that cannot be told."""
        return [may_be(card)[0] if card.sure else None for card in self.cards]

    @property
    def doubts(self) -> frozenset[int]:
        """What those may be that cannot be told."""
        return frozenset(kind for card in self.cards if not card.sure for kind in may_be(card))

    @property
    def middle(self) -> tuple[float, float]:
        return fmean(c.x for c in self.cards), fmean(c.y for c in self.cards)

    @property
    def angle(self) -> float:
        return next((card.angle for card in self.cards if card.sure), 0.0)


def count(seen: Seen) -> Data:
    """The display's columns and fronts, each tableau's cards, what each kind would earn now, and what is left open."""
    warnings: list[str] = []
    areas = _areas(_columns([card for card in seen.cards if may_be(card)]))
    display = _display(areas, warnings)
    tableaus = _clockwise([area for area in areas if area is not display])
    if any(_mixed(area) for area in tableaus):
        warnings.append("a kind lies twice in one tableau: lay tableaus a hand apart, each kind in one column")
    if display is not None and len(display) != COLUMNS:
        warnings.append(f"{len(display)} columns of the display are seen, not {COLUMNS}")
    columns = [] if display is None else display
    return {
        "columns": [[_named(kind) for kind in column.kinds] for column in columns],
        "front": [_named(column.kinds[-1]) for column in columns],
        "tableaus": _tableaus(tableaus),
        "unsure": [_unsure(card) for card in seen.cards if not card.sure],
        "warnings": warnings,
    }


# --- which card lies where -------------------------------------------------------------------------------------------


def _columns(cards: Iterable[SeenCard]) -> list[Column]:
    """Cards by the column in which they overlap."""
    groups: list[list[SeenCard]] = []
    for card in cards:
        near = [g for g in groups if any(_overlap(card, other) for other in g)]
        groups = [g for g in groups if all(g is not n for n in near)]
        groups.append([card, *(other for group in near for other in group)])
    found = []
    for group in groups:
        angle = next((card.angle for card in group if card.sure), 0.0)
        found.append(Column(tuple(sorted(group, key=lambda card: _along_down(card, angle)[1]))))
    return found


def _overlap(one: SeenCard, other: SeenCard) -> bool:
    """Whether two cards lie in one column: alike turned, hardly beside each other, less than a card's height apart."""
    sure = next((card for card in (one, other) if card.sure), None)
    if sure is None:
        return math.dist((one.x, one.y), (other.x, other.y)) < BESIDE
    if one.sure and other.sure and not _parallel(one.angle, other.angle):
        return False
    (x0, y0), (x1, y1) = _along_down(one, sure.angle), _along_down(other, sure.angle)
    return abs(x1 - x0) < BESIDE and abs(y1 - y0) < CARD_HEIGHT


def _parallel(one: float, other: float) -> bool:
    return abs((one - other + 180) % 360 - 180) <= ASKEW


def _along_down(thing: SeenCard | Column, angle: float) -> tuple[float, float]:
    """A thing's middle, right and down as the reader of cards so turned sees it, mm."""
    x, y = thing.middle if isinstance(thing, Column) else (thing.x, thing.y)
    turn = math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    return x * c + y * s, y * c - x * s


def _areas(columns: Iterable[Column]) -> list[list[Column]]:
    """Columns by the area in which they stand side by side, left to right as their reader sees them."""
    areas: list[list[Column]] = []
    for column in columns:
        near = [area for area in areas if any(_side_by_side(column, other) for other in area)]
        areas = [area for area in areas if all(area is not n for n in near)]
        areas.append([column, *(other for area in near for other in area)])
    for area in areas:
        angle = area[0].angle
        area.sort(key=lambda column: _along_down(column, angle)[0])
    return areas


def _side_by_side(one: Column, other: Column) -> bool:
    if not _parallel(one.angle, other.angle):
        return False
    return any(
        abs(a[0] - b[0]) < NEXT and abs(a[1] - b[1]) < CARD_HEIGHT * 2 / 3
        for a in (_along_down(card, one.angle) for card in one.cards)
        for b in (_along_down(card, one.angle) for card in other.cards)
    )


def _display(areas: Sequence[list[Column]], warnings: list[str]) -> list[Column] | None:
    """The area in which a column holds two kinds, or two columns hold one: a tableau has one column for each kind."""
    found = [area for area in areas if len(area) <= COLUMNS and _mixed(area)]
    if len(found) > 1:
        warnings.append(f"{len(found)} places look like a display; the one nearest to the middle is taken for it")
    middle = _middle(column for area in areas for column in area)
    return min(found, key=lambda area: math.dist(_middle(area), middle), default=None)


def _mixed(area: Sequence[Column]) -> bool:
    sorts = [sort for column in area for sort in {kind for kind in column.kinds if kind is not None}]
    return len(sorts) > len(area) or len(set(sorts)) < len(sorts)


def _middle(columns: Iterable[Column]) -> tuple[float, float]:
    middles = [column.middle for column in columns]
    return (fmean(x for x, _ in middles), fmean(y for _, y in middles)) if middles else (0.0, 0.0)


def _clockwise(areas: Sequence[list[Column]]) -> list[list[Column]]:
    """Around the table, from the left by way of the top."""
    x, y = _middle(column for area in areas for column in area)

    def turn(area: list[Column]) -> float:
        own = _middle(area)
        return (math.atan2(own[1] - y, own[0] - x) + math.pi) % (2 * math.pi)

    return sorted(areas, key=turn)


# --- what it earns ---------------------------------------------------------------------------------------------------


def _tableaus(areas: Sequence[list[Column]]) -> list[Data]:
    """Each tableau's cards, and what it would earn if a kind were scored now; None where a doubt decides."""
    bags = [bag_of(kind for column in area for kind in column.kinds if kind is not None) for area in areas]
    doubts = [frozenset[int]().union(*(column.doubts for column in area)) for area in areas]
    doubts = [frozenset(range(len(CARDS))) if _mixed(a) else d for a, d in zip(areas, doubts, strict=True)]
    doubtful = frozenset[int]().union(*doubts)
    earned = [yields(kind, [bag[kind] for bag in bags]) if bags else [] for kind in range(len(CARDS))]
    found = []
    for number, (area, bag, own) in enumerate(zip(areas, bags, doubts, strict=True)):
        shown = [None if kind in doubtful else earned[kind][number] for kind in range(len(CARDS))]
        counts = [None if kind in own else bag[kind] for kind in range(len(CARDS))]
        moais = counts[MOAI]
        found.append(
            {
                "centre_mm": [round(v, 1) for v in _middle(area)],
                "cards": dict(zip(CARDS, counts, strict=True)),
                "earns": {
                    **{word: shown[kind] for kind, word in EARNED.items()},
                    "offerings": dict(zip(OFFERINGS, shown[HUNTER:], strict=True)),
                },
                "moai_points": None if moais is None else MOAI_FAME * moais,
            }
        )
    return found


def _named(kind: int | None) -> str | None:
    return None if kind is None else CARDS[kind]


def _unsure(card: SeenCard) -> Data:
    names = [name.rsplit("/", 1)[-1] for name, _ in card.candidates]
    return {"centre_mm": [round(card.x, 1), round(card.y, 1)], "candidates": names}


def told(counted: Data) -> list[str]:
    """What was counted, line by line, for people."""
    lines = [
        f"Column {number}: {', '.join(name or '?' for name in column)} (in front: {column[-1] or '?'})"
        for number, column in enumerate(counted["columns"], 1)
    ]
    for number, tableau in enumerate(counted["tableaus"], 1):
        lines.append(f"Tableau {number}: {_cards(tableau['cards'])}; {_earns(tableau)}")
    if counted["unsure"]:
        lines.append(f"Unsure: {len(counted['unsure'])}")
    return lines


def _cards(bag: Mapping[str, int | None]) -> str:
    return ", ".join(f"{'?' if n is None else n} {name}" for name, n in bag.items() if n != 0) or "nothing"


def _earns(tableau: Data) -> str:
    earns = {word.replace("_", " "): n for word, n in tableau["earns"].items() if word != "offerings"}
    said = ", ".join(f"{'?' if n is None else n} {word}" for word, n in earns.items())
    points = tableau["moai_points"]
    return f"would earn {said}; its Moais are worth {'?' if points is None else points} at the end"
