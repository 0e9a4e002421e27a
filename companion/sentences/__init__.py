"""What the table itself tells people, in English, German and Dutch: `table.<lang>.toml`, blanks as in a rulebook."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from companion.games.game import game
from companion.games.rulebook import Texts


@cache
def texts(lang: str, game_name: str) -> Texts:
    """The table's sentences together with those of the game on it."""
    raw = tomllib.loads(files(__package__).joinpath(f"table.{lang}.toml").read_text("utf-8"))
    own = game(game_name).rulebook.texts(lang)
    return Texts(own.rules, {**raw["messages"], **own.messages}, {**raw["words"], **own.words})
