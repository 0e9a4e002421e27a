"""What cards earn in Rapa Nui: the scoring of a kind in the game, and the points at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from companion.games.game import Score
from companion.games.rapa_nui.cards import HUNTER, MOAI, OFFERINGS, Bag
from companion.games.rapa_nui.state import State

MOAI_FAME: Final = 4
WOOD_PER_FAME: Final = 5
BEST_VALUE: Final = 3  #: what the most offered sort is worth


def majority(counts: Sequence[int]) -> int | None:
    """The seat that gets the bonus: at least two, and more than everybody else (RN-3.5 to RN-3.8).

    AMB-10 a tie for none at all matters to nobody, since the bonus takes two.

    >>> majority((2, 1, 1)), majority((2, 2, 0)), majority((1, 0, 0))
    (0, None, None)
    """
    most = max(counts)
    return counts.index(most) if most >= 2 and counts.count(most) == 1 else None


def yields(card: int, counts: Sequence[int]) -> list[int]:
    """What every seat earns when this kind is scored: wood, fame, either, or offering cards.

    RN-3.5 a wood for each woodcutter, RN-3.6 a fame for each priest, RN-3.7 one for each Moai; but RN-3.8 one offering
    card for any number of hunters of the sort. The sole majority of at least two earns one more.

    >>> yields(0, (3, 2)), yields(6, (2, 2, 0, 0))
    ([4, 2], [1, 1, 0, 0])
    """
    earned = [min(count, 1) for count in counts] if card >= HUNTER else list(counts)
    bonus = majority(counts)
    if bonus is not None:
        earned[bonus] += 1
    return earned


def values(stone: Sequence[int]) -> Bag:
    """What an offering card of each sort is worth at the end, from the cards on the stone.

    RN-E3 the most offered sort is worth 3, each sort below it 1 less; tied sorts share a value and use up only one.
    AMB-6 a sort never offered is ranked like any other. RN-E4 with nothing on the stone all are worth 0.

    >>> values([3, 3, 3, 3, 1, 1, 1, 1, 0, 0, 2])
    (2, 3, 1, 3)
    """
    if not stone:
        return (0,) * len(OFFERINGS)
    offered = Counter(stone)
    ranked = sorted({offered[sort] for sort in range(len(OFFERINGS))}, reverse=True)
    return tuple(BEST_VALUE - ranked.index(offered[sort]) for sort in range(len(OFFERINGS)))


def open_parts(state: State, seat: int) -> dict[str, int]:
    """The points that everybody can count at any time (AMB-7: wood and fame lie open)."""
    return {
        "fame": state.fame[seat],
        "moai": MOAI_FAME * state.tableaus[seat][MOAI],
        "wood": state.wood[seat] // WOOD_PER_FAME,
    }


def scores(state: State) -> tuple[Score, ...]:
    """RN-E2 fame, 4 for each Moai laid, 1 for every 5 wood, and what the own offering cards are worth."""
    worth = values(state.stone)
    found = []
    for seat, own in enumerate(state.offerings):
        parts = {**open_parts(state, seat), "offerings": sum(n * value for n, value in zip(own, worth, strict=True))}
        found.append(Score(seat, sum(parts.values()), parts))
    return tuple(found)


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """RN-E5 most fame, then more Moais laid, then more wood (AMB-9: all of it); still tied, they share the place."""
    merits = {s.seat: (s.total, state.tableaus[s.seat][MOAI], state.wood[s.seat]) for s in scores(state)}
    places = sorted(set(merits.values()), reverse=True)
    return tuple(tuple(seat for seat, merit in merits.items() if merit == place) for place in places)
