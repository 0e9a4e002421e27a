"""What people look up when they disagree: rules with their neighbours, rulings, and what happened since the beginning.

Everything here is told as one viewer may know it: sealed and hidden deeds without what was chosen, and what was open
for a moment only while it is fresh. When a game is over, all of it is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Final
from unicodedata import combining, normalize

from companion.evening import Evening, Pictures, Played, Rewound
from companion.evidence import Evidence, NoEvidence
from companion.games.game import TABLE, Action, Data, Note, Ruling, game
from companion.games.rulebook import Rule, Texts

ALIKE: Final = 0.72  #: words less alike than this are not one word misspelt,
ALIKE_SHORT: Final = 0.66  #: … nor those of fewer letters than
SHORT: Final = 5  #: … this that are less alike than that
PART: Final = 0.85  #: what a word counts that stands for the beginning or an inner part of another
SHORTEST_PART: Final = 3  #: letters of such a part
LOOKED_AT: Final = frozenset({"camera", "answer"})  #: causes of which an action's own picture shows the table after it


# --- rules ---------------------------------------------------------------------------------------------------------


def rule_text(game_name: str, id_: str, lang: str) -> Data | None:
    """A rule with its neighbours: the rules before and after it, and all under the same heading, in the book's order.

    >>> [n["id"] for n in rule_text("fiji", "FJ-4a2", "en")["neighbours"]]
    ['FJ-4a1', 'FJ-4b1', 'FJ-A3', 'FJ-A6']
    """
    rules = game(game_name).rulebook.texts(lang).rules
    if id_ not in rules:
        return None
    order, rule = list(rules.values()), rules[id_]
    at = order.index(rule)
    near = [
        other
        for i, other in enumerate(order)
        if other is not rule and (abs(i - at) == 1 or (other.heading == rule.heading and other.book == rule.book))
    ]
    return {**_rule(rule), "neighbours": [_rule(other) for other in near]}


def _rule(rule: Rule) -> Data:
    return {"id": rule.id, "text": rule.text, "book": rule.book, "heading": rule.heading, "note": rule.note}


def search(game_name: str, query: str, lang: str) -> list[Data]:
    """The rules in which the words of the query stand, the best first; words may be misspelt. All rules for none.

    >>> [rule["id"] for rule in search("fiji", "equel bidds cancle", "en")][0]
    'FJ-4b4'
    """
    return [_rule(rule) for rule in _index(game_name, lang).find(query)]


@dataclass(frozen=True, slots=True)
class _Index:
    """Which words stand in which rules."""

    rules: tuple[Rule, ...]
    words: Mapping[str, frozenset[int]]

    def find(self, query: str) -> list[Rule]:
        wanted = _words(query)
        if not wanted:
            return list(self.rules)
        found: dict[int, float] = dict.fromkeys(range(len(self.rules)), 0.0)
        for word in wanted:
            for at, value in self._values(word).items():
                found[at] += value
        best = max(found.values())
        hits = [at for at, value in found.items() if value > 0 and value >= best / 2]
        return [self.rules[at] for at in sorted(hits, key=lambda at: -found[at])]

    def _values(self, word: str) -> dict[int, float]:
        """For each rule that has this word, or one like it, how much that says: rare words say more."""
        values: dict[int, float] = {}
        for known, likeness in self._like(word).items():
            holders = self.words[known]
            for at in holders:
                values[at] = max(values.get(at, 0.0), likeness * (1 + len(self.rules) / len(holders)) ** 0.5)
        return values

    def _like(self, word: str) -> dict[str, float]:
        if word in self.words:
            return {word: 1.0, **self._parts(word)}
        parts = self._parts(word)
        if parts:
            return parts
        least = ALIKE if len(word) >= SHORT else ALIKE_SHORT
        return dict.fromkeys(get_close_matches(word, self.words, n=5, cutoff=least), least)

    def _parts(self, word: str) -> dict[str, float]:
        if len(word) < SHORTEST_PART:
            return {}
        return {known: PART for known in self.words if word in known and word != known}


@cache
def _index(game_name: str, lang: str) -> _Index:
    rules = tuple(game(game_name).rulebook.texts(lang).rules.values())
    words: dict[str, set[int]] = {}
    for at, rule in enumerate(rules):
        for word in _words(f"{rule.id} {rule.heading} {rule.text} {rule.note}"):
            words.setdefault(word, set()).add(at)
    return _Index(rules, {word: frozenset(at) for word, at in words.items()})


def _words(text: str) -> list[str]:
    """The words of a text without case, accents and signs; a rule's id is one word.

    >>> _words("FJ-4a1: die Auswirkungskärtchen")
    ['fj-4a1', 'die', 'auswirkungskartchen']
    """
    bare = "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
    words = "".join(c if c.isalnum() or c in "-." else " " for c in bare).split()
    return [word.strip("-.") for word in words if word.strip("-.")]


# --- rulings -------------------------------------------------------------------------------------------------------


def may_ask(evening: Evening, viewer: int | None, by: object, deed: object) -> bool:
    """Whether an answer about this deed tells this viewer nothing that only another seat may know."""
    assert evening.game is not None
    return evening.over or (viewer is not None and by == viewer) or deed in evening.game.asked


def ruling(evening: Evening, state: Any, action: Action, viewer: int | None) -> tuple[Ruling, bool]:
    """The ruling on an action as this viewer may be told, and whether it supposes what only that seat may know."""
    assert evening.game is not None
    if may_ask(evening, viewer, action.by, action.do):
        return evening.game.verify(state, action), False
    return evening.game.verify(evening.game.supposed(state, action), action), True


def is_open(evening: Evening, one: Played, viewer: int | None) -> bool:
    """Whether this viewer may be told what was chosen in an action."""
    assert evening.game is not None
    if evening.over:
        return True
    if one.first is not None:
        return one.action.do in evening.game.revealed and _fresh(evening, one)
    return bool(evening.game.view_action(one.before, one.action, viewer) == one.action.data())


def judgement(evening: Evening, one: Played, viewer: int | None, said: Texts, lang: str) -> Data | None:
    """The ruling on an action as it stood when it was played; None when what was chosen may not be told.

    Where it may rest on what only another seat knows, that is supposed.
    """
    assert evening.game is not None
    if not is_open(evening, one, viewer):
        return None
    ruled, _ = ruling(evening, one.before, one.action, viewer)
    return evening.game.rulebook.ruling(ruled, evening.players, lang)


# --- what happened -------------------------------------------------------------------------------------------------


def history(evening: Evening, viewer: int | None, said: Texts) -> list[Data]:
    """All of the present game, the newest first, as this viewer may know it.

    Each is {"kind": "act", "number", "seat" (null: the table), "who" (a name or ""), "text", "at", "cause", "phase",
    "standing", "effects": [{"text", "rule"}]} or {"kind": "rewind", "number", "text", "at", "who", "seen": [texts]}.
    """
    return [
        _told_back(evening, one, viewer, said) if isinstance(one, Rewound) else told_action(evening, one, viewer, said)
        for one in reversed(evening.trail)
    ]


def told_action(evening: Evening, one: Played, viewer: int | None, said: Texts) -> Data:
    """One action as a line of the history."""
    assert evening.game is not None
    players, by = evening.players, one.action.by
    may = one.effects if evening.over else evening.game.view_effects(one.effects, viewer)
    shown = [e for e in may if not e.memory or _fresh(evening, one)]
    return {
        "kind": "act",
        "number": one.number,
        "seat": None if by == TABLE else by,
        "who": "" if by == TABLE else players[int(by)],
        "text": action_text(evening, one, viewer, said),
        "at": one.at,
        "cause": one.cause,
        "phase": said.tell(evening.game.phase(one.before), players),
        "standing": not one.taken_back,
        "effects": [{"text": said.tell(e.note, players), "rule": e.rule} for e in shown],
    }


def action_text(evening: Evening, one: Played, viewer: int | None, said: Texts) -> str:
    """An action in words; only the deed's name where what was chosen may not be told."""
    assert evening.game is not None
    if is_open(evening, one, viewer):
        return said.tell(evening.game.tell(one.before, one.action), evening.players)
    return deed_name(one.action, said)


