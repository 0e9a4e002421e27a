"""A game as JSON lines: a header, then one action a line. Read strictly, replayed through the rules, written.

>>> header = Header("fiji", ("Hedwig", "Marcel", "Angelika"))
>>> lines = dumps(header, []).encode().splitlines(keepends=True)
>>> steps = list(replay(lines))
>>> steps[-1].answer()["to_act"]
['table']
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, NoReturn

from companion.games.game import Action, Data, Effect, Game, Illegal, Malformed, Ruling, game
from companion.games.reading import Fields

LONGEST_LINE: Final = 1_000_000  #: bytes; a header with a whole board in it has a tenth of that
LONGEST_NAME: Final = 80
LONGEST_MESSAGE: Final = 400
LONGEST_NUMBER: Final = 12  #: digits


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: which game, who plays, by which options."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def data(self) -> Data:
        return {"record": 1, "game": self.game, "players": list(self.players), "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Step:
    """Where a game stands after a line of its record (1 is the header), and what that line did."""

    line: int
    header: Header
    game: Game[Any, Any]
    state: Any
    action: Action | None = None
    effects: tuple[Effect, ...] = ()

    def answer(self) -> Data:
        """The game as `companion replay --json` prints it (contracts: Records)."""
        return {
            "game": self.game.name,
            "over": self.game.over(self.state),
            "to_act": list(self.game.to_act(self.state)),
            "state": self.game.dump(self.state),
            "scores": [score.data() for score in self.game.scores(self.state)],
            "ranking": [list(place) for place in self.game.ranking(self.state)],
        }


class BadLine(ValueError):
    """A line of a record that cannot be read, or that the rules refuse; it says so in words and as data."""

    def __init__(self, line: int | None, message: str, ruling: Ruling | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
        self.ruling = ruling

    def data(self) -> Data:
        """{"line", "error": "malformed" | "illegal", "rule" for the latter, "message"}."""
        if self.ruling is None:
            return {"line": self.line, "error": "malformed", "message": self.message}
        return {"line": self.line, "error": "illegal", "rule": self.ruling.rule, "message": self.message}


def parse(line: bytes | str) -> Data:
    """The JSON object in one line; raises Malformed.

    Nothing that JSON readers differ about is let through: keys said twice, NaN, fractions, endless numbers,
    half characters.
    """
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # refuses halves of surrogate pairs
    except UnicodeError as error:
        raise Malformed("this is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"this is not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise Malformed("this is nested too deeply") from error
    if not isinstance(value, dict):
        raise Malformed("this must be a JSON object, as in {...}")
    return value


def read_header(data: Mapping[str, Any]) -> Header:
    """The header a record's first line means; raises Malformed. (The game judges number of players and options.)"""
    fields = Fields(data, "header")
    fields.integer("record", 1, 1)
    name = fields.take("game")
    if not isinstance(name, str):
        raise Malformed("header.game must be a text")
    players = fields.items("players", _player)
    options = fields.take("options")
    if not isinstance(options, dict):
        raise Malformed("header.options must be an object")
    fields.done()
    return Header(name, players, options)


def replay(lines: Iterable[bytes]) -> Iterator[Step]:
    """Play a record through the rules, yielding after every line; raises BadLine at the first that will not do."""
    numbered = enumerate(lines, start=1)
    line, first = next(numbered, (1, b""))
    step = _begin(line, first)
    yield step
    for line, raw in numbered:
        step = _next(step, line, raw)
        yield step


def last(lines: Iterable[bytes]) -> Step:
    """Where the game stands at the record's end; raises BadLine."""
    *_, step = replay(lines)
    return step


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a binary stream; a line too long comes cut, and is refused when it is parsed."""
    while raw := stream.readline(LONGEST_LINE + 1):
        yield raw


def fold(header: Header, actions: Iterable[Mapping[str, Any]]) -> Any:
    """The state after these actions as data; raises Malformed or Illegal."""
    rules = game(header.game)
    state = rules.start(len(header.players), header.options)
    for data in actions:
        state, _ = rules.apply(state, rules.read(state, data))
    return state


def dumps(header: Header, actions: Iterable[Action]) -> str:
    """The record as text, one JSON object a line."""
    return "".join(f"{dump_line(data)}\n" for data in (header.data(), *(action.data() for action in actions)))


def dump_line(data: Mapping[str, Any]) -> str:
    """One line of JSON that any terminal can show."""
    return json.dumps(data, allow_nan=False)


def _begin(line: int, raw: bytes) -> Step:
    try:
        header = read_header(_parse(raw, "the record is empty; line 1 is its header"))
        rules = game(header.game)
        return Step(line, header, rules, rules.start(len(header.players), header.options))
    except Malformed as error:
        raise BadLine(line, str(error)) from error


def _next(step: Step, line: int, raw: bytes) -> Step:
    rules, state = step.game, step.state
    try:
        action = rules.read(state, _parse(raw, "this line is empty"))
        state, effects = rules.apply(state, action)
    except Malformed as error:
        raise BadLine(line, str(error)) from error
    except Illegal as error:
        told = rules.rulebook.texts("en").tell(error.ruling.because, step.header.players)
        raise BadLine(line, told, error.ruling) from error
    return Step(line, step.header, rules, state, action, effects)


def _parse(raw: bytes, empty: str) -> Data:
    if len(raw) > LONGEST_LINE:
        raise Malformed(f"this line is longer than {LONGEST_LINE} bytes")
    if not raw.strip():
        raise Malformed(empty)
    return parse(raw)


def _player(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise Malformed(f"{where} must be a name of 1 to {LONGEST_NAME} characters")
    if any(unicodedata.category(c) == "Cc" for c in value):
        raise Malformed(f"{where} must be a name without control characters")
    return value


def _object(pairs: Sequence[tuple[str, Any]]) -> Data:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Malformed(f"the key {next(n for n in names if names.count(n) > 1)!r} is there twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise Malformed(f"{digits[:LONGEST_NUMBER]}… is too large a number")
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise Malformed(f"{text[:LONGEST_NUMBER]} is no whole number")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
)
