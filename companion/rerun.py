"""A recorded evening played once more through the whole pipeline, and held against what came of it the first time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.evening import Evening
from companion.evidence import Evidence
from companion.log import Log
from companion.snapshots import Snapshots
from companion.table import Table
from companion.tape import CALLS, DECK, FILM, About, NoTape, read
from companion.watcher import Watcher
from companion.witness import Witness
from vision.camera import Frame
from vision.deck import Deck
from vision.film import BrokenFilm, Player
from vision.motion import Motion
from web.port import Refused

if TYPE_CHECKING:
    from companion.referee import Verdict
    from vision.observe import Observer

CHANGING: Final = ("token_hash", "salt", "binding", "pictures")  #: never twice the same
MOST: Final = 20  #: differences told
Written = tuple[str, Any]  #: an entry's kind, and what it says


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the two logs part: numbers of the first entry in each, and what stands there."""

    entry: int
    recorded: tuple[Written, ...]
    replayed: tuple[Written, ...]

    def data(self) -> dict[str, Any]:
        recorded, replayed = (
            [{"kind": k, "says": says} for k, says in side] for side in (self.recorded, self.replayed)
        )
        return {"entry": self.entry, "recorded": recorded, "replayed": replayed}


@dataclass(slots=True)
class Outcome:
    """What came of it: how much was replayed, and in what it differs."""

    about: About
    frames: int = 0
    looks: int = 0
    entries: int = 0
    same_state: bool = True
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
            "differences": [difference.data() for difference in self.differences],
            "refused": self.refused,
        }


def rerun(folder: Path, make_observer: Callable[[Deck], Observer] | None = None) -> Outcome:
    """Replay the evening in this folder; raises NoTape. `make_observer`: what reads frames, if not the usual one."""
    about = About.load(folder)
    with tempfile.TemporaryDirectory() as scratch:
        machine = _Machine(folder, about, Path(scratch), make_observer or _observer)
        try:
            recorded = [event["entry"] for event in read(folder) if not machine.take(event)]
            replayed = machine.written()
        except (KeyError, TypeError) as error:
            raise NoTape(f"{folder} holds an event that cannot be read: {error!r}") from error
        finally:
            machine.close()
    outcome = machine.outcome
    outcome.entries = len(recorded)
    outcome.differences = list(_differences([_plain(entry) for entry in recorded], [_plain(e) for e in replayed]))
    outcome.same_state = _state(recorded) == _state(replayed)
    return outcome


def _observer(deck: Deck) -> Observer:
    from vision.observe import Observer

    return Observer(deck)


class _Replayed(Table):
    """A table on which sealed decisions open when the tape says so."""

    def _open(self) -> None:
        """Not yet."""

    def open_now(self) -> None:
        super()._open()


class _Machine:
    """The pipeline, fed from a tape."""

    def __init__(self, folder: Path, about: About, scratch: Path, make_observer: Callable[[Deck], Observer]) -> None:
        self.outcome = Outcome(about)
        self._folder = folder
        self._about = about
        self._scratch = scratch
        self._make_observer = make_observer
        self._deck = _deck(folder, about) if about.deck else None
        film = folder / FILM
        self._film = film.open("rb") if film.exists() else None
        self._tokens: list[str] = []
        self._table: _Replayed | None = None
        self._watcher: Watcher | None = None
        self._snapshots: Snapshots | None = None  # made when the first photo comes
        self._player = Player()

    def take(self, event: Mapping[str, Any]) -> bool:
        """Do what an event says; False for what is not to be done but to be expected."""
        if "entry" in event:
            return False
        if "start" in event:
            self._start()
        elif "frame" in event:
            self._feed(event["frame"], event["bytes"])
        elif "open" in event:
            self._running().open_now()
        else:
            self._call(event["call"], event["by"], event["with"])
        return True

    def written(self) -> list[dict[str, Any]]:
        """The log as it was written this time."""
        entries = self._running()._log.entries()
        return [{"kind": e.kind, "body": e.body, "secret": e.secret} for e in entries]

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
        witness = Witness(Evidence(self._scratch / "evidence")) if about.witness else None
        log = Log(self._scratch / "companion.db", about.table)
        table = _Replayed(log, about.game, about.options, camera=about.camera, zones=about.zones, witness=witness)
        self._table, self._player = table, Player()
        if self._deck is not None:
            self._watcher = Watcher(table, self._make_observer(self._deck), self._deck, Motion())
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
            observer = self._make_observer(self._deck)
            self._snapshots = Snapshots(self._running(), observer, self._deck, lambda image, _: image)
        return self._snapshots(jpeg)

    def _call(self, name: str, seat: int | None, given: Mapping[str, Any]) -> None:
        table = self._running()
        if name not in CALLS:
            raise NoTape(f"{self._folder} has a call that no phone makes: {name}.")
        kept = dict(given)
        if name == "photo":
            kept["jpeg"] = (self._folder / Path(given["jpeg"]["file"]).name).read_bytes()
        if seat is not None:
            kept["token"] = next(token for token in reversed(self._tokens) if table.seat_of(token) == seat)
        try:
            answer = getattr(table, name)(**kept)
        except Refused as refused:
            self.outcome.refused.append(f"{name}: {refused.code}")
            return
        if name in ("sit", "new_token"):
            self._tokens.append(answer)


def _deck(folder: Path, about: About) -> Deck:
    if (folder / DECK).is_dir():
        return Deck.load(folder / DECK)
    from companion.demo.stage import House

    return House.of(about.game).deck


def _plain(entry: Mapping[str, Any]) -> Written:
    """An entry without what is never twice the same."""
    body = {key: value for key, value in entry["body"].items() if key not in CHANGING}
    secret = {key: value for key, value in (entry["secret"] or {}).items() if key not in CHANGING}
    return entry["kind"], {**body, **({"secret": secret} if secret else {})}


def _differences(recorded: list[Written], replayed: list[Written]) -> Iterator[Difference]:
    then, now = ([json.dumps(each, sort_keys=True) for each in side] for side in (recorded, replayed))
    told = 0
    for kind, a, b, c, d in SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
        if kind != "equal" and told < MOST:
            told += 1
            yield Difference(a + 1, tuple(recorded[a:b]), tuple(replayed[c:d]))


def _state(entries: list[dict[str, Any]]) -> Any:
    """The whole state in which a log ends."""
    evening = Evening()
    for entry in entries:
        evening.take(entry["kind"], entry["body"], entry["secret"], "")
    return evening.game.dump(evening.state) if evening.game is not None and evening.begun else None