def deed_name(action: Action, said: Texts) -> str:
    return said.words.get(action.do, action.do)


def _told_back(evening: Evening, mark: Rewound, viewer: int | None, said: Texts) -> Data:
    """What was taken back, and what of it has been seen: the texts of those actions, as this viewer may be told."""
    who = "" if mark.by is None else evening.players[mark.by]
    shown = [one for one in evening.trail if isinstance(one, Played) and one.number in mark.shown]
    seen = [action_text(evening, one, viewer, said) for one in shown]
    text = back_text(mark, said)
    return {"kind": "rewind", "number": mark.number, "text": text, "at": mark.at, "who": who, "seen": seen}


def back_text(mark: Rewound, said: Texts) -> str:
    """What people do now that something was taken back."""
    return said.tell(Note("back_laid" if mark.laid else "back_seen" if mark.seen else "back_plain"), ())


def _fresh(evening: Evening, one: Played) -> bool:
    at = evening.index(one.number)
    return evening.over or (at is not None and evening.fresh(at))


# --- its pictures --------------------------------------------------------------------------------------------------


def pictures(evening: Evening, one: Played) -> dict[str, Pictures]:
    """The settled tables "before" and "after" an action, as far as they were kept and may still be shown.

    Older ones show what is a matter of memory now, where a game has such things.
    """
    assert evening.game is not None
    game, at = evening.game, evening.index(one.number)
    if at is None or not (game.pictured or _fresh(evening, one)):
        return {}
    past = evening.played[at - 1] if at else None
    before: Pictures | None = None
    if past is not None and _before_may_be_shown(evening, one, past):
        before = past.settled or (past.pictures if past.cause in LOOKED_AT else None)
    own = one.pictures
    if one.cause not in LOOKED_AT and own is not None and _before_may_be_shown(evening, one, one):
        before = own
    after = one.settled or (own if one.cause in LOOKED_AT else None)
    return {name: kept for name, kept in (("before", before), ("after", after)) if kept is not None}


def _before_may_be_shown(evening: Evening, one: Played, taken_with: Played) -> bool:
    """Whether the table before a fresh action may be shown, in a picture that was taken with the one or the last."""
    assert evening.game is not None
    if evening.over or evening.game.pictured:
        return True
    if evening.game.retold:  # what lay there before a chapter began was another one's
        return _fresh(evening, taken_with)
    return not evening.game.covers(one.before, evening.state)


def marks(evidence: Evidence, kept: Pictures) -> Data:
    """What was recognised in a picture: {"size", "marks": [{"name", "sure", "corners" or "at" and "radius"}]}, in its
    pixels; empty when it is gone."""
    try:
        drawn: dict[str, Any] = json.loads(evidence.get(kept["marks"]))
    except (NoEvidence, ValueError):
        return {"size": [0, 0], "marks": []}
    sure = [{**one, "sure": True} for one in (*drawn["components"], *drawn["things"])]
    unsure = [
        {"name": "? " + " / ".join(one["names"]), "sure": False, **{k: v for k, v in one.items() if k != "names"}}
        for one in drawn["unsure"]
    ]
    return {"size": drawn["size"], "marks": sure + unsure}
