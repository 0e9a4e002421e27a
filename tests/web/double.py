"""A table without a game: views to order, real seats and seals. For states a real table reaches only by long ways."""

from __future__ import annotations

import copy
import io
import secrets
import threading
from collections.abc import Mapping
from typing import Any

from PIL import Image

from companion.dispute import rule_text, search
from companion.seal import commitment as sealed
from web.port import Data, Refused

NAMES = ("Hedwig", "Christian", "Angelika", "Marcel")
HAND = {"green": 5, "red": 4, "yellow": 3, "blue": 2}
ROWS = [
    {"condition": {"colours": ["green", "red"], "wins": "most"}, "effect": {"kind": "gain", "colour": "red"}},
    {"condition": {"colours": ["yellow"], "wins": "fewest"}, "effect": {"kind": "keep_bid"}},
    {
        "condition": {"colours": ["green", "red", "yellow", "blue"], "wins": "most"},
        "effect": {"kind": "others_gain", "colour": "yellow"},
    },
    {"condition": {"colours": ["blue"], "wins": "most"}, "effect": {"kind": "swap_goals"}},
]
GOALS = [
    {"colour": "red", "wins": "most"},
    {"colour": "blue", "wins": "fewest"},
    {"colour": "green", "wins": "most"},
    {"colour": "yellow", "wins": "most"},
]
RULING = {
    "legal": False,
    "rule": "FJ-4a1",
    "says": "A bid is one to four of your own beads, in any mix.",
    "source": {"book": "Fiji, 2F-Spiele 2005", "heading": "a) Bieten"},
    "because": "Hedwig bids 3 blue and has 2.",
}
STORY = [
    {
        "title": "Exchange 1 of 3",
        "items": [
            {"row": 1, "text": "2 and 2 cancel, so the 1 counts and Angelika takes 3 red.", "rule": "FJ-4b4"},
            {"row": 2, "text": "All cancel: nobody keeps the bid.", "rule": "FJ-4b4"},
            {"row": 3, "text": "Marcel bids most: all others take 1 yellow.", "rule": "FJ-X3"},
            {"row": 4, "text": "Marcel swaps two goals.", "rule": "FJ-X6"},
            {"row": None, "text": "All bids go to the supply.", "rule": "FJ-4b5"},
        ],
    }
]


