"""From what is seen to what happened: the legal actions that explain the table, or a question, or what differs.

The referee holds the table against the state. When the table is to act, the game reads the action from what lies
there. When seats are to act, each of their public actions is tried: the one that explains what changed is what
happened; several are a question for the seat; none means the table differs, and it says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.evening import Evening
from companion.games.game import TABLE, Action, Note
from companion.games.tabletop import Difference, Option, Seen, Tabletop


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee makes of one look at the table.

    `status` is "ok", "looking" (something is still missing or under way), "acts" (`action` happened),
    "asks" (`question` with `options`, for `seats`, or for anybody when empty) or "differs".
    """

    status: str
    action: Action | None = None
    question: Note | None = None
    options: tuple[Option, ...] = ()
    seats: tuple[int, ...] = ()
    note: Note | None = None
    differences: tuple[Difference, ...] = ()


def consider(evening: Evening, tabletop: Tabletop[Any], seen: Seen) -> Verdict:
    """The verdict on one look at the table; changes nothing."""
    assert evening.game is not None
    if evening.table_due():
        reading = tabletop.read(evening.state, seen, [p.action for p in evening.played])
        if reading.action is not None:
            return Verdict("acts", action=reading.action)
        if reading.options:
            return Verdict("asks", question=reading.question, options=reading.options)
        return Verdict("looking", note=reading.waiting)
    differences = tabletop.differences(evening.state, seen)
    if not differences:
        return Verdict("ok")
    explained = _explanations(evening, tabletop, seen, differences)
    if len(explained) == 1:
        return Verdict("acts", action=explained[0])
    if explained:
        seats = tuple(sorted({a.by for a in explained if isinstance(a.by, int)}))
        options = tuple(Option(evening.game.tell(action), action) for action in explained)
        return Verdict("asks", question=Note("ask_which"), options=options, seats=seats)
    return _laid_anew(evening, tabletop, seen) or Verdict("differs", differences=differences)


def _explanations(
    evening: Evening, tabletop: Tabletop[Any], seen: Seen, differences: Sequence[Difference]
) -> list[Action]:
    """Public actions after which fewer cards lie wrong than now, the best only.

    Counts are left out: beads are still on their way when a card has been turned.
    """
    wrong = _cards(differences)
    if not wrong:
        return []
    left: dict[Action, int] = {}
    for action in _public(evening):
        still = _cards(tabletop.differences(tabletop.just_after(evening.state, action), seen))
        if len(still) < len(wrong):
            left[action] = len(still)
    return [action for action, count in left.items() if count == min(left.values())]


def _public(evening: Evening) -> Iterator[Action]:
    assert evening.game is not None
    for seat in evening.game.to_act(evening.state):
        for action in evening.game.legal(evening.state, seat):
            if action.do not in evening.game.secret:
                yield action


def _laid_anew(evening: Evening, tabletop: Tabletop[Any], seen: Seen) -> Verdict | None:
    """A question when the newest action was the table's and the table now says another: it may have been misread,
    or laid anew before anybody did anything."""
    assert evening.game is not None
    if not evening.played or evening.played[-1].action.by != TABLE:
        return None
    index = len(evening.played) - 1
    past = [p.action for p in evening.played[:index]]
    again = tabletop.read(evening.played[index].before, seen, past).action
    if again is None or again == evening.played[index].action:
        return None
    options = (Option(Note("answer_relay"), again, instead_of=index), Option(Note("answer_keep"), None))
    return Verdict("asks", question=Note("ask_relay"), options=options)


def _cards(differences: Sequence[Difference]) -> list[Difference]:
    return [d for d in differences if d.kind == "card"]
