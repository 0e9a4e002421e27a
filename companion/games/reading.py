"""Strict reading of JSON: every field by name and type, nothing unknown, nothing left over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.games.game import TABLE, Actor, Malformed

T = TypeVar("T")
MOST = 1_000_000  #: no count in any of the games comes near it


def integer(value: object, where: str, least: int = 0, most: int = MOST) -> int:
    """An int from `least` to `most` (True and 3.0 are none); raises Malformed."""
    if type(value) is not int:
        raise Malformed(f"{where} must be a whole number")
    if not least <= value <= most:
        raise Malformed(f"{where} must be from {least} to {most}")
    return value


def word(value: object, where: str, choices: Sequence[str]) -> str:
    """One of the given words; raises Malformed."""
    if not isinstance(value, str) or value not in choices:
        raise Malformed(f"{where} must be one of: {', '.join(choices)}")
    return value


def flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise Malformed(f"{where} must be true or false")
    return value


def items(
    value: object, where: str, read: Callable[[object, str], T], count: int | range | None = None
) -> tuple[T, ...]:
    """A list of `count` things (a number, a range of numbers, or any), each read by `read`; raises Malformed."""
    if not isinstance(value, list | tuple):
        raise Malformed(f"{where} must be a list")
    if isinstance(count, int) and len(value) != count:
        raise Malformed(f"{where} must have {count} entries")
    if isinstance(count, range) and len(value) not in count:
        raise Malformed(f"{where} must have {count.start} to {count.stop - 1} entries")
    return tuple(read(v, f"{where}[{i}]") for i, v in enumerate(value))


def bag(value: object, where: str, names: Sequence[str]) -> tuple[int, ...]:
    """Counts by name as a tuple in the order of `names`; names left out count 0; raises Malformed."""
    fields = Fields(value, where)
    counts = tuple(fields.integer(name, default=0) for name in names)
    fields.done()
    return counts


class Fields:
    """Reads the fields of one JSON object; `done` refuses what nobody asked for.

    >>> f = Fields({"by": 0, "do": "pass"}, "line"); f.integer("by"), f.word("do", ["pass"]); f.done()
    (0, 'pass')
    """

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} must be an object")
        self._left: dict[str, Any] = dict(value)
        self._where = where

    def has(self, name: str) -> bool:
        return name in self._left

    def take(self, name: str) -> Any:
        """The raw value of a field that must be there."""
        if name not in self._left:
            raise Malformed(f"{self._where} lacks {name!r}")
        return self._left.pop(name)

    def integer(self, name: str, least: int = 0, most: int = MOST, default: int | None = None) -> int:
        if default is not None and name not in self._left:
            return default
        return integer(self.take(name), f"{self._where}.{name}", least, most)

    def word(self, name: str, choices: Sequence[str]) -> str:
        return word(self.take(name), f"{self._where}.{name}", choices)

    def flag(self, name: str, default: bool | None = None) -> bool:
        if default is not None and name not in self._left:
            return default
        return flag(self.take(name), f"{self._where}.{name}")

    def bag(self, name: str, names: Sequence[str]) -> tuple[int, ...]:
        return bag(self.take(name), f"{self._where}.{name}", names)

    def items(self, name: str, read: Callable[[object, str], T], count: int | range | None = None) -> tuple[T, ...]:
        return items(self.take(name), f"{self._where}.{name}", read, count)

    def actor(self, players: int) -> Actor:
        """`by`: a seat number below `players`, or the table."""
        value = self.take("by")
        if value == TABLE and isinstance(value, str):
            return TABLE
        if type(value) is not int or not 0 <= value < players:
            raise Malformed(f'{self._where}.by must be a seat from 0 to {players - 1}, or "table"')
        return value

    def done(self) -> None:
        if self._left:
            raise Malformed(f"{self._where} has unknown keys: {', '.join(sorted(map(str, self._left)))}")
