"""The house decks of the games, drawn from what the games themselves say is in their box."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from calibration import house

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.house import Face

PARTS: Final = {  # the game's package, its file, and the tables in it that the drawings need
    "maori": ("maori", "components.toml", ("tiles", "board")),
    "giants": ("giants", "board.toml", ("hexes", "ahus")),
}


def parts(game: str) -> Mapping[str, Any] | None:
    """What a game's house deck is painted from, or None when its drawings need nothing."""
    if game not in PARTS:
        return None
    package, name, tables = PARTS[game]
    said = tomllib.loads((files("companion.games") / package / name).read_text(encoding="utf-8"))
    return {table: said[table] for table in tables}


def faces(game: str, px_per_mm: float = 8.0) -> dict[str, Face]:
    """Every face of a game's house deck by component name. Raises KeyError for a game that has none."""
    return house.faces(game, px_per_mm, parts(game))
