"""The observer for a game's table: which deck, and which beads and dice may lie there."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from companion.games.game import Malformed, games
from vision import beads
from vision.deck import Deck, NoDeck
from vision.observe import Observer
from vision.plane import MARKER_MM


def observer(
    deck_folder: Path, game: str | None = None, *, without_markers: bool = False, marker_mm: float = MARKER_MM
) -> Observer:
    """Looks for the components of this deck and the beads of its game; raises vision.deck.NoDeck."""
    deck = Deck.load(deck_folder)
    try:
        check(deck.game, deck.attributes)
    except Malformed as error:
        raise NoDeck(f"{deck_folder}: {error}; teach the deck again") from error
    game = game or deck.game
    return Observer(
        deck, palette(game), die_faces=die_faces(game), without_markers=without_markers, marker_mm=marker_mm
    )


def check(game: str, attributes: Mapping[str, Mapping[str, Any]]) -> None:
    """Whether the rules can read what a copy's components say; raises Malformed. Other games may say anything."""
    rules = games().get(game)
    if rules is not None:
        for name, says in attributes.items():
            rules.check(says, name)


def palette(game: str) -> Sequence[beads.Hue] | None:
    """The beads in this game's box, () when it has none; None for a game that has no rules here."""
    box = _box(game)
    if box is None:
        return None
    return beads.named(box.get("counts", {}).get("beads", {}))


def die_faces(game: str) -> Mapping[str, frozenset[int]] | None:
    """What the dice in this game's box show, by their colour; None where these are not known."""
    box = _box(game)
    if box is None or "dice" not in box:
        return None
    return {colour: frozenset(chain.from_iterable(dice)) for colour, dice in box["dice"].items()}


def _box(game: str) -> Mapping[str, Any] | None:
    """What is in this game's box; None for a game that has no rules here."""
    rules = games().get(game)
    if rules is None:
        return None
    try:
        text = files(rules.folder).joinpath("components.toml").read_text("utf-8")
    except FileNotFoundError:
        return None
    return tomllib.loads(text)
