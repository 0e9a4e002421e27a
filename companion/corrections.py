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

MOST: Final = 24  #: alternatives listed


def back_to(evening: Evening, at: int) -> int:
    """The index of the first action that goes when the one at this index is taken back."""
    first = evening.played[at].first
    return at if first is None else first


def came_to_light(evening: Evening, at: int, instead: Action | None) -> bool:
    """Whether something that was hidden has come out since, so that going back needs everybody's consent."""
    for i in range(back_to(evening, at), len(evening.played)):
        one = evening.played[i]
        misread = i == at and instead is not None and instead.by == TABLE == one.action.by
        if not misread and _shows(evening, one):
            return True
    return False


def _shows(evening: Evening, one: Played) -> bool:
    """Whether this action laid new things, opened sealed ones, or told what was hidden."""
    assert evening.game is not None
    if one.action.by == TABLE or one.first is not None:
        return True
    codes = evening.game.shows
    return any(
        e.seats is not None or (e.memory if codes is None else e.note.code in codes)
        for e in evening.game.view_effects(one.effects, None) + [e for e in one.effects if e.seats is not None]
    )


def needed(evening: Evening, proposal: Proposal) -> int:
    """How many seats must agree now: most of them, or all when something has come to light."""
    at = evening.index(proposal.number)
    assert at is not None
    count = len(evening.seats)
    return count if came_to_light(evening, at, proposal.action) else count // 2 + 1


def settled(evening: Evening, proposal: Proposal) -> bool | None:
    """True: the game goes back; False: everything stays; None: not decided yet."""
    enough = needed(evening, proposal)
    against = sum(not rewind for rewind in proposal.votes.values())
    if len(proposal.votes) - against >= enough:
        return True
    return False if len(evening.seats) - against < enough else None


def alternatives(evening: Evening, one: Played, viewer: int) -> list[Action]:
    """What else may have happened: the legal actions of that moment, as far as listing them tells nothing."""
    assert evening.game is not None
    game = evening.game
    if one.first is not None:
        return []
    return [
        action
        for by in game.to_act(one.before)
        for action in islice(game.legal(one.before, by), MOST)
        if action != one.action and action.do not in game.secret and may_ask(evening, viewer, by, action.do)
    ][:MOST]


def told(evening: Evening, viewer: int | None, said: Texts) -> Data | None:
    """The open proposal as this viewer may know it; None when there is none."""
    proposal = evening.proposal
    if proposal is None:
        return None
    at = evening.index(proposal.number)
    assert at is not None
    one, count = evening.played[at], len(evening.seats)
    enough = needed(evening, proposal)
    return {
        "id": proposal.id,
        "by": proposal.by,
        "number": proposal.number,
        "was": action_text(evening, one, viewer, said),
        "who": "" if one.action.by == TABLE else evening.players[int(one.action.by)],
        "instead": _instead(evening, one, proposal.action, viewer, said),
        "later": len(evening.played) - 1 - at if one.first is None else 0,
        "rule": said.tell(Note("vote_all" if enough == count else "vote_most", {"needed": enough}), evening.players),
        "unanimous": came_to_light(evening, at, proposal.action),
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
