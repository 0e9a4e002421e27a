"""What one viewer is shown of a live table, as `web.port.LiveTable.view` describes it; built from nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from companion import corrections
from companion.dispute import back_text
from companion.evening import Evening, Played, Rewound
from companion.games.game import Note
from companion.games.rulebook import Texts
from companion.referee import Verdict
from companion.seal import Seal
from companion.sentences import texts

if TYPE_CHECKING:
    from companion.table import Table

Data = dict[str, Any]


def view(table: Table, viewer: int | None, lang: str) -> Data:
    """All that a page shows this viewer."""
    evening = table.evening
    assert evening.game is not None
    said = texts(lang, evening.game.name)
    return {
        "table": table.name,
        "version": table.version(viewer),
        "you": viewer,
        "game": evening.game.name,
        "begun": evening.begun,
        "over": evening.over,
        "seats": _seats(table),
        "seat_range": [evening.game.seats.start, evening.game.seats.stop - 1],
        "join_url": table.join_url,
        "camera": table.camera,
        "log_head": evening.head,
        "sync": _sync(table, said),
        "questions": _questions(table, viewer, said),
        "proposal": corrections.told(evening, viewer, said),
        "back": _back(evening, said),
        **_sealing(table, viewer),
        **_playing(evening, viewer, said, table.camera),
        "seen": _seen(table, said),
    }


def _seats(table: Table) -> list[Data]:
    evening = table.evening
    count = len(evening.seats) if evening.begun else table.most_seats
    names = {seat: who.name for seat, who in evening.seats.items()}
    return [{"seat": seat, "name": names.get(seat), "taken": seat in names} for seat in range(count)]


def _sealing(table: Table, viewer: int | None) -> Data:
    """Of sealed decisions: everybody may know who has sealed, and the commitments once nobody can change his."""
    evening = table.evening
    due = evening.to_seal()
    own = evening.seals.get(viewer) if viewer is not None else None
    return {
        "moment": evening.moment(),
        "secret": evening.secret_deed() if viewer in due else None,
        "attempt": own.attempt if own else 0,
        "own_seal": {"do": own.do, "args": dict(own.arguments)} if own else None,
        "sealed": [seat in evening.seals for seat in range(len(evening.seats))] if due else [],
        "commitments": [seal.commitment for seal in _shown(evening)],
        "openings": [seal.opening() for seal in evening.openings],
    }


def _shown(evening: Evening) -> list[Seal]:
    """Seals whose commitments everybody sees: all of them once the moment is closed, then those that are open."""
    return [evening.seals[seat] for seat in sorted(evening.seals)] if evening.closed else list(evening.openings)


def _playing(evening: Evening, viewer: int | None, said: Texts, camera: bool) -> Data:
    """Of the game itself; nothing before it has begun."""
    if not evening.begun:
        enough = evening.game is not None and len(evening.seats) in evening.game.seats
        waiting = said.tell(Note("waiting_begin" if enough else "waiting_lobby"), evening.players)
        return {
            "to_act": [], "waiting": waiting, "phase": None, "state": None, "choices": [], "story": [],
            "scores": [], "ranking": [],
        }  # fmt: skip
    game = evening.game
    assert game is not None
    text, short = said.headline(game.phase(evening.state), evening.players)
    return {
        "to_act": list(game.to_act(evening.state)),
        "waiting": said.tell(_waiting(evening, camera), evening.players),
        "phase": {"code": game.due(evening.state), "text": text, "short": short},
        "state": game.view(evening.state, viewer),
        "choices": _choices(evening, viewer, said),
        "story": _story(evening, viewer, said),
        "scores": [score.data() for score in game.scores(evening.state)] if game.open_scores or evening.over else [],
        "ranking": [list(place) for place in game.ranking(evening.state)] if evening.over else [],
    }


def _waiting(evening: Evening, camera: bool) -> Note:
    """Who or what the table waits for."""
    assert evening.game is not None
    if evening.over:
        return Note("waiting_over")
    if evening.table_due():
        return Note("waiting_table" if camera else "waiting_hands")
    if evening.closed:
        return Note("waiting_closed")
    seats = [seat for seat in evening.game.to_act(evening.state) if seat not in evening.seals]
    return Note("waiting_seal" if evening.secret_deed() else "waiting_seat", {"seats": seats})


def _choices(evening: Evening, viewer: int | None, said: Texts) -> list[Data]:
    """The viewer's public actions, when there are few of them."""
    game = evening.game
    assert game is not None
    if viewer is None or viewer not in game.to_act(evening.state) or evening.secret_deed():
        return []
    actions = list(islice(game.legal(evening.state, viewer), game.most_choices + 1))
    if len(actions) > game.most_choices:
        return []
    return [
        {"action": action.data(), "text": said.tell(game.tell(evening.state, action), evening.players)}
        for action in actions
    ]


