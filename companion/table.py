"""A live table: one game, one log, seats with phones, a camera's observations. The only place that knows them all.

Whatever is acknowledged is in the log first. State is the fold of the log; so is everything after a crash.
Every view is built for one viewer (a seat or a spectator) from what it may know.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion import boards, corrections, views
from companion.court import Court
from companion.evening import Evening
from companion.games.game import TABLE, Action, Game, Malformed, Note
from companion.games.tabletop import Option, Seen, Tabletop, Zone
from companion.log import Draft, Entry, Log, LogError
from companion.looks import WINDOW
from companion.referee import Referee, Verdict
from companion.seal import SALT_BYTES, Seal, binding
from companion.sentences import texts
from web.port import Data, Refused

if TYPE_CHECKING:
    from companion.shots import Shot
    from companion.witness import Witness

NAME_LENGTH = 24
AGAIN_S = 2.0  # after the log could not be written, sealed decisions are opened anew so much later


class Table(Court):
    """One running table (it is a `web.port.LiveTable`). Safe to call from many threads."""

    def __init__(
        self,
        log: Log,
        game: str,
        options: Mapping[str, Any] | None = None,
        *,
        camera: bool = False,
        join_url: str = "",
        closed_s: float = 0.0,
        lang: str = "en",
        zones: Iterable[Zone] = (),
        witness: Witness | None = None,
    ) -> None:
        """The table in this log, or a new one.

        closed_s: seconds in which all commitments stand open to be noted before the decisions themselves open.
        zones: where zones lie on this table, by name, if not where the game has them by default.
        witness: keeps pictures of the settled table with what is played.
        """
        self._log = log
        self._changed = threading.Condition(threading.RLock())
        self._public = 1  # what everybody sees has changed so often
        self._own: dict[int, int] = {}  # what only this seat sees has changed so often since
        self._pictures: dict[str, tuple[bytes, str]] = {}
        self.camera = camera
        self.join_url = join_url
        self.lang = lang  # of the board; every phone has its own
        self._closed_s = closed_s
        self._timer: threading.Timer | None = None
        self._stopped = False
        self.seen: Seen | None = None
        self.verdict: Verdict | None = None
        self.blind: Note | None = None  # why the camera cannot read the table now
        self._declined: set[str] = set()  # questions answered with "nothing happened" since the last action
        self.witness = witness
        self._agreed = 0  # after so many rewinds the table last lay as the rules have it
        self.on_photo: Callable[[bytes], Verdict | None] | None = None  # reads a photo taken with a phone
        self.evening = Evening()
        for entry in log.entries():
            self.evening.take(entry.kind, entry.body, entry.secret, entry.hash, entry.at)
        if self.evening.game is None:
            self._write(("open", {"game": game, "options": dict(options or {})}))
        elif self.evening.game.name != game:
            raise Malformed(f"this log holds a game of {self.evening.game.name}, not of {game}")
        self.tabletop: Tabletop[Any] = self._game().tabletop.relaid(zones)
        self._referee = Referee(self.tabletop)
        self._close_when_all_sealed()
        if self.evening.proposal is not None:  # the last vote may have come just before a crash
            self._settle_proposal(self.evening.proposal.id)

    def close(self) -> None:
        """Finish what is under way and let go of the log."""
        with self._changed:
            self._wait_no_longer()
            self._stopped = True
        self._log.close()

    # --- what pages ask ----------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The table's short id, part of every commitment."""
        return self._log.table

    def version(self, viewer: int | None) -> int:
        with self._changed:
            return self._public + (0 if viewer is None else self._own.get(viewer, 0))

    def wait(self, viewer: int | None, after: int, timeout: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self.version(viewer) > after, timeout)
            return self.version(viewer)

    def nudge(self) -> None:
        """Wake everybody who waits, though nothing has changed but the number."""
        self._tell(None)

    def view(self, viewer: int | None, lang: str) -> Data:
        with self._changed:
            return views.view(self, viewer, lang)

    def components(self) -> Data:
        with self._changed:
            return self._game().components(self.evening.state) if self.evening.begun else {}

    def ways(self, viewer: int, begun: Mapping[str, Any]) -> Data:
        with self._changed:
            if not self.evening.begun:
                raise Refused("not_now")
            return self._game().ways(self.evening.state, self._read({**begun, "by": viewer}))

    def seat_of(self, token: str) -> int | None:
        digest = _digest(token)
        with self._changed:
            found = [seat for seat, who in self.evening.seats.items() if secrets.compare_digest(who.token_hash, digest)]
        return found[0] if found else None

    def picture(self, name: str) -> tuple[bytes, str]:
        with self._changed:
            return self._pictures[name] if name in self._pictures else self._kept_picture(name)

    def board(self, width: int, height: int) -> bytes:
        return boards.png(self, width, height, self.lang)

    # --- seats ---------------------------------------------------------------------------------------------------

    def sit(self, seat: int | None, name: str) -> str:
        """Take a seat; after the game has begun nobody new can sit."""
        name = " ".join(name.split())[:NAME_LENGTH]
        if not name or not name.isprintable():
            raise Refused("name")
        with self._changed:
            if self.evening.begun:
                raise Refused("already_begun")
            free = [s for s in range(self.most_seats) if s not in self.evening.seats]
            if not free:
                raise Refused("seat_taken")
            if seat is None:
                seat = free[0]
            if not 0 <= seat < self.most_seats:
                raise Refused("no_such_seat")
            if seat not in free:
                raise Refused("seat_taken")
            taken = {who.name.casefold() for who in self.evening.seats.values()}
            if name.casefold() in taken:
                raise Refused("name")
            token = secrets.token_urlsafe(32)
            self._write(("sit", {"seat": seat, "name": name, "token_hash": _digest(token)}))
            return token

    def stand_up(self, token: str) -> None:
        with self._changed:
            seat = self._seated(token)
            if self.evening.begun:
                raise Refused("already_begun")
            self._write(("stand", {"seat": seat}))

    def begin(self, token: str) -> None:
        with self._changed:
            self._seated(token)
            if self.evening.begun:
                raise Refused("already_begun")
            if len(self.evening.seats) not in self._game().seats:
                raise Refused("too_few_players", least=self._game().seats.start)
            self._write(("begin", {}))

    def again(self, token: str) -> None:
        """After the end: the same people may play another game."""
        with self._changed:
            self._seated(token)
            if not self.evening.over:
                raise Refused("not_now")
            self._write(("again", {}))

    def new_token(self, seat: int) -> str:
        """A new token for a seat whose phone is lost or changes hands; the old one proves nothing any more."""
        with self._changed:
            if seat not in self.evening.seats:
                raise Refused("no_such_seat")
            token = secrets.token_urlsafe(32)
            self._write(("token", {"seat": seat, "token_hash": _digest(token)}))
            return token

    @property
    def most_seats(self) -> int:
        return self._game().seats.stop - 1

    # --- secret decisions ----------------------------------------------------------------------------------------

    def seal(self, token: str, moment: str, attempt: int, args: Mapping[str, Any], salt: str, commitment: str) -> Data:
        """Seal a secret decision: checked, written, then acknowledged with a receipt; the last one opens them all."""
        with self._changed:
            seat = self._seated(token)
            evening = self.evening
            deed = evening.secret_deed()
            if deed is None or seat not in evening.to_seal():
                raise Refused("not_now")
            if evening.closed:
                raise Refused("sealed_all")
            if moment != evening.moment() or attempt != self.attempts(seat) + 1:
                raise Refused("stale")
            action = self._read({**args, "by": seat, "do": deed})
            ruling = self._game().verify(evening.state, action)
            if not ruling.legal:
                return self._game().rulebook.ruling(ruling, evening.players)
            seal = Seal(moment, seat, attempt, deed, dict(args), _salt(salt), commitment)
            if not seal.holds(self.name, self._game().name):
                raise Refused("commitment")
            first = seat not in evening.seals
            (entry,) = self._append(("seal", {}, seal.opening()))  # who sealed when is secret, too
            evening.take(entry.kind, entry.body, entry.secret, entry.hash, entry.at)
            self._tell(None if first else seat)
            self._close_when_all_sealed()
            return {"commitment": commitment, "log_head": entry.hash}

    def attempts(self, seat: int) -> int:
        """How often this seat has sealed at the present moment."""
        seal = self.evening.seals.get(seat)
        return seal.attempt if seal else 0

    def _close_when_all_sealed(self) -> None:
        """When no seat is left to seal, nobody can change anything any more: publish the commitments, then open."""
        due = self.evening.to_seal()
        if not due or any(seat not in self.evening.seals for seat in due):
            return
        if not self.evening.closed:
            try:
                self._write(("closed", {"commitments": [self.evening.seals[seat].commitment for seat in due]}))
            except LogError:  # what was sealed is kept
                self._open_in(AGAIN_S)
                return
        if self._closed_s:
            self._open_in(self._closed_s)
        else:
            self._open()

    def _open_in(self, seconds: float) -> None:
        self._wait_no_longer()
        self._timer = threading.Timer(seconds, self._open)
        self._timer.daemon = True
        self._timer.start()

    def _wait_no_longer(self) -> None:
        """What was to open in a moment does not, because it was taken back or the table closes."""
        if self._timer is not None:
            self._timer.cancel()

    def _open(self) -> None:
        """Open all decisions at once; one transaction, so a crash opens all or none.

        What cannot be written now is tried again: nobody else could do anything about it.
        """
        with self._changed:
            if self._stopped:
                return
            if not self.evening.closed:
                self._close_when_all_sealed()
                return
            try:
                self._open_all(self.evening.to_seal())
            except LogError:
                self._open_in(AGAIN_S)

    def _open_all(self, due: tuple[int, ...]) -> None:
        game, state = self._game(), self.evening.state
        drafts: list[Draft] = [("opening", {})]
        for seat in due:
            seal = self.evening.seals[seat]
            action = self._read({**seal.arguments, "by": seat, "do": seal.do})
            drafts.append(self._entry(state, action, "opening"))
            state, _ = game.apply(state, action)
        self._write(*drafts)

    # --- public actions --------------------------------------------------------------------------------------------

    def act(self, token: str, action: Mapping[str, Any], lang: str) -> Data:
        """Do a public action of one's own, or enter what the table shows; the ruling says whether it was done."""
        with self._changed:
            seat = self._seated(token)
            if not self.evening.begun:
                raise Refused("not_now")
            read = self._read({**action, "by": seat})
            if self.evening.table_due() and not self._game().can(self.evening.state, read):
                read = self._read({**action, "by": TABLE})  # nobody's own deed, so what the table shows
            elif read.do in self._game().secret:
                raise Refused("not_now")
            return self._play(read, "phone", lang)

    def answer(self, token: str, question: str, choice: str) -> None:
        with self._changed:
            seat = self._seated(token)
            asked = self.asked(seat)
            if asked is None or views.question_id(asked) != question:
                raise Refused("unknown_question")
            chosen = [option for i, option in enumerate(asked.options) if str(i) == choice]
            if not chosen:
                raise Refused("unknown_question")
            self._settle(chosen[0], seat)

    def _settle(self, option: Option, seat: int) -> None:
        """Do what a seat's answer means. What would go back behind something that has come to light is proposed; but
        what the camera alone has read, wrongly or too soon, is only read again."""
        if option.vouched:
            self._referee.vouch(option.vouched)
            self.verdict = None
            self._tell(None)
            return
        if option.action is None and option.instead_of is None:
            assert self.verdict is not None
            self._declined.add(views.question_id(self.verdict))
            self.verdict = None
            self._tell(None)
            return
        if (
            option.instead_of is not None
            and not self._read_again(option)
            and corrections.came_to_light(self.evening, option.instead_of, option.action)
        ):
            assert self.verdict is not None
            asked = views.question_id(self.verdict)
            number = self.evening.played[option.instead_of].number
            said = self._propose(seat, number, option.action)
            if said is None:
                self._declined.add(asked)  # until the others have voted
            return
        back: list[Draft] = [] if option.instead_of is None else [("rewind", {"to": option.instead_of})]
        before = self.evening.state if option.instead_of is None else self.evening.played[option.instead_of].before
        done = [] if option.action is None else [self._entry(before, option.action, "answer")]
        self._write(*back, *done)

    def _read_again(self, option: Option) -> bool:
        """Whether an answer puts another action in the place of the newest, which nothing but the camera had told."""
        played = self.evening.played
        return option.action is not None and option.instead_of == len(played) - 1 and played[-1].cause == "camera"

    def _play(self, action: Action, cause: str, lang: str) -> Data:
        game = self._game()
        ruling = game.verify(self.evening.state, action)
        if ruling.legal:
            self._write(self._entry(self.evening.state, action, cause))
        return game.rulebook.ruling(ruling, self.evening.players, lang)

    # --- the camera ----------------------------------------------------------------------------------------------

    def show(self, name: str, picture: bytes, told: bool = True) -> None:
        """Keep the newest picture of this name (JPEG); with `told` pages are told that there is a new one."""
        with self._changed:
            self._pictures[name] = (picture, "image/jpeg")
            if told:
                self._tell(None)

    def observed(self, seen: Seen, shot: Shot | None = None) -> Verdict:
        """Take what the camera sees: once several looks agree, play what explains it, ask, or say what differs.

        `shot` is its picture for the witness; None when the table looks as it was last kept.
        Look again soon when the verdict says that there is `more` to tell.
        """
        with self._changed:
            before = (self.seen, self.verdict, self.blind)
            self.blind = None
            verdict = self._referee.look(self.evening, seen)
            self.seen = self._referee.seen
            if self.witness is not None:
                self.witness.look(shot)
            verdict = self._doubted(verdict)
            while verdict.action is not None and self._play(verdict.action, "camera", "en")["legal"]:
                verdict = self._referee.verdict(self.evening)
            if verdict.status == "ok":
                self._agreed = self.evening.rewinds
            verdict = self._undeclined(verdict)
            self.verdict = verdict
            if before != (self.seen, verdict, None):
                self._tell(None)
            self._keep_settled(verdict)
            return verdict

    def photographed(self, seen: Seen, shot: Shot | None = None) -> Verdict:
        """Take what a photo shows; it counts as several looks, until the table knows all that it says."""
        for _ in range(WINDOW):
            verdict = self.observed(seen, shot)
            shot = None
            if not verdict.more:
                break
        return verdict

    def blinded(self, why: Note | None) -> None:
        """The camera's picture cannot be read: people are told why, until it can be again."""
        with self._changed:
            if why != self.blind:
                self.blind = why
                self._tell(None)

    def photo(self, token: str, jpeg: bytes, lang: str) -> Data:
        """Read a photo of the table taken with a seat's phone in place of the camera.

        {"status", "text", "differences"} as in a view's `sync`, and "played": what was read to have happened.
        """
        self._seated(token)
        if self.on_photo is None:
            raise Refused("no_deck")
        if not self.evening.begun:
            raise Refused("not_now")
        before, said = self.evening.acts, texts(lang, self._game().name)
        verdict = self.on_photo(jpeg)
        if verdict is None:
            raise Refused("photo_unread")
        with self._changed:
            new = [one for one in self.evening.played if one.number >= before]
            played = [said.tell(self._game().tell(one.before, one.action), self.evening.players) for one in new]
            return {**views.lying(verdict, said, self.evening.players), "played": played}

    def _keep_settled(self, verdict: Verdict) -> None:
        """When the table lies as the rules have it after an action, that is kept, once.

        Where the rules say nothing of how it lies (people lay it anew, or the game is over): as soon as it has changed.
        """
        evening = self.evening
        if self.witness is None or not evening.played or evening.played[-1].settled is not None or verdict.more:
            return
        kept = None
        if verdict.status == "ok":
            kept = self.witness.settled(self._game_id())
        elif verdict.status == "looking":
            kept = self.witness.newest(self._game_id())
        if kept is not None:
            (entry,) = self._append(("seen", {"pictures": kept}))
            evening.take(entry.kind, entry.body, None, entry.hash, entry.at)
            self._tell(None)

    def _doubted(self, verdict: Verdict) -> Verdict:
        """The verdict; but what people have just taken back, and the table still shows, is asked and not played."""
        action = verdict.action
        if action is None or action not in self.evening.undone or self._agreed == self.evening.rewinds:
            return verdict
        options = (Option(self._game().tell(self.evening.state, action), action), Option(Note("answer_keep"), None))
        return Verdict("asks", question=Note("ask_taken_back"), options=options)

    def _undeclined(self, verdict: Verdict) -> Verdict:
        """The verdict, but nobody is asked again what was answered with "nothing happened"."""
        while verdict.rest and views.question_id(verdict) in self._declined:
            verdict = verdict.next()
        if verdict.status == "asks" and views.question_id(verdict) in self._declined:
            assert self.seen is not None
            differences = self.tabletop.differences(self.evening.state, self.seen)
            return Verdict("differs" if differences else "ok", differences=differences)
        return verdict

    def asked(self, viewer: int | None) -> Verdict | None:
        """The verdict that asks this viewer something, if there is one."""
        verdict = self.verdict
        if viewer is None or verdict is None or verdict.status != "asks":
            return None
        return verdict if not verdict.seats or viewer in verdict.seats else None

    # --- inside ----------------------------------------------------------------------------------------------------

    def _game(self) -> Game[Any, Any]:
        assert self.evening.game is not None
        return self.evening.game

    def _seated(self, token: str) -> int:
        seat = self.seat_of(token)
        if seat is None:
            raise Refused("not_seated")
        return seat

    def _read(self, data: Mapping[str, Any], state: Any = None) -> Action:
        try:
            action: Action = self._game().read(self.evening.state if state is None else state, data)
        except Malformed as error:
            raise Refused("malformed", message=str(error)) from error
        return action

    def _write(self, *drafts: Draft) -> None:
        """Into the log, then into the fold, then to everybody."""
        for entry in self._append(*self._illustrated(drafts)):
            self.evening.take(entry.kind, entry.body, entry.secret, entry.hash, entry.at)
        if self.witness is not None:
            self.witness.over(self._game_id(), self.evening.over)
        self.verdict = None
        self._declined.clear()
        self._tell(None)
        if self.evening.proposal is not None and any(kind == "act" for kind, *_ in drafts):
            self._settle_proposal(self.evening.proposal.id)  # what was played may have made it impossible

    def _append(self, *drafts: Draft) -> list[Entry]:
        """The entries, once they are in the log: all or none. Raises LogError."""
        return self._log.append_many(drafts)

    def _entry(self, state: Any, action: Action, cause: str) -> Draft:
        """An action as a log entry. What a spectator may not know of it is a secret, bound by what everybody sees."""
        game, data = self._game(), action.data()
        if action.do in game.revealed or game.view_action(state, action, None) == data:
            return ("act", {"cause": cause, "action": data})
        salt = secrets.token_bytes(SALT_BYTES)
        bound = binding(self.name, data, salt)
        return ("act", {"cause": cause, "binding": bound}, {"action": data, "salt": salt.hex()})

    def _illustrated(self, drafts: Sequence[Draft]) -> Iterator[Draft]:
        """The drafts, the first action among them with the newest picture of the settled table."""
        wanted = self.witness is not None
        for kind, body, *secret in drafts:
            if wanted and kind == "act":
                assert self.witness is not None
                wanted = False
                kept = self.witness.newest(self._game_id())
                body = body if kept is None else {**body, "pictures": kept}
            yield (kind, body, *secret)

    def _game_id(self) -> str:
        """Under this name the game's pictures are kept."""
        return f"{self.name}-{self.evening.games}"

    def _tell(self, seat: int | None) -> None:
        """Wake those whose view has changed: everybody, or one seat."""
        with self._changed:
            if seat is None:
                self._public += 1
            else:
                self._own[seat] = self._own.get(seat, 0) + 1
            self._changed.notify_all()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _salt(text: str) -> bytes:
    try:
        salt = bytes.fromhex(text)
    except ValueError as error:
        raise Refused("commitment") from error
    if len(salt) != SALT_BYTES:
        raise Refused("commitment")
    return salt
