"""How a game of Rapa Nui lies on a table: columns of cards, tableaus fanned by kind, the stone, stacks of offerings.

Cards that overlap lie so that the strip of each that is seen tells its kind; a column's front card is the one nearest
to its readers. An offering is laid crosswise over the one before it, so that a card on one of its own sort still shows.
Hands, own offering cards and what is paid are on no table that everybody may see: phones tell what is bought, what
is offered face down and which income is taken. Only the deal is seen once, when all lay out what they start with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product, zip_longest
from math import prod
from typing import Final

from companion.games.game import TABLE, Action, Note
from companion.games.rapa_nui import rules
from companion.games.rapa_nui.actions import Deal, LayDisplay, Offer, RapaNuiAction, Refill, Take
from companion.games.rapa_nui.cards import CARDS, HUNTER, OFFERINGS, bag_of
from companion.games.rapa_nui.state import COLUMN, COLUMNS, DEAL, HAND, INCOME, LAY, SUBSTITUTE, State
from companion.games.tabletop import Difference, Laid, Meaning, Option, Placing, Reading, Seen, SeenCard, Tabletop, Zone

CARD_HEIGHT: Final = 91.0
STRIP: Final = 36.0  #: what is seen of a display's card below the next one, mm
FANNED: Final = 26.0  #: … and of one in a tableau
FAN: Final = 84.0  #: how far a fan's last card may lie from its first one
PITCH: Final = 59.5  #: between the fans of a tableau
MOST_WAYS: Final = 64
MOST_OPTIONS: Final = 6
BACK: Final = "offering-back"
DISPLAY: Final = tuple(Zone(f"column{i + 1}", 450.0 + 66 * i, 177, 64, 206) for i in range(COLUMNS))
STONE: Final = Zone("stone", 290, 225, 110, 110)
SUPPLY: Final = Zone("supply", 35, 225, 210, 110)
TABLEAUS: Final = (
    Zone("seat1.tableau", 33, 386, 416, 185),
    Zone("seat2.tableau", 33, -11, 416, 185),
    Zone("seat3.tableau", 451, -11, 416, 185),
    Zone("seat4.tableau", 451, 386, 416, 185),
)
AREA: Final = Zone("area", -35, -35, 970, 630)


@dataclass(frozen=True, slots=True)
class RapaNuiTable(Tabletop[State]):
    """Rapa Nui's `Tabletop`."""

    columns: tuple[Zone, ...] = DISPLAY
    stone: Zone = STONE
    supply: Zone = SUPPLY
    tableaus: tuple[Zone, ...] = TABLEAUS  #: by seat
    area: Zone = AREA
    signs: Mapping[str, str] = field(default_factory=dict)

    def zones(self, players: int) -> tuple[Zone, ...]:
        return (*self.columns, self.stone, self.supply, *self.tableaus[:players])

    def relaid(self, zones: Iterable[Zone]) -> RapaNuiTable:
        by_name = {zone.name: zone for zone in zones}
        return RapaNuiTable(
            tuple(by_name.get(zone.name, zone) for zone in self.columns),
            by_name.get(self.stone.name, self.stone),
            by_name.get(self.supply.name, self.supply),
            tuple(by_name.get(zone.name, zone) for zone in self.tableaus),
            self.area,
        )

    def lay(self, state: State) -> Laid:
        """Where everything open lies in this state."""
        cards = [
            _placing(CARDS[card], zone, zone.width / 2, 1.5 + CARD_HEIGHT / 2 + STRIP * i)
            for zone, column in zip(self.columns, state.columns, strict=True)
            for i, card in enumerate(column)
        ]
        for zone, bag in zip(self.tableaus, state.tableaus, strict=False):
            cards += [placing for kind, count in enumerate(bag) for placing in _fan(zone, kind, count)]
        stacks = [sort for sort, count in enumerate(state.supply) if count]
        cards += [_placing(f"offering-{OFFERINGS[s]}", self.supply, 27 + 52.0 * s, 55) for s in stacks]
        if state.stone:
            turn = 90.0 * (len(state.stone) % 2)
            cards.append(_placing(_top(state), self.stone, 55, 55, turn))
        return Laid(tuple(cards))

    def steps(self, before: State, actions: Sequence[RapaNuiAction], after: State) -> tuple[Laid, ...]:
        """The hands that are dealt lie open for a moment, then they are taken up."""
        end = self.lay(after)
        first = actions[0]
        if not isinstance(first, Deal):
            return (end,)
        shown = zip(before.tableaus, map(bag_of, first.hands), strict=True)
        tableaus = tuple(tuple(a + b for a, b in zip(laid, hand, strict=True)) for laid, hand in shown)
        return (self.lay(replace(before, tableaus=tableaus)), end)

    def just_after(self, state: State, action: RapaNuiAction) -> State:
        return rules.act(state, action)[0]

    def read(self, state: State, seen: Seen, past: Iterable[Action]) -> Reading:
        """`deal`, `lay_display` or `refill` as it lies there."""
        if state.step == DEAL:
            return self._read_deal(state, seen)
        if state.step == LAY:
            columns = [self._column(seen, zone) for zone in self.columns]
            if any(len(column) != COLUMN for column in columns):
                return Reading(waiting=Note("see_columns", {"cards": sum(map(len, columns))}))
            return _reading(state, [card for column in columns for card in column], None)
        column, want = self._column(seen, self.columns[state.drawn]), min(COLUMN, state.pile)
        if len(column) != want:
            facts = {"column": state.drawn + 1, "seen": len(column), "expected": want}
            return Reading(waiting=Note("see_refill", facts))
        return _reading(state, column, state.drawn + 1)

    def _read_deal(self, state: State, seen: Seen) -> Reading:
        """Hands are nobody's business afterwards, so that a doubt is not put into words: people lay them clearer."""
        hands, unclear = [], False
        for zone in self.tableaus[: state.players]:
            lying = _inside(seen, zone)
            unclear |= any(not card.sure for card in lying)
            hands.append(tuple(sorted(k for k in map(_kind, lying) if k is not None and k >= HUNTER)))
        if any(len(hand) != HAND for hand in hands) or unclear:
            return Reading(waiting=Note("see_hands", {"cards": sum(map(len, hands)), "expected": HAND * len(hands)}))
        return Reading(action=Deal(TABLE, tuple(hands)))

    def _column(self, seen: Seen, zone: Zone) -> list[SeenCard]:
        """The cards of a column, the front one last."""
        return sorted(_inside(seen, zone), key=lambda card: _down(zone, card))

    def differences(self, state: State, seen: Seen) -> tuple[Difference, ...]:
        if state.step in (DEAL, LAY):
            return ()  # the table is being laid
        found: list[Difference] = []
        for number, (zone, column) in enumerate(zip(self.columns, state.columns, strict=True), 1):
            found += _column_differences(number, zone, column, self._column(seen, zone))
        for seat, (zone, bag) in enumerate(zip(self.tableaus, state.tableaus, strict=False)):
            found += _tableau_differences(seat, zone, bag, _inside(seen, zone))
        found += _stone_differences(state, self.stone, _inside(seen, self.stone))
        return tuple(found) + tuple(_supply_differences(state, self.supply, _inside(seen, self.supply)))

    def unseen(self, state: State, seat: int) -> Iterable[Action]:
        """Which income is taken, and what instead of a card that is missing."""
        return rules.legal(state, seat) if state.step in (INCOME, SUBSTITUTE) else ()

    def asked(self, state: State, actions: Sequence[RapaNuiAction]) -> tuple[Note, tuple[Option, ...]]:
        """Which card was offered face down, one of those held most often first; which of two was drawn first."""
        offers = [action for action in actions if isinstance(action, Offer)]
        if actions and len(offers) == len(actions):
            held = state.offerings[int(offers[0].by)]
            offers.sort(key=lambda offer: -held[offer.offering])
            return Note("ask_offered"), tuple(Option(Note("act_offer", o.arguments()), o) for o in offers)
        takes = [action for action in actions if isinstance(action, Take)]
        if actions and len(takes) == len(actions):
            return Note("ask_drawn"), tuple(Option(Note("act_take", take.arguments()), take) for take in takes)
        return Note("ask_which"), ()

    def name(self, meaning: Meaning) -> Note:
        return Note("name_card", {"card": meaning["card"]}) if "card" in meaning else Note("name_other")


