"""What a faultless camera would see of a Fiji table, and small faults to put into it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.fiji.box import components
from companion.games.tabletop import Laid, Seen, SeenBead, SeenCard


def meanings() -> dict[str, dict[str, Any]]:
    """What the house deck's components say, by name."""
    listed = components()
    return {**listed["conditions"], **listed["effects"], **listed["goals"]}


def sight(laid: Laid) -> Seen:
    known = meanings()
    cards = tuple(SeenCard(p.component, known[p.component], p.x, p.y, p.angle) for p in laid.cards)
    return Seen(cards, tuple(SeenBead(b.colour, b.x, b.y) for b in laid.beads))


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
