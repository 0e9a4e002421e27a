"""A live table and its camera; everything that comes in is written to a tape in the order in which it takes effect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.log import Draft, Entry, Log, LogError
from companion.table import Table
from companion.tape import NoTape, Tape
from companion.watcher import Watcher
from vision.camera import Frame
from vision.film import Recorder

if TYPE_CHECKING:
    from companion.games.tabletop import Seen
    from companion.referee import Verdict
    from companion.shots import Shot

REST_S: Final = 1.0  #: of a table at rest, on which nothing is left to see, one frame in so many seconds is kept
QUIET: Final = 0.002  #: the share of a picture that flickers on such a table

Method = TypeVar("Method", bound=Callable[..., Any])


def _recorded(method: Method) -> Method:
    """The method of a table, with the call noted before it is done. Who proves no seat changes nothing: not noted."""
    names = tuple(signature(method).parameters)[1:]

    @wraps(method)
    def call(self: RecordedTable, *args: Any, **more: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **more}
        with self._changed:
            seat = self.seat_of(given.pop("token")) if "token" in given else None
            if seat is not None or "token" not in names:
                self._note_call(method.__name__, seat, given)
            try:
                return method(self, *args, **more)
            finally:
                self._note_entries()

    return call  # type: ignore[return-value]  # the same parameters and result


class RecordedTable(Table):
    """A table that writes to a tape what phones ask of it and what the camera shows it."""

    def __init__(
        self, log: Log, game: str, options: Mapping[str, Any] | None = None, *, tape: Tape, **more: Any
    ) -> None:
        """As `Table`; raises NoTape when log and tape are not of the same evening."""
        if (log.head().seq > 0 and not tape.entries) or log.head().seq < tape.entries:
            tape.close()
            raise NoTape(
                f"Table {log.table} was not recorded from its beginning. Give it a new name, and a new folder."
            )
        self._tape = tape
        self._coming: dict[int, Callable[[], None]] = {}  # by thread: notes the picture that it reads
        tape.event({"start": True})
        super().__init__(log, game, options, **more)
        self._note_entries()

    sit = _recorded(Table.sit)
    stand_up = _recorded(Table.stand_up)
    begin = _recorded(Table.begin)
    again = _recorded(Table.again)
    new_token = _recorded(Table.new_token)
    seal = _recorded(Table.seal)
    act = _recorded(Table.act)
    answer = _recorded(Table.answer)
    propose = _recorded(Table.propose)
    vote = _recorded(Table.vote)
    withdraw = _recorded(Table.withdraw)

    def photo(self, token: str, jpeg: bytes, lang: str) -> dict[str, Any]:
        """As `Table`; noted when the table takes what the photo shows, for meanwhile other phones may act."""
        with self._changed:
            seat = self.seat_of(token)
            if seat is not None:
                self._comes(lambda: self._note_call("photo", seat, {"jpeg": jpeg, "lang": lang}))
        try:
            return super().photo(token, jpeg, lang)
        finally:
            self.note_picture()

    def close(self) -> None:
        super().close()
        self._tape.close()

    def observed(self, seen: Seen, shot: Shot | None = None) -> Verdict:
        with self._changed:
            self.note_picture()
            verdict = super().observed(seen, shot)
            self._note_entries()
            return verdict

    def photographed(self, seen: Seen, shot: Shot | None = None) -> Verdict:
        with self._changed:  # nothing comes between its looks when it is replayed
            return super().photographed(seen, shot)

    def coming(self, at: float, data: bytes) -> None:
        """A frame that is being read; it is noted when the table takes what it shows, or with `note_picture`."""
        self._comes(lambda: self._tape.frame(at, data))

    def _comes(self, note: Callable[[], None]) -> None:
        with self._changed:
            self._coming[threading.get_ident()] = note

    def note_picture(self) -> None:
        """Note the picture that this thread reads, if that is not done."""
        with self._changed:
            note = self._coming.pop(threading.get_ident(), None)
            if note is not None:
                note()

    def _open(self) -> None:
        with self._changed:
            self._tape.event({"open": True})
            super()._open()
            self._note_entries()

    def _append(self, *drafts: Draft) -> list[Entry]:
        try:
            return super()._append(*drafts)
        except LogError:
            self._tape.event({"failed": self._log.head().seq})
            raise

    def _note_call(self, name: str, seat: int | None, given: Mapping[str, Any]) -> None:
        kept = {key: self._tape.photo(value) if isinstance(value, bytes) else value for key, value in given.items()}
        self._tape.event({"call": name, "by": seat, "with": kept})

    def _note_entries(self) -> None:
        evidence = None if self.witness is None else self.witness.evidence
        self._tape.wrote(self._log.entries(after=self._tape.entries), evidence)


class RecordedWatcher(Watcher):
    """A watcher that sees exactly what the tape keeps, and leaves out frames of a table at rest."""

    def __init__(self, table: RecordedTable, *args: Any, **more: Any) -> None:
        super().__init__(table, *args, **more)
        self._recorded = table
        self._film = Recorder()
        self._kept_at = -REST_S

    def feed(self, frame: Frame) -> Verdict | None:
        resting = not self._due and not self._again and frame.at - self._kept_at < REST_S
        if resting and self._film.changed(frame.image) < QUIET:
            return None
        self._kept_at = frame.at
        shown, data = self._film.add(frame.image)
        self._recorded.coming(frame.at, data)
        try:
            return super().feed(Frame(shown, frame.at))
        finally:
            self._recorded.note_picture()
