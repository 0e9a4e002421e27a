"""A recorded evening: everything that came in at a table, in order, in a folder that only its owner may read.

    evening.json    which game, table, zones and deck; it says that this folder is private
    events.jsonl    one event a line, in the order in which the table took them:
                    {"start"}               the program was started
                    {"frame": s, "bytes"}   a frame of the camera at `s` seconds; its data is next in film.bin
                    {"call", "by", "with"}  what a phone asked the table to do: by which seat, with which arguments
                    {"open"}                the time was up: what had been sealed opened
                    {"entry"}               what the table wrote into its log because of the events before
    film.bin        the frames (vision.film); anew from a whole picture after each start
    photo-*.jpg     photos sent by phones
    deck/           what the copy's components look like; not there when it is the house deck

It holds every bid with its salt. Tokens are not in it: calls name the seat.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from companion.games.tabletop import Zone

FORMAT: Final = 1
PRIVATE: Final = "Keep this folder to yourself: it holds every bid of the evening, and what came of it."
CALLS: Final = (
    "sit", "stand_up", "begin", "again", "new_token", "seal", "act", "answer", "propose", "vote", "withdraw", "photo",
)  # fmt: skip
ABOUT, EVENTS, FILM, DECK = "evening.json", "events.jsonl", "film.bin", "deck"


class NoTape(ValueError):
    """A folder that holds no recorded evening, or cannot take one; the message says what to do."""


@dataclass(frozen=True, slots=True)
class About:
    """What a table was when the recording began."""

    table: str
    game: str
    options: Mapping[str, Any]
    zones: tuple[Zone, ...]
    camera: bool
    deck: bool = False  #: whether pictures are read at all, those of a camera or of phones
    witness: bool = False

    def data(self) -> dict[str, Any]:
        return {"evening": FORMAT, "private": PRIVATE, **asdict(self), "options": dict(self.options)}

    @classmethod
    def load(cls, folder: Path) -> About:
        """What the folder says; raises NoTape."""
        try:
            data = json.loads((folder / ABOUT).read_text("utf-8"))
            if data["evening"] != FORMAT:
                raise NoTape(f"{folder} was recorded by another version of this program; replay it with that one.")
            zones = tuple(Zone(**zone) for zone in data["zones"])
            switches = (data[name] for name in ("camera", "deck", "witness"))
            return cls(data["table"], data["game"], data["options"], zones, *switches)
        except FileNotFoundError as error:
            raise NoTape(f"{folder} holds no recorded evening ({ABOUT} is missing).") from error
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, NoTape):
                raise
            raise NoTape(f"{folder / ABOUT} is damaged: {error}") from error


class Tape:
    """Writes a recording. One thread at a time (the table's lock); a disk that takes no more ends the recording."""

    def __init__(
        self, folder: Path, about: About, deck: Path | None = None, say: Callable[[str], None] = print
    ) -> None:
        """Begin, or go on after a restart. `deck`: the taught deck, copied; None: the house deck. Raises NoTape."""
        self.folder = folder
        self.entries = 0  #: of the table's log, that are on the tape
        self._say = say
        self._going = True
        self._photos = 0
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            film = self._go_on(about) if (folder / ABOUT).exists() else self._begin(about, deck)
            self._events = _private(folder / EVENTS)
            self._film = _private(folder / FILM)
            self._film.truncate(film)
        except OSError as error:
            raise NoTape(f"{folder} takes no recording: {error.strerror}. Make room or name another folder.") from error

    def _begin(self, about: About, deck: Path | None) -> int:
        if any(self.folder.iterdir()):
            raise NoTape(f"{self.folder} is not empty. Name a new folder to record into.")
        if deck is not None:
            shutil.copytree(deck, self.folder / DECK)
        with _private(self.folder / ABOUT) as file:
            file.write(json.dumps(about.data(), indent=1, ensure_ascii=False).encode())
        return 0

    def _go_on(self, about: About) -> int:
        """Cut off what a crash left half written; returns how much of the film is whole."""
        if About.load(self.folder) != about:
            raise NoTape(f"{self.folder} is the recording of another table. Name a new folder to record into.")
        path = self.folder / EVENTS
        whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
        with _private(path) as file:
            file.truncate(len(whole) + 1 if whole else 0)
        events = list(read(self.folder))
        self.entries = sum("entry" in event for event in events)
        self._photos = sum(1 for _ in self.folder.glob("photo-*.jpg"))
        return sum(event["bytes"] for event in events if "frame" in event)

    def event(self, event: Mapping[str, Any]) -> None:
        """Write one event."""
        self._write(self._events, json.dumps(event, separators=(",", ":"), allow_nan=False).encode() + b"\n")

    def frame(self, at: float, data: bytes) -> None:
        self._write(self._film, data)
        self.event({"frame": at, "bytes": len(data)})

    def photo(self, data: bytes) -> dict[str, str]:
        """Keep a photo; what stands for it in an event."""
        self._photos += 1
        name = f"photo-{self._photos:04}.jpg"
        try:
            with _private(self.folder / name) as file:
                file.write(data)
        except OSError as error:
            self._stop(error)
        return {"file": name}

    def wrote(self, entries: Iterable[Any]) -> None:
        """Note what the table has written into its log since."""
        for entry in entries:
            self.event({"entry": {"kind": entry.kind, "body": entry.body, "secret": entry.secret}})
            self.entries += 1

    def close(self) -> None:
        """Write no more."""
        self._going = False
        with contextlib.suppress(OSError):
            self._events.close()
            self._film.close()

    def _write(self, file: BinaryIO, data: bytes) -> None:
        if not self._going:
            return
        try:
            file.write(data)
            file.flush()
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        self._say(f"The recording ends here ({error.strerror}); the game goes on.")
        self._going = False


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """The events of a recording, in order; raises NoTape. What was being written when it ended is left out."""
    try:
        with (folder / EVENTS).open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    yield _event(folder, number, line)
    except OSError as error:
        raise NoTape(f"{folder / EVENTS} cannot be read: {error.strerror}.") from error


def _event(folder: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError as error:
        raise NoTape(f"Line {number} of {folder / EVENTS} is damaged; what comes before it can be kept.") from error
    if not isinstance(event, dict):
        raise NoTape(f"Line {number} of {folder / EVENTS} is no event.")
    return event


def _private(path: Path) -> BinaryIO:
    """The file, open to append, readable by its owner only."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
