"""What goes wrong in a thread that has to go on: people are told, once."""

from __future__ import annotations

import traceback
from collections.abc import Callable

from companion.database import LogError


class Trouble:
    """Says what was met, and the same thing again only after all went well in between."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._said = ""

    def met(self, what: str, error: Exception) -> None:
        """Tell of it. Of a defect of ours it is told where it is, and no values, for they may be secret."""
        told = f"{what} {_words(error)}"
        if told != self._said:
            self._say(told)
        self._said = told

    def over(self) -> None:
        self._said = ""


def _words(error: Exception) -> str:
    if isinstance(error, LogError | OSError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.filename}:{place.lineno}"