class Double:
    """A `web.port.LiveTable` of four seats, three of which must seal; everything else is written by the test."""

    def __init__(self, seats: int = 4, begun: bool = False) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.count = seats
        self.tokens: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.begun = begun
        self.numbers: dict[int | None, int] = {}
        self.public = 1
        self.round = 1
        self.seals: dict[int, Data] = {}
        self.openings: list[Data] = []
        self.story: list[Data] = []
        self.extra: Data = {}  # laid over every view
        self.own: dict[int, Data] = {}  # laid over one seat's view
        self.acts: list[Data] = []
        self.answers: list[tuple[int, str, str]] = []
        self.ruling: Data = RULING
        self.bids_made = 0
        self.past: list[Data] = []  # what happened, as `history` tells it
        self.more: Data = {}  # laid over every `explain`
        self.proposed: list[tuple[int, int, Any]] = []
        self.votes: list[tuple[int, str, bool]] = []
        self.photos: list[bytes] = []

    # --- the port ------------------------------------------------------------------------------------------------

    def version(self, viewer: int | None) -> int:
        return self.public + self.numbers.get(viewer, 0)

    def wait(self, viewer: int | None, after: int, timeout: float) -> int:
        with self.changed:
            self.changed.wait_for(lambda: self.version(viewer) > after, timeout)
            return self.version(viewer)

    def view(self, viewer: int | None, lang: str) -> Data:
        with self.changed:
            own = self.seals.get(viewer) if viewer is not None else None
            hands: list[Data | None] = [None] * self.count
            if viewer is not None:
                hands[viewer] = dict(HAND)
            view: Data = {
                "table": "tafel",
                "version": self.version(viewer),
                "you": viewer,
                "begun": self.begun,
                "over": False,
                "game": "fiji",
                "seats": [{"seat": s, "name": self.names.get(s), "taken": s in self.names} for s in range(self.count)],
                "seat_range": [2, 5],
                "join_url": "",
                "moment": self.moment if self.begun else None,
                "secret": "bid" if self.begun and viewer is not None else None,
                "attempt": own["attempt"] if own else 0,
                "own_seal": {"do": "bid", "args": own["args"]} if own else None,
                "sealed": [s in self.seals for s in range(self.count)] if self.begun else [],
                "commitments": [o["commitment"] for o in self.openings],
                "openings": self.openings,
                "log_head": f"{self.public:064x}",
                "to_act": list(range(self.count)) if self.begun else [],
                "waiting": "Still to decide: Christian and Marcel." if self.begun else "Waiting for players.",
                "phase": {"code": "bid", "text": "Round 2 · exchange 1 of 3"} if self.begun else None,
                "state": {
                    "round": 2,
                    "exchange": 1,
                    "supply": dict(HAND),
                    "hands": hands,
                    "bids": [None] * self.count,
                    "goals": GOALS,
                    "rows": ROWS,
                    "heads": [3, 2, 1, 0][: self.count],
                }
                if self.begun
                else None,
                "choices": [],
                "story": self.story,
                "scores": [
                    {"seat": s, "total": max(0, 3 - s), "parts": {"heads": max(0, 3 - s)}} for s in range(self.count)
                ],
                "ranking": [],
                "questions": [],
                "sync": {"status": "ok", "text": "The table is as the rules have it.", "differences": []},
                "seen": [{"text": "most green", "zone": "row1.condition", "sure": True}],
                "camera": True,
                "proposal": None,
                "back": None,
            }
            view.update(copy.deepcopy(self.extra))
            if viewer is not None:
                view.update(copy.deepcopy(self.own.get(viewer, {})))
            return view

    def sit(self, seat: int | None, name: str) -> str:
        with self.changed:
            if self.begun:
                raise Refused("already_begun")
            if seat is None or not 0 <= seat < self.count:
                raise Refused("no_such_seat")
            if seat in self.names:
                raise Refused("seat_taken")
            token = secrets.token_urlsafe(32)
            self.tokens[token] = seat
            self.names[seat] = name
            self.tell()
            return token

    def seat_of(self, token: str) -> int | None:
        return self.tokens.get(token)

    def stand_up(self, token: str) -> None:
        with self.changed:
            if self.begun:
                raise Refused("already_begun")
            del self.names[self.tokens.pop(token)]
            self.tell()

    def begin(self, token: str) -> None:
        with self.changed:
            self.begun = True
            self.count = len(self.names)
            self.tell()

    def again(self, token: str) -> None:
        raise Refused("not_now")

    def seal(self, token: str, moment: str, attempt: int, args: Mapping[str, Any], salt: str, commitment: str) -> Data:
        with self.changed:
            self.bids_made += 1
            seat = self.tokens[token]
            old = self.seals.get(seat)
            if moment != self.moment or attempt != (old["attempt"] if old else 0) + 1:
                raise Refused("stale")
            if any(n > HAND[c] for c, n in args["beads"].items()):
                return self.ruling
            made = sealed("tafel", "fiji", moment, seat, attempt, args, bytes.fromhex(salt))
            if made != commitment:
                raise Refused("commitment")
            self.seals[seat] = {
                "moment": moment,
                "seat": seat,
                "attempt": attempt,
                "do": "bid",
                "args": dict(args),
                "salt": salt,
                "commitment": made,
            }
            if len(self.seals) == self.count:
                self.openings = [self.seals[s] for s in sorted(self.seals)]
                self.seals = {}
                self.story = STORY
                self.round += 1
            self.tell(seat if old else None)
            return {"commitment": made, "log_head": "ab" * 32}

    def act(self, token: str, action: Mapping[str, Any], lang: str) -> Data:
        self.acts.append({"by": self.tokens[token], **action})
        return self.ruling

    def ask(self, viewer: int | None, action: Mapping[str, Any], lang: str) -> Data:
        self.acts.append({"asked": True, "by": viewer, **action})
        return self.ruling

    def rules(self, query: str, lang: str) -> list[Data]:
        return search("fiji", query, lang)

    def rule(self, id_: str, lang: str) -> Data:
        found = rule_text("fiji", id_, lang)
        if found is None:
            raise Refused("no_rule")
        return found

    def history(self, viewer: int | None, lang: str) -> list[Data]:
        return copy.deepcopy(self.past)

    def explain(self, viewer: int | None, number: int, lang: str) -> Data:
        found = [entry for entry in self.past if entry["number"] == number and entry["kind"] == "act"]
        if not found:
            raise Refused("stale")
        told = {"ruling": self.ruling, "neighbours": [], "pictures": {}, "instead": [], "enter": None}
        return {**copy.deepcopy(found[0]), **told, **copy.deepcopy(self.more)}

    def try_instead(self, viewer: int, number: int, action: Mapping[str, Any], lang: str) -> Data:
        return self.ruling

    def propose(self, token: str, number: int, action: Mapping[str, Any] | None, lang: str) -> Data:
        self.proposed.append((self.tokens[token], number, action))
        return {"proposed": True}

    def vote(self, token: str, proposal: str, rewind: bool) -> None:
        self.votes.append((self.tokens[token], proposal, rewind))
        self.change(proposal=None)

    def withdraw(self, token: str, proposal: str) -> None:
        self.change(proposal=None)

    def photo(self, token: str, jpeg: bytes, lang: str) -> Data:
        self.photos.append(jpeg)
        return {
            "status": "looking",
            "text": "I see 3 conditions and 4 effects of four each.",
            "differences": [],
            "played": [],
        }

    def answer(self, token: str, question: str, choice: str) -> None:
        self.answers.append((self.tokens[token], question, choice))
        self.change(questions=[])

    def picture(self, name: str) -> tuple[bytes, str]:
        if name != "table":
            raise Refused("no_picture")
        return image((1280, 720), (92, 64, 40)), "image/png"

    def board(self, width: int, height: int) -> bytes:
        return image((width, height), (230, 228, 220))

    # --- for tests -----------------------------------------------------------------------------------------------

    @property
    def moment(self) -> str:
        return f"0.{self.round}.bid"

    def tell(self, seat: int | None = None) -> None:
        if seat is None:
            self.public += 1
        else:
            self.numbers[seat] = self.numbers.get(seat, 0) + 1
        self.changed.notify_all()

    def change(self, seat: int | None = None, **fields: Any) -> None:
        """Lay fields over the views (of one seat, or all) and tell everybody."""
        with self.changed:
            (self.extra if seat is None else self.own.setdefault(seat, {})).update(fields)
            self.tell(seat)

    def seat_all(self) -> list[str]:
        """Four people sit and the game begins; their tokens."""
        tokens = [self.sit(seat, NAMES[seat]) for seat in range(self.count)]
        self.begin(tokens[0])
        return tokens


def image(size: tuple[int, int], colour: tuple[int, int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()
