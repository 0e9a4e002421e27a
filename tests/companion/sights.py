"""What a faultless camera would see of a table laid with a house deck, and small faults to put into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from companion.games.fiji.box import components
from companion.games.maori.tiles import read_setup
from companion.games.rapa_nui.cards import CARDS, OFFERINGS
from companion.games.reading import Fields
from companion.games.tabletop import Laid, Seen, SeenBead, SeenCard, SeenPiece


@cache
def box(name: str) -> Mapping[str, Mapping[str, Any]]:
    """What the components of a house deck say, by name."""
    if name == "fiji":
        listed = components()
        return {**listed["conditions"], **listed["effects"], **listed["goals"]}
    if name == "rapa-nui":
        return {
            named: {"card": named} for named in (*CARDS, *(f"offering-{sort}" for sort in OFFERINGS), "offering-back")
        }
    if name == "giants":
        return {"map": {"card": "map"}}
    maori = read_setup(Fields({}, "options"))
    tiles = {named: tile.data() for named, tile in zip(maori.names, maori.tiles, strict=True)}
    return {**tiles, "board": {"card": "board"}}


def meanings() -> dict[str, Mapping[str, Any]]:
    """What the cards of Fiji say."""
    return dict(box("fiji"))


def sight(laid: Laid, name: str = "fiji") -> Seen:
    known = box(name)
    return Seen(
        tuple(SeenCard(p.component, known[p.component], p.x, p.y, p.angle) for p in laid.cards),
        tuple(SeenBead(b.colour, b.x, b.y) for b in laid.beads),
        tuple(SeenPiece(p.piece, p.x, p.y, p.colour, p.value) for p in laid.pieces),
    )


def without(seen: Seen, *components_: str) -> Seen:
    """These cards are covered."""
    return replace(seen, cards=tuple(c for c in seen.cards if c.component not in components_))


def doubtful(seen: Seen, component: str, *others: str) -> Seen:
    """This card may as well be one of the others."""
    known = meanings()

    def doubt(card: SeenCard) -> SeenCard:
        if card.component != component:
            return card
        names = (component, *others)
        return SeenCard("", {}, card.x, card.y, 0.0, tuple((n, known[n]) for n in names))

    return replace(seen, cards=tuple(map(doubt, seen.cards)))


def turned_round(seen: Seen) -> Seen:
    """The same table read from its other side: everything turned by 180 degrees."""
    cards = tuple(replace(c, x=880 - c.x, y=540 - c.y, angle=c.angle + 180) for c in seen.cards)
    return replace(seen, cards=cards)


def moved(seen: Seen, take: tuple[str, ...] = (), put: tuple[SeenBead, ...] = ()) -> Seen:
    """Some beads of the supply are gone, others lie there."""
    beads = list(seen.beads)
    for colour in take:
        beads.remove(next(b for b in beads if b.colour == colour))
    return replace(seen, beads=(*beads, *put))
