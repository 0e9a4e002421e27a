"""When a panel is refreshed, and how: changes are gathered for a while, most are partial, some are full.

E-paper flashes for seconds when it is refreshed fully and keeps shadows when it never is. So: gather changes for
2 s; then a partial refresh, where the panel can; a full one first, after 25 partial ones, when the table says that
a chapter ends, a day after the last full one, and after sleep (the controller has forgotten the old picture).
The policy knows no clock: it is told what time it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image

from hardware.panels import Panel, check

RETRY: Final = 30.0  #: seconds until a panel that did not answer is tried again


class Step(Enum):
    """What to do with the panel."""

    FULL = "full"
    PARTIAL = "partial"
    SLEEP = "sleep"


@dataclass(frozen=True, slots=True)
class Policy:
    """The measures, in seconds; `partials` is how many partial refreshes may follow a full one."""

    gather: float = 2.0
    partials: int = 25
    full_every: float = 24 * 3600.0
    sleep_after: float = 300.0


class Refresh:
    """Decides what a panel shows when. `now` is any clock in seconds that does not go back."""

    def __init__(self, partial: bool, policy: Policy | None = None) -> None:
        self._partial = partial
        self._policy = policy or Policy()
        self._wanted: Image.Image | None = None
        self._shown: bytes | None = None
        self._since: float | None = None  # when the first change came that is not shown yet
        self._wants = 0  # pictures that were wanted so far,
        self._due = 0  # … and up to which of them the one in hand shows
        self._chapter = 0  # the one with which a chapter ended that is not shown yet
        self._partials = 0
        self._full_at = float("-inf")
        self._last_at = float("-inf")
        self._asleep = True

    def want(self, image: Image.Image, now: float, chapter: bool = False) -> None:
        """This is what shall be seen; `chapter`: something ended, a full refresh does no harm now."""
        self._wanted = image
        self._wants += 1
        if chapter:
            self._chapter = self._wants
        if image.tobytes() == self._shown:
            self._since = None
        elif self._since is None:
            self._since = now

    def due(self, now: float) -> tuple[Step, Image.Image] | None:
        """What is to be done now, if anything."""
        at = self.next_at()
        if at is None or now < at or self._wanted is None:
            return None
        self._due = self._wants
        if self._since is not None and now >= self._since + self._policy.gather:
            return (Step.FULL if self._full(now) else Step.PARTIAL), self._wanted
        if now >= self._full_at + self._policy.full_every:
            return Step.FULL, self._wanted
        return Step.SLEEP, self._wanted

    def next_at(self) -> float | None:
        """When there is something to do, if nothing changes until then."""
        if self._wanted is None:
            return None
        if self._since is not None:
            return self._since + self._policy.gather
        daily = self._full_at + self._policy.full_every
        return daily if self._asleep else min(daily, self._last_at + self._policy.sleep_after)

    def did(self, step: Step, image: Image.Image, now: float) -> None:
        """It was done, and took until `now`."""
        self._asleep = step is Step.SLEEP
        if step is Step.SLEEP:
            return
        self._last_at = now
        self._shown = image.tobytes()
        if self._wanted is None or self._wanted.tobytes() == self._shown:
            self._since = None
        else:
            self._since = now  # it changed while the panel was busy
        self._partials += 1
        if step is Step.FULL:
            self._partials, self._full_at = 0, now
            if self._chapter <= self._due:  # or else it ended while the panel was busy
                self._chapter = 0

    def pending(self) -> Image.Image | None:
        """What is wanted and not shown."""
        return self._wanted if self._since is not None else None

    def failed(self, now: float) -> None:
        """It could not be done: the panel's picture is unknown; try again later."""
        self._shown, self._asleep = None, True
        self._since = now + RETRY - self._policy.gather

    def _full(self, now: float) -> bool:
        worn = self._partials >= self._policy.partials or now >= self._full_at + self._policy.full_every
        return not self._partial or self._asleep or self._chapter > 0 or worn


def _nobody(_: str) -> None:
    """Is told nothing."""


class Display:
    """Keeps one panel showing what is wanted, in a thread of its own; `show` never waits for the panel.

    `trouble` holds the panel's last complaint until it works again. `say` is told once when it does not show what it
    should, and once when it does again.
    """

    def __init__(
        self,
        panel: Panel,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
        start: bool = True,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.panel = panel
        self._say = say or _nobody
        self.trouble: str | None = None
        self._refresh = Refresh(panel.partial, policy)
        self._clock = clock
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        if start:
            self._thread.start()

    def show(self, image: Image.Image, chapter: bool = False) -> None:
        """This is what the panel shall show; `chapter` as in `Refresh.want`. Raises ValueError if it cannot."""
        check(image, self.panel.size, self.panel.colours)
        with self._wake:
            self._refresh.want(image, self._clock(), chapter)
            self._wake.notify()

    def step(self) -> bool:
        """Do what is due now; whether there was anything."""
        with self._wake:
            due = self._refresh.due(self._clock())
        if due is None:
            return False
        step, image = due
        try:
            if step is Step.SLEEP:
                self.panel.sleep()
            else:
                self.panel.show(image, full=step is Step.FULL)
        except OSError as error:  # PanelError is one
            if self.trouble is None:
                self._say(f"The board shows nothing new: {error}")
            self.trouble = str(error)
            with self._wake:
                self._refresh.failed(self._clock())
            return True
        if self.trouble is not None:
            self._say("The board is back.")
        self.trouble = None
        with self._wake:
            self._refresh.did(step, image, self._clock())
        return True

    def close(self) -> None:
        """Show what is still waiting, then let go of the panel."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()
        pending = self._refresh.pending()
        if pending is not None and self.trouble is None:
            with suppress(OSError):
                self.panel.show(pending)
        self.panel.close()

    def _run(self) -> None:
        while not self._closed:
            if not self.step():
                with self._wake:
                    at = self._refresh.next_at()
                    if not self._closed:
                        self._wake.wait(None if at is None else max(0.0, at - self._clock()))