def _story(evening: Evening, viewer: int | None, said: Texts) -> list[Data]:
    """What happened in the newest chapter, as this viewer may be told."""
    chapter = evening.chapter()
    if not chapter or evening.game is None:
        return []
    items = [item for one in chapter for item in _items(evening, one, viewer, said)]
    return [{"title": said.tell(evening.game.phase(chapter[0].before), evening.players), "items": items}]


def _back(evening: Evening, said: Texts) -> str | None:
    """After a rewind, until something new is played: what people do now."""
    for one in reversed(evening.trail):
        if isinstance(one, Rewound):
            return back_text(one, said)
        if one.cause != "answer":  # what was played instead comes right after it
            return None
    return None


def _items(evening: Evening, one: Played, viewer: int | None, said: Texts) -> list[Data]:
    assert evening.game is not None
    at = evening.index(one.number)
    fresh = at is not None and evening.fresh(at)
    told = evening.game.view_effects(one.effects, viewer)
    return [
        {
            "row": e.note.facts.get("row"),
            "text": said.tell(e.note, evening.players),
            "rule": e.rule,
            "own": e.seats is not None,
        }
        for e in told
        if fresh or not e.memory
    ]


def _sync(table: Table, said: Texts) -> Data:
    """How the table lies, against the rules."""
    if not table.camera:
        text = said.tell(Note("sync_no_camera"), table.evening.players)
        return {"status": "no_camera", "text": text, "differences": []}
    if table.blind is not None:
        return {"status": "looking", "text": said.tell(table.blind, table.evening.players), "differences": []}
    return lying(table.verdict, said, table.evening.players)


def lying(verdict: Verdict | None, said: Texts, players: Sequence[str]) -> Data:
    """A verdict for people: {"status": "ok" | "differs" | "looking", "text", "differences"}."""
    if verdict is None or verdict.status in ("looking", "acts"):
        text = said.tell((verdict and verdict.note) or Note("sync_looking"), players)
        return {"status": "looking", "text": text, "differences": []}
    differences = [{"text": said.tell(d.note, players), "where": d.zone} for d in verdict.differences]
    if verdict.status == "asks":
        return {"status": "looking", "text": said.tell(Note("sync_question"), players), "differences": differences}
    if verdict.status == "ok":
        return {"status": "ok", "text": said.tell(Note("sync_ok"), players), "differences": []}
    only_counts = all(d.kind == "count" for d in verdict.differences)
    text = said.tell(Note("sync_catching_up" if only_counts else "sync_differs"), players)
    return {"status": "differs", "text": text, "differences": differences}


def _questions(table: Table, viewer: int | None, said: Texts) -> list[Data]:
    asked = table.asked(viewer)
    if asked is None or asked.question is None:
        return []
    players = table.evening.players
    choices = [{"id": str(i), "text": said.tell(option.note, players)} for i, option in enumerate(asked.options)]
    text = said.tell(asked.question, players)
    return [{"id": question_id(asked), "text": text, "choices": choices, "picture": "table"}]


def question_id(verdict: Verdict) -> str:
    """The same for the same question, so that a late answer cannot settle another one."""
    vouched = [option.vouched for option in verdict.options if option.vouched]
    return hashlib.sha256(repr((verdict.question, verdict.options, *vouched)).encode()).hexdigest()[:12]


def _seen(table: Table, said: Texts) -> list[Data]:
    """What the camera recognised of cards, for people: only of those that lie openly, none behind a screen."""
    evening = table.evening
    if table.seen is None or evening.game is None:
        return []
    return [
        {"text": said.tell(table.tabletop.name(card.meaning), evening.players) if card.sure else "?", "sure": card.sure}
        for card in table.seen.cards
        if table.tabletop.area.holds(card.x, card.y)
    ]