tabletop: Final = RapaNuiTable()


# --- where cards lie -------------------------------------------------------------------------------------------------


def _placing(name: str, zone: Zone, along: float, down: float, turn: float = 0.0) -> Placing:
    x, y = zone.at(along, down)
    return Placing(name, x, y, (zone.angle + turn) % 360, zone.name)


def _fan(zone: Zone, kind: int, count: int) -> list[Placing]:
    """The cards of one kind in a tableau, each a strip below the one before."""
    strip = min(FANNED, FAN / max(1, count - 1))
    along = PITCH * (kind + 0.5)
    return [_placing(CARDS[kind], zone, along, 4 + CARD_HEIGHT / 2 + strip * i) for i in range(count)]


def _top(state: State) -> str:
    """The stone's top card as it shows."""
    return BACK if state.face_down else f"offering-{OFFERINGS[state.stone[-1]]}"


def _inside(seen: Seen, zone: Zone) -> list[SeenCard]:
    return [card for card in seen.cards if zone.holds(card.x, card.y)]


def _down(zone: Zone, card: SeenCard) -> float:
    """How far below the zone's upper edge a card lies (any constant may be added)."""
    (x0, y0), (x1, y1) = zone.at(0, 0), zone.at(0, 1)
    return card.x * (x1 - x0) + card.y * (y1 - y0)


# --- reading cards -----------------------------------------------------------------------------------------------


def _name(component: str, meaning: Meaning) -> str:
    return str(meaning.get("card", component.rsplit("/", 1)[-1]))


def _kind(card: SeenCard) -> int | None:
    """The index of a card in CARDS; None when it cannot be told or is another thing."""
    return _index(_name(card.component, card.meaning)) if card.sure else None


def _index(name: str) -> int | None:
    return CARDS.index(name) if name in CARDS else None


