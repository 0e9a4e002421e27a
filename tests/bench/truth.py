"""Answers held against what really lies there: how likely each was said to be, and whether it was right.

The truth is as simulated tables tell it, or as it lies beside a photo as JSON: `components` with `corners_px` and
`visible`, `beads` with `centre_px`, `pieces` from `centre_px` (where they stand) to `top_px`, all in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from vision.deck import Deck
from vision.observation import BeadSeen, Component, Doubt, Observation, PieceSeen
from vision.plane import Point

NEAR: Final = 0.22  #: of a component's shorter side: what is nearer may be it
TURN: Final = 20.0  #: degrees
BEAD: Final = 9.0  #: pixels of a picture 1920 wide
PIECE: Final = 10.0
COLOURLESS: Final = ("log", "moai", "headdress")

Truth = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said: of which sort ("component", "bead", "piece", "unsure"), how likely, and whether it is true."""

    sort: str
    name: str
    confidence: float
    right: bool
    visible: float = 1.0  #: share of what lies there that can be seen


def claims(seen: Observation, truth: Truth, deck: Deck) -> Iterator[Claim]:
    """Every claim of an observation. Each true thing makes one claim true at most."""
    yield from _components(seen.components, truth["components"], deck)
    scale = seen.size[0] / 1920
    yield from _beads(seen.beads, truth.get("beads", []), BEAD * scale)
    yield from _pieces(seen.pieces, truth.get("pieces", []), PIECE * scale)
    for doubt in seen.unsure:
        yield from _doubt(doubt, truth, deck, scale)


def _components(found: Sequence[Component], truth: Sequence[Truth], deck: Deck) -> Iterator[Claim]:
    """Right answers first, the nearest first: cards of a column lie closer together than places are told apart."""
    pairs = [(math.dist(_middle(f.corners), _middle(t["corners_px"])), f, t) for f in found for t in truth]
    near = sorted((p for p in pairs if p[0] < NEAR * _span(p[2]["corners_px"])), key=lambda p: p[0])
    free, lying = {id(f) for f in found}, {id(t) for t in truth}
    for right in (True, False):
        for _, answer, true in near:
            if id(answer) not in free or id(true) not in lying:
                continue
            if not right or (_named(answer.component, true["component"], deck) and _turned(answer, true, deck)):
                free.remove(id(answer))
                lying.remove(id(true))
                yield Claim("component", answer.component, answer.confidence, right, true["visible"])
    for phantom in found:
        if id(phantom) in free:
            yield Claim("component", phantom.component, phantom.confidence, False, 0.0)


def _named(said: str, true: str, deck: Deck) -> bool:
    return deck.meaning(said.split("/", 1)[-1]) == deck.meaning(true.split("/", 1)[-1])


def _turned(answer: Component, lying: Truth, deck: Deck) -> bool:
    """Whether the face lies turned as it was said, or looks the same that way."""
    off = abs((_turn(answer.corners) - _turn(lying["corners_px"]) + 180) % 360 - 180)
    return off <= TURN or any(abs(off - q) <= TURN for q in _same_turns(answer.component.split("/", 1)[-1], deck))


def _same_turns(name: str, deck: Deck) -> Sequence[int]:
    """A back says the same whichever way round it lies, and so does a tile with nothing on it but water or shells."""
    said = deck.attributes.get(name) or {}
    if not deck.turn_tells(name):
        return (90, 180)
    plain = "palms" in said and not any(said.get(k) for k in ("open", "palms", "huts", "wreath", "volcano"))
    return (90, 180) if plain else ()


def _beads(found: Sequence[BeadSeen], truth: Sequence[Truth], reach: float) -> Iterator[Claim]:
    free = list(truth)
    for bead in found:
        near = [t for t in free if math.dist(bead.centre_px, t["centre_px"]) <= reach]
        true = min(near, key=lambda t: math.dist(bead.centre_px, t["centre_px"]), default=None)
        if true is not None:
            free.remove(true)
        yield Claim("bead", bead.colour, bead.confidence, true is not None and true["colour"] == bead.colour)


def _pieces(found: Sequence[PieceSeen], truth: Sequence[Truth], reach: float) -> Iterator[Claim]:
    free = list(truth)
    for piece in found:
        near = [t for t in free if _away(piece.centre_px, t) <= reach]
        right = [t for t in near if _is(t, piece.piece, piece.colour, piece.value)]
        true = min(right or near, key=lambda t: _away(piece.centre_px, t), default=None)
        if true is not None:
            free.remove(true)
        name = "-".join(str(part) for part in (piece.piece, piece.colour, piece.value) if part is not None)
        yield Claim("piece", name, piece.confidence, bool(right))


def _is(true: Truth, piece: str, colour: str | None, value: int | None) -> bool:
    same = colour == true["colour"] or true["piece"].startswith(COLOURLESS)
    return bool(true["piece"] == piece and same and true["value"] == value)


def _away(point: Point, true: Truth) -> float:
    """How far a point is from the line from where a piece stands to its top, pixels."""
    (ax, ay), (bx, by) = true["centre_px"], true["top_px"]
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.dist(point, (ax + along * (bx - ax), ay + along * (by - ay)))


def _doubt(doubt: Doubt, truth: Truth, deck: Deck, scale: float) -> Iterator[Claim]:
    """Each candidate of a doubt, true when such a thing lies there."""
    if doubt.corners is not None:
        here = _middle(doubt.corners)
        near = [
            t for t in truth["components"] if math.dist(here, _middle(t["corners_px"])) < NEAR * _span(t["corners_px"])
        ]
        for name, share in doubt.candidates:
            yield Claim("unsure", name, share, any(_named(name, t["component"], deck) for t in near))
        return
    assert doubt.centre_px is not None
    beads = [t for t in truth.get("beads", []) if math.dist(doubt.centre_px, t["centre_px"]) <= BEAD * scale]
    pieces = [t for t in truth.get("pieces", []) if _away(doubt.centre_px, t) <= PIECE * scale]
    names = {t["colour"] for t in beads} | {name for t in pieces for name in _names(t)}
    for name, share in doubt.candidates:
        yield Claim("unsure", name, share, name.split("/", 1)[-1] in names)


def _names(piece: Truth) -> set[str]:
    """What a piece may be called as a candidate."""
    parts = [piece["piece"], piece["colour"], piece["value"]]
    whole = "-".join(str(p) for p in parts if p is not None)
    return {whole, piece["piece"], f"{piece['piece']}-{piece['colour']}", f"{piece['piece']}-{piece['value']}"}


def _middle(corners: Sequence[Sequence[float]]) -> Point:
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def _span(corners: Sequence[Sequence[float]]) -> float:
    return min(math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2]))


def _turn(corners: Sequence[Sequence[float]]) -> float:
    """The direction of a face's top edge in the picture, degrees."""
    return math.degrees(math.atan2(corners[1][1] - corners[0][1], corners[1][0] - corners[0][0]))
