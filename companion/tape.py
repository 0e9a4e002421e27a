"""A recorded evening: everything that came in at a table, in order, in a folder that only its owner may read.

    evening.json    which game, table, zones, deck and calibration; it says that this folder is private
    events.jsonl    one event a line, in the order in which the table took them:
                    {"start"}               the program was started
                    {"frame": s, "bytes"}   a frame of the camera at `s` seconds; its data is next in film.bin
                    {"call", "by", "with"}  what a phone asked the table to do: by which seat, with which arguments
                    {"open"}                the time was up: what had been sealed opened
                    {"marks", "says"}       what was recognised in a picture that the next entry names: hash, marks
                    {"entry"}               what the table wrote into its log because of the events before
                    {"failed"}              what it could not write (the disk was full): the entry after so many
    film.bin        the frames (vision.film); anew from a whole picture after each start
    photo-*.jpg     photos sent by phones
    deck/           what the copy's components look like; not there when it is the house deck

It holds every bid with its salt. Tokens are not in it: calls name the seat.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import cv2

from companion.evidence import Evidence, NoEvidence
from companion.games.game import game
from companion.games.tabletop import Zone
from companion.log import NAME
from companion.optics import FILES

FORMAT: Final = 2
PRIVATE: Final = "Keep this folder to yourself: it holds every bid of the evening, and what came of it."
CALLS: Final = (
    "sit", "stand_up", "begin", "again", "new_token", "seal", "act", "answer", "propose", "vote", "withdraw", "photo",
)  # fmt: skip
ABOUT, EVENTS, FILM, DECK = "evening.json", "events.jsonl", "film.bin", "deck"


class NoTape(ValueError):
    """A folder that holds no recorded evening, or cannot take one; the message says what to do."""


def encoder() -> str:
    """What made the pictures: another one may write the same picture in other bytes."""
    return f"OpenCV {cv2.__version__}, {platform.machine()}"


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
    calibration: Mapping[str, str] = field(default_factory=dict)  #: what its files say, by their names
    encoder: str = field(default_factory=encoder, compare=False)

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
            names = (name for name in cls.__slots__ if name not in ("options", "zones"))
            about = cls(options=data["options"], zones=zones, **{name: data[name] for name in names})
            about._check()
            return about
        except FileNotFoundError as error:
            raise NoTape(f"{folder} holds no recorded evening ({ABOUT} is missing).") from error
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, NoTape):
                raise
            raise NoTape(f"{folder / ABOUT} is damaged: {error}") from error

    def _check(self) -> None:
        """Raises ValueError for what no table was."""
        texts = (self.table, self.encoder, *self.calibration, *self.calibration.values())
        numbers = (value for zone in self.zones for value in (zone.x, zone.y, zone.width, zone.height, zone.angle))
        switches = (self.camera, self.deck, self.witness)
        if (
            not all(isinstance(text, str) for text in texts)
            or not all(isinstance(number, int | float) for number in numbers)
            or not all(isinstance(switch, bool) for switch in switches)
            or not set(self.calibration) <= set(FILES)
            or not NAME.fullmatch(self.table)
        ):
            raise ValueError("a value is of the wrong kind")
        playing = game(self.game)
        playing.start(playing.seats[0], self.options)


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

    def wrote(self, entries: Iterable[Any], evidence: Evidence | None = None) -> None:
        """Note what the table has written into its log since, and what was recognised in the pictures it names."""
        for entry in entries:
            pictures = entry.body.get("pictures")
            if pictures and evidence is not None:
                with contextlib.suppress(NoEvidence):
                    self.event({"marks": pictures["marks"], "says": evidence.get(pictures["marks"]).decode()})
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
    where = f"Line {number} of {folder / EVENTS}"
    try:
        event = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NoTape(f"{where} is damaged; what comes before it can be kept.") from error
    if not isinstance(event, dict) or not any(_fits(event, kinds) for kinds in SHAPES):
        raise NoTape(f"{where} is no event; what comes before it can be kept.")
    return event


def _fits(data: Mapping[str, Any], shape: Mapping[str, Callable[[Any], bool]]) -> bool:
    """Whether the data has just these keys, and values as they must be."""
    return set(data) == set(shape) and all(fits(data[key]) for key, fits in shape.items())


def _is_seat(value: Any) -> bool:
    return value is None or type(value) is int


ENTRY: Final[Mapping[str, Callable[[Any], bool]]] = {
    "kind": lambda value: isinstance(value, str),
    "body": lambda value: isinstance(value, dict),
    "secret": lambda value: value is None or isinstance(value, dict),
}
SHAPES: Final[tuple[Mapping[str, Callable[[Any], bool]], ...]] = (
    {"start": lambda value: value is True},
    {"open": lambda value: value is True},
    {"frame": lambda value: type(value) in (int, float), "bytes": lambda value: type(value) is int and value >= 0},
    {"call": lambda value: value in CALLS, "by": _is_seat, "with": lambda value: isinstance(value, dict)},
    {"entry": lambda value: isinstance(value, dict) and _fits(value, ENTRY)},
    {"failed": lambda value: type(value) is int and value >= 0},
    {"marks": lambda value: isinstance(value, str), "says": lambda value: isinstance(value, str)},
)


def _private(path: Path) -> BinaryIO:
    """The file, open to append, readable by its owner only."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