def may_be(card: SeenCard) -> list[int]:
    """The kinds that a card may be, the likeliest first; none for other things."""
    named = ((card.component, card.meaning),) if card.sure else card.candidates
    found = (_index(_name(component, meaning)) for component, meaning in named)
    return [kind for kind in found if kind is not None]


def _reading(state: State, cards: Sequence[SeenCard], column: int | None) -> Reading:
    """The display or a column: one way to read it is an action, several are a question, none is none.

    What the box cannot hold besides what was seen is not believed unasked: copies differ, but cameras err more often.
    """
    kinds = [may_be(card) for card in cards]
    ways = list(product(*kinds)) if prod(map(len, kinds)) <= MOST_WAYS else []
    in_box = [way for way in ways if all(n <= had for n, had in zip(bag_of(way), state.unseen, strict=True))]
    if not ways:
        return Reading(waiting=Note("see_unclear"))
    if len(in_box) == 1 and all(card.sure for card in cards):
        return Reading(action=_laid(in_box[0], column))
    told = [Option(_told(way, column), _laid(way, column)) for way in (in_box or ways)[:MOST_OPTIONS]]
    return Reading(question=Note("ask_laid"), options=(*told, Option(Note("answer_again"), None)))


def _laid(way: tuple[int, ...], column: int | None) -> Action:
    if column is not None:
        return Refill(TABLE, column, way)
    return LayDisplay(TABLE, tuple(way[i : i + COLUMN] for i in range(0, len(way), COLUMN)))


def _told(way: tuple[int, ...], column: int | None) -> Note:
    names = [CARDS[card] for card in way]
    if column is not None:
        return Note("laid_column", {"column": column, "cards": names})
    rows = {f"column{i + 1}": names[i * COLUMN : (i + 1) * COLUMN] for i in range(COLUMNS)}
    return Note("laid_columns", rows)


# --- holding a table against a state -----------------------------------------------------------------------------


def _column_differences(number: int, zone: Zone, column: Sequence[int], cards: Sequence[SeenCard]) -> list[Difference]:
    """Each place from the back to the front: what lies there is what should, or it is told."""
    wrong = [
        (want, card)
        for want, card in zip_longest(column, cards)
        if want is None or card is None or want not in _possible(card, want)
    ]
    facts = {"column": number, "expected": [CARDS[card] for card in column], "seen": _names(cards)}
    return [Difference("card", zone.name, Note("differs_column", facts), at=zone.middle) for _ in wrong]


def _possible(card: SeenCard, want: int) -> list[int]:
    """What a card may be; one of which nothing is known may be what is expected."""
    return may_be(card) if card.sure else [*may_be(card), want]


def _names(cards: Sequence[SeenCard]) -> list[str]:
    return [_name(card.component, card.meaning) if card.sure else "unclear" for card in cards] or ["nothing"]


def _tableau_differences(seat: int, zone: Zone, bag: Sequence[int], cards: Sequence[SeenCard]) -> list[Difference]:
    """One difference for each card too many or too few; a doubtful card may be what is missing."""
    kinds = [_kind(card) for card in cards]
    doubts = sum(not card.sure for card in cards)
    found = []
    for kind, want in enumerate(bag):
        count = kinds.count(kind)
        note = Note("differs_tableau", {"seat": seat, "card": CARDS[kind], "seen": count, "expected": want})
        off = max(count - want, want - count - doubts, 0)
        found += [Difference("card", zone.name, note, at=zone.middle)] * off
    return found


def _stone_differences(state: State, zone: Zone, cards: Sequence[SeenCard]) -> list[Difference]:
    """The stone's top: its sort, or its back. What lies the other way is the card below it."""
    if any(not card.sure for card in cards):
        return []
    want, told = (_top(state), {"expected": _top(state)}) if state.stone else ("", {"expected": "nothing"})
    across = len(state.stone) % 2
    on_top = [card for card in cards if (abs((card.angle - zone.angle) % 180 - 90) < 45) == across]
    if not state.stone:
        on_top = list(cards)
    if [_name(card.component, card.meaning) for card in on_top] == [want] * bool(want):
        return []
    if not on_top and any(_name(card.component, card.meaning) == want for card in cards):
        return [Difference("card", zone.name, Note("differs_crosswise", told), at=zone.middle)]
    note = Note("differs_stone", {**told, "seen": _names(on_top or cards)})
    return [Difference("card", zone.name, note, at=zone.middle)]


def _supply_differences(state: State, zone: Zone, cards: Sequence[SeenCard]) -> list[Difference]:
    """Stacks that should have cards and have none, or the other way round."""
    lying = {_name(card.component, card.meaning) for card in cards if card.sure}
    doubts = any(not card.sure for card in cards)
    found = []
    for sort, count in zip(OFFERINGS, state.supply, strict=True):
        there = f"offering-{sort}" in lying
        if there != (count > 0) and not (doubts and not there):
            code = "differs_stack" if count else "differs_stack_empty"
            found.append(Difference("count", zone.name, Note(code, {"offering": sort}), at=zone.middle))
    return found
