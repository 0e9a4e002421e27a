"""What the pages need of a live table. The pages know this and nothing else: views, never states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Data = dict[str, Any]


class Refused(Exception):
    """A request the table does not take; `code` names a sentence of the pages, `facts` fill its blanks.

    Codes: `seat_taken`, `no_such_seat`, `not_seated`, `already_begun`, `too_few_players`, `not_now`, `sealed_all`
    (all have sealed, the bids are open), `commitment` (the commitment does not match), `stale` (the attempt or
    moment is an old one; ask for the view again), `unknown_question`, `no_picture`, `name`,
    `malformed` (an action that cannot be read), `hidden` (the answer would tell what only a seat knows), `no_rule`,
    `proposal_open` (another one waits for votes), `sealed_deed` (it can be taken back, not replaced), `no_deck`,
    `photo_unread`, `photo_size`, `photo_kind` (of a photo sent by a phone).
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class LiveTable(Protocol):
    """A running table. Every method is safe to call from many threads; what it returns is JSON-able.

    A change that cannot be written down (the disk is full) raises OSError and has not been made.
    """

    def version(self, viewer: int | None) -> int:
        """Grows with everything that changes this viewer's view, and with nothing else (a tick would tell)."""

    def wait(self, viewer: int | None, after: int, timeout: float) -> int:
        """The version as soon as it is greater than `after`, or after `timeout` seconds whatever it is then."""

    def view(self, viewer: int | None, lang: str) -> Data:
        """All that a page shows this viewer (a seat, or None for a spectator), built from what it may know:

        table      the table's short id, part of every commitment; public
        version    int
        you        the viewer's seat or null
        begun      whether the game has begun; over: whether it has ended
        game       "fiji"
        seats      [{"seat": 0, "name": "Hedwig" | null, "taken": bool}]  (all seats the game allows before it begins)
        seat_range [2, 5]: how many may play
        moment     a string that names the present secret decision ("1.2.bid"), or null when none is due
        secret     the deed to seal now ("bid", "set_aside") if it is this viewer's turn to seal, else null
        attempt    how often this seat has sealed at this moment (0: not yet); 0 for a spectator
        own_seal   {"do", "args"} what this seat has sealed and the rest may not see, else null
        sealed     [bool per seat]  who has sealed at this moment (nothing of what, when or how often)
        commitments [hex per seat] once all have sealed (a commitment that changes would tell), until then [];
                   they stand alone for a moment, nothing can be changed any more, before the openings come
        openings   after the opening, per seat {"moment", "seat", "attempt", "do", "args", "salt", "commitment"}
                   to check, else []
        join_url   where phones join ("http://companion.local:8000/j"), or "" when nobody has said so
        log_head   hex: the head of the log's hash chain at the last public entry
        to_act     seats that may act, or ["table"]; waiting: a sentence for people: who or what the table waits for
        phase      {"code": "bid", "text": "Exchange 2 of 3: bid", "short": the same in few words, for boards}; null
                   before the game begins
        state      the game's own view for this viewer (fiji: round, exchange, supply, hands (own bag, null for the
                   others), bids (open ones), rows [{condition, effect}], goals, heads)
        choices    [{"action": {...}, "text": "Turn goal 2"}]  this seat's public legal actions if few, else []
        story      what happened, newest exchange last: [{"title": "Round 1, exchange 2", "items":
                   [{"row": 1 | null, "text": "2 and 2 cancel, so …", "rule": "FJ-4b4", "own": whether this
                   seat alone is told}]}]
        scores     [{"seat", "total", "parts"}]; ranking [[seat…]]
        questions  [{"id", "text", "choices": [{"id", "text"}], "picture": name | null}]  for this viewer
        sync       {"status": "ok" | "differs" | "looking" | "no_camera", "text": sentence,
                    "differences": [{"text", "where"}]}
        seen       [{"text": "condition most green", "zone": "row1.condition", "sure": true}] what the camera recognised
        camera     whether there is one
        proposal   what somebody says did not happen like that, or null: {"id", "by", "number", "who", "was",
                   "instead" (text or null: nothing happened), "later" (how many actions go with it), "rule" (how many
                   must agree), "unanimous", "needed", "votes" [true: rewind | false | null per seat]}
        back       after a rewind, until something is played: a sentence that says what to do; else null
        """

    def components(self) -> Data:
        """What this copy's components show, for entering by hand what lies there; public (maori: `tiles`
        {id: attributes} and `unseen` [ids that have not lain open yet]). {} where the pages know them all."""

    def ways(self, viewer: int, begun: Mapping[str, Any]) -> Data:
        """How a seat's action of many steps can go on from its beginning (giants: a `move`); {} where it cannot.
        Changes nothing. Raises Refused."""

    def sit(self, seat: int | None, name: str) -> str:
        """Take a seat (None: any free one) and get the secret token that proves it from now on. Raises Refused."""

    def seat_of(self, token: str) -> int | None:
        """The seat this token holds, or None."""

    def stand_up(self, token: str) -> None:
        """Give the seat back before the game has begun. Raises Refused."""

    def begin(self, token: str) -> None:
        """Start the game with those who sit. Raises Refused."""

    def seal(self, token: str, moment: str, attempt: int, args: Mapping[str, Any], salt: str, commitment: str) -> Data:
        """Put a secret decision (attempt: own `attempt` + 1) where it survives a crash; returns the receipt.

        The receipt is {"commitment", "log_head", "entry"} or, when the rules forbid the deed, a ruling
        ({"legal": false, "rule", "says", "source", "because"}). When the last seat has sealed, all open at once.
        """

    def again(self, token: str) -> None:
        """After the end: the same people play another game. Raises Refused."""

    def act(self, token: str, action: Mapping[str, Any], lang: str) -> Data:
        """Do a public action (`by` is filled in from the token); returns its ruling. Raises Refused."""

    def ask(self, viewer: int | None, action: Mapping[str, Any], lang: str) -> Data:
        """Is this action allowed now? The ruling with `neighbours` (rules as in `rule`), changing nothing.

        `by` is the viewer's own seat if it names none. `supposed` is true where the answer takes for granted what only
        that seat may know (that it holds these cards).
        """

    def rules(self, query: str, lang: str) -> list[Data]:
        """The rules found, best first: {"id", "text", "book", "heading", "note"}; all for an empty query."""

    def rule(self, id_: str, lang: str) -> Data:
        """One rule, with its `neighbours`. Raises Refused (`no_rule`)."""

    def history(self, viewer: int | None, lang: str) -> list[Data]:
        """What happened in this game, newest first, as far as the viewer may know it: {"kind": "act", "number",
        "seat" (null: the table), "who", "text", "at" (UTC), "cause": "camera" | "phone" | "answer" | "opening",
        "phase", "standing", "effects": [{"text", "rule"}]} or {"kind": "rewind", "number", "text", "at", "who"}."""

    def explain(self, viewer: int | None, number: int, lang: str) -> Data:
        """One action of the history, and with it `ruling` (null where it may not be told), `neighbours`, `pictures`
        ({"before" and "after": {"name", "size", "marks"}} as far as there are any), `instead`
        ([{"action", "text"}]: what a seat may say happened), `enter` (a table's deed to be entered by hand, or null),
        `laid` (what was taken for laid then, where it may be told). Raises Refused (`stale`)."""

    def try_instead(self, viewer: int, number: int, action: Mapping[str, Any], lang: str) -> Data:
        """Would this have been allowed in place of that action? Its ruling. Raises Refused."""

    def propose(self, token: str, number: int, action: Mapping[str, Any] | None, lang: str) -> Data:
        """Say that an action did not happen like that; null: it did not happen at all. The others decide.

        {"proposed": true}, or the ruling of what cannot have happened. Raises Refused.
        """

    def vote(self, token: str, proposal: str, rewind: bool) -> None:
        """For a proposal, or against it. Raises Refused."""

    def withdraw(self, token: str, proposal: str) -> None:
        """Take one's own proposal back. Raises Refused."""

    def photo(self, token: str, jpeg: bytes, lang: str) -> Data:
        """Read a photo of the table in place of the camera: {"status", "text", "differences"} as in `sync`, and
        "played": sentences, what was read to have happened. Raises Refused."""

    def answer(self, token: str, question: str, choice: str) -> None:
        """Settle a question the camera asks. Raises Refused."""

    def picture(self, name: str) -> tuple[bytes, str]:
        """A picture ("table": the newest settled frame with what was recognised drawn in) and its media type."""

    def board(self, width: int, height: int) -> bytes:
        """The scoreboard of that size as PNG."""


class Demo(Protocol):
    """Who plays the seats of a demonstration table."""

    def status(self) -> Data:
        """{"bots": [seats that bots play], "paused": bool, "speed": factor}"""

    def take_over(self, seat: int) -> str:
        """A person plays this seat from now on; the token that proves it. A seat already taken over so gets a new
        token and the old one ends. Raises Refused (`no_such_seat`)."""

    def give_back(self, token: str) -> None:
        """A bot plays this seat again. Raises Refused."""

    def pace(self, paused: bool, speed: float) -> None:
        """Pause or go on, and how many times faster than at a real table."""
