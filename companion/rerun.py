"""A recorded evening played once more through the whole pipeline, and held against what came of it the first time.

What is compared, and how, says `companion.comparison`.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from companion.comparison import Comparison, Difference
from companion.evening import Evening
from companion.evidence import Evidence, NoEvidence
from companion.log import Draft, Entry, Log, LogError
from companion.optics import lens_for, marker_mm
from companion.snapshots import Snapshots
from companion.table import Table
from companion.tape import ABOUT, DECK, FILM, About, NoTape, encoder, read
from companion.watcher import Watcher
from companion.witness import Witness
from vision.camera import Frame
from vision.deck import Deck
from vision.film import BrokenFilm, Player
from vision.motion import Motion
from web.port import Refused

if TYPE_CHECKING:
    from companion.referee import Verdict
    from vision.observe import LensFor, Observer


class _FailedAgain(LogError):
    """The log could not be written then, so it cannot be now."""


@dataclass(slots=True)
class Outcome:
    """What came of it: how much was replayed, and in what it differs."""

    about: About
    frames: int = 0
    looks: int = 0
    entries: int = 0
    same_state: bool = True
    pictures_compared: bool = True  #: false: another encoder made the recorded ones, so their bytes tell nothing
    differences: list[Difference] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  #: calls that the table did not take (perhaps then as now)

    @property
    def ok(self) -> bool:
        return self.same_state and not self.differences

    def data(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "table": self.about.table,
            "game": self.about.game,
            "frames": self.frames,
            "looks": self.looks,
            "entries": self.entries,
            "same_state": self.same_state,
            "pictures_compared": self.pictures_compared,
            "differences": [difference.data() for difference in self.differences],
            "refused": self.refused,
        }


def rerun(folder: Path, make_observer: Callable[[Deck], Observer] | None = None) -> Outcome:
    """Replay the evening in this folder; raises NoTape. `make_observer`: what reads frames, if not the usual one."""
    about = About.load(folder)
    events = list(read(folder))
    recorded = [event["entry"] for event in events if "entry" in event]
    marks = {event["marks"]: event["says"] for event in events if "marks" in event}
    with tempfile.TemporaryDirectory() as scratch:
        failed = [event["failed"] for event in events if "failed" in event]
        machine = _Machine(folder, about, Path(scratch), make_observer, failed)
        try:
            for event in events:
                with contextlib.suppress(_FailedAgain):
                    machine.take(event)
            replayed = machine.written()
            outcome = machine.outcome
            outcome.pictures_compared = about.encoder == encoder()
            comparison = Comparison(marks, machine.marks, outcome.pictures_compared)
            outcome.differences = list(comparison.differences(recorded, replayed))
        except (KeyError, TypeError) as error:
            raise NoTape(f"{folder} holds an event that cannot be read: {error!r}") from error
        finally:
            machine.close()
    outcome.entries = len(recorded)
    outcome.same_state = _state(folder, recorded) == _state(folder, replayed)
    return outcome


def _observer(deck: Deck, marker_mm: float, lens: LensFor | None = None) -> Observer:
    from companion.eyes import die_faces
    from vision.observe import Observer

    return Observer(deck, die_faces=die_faces(deck.game), lens=lens, marker_mm=marker_mm)


class _Replayed(Table):
    """A table on which sealed decisions open when the tape says so, and writing fails where it failed."""

    def __init__(self, log: Log, game: str, options: Mapping[str, Any], failed: list[int], **more: Any) -> None:
        """`failed`: after so many entries the next could not be written, each once; taken from as that comes."""
        self._failed = failed
        super().__init__(log, game, options, **more)

    def _append(self, *drafts: Draft) -> list[Entry]:
        if self._failed and self._failed[0] == self._log.head().seq:
            raise _FailedAgain(f"Entry {self._failed.pop(0) + 1} could not be written when this was recorded.")
        return super()._append(*drafts)

    def _open(self) -> None:
        """Not yet."""

    def open_now(self) -> None:
        super()._open()


class _Machine:
    """The pipeline, fed from a tape."""

    def __init__(
        self,
        folder: Path,
        about: About,
        scratch: Path,
        make_observer: Callable[[Deck], Observer] | None,
        failed: list[int],
    ) -> None:
        self.outcome = Outcome(about)
        self._folder = folder
        self._about = about
        self._scratch = scratch
        self._evidence = Evidence(scratch / "evidence")
        self._make_observer = make_observer
        self._failed = failed
        self._deck = _deck(folder, about) if about.deck else None
        self._lens, self._marker_mm = _optics(folder, about, scratch)
        film = folder / FILM
        self._film = film.open("rb") if film.exists() else None
        self._tokens: list[str] = []
        self._table: _Replayed | None = None
        self._watcher: Watcher | None = None
        self._snapshots: Snapshots | None = None  # made when the first photo comes
        self._player = Player()

    def take(self, event: Mapping[str, Any]) -> None:
        """Do what an event says; what it only tells to expect is passed over."""
        if "start" in event:
            self._start()
        elif "frame" in event:
            self._feed(event["frame"], event["bytes"])
        elif "open" in event:
            self._running().open_now()
        elif "call" in event:
            self._call(event["call"], event["by"], event["with"])

    def written(self) -> list[dict[str, Any]]:
        """The log as it was written this time."""
        entries = self._running()._log.entries()
        return [{"kind": e.kind, "body": e.body, "secret": e.secret} for e in entries]

    def marks(self, mark: str) -> bytes | None:
        """What was recognised in a picture this time, by the hash of the marks."""
        try:
            return self._evidence.get(mark)
        except NoEvidence:
            return None

    def close(self) -> None:
        if self._table is not None:
            self._table.close()
        if self._film is not None:
            self._film.close()

    def _running(self) -> _Replayed:
        if self._table is None:
            raise NoTape(f"{self._folder} does not begin with a start.")
        return self._table

    def _start(self) -> None:
        """Begin, or begin again after a crash: the log stays, all else is new."""
        if self._table is not None:
            self._table.close()
        about = self._about
        witness = Witness(self._evidence) if about.witness else None
        log = Log(self._scratch / "companion.db", about.table)
        given: dict[str, Any] = {"camera": about.camera, "zones": about.zones, "witness": witness}
        try:
            table = _Replayed(log, about.game, about.options, self._failed, **given)
        except _FailedAgain:
            log.close()
            raise
        self._table, self._player = table, Player()
        if self._deck is not None:
            own = self._make_observer
            observer = own(self._deck) if own else _observer(self._deck, self._marker_mm, self._lens)
            self._watcher = Watcher(table, observer, self._deck, Motion())
            table.on_photo = self._read_photo
            self._snapshots = None

    def _feed(self, at: float, size: int) -> None:
        if self._film is None or self._watcher is None:
            raise NoTape(f"{self._folder} has frames in its events, but no {FILM}.")
        try:
            image = self._player.play(self._film.read(size))
        except BrokenFilm as error:
            raise NoTape(f"{self._folder / FILM}: {error}") from error
        looks = self._watcher.report.looks
        self._watcher.feed(Frame(image, at))
        self.outcome.frames += 1
        self.outcome.looks += self._watcher.report.looks - looks

    def _read_photo(self, jpeg: bytes) -> Verdict | None:
        if self._snapshots is None:
            assert self._deck is not None
            own = self._make_observer
            observer = own(self._deck) if own else _observer(self._deck, self._marker_mm)  # a phone has another lens
            self._snapshots = Snapshots(self._running(), observer, self._deck, lambda image, _: image)
        return self._snapshots(jpeg)

    def _photo(self, given: Mapping[str, Any]) -> bytes:
        """The photo that a call of a phone brought; raises NoTape."""
        try:
            return (self._folder / Path(given["jpeg"]["file"]).name).read_bytes()
        except (OSError, KeyError, TypeError) as error:
            raise NoTape(f"A photo of {self._folder} is missing: {given.get('jpeg')}.") from error

    def _call(self, name: str, seat: int | None, given: Mapping[str, Any]) -> None:
        table = self._running()
        kept = dict(given)
        if name == "photo":
            kept["jpeg"] = self._photo(given)
        if seat is not None:
            tokens = (token for token in reversed(self._tokens) if table.seat_of(token) == seat)
            kept["token"] = next(tokens, None)
        _check_call(self._folder, name, seat, kept)
        try:
            answer = getattr(table, name)(**kept)
        except Refused as refused:
            self.outcome.refused.append(f"{name}: {refused.code}")
            return
        if name in ("sit", "new_token"):
            self._tokens.append(answer)


def _check_call(folder: Path, name: str, seat: int | None, given: Mapping[str, Any]) -> None:
    """Raises NoTape for a call that no phone can have made."""
    method = getattr(Table, name)
    hints = {key: hint for key, hint in get_type_hints(method).items() if key != "return"}
    if "token" in hints and given.get("token") is None:
        raise NoTape(f"{folder} has a call of {name} by seat {seat}, where nobody sits.")
    if set(given) != set(hints) or not all(_fits(given[key], hint) for key, hint in hints.items()):
        raise NoTape(f"{folder} has a call of {name} that no phone makes.")


def _fits(value: object, hint: Any) -> bool:
    """Whether the value is of the kind that a parameter of the table takes."""
    if isinstance(hint, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    kind = get_origin(hint) or hint
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _optics(folder: Path, about: About, scratch: Path) -> tuple[LensFor | None, float]:
    """The lens that the recorded table's camera was read with, and the size of its markers (mm); raises NoTape."""
    calibration = scratch / "calibration"
    calibration.mkdir()
    for name, text in about.calibration.items():
        (calibration / name).write_text(text, "utf-8")
    try:
        return lens_for(calibration, lambda _: None), marker_mm(calibration)
    except ValueError as error:
        raise NoTape(f"The calibration kept in {folder / ABOUT} is damaged.") from error


def _deck(folder: Path, about: About) -> Deck:
    if (folder / DECK).is_dir():
        return Deck.load(folder / DECK)
    from companion.demo.stage import House

    return House.of(about.game).deck


def _state(folder: Path, entries: list[dict[str, Any]]) -> Any:
    """The whole state in which a log ends; raises NoTape when it cannot be followed."""
    evening = Evening()
    for number, entry in enumerate(entries, start=1):
        try:
            evening.take(entry["kind"], entry["body"], entry["secret"], "")
        except (LookupError, TypeError, AttributeError, ValueError, AssertionError, StopIteration) as error:
            raise NoTape(f"Entry {number} ({entry['kind']}) of the log in {folder} cannot be followed.") from error
    return evening.game.dump(evening.state) if evening.game is not None and evening.begun else None
