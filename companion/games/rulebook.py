"""Rule texts and sentences of a game, in English, German and Dutch, from `rulebook.<lang>.toml` in its folder.

book = "Fiji, 2F-Spiele 2005"
[words]                      # the game's words, for facts that are words
green = "green"              # "palms_one": after the number 1; "moai": also in "moai-3"
[messages]                   # sentences that notes name; {blanks} are facts, a list may name its last joint
bid_count = "{seat} bids {count} beads; 1 to 4 are allowed."
row_all_cancel = "{cancelled:and} cancel: nobody wins."
[rules.FJ-4a1]               # one table per rule id, in the book's order
heading = "a) Bieten"
text = "…"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Final

from companion.games.game import Data, Malformed, Note, Ruling

LANGUAGES: Final = ("en", "de", "nl")


@dataclass(frozen=True, slots=True)
class Rule:
    """One citable rule: its id, our wording, and where the book says it (`note`: where the books differ)."""

    id: str
    text: str
    book: str
    heading: str
    note: str = ""

    def source(self) -> Data:
        return {"book": self.book, "heading": self.heading}


@dataclass(frozen=True, slots=True)
class Listed:
    """Several things told one after the other: with commas, the last one after the joint a sentence names.

    >>> "{0} / {0:and}".format(Listed(("2", "1", "1")))
    '2, 1, 1 / 2, 1 and 1'
    """

    parts: tuple[str, ...]

    def __format__(self, joint: str) -> str:
        if not joint or len(self.parts) < 2:
            return ", ".join(self.parts)
        return f"{', '.join(self.parts[:-1])} {joint} {self.parts[-1]}"


@dataclass(frozen=True, slots=True)
class Texts:
    """A game's texts in one language."""

    rules: Mapping[str, Rule]
    messages: Mapping[str, str]
    words: Mapping[str, str]

    def tell(self, note: Note, players: Sequence[str]) -> str:
        """The sentence a note stands for, with the players' names in it."""
        facts = {name: self._fact(name, value, players) for name, value in note.facts.items()}
        return self.messages[note.code].format_map(facts)

    def headline(self, phase: Note, players: Sequence[str]) -> tuple[str, str]:
        """What is going on, and the same in few words without who is to act, if there is a message `short_<deed>`."""
        text, code = self.tell(phase, players), phase.code.replace("phase_", "short_", 1)
        return text, self.tell(replace(phase, code=code), players) if code in self.messages else text

    def _fact(self, name: str, value: object, players: Sequence[str]) -> str | Listed:
        if isinstance(value, Note):
            return self.tell(value, players)
        of_seats = name.endswith(("seat", "seats"))
        if isinstance(value, Mapping) and of_seats:
            return Listed(tuple(f"{players[seat]} {n}" for seat, n in value.items()))
        if isinstance(value, Mapping):
            return Listed(tuple(f"{n} {self._counted(word, n)}" for word, n in value.items() if n) or ("0",))
        if isinstance(value, list | tuple):
            return Listed(tuple(f"{self._fact(name, v, players)}" for v in value))
        if isinstance(value, int) and not isinstance(value, bool) and of_seats:
            return players[value]
        if isinstance(value, str):
            return self._word(value)
        return str(value)

    def _counted(self, word: str, count: object) -> str:
        """A word after its count; a word of its own where one of it is called otherwise ("palms_one")."""
        return self.words.get(f"{word}_one", self._word(word)) if count == 1 else self._word(word)

    def _word(self, word: str) -> str:
        """A word, also of what bears a number after it ("moai-3")."""
        head, _, number = word.rpartition("-")
        if word not in self.words and number.isdecimal() and head in self.words:
            return f"{self.words[head]} {number}"
        return self.words.get(word, word)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All languages of one game. Every language has the same rules, messages and words (a test holds them to it)."""

    languages: Mapping[str, Texts]

    @classmethod
    def load(cls, package: str) -> Rulebook:
        """Read the three TOML files of a game's package."""
        return cls({lang: _texts(package, lang) for lang in LANGUAGES})

    def texts(self, lang: str) -> Texts:
        if lang not in self.languages:
            raise Malformed(f"no texts in {lang!r}; there are: {', '.join(self.languages)}")
        return self.languages[lang]

    def ids(self) -> list[str]:
        """All rule ids, in the book's order."""
        return list(self.languages["en"].rules)

    def ruling(self, ruling: Ruling, players: Sequence[str], lang: str = "en") -> Data:
        """A ruling as told to people (contracts: Rulings)."""
        texts = self.texts(lang)
        rule = texts.rules[ruling.rule]
        told: Data = {
            "legal": ruling.legal,
            "rule": ruling.rule,
            "says": rule.text,
            "source": rule.source(),
            "because": texts.tell(ruling.because, players),
        }
        if rule.note:
            told["note"] = rule.note
        return told


def _texts(package: str, lang: str) -> Texts:
    raw: dict[str, Any] = tomllib.loads(files(package).joinpath(f"rulebook.{lang}.toml").read_text("utf-8"))
    rules = {
        id_: Rule(id_, entry["text"], entry.get("book", raw["book"]), entry["heading"], entry.get("note", ""))
        for id_, entry in raw["rules"].items()
    }
    return Texts(rules, raw["messages"], raw["words"])
