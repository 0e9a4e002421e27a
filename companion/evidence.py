"""Evidence: pictures in files named by the SHA-256 of what is in them, game by game, within a budget.

    evidence/000007.oak-3/<64 hex digits>     one folder a game, numbered as the games came

What is put is on the disk, whole, before `put` returns: its hash may then go into the log. Pictures of past games are
for memory: only their owner may read the folder.

When there is too much, whole games are deleted; a list of what went stays behind, so that nobody takes a deleted
picture for a lost one. Games that are over go first, the oldest first. Over is what was said to be (`over`), and what
its own table has played another game after. Only when that is not enough do games go that somebody may still be
playing, at another table, say: first those that got no picture for the longest time. The newest game and the one that
is being put to are never deleted: rather than those, the budget is exceeded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BUDGET: Final = 2_000_000_000  #: bytes
DELETED: Final = "deleted"  #: the list of what a game's folder no longer holds, one hash a line
OVER: Final = "over"  #: an empty file in the folder of a game that is over
OURS: Final = frozenset({DELETED, OVER})  #: what is in a game's folder and no picture
GAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
HASH: Final = re.compile(r"[0-9a-f]{64}")


class NoEvidence(Exception):
    """A picture that cannot be shown. `reason` is "deleted", "missing" or "changed"."""

    reason = ""


class Deleted(NoEvidence, LookupError):
    """It was deleted to stay within the budget; nothing is wrong."""

    reason = "deleted"


class Missing(NoEvidence, LookupError):
    """It is not there, and not because of the budget."""

    reason = "missing"


class Changed(NoEvidence, ValueError):
    """Its file holds something else than what was put."""

    reason = "changed"


class Evidence:
    """The files in one folder. One thread at a time puts; other processes may read, or put for other games."""

    def __init__(self, folder: Path, budget: int = BUDGET) -> None:
        """`budget` in bytes; the folder is made when something is put."""
        self.folder = folder
        self.budget = budget
        self._bytes: int | None = None  # in all, as far as this process knows

    def put(self, game: str, data: bytes) -> str:
        """The hash of `data`, once it is on the disk as evidence of this game.

        Raises OSError when the disk does not take it, ValueError for a game that cannot name a folder.
        """
        mark = hashlib.sha256(data).hexdigest()
        home = self._home(game)
        path = home / mark
        if _holds(path, mark):
            return mark
        self._make_room(len(data), home)
        part = home / f"{mark}.part"
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _sync(home)
        return mark

    def get(self, mark: str) -> bytes:
        """What was put under this hash; raises Deleted, Missing or Changed."""
        changed = False
        for home in self._homes() if HASH.fullmatch(mark) else ():
            try:
                data = (home / mark).read_bytes()
            except FileNotFoundError:
                continue
            if hashlib.sha256(data).hexdigest() == mark:
                return data
            changed = True
        if changed:
            raise Changed(f"The picture {mark[:8]} was changed after it was kept: its file no longer has that hash.")
        if any(mark in _deleted(home) for home in self._homes()):
            raise Deleted(f"The picture {mark[:8]} was deleted to stay within the budget for pictures.")
        raise Missing(f"The picture {mark[:8]} is missing. If the folder was moved or restored, copy all of it.")

    def over(self, game: str, yes: bool = True) -> None:
        """Note that this game is over, or (`yes` false) that it goes on after all. Raises OSError."""
        for home in self._homes():
            if _name(home) == game and (home / OVER).exists() is not yes:
                (home / OVER).touch(0o600) if yes else (home / OVER).unlink()

    def prune(self, budget: int, keep: Path | None = None) -> list[str]:
        """Delete games' pictures until at most `budget` bytes are left, in the order that the module's text says.

        The names of the games whose pictures went. `keep`: the folder of a game that stays, besides the newest.
        """
        gone = []
        homes = list(self._homes())
        total = sum(map(_size, homes))
        for home in _leaving(homes):
            if total <= budget:
                break
            if home == keep:
                continue
            if size := _size(home):
                total -= size
                _empty(home)
                gone.append(_name(home))
        self._bytes = total
        return gone

    def size(self) -> int:
        """Bytes of all pictures kept."""
        return sum(map(_size, self._homes()))

    def _make_room(self, more: int, home: Path) -> None:
        """Count so many bytes in for the game in this folder; where that is too much, others go."""
        if self._bytes is None:
            self._bytes = self.size()
        if self._bytes + more > self.budget:
            self.prune(self.budget - more, home)
        self._bytes += more

    def _homes(self) -> Iterator[Path]:
        """The games' folders, the oldest first."""
        if self.folder.is_dir():
            yield from sorted(path for path in self.folder.iterdir() if path.is_dir() and path.name[:6].isdecimal())

    def _home(self, game: str) -> Path:
        """The folder of this game, made when it is needed."""
        if not GAME.fullmatch(game):
            raise ValueError(f"a game is named by letters, digits, '.', '_' and '-', not {game!r}")
        homes = list(self._homes())
        for home in homes:
            if _name(home) == game:
                return home
        number = 1 + max((int(home.name[:6]) for home in homes), default=0)
        home = self.folder / f"{number:06}.{game}"
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        home.mkdir(mode=0o700)
        _sync(self.folder)
        return home


def _name(home: Path) -> str:
    return home.name.partition(".")[2]


def _leaving(homes: list[Path]) -> list[Path]:
    """The folders but the newest, in the order in which they may go."""
    newest: dict[str, int] = {}  # by table: its newest game
    for home in homes:
        table, number = _game(home)
        newest[table] = max(number, newest.get(table, 0))

    def over(home: Path) -> bool:
        table, number = _game(home)
        return number < newest[table] or (home / OVER).exists()

    finished = [home for home in homes[:-1] if over(home)]
    played = [home for home in homes[:-1] if home not in finished]
    return finished + sorted(played, key=lambda home: home.stat().st_mtime_ns)


def _game(home: Path) -> tuple[str, int]:
    """The table of the game in this folder, and which of its games it is (0: its name does not say)."""
    table, _, number = _name(home).rpartition("-")
    return (table, int(number)) if number.isdecimal() else (_name(home), 0)


def _size(home: Path) -> int:
    total = 0
    with os.scandir(home) as files:
        for file in files:
            with contextlib.suppress(FileNotFoundError):  # another process deletes here, too
                total += file.stat().st_size if file.name not in OURS else 0
    return total


def _holds(path: Path, mark: str) -> bool:
    """Whether the file is there and whole."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == mark
    except FileNotFoundError:
        return False


def _deleted(home: Path) -> list[str]:
    try:
        return (home / DELETED).read_text("ascii", errors="replace").split()
    except FileNotFoundError:
        return []


def _empty(home: Path) -> None:
    """Delete a game's pictures; what goes is noted before anything does, so a crash in between loses no reason."""
    names = [path.name for path in home.iterdir() if path.name not in OURS]
    with (home / DELETED).open("a", encoding="ascii") as file:
        file.writelines(f"{name}\n" for name in names if HASH.fullmatch(name))
        file.flush()
        os.fsync(file.fileno())
    for name in names:
        (home / name).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """A new name in a folder is safe only when the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
