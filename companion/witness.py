"""The witness of a table: holds the newest settled shot until something happens, then keeps it as evidence."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from companion.evidence import Evidence
from companion.shots import Shot


class Witness:
    """One for a table, called under its lock. A disk that takes no pictures stops no game: it is said, once."""

    def __init__(self, evidence: Evidence, say: Callable[[str], None] = print) -> None:
        self.evidence = evidence
        self._say = say
        self._shot: Shot | None = None  # newer than what is kept
        self._kept: dict[str, Any] | None = None  # the newest kept
        self._silent = False

    @property
    def up_to_date(self) -> bool:
        """Whether the newest shot is kept, so that the next one need only show what changes from now on."""
        return self._shot is None

    def look(self, shot: Shot | None) -> None:
        """Take a settled table's shot; None when it lies as it was kept."""
        self._shot = shot or self._shot

    def newest(self, game: str) -> dict[str, Any] | None:
        """Keep the newest shot for this game; its hashes, or None when there is none that is not kept already."""
        shot, self._shot = self._shot, None
        if shot is None:
            return None
        try:
            self._kept = shot.keep(self.evidence, game)
        except OSError as error:
            self._kept = None
            if not self._silent:
                self._say(f"No pictures are kept as evidence: {error}. Make room or mend the folder; the game goes on.")
            self._silent = True
            return None
        self._silent = False
        return self._kept

    def settled(self, game: str) -> dict[str, Any] | None:
        """The hashes of the table as it lies now, kept for this game; None when nothing is known of it."""
        return self.newest(game) or self._kept

    def over(self, game: str, yes: bool) -> None:
        """Note whether this game is over; its pictures may then go before those of games that are not."""
        with contextlib.suppress(OSError):
            self.evidence.over(game, yes)
