"""The table as a court: people ask what is allowed, look up what happened, and correct it together.

Proposals and votes go through the log, so a crash loses none. No view and no answer here tells a seat or a spectator
what it may not know; `companion.dispute` says what that is.
"""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from companion import corrections, dispute
from companion.evening import Evening, Played, Proposal
from companion.evidence import NoEvidence
from companion.games.game import TABLE, Action, Game, Ruling
from companion.log import Draft
from companion.sentences import texts
from web.port import Data, Refused

if TYPE_CHECKING:
    from companion.witness import Witness


PICTURE: Final = re.compile(r"(?P<side>before|after)-(?P<number>[0-9]{1,9})")  #: what pictures are asked for by


class Court(ABC):
    """What a live table does about disputes. Safe to call from many threads, like the rest of it."""

    evening: Evening
    witness: Witness | None
    _changed: threading.Condition

    @abstractmethod
    def _game(self) -> Game[Any, Any]: ...

    @abstractmethod
    def _seated(self, token: str) -> int: ...

    @abstractmethod
    def _read(self, data: Mapping[str, Any], state: Any = None) -> Action: ...

    @abstractmethod
    def _write(self, *drafts: Draft) -> None: ...

    @abstractmethod
    def _entry(self, state: Any, action: Action, cause: str) -> Draft: ...

    @abstractmethod
    def _wait_no_longer(self) -> None: ...

    def ask(self, viewer: int | None, action: Mapping[str, Any], lang: str) -> Data:
        """Is this allowed now? The ruling with the rule's neighbours; changes nothing.

        Where it may rest on what only another seat knows, the answer supposes that this seat has what it takes; then
        `supposed` is true.
        """
        with self._changed:
            if not self.evening.begun:
                raise Refused("not_now")
            by = action.get("by", viewer)
            meant = self._read({**action, "by": by})
            ruling, supposed = dispute.ruling(self.evening, self.evening.state, meant, viewer)
            return {**self._ruled(ruling, lang), "supposed": supposed}

    def rules(self, query: str, lang: str) -> list[Data]:
        return dispute.search(self._game().name, query, lang)

    def rule(self, id_: str, lang: str) -> Data:
        found = dispute.rule_text(self._game().name, id_, lang)
        if found is None:
            raise Refused("no_rule")
        return found

    def history(self, viewer: int | None, lang: str) -> list[Data]:
        with self._changed:
            return dispute.history(self.evening, viewer, texts(lang, self._game().name)) if self.evening.begun else []

    def explain(self, viewer: int | None, number: int, lang: str) -> Data:
        """One action of the history with its ruling, its pictures and what a seat may propose instead of it."""
        with self._changed:
            evening, said = self.evening, texts(lang, self._game().name)
            one = self._past(number)
            standing = evening.index(number) is not None
            others = corrections.alternatives(evening, one, viewer) if viewer is not None and standing else []
            told = {
                **dispute.told_action(evening, one, viewer, said),
                "ruling": dispute.judgement(evening, one, viewer, said, lang),
                "pictures": self._pictures_of(one),
                "instead": [
                    {"action": a.data(), "text": said.tell(self._game().tell(one.before, a), evening.players)}
                    for a in others
                ],
                "enter": one.action.do if one.action.by == TABLE else None,
                "laid": one.action.data() if one.action.by == TABLE and dispute.is_open(evening, one, viewer) else None,
            }
            rule = told["ruling"]["rule"] if told["ruling"] else None
            told["neighbours"] = self.rule(rule, lang)["neighbours"] if rule else []
            return told

    def try_instead(self, viewer: int, number: int, action: Mapping[str, Any], lang: str) -> Data:
        """Would this have been allowed in place of that action? Its ruling."""
        with self._changed:
            one = self._standing(number)
            ruling, supposed = dispute.ruling(self.evening, one.before, self._meant(viewer, one, action), viewer)
            return {**self._ruled(ruling, lang), "supposed": supposed}

    def propose(self, token: str, number: int, action: Mapping[str, Any] | None, lang: str) -> Data:
        """Say that an action did not happen like that, and what did (None: nothing did); the others decide.

        The ruling when what is said to have happened is not allowed, else {"proposed": true}.
        """
        with self._changed:
            seat = self._seated(token)
            one = self._standing(number)
            meant = None if action is None else self._meant(seat, one, action)
            refused = self._propose(seat, number, meant)
            return {"proposed": True} if refused is None else self._ruled(refused, lang)

    def _propose(self, seat: int, number: int, meant: Action | None) -> Ruling | None:
        """Write a proposal down; the ruling instead where what is said to have happened is not allowed."""
        one = self._standing(number)
        if self.evening.proposal is not None:
            raise Refused("proposal_open")
        body: Data = {"by": seat, "number": number}
        if meant is None:
            self._write(("propose", {**body, "action": None}))
            return None
        ruling, _ = dispute.ruling(self.evening, one.before, meant, seat)
        if not ruling.legal:
            return ruling
        _, entry, *secret = self._entry(one.before, meant, "answer")
        self._write(("propose", {**entry, **body}, *secret))
        return None

    def vote(self, token: str, proposal: str, rewind: bool) -> None:
        """Agree to a proposal or be against it; one's mind may be changed until it is settled."""
        with self._changed:
            seat = self._seated(token)
            found = self._proposal(proposal)
            self._write(("vote", {"by": seat, "rewind": rewind}))
            self._settle_proposal(found.id)

    def withdraw(self, token: str, proposal: str) -> None:
        """Take one's proposal back."""
        with self._changed:
            if self._proposal(proposal).by != self._seated(token):
                raise Refused("not_now")
            self._write(("keep", {"withdrawn": True}))

    def _settle_proposal(self, id_: str) -> None:
        """Carry out what has been decided, if it has: one transaction."""
        proposal = self.evening.proposal
        if proposal is None or proposal.id != id_:
            return
        outcome = corrections.settled(self.evening, proposal)
        if outcome is None:
            return
        at = self.evening.index(proposal.number)
        assert at is not None
        instead, before = proposal.action, self.evening.played[at].before
        if not outcome or (instead is not None and not self._game().can(before, instead)):
            self._write(("keep", {"withdrawn": False}))  # also what that seat, as it turns out, did not have
            return
        to = corrections.back_to(self.evening, at)
        seen = corrections.came_to_light(self.evening, at, proposal.action)
        drafts: list[Draft] = [("rewind", {"to": to, "by": proposal.by, "seen": seen})]
        if instead is not None:
            drafts.append(self._entry(before, instead, "answer"))
        self._wait_no_longer()
        self._write(*drafts)

    def _proposal(self, id_: str) -> Proposal:
        found = self.evening.proposal
        if found is None or found.id != id_:
            raise Refused("stale")
        return found

    def _past(self, number: int) -> Played:
        """The action of this number, standing or taken back."""
        for one in self.evening.trail:
            if isinstance(one, Played) and one.number == number:
                return one
        raise Refused("stale")

    def _standing(self, number: int) -> Played:
        at = self.evening.index(number)
        if at is None:
            raise Refused("stale")
        return self.evening.played[at]

    def _meant(self, seat: int, one: Played, action: Mapping[str, Any]) -> Action:
        """What is said to have happened instead, by the same actor if none is named. May be Refused."""
        by = action.get("by", one.action.by)
        if one.first is not None:
            raise Refused("sealed_deed")
        meant = self._read({**action, "by": by}, one.before)
        if meant.do in self._game().secret:
            raise Refused("sealed_deed")
        if by == TABLE or dispute.may_ask(self.evening, seat, by, meant.do):
            return meant
        if not all(dispute.is_open(self.evening, each, seat) for each in (one, replace(one, action=meant))):
            raise Refused("hidden")
        return meant

    def _ruled(self, ruling: Ruling, lang: str) -> Data:
        told = self._game().rulebook.ruling(ruling, self.evening.players, lang)
        return {**told, "neighbours": self.rule(ruling.rule, lang)["neighbours"]}

    def _pictures_of(self, one: Played) -> Data:
        """The pictures before and after, by name, with what was recognised."""
        if self.witness is None:
            return {}
        evidence = self.witness.evidence
        return {
            side: {"name": f"{side}-{one.number}", **dispute.marks(evidence, kept)}
            for side, kept in dispute.pictures(self.evening, one).items()
        }

    def _kept_picture(self, name: str) -> tuple[bytes, str]:
        """A picture kept with an action ("before-7"), while it may be shown."""
        meant = PICTURE.fullmatch(name)
        if self.witness is None or not self.evening.begun or meant is None:
            raise Refused("no_picture")
        kept = dispute.pictures(self.evening, self._past(int(meant["number"]))).get(meant["side"])
        if kept is None:
            raise Refused("no_picture")
        try:
            return self.witness.evidence.get(kept["whole"]), "image/jpeg"
        except NoEvidence as error:
            raise Refused("no_picture") from error
