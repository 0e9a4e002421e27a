"""What the table itself tells people, in English, German and Dutch.

`table.<lang>.toml` here holds what every table says; the file of the same name in a game's folder holds what is said
of that game: its phases, its moves as choices, its components' names, what differs on its table. Blanks and words as
in a rulebook, whose sentences belong to it, too.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from companion.games.game import game
from companion.games.rulebook import Texts


@cache
def texts(lang: str, game_name: str) -> Texts:
    """All that is told at a table of this game; raises Malformed for a language there is not."""
    playing = game(game_name)
    rulebook = playing.rulebook.texts(lang)
    common, own = _read(__package__, lang), _read(playing.folder, lang)
    return Texts(
        rulebook.rules,
        {**common["messages"], **own["messages"], **rulebook.messages},
        {**common["words"], **own["words"], **rulebook.words},
    )


def _read(package: str, lang: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath(f"table.{lang}.toml").read_text("utf-8"))
