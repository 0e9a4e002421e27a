""" "That is not what happened": what may be proposed, how many must agree, and what a rewind takes back.

A correction goes back to before the action in question and, where something else happened instead, plays that: both in
one transaction. A secret decision goes back as a whole, so that nobody decides anew who knows how others decided.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from companion.dispute import action_text, deed_name, is_open, may_ask
from companion.evening import Evening, Played, Proposal
from companion.games.game import TABLE, Action, Data, Note
from companion.games.rulebook import Texts

MOST: Final = 120  #: alternatives listed,
MOST_TRIED: Final = 2000  #: … of so many at most


def back_to(evening: Evening, at: int) -> int:
    """The index of the first action that goes when the one at this index is taken back."""
    first = evening.played[at].first
    return at if first is None else first


def came_to_light(evening: Evening, at: int, instead: Action | None) -> bool:
    """Whether something that was hidden has come out since, so that going back needs everybody's consent."""
    for i in range(back_to(evening, at), len(evening.played)):
        one = evening.played[i]
        misread = i == at and instead is not None and instead.by == TABLE == one.action.by
        if not misread and evening.showed(one):
            return True
    return False


def needed(evening: Evening, proposal: Proposal) -> int:
    """How many seats must agree now: most of them, or all when something has come to light, or may by this."""
    count = len(evening.seats)
    return count if why_all(evening, proposal) else count // 2 + 1


def why_all(evening: Evening, proposal: Proposal) -> str:
    """The message that says why all must agree, or ""."""
    at = evening.index(proposal.number)
    assert at is not None
    if came_to_light(evening, at, proposal.action):
        return "vote_all"
    action = proposal.action
    hidden = action is not None and action.by != TABLE and not may_ask(evening, proposal.by, action.by, action.do)
    return "vote_all_hidden" if hidden else ""


def settled(evening: Evening, proposal: Proposal) -> bool | None:
    """True: the game goes back; False: everything stays; None: not decided yet."""
    enough = needed(evening, proposal)
    against = sum(not rewind for rewind in proposal.votes.values())
    if len(proposal.votes) - against >= enough:
        return True
    return False if len(evening.seats) - against < enough else None


def alternatives(evening: Evening, one: Played, viewer: int) -> list[Action]:
    """What else may have happened: the legal actions of that moment, as far as listing them tells nothing.

    Of another seat's deed that was open, those are listed that would be allowed if that seat had plenty of what nobody
    sees. Where the viewer may know what was done, the likest come first; where not, it is listed with the others.
    """
    assert evening.game is not None
    game, known = evening.game, is_open(evening, one, viewer)
    if one.first is not None:
        return []
    found: list[Action] = []
    for by in game.to_act(one.before):
        others = known and by == one.action.by not in (TABLE, viewer) and not evening.over
        state = game.supposed(one.before, one.action) if others else one.before
        covered = state != one.before  # then nothing rests on what that seat really has
        found += [
            action
            for action in islice(game.legal(state, by), MOST_TRIED)
            if action.do not in game.secret
            and (may_ask(evening, viewer, by, action.do) or (covered and _is_open(evening, one, action, viewer)))
        ]
    if known:
        found = [action for action in found if action != one.action]
        found.sort(key=lambda other: _unlike(one.action, other))
    return found[:MOST]


def _is_open(evening: Evening, one: Played, instead: Action, viewer: int) -> bool:
    return is_open(evening, Played(instead, one.before, (), "answer"), viewer)


def _unlike(one: Action, other: Action) -> int:
    """In how much two actions differ: the deed, and each of its arguments."""
    if one.do != other.do or one.by != other.by:
        return 100
    mine, others = one.arguments(), other.arguments()
    return sum(mine[name] != others.get(name) for name in mine)


def told(evening: Evening, viewer: int | None, said: Texts) -> Data | None:
    """The open proposal as this viewer may know it; None when there is none."""
    proposal = evening.proposal
    if proposal is None:
        return None
    at = evening.index(proposal.number)
    assert at is not None
    one, count = evening.played[at], len(evening.seats)
    enough, why = needed(evening, proposal), why_all(evening, proposal)
    return {
        "id": proposal.id,
        "by": proposal.by,
        "number": proposal.number,
        "was": action_text(evening, one, viewer, said),
        "who": "" if one.action.by == TABLE else evening.players[int(one.action.by)],
        "instead": _instead(evening, one, proposal.action, viewer, said),
        "later": len(evening.played) - 1 - at if one.first is None else 0,
        "rule": said.tell(Note(why or "vote_most", {"needed": enough}), evening.players),
        "unanimous": bool(why),
        "needed": enough,
        "votes": [proposal.votes.get(seat) for seat in range(count)],
    }


def _instead(evening: Evening, one: Played, action: Action | None, viewer: int | None, said: Texts) -> str | None:
    assert evening.game is not None
    if action is None:
        return None
    meant = Played(action, one.before, (), "answer")
    if is_open(evening, meant, viewer):
        return said.tell(evening.game.tell(one.before, action), evening.players)
    return deed_name(action, said)
