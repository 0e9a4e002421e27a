"""Panels: what shows the scoreboard. A new panel is one class, named in the entry point group `companion.panels`.

>>> panel = Browser((250, 122), "bw")
>>> panel.show(Image.new("1", panel.size, 1))
>>> panel.newest[0]
1
"""

from __future__ import annotations

import io
import os
import tempfile
import threading
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final, Protocol, Self

from PIL import Image

from hardware.ink import PALETTE
from hardware.scoreboard import LARGE, Colours

Size = tuple[int, int]
Readback = Callable[[], Image.Image]  #: what somebody in front of the panel sees, mode "RGB"


class PanelError(OSError):
    """The panel did not take the picture; the message says what to do. The game goes on without it."""


class Panel(Protocol):
    """Something that shows pictures of one size. Used by one thread at a time."""

    @property
    def size(self) -> Size:
        """Width and height in pixels."""

    @property
    def colours(self) -> Colours:
        """ "bw": pictures of mode "1"; "bwr": mode "P" with the indices white, black, red."""

    @property
    def partial(self) -> bool:
        """Whether it can change a picture quickly, without the flashing of a full refresh."""

    def show(self, image: Image.Image, *, full: bool = True) -> None:
        """Show a picture; `full` False: quickly, where it can. Wakes a sleeping panel.

        Raises ValueError for a picture of another size or mode, PanelError when the panel does not answer.
        """

    def sleep(self) -> None:
        """Save power; the picture stays."""

    def close(self) -> None:
        """Let go of everything; may be called twice. The picture stays."""


class Kind(Protocol):
    """What the entry points name: how to get a panel, and how to test one where there is none."""

    def open(self, where: str, size: Size | None = None, colours: Colours | None = None) -> Panel:
        """The panel at `where` (a path, a bus); raises PanelError, or ValueError for a size it does not have."""

    def simulated(self, folder: Path) -> tuple[Panel, Readback]:
        """A panel that needs no hardware, and how to see what it shows; `folder` is for its files."""


def kinds() -> dict[str, Kind]:
    """Every installed kind of panel by name."""
    return {e.name: e.load() for e in sorted(entry_points(group="companion.panels"), key=lambda e: e.name)}


def open_panel(name: str, where: str = "", size: Size | None = None, colours: Colours | None = None) -> Panel:
    """The panel of this kind; raises PanelError with the kinds there are."""
    found = kinds()
    if name not in found:
        raise PanelError(f"No panel is called {name!r}; there are: {', '.join(found)}.")
    return found[name].open(where, size, colours)


class _Picture:
    """What all panels that show a PNG share: size, colours, and refusing what does not fit."""

    partial = True

    def __init__(self, size: Size = LARGE, colours: Colours = "bwr") -> None:
        self.size = size
        self.colours: Colours = colours
        self._closed = False

    def encode(self, image: Image.Image) -> bytes:
        check(image, self.size, self.colours)
        if self._closed:
            raise PanelError("This panel is closed. Open it again.")
        out = io.BytesIO()
        image.save(out, "PNG", optimize=True)
        return out.getvalue()

    def sleep(self) -> None:
        """Nothing to save."""

    def close(self) -> None:
        self._closed = True


class PngFile(_Picture):
    """The picture as a PNG file, replaced at once: who reads it sees the old one or the new one, whole."""

    def __init__(self, path: Path, size: Size = LARGE, colours: Colours = "bwr") -> None:
        super().__init__(size, colours)
        self.path = path

    @classmethod
    def open(cls, where: str, size: Size | None = None, colours: Colours | None = None) -> Self:
        if not where:
            raise PanelError("Say which file shall show the board, as in png-file=board.png.")
        return cls(Path(where), size or LARGE, colours or "bwr")

    @classmethod
    def simulated(cls, folder: Path) -> tuple[Self, Readback]:
        path = folder / "board.png"
        return cls(path), lambda: Image.open(io.BytesIO(path.read_bytes())).convert("RGB")

    def show(self, image: Image.Image, *, full: bool = True) -> None:
        data = self.encode(image)
        try:
            handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(temporary).chmod(0o644)
                Path(temporary).replace(self.path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise PanelError(f"{self.path} cannot be written: {error.strerror}. Choose another file.") from error


class Browser(_Picture):
    """The picture for a page: the newest one and its number. May be read from any thread."""

    def __init__(self, size: Size = LARGE, colours: Colours = "bwr") -> None:
        super().__init__(size, colours)
        self._changed = threading.Condition()
        self._newest = (0, b"")

    @classmethod
    def open(cls, where: str = "", size: Size | None = None, colours: Colours | None = None) -> Self:
        return cls(size or LARGE, colours or "bwr")

    @classmethod
    def simulated(cls, folder: Path) -> tuple[Self, Readback]:
        panel = cls()
        return panel, lambda: Image.open(io.BytesIO(panel.newest[1])).convert("RGB")

    @property
    def newest(self) -> tuple[int, bytes]:
        """How many pictures there were, and the newest one as PNG (0 and nothing before the first)."""
        return self._newest

    def wait(self, after: int, timeout: float) -> tuple[int, bytes]:
        """`newest` as soon as its number is greater than `after`, or what it is after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest[0] > after or self._closed, timeout)
            return self._newest

    def show(self, image: Image.Image, *, full: bool = True) -> None:
        data = self.encode(image)
        with self._changed:
            self._newest = (self._newest[0] + 1, data)
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            super().close()
            self._changed.notify_all()


MODES: Final[dict[Colours, str]] = {"bw": "1", "bwr": "P"}


def check(image: Image.Image, size: Size, colours: Colours) -> None:
    """Raises ValueError unless the image is exactly what a panel of this size and colours shows."""
    if image.size != size or image.mode != MODES[colours]:
        raise ValueError(f"this panel shows {size} in mode {MODES[colours]}, not {image.size} in {image.mode}")
    if colours == "bwr":
        extrema = image.getextrema()
        if tuple((image.getpalette() or [])[: len(PALETTE)]) != PALETTE or extrema[1] > 2:  # type: ignore[operator]  # one band
            raise ValueError("a picture for this panel has the palette white, black, red and no other colour")
